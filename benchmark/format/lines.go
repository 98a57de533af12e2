package format

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"assay/benchmark"
)

// Limits for a file, in bytes: one line, a JSON document that is not in lines, and the unpacked size from
// which the compression ratio is checked.
const (
	maxLine     = 64 << 20
	longLine    = 1 << 20 // longer lines get one buffer of maxLine, since growing leaves copies
	maxDocument = 1 << 30
	freeUnpack  = 128 << 20
	maxRatio    = 300
)

// errBomb is returned for a compressed file that unpacks to far more than data sets do.
var errBomb = fmt.Errorf("it unpacks to more than %d times its size", maxRatio)

// LineError is a problem with a line of a file.
type LineError struct {
	Path  string
	Line  int // from 1
	Field string
	Text  string // the problem and its remedy
}

func (e *LineError) Error() string {
	where := fmt.Sprintf("%s:%d", e.Path, e.Line)
	if e.Field != "" {
		where += fmt.Sprintf(": field %q", e.Field)
	}
	return where + ": " + e.Text
}

// opened is a file that may be compressed.
type opened struct {
	*bufio.Reader
	closers []io.Closer
	zipped  bool
}

func (o *opened) Close() error {
	var first error
	for _, c := range o.closers {
		if err := c.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// open opens a file, decompressing gzip, which it recognises by its first bytes.
func open(path string) (*opened, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, fmt.Errorf("%s is not a regular file: write its output to one first", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, fmt.Errorf("%s is a directory: name the file in it", path)
	}
	packed := &counted{r: f}
	r := bufio.NewReaderSize(packed, 64<<10)
	head, _ := r.Peek(2)
	if len(head) == 0 {
		f.Close()
		return nil, fmt.Errorf("%s is empty; it may not have been written completely", path)
	}
	if bytes.Equal(head, []byte{0xff, 0xfe}) || bytes.Equal(head, []byte{0xfe, 0xff}) {
		f.Close()
		return nil, &LineError{Path: path, Line: 1, Text: "the file is written in UTF-16: save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8"}
	}
	if !bytes.Equal(head, []byte{0x1f, 0x8b}) {
		return &opened{Reader: r, closers: []io.Closer{f}}, nil
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s looks like gzip but cannot be unpacked: %w; download or write it again", path, err)
	}
	return &opened{Reader: bufio.NewReaderSize(&unpacked{z: z, packed: packed}, 64<<10), closers: []io.Closer{z, f}, zipped: true}, nil
}

// bufferOf returns a reader of a text.
func bufferOf(text []byte) *bufio.Reader { return bufio.NewReaderSize(bytes.NewReader(text), 64<<10) }

// counted counts the bytes read.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// unpacked decompresses gzip and fails if there is suspiciously much data.
type unpacked struct {
	z      io.Reader
	packed *counted
	n      int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.z.Read(p)
	if u.n += int64(n); u.n > freeUnpack && u.n/maxRatio > u.packed.n {
		return 0, errBomb
	}
	return n, err
}

// broken describes the error of a file that cannot be read further.
func (o *opened) broken(err error) string {
	switch {
	case errors.Is(err, errBomb):
		return fmt.Sprintf("the compressed file is suspicious: %v; if you trust it, unpack it and name the unpacked file", err)
	case o.zipped:
		return fmt.Sprintf("the compressed file is truncated or damaged here (%v); fetch or write it again", err)
	}
	return err.Error()
}

// unusable is the fault of a row that is in its format, but whose task cannot be judged: the task is left out, and the
// others of the file are read.
type unusable struct {
	id    string // of the task
	fault error
}

func (u *unusable) Error() string { return u.fault.Error() }

// leaveOut adds the task of an [unusable] row to those that are left out; it returns other errors.
func leaveOut(b *benchmark.Benchmark, err error) error {
	var row *unusable
	if !errors.As(err, &row) {
		return err
	}
	b.LeftOut = append(b.LeftOut, benchmark.LeftOut{ID: row.id, Index: len(b.Tasks) + len(b.LeftOut), Fault: row.fault})
	return nil
}

// allLeftOut returns the first fault of a benchmark of which no task is left, or nil.
func allLeftOut(b *benchmark.Benchmark) error {
	if len(b.Tasks) == 0 && len(b.LeftOut) > 0 {
		return b.LeftOut[0].Fault
	}
	return nil
}

// notUTF8 reports where a text is not UTF-8, or "".
func notUTF8(text []byte) string {
	at := benchmark.NotUTF8(text)
	if at < 0 {
		return ""
	}
	return fmt.Sprintf("byte %d (0x%02x) is not UTF-8: save the file as UTF-8, for example with iconv -f WINDOWS-1252 -t UTF-8", at+1, text[at])
}

// lines yields the lines of a file that are not blank, without line ends; or, for a JSON document, its
// elements.
type lines struct {
	path string
	file *opened
	line int // line number of the start of the current value
	buf  []byte
	id   string    // the field with the id of a task
	doc  *document // nil for JSON Lines
}

// record returns the next object, or io.EOF.
func (l *lines) record() (map[string]json.RawMessage, error) {
	text, err := l.value()
	if err != nil {
		return nil, err
	}
	return l.object(text)
}

// value returns the next line or element, valid until the next call, or io.EOF.
func (l *lines) value() ([]byte, error) {
	if l.doc != nil {
		return l.element()
	}
	return l.next()
}

// next returns the next line, valid until the next call, or io.EOF.
func (l *lines) next() ([]byte, error) {
	for {
		l.line++
		l.buf = l.buf[:0]
		for {
			part, err := l.file.ReadSlice('\n')
			if len(l.buf) > longLine && cap(l.buf) < maxLine+len(part) {
				l.buf = slices.Grow(l.buf, maxLine+l.file.Size()-len(l.buf))
			}
			l.buf = append(l.buf, part...)
			if err == nil {
				break
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				if len(l.buf) > maxLine {
					return nil, l.fail("", "the line is longer than 64 MB: is this a JSON Lines file, with one object a line?")
				}
				continue
			}
			if errors.Is(err, io.EOF) && len(l.buf) > 0 {
				break
			}
			if errors.Is(err, io.EOF) {
				return nil, io.EOF
			}
			return nil, l.fail("", l.file.broken(err))
		}
		if l.line == 1 {
			l.buf = bytes.TrimPrefix(l.buf, []byte("\ufeff"))
		}
		if text := bytes.TrimSpace(l.buf); len(text) > 0 {
			if problem := notUTF8(text); problem != "" {
				return nil, l.fail("", problem)
			}
			return text, nil
		}
	}
}

func (l *lines) fail(field, text string) error {
	return &LineError{Path: l.path, Line: l.line, Field: field, Text: text}
}

// unusable returns the fault of a row whose task is left out.
func (l *lines) unusable(id, field, text string) error { return &unusable{id, l.fail(field, text)} }

// object decodes the line as one JSON object.
func (l *lines) object(text []byte) (map[string]json.RawMessage, error) {
	if l.doc != nil && text[0] != '{' {
		return nil, l.fail("", fmt.Sprintf("%s stands here where an object is wanted: the file must be a list of objects", kindOf(text)))
	}
	if text[0] == '[' {
		return nil, l.fail("", "the line is not a JSON object but starts with \"[\", a list: "+
			"write its objects one a line, for example with jq -c '.[]'")
	}
	if text[0] != '{' {
		return nil, l.fail("", fmt.Sprintf("the line is not a JSON object but starts with %q: "+
			"a JSON Lines file has one object a line", string(text[:min(len(text), 12)])))
	}
	var fields map[string]json.RawMessage
	if !json.Valid(text) {
		text = withoutPythonNumbers(text)
	}
	if err := json.Unmarshal(text, &fields); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, l.fail("", fmt.Sprintf("the line is not valid JSON: %v, at byte %d of the line; "+
				"one object must stand on one line", err, syntax.Offset))
		}
		return nil, l.fail("", "the line is not valid JSON: "+err.Error())
	}
	return fields, nil
}

