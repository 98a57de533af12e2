package cli

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/cmd/cli/console"
	"assay/data/fatal"
	"assay/data/sampled"
)

// The tests of this file walk the tree of commands. A new verb needs a row in commandLines, and a new
// numeric flag its limits; the tests find everything else.

// commandLines are arguments with which each verb opens its files.
var commandLines = map[string]string{
	"":                      "--plain --benchmark starter --tasks 1",
	"compare":               "results other",
	"completion bash":       "",
	"completion fish":       "",
	"completion powershell": "",
	"completion zsh":        "",
	"difficulty accept":     "round.jsonl --estimator ann --task add",
	"difficulty browse":     "responses.csv --tasks tasks.json",
	"difficulty estimate":   "round.jsonl --estimator ann",
	"difficulty items":      "responses.csv",
	"difficulty simulate":   "items.json --splits 1 --respondents 4 --sizes 2",
	"difficulty refuse":     "round.jsonl --estimator ann --task add --reason unclear",
	"difficulty report":     "analysis --quick",
	"difficulty round":      "next.jsonl --tasks tasks.json",
	"difficulty status":     "round.jsonl",
	"difficulty":            "responses.csv --quick --tasks tasks.json",
	"doctor":                "",
	"eval export":           "samples.jsonl --tasks tasks.json --to evalplus --out -",
	"eval":                  "samples.jsonl --tasks tasks.json --run-only",
	"help":                  "",
	"keys":                  "",
	"measure":               "sum.py --reference sum.py",
	"models check":          "rehearsal",
	"models add":            "m --at http://127.0.0.1:1/v1 --unchecked",
	"models init":           "",
	"models list":           "",
	"models path":           "",
	"models":                "",
	"prompts export":        "prompts.jsonl",
	"prompts review":        "prompts.jsonl --tasks tasks.json --reviewer ann",
	"prompts show":          "tasks.json",
	"prompts status":        "prompts.jsonl",
	"prompts templates":     "templates",
	"prompts write":         "--tasks tasks.json --model writer --out written.jsonl --dry-run",
	"prompts":               "",
	"rate adjudicate":       "ratings.jsonl --by eve",
	"rate answers":          "ratings.jsonl --rater ann",
	"rate close":            "ratings.jsonl --by eve",
	"rate judge":            "ratings.jsonl --model rehearsal",
	"rate picks":            "ratings.jsonl",
	"rate plan":             "plan.jsonl last --raters ann,bob",
	"rate power":            "--win-rate 0.6",
	"rate report":           "ratings.jsonl",
	"rate status":           "ratings.jsonl",
	"rate":                  "",
	"report":                "first=results --tasks tasks.json",
	"run batch":             "batch.toml --out run --dry-run",
	"run code":              "results add",
	"run example":           "",
	"run generate":          "--tasks tasks.json --model rehearsal --out run --dry-run",
	"run tester":            "--tasks tasks.json --model nobody",
	"run":                   "",
	"serve invite":          "ann",
	"serve":                 "study.toml --listen 127.0.0.1:0",
	"session copies":        "",
	"session export":        "last",
	"session import":        "--tasks t.csv --attempts a.csv --ratings r.csv",
	"session list":          "",
	"session rebuild":       "",
	"session replay":        "last",
	"session restore":       "copy.db",
	"session salvage":       "copy.db --out salvaged.db",
	"session show":          "last",
	"session verify":        "bundle.assay --no-run",
	"session":               "",
	"settings":              "",
	"study allow":           "last --reason test",
	"study check":           "study.toml",
	"study close":           "last --reason test",
	"study collect":         "bundle.assay --study study.toml",
	"study freeze":          "study.toml",
	"study init":            "new.toml",
	"study join":            "study.toml --plain",
	"study pack":            "study.toml --out places",
	"study plan":            "study.toml",
	"study power":           "study.toml --runs 10 --testers 4 --tasks 2",
	"study reserve":         "study.toml 1",
	"study simulate":        "study.toml",
	"study tour":            "one two", // it would run, whatever directory it is given
	"study unblind":         "study.toml --reason test",
	"study watch":           "",
	"study withdraw":        "last",
	"study":                 "",
	"tasks browse":          "tasks.json",
	"tasks check":           "tasks.json",
	"tasks draw":            "tasks.json",
	"tasks export":          "tasks.json --to csv --lossy",
	"tasks import":          "tasks.json",
	"tasks harden":          "tasks.json --out new --no-sandbox x",
	"tasks harden export":   "harder.jsonl --unreviewed",
	"tasks harden review":   "harder.jsonl --reviewer ann",
	"tasks harden status":   "harder.jsonl",
	"tasks list":            "tasks.json",
	"tasks scenario":        "execution tasks.json --out new",
	"tasks from-git":        "folder --range A..B --out new --no-sandbox x",
	"tasks new":             "folder --prompt prompt.md --reference sum.py --no-sandbox x",
	"tasks show":            "tasks.json add",
	"tasks stats":           "tasks.json",
	"tasks":                 "",
	"upgrade":               "tasks.json",
	"version":               "",
	"worker":                "--nats bad://127.0.0.1",
}

