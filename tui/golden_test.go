package tui_test

import (
	"flag"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/tools/txtar"

	"assay/data/fatal"
	"assay/session"
	"assay/session/llm"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/results"
	"assay/tui/tasks"
	"assay/tui/tuitest"
)

var update = flag.Bool("update", false, "write the golden screens anew")

// goldenScreen is a screen, and how to get there.
type goldenScreen struct {
	name  string
	reach func(t *testing.T) *tuitest.Driver
}

// screens are all screens of the program, each with how to get there.
var screens = append([]goldenScreen{
	{"home-empty", func(t *testing.T) *tuitest.Driver {
		return tuitest.Drive(t, home.New(&tuitest.Shelf{}, tuitest.Noon), 80, 24).Sees("0 sessions")
	}},
	{"home", func(t *testing.T) *tuitest.Driver {
		return tuitest.Drive(t, home.New(tuitest.FullShelf(t), tuitest.Noon), 80, 24).Sees("Continue")
	}},
	{"models", func(t *testing.T) *tuitest.Driver {
		return tuitest.Drive(t, home.New(&tuitest.Shelf{}, tuitest.Noon), 80, 24).Press("m").Sees("Models", "2 of 3 configured")
	}},
	{"models-checked", func(t *testing.T) *tuitest.Driver {
		return tuitest.Drive(t, home.New(&tuitest.Shelf{}, tuitest.Noon), 80, 24).Press("m").Sees("2 of 3").Press("down", "enter").Sees("may charge").Press("y").Sees("✓ qwen")
	}},
	{"setup", func(t *testing.T) *tuitest.Driver {
		return tuitest.Drive(t, home.New(&tuitest.Shelf{}, tuitest.Noon), 80, 24).Press("n").Sees("New session", "qwen")
	}},
	{"setup-not-ready", func(t *testing.T) *tuitest.Driver {
		d := tuitest.Drive(t, home.New(&tuitest.Shelf{}, tuitest.Noon), 80, 24).Press("n").Sees("qwen")
		return d.Press("down", "down", "down", "down", "down", "right").Sees("Not yet")
	}},
	{"setup-filter", func(t *testing.T) *tuitest.Driver {
		d := tuitest.Drive(t, home.New(&tuitest.Shelf{}, tuitest.Noon), 80, 24).Press("n").Sees("qwen")
		return d.Press("down", "difficulty:hard ty").Sees("the kind of code").Press("tab", "enter").Sees("numerical")
	}},
	{"setup-stratify", func(t *testing.T) *tuitest.Driver {
		d := tuitest.Drive(t, home.New(&tuitest.Shelf{}, tuitest.Noon), 80, 24).Press("n").Sees("qwen")
		return d.Press("down", "down", "down", "down", "topics").Sees("cannot be stratified")
	}},
	{"tasks", func(t *testing.T) *tuitest.Driver { return tuitest.Browse(t, 80, 24).Press("down", "down") }},
	{"tasks-menu", func(t *testing.T) *tuitest.Driver {
		return tuitest.Browse(t, 80, 24).Press("/", "-type:").Sees("structural", "12").Press("tab")
	}},
	{"tasks-error", func(t *testing.T) *tuitest.Driver {
		return tuitest.Browse(t, 80, 24).Press("/", "-colour:red").Sees("no field")
	}},
	{"tasks-none", func(t *testing.T) *tuitest.Driver {
		return tuitest.Browse(t, 80, 24).Press("/", "zzz", "enter").Sees("No task matches")
	}},
	{"tasks-statement", func(t *testing.T) *tuitest.Driver { return tuitest.Browse(t, 80, 24).Press("enter").Sees("connected") }},
	{"tasks-tests", func(t *testing.T) *tuitest.Driver { return tuitest.Browse(t, 80, 24).Press("2").Sees("another") }},
	{"tasks-metadata", func(t *testing.T) *tuitest.Driver { return tuitest.Browse(t, 80, 24).Press("3").Sees("volume 1") }},
	{"tasks-context", func(t *testing.T) *tuitest.Driver { return tuitest.Browse(t, 80, 24).Press("4").Sees("depth first") }},
	{"tasks-reference", func(t *testing.T) *tuitest.Driver { return tuitest.Browse(t, 80, 24).Press("r").Sees("[start]") }},
	{"tasks-reference-hidden", func(t *testing.T) *tuitest.Driver { return tuitest.Browse(t, 80, 24).Press("5").Sees("r shows") }},
	{"tasks-statistics", func(t *testing.T) *tuitest.Driver { return tuitest.Browse(t, 80, 24).Press("s").Sees("total") }},
	{"tasks-statistics-source", func(t *testing.T) *tuitest.Driver {
		return tuitest.Browse(t, 80, 24).Press("s", "right").Sees("volume 3")
	}},
	{"tasks-save", func(t *testing.T) *tuitest.Driver {
		return tuitest.Browse(t, 80, 24).Press("/", "type:numerical", "enter").Sees("11 of 45").Press("w", "sums").Sees("enter saves")
	}},
	{"tasks-load", func(t *testing.T) *tuitest.Driver {
		return tuitest.Browse(t, 80, 24, func(o *tasks.Options) {
			o.SavedFilters = &tuitest.Kept{Saved: map[string]string{"sums": "type:numerical", "plots of 2023": "type:visualization published:2023"}}
		}).Press("l").Sees("▸ plots").Press("down").Sees("▸ sums")
	}},
	{"tasks-help", func(t *testing.T) *tuitest.Driver { return tuitest.Browse(t, 80, 24).Press("?").Sees("type to narrow") }},
	{"ready", func(t *testing.T) *tuitest.Driver { d, _ := tuitest.Begin(t, 3); return d }},
	{"ready-practice", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Begin(t, 1, func(c *session.Choice) { c.Practice, c.Model.Recorded = true, true })
		return d.Sees("practice, not counted")
	}},
	{"compose", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Begin(t, 3)
		return d.Press("enter").Sees("your prompt").Press("Write it.").Sees("Write it.")
	}},
	{"compose-insert", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Begin(t, 3)
		return d.Press("enter").Sees("your prompt").Press("ctrl+t").Sees("Insert at the cursor")
	}},
	{"compose-again", func(t *testing.T) *tuitest.Driver {
		d, rig := tuitest.Begin(t, 3)
		rig.Client.Say(tuitest.WrongAnswer)
		return d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("tests ✗").Press("r").Sees("your next message").Press("tab", "tab").Sees("expected  4")
	}},
	{"compose-selected", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Begin(t, 3)
		return d.Press("enter").Sees("your prompt").Press("Write it.", "enter", "Be brief.", "ctrl+space", "up", "home").Sees("2 lines selected")
	}},
	{"compose-above", func(t *testing.T) *tuitest.Driver {
		d, rig := tuitest.Begin(t, 3)
		rig.Client.Say(tuitest.WrongAnswer + strings.Repeat("\nAnd more.\n", 30))
		d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("tests ✗").Press("r").Sees("your next message")
		return d.Press("tab", "f5", "f5").Sees("And more.")
	}},
	{"compose-prompts", func(t *testing.T) *tuitest.Driver {
		d, rig := tuitest.Refined(t)
		for _, prompt := range []string{"Return twice the number.", "Twice, not the number itself:\nwhat is given, plus what is given."} {
			rig.Client.Say(tuitest.WrongAnswer)
			d.Send(tea.PasteMsg{Content: prompt})
			d.Press("ctrl+s").Sees("tests ✗ 2/3").Press("r").Sees("your next message")
		}
		return d.Press("f7", "down").Sees("Prompts sent before: 2 of 3", "Return twice")
	}},
	{"compose-difference", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Refined(t, func(c *session.Choice) { c.Context = session.Fresh })
		return d.Press("f8", "backspace", " and well.", "home", "delete", "delete", "delete", "delete", "delete", "delete", "Triple").Sees("[-Double-]{+Triple+} it, quickly{+ and well+}.")
	}},
	{"compose-help", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Begin(t, 3)
		return d.Press("enter").Sees("your prompt").Press("f1").Sees("type to narrow")
	}},
	{"compose-failed", func(t *testing.T) *tuitest.Driver {
		d, rig := tuitest.Begin(t, 3)
		rig.Client.Fail(&llm.Error{Class: llm.Unreachable, Message: "localhost:11434 refused the connection", Advice: "is the model server running?"})
		return d.Press("enter").Sees("your prompt").Press("Write it.", "ctrl+s").Sees("refused the connection")
	}},
	{"wait", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Begin(t, 3)
		return d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("waiting for the first words")
	}},
	{"paste", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Begin(t, 3, func(c *session.Choice) { c.Model = session.Model{Name: "paste", Provider: "paste"} })
		return d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("paste its answer here")
	}},
	{"review-answer", func(t *testing.T) *tuitest.Driver { return tuitest.Reviewing(t, tuitest.RightAnswer) }},
	{"review-tests", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.WrongAnswer).Press("2").Sees("expected  4")
	}},
	{"review-changes", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.RightAnswer).Press("3").Sees("the first attempt")
	}},
	{"review-prompt", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.RightAnswer).Press("5").Sees("9 characters")
	}},
	{"review-outputs", func(t *testing.T) *tuitest.Driver {
		d := tuitest.Reviewing(t, tuitest.PlottingAnswer).Press("2").Sees("1-3    passed")
		return d.Press("end").Sees("files of the program", "PNG 640×480", "o saves them")
	}},
	{"review-measures", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.RightAnswer).Press("4").Sees("cyclomatic")
	}},
	{"review-task", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.RightAnswer).Press("6").Sees("twice the number")
	}},
	{"review-reference", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.WrongAnswer).Press("7").Sees("return 2 * n")
	}},
	{"review-note", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.RightAnswer).Press("f12", "terse").Sees("Your note", "terse")
	}},
	{"compose-take-back", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.WrongAnswer).Press("r").Sees("your next message").Press("Once more", "f6").Sees("Take the judgement back?")
	}},
	{"rating", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.RightAnswer).Press("y").Sees("9 to go").Press("4", "5").Sees("7 to go")
	}},
	{"rating-unsatisfied", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.WrongAnswer).Press("g").Sees("What the model got wrong")
	}},
	{"rating-complete", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.RightAnswer).Press("y").Sees("9 to go").Press("4", "5", "3", "4", "4", "4", "5", "2", "n").Sees("enter commits")
	}},
	{"rating-answer", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.RightAnswer).Press("y").Sees("9 to go").Press("v").Sees("back to the rating")
	}},
	{"pause", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Begin(t, 3)
		return d.Press("enter").Sees("your prompt").Press("f2").Sees("‖ Paused")
	}},
	{"break", func(t *testing.T) *tuitest.Driver { d, _ := tuitest.Begin(t, 3); return d.Press("b").Sees("‖ Break") }},
	{"summary", func(t *testing.T) *tuitest.Driver {
		d, rig := tuitest.Begin(t, 1)
		rig.Client.Say(tuitest.RightAnswer)
		d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("tests ✓").Press("y").Sees("9 to go")
		return d.Press("4", "5", "3", "4", "4", "4", "5", "2", "y", "enter").Sees("Session finished", "reports/one.md")
	}},
	{"summary-success", func(t *testing.T) *tuitest.Driver {
		d, rig := tuitest.Begin(t, 1)
		rig.Client.Say(tuitest.RightAnswer)
		d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("tests ✓").Press("y").Sees("9 to go")
		return d.Press("4", "5", "3", "4", "4", "4", "5", "2", "y", "enter").Sees("Session finished", "reports/one.md").Press("3").Sees("Success by attempt")
	}},
	{"results-empty", func(t *testing.T) *tuitest.Driver {
		return tuitest.LookAt(t, &tuitest.Archive{}, 80, 24).Sees("no sessions yet")
	}},
	{"results", func(t *testing.T) *tuitest.Driver { return tuitest.LookAt(t, tuitest.Study(), 80, 24).Press("down") }},
	{"results-find", func(t *testing.T) *tuitest.Driver {
		return tuitest.LookAt(t, tuitest.Study(), 80, 24).Press("/", "finished -ann").Sees("2 of 5 sessions")
	}},
	{"results-help", func(t *testing.T) *tuitest.Driver {
		return tuitest.LookAt(t, tuitest.Study(), 80, 24).Press("enter").Sees("Session finished").Press("2", "?").Sees("type to narrow")
	}},
	{"results-numbers", func(t *testing.T) *tuitest.Driver {
		return tuitest.LookAt(t, tuitest.Study(), 80, 24).Press("enter").Sees("Session finished")
	}},
	{"results-attempts", func(t *testing.T) *tuitest.Driver {
		return tuitest.LookAt(t, tuitest.Study(), 80, 24).Press("enter").Sees("Session finished").Press("2").Sees("by the attempt")
	}},
	{"results-success", func(t *testing.T) *tuitest.Driver {
		return tuitest.LookAt(t, tuitest.Study(), 80, 24).Press("enter").Sees("Session finished").Press("3").Sees("at risk")
	}},
	{"results-time", func(t *testing.T) *tuitest.Driver {
		return tuitest.LookAt(t, tuitest.Study(), 80, 24).Press("enter").Sees("Session finished").Press("4").Sees("median")
	}},
	{"results-ecdf", func(t *testing.T) *tuitest.Driver {
		return tuitest.LookAt(t, tuitest.Study(), 80, 24).Press("enter").Sees("Session finished").Press("5").Sees("share of tasks")
	}},
	{"results-ratings", func(t *testing.T) *tuitest.Driver {
		return tuitest.LookAt(t, tuitest.Study(), 80, 24).Press("enter").Sees("Session finished").Press("6").Sees("favourable")
	}},
	{"results-types", func(t *testing.T) *tuitest.Driver {
		return tuitest.LookAt(t, whole(), 80, 24).Press("enter").Sees("Session finished").Press("7").Sees("structural")
	}},
	{"results-words", func(t *testing.T) *tuitest.Driver {
		return tuitest.LookAt(t, tuitest.Study(), 80, 24).Press("enter").Sees("Session finished").Press("3", "d", "d").Sees("Kaplan-Meier")
	}},
	{"results-ascii", func(t *testing.T) *tuitest.Driver {
		return tuitest.LookAt(t, tuitest.Study(), 80, 24).Press("enter").Sees("Session finished").Press("3", "d").Sees("x: followed", "+--")
	}},
	{"results-tasks", func(t *testing.T) *tuitest.Driver { return tuitest.OpenTasks(t, "S1").Press("down", "down") }},
	{"results-tasks-find", func(t *testing.T) *tuitest.Driver {
		return tuitest.OpenTasks(t, "S1").Press("/", "hard -1").Sees("of 9 tasks")
	}},
	{"results-task", func(t *testing.T) *tuitest.Driver {
		return tuitest.OpenTasks(t, "S1").Press("down", "enter").Sees("judged")
	}},
	{"results-task-many", func(t *testing.T) *tuitest.Driver {
		return tuitest.OpenTasks(t, "S1").Press("/", "exhausted", "enter", "enter").Sees("not satisfied after all 5")
	}},
	{"results-task-skipped", func(t *testing.T) *tuitest.Driver {
		return tuitest.OpenTasks(t, "S1").Press("/", "out", "enter", "enter").Sees("by the tester")
	}},
	{"results-attempt", func(t *testing.T) *tuitest.Driver { return openAttempt(t) }},
	{"results-attempt-changes", func(t *testing.T) *tuitest.Driver { return openAttempt(t).Press("3").Sees("attempt 2 → attempt 3") }},
	{"results-attempt-result", func(t *testing.T) *tuitest.Driver { return openAttempt(t).Press("8").Sees("writing") }},
	{"results-open", func(t *testing.T) *tuitest.Driver {
		return tuitest.OpenTasks(t, "S2").Press("down", "enter").Sees("… open")
	}},
	{"results-given-up", func(t *testing.T) *tuitest.Driver {
		return tuitest.Drive(t, results.NewScreen(results.Options{Library: tuitest.Study()}, "S3"), 80, 24).Sees("given up")
	}},
	{"results-imported", func(t *testing.T) *tuitest.Driver {
		return tuitest.OpenTasks(t, "S4").Press("enter").Sees("without prompts")
	}},
	{"results-imported-attempt", func(t *testing.T) *tuitest.Driver {
		return tuitest.OpenTasks(t, "S4").Press("enter").Sees("without prompts").Press("enter").Sees("imported from tables")
	}},
	{"results-damaged", func(t *testing.T) *tuitest.Driver {
		return tuitest.LookAt(t, tuitest.Study(), 80, 24).Press("end", "enter").Sees("esc back  f1 keys")
	}},
	{"help", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.RightAnswer).Press("?").Sees("type to narrow")
	}},
	{"commands", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.RightAnswer).Press("ctrl+p").Sees("do it").Press("down", "down", "down")
	}},
	{"commands-found", func(t *testing.T) *tuitest.Driver {
		return tuitest.Browse(t, 80, 24).Press("ctrl+p", "sa").Sees("save filter  not now: there").Sees("– not now")
	}},
	{"commands-typing", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Begin(t, 3)
		return d.Press("enter").Sees("your prompt").Press("Write it.").Press("ctrl+p", "theme").Sees("high contrast")
	}},
	{"own-keys", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.RightAnswer).Use("clock = true\n[keys.review]\ny = \"s\"\n\"3\" = \"f6\"\n[keys.everywhere]\n\"?\" = \"h\"\n").Press("h").Sees("type to narrow")
	}},
	{"leave", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Begin(t, 3)
		return d.Press("ctrl+c").Sees("Leave assay?")
	}},
}, repositoryScreens...)