// text reads a field that must be a string. A missing one is reported only if
// it is required.
func (l *lines) text(fields map[string]json.RawMessage, name string, required bool) (string, error) {
	raw, ok := fields[name]
	if !ok {
		if required {
			return "", l.fail(name, "the field is missing: add it, as text")
		}
		return "", nil
	}
	var s *string
	if err := json.Unmarshal(raw, &s); err != nil || s == nil {
		return "", l.fail(name, fmt.Sprintf("the field must be text, not %s", kindOf(raw)))
	}
	return *s, nil
}

// texts reads several string fields; required ones must not be empty either.
func (l *lines) texts(fields map[string]json.RawMessage, required, optional []string) (map[string]string, error) {
	values := map[string]string{}
	for i, name := range slices.Concat(required, optional) {
		value, err := l.text(fields, name, i < len(required))
		if err != nil {
			return nil, err
		}
		if i < len(required) && strings.TrimSpace(value) == "" {
			return nil, l.fail(name, "the field is empty: fill it in")
		}
		values[name] = value
	}
	return values, nil
}

func kindOf(raw json.RawMessage) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	case '"':
		return "text"
	}
	return "a number"
}

// withoutPythonNumbers replaces Python's numbers that JSON lacks by assay's representation.
func withoutPythonNumbers(text []byte) []byte {
	out, _ := io.ReadAll(&pythonNumbers{r: bufferOf(text)}) // memory does not fail
	return out
}

// pythonNumbers passes on a text as [withoutPythonNumbers] returns it.
type pythonNumbers struct {
	r               *bufio.Reader
	quoted, escaped bool
	left            string // of a number
}

func (n *pythonNumbers) Read(p []byte) (i int, err error) {
	for i < len(p) {
		if n.left != "" {
			k := copy(p[i:], n.left)
			n.left, i = n.left[k:], i+k
			continue
		}
		if i > 0 && n.r.Buffered() == 0 {
			break
		}
		c, err := n.r.ReadByte()
		if err != nil {
			return i, err
		}
		switch {
		case n.escaped:
			n.escaped = false
		case n.quoted:
			n.escaped, n.quoted = c == '\\', c != '"'
		case c == '"':
			n.quoted = true
		case n.number(c):
			continue
		}
		p[i] = c
		i++
	}
	return i, nil
}

// number replaces a number that begins with c.
func (n *pythonNumbers) number(c byte) bool {
	for _, number := range [...][2]string{{"-Infinity", "-inf"}, {"Infinity", "inf"}, {"NaN", "nan"}} {
		if c != number[0][0] {
			continue
		}
		rest := number[0][1:]
		if next, _ := n.r.Peek(len(rest)); string(next) == rest {
			n.r.Discard(len(rest)) // has been peeked at
			n.left = `{"$float":"` + number[1] + `"}`
			return true
		}
	}
	return false
}

// MD5 returns the hexadecimal MD5 of a file's decompressed contents, by which EvalPlus identifies versions of
// its data sets.
func MD5(path string) (string, error) {
	f, err := open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := md5.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("reading %s: %s", path, f.broken(err))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
