package sandbox

import (
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Warm runs programs that can be forked (Spec.Fork) in slots: bubblewrap boxes that live for many
// programs, each forked from a server that has already loaded everything. All others run in
// Bubblewrap's own boxes.
//
// A program in a slot has its own session, descriptors, resource limits and empty private file
// system. The namespaces are the slot's, and one program after another uses them: of the process
// namespace every process is ended before the next program, and in the others a program has no
// capability and no system call to leave anything.
type Warm struct {
	strict *Bubblewrap

	mu     sync.Mutex
	idle   []*slot
	live   map[*slot]struct{}
	worked bool  // a slot has worked on this machine
	reason error // why no slot ever works
	closed bool
}

var _ Box = (*Warm)(nil)

// NewWarm makes slots with b, and closes b when it is closed.
func NewWarm(b *Bubblewrap) *Warm { return &Warm{strict: b, live: map[*slot]struct{}{}} }

// Name implements Box.
func (w *Warm) Name() string { return "bwrap-warm" }

// Enforcement implements Box.
func (w *Warm) Enforcement() map[string]string {
	e := w.strict.Enforcement()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.reason == nil {
		e["box"], e["files"] = "bwrap-warm", "tmpfs-size+inodes"
	}
	return e
}

// Reason returns why every program gets a box of its own here, or nil.
func (w *Warm) Reason() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.reason
}

// Probe implements Box.
func (w *Warm) Probe(ctx context.Context) error { return w.strict.Probe(ctx) }

// Strict returns the boxes that are not reused.
func (w *Warm) Strict() *Bubblewrap { return w.strict }

// Start implements Box.
func (w *Warm) Start(ctx context.Context, spec Spec) (Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if spec.Fork == nil || w.Reason() != nil {
		return w.strict.Start(ctx, spec)
	}
	spec.Limits = spec.Limits.withDefaults()
	for {
		s, err := w.take(spec)
		if err != nil && len(spec.Fork.Server) == 0 && w.unable(err) {
			return w.strict.Start(ctx, spec)
		}
		if err != nil {
			return nil, err
		}
		fresh := s.uses == 0
		p, err := w.run(ctx, s, spec)
		if err == nil {
			return p, nil
		}
		w.discard(s)
		if fresh {
			return nil, fmt.Errorf("running a program in a sandbox: %w", err)
		}
		// An idle slot was killed meanwhile: try others.
	}
}

// unable records why the first slot could not be started, and reports whether slots never work.
func (w *Warm) unable(err error) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.worked && !w.closed && w.reason == nil {
		w.reason = fmt.Errorf("programs cannot be forked in a box here: %w", err)
	}
	return w.reason != nil
}

// take finds an idle slot for the program, or starts one.
func (w *Warm) take(spec Spec) (*slot, error) {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return nil, errClosed
	}
	for i := len(w.idle) - 1; i >= 0; i-- {
		if s := w.idle[i]; s.fits(spec) {
			w.idle = append(w.idle[:i], w.idle[i+1:]...)
			w.mu.Unlock()
			return s, nil
		}
	}
	w.mu.Unlock()
	s, err := w.strict.startSlot(spec)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		s.close()
		return nil, errClosed
	}
	w.worked = true
	w.live[s] = struct{}{}
	return s, nil
}

// run starts the program in the slot.
func (w *Warm) run(ctx context.Context, s *slot, spec Spec) (*brief, error) {
	ends, err := slotPipes()
	if err != nil {
		return nil, err
	}
	s.memory = s.group.limitTo(spec.Limits)
	place := holdInside(s.inner.pid, spec.Outputs)
	err = s.request(spec.Limits, ends.theirs)
	for _, fd := range ends.theirs {
		unix.Close(fd)
	}
	if err != nil {
		for _, fd := range ends.ours {
			unix.Close(fd)
		}
		place.release()
		return nil, err
	}
	return &brief{warm: w, place: place, ctx: ctx, slot: s, spec: spec, memory: s.memory, pipes: ends.ours}, nil
}

