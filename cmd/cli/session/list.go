package session

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/stores"
	"assay/session"
	"assay/session/llm"
	"assay/store"
	"assay/tui/frame"
)

// newSessionList returns `assay session list`.
func newSessionList(io *console.IO, g *console.Globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the sessions of the store, newest first",
		Long: `List the sessions of the store, newest first. A crashed session stays open; only its last
event is old. Tasks are done when they have a result: practice tasks and skipped ones do not
count.`,
		Example:    "  assay session list\n  assay session list --json",
		SuggestFor: []string{"sessions", "ls"},
		Args:       console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			k, err := stores.OpenKept(io, g)
			if err != nil {
				return err
			}
			rows, err := k.Sessions()
			if err = errors.Join(err, k.Close()); err != nil {
				return err
			}
			if asJSON {
				return console.WriteJSON(io, console.NonNil(rows))
			}
			w := console.NewTable(io.Out, "begun", "benchmark", "last event")
			fmt.Fprintln(w, "session\ttester\tbenchmark\tstate\tdone\tbegun\tlast event")
			for _, r := range rows {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.ID, cmp.Or(frame.OneLine(r.Tester), "(none)"), frame.OneLine(r.Benchmark), r.Status,
					r.Share(), r.Began().Format(minute), r.Last().Format(minute))
			}
			return w.Flush()
		},
	}
	console.JSONFlag(cmd.Flags(), &asJSON, "print a JSON array of summaries", []store.Summary{})
	return cmd
}

// minute is the format of wall times, in this machine's time zone.
const minute = "2006-01-02 15:04"

// shownSession is the JSON form of `assay session show`.
type shownSession struct {
	store.Summary
	Outcomes []shownTask     `json:"task_outcomes"`
	Account  session.Account `json:"account"`
	Cost     *session.Cost   `json:"cost,omitempty"` // absent: the models file has no prices of the model
}

// shownTask is the state of a task in a session.
type shownTask struct {
	ID       string          `json:"id"`
	Set      string          `json:"set,omitempty"`
	Practice bool            `json:"practice,omitempty"`
	Outcome  session.Outcome `json:"outcome,omitempty"` // empty while the task is open
	Attempts int             `json:"attempts"`
	Verdict  string          `json:"verdict,omitempty"` // of the last attempt
}

// newSessionShow returns `assay session show`.
func newSessionShow(io *console.IO, g *console.Globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show SESSION",
		Short: "Show a session's progress and the outcome of each task",
		Long: `Show one session: who worked in it on what, how far it is, the tokens that its answers took, their
cost if the models file has prices, and for each task its outcome, the number of attempts and the
verdict on the last answer. SESSION is an id, the beginning of one,
or "last". 'assay report SESSION' has everything else.`,
		Example: "  assay session show last\n  assay session show last --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			arg, err := stores.SessionArg(cmd, args)
			if err != nil {
				return err
			}
			k, err := stores.OpenKept(io, g)
			if err != nil {
				return err
			}
			models, problem := llm.LoadModels(llm.ModelsPath(g.Models, io.Getenv))
			if problem != nil {
				fmt.Fprintf(io.Err, "no cost: %v\n", problem)
			}
			shown, err := showSession(k, arg, models)
			if err = errors.Join(err, k.Close()); err != nil {
				return err
			}
			if asJSON {
				return console.WriteJSON(io, shown)
			}
			return printSession(io, shown)
		},
	}
	console.JSONFlag(cmd.Flags(), &asJSON, "print the summary as JSON", shownSession{})
	return cmd
}

func showSession(k stores.Kept, arg string, models llm.Models) (shownSession, error) {
	var shown shownSession
	id, err := stores.SessionID(k, arg)
	if err != nil {
		return shown, err
	}
	rows, err := k.Sessions()
	if err != nil {
		return shown, err
	}
	shown.Summary = rows[slices.IndexFunc(rows, func(r store.Summary) bool { return r.ID == id })]
	shown.Outcomes = []shownTask{}
	events, err := k.Events(id, 1)
	if err != nil {
		return shown, err
	}
	state, err := session.Replay(events)
	if err != nil {
		return shown, fmt.Errorf("session %s: %w; see 'assay session verify %[1]s'", id, err)
	}
	shown.Account = state.Account()
	shown.Cost = inputs.CostOf(state.Plan, state.Accounts(), models)
	for _, t := range state.Tasks {
		if state.PassedOver(&t) {
			continue
		}
		row := shownTask{ID: t.ID, Set: t.Set, Practice: t.Practice, Outcome: t.Outcome, Attempts: len(t.Attempts)}
		if n := len(t.Attempts); n > 0 && t.Attempts[n-1].Verdict != nil {
			row.Verdict = string(t.Attempts[n-1].Verdict.Verdict)
		}
		shown.Outcomes = append(shown.Outcomes, row)
	}
	return shown, nil
}

func printSession(io *console.IO, s shownSession) error {
	w := console.NewTable(io.Out)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, frame.OneLine(fmt.Sprintf(format, args...)))
	}
	row("session", "%s", s.ID)
	if s.Name != "" {
		row("name", "%s", s.Name)
	}
	row("tester", "%s", cmp.Or(s.Tester, "(none)"))
	row("benchmark", "%s", s.Benchmark)
	row("model", "%s", s.Model)
	if s.Study != nil {
		row("study", "tester %d, session %d", s.Study.Tester, s.Study.Part)
	}
	row("state", "%s", s.Status)
	row("tasks", "done %s; at most %s each", s.Share(), frame.Count(s.K, "attempt"))
	row("begun", "%s", s.Began().Format(minute))
	row("last event", "%s, number %d", s.Last().Format(minute), s.LastSeq)
	row("worked", "%s", frame.Duration(s.Worked().Seconds()))
	if a := s.Account; a.Uncounted < a.Answers {
		row("used", "%s", a.Used(""))
	}
	if c := s.Cost; c != nil {
		row("cost", "%s", c.Words())
	}
	if err := w.Flush(); err != nil || len(s.Outcomes) == 0 {
		return err
	}
	fmt.Fprintln(w, "\ntask\tset\toutcome\tattempts\tlast verdict")
	words := func(name string) string { return strings.ReplaceAll(name, "_", " ") }
	for _, t := range s.Outcomes {
		set := t.Set
		if t.Practice {
			set = "practice"
		}
		outcome := cmp.Or(string(t.Outcome), "open")
		if t.Attempts == 0 && t.Outcome == "" {
			outcome = "not begun"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\n", frame.OneLine(t.ID), frame.OneLine(cmp.Or(set, "–")), words(outcome), t.Attempts, words(cmp.Or(t.Verdict, "–")))
	}
	return w.Flush()
}
