package sessions

import (
	"time"

	"assay/session"
	"assay/session/report"
	"assay/session/report/document"
)

// Header describes one session: its tester, model and settings.
type Header struct {
	ID        string `json:"id"`        // a ULID, which begins with the time
	Imported  bool   `json:"imported"`  // from the tables of another study, not done with assay
	Status    string `json:"status"`    // "open", "finished", "abandoned", "withdrawn"
	Benchmark string `json:"benchmark"` // its name
	Filter    string `json:"filter"`    // the filter that chose the tasks, as typed
	Model     string `json:"model"`     // as the study calls it
	Provider  string `json:"provider"`  // the program or protocol by which it was reached
	ModelID   string `json:"model_id"`  // as the provider calls it
	// Definition is a hash of the model's settings, such as its temperature and system
	// prompt; empty in older logs.
	Definition  string    `json:"model_definition"`
	Recorded    bool      `json:"recorded_answers"`  // answers were recorded beforehand: a rehearsal
	Reported    []string  `json:"models_reported"`   // as the provider named itself with its answers
	K           int       `json:"k"`                 // attempts allowed for each task
	Level       int       `json:"level"`             // the prompt level: how much of the task the first prompt says
	Context     string    `json:"context"`           // what the model saw of earlier attempts: "fresh" or "conversation"
	Seed        uint64    `json:"seed"`              // of the order and choice of tasks
	Tester      string    `json:"tester"`            // a pseudonym, or ""
	Participant int       `json:"participant"`       // number of the person in this report, from 1; 0 of a program
	Kind        string    `json:"tester_kind"`       // "human" or "automatic"
	Feedback    string    `json:"feedback"`          // the policy by which a program answered failed attempts; "" of people
	Reveals     bool      `json:"reveals_tests"`     // that feedback showed test cases to the model
	Criterion   string    `json:"criterion"`         // when to be satisfied, as the tester was told
	Suffix      string    `json:"suffix"`            // what was appended to every prompt that was sent, or ""
	Reference   bool      `json:"reference_visible"` // testers could look at the reference solution
	Tests       string    `json:"tests_seen"`        // before judging: "all", "verdict" or "none"
	Study       Study     `json:"study"`             // the place of the session in a study
	IdleMS      int64     `json:"idle_threshold_ms"` // milliseconds without a key after which time counts as idle
	Sandbox     string    `json:"sandbox"`           // the isolation in which answers ran
	Consent     string    `json:"consent"`           // what the tester typed to have answers run without isolation; else ""
	Enforced    []string  `json:"enforcement"`       // what held while answers ran, as recorded with the verdicts
	Analysers   []string  `json:"analysers"`         // what gave the ratings of code
	Assay       string    `json:"assay"`             // the version of assay
	OS          string    `json:"os"`                // operating system and architecture
	Terminal    string    `json:"terminal"`          // the terminal, as it names itself
	Began       time.Time `json:"began"`             // time of the first event
	Last        time.Time `json:"last"`              // time of the last event
	Events      uint64    `json:"events"`            // events in the log
	Hash        string    `json:"hash"`              // of the last event: it seals the whole log
	Flags       []string  `json:"flags"`             // what a reader should know of the session
	Counts      Counts    `json:"tasks"`             // what became of its tasks

	Other         int `json:"tasks_other"`         // unfinished, not opened, practice, withdrawn
	Failures      int `json:"provider_errors"`     // sendings that brought no answer
	Interruptions int `json:"interrupted_answers"` // answers stopped by the tester or by a crash
	Reflections   int `json:"reflections"`         // answers that say what was wrong with an attempt, which are none

	// Account is what its answers took; absent if there is none, or the tester withdrew
	Account *report.Spent `json:"account,omitempty"`
}

// Study is the place of a session in a study; empty if it belongs to none.
type Study struct {
	Name    string `json:"name"`    // its name
	Version int    `json:"version"` // of the study
	Hash    string `json:"hash"`    // of the frozen study
	Arm     string `json:"arm"`     // the name of the condition
	Tester  int    `json:"tester"`  // number in the study's plan
	Part    int    `json:"part"`    // which of the tester's sessions
	Blind   bool   `json:"blind"`   // the tester did not read the model's name
	Consent string `json:"consent"` // version that the tester agreed to

	Unblinded string `json:"unblinded,omitempty"` // when, why and how far the study was when it was unblinded
}

