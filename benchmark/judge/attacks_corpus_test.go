package judge

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/data/sampled"
)

// The corpus of attacks: below testdata/attacks programs by language that want to be accepted without computing
// anything. Each begins with comments: which task it is for, its verdict in each style of tests, and values of words in
// it, of which each makes a variant (⏎ is a line break). There is one verdict, or one for each variant in their order.
//
//	// task: list
//	// calls: runtime_error
//	// script: wrong_answer runtime_error|wrong_answer
//	// EXIT = process.exit(0)
//	// EXIT = process.abort()
//
// A task "number" wants f(n) to be 2n, a task "list" [n, 2n]. Tests of style "script" compare as tests of the language
// mostly do; "loose" ones are scripts that compare by what a program can define itself.

// attackTests are what the styles need beside the answer, by language and task.
type attackTests struct{ script, loose, print string }

var (
	attackHeader = regexp.MustCompile(`(?m)^(?://|#|--) (\w+) ?([:=]) (.*)\n`)
	attackCases  = map[string]string{"number": `[{"args":[3],"expected":6},{"args":[10],"expected":20}]`, "list": `[{"args":[3],"expected":[3,6]},{"args":[10],"expected":[10,20]}]`}
	attackRuns   = map[string][]benchmark.Run{"number": {{Input: "3", Output: "6"}, {Input: "10", Output: "20"}}, "list": {{Input: "3", Output: "3 6"}, {Input: "10", Output: "10 20"}}}
)

// corpusAttack is one variant of an attack in one style.
type corpusAttack struct {
	name, language, task, style, code string
	verdicts                          []string
}

// expanded returns the variants of a file in every style that it has verdicts for.
func expanded(path, text string) (all []corpusAttack) {
	styles, words, names, task := map[string]string{}, map[string][]string{}, []string{}, "number"
	for _, m := range attackHeader.FindAllStringSubmatch(text, -1) {
		switch {
		case m[2] == "=":
			if words[m[1]] == nil {
				names = append(names, m[1])
			}
			words[m[1]] = append(words[m[1]], strings.ReplaceAll(m[3], "⏎", "\n"))
		case m[1] == "task":
			task = m[3]
		default:
			styles[m[1]] = m[3]
		}
	}
	text = attackHeader.ReplaceAllString(text, "")
	variants := []string{text}
	for _, name := range names {
		var more []string
		for _, variant := range variants {
			for _, value := range words[name] {
				more = append(more, strings.ReplaceAll(variant, name, value))
			}
		}
		variants = more
	}
	language := filepath.Base(filepath.Dir(path))
	attack, _, _ := strings.Cut(filepath.Base(path), ".")
	for _, style := range slices.Sorted(maps.Keys(styles)) {
		for i, code := range variants {
			name := fmt.Sprintf("%s/%s/%s/%d", language, attack, style, i+1)
			verdicts := strings.Fields(styles[style])
			all = append(all, corpusAttack{name, language, task, style, code, strings.Split(verdicts[i%len(verdicts)], "|")})
		}
	}
	return all
}

// judged returns what the attack is judged by, and its program.
func (a corpusAttack) judged(t *testing.T) (*benchmark.Task, string) {
	tests, known := attackScripts[a.language][a.task]
	if !known {
		t.Fatalf("there are no tests for the task %s in %s", a.task, a.language)
	}
	task := &benchmark.Task{ID: "a", Language: a.language, EntryPoint: "f", Limits: limitsFor(a.language, benchmark.Limits{CPUSeconds: 0.5, CPUTotal: 1, WallSeconds: 2})}
	switch a.style {
	case "calls":
		task.Tests.Style = benchmark.Calls
		fatal.If(t, json.Unmarshal([]byte(attackCases[a.task]), &task.Tests.Cases))
		return task, attackSetup[a.language] + a.code
	case "stdin":
		task.Tests.Style, task.Tests.Runs = benchmark.Stdin, attackRuns[a.task]
		return task, attackSetup[a.language] + a.code + tests.print
	case "script":
		task.Tests.Style, task.Tests.Script = benchmark.Script, tests.script
	case "loose":
		task.Tests.Style, task.Tests.Script = benchmark.Script, tests.loose
	default:
		t.Fatalf("%s has the unknown style %s", a.name, a.style)
	}
	task.Tests.Setup = attackSetup[a.language]
	return task, a.code
}

// TestAttackCorpus judges the corpus in warm and strict boxes: three attacks of each language, or, with
// ASSAY_TESTS=all, all of them in both.
func TestAttackCorpus(t *testing.T) {
	t.Parallel()
	byLanguage := map[string][]corpusAttack{}
	paths, err := filepath.Glob("testdata/attacks/*/*")
	fatal.If(t, err)
	for _, path := range paths {
		for _, a := range expanded(path, string(fatal.Read(t, path))) {
			byLanguage[a.language] = append(byLanguage[a.language], a)
		}
	}
	judges := map[string]*Judge{"warm": judgeIn(t, true), "strict": judgeIn(t, false)}
	for language, all := range byLanguage {
		for box, j := range judges {
			t.Run(language+"/"+box, func(t *testing.T) {
				t.Parallel()
				some := all
				ready(t, j, &benchmark.Task{ID: "a", Language: language, EntryPoint: "f", Tests: benchmark.Tests{Style: benchmark.Script, Script: "x"}})
				half := len(all) / 2
				switch {
				case sampled.All:
				case box == "warm":
					some = []corpusAttack{all[half/3], all[half+half/2]}
				default:
					some = all[half : half+1]
				}
				for _, a := range some {
					t.Run(a.name, func(t *testing.T) { a.judge(t, j) })
				}
			})
		}
	}
}

// judge judges an attack. Only where tests share the answer's process, and the result says so, may one succeed.
func (a corpusAttack) judge(t *testing.T, j *Judge) {
	task, code := a.judged(t)
	isolation := verdicts.Isolated
	if task.Tests.Style == benchmark.Script {
		isolation = verdicts.InProcess
	}
	r := judgeCode(t, j, task, code)
	if !slices.Contains(a.verdicts, string(r.Verdict)) || r.Isolation != isolation || r.Verdict == verdicts.Accepted && isolation == verdicts.Isolated {
		t.Errorf("%s (%s), want one of %v (%s): %q\n%s\n%s", r.Verdict, r.Isolation, a.verdicts, isolation, r.Message, code, r.Stderr)
	}
}
