package sandbox

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// brief is a young program in a slot. Most programs end within a few milliseconds, before a
// supervisor would poll for the first time; so nothing supervises them until then. A program that
// lasts longer, or whose usage is requested, becomes a process.
//
// Nothing is lost: pipes hold what it prints, the fork server counts its processor time and
// files, and the first poll is not later than with a supervisor.
type brief struct {
	warm   *Warm
	ctx    context.Context
	slot   *slot
	spec   Spec
	memory string // mechanism that enforces its memory limit
	place  *workplace

	mu     sync.Mutex
	pipes  [4]int   // ours: to the program, from it, standard output, standard error; -1: closed
	from   *os.File // pipes[1], after the first wait
	grown  *process // nil: still young, or ended young
	budget *Budget
	until  time.Time // end of its youth; zero: nobody has waited for it yet
	killed Cause
	ended  bool // while young
	ending ending
	broken error    // error of the slot at that end
	end    *Outcome // of a program closed while young
}

// youth is how long a program may be waited for under one budget before it is supervised, in
// however many pieces its answer arrives. Where the kernel counts its memory, nothing it does in
// that time needs to be noticed sooner.
func (b *brief) youth() time.Duration {
	if b.memory == (*groups)(nil).mechanism() {
		return pollFirst
	}
	return pollLast
}

// endsSoon is how long to wait for a program that may be about to end.
const endsSoon = pollFirst

// grow starts the supervision of the program. The caller holds mu.
func (b *brief) grow() *process {
	if b.grown != nil || b.end != nil {
		return b.grown
	}
	ours := [4]*os.File{1: b.answers()}
	for i, fd := range b.pipes {
		if i != 1 && fd >= 0 {
			ours[i] = os.NewFile(uintptr(fd), "program")
		}
	}
	b.from.SetReadDeadline(time.Time{})
	await := func() (ending, error) { return b.slot.await(0) }
	if b.ended {
		await = func() (ending, error) { return b.ending, b.broken }
	}
	b.grown = b.warm.supervised(b.ctx, b.slot, b.place, b.spec.Limits, ours, b.killed, await)
	if b.budget != nil {
		b.grown.Arm(*b.budget)
	}
	return b.grown
}

// answers returns the pipe of the program's control channel.
func (b *brief) answers() *os.File {
	if b.from == nil {
		b.from = os.NewFile(uintptr(b.pipes[1]), "program")
	}
	return b.from
}

// old returns the program as a process, or nil if it was closed while young.
func (b *brief) old() *process {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.grow()
}

// Control implements Process.
func (b *brief) Control() (io.WriteCloser, io.Reader) { return orders{b}, b }

// orders is the channel to a program.
type orders struct{ b *brief }

// Close ends the program's input. A later wait is then for its end rather than its answer, which
// saves one wake-up.
func (o orders) Close() error {
	b := o.b
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.grown != nil {
		return b.grown.control[0].Close()
	}
	if b.pipes[0] >= 0 && b.end == nil {
		unix.Close(b.pipes[0])
		b.pipes[0] = -1
	}
	return nil
}

// Write sends to the program.
func (o orders) Write(data []byte) (int, error) {
	b := o.b
	b.mu.Lock()
	n := 0
	if b.pipes[0] < 0 {
		b.mu.Unlock()
		return 0, os.ErrClosed
	}
	if b.grown == nil && b.end == nil {
		n, _ = unix.Write(b.pipes[0], data)
		if n = max(n, 0); n == len(data) {
			b.mu.Unlock()
			return n, nil
		}
	}
	p := b.grow()
	b.mu.Unlock() // the program may read slowly, and Kill must not block then
	if p == nil {
		return n, os.ErrClosed
	}
	more, err := p.control[0].Write(data[n:])
	return n + more, err
}

// Read receives from the program.
func (b *brief) Read(data []byte) (int, error) {
	b.mu.Lock()
	if b.grown == nil && b.end == nil {
		if n, err := b.readYoung(data); !errors.Is(err, os.ErrDeadlineExceeded) {
			b.mu.Unlock()
			return n, err
		}
	}
	p := b.grow()
	b.mu.Unlock()
	if p == nil {
		return 0, os.ErrClosed
	}
	return p.control[1].Read(data)
}

