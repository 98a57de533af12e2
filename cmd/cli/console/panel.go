package console

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// Panel shows the progress of a long run: on a terminal a few lines that it redraws, elsewhere a line now
// and then.
type Panel struct {
	out      io.Writer
	terminal bool

	mu    sync.Mutex
	last  time.Time
	lines []string
	drawn int // lines currently on the terminal
}

// NewPanel returns a panel that draws on out.
func NewPanel(out io.Writer) *Panel {
	return &Panel{out: Raw(out), terminal: IsTerminal(out), last: time.Now()}
}

// Show draws lines; without a terminal it only prints the first.
func (p *Panel) Show(lines []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = lines
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
	p.draw()
}

// Say prints a permanent line above the others.
func (p *Panel) Say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.terminal {
		fmt.Fprintln(p.out, text)
		return
	}
	var b strings.Builder
	p.rub(&b)
	b.WriteString("\r\x1b[K" + text + "\n") // also overwrites the ^C echoed by a terminal
	io.WriteString(p.out, b.String())
	p.draw()
}

// draw replaces the current lines. The caller holds the lock.
func (p *Panel) draw() {
	width, height, ok := terminalSize(p.out)
	if !ok {
		width, height = 80, 24
	}
	var b strings.Builder
	p.rub(&b)
	lines := p.lines[:min(len(p.lines), height-1)]
	for _, line := range lines {
		b.WriteString(ansi.Truncate(line, width-1, "…") + "\n")
	}
	p.drawn = len(lines)
	io.WriteString(p.out, b.String())
}

// rub removes the current lines. The caller holds the lock.
func (p *Panel) rub(b *strings.Builder) {
	if p.drawn > 0 {
		fmt.Fprintf(b, "\r\x1b[%dA\x1b[J", p.drawn)
		p.drawn = 0
	}
}

// End removes the lines, so that further output starts on a clean line.
func (p *Panel) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	p.rub(&b)
	io.WriteString(p.out, b.String())
}
