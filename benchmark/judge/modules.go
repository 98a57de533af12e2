package judge

import (
	"fmt"
	"strings"
	"sync"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/verdicts"
	"assay/data/language"
)

// modules records which modules programs of each language find, by language, library and module.
type modules struct {
	mu    sync.Mutex // held while programs that import them run
	found map[[3]string]bool
}

// missingModules returns an error that names the modules that a task's own texts import, in a language other than
// Python, and programs in boxes do not find; or nil. Each is tried once.
func (j *Judge) missingModules(task *benchmark.Task) error {
	e := language.Find(task.Language)
	if e == nil {
		return nil
	}
	all := e.Imports.Of(ownTexts(task))
	if len(all) == 0 { // as of the program that tries modules
		return nil
	}
	key := func(module string) [3]string { return [3]string{task.Language, task.Library, module} }
	j.modules.mu.Lock()
	defer j.modules.mu.Unlock()
	var untried, missing []string
	for _, module := range all {
		if _, tried := j.modules.found[key(module)]; !tried {
			untried = append(untried, module)
		}
	}
	together := len(untried) > 0 && j.finds(task, e, untried...)
	if j.modules.found == nil {
		j.modules.found = map[[3]string]bool{}
	}
	for _, module := range untried {
		j.modules.found[key(module)] = together || j.finds(task, e, module)
	}
	for _, module := range all {
		if !j.modules.found[key(module)] {
			missing = append(missing, module)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("the task itself imports %s, which programs in %s do not find: install it where boxes see it, such as by the system's packages (%s)",
		strings.Join(missing, ", "), e.Title, e.Install)
}

// finds reports whether a program that imports modules runs, with the task's library.
func (j *Judge) finds(task *benchmark.Task, e *language.Entry, modules ...string) bool {
	trial := &benchmark.Task{ID: "imports", Language: task.Language, Library: task.Library, Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{}}}}
	r, err := j.Judge(j.ctx, verdicts.Submission{Task: trial, Code: e.Imports.Importing(modules), Assembly: assemble.Program})
	return err != nil || r.Verdict != verdicts.CompileError && r.Verdict != verdicts.RuntimeError
}
