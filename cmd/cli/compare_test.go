package cli

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/tui/frame"
)

var update = flag.Bool("update", false, "write the golden files anew")

// comparedFiles writes forty tasks of three difficulties, and results in which each digit of the two texts
// is the number of accepted samples, of four, of a task.
func comparedFiles(t *testing.T, accepted ...string) (dir, tasks string) {
	t.Helper()
	dir = t.TempDir()
	tasks = filepath.Join(dir, "tasks.json")
	var all []string
	for i := range accepted[0] {
		difficulty := []string{"easy", "medium", "hard"}[i%3]
		all = append(all, fmt.Sprintf(`{"id":"task/%d","title":"t","difficulty":%q,"language":"python","description":"d"}`, i+1, difficulty))
	}
	files := map[string]string{tasks: `{"assay_benchmark":1,"name":"forty","tasks":[` + strings.Join(all, ",") + `]}`}
	for n, counts := range accepted {
		var rows strings.Builder
		for i, c := range counts {
			for s := range 4 {
				verdict, passed := "wrong_answer", 2
				if s < int(c-'0') {
					verdict, passed = "accepted", 4
				}
				fmt.Fprintf(&rows, `{"task_id":"task/%d","sample":%d,"verdict":%q,"passed_tests":%d,"total_tests":4,"content":"x"}`+"\n", i+1, s, verdict, passed)
			}
		}
		files[filepath.Join(dir, fmt.Sprintf("model-%c", 'a'+n), "level-3", "results.jsonl")] = rows.String()
	}
	for path, text := range files {
		fatal.If(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fatal.If(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir, tasks
}

// Every answer fits a screen of 80×24.
func TestCompareOnOneScreen(t *testing.T) {
	const some = "0123401234012340123401234012340123401234"
	for _, c := range []struct {
		name, a, b string
		args       []string
	}{
		{"too-close", some, "1023310332021441122301324013241233401334", nil},
		{"told-apart", some, "1224412344123441234412344123441234412344", []string{"--k", "1,2"}},
		{"equal", some, some, nil},
		{"pass-ratio", some, "0023401134012300123401224012340123301234", []string{"--metric", "pass_ratio@n"}},
		{"fewer-tasks", some, "11234012", nil},
		{"planned", some, "1023310332021441122301324013241233401334", []string{"--effect", "5"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, tasks := comparedFiles(t, c.a, c.b)
			args := append([]string{"compare", filepath.Join(dir, "model-a", "level-3"), filepath.Join(dir, "model-b", "level-3"), "--tasks", tasks}, c.args...)
			code, out, errs := runCLI(t, args...)
			if code != 0 {
				t.Fatalf("exit %d: %s", code, errs)
			}
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			if len(lines) > 23 { // the prompt of the shell has the last
				t.Errorf("%d lines", len(lines))
			}
			for _, line := range lines {
				if frame.Width(line) > 80 {
					t.Errorf("%d columns: %s", frame.Width(line), line)
				}
			}
			path := filepath.Join("testdata", "compare-"+c.name+".txt")
			if *update {
				fatal.If(t, os.WriteFile(path, []byte(out), 0o644))
			}
			want := fatal.Read(t, path)
			if out != string(want) {
				t.Errorf("%s is not as it was; go test -update writes it anew. Now:\n%s", path, out)
			}
		})
	}
}

// If no difference can be shown, the screen says so, and why.
func TestCompareSaysWhyNot(t *testing.T) {
	for _, c := range []struct{ name, a, b, want, not string }{
		{"all alike", "00000", "44444", "(95 %, for tasks like these: -4 to 100; exact p = 0.0625): not enough to tell them apart. With 5 tasks that differ p cannot be below 0.0625.", "on tasks like these"},
		{"eight alike", "00000000", "11111111", "not enough to tell them apart.", "on tasks like these"},
		{"eight solved by one", "00000000", "44444444", "exact p = 0.0078): on tasks like these B is better than A. No task favours A; up to 31 % of such tasks may (95 %).", "cannot"},
		{"one task", "0", "4", "one task does not show how much tasks vary", "on tasks like these"},
		{"five of ten", "0000000000", "4444300000", "With 5 tasks that differ p cannot be below 0.0625. Of 10", "on tasks like these"},
		{"three that differ", "000000", "440400", "With 3 tasks that differ p cannot be below 0.25.", "on tasks like these"},
		{"no difference", "3004", "0124", "The pass@1 of A and B is the same", "points higher"},
	} {
		dir, tasks := comparedFiles(t, c.a, c.b)
		code, out, errs := runCLI(t, "compare", filepath.Join(dir, "model-a", "level-3"), filepath.Join(dir, "model-b", "level-3"), "--tasks", tasks)
		said := strings.Join(strings.Fields(out), " ")
		if code != 0 || !strings.Contains(said, c.want) || strings.Contains(said, c.not) {
			t.Errorf("%s: exit %d: %s%s", c.name, code, errs, out)
		}
	}
}

// Differences of tenths add up to 0, although binary floats leave 9e-18.
func TestCompareOfNoDifference(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for name, counts := range map[string][]int{"a": {3, 0, 0}, "b": {0, 1, 2}} {
		var rows strings.Builder
		for i, n := range counts {
			for s := range 10 {
				verdict, passed := "wrong_answer", 0
				if s < n {
					verdict, passed = "accepted", 1
				}
				fmt.Fprintf(&rows, `{"task_id":"t%d","sample":%d,"verdict":%q,"passed_tests":%d,"total_tests":1}`+"\n", i, s, verdict, passed)
			}
		}
		path := filepath.Join(dir, name, "results.jsonl")
		fatal.If(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fatal.If(t, os.WriteFile(path, []byte(rows.String()), 0o644))
		paths = append(paths, path)
	}
	code, out, errs := runCLI(t, append([]string{"compare"}, paths...)...)
	if code != 0 || !strings.Contains(out, "The pass@1 of A and B is the same") || !strings.Contains(strings.Join(strings.Fields(out), " "), "no number of tasks is certain enough") {
		t.Errorf("exit %d: %s%s", code, errs, out)
	}
	if code, out, errs = runCLI(t, append([]string{"compare", "--json"}, paths...)...); code != 0 || strings.Contains(out, "e-1") || strings.Contains(out, "e+") {
		t.Errorf("exit %d: %s%s", code, errs, out)
	}
}

func TestCompareJSONAndFull(t *testing.T) {
	dir, tasks := comparedFiles(t, "0123401234", "1023310332")
	a, b := filepath.Join(dir, "model-a", "level-3"), filepath.Join(dir, "model-b", "level-3")
	code, out, errs := runCLI(t, "compare", a, b, "--tasks", tasks, "--json", "--by", "difficulty")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	var x struct {
		Answer struct {
			Metric     string
			Tasks      int
			ToldApart  bool `json:"told_apart"`
			Difference float64
			SolvedBy   map[string]int `json:"solved_by"`
			Next       struct {
				Tasks     float64
				Assurance float64
			} `json:"next_comparison"`
			ByDifficulty []any `json:"by_difficulty"`
		}
		Metrics, Splits []any
	}
	fatal.If(t, json.Unmarshal([]byte(out), &x))
	// By hand: 20 of 40 samples against 18, that is 5 points; all but one task of each is solved.
	if v := x.Answer; v.Metric != "pass@1" || v.Tasks != 10 || v.ToldApart || v.Difference < 0.0499 || v.Difference > 0.0501 || v.Next.Assurance != 0.8 || len(v.ByDifficulty) != 3 {
		t.Errorf("%+v", v)
	}
	if s := x.Answer.SolvedBy; s["only_first"] != 2 || s["only_second"] != 2 || s["both"] != 6 || s["neither"] != 0 {
		t.Errorf("%v", s)
	}
	if len(x.Metrics) != 4 || len(x.Splits) != 1 {
		t.Errorf("%d metrics, %d splits", len(x.Metrics), len(x.Splits))
	}
	if code, out, _ = runCLI(t, "compare", a, b, "--full", "--tasks", tasks, "--by", "difficulty"); code != 0 || !strings.Contains(out, "average_pass_rate") || !strings.Contains(out, "medium") {
		t.Errorf("exit %d: %s", code, out)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--metric", "speed"}, `there is no metric "speed"; there are pass@1, pass_ratio@n`},
		{[]string{"--effect", "200"}, `"200" for "--effect" flag: from 0 to 100`},
		{[]string{"--cluster", "topics"}, "--cluster needs the task fields"},
		{[]string{"--cluster", "colour"}, `there is no field "colour"`},
		{[]string{"--k", "9"}, "needs at least 9 samples"},
	} {
		if code, _, errs := runCLI(t, append([]string{"compare", a, b}, c.args...)...); code == 0 || !strings.Contains(errs, c.want) {
			t.Errorf("%v: exit %d: %s", c.args, code, errs)
		}
	}
}
