package difficulty

import (
	"encoding/csv"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/data/program"
	"assay/scoring/stats"
	rounds "assay/session/estimate"
	"assay/tui/frame"
)

// roundStatus is the JSON form of `assay difficulty status`.
type roundStatus struct {
	Benchmark  string            `json:"benchmark"`
	Statistic  string            `json:"statistic"`
	Threshold  float64           `json:"threshold"`
	Scale      []string          `json:"scale"`
	Tasks      []rounds.Result   `json:"tasks"`
	Estimators []estimatorStatus `json:"estimators"`
	Doubts     []rounds.Doubt    `json:"low_effort"`
	Next       string            `json:"next"`
}

// estimatorStatus is an estimator's progress in a round.
type estimatorStatus struct {
	Name     string            `json:"name"`
	Round    int               `json:"round"`
	Tasks    int               `json:"tasks"`
	Estimate int               `json:"estimated"`
	HandedIn bool              `json:"handed_in"`
	Refused  map[string]string `json:"refused,omitempty"` // reasons by task
}

// statistic is the name of the agreement statistic.
const statistic = "van der Eijk's agreement A"

func newDifficultyStatus(io *console.IO) *cobra.Command {
	var asJSON, asCSV bool
	words := rounds.EnoughWords
	cmd := &cobra.Command{
		Use:     "status FILE...",
		Example: "  assay difficulty status round1.jsonl",
		Short:   "Show which tasks people's estimates agree on, and what is missing",
		Long: `Say of each task how far its estimates agree, what is settled, and what is missing. FILEs
are those of one round from several machines, and of the rounds before. Estimates count that
were handed in and are not refused.

Agreement is van der Eijk's A: 1 where all chose one time, 0 where all times were chosen
alike, -1 where one half chose the shortest and the other the longest. TaskEval names the
threshold, 0.6, but not its statistic. A task is settled with the median; of an even number of
estimates with the upper of the two in the middle (--json has both), since people estimate too
little rather than too much.

Estimates that may be low effort are listed to be looked at; none is left out by itself.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return console.Usagef("%s takes FILEs of estimates; see '%[1]s --help'%[2]s", cmd.CommandPath(), meantRun(cmd, args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if asJSON && asCSV {
				return console.Usagef("--json and --csv exclude each other: give one")
			}
			study, err := readRounds(args)
			if err != nil {
				return err
			}
			s := statusOfRounds(study, args, words)
			switch {
			case asJSON:
				return console.WriteJSON(io, s)
			case asCSV:
				return s.csv(io)
			}
			return s.print(io, study)
		},
	}
	f := cmd.Flags()
	console.JSONFlag(f, &asJSON, "print JSON", roundStatus{})
	f.BoolVar(&asCSV, "csv", false, "print the tasks as CSV")
	f.IntVar(&words, "words", words, "how many words a summary or reason must have not to be listed")
	console.Bounds(f, "words", 0, 1000000)
	return cmd
}

func statusOfRounds(study *rounds.Study, paths []string, words int) roundStatus {
	h := study.Header()
	s := roundStatus{Benchmark: h.Benchmark, Statistic: statistic, Threshold: h.Threshold, Scale: h.Labels(), Tasks: study.Results(), Estimators: []estimatorStatus{}, Doubts: []rounds.Doubt{}}
	for _, r := range study.Rounds {
		for _, who := range r.Estimators() {
			e := estimatorStatus{Name: who, Round: r.Header.Round, Tasks: len(r.For(who)), Estimate: len(r.Given(who)), HandedIn: r.Submitted(who), Refused: map[string]string{}}
			for _, estimate := range r.Given(who) {
				if why := r.Refused(who, estimate.Task); why != "" {
					e.Refused[estimate.Task] = why
				}
			}
			s.Estimators = append(s.Estimators, e)
		}
		s.Doubts = append(s.Doubts, r.Doubts(words)...)
	}
	s.Next = nextCommand(study, s.Tasks, paths)
	return s
}

// nextCommand returns the command to type next.
func nextCommand(study *rounds.Study, results []rounds.Result, paths []string) string {
	last := study.Rounds[len(study.Rounds)-1]
	for _, r := range results {
		if r.State == rounds.Waiting {
			return fmt.Sprintf("assay difficulty estimate %s --estimator NAME", program.Word(roundOf(study, r.Task).Name))
		}
	}
	for _, r := range results {
		if r.State == rounds.AnotherRound {
			return fmt.Sprintf("assay difficulty round %s --after %s", program.Word(filepath.Join(filepath.Dir(last.Name), fmt.Sprintf("round%d.jsonl", r.Round+1))), program.Word(strings.Join(paths, ",")))
		}
	}
	return "assay difficulty RESULTS --people " + program.Word(strings.Join(paths, ","))
}

// roundOf returns the last round of a task.
func roundOf(study *rounds.Study, task string) *rounds.Round {
	for _, r := range slices.Backward(study.Rounds) {
		if r.Header.Item(task) != nil {
			return r
		}
	}
	return study.Rounds[0]
}

func (s roundStatus) csv(io *console.IO) error {
	w := csv.NewWriter(console.Data(io.Out))
	if err := w.Write([]string{"task", "title", "state", "round", "n", "wanted", "agreement", "time", "time_min", "time_low_median", "time_high_median", "time_max", "difficulty_min", "difficulty_low_median", "difficulty_high_median", "difficulty_max"}); err != nil {
		return err
	}
	for _, r := range s.Tasks {
		row := []string{r.Task, r.Title, string(r.State), fmt.Sprint(r.Round), fmt.Sprint(r.N), fmt.Sprint(r.Wanted), ""}
		if r.Agreement != nil {
			row[6] = strconv.FormatFloat(*r.Agreement, 'g', -1, 64)
		}
		label := ""
		if r.State.Done() {
			label = s.Scale[r.Median()]
		}
		row = append(row, label)
		for _, spread := range []*rounds.Spread{r.Time, r.Difficulty} {
			if spread == nil {
				row = append(row, "", "", "", "")
				continue
			}
			row = append(row, fmt.Sprint(spread.Min), fmt.Sprint(spread.Low), fmt.Sprint(spread.High), fmt.Sprint(spread.Max))
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

func (s roundStatus) print(io *console.IO, study *rounds.Study) error {
	states := map[rounds.State]int{}
	w := console.NewTable(io.Out)
	fmt.Fprintln(w, "task\tround\testimates\tagreement\ttime\tdifficulty\tstate")
	for _, r := range s.Tasks {
		states[r.State]++
		agreement, time, difficulty := "", "", ""
		if r.Agreement != nil {
			agreement = stats.Round(*r.Agreement, 2)
		}
		if r.Time != nil {
			time = spreadOf(*r.Time, s.Scale, 0)
			difficulty = spreadOf(*r.Difficulty, rounds.DifficultyLabels(), 1)
		}
		fmt.Fprintf(w, "%s\t%d\t%d of %d\t%s\t%s\t%s\t%s\n", middle(r.Task), r.Round, r.N, r.Wanted, agreement, time, difficulty, stateMark(r.State))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(io.Out, "\n%d tasks of %s: %d settled, %d for another round, %d accepted without agreement, %d waiting for estimates.\nTime and difficulty: the median. Agreement: %s; settled from %v on.\n",
		len(s.Tasks), frame.OneLine(s.Benchmark), states[rounds.Settled], states[rounds.AnotherRound], states[rounds.Unagreed], states[rounds.Waiting], s.Statistic, s.Threshold)
	for i, e := range s.Estimators {
		if i == 0 {
			fmt.Fprintln(io.Out)
		}
		state := "under way, does not count yet"
		if e.HandedIn {
			state = "handed in"
		}
		fmt.Fprintf(io.Out, "%s, round %d: %d of %d estimated, %s", frame.OneLine(e.Name), e.Round, e.Estimate, e.Tasks, state)
		if n := len(e.Refused); n > 0 {
			fmt.Fprintf(io.Out, ", %d refused", n)
		}
		fmt.Fprintln(io.Out)
	}
	if len(s.Doubts) > 0 {
		fmt.Fprintln(io.Out, "\nTo review; 'assay difficulty refuse FILE --estimator NAME --task ID --reason TEXT' leaves one out")
	}
	for _, d := range s.Doubts {
		subject := frame.OneLine(d.Estimator)
		if d.Task != "" {
			subject += ", " + frame.OneLine(d.Task)
		}
		fmt.Fprintf(io.Out, "  ! %s: %s: %s\n", subject, d.Kind, verdicts.StripEscapes(frame.OneLine(d.Says)))
	}
	_, err := fmt.Fprintf(io.Out, "\nnext: %s\n", s.Next)
	return err
}

// stateMark returns a glyph and a word.
func stateMark(s rounds.State) string {
	return map[rounds.State]string{rounds.Settled: "✓ ", rounds.AnotherRound: "↻ ", rounds.Unagreed: "≠ ", rounds.Waiting: "· "}[s] + string(s)
}

// spreadOf formats the median; both middle values if they differ.
func spreadOf(s rounds.Spread, labels []string, from int) string {
	if s.Low == s.High {
		return labels[s.Low-from]
	}
	return labels[s.Low-from] + " to " + labels[s.High-from]
}
