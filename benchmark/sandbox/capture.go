package sandbox

import (
	"io"
	"os"
	"sync"
	"time"
)

// keepBytes is how much of a stream is kept for display.
const keepBytes = 64 << 10

// buffers are shared by concurrent captures.
var buffers = sync.Pool{New: func() any { b := make([]byte, 32<<10); return &b }}

// capture reads one output stream of a program: it keeps the beginning and counts the rest.
type capture struct {
	mu   sync.Mutex
	kept []byte
	over bool
	file *os.File
	read chan struct{} // closed at the end of the stream; nil: nobody waits for it
}

// run reads until the stream ends. It calls over once, after more than limit bytes.
func (c *capture) run(limit int, over func()) {
	if c.read != nil {
		defer close(c.read)
	}
	buf := *buffers.Get().(*[]byte)
	defer buffers.Put(&buf)
	total := 0
	for {
		n, err := c.file.Read(buf)
		total += n
		c.mu.Lock()
		if room := keepBytes - len(c.kept); room > 0 {
			c.kept = append(c.kept, buf[:min(n, room)]...)
		}
		c.over = total > limit
		c.mu.Unlock()
		if over != nil && total > limit {
			over()
			over = nil
		}
		if err != nil {
			if err != io.EOF {
				c.file.Close()
			}
			return
		}
	}
}

// wait waits for the end of the stream, but not long: another process may hold it open.
func (c *capture) wait() {
	select {
	case <-c.read:
	case <-time.After(500 * time.Millisecond):
	}
}

func (c *capture) text() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]byte(nil), c.kept...)
}

func (c *capture) tooMuch() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}
