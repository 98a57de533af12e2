package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/assemble"
)

// Sample is one generated answer of a sample file.
type Sample struct {
	TaskID string
	Kind   SampleKind
	Text   string
	Path   string // of the file
	Line   int    // line, from 1, at which the sample or its list starts
	Object string // the JSON object of the sample, or of its list without the list; or ""
	Passed *bool  // the verdict that its file records; nil: none
	Model  string // that a prediction of SWE-bench names; "": none
}

// SampleKind is the kind of a sample's text.
type SampleKind string

// The kinds, named after their fields.
const (
	Completion SampleKind = "completion" // continues the prompt
	Solution   SampleKind = "solution"   // a whole function
	Answer     SampleKind = "answer"     // a model's raw answer, from which code must be extracted
	Patch      SampleKind = "patch"      // a diff of a repository
)

// Assembly returns how a sample's code becomes a program. Code extracted from an answer counts as a whole
// function.
func (k SampleKind) Assembly() assemble.Assembly {
	if k == Completion {
		return assemble.Completion
	}
	return assemble.Solution
}

// SampleFormat is the name of a format of samples.
type SampleFormat string

// The formats of samples. All except folders may be compressed with gzip.
const (
	// HumanEvalSamples are JSON Lines with task_id and completion, solution or answer, or with HumanEval-X's
	// generation; including results, which say what passed.
	HumanEvalSamples SampleFormat = "human-eval"
	// EvalPlusSamples are JSON Lines with task_id and solution, or completion and
	// _identifier; or eval_results.json, which has solutions and their verdicts.
	EvalPlusSamples SampleFormat = "evalplus"
	// EvalPlusFolder is a folder with a subfolder for each task, with files such as HumanEval_0/0.py or
	// HumanEval/0/0.py.
	EvalPlusFolder SampleFormat = "evalplus-folder"
	// BigCodeSamples are a list of lists of programs, in the order of the tasks.
	BigCodeSamples SampleFormat = "bigcode"
	// CodeTSamples are JSON Lines with the prompt of a task and samples that continue it.
	CodeTSamples SampleFormat = "codet"
	// MultiPLESamples are a folder with a JSON file for each task, with its name and completions, or the
	// results of its programs; or one such file.
	MultiPLESamples SampleFormat = "multipl-e"
	// LiveCodeBenchSamples are a list of objects with question_id and code_list; or with pred_list and id, or
	// question_id and test_id.
	LiveCodeBenchSamples SampleFormat = "livecodebench"
	// CRUXEvalSamples are an object with a list of values or calls for each task, or the same scored.
	CRUXEvalSamples SampleFormat = "cruxeval"
	// SWEBenchSamples are predictions of SWE-bench: JSON Lines or a list with instance_id, model_patch and
	// model_name_or_path; or one object with such an object for each instance.
	SWEBenchSamples SampleFormat = "swe-bench"
	// InspectSamples are a log of Inspect as JSON. A sample's id is that of the task; its answer is the
	// model's last output.
	InspectSamples SampleFormat = "inspect"
)

// SampleFormats lists the formats that [OpenSamplesAs] reads.
func SampleFormats() []SampleFormat {
	return []SampleFormat{HumanEvalSamples, EvalPlusSamples, EvalPlusFolder, BigCodeSamples, CodeTSamples, MultiPLESamples, LiveCodeBenchSamples, CRUXEvalSamples, SWEBenchSamples, InspectSamples}
}

// WrittenSampleFormats lists the formats that [WriteSamples] writes: all but Inspect's, which has results, too.
func WrittenSampleFormats() []SampleFormat {
	return slices.DeleteFunc(SampleFormats(), func(as SampleFormat) bool { return as == InspectSamples })
}

// Samples reads samples one by one; it keeps at most one line, the list of one task, or a log of Inspect in memory.
type Samples struct {
	format SampleFormat
	lines  *lines // of the current file; nil between files
	path   string
	files  []sampleFile // the remaining files of a folder
	tasks  []benchmark.Task
	byID   map[string]*benchmark.Task
	order  []string          // ids of all tasks of their file, also of those left out
	ids    map[string]string // of the tasks, by their spellings

	leftOut map[string]bool // ids of tasks that cannot be judged

	queue  []Sample
	absent []Absent
	next   int     // index in queue
	read   int     // lists read, in format bigcode
	stream bool    // a log of Inspect, read sample by sample
	logged *Logged // the log, in format inspect
	only   string  // the model of the samples to read; "": all
	err    error
}

// OpenSamples opens a sample file, plain or compressed, in a format that names its tasks.
func OpenSamples(path string) (*Samples, error) {
	return OpenSamplesAs(path, "", &benchmark.Benchmark{})
}

