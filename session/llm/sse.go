package llm

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxEvent is the longest server-sent event, in bytes.
const maxEvent = 16 << 20

var errEventTooLong = fmt.Errorf("an event is longer than %d MB", maxEvent>>20)

// sseReader decodes a stream of server-sent events (the "event stream" format of the HTML standard) as far
// as models need it: the data of each event. It skips comments and the fields event, id and retry.
type sseReader struct {
	r     *bufio.Reader
	limit int

	line   []byte
	skipLF bool // the last line ended with CR: a LF that follows belongs to it
	begun  bool
}

func newSSEReader(r io.Reader) *sseReader {
	return &sseReader{r: bufio.NewReaderSize(r, 32<<10), limit: maxEvent}
}

// next implements eventSource: it returns the data of the next event, its lines joined by newlines. An
// event without the blank line that ends it is final.
func (s *sseReader) next() (data []byte, final bool, err error) {
	var found bool
	for {
		end, err := s.readLine()
		if err != nil && (err != io.EOF || !end && len(s.line) == 0) {
			if err == io.EOF && found {
				return data, true, nil
			}
			return nil, false, err
		}
		if len(s.line) == 0 && found {
			return data, false, nil
		}
		if value, ok := dataField(s.line); ok {
			if len(data)+len(value) > s.limit {
				return nil, false, errEventTooLong
			}
			if found {
				data = append(data, '\n')
			}
			data, found = append(data, value...), true
		}
	}
}

// readLine reads one line into s.line, without its end. LF, CR and CR LF all end a line. terminated is
// false if the stream ended first.
func (s *sseReader) readLine() (terminated bool, err error) {
	s.line = s.line[:0]
	for {
		c, err := s.r.ReadByte()
		if err != nil {
			s.dropMark()
			return false, err
		}
		if s.skipLF {
			// Checked now rather than after the CR: waiting there for a byte that may come much later would
			// delay a complete event.
			s.skipLF = false
			if c == '\n' {
				continue
			}
		}
		if c == '\n' || c == '\r' {
			s.skipLF = c == '\r'
			s.dropMark()
			return true, nil
		}
		if len(s.line) >= s.limit {
			return false, errEventTooLong
		}
		s.line = append(s.line, c)
	}
}

// dropMark removes a byte-order mark from the first line.
func (s *sseReader) dropMark() {
	if !s.begun {
		s.begun = true
		s.line = bytes.TrimPrefix(s.line, []byte("\xEF\xBB\xBF"))
	}
}

// dataField returns the value of a line "data: value", without one leading space.
func dataField(line []byte) ([]byte, bool) {
	name, value, colon := bytes.Cut(line, []byte(":"))
	if string(name) != "data" {
		return nil, false
	}
	if colon {
		value = bytes.TrimPrefix(value, []byte(" "))
	}
	return value, true
}

// isTooLong reports whether a stream was rejected because of its size.
func isTooLong(err error) bool { return errors.Is(err, errEventTooLong) || errors.Is(err, errTooLong) }
