package run

import (
	"fmt"
	"io"

	"assay/cmd/cli/console"
	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
	"assay/session/report/sessions"
	"assay/tui/frame"
)

// TesterResult is the JSON form of one model's session.
type TesterResult struct {
	Model     string           `json:"model"`
	Recorded  bool             `json:"recorded_answers"` // recorded answers do not depend on the feedback
	Session   string           `json:"session"`
	How       string           `json:"how"`    // "begun", "continued" or "finished before"
	Status    string           `json:"status"` // "finished" or "open"
	Tester    string           `json:"tester"`
	Feedback  session.Feedback `json:"feedback"`
	Reveals   bool             `json:"reveals_tests"`
	K         int              `json:"k"`
	Level     int              `json:"level"`
	Context   session.Context  `json:"context"`
	Seed      uint64           `json:"seed"`
	Tasks     sessions.Counts  `json:"tasks"`
	Satisfied report.Share     `json:"satisfied"`
	AttemptK  report.Estimate  `json:"attempt_k"`
	Within    []float64        `json:"satisfied_within"` // share of the analysed tasks, by number of attempts
	Time      report.Estimate  `json:"completion_s"`
	OwnTime   *report.Estimate `json:"completion_without_model_s"` // the same without waiting for the model
	Errors    int              `json:"provider_errors"`
	LeftOut   []leftOutTask    `json:"left_out,omitempty"`
	Abandoned int              `json:"skipped_after_attempts"` // part of the tasks left out
	Stopped   string           `json:"stopped,omitempty"`      // why the session is still open
}

// leftOutTask is a task that could not be judged, or that the model did not answer.
type leftOutTask struct {
	Task   string `json:"task"`
	Reason string `json:"reason"`

	unsolved bool // it counts as not solved
}

func (l leftOutTask) how() string {
	if l.unsolved {
		return "not solved"
	}
	return "skipped"
}

// print prints the results of the sessions.
func (b *batchTester) print(all []*testedModel) error {
	var list []TesterResult
	for _, t := range all {
		if t.id == "" {
			continue // no session was begun
		}
		events, err := b.store.Events(t.id, 1)
		if err != nil {
			return err
		}
		s, err := session.Replay(events)
		if err != nil {
			return err
		}
		r, err := sessions.Build(events)
		if err != nil {
			return err
		}
		list = append(list, resultOf(t, s, r))
	}
	if b.o.json {
		return console.WriteJSON(b.io, testedSessions{list})
	}
	printTesters(b.io.Out, list, b.o.k)
	return nil
}

// testedSessions are the sessions of automatic testers.
type testedSessions struct {
	Sessions []TesterResult `json:"sessions"`
}

func resultOf(t *testedModel, s *session.State, r *sessions.Report) TesterResult {
	h, p := r.Sessions[0], t.plan
	x := TesterResult{
		Model: t.Name, Recorded: p.Model.Recorded, Session: t.id, How: t.how, Status: h.Status, Tester: p.Tester, Feedback: p.Automatic.Feedback, Reveals: p.Automatic.Reveals,
		K: p.K, Level: p.Level, Context: p.Context, Seed: p.Seed, Tasks: r.Counts, Satisfied: r.Tries.Success, AttemptK: r.Tries.Mean,
		Within: []float64{}, Time: r.Times.Completion.Mean, Errors: r.Events.Failures, Abandoned: r.Events.Abandoned,
	}
	if r.Times.WithoutModel != nil {
		x.OwnTime = &r.Times.WithoutModel.Mean
	}
	for _, s := range r.Tries.Steps {
		if s.Within.N > 0 {
			x.Within = append(x.Within, float64(s.Within.Value))
		}
	}
	for _, task := range s.Tasks {
		if task.Reason != "" {
			x.LeftOut = append(x.LeftOut, leftOutTask{task.ID, task.Reason, task.Outcome != session.Skipped})
		}
	}
	if t.err != nil {
		x.Stopped = t.err.Error()
	}
	return x
}

// shownAttempts returns the numbers of attempts that get a column.
func shownAttempts(k int) []int {
	var shown []int
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 50, 100, 200, 500} {
		if n < k {
			shown = append(shown, n)
		}
	}
	return append(shown, k)
}

// printTesters prints the tables.
func printTesters(out io.Writer, list []TesterResult, k int) {
	if len(list) == 0 {
		return
	}
	w := console.NewNumbers(out)
	fmt.Fprintf(w, "model\tsatisfied\tskipped\topen\tattempts, at most %d\t95 %%\ttime, s\twithout the model, s\t\n", k)
	for _, r := range list {
		ownTime := "–"
		if r.OwnTime != nil {
			ownTime = figureOf(*r.OwnTime, 2)
		}
		fmt.Fprintf(w, "%s\t%d of %d\t%d\t%d\t%s\t%s\t%s\t%s\t\n", r.Model, r.Satisfied.Count, r.Tasks.Analysed, r.Tasks.Skipped, r.Tasks.Unfinished+r.Tasks.NotOpened,
			figureOf(r.AttemptK, 2), rangeOf(r.AttemptK, 2), figureOf(r.Time, 2), ownTime)
	}
	w.Flush()
	fmt.Fprintf(out, "\nTasks satisfied within so many attempts, %%\n")
	w = console.NewNumbers(out)
	fmt.Fprint(w, "model\t")
	for _, n := range shownAttempts(k) {
		fmt.Fprintf(w, "%d\t", n)
	}
	fmt.Fprintln(w)
	for _, r := range list {
		fmt.Fprintf(w, "%s\t", r.Model)
		for _, n := range shownAttempts(k) {
			if n > len(r.Within) {
				fmt.Fprint(w, "–\t")
				continue
			}
			fmt.Fprintf(w, "%s\t", stats.Round(100*r.Within[n-1], 1))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	fmt.Fprintln(out)
	for _, r := range list {
		fmt.Fprintf(out, "%s: session %s, %s; see 'assay report %s'\n", r.Model, r.Session, r.Status, r.Session)
		if r.Abandoned > 0 {
			fmt.Fprintf(out, "  %d skipped after an attempt that had failed: success looks better than it was\n", r.Abandoned)
		}
		for i, left := range r.LeftOut {
			if i == maxLeftOut {
				fmt.Fprintf(out, "  and %d more\n", len(r.LeftOut)-i)
				break
			}
			fmt.Fprintf(out, "  %s %s: %s\n", left.how(), frame.OneLine(left.Task), frame.OneLine(left.Reason))
		}
	}
	fmt.Fprintf(out, "Automatic tester, feedback %s, level %d, %s.\n", list[0].Feedback, list[0].Level, list[0].Context)
	for _, r := range list {
		if r.Recorded {
			fmt.Fprintf(out, "The answers of %s were recorded beforehand and do not depend on the feedback: this is a rehearsal.\n", r.Model)
		}
	}
	if list[0].Reveals {
		fmt.Fprintln(out, "The feedback shows test cases to the model: from the second attempt on, an answer that passes may be made for them.")
	}
}

// maxLeftOut is the number of these tasks that are listed; --json has all.
const maxLeftOut = 5

// figureOf formats the value of an estimate, and rangeOf its interval.
func figureOf(e report.Estimate, decimals int) string {
	if e.N == 0 {
		return "–"
	}
	return stats.Round(float64(e.Value), decimals)
}

func rangeOf(e report.Estimate, decimals int) string {
	if e.Interval == nil {
		return "–"
	}
	return stats.Round(e.Interval.Low, decimals) + "–" + stats.Round(e.Interval.High, decimals)
}
