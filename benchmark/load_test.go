package benchmark

import (
	"strings"
	"testing"

	"assay/data/fatal"
)

// task is a valid task; each row of the tests below breaks one thing in it.
const task = `{"id":"a","title":"A","language":"python","entry_point":"f","description":"d",
 "difficulty":"easy","tests":{"style":"calls","cases":[{"args":[1],"expected":2}]}}`

func file(tasks string) string {
	return "{\"assay_benchmark\":1,\n\"name\":\"b\",\n\"tasks\":[\n" + tasks + "\n]}"
}

func TestParseValid(t *testing.T) {
	b, err := Parse("b.json", []byte(file(task)))
	fatal.If(t, err)
	if got, err := b.Task("a"); err != nil || got.Title != "A" {
		t.Fatalf("Task(a) = %v, %v", got, err)
	}
	if _, err := b.Task("z"); err == nil {
		t.Fatal("an unknown id was found")
	}
}

// A file that was saved on Windows has the same tasks.
func TestParseFromWindows(t *testing.T) {
	want, err := Parse("b.json", []byte(file(task)))
	fatal.If(t, err)
	got, err := Parse("b.json", []byte("\ufeff"+strings.ReplaceAll(file(task), "\n", "\r\n")))
	fatal.If(t, err)
	if got.Tasks[0].Hash() != want.Tasks[0].Hash() {
		t.Errorf("got %+v, want %+v", got.Tasks[0], want.Tasks[0])
	}
}

// outputs is a file whose task declares these outputs.
func outputs(names ...string) string {
	return file(strings.Replace(task, `"tests"`, `"outputs":["`+strings.Join(names, `","`)+`"],"tests"`, 1))
}

func TestParseOutputs(t *testing.T) {
	b, err := Parse("b.json", []byte(outputs("plot.png", "out/table 1.csv", "größe.txt", ".hidden", "..a")))
	if err != nil || len(b.Tasks[0].Outputs) != 5 {
		t.Fatalf("%v, %v", b, err)
	}
	plain, err := Parse("b.json", []byte(file(task)))
	if err != nil || plain.Tasks[0].Hash() == b.Tasks[0].Hash() {
		t.Errorf("the outputs are not part of what identifies a task: %v", err)
	}
}

func TestParseProblems(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []string // parts of the message: file and line, task, field, what to do
	}{
		{"empty file", "\n ", []string{"b.json:1:", "empty"}},
		{"not UTF-8 from its first byte", "\xff\xfe{\x00", []string{"b.json:1:", "not UTF-8", "byte 0xff"}},
		{"not JSON", "hello", []string{"b.json:1:", "not valid JSON"}},
		{"a list", "[]", []string{"one JSON object"}},
		{"cut off", file(task)[:120], []string{"b.json:", "ends in the middle"}},
		{"something after", file(task) + "{}", []string{"follows the closing }"}},
		{"no version", `{"name":"b","tasks":[` + task + `]}`, []string{`"assay_benchmark" is missing`}},
		{"newer version", strings.Replace(file(task), ":1", ":2", 1), []string{"newer assay"}},
		{"no name", `{"assay_benchmark":1,"tasks":[` + task + `]}`, []string{`"name" is missing`}},
		{"no tasks", `{"assay_benchmark":1,"name":"b"}`, []string{`"tasks" is missing or empty`}},
		{"unknown top field", `{"assay_benchmark":1,"name":"b","task":[]}`, []string{`unknown field "task"`}},
		{"name of a wrong type", `{"assay_benchmark":1,"name":7,"tasks":[` + task + `]}`, []string{`field "name"`, "a text in quotes is wanted, not a number"}},
		{"missing field", file(strings.Replace(task, `"title":"A",`, "", 1)), []string{"b.json:4:", `task "a"`, `"title" is missing`}},
		{"missing id", file(strings.Replace(task, `"id":"a",`, "", 1)), []string{"task number 1", `"id" is missing`}},
		{"duplicate id", file(task + ",\n" + task), []string{"b.json:6:", `task "a"`, "line 4 already"}},
		{"wrong type", file(strings.Replace(task, `"title":"A"`, `"title":[]`, 1)), []string{"b.json:4:", `task "a"`, `field "title"`, "a text in quotes is wanted, not a array"}},
		{"wrong type on a later line", file(strings.Replace(task, `"difficulty":"easy"`, `"difficulty":3`, 1)), []string{"b.json:5:", `field "difficulty"`}},
		{"unknown field", file(strings.Replace(task, `"title"`, `"titel":1,"title"`, 1)), []string{"b.json:4:", `field "titel" is not known`}},
		{"bad difficulty", file(strings.Replace(task, "easy", "trivial", 1)), []string{`"difficulty": "trivial" is not one of`}},
		{"no expected", file(strings.Replace(task, `,"expected":2`, "", 1)), []string{`tests.cases[0]`, `neither "expected" nor "raises"`}},
		{"unknown style", file(strings.Replace(task, `"calls"`, `"magic"`, 1)), []string{`"tests.style": "magic"`}},
		{"an output outside", outputs("/etc/passwd"), []string{`task "a"`, `"outputs[0]": "/etc/passwd"`, "begins with /"}},
		{"an output above", outputs("plot.png", "a/../../b"), []string{`"outputs[1]": "a/../../b"`, "without . and .."}},
		{"the directory itself", outputs("."), []string{`"outputs[0]": "."`}},
		{"a directory as an output", outputs("out/"), []string{`"outputs[0]": "out/"`, "final slashes"}},
		{"an output without a name", outputs(""), []string{`"outputs[0]"`, "the name is empty"}},
		{"an output with escapes", outputs(`a\u001b[2J`), []string{`"outputs[0]": "a\x1b[2J"`, "cannot be printed"}},
		{"an output with a long name", outputs(strings.Repeat("x", 201)), []string{"longer than 200 bytes"}},
		{"an output twice", outputs("a", "b", "a"), []string{`"outputs[2]": "a": it is declared twice`}},
		{"too many outputs", outputs(strings.Split("abcdefghi", "")...), []string{`"outputs": 9 files`, "at most 8"}},
		{"outputs of the wrong type", file(strings.Replace(task, `"tests"`, `"outputs":"plot.png","tests"`, 1)), []string{`field "outputs"`, "a list"}},
		{"outputs without tests", file(`{"id":"a","title":"A","language":"r","description":"d","outputs":["plot.png"]}`), []string{`"outputs"`, "has no tests"}},
		{"negative limit", file(strings.Replace(task, `"tests"`, `"limits":{"memory_mb":-1},"tests"`, 1)), []string{"limits.memory_mb"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Parse("b.json", []byte(tc.text))
			if err == nil {
				t.Fatal("it was accepted")
			}
			for _, part := range tc.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("message %q lacks %q", err, part)
				}
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(file(task)))
	f.Fuzz(func(t *testing.T, text []byte) {
		if b, err := Parse("b", text); err == nil && len(b.Tasks) == 0 {
			t.Fatal("a benchmark without tasks was accepted")
		}
	})
}