// looks are the settings of colour.
var looks = []struct {
	name        string
	dark, color bool
}{{"dark", true, true}, {"light", false, true}, {"none", true, false}}

// Every screen at every size is as its golden file has it: its text, and a letter for the style of each cell. On a light
// ground it has the same styles; without colour it has none, and its text is there where it differs. go test ./tui -update writes the
// files; read the difference before you keep it.
func TestGoldenScreens(t *testing.T) {
	for _, screen := range screens {
		t.Run(screen.name, func(t *testing.T) {
			archive := txtar.Archive{Comment: []byte("The screen " + screen.name + " at every size: its text, then the styles of its cells, see styleLetters.\n")}
			d := screen.reach(t)
			for _, size := range tuitest.Sizes {
				name := fmt.Sprintf("%dx%d", size.Width, size.Height)
				var text, styles [3]string
				for i, look := range looks {
					d.Look(size, look.dark, look.color)
					tuitest.CheckFits(t, name+" "+look.name, d.Screen(), size)
					content := d.App.View().Content
					text[i], styles[i] = layers(content, size, frame.NewTheme(look.dark, look.color))
					if !look.color && coloured(content, size) {
						t.Errorf("%s: without colour there are colours: %q", name, content)
					}
				}
				d.Look(size, true, true)
				archive.Files = append(archive.Files, goldenFiles(d, size)...)
				if text[1] != text[0] || !alike(styles[0], styles[1]) {
					t.Errorf("%s: on a light ground it is\n%s%s\nand on a dark one\n%s%s", name, text[1], styles[1], text[0], styles[0])
				}
				if text[2] != text[0] { // signs stand where colours stood
					archive.Files = append(archive.Files, txtar.File{Name: name + " without colour", Data: []byte(text[2])})
				}
			}
			compare(t, filepath.Join("testdata", "screens", screen.name+".txtar"), txtar.Format(&archive))
		})
	}
}

