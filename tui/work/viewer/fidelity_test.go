package viewer

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/data/markdowntest"
	"assay/session"
	"assay/tui/frame"
)

// Nothing of an answer is lost where the code in it is told apart, as testers and raters see it, rendered or verbatim,
// and nothing of a task's statement, be it a function, a program or a repository.
func TestNothingIsLost(t *testing.T) {
	m, _ := answered(t, "x")
	m.Theme = frame.NewTheme(true, true)
	markdowntest.Check(t, 500, func(t *rapid.T, source string) {
		width := rapid.SampledFrom([]int{32, 60, 110}).Draw(t, "width")
		size := frame.Size{Width: width, Height: rapid.SampledFrom([]int{24, 40}).Draw(t, "height")}
		kept := func(how, source, drawn string) {
			if err := markdowntest.Kept(frame.Clean(source), ansi.Strip(drawn)); err != nil {
				t.Fatalf("%s: %v", how, err)
			}
		}
		task := &benchmark.Task{Title: "Title", Description: source, Language: "python"}
		m.Theme.Verbatim = rapid.Bool().Draw(t, "verbatim")
		made, a := audit(source, m.Task(), m.WrittenLook(width)), *m.Attempt()
		a.Extracted = &session.CodeExtracted{Code: "code", Candidate: rapid.IntRange(0, len(made.parts)).Draw(t, "judged")}
		kept("answer", source, strings.Join(m.AnswerRows(&a, source, width), "\n"))
		kept("statement", source, Statement(task, size, m.Theme))
		task.Constraints, task.Examples, task.Description = []string{source}, []benchmark.Example{{Input: source, Output: source, Explanation: source}}, "About"
		kept("constraint and example", source+source, Statement(task, size, m.Theme))
		repository := &benchmark.Task{Title: "Title", Description: source, Repository: &benchmark.Repository{}}
		kept("repository", source, Statement(repository, size, m.Theme))
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
	got := regexp.MustCompile(` +\n`).ReplaceAllString(ansi.Strip(Statement(task, frame.Size{Width: 40, Height: 24}, frame.NewTheme(true, true))), "\n")
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
