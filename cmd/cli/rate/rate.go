package rate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/terminal"
	"assay/data/filelock"
	"assay/data/program"
	"assay/session/overlap"
	"assay/tui/frame"
	screen "assay/tui/overlap"
)

// New returns `assay rate`.
func New(io *console.IO, g *console.Globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rate",
		Short: "Have several people rate the same answers, or say which of two is better",
		Long: `Have the final answers of finished sessions rated again by people who did not write the
prompts, or answers of models from files and runs: on a scale, or which of two is better,
without seeing the model's name or anybody else's ratings.

  plan        choose answers, or pairs of answers, and assign them to raters
  answers     rate them on the screen: one rater after the other, each in a file of their own,
              or all at the same time from their own machines ('assay serve --ratings FILE')
  judge       have models rate them too, in the raters' words
  picks       add what testers picked in sessions with two models
  status      show the raters' progress, but none of their ratings
  close       merge the raters' files and end the rating
  report      report how far the raters agree
  adjudicate  settle disagreements on the screen
  power       how many judgements of pairs show a difference, or ratings beside a judge give a width

FILE is append-only. 'assay report … --overlap FILE' adds the agreement to the study's report.`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newRatingsPlan(io, g), newRatingsRate(io, g), newJudge(io, g), newPicks(io, g), newRatingsStatus(io), newRatingsClose(io), newRatingsReport(io), newRatingsAdjudicate(io, g), newPower(io))
	return cmd
}

var oneRatings = console.One("one FILE of ratings")

func newRatingsRate(io *console.IO, g *console.Globals) *cobra.Command {
	var rater string
	cmd := &cobra.Command{
		Use:   "answers FILE --rater NAME",
		Short: "Rate answers, or choose the better one of two, on the screen",
		Long: `Read each task, the prompts and the answers, and rate the final answer; of a pair choose A, B,
equal or neither. From 110 columns on, both answers of a pair stand side by side. Every key press is
saved in FILE at once: the same command resumes where you were, and you can change everything
until the rating is closed. The ratings of others stay hidden until then.

Only one rater at a time can have FILE open here. 'assay serve --ratings FILE' lets all of them
rate over SSH at the same time; 'assay rate plan --split' makes a file for each.`,
		Example: "  assay rate answers ratings.jsonl --rater ann",
		Args:    oneRatings,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runRatingsRate(cmd.Context(), io, g, args[0], rater)
		},
	}
	cmd.Flags().StringVar(&rater, "rater", "", "the `name` of who rates, as it was planned (default: that of FILE, else $USER)")
	return cmd
}

func runRatingsRate(ctx context.Context, io *console.IO, g *console.Globals, path, rater string) (err error) {
	set, err := overlap.Open(path)
	if err != nil {
		return err
	}
	rater = cmp.Or(rater, set.Header.Rater, io.Getenv("USER"), io.Getenv("USERNAME"))
	if err := overlap.CheckName(rater); err != nil {
		return console.Usagef("%v: give --rater NAME", err)
	}
	if err := set.MayRate(rater); err != nil {
		return err
	}
	if !io.Terminal {
		return console.Usagef("assay rate answers needs a terminal; 'assay rate status %s' prints", program.Word(path))
	}
	f, err := overlap.Change(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	f.Look(func(s *overlap.Set) { err = s.MayRate(rater) })
	if err != nil {
		return err
	}
	return terminal.Run(ctx, io, g, screen.NewRating(screen.RatingOptions{File: f, Rater: rater, Now: time.Now}))
}

func newRatingsAdjudicate(io *console.IO, g *console.Globals) *cobra.Command {
	var by string
	apart := overlap.Apart
	cmd := &cobra.Command{
		Use:   "adjudicate FILE --by NAME",
		Short: "Settle disagreements of raters on the screen",
		Long: `Compare the ratings and notes of all raters of an answer side by side, wherever they are
--apart points apart on an attribute or chose different labels, and settle the score with a
reason. It is recorded with your name and the time, and you can undo it. The rating must be
closed.`,
		Example: "  assay rate adjudicate ratings.jsonl --by eve",
		Args:    oneRatings,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runRatingsAdjudicate(cmd.Context(), io, g, args[0], by, apart)
		},
	}
	cmd.Flags().StringVar(&by, "by", "", "the `name` of who settles (default: $USER)")
	cmd.Flags().IntVar(&apart, "apart", apart, "how many `points` apart raters disagree")
	console.Bounds(cmd.Flags(), "apart", 1, 100)
	return cmd
}