// alike reports whether two layers of styles are the same but for highlighted code, whose colours are of the background.
func alike(a, b string) bool {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(x), len(y)) {
		if i >= len(x) || i >= len(y) {
			return false
		}
		for j := range max(len(x[i]), len(y[i])) {
			if p, q := letterAt(x[i], j), letterAt(y[i], j); p != q && p != '~' && q != '~' {
				return false
			}
		}
	}
	return true
}

func letterAt(row string, at int) byte {
	if at < len(row) {
		return row[at]
	}
	return ' '
}

// coloured reports whether a cell has a colour.
func coloured(content string, size frame.Size) bool {
	return slices.ContainsFunc(cellsOf(content, size), func(row []uv.Cell) bool {
		return slices.ContainsFunc(row, func(c uv.Cell) bool { return c.Style.Fg != nil || c.Style.Bg != nil })
	})
}

// goldenFiles returns the layers of a screen on a dark ground.
func goldenFiles(d *tuitest.Driver, size frame.Size) []txtar.File {
	name := fmt.Sprintf("%dx%d", size.Width, size.Height)
	text, styles := layers(d.App.View().Content, size, frame.NewTheme(true, true))
	return []txtar.File{{Name: name, Data: []byte(text)}, {Name: name + " styles", Data: []byte(styles)}}
}

