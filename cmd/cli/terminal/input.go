package terminal

import (
	"os"
)

// mostParameters is the number of parameters in one sequence that the input parser accepts: it panics with
// more. No terminal sends half as many.
const mostParameters = 30

// tamed is a terminal's input with the parameters of control sequences limited to what the parser accepts.
// It drops the rest of longer ones, which can only have been pasted.
type tamed struct {
	*os.File
	last   byte // previous byte
	inside bool // within the parameters of a sequence
	count  int
}

// Read implements io.Reader.
func (t *tamed) Read(data []byte) (int, error) {
	n, err := t.File.Read(data)
	return t.tame(data[:max(n, 0)]), err
}

// tame drops what is too much, and returns the remaining length.
func (t *tamed) tame(data []byte) int {
	n := 0
	for _, c := range data {
		parameter := c >= '0' && c <= '?'
		switch {
		case t.last == 0x1b && (c == '[' || c == 'P'), c == 0x9b && t.last < 0xc0, c == 0x90 && t.last < 0xc0:
			t.inside, t.count = true, 0
		case t.inside && !parameter:
			t.inside = false
		case t.inside && (c == ';' || c == ':'):
			t.count++
		}
		t.last = c
		if t.inside && parameter && t.count >= mostParameters {
			continue
		}
		data[n] = c
		n++
	}
	return n
}
