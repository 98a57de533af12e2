package rate

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/data/program"
	"assay/session"
	"assay/session/overlap"
	"assay/tui/frame"
)

func newPicks(io *console.IO, g *console.Globals) *cobra.Command {
	var from []string
	cmd := &cobra.Command{
		Use:   "picks FILE [SESSION...]",
		Short: "Add what testers picked in sessions with two models",
		Long: `Add to FILE, which has pairs, what testers picked while two models answered each of their prompts:
in the finished sessions of the store, or with --from in bundles; SESSIONs are ids or beginnings
of ids. 'assay rate report' then has win rates, scale and effects of both together. Models with
the same name are one, and so is a tester with a rater's name.

Picks can be added before and after the rating is closed; those that FILE has are left out, so the
same command adds what is new. Picks are of prompts of the testers' own, not of a random sample:
nothing is joined with the judgements of models then.`,
		Example: "  assay rate picks pairs.jsonl\n  assay rate picks pairs.jsonl --from study.assay",
		Args:    console.Some("the FILE of pairs"),
		RunE: func(_ *cobra.Command, args []string) error {
			return addPicks(io, g, args[0], args[1:], from)
		},
	}
	cmd.Flags().StringSliceVar(&from, "from", nil, "take the sessions of these bundle `files`, not of the store")
	return cmd
}

func addPicks(io *console.IO, g *console.Globals, path string, sessions, from []string) (err error) {
	set, err := overlap.Open(path)
	if err != nil {
		return err
	}
	if len(set.Header.Pairs) == 0 || set.Header.Rater != "" {
		return console.Usagef("picks are added to the file of all raters of pairs, which %s is not: 'assay rate plan --pairs' makes one", path)
	}
	var list []overlap.SessionPick
	left := map[string]int{}
	add := func(events []session.Event, texts func(session.Ref) ([]byte, error)) error {
		picks, reason, err := overlap.PicksOf(events, texts)
		if reason != "" {
			left[reason]++
		}
		list = append(list, picks...)
		return err
	}
	if len(from) > 0 {
		err = bundledSessions(from, sessions, add)
	} else {
		err = storedSessions(io, g, sessions, add)
	}
	if err != nil {
		return err
	}
	for _, why := range slices.Sorted(maps.Keys(left)) {
		fmt.Fprintf(io.Err, "left out: %s: %s\n", frame.Count(left[why], "session"), why)
	}
	f, err := overlap.Change(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var fresh []overlap.Event
	f.Look(func(s *overlap.Set) { fresh = s.NewPicks(list) })
	if err := f.Add(fresh...); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	fmt.Fprintf(io.Err, "%s: %s added, %d were there\nnext: assay rate report %s\n", path, frame.Count(len(fresh), "pick"), len(list)-len(fresh), program.Word(path))
	return nil
}