// cellStyle is the style of a cell, without the link behind it.
type cellStyle struct {
	fg, bg color.Color
	attrs  uint8
}

// styleLetters names the styles of cells: a small letter for a style of the theme, the capital on the ground of the
// chosen row, and a sign where it is the ground of a chip. Colours of highlighted code and of figures are ~.
func styleLetters(theme frame.Theme) map[cellStyle]byte {
	letters := map[cellStyle]byte{}
	name := func(style lipgloss.Style, letter byte) {
		cell := cellsOf(style.Render("x"), frame.Size{Width: 1, Height: 1})[0][0].Style
		letters[cellStyle{cell.Fg, cell.Bg, cell.Attrs}] = letter
	}
	name(theme.Chosen, '#')
	for letter, style := range map[byte]lipgloss.Style{'d': theme.Dim, 'a': theme.Accent, 'g': theme.Good, 'b': theme.Bad, 'w': theme.Warn, 'c': theme.Code, 's': theme.Strong, 'l': theme.Line} {
		name(style, letter)
		name(style.Inherit(theme.Row), letter-'a'+'A')
		name(style.Inherit(theme.Row).Bold(false), letter-'a'+'A')
	}
	for sign, style := range map[byte]lipgloss.Style{'+': theme.Good, 'x': theme.Bad, '!': theme.Warn} {
		name(style.Reverse(true), sign)
		name(style.Reverse(true).Bold(true), sign)
	}
	name(theme.Row, 'S')
	name(lipgloss.NewStyle(), ' ')
	return letters
}

