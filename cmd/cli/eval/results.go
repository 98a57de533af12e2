package eval

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
)

// NamedResults is an argument that refers to the results of an evaluation.
type NamedResults struct{ Name, Path string }

// ResultsIn finds the arguments that are results: NAME=DIRECTORY or a directory. Either all are or none,
// since sessions and results have separate reports.
func ResultsIn(args []string) ([]NamedResults, error) {
	var all []NamedResults
	session := ""
	for _, arg := range args {
		name, path, hasName := strings.Cut(arg, "=")
		switch _, err := os.Stat(arg); {
		case arg == "last" || arg == "all": // a directory of that name is ./last
			session = arg
			continue
		case err == nil:
			name, path = "", arg
		case !hasName && !strings.ContainsRune(arg, filepath.Separator):
			session = arg
			continue
		case !hasName:
			path = arg
		}
		if _, err := os.Stat(path); err != nil {
			return nil, console.Usagef("there is no directory %q of results; 'assay eval SAMPLES --tasks FILE --out DIRECTORY' makes one", path)
		}
		if name == "" {
			whole, err := filepath.Abs(path)
			if err != nil {
				return nil, err
			}
			name = filepath.Base(whole)
		}
		all = append(all, NamedResults{name, path})
	}
	if len(all) > 0 && session != "" {
		return nil, console.Usagef("%q is a directory of results, but %q would be a session: report sessions and results separately", all[0].Path, session)
	}
	return all, nil
}

// ReaderOf returns what reads results: those of all tasks, or of the tasks that flags choose, which need the
// file of tasks.
func ReaderOf(choose *inputs.Chooser, tasks *benchmark.Benchmark) (func(path string) ([]batch.Row, error), error) {
	filter, err := choose.Filter()
	switch {
	case err != nil:
		return nil, err
	case !choose.IsSet():
		return batch.ReadResults, nil
	case tasks == nil:
		return nil, console.Usagef("%s needs the task fields: give --tasks FILE", choose.Flag())
	}
	return func(path string) ([]batch.Row, error) {
		rows, err := batch.ReadResults(path)
		if err != nil {
			return nil, err
		}
		return batch.Choose(rows, tasks, filter)
	}, nil
}

// AnyUnreviewed reports whether any results belong to prompts that nobody reviewed.
func AnyUnreviewed(rows []batch.Row) bool {
	return slices.ContainsFunc(rows, func(r batch.Row) bool { return r.Unreviewed })
}

// SayUnreviewed prints a note about such results.
func SayUnreviewed(io *console.IO, name string, rows []batch.Row) {
	if AnyUnreviewed(rows) {
		console.SayNotes(io, []string{name + " answers prompts that a model wrote, and that nobody has reviewed"})
	}
}
