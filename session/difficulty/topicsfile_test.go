package difficulty

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
)

func lettered(n int) *benchmark.Benchmark {
	b := &benchmark.Benchmark{Name: "letters"}
	for i := range n {
		b.Tasks = append(b.Tasks, benchmark.Task{ID: string(rune('a' + i)), Title: "Task", Description: []string{"nested bracket depth", "prime factor divisor", "vowel letter word"}[i%3]})
	}
	return b
}

// edited is a file as edited by a person, with comments in every possible place.
const edited = `# mine: do not lose me
benchmark = "letters"  # which it is
hash = ""
made = "by hand"

# about the first
[[topic]]  # on its header
name = "one" # a good name
words = ["x"]
tasks = [
  "a", "d", # both are easy
  # and this one is not
  "g",
]

# about the second
[[topic]]
# within the second
name = 'two # no comment'
tasks = ["b", "e", "h"] # of two

[[topic]]
name = """three"""
words = []
tasks = ["c", "f", "i"]

# about noise
[noise]
tasks = ["j"] # alone
`

func writeTopics(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "topics.toml")
	fatal.If(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// comments are the comments of edited.
var comments = strings.Split("# mine: do not lose me|# which it is|# about the first|# on its header|# a good name|# both are easy|# and this one is not|# about the second|# within the second|# of two|# about noise|# alone", "|")

func TestTopicsFileKeepsComments(t *testing.T) {
	b := lettered(10)
	path := writeTopics(t, edited)
	f, err := ReadTopicsFile(path, b)
	fatal.If(t, err)
	whole := func(step string) string {
		t.Helper()
		text := fatal.Read(t, path)
		for _, c := range comments {
			if strings.Count(string(text), c) != 1 {
				t.Errorf("%s: %q stands there %d times:\n%s", step, c, strings.Count(string(text), c), text)
			}
		}
		if again, err := ReadTopicsFile(path, b); err != nil || len(again.Topics) != len(f.Topics) {
			t.Errorf("%s: read again: %v", step, err)
		}
		return string(text)
	}
	fatal.If(t, f.Rename(0, `the "first" \ one`))
	if text := whole("renamed"); !strings.Contains(text, `name = "the \"first\" \\ one"  # a good name`) {
		t.Errorf("the name's comment has moved:\n%s", text)
	}
	fatal.If(t, f.Merge(0, 1))
	if whole("merged"); len(f.Topics) != 2 || strings.Join(f.Topics[0].Tasks, "") != "adgbeh" || f.Topics[0].Name != `the "first" \ one` {
		t.Errorf("merged: %+v", f.Topics)
	}
	if words := strings.Join(f.Topics[0].Words, " "); !strings.Contains(words, "bracket") || !strings.Contains(words, "prime") {
		t.Errorf("the words are %s", words)
	}
	if err := f.Merge(1, 0); err != nil { // into one that comes later
		t.Fatal(err)
	}
	if whole("merged again"); len(f.Topics) != 1 || f.Topics[0].Name != "three" || len(f.Topics[0].Tasks) != 9 {
		t.Errorf("merged again: %+v", f.Topics)
	}
	for range 3 {
		fatal.If(t, f.Undo())
	}
	if text := whole("undone"); text != edited || f.Undoable() || len(f.Topics) != 3 {
		t.Errorf("undone:\n%s", text)
	}
	if err := f.Undo(); err == nil {
		t.Error("more is undone than was done")
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("others may read it: %v", info.Mode())
	}
}

func TestTopicsFileRefuses(t *testing.T) {
	b := lettered(10)
	for _, row := range []struct{ old, new, want string }{
		{`"letters"`, `"digits"`, `topics.toml:2: benchmark: the topics are of "digits"`},
		{`made = "by hand"`, `made = ""`, "topics.toml:4: made: "},
		{`"g",`, `"z",`, `topics.toml:10: topic.0.tasks: there is no task "z"`},
		{`"g",`, ``, `topics.toml:10: topic.0.tasks: a topic has at least 3 tasks, and "one" has 2`},
		{`"b", "e"`, `"b", "a"`, `topics.toml:20: topic.1.tasks: the task "a" is in the topic "one" already`},
		{`["j"]`, `["a"]`, `topics.toml:29: noise.tasks: the task "a" is in the topic "one" already`},
		{`"""three"""`, `"one"`, `topics.toml:23: topic.2.name: "one" is the name of another topic`},
		{`"""three"""`, `""`, `topics.toml:23: topic.2.name: a topic needs a name`},
		{`"""three"""`, `"a\u001b[2J"`, `topics.toml:23: topic.2.name: the name "a\x1b[2J" holds characters`},
		{`words = []`, `wrods = []`, `topics.toml:24: topic.2.wrods: the key is not known`},
		{`words = ["x"]`, `words = "x"`, `topics.toml:9: `},
		{`["x"]`, `["\u202e"]`, `topics.toml:9: topic.0.words: the word`},
		{`tasks = ["c", "f", "i"]`, `tasks = ["c", "f"`, `topics.toml:`},
	} {
		text := strings.Replace(edited, row.old, row.new, 1)
		if text == edited {
			t.Fatalf("%s is not there", row.old)
		}
		if _, err := ReadTopicsFile(writeTopics(t, text), b); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s for %s: %v, want %s", row.new, row.old, err, row.want)
		}
	}
	if _, err := ReadTopicsFile(filepath.Join(t.TempDir(), "none"), b); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	f, err := ReadTopicsFile(writeTopics(t, edited), b)
	fatal.If(t, err)
	for name, change := range map[string]func() error{
		"is the name of another": func() error { return f.Rename(0, "three") },
		"needs a name":           func() error { return f.Rename(0, " ") },
		"of several lines":       func() error { return f.Rename(0, "a\nb") },
		"two topics":             func() error { return f.Merge(1, 1) },
		"changed meanwhile": func() error {
			if err := os.WriteFile(f.Path, []byte(edited+"# more\n"), 0o600); err != nil {
				return err
			}
			return f.Rename(0, "four")
		},
	} {
		if err := change(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	inline := strings.Replace(edited, "[[topic]]\nname = \"\"\"three\"\"\"\nwords = []\ntasks = [\"c\", \"f\", \"i\"]\n", "[[topic]]\n\"name\" = \"three\"\n\"tasks\" = [\"c\", \"f\", \"i\"]\n", 1)
	if f, err = ReadTopicsFile(writeTopics(t, inline), b); err != nil {
		t.Fatal(err)
	}
	if err := f.Rename(2, "four"); err != nil {
		t.Errorf("a quoted key is not changed: %v", err)
	}
}

// A written file is read back unchanged, and reports other tasks.
func TestCreateTopicsFile(t *testing.T) {
	b := lettered(18)
	ids := []string{}
	for i := range b.Tasks {
		ids = append(ids, b.Tasks[i].ID)
	}
	g, err := FindTopics(t.Context(), b, ids, nil, "")
	if err != nil || len(g.Topics) < 2 {
		t.Fatalf("%+v, %v", g, err)
	}
	path := filepath.Join(t.TempDir(), "topics.toml")
	if _, err := CreateTopicsFile(path, b, g); err != nil {
		t.Fatal(err)
	}
	f, err := ReadTopicsFile(path, b)
	if err != nil || f.Changed() || len(f.Topics) != len(g.Topics) || strings.Join(f.Topics[0].Tasks, " ") != strings.Join(g.Topics[0].Tasks, " ") || f.Made != g.Made {
		t.Errorf("read: %+v, %v", f.Grouping, err)
	}
	b.Tasks[0].Description += "."
	if !f.Changed() {
		t.Error("another text is not noticed")
	}
	if _, err := CreateTopicsFile(path, b, g); !errors.Is(err, os.ErrExist) {
		t.Errorf("a file that is there: %v", err)
	}
}
