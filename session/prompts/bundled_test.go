package prompts

import (
	"os"
	"path/filepath"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
)

// People wrote the context levels of the bundled tasks, in eight languages, level 2 without names from the
// code: the only findings are a few prompts of level 3 without a name to mention.
func TestBundledLevelsAreNotDoubted(t *testing.T) {
	levels, nameless := 0, 0
	for _, name := range []string{"starter", "core-python", "core-r", "polyglot", "repositories"} {
		b, err := benchmark.LoadFolder(os.DirFS(filepath.Join("..", "..", "data", name)), name)
		fatal.If(t, err)
		for i := range b.Tasks {
			task := &b.Tasks[i]
			list, checker := Context(task), NewChecker(task)
			for i := range list {
				list[i].Text = task.ContextLevels[i]
			}
			for _, p := range list {
				levels++
				for _, f := range checker.Check(p, list) {
					if f.Kind == NamesNothing {
						nameless++
					} else {
						t.Errorf("%s %s: %s", task.ID, p.Name, f)
					}
				}
			}
		}
	}
	if levels < 500 || nameless > 5 {
		t.Errorf("%d levels, %d of level 3 name nothing", levels, nameless)
	}
}