// Events are sums over the logs.
type Events struct {
	Events        int `json:"events"`                 // in all logs
	Failures      int `json:"provider_errors"`        // sendings that brought no answer; they cost no attempt
	Interruptions int `json:"interrupted_answers"`    // answers stopped by the tester or by a crash; they cost no attempt
	Truncated     int `json:"truncated_answers"`      // answers of attempts that were stopped before their end: by a length limit, a content filter or a refusal
	Cut           int `json:"cut_prompts,omitempty"`  // answers of attempts to a part of the prompt, since it exceeded the model's context; absent: none
	Judged        int `json:"attempts_judged"`        // of the tasks that enter the results
	Unjudged      int `json:"attempts_unjudged"`      // begun, but the task was left before a judgement
	Reflections   int `json:"reflections"`            // answers that say what was wrong with an attempt; they are no attempts
	Abandoned     int `json:"skipped_after_attempts"` // tasks that an automatic tester left out after an attempt that had failed, since the model gave no further answer
}

// Counts counts the planned tasks by outcome. Practice tasks are counted only in Practice.
type Counts struct {
	Planned    int `json:"planned"`    // tasks of the plans, practice and all
	Analysed   int `json:"analysed"`   // satisfied, given up or exhausted
	Satisfied  int `json:"satisfied"`  // ended with an answer that satisfied the tester
	GaveUp     int `json:"gave_up"`    // ended by the tester before k attempts
	Exhausted  int `json:"exhausted"`  // ended after k attempts without a satisfying answer
	Skipped    int `json:"skipped"`    // left aside by the tester
	Unfinished int `json:"unfinished"` // open when the log ends
	NotOpened  int `json:"not_opened"` // never begun
	Practice   int `json:"practice"`   // tasks to get used to the program
	Withdrawn  int `json:"withdrawn"`  // tasks of sessions whose tester withdrew
	Unobserved int `json:"unobserved"` // analysed tasks with a gap in their log
}

func (c *Counts) add(o Counts) {
	c.Planned, c.Analysed, c.Satisfied = c.Planned+o.Planned, c.Analysed+o.Analysed, c.Satisfied+o.Satisfied
	c.GaveUp, c.Exhausted, c.Skipped = c.GaveUp+o.GaveUp, c.Exhausted+o.Exhausted, c.Skipped+o.Skipped
	c.Unfinished, c.NotOpened, c.Practice = c.Unfinished+o.Unfinished, c.NotOpened+o.NotOpened, c.Practice+o.Practice
	c.Withdrawn, c.Unobserved = c.Withdrawn+o.Withdrawn, c.Unobserved+o.Unobserved
}

// Method describes how the intervals were computed.
type Method struct {
	Confidence float64 `json:"confidence"` // of every interval
	Scope      string  `json:"scope"`      // what the intervals speak of
	Small      int     `json:"small"`      // tasks below which a cell is not shown
	Rounding   string  `json:"rounding"`   // of the numbers on the page
}

// result is one analysed task of one session with its folds.
type result struct {
	*session.Task
	in       *folded
	times    session.TaskTimes
	index    int  // in the plan, from 0
	task     int  // which of the report's tasks, by what it asks and tests
	attempts int  // made
	counted  int  // as #attempt_k counts them: k where the tester was not satisfied
	happy    bool // satisfied
}

// The kinds of testers.
const (
	human     = "human"
	automatic = "automatic"
)

// automatic reports whether a program worked.
func (h Header) automatic() bool { return h.Kind == automatic }

// modelName returns the name of the model, with its id if that differs.
func (h Header) modelName() string {
	if h.ModelID == "" || h.ModelID == h.Model {
		return h.Model
	}
	return h.Model + " (" + h.ModelID + ")"
}

func clean(text string) string { return document.Clean(text) }
