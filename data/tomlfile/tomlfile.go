// Package tomlfile reads TOML files that people write for assay, with errors that name line, key and
// remedy.
package tomlfile

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// File is a decoded text.
type File struct {
	Path string

	text string // its keys are looked for when an error, or a caller, asks for them: most files have none
	keys [][]string
	line map[string]int

	// Where a text that is no TOML could be read up to: the last line with a key or table, and the table there.
	read  int
	table []string
}

// Error is what is wrong at a place of a file.
type Error struct {
	Path string
	Line int    // from 1
	Key  string // such as "session.k" or "arm.1.model"; "": the text is no TOML
	Text string
}

func (e *Error) Error() string {
	if e.Key == "" {
		return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Text)
	}
	return fmt.Sprintf("%s:%d: %s: %s", e.Path, e.Line, e.Key, e.Text)
}

// Decode decodes text into the value that into points to. The error is an [Error]; help tells where to find the known
// keys. The text of a value whose type has UnmarshalTOML is part of what is decoded: its errors are made by [Invalid].
func Decode(path, text string, into any, help string) (*File, error) {
	text = strings.TrimPrefix(text, "\ufeff") // of editors for Windows
	f := &File{Path: path, text: text}
	if err := f.single(into); err != nil {
		return nil, err
	}
	err := toml.NewDecoder(strings.NewReader(text)).DisallowUnknownFields().EnableUnmarshalerInterface().Decode(into)
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case err == nil:
		return f, nil
	case errors.As(err, &unknown):
		return nil, f.at(&unknown.Errors[0], "the key is not known: "+help)
	case errors.As(err, &wrong):
		message := strings.TrimPrefix(wrong.Error(), "toml: ")
		if text, is := remedy(message); is {
			row, _ := wrong.Position()
			if key := f.broken(row); key != "" {
				return nil, &Error{path, row, key, text}
			}
			return nil, f.at(wrong, text)
		}
		return nil, f.at(wrong, plain(message))
	}
	return nil, &Error{path, 1, "", strings.TrimPrefix(err.Error(), "toml: ")}
}

// Invalid returns the error of UnmarshalTOML for a value.
func Invalid(value []byte, format string, args ...any) error {
	return unstable.NewParserError(value, format, args...)
}

// Keys lists tables and values in the order of the text.
func (f *File) Keys() [][]string {
	f.find()
	return f.keys
}

// Has reports whether a key is set.
func (f *File) Has(key string) bool {
	f.find()
	return f.line[key] > 0
}

// Line returns the line, from 1, of a key or, where it is missing, of its table.
func (f *File) Line(key string) int {
	f.find()
	for f.line[key] == 0 && strings.Contains(key, ".") {
		key = key[:strings.LastIndex(key, ".")]
	}
	return max(f.line[key], 1)
}

// Wrong returns the error for a key, written as in "session.k" or "arm.1.model".
func (f *File) Wrong(key, format string, args ...any) error {
	return &Error{f.Path, f.Line(key), key, fmt.Sprintf(format, args...)}
}

// Changes lists, in the order of the text and then of their names, the values in which it differs from an earlier text of
// the file, each with its line; comments and layout are no difference.
func (f *File) Changes(earlier string) []string {
	was, is := values(earlier), values(f.text)
	var list []string
	for _, key := range slices.SortedFunc(maps.Keys(is), func(a, b string) int {
		return cmp.Or(cmp.Compare(f.Line(a), f.Line(b)), strings.Compare(a, b))
	}) {
		switch before, had := was[key]; {
		case !had:
			list = append(list, fmt.Sprintf("line %d: %s = %s is new", f.Line(key), key, short(is[key])))
		case short(before) != short(is[key]):
			list = append(list, fmt.Sprintf("line %d: %s is %s, was %s", f.Line(key), key, short(is[key]), short(before)))
		case before != is[key]:
			list = append(list, fmt.Sprintf("line %d: %s is another text", f.Line(key), key))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(was)) {
		if _, still := is[key]; !still {
			list = append(list, fmt.Sprintf("%s = %s is gone", key, short(was[key])))
		}
	}
	return list
}

// short returns the beginning of a value for an error.
func short(value string) string {
	const most = 40
	if letters := []rune(value); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return value
}

// values returns each value of a text by its key, as errors show it.
func values(text string) map[string]string {
	var all map[string]any
	if toml.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &all) != nil {
		return nil
	}
	flat := map[string]string{}
	var add func(key string, v any)
	add = func(key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, of := range v {
				add(strings.TrimPrefix(key+"."+name, "."), of)
			}
		case []any:
			for i, of := range v {
				add(fmt.Sprintf("%s.%d", key, i), of)
			}
		default:
			shown := fmt.Sprintf("%v", v)
			if s, is := v.(string); is {
				shown = strconv.Quote(strings.ReplaceAll(s, "\r\n", "\n"))
			}
			flat[key] = shown
		}
	}
	add("", all)
	return flat
}

