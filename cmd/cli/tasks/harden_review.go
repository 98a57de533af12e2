package tasks

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"assay/benchmark/format"
	bench "assay/benchmark/harden"
	"assay/cmd/cli/console"
	"assay/cmd/cli/terminal"
	"assay/data/program"
	"assay/session/harden"
	wordings "assay/session/prompts"
	"assay/tui/frame"
	screen "assay/tui/prompts"
)

var oneHardened = console.One("one FILE of harder tasks as 'assay tasks harden' makes it")

// openHardened reads a file of harder tasks and the decisions about them.
func openHardened(path string) (*harden.State, *wordings.Set, error) {
	state, err := harden.Open(path)
	if err != nil {
		return nil, nil, err
	}
	set, err := wordings.Open(harden.ReviewPath(path))
	return state, set, err
}

func newHardenReview(io *console.IO, g *console.Globals) *cobra.Command {
	var reviewer string
	cmd := &cobra.Command{
		Use:   "review FILE",
		Short: "Review harder tasks on the screen: accept, edit, reject",
		Long: `Read the statement of each task that 'assay tasks harden' kept beside that of the old
task, its test cases, the new solution and the second one, and accept it, edit its
statement, or reject it. Those that a second solution disagrees about come last, with the
first difference. Each decision is on disk at once, and can be taken back.

A second reviewer gives another name with --reviewer, and sees the first one's decision
only after his own. What they disagree about is listed, and can be settled.`,
		Example: "  assay tasks harden review harder.jsonl --reviewer ann",
		Args:    oneHardened,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if !io.Terminal {
				return console.Usagef("assay tasks harden review needs a terminal; 'assay tasks harden status %s' and 'assay tasks harden export %[1]s' print", program.Word(args[0]))
			}
			who := cmp.Or(reviewer, io.Getenv("USER"), io.Getenv("USERNAME"))
			if who == "" {
				return console.Usagef("who reviews is unknown: give --reviewer NAME")
			}
			state, err := harden.Open(args[0])
			if err != nil {
				return err
			}
			set, err := wordings.Change(harden.ReviewPath(args[0]))
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, set.Close()) }()
			return terminal.Run(cmd.Context(), io, g, screen.New(screen.Hardened(state, set, who)))
		},
	}
	cmd.Flags().StringVar(&reviewer, "reviewer", "", "the `name` of who decides (default: $USER)")
	return cmd
}

// hardenStatus is the JSON form of `assay tasks harden status`.
type hardenStatus struct {
	File         string              `json:"file"`
	Benchmark    string              `json:"benchmark"`
	Proposals    int                 `json:"proposals"`
	Checks       []harden.Count      `json:"checks"`
	Difficulties []harden.Difficulty `json:"difficulties"`
	Kept         []string            `json:"kept"`
	Disagreeing  []string            `json:"disagreeing"`
	Shift        *harden.Shift       `json:"shift,omitempty"`
	Review       map[string]int      `json:"review"`
}

func newHardenStatus(io *console.IO) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "status FILE",
		Short:   "Count what each check removed, and what reviewers decided",
		Example: "  assay tasks harden status harder.jsonl",
		Args:    oneHardened,
		RunE: func(_ *cobra.Command, args []string) error {
			state, set, err := openHardened(args[0])
			if err != nil {
				return err
			}
			counts := wordings.CountAll(set)
			if asJSON {
				s := hardenStatus{File: args[0], Benchmark: state.Header.Benchmark, Proposals: len(state.Proposed), Checks: state.Tally(), Difficulties: state.Difficulties(),
					Kept: slices.Clone(state.Kept), Disagreeing: []string{}, Review: map[string]int{}}
				for _, p := range state.Proposed {
					if p.Removed == bench.Consensus {
						s.Disagreeing = append(s.Disagreeing, p.Task.ID)
					}
				}
				for _, r := range wordings.Reviews() {
					s.Review[string(r)] = counts.States[r]
				}
				if shift, ok := state.Shift(); ok {
					s.Shift = &shift
				}
				return console.WriteJSON(io, s)
			}
			if err := printHardened(io, state); err != nil {
				return err
			}
			fmt.Fprintf(io.Out, "\nto decide about: %s, by %s each\n", frame.Count(counts.Prompts, "task"), frame.Count(max(1, set.Header.Reviewers), "reviewer"))
			for _, r := range wordings.Reviews() {
				fmt.Fprintf(io.Out, "  %s %d\n", r, counts.States[r])
			}
			for _, e := range counts.Disputes {
				fmt.Fprintf(io.Out, "reviewers disagree about %s\n", frame.OneLine(e.Task))
			}
			return nil
		},
	}
	console.JSONFlag(cmd.Flags(), &asJSON, "print JSON", hardenStatus{})
	return cmd
}

func newHardenExport(io *console.IO) *cobra.Command {
	var out console.OutFlags
	var unreviewed bool
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Write the accepted harder tasks as a benchmark",
		Long: `Write the harder tasks that their reviewers accepted, with the statements as edited, in
assay's own format. The field "provenance" of each task's "extra" says what it was made
of and how, what the checks found, how often models solved it, and who decided.`,
		Example: "  assay tasks harden export harder.jsonl --out harder.json",
		Args:    oneHardened,
		RunE: func(_ *cobra.Command, args []string) error {
			state, set, err := openHardened(args[0])
			if err != nil {
				return err
			}
			b, err := harden.Accepted(state, set, unreviewed)
			if err != nil {
				return err
			}
			if len(b.Tasks) == 0 {
				return fmt.Errorf("no task of %s is accepted; 'assay tasks harden review %[1]s' decides, and --unreviewed includes undecided ones", program.Word(args[0]))
			}
			return writeTasks(io, b, format.Assay, out, false)
		},
	}
	out.Flags(cmd)
	cmd.Flags().BoolVar(&unreviewed, "unreviewed", false, "also write kept tasks not yet reviewed, marked as such")
	return cmd
}
