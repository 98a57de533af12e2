package benchmark

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/data/language"
)

// Check returns the first problem of a task that did not come from [Parse], or nil.
func (t *Task) Check() error {
	if problems := t.problems(); len(problems) > 0 {
		return fmt.Errorf("task %q: %s", t.ID, problems[0])
	}
	return nil
}

// problems lists what is wrong with a task, each with its field and remedy.
func (t *Task) problems() []string {
	var found []string
	add := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	required := []struct{ field, value string }{
		{"id", t.ID}, {"title", t.Title}, {"language", t.Language}, {"description", t.Description},
	}
	for _, r := range required {
		if r.value == "" {
			add("field %q is missing or empty", r.field)
		}
	}
	if t.Difficulty != "" && !slices.Contains(Difficulties[:], t.Difficulty) {
		add("field \"difficulty\": %q is not one of %v", t.Difficulty, Difficulties)
	}
	if !t.Published.Valid() {
		add("field \"published\": %q is not a date; write 2026, 2026-03 or 2026-03-09", t.Published)
	}
	if r := t.HumanPassRate; r != nil && (*r < 0 || *r > 1) {
		add("field \"human_pass_rate\": %v is outside 0 to 1; write a share, not a percentage", *r)
	}
	if n := len(t.ContextLevels); n > MaxContextLevel {
		add("field \"context_levels\": %d statements are given, and there are %d levels", n, MaxContextLevel)
	}
	if err := language.CheckStandard(t.Language, t.Standard); err != nil {
		add("field \"standard\": %v", err)
	}
	for i, p := range t.Signature.Parameters {
		if p.Name == "" {
			add("field \"signature.parameters[%d].name\" is missing or empty", i)
		}
	}
	found = append(found, t.Limits.problems()...)
	found = append(found, t.outputProblems()...)
	found = append(found, t.repositoryProblems()...)
	return append(found, t.testProblems()...)
}

// MaxContextLevel is the number of context levels that TaskEval distinguishes.
const MaxContextLevel = 3

// MaxOutputs is the most output files of a task.
const MaxOutputs = 8

func (t *Task) outputProblems() []string {
	var found []string
	if len(t.Outputs) > MaxOutputs {
		found = append(found, fmt.Sprintf("field \"outputs\": %d files are declared, and at most %d are copied", len(t.Outputs), MaxOutputs))
	}
	if len(t.Outputs) > 0 && !t.HasTests() {
		found = append(found, "field \"outputs\": the task has no tests, so no program runs that could write files; give it tests, for example of style \"script\"")
	}
	for i, name := range t.Outputs {
		why := outputProblem(name)
		if why == "" && slices.Contains(t.Outputs[:i], name) {
			why = "it is declared twice"
		}
		if why != "" {
			found = append(found, fmt.Sprintf("field \"outputs[%d]\": %q: %s", i, name, why))
		}
	}
	return found
}

// outputProblem returns why a name is not a plain relative path, or "".
func outputProblem(name string) string {
	switch {
	case name == "":
		return "the name is empty"
	case strings.HasPrefix(name, "/"):
		return "the path begins with /; write it relative to the working directory"
	case len(name) > 200:
		return "the name is longer than 200 bytes"
	case !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "the name has characters that cannot be printed"
	case name == "." || !fs.ValidPath(name):
		return "write a plain path without . and .. and without double or final slashes"
	}
	return ""
}

func (l Limits) problems() []string {
	var found []string
	for _, f := range []struct {
		name  string
		value float64
		most  float64
	}{
		{"cpu_seconds", l.CPUSeconds, 3600}, {"cpu_total", l.CPUTotal, 36000}, {"wall_seconds", l.WallSeconds, 36000},
		{"memory_mb", float64(l.MemoryMB), 1 << 20}, {"processes", float64(l.Processes), 4096},
		{"output_kb", float64(l.OutputKB), 1 << 20}, {"file_mb", float64(l.FileMB), 1 << 20},
	} {
		if f.value < 0 || f.value > f.most {
			found = append(found, fmt.Sprintf("field \"limits.%s\": %v is outside 0 (the default) to %v", f.name, f.value, f.most))
		}
	}
	return found
}

func (c Case) problem() string {
	switch {
	case len(c.Expected) == 0 && c.Raises == "":
		return "it has neither \"expected\" nor \"raises\""
	case len(c.Expected) > 0 && c.Raises != "":
		return "it has both \"expected\" and \"raises\"; keep one"
	case !slices.Contains([]Compare{"", Exact, Close, Unordered, AnyOf, ByChecker}, c.Compare):
		return fmt.Sprintf("\"compare\": %q is not one of %q, %q, %q, %q, %q", c.Compare, Exact, Close, Unordered, AnyOf, ByChecker)
	case c.Compare == Close && c.Tolerance <= 0:
		return "\"compare\": \"close\" needs a \"tolerance\" above 0"
	case c.Compare == AnyOf && !isList(c.Expected):
		return "\"compare\": \"any_of\" needs a list in \"expected\""
	}
	return ""
}

func isList(value json.RawMessage) bool {
	var list []json.RawMessage
	return json.Unmarshal(value, &list) == nil
}
