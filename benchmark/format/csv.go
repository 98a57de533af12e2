package format

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/benchmark"
)

// column is the format of a column in a table of tasks.
type column int

const (
	textColumn   column = iota + 1
	wordsColumn         // values separated by semicolons or commas, or a JSON list
	rowsColumn          // values on separate lines, or a JSON list
	jsonColumn          // JSON
	testsColumn         // JSON of the tests or of a list of cases, or assert statements
	sourceColumn        // a field of the source
)

// columns are the known columns of a table of tasks: the fields of a task and of its source. Others are
// kept as Extra.
var columns = [...]struct {
	name string
	kind column
}{
	{"id", textColumn}, {"title", textColumn}, {"language", textColumn}, {"description", textColumn}, {"constraints", rowsColumn},
	{"difficulty", textColumn}, {"type", textColumn}, {"category", textColumn}, {"topics", wordsColumn}, {"published", textColumn},
	{"human_pass_rate", jsonColumn}, {"source", sourceColumn}, {"year", sourceColumn}, {"chapter", sourceColumn}, {"url", sourceColumn},
	{"licence", sourceColumn}, {"entry_point", textColumn}, {"signature", jsonColumn}, {"prompt", textColumn}, {"reference", textColumn},
	{"tests", testsColumn}, {"examples", jsonColumn}, {"context_levels", jsonColumn}, {"limits", jsonColumn}, {"outputs", wordsColumn},
	{"library", textColumn}, {"practice", jsonColumn}, {"extra", jsonColumn},
}

func columnKind(name string) column {
	for _, c := range columns {
		if c.name == name {
			return c.kind
		}
	}
	return 0
}

func columnName(header string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(header)), " ", "_")
}

// csvDelimiter finds the separator of a header's columns, and how many of them are known; 0 if id and
// description are not among them.
func csvDelimiter(header []byte) (rune, int) {
	var best rune
	most := 0
	for _, comma := range []rune{',', ';', '\t'} {
		r := csv.NewReader(bytes.NewReader(header))
		r.Comma = comma
		names, err := r.Read()
		if err != nil {
			continue
		}
		known := 0
		for i := range names {
			names[i] = columnName(names[i])
			if columnKind(names[i]) != 0 {
				known++
			}
		}
		if known > most && slices.Contains(names, "id") && slices.Contains(names, "description") {
			best, most = comma, known
		}
	}
	return best, most
}

// readCSV reads a table of tasks with a header, separated by commas, semicolons or tabs. Quoted values may
// span lines.
func readCSV(path string, f *opened) (*benchmark.Benchmark, error) {
	l := &lines{path: path, file: f, line: 1, id: "id"}
	if head, _ := f.Peek(3); bytes.Equal(head, []byte("\ufeff")) {
		f.Discard(3) // has been peeked at
	}
	head, _ := f.Peek(f.Size())
	first, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
	comma, _ := csvDelimiter(first)
	if comma == 0 {
		return nil, l.fail("", "the first line is no header with at least the columns id and description, separated by commas, semicolons or tabs: add it")
	}
	r := csv.NewReader(&measured{r: f, limit: maxDocument})
	r.Comma = comma
	names, err := r.Read()
	if err != nil {
		return nil, l.csvError(err)
	}
	for i := range names {
		names[i] = columnName(names[i])
		if slices.Contains(names[:i], names[i]) {
			return nil, l.fail(names[i], "two columns have this name: rename or remove one")
		}
	}
	b := &benchmark.Benchmark{Version: benchmark.FormatVersion, Name: baseName(path)}
	seen := map[string]int{}
	for {
		values, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, l.csvError(err)
		}
		l.line, _ = r.FieldPos(0)
		task, err := l.csvTask(names, values)
		if err != nil {
			return nil, err
		}
		if line, ok := seen[task.ID]; ok {
			return nil, l.fail("id", fmt.Sprintf("the id %q was used on line %d already: ids must be unique", task.ID, line))
		}
		seen[task.ID] = l.line
		b.Tasks = append(b.Tasks, *task)
	}
	if len(b.Tasks) == 0 {
		return nil, fmt.Errorf("%s holds no tasks, only a header", path)
	}
	if err := b.FindLibraries(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

func (l *lines) csvError(err error) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return l.fail("", l.file.broken(err))
	}
	l.line = parse.StartLine
	switch {
	case errors.Is(err, csv.ErrFieldCount):
		return l.fail("", "the row has another number of values than the header has columns: put values with separators in them in double quotes")
	case errors.Is(err, csv.ErrQuote), errors.Is(err, csv.ErrBareQuote):
		return l.fail("", fmt.Sprintf("a double quote stands wrong in the row that begins here (line %d, column %d): quote the whole value, and write each quote in it twice",
			parse.Line, parse.Column))
	}
	return l.fail("", l.file.broken(parse.Err))
}

