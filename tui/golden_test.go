package tui_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
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
		return d.Press("up", "up", "up", "up", "up", "up", "up", "up", "topics").Sees("cannot be stratified")
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
	{"tasks-help", func(t *testing.T) *tuitest.Driver { return tuitest.Browse(t, 80, 24).Press("?").Sees("closes this") }},
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
		return d.Press("enter").Sees("your prompt").Press("f1").Sees("closes this")
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
		return tuitest.Reviewing(t, tuitest.RightAnswer).Press("5").Sees("0 of them inserted")
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
	{"review-give-up", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.WrongAnswer).Press("g").Sees("Give this task up")
	}},
	{"rating", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.RightAnswer).Press("y").Sees("9 to go").Press("4", "5").Sees("7 to go")
	}},
	{"rating-unsatisfied", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.WrongAnswer).Press("g", "y").Sees("What the model got wrong")
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
		return tuitest.LookAt(t, tuitest.Study(), 80, 24).Press("enter").Sees("Session finished").Press("2", "?").Sees("closes this")
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
		return tuitest.LookAt(t, tuitest.Study(), 80, 24).Press("end", "enter").Sees("esc back  ? keys")
	}},
	{"help", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.RightAnswer).Press("?").Sees("closes this")
	}},
	{"commands", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.RightAnswer).Press("ctrl+p").Sees("do it").Press("down", "down")
	}},
	{"commands-found", func(t *testing.T) *tuitest.Driver {
		return tuitest.Browse(t, 80, 24).Press("ctrl+p", "sa").Sees("▸ save filter").Press("enter").Sees("– not now")
	}},
	{"commands-typing", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Begin(t, 3)
		return d.Press("enter").Sees("your prompt").Press("Write it.").Press("ctrl+p", "theme").Sees("high contrast")
	}},
	{"own-keys", func(t *testing.T) *tuitest.Driver {
		return tuitest.Reviewing(t, tuitest.RightAnswer).Use("clock = true\n[keys.review]\ny = \"s\"\n\"3\" = \"f6\"\n[keys.everywhere]\n\"?\" = \"h\"\n").Press("h").Sees("closes this")
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

// Every screen at every size and colour setting is as its golden file has it.
// go test ./tui -update writes them anew; read the difference before you keep it.
func TestGoldenScreens(t *testing.T) {
	for _, screen := range screens {
		t.Run(screen.name, func(t *testing.T) {
			var archive txtar.Archive
			archive.Comment = []byte("The screen " + screen.name + " at every size and colour setting.\n")
			d := screen.reach(t)
			for _, size := range tuitest.Sizes {
				for _, look := range looks {
					d.Look(size, look.dark, look.color)
					name := fmt.Sprintf("%dx%d %s", size.Width, size.Height, look.name)
					text := d.App.View().Content
					tuitest.CheckFits(t, name, d.Screen(), size)
					archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(visible(text) + "\n")})
				}
			}
			compare(t, filepath.Join("testdata", "screens", screen.name+".txtar"), txtar.Format(&archive))
		})
	}
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

// Three screens in every theme, on the background that it is for.
func TestGoldenThemes(t *testing.T) {
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
			archive := txtar.Archive{Comment: []byte("The screen " + screen.name + " in every theme, with the terminal's colours where the theme sets them.\n")}
			d := screen.reach(t)
			for _, theme := range frame.ThemeNames() {
				for _, dark := range []bool{true, false} {
					d.Use(fmt.Sprintf("theme = %q\n", theme)).Look(frame.Size{Width: 80, Height: 24}, dark, true)
					name := fmt.Sprintf("%s on dark=%v", theme, dark)
					v := d.App.View()
					archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(fmt.Sprintf("%v on %v\n%s\n", v.ForegroundColor, v.BackgroundColor, visible(v.Content)))})
				}
			}
			compare(t, filepath.Join("testdata", "screens", screen.name+".txtar"), txtar.Format(&archive))
		})
	}
}

// visible writes escape sequences so that a golden file can be read.
func visible(screen string) string { return strings.ReplaceAll(screen, "\x1b[", "␛[") }

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
