package verdicts

// Allowance is the processor time that a sample was given, in seconds. To repeat a verdict on a
// machine of another speed, set it in the task's limits.
type Allowance struct {
	CPUSeconds float64 `json:"cpu_seconds"` // for each test case
	CPUTotal   float64 `json:"cpu_total"`   // for all of them

	// Reference is the time of the reference solution's slowest test case on this machine; 0: not
	// measured, since the sample did not reach the lowest limit.
	Reference float64 `json:"reference,omitempty"`

	// Slowness is how many times its usual time a fixed program took when the sample had reached
	// its limit. The limit is then longer in proportion unless the task sets it; 0: as usual, or
	// not measured.
	Slowness float64 `json:"slowness,omitempty"`

	// Near reports that the limit may have decided the verdict: a case ended by itself after more
	// than half of it, or was stopped at it while no other case failed. Another machine may reach
	// another verdict.
	Near bool `json:"near,omitempty"`

	// Alone reports that the sample was judged again while its machine judged nothing else,
	// within twice the limit unless the task sets it: at first, only the limit kept it from being
	// accepted. A sample that reaches the double limit is not near it.
	Alone bool `json:"alone,omitempty"`
}
