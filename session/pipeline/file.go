package pipeline

import (
	_ "embed"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/data/disk"
	"assay/data/program"
	"assay/data/tomlfile"
	"assay/session/generate"
	"assay/session/llm"
	"assay/session/prompts"
)

// File is a batch file.
type File struct {
	Name        string   `toml:"name"`         // of the report
	Tasks       string   `toml:"tasks"`        // a bundled benchmark, a file or a folder
	TasksFormat string   `toml:"tasks_format"` // "": detect
	Filter      string   `toml:"filter"`
	Draw        Draw     `toml:"draw"`
	Models      []string `toml:"models"`      // names in the models file, or patterns such as "gpt-*"
	ModelsFile  string   `toml:"models_file"` // "": the default one
	Prompts     []string `toml:"prompts"`     // kinds of prompts; see Kinds
	Written     string   `toml:"written_prompts"`
	Unreviewed  bool     `toml:"unreviewed"`   // also use written prompts without a review
	SamePrompts string   `toml:"same_prompts"` // a filter: tasks whose prompts of two levels may be the same text
	Samples     int      `toml:"samples"`
	K           []int    `toml:"k"`
	Repair      int      `toml:"repair"` // rounds in which answers that are not accepted are repaired
	Budget      float64  `toml:"budget"`
	By          []string `toml:"by"` // fields that the report splits by: "difficulty", "difficulty, year"
	Measure     bool     `toml:"measure"`

	file *tomlfile.File
}

// MostRepairs is the largest number of rounds of repair.
const MostRepairs = 10

//go:embed batch.example.toml
var example string

// Example returns an example batch file that explains every key.
func Example() string { return example }

// Load reads and checks a batch file. Errors name file, line and remedy.
func Load(name string) (*File, error) {
	text, err := disk.ReadFile(name, disk.Settings)
	if err != nil {
		return nil, fmt.Errorf("the batch file cannot be read: %w; `assay run example` prints one", err)
	}
	return parse(name, string(text))
}

