package live

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/data/disk"
	"assay/tui/settings"
)

// load reads the benchmark of a file, which the form for a new session offers from then on, even after a
// restart.
func (l *Library) load(_ context.Context, path string) (*benchmark.Benchmark, error) {
	b, err := (&inputs.TaskLoader{}).Load(path)
	if err != nil {
		return nil, err
	}
	l.files.Lock()
	defer l.files.Unlock()
	for i, other := range l.benchmarks {
		if l.paths[other] == path { // reloaded: it may have changed
			l.benchmarks = slices.Delete(slices.Clone(l.benchmarks), i, i+1)
			delete(l.paths, other)
			break
		}
	}
	l.benchmarks = append([]*benchmark.Benchmark{b}, l.benchmarks...)
	if l.paths == nil {
		l.paths = map[*benchmark.Benchmark]string{}
	}
	l.paths[b] = path
	_ = l.recent.add(path) // remembering it is optional
	return b, nil
}

// recentFiles is a file with the paths of benchmarks, one on each line, the latest first.
type recentFiles struct{ path string }

// mostRecent is the number of paths remembered.
const mostRecent = 12

// recentBenchmarks is in the folder of the settings.
func recentBenchmarks(io *console.IO, g *console.Globals) recentFiles {
	return recentFiles{filepath.Join(filepath.Dir(settings.Path(g.Settings, io.Getenv)), "recent-benchmarks")}
}

// list returns the paths that still exist.
func (r recentFiles) list() []string {
	text, err := disk.ReadFile(r.path, disk.Settings)
	if err != nil {
		return nil // nothing has been remembered yet
	}
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(path string) bool {
		_, err := os.Stat(path)
		return path == "" || err != nil
	})
}

func (r recentFiles) add(path string) error {
	list := append([]string{path}, slices.DeleteFunc(r.list(), func(known string) bool { return known == path })...)
	text := strings.Join(list[:min(len(list), mostRecent)], "\n") + "\n"
	if err := disk.MkdirAll(filepath.Dir(r.path), 0o700); err != nil {
		return err
	}
	return disk.Replace(r.path, 0o600, disk.Bytes(text))
}