// treeFiles are files that the lines name and no verb creates.
var treeFiles = map[string]string{
	"tasks.json":    `{"assay_benchmark": 1, "name": "one", "tasks": [{"id": "add", "title": "Add", "language": "python", "entry_point": "add", "description": "Add two numbers.", "reference": "def add(a, b):\n    return a + b\n", "tests": {"style": "asserts", "asserts": ["assert add(1, 2) == 3"]}}]}`,
	"samples.jsonl": `{"task_id": "add", "solution": "def add(a, b):\n    return a + b\n"}` + "\n",
	"harder.jsonl": `{"assay_hardened":1,"benchmark":"one","author":{"name":"","provider":"","definition":""},"templates":"","reviewers":1}
{"proposed":{"task":{"id":"add-tally","title":"Add","language":"python","entry_point":"add","description":"Add many numbers.","reference":"def add(xs):\n    return sum(xs)\n","tests":{"style":"calls","cases":[{"args":[[1,2]],"expected":3}]}},"from":["add"],"hashes":["0"],"original":"Add two numbers.","change":"tally","at":"2026-01-01T00:00:00Z"}}
{"kept":{"tasks":["add-tally"],"at":"2026-01-01T00:00:00Z"}}
`,
	"harder.review.jsonl": `{"assay_prompts":1,"benchmark":"one-hard","author":{"name":"","provider":"","definition":""},"templates":"","reviewers":1}
{"candidate":{"task":"add-tally","basis":"a2dcaba9fb13dd3c","level":1,"wording":1,"number":1,"text":"Add many numbers.","author":"","asked":0,"tokens_in":0,"tokens_out":0,"at":"2026-01-01T00:00:00Z"}}
{"decision":{"task":"add-tally","level":1,"wording":1,"number":1,"reviewer":"ann","verdict":"accept","at":"2026-01-01T00:00:00Z"}}
`,
	"sum.py":        "def add(a, b):\n    return a + b\n",
	"prompt.md":     "Add two numbers.\n",
	"responses.csv": "task,a,b,c,d\nadd,1,0,1,1\nsub,0,1,1,0\nmul,1,1,0,0\n",
	"t.csv":         "task_id,attempts,satisfied,time_s,type,difficulty\nA,2,1,81,numerical,easy\n",
	"a.csv":         "task_id,attempt,duration_s,satisfied\nA,1,41,0\nA,2,40,1\n",
	"r.csv":         "task_id,accuracy,conciseness\nA,5,4\n",
	"log.json": `{"version": 2, "eval": {"task": "sums", "model": "m"}, "samples": [{"id": "add", "epoch": 1, "messages": [{"role": "user", "content": "Add."}],
 "output": {"completion": "x = 1"}, "scores": {"match": {"value": "C"}}}]}`,
	"batch.toml":         "tasks = \"./tasks.json\"\nmodels = [\"rehearsal\"]\nprompts = [\"level-1\"]\n",
	"models.toml":        "[[model]]\nname = \"writer\"\nprovider = \"command\"\ncommand = [\"sh\", \"-c\", \"echo '<prompt>Add two numbers with add.</prompt>'\"]\n",
	"settings.toml":      "",
	"ratings.jsonl":      "{}\n", // to plan ratings takes outputs, which take a sandbox
	"results/.keep":      "",
	"results.row":        `{"task_id":"add","sample":0,"verdict":"accepted","passed":1,"total":1}` + "\n",
	"templates/.keep":    "",
	"hostile/empty":      "",
	"hostile/binary":     "\x7fELF\x00\x01\xff\xfe\x00\x00",
	"hostile/nested":     strings.Repeat("[", 1<<20),
	"hostile/folder/a/b": "x",
}

