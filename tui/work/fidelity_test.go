package work

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

// Nothing of an answer is lost where the code in it is told apart, and nothing of a task's statement.
func TestNothingIsLost(t *testing.T) {
	markdowntest.Check(t, 500, func(t *rapid.T, source string) {
		width := rapid.SampledFrom([]int{32, 60, 110}).Draw(t, "width")
		theme := frame.NewTheme(true, true)
		task := &benchmark.Task{Title: "Title", Description: source, Language: "python"}
		for how, drawn := range map[string]string{
			"answer":    strings.Join(audit(source, task, markdown.LookOf(theme, width)).Rows(), "\n"),
			"statement": statement(task, width, theme),
		} {
			if err := markdowntest.Kept(frame.Clean(source), ansi.Strip(drawn)); err != nil {
				t.Fatalf("%s: %v", how, err)
			}
		}
	})
}
