package difficulty

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/terminal"
	"assay/data/program"
	rounds "assay/session/estimate"
	screen "assay/tui/estimate"
	"assay/tui/frame"
)

func newDifficultyEstimate(io *console.IO, g *console.Globals) *cobra.Command {
	var estimator string
	cmd := &cobra.Command{
		Use:   "estimate FILE --estimator NAME",
		Short: "Estimate on the screen how hard tasks are",
		Long: `Read each task, say in a line what it is, estimate how long it would take you and how
difficult it is, and say why. Everything is in FILE as it is typed: the same command goes on
where you were. When you hand in, nothing of it changes any more.

One estimator at a time can have FILE open; on other machines a copy of it does.`,
		Example: "  assay difficulty estimate round1.jsonl --estimator ann",
		Args:    oneRound,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runDifficultyEstimate(cmd.Context(), io, g, args[0], estimator)
		},
	}
	cmd.Flags().StringVar(&estimator, "estimator", "", "the `name` of who estimates (default: $USER)")
	return cmd
}

func runDifficultyEstimate(ctx context.Context, io *console.IO, g *console.Globals, path, estimator string) (err error) {
	estimator = cmp.Or(estimator, io.Getenv("USER"), io.Getenv("USERNAME"))
	if err := rounds.CheckName(estimator); err != nil {
		return console.Usagef("%v: give --estimator NAME", err)
	}
	r, err := rounds.Open(path)
	if err != nil {
		return err
	}
	if err := r.MayOpen(estimator); err != nil {
		return err
	}
	if !io.Terminal {
		return console.Usagef("assay difficulty estimate needs a terminal; 'assay difficulty status %s' prints", program.Word(path))
	}
	f, err := rounds.Change(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := f.MayOpen(estimator); err != nil {
		return err
	}
	return terminal.Run(ctx, io, g, screen.New(screen.Options{File: f, Estimator: estimator, Now: time.Now}))
}

// newDifficultyReview returns `assay difficulty refuse`, or `accept`, which undoes it.
func newDifficultyReview(io *console.IO, refuse bool) *cobra.Command {
	v := rounds.Review{Refused: refuse}
	cmd := &cobra.Command{
		Use:   "refuse FILE --estimator NAME --reason TEXT",
		Short: "Exclude one or all of an estimator's estimates",
		Long: `Say that somebody's estimates, or with --task that of one task, do not count, and why. It
stands in FILE beside them, and 'assay difficulty accept' takes it back. The tasks then want
another estimate.`,
		Example: "  assay difficulty refuse round1.jsonl --estimator ann --task HumanEval/3 --reason \"one word\"",
	}
	if !refuse {
		cmd.Use, cmd.Short = "accept FILE --estimator NAME", "Let estimates count again that were refused"
		cmd.Long = "Take back that somebody's estimates, or with --task that of one task, were refused."
		cmd.Example = "  assay difficulty accept round1.jsonl --estimator ann"
	}
	cmd.Args = oneRound
	cmd.RunE = func(_ *cobra.Command, args []string) (err error) {
		switch {
		case v.Estimator == "":
			return console.Usagef("whose estimates? give --estimator NAME")
		case refuse && v.Reason == "":
			return console.Usagef("why are they refused? give --reason TEXT")
		}
		f, err := rounds.Change(args[0])
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		v.At = time.Now().UTC()
		if err := f.Add(rounds.Event{Review: &v}); err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		subject, done := "all estimates", "refused"
		if v.Task != "" {
			subject = "the estimate of " + frame.OneLine(v.Task)
		}
		if !refuse {
			done = "accepted"
		}
		fmt.Fprintf(io.Err, "%s by %s: %s\n", subject, frame.OneLine(v.Estimator), done)
		return nil
	}
	f := cmd.Flags()
	f.StringVar(&v.Estimator, "estimator", "", "whose: the `name` as 'assay difficulty status' prints it")
	f.StringVar(&v.Task, "task", "", "the `id` of one task (default: all)")
	if refuse {
		f.StringVar(&v.Reason, "reason", "", "why, in a few words")
	}
	return cmd
}
