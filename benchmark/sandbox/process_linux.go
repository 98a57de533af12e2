package sandbox

import (
	"cmp"
	"context"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// process is a program that runs as a child of this one, under a supervisor that polls its usage.
type process struct {
	enforced  map[string]string
	control   [2]*os.File // our ends: write to the program, read from it
	out, errs *capture
	limits    Limits
	tmp       string               // the private file system inside the box; "": files are not counted in it
	tooMany   func(last bool) bool // reports whether too much was written; nil: count the files of tmp
	reported  bool                 // await reports everything that the program used
	end       func()               // ends every process of the box; may be called more than once
	await     func() ending        // waits for the end of the program
	memory    *group               // of this process alone; nil: none, or await reports it
	gone      func()               // waits until every process of the box has ended; nil: nothing to wait for
	leave     func() []OutputFile  // then takes the requested files and releases the box; nil: nothing to do

	mu       sync.Mutex // guards the fields below
	meter    *meter
	cause    Cause
	cpuLimit time.Duration // of the armed budget, on the meter's scale; 0: none
	total    time.Duration
	wall     time.Duration // the armed budget's Wall; 0: none
	more     *extension    // of the armed budget; nil: none
	mark     Usage         // usage at that time
	exit     int
	final    Usage
	outputs  []OutputFile

	exited chan struct{} // the direct child has ended
	done   chan struct{}
	stop   func() bool
}

// ending is what is known about a program that has ended.
type ending struct {
	exit   int // the exit status, or minus a signal
	cpu    time.Duration
	peakKB int64
	files  int  // in the private file system, if counted at the end
	exact  bool // cpu excludes the setting up of the box
	lost   bool // the box failed
	oom    bool // the kernel killed a process for memory
}

// awaitCommand is the await of a program that is a child of this process.
func awaitCommand(cmd *exec.Cmd) ending {
	var e ending
	state, _ := cmd.Process.Wait()
	if state == nil {
		return e
	}
	e.exit = state.ExitCode()
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		e.exit = -int(ws.Signal())
	}
	e.cpu = state.UserTime() + state.SystemTime()
	if ru, ok := state.SysUsage().(*syscall.Rusage); ok {
		e.peakKB = ru.Maxrss
	}
	return e
}

// plumbing holds the descriptors of a program that is being started: its control channel (3 and 4 in the
// program), its standard streams, and more in the order in which they are opened (5 and up).
type plumbing struct {
	theirs, ours []*os.File
	err          error // the first that opening them had
}

func (p *plumbing) add(theirs, ours *os.File, err error) {
	p.theirs, p.ours, p.err = append(p.theirs, theirs), append(p.ours, ours), cmp.Or(p.err, err)
}

// in opens a pipe to the program and returns the end that is written to.
func (p *plumbing) in() *os.File {
	r, w, err := os.Pipe()
	p.add(r, w, err)
	return w
}

// out opens a pipe from the program and returns the end that is read.
func (p *plumbing) out() *os.File {
	r, w, err := os.Pipe()
	if err == nil {
		reopenable(int(w.Fd()))
	}
	p.add(w, r, err)
	return r
}

// reopenable lets programs open a pipe again by its name in /proc, as /dev/stdout, even if they run as another
// user than this one, who owns the pipe.
func reopenable(fd int) { unix.Fchmod(fd, 0o666) }

// holding opens a pipe from which the program reads a text of at most a few kilobytes, which fit into it.
func (p *plumbing) holding(text []byte) {
	w := p.in()
	w.Write(text)
	w.Close()
}