// treeSetup are the command lines that create the others.
var treeSetup = []string{
	"study init study.toml",
	"session import --tasks t.csv --attempts a.csv --ratings r.csv",
	"session export --bundle bundle.assay last",
	"difficulty round round.jsonl --tasks tasks.json",
	"difficulty responses.csv --quick --out analysis",
	"difficulty items responses.csv --out items.json",
	"prompts write --tasks tasks.json --model writer --out prompts.jsonl --levels 1 --wordings 1",
}

// tree is a folder in which every command line of the table is valid.
type tree struct {
	t              *testing.T
	pristine, work string
	files          map[string]os.FileInfo // of the working folder, when it was last restored
	ran            int
	out            string        // what the last command line printed
	patience       time.Duration // after which a command line is interrupted
}

func newTree(t *testing.T) *tree {
	t.Helper()
	tr := &tree{t: t, pristine: t.TempDir(), work: t.TempDir(), files: map[string]os.FileInfo{}, patience: treeHang}
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME"} {
		t.Setenv(name, t.TempDir())
	}
	for name, file := range map[string]string{"ASSAY_STORE": "assay.db", "ASSAY_MODELS": "models.toml", "ASSAY_SETTINGS": "settings.toml", "ASSAY_REHEARSAL_PACE": "0"} {
		t.Setenv(name, file)
	}
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	for name, text := range treeFiles {
		path := filepath.Join(tr.pristine, name)
		fatal.If(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fatal.If(t, os.WriteFile(path, []byte(text), 0o644))
	}
	t.Chdir(tr.pristine)
	for _, line := range treeSetup {
		if out, code := tr.run(strings.Fields(line)); code != console.ExitOK {
			t.Fatalf("assay %s: exit code %d\n%s", line, code, out)
		}
	}
	row := treeFiles["results.row"]
	for _, dir := range []string{"results", "other"} {
		fatal.If(t, os.MkdirAll(dir, 0o755))
		fatal.If(t, os.WriteFile(filepath.Join(dir, "results.jsonl"), []byte(row), 0o644))
	}
	store, err := os.ReadFile("assay.db")
	if err == nil {
		err = os.WriteFile("copy.db", store, 0o644)
	}
	fatal.If(t, err)
	tr.makeHostile()
	t.Chdir(tr.work)
	return tr
}

// makeHostile creates files whose content cannot be text.
func (tr *tree) makeHostile() {
	tr.t.Helper()
	fatal.If(tr.t, os.Truncate("hostile/empty", 0))
	sparse, err := os.Create("hostile/sparse")
	if err == nil {
		err = sparse.Truncate(1 << 30)
	}
	if err == nil {
		err = sparse.Close()
	}
	if err == nil {
		err = syscall.Mkfifo("hostile/pipe", 0o600)
	}
	if err == nil {
		err = os.WriteFile("hostile/secret", []byte("x"), 0)
	}
	fatal.If(tr.t, err)
}

