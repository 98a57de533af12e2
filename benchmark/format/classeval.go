package format

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"assay/benchmark"
)

// classEvalMethod is an element of methods_info.
type classEvalMethod struct {
	Name        string `json:"method_name"`
	Description string `json:"method_description"` // its header and docstring
	Tests       string `json:"test_code"`
}

// classEvalTasks reads a class of ClassEval as several tasks: the whole class (type "class"), and each of
// its methods (type "method") in the class that has the others from the reference solution.
//
// A method's prompt is that class, in which the method calls the function of the same name that follows the
// class. So an answer may be the bare method, the method indented as in the class, or the whole class.
func classEvalTasks(l *lines, fields map[string]json.RawMessage) ([]*benchmark.Task, error) {
	values, err := l.texts(fields, []string{"task_id", "skeleton", "class_name", "solution_code", "test"}, nil)
	if err != nil {
		return nil, err
	}
	var statements []string
	if err := l.inner(fields, "import_statement", "a list of texts", &statements); err != nil {
		return nil, err
	}
	var methods []classEvalMethod
	if err := l.inner(fields, "methods_info", "a list of objects with method_name, method_description and test_code", &methods); err != nil {
		return nil, err
	}
	imports := ""
	if len(statements) > 0 {
		imports = strings.Join(statements, "\n") + "\n\n"
	}
	class, solution := values["class_name"], imports+values["solution_code"]
	whole := &benchmark.Task{ID: values["task_id"], Title: class, Language: "python", EntryPoint: class, Type: "class",
		Description: "Write this class:\n\n" + values["skeleton"], Prompt: imports, Reference: solution,
		Tests: benchmark.Tests{Style: benchmark.Unittest, Unittest: values["test"], InProcess: sharesProcess(imports, values["test"])}}
	tasks := []*benchmark.Task{whole}
	for i, m := range methods {
		switch {
		case m.Name == "":
			return nil, l.fail("methods_info", fmt.Sprintf("method %d has no method_name: add it", i+1))
		case strings.TrimSpace(m.Tests) == "":
			return nil, l.fail("methods_info", fmt.Sprintf("the method %s has no test_code: add its unittest class", m.Name))
		}
		before, decorators, after, found := cutMethod(solution, class, m.Name)
		if !found {
			return nil, l.fail("solution_code", fmt.Sprintf("the class %s has no method %s, which methods_info names: add it", class, m.Name))
		}
		calling := fmt.Sprintf("%s    def %[2]s(*args, **kwargs):\n        return globals()[%[2]q](*args, **kwargs)\n\n", decorators, m.Name)
		wanted := decorators + "    " + strings.TrimSpace(m.Description) + "\n        ...\n\n"
		task := *whole
		task.ID, task.Title, task.Type = whole.ID+"/"+m.Name, class+"."+m.Name, "method"
		task.Prompt = before + calling + after
		task.Description = fmt.Sprintf("Write the method %s of this class:\n\n%s", m.Name, strings.TrimSpace(before+wanted+after))
		task.Tests.Unittest = testImports(values["test"]) + m.Tests
		task.Tests.InProcess = sharesProcess(imports, task.Tests.Unittest)
		tasks = append(tasks, &task)
	}
	return tasks, nil
}

// cutMethod splits the source of a class at one of its methods into the text before it, its decorators, and
// the text after it.
func cutMethod(source, class, method string) (before, decorators, after string, found bool) {
	header := regexp.MustCompile(`^    (?:async )?def ` + regexp.QuoteMeta(method) + `\(`)
	lines := strings.SplitAfter(strings.TrimRight(source, " \t\n")+"\n\n", "\n")
	inside, start := false, -1
	for i, line := range lines {
		if strings.HasPrefix(line, "class ") {
			inside = strings.TrimRight(strings.Fields(line)[1], ":(") == class || strings.HasPrefix(line, "class "+class+"(")
		}
		if inside && header.MatchString(line) {
			start = i // the last one counts, as in Python
		}
	}
	if start < 0 {
		return "", "", "", false
	}
	first, end := start, start+1
	for first > 0 && strings.HasPrefix(lines[first-1], "    @") {
		first--
	}
	for end < len(lines) && (strings.TrimSpace(lines[end]) == "" || strings.HasPrefix(lines[end], "     ") || strings.HasPrefix(lines[end], "    )")) {
		end++
	}
	return strings.Join(lines[:first], ""), strings.Join(lines[first:start], ""), strings.Join(lines[end:], ""), true
}

// testImports returns the lines before the first test class.
func testImports(test string) string {
	if head, _, found := strings.Cut("\n"+test, "\nclass "); found {
		return strings.TrimPrefix(head, "\n") + "\n\n"
	}
	return "import unittest\n\n"
}

// shared matches things in tests of classes that do not work across processes: patches, files, and objects
// that are not plain values.
var shared = regexp.MustCompile(`\b(?:patch|Mock|open|sqlite3|os|shutil|datetime|Decimal|deque|np|stdin|stdout|socket|type|dict)\b`)

// sharesProcess reports whether tests must run in the program's process.
func sharesProcess(imports, test string) bool { return shared.MatchString(imports + test) }