func runRatingsAdjudicate(ctx context.Context, io *console.IO, g *console.Globals, path, by string, apart int) (err error) {
	by = cmp.Or(by, io.Getenv("USER"), io.Getenv("USERNAME"))
	if overlap.CheckName(by) != nil {
		return console.Usagef("who settles is unknown: give --by NAME")
	}
	set, err := overlap.Open(path)
	if err != nil {
		return err
	}
	if len(set.Header.Pairs) > 0 {
		return console.Usagef("%s has pairs, whose judgements are not settled; 'assay rate report %[1]s' prints them", program.Word(path))
	}
	if err := set.Header.CheckApart(apart); err != nil {
		return console.Usagef("--apart: %v", err)
	}
	if _, err := set.Disputes(apart); err != nil {
		return fmt.Errorf("%s: %w; 'assay rate close' does", path, err)
	}
	if !io.Terminal {
		return console.Usagef("assay rate adjudicate needs a terminal; 'assay rate report %s' prints", program.Word(path))
	}
	f, err := overlap.Change(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	s, err := screen.NewAdjudication(screen.AdjudicationOptions{File: f, By: by, Apart: apart, Now: time.Now})
	if err != nil {
		return err
	}
	return terminal.Run(ctx, io, g, s)
}

// ratingsStatus is the JSON form of `assay rate status`.
type ratingsStatus struct {
	Name    string                  `json:"name"`
	Plan    string                  `json:"plan"`
	Items   int                     `json:"items"`
	Overlap int                     `json:"overlap"`
	Next    *overlap.Next           `json:"next,omitempty"` // how the next pair is chosen; null: pairs are dealt
	Raters  []overlap.Progress      `json:"raters"`
	Missing int                     `json:"missing"`
	Closed  *overlap.Closed         `json:"closed"`
	Judges  []overlap.JudgeProgress `json:"judges"`          // models that judge, which are no raters
	Pairs   int                     `json:"pairs,omitempty"` // that people judge, whatever their sides, without attention checks
}

// together reads files of one plan, the common file first, and combines them without changing them. Where it is alone
// the raters' own files that lie beside it belong to it. fresh are the events of the other files, whose paths are others.
func together(paths []string) (set *overlap.Set, fresh []overlap.Event, others []string, err error) {
	if set, err = overlap.Open(paths[0]); err != nil {
		return nil, nil, nil, err
	}
	others = paths[1:]
	if h := &set.Header; len(others) == 0 && h.Rater == "" && set.Closed() == nil {
		for _, rater := range h.Raters {
			if _, err := os.Stat(ownFile(paths[0], rater)); err == nil {
				others = append(others, ownFile(paths[0], rater))
			}
		}
	}
	for _, path := range others {
		other, err := overlap.Open(path)
		if err != nil {
			return nil, nil, nil, err
		}
		more, err := set.Take(other)
		if err != nil {
			return nil, nil, nil, err
		}
		for _, ev := range more {
			if err := set.Apply(ev); err != nil {
				return nil, nil, nil, fmt.Errorf("%s: %w", path, err)
			}
		}
		fresh = append(fresh, more...)
	}
	return set, fresh, others, nil
}

var someRatings = console.Some("FILE, followed by the raters' own files")

func newRatingsStatus(io *console.IO) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "status FILE [RATER'S FILE...]",
		Example: "  assay rate status ratings.jsonl",
		Short:   "Show the progress of raters",
		Long: `Show how many answers each rater has rated. The ratings themselves stay hidden until the rating
is closed. Raters' own files are counted if they are named after FILE or lie beside it, as
'assay rate plan --split' wrote them. FILE is only read, so this also works while 'assay serve'
has it open.`,
		Args: someRatings,
		RunE: func(_ *cobra.Command, args []string) error {
			set, _, others, err := together(args)
			if err != nil {
				return err
			}
			h := &set.Header
			s := ratingsStatus{Name: h.Name, Plan: h.Plan, Items: h.RatedByPeople(), Overlap: h.Overlap, Next: h.Next, Raters: set.Progress(), Missing: set.Missing(), Closed: set.Closed(), Judges: set.JudgeProgress()}
			if len(h.Pairs) > 0 {
				s.Items, s.Pairs = len(h.Items), h.RatedByPeople()
			}
			if asJSON {
				return console.WriteJSON(io, s)
			}
			w := console.NewTable(io.Out)
			what := frame.Count(s.Items, "answer")
			if s.Pairs > 0 {
				what = frame.Count(s.Pairs, "pair")
			}
			fmt.Fprintf(w, "rater\t%s\trated\tbegun\n", strings.Fields(what)[1])
			for _, p := range s.Raters {
				mark := "·"
				if p.Whole == p.Items {
					mark = "✓"
				}
				fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\n", frame.OneLine(p.Rater), p.Items, p.Whole, p.Begun, mark)
			}
			if err := w.Flush(); err != nil {
				return err
			}
			by := fmt.Sprintf("each by %d people", s.Overlap)
			if s.Next != nil {
				by = "chosen one by one"
			}
			fmt.Fprintf(io.Out, "%s: %s, %s; %s\n", frame.OneLine(s.Name), what, by, missing(s.Missing))
			if len(others) > 0 {
				fmt.Fprintf(io.Out, "counted with it: %s\n", program.Line(others...))
			}
			if err := printJudges(io, s.Judges); err != nil {
				return err
			}
			switch {
			case s.Closed != nil:
				fmt.Fprintf(io.Out, "closed by %s on %s\nnext: assay rate report %s\n", frame.OneLine(s.Closed.By), s.Closed.At.Format("2006-01-02 15:04 MST"), program.Word(args[0]))
			case h.Rater == "" && s.Missing == 0:
				fmt.Fprintf(io.Out, "next: assay rate close %s\n", program.Line(args...))
			case h.Rater != "":
				fmt.Fprintf(io.Out, "next: assay rate answers %s\n", program.Word(args[0]))
			case len(others) > 0:
				fmt.Fprintf(io.Out, "next: each rater types assay rate answers with their own file\n")
			default:
				fmt.Fprintf(io.Out, "next: assay rate answers %s --rater NAME\n", program.Word(args[0]))
			}
			return nil
		},
	}
	console.JSONFlag(cmd.Flags(), &asJSON, "print JSON", ratingsStatus{})
	return cmd
}