// cellsOf returns the cells of a screen.
func cellsOf(content string, size frame.Size) [][]uv.Cell {
	screen := uv.NewScreenBuffer(size.Width, size.Height)
	uv.NewStyledString(content).Draw(screen, screen.Bounds())
	cells := make([][]uv.Cell, size.Height)
	for y := range cells {
		for x := range size.Width {
			cells[y] = append(cells[y], *screen.CellAt(x, y))
		}
	}
	return cells
}

// layers returns the text of a screen, and the letters of its styles.
func layers(content string, size frame.Size, theme frame.Theme) (text, styles string) {
	letters := styleLetters(theme)
	var rows, marks strings.Builder
	for _, row := range cellsOf(content, size) {
		var words, signs strings.Builder
		for _, cell := range row {
			words.WriteString(cell.Content)
			if cell.Width == 0 {
				continue // the rest of a wide one
			}
			letter, known := letters[cellStyle{cell.Style.Fg, cell.Style.Bg, cell.Style.Attrs}]
			if !known {
				letter = '~'
			}
			signs.WriteString(strings.Repeat(string(letter), cell.Width))
		}
		rows.WriteString(strings.TrimRight(words.String(), " ") + "\n")
		marks.WriteString(strings.TrimRight(signs.String(), " ") + "\n")
	}
	return rows.String(), marks.String()
}

