package tasks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/data/disk"
)

// DrawFormat is the version of the format of draws.
const DrawFormat = 1

// draw records drawn test sets: together with the benchmark it suffices to draw them again.
type draw struct {
	Version   int       `json:"assay_draw"`
	Benchmark string    `json:"benchmark"`
	Filter    string    `json:"scenario,omitempty"`
	Stratify  []string  `json:"stratify,omitempty"`
	Seed      uint64    `json:"seed"`
	Size      int       `json:"tasks_in_a_set"` // 0: all tasks were divided
	Sets      []drawSet `json:"sets"`
}

type drawSet struct {
	Name  string      `json:"name"` // "T0", "T1", …
	Tasks []drawnTask `json:"tasks"`
}

type drawnTask struct {
	ID   string `json:"id"`
	Hash string `json:"hash"` // of the whole task
}

func newTasksDraw(io *console.IO, from *inputs.TaskLoader) *cobra.Command {
	var d draw
	var choose inputs.Chooser
	var sets int
	var repeat string
	cmd := &cobra.Command{
		Use:   "draw FILE",
		Short: "Draw disjoint random test sets, and record the draw",
		Long: `Draw disjoint test sets T0, T1, … of equal size (without --tasks, of sizes that differ
by one at most) at random from the tasks that a filter chooses, and print a record of the draw: filter, seed, and the id and hash of
every task. The same benchmark, filter, numbers and seed give the same sets
everywhere. With --repeat RECORD the draw is made again, and it is an error if it
differs.`,
		Example: "  assay tasks draw core-r --sets 3 --tasks 6 --stratify type --seed 7 > draw.json\n  assay tasks draw core-r --repeat draw.json",
		Args:    inputs.OneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := from.Load(args[0])
			if err != nil {
				return err
			}
			if repeat != "" {
				return repeatDraw(io, b, repeat)
			}
			if !cmd.Flags().Changed("seed") {
				d.Seed = uint64(rand.Uint32())
			}
			filter, err := choose.Filter()
			if err != nil {
				return err
			}
			d.Filter = filter.String()
			if err := d.from(b, sets); err != nil {
				return console.Usagef("%v", err)
			}
			return console.WriteJSON(io, d)
		},
	}
	f := cmd.Flags()
	choose.Flags(cmd.Flags())
	f.IntVar(&sets, "sets", 1, "`number` of test sets")
	console.Bounds(f, "sets", 1, console.MostSets)
	f.IntVar(&d.Size, "tasks", 0, "`number` of tasks in each (default: as many as there are)")
	console.Bounds(f, "tasks", 0, console.MostTasks)
	f.StringSliceVar(&d.Stratify, "stratify", nil, "`fields` whose values all sets are to have in nearly the same numbers, as type,difficulty")
	f.Uint64Var(&d.Seed, "seed", 0, "the seed (default: drawn, and recorded)")
	f.StringVar(&repeat, "repeat", "", "make the draw of this `file` again")
	return cmd
}

// from draws the sets.
func (d *draw) from(b *benchmark.Benchmark, count int) error {
	filter, err := benchmark.ParseFilter(d.Filter)
	if err != nil {
		return err
	}
	tasks, _ := filter.Select(b)
	sets, err := benchmark.Draw(tasks, d.Seed, count, d.Size, d.Stratify...)
	if err != nil {
		return err
	}
	d.Version, d.Benchmark, d.Filter, d.Sets = DrawFormat, b.Name, filter.String(), nil
	for i, set := range sets {
		s := drawSet{Name: fmt.Sprintf("T%d", i), Tasks: []drawnTask{}}
		for _, t := range set {
			s.Tasks = append(s.Tasks, drawnTask{t.ID, t.Hash()})
		}
		d.Sets = append(d.Sets, s)
	}
	return nil
}

// repeatDraw repeats a recorded draw and reports differences.
func repeatDraw(io *console.IO, b *benchmark.Benchmark, path string) error {
	text, err := disk.ReadFile(path, disk.Document)
	if err != nil {
		return fmt.Errorf("the record of the draw cannot be read: %w", err)
	}
	var was draw
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&was); err != nil || was.Version != DrawFormat || len(was.Sets) == 0 {
		return fmt.Errorf("%s is not a draw record as 'assay tasks draw' prints it: %v", path, err)
	}
	now := was
	if err := now.from(b, len(was.Sets)); err != nil {
		return fmt.Errorf("the draw cannot be repeated from these tasks: %w", err)
	}
	var changed []string
	for i, set := range now.Sets {
		for j, t := range set.Tasks {
			if j >= len(was.Sets[i].Tasks) || was.Sets[i].Tasks[j].ID != t.ID {
				return fmt.Errorf("the draw differs: set %s differs from task %d on; was it drawn from another benchmark, or have its tasks changed?", set.Name, j+1)
			}
			if was.Sets[i].Tasks[j].Hash != t.Hash && !slices.Contains(changed, t.ID) {
				changed = append(changed, t.ID)
			}
		}
		if len(set.Tasks) != len(was.Sets[i].Tasks) {
			return fmt.Errorf("the draw differs: set %s has %d tasks, and had %d", set.Name, len(set.Tasks), len(was.Sets[i].Tasks))
		}
	}
	if len(changed) > 0 {
		return fmt.Errorf("the draw is the same, but %d of its tasks have changed since: %s", len(changed), strings.Join(changed, ", "))
	}
	fmt.Fprintf(io.Err, "the draw is reproduced: %d sets\n", len(now.Sets))
	return console.WriteJSON(io, now)
}