// OpenSamplesAs opens samples in the given format or, if that is empty, in the detected one. The tasks are
// those the samples were generated for, in the order of the tasks' own file. Samples of tasks that are left out
// are absent.
func OpenSamplesAs(path string, as SampleFormat, b *benchmark.Benchmark) (*Samples, error) {
	if as != "" && !slices.Contains(SampleFormats(), as) {
		return nil, fmt.Errorf("%q is not a sample format; the formats are %s", as, sampleFormatNames())
	}
	s := &Samples{format: as, path: path, tasks: b.Tasks, byID: map[string]*benchmark.Task{}, leftOut: map[string]bool{}}
	for i := range b.Tasks {
		s.order = append(s.order, b.Tasks[i].ID)
		s.byID[b.Tasks[i].ID] = &b.Tasks[i]
	}
	for _, left := range b.LeftOut {
		s.order = slices.Insert(s.order, left.Index, left.ID)
		s.leftOut[left.ID] = true
	}
	s.ids = spellings(s.order)
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
	s.err = s.fill() // returned by Next
	return s, nil
}

func sampleFormatNames() string {
	var names []string
	for _, f := range SampleFormats() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// openFile opens a file and detects its structure.
func (s *Samples) openFile(path string) error {
	f, err := open(path)
	if err != nil {
		return err
	}
	s.lines = &lines{path: path, file: f}
	head, _ := f.Peek(f.Size()) // an error recurs when reading
	if bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		f.Close()
		return fmt.Errorf("%s is a zip archive: unpack it, or convert a .eval log of Inspect by 'inspect log convert --to json'", path)
	}
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if s.format == "" && isLog(head) {
		s.format = InspectSamples
	}
	first, _, more := bytes.Cut(head, []byte("\n"))
	if s.stream = s.format == InspectSamples && bytes.HasPrefix(head, []byte("{")); s.stream {
		s.lines.skipMark()
		s.lines.doc = newDocument(f)
	} else if bytes.HasPrefix(head, []byte("[")) || more && unfinished(bytes.TrimSpace(first)) {
		s.lines.doc = newDocument(f)
	}
	return nil
}

// Format returns the detected format; empty for an empty file.
func (s *Samples) Format() SampleFormat { return s.format }

// Close closes the file.
func (s *Samples) Close() error {
	if s.lines == nil {
		return nil
	}
	return s.lines.file.Close()
}

// Next returns the next sample, or io.EOF.
func (s *Samples) Next() (Sample, error) {
	for {
		for s.err == nil && s.next == len(s.queue) {
			s.err = s.fill()
		}
		if s.next == len(s.queue) {
			return Sample{}, s.err
		}
		s.next++
		switch sample := s.queue[s.next-1]; {
		case s.only != "" && sample.Model != s.only:
		case s.leftOut[sample.TaskID]:
			s.absent = append(s.absent, Absent{TaskID: sample.TaskID, Why: "the task is left out", Path: sample.Path, Line: sample.Line})
		default:
			return sample, nil
		}
	}
}

// Only leaves out the samples of other models.
func (s *Samples) Only(model string) { s.only = model }

// fill reads the next line, list or file into the queue, which may stay empty.
func (s *Samples) fill() error {
	s.queue, s.next = s.queue[:0], 0
	if s.lines == nil {
		return s.nextFile()
	}
	l := s.lines
	if s.stream {
		return s.inspect(l)
	}
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
		return s.multiPLE(fields)
	case LiveCodeBenchSamples:
		return s.liveCodeBench(fields)
	case CRUXEvalSamples:
		return s.cruxEval(fields)
	case SWEBenchSamples:
		return s.predictions(fields)
	case InspectSamples: // within a list, or not recognised by its beginning
		inner := &lines{path: l.path, line: l.line, file: &opened{Reader: bufferOf(text)}}
		inner.doc = newDocument(inner.file)
		inner.doc.source.line = l.line
		return s.inspect(inner)
	}
	if s.format == EvalPlusSamples && has("eval")(fields) {
		return s.evalPlusResults(fields)
	}
	return s.single(fields, string(text))
}

// sampleFormatOf detects a format from the fields of its first object.
func sampleFormatOf(fields map[string]json.RawMessage) SampleFormat {
	known := func(names ...string) bool { return has(names...)(fields) }
	switch {
	case known("eval", "samples"), known("eval", "version"):
		return InspectSamples
	case known("instance_id"), fields["task_id"] == nil && isPredictions(fields):
		return SWEBenchSamples
	case known("question_id", "code_list"), known("pred_list"):
		return LiveCodeBenchSamples
	case known("raw_generations"), isGenerations(fields):
		return CRUXEvalSamples
	case known("name", "completions"), known("name", "results"):
		return MultiPLESamples
	case known("prompt", "samples"):
		return CodeTSamples
	case known("_identifier"), known("solution"), known("eval"):
		return EvalPlusSamples
	}
	return HumanEvalSamples
}

// codeTStops end a completion in CodeT.
var codeTStops = [...]string{"\nclass", "\ndef", "\n#", "\nif", "\nprint"}

// codeT reads the samples of a task identified by its prompt.
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
	for _, text := range texts {
		for _, stop := range codeTStops {
			if text != nil {
				*text, _, _ = strings.Cut(*text, stop)
			}
		}
	}
	s.add(s.tasks[i].ID, Completion, texts, nil)
	return nil
}