// hostileFiles are files that users name by mistake: two kinds, or with $ASSAY_LINES all.
func (tr *tree) hostileFiles() []string {
	if os.Getenv("ASSAY_LINES") == "" { // the others take minutes
		return []string{filepath.Join(tr.pristine, "hostile", "sparse"), filepath.Join(tr.pristine, "hostile", "pipe")}
	}
	list := []string{"/dev/null", "/dev/zero", "missing"}
	for _, name := range []string{"empty", "binary", "nested", "folder", "sparse", "pipe", "secret"} {
		list = append(list, filepath.Join(tr.pristine, "hostile", name))
	}
	return list
}

// unreadable reports whether every verb rejects a hostile file. An empty table of severities is valid.
func unreadable(file string, args []string) bool {
	empty := []string{"empty", "null"}
	if slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--severities=") }) {
		empty = nil
	}
	return slices.Contains(append(empty, "missing", "zero", "binary", "nested", "sparse", "folder"), filepath.Base(file))
}

// renew restores the working folder. It writes only what was changed: all of it would take most of the time.
func (tr *tree) renew() {
	tr.t.Helper()
	for name, text := range treeFiles { // in some of which a verb may have written
		path := filepath.Join(tr.pristine, name)
		if info, err := os.Stat(path); !strings.HasPrefix(name, "hostile/") || name == "hostile/empty" || err == nil && info.Size() == int64(len(text)) {
			continue
		}
		fatal.If(tr.t, os.WriteFile(path, []byte(text), 0o644))
	}
	fatal.If(tr.t, os.Truncate(filepath.Join(tr.pristine, "hostile", "empty"), 0))
	folder := filepath.Join(tr.pristine, "hostile", "folder")
	fatal.If(tr.t, errors.Join(os.RemoveAll(folder), os.MkdirAll(filepath.Join(folder, "a"), 0o755), os.WriteFile(filepath.Join(folder, "a", "b"), []byte("x"), 0o644)))
	fatal.If(tr.t, filepath.Walk(tr.work, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(tr.work, path)
		is, err := os.Lstat(filepath.Join(tr.pristine, name))
		if err == nil && is.IsDir() == info.IsDir() {
			return nil
		}
		if err = os.RemoveAll(path); err == nil && info.IsDir() {
			return filepath.SkipDir
		}
		return err
	}))
	fatal.If(tr.t, filepath.Walk(tr.pristine, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(tr.pristine, path)
		switch {
		case name == "hostile":
			return filepath.SkipDir
		case info.IsDir():
			return os.MkdirAll(filepath.Join(tr.work, name), 0o755)
		}
		return tr.restore(name, info.Mode())
	}))
}

// restore copies a file into the working folder, unless it is there as it was left.
func (tr *tree) restore(name string, mode os.FileMode) error {
	path, was := filepath.Join(tr.work, name), tr.files[name]
	is, err := os.Lstat(path)
	if err == nil && was != nil && os.SameFile(was, is) && is.ModTime().Equal(was.ModTime()) && is.Size() == was.Size() && is.Mode() == was.Mode() {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(tr.pristine, name))
	if err = errors.Join(err, os.RemoveAll(path)); err != nil {
		return err
	}
	if err := os.WriteFile(path, text, mode); err != nil {
		return err
	}
	tr.files[name], err = os.Lstat(path)
	return err
}

// Limits on each command line of the table.
const (
	treePatience = 4 * time.Second  // then a command line that need not succeed is interrupted
	treeHang     = 60 * time.Second // later it is said to hang
	treeMemory   = 300 << 20
)

