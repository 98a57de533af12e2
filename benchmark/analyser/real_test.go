package analyser

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark/sandbox"
	"assay/data/fatal"
	"assay/scoring/quality"
)

var update = flag.Bool("update", false, "record what the installed analysers write")

// samples are the programs that the recorded output in testdata was made from.
var samples = map[string]struct{ language, source string }{
	"bandit":        {"python", "import hashlib\nimport subprocess\n\n\ndef f(name):\n    subprocess.call(\"ls \" + name, shell=True)\n    assert name\n    return hashlib.md5(name).hexdigest()\n"},
	"bandit-hidden": {"python", "def f(x):\n    return eval(x)  # nosec\n"},
	"pylint-hidden": {"python", "# pylint: skip-file\ndef f():\n    return undefined  # pylint: disable=all\n"},
	"eslint-hidden": {"javascript", "/* eslint-disable */\nfunction f(x) { return eval(x); }\nf(1);\n"},
	"gosec-hidden":  {"go", "package main\n\nimport (\n\t\"crypto/md5\" // #nosec\n)\n\nfunc main() { println(md5.Sum([]byte(\"a\"))[0]) } // #nosec\n"},
	"bandit-broken": {"python", "def f(:\n    pass\n"},
	"bandit-clean":  {"python", "def f(a):\n    return a + 1\n"},
	"pylint":        {"python", "def f(a, xs=[]):\n    total += a\n    if a == a:\n        return eval(undefined)\n    return f(1, 2, 3)\n    print(xs)\n"},
	"pylint-broken": {"python", "def f(:\n    pass\n"},
	"pylint-clean":  {"python", "\"\"\"Adds.\"\"\"\n\n\ndef add(one):\n    \"\"\"Adds one.\"\"\"\n    return one + 1\n"},
	"eslint":        {"javascript", "function f(x) {\n  if (x === x) { return eval(x); }\n  else { return eval(x); }\n}\nf(1, 2);\n"},
	"eslint-broken": {"javascript", "function f( {\n"},
	"eslint-clean":  {"javascript", "function f(x) {\n  return x + 1;\n}\nf(1);\n"},
	"gosec":         {"go", "package main\n\nimport (\n\t\"crypto/md5\"\n\t\"fmt\"\n\t\"os\"\n\t\"os/exec\"\n)\n\nfunc main() {\n\tfmt.Println(md5.Sum([]byte(\"a\")))\n\tout, _ := exec.Command(\"sh\", \"-c\", os.Args[1]).Output()\n\tfmt.Println(out)\n}\n"},
	"gosec-broken":  {"go", "package main\n\nfunc main() { fmt.Println( }\n"},
	"gosec-clean":   {"go", "package main\n\nfunc main() { println(1) }\n"},
}

func places() Places { return Places{Path: os.Getenv("ASSAY_ANALYSERS")} }

// The installed analysers give the recorded results in a real sandbox. With -update they are recorded
// again.
func TestReal(t *testing.T) {
	box, err := sandbox.NewBubblewrap()
	if err != nil {
		t.Skip(err)
	}
	defer box.Close()
	if err := box.Probe(context.Background()); err != nil {
		t.Skip(err)
	}
	for _, at := range Find(context.Background(), "", places()) {
		t.Run(at.Name, func(t *testing.T) {
			if at.Analyser == nil {
				t.Skipf("%s (%s)", at.Why, at.Fix)
			}
			a := at.Analyser
			clean := samples[a.Name+"-clean"]
			if r, err := a.Analyse(context.Background(), box, Builtin(), clean.language, []byte(clean.source)); err != nil || r.Analyser != a.Title() {
				t.Fatalf("%v %+v", err, r)
			}
			for name, sample := range samples {
				if name != a.Name && !strings.HasPrefix(name, a.Name+"-") {
					continue
				}
				files := a.tool.files(a, sample.language, sample.source)
				o, err := run(context.Background(), box, append(append([]string{}, a.argv...), a.tool.arguments(a, sample.language)...), a.env, a.binds, files)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if *update {
					text := fmt.Sprintf("%s\n%d\n%s\n%s", a.Version, o.exit, lastLine(o.stderr), o.stdout)
					fatal.If(t, os.WriteFile(filepath.Join("testdata", name+".out"), []byte(text), 0o644))
				}
				r, err := a.result(o, Builtin())
				if err != nil {
					t.Errorf("%s: %v\n%s\n%s", name, err, o.stdout, o.stderr)
					continue
				}
				want := recorded(t, name, a.tool)
				if want.Analyser != "" && want.Analyser != a.Title() || want.Analyser == "" && want.Note != "" && !strings.HasPrefix(want.Note, a.Title()) {
					continue // another version may well find other things
				}
				if summary(r) != summary(want) {
					t.Errorf("%s:\n%s\nrecorded:\n%s", name, summary(r), summary(want))
				}
			}
		})
	}
}

// summary is a result without messages.
func summary(r Result) string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Analysed, r.Note != "")
	for _, f := range r.Findings {
		if f.Dimension != quality.Smell {
			fmt.Fprintln(&b, f.Rule, f.Severity, f.Dimension, f.Line)
		}
	}
	return b.String()
}

// recorded reads recorded output.
func recorded(t *testing.T, name string, tool *tool) Result {
	t.Helper()
	text := fatal.Read(t, filepath.Join("testdata", name+".out"))
	parts := strings.SplitN(string(text), "\n", 4)
	o := output{stdout: []byte(parts[3]), stderr: parts[2]}
	if _, err := fmt.Sscan(parts[1], &o.exit); err != nil {
		t.Fatal(err)
	}
	r, err := (&Analyser{Name: tool.name, Version: parts[0], tool: tool}).result(o, Builtin())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}
