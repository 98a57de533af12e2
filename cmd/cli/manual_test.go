package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"golang.org/x/tools/txtar"

	"assay/cmd/cli/console"
	"assay/data/fatal"
	"assay/data/manual"
	"assay/data/markdowntest"
	"assay/data/sampled"
	"assay/tui/markdown"
)

var updateManual = flag.Bool("update-manual", false, "write what commands print and screens show into README.md and the manual")

// docs are README.md and the pages of the manual, from this package's directory.
func docs(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../../data/manual/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages of the manual: ", err)
	}
	return append([]string{"../../README.md"}, pages...)
}

// fenced is a block of code in a page.
type fenced struct {
	at, to   int // its lines, without the fences
	indent   string
	language string
	info     string // what stands behind the language
	lines    []string
}

var fenceLine = regexp.MustCompile("^( *)```([a-z]*) ?(.*)$")

// blocks are those of a page.
func blocks(t *testing.T, lines []string) []fenced {
	t.Helper()
	var list []fenced
	open := false
	for i, line := range lines {
		match := fenceLine.FindStringSubmatch(line)
		switch {
		case match != nil && !open:
			open = true
			list = append(list, fenced{at: i + 1, indent: match[1], language: match[2], info: match[3]})
		case match != nil:
			open = false
			list[len(list)-1].to = i
		case open:
			b := &list[len(list)-1]
			b.lines = append(b.lines, strings.TrimPrefix(line, b.indent))
		}
	}
	if open {
		t.Fatal("a block of code is not closed")
	}
	return list
}

// TestManualRuns runs every ```console block of README.md and the manual, each file in a separate folder
// with a separate store, and compares standard output with the page: a line of … matches any lines, …
// within a line any text.
func TestManualRuns(t *testing.T) {
	for _, path := range docs(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			sampled.Row(t, 2)
			t.Parallel()
			editPage(t, path, "console", func(t *testing.T, b fenced, env []string) []string {
				var got []string
				for i, line := range b.lines {
					command, ok := strings.CutPrefix(line, "$ ")
					if !ok {
						continue
					}
					end := i + 1
					for end < len(b.lines) && !strings.HasPrefix(b.lines[end], "$ ") {
						end++
					}
					shown := b.lines[i+1 : end]
					cmd := exec.Command("sh", "-c", command)
					cmd.Env, cmd.Dir = env, env[0][len("PWD="):]
					var stderr bytes.Buffer // progress, which differs from time to time
					cmd.Stderr = &stderr
					out, err := cmd.Output()
					if err != nil {
						t.Errorf("line %d: %s: %v\n%s%s", b.at+i+1, command, err, out, &stderr)
					}
					printed := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
					if len(out) == 0 {
						printed = nil
					}
					got = append(got, line)
					if same(shown, printed) {
						got = append(got, shown...)
					} else {
						got = append(got, printed...)
					}
				}
				return got
			})
		})
	}
}

// same reports whether lines match those of a page.
func same(shown, printed []string) bool {
	var pattern strings.Builder
	pattern.WriteString(`\A`)
	for _, line := range shown {
		if line == "…" {
			pattern.WriteString(`(.*\n)*?`)
			continue
		}
		parts := strings.Split(strings.TrimRight(line, " "), "…")
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		pattern.WriteString(strings.Join(parts, ".*") + " *\n")
	}
	text := strings.Join(printed, "\n")
	if text != "" {
		text += "\n"
	}
	return regexp.MustCompile(pattern.String() + `\z`).MatchString(text)
}

// TestManualShowsScreens compares every screen of README.md and the manual with its golden screen: ```text
// screen=NAME.
func TestManualShowsScreens(t *testing.T) {
	for _, path := range docs(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			editPage(t, path, "text", func(t *testing.T, b fenced, _ []string) []string {
				name, ok := strings.CutPrefix(b.info, "screen=")
				if !ok {
					return b.lines
				}
				return goldenScreen(t, name)
			})
		})
	}
}

