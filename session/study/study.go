package study

import (
	"cmp"
	_ "embed"
	"fmt"
	"path/filepath"
	"strings"

	"assay/benchmark/batch"
	"assay/data/disk"
	"assay/data/tomlfile"
	"assay/scoring/stats"
	"assay/session"
)

// Study is a study file, with the defaults of its preset.
type Study struct {
	Name    string `toml:"name"`
	Version int    `toml:"version"` // from 1; a change to a frozen study needs a higher one
	Preset  string `toml:"preset"`  // "open", "miah-zhu" or "su"

	Tasks        Tasks       `toml:"tasks"`
	Arms         []Arm       `toml:"arm"`
	Design       Design      `toml:"design"`
	Adaptive     Adaptive    `toml:"adaptive"` // of the order "adaptive"
	Session      Settings    `toml:"session"`
	Scale        Scale       `toml:"scale"`
	Attributes   []Attribute `toml:"attribute"`
	Labels       []Label     `toml:"label"`
	Attention    []Attention `toml:"attention"`
	Practice     Practice    `toml:"practice"`
	Breaks       Breaks      `toml:"breaks"`
	Survey       []Question  `toml:"survey"`
	Consent      Consent     `toml:"consent"`
	Analysis     Analysis    `toml:"analysis"`
	Instructions string      `toml:"instructions"`

	model   string // of arms without a model of their own, from the preset
	unrated bool   // the preset asks for no ratings
	text    string
	file    *tomlfile.File

	packed *Packed // nil: the study is a file
}

// Tasks selects the tasks of the study.
type Tasks struct {
	Benchmark string   `toml:"benchmark"` // name of a bundled one, path of a file or folder
	Filter    string   `toml:"filter"`
	Sets      int      `toml:"sets"`    // disjoint test sets
	PerSet    int      `toml:"per_set"` // tasks in each; 0: all tasks are divided
	Stratify  []string `toml:"stratify"`
	Practice  bool     `toml:"practice"` // begin with the benchmark's practice tasks
}

// Arm is a model in the comparison, or two that answer each prompt at once.
type Arm struct {
	Name    string `toml:"name"`
	Model   string `toml:"model"`   // its name in models.toml
	Against string `toml:"against"` // a second model, which answers beside it; empty: none
	Shown   string `toml:"shown"`   // what testers see instead of the name; empty: the arm is not blind
}

// ArmModel is a model of an arm, with the key that names it in the study file.
type ArmModel struct {
	Arm       Arm
	Name, Key string
}

// Models lists the models of all arms: first the model of each, then those that answer beside them.
func (s *Study) Models() []ArmModel {
	var first, second []ArmModel
	for i, a := range s.Arms {
		first = append(first, ArmModel{a, a.Model, fmt.Sprintf("arm.%d.model", i)})
		if a.Against != "" {
			second = append(second, ArmModel{a, a.Against, fmt.Sprintf("arm.%d.against", i)})
		}
	}
	return append(first, second...)
}