// csvTask reads a task from a row.
func (l *lines) csvTask(names, values []string) (*benchmark.Task, error) {
	task := &benchmark.Task{}
	source := map[string]string{}
	for i, name := range names {
		value := values[i]
		if !utf8.ValidString(value) {
			return nil, l.fail(name, "in the value "+notUTF8([]byte(value)))
		}
		if strings.TrimSpace(value) == "" {
			continue
		}
		var raw json.RawMessage
		switch columnKind(name) {
		case textColumn:
			raw = quoted(value)
		case wordsColumn:
			raw = listOf(value, func(r rune) bool { return r == ';' || r == ',' })
		case rowsColumn:
			raw = listOf(value, func(r rune) bool { return r == '\n' || r == '\r' })
		case testsColumn:
			raw = testsIn(value)
		case sourceColumn:
			source[name] = strings.TrimSpace(value)
			continue
		case jsonColumn:
			raw = json.RawMessage(strings.TrimSpace(value))
		default:
			if task.Extra == nil {
				task.Extra = map[string]json.RawMessage{}
			}
			task.Extra[name] = quoted(value)
			continue
		}
		dec := json.NewDecoder(bytes.NewReader(slices.Concat([]byte("{"), quoted(name), []byte(":"), raw, []byte("}"))))
		dec.DisallowUnknownFields()
		if err := dec.Decode(task); err != nil {
			return nil, l.fail(name, fmt.Sprintf("the value cannot be read (%v): write it as the field %q of assay's own format, as JSON", err, name))
		}
	}
	if err := l.csvSource(task, source); err != nil {
		return nil, err
	}
	task.Title = cmp.Or(task.Title, task.ID)
	task.Language = strings.ToLower(task.Language)
	task.Difficulty = benchmark.Difficulty(strings.ToLower(string(task.Difficulty)))
	return task, l.checked(task)
}

func (l *lines) csvSource(task *benchmark.Task, values map[string]string) error {
	task.Source = benchmark.Source{Title: values["source"], Chapter: values["chapter"], URL: values["url"], Licence: values["licence"]}
	if values["year"] == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(values["year"]), &task.Source.Year); err != nil {
		return l.fail("year", fmt.Sprintf("%q is not a year: write 2017", values["year"]))
	}
	return nil
}

func quoted(text string) json.RawMessage {
	raw, _ := json.Marshal(text) // strings always marshal
	return raw
}

