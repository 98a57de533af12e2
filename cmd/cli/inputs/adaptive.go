package inputs

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/cmd/cli/console"
	"assay/data/disk"
	"assay/data/program"
	"assay/scoring/irt/adaptive"
)

// Adaptive are the flags of a verb that can choose tasks by an adaptive test.
type Adaptive struct {
	items   string
	balance string
	Rules   adaptive.Rules
	Seed    uint64
}

// Flags adds the flags.
func (a *Adaptive) Flags(f *pflag.FlagSet, what string) {
	f.StringVar(&a.items, "adaptive", "", what+" only the tasks that tell, chosen by this `file` of items")
	AdaptiveFlags(f, &a.Rules)
	f.Uint64Var(&a.Seed, "adaptive-seed", 1, "the seed of the choices of --adaptive")
	f.StringVar(&a.balance, "balance", "category", "a `field` whose shares among the chosen tasks are those of all: category, type, difficulty or none")
	console.Rare(f, "least", "most", "among", "exposure", "balance", "adaptive-seed")
}

// Items reads the file of items; nil without --adaptive.
func (a *Adaptive) Items(f *pflag.FlagSet) (*adaptive.File, error) {
	if a.items == "" {
		for _, name := range []string{"until", "least", "most", "among", "exposure", "balance", "adaptive-seed"} {
			if f.Changed(name) {
				return nil, console.Usagef("--%s is for adaptive tests: give --adaptive ITEMS.json", name)
			}
		}
		return nil, nil
	}
	if err := a.Rules.Check(); err != nil {
		return nil, console.Usagef("%v", err)
	}
	if _, known := balances[a.balance]; !known {
		return nil, console.Usagef("--balance %s: category, type, difficulty or none", a.balance)
	}
	return Items(a.items)
}

// balances are the properties that tests can be balanced by.
var balances = map[string]func(*benchmark.Task) string{
	"category":   func(t *benchmark.Task) string { return t.Category },
	"type":       func(t *benchmark.Task) string { return t.Type },
	"difficulty": func(t *benchmark.Task) string { return string(t.Difficulty) },
	"none":       nil,
}

// Of returns the adaptive test by a file of items.
func (a *Adaptive) Of(items *adaptive.File) batch.Adaptive {
	return batch.Adaptive{Items: items, Rules: a.Rules, Seed: a.Seed, Balance: balances[a.balance]}
}

// AdaptiveFlags adds the flags for the rules of adaptive tests.
func AdaptiveFlags(f *pflag.FlagSet, r *adaptive.Rules) {
	*r = adaptive.DefaultRules()
	f.Var(until{&r.SE}, "until", "when an adaptive test stops: `se=NUMBER`, the standard error of the ability; se=0: at --most")
	f.IntVar(&r.Least, "least", r.Least, "the least number of tasks of an adaptive test")
	console.Bounds(f, "least", 0, console.MostTasks)
	f.IntVar(&r.Most, "most", r.Most, "the largest number of tasks of an adaptive test; 0: all")
	console.Bounds(f, "most", 0, console.MostTasks)
	f.IntVar(&r.Among, "among", r.Among, "the next task is drawn among this `number` that tell most; 1: always the best")
	console.Bounds(f, "among", 1, console.MostTasks)
	f.Float64Var(&r.Exposure, "exposure", r.Exposure, "the largest `share` of adaptive tests that may have a task; 1: no limit (default: 0.5, more where tasks are few)")
	console.Bounds(f, "exposure", 0.01, 1)
}

// Items reads a file of items.
func Items(path string) (*adaptive.File, error) {
	text, err := disk.ReadFile(path, disk.Table)
	if err != nil {
		return nil, fmt.Errorf("the file of items cannot be read: %w; `assay difficulty items RESULTS --out %s` writes one", err, program.Word(path))
	}
	return adaptive.Parse(path, text)
}

// until is the flag --until.
type until struct{ se *float64 }

func (u until) String() string {
	if u.se == nil {
		return ""
	}
	return fmt.Sprintf("se=%g", *u.se)
}

func (u until) Type() string { return "se" }

// Set reads se=NUMBER.
func (u until) Set(text string) error {
	number, named := strings.CutPrefix(text, "se=")
	v, err := strconv.ParseFloat(number, 64)
	if !named || err != nil || !(v >= 0 && v <= 2) {
		return fmt.Errorf("%q is not se=NUMBER with a number from 0 to 2, as in se=0.3", text)
	}
	*u.se = v
	return nil
}
