package benchmark

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Filter is a subset of a benchmark selected by metadata (Miah & Zhu, section III.B): all of its terms
// must hold.
type Filter struct {
	text  string
	terms []term
}

// term is a condition: that a field has, or does not have, one of the values.
type term struct {
	field  *field // nil for a word to search for in the text
	not    bool
	values []value
}

// value is one alternative of a term.
type value struct {
	op   string // "", ">=", ">", "<=", "<" or ".."
	text string // normalised: lower case, spaces for underscores
	to   string // the end of a range
}

// kind is how the values of a field are compared.
type kind int

const (
	words   kind = iota // whole words, ignoring case; * matches any text
	partial             // substrings, ignoring case
	ordered             // difficulties
	dates               // by year, month, day
	numbers
	presence // the name of a field that the task has
)

// field is a metadata field that a filter may use.
type field struct {
	name  string
	kind  kind
	about string
	of    func(*Task) []string
}

func single(of func(*Task) string) func(*Task) []string {
	return func(t *Task) []string {
		if v := of(t); v != "" {
			return []string{v}
		}
		return nil
	}
}

// fields lists the fields in display order.
var fields = [...]field{
	{"difficulty", ordered, "easy, medium or hard; also >=medium", single(func(t *Task) string { return string(t.Difficulty) })},
	{"type", words, "the kind of code wanted", single(func(t *Task) string { return t.Type })},
	{"category", words, "the area of the language", single(func(t *Task) string { return t.Category })},
	{"topic", words, "algorithms and structures", func(t *Task) []string { return t.Topics }},
	{"language", words, "the programming language", single(func(t *Task) string { return t.Language })},
	{"published", dates, "2023, >=2023-05, 2020..2022", single(func(t *Task) string { return string(t.Published) })},
	{"year", dates, "the year of publication", single(func(t *Task) string { return t.published() })},
	{"source", words, "the title of the source", single(func(t *Task) string { return t.Source.Title })},
	{"chapter", words, "the chapter of the source", single(func(t *Task) string { return t.Source.Chapter })},
	{"id", words, "the task's id", single(func(t *Task) string { return t.ID })},
	{"title", partial, "words in the title", single(func(t *Task) string { return t.Title })},
	{"style", words, "how its tests are written", single(func(t *Task) string { return string(t.Tests.Style) })},
	{"tests", numbers, "how many test cases, as >=10", single(func(t *Task) string { return strconv.Itoa(t.Tests.Count()) })},
	{"pass_rate", numbers, "share of people who solved it, as <0.4", single(func(t *Task) string {
		if t.HumanPassRate == nil {
			return ""
		}
		return strconv.FormatFloat(*t.HumanPassRate, 'g', -1, 64)
	})},
	{"has", presence, "a field that is given, as has:reference", presentFields},
	{"no", presence, "a field that is not given", presentFields},
}

// presentFields lists the fields that a task has.
func presentFields(t *Task) []string {
	var names []string
	for _, f := range [...]struct {
		name string
		is   bool
	}{
		{"tests", t.HasTests()}, {"reference", t.Reference != ""}, {"constraints", len(t.Constraints) > 0},
		{"examples", len(t.Examples) > 0}, {"context_levels", len(t.ContextLevels) > 0}, {"difficulty", t.Difficulty != ""},
		{"type", t.Type != ""}, {"category", t.Category != ""}, {"topic", len(t.Topics) > 0}, {"published", t.Published != ""},
		{"source", t.Source.Title != ""}, {"pass_rate", t.HumanPassRate != nil}, {"outputs", len(t.Outputs) > 0}, {"library", t.Library != ""},
	} {
		if f.is {
			names = append(names, f.name)
		}
	}
	return names
}

// presenceNames are all names that given may list.
const presenceNames = "tests reference constraints examples context_levels difficulty type category topic published source pass_rate outputs library"

func (t *Task) published() string {
	if y := t.Published.Year(); y > 0 {
		return strconv.Itoa(y)
	}
	return ""
}

func fieldNamed(name string) *field {
	for i := range fields {
		if fields[i].name == name {
			return &fields[i]
		}
	}
	return nil
}

