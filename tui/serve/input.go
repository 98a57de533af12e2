package serve

import (
	"bytes"
	"context"
	"io"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/time/rate"
)

// What is kept of a terminal's input until it is complete.
const (
	longestSequence = 4 << 10 // bytes of an escape sequence
	longestPaste    = 8 << 20 // bytes between the beginning and the end of a paste
)

// input is the input of a connection. A sequence or a paste that never ends would be kept
// for ever, and so ends the input.
type input struct {
	in   io.Reader
	seen sequences
	rest []byte // what still follows the input's end

	ended   bool
	quota   *rate.Limiter // bytes
	refused chan struct{} // closed when more came than is kept, or what cannot be read
	why     string        // it is closed
	once    sync.Once
	typed   chan struct{} // closed when the screens have had everything
}

func newInput(in io.Reader, quota *rate.Limiter) *input {
	return &input{in: in, quota: quota, refused: make(chan struct{}), typed: make(chan struct{})}
}

// Read implements io.Reader.
func (l *input) Read(data []byte) (int, error) {
	if !l.ended {
		n, err := l.in.Read(data)
		if !l.quota.AllowN(time.Now(), n) {
			l.ended = true
			l.refuse("you sent more than a guest may: come back later, and paste less")
			return 0, io.EOF
		}
		whole := l.seen.bounded(data[:n])
		if whole && (n > 0 || err == nil) {
			return n, nil
		}
		if l.ended = true; whole {
			l.rest = l.seen.finish()
		} else {
			l.refuse(notTyped)
		}
	}
	if len(l.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(data, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// notTyped is why input is refused that no terminal sends.
const notTyped = "what was sent is nothing that a terminal sends"

func (l *input) refuse(why string) {
	l.once.Do(func() {
		l.why = why
		close(l.refused)
	})
}

// feed tells the screens what is typed, until the input ends. The program does not read it
// by itself: what it had read and not yet heard of when it ended would keep its reader for
// ever, and it could not say when it has heard all.
func (l *input) feed(screens *tea.Program, terminal string) {
	events := make(chan uv.Event)
	go func() {
		defer close(events)
		defer func() {
			if recover() != nil { // some sequences are more than its reader can take
				l.refuse(notTyped)
			}
		}()
		_ = uv.NewTerminalReader(l, terminal).StreamEvents(context.Background(), events) // it ends with the input
	}()
	for e := range events {
		screens.Send(e)
	}
	close(l.typed)
}

// silent is an input in which nothing comes until the screens are left.
type silent <-chan struct{}

// Read implements io.Reader.
func (s silent) Read([]byte) (int, error) {
	<-s
	return 0, io.EOF
}

// sequences follows the escape sequences in what a terminal sends.
type sequences struct {
	state  state
	length int // of the sequence so far
	head   [4]byte
	paste  int // bytes since a paste began; 0: none has
	behind int // bytes of a character that are still to come
}

type state int

const (
	plain   state = iota
	escaped       // after ESC
	control       // after ESC [
	text          // of an operating system command and the like, until it is ended
	textEsc       // ESC within that
)

// bounded reads the next input and reports whether all sequences are within their bounds so far.
func (s *sequences) bounded(data []byte) bool {
	for _, b := range data {
		if s.paste > 0 {
			s.paste++
		}
		s.next(b)
		if s.length > longestSequence || s.paste > longestPaste {
			return false
		}
	}
	return true
}

// finish returns what ends a sequence and a paste that were cut off, so that what came of them
// is not lost.
func (s *sequences) finish() (end []byte) {
	if s.state == text || s.state == textEsc {
		end = append(end, "\x1b\\"...)
	}
	if s.paste > 0 {
		end = append(end, "\x1b[201~"...)
	}
	return end
}

func (s *sequences) next(b byte) {
	s.length++
	switch s.state {
	case plain:
		s.length = 0
		s.begin(b)
	case escaped:
		switch {
		case b == '[':
			s.state, s.head = control, [4]byte{}
		case bytes.IndexByte([]byte("]PX^_"), b) >= 0:
			s.state = text
		case b != 0x1b:
			s.state = plain
		}
	case control:
		switch {
		case b == 0x1b:
			s.state, s.length = escaped, 1
		case b >= '@' && b <= '~':
			s.ends(b)
			s.state = plain
		case s.length-3 >= 0 && s.length-3 < len(s.head):
			s.head[s.length-3] = b
		}
	case text, textEsc:
		switch {
		case b == 7, b == 0x9c, s.state == textEsc && b == '\\':
			s.state = plain
		case b == 0x1b:
			s.state = textEsc
		default:
			s.state = text
		}
	}
}

// begin looks at a byte outside of all sequences: some are the beginning of one by
// themselves, unless they belong to a character.
func (s *sequences) begin(b byte) {
	switch {
	case s.behind > 0 && b&0xc0 == 0x80:
		s.behind--
		return
	case b == 0x1b:
		s.state, s.length = escaped, 1
	case b == 0x9b:
		s.state, s.length, s.head = control, 2, [4]byte{}
	case b == 0x90, b == 0x98, b >= 0x9d && b <= 0x9f:
		s.state, s.length = text, 2
	}
	switch s.behind = 0; {
	case b >= 0xf0:
		s.behind = 3
	case b >= 0xe0:
		s.behind = 2
	case b >= 0xc0:
		s.behind = 1
	}
}

// ends looks at a whole control sequence: two of them are those of a paste.
func (s *sequences) ends(b byte) {
	switch {
	case b == '~' && string(s.head[:3]) == "200":
		s.paste = 1
	case b == '~' && string(s.head[:3]) == "201":
		s.paste = 0
	}
}
