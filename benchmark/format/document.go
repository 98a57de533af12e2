package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// document reads a JSON document value by value: the elements of a list, or consecutive objects over many
// lines.
type document struct {
	dec    *json.Decoder
	source *measured
	begun  bool
	list   bool
	ended  bool
}

func newDocument(f *opened) *document {
	source := &measured{r: &pythonNumbers{r: f.Reader}, line: 1}
	return &document{source: source, dec: json.NewDecoder(source)}
}

const readAhead = 64 << 10

// measured passes on a document unless it or one of its values is too large, and records where lines end.
type measured struct {
	r      io.Reader
	offset int64   // bytes read
	limit  int64   // the largest end of the current value
	ends   []int64 // of the lines after line
	line   int
	blanks int // consecutive white space so far
}

// maxBlanks is the longest run of white space, which the decoder reads repeatedly.
const maxBlanks = 4 << 20

var (
	errBlanks    = errors.New("there is a run of more than 4 MB of white space")
	errLongValue = errors.New("a value is longer than 64 MB")
	errLongFile  = errors.New("the document is longer than 1 GB")
)

func (m *measured) Read(p []byte) (int, error) {
	n, err := m.r.Read(p[:min(len(p), readAhead)]) // small reads, to enforce the limit closely
	for i, c := range p[:n] {
		if c == '\n' {
			m.ends = append(m.ends, m.offset+int64(i))
		}
		if m.blanks++; c > ' ' {
			m.blanks = 0
		}
	}
	switch m.offset += int64(n); {
	case m.blanks > maxBlanks:
		return 0, errBlanks
	case m.offset > maxDocument:
		return 0, errLongFile
	case m.offset > m.limit:
		return 0, errLongValue
	}
	return n, err
}

// allow lets a value of the permitted size follow an offset.
func (m *measured) allow(offset int64) { m.limit = offset + maxLine + readAhead }

// lineAt returns the line of an offset; offsets must not decrease between calls.
func (m *measured) lineAt(offset int64) int {
	for len(m.ends) > 0 && m.ends[0] < offset {
		m.ends, m.line = m.ends[1:], m.line+1
	}
	return m.line
}

// element returns the next value of the document, or io.EOF.
func (l *lines) element() ([]byte, error) {
	d := l.doc
	if d.ended {
		return nil, io.EOF
	}
	d.source.allow(d.dec.InputOffset())
	if !d.begun {
		d.begun = true
		l.skipMark()
		start, _ := l.file.Peek(l.file.Size())
		if d.list = bytes.HasPrefix(bytes.TrimSpace(start), []byte("[")); d.list {
			if _, err := d.dec.Token(); err != nil {
				return nil, l.documentError(err)
			}
		}
	}
	if d.list && !d.dec.More() {
		if _, err := d.dec.Token(); err != nil {
			return nil, l.documentError(err)
		}
		d.ended = true
		if _, err := d.dec.Token(); !errors.Is(err, io.EOF) {
			l.line = d.source.lineAt(d.dec.InputOffset())
			return nil, l.fail("", "something follows the closing ]; remove it")
		}
		return nil, io.EOF
	}
	raw, err := l.raw()
	if errors.Is(err, io.EOF) && !d.list {
		return nil, io.EOF
	} else if err != nil {
		return nil, l.documentError(err)
	}
	return raw, l.checkText(raw)
}

// skipMark skips a byte-order mark.
func (l *lines) skipMark() {
	if head, _ := l.file.Peek(3); bytes.Equal(head, []byte("\ufeff")) {
		l.file.Discard(3) // has been peeked at
	}
}

// raw returns the next value that the decoder has reached.
func (l *lines) raw() (raw json.RawMessage, err error) {
	d := l.doc
	d.source.allow(d.dec.InputOffset())
	if err := d.dec.Decode(&raw); err != nil {
		return nil, err
	}
	l.line = d.source.lineAt(d.dec.InputOffset() - int64(len(raw)))
	return raw, nil
}

func (l *lines) checkText(raw []byte) error {
	if problem := notUTF8(raw); problem != "" {
		return l.fail("", "in the element that begins here, "+problem)
	}
	return nil
}

// documentError reports where and why reading a document failed.
func (l *lines) documentError(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, errLongValue), errors.Is(err, errLongFile), errors.Is(err, errBlanks):
		return l.fail("", err.Error()+": write it as JSON Lines, with one smaller object a line")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		l.line = l.doc.source.lineAt(l.doc.source.offset)
		return l.fail("", "the file ends in the middle of a value; it may not have been written completely Fetch or write it again")
	case errors.As(err, &syntax):
		l.line = l.doc.source.lineAt(l.doc.dec.InputOffset() + 1)
		return l.fail("", fmt.Sprintf("what begins here is not valid JSON: %v; fix it, or write one object per line", err))
	}
	l.line = l.doc.source.lineAt(l.doc.source.offset)
	return l.fail("", l.file.broken(err))
}