// run runs a command line in the current folder. It fails the test if the command panics, does not end or
// uses too much memory.
func (tr *tree) run(args []string) (said string, code int) {
	tr.t.Helper()
	tr.ran++
	ctx, stop := context.WithTimeout(tr.t.Context(), tr.patience)
	defer stop()
	var out, errs bytes.Buffer
	before := residentNow(tr.t)
	ended := make(chan int, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				tr.t.Errorf("assay %q panics: %v\n%s", args, p, debug.Stack())
				ended <- -1
			}
		}()
		ended <- Run(ctx, args, &console.IO{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: os.Getenv})
	}()
	select {
	case code = <-ended:
	case <-time.After(tr.patience + treeHang):
		stacks := make([]byte, 1<<20)
		tr.t.Fatalf("assay %q does not end when it is interrupted\n%s", args, stacks[:runtime.Stack(stacks, true)])
	}
	if most := residentMost(tr.t); most-before > treeMemory {
		tr.t.Errorf("assay %q takes %d MB", args, (most-before)>>20)
		debug.FreeOSMemory()
	}
	if code == console.ExitOK && strings.Contains("\n"+errs.String(), "\nassay: ") {
		tr.t.Errorf("assay %q: exit code 0, and an error\n%s", args, errs.String())
	}
	tr.out = out.String()
	return tr.out + errs.String(), code
}

// residentNow is the resident memory of this process, and restarts residentMost.
func residentNow(t *testing.T) int64 {
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		return 0
	}
	return status(t, "VmRSS:")
}

// residentMost is the most memory since residentNow.
func residentMost(t *testing.T) int64 { return status(t, "VmHWM:") }

func status(t *testing.T, name string) int64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == name {
			kb, _ := strconv.ParseInt(fields[1], 10, 64)
			return kb << 10
		}
	}
	return 0
}

// eachVerb calls do with every runnable command.
func eachVerb(t *testing.T, do func(name string, cmd *cobra.Command)) {
	t.Helper()
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Hidden {
			return
		}
		if cmd.Runnable() {
			do(verbOf(cmd), cmd)
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(console.System()))
}

// verbOf is the name of a verb without the program's.
func verbOf(cmd *cobra.Command) string {
	return strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath(), "assay"))
}

// words are the arguments of a verb's line, verb included.
func words(name string) []string {
	return append(strings.Fields(name), strings.Fields(commandLines[name])...)
}

// namesFile reports whether a flag takes a file or folder that is read or written.
func namesFile(f *pflag.Flag) bool {
	what, _ := pflag.UnquoteUsage(f)
	return slices.Contains([]string{"file", "files", "folder", "directory"}, strings.ToLower(what)) || strings.HasSuffix(f.Name, "-file")
}

// reads reports whether a verb reads the file that a flag of its own names whenever it is given.
func reads(f *pflag.Flag) bool {
	return namesFile(f) && !slices.Contains([]string{"out", "bundle", "store", "models", "models-file", "settings"}, f.Name)
}

func TestEveryVerbHasACommandLine(t *testing.T) {
	known := map[string]bool{}
	eachVerb(t, func(name string, _ *cobra.Command) {
		known[name] = true
		if _, has := commandLines[name]; !has {
			t.Errorf("commandLines has no line for assay %s", name)
		}
	})
	for name := range commandLines {
		if !known[name] {
			t.Errorf("there is no verb %q", name)
		}
	}
}

func TestNumberFlagsHaveBounds(t *testing.T) {
	eachVerb(t, func(name string, cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if _, has := f.Value.(*console.Bounded); !has && slices.Contains([]string{"int", "float64", "duration", "intSlice"}, f.Value.Type()) {
				t.Errorf("assay %s: --%s has no bounds", name, f.Name)
			}
		})
	})
}

// edges are numbers that users type by mistake, and programs as tests.
var edges = []string{"0", "-1", "1", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "1e308", "NaN", "Inf", "-Inf", "0.5", "2540400h", "-1s", ""}

