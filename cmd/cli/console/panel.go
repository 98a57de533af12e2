package console

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// Panel shows how far a long run is: on a terminal a few lines that are written over,
// elsewhere one line now and then.
type Panel struct {
	out      io.Writer
	terminal bool

	mu    sync.Mutex
	last  time.Time
	lines []string
	drawn int // lines that stand there
}

// NewPanel makes a panel that draws on out.
func NewPanel(out io.Writer) *Panel {
	return &Panel{out: Raw(out), terminal: IsTerminal(out), last: time.Now()}
}

// Show draws lines; the first is all that is printed where there is no terminal.
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

// Say prints a line that stays, above the others.
func (p *Panel) Say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.terminal {
		fmt.Fprintln(p.out, text)
		return
	}
	var b strings.Builder
	p.rub(&b)
	b.WriteString("\r\x1b[K" + text + "\n") // over the ^C that a terminal writes
	io.WriteString(p.out, b.String())
	p.draw()
}

// draw writes the lines in the place of those that stand there. The lock is held.
func (p *Panel) draw() {
	width, height := 80, 24
	if f, ok := p.out.(*os.File); ok {
		if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 && h > 1 {
			width, height = w, h
		}
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

// rub removes the lines that stand there. The lock is held.
func (p *Panel) rub(b *strings.Builder) {
	if p.drawn > 0 {
		fmt.Fprintf(b, "\r\x1b[%dA\x1b[J", p.drawn)
		p.drawn = 0
	}
}

// End clears the lines, so that what follows starts on a clean one.
func (p *Panel) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	p.rub(&b)
	io.WriteString(p.out, b.String())
}
