package judge

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"assay/benchmark"
	"assay/data/language"
)

// Installed reports whether the programs of one language can run on this machine.
type Installed struct {
	Name    string // as tasks give it
	Title   string // as people write it
	Found   string // the version, and the path of the program that reported it
	Install string // how to install it
	Err     error  // why programs cannot be run, or nil
}

// IsolatedStyles lists the styles of tests that can judge programs in a language, and whose verdicts these cannot
// forge.
func IsolatedStyles(name string) (list []benchmark.Style) {
	for _, style := range benchmark.Styles {
		task := benchmark.Task{ID: "style", Language: name, Tests: benchmark.Tests{Style: style}}
		if style != benchmark.Script && !style.Predicts() && Known(&task) == nil {
			list = append(list, style)
		}
	}
	return list
}

// Languages looks for the programs of every language, sorted by title. python is the interpreter,
// as in Options; "" finds one.
func Languages(ctx context.Context, python string) []Installed {
	py, noPython := findPython(ctx, python)
	var list []Installed
	var mu sync.Mutex
	var each sync.WaitGroup
	for _, name := range language.Names() {
		each.Go(func() {
			e := language.Find(name)
			found := Installed{Name: name, Title: e.Title, Install: e.Install}
			tool, err := locate(ctx, e, py, noPython)
			if err != nil {
				found.Err = err
			} else {
				found.Found = tool.String()
			}
			mu.Lock()
			defer mu.Unlock()
			list = append(list, found)
		})
	}
	each.Wait()
	slices.SortFunc(list, func(a, b Installed) int { return cmp.Compare(a.Title, b.Title) })
	return list
}
