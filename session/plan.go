package session

import (
	"cmp"
	"errors"
	"fmt"

	"assay/benchmark"
)

// Plan is what a session follows: fixed when it opens, and recorded whole.
type Plan struct {
	Benchmark  string      `json:"benchmark"`           // name of the benchmark
	Scenario   string      `json:"scenario,omitempty"`  // the filter that chose the tasks, as typed
	Tasks      []PlanTask  `json:"tasks"`               // in the order of presentation
	K          int         `json:"k"`                   // attempts allowed for a task
	Level      int         `json:"level"`               // prompt level the editor starts with, 0 to 3
	Context    Context     `json:"context"`             // whether earlier turns are sent along
	Seed       uint64      `json:"seed"`                // of the task order and of the test sets
	Stratify   []string    `json:"stratify,omitempty"`  // fields whose values all test sets have in nearly the same numbers
	Tester     string      `json:"tester,omitempty"`    // pseudonym
	Model      Model       `json:"model"`               // what answers
	Criterion  string      `json:"criterion,omitempty"` // the satisfaction criterion shown to the tester
	Reference  bool        `json:"reference,omitempty"` // the reference solution may be seen while reviewing
	Tests      TestsSeen   `json:"tests,omitempty"`     // what the tester sees of the tests before judging
	IdleMS     int64       `json:"idle_ms,omitempty"`   // silence that counts as idle, 0 for never
	Attributes []Attribute `json:"attributes"`          // what is rated; nothing where a program works
	Study      *InStudy    `json:"study,omitempty"`     // the study that the session is part of
	Automatic  *Automatic  `json:"automatic,omitempty"` // the program that works in place of a human; nil: a human works
	Rules
}

// TestsSeen says what a tester sees of an attempt's tests before it is judged.
type TestsSeen string

// What can be seen. The empty word, of older plans, is everything.
const (
	SeeTests   TestsSeen = "all"
	SeeVerdict TestsSeen = "verdict" // how many passed, but no test case
	SeeNothing TestsSeen = "none"
)

// InStudy is a session's place in a study.
type InStudy struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Hash    string `json:"hash,omitempty"` // of the frozen study; empty where it was not frozen
	Arm     string `json:"arm"`
	Tester  int    `json:"tester"`          // number, from 1
	Part    int    `json:"part"`            // which of the tester's sessions, from 1
	Shown   string `json:"shown,omitempty"` // what the tester reads instead of the model's name

	// Seated says that the tester was given the number by pseudonym, in a store that
	// testers share: the join code of that number is not theirs.
	Seated bool `json:"seated,omitempty"`

	Analysis *Analysis `json:"analysis,omitempty"` // the study's declared analysis; nil: it declares none

	// What the tester reads before the first task, and has to agree to if there is a
	// consent: its version is recorded with the agreement.
	Instructions   string `json:"instructions,omitempty"`
	Consent        string `json:"consent,omitempty"`
	ConsentVersion string `json:"consent_version,omitempty"`
}

// Analysis is how a study declared, before its first session, that its arms would be
// compared.
type Analysis struct {
	Primary string `json:"primary"` // the primary outcome, one of Outcomes
	Family  string `json:"family"`  // FamilyHolm or FamilyBH: the correction of all other comparisons
	Model   string `json:"model"`   // ModelTesters or ModelMixed
}

// Outcomes are the measures of which a study can declare one as its primary outcome.
func Outcomes() []string { return []string{"satisfied", "attempts", "time", "total", "tests"} }

// The corrections of a family of comparisons.
const (
	FamilyHolm = "holm"
	FamilyBH   = "benjamini-hochberg"
)

// The models by which arms are compared.
const (
	ModelTesters = "testers" // over testers' means: testers like these, these tasks
	ModelMixed   = "mixed"   // testers and tasks as random effects: testers and tasks like these
)

// ModelShown is what the tester may read of the model: its name, unless the study is
// blind.
func (p Plan) ModelShown() string {
	if p.Study != nil && p.Study.Shown != "" {
		return p.Study.Shown
	}
	return p.Model.Name
}

