package inputs

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"assay/cmd/cli/console"
	"assay/data/disk"
	"assay/scoring/irt/adaptive"
)

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
	f.Float64Var(&r.Exposure, "exposure", r.Exposure, "the largest `share` of adaptive tests that may have a task")
	console.Bounds(f, "exposure", 0.01, 1)
}

// Items reads a file of items.
func Items(path string) (*adaptive.File, error) {
	text, err := disk.ReadFile(path, disk.Table)
	if err != nil {
		return nil, fmt.Errorf("the file of items cannot be read: %w; `assay difficulty items RESULTS --out %s` writes one", err, path)
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