// goldenScreen is the text of a screen of 80×24; consecutive empty lines are reduced to one.
func goldenScreen(t *testing.T, name string) []string {
	t.Helper()
	var screen []byte
	if guest, ok := strings.CutPrefix(name, "serve/"); ok {
		text := fatal.Read(t, "../../tui/serve/testdata/"+guest+".golden")
		screen = text
	} else {
		archive, err := txtar.ParseFile("../../tui/testdata/screens/" + name + ".txtar")
		fatal.If(t, err)
		i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "80x24" })
		if i < 0 {
			t.Fatalf("%s has no screen of 80x24", name)
		}
		screen = archive.Files[i].Data
	}
	text := regexp.MustCompile(`␛\[[0-9;]*m`).ReplaceAllString(string(screen), "")
	var lines []string
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		line = strings.TrimRight(line, " ")
		if line == "" && len(lines) > 0 && lines[len(lines)-1] == "" {
			continue
		}
		lines = append(lines, line)
	}
	return lines
}

// editPage compares the blocks of a language with their expected text, or writes it.
func editPage(t *testing.T, path, language string, should func(t *testing.T, b fenced, env []string) []string) {
	t.Helper()
	text := fatal.Read(t, path)
	dir := t.TempDir()
	env := []string{"PWD=" + dir, "PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + os.TempDir(), "LC_ALL=C.UTF-8", "TZ=UTC",
		"ASSAY_STORE=" + dir + "/assay.db", "ASSAY_REHEARSAL_PACE=0", "XDG_CONFIG_HOME=" + dir + "/config", "XDG_DATA_HOME=" + dir + "/data", "XDG_CACHE_HOME=" + dir + "/cache"}
	if language == "console" {
		prepare(t, dir)
	}
	lines := strings.Split(string(text), "\n")
	var fresh []string
	last := 0
	for _, b := range blocks(t, lines) {
		if language == "console" && b.language == "toml" && b.info != "" { // the file that the commands below read
			fatal.If(t, os.WriteFile(filepath.Join(dir, filepath.Base(b.info)), []byte(strings.Join(b.lines, "\n")+"\n"), 0o644))
		}
		fresh = append(fresh, lines[last:b.at]...)
		last = b.to
		wanted := b.lines
		if b.language == language {
			wanted = should(t, b, env)
			if !slices.Equal(wanted, b.lines) && !*updateManual {
				t.Errorf("line %d shows\n%s\nand should show\n%s\n(go test ./cmd/cli -run Manual -update-manual writes it)",
					b.at+1, strings.Join(b.lines, "\n"), strings.Join(wanted, "\n"))
			}
		}
		for _, line := range wanted {
			fresh = append(fresh, strings.TrimRight(b.indent+line, " "))
		}
	}
	fresh = append(fresh, lines[last:]...)
	if language == "console" {
		checkPlaces(t, dir, string(text))
	}
	if after := strings.Join(fresh, "\n"); *updateManual && after != string(text) {
		fatal.If(t, os.WriteFile(path, []byte(after), 0o644))
	}
}

// checkPlaces checks the table of a page that repeats a paper: what its rows say is in a report is in one that the page's
// commands have made.
func checkPlaces(t *testing.T, dir, page string) {
	t.Helper()
	_, table, is := strings.Cut(page, "## Where each element is\n")
	if !is {
		return
	}
	var made bytes.Buffer
	files, err := filepath.Glob(filepath.Join(dir, "*", "report.md"))
	fatal.If(t, err)
	more, err := filepath.Glob(filepath.Join(dir, "*", "*", "report.md"))
	fatal.If(t, err)
	for _, file := range append(files, more...) {
		made.Write(fatal.Read(t, file))
	}
	for line := range strings.SplitSeq(table, "\n") {
		_, place, is := strings.Cut(line, "report, ")
		if !is || strings.Contains(line, "--sonarqube") { // programs that may be missing here
			continue
		}
		for _, name := range quoted.FindAllString(place, -1) {
			if !strings.Contains(made.String(), strings.Trim(name, `"`)) {
				t.Errorf("no report of the page has %s, where an element is said to be: %s", name, line)
			}
		}
	}
}

var quoted = regexp.MustCompile(`"[A-Z][^"]+"`)

