package format

import (
	"bytes"
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
	"assay/data/sampled"
)

// Published statements are taken apart: level 1 of a prompt has the description and the signature, level 2 also the constraints,
// level 3 also the examples, so that each word of a statement is in level 3. Two levels are the same where the filters
// no:constraints and no:examples name the task, and nowhere else. MBPP's statements have neither.
func TestPublishedStatements(t *testing.T) {
	const noExample = "38 41 50 83" // the numbers of HumanEval's statements without an example
	counts := map[string]struct{ tasks, constraints, examples int }{
		"HumanEval.jsonl.gz":                  {164, 6, 160},
		"humanevalx_python.jsonl.gz":          {164, 6, 160},
		"humanevalx_cpp.jsonl.gz":             {164, 6, 160},
		"humanevalx_go.jsonl.gz":              {164, 6, 160},
		"humanevalx_java.jsonl.gz":            {164, 6, 160},
		"humanevalx_js.jsonl.gz":              {164, 6, 160},
		"leetcode_v0.3.1_test.jsonl.gz":       {228, 228, 228},
		"codet_mbpp_sanitized.jsonl":          {427, 0, 1},
		"evalplus_MbppPlus_20231114.jsonl.gz": {420, 0, 1},
		"he_example_problem.jsonl":            {1, 0, 0},
	}
	files, err := filepath.Glob(filepath.Join(cmp.Or(os.Getenv("ASSAY_SHARED"), "../../../shared"), "datasets", "*.jsonl*"))
	fatal.If(t, err)
	files = slices.DeleteFunc(files, func(file string) bool { return strings.Contains(file, "_samples") })
	if len(files) == 0 {
		t.Skip("the published files are not here: set ASSAY_SHARED to their folder")
	}
	lacks := map[string]benchmark.Filter{}
	for _, name := range []string{"no:constraints", "no:examples"} {
		lacks[name], err = benchmark.ParseFilter(name)
		fatal.If(t, err)
	}
	for _, whole := range files {
		name := filepath.Base(whole)
		t.Run(name, func(t *testing.T) {
			file := part(t, whole)
			b, err := load(file)
			fatal.If(t, err)
			raw := published(t, file)
			constraints, examples := 0, 0
			for i := range b.Tasks {
				task := &b.Tasks[i]
				texts := [...]string{1: task.PromptText(1), 2: task.PromptText(2), 3: task.PromptText(3)}
				if (texts[1] == texts[2]) != lacks["no:constraints"].Match(task) || (texts[2] == texts[3]) != lacks["no:examples"].Match(task) {
					t.Errorf("%s: levels that are equal are not those whose part is missing: %q, %q", task.ID, task.Constraints, task.Examples)
				}
				if !lacks["no:constraints"].Match(task) {
					constraints++
				}
				if !lacks["no:examples"].Match(task) {
					examples++
				} else if _, number, _ := strings.Cut(task.ID, "/"); counts[name].examples == 160 && !slices.Contains(strings.Fields(noExample), number) {
					t.Errorf("%s: no examples", task.ID)
				}
				if found := shown.FindString(texts[2]); found != "" {
					t.Errorf("%s: %q in level 2:\n%s", task.ID, found, texts[2])
				}
				if found := bounded.FindString(texts[1]); found != "" {
					t.Errorf("%s: %q in level 1:\n%s", task.ID, found, texts[1])
				}
				if head := raw[task.ID].starter(task.EntryPoint); head == "" || !strings.Contains(unspaced(texts[1]), head) {
					t.Errorf("%s: the signature is %q, not that of the starter code, %q", task.ID, task.SignatureText(), head)
				}
				for _, e := range task.Examples {
					if e.Input == "" {
						t.Errorf("%s: an example without an input: %q", task.ID, e)
					}
				}
				parts := *task
				parts.Signature = benchmark.Signature{}
				for w, n := range changed(wordsOf(raw[task.ID].text), wordsOf(parts.Statement())) {
					t.Errorf("%s: %q is %+d times in the parts", task.ID, w, n)
				}
			}
			if want, known := counts[name]; known && sampled.All && (len(b.Tasks) != want.tasks || constraints != want.constraints || examples != want.examples) {
				t.Errorf("%d tasks, %d with constraints, %d with examples, want %+v", len(b.Tasks), constraints, examples, want)
			}
		})
	}
}

// part returns a file with some of the lines of another.
func part(t *testing.T, file string) string {
	t.Helper()
	const oneIn = 8
	f, err := open(file)
	fatal.If(t, err)
	defer f.Close()
	all, err := io.ReadAll(f)
	fatal.If(t, err)
	var some []byte
	n := 0
	for line := range bytes.Lines(all) {
		if sampled.OneIn(oneIn, n) {
			some = append(some, line...)
		}
		n++
	}
	return write(t, strings.TrimSuffix(filepath.Base(file), ".gz"), some)
}

// shown matches what only examples have.
var shown = regexp.MustCompile(`(?i)>>>|➞|\bexamples?\b\s*\d*\s*:|for example|\bassert\b`)

// bounded matches a heading of constraints.
var bounded = regexp.MustCompile(`(?mi)^\W*constrain(?:ts?|s)?\W*:`)

// original is what a file says of a task: its statement and its starter code.
type original struct{ text, code string }

// published returns the statements in a file, by id.
func published(t *testing.T, file string) map[string]original {
	t.Helper()
	f, err := open(file)
	fatal.If(t, err)
	defer f.Close()
	all := map[string]original{}
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
		all[id] = original{text, cmp.Or(get("starter_code"), get("declaration"), get("prompt")+"\n"+get("canonical_solution"))}
	}
}

// starter returns the head of a function in a task's starter code as a prompt has it, without spaces. MBPP+ has no starter code,
// and its solution's head is taken. A head with default values is stated by name alone.
func (o original) starter(entry string) string {
	heads := regexp.MustCompile(`(?m)^def\s+(`+regexp.QuoteMeta(entry)+`\s*\(.*\).*):`).FindAllStringSubmatch(o.code, -1)
	all := strings.Split(strings.TrimSpace(o.code), "\n")
	head := all[len(all)-1]
	if len(heads) > 0 {
		head = heads[len(heads)-1][1]
	}
	if strings.ContainsAny(head, "=*") && len(heads) > 0 {
		head = entry
	}
	return unspaced(head)
}

func unspaced(text string) string { return strings.Join(strings.Fields(text), "") }

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
