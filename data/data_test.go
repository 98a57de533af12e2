package data_test

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data"
	"assay/data/fatal"
	"assay/data/schematest"
)

// task has the fields that these tests read; the complete task is passed to Python.
type task struct {
	ID         string   `json:"id"`
	EntryPoint string   `json:"entry_point"`
	Constraint []string `json:"constraints"`
	Examples   []any    `json:"examples"`
	Difficulty string   `json:"difficulty"`
	Type       string   `json:"type"`
	Category   string   `json:"category"`
	Reference  string   `json:"reference"`
	Practice   bool     `json:"practice"`
	Tests      struct {
		Style string `json:"style"`
		Cases []struct {
			Name string `json:"name"`
			Edge bool   `json:"edge"`
		} `json:"cases"`
		Check string `json:"check"`
	} `json:"tests"`
	raw json.RawMessage
}

func starterTasks(t *testing.T) []task {
	t.Helper()
	var file struct {
		Tasks []json.RawMessage `json:"tasks"`
	}
	fatal.If(t, json.Unmarshal(asFile(t, "starter"), &file))
	tasks := make([]task, len(file.Tasks))
	for i, raw := range file.Tasks {
		fatal.If(t, json.Unmarshal(raw, &tasks[i]))
		tasks[i].raw = raw
	}
	return tasks
}

// load reads a bundled benchmark.
func load(t *testing.T, name string) *benchmark.Benchmark {
	t.Helper()
	folder, err := data.Benchmark(name)
	fatal.If(t, err)
	b, err := benchmark.LoadFolder(folder, name)
	fatal.If(t, err)
	return b
}

// asFile is a bundled benchmark as a single file.
func asFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := json.Marshal(load(t, name))
	fatal.If(t, err)
	return text
}

func benchmarkSchema(t *testing.T) []byte {
	t.Helper()
	text := fatal.Read(t, "benchmark.schema.json")
	return text
}