// TestNumbersAtTheEdges gives every number flag every edge; of those that it takes the verb runs with one, and with
// all if ASSAY_TESTS is "all".
func TestNumbersAtTheEdges(t *testing.T) {
	tr := newTree(t)
	tr.patience = treePatience
	eachVerb(t, func(name string, cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			b, isBounded := f.Value.(*console.Bounded)
			if !isBounded && f.Value.Type() != "uint64" {
				return
			}
			ran := 0
			for _, text := range edges {
				fresh, _, _ := newRoot(console.System()).Find(strings.Fields(name)) // Set adds to a list
				err := fresh.Flags().Lookup(f.Name).Value.Set(text)
				if err == nil { // then the verb has to live with it
					if ran++; ran > 1 && !sampled.All {
						continue
					}
					tr.renew()
				}
				said, code := tr.run(append(words(name), "--"+f.Name+"="+text))
				if err != nil && code != console.ExitUsage {
					t.Errorf("assay %s --%s=%s: exit code %d, and %v\n%s", name, f.Name, text, code, err, said)
				}
				if isBounded && (text == "-1" || text == "NaN") && b.Min >= 0 && code != console.ExitUsage {
					t.Errorf("assay %s --%s=%s: exit code %d\n%s", name, f.Name, text, code, said)
				}
			}
		})
	})
	t.Logf("%d command lines", tr.ran)
}

// TestHostileFiles gives every file argument and flag hostile files: every third of these command lines runs, and all
// if ASSAY_TESTS is "all".
func TestHostileFiles(t *testing.T) {
	tr := newTree(t)
	tr.patience = treePatience
	tries := 0
	try := func(args []string, hostile string, read bool) {
		t.Helper()
		if tries++; !sampled.OneIn(6, tries) {
			return
		}
		tr.renew()
		if args[0] == "prompts" && args[1] == "templates" { // writes there
			read = false
		}
		said, code := tr.run(args)
		base := filepath.Base(hostile)
		if read && code == console.ExitOK && unreadable(hostile, args) {
			t.Errorf("assay %q: exit code 0\n%.500s", args, said)
		}
		if base == "sparse" && strings.Contains(said, "larger than") && !strings.Contains(said, " MB") {
			t.Errorf("assay %q does not name the limit: %s", args, said)
		}
		if strings.Contains(said, "runtime error:") {
			t.Errorf("assay %q: %s", args, said)
		}
	}
	eachVerb(t, func(name string, cmd *cobra.Command) {
		line := words(name)
		for _, hostile := range tr.hostileFiles() {
			for i, word := range line {
				before, file, named := strings.Cut(word, "=")
				if !named {
					before, file = "", word
				} else {
					before += "="
				}
				if _, err := os.Lstat(filepath.Join(tr.pristine, file)); err == nil && i >= len(strings.Fields(name)) {
					args := slices.Clone(line)
					args[i] = before + hostile
					try(args, hostile, true)
				}
			}
			cmd.Flags().VisitAll(func(f *pflag.Flag) {
				if namesFile(f) && !slices.Contains(line, "--"+f.Name) {
					try(append(slices.Clone(line), "--"+f.Name+"="+hostile), hostile, reads(f))
				}
			})
		}
	})
	for _, path := range []string{"/dev/null", "/dev/zero"} {
		if info, err := os.Stat(path); err != nil || info.Mode()&os.ModeDevice == 0 {
			t.Errorf("%s is %v (%v) afterwards", path, info.Mode(), err)
		}
	}
	t.Logf("%d command lines", tr.ran)
}