// start starts the program with its ends, and closes them here; if that fails, it closes ours, too.
func (p *plumbing) start(cmd *exec.Cmd, by *launcher, in *group) error {
	err := p.err
	if err == nil {
		cmd.Stdout, cmd.Stderr = p.theirs[2], p.theirs[3]
		cmd.ExtraFiles = slices.Concat(p.theirs[:2], p.theirs[4:])
		err = by.start(cmd, in)
	}
	closeAll(p.theirs)
	if err != nil {
		closeAll(p.ours)
	}
	return err
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// wire opens the control channel and the standard streams of a program, and returns the process around it,
// not yet started.
func wire(limits Limits) (*process, *plumbing) {
	pl := &plumbing{}
	return &process{
		control: [2]*os.File{pl.in(), pl.out()},
		out:     &capture{file: pl.out()},
		errs:    &capture{file: pl.out()},
		limits:  limits,
		exited:  make(chan struct{}),
		done:    make(chan struct{}),
	}, pl
}

// watch starts the goroutines of a process whose command runs. The meter measures everything in
// the box.
func (p *process) watch(ctx context.Context, m *meter) {
	p.meter = m
	p.stop = context.AfterFunc(ctx, func() { p.Kill(Cancelled) })
	var readers sync.WaitGroup
	over := func() { p.Kill(Output) }
	readers.Go(func() { p.out.run(p.limits.OutputKB<<10, over) })
	readers.Go(func() { p.errs.run(p.limits.OutputKB<<10, over) })
	go p.supervise()
	go p.wait(&readers)
}

// wait waits for the end of the program, kills what it left behind, and only then reports: an
// orphan that holds a stream open delays nothing.
func (p *process) wait(readers *sync.WaitGroup) {
	e := p.await()
	close(p.exited)
	p.end()
	if p.gone != nil {
		p.gone()
	}
	var outputs []OutputFile
	if p.leave != nil {
		outputs = p.leave()
	}
	e.oom = e.oom || p.memory.outOfMemory()
	p.memory.remove()
	read := make(chan struct{})
	go func() { readers.Wait(); close(read) }()
	select {
	case <-read:
	case <-time.After(500 * time.Millisecond): // only without namespaces: someone escaped
		p.out.file.Close()
		p.errs.file.Close()
	}
	p.stop()
	p.mu.Lock()
	p.final = p.meter.usage
	p.exit, p.outputs = e.exit, outputs
	if p.cause != Closed || e.exact {
		// The program may have used much since the last poll. The kernel's sum is exact, but may
		// include the setting up of the box.
		p.final.CPU = max(p.final.CPU, e.cpu)
	}
	p.final.PeakKB = max(p.final.PeakKB, e.peakKB)
	switch {
	case e.oom && p.cause.yieldsToMemory():
		p.cause = Memory
	case p.cause != "" && p.cause != Closed:
	case e.lost:
		p.cause = Lost
	case p.limits.Files > 0 && e.files > p.limits.Files:
		p.cause = Files
	}
	p.mu.Unlock()
	close(p.done)
}

// Polling starts fast, since memory can grow by hundreds of megabytes in a few hundredths of a
// second, and slows down for programs that run long.
const (
	pollFirst = 4 * time.Millisecond
	pollLast  = 20 * time.Millisecond
)

func (p *process) supervise() {
	interval := pollFirst
	timer := time.NewTimer(interval)
	defer timer.Stop()
	for {
		select {
		case <-p.exited:
			return
		case <-timer.C:
		}
		if cause := p.over(); cause != "" {
			p.Kill(cause)
			return
		}
		interval = min(interval+time.Millisecond, pollLast)
		timer.Reset(interval)
	}
}

// over measures, and returns which limit is exceeded, if any.
func (p *process) over() Cause {
	p.mu.Lock()
	defer p.mu.Unlock()
	u := p.meter.read()
	if limit := int64(p.limits.MemoryMB) << 10; limit > 0 && u.MemoryKB > limit {
		if exact, ok := p.meter.precise(); !ok || exact > limit {
			return Memory
		}
	}
	if p.limits.MemoryMB > 0 && p.meter.hoards() {
		return Memory
	}
	if p.tooManyFiles(false) {
		return Files
	}
	switch {
	case p.total > 0 && u.CPU > p.total:
		return p.usedUp(CPUTotal)
	case p.cpuLimit > 0 && u.CPU > p.cpuLimit:
		return p.usedUp(CPU)
	case p.wall > 0 && u.Idle-p.mark.Idle > p.wall:
		return Idle
	}
	return ""
}

// extension is a budget's More, and whether it was called.
type extension struct {
	ask   func() (cpu, total time.Duration)
	asked bool
}

// usedUp returns the cause if the armed budget cannot be extended, and otherwise asks by how much.
// The caller holds mu.
func (p *process) usedUp(cause Cause) Cause {
	more := p.more
	if more == nil {
		return cause
	}
	if !more.asked {
		more.asked = true
		go func() {
			cpu, total := more.ask()
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.more != more { // another budget was armed, or none
				return
			}
			p.more = nil
			if p.cpuLimit > 0 {
				p.cpuLimit += cpu
			}
			if p.total > 0 {
				p.total += total
			}
		}()
	}
	return ""
}

func (p *process) tooManyFiles(last bool) bool {
	if p.tooMany != nil {
		return p.tooMany(last)
	}
	return p.tmp != "" && p.meter.filesUsed(p.tmp, p.limits.FileMB) > p.limits.Files
}

// Control implements Process.
func (p *process) Control() (io.WriteCloser, io.Reader) { return p.control[0], p.control[1] }

// Arm implements Process.
func (p *process) Arm(b Budget) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cpuLimit, p.total, p.more = 0, b.Total, nil
	if b.More != nil {
		p.more = &extension{ask: b.More}
	}
	p.mark, p.wall = p.meter.usage, b.Wall
	if !b.Coarse {
		p.mark = p.meter.read()
	}
	if b.CPU > 0 {
		p.cpuLimit = p.mark.CPU + b.CPU
	}
}

// undisturbed reports whether nobody has requested to kill the process.
func (p *process) undisturbed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cause == ""
}

// Disarm implements Process.
func (p *process) Disarm() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cpuLimit, p.total, p.wall, p.more = 0, 0, 0, nil
}

// Usage implements Process.
func (p *process) Usage() Usage {
	select {
	case <-p.done:
		return p.final
	default:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.meter.read()
}

// Kill implements Process.
func (p *process) Kill(c Cause) {
	p.mu.Lock()
	select {
	case <-p.exited: // it ended by itself first
	default:
		if p.cause == "" {
			if (c == Closed || c == Cancelled) && !p.reported {
				p.meter.read() // the last measurement
			}
			if c == Closed && !p.reported && p.tooManyFiles(true) {
				c = Files
			}
			p.cause = c
		}
	}
	p.mu.Unlock()
	p.end()
}

// Enforcement implements Process.
func (p *process) Enforcement() map[string]string { return maps.Clone(p.enforced) }

// Ready implements Process.
func (p *process) Ready() bool { return p.reported }

// Done implements Process.
func (p *process) Done() <-chan struct{} { return p.done }

// Close implements Process.
func (p *process) Close() Outcome {
	p.Kill(Closed)
	<-p.done
	closeAll(p.control[:])
	p.out.file.Close()
	p.errs.file.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	if (p.cause == Closed || p.cause == "") && (p.out.tooMuch() || p.errs.tooMuch()) {
		p.cause = Output // it ended before we had read it
	}
	return Outcome{Cause: p.cause, Exit: p.exit, Usage: p.final, Stdout: p.out.text(), Stderr: p.errs.text(), Outputs: p.outputs}
}
