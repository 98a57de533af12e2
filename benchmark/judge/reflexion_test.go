package judge_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assay/benchmark"
	"assay/benchmark/judge"
)

// reflexionDifferences explains by task where a verdict differs from the recorded one. Each was recorded as solved,
// and rustc 1.95 and the program itself say otherwise without assay: that harness overlooked compiler errors and
// failed assertions.
var reflexionDifferences = map[string]string{
	"HumanEval_7_filter_by_substring": "a brace is missing",
	"HumanEval_12_longest":            "a brace is missing",
	"HumanEval_19_sort_numbers":       "a brace is missing",
	"HumanEval_29_filter_by_prefix":   "a brace is missing",
	"HumanEval_68_pluck":              "its types do not match",
	"HumanEval_71_triangle_area":      "it has a main function of its own",
	"HumanEval_75_is_multiply_prime":  "it is wrong for one of the tests",
	"HumanEval_84_solve":              "a brace is missing",
	"HumanEval_90_next_smallest":      "a brace is missing",
	"HumanEval_95_check_dict_case":    "it is wrong for one of the tests",
	"HumanEval_112_reverse_delete":    "a brace is missing",
	"HumanEval_113_odd_count":         "a brace is missing",
	"HumanEval_115_max_fill":          "it subtracts below zero, an overflow",
	"HumanEval_116_sort_array":        "it calls sorted_by, which no iterator has",
	"HumanEval_118_get_closest_vowel": "it takes the wrong vowel, or calls rev on an iterator that has none",
	"HumanEval_119_match_parens":      "a parenthesis is closed that was not opened",
	"HumanEval_120_maximum":           "a brace is missing",
	"HumanEval_124_valid_date":        "a brace is missing",
	"HumanEval_129_minPath":           "a brace is missing",
	"HumanEval_130_tri":               "it reads beyond the end of a vector",
	"HumanEval_143_words_in_sentence": "a brace is missing",
	"HumanEval_147_get_max_triples":   "a brace is missing",
	"HumanEval_154_cycpattern_check":  "its types do not match",
	"HumanEval_160_do_algebra":        "a brace is missing",
	"HumanEval_162_string_to_md5":     "it uses the crate md5, which was no dependency there either",
}

// TestReflexion compares verdicts on recorded answers in Rust with the published ones. $ASSAY_REFLEXION has files of
// github.com/noahshinn/reflexion, programming_runs/root: HumanEval in Rust, answered
// once by GPT-4, and with Reflexion. Each is its folder's name with .jsonl.
func TestReflexion(t *testing.T) {
	if os.Getenv("ASSAY_REFLEXION") == "" {
		t.Skip("ASSAY_REFLEXION does not name the directory of recorded answers in Rust")
	}
	j, err := judge.New(judge.Options{})
	if err != nil {
		t.Skip(err)
	}
	defer j.Close()
	if err := j.Ready(&benchmark.Task{Language: "rust", Tests: benchmark.Tests{Style: benchmark.Script}}); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{"simple_rust_run.jsonl", "reflexion_plays_with_the_ferris_crab.jsonl"} {
		f, err := os.Open(filepath.Join(os.Getenv("ASSAY_REFLEXION"), path))
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var running sync.WaitGroup
		answers, agree, solved := 0, 0, 0
		slots := make(chan struct{}, j.Workers())
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 8<<20)
		for lines.Scan() {
			var answer struct {
				Name, Solution, Test string
				IsSolved             bool `json:"is_solved"`
			}
			if err := json.Unmarshal(lines.Bytes(), &answer); err != nil {
				t.Fatal(err)
			}
			slots <- struct{}{}
			running.Go(func() {
				defer func() { <-slots }()
				task := &benchmark.Task{ID: answer.Name, Language: "rust", Tests: benchmark.Tests{Style: benchmark.Script, Script: answer.Test}}
				r, err := j.Judge(t.Context(), judge.Submission{Task: task, Code: answer.Solution, Assembly: judge.Program})
				mu.Lock()
				defer mu.Unlock()
				answers++
				if answer.IsSolved {
					solved++
				}
				switch {
				case err != nil:
					t.Error(err)
				case (r.Verdict == judge.Accepted) == answer.IsSolved:
					agree++
				case r.Verdict == judge.Accepted || reflexionDifferences[answer.Name] == "":
					t.Errorf("%s: %s is %s, recorded solved %v: %s", path, answer.Name, r.Verdict, answer.IsSolved, strings.ReplaceAll(r.Message, "\n", " | "))
				}
			})
		}
		running.Wait()
		f.Close()
		t.Logf("%s: %d answers, %d solved as recorded, %d verdicts agree", path, answers, solved, agree)
	}
}
