package judge_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/format"
	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
	"assay/data/language"
	"assay/data/sampled"
)

// bodies are for each language of MultiPL-E what completes the prompts of HumanEval/23 (the length of a string), /53
// (a sum) and /28 (strings joined), up to the first of the dataset's stop words, and what a whole function adds.
var bodies = map[string]struct {
	length, sum, joined string
	wrong               string // instead of sum
	close               string
}{
	"cpp":   {"    return string.length();", "    return x + y;", "    std::string r; for (auto s : strings) r += s; return r;", "    return 7;", "\n}"},
	"cs":    {"        return str.Length;", "        return x + y;", "        return string.Join(\"\", strings);", "        return 7;", "\n    }"},
	"d":     {"{ return string.length; }", "{ return x + y; }", "{ import std.array; return strings.join(\"\"); }", "{ return 7; }", ""},
	"go":    {"    return len(myString)\n}", "    return x + y\n}", "    r := \"\"\n    for _, s := range strings { r += s }\n    return r\n}", "    return 7\n}", ""},
	"java":  {"        return string.length();", "        return x + y;", "        return String.join(\"\", strings);", "        return 7;", "\n    }"},
	"jl":    {"    length(string)\nend", "    x + y\nend", "    join(strings)\nend", "    7\nend", ""},
	"js":    {"  return string.length;\n}", "  return x + y;\n}", "  return strings.join('');\n}", "  return 7;\n}", ""},
	"lua":   {"  return #string\nend", "  return x + y\nend", "  return table.concat(strings)\nend", "  return 7\nend", ""},
	"php":   {"", "    return $x + $y;\n}", "    return implode('', $strings);\n}", "    return 7;\n}", ""},
	"pl":    {"    return length($string);\n}", "    return $x + $y;\n}", "    return join('', @$strings);\n}", "    return 7;\n}", ""},
	"r":     {"  nchar(string)\n}", "  x + y\n}", "  paste(strings, collapse = '')\n}", "  7\n}", ""},
	"rb":    {"  string.length\nend", "  x + y\nend", "  strings.join\nend", "  7\nend", ""},
	"rkt":   {"  (string-length string))", "  (+ x y))", "  (string-append* strings))", "  7)", ""},
	"rs":    {"    string.len() as isize", "    x + y", "    strings.concat()", "    7", "\n}"},
	"scala": {"        string.length.toLong", "        x + y", "        strings.mkString", "        7L", "\n    }"},
	"sh":    {"    echo ${#1}", "    echo $(($1 + $2))", "    echo \"${1// /}\"", "    echo 7", "\n}"},
	"swift": {"    return string.count", "    return x + y", "    return strings.joined()", "    return 7", "\n}"},
	"ts":    {"  return string.length;\n}", "  return x + y;\n}", "  return strings.join('');\n}", "  return 7;\n}", ""},
}

// TestMultiPLEData reads MultiPL-E's tasks in all its languages and judges programs in each that is installed. The
// files humaneval-LANGUAGE.jsonl are in $ASSAY_MULTIPLE; github.com/deepseek-ai/DeepSeek-Coder has them in
// Evaluation/HumanEval/data.
func TestMultiPLEData(t *testing.T) {
	dir := os.Getenv("ASSAY_MULTIPLE")
	if dir == "" {
		t.Skip("ASSAY_MULTIPLE does not name the directory of MultiPL-E's files")
	}
	j, err := judge.New(judge.Options{})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { j.Close() })
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		code := bodies[name]
		t.Run(name, func(t *testing.T) {
			sampled.Row(t, 6)
			t.Parallel()
			b, _, err := format.LoadAs(filepath.Join(dir, "humaneval-"+name+".jsonl"), "")
			if err != nil {
				t.Fatal(err)
			}
			if len(b.Tasks) < 150 {
				t.Errorf("%d tasks", len(b.Tasks))
			}
			judged := 0
			for i := range b.Tasks {
				task := &b.Tasks[i]
				for prefix, body := range map[string]string{"HumanEval_23_": code.length, "HumanEval_53_": code.sum, "HumanEval_28_": code.joined} {
					if !strings.HasPrefix(task.ID, prefix) || body == "" { // PHP has a function strlen that cannot be defined
						continue
					}
					if err := j.Ready(task); err != nil {
						t.Skip(err)
					}
					judged++
					whole := task.Prompt[language.Find(task.Language).DeclaredAt(task.Prompt):]
					verdict(t, j, task, body, assemble.Completion, verdicts.Accepted)
					verdict(t, j, task, whole+body+code.close, assemble.Solution, verdicts.Accepted)
					if prefix == "HumanEval_53_" {
						verdict(t, j, task, code.wrong, assemble.Completion, verdicts.WrongAnswer)
						verdict(t, j, task, whole+code.wrong+code.close, assemble.Solution, verdicts.WrongAnswer)
					}
				}
			}
			if judged == 0 {
				t.Error("no task was judged")
			}
		})
	}
}

func verdict(t *testing.T, j *judge.Judge, task *benchmark.Task, code string, how assemble.Assembly, want verdicts.Verdict) {
	t.Helper()
	r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: code, Assembly: how})
	if err != nil || r.Verdict != want {
		t.Errorf("%s as %s: %v %s, want %s: %s\n%s\n%s", task.ID, how, err, r.Verdict, want, r.Message, r.Stderr, code)
	}
}
