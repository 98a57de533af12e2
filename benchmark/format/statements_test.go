package format

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/statement"
	"assay/data/fatal"
)

// Published statements are taken apart: what each level of a prompt contains, by data set. MBPP's statements have
// neither constraints nor examples.
func TestPublishedStatements(t *testing.T) {
	const noExample = "38 41 50 83" // the numbers of HumanEval's statements without an example
	for _, tt := range []struct {
		file                         string
		tasks, constraints, examples int
	}{
		{"HumanEval.jsonl.gz", 164, 6, 160},
		{"humanevalx_python.jsonl.gz", 164, 6, 160},
		{"humanevalx_cpp.jsonl.gz", 164, 6, 160},
		{"humanevalx_go.jsonl.gz", 164, 6, 160},
		{"humanevalx_java.jsonl.gz", 164, 6, 160},
		{"humanevalx_js.jsonl.gz", 164, 6, 160},
		{"leetcode_v0.3.1_test.jsonl.gz", 228, 228, 228},
		{"codet_mbpp_sanitized.jsonl", 427, 0, 1},
		{"evalplus_MbppPlus_20231114.jsonl.gz", 420, 0, 1},
	} {
		t.Run(tt.file, func(t *testing.T) {
			file := filepath.Join(os.Getenv("ASSAY_SHARED"), "datasets", tt.file)
			if _, err := os.Stat(file); os.Getenv("ASSAY_SHARED") == "" || err != nil {
				t.Skip("the published files are not here: set ASSAY_SHARED to their folder")
			}
			b, err := load(file)
			fatal.If(t, err)
			constraints, examples := 0, 0
			for i := range b.Tasks {
				task := &b.Tasks[i]
				if len(task.Constraints) > 0 {
					constraints++
				} else if tt.constraints > 6 {
					t.Errorf("%s: no constraints", task.ID)
				}
				if len(task.Examples) > 0 {
					examples++
				} else if _, number, _ := strings.Cut(task.ID, "/"); tt.examples == 160 && !slices.Contains(strings.Fields(noExample), number) {
					t.Errorf("%s: no examples", task.ID)
				}
				if found := shown.FindString(task.PromptText(2)); found != "" && tt.examples > 1 {
					t.Errorf("%s: %q in level 2:\n%s", task.ID, found, task.PromptText(2))
				}
				if strings.Contains(task.PromptText(1), "Constraints") {
					t.Errorf("%s: constraints in level 1:\n%s", task.ID, task.PromptText(1))
				}
				for _, e := range task.Examples {
					if e.Input == "" {
						t.Errorf("%s: an example without an input: %q", task.ID, e)
					}
				}
			}
			if len(b.Tasks) != tt.tasks || constraints != tt.constraints || examples != tt.examples {
				t.Errorf("%d tasks, %d with constraints, %d with examples, want %+v", len(b.Tasks), constraints, examples, tt)
			}
			raw := published(t, file)
			for i := range b.Tasks {
				task := b.Tasks[i]
				task.Signature = benchmark.Signature{}
				for w, n := range changed(wordsOf(raw[task.ID]), wordsOf(task.Statement())) {
					t.Errorf("%s: %q is %+d times in the parts", task.ID, w, n)
				}
			}
		})
	}
}

// shown matches what only examples have.
var shown = regexp.MustCompile(`(?i)>>>|➞|\bexamples?\b\s*\d*\s*:|for example|\bassert\b`)

// published returns the statements in a file, by id.
func published(t *testing.T, file string) map[string]string {
	t.Helper()
	f, err := open(file)
	fatal.If(t, err)
	defer f.Close()
	all := map[string]string{}
	l := &lines{path: file, file: f}
	for {
		fields, err := l.record()
		if errors.Is(err, io.EOF) {
			return all
		}
		fatal.If(t, err)
		get := func(name string) (text string) {
			_ = json.Unmarshal(fields[name], &text)
			return text
		}
		id, prompt := get("task_id"), get("prompt")
		text := cmp.Or(get("problem_description"), get("text"))
		if _, described := describe(prompt, strings.TrimSpace(get("entry_point"))); text == "" {
			text = described
		}
		if text == "" && fields["declaration"] != nil {
			text, _ = statement.Comments(prompt)
		}
		if id == "" { // MBPP+
			id, err = l.evalPlusID(fields["task_id"])
			fatal.If(t, err)
			text = prompt
		}
		if text == "" {
			text = "Complete this code:\n" + prompt
		}
		all[id] = text
	}
}

var (
	numbering = regexp.MustCompile(`(?mi)^\s*\d+[.)]\s|\bexample \d+`)
	word      = regexp.MustCompile(`[\pL\d]+`)
	// words of headings, and between a call and its result
	headings = strings.Fields("example examples examble samples for some here are input output explanation constraints constrain assert returns should return be")
)

// wordsOf counts the words of a statement without those of headings.
func wordsOf(text string) map[string]int {
	count := map[string]int{}
	for _, w := range word.FindAllString(strings.ToLower(numbering.ReplaceAllString(text, "")), -1) {
		if !slices.Contains(headings, w) {
			count[w]++
		}
	}
	return count
}

// changed returns how many more of each word there are.
func changed(from, to map[string]int) map[string]int {
	more := maps.Clone(to)
	for w, n := range from {
		more[w] -= n
	}
	maps.DeleteFunc(more, func(_ string, n int) bool { return n == 0 })
	return more
}
