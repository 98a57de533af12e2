package tui_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/tools/txtar"

	"assay/benchmark"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/models"
	"assay/tui/results"
	"assay/tui/setup"
	"assay/tui/tasks"
	"assay/tui/work"
)

var update = flag.Bool("update", false, "write the golden screens anew")

// shelf is a library with fixed contents.
type shelf struct {
	rig      *enginetest.Rig
	sessions []session.Summary
	next     *home.NextSession
}

func (s *shelf) Sessions(context.Context) ([]session.Summary, error) { return s.sessions, nil }
func (s *shelf) Continue(context.Context, string) (*engine.Engine, error) {
	return s.rig.Engine, nil
}
func (s *shelf) Results(context.Context) (results.Options, error) {
	return results.Options{Library: study()}, nil
}
func (s *shelf) Begin(context.Context, session.Choice) (*engine.Engine, error) {
	if s.rig == nil {
		return nil, errors.New("nothing can be begun here")
	}
	return s.rig.Engine, nil
}
func (s *shelf) Next(context.Context) (*home.NextSession, error) { return s.next, nil }
func (s *shelf) Work() work.Options                              { return work.Options{} }
func (s *shelf) Browse(context.Context) (tasks.Options, error) {
	return tasks.Options{Benchmarks: []*benchmark.Benchmark{library(), enginetest.Benchmark(5)}, Scenarios: &kept{}, Reference: true}, nil
}
func (s *shelf) Models(context.Context) (models.Options, error) {
	return models.Options{
		Path: "/home/ann/.config/assay/models.toml", Models: []models.Model{
			{Name: "rehearsal", Provider: "rehearsal", Ready: true, BuiltIn: true}, {Name: "qwen2.5-coder:7b", Provider: "openai", ID: "qwen2.5-coder:7b-instruct", Ready: true},
			{Name: "gpt", Provider: "openai", Why: "the environment variable OPENAI_API_KEY is not set"},
		},
		Make: func() error { return nil },
		Edit: func() *exec.Cmd { return nil },
		Reload: func() (models.Options, error) {
			opts, err := s.Models(context.Background())
			opts.Found = true
			return opts, err
		},
		Check: func(_ context.Context, name string) (string, error) {
			if s.rig != nil {
				return "", errors.New("localhost:11434 refused the connection: is the model server running?")
			}
			return name + ": complete after 120 ms", nil
		},
	}, nil
}
func (s *shelf) Choices(context.Context) (setup.Choices, error) {
	b := enginetest.Benchmark(5)
	return setup.Choices{
		Benchmarks: []*benchmark.Benchmark{b}, Seed: 42, Isolation: "isolated (bwrap)", Isolated: true,
		Models: []setup.ModelChoice{
			{Model: session.Model{Name: "rehearsal", Provider: "rehearsal", Recorded: true}, Ready: true},
			{Model: session.Model{Name: "qwen2.5-coder:7b", Provider: "openai"}, Ready: true},
			{Model: session.Model{Name: "gpt", Provider: "openai"}, Why: "the environment variable OPENAI_API_KEY is not set"},
		},
	}, nil
}

func noon() time.Time { return time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC) }

// goldenScreen is a screen, and how to get there.
type goldenScreen struct {
	name  string
	reach func(t *testing.T) *driver
}

