package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// panel shows how far a long run is: on a terminal a few lines that are written over,
// elsewhere one line now and then.
type panel struct {
	out      io.Writer
	terminal bool
	last     time.Time
	drawn    int // lines that stand there
}

func newPanel(out io.Writer) *panel {
	return &panel{out: out, terminal: isTerminal(out), last: time.Now()}
}

// show draws lines; the first is all that is printed where there is no terminal.
func (p *panel) show(lines []string) {
	pause := 10 * time.Second
	if p.terminal {
		pause = 200 * time.Millisecond
	}
	if len(lines) == 0 || time.Since(p.last) < pause {
		return
	}
	p.last = time.Now()
	if !p.terminal {
		fmt.Fprintln(p.out, lines[0])
		return
	}
	width, height := 80, 24
	if f, ok := p.out.(*os.File); ok {
		if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 && h > 1 {
			width, height = w, h
		}
	}
	var b strings.Builder
	p.rub(&b)
	lines = lines[:min(len(lines), height-1)]
	for _, line := range lines {
		b.WriteString(ansi.Truncate(line, width-1, "…") + "\n")
	}
	p.drawn = len(lines)
	io.WriteString(p.out, b.String())
}

// rub removes the lines that stand there.
func (p *panel) rub(b *strings.Builder) {
	if p.drawn > 0 {
		fmt.Fprintf(b, "\x1b[%dA\x1b[J", p.drawn)
		p.drawn = 0
	}
}

// end clears the lines, so that what follows starts on a clean one.
func (p *panel) end() {
	var b strings.Builder
	p.rub(&b)
	io.WriteString(p.out, b.String())
}
