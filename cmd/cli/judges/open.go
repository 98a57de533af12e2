package judges

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"assay/benchmark"
	"assay/benchmark/fleet"
	"assay/benchmark/judge"
	"assay/benchmark/repository"
	"assay/cmd/cli/console"
	"assay/data"
	"assay/data/language"
	"assay/tui/frame"

	"github.com/adrg/xdg"
)

// SayNotJudged reports, before a run starts, which tasks cannot be judged, once for each reason: a missing
// interpreter is better known before than after. Repositories are not prepared for that.
func SayNotJudged(ctx context.Context, out io.Writer, j *judge.Judge, tasks []*benchmark.Task) {
	count, order := map[string]int{}, []string{}
	for _, task := range tasks {
		if !task.HasTests() {
			continue
		}
		err := within(ctx, func() error { return j.Lacks(task) })
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			if count[err.Error()] == 0 {
				order = append(order, err.Error())
			}
			count[err.Error()]++
		}
	}
	for _, reason := range order {
		fmt.Fprintf(out, "%d of %s cannot be judged here: %s\n", count[reason], frame.Count(len(tasks), "task"), reason)
	}
}

// MissingTools returns the error for samples that were not judged because a tool is missing, or a task does not
// hold here; nil if there are none.
func MissingTools(samples int) error {
	if samples == 0 {
		return nil
	}
	return console.WithCode(console.ExitPartial, fmt.Errorf("%s not judged, and the results say why: "+
		"mend that, then run the same command again", console.Counted(samples, "sample was", "samples were")))
}

// OpenHere opens a judge with the box that this machine and the consent allow.
func OpenHere(ctx context.Context, io *console.IO, o *Options, tasks []benchmark.Task) (*judge.Judge, func(), error) {
	x, err := NewExecution(o.Isolation, io.Getenv)
	if err != nil {
		return nil, nil, err
	}
	box, err := x.MakeBox(ctx)
	if err != nil {
		return nil, nil, err
	}
	j, err := judge.New(judge.Options{Box: box, Workers: o.Workers, Python: o.Python, Tasks: tasks, Repositories: x.Repositories})
	if err != nil {
		box.Close()
		return nil, nil, err
	}
	return j, func() { j.Close(); box.Close() }, nil
}

// repositories returns what judging repository tasks takes: the bundled table of environments after the user's
// own, environments.toml beside the other settings, and the directory of repositories, ASSAY_REPOSITORIES.
func repositories(getenv func(string) string) (judge.Repositories, error) {
	own := filepath.Join(xdg.ConfigHome, "assay", "environments.toml")
	if _, err := os.Stat(own); err != nil {
		own = ""
	}
	table, err := repository.LoadTable(data.Environments(), own)
	if err != nil {
		return judge.Repositories{}, err
	}
	bundled, err := data.Benchmark("repositories")
	return judge.Repositories{Table: table, Dir: getenv("ASSAY_REPOSITORIES"), Bundled: bundled}, err
}

// WorkerCard describes what this machine can judge, without libraries.
func WorkerCard(ctx context.Context, j *judge.Judge, kind, python string) (fleet.Card, error) {
	card := fleet.Card{Version: console.Version(), Isolation: kind, Languages: map[string]string{}, Libraries: map[string]string{}, Enforcement: j.Enforcement()}
	found := map[string]string{}
	for _, l := range judge.Languages(ctx, python) {
		found[l.Name] = l.Found
	}
	for _, name := range language.Names() {
		task := benchmark.Task{Language: name, Tests: benchmark.Tests{Style: benchmark.Stdin}}
		if within(ctx, func() error { return j.Ready(&task) }) == nil {
			card.Languages[language.ID(name)] = cmp.Or(found[name], "in the container")
		}
	}
	if ctx.Err() != nil {
		return card, ctx.Err()
	}
	if len(card.Languages) == 0 {
		return card, fmt.Errorf("no language can be run here: see 'assay doctor'")
	}
	return card, nil
}

// within calls what may take long, as to compile Go's library the first time, and is interrupted when ctx ends.
func within(ctx context.Context, call func() error) error {
	why := make(chan error, 1)
	go func() { why <- call() }()
	select {
	case err := <-why:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
