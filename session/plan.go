package session

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"assay/benchmark"
	"assay/scoring/irt/adaptive"
)

// Plan is the plan of a session: fixed when the session opens, and recorded completely.
type Plan struct {
	Benchmark string     `json:"benchmark"`          // name of the benchmark
	Filter    string     `json:"scenario,omitempty"` // the filter that chose the tasks, as typed
	Tasks     []PlanTask `json:"tasks"`              // in the order of presentation
	K         int        `json:"k"`                  // attempts allowed for a task
	Level     int        `json:"level"`              // prompt level the editor starts with, 0 to 3
	Context   Context    `json:"context"`            // whether earlier turns are sent, too
	Seed      uint64     `json:"seed"`               // of the task order and the test sets
	// fields to stratify by: all test sets get nearly the same number of each value
	Stratify   []string    `json:"stratify,omitempty"`
	Tester     string      `json:"tester,omitempty"`    // pseudonym
	Model      Model       `json:"model"`               // the model that answers
	Criterion  string      `json:"criterion,omitempty"` // the satisfaction criterion shown to the tester
	Reference  bool        `json:"reference,omitempty"` // the reference solution may be seen while reviewing
	Tests      TestsSeen   `json:"tests,omitempty"`     // what the tester sees of the tests before judging
	IdleMS     int64       `json:"idle_ms,omitempty"`   // inactivity that counts as idle, 0 for never
	Attributes []Attribute `json:"attributes"`          // what is rated; empty for an automatic tester, and for studies that ask for no ratings
	Study      *InStudy    `json:"study,omitempty"`     // the study that the session is part of
	Automatic  *Automatic  `json:"automatic,omitempty"` // the automatic tester; nil: a human works
	Adaptive   *Adaptive   `json:"adaptive,omitempty"`  // tasks are chosen one by one; nil: in their order
	Arena      *Arena      `json:"arena,omitempty"`     // two models answer each prompt; nil: Model alone
	Rules
}

// TestsSeen is what a tester sees of an attempt's tests before judging it.
type TestsSeen string

// What can be seen. An empty value, as in older plans, means everything.
const (
	SeeTests   TestsSeen = "all"
	SeeVerdict TestsSeen = "verdict" // how many passed, but no test cases
	SeeNothing TestsSeen = "none"
)

// InStudy is the position of a session in a study.
type InStudy struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Hash    string `json:"hash,omitempty"` // of the frozen study; empty if it was not frozen
	Arm     string `json:"arm"`
	Tester  int    `json:"tester"`          // number, from 1
	Part    int    `json:"part"`            // which of the tester's sessions, from 1
	Shown   string `json:"shown,omitempty"` // what the tester reads instead of the model's name

	// Seated reports that the tester got the number by pseudonym, in a store shared by several testers: the
	// join code for that number is not theirs.
	Seated bool `json:"seated,omitempty"`

	// ResultsLater reports that this is not the tester's last session, and that what they see of it must not
	// influence the next one.
	ResultsLater bool `json:"results_later,omitempty"`

	// Unblinded tells when, why and how far the study was when it was unblinded. It is never in a log, only where
	// a log is read with the models' names.
	Unblinded string `json:"-"`

	Analysis *Analysis `json:"analysis,omitempty"` // the study's declared analysis; nil if it declares none
	// ToReview is how the study's reports count resolved answers that a person has to look at, a batch.Reviewing; "": as
	// resolved.
	ToReview string `json:"to_review,omitempty"`

	// Texts that the tester reads before the first task. If there is a consent the tester has to agree to
	// it, and its version is recorded.
	Instructions   string `json:"instructions,omitempty"`
	Consent        string `json:"consent,omitempty"`
	ConsentVersion string `json:"consent_version,omitempty"`
}

// Analysis declares, before a study's first session, how its arms will be compared.
type Analysis struct {
	Primary string `json:"primary"` // the primary outcome, one of Outcomes
	Family  string `json:"family"`  // FamilyHolm or FamilyBH: the correction of all secondary comparisons
	Model   string `json:"model"`   // ModelTesters or ModelMixed

	// Margin is the difference of the primary outcome below which arms count as alike, in its unit (a share, attempts,
	// points of the scale), or of a time the factor, from 1 to [MostFactor]; 0: none is declared.
	Margin float64 `json:"margin,omitempty"`

	Looks *Looks `json:"looks,omitempty"` // when the primary outcome is analysed; nil: once, at the end
}

// MostFactor bounds the factor that is the margin of a time.
const MostFactor = 10

// Looks are the analyses of the primary outcome that a study's plan declares, at shares of its testers.
type Looks struct {
	At       []float64 `json:"at"`       // rising, up to 1
	Spending string    `json:"spending"` // the function by which the level is spent: "obrien-fleming" or "pocock"
	Testers  int       `json:"testers"`  // of the plan
	Sessions int       `json:"sessions"` // of each tester
}

// LookTesters returns how many testers a look at a share of them needs.
func LookTesters(share float64, testers int) int {
	return int(math.Ceil(share*float64(testers) - 1e-9))
}