// screens are all screens of the program, each with how to get there.
var screens = []goldenScreen{
	{"home-empty", func(t *testing.T) *driver { return drive(t, home.New(&shelf{}, noon), 80, 24).sees("0 sessions") }},
	{"home", func(t *testing.T) *driver { return drive(t, home.New(fullShelf(t), noon), 80, 24).sees("Continue") }},
	{"models", func(t *testing.T) *driver {
		return drive(t, home.New(&shelf{}, noon), 80, 24).press("m").sees("Models", "2 of 3 configured")
	}},
	{"models-checked", func(t *testing.T) *driver {
		return drive(t, home.New(&shelf{}, noon), 80, 24).press("m").sees("2 of 3").press("down", "enter").sees("may charge").press("y").sees("✓ qwen")
	}},
	{"setup", func(t *testing.T) *driver {
		return drive(t, home.New(&shelf{}, noon), 80, 24).press("n").sees("New session", "qwen")
	}},
	{"setup-not-ready", func(t *testing.T) *driver {
		d := drive(t, home.New(&shelf{}, noon), 80, 24).press("n").sees("qwen")
		return d.press("down", "down", "down", "down", "down", "right").sees("Not yet")
	}},
	{"setup-filter", func(t *testing.T) *driver {
		d := drive(t, home.New(&shelf{}, noon), 80, 24).press("n").sees("qwen")
		return d.press("down", "difficulty:hard ty").sees("the kind of code").press("tab", "enter").sees("numerical")
	}},
	{"setup-stratify", func(t *testing.T) *driver {
		d := drive(t, home.New(&shelf{}, noon), 80, 24).press("n").sees("qwen")
		return d.press("up", "up", "up", "up", "up", "up", "up", "up", "topics").sees("cannot be stratified")
	}},
	{"tasks", func(t *testing.T) *driver { return browse(t, 80, 24).press("down", "down") }},
	{"tasks-menu", func(t *testing.T) *driver {
		return browse(t, 80, 24).press("/", "-type:").sees("structural", "12").press("tab")
	}},
	{"tasks-error", func(t *testing.T) *driver { return browse(t, 80, 24).press("/", "-colour:red").sees("no field") }},
	{"tasks-none", func(t *testing.T) *driver {
		return browse(t, 80, 24).press("/", "zzz", "enter").sees("No task matches")
	}},
	{"tasks-statement", func(t *testing.T) *driver { return browse(t, 80, 24).press("enter").sees("connected") }},
	{"tasks-tests", func(t *testing.T) *driver { return browse(t, 80, 24).press("2").sees("another") }},
	{"tasks-metadata", func(t *testing.T) *driver { return browse(t, 80, 24).press("3").sees("volume 1") }},
	{"tasks-context", func(t *testing.T) *driver { return browse(t, 80, 24).press("4").sees("depth first") }},
	{"tasks-reference", func(t *testing.T) *driver { return browse(t, 80, 24).press("r").sees("[start]") }},
	{"tasks-reference-hidden", func(t *testing.T) *driver { return browse(t, 80, 24).press("5").sees("r shows") }},
	{"tasks-statistics", func(t *testing.T) *driver { return browse(t, 80, 24).press("s").sees("total") }},
	{"tasks-statistics-source", func(t *testing.T) *driver { return browse(t, 80, 24).press("s", "right").sees("volume 3") }},
	{"tasks-save", func(t *testing.T) *driver {
		return browse(t, 80, 24).press("/", "type:numerical", "enter").sees("11 of 45").press("w", "sums").sees("enter saves")
	}},
	{"tasks-load", func(t *testing.T) *driver {
		return browse(t, 80, 24, func(o *tasks.Options) {
			o.Scenarios = &kept{saved: map[string]string{"sums": "type:numerical", "plots of 2023": "type:visualization published:2023"}}
		}).press("l").sees("▸ plots").press("down").sees("▸ sums")
	}},
	{"tasks-help", func(t *testing.T) *driver { return browse(t, 80, 24).press("?").sees("closes this") }},
	{"ready", func(t *testing.T) *driver { d, _ := begin(t, 3); return d }},
	{"ready-practice", func(t *testing.T) *driver {
		d, _ := begin(t, 1, func(c *session.Choice) { c.Practice, c.Model.Recorded = true, true })
		return d.sees("practice, not counted")
	}},
	{"compose", func(t *testing.T) *driver {
		d, _ := begin(t, 3)
		return d.press("enter").sees("your prompt").press("Write it.").sees("Write it.")
	}},
	{"compose-insert", func(t *testing.T) *driver {
		d, _ := begin(t, 3)
		return d.press("enter").sees("your prompt").press("ctrl+t").sees("Insert at the cursor")
	}},
	{"compose-again", func(t *testing.T) *driver {
		d, rig := begin(t, 3)
		rig.Client.Say(wrongAnswer)
		return d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("tests ✗").press("r").sees("your next message").press("tab", "tab").sees("expected  4")
	}},
	{"compose-selected", func(t *testing.T) *driver {
		d, _ := begin(t, 3)
		return d.press("enter").sees("your prompt").press("Write it.", "enter", "Be brief.", "ctrl+space", "up", "home").sees("2 lines selected")
	}},
	{"compose-above", func(t *testing.T) *driver {
		d, rig := begin(t, 3)
		rig.Client.Say(wrongAnswer + strings.Repeat("\nAnd more.\n", 30))
		d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("tests ✗").press("r").sees("your next message")
		return d.press("tab", "f5", "f5").sees("And more.")
	}},
	{"compose-prompts", func(t *testing.T) *driver {
		d, rig := refined(t)
		for _, prompt := range []string{"Return twice the number.", "Twice, not the number itself:\nwhat is given, plus what is given."} {
			rig.Client.Say(wrongAnswer)
			d.send(tea.PasteMsg{Content: prompt})
			d.press("ctrl+s").sees("tests ✗ 2 of 3").press("r").sees("your next message")
		}
		return d.press("f7", "down").sees("Prompts sent before: 2 of 3", "Return twice")
	}},
	{"compose-difference", func(t *testing.T) *driver {
		d, _ := refined(t, func(c *session.Choice) { c.Context = session.Fresh })
		return d.press("f8", "backspace", " and well.", "home", "delete", "delete", "delete", "delete", "delete", "delete", "Triple").sees("[-Double-]{+Triple+} it, quickly{+ and well+}.")
	}},
	{"compose-help", func(t *testing.T) *driver {
		d, _ := begin(t, 3)
		return d.press("enter").sees("your prompt").press("f1").sees("closes this")
	}},
	{"compose-failed", func(t *testing.T) *driver {
		d, rig := begin(t, 3)
		rig.Client.Fail(&llm.Error{Class: llm.Unreachable, Message: "localhost:11434 refused the connection", Advice: "is the model server running?"})
		return d.press("enter").sees("your prompt").press("Write it.", "ctrl+s").sees("refused the connection")
	}},
	{"wait", func(t *testing.T) *driver {
		d, _ := begin(t, 3)
		return d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("waiting for the first words")
	}},
	{"paste", func(t *testing.T) *driver {
		d, _ := begin(t, 3, func(c *session.Choice) { c.Model = session.Model{Name: "paste", Provider: "paste"} })
		return d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("paste its answer here")
	}},
	{"review-answer", func(t *testing.T) *driver { return reviewing(t, rightAnswer) }},
	{"review-tests", func(t *testing.T) *driver { return reviewing(t, wrongAnswer).press("2").sees("expected  4") }},
	{"review-changes", func(t *testing.T) *driver {
		return reviewing(t, rightAnswer).press("3").sees("the first attempt")
	}},
	{"review-prompt", func(t *testing.T) *driver { return reviewing(t, rightAnswer).press("5").sees("0 of them inserted") }},
	{"review-outputs", func(t *testing.T) *driver {
		d := reviewing(t, plottingAnswer).press("2").sees("1-3    passed")
		return d.press("end").sees("files of the program", "PNG 640×480", "o saves them")
	}},
	{"review-measures", func(t *testing.T) *driver { return reviewing(t, rightAnswer).press("4").sees("cyclomatic") }},
	{"review-task", func(t *testing.T) *driver { return reviewing(t, rightAnswer).press("6").sees("twice the number") }},
	{"review-reference", func(t *testing.T) *driver { return reviewing(t, wrongAnswer).press("7").sees("return 2 * n") }},
	{"review-note", func(t *testing.T) *driver {
		return reviewing(t, rightAnswer).press("f12", "terse").sees("Your note", "terse")
	}},
	{"review-give-up", func(t *testing.T) *driver { return reviewing(t, wrongAnswer).press("g").sees("Give this task up") }},
	{"rating", func(t *testing.T) *driver {
		return reviewing(t, rightAnswer).press("y").sees("9 to go").press("4", "5").sees("7 to go")
	}},
	{"rating-unsatisfied", func(t *testing.T) *driver {
		return reviewing(t, wrongAnswer).press("g", "y").sees("What the model got wrong")
	}},
	{"rating-complete", func(t *testing.T) *driver {
		return reviewing(t, rightAnswer).press("y").sees("9 to go").press("4", "5", "3", "4", "4", "4", "5", "2", "n").sees("enter commits")
	}},
	{"rating-answer", func(t *testing.T) *driver {
		return reviewing(t, rightAnswer).press("y").sees("9 to go").press("v").sees("back to the rating")
	}},
	{"pause", func(t *testing.T) *driver { d, _ := begin(t, 3); return d.press("f2").sees("‖ Paused") }},
	{"break", func(t *testing.T) *driver { d, _ := begin(t, 3); return d.press("b").sees("‖ Break") }},
	{"summary", func(t *testing.T) *driver {
		d, rig := begin(t, 1)
		rig.Client.Say(rightAnswer)
		d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("tests ✓").press("y").sees("9 to go")
		return d.press("4", "5", "3", "4", "4", "4", "5", "2", "y", "enter").sees("Session finished", "reports/one.md")
	}},
	{"summary-success", func(t *testing.T) *driver {
		d, rig := begin(t, 1)
		rig.Client.Say(rightAnswer)
		d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("tests ✓").press("y").sees("9 to go")
		return d.press("4", "5", "3", "4", "4", "4", "5", "2", "y", "enter").sees("Session finished", "reports/one.md").press("3").sees("Success by attempt")
	}},
	{"results-empty", func(t *testing.T) *driver { return lookAt(t, &archive{}, 80, 24).sees("no sessions yet") }},
	{"results", func(t *testing.T) *driver { return lookAt(t, study(), 80, 24).press("down") }},
	{"results-find", func(t *testing.T) *driver {
		return lookAt(t, study(), 80, 24).press("/", "finished -ann").sees("2 of 5 sessions")
	}},
	{"results-help", func(t *testing.T) *driver {
		return lookAt(t, study(), 80, 24).press("enter").sees("Session finished").press("2", "?").sees("closes this")
	}},
	{"results-numbers", func(t *testing.T) *driver { return lookAt(t, study(), 80, 24).press("enter").sees("Session finished") }},
	{"results-attempts", func(t *testing.T) *driver {
		return lookAt(t, study(), 80, 24).press("enter").sees("Session finished").press("2").sees("by the attempt")
	}},
	{"results-success", func(t *testing.T) *driver {
		return lookAt(t, study(), 80, 24).press("enter").sees("Session finished").press("3").sees("at risk")
	}},
	{"results-time", func(t *testing.T) *driver {
		return lookAt(t, study(), 80, 24).press("enter").sees("Session finished").press("4").sees("median")
	}},
	{"results-ecdf", func(t *testing.T) *driver {
		return lookAt(t, study(), 80, 24).press("enter").sees("Session finished").press("5").sees("share of tasks")
	}},
	{"results-ratings", func(t *testing.T) *driver {
		return lookAt(t, study(), 80, 24).press("enter").sees("Session finished").press("6").sees("favourable")
	}},
	{"results-types", func(t *testing.T) *driver {
		return lookAt(t, whole(), 80, 24).press("enter").sees("Session finished").press("7").sees("structural")
	}},
	{"results-words", func(t *testing.T) *driver {
		return lookAt(t, study(), 80, 24).press("enter").sees("Session finished").press("3", "d", "d").sees("Kaplan-Meier")
	}},
	{"results-ascii", func(t *testing.T) *driver {
		return lookAt(t, study(), 80, 24).press("enter").sees("Session finished").press("3", "d").sees("x: followed", "+--")
	}},
	{"results-tasks", func(t *testing.T) *driver { return openTasks(t, "S1").press("down", "down") }},
	{"results-tasks-find", func(t *testing.T) *driver { return openTasks(t, "S1").press("/", "hard -1").sees("of 9 tasks") }},
	{"results-task", func(t *testing.T) *driver { return openTasks(t, "S1").press("down", "enter").sees("judged") }},
	{"results-task-many", func(t *testing.T) *driver {
		return openTasks(t, "S1").press("/", "exhausted", "enter", "enter").sees("not satisfied after all 5")
	}},
	{"results-task-skipped", func(t *testing.T) *driver {
		return openTasks(t, "S1").press("/", "out", "enter", "enter").sees("by the tester")
	}},
	{"results-attempt", func(t *testing.T) *driver { return openAttempt(t) }},
	{"results-attempt-changes", func(t *testing.T) *driver { return openAttempt(t).press("3").sees("attempt 2 → attempt 3") }},
	{"results-attempt-result", func(t *testing.T) *driver { return openAttempt(t).press("8").sees("writing") }},
	{"results-open", func(t *testing.T) *driver { return openTasks(t, "S2").press("down", "enter").sees("… open") }},
	{"results-given-up", func(t *testing.T) *driver {
		return drive(t, results.NewScreen(results.Options{Library: study()}, "S3"), 80, 24).sees("given up")
	}},
	{"results-imported", func(t *testing.T) *driver { return openTasks(t, "S4").press("enter").sees("had no prompts") }},
	{"results-imported-attempt", func(t *testing.T) *driver {
		return openTasks(t, "S4").press("enter").sees("had no prompts").press("enter").sees("imported from tables")
	}},
	{"results-damaged", func(t *testing.T) *driver {
		return lookAt(t, study(), 80, 24).press("end", "enter").sees("esc back  ? keys")
	}},
	{"help", func(t *testing.T) *driver { return reviewing(t, rightAnswer).press("?").sees("closes this") }},
	{"commands", func(t *testing.T) *driver {
		return reviewing(t, rightAnswer).press("ctrl+p").sees("do it").press("down", "down")
	}},
	{"commands-found", func(t *testing.T) *driver {
		return browse(t, 80, 24).press("ctrl+p", "sa").sees("▸ save filter").press("enter").sees("– not now")
	}},
	{"commands-typing", func(t *testing.T) *driver {
		d, _ := begin(t, 3)
		return d.press("enter").sees("your prompt").press("Write it.").press("ctrl+p", "theme").sees("high contrast")
	}},
	{"own-keys", func(t *testing.T) *driver {
		return reviewing(t, rightAnswer).use("clock = true\n[keys.review]\ny = \"s\"\n\"3\" = \"f6\"\n[keys.everywhere]\n\"?\" = \"h\"\n").press("h").sees("closes this")
	}},
	{"leave", func(t *testing.T) *driver { d, _ := begin(t, 3); return d.press("ctrl+c").sees("Leave assay?") }},
}