func newRatingsClose(io *console.IO) *cobra.Command {
	var by string
	var incomplete bool
	cmd := &cobra.Command{
		Use:   "close FILE [RATER'S FILE...] --by NAME",
		Short: "End the rating and reveal everything",
		Long: `Merge the raters' own files, which are named or lie beside FILE, and end the rating. From then
on nothing can be rated; the ratings, the agreement and what is left to settle can be seen. This
cannot be undone. If 'assay serve' has FILE open, stop the server first and start it again
afterwards, so that raters see that the rating is closed. If ratings are missing, closing needs
--incomplete.`,
		Example: "  assay rate close ratings.jsonl ratings-ann.jsonl ratings-bob.jsonl --by eve",
		Args:    someRatings,
		RunE: func(_ *cobra.Command, args []string) error {
			return closeRatings(io, args, cmp.Or(by, io.Getenv("USER"), io.Getenv("USERNAME")), incomplete)
		},
	}
	cmd.Flags().StringVar(&by, "by", "", "the `name` of who closes (default: $USER)")
	cmd.Flags().BoolVar(&incomplete, "incomplete", false, "close although ratings are missing")
	return cmd
}

func closeRatings(io *console.IO, paths []string, by string, incomplete bool) (err error) {
	if overlap.CheckName(by) != nil {
		return console.Usagef("who closes is unknown: give --by NAME")
	}
	f, err := overlap.Change(paths[0])
	if errors.Is(err, filelock.ErrTaken) {
		return fmt.Errorf("%s: another assay process has it open, so nothing was closed: 'assay serve --ratings', or a rater's screen. End that first (ctrl+c where the server runs: raters are asked to come back, and nothing is lost), then type this again; 'assay rate status %[1]s' says meanwhile how far they are", program.Word(paths[0]))
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	set, fresh, _, err := together(paths) // read while the file is locked
	if err != nil {
		return err
	}
	if missing := set.Missing(); missing > 0 && !incomplete && set.Closed() == nil {
		var behind []string
		for _, p := range set.Progress() {
			if p.Whole < p.Items {
				behind = append(behind, fmt.Sprintf("%s (%d of %d)", p.Rater, p.Whole, p.Items))
			}
		}
		return fmt.Errorf("ratings by %s are missing: name their files, too, or close with --incomplete", strings.Join(behind, ", "))
	}
	closed := overlap.Event{Closed: &overlap.Closed{By: by, At: time.Now().UTC().Truncate(time.Second), Missing: set.Missing()}}
	if err := f.Add(append(fresh, closed)...); err != nil {
		return fmt.Errorf("%s: %w", paths[0], err)
	}
	fmt.Fprintf(io.Err, "closed: %s\nnext: assay rate report %s", missing(set.Missing()), program.Word(paths[0]))
	if len(set.Header.Pairs) == 0 {
		fmt.Fprintf(io.Err, ", and assay rate adjudicate %s", program.Word(paths[0]))
	}
	fmt.Fprintln(io.Err)
	return nil
}

func missing(ratings int) string {
	if ratings == 1 {
		return "1 rating is missing"
	}
	return fmt.Sprintf("%d ratings are missing", ratings)
}