// Every screen fits on terminals of every shape.
func TestEveryShape(t *testing.T) {
	for _, screen := range screens {
		d := screen.reach(t)
		for _, size := range []frame.Size{{Width: 60, Height: 60}, {Width: 200, Height: 20}, {Width: 200, Height: 60}, {Width: 109, Height: 23}, {Width: 160, Height: 50}} {
			d.Look(size, true, true)
			tuitest.CheckFits(t, fmt.Sprintf("%s %dx%d", screen.name, size.Width, size.Height), d.Screen(), size)
		}
	}
}

// Themes differ in colours alone.
func TestThemes(t *testing.T) {
	for _, screen := range []goldenScreen{
		{"themes-review", func(t *testing.T) *tuitest.Driver {
			return tuitest.Reviewing(t, tuitest.WrongAnswer).Press("2").Sees("expected  4")
		}},
		{"themes-results", func(t *testing.T) *tuitest.Driver {
			return tuitest.LookAt(t, tuitest.Study(), 80, 24).Press("enter").Sees("Session finished").Press("6").Sees("favourable")
		}},
		{"themes-commands", func(t *testing.T) *tuitest.Driver { return tuitest.Browse(t, 80, 24).Press("ctrl+p").Sees("do it") }},
	} {
		t.Run(screen.name, func(t *testing.T) {
			d := screen.reach(t)
			size := frame.Size{Width: 80, Height: 24}
			for _, dark := range []bool{true, false} {
				d.Use(fmt.Sprintf("theme = %q\n", frame.ThemeAuto)).Look(size, dark, true)
				want, _ := layers(d.App.View().Content, size, frame.NewTheme(dark, true))
				for _, name := range frame.ThemeNames() {
					d.Use(fmt.Sprintf("theme = %q\n", name)).Look(size, dark, true)
					if got, _ := layers(d.App.View().Content, size, name.Theme(dark, true)); got != want {
						t.Errorf("in %s, asked on dark %v, it is\n%s\nand not\n%s", name, dark, got, want)
					}
				}
			}
		})
	}
}

func compare(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		fatal.If(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fatal.If(t, os.WriteFile(path, got, 0o644))
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; go test ./tui -update writes it", err)
	}
	if string(want) == string(got) {
		return
	}
	wantLines, gotLines := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := range min(len(wantLines), len(gotLines)) {
		if wantLines[i] != gotLines[i] {
			t.Fatalf("%s, line %d is\n%s\nand should be\n%s", path, i+1, gotLines[i], wantLines[i])
		}
	}
	t.Fatalf("%s has %d lines and should have %d", path, len(gotLines), len(wantLines))
}
