package judges

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/benchmark/batch"
	"assay/cmd/cli/console"
	"assay/tui/frame"
)

// EvalProgress shows the progress of judging many answers: on a terminal one line that it redraws,
// elsewhere a line from time to time.
type EvalProgress struct {
	mu       sync.Mutex
	out      io.Writer
	terminal bool
	last     time.Time
	drawn    bool
	making   map[string]time.Time // tasks whose repositories are prepared, since when
}

// NewProgress returns the progress of an evaluation, shown on out.
func NewProgress(out io.Writer) *EvalProgress {
	return &EvalProgress{out: console.Raw(out), terminal: console.IsTerminal(out), last: time.Now()}
}

// Show prints the progress, but not more often than people can read.
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
	p.Print(text + p.preparing())
}

// preparing tells which repositories are prepared, and how long already.
func (p *EvalProgress) preparing() (text string) {
	for _, task := range slices.Sorted(maps.Keys(p.making)) {
		text += fmt.Sprintf("  preparing %s %s", frame.OneLine(task), time.Since(p.making[task]).Round(time.Second))
	}
	return text
}

// Preparing shows that a task's repository is prepared, until the returned function is called. It tells so at once
// where that takes longer than a moment.
func (p *EvalProgress) Preparing(task string) (done func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.making == nil {
		p.making = map[string]time.Time{}
	}
	p.making[task] = time.Now()
	ended := make(chan struct{})
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
			}
			p.mu.Lock()
			if _, still := p.making[task]; still && p.Due() {
				p.Print(strings.TrimSpace(p.preparing()))
			}
			p.mu.Unlock()
		}
	}()
	return sync.OnceFunc(func() {
		close(ended)
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.making, task)
	})
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

// Print replaces the previous line.
func (p *EvalProgress) Print(text string) {
	if p.terminal {
		fmt.Fprintf(p.out, "\r\x1b[K%s", text)
		p.drawn = true
		return
	}
	fmt.Fprintln(p.out, text)
}

// Say prints a separate line.
func (p *EvalProgress) Say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	fmt.Fprintln(p.out, text)
}

// End clears the line, so that further output starts on a clean line.
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