// FilterFields lists the fields that a filter may use, in display order.
func FilterFields() []string {
	names := make([]string, len(fields))
	for i := range fields {
		names[i] = fields[i].name
	}
	return names
}

// ParseFilter parses a filter in the style of GitHub's search:
//
//	difficulty:hard type:visualization,exploratory published:>=2023 -source:"R for Everyone" shift
//
// Terms are separated by spaces, and all must hold; "-" negates a term. Values are separated by commas, and
// one must match; they may be quoted, "*" in them matches any text, and "_" a space. Case does not matter.
// Difficulties, dates and numbers may be compared (">=medium", "<0.4") or given as a range ("2020..2022",
// "..medium"). A word without a field is searched for in id, title, description, category and topics. "="
// may replace ":". The empty text selects every task.
func ParseFilter(text string) (Filter, error) {
	tokens, err := tokenize(text)
	if err != nil {
		return Filter{}, err
	}
	var s Filter
	var normal []string
	for _, t := range tokens {
		parsed, err := t.term()
		if err != nil {
			return Filter{}, err
		}
		s.terms = append(s.terms, parsed)
		normal = append(normal, t.text)
	}
	s.text = strings.Join(normal, " ")
	return s, nil
}

// token is a term as written.
type token struct {
	text       string
	start, end int // bytes in the filter
}

// tokenize splits a filter at spaces outside quotes.
func tokenize(text string) ([]token, error) {
	var list []token
	start, quoted := -1, false
	for i, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
			if start < 0 {
				start = i
			}
		case strings.ContainsRune(" \t\r\n", r) && !quoted:
			if start >= 0 {
				list = append(list, token{text[start:i], start, i})
			}
			start = -1
		case start < 0:
			start = i
		}
	}
	if start >= 0 {
		list = append(list, token{text[start:], start, len(text)})
	}
	if quoted {
		return list, fmt.Errorf("filter %q has an unclosed quotation mark", text[strings.LastIndexByte(text, '"'):])
	}
	return list, nil
}

// split splits a term into field, separator and values.
func (t token) split() (not bool, name, values string, found bool) {
	text := t.text
	if len(text) > 1 && text[0] == '-' {
		not, text = true, text[1:]
	}
	i := strings.IndexAny(text, `:=<>"`)
	if i <= 0 || text[i] == '"' {
		return not, "", text, false
	}
	name, values = strings.ToLower(text[:i]), text[i:]
	if values[0] == ':' || values[0] == '=' {
		values = values[1:]
	}
	return not, name, values, true
}

func (t token) term() (term, error) {
	not, name, values, found := t.split()
	if !found {
		word := normal(strings.ReplaceAll(values, `"`, ""))
		if word == "" {
			return term{}, fmt.Errorf("filter %q has no text to search for", t.text)
		}
		return term{not: not, values: []value{{text: word}}}, nil
	}
	f := fieldNamed(name)
	if f == nil {
		return term{}, fmt.Errorf("filter %q: no field %q; the fields are %s", t.text, name, strings.Join(FilterFields(), ", "))
	}
	parsed := term{field: f, not: not != (f.name == "no")}
	for _, part := range splitValues(values) {
		v, err := f.value(part)
		if err != nil {
			return term{}, fmt.Errorf("filter %q: %w", t.text, err)
		}
		parsed.values = append(parsed.values, v)
	}
	return parsed, nil
}

// splitValues splits at commas outside quotes.
func splitValues(text string) []string {
	var list []string
	quoted := false
	start := 0
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == ',' && !quoted:
			list = append(list, text[start:i])
			start = i + 1
		}
	}
	return append(list, text[start:])
}

