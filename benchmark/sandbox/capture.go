package sandbox

import (
	"io"
	"os"
	"sync"
)

// keepBytes is how much of a stream is kept for people to read.
const keepBytes = 64 << 10

// buffers are shared by the captures that read at one time.
var buffers = sync.Pool{New: func() any { b := make([]byte, 32<<10); return &b }}

// capture reads one output stream of a program: it keeps the beginning and
// counts the rest.
type capture struct {
	mu   sync.Mutex
	kept []byte
	over bool
	file *os.File
}

// run reads until the stream ends and calls over once when more than limit
// bytes have come.
func (c *capture) run(limit int, over func()) {
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