func TestEveryBenchmarkSatisfiesTheSchema(t *testing.T) {
	schema := benchmarkSchema(t)
	for _, name := range data.Benchmarks() {
		if err := schematest.Validate(t, schema, string(asFile(t, name))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnUnknownBenchmarkIsAnError(t *testing.T) {
	if _, err := data.Benchmark("nope"); err == nil || !strings.Contains(err.Error(), "starter") {
		t.Errorf("got %v, want an error that names what there is", err)
	}
}

// TestSchemaRefuses changes a small valid benchmark, one fault a row.
func TestSchemaRefuses(t *testing.T) {
	const valid = `{"assay_benchmark": 1, "name": "b", "tasks": [{"id": "a", "title": "A", "language": "python",
		"description": "d", "difficulty": "easy", "published": "2026-11", "entry_point": "f",
		"tests": {"style": "calls", "cases": [{"args": [{"$tuple": [1, {"$float": "nan"}]}], "expected": {"x": 1}}]},
		"limits": {"cpu_seconds": 2}}]}`
	schema := benchmarkSchema(t)
	rows := []struct{ name, old, new string }{
		{"nothing changed", "", ""},
		{"missing id", `"id": "a", `, ``},
		{"id of the wrong type", `"id": "a"`, `"id": 7`},
		{"another version", `"assay_benchmark": 1`, `"assay_benchmark": 2`},
		{"no name", `"name": "b", `, ``},
		{"no tasks", `"tasks": [{`, `"tasks": [], "x": [{`},
		{"unknown field of the benchmark", `"name": "b"`, `"name": "b", "nmae": "c"`},
		{"unknown field of a task", `"title": "A"`, `"title": "A", "titel": "A"`},
		{"unknown field of a case", `"expected": {"x": 1}`, `"expected": {"x": 1}, "expect": 1`},
		{"bad difficulty", `"easy"`, `"Easy"`},
		{"bad month", `"2026-11"`, `"2026-13"`},
		{"bad style", `"style": "calls"`, `"style": "call"`},
		{"no cases", `{"args": [{"$tuple": [1, {"$float": "nan"}]}], "expected": {"x": 1}}`, ``},
		{"a case that expects nothing", `, "expected": {"x": 1}`, ``},
		{"a case that expects two things", `"expected": {"x": 1}`, `"expected": {"x": 1}, "raises": "E"`},
		{"unknown encoding", `"$tuple"`, `"$tupel"`},
		{"tuple of no list", `{"$tuple": [1, {"$float": "nan"}]}`, `{"$tuple": 1}`},
		{"bad encoding within another", `"nan"`, `"NaN"`},
		{"limit below zero", `"cpu_seconds": 2`, `"cpu_seconds": -2`},
		{"an output outside", `"title": "A"`, `"title": "A", "outputs": ["/etc/passwd"]`},
		{"an output above", `"title": "A"`, `"title": "A", "outputs": ["a/../../b"]`},
		{"an output without a name", `"title": "A"`, `"title": "A", "outputs": [""]`},
		{"a directory as an output", `"title": "A"`, `"title": "A", "outputs": ["out/"]`},
		{"an output with escapes", `"title": "A"`, `"title": "A", "outputs": ["a\u001b[2J"]`},
		{"an output twice", `"title": "A"`, `"title": "A", "outputs": ["a", "a"]`},
		{"too many outputs", `"title": "A"`, `"title": "A", "outputs": ["a", "b", "c", "d", "e", "f", "g", "h", "i"]`},
		{"pass rate above one", `"title": "A"`, `"title": "A", "human_pass_rate": 1.2`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			text := strings.Replace(valid, row.old, row.new, 1)
			if row.old != "" && text == valid {
				t.Fatal("the mutation changed nothing")
			}
			err := schematest.Validate(t, schema, text)
			if wantOK := row.old == ""; (err == nil) != wantOK {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestSchemaOfStyles: the schema and the program agree about the tests of every
// style.
func TestSchemaOfStyles(t *testing.T) {
	schema := benchmarkSchema(t)
	for tests, valid := range map[string]bool{
		`{"style":"asserts","setup":"import math","asserts":["assert f(1) == 1"],"in_process":true}`:                                            true,
		`{"style":"unittest","unittest":"import unittest"}`:                                                                                     true,
		`{"style":"stdin","runs":[{"name":"n","input":"1","output":"2","files":{"a.txt":"x"},"compare":"tokens","tolerance":0.1,"edge":true}]}`: true,
		`{"style":"script","setup":"x","script":"y"}`:                                                                                           true,
		`{"style":"check","check":"def check(c): pass","in_process":true}`:                                                                      true,
		`{"style":"asserts","asserts":[]}`:                                                                                                      false,
		`{"style":"unittest"}`:                                                                                                                  false,
		`{"style":"unittest","unittest":"x","check":"x"}`:                                                                                       false,
		`{"style":"script","script":"y","in_process":true}`:                                                                                     false,
		`{"style":"stdin","runs":[{"input":"","output":"","files":{"../x":""}}]}`:                                                               false,
		`{"style":"stdin","runs":[{"input":"","output":"","tolerance":1}]}`:                                                                     false,
		`{"style":"stdin","runs":[{"input":"1"}]}`:                                                                                              false,
	} {
		text := `{"assay_benchmark": 1, "name": "b", "tasks": [{"id": "a", "title": "A", "language": "python",
			"description": "d", "entry_point": "f", "tests": ` + tests + `}]}`
		if err := schematest.Validate(t, schema, text); (err == nil) != valid {
			t.Errorf("the schema says of %s: %v", tests, err)
		}
		if _, err := benchmark.Parse("b", []byte(text)); valid && err != nil {
			t.Errorf("the program says of %s: %v", tests, err)
		}
	}
}

// TestEveryFieldIsDescribed: the schema has a description of every field.
func TestEveryFieldIsDescribed(t *testing.T) {
	var document map[string]any
	fatal.If(t, json.Unmarshal(benchmarkSchema(t), &document))
	var walk func(path string, node any)
	walk = func(path string, node any) {
		fields, ok := node.(map[string]any)
		if !ok {
			return
		}
		properties, _ := fields["properties"].(map[string]any)
		for name, property := range properties {
			_, described := property.(map[string]any)["description"]
			_, refers := property.(map[string]any)["$ref"]
			if !described && !refers && !strings.HasPrefix(name, "$") {
				t.Errorf("%s/%s has no description", path, name)
			}
			walk(path+"/"+name, property)
		}
		for name, child := range fields {
			if name == "properties" { // names, of which one may be a word of schemas
				continue
			}
			if list, ok := child.([]any); ok {
				for _, c := range list {
					walk(path+"/"+name, c)
				}
			}
			walk(path+"/"+name, child)
		}
	}
	walk("", document)
}

func TestStarterIsComplete(t *testing.T) {
	ids := map[string]bool{}
	difficulties, types, categories := map[string]int{}, map[string]int{}, map[string]int{}
	practice, untested := 0, 0
	for _, task := range starterTasks(t) {
		if ids[task.ID] {
			t.Errorf("%s occurs twice", task.ID)
		}
		ids[task.ID] = true
		difficulties[task.Difficulty]++
		types[task.Type]++
		categories[task.Category]++
		if task.Practice {
			practice++
		}
		if len(task.Examples) < 2 || len(task.Constraint) == 0 || task.Reference == "" {
			t.Errorf("%s lacks examples, constraints or a reference", task.ID)
		}
		cases, edges := len(task.Tests.Cases), 0
		names := map[string]bool{}
		for _, c := range task.Tests.Cases {
			if c.Edge {
				edges++
			}
			if c.Name == "" || names[c.Name] {
				t.Errorf("%s: the name %q of a case is empty or not unique", task.ID, c.Name)
			}
			names[c.Name] = true
		}
		switch task.Tests.Style {
		case "calls":
			if cases < 12 || edges < 3 {
				t.Errorf("%s has %d cases, %d of them edges: want at least 12 and 3", task.ID, cases, edges)
			}
		case "check":
			if n := strings.Count(task.Tests.Check, "assert "); n < 12 {
				t.Errorf("%s has %d asserts: want at least 12", task.ID, n)
			}
		case "":
			untested++
		}
	}
	if len(ids) < 18 || practice != 1 || untested != 1 {
		t.Errorf("%d tasks, %d to practise, %d without tests: want at least 18, 1 and 1", len(ids), practice, untested)
	}
	for _, d := range []string{"easy", "medium", "hard"} {
		if difficulties[d] < 5 {
			t.Errorf("%d tasks are %s: want at least 5", difficulties[d], d)
		}
	}
	for _, kind := range []string{"numerical", "statistical", "structural", "programming", "exploratory"} {
		if types[kind] < 2 {
			t.Errorf("%d tasks are %s: want at least 2", types[kind], kind)
		}
	}
	if len(categories) < 5 {
		t.Errorf("the tasks are of %d categories: want at least 5", len(categories))
	}
}
