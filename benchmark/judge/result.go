package judge

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/benchmark"
)

// Verdict is the one outcome of a sample.
type Verdict string

// The verdicts, by precedence: the first that applies is the sample's.
const (
	SandboxError Verdict = "sandbox_error" // ours, never the sample's fault
	CompileError Verdict = "compile_error"
	OutputLimit  Verdict = "output_limit"
	MemoryLimit  Verdict = "memory_limit"
	TimeLimit    Verdict = "time_limit"
	RuntimeError Verdict = "runtime_error"
	WrongAnswer  Verdict = "wrong_answer"
	Accepted     Verdict = "accepted"
	NotJudged    Verdict = "not_judged" // no tests, or no interpreter: excluded with its count
)

// Status is the outcome of one test case: a verdict, passed, or not run.
type Status string

// The statuses that are not verdicts.
const (
	Passed Status = "passed"
	NotRun Status = "not_run" // not reached after an earlier failure; counts as failed
)

// CaseResult is the outcome of one test case. Call, Expected and Got are short
// texts to show, with anything a terminal would interpret already removed.
type CaseResult struct {
	Index    int    `json:"index"` // from 1
	Name     string `json:"name,omitempty"`
	Status   Status `json:"status"`
	Call     string `json:"call,omitempty"`
	Expected string `json:"expected,omitempty"`
	Got      string `json:"got,omitempty"`
	Message  string `json:"message,omitempty"`
	Edge     bool   `json:"edge,omitempty"`
	CPUMS    int64  `json:"cpu_ms"`
}

// Result is what judging a sample found.
type Result struct {
	Verdict  Verdict      `json:"verdict"`
	Passed   int          `json:"passed"`
	Total    int          `json:"total"`
	Cases    []CaseResult `json:"cases,omitempty"`
	Message  string       `json:"message,omitempty"` // the error that decided the verdict
	Stdout   string       `json:"stdout,omitempty"`  // the first part, escapes stripped
	Stderr   string       `json:"stderr,omitempty"`
	CPUMS    int64        `json:"cpu_ms"`
	WallMS   int64        `json:"wall_ms"`
	MemoryKB int64        `json:"memory_kb"` // peak of all processes

	// Allowed is the processor time that the sample had.
	Allowed *Allowance `json:"allowed,omitempty"`

	// Enforcement says which mechanism enforced what, for example "net"
	// -> "namespace". Isolation reports whether the verdict could be forged, see
	// [Forgeable]; Interpreter names what ran the code.
	Enforcement map[string]string `json:"enforcement,omitempty"`
	Isolation   string            `json:"isolation,omitempty"`
	Interpreter string            `json:"interpreter,omitempty"`

	// MissingTool reports that the verdict is not_judged because this machine lacks a program
	// or a library, or a fleet a worker that has them: another run may judge the sample.
	MissingTool bool `json:"missing_tool,omitempty"`

	// Library is the directory of packages that the task declares, with the
	// SHA-256 of what was in it.
	Library string `json:"library,omitempty"`

	// Worker is the machine of a fleet that judged, and Assay its version; both are empty
	// where no fleet did.
	Worker string `json:"worker,omitempty"`
	Assay  string `json:"assay,omitempty"`

	// Measures are what that machine found in the program without running it, as JSON, where
	// the submission asks for them; null says that there is nothing to be found.
	Measures json.RawMessage `json:"measures,omitempty"`

	// Outputs has an element for each file that the task declares, in order,
	// whatever the verdict. The files come from untrusted code.
	Outputs []OutputFile `json:"outputs,omitempty"`
}

// NotReady is the result for a task that cannot be judged here, for the reason that
// [Judge.Ready] gives.
func NotReady(task *benchmark.Task, reason error) Result {
	return Result{Verdict: NotJudged, Message: reason.Error(), MissingTool: task.Tests.Style != benchmark.NoTests && Known(task) == nil}
}

// Isolated and the other isolations say how far a program was kept from its tests.
const (
	Isolated    = "isolated"
	InProcess   = "in_process"
	Unprotected = "unprotected"
)

// Forgeable reports whether a program that is written for it could forge a verdict that
// was reached in this isolation.
func Forgeable(isolation string) bool { return isolation == InProcess || isolation == Unprotected }

// Loaded reports whether the program ran so far that a test case was run.
func (r Result) Loaded() bool {
	return slices.ContainsFunc(r.Cases, func(c CaseResult) bool { return c.Status != NotRun })
}

// EnforcementText is the one-line form of what enforced the limits, sorted:
// "memory=cgroup net=namespace".
func (r Result) EnforcementText() string {
	parts := make([]string, 0, len(r.Enforcement))
	for _, what := range slices.Sorted(maps.Keys(r.Enforcement)) {
		parts = append(parts, fmt.Sprintf("%s=%s", what, r.Enforcement[what]))
	}
	return strings.Join(parts, " ")
}
