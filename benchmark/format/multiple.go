package format

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"assay/benchmark"
)

// multiPLELanguages maps MultiPL-E's names to the supported languages, with a pattern for the function that
// the prompt declares.
var multiPLELanguages = map[string]struct {
	language string
	name     *regexp.Regexp
}{
	"cpp":        {"cpp", multiPLECall},
	"go":         {"go", multiPLECall},
	"go_test.go": {"go", multiPLECall},
	"java":       {"java", multiPLECall},
	"js":         {"javascript", multiPLECall},
	"javascript": {"javascript", multiPLECall},
	"py":         {"python", regexp.MustCompile(`(?m)^def\s+(\w+)\s*\(`)},
	"python":     {"python", regexp.MustCompile(`(?m)^def\s+(\w+)\s*\(`)},
	"r":          {"r", regexp.MustCompile(`(?m)^\s*(\w[\w.]*)\s*<-\s*function`)},
	"sh":         {"bash", multiPLECall},
}

// multiPLEName returns MultiPL-E's name for a language.
func multiPLEName(language string) string {
	for _, name := range []string{"cpp", "go", "java", "js", "py", "r", "sh"} {
		if multiPLELanguages[name].language == language {
			return name
		}
	}
	return language
}

// multiPLECall matches the declaration on the last line of a prompt.
var multiPLECall = regexp.MustCompile(`(?m)^.*?(\w+)\s*\(.*\{\s*\z`)

// multiPLETask reads a task of MultiPL-E: HumanEval or MBPP in another language. Program and tests are one
// script. If the dataset's samples end before closing what the prompt opened, the tests start by closing
// it. The stop tokens are only for generating samples.
func multiPLETask(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	values := map[string]string{}
	l.id = "name"
	for _, name := range []string{"name", "language", "prompt", "tests"} {
		value, err := l.text(fields, name, true)
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(value) == "" {
			return nil, l.fail(name, "the field is empty: fill it in")
		}
		values[name] = value
	}
	l10n, known := multiPLELanguages[values["language"]]
	if !known {
		return nil, l.fail("language", fmt.Sprintf("%q cannot be judged here: keep the lines in cpp, go, java, js, py, r or sh", values["language"]))
	}
	task := &benchmark.Task{ID: values["name"], Title: values["name"], Language: l10n.language, Prompt: values["prompt"],
		Tests: benchmark.Tests{Style: benchmark.Script, Script: values["tests"]}}
	names := l10n.name.FindAllStringSubmatch(task.Prompt, -1)
	if len(names) == 0 {
		return nil, l.fail("prompt", "the prompt declares no function: it must end with the beginning of one, which is to be completed")
	}
	task.EntryPoint = names[len(names)-1][1]
	task.Title = task.EntryPoint
	if task.Language == "python" {
		task.Signature, task.Description = describe(task.Prompt, task.EntryPoint)
	} else {
		task.Description = commentIn(task.Prompt)
	}
	switch task.Language {
	case "go":
		// The judge adds the imports that a program needs.
		task.Tests.Setup = "package main\n\n"
		task.Prompt = multiPLEImports.ReplaceAllString(task.Prompt, "")
	case "java":
		asJavaMain(task)
	}
	return task, nil
}

var (
	multiPLEImports = regexp.MustCompile(`(?s)^\s*package \w+\s*(?:import \(.*?\)\s*)?`)
	multiPLEMain    = regexp.MustCompile(`^\s*\}\s*\n(\s*public static void main)`)
	javaTuple       = regexp.MustCompile(`\b(?:Unit|Pair|Triplet|Quartet|Quintet)\b`)
)

// asJavaMain puts the tests into a separate class, so that a program may be a whole class, and replaces
// javatuples, which is not part of Java.
func asJavaMain(task *benchmark.Task) {
	tests := multiPLEMain.ReplaceAllString(task.Tests.Script, "    }\n}\nclass Main extends Problem {\n$1")
	task.Prompt = strings.Replace(task.Prompt, "import org.javatuples.*;\n", "", 1)
	if javaTuple.MatchString(task.Prompt + tests) {
		tests += "\n" + javaTuples()
	}
	task.Tests.Script = tests
}

// javaTuples returns the classes of javatuples for one to five values with the methods that solutions need:
// with, getValue0 and so on, and equality.
func javaTuples() string {
	var b strings.Builder
	for i, class := range []string{"Unit", "Pair", "Triplet", "Quartet", "Quintet"} {
		var types, fields, names, getters []string
		for n := range i + 1 {
			t, f := string(rune('A'+n)), fmt.Sprintf("value%d", n)
			types, fields, names = append(types, t), append(fields, t+" "+f), append(names, f)
			getters = append(getters, fmt.Sprintf("public %s getValue%d() { return %s; }", t, n, f))
		}
		all := strings.Join(types, ", ")
		fmt.Fprintf(&b, "record %s<%s>(%s) {\n    public static <%[2]s> %[1]s<%[2]s> with(%[3]s) { return new %[1]s<>(%[4]s); }\n    %[5]s\n}\n",
			class, all, strings.Join(fields, ", "), strings.Join(names, ", "), strings.Join(getters, "\n    "))
	}
	return b.String()
}

// commentIn returns the text of a prompt's comments.
func commentIn(prompt string) string {
	var comments []string
	for line := range strings.Lines(prompt) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#include") || strings.HasPrefix(line, "#!") {
			continue
		}
		if text, ok := strings.CutPrefix(line, "//"); ok {
			comments = append(comments, strings.TrimPrefix(text, " "))
		} else if text, ok := strings.CutPrefix(line, "#"); ok {
			comments = append(comments, strings.TrimPrefix(text, " "))
		}
	}
	return strings.TrimSpace(strings.Join(comments, "\n"))
}
