// Package outcomes owns the values that describe judging repository tasks: outcomes, and what a check of a task's own
// lists found.
package outcomes

import "cmp"

// Outcomes lists the outcomes, the best first.
func Outcomes() []Outcome {
	return []Outcome{Resolved, Partly, Unresolved, BrokeTests, PatchFailed, TimeLimit, MemoryLimit, OutputLimit, Tampered, EnvironmentError}
}

// Outcome is how far an answer solves a repository task.
type Outcome string

// The outcomes.
const (
	Resolved         Outcome = "resolved"          // all tests of both lists pass
	Partly           Outcome = "partly"            // some of FAIL_TO_PASS pass, and all of PASS_TO_PASS
	Unresolved       Outcome = "unresolved"        // none of FAIL_TO_PASS passes, and all of PASS_TO_PASS
	BrokeTests       Outcome = "broke_tests"       // a test of PASS_TO_PASS fails
	PatchFailed      Outcome = "patch_failed"      // the answer does not apply, or contains no change
	TimeLimit        Outcome = "time_limit"        // the tests used up their time
	MemoryLimit      Outcome = "memory_limit"      // or their memory
	OutputLimit      Outcome = "output_limit"      // or wrote more than allowed
	Tampered         Outcome = "tampered"          // the report of the tests contradicts what is known of them
	EnvironmentError Outcome = "environment_error" // the tests cannot run here: never the answer's fault
)

// Words names an outcome in a few plain words.
func (o Outcome) Words() string {
	return cmp.Or(map[Outcome]string{
		Resolved:         "resolved",
		Partly:           "partly resolved",
		Unresolved:       "not resolved",
		BrokeTests:       "breaks tests that passed before",
		PatchFailed:      "does not apply",
		TimeLimit:        "time limit",
		MemoryLimit:      "memory limit",
		OutputLimit:      "output limit",
		Tampered:         "tampered with the tests' report",
		EnvironmentError: "the tests cannot run here",
	}[o], string(o))
}

// Explained explains an outcome that its words do not, or returns "".
func (o Outcome) Explained() string {
	return map[Outcome]string{
		PatchFailed:      "The answer's changes do not fit the repository, so no test was run.",
		Tampered:         "Tests that assay planted beside the real ones, some of which must fail, are missing or wrong in the report. The answer changes what tests report, so that none of them counts.",
		EnvironmentError: "This is a fault of this machine, not of the answer. It counts in no metric.",
	}[o]
}

// Gold reports whether a task's own lists hold on this machine: before its reference patch, no test of
// FAIL_TO_PASS passes; with it, every test of both lists does.
type Gold struct {
	Rounds    int      `json:"rounds"`            // with the reference in which all tests passed
	Tests     int      `json:"tests"`             // of both lists
	Toolchain string   `json:"toolchain"`         // with its version
	Seconds   float64  `json:"seconds"`           // of a run of the tests with the reference
	Problem   string   `json:"problem,omitempty"` // what does not hold; "": nothing
	Reason    string   `json:"reason,omitempty"`  // why, as far as the output of the tests shows it
	Differ    []string `json:"differ,omitempty"`  // tests that do not do what the lists say
	Output    string   `json:"output,omitempty"`  // the file with what the tests of the run with the problem wrote
}

// Describe returns the problem with its reason.
func (g Gold) Describe() string {
	if g.Reason == "" {
		return g.Problem
	}
	return g.Problem + " (" + g.Reason + ")"
}
