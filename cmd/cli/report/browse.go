package report

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"assay/benchmark"
	"assay/benchmark/outputs"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/stores"
	"assay/cmd/cli/terminal"
	"assay/session"
	"assay/session/engine"
	"assay/session/report/sessions"
	"assay/tui/desktop"
	"assay/tui/frame"
	"assay/tui/picture"
	"assay/tui/results"
	"assay/tui/work/viewer"
)

// Archive reads a store or its snapshot for the screens of results. Reports and files are written
// below dir.
type Archive struct {
	Kept   stores.Kept
	Dir    string
	Getenv func(string) string
	Wish   string           // setting for how pictures are drawn
	Filter benchmark.Filter // chooses the tasks of sessions that are opened
}

// Browser returns the inputs of the browser of results.
func (a Archive) Browser() results.Options {
	return results.Options{Library: a, Filter: a.Filter.String(), Work: viewer.Options{SaveOutputs: a.SaveOutputs,
		Desktop: desktop.Find(a.Getenv), Pictures: picture.Detect(a.Getenv, a.Wish)}}
}

// Sessions lists the sessions, the latest first, from the index alone.
func (a Archive) Sessions(context.Context) ([]session.Summary, error) {
	rows, err := a.Kept.Sessions()
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, stores.LatestFirst)
	return rows, nil
}

// Filtered implements results.Library.
func (a Archive) Filtered(filter benchmark.Filter) results.Library {
	a.Filter = filter
	return a
}

// Tasks returns the tasks of a session with their texts.
func (a Archive) Tasks(_ context.Context, id string) (*benchmark.Benchmark, error) {
	events, err := a.Kept.Events(id, 1)
	if err != nil {
		return nil, err
	}
	state, err := session.Replay(events)
	if err != nil {
		return nil, err
	}
	tasks, err := state.StoredTasks(a.Kept.Blob)
	b := &benchmark.Benchmark{Name: state.Plan.Benchmark}
	for _, t := range tasks {
		b.Tasks = append(b.Tasks, *t)
	}
	return b, err
}

// Open reads a whole session.
func (a Archive) Open(_ context.Context, id string) (results.Opened, error) {
	events, err := a.Kept.Events(id, 1)
	if err != nil {
		return results.Opened{}, err
	}
	state, intervals, err := session.Fold(events)
	if err == nil {
		o := sessions.Options{Blind: true, Filter: a.Filter}
		if a.Filter.String() != "" {
			o.Texts = a.Kept.Blob
		}
		b := sessions.NewBuilder(o)
		var r *sessions.Report
		if err = b.Add(events); err == nil {
			r, err = b.Report()
		}
		var matches []bool
		if err == nil {
			matches, _, err = state.Matching(a.Filter, a.Kept.Blob)
		}
		if err == nil {
			return results.Opened{State: state, Matches: matches, Times: session.TimesOf(state, intervals), Report: r, Source: engine.NewRecord(a.Kept, state.Plan)}, nil
		}
	}
	return results.Opened{}, fmt.Errorf("session %s cannot be read: %w; see 'assay session verify %[1]s'", id, err)
}

// WriteReport writes the report of a session beside the store, and returns its path.
func (a Archive) WriteReport(_ context.Context, id string) (string, error) {
	r, err := build(a.Kept, []string{id}, Flags{Blind: true}, a.Filter)
	if err != nil {
		return "", err
	}
	files, err := r.WriteDir(filepath.Join(a.Dir, "reports", id))
	if err != nil {
		return "", err
	}
	return files[0], nil
}

// SaveOutputs writes files of a program beside the store, for the tester to open.
func (a Archive) SaveOutputs(_ context.Context, id, task string, attempt int, files []verdicts.OutputFile) (string, error) {
	sub := outputs.SafeName(id) + "/" + outputs.SafeName(task) + "-" + strconv.Itoa(attempt)
	return outputs.Write(filepath.Join(a.Dir, "outputs"), sub, files)
}

// browseResults shows the sessions, or the given one, on the screen.
func browseResults(ctx context.Context, io *console.IO, g *console.Globals, args []string, f Flags) error {
	if flag := f.results.only(); flag != "" {
		return console.Usagef("%s is for results of 'assay eval', and --browse shows sessions", flag)
	}
	filter, err := f.results.choose.Filter()
	if err != nil {
		return err
	}
	if len(args) > 1 {
		return console.Usagef("assay report --browse takes one session at most: an id, the beginning of one, or \"last\"")
	}
	if !io.Terminal {
		return console.Usagef("assay report --browse needs a terminal; without --browse the report is printed")
	}
	k, err := stores.OpenKept(io, g)
	if err != nil {
		return err
	}
	set, err := terminal.Settings(io, g)
	if err != nil {
		return errors.Join(err, k.Close())
	}
	opts := Archive{k, filepath.Dir(stores.Path(io, g)), io.Getenv, set.Pictures, filter}.Browser()
	var first frame.Screen = results.New(opts)
	if len(args) == 1 {
		id, err := stores.SessionID(k, args[0])
		if err != nil {
			return errors.Join(err, k.Close())
		}
		first = results.NewScreen(opts, id)
	}
	return errors.Join(terminal.Run(ctx, io, g, first), k.Close())
}
