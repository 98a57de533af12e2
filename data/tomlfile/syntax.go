package tomlfile

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// syntax has a remedy for each of the decoder's messages about text that is no TOML, by a part of the message; the first
// that matches counts.
var syntax = []struct{ part, remedy string }{
	{"expected newline but got", "something stands after the value: remove it, or write it on a line of its own; comments begin with #"},
	{"U+002C ','", "a comma stands where a value should be: remove it"},
	{"at start of value", "there is no value after ="},
	{"expected value", "there is no value after ="},
	{"expected '=' after key", "write it as name = value"},
	{"invalid character at start of key", "a line begins with a key, as in name = value, with a table, as in [name], or with #"},
	{"expected key", "the name of a key is missing"},
	{"control character", "a character that is not printed stands here: delete it"},
	{"invalid UTF-8", "the file is not UTF-8: save it as UTF-8"},
	{"carriage return", "a line ends with a carriage return alone: save the file with the line ends of Unix or Windows"},
	{"too many quotes", "too many quotes end the text: write three"},
	{"multiline", "the text's three closing quotes are missing"},
	{"unterminated", "the text's closing quote is missing"},
	{"cannot have new lines", "the text's closing quote is missing on its line"},
	{"escape", `\ has a meaning in a text: write \\ for the character itself, or put the text in single quotes`},
	{"to close table name", "the name of a table ends with ]"},
	{"to close array table name", "the name of a table that stands several times ends with ]]"},
	{"expected keyword", "write true or false; a text needs quotes"},
	{"strings must be quoted", "a text needs quotes"},
	{"leading zeroes", "a number does not begin with 0: remove the zero; a text needs quotes"},
	{"between underscores", "a number has digits on both sides of _"},
	{"decimal point", "a number has digits on both sides of its point"},
	{"fraction point", "a number has digits on both sides of its point"},
	{"exponent", "the number has no digits after its e"},
	{"digit", "this is no number; a text needs quotes"},
	{"number after sign", "this is no number; a text needs quotes"},
	{"radix", "this is no number; a text needs quotes"},
	{"after array value", "the values of a list have commas between them, and ] after the last"},
	{"array is incomplete", "the list's closing ] is missing"},
	{"inline table", "the keys of a table in one line have commas between them, and } after the last"},
	{"should be an array table", "the table stands several times: write each as [[name]], not [name]"},
	{"already exists", "the name stands twice: remove one"},
	{"already defined", "the key stands twice: remove one"},
	{"should be a table, not", "the name stands twice, as a value and as a table: remove one"},
}

// remedy says in plain words what is wrong with text that is no TOML; false if the message is about something else.
func remedy(message string) (string, bool) {
	for _, s := range syntax {
		if strings.Contains(message, s.part) {
			return s.remedy, true
		}
	}
	return "", false
}

// assigned matches the beginning of a line that gives a key a value.
var assigned = regexp.MustCompile(`^[ \t]*([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)[ \t]*=`)

// broken returns the key whose value is no TOML: the last one up to the row, after all that could be read; "" if the line
// has none.
func (f *File) broken(row int) string {
	f.find()
	lines := strings.Split(f.text, "\n")
	for at := min(row, len(lines)); at > f.read; at-- {
		if m := assigned.FindStringSubmatch(lines[at-1]); m != nil {
			return strings.Join(append(slices.Clone(f.table), m[1]), ".")
		}
	}
	return ""
}

// single returns the error for the first [name] that must be [[name]], since into has a list of tables there: the decoder takes one.
func (f *File) single(into any) error {
	var p unstable.Parser
	p.Reset([]byte(f.text))
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.Table {
			continue
		}
		var names []string
		row := 0
		for parts := e.Key(); parts.Next(); {
			names = append(names, string(parts.Node().Data))
			row = 1 + strings.Count(f.text[:parts.Node().Raw.Offset], "\n")
		}
		if of := kindOf(reflect.TypeOf(into), names); of != nil && of.Kind() == reflect.Slice && of.Elem().Kind() == reflect.Struct {
			name := strings.Join(names, ".")
			return &Error{f.Path, row, name, "is a list of tables: write [[" + name + "]], also for a single one"}
		}
	}
	return nil
}

// kindOf returns the type of what a key names within a type; nil if it has no such field.
func kindOf(of reflect.Type, names []string) reflect.Type {
	for i := 0; ; i++ {
		for of.Kind() == reflect.Pointer || i < len(names) && of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if i == len(names) {
			return of
		}
		if of.Kind() != reflect.Struct {
			return nil
		}
		field, found := of.FieldByNameFunc(func(name string) bool {
			f, _ := of.FieldByName(name)
			tag, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
			return tag == names[i] || tag == "" && strings.EqualFold(name, names[i])
		})
		if !found {
			return nil
		}
		of = field.Type
	}
}
