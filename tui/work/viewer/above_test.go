package viewer

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"assay/benchmark/extract"
	"assay/session"
	"assay/tui/frame"
)

// The answer before stands above the editor as in the review, rendered or verbatim.
func TestTheAnswerAboveIsRendered(t *testing.T) {
	m, _ := answered(t, "# Head\n\nIt is **bold**:\n\n```python\ndef double(n):\n    return 2 * n\n```\n")
	m.Theme = frame.NewTheme(true, true)
	for verbatim, want := range map[bool]string{
		false: " Head\n\n It is bold:\n\n ▌ judged: this code is run\n ▌ python\n ▌ def double(n):\n ▌     return 2 * n",
		true:  "     1 ┊ # Head\n     2 ┊\n     3 ┊ It is **bold**:\n     4 ┊\n     5 ┊ ```python\n ▌ judged: this code is run\n ▌   6 ┊ def double(n):\n ▌   7 ┊     return 2 * n\n     8 ┊ ```",
	} {
		m.Theme.Verbatim = verbatim
		a := *m.Attempt()
		a.Extracted = &session.CodeExtracted{Code: "code", Candidate: 1, Note: extract.OnlyBlock}
		if got := ansi.Strip(strings.Join(m.AnswerRows(&a, m.Text(a.Answer.Answer), 60), "\n")); got != want {
			t.Errorf("verbatim %v:\n%s\nwant\n%s", verbatim, got, want)
		}
	}
}