// prepare writes the files for the manual's commands: two models' samples for starter, which are its
// recorded first and second answers, an answer's code with the solution, a table of results, and a
// statement.
func prepare(t *testing.T, dir string) {
	t.Helper()
	write := func(name string, text []byte) {
		path := filepath.Join(dir, name)
		fatal.If(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, text, 0o644)))
	}
	for number, name := range []string{"first.jsonl", "second.jsonl"} {
		var lines bytes.Buffer
		paths, _ := filepath.Glob(fmt.Sprintf("../../data/starter/*/answers/%d.md", number+1))
		for _, path := range paths {
			text := fatal.Read(t, path)
			_, answer, _ := strings.Cut(strings.TrimPrefix(string(text), "---\n"), "\n---\n")
			id := filepath.Base(filepath.Dir(filepath.Dir(path)))[len("00-"):]
			if slices.Contains([]string{"badge-line", "refactor-report", "build-order", "csv-line"}, id) {
				continue // for practice, without tests, and two with endless answers, which take their time
			}
			line, err := json.Marshal(map[string]string{"task_id": id, "answer": answer})
			fatal.If(t, err)
			lines.Write(append(line, '\n'))
		}
		write(name, lines.Bytes())
	}
	solution := fatal.Read(t, "../../data/starter/07-merge-shifts/reference.py")
	write("solution.py", solution)
	write("answer.py", []byte(manualAnswer))
	for name, text := range manualFiles {
		write(name, []byte(text))
	}
	var table strings.Builder
	table.WriteString("task,respondent,score,n\n")
	for task := range 8 { // harder from task to task; respondents abler from one to the next
		for model := range 12 {
			fmt.Fprintf(&table, "task-%d,model-%02d,%.1f,10\n", task+1, model+1, min(max(float64(5+model-task-(model*task)%3)/10, 0), 1))
		}
	}
	write("scores.csv", []byte(table.String()))
	for name, text := range recordedModels(t) {
		write("recorded/"+name, text)
	}
}

// recordedModels are twelve tasks, harder from one to the next, the answers of six models to them, abler from one to the next but
// for the eleventh task, and how hard two people said the tasks are.
func recordedModels(t *testing.T) map[string][]byte {
	t.Helper()
	type object = map[string]any
	var tasks []object
	var models, said bytes.Buffer
	answers := map[string]*bytes.Buffer{}
	for i, of := range []struct{ topic, text, code string }{
		{"text", "the number of vowels in the text s", "    return sum(c in 'aeiou' for c in s)"},
		{"lists", "the sum of the list of numbers xs", "    total = 0\n    for x in xs:\n        total += x\n    return total"},
		{"numbers", "the number of digits of the whole number n", "    return len(str(abs(n)))"},
	} {
		for j := range 4 {
			id, name := fmt.Sprintf("%s-%d", of.topic, j+1), of.text[len(of.text)-2:]
			name = strings.TrimSpace(name)
			value := map[string]string{"s": `"stone"`, "xs": "[1, 2]", "n": "42"}[name]
			expected := map[string]int{"s": 2, "xs": 3, "n": 2}[name] * (j + 1)
			right := fmt.Sprintf("def f(%s):\n%s * %d\n", name, of.code, j+1)
			tasks = append(tasks, object{"id": id, "title": id, "language": "python", "entry_point": "f", "reference": right,
				"description": fmt.Sprintf("Return %s, %d times.", of.text, j+1), "topics": []string{of.topic},
				"tests": object{"style": "asserts", "asserts": []string{fmt.Sprintf("assert f(%s) == %d", value, expected)}}})
			for m := range 6 {
				code := right
				if able := m >= (4*i+j)/2; able == (4*i+j == 10) {
					code = strings.TrimRight(right, "\n") + " + 1\n"
				}
				model := fmt.Sprint("model-", m+1)
				if answers[model] == nil {
					answers[model] = &bytes.Buffer{}
				}
				line, err := json.Marshal(object{"task": id, "answer": "```python\n" + code + "```"})
				fatal.If(t, err)
				answers[model].Write(append(line, '\n'))
			}
		}
	}
	files := map[string][]byte{}
	for m := range 6 {
		model := fmt.Sprint("model-", m+1)
		fmt.Fprintf(&models, "[[model]]\nname = %q\nprovider = \"replay\"\nanswers = \"%s.jsonl\"\n\n", model, model)
		files[model+".jsonl"] = answers[model].Bytes()
	}
	for who := range 2 {
		name := fmt.Sprint("person-", who+1)
		fmt.Fprintf(&said, "{\"opened\":{\"estimator\":%q,\"at\":\"2026-01-01T00:00:00Z\"}}\n", name)
		for i, task := range tasks {
			line, err := json.Marshal(object{"estimate": object{"estimator": name, "task": task["id"], "summary": "it counts and multiplies", "time": i / 3, "difficulty": 1 + i/3,
				"reason": "as the statement of the task says", "ms": 60000, "at": "2026-01-01T00:00:00Z"}})
			fatal.If(t, err)
			said.Write(append(line, '\n'))
		}
		fmt.Fprintf(&said, "{\"submitted\":{\"estimator\":%q,\"at\":\"2026-01-01T00:00:00Z\"}}\n", name)
	}
	text, err := json.Marshal(object{"assay_benchmark": 1, "name": "recorded", "tasks": tasks})
	fatal.If(t, err)
	files["tasks.json"], files["models.toml"], files["estimates.jsonl"] = text, models.Bytes(), said.Bytes()
	return files
}

