package format

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"assay/benchmark"
	"assay/benchmark/statement"
	"assay/data/language"
)

// multiPLENames are MultiPL-E's names for the languages that it calls otherwise than assay.
var multiPLENames = map[string]string{"javascript": "js", "typescript": "ts", "python": "py", "bash": "sh", "ruby": "rb", "rust": "rs", "perl": "pl",
	"racket": "rkt", "csharp": "cs", "julia": "jl", "haskell": "hs", "ocaml": "ml", "clojure": "clj", "kotlin": "kt"}

// multiPLEName returns MultiPL-E's name for a language.
func multiPLEName(language string) string { return cmp.Or(multiPLENames[language], language) }

// multiPLETask reads a task of MultiPL-E: HumanEval or MBPP in another language. Program and tests are one
// script. If the dataset's samples end before closing what the prompt opened, the tests start by closing
// it. Samples end before a stop token, see [Stopped].
func multiPLETask(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	values := map[string]string{}
	l.id = "name"
	tests := "tests"
	if fields[tests] == nil && fields["test"] != nil { // as in Reflexion's benchmarks and logs
		tests = "test"
	}
	for _, name := range []string{"name", "language", "prompt", tests} {
		value, err := l.text(fields, name, true)
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(value) == "" {
			return nil, l.fail(name, "the field is empty: fill it in")
		}
		values[name] = value
	}
	e := language.Find(multiPLELanguage(values["language"]))
	if e == nil || e.Function == "" {
		return nil, l.fail("language", fmt.Sprintf("%q cannot be judged here: 'assay doctor' lists the languages", values["language"]))
	}
	task := &benchmark.Task{ID: values["name"], Title: values["name"], Language: e.Name, Prompt: values["prompt"],
		Tests: benchmark.Tests{Style: benchmark.Script, Script: values[tests]}}
	if task.EntryPoint = e.Declared(task.Prompt); task.EntryPoint == "" {
		return nil, l.fail("prompt", "the prompt declares no function: it must end with the beginning of one, which is to be completed")
	}
	task.Title = task.EntryPoint
	if task.Language == "python" {
		task.Signature, task.Description = describe(task.Prompt, task.EntryPoint)
	} else {
		task.Description, task.Signature.Code = statement.Comments(task.Prompt)
	}
	switch task.Language {
	case "go":
		// The judge adds the imports that a program needs.
		task.Tests.Setup = "package main\n\n"
		task.Prompt = multiPLEImports.ReplaceAllString(task.Prompt, "")
	case "java":
		apart(task, "class Main extends Problem {")
		withoutJavaTuples(task)
	case "csharp":
		apart(task, "class Tests : Problem {")
	case "scala":
		apart(task, "object Tests {\n    import Problem._")
	}
	return task, nil
}

// multiPLELanguage returns the language of a published name, which may be that of a translator's file:
// humaneval_to_dlang.py. That without types in Python is notypes.py.
func multiPLELanguage(name string) string {
	if name == "notypes.py" {
		return "python"
	}
	short := strings.TrimSuffix(strings.TrimPrefix(name, "humaneval_to_"), ".py")
	return cmp.Or(language.Named(name), language.Named(short), language.Named(strings.TrimSuffix(short, "lang")))
}

var (
	multiPLEImports = regexp.MustCompile(`(?s)^\s*package \w+\s*(?:import \(.*?\)\s*)?`)
	multiPLEMain    = regexp.MustCompile(`^\s*\}\s*\n(\s*(?:public static void (?i:main)|def main))`)
	javaTuple       = regexp.MustCompile(`\b(?:Unit|Pair|Triplet|Quartet|Quintet)\b`)
)

// Stopped returns a completion of a task as MultiPL-E generates them: up to the first of the task's stop tokens, and
// that token, or "". An answer of a chat model is no completion.
func Stopped(completion string, task *benchmark.Task) (text, stop string) {
	var stops []string
	if json.Unmarshal(task.Extra["stop_tokens"], &stops) != nil {
		return completion, ""
	}
	text = completion
	for _, token := range stops {
		if before, _, found := strings.Cut(completion, token); found && token != "" && len(before) < len(text) {
			text, stop = before, token
		}
	}
	return text, stop
}

// apart puts the main method into a class of its own, so that a program may be the whole class.
func apart(task *benchmark.Task, header string) {
	task.Tests.Script = multiPLEMain.ReplaceAllString(task.Tests.Script, "    }\n}\n"+header+"\n$1")
}

// withoutJavaTuples replaces javatuples, which is not part of Java.
func withoutJavaTuples(task *benchmark.Task) {
	task.Prompt = strings.Replace(task.Prompt, "import org.javatuples.*;\n", "", 1)
	if javaTuple.MatchString(task.Prompt + task.Tests.Script) {
		task.Tests.Script += "\n" + javaTuples()
	}
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