// Equal reports whether two declared analyses are the same; both may be nil.
func (a *Analysis) Equal(b *Analysis) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	x.Looks, y.Looks = nil, nil
	if x != y || a.Looks == nil || b.Looks == nil {
		return x == y && a.Looks == b.Looks
	}
	l, m := a.Looks, b.Looks
	return slices.Equal(l.At, m.At) && l.Spending == m.Spending && l.Testers == m.Testers && l.Sessions == m.Sessions
}

// Outcomes returns the measures that a study can declare as its primary outcome.
func Outcomes() []string { return []string{"satisfied", "attempts", "time", "total", "tests"} }

// Corrections for a family of comparisons.
const (
	FamilyHolm = "holm"
	FamilyBH   = "benjamini-hochberg"
)

// Models for comparing arms.
const (
	ModelTesters = "testers" // over testers' means: testers like these, these tasks
	ModelMixed   = "mixed"   // testers and tasks as random effects: testers and tasks like these
)

// ModelShown returns what the tester may see as the model's name: its name, unless the study is blind.
func (p Plan) ModelShown() string {
	if p.Study != nil && p.Study.Shown != "" {
		return p.Study.Shown
	}
	return p.Model.Name
}

// Sees returns what the tester may see of an attempt's tests: everything once it was judged, even if the
// judgement was undone, since the tester may have looked.
func (p Plan) Sees(a *Attempt) TestsSeen {
	if a == nil || a.Revealed || p.Tests == "" {
		return SeeTests
	}
	return p.Tests
}

// Blind reports whether the tester, and with them the log, must not learn which model answers.
func (p Plan) Blind() bool { return p.Study != nil && p.Study.Shown != "" }

// Unnamed reports whether nothing that the tester sees may name the model that answers: in a blind study, and with two
// models, of which the tester does not know which one is A.
func (p Plan) Unnamed() bool { return p.Blind() || p.Arena != nil }

// ResultsLater reports whether the tester's results stay hidden until they have finished their last session.
func (p Plan) ResultsLater() bool { return p.Study != nil && p.Study.ResultsLater }

// PlanTask is one task of a plan. Its full text and tests are stored beside the log under Content when the
// session opens.
type PlanTask struct {
	ID         string               `json:"id"`
	Title      string               `json:"title,omitempty"`
	Set        string               `json:"set,omitempty"` // test set, "T0", "T1", …
	Difficulty benchmark.Difficulty `json:"difficulty,omitempty"`
	Type       string               `json:"type,omitempty"`
	Category   string               `json:"category,omitempty"`
	Practice   bool                 `json:"practice,omitempty"` // excluded from results
	Repository bool                 `json:"repository,omitempty"`
	Check      *Check               `json:"check,omitempty"`   // an attention check among its ratings
	Content    Ref                  `json:"content,omitempty"` // the task as JSON
	Item       *adaptive.Item       `json:"item,omitempty"`    // of an adaptive test
}

// Context determines which earlier turns of a task are sent with a prompt.
type Context string

// The contexts: a conversation that remembers, or each prompt on its own.
const (
	Conversation Context = "conversation"
	Fresh        Context = "fresh"
)

// Model identifies the model of a session. It contains no secret.
type Model struct {
	Name     string `json:"name"`            // the name in models.toml, or of the built-in provider
	Provider string `json:"provider"`        // "rehearsal", "paste", "command", "replay", "openai", "anthropic", "ollama"
	Model    string `json:"model,omitempty"` // the provider's own model id
	Recorded bool   `json:"recorded,omitempty"`

	// Definition is a hash of its settings in models.toml, such as the temperature and the system prompt,
	// by which models of the same name differ.
	Definition string `json:"definition,omitempty"`
}

// Attribute is rated from 1 (poorest) to 5 (best), or on another scale.
type Attribute struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
	Points  int    `json:"points,omitempty"` // of the scale; 0: 5
	Low     string `json:"low,omitempty"`    // what the lowest score means; empty: "poorest"
	Middle  string `json:"middle,omitempty"` // what the middle score means
	High    string `json:"high,omitempty"`   // what the highest score means; empty: "best"
}

// Max returns the highest score.
func (a Attribute) Max() int { return cmp.Or(a.Points, MaxScore) }

// Anchors returns the meaning of the lowest and the highest score.
func (a Attribute) Anchors() (low, high string) {
	return cmp.Or(a.Low, "poorest"), cmp.Or(a.High, "best")
}

// Words returns what the lowest, the middle and the highest score mean, for the form: the study's words or, if it has
// none of its own, assay's for the attributes of Miah and Zhu. The middle may have none.
func (a Attribute) Words() (low, middle, high string) {
	low, high = a.Anchors()
	if own, known := words[a.ID]; known && a.Middle == "" && low == "poorest" && high == "best" {
		return own[0], own[1], own[2]
	}
	return low, a.Middle, high
}

// MaxTotal returns the highest sum of the scores of all attributes.
func MaxTotal(attributes []Attribute) int {
	sum := 0
	for _, a := range attributes {
		sum += a.Max()
	}
	return sum
}

// Validate checks a plan before a session is opened with it.
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
	if len(p.Attributes) == 0 && p.Automatic == nil && p.Study == nil && p.Model.Provider != Imported {
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
	if err := errors.Join(p.validateAdaptive(), p.validateArena()); err != nil {
		return err
	}
	return p.validateRules()
}