// value parses one alternative.
func (f *field) value(text string) (value, error) {
	var v value
	if f.kind == ordered || f.kind == dates || f.kind == numbers {
		for _, op := range [...]string{">=", "<=", ">", "<"} {
			if rest, ok := strings.CutPrefix(text, op); ok {
				v.op, text = op, rest
				break
			}
		}
		if from, to, ok := strings.Cut(text, ".."); ok && v.op == "" {
			v.op, text, v.to = "..", from, normal(strings.Trim(to, `*"`))
			if err := f.valid(v.to); v.to != "" && err != nil {
				return v, err
			}
		}
	}
	v.text = normal(strings.ReplaceAll(text, `"`, ""))
	if v.op == ".." {
		v.text = strings.Trim(v.text, "*")
		if v.text == "" && v.to != "" {
			return v, nil
		}
	}
	if v.text == "" {
		return v, fmt.Errorf("a value is missing; write %s:value, for example difficulty:easy,medium", f.name)
	}
	return v, f.valid(v.text)
}

// valid returns an error if a value is invalid for the field.
func (f *field) valid(text string) error {
	switch f.kind {
	case ordered:
		if !slices.Contains(Difficulties[:], Difficulty(text)) {
			return fmt.Errorf("%q is not a difficulty; the difficulties are %v", text, Difficulties)
		}
	case dates:
		if !Date(text).Valid() {
			return fmt.Errorf("%q is not a date; write 2026, 2026-03 or 2026-03-09", text)
		}
	case numbers:
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return fmt.Errorf("%q is not a number", text)
		}
	case presence:
		if !slices.Contains(strings.Fields(presenceNames), strings.ReplaceAll(text, " ", "_")) {
			return fmt.Errorf("%q is not a field that can be missing; those fields are %s", text, presenceNames)
		}
	}
	return nil
}

// normal normalises a text for comparison: lower case, with spaces.
func normal(text string) string { return strings.ToLower(strings.ReplaceAll(text, "_", " ")) }

// String returns the filter as written, with single spaces.
func (s Filter) String() string { return s.text }

// Select lists the tasks that the filter selects, in the benchmark's order, with practice tasks
// separately.
func (s Filter) Select(b *Benchmark) (tasks, practice []*Task) {
	for i := range b.Tasks {
		t := &b.Tasks[i]
		switch {
		case t.Practice:
			practice = append(practice, t)
		case s.Match(t):
			tasks = append(tasks, t)
		}
	}
	return tasks, practice
}

// Part returns the benchmark with only the tasks that the filter matches.
func (s Filter) Part(b *Benchmark) *Benchmark {
	part := *b
	part.Tasks = slices.DeleteFunc(slices.Clone(b.Tasks), func(t Task) bool { return !s.Match(&t) })
	return &part
}

// NoMatch returns the error that the filter selects none of some tasks, which are named by of, such as "no task of the sessions".
// It lists, for the first term that none of them matches, what they have instead.
func (s Filter) NoMatch(of string, tasks []*Task) error {
	for i := range s.terms {
		if m := &s.terms[i]; !slices.ContainsFunc(tasks, m.match) {
			return fmt.Errorf("%s matches the filter %q: %s", of, s, m.instead(tasks))
		}
	}
	return fmt.Errorf("%s matches the filter %q: each of its terms matches some, but no task matches all", of, s)
}

// mostListed is how many values of a field an error lists.
const mostListed = 10

// instead says what tasks have in the field of a term that matches none of them.
func (m *term) instead(tasks []*Task) string {
	if m.field == nil {
		if m.not {
			return fmt.Sprintf("all of the %d tasks mention %q", len(tasks), m.values[0].text)
		}
		return fmt.Sprintf("%q is in no id, title, description, category or topic of the %d tasks", m.values[0].text, len(tasks))
	}
	counts := map[string]int{}
	for _, t := range tasks {
		for _, v := range m.field.of(t) {
			counts[v]++
		}
	}
	if len(counts) == 0 {
		return fmt.Sprintf("none of the %d tasks has the field %q", len(tasks), m.field.name)
	}
	values := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	more := ""
	if len(values) > mostListed {
		more = fmt.Sprintf(" and %d more", len(values)-mostListed)
		values = values[:mostListed]
	}
	for i, v := range values {
		values[i] = fmt.Sprintf("%s (%d)", v, counts[v])
	}
	name := m.field.name
	if name == "no" {
		name = "has"
	}
	return fmt.Sprintf("%s is %s%s", name, strings.Join(values, ", "), more)
}