// supervised returns the program in the slot as a process; await waits for its end. killed is why the slot
// was told to kill it, or "".
func (w *Warm) supervised(ctx context.Context, s *slot, place *workplace, limits Limits, ours [4]*os.File, killed Cause, await func() (ending, error)) *process {
	p := &process{
		cause:    killed,
		control:  [2]*os.File{ours[0], ours[1]},
		out:      &capture{file: ours[2]},
		errs:     &capture{file: ours[3]},
		limits:   limits,
		tmp:      "/tmp",
		reported: true,
		enforced: w.Enforcement(),
		exited:   make(chan struct{}),
		done:     make(chan struct{}),
	}
	p.enforced["memory"] = s.memory
	var running sync.Mutex
	ended := false
	var overdue *time.Timer
	var failed error
	p.end = func() {
		running.Lock()
		defer running.Unlock()
		if ended {
			return
		}
		s.kill()
		if overdue == nil { // a server that does not respond is killed with its box
			overdue = time.AfterFunc(slotEnd, s.close)
		}
	}
	p.await = func() ending {
		e, err := await()
		running.Lock()
		ended = true
		if overdue != nil {
			overdue.Stop()
		}
		running.Unlock()
		failed = err
		if killed != "" && e.exit != -int(unix.SIGKILL) { // it had ended by itself before
			p.mu.Lock()
			p.cause = ""
			p.mu.Unlock()
		}
		return e
	}
	p.leave = func() []OutputFile { return w.release(s, place, failed) }
	m := newMeter(0)
	m.find, m.outer, m.group, m.waited = s.program, true, s.group, s.adopted
	p.watch(ctx, m)
	return p
}

// release returns a slot whose program has ended, and the files that the program left. They are
// read before the slot's next program starts, which gets the same file system if this program did
// not touch it.
func (w *Warm) release(s *slot, place *workplace, err error) []OutputFile {
	if err != nil || s.uses >= slotUses {
		w.discard(s)
		return place.take()
	}
	files := place.take()
	w.put(s)
	return files
}

// put keeps a slot for the next program, and discards the least recently used one beyond the
// maximum.
func (w *Warm) put(s *slot) {
	w.mu.Lock()
	var old *slot
	if w.closed {
		old = s
	} else if w.idle = append(w.idle, s); len(w.idle) > runtime.NumCPU()+2 {
		old, w.idle = w.idle[0], w.idle[1:]
	}
	w.mu.Unlock()
	if old != nil {
		w.discard(old)
	}
}

func (w *Warm) discard(s *slot) {
	s.close()
	w.mu.Lock()
	delete(w.live, s)
	w.mu.Unlock()
}

// Close implements Box.
func (w *Warm) Close() error {
	w.mu.Lock()
	w.closed = true
	all := maps.Clone(w.live)
	w.mu.Unlock()
	for s := range all {
		w.discard(s)
	}
	return w.strict.Close()
}

// ends are the ends of a program's pipes: ours of the control channel (to the program, from it),
// of standard output and of standard error, and the program's in the same order.
type ends struct{ ours, theirs [4]int }

// slotPipes makes a program's pipes. Our ends are non-blocking.
func slotPipes() (ends, error) {
	var e ends
	for i := range e.ours {
		var fds [2]int
		if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
			for _, fd := range append(e.ours[:i:i], e.theirs[:i]...) {
				unix.Close(fd)
			}
			return e, err
		}
		reopenable(fds[1])
		ours, theirs := fds[0], fds[1]
		if i == 0 { // the pipe that the program reads from
			ours, theirs = theirs, ours
		}
		unix.FcntlInt(uintptr(ours), unix.F_SETFL, unix.O_NONBLOCK)
		e.ours[i], e.theirs[i] = ours, theirs
	}
	return e, nil
}
