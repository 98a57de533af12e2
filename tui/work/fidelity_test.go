package work

import (
	"regexp"
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

// A statement is drawn as in the browser of tasks, with its line breaks; its title is not repeated, and neither an
// arrow nor a name is broken.
func TestStatementIsRendered(t *testing.T) {
	task := &benchmark.Task{
		Title: "Count words", EntryPoint: "count_the_words_of_a_text",
		Signature:   benchmark.Signature{Parameters: []benchmark.Parameter{{Name: "text", Type: "str"}, {Name: "separator", Type: "str"}}, Returns: "dict[str, int]"},
		Description: "# Count words\n\nReturn how often **each** word occurs in `text`:\n- by `separator`,\n- sorted.\n\n>>> count('a')\n{'a': 1}\n\nUse 2**n <= len(vector<int>) and first->next.",
		Constraints: []string{"`text` has **no** digits"},
	}
	got := regexp.MustCompile(` +\n`).ReplaceAllString(ansi.Strip(statement(task, 40, frame.NewTheme(true, true))), "\n")
	const want = ` Count words

 Return how often each word occurs in
 text:

 • by separator,
 • sorted.

 >>> count('a')
 {'a': 1}

 Use 2**n <= len(vector<int>) and
 first->next.

 ▏ count_the_words_of_a_text(text:
 ▏ ↳ str, separator: str) -> dict[str,
 ▏ ↳  int]
 • text has no digits`
	if got != want {
		t.Errorf("the statement is\n%s\nwant\n%s", got, want)
	}
}
