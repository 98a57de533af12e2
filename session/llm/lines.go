package llm

import (
	"bufio"
	"bytes"
	"io"
)

// lineReader splits a stream of JSON Lines into lines, skipping blank ones.
type lineReader struct {
	r     *bufio.Reader
	limit int // of a line, in bytes
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 32<<10), limit: maxEvent}
}

// next implements eventSource.
func (l *lineReader) next() (data []byte, final bool, err error) {
	for {
		line, err := l.line()
		final := err != nil
		line = bytes.TrimSpace(line)
		switch {
		case err != nil && err != io.EOF:
			return nil, false, err
		case len(line) > 0:
			return line, final, nil
		case final:
			return nil, false, io.EOF
		}
	}
}

// line reads up to the next newline.
func (l *lineReader) line() ([]byte, error) {
	var line []byte
	for {
		part, err := l.r.ReadSlice('\n')
		if len(line)+len(part) > l.limit {
			return nil, errEventTooLong
		}
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}
