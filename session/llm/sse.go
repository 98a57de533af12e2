package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxEvent is the longest server-sent event, in bytes.
const maxEvent = 16 << 20

var errEventTooLong = fmt.Errorf("an event is longer than %d MB", maxEvent>>20)

// sseReader decodes a stream of server-sent events (the "event stream" format of the HTML standard) as far
// as models need it: the data of each event. It skips comments, the fields id and retry, and signs of life.
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
	var event string
	for {
		end, err := s.readLine()
		if err != nil && (err != io.EOF || !end && len(s.line) == 0) {
			if err == io.EOF && found {
				return named(event, data), true, nil
			}
			return nil, false, err
		}
		if len(s.line) == 0 {
			if found {
				return named(event, data), false, nil
			}
			event = ""
		}
		if value, ok := field(s.line, "event"); ok {
			event = string(value)
		}
		if value, ok := field(s.line, "data"); ok {
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

// named returns the data of an event: none of a sign of life, and JSON of an error in plain words.
func named(event string, data []byte) []byte {
	switch text := bytes.TrimSpace(data); event {
	case "ping", "heartbeat", "keepalive", "keep-alive":
		return nil
	case "error":
		if len(text) > 0 && text[0] != '{' && text[0] != '[' {
			data, _ = json.Marshal(map[string]any{"error": map[string]string{"message": string(text)}})
		}
	}
	return data
}

// field returns the value of a line "name: value", without one leading space.
func field(line []byte, name string) ([]byte, bool) {
	own, value, colon := bytes.Cut(line, []byte(":"))
	if string(own) != name {
		return nil, false
	}
	if colon {
		value = bytes.TrimPrefix(value, []byte(" "))
	}
	return value, true
}

// isTooLong reports whether a stream was rejected because of its size.
func isTooLong(err error) bool { return errors.Is(err, errEventTooLong) || errors.Is(err, errTooLong) }