// listOf returns a JSON list: the value itself, or the values between separators.
func listOf(value string, separates func(rune) bool) json.RawMessage {
	if raw := json.RawMessage(strings.TrimSpace(value)); raw[0] == '[' && json.Valid(raw) {
		return raw
	}
	list := []string{}
	for _, part := range strings.FieldsFunc(value, separates) {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	raw, _ := json.Marshal(list) // strings always marshal
	return raw
}

// testsIn returns the tests in a value: JSON, where a list contains the cases, or assert statements, which
// may continue on lines that start otherwise.
func testsIn(value string) json.RawMessage {
	text := strings.TrimSpace(value)
	switch {
	case strings.HasPrefix(text, "["):
		return json.RawMessage(`{"style":"calls","cases":` + text + `}`)
	case !strings.HasPrefix(text, "assert"):
		return json.RawMessage(text)
	}
	tests := benchmark.Tests{Style: benchmark.Asserts}
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		if strings.HasPrefix(line, "assert") {
			tests.Asserts = append(tests.Asserts, line)
		} else {
			tests.Asserts[len(tests.Asserts)-1] += "\n" + line
		}
	}
	raw, _ := json.Marshal(tests) // strings always marshal
	return raw
}

// csvRow returns a task as the values of columns.
func csvRow(task *benchmark.Task, names []string) ([]string, error) {
	fields, err := jsonFields(task)
	if err != nil {
		return nil, err
	}
	source := map[string]string{"source": task.Source.Title, "chapter": task.Source.Chapter, "url": task.Source.URL, "licence": task.Source.Licence}
	if task.Source.Year != 0 {
		source["year"] = fmt.Sprint(task.Source.Year)
	}
	row := make([]string, len(names))
	for i, name := range names {
		raw := fields[name]
		switch columnKind(name) {
		case sourceColumn:
			row[i] = source[name]
		case textColumn:
			row[i] = bareText(raw)
		case 0:
			row[i] = bareText(task.Extra[name])
		case wordsColumn, rowsColumn, jsonColumn, testsColumn:
			row[i] = string(raw)
		}
	}
	if i := slices.Index(names, "extra"); i >= 0 {
		left := map[string]json.RawMessage{}
		for name, value := range task.Extra {
			if !slices.Contains(names, name) {
				left[name] = value
			}
		}
		row[i] = ""
		if len(left) > 0 {
			text, err := json.Marshal(left)
			if err != nil {
				return nil, err
			}
			row[i] = string(text)
		}
	}
	return row, nil
}

func bareText(raw json.RawMessage) string {
	var text string
	_ = json.Unmarshal(raw, &text) // other values are handled elsewhere
	return text
}

// jsonFields returns the fields of a task's JSON form.
func jsonFields(task *benchmark.Task) (fields map[string]json.RawMessage, err error) {
	text, err := json.Marshal(task)
	if err != nil {
		return nil, err
	}
	return fields, json.Unmarshal(text, &fields)
}

// csvColumns returns the columns that the tasks need: the required ones, those that some task fills, and
// those extra fields that are strings in all tasks.
func csvColumns(tasks []benchmark.Task) ([]string, error) {
	used := map[string]bool{"id": true, "title": true, "language": true, "description": true}
	extra := map[string]bool{}
	for i := range tasks {
		t := &tasks[i]
		fields, err := jsonFields(t)
		if err != nil {
			return nil, err
		}
		for name := range fields {
			used[name] = true
		}
		used["source"] = used["source"] || t.Source.Title != ""
		used["year"] = used["year"] || t.Source.Year != 0
		used["chapter"] = used["chapter"] || t.Source.Chapter != ""
		used["url"] = used["url"] || t.Source.URL != ""
		used["licence"] = used["licence"] || t.Source.Licence != ""
		for name, value := range t.Extra {
			plain := value[0] == '"' && strings.TrimSpace(bareText(value)) != "" && columnKind(name) == 0 && columnName(name) == name
			if before, seen := extra[name]; !seen || before {
				extra[name] = plain
			}
		}
	}
	var names, others []string
	for _, c := range columns {
		if used[c.name] && c.name != "extra" {
			names = append(names, c.name)
		}
	}
	odd := false
	for name, plain := range extra {
		if plain {
			others = append(others, name)
		}
		odd = odd || !plain
	}
	slices.Sort(others)
	names = append(names, others...)
	if odd {
		names = append(names, "extra")
	}
	return names, nil
}