// Models returns the models that answer in an arm: one, or two.
func (a Arm) Models(find Model) ([]session.Model, error) {
	var models []session.Model
	for _, name := range []string{a.Model, a.Against} {
		if name == "" {
			continue
		}
		m, err := find(name)
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	return models, nil
}

// How arms are assigned to testers.
const (
	Between = "between" // a tester works with one arm
	Within  = "within"  // a tester works with all arms, one session each, on different test sets
	Crossed = "crossed" // a tester works with all arms, one session each, on the same test sets
)

// The orders of test sets.
const (
	LatinSquare = "latin-square" // balanced: each set in each position equally often
	Drawn       = "random"       // drawn for each tester from the seed
	Fixed       = "fixed"        // T0, T1, … for all
	ByAbility   = "adaptive"     // each task is chosen by the responses so far; sets are dealt as in Fixed
)

// Design combines testers and arms.
type Design struct {
	Arms    string `toml:"arms"`
	Order   string `toml:"order"`
	Testers int    `toml:"testers"` // the planned number
	Seed    uint64 `toml:"seed"`
}

// Settings apply to every session.
type Settings struct {
	K            int                `toml:"k"`
	Level        int                `toml:"level"`
	Context      string             `toml:"context"`
	Reference    bool               `toml:"reference"`
	Tests        session.TestsSeen  `toml:"tests"` // what testers see of the tests before they judge
	IdleSeconds  int64              `toml:"idle_seconds"`
	Criterion    string             `toml:"criterion"`
	Suffix       string             `toml:"suffix"`        // appended to every prompt
	Labels       string             `toml:"labels"`        // StandardLabels or NoLabels, if there are no [[label]] tables
	Clock        string             `toml:"clock"`         // "shown", "hidden", or empty: the tester chooses
	ResumeHours  float64            `toml:"resume_hours"`  // how late a session may be continued; 0: no limit
	Late         string             `toml:"late"`          // LateFlag or LateRefuse
	Results      string             `toml:"results"`       // when testers see their results: ResultsEnd or ResultsEach
	Corrections  bool               `toml:"corrections"`   // testers may correct the rating of the task closed last
	Merge        bool               `toml:"merge"`         // testers are asked if they would merge answers to repository tasks
	HandEdit     bool               `toml:"hand_edit"`     // testers may edit final answers to repository tasks
	Answers      session.AnswerView `toml:"answers"`       // how answers are shown; empty: the tester switches
	HideThinking bool               `toml:"hide_thinking"` // testers do not see what the model thinks
	TakeBlock    bool               `toml:"take_block"`    // testers may have another block of an answer judged
}

// Attribute is something that is rated.
type Attribute struct {
	ID      string `toml:"id"`
	Name    string `toml:"name"`
	Meaning string `toml:"meaning"`
	Low     string `toml:"low"`    // what 1 means, if different from the scale
	Middle  string `toml:"middle"` // what the middle score means
	High    string `toml:"high"`   // what the highest score means
}

// Consent is the text that a tester agrees to; its version is recorded.
type Consent struct {
	Version string `toml:"version"`
	Text    string `toml:"text"`
}

// Analysis declares how arms are compared, before the first session; it is frozen.
type Analysis struct {
	Primary string `toml:"primary"` // the primary outcome; empty: none is declared, everything is exploratory
	Family  string `toml:"family"`  // the correction of all secondary comparisons
	Model   string `toml:"model"`   // the scope of the comparison: these tasks, or tasks like these

	Margin float64 `toml:"margin"` // arms that differ by less are alike: in the primary outcome's unit, of time a factor above 1; 0: none

	Looks    []float64 `toml:"looks"`    // shares of the testers at which the primary outcome is analysed; none: at the end alone
	Spending string    `toml:"spending"` // how looks spend the level: stats.OBrienFleming or stats.Pocock

	ToReview batch.Reviewing `toml:"to_review"` // how resolved answers count that a person has to look at
}

//go:embed study.example.toml
var example string

// Example returns an example study file that explains every key.
func Example() string { return example }

// Load reads and checks a study file. Errors name file, line and remedy.
func Load(path string) (*Study, error) {
	text, err := disk.ReadFile(path, disk.Settings)
	if err != nil {
		return nil, fmt.Errorf("the study file cannot be read: %w; `assay study init` makes one", err)
	}
	return Parse(path, string(text))
}

// Parse is Load for a text; path appears in messages, and relative paths are relative to it.
func Parse(path, text string) (*Study, error) {
	const help = "`assay study init --print` shows all keys"
	var first Study
	file, err := tomlfile.Decode(path, text, &first, help)
	if err != nil {
		return nil, err
	}
	s, known := preset(first.Preset)
	if !known {
		return nil, file.Wrong("preset", "%q is not a preset: write open, miah-zhu or su", first.Preset)
	}
	if s.file, err = tomlfile.Decode(path, text, &s, help); err != nil { // on top of the preset
		return nil, err
	}
	s.text = text
	for i := range s.Arms {
		s.Arms[i].Model = cmp.Or(s.Arms[i].Model, s.model)
	}
	if !s.file.Has("attribute") && !s.unrated {
		for _, a := range session.MiahZhuAttributes() {
			s.Attributes = append(s.Attributes, Attribute{ID: a.ID, Name: a.Name, Meaning: a.Meaning})
		}
	}
	return &s, s.check()
}

// Path returns the path of the study file.
func (s *Study) Path() string { return s.file.Path }

// Benchmark returns the benchmark's name, or the path of its file relative to the working directory.
func (s *Study) Benchmark() string {
	b := s.Tasks.Benchmark
	if !strings.ContainsAny(b, "/.\\") || filepath.IsAbs(b) {
		return b
	}
	return filepath.Join(filepath.Dir(s.Path()), filepath.FromSlash(b))
}

// preset returns the starting point of a study.
func preset(name string) (Study, bool) {
	open := Study{
		Version: 1, Tasks: Tasks{Sets: 1}, Design: Design{Arms: Between, Order: LatinSquare, Testers: 1},
		Session: Settings{K: session.DefaultK, Context: string(session.Conversation), Tests: session.SeeTests, IdleSeconds: session.DefaultIdleMS / 1000, Criterion: session.DefaultCriterion, Labels: StandardLabels, Late: LateFlag, Results: ResultsEnd},
		Scale:   Scale{Points: session.MaxScore, Low: "poorest", High: "best"}, Practice: Practice{Gate: "none", Repeats: 2}, Breaks: Breaks{Seconds: 120},
		Adaptive: defaultAdaptive(),
		Analysis: Analysis{Family: session.FamilyHolm, Model: session.ModelTesters, Spending: stats.OBrienFleming},
	}
	switch name {
	case "", "open":
		return open, true
	case "miah-zhu":
		// Section IV.B: k = 10, the reference solution is visible, and no code was run.
		open.Session.Reference, open.Session.Tests = true, session.SeeNothing
		open.Tasks.Sets = 5
		return open, true
	case "su":
		// Section III: one query for each question in a new chat, on the models' own pages; the models were
		// asked to comment and explain the code.
		open.Session.K, open.Session.Context = 1, string(session.Fresh)
		open.Session.Suffix = "Add comments to the code, and explain after it, completely, how it works."
		open.model, open.unrated = "paste", true // the answers were labelled, not rated
		return open, true
	}
	return Study{}, false
}
