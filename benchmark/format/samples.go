package format

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"assay/benchmark/judge"
)

// Sample is one generated answer of a sample file. Exactly one of the texts was
// in the file, and Kind says which.
type Sample struct {
	TaskID string
	Kind   SampleKind
	Text   string
	Line   int // in the file, from 1
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

// Samples reads a sample file line by line.
type Samples struct {
	lines lines
	any   bool
}

// OpenSamples opens a sample file, plain or compressed.
func OpenSamples(path string) (*Samples, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	return &Samples{lines: lines{path: path, file: f}}, nil
}

// Close closes the file.
func (s *Samples) Close() error { return s.lines.file.Close() }

// Next returns the next sample, or io.EOF after the last.
func (s *Samples) Next() (Sample, error) {
	text, err := s.lines.next()
	if errors.Is(err, io.EOF) && !s.any {
		return Sample{}, fmt.Errorf("%s holds no samples: every line is blank", s.lines.path)
	}
	if err != nil {
		return Sample{}, err
	}
	s.any = true
	fields, err := s.lines.object(text)
	if err != nil {
		return Sample{}, err
	}
	sample := Sample{Line: s.lines.line}
	if sample.TaskID, err = s.lines.text(fields, "task_id", true); err != nil {
		return Sample{}, err
	}
	var found []string
	for _, kind := range []SampleKind{Completion, Solution, Answer} {
		if _, ok := fields[string(kind)]; ok {
			found = append(found, string(kind))
			sample.Kind = kind
		}
	}
	switch len(found) {
	case 0:
		return Sample{}, s.lines.fail("", "the sample has no code: give it one of the fields completion "+
			"(continues the prompt), solution (a whole function) or answer (a model's raw answer)")
	case 1:
	default:
		return Sample{}, s.lines.fail("", "the sample has "+strings.Join(found, " and ")+": keep one of them")
	}
	sample.Text, err = s.lines.text(fields, string(sample.Kind), true)
	return sample, err
}

// SampleWriter writes a sample file line by line.
type SampleWriter struct {
	file *os.File
	zip  *gzip.Writer
	buf  *bufio.Writer
	path string
}

// CreateSamples creates a sample file; a name that ends in .gz makes it
// compressed.
func CreateSamples(path string) (*SampleWriter, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("creating a sample file: %w", err)
	}
	w := &SampleWriter{file: f, path: path}
	var out io.Writer = f
	if strings.HasSuffix(path, ".gz") {
		w.zip = gzip.NewWriter(f)
		out = w.zip
	}
	w.buf = bufio.NewWriter(out)
	return w, nil
}

// Write appends one sample.
func (w *SampleWriter) Write(s Sample) error {
	var line strings.Builder
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(map[string]string{"task_id": s.TaskID, string(s.Kind): s.Text}); err != nil {
		return fmt.Errorf("writing %s: %w", w.path, err)
	}
	if _, err := w.buf.WriteString(line.String()); err != nil {
		return fmt.Errorf("writing %s: %w", w.path, err)
	}
	return nil
}

// Close finishes the file. Its error must be looked at: it may be the only sign
// of a full disk.
func (w *SampleWriter) Close() error {
	err := w.buf.Flush()
	if w.zip != nil {
		err = errors.Join(err, w.zip.Close())
	}
	if err = errors.Join(err, w.file.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", w.path, err)
	}
	return nil
}
