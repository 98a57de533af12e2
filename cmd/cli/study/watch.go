package study

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/stores"
	"assay/data/program"
	"assay/session"
	"assay/session/study"
	"assay/store"
	"assay/tui/frame"
)

// newWatch returns `assay study watch`.
func newWatch(io *console.IO, g *console.Globals) *cobra.Command {
	var asJSON bool
	var choose inputs.Chooser
	var every, late time.Duration
	cmd := &cobra.Command{
		Use:   "watch [FILE]",
		Short: "Follow testers' progress without seeing outcomes",
		Long: `Show for each session how many tasks are done, the last event, the pace, interruptions, how
many tasks have the same score for all attributes, what assay (attention checks, the practice
task, straight-lining) or the tester flagged, and answers in which a model of a blind study
names itself. Results are left out, by arm or otherwise, so that they influence nobody while
the study runs.

With FILE, a frozen study, list its places instead: who has each, whether it is free, packed or
reserved, in progress, late or done, how many sessions of each arm were planned, begun and
finished, and which of the study's declared looks is due, for 'assay report --study FILE'.

--filter and --saved-filter count only some tasks, by the metadata that sessions store.

While another process holds the store, the snapshot beside it is read. With --every the list
is printed repeatedly until it is interrupted.`,
		Example:    "  assay study watch\n  assay study watch --every 30s",
		SuggestFor: []string{"status", "progress"},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return console.Usagef("assay study watch takes one study file or none")
			}
			if len(args) == 0 && cmd.Flags().Changed("late") {
				return console.Usagef("--late is for the places of a study: name its file")
			}
			filter, err := choose.Filter()
			if err != nil {
				return err
			}
			once := func() error { return watchOnce(io, g, filter, asJSON) }
			if len(args) == 1 {
				s, b, err := LoadStudy(args[0])
				if err != nil {
					return err
				}
				hash, err := frozenHash(io, g, s, b)
				if err != nil {
					return err
				}
				if hash == "" {
					return fmt.Errorf("%s is not frozen, so nobody can have begun it; freeze it with 'assay study freeze %s'", args[0], program.Word(args[0]))
				}
				once = func() error { return watchPlaces(io, g, s, hash, filter, late, asJSON) }
			}
			if every != 0 && every < 100*time.Millisecond {
				return console.Usagef("--every takes at least 0.1s, not %s", every)
			}
			for {
				if err := once(); err != nil || every <= 0 {
					return err
				}
				select {
				case <-cmd.Context().Done():
					return nil
				case <-time.After(every):
				}
			}
		},
	}
	console.JSONFlag(cmd.Flags(), &asJSON, "print the list as JSON", watchedSessions{}, watchedPlaces{})
	choose.Flags(cmd.Flags())
	cmd.Flags().DurationVar(&late, "late", 72*time.Hour, "call a place late on which nothing has happened for this `time`")
	cmd.Flags().DurationVar(&every, "every", 0, "print again after this `time`, such as 30s")
	console.Bounds(cmd.Flags(), "every", 0, 365*24*3600)
	console.Bounds(cmd.Flags(), "late", 0, 365*24*3600)
	return cmd
}

// watchedSessions is the progress of all sessions.
type watchedSessions struct {
	Filter    string             `json:"filter,omitempty"` // the filter that chose the tasks that are counted; absent: all
	Sessions  []study.Progress   `json:"sessions"`
	Unblinded []study.Unblinding `json:"unblinded"` // of studies, in the order of time
}

// watchedPlaces is the progress of a study.
type watchedPlaces struct {
	Filter    string             `json:"filter,omitempty"` // the filter that chose the tasks that are counted; absent: all
	Places    []study.Place      `json:"places"`
	Arms      []study.ArmBalance `json:"arms"`
	Unblinded []study.Unblinding `json:"unblinded"` // of this study, in the order of time

	Looks *study.LooksDue `json:"looks,omitempty"` // which of the declared looks is due; absent: none are declared
}

