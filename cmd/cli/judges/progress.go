package judges

import (
	"fmt"
	"io"
	"sync"
	"time"

	"assay/benchmark/batch"
	"assay/cmd/cli/console"
)

// EvalProgress shows how far the judging of many answers is: on a terminal one line that is
// written over, elsewhere a line from time to time.
type EvalProgress struct {
	mu       sync.Mutex
	out      io.Writer
	terminal bool
	last     time.Time
	drawn    bool
}

// NewProgress makes the progress of an evaluation, shown on out.
func NewProgress(out io.Writer) *EvalProgress {
	return &EvalProgress{out: console.Raw(out), terminal: console.IsTerminal(out), last: time.Now()}
}

// Show prints how far judging is, as often as anybody can read it.
func (p *EvalProgress) Show(now batch.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.Due() {
		return
	}
	text := fmt.Sprintf("%d/%d", now.Done, now.Total)
	for _, v := range batch.VerdictOrder() {
		if n := now.Verdicts[v]; n > 0 {
			text += fmt.Sprintf("  %s %d", v, n)
		}
	}
	if now.Held > 0 {
		text += fmt.Sprintf("  to judge again alone %d", now.Held)
	}
	text += fmt.Sprintf("  %.0f/s", now.Rate())
	if now.Left > 0 {
		text += fmt.Sprintf("  %s left", now.Left)
	}
	p.Print(text)
}

// Due reports whether enough time has passed since the last line.
func (p *EvalProgress) Due() bool {
	pause := 5 * time.Second
	if p.terminal {
		pause = 250 * time.Millisecond
	}
	if time.Since(p.last) < pause {
		return false
	}
	p.last = time.Now()
	return true
}

// Print puts a line in the place of the one before.
func (p *EvalProgress) Print(text string) {
	if p.terminal {
		fmt.Fprintf(p.out, "\r\x1b[K%s", text)
		p.drawn = true
		return
	}
	fmt.Fprintln(p.out, text)
}

// Say writes a line of its own.
func (p *EvalProgress) Say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	fmt.Fprintln(p.out, text)
}

// End clears the line, so that what follows starts on a clean one.
func (p *EvalProgress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *EvalProgress) clear() {
	if p.drawn {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
