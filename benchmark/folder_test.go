package benchmark

import (
	"strings"
	"testing"
	"testing/fstest"

	"assay/data/fatal"
)

func folder(files ...string) fstest.MapFS {
	m := fstest.MapFS{"benchmark.json": {Data: []byte(`{"assay_benchmark": 1, "name": "b"}`)}}
	for i := 0; i < len(files); i += 2 {
		if files[i+1] == "" {
			delete(m, files[i])
			continue
		}
		m[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return m
}

const (
	aTask    = `{"title": "A", "language": "python", "description": "d"}`
	variants = `{"title": "A", "description": "d", "entry_point": "f", "tests": {"style": "calls", "cases": [{"args": [1], "expected": 2}]},
		"variants": {"python": {}, "go": {"entry_point": "F", "signature": {"returns": "int"}}, "old": {"language": "python", "id": "x"}}}`
)

func TestLoadFolder(t *testing.T) {
	b, err := LoadFolder(folder(
		"02-b/task.json", aTask, "02-b/reference.py", "r = 1\n", "02-b/answers/1.md", "no task of its own",
		"01-a/task.json", variants, "01-a/reference.py", "py", "01-a/reference.go.txt", "go", "01-a/README", "for people",
		".git/config", "x", "benchmark.schema.json", "x",
	), "dir")
	fatal.If(t, err)
	var got []string
	for _, task := range b.Tasks {
		got = append(got, strings.Join([]string{task.ID, task.Language, task.EntryPoint, task.Signature.Returns, task.Reference}, ","))
	}
	if text := strings.Join(got, " "); text != "a/go,go,F,int,go x,python,f,,py a/python,python,f,,py b,python,,,r = 1\n" {
		t.Errorf("got %q", text)
	}
	if len(b.Tasks[0].Tests.Cases) != 1 {
		t.Error("a variant lacks the cases that all share")
	}
}

// Byte-order marks of editors are in no file's text.
func TestFoldersFromWindows(t *testing.T) {
	files := folder("02-b/task.json", aTask, "02-b/reference.py", "r = 1\n", "02-b/prompt.py", "p = 1\n",
		"02-b/answers/1.md", "---\nrecorded: x\nexpect: accepted\n---\n\ntext\n")
	want, err := LoadFolder(files, "dir")
	fatal.If(t, err)
	for _, f := range files {
		f.Data = append([]byte("\ufeff"), f.Data...)
	}
	got, err := LoadFolder(files, "dir")
	fatal.If(t, err)
	if got.Tasks[0].Hash() != want.Tasks[0].Hash() {
		t.Errorf("got %+v, want %+v", got.Tasks[0], want.Tasks[0])
	}
	if answers, err := ReadAnswers(files); err != nil || len(answers) != 1 || answers[0].Text != "text\n" {
		t.Errorf("%+v, %v", answers, err)
	}
}

// Every error names the file and a remedy.
func TestBadFolders(t *testing.T) {
	for name, row := range map[string]struct {
		files []string
		want  string
	}{
		"no benchmark.json":         {[]string{"benchmark.json", ""}, `"assay_benchmark"`},
		"tasks in benchmark.json":   {[]string{"benchmark.json", "{\"assay_benchmark\": 1, \"name\": \"b\",\n \"tasks\": []}", "a/task.json", aTask}, `dir/benchmark.json:2: field "tasks"`},
		"no tasks":                  {nil, "holds no tasks"},
		"no task.json":              {[]string{"a/reference.py", "x"}, "dir/a/task.json"},
		"cut off":                   {[]string{"a/task.json", "{\n\"title\": "}, "dir/a/task.json:2: the file ends in the middle"},
		"unknown field":             {[]string{"a/task.json", "{\n\"titel\": 1}"}, `dir/a/task.json:2: the task: field "titel"`},
		"unknown field of variant":  {[]string{"a/task.json", `{"title": "A", "description": "d",` + "\n" + `"variants": {"python": {"entry": "f"}}}`}, `dir/a/task.json:2: `},
		"problem of the task":       {[]string{"a/task.json", `{"title": "A", "language": "python"}`}, `task "a": field "description"`},
		"misnamed file":             {[]string{"a/task.json", aTask, "a/refrence.py", "x"}, "dir/a/refrence.py: the file is not read"},
		"file of another language":  {[]string{"a/task.json", aTask, "a/reference.js", "x"}, "dir/a/reference.js: the file is not read"},
		"the same text twice":       {[]string{"a/task.json", aTask, "a/description.md", "x"}, "dir/a/description.md: the same text is given twice"},
		"the same id in two places": {[]string{"1-a/task.json", aTask, "2-a/task.json", aTask}, `dir/2-a/task.json: task "a": the id stands in dir/1-a/task.json already`},
	} {
		if _, err := LoadFolder(folder(row.files...), "dir"); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %v, want %q", name, err, row.want)
		}
	}
}

func TestReadAnswers(t *testing.T) {
	answer := func(task, attempt, more string) string {
		return "---\nrecorded: x\ntask: " + task + "\nattempt: " + attempt + "\n" + more + "---\n\ntext\n"
	}
	files := []string{"a/task.json", aTask}
	for _, n := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"} {
		files = append(files, "a/answers/"+n+".md", answer("a", n, "expect: accepted\n"))
	}
	files = append(files, "07-v/answers/go/1.md", answer("v/go", "1", "expect: wrong_answer\nfault: f\n"), "a/notes.md", "not an answer")
	got, err := ReadAnswers(folder(files...))
	if err != nil || len(got) != 11 || got[10].Attempt != 10 || got[10].Text != "text\n" {
		t.Fatalf("got %+v, %v", got, err)
	}
	if v := got[0]; v.Task != "v/go" || v.Expect != "wrong_answer" || v.Fault != "f" {
		t.Errorf("got %+v", v)
	}
	for name, row := range map[string][2]string{
		"no front matter": {"a/answers/1.md", "text"},
		"another task":    {"a/answers/1.md", answer("b", "1", "expect: accepted\n")},
		"another number":  {"a/answers/1.md", answer("a", "2", "expect: accepted\n")},
		"a gap":           {"a/answers/2.md", answer("a", "2", "expect: accepted\n")},
		"no verdict":      {"a/answers/1.md", answer("a", "1", "")},
		"unknown key":     {"a/answers/1.md", answer("a", "1", "expect: accepted\nverdict: x\n")},
		"no number":       {"a/answers/one.md", answer("a", "one", "expect: accepted\n")},
	} {
		if _, err := ReadAnswers(folder(row[0], row[1])); err == nil || !strings.Contains(err.Error(), "a/answers/") && !strings.Contains(err.Error(), "to a are not numbered") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
