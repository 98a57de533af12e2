package rules

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/syntax"
)

// generation is one program that a model wrote.
type generation struct{ name, source string }

// generations reads the sample files next to their task set, assembled as they are run: the prompt and its
// continuation.
func generations(t *testing.T) []generation {
	t.Helper()
	if folder := os.Getenv("ASSAY_RULES_CORPUS"); folder != "" {
		return corpus(t, folder)
	}
	shared := os.Getenv("ASSAY_SHARED")
	if shared == "" {
		t.Skip("needs $ASSAY_SHARED, which holds the generations")
	}
	prompts := map[string]string{}
	for _, row := range lines(t, filepath.Join(shared, "datasets", "HumanEval.jsonl.gz")) {
		prompts[row["task_id"].(string)] = row["prompt"].(string)
	}
	files, _ := filepath.Glob(filepath.Join(shared, "samples", "models", "*.jsonl"))
	files = append(files, filepath.Join(shared, "samples", "gpt4_oneshot_humaneval.jsonl"))
	var list []generation
	for _, file := range files {
		for _, row := range lines(t, file) {
			task := row["task_id"].(string)
			source := prompts[task]
			if c, ok := row["completion"].(string); ok {
				source += c
			} else {
				source += "\n" + row["solution"].(string)
			}
			list = append(list, generation{strings.TrimSuffix(filepath.Base(file), ".jsonl") + " " + task, source})
		}
	}
	return list
}

// corpus reads the Python files of a folder instead: code in use, where hardly any finding of a reliability
// rule is true.
func corpus(t *testing.T, folder string) []generation {
	t.Helper()
	var list []generation
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".py" {
			return err
		}
		source, err := os.ReadFile(path)
		if err == nil && len(source) < 1<<20 {
			list = append(list, generation{path, string(source)})
		}
		return err
	})
	fatal.If(t, err)
	return list
}

func lines(t *testing.T, path string) []map[string]any {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Skip(err)
	}
	var r io.Reader = bytes.NewReader(raw)
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(r); err != nil {
			t.Fatal(err)
		}
	}
	var list []map[string]any
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		row := map[string]any{}
		fatal.If(t, json.Unmarshal(s.Bytes(), &row))
		list = append(list, row)
	}
	return list
}

// TestReview prints how often each rule fires on real generations, and up to
// $ASSAY_RULES_REVIEW findings of each, chosen at random, to be judged by eye.
// $ASSAY_RULES_ONLY names rules to look at; $ASSAY_RULES_SEED chooses other ones.
func TestReview(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("ASSAY_RULES_REVIEW"))
	if err != nil {
		t.Skip("prints findings to be judged: ASSAY_RULES_REVIEW=10 go test -v -run Review")
	}
	type hit struct {
		generation
		line    int
		message string
	}
	hits := map[string][]hit{}
	all := generations(t)
	for _, g := range all {
		tree, err := syntax.Parse("python", []byte(g.source))
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
			continue
		}
		for _, f := range Check(tree).Findings {
			if d := os.Getenv("ASSAY_RULES_DIMENSION"); d == "" || d == string(f.Dimension) {
				hits[f.Rule] = append(hits[f.Rule], hit{g, f.Line, f.Message})
			}
		}
	}
	var ids []string
	for id := range hits {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	fmt.Printf("%d generations\n", len(all))
	for _, id := range ids {
		fmt.Printf("%6d %s\n", len(hits[id]), id)
	}
	seed, _ := strconv.ParseInt(os.Getenv("ASSAY_RULES_SEED"), 10, 64)
	random := rand.New(rand.NewSource(seed))
	only := os.Getenv("ASSAY_RULES_ONLY")
	for _, id := range ids {
		if only != "" && !strings.Contains(","+only+",", ","+id+",") {
			continue
		}
		list := hits[id]
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for _, h := range list[:min(n, len(list))] {
			fmt.Printf("\n== %s: %s\n   %s, line %d\n%s", id, h.message, h.name, h.line, around(h.source, h.line))
		}
	}
}

// around is the text near a line: from the start of its function, at most 9 lines before and 3 after.
func around(source string, line int) string {
	all := strings.Split(source, "\n")
	var b strings.Builder
	for i := max(1, line-9); i <= min(len(all), line+3); i++ {
		mark := "  "
		if i == line {
			mark = "> "
		}
		fmt.Fprintf(&b, "%s%4d %s\n", mark, i, all[i-1])
	}
	return b.String()
}

// TestDump writes the generations as files into $ASSAY_RULES_DUMP, for other tools.
func TestDump(t *testing.T) {
	folder := os.Getenv("ASSAY_RULES_DUMP")
	if folder == "" {
		t.Skip("writes the generations as files: ASSAY_RULES_DUMP=folder go test -run Dump")
	}
	for i, g := range generations(t) {
		tree, _ := syntax.Parse("python", []byte(g.source))
		kind := "sound"
		if r := Check(tree); !r.Security {
			kind = "broken"
		}
		fatal.If(t, os.WriteFile(filepath.Join(folder, fmt.Sprintf("g%05d_%s.py", i, kind)), []byte(g.source), 0o644))
	}
}
