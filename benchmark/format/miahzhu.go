package format

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/benchmark"
)

// miahZhuType returns a type as defined by Miah & Zhu (section IV.C.2b); their Figure 2 spells one
// differently.
func miahZhuType(written string) string {
	switch kind := strings.ToLower(strings.TrimSpace(written)); kind {
	case "numeric":
		return "numerical"
	case "visualisation":
		return "visualization"
	default:
		return kind
	}
}

// miahZhuTask reads a test case of Miah & Zhu (2024), Figure 2. The question and its source's answer are in
// "Source", as there, or next to it. The answer is the reference solution. Tasks are in R
// unless "Language" says otherwise, and have no tests: testers judge the answers.
func miahZhuTask(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	l.id = "ID"
	values, err := l.texts(fields, []string{"ID", "Type"}, []string{"Difficulty", "Language"})
	if err != nil {
		return nil, err
	}
	nested := map[string]json.RawMessage{}
	if err := l.inner(fields, "Source", "an object with Title, Year and Chapter", &nested); err != nil {
		return nil, err
	}
	if nested == nil { // null
		nested = map[string]json.RawMessage{}
	}
	maps.Copy(nested, fields)
	input, err := l.texts(nested, []string{"Input"}, []string{"Title"})
	if err != nil {
		return nil, err
	}
	task := &benchmark.Task{ID: values["ID"], Title: firstWords(input["Input"]), Language: strings.ToLower(values["Language"]),
		Type: miahZhuType(values["Type"]), Difficulty: benchmark.Difficulty(strings.ToLower(strings.TrimSpace(values["Difficulty"]))),
		Description: strings.TrimSpace(input["Input"]), Source: benchmark.Source{Title: input["Title"], Chapter: bare(nested["Chapter"])}}
	task.Language = cmp.Or(task.Language, "r")
	if task.Difficulty != "" && !slices.Contains(benchmark.Difficulties[:], task.Difficulty) {
		return nil, l.fail("Difficulty", fmt.Sprintf("%q is not known: write Easy, Medium or Hard", values["Difficulty"]))
	}
	if task.Reference, err = l.sourceAnswer(nested); err != nil {
		return nil, err
	}
	if year := bare(nested["Year"]); year != "" {
		task.Published = benchmark.Date(year)
		if task.Source.Year, err = strconv.Atoi(year); err != nil || !task.Published.Valid() {
			return nil, l.fail("Year", fmt.Sprintf("%s is not a year: write 2017", year))
		}
	}
	return task, nil
}

// sourceAnswer returns the answer of a question's source: an object with Result, or that itself. Of a picture it names the
// file in a comment.
func (l *lines) sourceAnswer(fields map[string]json.RawMessage) (string, error) {
	const name = "Source Output"
	raw := fields[name]
	var answer struct{ Result json.RawMessage }
	if bytes.HasPrefix(raw, []byte("{")) {
		if err := json.Unmarshal(raw, &answer); err != nil {
			return "", l.fail(name, fmt.Sprintf("the field must be an object with Result: %v", err))
		}
		raw = answer.Result
	}
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	text, ok := joinedLines(raw)
	if !ok {
		return "", l.fail(name, "the answer must be a text, or a list of its lines")
	}
	if text = strings.TrimSpace(text); picture.MatchString(text) {
		return "# The source's answer is a picture: " + text, nil
	}
	return text, nil
}

// picture is the name of a file with a picture.
var picture = regexp.MustCompile(`(?i)^\S+\.(png|jpe?g|gif|bmp|svg|pdf)$`)

// bare returns a number, or a string without its quotes; "" for null.
func bare(raw json.RawMessage) string {
	var text string
	if len(raw) == 0 || json.Unmarshal(raw, &text) == nil {
		return strings.TrimSpace(text)
	}
	return string(raw)
}

// firstWords returns the start of a statement as a title.
func firstWords(text string) string {
	words := strings.Fields(text)
	if len(words) > 10 {
		return strings.Join(words[:10], " ") + " …"
	}
	return strings.Join(words, " ")
}
