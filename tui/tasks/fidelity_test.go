package tasks

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/data/markdowntest"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// Nothing of a task is lost in the browser: of its statement, be it a function or a repository, of its context levels,
// and of its reference solution.
func TestNothingIsLost(t *testing.T) {
	markdowntest.Check(t, 300, func(t *rapid.T, source string) {
		task := &benchmark.Task{ID: "t1", Title: "Title", Description: source, Language: "python", Reference: source, ContextLevels: []string{source}}
		look := markdown.LookOf(frame.NewTheme(true, true), rapid.SampledFrom([]int{32, 60, 110}).Draw(t, "width"))
		if rapid.Bool().Draw(t, "repository") {
			task.Repository = &benchmark.Repository{TestPatch: source}
		}
		for _, shown := range []tab{statementTab, testsTab, contextTab, referenceTab} {
			if shown == testsTab && task.Repository == nil {
				continue
			}
			drawn := strings.Join(detailKey{task, shown, look}.lines(), "\n")
			if err := markdowntest.Kept(frame.Clean(source), ansi.Strip(drawn)); err != nil {
				t.Fatalf("%s: %v", tabNames[shown], err)
			}
		}
	})
}