func watchOnce(io *console.IO, g *console.Globals, filter benchmark.Filter, asJSON bool) error {
	k, err := stores.OpenKept(io, g)
	if err != nil {
		return err
	}
	list, err := watched(k, filter, func(store.Summary) bool { return true })
	records, unblindErr := k.Unblinded()
	if err = errors.Join(err, unblindErr, k.Close()); err != nil {
		return err
	}
	if asJSON {
		return console.WriteJSON(io, watchedSessions{filter.String(), list, append([]study.Unblinding{}, records...)})
	}
	sayFilter(io, filter)
	w := console.NewTable(io.Out, "breaks", "gaps", "pace", "rated alike", "errors", "last")
	fmt.Fprintln(w, "tester\tsession\tstatus\tdone\tlast\tpace\terrors\tbreaks\tgaps\trated alike\tflags")
	for _, p := range list {
		pace := "–"
		if p.Pace > 0 {
			pace = frame.Duration(p.Pace.Seconds())
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d of %d\t%s\t%s\t%d\t%d\t%d\t%d of %d\t%d\n", cmp.Or(frame.OneLine(p.Tester), "(none)"), frame.OneLine(p.Session), frame.OneLine(p.Status), p.Done, p.Tasks,
			p.Last.Format("2006-01-02 15:04"), pace, p.Failures, p.Breaks, p.Gaps, p.Alike, p.Rated, len(p.Flags))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return printNotes(io, records, list)
}

// sayFilter names the filter of a list.
func sayFilter(io *console.IO, filter benchmark.Filter) {
	if filter.String() != "" {
		fmt.Fprintf(io.Out, "counted are only tasks that match the filter %s; flags, breaks and gaps are of whole sessions\n", frame.OneLine(filter.String()))
	}
}

// printNotes prints what an owner has to look at: unblinding, flags, and models that named themselves.
func printNotes(io *console.IO, records []study.Unblinding, list []study.Progress) error {
	for _, u := range records {
		fmt.Fprintf(io.Out, "%s: %s\n", frame.OneLine(u.Study), frame.OneLine(u.Words()))
	}
	for _, p := range list {
		for _, f := range p.Flags {
			fmt.Fprintf(io.Out, "session %s: %s\n", frame.OneLine(p.Session), frame.OneLine(f))
		}
		for _, l := range p.Leaks {
			fmt.Fprintf(io.Out, "session %s, task %s, attempt %d: the model may have named itself: %q\n", frame.OneLine(p.Session), frame.OneLine(l.Task), l.Attempt, l.Words)
		}
	}
	return nil
}

// watchPlaces prints the places of a frozen study.
func watchPlaces(io *console.IO, g *console.Globals, s *study.Study, hash string, filter benchmark.Filter, late time.Duration, asJSON bool) error {
	k, err := stores.OpenKept(io, g)
	if err != nil {
		return err
	}
	list, err := watched(k, filter, func(row store.Summary) bool { return row.Study != nil && row.Study.Hash == hash })
	records, unblindErr := k.Unblinded()
	if err = errors.Join(err, unblindErr, k.Close()); err != nil {
		return err
	}
	records = slices.DeleteFunc(records, func(u study.Unblinding) bool { return u.Hash != hash })
	places, arms := s.Places(hash, list, time.Now().Add(-late))
	reserved, err := s.Reserved(hash)
	if err != nil {
		return err
	}
	for _, r := range reserved {
		if i := slices.IndexFunc(places, func(p study.Place) bool { return p.Tester == r.Tester }); i >= 0 && places[i].Status == "not begun" {
			places[i].Reserved = r.String()
		}
	}
	if asJSON {
		return console.WriteJSON(io, watchedPlaces{filter.String(), places, arms, append([]study.Unblinding{}, records...), s.LooksDue(places)})
	}
	sayFilter(io, filter)
	w := console.NewTable(io.Out, "last", "sessions")
	fmt.Fprintln(w, "place\tcode\ttester\tstatus\tsessions\tlast\tflags")
	counts := map[string]int{}
	overdue := 0
	for _, p := range places {
		status, last := p.Status, "–"
		counts[p.Status]++
		if p.Late {
			status += ", late"
			overdue++
		}
		if p.Reserved != "" {
			status += ", " + frame.OneLine(p.Reserved)
		}
		if p.Last != nil {
			last = p.Last.Format("2006-01-02 15:04")
		}
		var sessions []string
		for _, x := range p.Sessions {
			said := frame.OneLine(x.Arm)
			if x.Session != "" {
				said += fmt.Sprintf(" %d of %d", x.Done, x.Tasks)
			}
			sessions = append(sessions, said)
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%d\n", p.Tester, p.Code, cmp.Or(frame.OneLine(strings.Join(p.People, ", ")), "–"), status, strings.Join(sessions, "; "), last, p.Flags)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "arm\tplanned\tbegun\tfinished")
	for _, a := range arms {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\n", frame.OneLine(a.Arm), a.Planned, a.Begun, a.Finished)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(io.Out, "%s: %d done, %d in progress, %d late, %d left, %d not begun\n", frame.Count(len(places), "place"), counts["done"], counts["in progress"], overdue, counts["left"], counts["not begun"])
	if d := s.LooksDue(places); d != nil {
		fmt.Fprintln(io.Out, d.Words())
	}
	return printNotes(io, records, list)
}

// watched returns the progress of the wanted sessions, ordered by tester, in the tasks that a filter matches.
func watched(k stores.Kept, filter benchmark.Filter, wanted func(store.Summary) bool) ([]study.Progress, error) {
	rows, err := k.Sessions()
	if err != nil {
		return nil, err
	}
	list, tasks := []study.Progress{}, 0
	for _, row := range rows {
		if !wanted(row) {
			continue
		}
		p, err := WatchedSession(k, row.ID, filter)
		if err != nil {
			return nil, err
		}
		list, tasks = append(list, p), tasks+p.Tasks
	}
	if tasks == 0 && len(list) > 0 && filter.String() != "" {
		return nil, noTask(k, list, filter)
	}
	slices.SortFunc(list, ByTester)
	return list, nil
}

// noTask returns the error that a filter matches no task of sessions.
func noTask(k stores.Kept, list []study.Progress, filter benchmark.Filter) error {
	var all []*benchmark.Task
	for _, p := range list {
		events, err := k.Events(p.Session, 1)
		if err != nil {
			return err
		}
		s, _, err := session.Fold(events)
		if err != nil {
			return err
		}
		_, tasks, err := s.Matching(filter, k.Blob)
		if err != nil {
			return err
		}
		all = append(all, tasks...)
	}
	return filter.NoMatch("no task of the sessions", all)
}

// WatchedSession returns the progress of a session in the tasks that a filter matches, without results.
func WatchedSession(k stores.Kept, id string, filter benchmark.Filter) (study.Progress, error) {
	events, err := k.Events(id, 1)
	if err != nil {
		return study.Progress{}, err
	}
	p, err := study.Watch(events, k.Blob, filter)
	if err != nil {
		return p, fmt.Errorf("session %s: %w; see 'assay session verify %s'", id, err, id)
	}
	return p, nil
}

// ByTester orders sessions by tester and part.
func ByTester(a, b study.Progress) int {
	return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Tester, b.Tester), cmp.Compare(a.Part, b.Part), cmp.Compare(a.Session, b.Session))
}