// parse is Load for a text; name appears in messages, and relative paths are relative to it.
func parse(name, text string) (_ *File, err error) {
	f := &File{Samples: 1, Measure: true}
	if f.file, err = tomlfile.Decode(name, text, f, "`assay run example` shows all keys"); err != nil {
		return nil, err
	}
	if f.Name == "" {
		f.Name = strings.TrimSuffix(filepath.Base(name), ".toml")
	}
	if len(f.Prompts) == 0 && f.Written == "" {
		f.Prompts = []string{DefaultKind}
	}
	if len(f.K) == 0 {
		f.K = []int{1}
	}
	f.Written, f.ModelsFile = f.beside(f.Written), f.beside(f.ModelsFile)
	if strings.ContainsAny(f.Tasks, `/.\`) {
		f.Tasks = f.beside(f.Tasks)
	}
	return f, f.check()
}

// beside resolves a path relative to the batch file.
func (f *File) beside(name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(f.file.Path), filepath.FromSlash(name))
}

func (f *File) check() error {
	wrong := f.file.Wrong
	switch {
	case f.Tasks == "":
		return wrong("tasks", "it is missing: name a bundled benchmark or a file of tasks")
	case len(f.Models) == 0:
		return wrong("models", "it is missing: name models of the models file; `assay models` lists them")
	case f.Samples < 1:
		return wrong("samples", "%d is too few: ask for at least 1", f.Samples)
	case f.Repair < 0 || f.Repair > MostRepairs:
		return wrong("repair", "%d is no number of rounds from 0 to %d", f.Repair, MostRepairs)
	case !(f.Budget >= 0) || math.IsInf(f.Budget, 0):
		return wrong("budget", "%v is no amount from 0 on; leave it out for no limit", f.Budget)
	case f.Draw.Tasks < 0:
		return wrong("draw.tasks", "%d is below 0; leave it out for all tasks", f.Draw.Tasks)
	case f.Draw.PerCell < 0:
		return wrong("draw.per_cell", "%d is below 0; leave it out for no cells", f.Draw.PerCell)
	case f.Draw.PerCell > 0 && f.Draw.Tasks > 0:
		return wrong("draw.per_cell", "tasks and per_cell exclude each other: give one of them")
	case f.Draw.PerCell > 0 && len(f.Draw.Stratify) == 0:
		return wrong("draw.per_cell", `name the fields whose values make the cells: stratify = ["difficulty", "year"]`)
	case f.Draw.Tasks+f.Draw.PerCell == 0 && (f.file.Has("draw.seed") || len(f.Draw.Stratify) > 0):
		return wrong("draw", "say how many tasks: tasks = 50, or per_cell = 10")
	case f.Unreviewed && f.Written == "":
		return wrong("unreviewed", "there are no written prompts that it could mean: give written_prompts")
	}
	for _, k := range f.K {
		if k < 1 || k > f.Samples {
			return wrong("k", "pass@%d needs at least as many samples as k, and samples is %d", k, f.Samples)
		}
	}
	if err := checkKinds(f.Prompts); err != nil {
		return wrong("prompts", "%v", err)
	}
	if _, err := f.Fields(); err != nil {
		return wrong("by", "%v", err)
	}
	if _, err := benchmark.ParseFilter(f.Filter); err != nil {
		return wrong("filter", "%v", err)
	}
	return nil
}

// Fields returns the fields that the report splits by.
func (f *File) Fields() ([][]string, error) {
	var all [][]string
	for _, text := range f.By {
		names := strings.Split(text, ",")
		for i := range names {
			names[i] = strings.TrimSpace(names[i])
		}
		if err := batch.CheckFields(names); err != nil {
			return nil, err
		}
		all = append(all, names)
	}
	return all, nil
}

// Harmless returns an error if one of the models, of the file that the batch file names, starts a program or takes a key:
// a folder of others would choose what runs here, and where keys go. Whoever runs the batch names such a file.
func (f *File) Harmless(models []llm.Model) error {
	for _, m := range models {
		does := ""
		switch variables := m.Variables(); {
		case m.StartsProgram() || len(m.APIKeyCmd) > 0:
			does = "starts a program"
		case len(variables) > 0:
			does = fmt.Sprintf("sends $%s to %s", variables[0], m.Host())
		default:
			continue
		}
		return f.file.Wrong("models_file", "the model %q of %s %s, which no batch file decides: if you want that, run the batch with --models-file %s", m.Name, f.ModelsFile, does, program.Word(f.ModelsFile))
	}
	return nil
}

// Plan builds the plan of the file from its tasks and the known models. Notes are sentences about tasks
// that lack some of the prompts.
func (f *File) Plan(tasks *benchmark.Benchmark, known llm.Models) (plan generate.Plan, notes []string, err error) {
	filter, err := benchmark.ParseFilter(f.Filter)
	if err != nil {
		return plan, nil, f.file.Wrong("filter", "%v", err)
	}
	plan.N = f.Samples
	var short []string
	if plan.Benchmark, short, err = ChooseTasks(tasks, filter, f.Draw); err != nil {
		return plan, nil, f.file.Wrong("tasks", "%v", err)
	}
	if plan.Models, err = ChooseModels(known, f.Models); err != nil {
		return plan, nil, f.file.Wrong("models", "%v", err)
	}
	var set *prompts.Set
	if f.Written != "" {
		if set, err = prompts.Open(f.Written); err != nil {
			return plan, nil, f.file.Wrong("written_prompts", "%v", err)
		}
	}
	if plan.Prompts, notes, err = Prompts(plan.Benchmark, f.Prompts, set, f.Unreviewed); err != nil {
		return plan, nil, f.file.Wrong("prompts", "%v", err)
	}
	if plan.Same, err = generate.NamedBy(f.SamePrompts); err != nil {
		return plan, nil, f.file.Wrong("same_prompts", "%v", err)
	}
	return plan, slices.Concat(short, notes, Evaluated(set, plan.Models)), nil
}