// reviewing is the first answer of a session, with its verdict.
func reviewing(t *testing.T, answer string) *driver {
	t.Helper()
	d, rig := begin(t, 3, func(c *session.Choice) { c.K = 3 })
	rig.Client.Say(answer)
	d.press("enter").sees("your prompt").press("Write it.", "ctrl+s").sees("y satisfied")
	return d.until("the verdict", func(screen string) bool {
		return strings.Contains(screen, "tests ✓") || strings.Contains(screen, "tests ✗")
	})
}

func fullShelf(t *testing.T) *shelf {
	rig, err := enginetest.New(2)
	if err != nil {
		t.Fatal(err)
	}
	return &shelf{rig: rig, sessions: []session.Summary{
		{ID: "1", Benchmark: "starter", Model: "qwen2.5-coder:7b", Progress: session.Progress{Done: 6, Tasks: 20}, LastAt: noon().Add(-2 * time.Hour).UnixMilli(), WorkedMS: 12 * 60_000, Status: "open"},
		{ID: "2", Benchmark: "core", Model: "rehearsal", Progress: session.Progress{Done: 1, Tasks: 12}, LastAt: noon().Add(-26 * time.Hour).UnixMilli(), WorkedMS: 4 * 60_000, Status: "open"},
		{ID: "3", Benchmark: "starter", Model: "paste", Progress: session.Progress{Done: 20, Tasks: 20}, LastAt: noon().Add(-100 * time.Hour).UnixMilli(), WorkedMS: 40 * 60_000, Status: "finished"},
		{ID: "4", Benchmark: "study", Model: "imported", Progress: session.Progress{Done: 100, Tasks: 100}, LastAt: noon().Add(-200 * time.Hour).UnixMilli(), Status: "finished", Imported: true},
	}}
}