// Sees says what the tester sees of an attempt's tests: all of them once it was judged, since whoever takes
// a judgement back may have looked.
func (p Plan) Sees(a *Attempt) TestsSeen {
	if a == nil || a.Revealed || p.Tests == "" {
		return SeeTests
	}
	return p.Tests
}

// PlanTask is one task of a plan. The full text and tests are kept beside the
// log under Content when the session opens.
type PlanTask struct {
	ID         string               `json:"id"`
	Title      string               `json:"title,omitempty"`
	Set        string               `json:"set,omitempty"` // test set, "T0", "T1", …
	Difficulty benchmark.Difficulty `json:"difficulty,omitempty"`
	Type       string               `json:"type,omitempty"`
	Category   string               `json:"category,omitempty"`
	Practice   bool                 `json:"practice,omitempty"` // excluded from results
	Check      *Check               `json:"check,omitempty"`    // an attention check among its ratings
	Content    Ref                  `json:"content,omitempty"`  // the task as JSON
}

// Context says what of a task's earlier turns is sent with a prompt.
type Context string

// The two contexts: a chat that remembers, or each prompt on its own.
const (
	Conversation Context = "conversation"
	Fresh        Context = "fresh"
)

// Model identifies what answered in a session. It holds no secret.
type Model struct {
	Name     string `json:"name"`            // the name in models.toml, or of the built-in provider
	Provider string `json:"provider"`        // "rehearsal", "paste", "command", "replay", "openai", "anthropic", "ollama"
	Model    string `json:"model,omitempty"` // the provider's own model id
	Recorded bool   `json:"recorded,omitempty"`

	// Definition is a hash of all its settings in models.toml, such as the temperature
	// and the system prompt: two models of one name differ in it.
	Definition string `json:"definition,omitempty"`
}

// Attribute is one thing that is rated from 1 (poorest) to 5 (best), or on another scale.
type Attribute struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
	Points  int    `json:"points,omitempty"` // of the scale; 0: 5
	Low     string `json:"low,omitempty"`    // what the lowest score means; empty: "poorest"
	High    string `json:"high,omitempty"`   // and the highest; empty: "best"
}

// Max is the highest score.
func (a Attribute) Max() int { return cmp.Or(a.Points, MaxScore) }

// Anchors say what the lowest and the highest score mean.
func (a Attribute) Anchors() (low, high string) {
	return cmp.Or(a.Low, "poorest"), cmp.Or(a.High, "best")
}

// MaxTotal is the highest sum of the scores of all attributes.
func MaxTotal(attributes []Attribute) int {
	sum := 0
	for _, a := range attributes {
		sum += a.Max()
	}
	return sum
}

// Validate checks a plan that is about to be opened.
func (p Plan) Validate() error {
	if len(p.Tasks) == 0 {
		return errors.New("the plan has no tasks")
	}
	if p.K < 1 {
		return fmt.Errorf("k = %d: at least one attempt must be allowed", p.K)
	}
	if p.Level < 0 || p.Level > 3 {
		return fmt.Errorf("prompt level %d is not one of 0, 1, 2, 3", p.Level)
	}
	if p.Context != Conversation && p.Context != Fresh {
		return fmt.Errorf("context %q is neither %q nor %q", p.Context, Conversation, Fresh)
	}
	if p.Tests != "" && p.Tests != SeeTests && p.Tests != SeeVerdict && p.Tests != SeeNothing {
		return fmt.Errorf("the visible part of the tests, %q, is not %s, %s or %s", p.Tests, SeeTests, SeeVerdict, SeeNothing)
	}
	if len(p.Attributes) == 0 && p.Automatic == nil {
		return errors.New("the plan has no attributes to rate")
	}
	seen := map[string]bool{}
	for _, t := range p.Tasks {
		if t.ID == "" || seen[t.ID] {
			return fmt.Errorf("task id %q is empty or duplicated in the plan", t.ID)
		}
		seen[t.ID] = true
	}
	if p.Automatic != nil {
		if err := p.validateAutomatic(); err != nil {
			return err
		}
	}
	return p.validateRules()
}
