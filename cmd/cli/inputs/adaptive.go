package inputs

import (
	"fmt"

	"github.com/spf13/pflag"

	"assay/cmd/cli/console"
	"assay/data/disk"
	"assay/scoring/irt/adaptive"
)

// AdaptiveFlags adds the flags for the rules of adaptive tests.
func AdaptiveFlags(f *pflag.FlagSet, r *adaptive.Rules) {
	*r = adaptive.DefaultRules()
	f.Float64Var(&r.SE, "se", r.SE, "the standard error of the ability at which an adaptive test stops; 0: at --most")
	console.Bounds(f, "se", 0, 2)
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