// No flag that names a file and another one make a verb panic where its arguments are missing.
func TestPairsOfFlags(t *testing.T) {
	tr := newTree(t)
	tr.patience = treePatience
	tr.renew()
	eachVerb(t, func(name string, cmd *cobra.Command) {
		var files, others []string
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			switch {
			case f.Name == "listen" || f.Name == "fleet" || f.Name == "metrics":
			case namesFile(f):
				files = append(files, "--"+f.Name+"=study.toml")
			case f.Value.Type() != "bool":
				others = append(others, "--"+f.Name+"=a=b")
			}
		})
		if first, _, _ := strings.Cut(commandLines[name], " "); first == "" || strings.HasPrefix(first, "--") {
			return // it takes no arguments, and would work
		}
		for _, file := range files {
			for _, other := range others {
				tr.run(append(strings.Fields(name), file, other))
			}
		}
	})
	t.Logf("%d command lines", tr.ran)
}

// Random command lines: any verb with any flags, values and files. $ASSAY_LINES is their number,
// $ASSAY_LINES_SEED the first seed.
func TestRandomCommandLines(t *testing.T) {
	n, seed := 50, uint64(1)
	if text := os.Getenv("ASSAY_LINES"); text != "" {
		n, _ = strconv.Atoi(text)
		seed = rand.Uint64()
	}
	if text := os.Getenv("ASSAY_LINES_SEED"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	t.Logf("ASSAY_LINES=%d ASSAY_LINES_SEED=%d", n, seed)
	tr := newTree(t)
	tr.patience = treePatience
	var names []string
	cmds := map[string]*cobra.Command{}
	eachVerb(t, func(name string, cmd *cobra.Command) { names, cmds[name] = append(names, name), cmd })
	draw := rand.New(rand.NewPCG(seed, 0))
	one := func(list []string) string { return list[draw.IntN(len(list))] }
	texts := append(slices.Clone(edges), "last", "all", "nobody", "a,b,,c", "\x1b[31m", "\xff", "../..", strings.Repeat("x", 10_000), "difficulty:hard", "=", "a=b")
	files := tr.hostileFiles()
	for name := range treeFiles {
		files = append(files, name)
	}
	slices.Sort(files)
	codes, wrongs := map[int]int{}, 0
	for i := range n {
		name, wrong := one(names), false // it names a file that cannot be read
		args := strings.Fields(name)
		if draw.IntN(4) > 0 {
			args = words(name)
		}
		var flags []*pflag.Flag
		cmds[name].Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f) })
		for range draw.IntN(4) {
			if len(flags) == 0 || draw.IntN(5) == 0 {
				args = append(args, one(slices.Concat(texts, files)))
				continue
			}
			switch f := flags[draw.IntN(len(flags))]; {
			case f.Value.Type() == "bool":
				args = append(args, "--"+f.Name)
			case namesFile(f):
				file := one(files)
				args = append(args, "--"+f.Name+"="+file)
				wrong = wrong || reads(f) && unreadable(file, args)
			case f.Name == "listen" || f.Name == "fleet" || f.Name == "metrics":
			default:
				args = append(args, "--"+f.Name+"="+one(texts))
			}
		}
		if at := slices.IndexFunc(args, func(a string) bool { return draw.IntN(20) == 0 }); at >= len(strings.Fields(name)) {
			if file := one(slices.Concat(texts, files)); !strings.HasPrefix(args[at], "--") && !(at > 0 && strings.HasPrefix(args[at-1], "--")) {
				_, err := os.Lstat(filepath.Join(tr.pristine, args[at]))
				wrong = wrong || err == nil && unreadable(file, args) && !strings.HasPrefix(name, "prompts templates")
				args[at] = file
			} else {
				wrong, args[at] = false, file // a flag's value may now belong to another flag
			}
		}
		tr.renew()
		said, code := tr.run(args)
		codes[code]++
		if wrong {
			wrongs++
			if code == console.ExitOK && !strings.Contains(said, "Usage:") {
				t.Errorf("assay %q names a file that cannot be read: exit code 0\n%.1000s", args, said)
			}
		}
		if t.Failed() {
			t.Fatalf("line %d of seed %d", i, seed)
		}
	}
	t.Logf("exit codes: %v; %d lines named a file that cannot be read", codes, wrongs)
}
