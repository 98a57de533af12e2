package verdicts

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/benchmark/repository/outcomes"
)

// Verdict is the outcome of a sample.
type Verdict string

// The verdicts, by precedence: the first that applies is the sample's.
const (
	SandboxError Verdict = "sandbox_error" // a failure of assay or the machine, never the sample's fault
	NoCode       Verdict = "no_code"       // the answer has no code: nothing was run
	CompileError Verdict = "compile_error"
	OutputLimit  Verdict = "output_limit"
	MemoryLimit  Verdict = "memory_limit"
	TimeLimit    Verdict = "time_limit"
	RuntimeError Verdict = "runtime_error"
	WrongAnswer  Verdict = "wrong_answer"
	Accepted     Verdict = "accepted"
	NotJudged    Verdict = "not_judged" // no tests, or no interpreter: excluded and counted
)

// Status is the outcome of one test case: a verdict, passed, or not run.
type Status string

// The statuses that are not verdicts.
const (
	Passed Status = "passed"
	NotRun Status = "not_run" // not reached after an earlier failure; counts as failed
)

// CaseResult is the outcome of one test case. Call, Expected and Got are short texts for display,
// without anything that a terminal would interpret.
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

// Result is the result of judging a sample.
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

	// Allowed is the processor time that the sample was given.
	Allowed *Allowance `json:"allowed,omitempty"`

	// Enforcement maps each limit to the mechanism that enforced it, for example "net" to
	// "namespace". Isolation determines whether the verdict could be forged, see [Forgeable];
	// Interpreter names the program that ran the code.
	Enforcement map[string]string `json:"enforcement,omitempty"`
	Isolation   string            `json:"isolation,omitempty"`
	Interpreter string            `json:"interpreter,omitempty"`

	// Resolution is how far an answer solves a repository task; the verdict follows from it. PutBack are
	// files of the answer that were not its to change. ToReview are the reasons why a person has to look at an
	// answer that is resolved: what it names could influence tests or their report.
	Resolution outcomes.Outcome `json:"resolution,omitempty"`
	PutBack    []string         `json:"put_back,omitempty"`
	ToReview   []string         `json:"to_review,omitempty"`

	// RepeatsCall reports that what an answer states contains the call whose value was asked for: LiveCodeBench
	// does not count such answers. The verdict does not depend on it.
	RepeatsCall bool `json:"repeats_call,omitempty"`

	// MissingTool reports that the verdict is not_judged because this machine lacks a program or
	// a library, or a fleet lacks a worker that has them: another run may judge the sample.
	MissingTool bool `json:"missing_tool,omitempty"`

	// Library is the directory of packages that the task declares, with the SHA-256 of its
	// content.
	Library string `json:"library,omitempty"`

	// Worker is the fleet machine that judged the sample, and Assay its version; both are empty
	// without a fleet.
	Worker string `json:"worker,omitempty"`
	Assay  string `json:"assay,omitempty"`

	// Measures is what that machine found in the program without running it, as JSON, if the
	// submission asks for it; null if nothing can be measured.
	Measures json.RawMessage `json:"measures,omitempty"`

	// Outputs has an element for each file that the task declares, in order, whatever the
	// verdict. The files come from untrusted code.
	Outputs []OutputFile `json:"outputs,omitempty"`
}

// Met reports whether the result is the one that a recorded answer promises: a verdict, or the outcome of a repository
// task.
func (r Result) Met(promised string) bool {
	return promised == cmp.Or(string(r.Resolution), string(r.Verdict))
}

// Isolated and the others are the degrees to which a program is isolated from its tests.
const (
	Isolated    = "isolated"
	InProcess   = "in_process"
	Unprotected = "unprotected"
)

// Forgeable reports whether a malicious program could forge a verdict reached in this isolation.
func Forgeable(isolation string) bool { return isolation == InProcess || isolation == Unprotected }

// Loaded reports whether at least one test case ran.
func (r Result) Loaded() bool {
	return slices.ContainsFunc(r.Cases, func(c CaseResult) bool { return c.Status != NotRun })
}

// EnforcementText formats Enforcement on one line, sorted: "memory=cgroup net=namespace".
func (r Result) EnforcementText() string {
	parts := make([]string, 0, len(r.Enforcement))
	for _, what := range slices.Sorted(maps.Keys(r.Enforcement)) {
		parts = append(parts, fmt.Sprintf("%s=%s", what, r.Enforcement[what]))
	}
	return strings.Join(parts, " ")
}

// The lists of a repository task's tests, which are the Call of their cases.
const (
	FailToPass = "fail_to_pass" // tests that fail before the change and must pass after it
	PassToPass = "pass_to_pass" // tests that pass before the change and must still pass
)

// Printed returns what came of a scratch run: what the program printed, and why it failed.
func (r Result) Printed() string {
	text := strings.TrimRight(r.Stdout, "\n")
	if len(r.Cases) > 0 && text == "" {
		text = strings.TrimRight(r.Cases[0].Got, "\n")
	}
	return strings.Trim(text+"\n"+r.Failure(), "\n")
}

// Failure returns why a program did not run to its end from which nothing is expected; "": it did.
func (r Result) Failure() string {
	failed := r.Message
	if len(r.Cases) > 0 && failed == "" {
		failed = r.Cases[0].Message
	}
	if v := r.Verdict; failed == "" && v != Accepted && v != WrongAnswer {
		failed = strings.ReplaceAll(string(v), "_", " ")
	}
	return failed
}

// Value is the result of one call of a function: a value, an exception or a failure.
type Value struct {
	JSON   json.RawMessage // as in a case's "expected"; nil if there is none
	Raised []string        // names of the exception's class and its bases, the nearest first
	Failed Status          // why there is neither: a limit, or a process that ended
	Text   string          // of the exception or failure, to show
}