// manualAnswer is code for which `assay measure` has findings.
const manualAnswer = `def merge_shifts(shifts):
    # join what overlaps or touches
    merged = []
    for start, end in sorted(shifts):
        if end <= start:
            raise ValueError("a shift ends before it starts")
        if merged and start <= merged[-1][1]:
            if end > merged[-1][1]:
                merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    if merged:
        return merged
`

// manualFiles are the small files for the manual's commands.
var manualFiles = map[string]string{
	"config/assay/models.toml": `
[[model]]
name = "hosted"
provider = "command"
command = ["sh", "-c", "echo '<prompt>Write the function that the signature names, for the inputs and outputs that it tells.</prompt>'"]
price_in = 2.5
price_out = 10.0
currency = "USD"

[[model]]
name = "second"
provider = "replay"
answers = "../../second.jsonl"
`,
	"small.toml": `tasks = "starter"
filter = "id:merge-shifts,split-amount,read-port,mask-number,rename-columns"
models = ["second"]
prompts = ["level-3"]
`,
	"statement.md": "# Split a bill\n\nSplit an amount in cents among people so that the shares differ by at most one cent.\nRaise ValueError without people.\n",
	"split.py": `def split_bill(total: int, people: int) -> list[int]:
    if people < 1:
        raise ValueError("no people")
    share, left = divmod(total, people)
    return [share + 1] * left + [share] * (people - left)
`,
}

// TestManualCommands parses every command line of the manual that is not run, since it needs a terminal, a
// network or hours, and every `assay …` in its prose: verbs, flags and arguments have to exist, without old
// names.
func TestManualCommands(t *testing.T) {
	inline := regexp.MustCompile("`assay( [^`]*)?`")
	for _, path := range docs(t) {
		text := fatal.Read(t, path)
		lines := strings.Split(string(text), "\n")
		code := map[int]bool{}
		for _, b := range blocks(t, lines) {
			for i, line := range b.lines {
				code[b.at+i] = true
				if b.language == "sh" {
					checkCommand(t, path, b.at+i+1, line, true)
				} else if command, ok := strings.CutPrefix(line, "$ "); ok {
					checkCommand(t, path, b.at+i+1, command, true)
				}
			}
		}
		for i, line := range lines {
			for _, match := range inline.FindAllStringSubmatch(line, -1) {
				if !code[i] {
					checkCommand(t, path, i+1, "assay"+match[1], false)
				}
			}
		}
	}
}

// checkCommand parses a command line of assay. A complete one must have its verb's arguments; in prose they
// may be missing or abbreviated.
func checkCommand(t *testing.T, path string, at int, line string, whole bool) {
	t.Helper()
	line = regexp.MustCompile(` *(#.*|[<>] *\S+)$`).ReplaceAllString(line, "")
	line = regexp.MustCompile(`^([A-Z_]+=\S+ )+`).ReplaceAllString(line, "")
	rest, ok := strings.CutPrefix(line+" ", "assay ")
	if !ok || strings.Contains(rest, "…") || strings.Contains(rest, "VERB") {
		return
	}
	out, err := exec.Command("sh", "-c", `set -f; for word in `+strings.NewReplacer("[", `\[`, "]", `\]`, "|", `\|`, "(", `\(`, ")", `\)`).Replace(rest)+`; do printf '%s\n' "$word"; done`).Output()
	if err != nil {
		t.Errorf("%s:%d: %q is no command line: %v", path, at, line, err)
		return
	}
	words := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
	if len(out) == 0 {
		words = nil
	}
	root := newRoot(&console.IO{In: bytes.NewReader(nil), Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "" }})
	root.InitDefaultHelpCmd()
	if err := wellFormed(root, words, whole); err != nil {
		t.Errorf("%s:%d: %s: %v", path, at, line, err)
	}
}

