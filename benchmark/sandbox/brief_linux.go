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

// brief is a program in a slot while it is young. Most programs end within a few
// milliseconds, before a supervisor would look for the first time; so nothing
// supervises them until then. One that lasts longer, or is asked about, grows up to
// a process.
//
// Nothing is lost by that: pipes hold what it prints, the fork server counts its
// processor time and files, and the next look is no later than it was.
type brief struct {
	warm   *Warm
	ctx    context.Context
	slot   *slot
	spec   Spec
	memory string // what enforces its memory limit
	place  *workplace

	mu     sync.Mutex
	pipes  [4]int   // ours: to the program, from it, standard output, standard error; -1: closed
	from   *os.File // pipes[1], once it was waited for
	grown  *process // nil: it is still young, or it has ended young
	budget *Budget
	until  time.Time // when it is no longer young; zero: nobody has waited for it yet
	killed Cause
	ended  bool // young
	ending ending
	broken error    // of the slot, at that end
	end    *Outcome // of a program that was closed when it was still young
}

// youth is how long a program may be waited for under one budget before it is
// supervised, however many pieces its answer comes in. Where the kernel counts its
// memory, nothing that it does in such a short time has to be looked at sooner.
func (b *brief) youth() time.Duration {
	if b.memory == (*groups)(nil).mechanism() {
		return pollFirst
	}
	return pollLast
}

// endsSoon is how long is waited for the end of a program that may be about to end.
const endsSoon = pollFirst

// grow has the program supervised. The caller holds mu.
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

// answers is what the program writes to its control channel.
func (b *brief) answers() *os.File {
	if b.from == nil {
		b.from = os.NewFile(uintptr(b.pipes[1]), "program")
	}
	return b.from
}

// old is the program as a process, or nil if it was closed before it became one.
func (b *brief) old() *process {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.grow()
}

// Control implements Process.
func (b *brief) Control() (io.WriteCloser, io.Reader) { return orders{b}, b }

// orders is the channel to a program.
type orders struct{ b *brief }

// Close tells the program that nothing follows. What is then waited for is its end
// rather than its answer, which saves waking up twice.
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
	b.mu.Unlock() // it may not read for long, and must be killed then
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
	if b.ended && b.from == nil { // nobody can write any more, so this does not block
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

// Close implements Process. Many programs are about to end: so it waits a little
// before it kills one that nobody has killed.
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

// finish waits for the end of the program, which it is told after a while if it was
// not yet, and collects what it left.
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

// drain reads what a pipe holds, which is at most its capacity.
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
