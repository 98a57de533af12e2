package judge

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/data/language"
	"assay/data/sampled"
)

// Programs of C and C++ are compiled by their task's standard, else by the usual one, else by the newest.
func TestStandards(t *testing.T) {
	const (
		newer  = "#include <iostream>\nconstexpr int twice(auto n) { if consteval { return 0; } else { return 2 * n; } }\nint main() { int n; std::cin >> n; std::cout << twice(n) << std::endl; }\n" // C++23
		concat = "#include <iostream>\nint main() { int n, concept_ = 2; std::cin >> n; auto f = [](auto x) requires true { return 2 * x; }; std::cout << f(n) << std::endl; }\n"                     // C++20
		older  = "#include <iostream>\nint main() { int requires = 2, n; std::cin >> n; std::cout << requires * n << std::endl; }\n"                                                                  // until C++17
		broken = "#include <iostream>\nint main() { return undefined_name; }\n"
		inC    = "#include <stdio.h>\nint main(void) { int n, one = 0'1; if (scanf(\"%d\", &n) != one) return 1; printf(\"%d\\n\", 2 * n); }\n"
	)
	judge := newJudge(t)
	for _, c := range []struct {
		name, language, standard, program string
		want                              verdicts.Verdict
		ran                               string // the end of what names the compiler
	}{
		{"newest", "cpp", "", newer, verdicts.Accepted, ", c++23"},
		{"newer", "cpp", "", concat, verdicts.Accepted, ", c++23"},
		{"usual", "cpp", "", older, verdicts.Accepted, ")"},
		{"none", "cpp", "", broken, verdicts.CompileError, ")"},
		{"chosen", "cpp", "c++20", concat, verdicts.Accepted, ", c++20"},
		{"too old", "cpp", "c++14", concat, verdicts.CompileError, ")"},
		{"too new", "cpp", "c++20", older, verdicts.CompileError, ")"},
		{"newer C", "c", "", inC, verdicts.Accepted, ", c23"},
		{"unknown", "cpp", "c++21", older, verdicts.NotJudged, ""},
		{"without a choice", "python", "3.14", "print(2 * int(input()))", verdicts.NotJudged, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			sampled.Row(t, 6)
			task := &benchmark.Task{ID: "double", Language: c.language, Standard: c.standard, Tests: benchmark.Tests{
				Style: benchmark.Stdin, Runs: []benchmark.Run{{Input: "4\n", Output: "8\n"}}}}
			got, err := judge.Judge(t.Context(), verdicts.Submission{Task: task, Code: c.program})
			if err != nil || got.Verdict != c.want || !strings.HasSuffix(got.Interpreter, c.ran) || strings.HasSuffix(c.ran, ")") && strings.Contains(got.Interpreter, ", c") {
				t.Errorf("%s by %q (%s), want %s by …%q: %v", got.Verdict, got.Interpreter, got.Message, c.want, c.ran, err)
			}
		})
	}
}

// TestOwnLanguages: the manual's entries for languages of one's own judge programs, where those are installed.
func TestOwnLanguages(t *testing.T) {
	page, err := os.ReadFile("../../data/manual/languages.md")
	fatal.If(t, err)
	var entries strings.Builder
	for _, block := range regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		entries.WriteString(block[1])
	}
	file := filepath.Join(t.TempDir(), "languages.toml")
	fatal.If(t, os.WriteFile(file, []byte(entries.String()), 0o600))
	fatal.If(t, language.Load(file))
	t.Cleanup(func() { fatal.If(t, language.Load("")) })
	judge, tried := newJudge(t), 0
	for _, name := range language.Names() {
		e := language.Find(name)
		if !e.Own {
			continue
		}
		tried++
		t.Run(name, func(t *testing.T) {
			sampled.Row(t, 6)
			task := &benchmark.Task{ID: "double", Language: name, Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{Input: "4\n", Output: "8\n"}}},
				Limits: benchmark.Limits{CPUSeconds: 10}}
			ready(t, judge, task)
			if r := judgeCode(t, judge, task, e.Double); r.Verdict != verdicts.Accepted {
				t.Errorf("%s %s %s", r.Verdict, r.Message, r.Stderr)
			}
			if r := judgeCode(t, judge, task, strings.Replace(e.Double, "2 *", "3 *", 1)); r.Verdict != verdicts.WrongAnswer {
				t.Errorf("%s %s %s", r.Verdict, r.Message, r.Stderr)
			}
		})
	}
	if tried < 2 {
		t.Errorf("%d entries in the manual", tried)
	}
}
