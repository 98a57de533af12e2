package rate

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/scoring/pairs"
	"assay/scoring/stats"
	"assay/session/overlap"
	"assay/tui/frame"
)

// powered is the JSON form of `assay rate power`.
type powered struct {
	WinRate    float64 `json:"win_rate"`   // the better model's, that the judgements should show to be more than 1/2
	Ties       float64 `json:"ties"`       // the share of ties
	PerTask    float64 `json:"per_task"`   // judgements of each task
	Alike      float64 `json:"alike"`      // intraclass correlation of judgements of one task
	Level      float64 `json:"level"`      // of the two-sided test
	Power      float64 `json:"power"`      // that the judgements reach
	Judgements int     `json:"judgements"` // of the two models that are needed

	Widths []overlap.Width `json:"widths,omitempty"` // of a pilot: ratings for the wanted width; then nothing else is meant
}

func newPower(io *console.IO) *cobra.Command {
	p := pairs.Plan{}
	var asJSON bool
	var pilot string
	var width float64
	var total int
	var strata []string
	cmd := &cobra.Command{
		Use:   "power --win-rate SHARE | --pilot FILE --width WIDTH",
		Short: "How many judgements of pairs show a difference, or how many ratings with a judge give a width",
		Long: `Print how many judgements of two models' answers show that one is better, if people prefer it in
--win-rate of the judgements, with ties as one half. Judgements of one task are alike: of
--per-task judgements of a task each counts less by their correlation, --alike. For several
models that is the number for each two of them; ranks that hold for all of them together need more.

With --pilot, print how many ratings of people a 95 % interval of --width takes, where a judge rates
--total answers or pairs, if both are like those of FILE: closed ratings of people of a random
sample ('assay rate plan --people'), judged by models. Then how many of each stratum by --strata, if
they are drawn at random within strata: by the best allocation, which asks people more often where
they scatter about the judge (Neyman), and in proportion to the strata's sizes.`,
		Example: "  assay rate power --win-rate 0.6 --ties 0.2 --per-task 2\n  assay rate power --pilot ratings.jsonl --width 0.4 --total 2000 --strata verdict",
		Args:    console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if pilot != "" {
				return printWidths(io, pilot, width, total, strata, asJSON)
			}
			if f := cmd.Flags(); f.Changed("width") || f.Changed("total") || f.Changed("strata") {
				return console.Usagef("--width, --total and --strata are of a pilot: give --pilot FILE too")
			}
			n, err := p.Judgements()
			if err != nil {
				return console.Usagef("%v", err)
			}
			if asJSON {
				return console.WriteJSON(io, powered{p.WinRate, p.Ties, p.PerTask, p.Alike, p.Alpha, p.Power, n, nil})
			}
			fmt.Fprintf(io.Out, "%d judgements of two models find a win rate of %g %% with a power of %g %% at the level %g\n", n, 100*p.WinRate, 100*p.Power, p.Alpha)
			return nil
		},
	}
	f := cmd.Flags()
	f.Float64Var(&p.WinRate, "win-rate", 0.6, "the better model's `share` of judgements, 0.5 to 1")
	f.Float64Var(&p.Ties, "ties", 0.2, "the `share` of ties, from 0")
	f.Float64Var(&p.PerTask, "per-task", 1, "`judgements` of each task, 1 or more")
	f.Float64Var(&p.Alike, "alike", 0.2, "the `correlation` of judgements of one task, 0 to 1")
	f.Float64Var(&p.Alpha, "level", 0.05, "the `level` of the two-sided test")
	f.Float64Var(&p.Power, "power", 0.8, "the `power` to reach")
	f.StringVar(&pilot, "pilot", "", "closed ratings with judgements of models, in `FILE`")
	f.Float64Var(&width, "width", 0, "the `width` of the interval, in points of the scale or as a share")
	f.IntVar(&total, "total", 0, "how `many` answers or pairs the judge rates (default: as many as in the pilot)")
	f.StringSliceVar(&strata, "strata", []string{overlap.Uncertainty}, "allocate ratings by these `fields`: "+strings.Join(overlap.Strata(), ", ")+", which is whether judgements differ")
	console.Bounds(f, "width", 0, 1e6)
	console.Bounds(f, "total", 0, 100_000_000)
	console.Bounds(f, "win-rate", 0.5, 1)
	console.Bounds(f, "ties", 0, 1)
	console.Bounds(f, "per-task", 1, 1000)
	console.Bounds(f, "alike", 0, 1)
	console.Bounds(f, "level", 0, 1)
	console.Bounds(f, "power", 0, 1)
	console.JSONFlag(f, &asJSON, "print JSON", powered{})
	return cmd
}

// printWidths prints how many ratings an interval takes.
func printWidths(io *console.IO, pilot string, width float64, total int, strata []string, asJSON bool) error {
	a, err := Analyse(pilot, overlap.Apart, benchmark.Filter{})
	if err != nil {
		return err
	}
	list, err := a.Widths(width, total, strata)
	if err != nil {
		return console.Usagef("--pilot %s: %v", pilot, err)
	}
	if asJSON {
		return console.WriteJSON(io, powered{Widths: list})
	}
	enough := func(n int) string {
		if n == 0 {
			return "– not even ratings of all"
		}
		return fmt.Sprint(n)
	}
	what := func(n *overlap.Width) string {
		return frame.OneLine(n.Judge) + "\t" + frame.OneLine(strings.TrimSuffix(n.Name+", "+n.Model, ", "))
	}
	w := console.NewTable(io.Out)
	fmt.Fprintf(w, "judge\twhat\tratings of people alone\twith judgements of models\tby strata, best\tin proportion\n")
	divided := false
	for i := range list {
		n := &list[i]
		best, even := "–", "–"
		if len(n.Strata) > 0 {
			best, even, divided = enough(n.Optimal), enough(n.Proportional), true
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\n", what(n), n.Alone, enough(n.Together), best, even)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if !divided {
		_, err := fmt.Fprintf(io.Out, "\nby %s all are of one stratum: --strata names other fields\n", strings.Join(strata, ", "))
		return err
	}
	fmt.Fprintln(io.Out)
	w = console.NewTable(io.Out)
	fmt.Fprintf(w, "judge\twhat\tstratum\tshare, %%\trated\tSD of human − λ judge\tratings, best\tin proportion\n")
	pooled := ""
	for i := range list {
		n := &list[i]
		if n.Single() {
			continue // JSON has those of single attributes
		}
		for _, s := range n.Strata {
			sd := stats.Round(s.SD, 3)
			if s.Pooled {
				sd, pooled = sd+" *", "* of all strata together: fewer than 5 ratings of this one"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%d\t%d\n", what(n), frame.OneLine(s.Stratum), stats.Round(100*s.Share, 1), s.Rated, sd, s.Optimal, s.Proportional)
		}
	}
	if err := w.Flush(); err != nil || pooled == "" {
		return err
	}
	_, err = fmt.Fprintln(io.Out, pooled)
	return err
}