// wellFormed returns the error in the words of a command line.
func wellFormed(root *cobra.Command, words []string, whole bool) error {
	verb, rest, err := root.Find(words)
	if err != nil {
		return err
	}
	for c := verb; c.HasParent(); c = c.Parent() {
		if c.Hidden || c.Deprecated != "" {
			return fmt.Errorf("%s is an old name", c.CommandPath())
		}
	}
	if err := verb.ParseFlags(rest); err != nil {
		if !whole && strings.Contains(err.Error(), "needs an argument") {
			return nil
		}
		return err
	}
	args := verb.Flags().Args()
	if verb == root && len(args) > 0 {
		return fmt.Errorf("there is no verb %q", args[0])
	}
	if !whole {
		return nil
	}
	return verb.ValidateArgs(args)
}

// TestHelpShowsPages: help prints a page of the manual or the help of a verb, or lists both.
func TestHelpShowsPages(t *testing.T) {
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"help numbers", "# The numbers\n", 0},
		{"help study", "`assay study --help`", 0},
		{"help tasks draw", "Draw disjoint test sets", 0},
		{"help", "  glossary    Glossary\n\nFlags:\n", 0},
		{"help nothing", "there is no page or verb \"nothing\"", 2},
		{"help nmbers", "did you mean assay help numbers?", 2},
		{"help study inti", "did you mean assay study init?", 2},
		{"help compar", "did you mean assay compare?", 2},
		{"help ratings rate", "'assay ratings rate' is now 'assay rate answers'", 0},
		{"help tasks nothing", "there is no page or verb \"tasks nothing\"", 2},
	} {
		var out bytes.Buffer
		code := Run(context.Background(), strings.Fields(c.args), &console.IO{In: bytes.NewReader(nil), Out: &out, Err: &out, Getenv: os.Getenv})
		if code != c.code || !strings.Contains(out.String(), c.want) {
			t.Errorf("assay %s: exit code %d, without %q:\n%s", c.args, code, c.want, out.String())
		}
	}
}

// TestManPages: every page of the manual and every verb has a man page with a valid header.
func TestManPages(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	if code := Run(context.Background(), []string{"help", "--man", dir}, &console.IO{In: bytes.NewReader(nil), Out: &out, Err: &out, Getenv: os.Getenv}); code != 0 {
		t.Fatal(out.String())
	}
	for _, name := range []string{"man1/assay.1", "man1/assay-tasks-draw.1", "man7/assay-tester.7", "man7/assay-glossary.7"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.Contains(text, []byte("\n.TH ")) || !bytes.Contains(text, []byte(".SH NAME")) {
			t.Errorf("%s is no man page: %v\n%.200s", name, err, text)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "man1/assay.1"))
	fatal.If(t, err)
	for _, want := range []string{"VERBS", "FILES", "ENVIRONMENT", "EXIT STATUS", "SEE ALSO", "ASSAY_STORE", "ASSAY_ISOLATION", "130, 143, 129", "assay-tester", "assay-study"} {
		if !bytes.Contains(bytes.ReplaceAll(text, []byte(`\-`), []byte("-")), []byte(want)) {
			t.Errorf("assay(1) has no %q", want)
		}
	}
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte(".")) && bytes.HasPrefix(line, []byte("      --")) && len(line) > manWidth+8 {
			t.Errorf("an option is %d columns wide: %s", len(line), line)
		}
	}
}

// TestPagesAreDrawnWhole: every letter and digit of a page of the manual is drawn, in a narrow terminal, too. Cells of
// tables wrap, so the order is the page's only by columns.
func TestPagesAreDrawnWhole(t *testing.T) {
	for _, page := range manual.Pages() {
		for _, look := range []markdown.Look{{Width: 100, Color: true, Dark: true}, {Width: 60}} {
			if err := markdowntest.Has(page.Text, ansi.Strip(markdown.Page(page.Text, look))); err != nil {
				t.Errorf("%s, %d columns: %v", page.Topic, look.Width, err)
			}
		}
	}
}