// readYoung is Read while the program is young. The caller holds mu.
func (b *brief) readYoung(data []byte) (n int, err error) {
	first := b.until.IsZero()
	if first {
		b.until = time.Now().Add(b.youth())
	}
	if b.pipes[0] < 0 && first && !b.ended {
		b.ending, b.ended, b.broken = b.slot.awaitSoon(endsSoon)
	}
	if b.ended && b.from == nil { // no writer is left, so this does not block
		n, err = unix.Read(b.pipes[1], data)
		if n == 0 && err == nil {
			err = io.EOF
		}
		return max(n, 0), err
	}
	if b.from == nil || first {
		b.answers().SetReadDeadline(b.until)
	}
	return b.from.Read(data)
}

// Ready implements Process.
func (b *brief) Ready() bool { return true }

// Arm implements Process.
func (b *brief) Arm(budget Budget) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.budget, b.until = &budget, time.Time{}
	if b.grown != nil {
		b.grown.Arm(budget)
	}
}

// Disarm implements Process.
func (b *brief) Disarm() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.budget = nil
	if b.grown != nil {
		b.grown.Disarm()
	}
}

// Usage implements Process.
func (b *brief) Usage() Usage {
	if p := b.old(); p != nil {
		return p.Usage()
	}
	return b.end.Usage
}

// Kill implements Process.
func (b *brief) Kill(c Cause) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.grown != nil:
		b.grown.Kill(c)
	case b.killed == "" && b.end == nil && !b.ended:
		b.killed = c
		b.slot.kill()
	}
}

// Done implements Process.
func (b *brief) Done() <-chan struct{} {
	if p := b.old(); p != nil {
		return p.Done()
	}
	ended := make(chan struct{})
	close(ended)
	return ended
}

// Enforcement implements Process.
func (b *brief) Enforcement() map[string]string {
	e := b.warm.Enforcement()
	e["memory"] = b.memory
	return e
}

// Close implements Process. Many programs are about to end, so it waits briefly before it kills
// one.
func (b *brief) Close() Outcome {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.grown != nil:
		return b.grown.Close()
	case b.end == nil:
		b.end = b.finish()
	}
	return *b.end
}

// finish waits for the program to end, kills it after a while, and collects its output.
func (b *brief) finish() *Outcome {
	if !b.ended && b.killed == "" {
		if b.ending, b.ended, b.broken = b.slot.awaitSoon(endsSoon); !b.ended {
			b.killed = Closed
			b.slot.kill()
		}
	}
	if !b.ended {
		b.ending, b.broken = b.slot.await(slotEnd)
	}
	e := b.ending
	out, errs := drain(b.pipes[2]), drain(b.pipes[3])
	for i, fd := range b.pipes {
		if fd >= 0 && (i != 1 || b.from == nil) {
			unix.Close(fd)
		}
	}
	b.from.Close()
	outputs := b.warm.release(b.slot, b.place, b.broken)
	end := &Outcome{Outputs: outputs, Cause: b.killed, Exit: e.exit, Stdout: out, Stderr: errs, Usage: Usage{CPU: e.cpu, PeakKB: e.peakKB}}
	switch limits := b.spec.Limits; {
	case e.lost:
		end.Cause = Lost
	case limits.Files > 0 && e.files > limits.Files:
		end.Cause = Files
	case len(out) > limits.OutputKB<<10 || len(errs) > limits.OutputKB<<10:
		end.Cause = Output
	case e.exit != -int(unix.SIGKILL):
		end.Cause = "" // it ended by itself first
	}
	if e.oom && end.Cause.yieldsToMemory() {
		end.Cause = Memory
	}
	return end
}

// drain reads the content of a pipe, at most its capacity.
func drain(fd int) []byte {
	var text []byte
	buf := make([]byte, 4<<10)
	for len(text) < 4*keepBytes {
		n, err := unix.Read(fd, buf)
		if n <= 0 && err != unix.EINTR {
			break
		}
		text = append(text, buf[:max(n, 0)]...)
	}
	return text
}
