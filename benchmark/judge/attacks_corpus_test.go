package judge

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/data/language"
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
// mostly do; "loose" ones are scripts that compare by what a program can define itself. Variants of the styles "calls"
// and "stdin" take turns with the rules of comparison. Files named "honest" are right, and are accepted.

// attackTests are what the styles need beside the answer, by language and task.
type attackTests struct{ script, loose, print string }

var (
	attackHeader = regexp.MustCompile(`(?m)^(?://|#|--) (\w+) ?([:=]) (.*)\n`)
	attackCases  = map[string]string{"number": `[{"args":[3],"expected":6},{"args":[10],"expected":20}]`, "list": `[{"args":[3],"expected":[3,6]},{"args":[10],"expected":[10,20]}]`}
	attackRuns   = map[string][]benchmark.Run{"number": {{Input: "3", Output: "6"}, {Input: "10", Output: "20"}}, "list": {{Input: "3", Output: "3 6"}, {Input: "10", Output: "10 20"}}}
)

// What variants of the styles "calls" and "stdin" are compared by, in turn.
var (
	attackCompares = []benchmark.Compare{benchmark.Exact, benchmark.Close, benchmark.AnyOf, benchmark.ByChecker, benchmark.Unordered}
	attackOutputs  = []benchmark.OutputCompare{benchmark.Lines, benchmark.Tokens, benchmark.Decimals, benchmark.OutputByChecker}
	attackCheckers = map[string]string{
		"number": "def accept(got, expected, *more):\n    return abs(float(got) - float(expected)) < 0.5\n",
		"list":   "def accept(got, expected, *more):\n    got, expected = [v.split() if type(v) is str else v for v in (got, expected)]\n    return len(got) == len(expected) and all(abs(float(a) - float(b)) < 0.5 for a, b in zip(got, expected))\n",
	}
)

// corpusAttack is one variant of an attack in one style.
type corpusAttack struct {
	name, language, task, style, code string
	turn                              int
	verdicts                          []string
}

func (a corpusAttack) honest() bool { return strings.Contains(a.name, "/honest") }

// ruled returns tests by the rule of the attack's turn.
func (a corpusAttack) ruled(t *testing.T) (tests benchmark.Tests) {
	if a.style == "stdin" {
		tests = benchmark.Tests{Style: benchmark.Stdin, Runs: slices.Clone(attackRuns[a.task])}
		for i := range tests.Runs {
			if tests.Runs[i].Compare = attackOutputs[a.turn%len(attackOutputs)]; tests.Runs[i].Compare == benchmark.OutputByChecker {
				tests.Checker = attackCheckers[a.task]
			}
		}
		return tests
	}
	tests.Style = benchmark.Calls
	fatal.If(t, json.Unmarshal([]byte(attackCases[a.task]), &tests.Cases))
	rules := attackCompares
	if a.task != "list" {
		rules = rules[:len(rules)-1]
	}
	for i := range tests.Cases {
		c := &tests.Cases[i]
		switch c.Compare = rules[a.turn%len(rules)]; c.Compare {
		case benchmark.Close:
			c.Tolerance = 0.001
		case benchmark.AnyOf:
			c.Expected = fmt.Appendf(nil, "[%s]", c.Expected)
		case benchmark.ByChecker:
			tests.Checker = attackCheckers[a.task]
		}
	}
	return tests
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
			all = append(all, corpusAttack{name, language, task, style, code, i, strings.Split(verdicts[i%len(verdicts)], "|")})
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
		task.Tests = a.ruled(t)
		return task, attackSetup[a.language] + a.code
	case "stdin":
		task.Tests = a.ruled(t)
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

// corpus returns the attacks by language.
func corpus(t *testing.T) map[string][]corpusAttack {
	byLanguage := map[string][]corpusAttack{}
	paths, err := filepath.Glob("testdata/attacks/*/*")
	fatal.If(t, err)
	for _, path := range paths {
		for _, a := range expanded(path, string(fatal.Read(t, path))) {
			byLanguage[a.language] = append(byLanguage[a.language], a)
		}
	}
	return byLanguage
}

var updateAttacks = flag.Bool("update-attacks", false, "write the table of attacks in the manual")

// The manual's table has how many attacks of each language and style the corpus has, and how many of them are accepted.
func TestAttackTable(t *testing.T) {
	byLanguage, styles := corpus(t), []string{"calls", "stdin", "script", "loose"}
	var table strings.Builder
	for _, name := range language.Names() {
		attacks, accepted := map[string]int{}, map[string]int{}
		for _, a := range byLanguage[name] {
			if a.honest() {
				continue
			}
			attacks[a.style]++
			if slices.Contains(a.verdicts, string(verdicts.Accepted)) {
				accepted[a.style]++
			}
		}
		if len(attacks) == 0 {
			continue
		}
		table.WriteString("| " + language.Title(name) + " |")
		for _, style := range styles {
			if attacks[style] == 0 {
				table.WriteString(" |")
				continue
			}
			fmt.Fprintf(&table, " %d of %d |", accepted[style], attacks[style])
		}
		table.WriteString("\n")
	}
	page := "../../data/manual/isolation.md"
	text := string(fatal.Read(t, page))
	head := "| language | `calls` | `stdin` | `script` | `script`, loose comparisons |\n|---|---|---|---|---|\n"
	before, rest, found := strings.Cut(text, head)
	old, after, _ := strings.Cut(rest, "\n\n")
	if want := strings.TrimSuffix(table.String(), "\n"); !found || old != want {
		if found && *updateAttacks {
			fatal.If(t, os.WriteFile(page, []byte(before+head+want+"\n\n"+after), 0o644))
			return
		}
		t.Errorf("%s has\n%s\nthe corpus has\n%s\nrun the test with -update-attacks", page, old, want)
	}
}

// TestAttackCorpus judges the corpus in warm and strict boxes: the honest programs of each language and three attacks, or,
// with ASSAY_TESTS=all, all of them in both.
func TestAttackCorpus(t *testing.T) {
	t.Parallel()
	judges := map[string]*Judge{"warm": judgeIn(t, true), "strict": judgeIn(t, false)}
	for language, all := range corpus(t) {
		for box, j := range judges {
			t.Run(language+"/"+box, func(t *testing.T) {
				t.Parallel()
				some, honest := all, slices.DeleteFunc(slices.Clone(all), func(a corpusAttack) bool { return !a.honest() })
				ready(t, j, &benchmark.Task{ID: "a", Language: language, EntryPoint: "f", Tests: benchmark.Tests{Style: benchmark.Script, Script: "x"}})
				all := slices.DeleteFunc(slices.Clone(all), corpusAttack.honest)
				half := len(all) / 2
				switch {
				case sampled.All:
				case box == "warm":
					some = append(honest[:2:2], all[half/3], all[half+half/2])
				default:
					some = append(honest[len(honest)-1:], all[half])
				}
				for _, a := range some {
					if box == "strict" {
						a.turn++
					}
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
	if !slices.Contains(a.verdicts, string(r.Verdict)) || r.Isolation != isolation || r.Verdict == verdicts.Accepted && isolation == verdicts.Isolated && !a.honest() {
		t.Errorf("%s (%s), want one of %v (%s): %q\n%s\n%s", r.Verdict, r.Isolation, a.verdicts, isolation, r.Message, code, r.Stderr)
	}
}