// at returns the error for a place that the decoder names, which knows no numbers of tables in arrays, nor the keys
// around an array.
func (f *File) at(e *toml.DecodeError, text string) error {
	f.find()
	row, _ := e.Position()
	name := strings.Join(e.Key(), ".")
	for _, key := range slices.Sorted(maps.Keys(f.line)) {
		if f.line[key] == row && strings.HasSuffix("."+withoutNumbers(key), "."+name) {
			name = key
			break
		}
	}
	return &Error{f.Path, max(row, 1), name, text}
}

func withoutNumbers(key string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(key, "."), func(part string) bool {
		_, err := strconv.Atoi(part)
		return err == nil
	}), ".")
}

// find finds the lines of keys and tables, once, as far as the text is TOML.
func (f *File) find() {
	if f.line != nil {
		return
	}
	f.line = map[string]int{}
	var breaks []int
	for i, c := range []byte(f.text) {
		if c == '\n' {
			breaks = append(breaks, i)
		}
	}
	at := func(key *unstable.Node) int {
		line, _ := slices.BinarySearch(breaks, int(key.Raw.Offset))
		return line + 1
	}
	var p unstable.Parser
	p.Reset([]byte(f.text))
	var table []string
	tables := map[string]int{} // how many each array of tables has
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind == unstable.KeyValue {
			f.value(at, table, e)
			for parts := e.Key(); parts.Next(); {
				f.read = at(parts.Node())
			}
			continue
		}
		table = nil
		line := 0
		for parts := e.Key(); parts.Next(); {
			line = at(parts.Node())
			table = append(table, string(parts.Node().Data))
			name := strings.Join(table, ".")
			if e.Kind == unstable.ArrayTable && parts.IsLast() {
				f.line[name] = cmp.Or(f.line[name], line)
				tables[name]++
			}
			if n := tables[name]; n > 0 {
				table = append(table, strconv.Itoa(n-1))
			}
		}
		f.add(table, line)
		f.read, f.table = line, table
	}
}

func (f *File) value(at func(*unstable.Node) int, table []string, e *unstable.Node) {
	key := slices.Clone(table)
	for parts := e.Key(); parts.Next(); {
		key = append(key, string(parts.Node().Data))
		f.add(slices.Clone(key), at(parts.Node()))
	}
	f.within(at, key, e.Value())
}

// within finds the keys of tables within a value.
func (f *File) within(at func(*unstable.Node) int, key []string, value *unstable.Node) {
	n := 0
	for parts := value.Children(); parts.Next(); n++ {
		switch part := parts.Node(); {
		case part.Kind == unstable.KeyValue:
			f.value(at, key, part)
		case value.Kind == unstable.Array:
			f.within(at, append(slices.Clone(key), strconv.Itoa(n)), part)
		}
	}
}

func (f *File) add(key []string, line int) {
	if name := strings.Join(key, "."); f.line[name] == 0 {
		f.line[name] = line
		f.keys = append(f.keys, key)
	}
}

// mismatch matches the decoder's error for a value of another type.
var mismatch = regexp.MustCompile(`^cannot decode TOML ([a-z ]+) into (?:struct field .* of type )?\*?(.+)$`)

// plain says in plain words which type of value is expected.
func plain(message string) string {
	switch {
	case strings.HasPrefix(message, "negative integer value"):
		return "must be 0 or more"
	case strings.Contains(message, "too large to fit"):
		return "the number is too large"
	case strings.HasPrefix(message, "cannot store an array table in"):
		return "must be one table, as [name], not a list of tables, as [[name]]"
	}
	m := mismatch.FindStringSubmatch(message)
	if m == nil {
		return message
	}
	given := map[string]string{"string": "a text", "integer": "a whole number", "float": "a number with a fraction", "boolean": "true or false",
		"array": "a list", "table": "a table", "inline table": "a table"}[m[1]]
	if given == "" {
		given = "a date or time"
	}
	wanted := ""
	switch kind := m[2]; {
	case kind == "string":
		wanted = "a text in quotes"
	case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "uint"):
		wanted = "a whole number"
	case strings.HasPrefix(kind, "float"):
		wanted = "a number"
	case kind == "bool":
		wanted = "true or false"
	case strings.HasPrefix(kind, "[]"):
		wanted = "a list"
	case strings.HasPrefix(kind, "map["):
		wanted = "a table"
	default:
		wanted = "a table"
	}
	return "must be " + wanted + ", not " + given
}
