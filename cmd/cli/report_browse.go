package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"assay/benchmark/judge"
	"assay/benchmark/outputs"
	"assay/session"
	"assay/session/engine"
	"assay/session/report/sessions"
	"assay/store"
	"assay/tui/desktop"
	"assay/tui/frame"
	"assay/tui/picture"
	"assay/tui/results"
	"assay/tui/work"
)

// archive is what a store or its snapshot keeps, for the screens that look at it.
// Reports and files are written below dir.
type archive struct {
	kept   kept
	dir    string
	getenv func(string) string
	wish   string // how pictures are to be drawn
}

// browser is what the browser of results works with.
func (a archive) browser() results.Options {
	return results.Options{Library: a, Work: work.Options{SaveOutputs: a.saveOutputs,
		Desktop: desktop.Find(a.getenv), Pictures: picture.Detect(a.getenv, a.wish)}}
}

// Sessions lists what there is, the latest first, from the index alone.
func (a archive) Sessions(context.Context) ([]results.Session, error) {
	rows, err := a.kept.Sessions()
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, latestFirst)
	list := make([]results.Session, len(rows))
	for i, r := range rows {
		list[i] = results.Session{
			ID: r.ID, Status: shownStatus(r), Name: r.Name, Benchmark: r.Benchmark, Model: r.Model, Scenario: r.Scenario, Sets: r.Sets, Tester: r.Tester,
			Progress: r.Progress, Begun: time.UnixMilli(r.OpenedAt), Last: time.UnixMilli(r.LastAt), Worked: time.Duration(r.WorkedMS) * time.Millisecond,
			Events: r.LastSeq, Imported: r.Imported, Automatic: r.Automatic, Study: r.Study != nil,
		}
	}
	return list, nil
}

func latestFirst(a, b store.Summary) int { return cmp.Compare(b.LastAt, a.LastAt) }

// shownStatus is where a session stands; one that is paused is open.
func shownStatus(r store.Summary) string {
	if r.Status == store.StatusPaused {
		return string(store.StatusOpen)
	}
	return string(r.Status)
}

// Open reads a session whole.
func (a archive) Open(_ context.Context, id string) (results.Opened, error) {
	events, err := a.kept.Events(id, 1)
	if err != nil {
		return results.Opened{}, err
	}
	state, intervals, err := session.Fold(events)
	if err == nil {
		b := sessions.NewBuilder(sessions.Options{Blind: true})
		var r *sessions.Report
		if err = b.Add(events); err == nil {
			r, err = b.Report()
		}
		if err == nil {
			return results.Opened{State: state, Times: session.TimesOf(state, intervals), Report: r, Source: engine.NewRecord(a.kept, state.Plan)}, nil
		}
	}
	return results.Opened{}, fmt.Errorf("session %s cannot be read: %w; see 'assay session verify %[1]s'", id, err)
}

// WriteReport writes the report of a session, beside the store, and returns where it
// lies.
func (a archive) WriteReport(_ context.Context, id string) (string, error) {
	r, err := buildReport(a.kept, []string{id}, reportFlags{blind: true})
	if err != nil {
		return "", err
	}
	files, err := r.WriteDir(filepath.Join(a.dir, "reports", id))
	if err != nil {
		return "", err
	}
	return files[0], nil
}

// saveOutputs writes files that a program left, for the tester to open, beside the
// store.
func (a archive) saveOutputs(_ context.Context, id, task string, attempt int, files []judge.OutputFile) (string, error) {
	sub := outputs.SafeName(id) + "/" + outputs.SafeName(task) + "-" + strconv.Itoa(attempt)
	return outputs.Write(filepath.Join(a.dir, "outputs"), sub, files)
}

// browseResults shows the sessions, or the one that is given, on the screen.
func browseResults(ctx context.Context, io *IO, g *globals, args []string) error {
	if len(args) > 1 {
		return usagef("assay report --browse takes one session at most: an id, the beginning of one, or \"last\"")
	}
	if !io.Terminal {
		return usagef("assay report --browse needs a terminal; without --browse the report is printed")
	}
	k, err := openKept(io, g)
	if err != nil {
		return err
	}
	set, err := loadSettings(io, g)
	if err != nil {
		return errors.Join(err, k.Close())
	}
	opts := archive{k, filepath.Dir(storePath(io, g)), io.Getenv, set.Pictures}.browser()
	var first frame.Screen = results.New(opts)
	if len(args) == 1 {
		id, err := sessionID(k, args[0])
		if err != nil {
			return errors.Join(err, k.Close())
		}
		first = results.NewScreen(opts, id)
	}
	return errors.Join(runScreen(ctx, io, g, first), k.Close())
}