// sizes at which every screen must be of use.
var sizes = []frame.Size{{Width: 60, Height: 20}, {Width: 80, Height: 24}, {Width: 120, Height: 40}}

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
			for _, size := range sizes {
				for _, look := range looks {
					d.look(size, look.dark, look.color)
					name := fmt.Sprintf("%dx%d %s", size.Width, size.Height, look.name)
					text := d.App.View().Content
					checkFits(t, name, d.screen(), size)
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
			d.look(size, true, true)
			checkFits(t, fmt.Sprintf("%s %dx%d", screen.name, size.Width, size.Height), d.screen(), size)
		}
	}
}

// Three screens in every theme, on the background that it is for.
func TestGoldenThemes(t *testing.T) {
	for _, screen := range []goldenScreen{
		{"themes-review", func(t *testing.T) *driver { return reviewing(t, wrongAnswer).press("2").sees("expected  4") }},
		{"themes-results", func(t *testing.T) *driver {
			return lookAt(t, study(), 80, 24).press("enter").sees("Session finished").press("6").sees("favourable")
		}},
		{"themes-commands", func(t *testing.T) *driver { return browse(t, 80, 24).press("ctrl+p").sees("do it") }},
	} {
		t.Run(screen.name, func(t *testing.T) {
			archive := txtar.Archive{Comment: []byte("The screen " + screen.name + " in every theme, with the terminal's colours where the theme sets them.\n")}
			d := screen.reach(t)
			for _, theme := range frame.ThemeNames() {
				for _, dark := range []bool{true, false} {
					d.use(fmt.Sprintf("theme = %q\n", theme)).look(frame.Size{Width: 80, Height: 24}, dark, true)
					name := fmt.Sprintf("%s on dark=%v", theme, dark)
					v := d.App.View()
					archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(fmt.Sprintf("%v on %v\n%s\n", v.ForegroundColor, v.BackgroundColor, visible(v.Content)))})
				}
			}
			compare(t, filepath.Join("testdata", "screens", screen.name+".txtar"), txtar.Format(&archive))
		})
	}
}

// look shows the screen at a size and in a colour setting, with everything
// rendered that is rendered in the background.
func (d *driver) look(size frame.Size, dark, colored bool) {
	d.T.Helper()
	d.App.SetColor(colored)
	d.send(tea.BackgroundColorMsg{Color: map[bool]color.Color{true: color.Black, false: color.White}[dark]})
	d.send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
	d.until("the rendered answer", func(string) bool { return d.App.Settled() })
}

// visible writes escape sequences so that a golden file can be read.
func visible(screen string) string { return strings.ReplaceAll(screen, "\x1b[", "␛[") }

// checkFits fails when a screen is not exactly as large as the terminal.
func checkFits(t *testing.T, name, screen string, size frame.Size) {
	t.Helper()
	lines := strings.Split(screen, "\n")
	if len(lines) != size.Height {
		t.Errorf("%s: %d rows are drawn", name, len(lines))
	}
	for i, l := range lines {
		if w := frame.Width(l); w > size.Width {
			t.Errorf("%s: row %d is %d columns wide: %q", name, i+1, w, l)
		}
	}
}

func compare(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
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
