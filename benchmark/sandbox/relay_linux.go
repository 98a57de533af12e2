package sandbox

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// relay is assay's side of a container's first process.
type relay struct {
	box  *Container
	name string
	cmd  *exec.Cmd
	to   io.WriteCloser
	from io.ReadCloser
	errs *capture   // the engine's own messages
	lock sync.Mutex // one message at a time

	toProgram, fromProgram *os.File // the program's ends of the control channel
	out, err               *os.File // and of standard output and standard error

	answers chan Usage

	state   sync.Mutex // guards the fields below
	changed *sync.Cond // signals changes of room, queue, ended and over
	room    int        // bytes that the relay can accept for the program
	queue   [][]byte   // the program's data for the reader
	ended   bool       // no more data arrives
	last    Usage
	files   int
	copied  []relayFile
	end     *relayEnd
	overdue *time.Timer
	over    bool
}

// relayEnd is a relay's report.
type relayEnd struct {
	Exit   int   `json:"exit"`
	CPUUS  int64 `json:"cpu_us"`
	PeakKB int64 `json:"peak_kb"`
	Files  int   `json:"files"`
	OOM    bool  `json:"oom"`
}

// relayFile is a file that a relay copies out, with its metadata.
type relayFile struct {
	Name  string     `json:"name"`
	Mode  uint32     `json:"mode"`
	Links uint64     `json:"links"`
	Size  int64      `json:"size"`
	Errno unix.Errno `json:"errno"`
	data  []byte
}

// relayWindow is how many bytes may be in transit in each direction of the control channel, so
// that neither side has to buffer more, or waits for the other while it has something else to do.
const relayWindow = 1 << 18

// maxRelayMessage bounds a relay's message.
const maxRelayMessage = 1 << 20

// relay starts the engine.
func (b *Container) relay(cmd *exec.Cmd, name string) (*relay, error) {
	r := &relay{box: b, name: name, cmd: cmd, answers: make(chan Usage, 1), room: relayWindow}
	r.changed = sync.NewCond(&r.state)
	var err error
	if r.to, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if r.from, err = cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer errW.Close()
	cmd.Stderr = errW
	r.errs = &capture{file: errR, read: make(chan struct{})}
	if err := cmd.Start(); err != nil {
		errR.Close()
		return nil, err
	}
	go r.errs.run(keepBytes, nil)
	return r, nil
}

// abandon ends a container that will not be used.
func (r *relay) abandon() {
	r.to.Close()
	r.cmd.Process.Kill()
	r.cmd.Wait()
	r.box.remove(r.name)
}

// process returns a process around the relay.
func (r *relay) process(limits Limits) (*process, error) {
	p, pl := wire(limits)
	if pl.err != nil {
		closeAll(append(pl.ours, pl.theirs...))
		return nil, pl.err
	}
	r.toProgram, r.fromProgram, r.out, r.err = pl.theirs[0], pl.theirs[1], pl.theirs[2], pl.theirs[3]
	p.end, p.await = r.kill, r.await
	p.tooMany = func(bool) bool {
		r.state.Lock()
		defer r.state.Unlock()
		return r.files > limits.Files
	}
	return p, nil
}

// send sends one message; that a relay has ended is noticed elsewhere.
func (r *relay) send(kind byte, data []byte) error {
	message := append(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(data))), data...)
	r.lock.Lock()
	defer r.lock.Unlock()
	_, err := r.to.Write(message)
	return err
}

// feed forwards what is written to the program's descriptor 3.
func (r *relay) feed() {
	buf := make([]byte, 32<<10)
	for {
		r.state.Lock()
		for r.room <= 0 && !r.over {
			r.changed.Wait()
		}
		room := r.room
		r.state.Unlock()
		if room <= 0 {
			return
		}
		n, err := r.toProgram.Read(buf[:min(len(buf), room)])
		if n > 0 {
			r.state.Lock()
			r.room -= n
			r.state.Unlock()
			if r.send('i', buf[:n]) != nil {
				return
			}
		}
		if err != nil {
			r.send('c', nil)
			return
		}
	}
}

// deliver forwards what the program wrote to its descriptor 4.
func (r *relay) deliver() {
	defer r.fromProgram.Close()
	r.allow(relayWindow)
	for {
		r.state.Lock()
		for len(r.queue) == 0 && !r.ended {
			r.changed.Wait()
		}
		data := r.queue
		r.queue = nil
		r.state.Unlock()
		if len(data) == 0 {
			return
		}
		for _, part := range data {
			// When nobody reads any more, the rest is dropped and blocks nothing.
			r.fromProgram.Write(part)
			r.allow(len(part))
		}
	}
}

func (r *relay) allow(n int) { r.send('a', binary.BigEndian.AppendUint32(nil, uint32(n))) }

// message reads the relay's next message.
func (r *relay) message() (kind byte, data []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r.from, head[:]); err != nil {
		return 0, nil, err
	}
	size := binary.BigEndian.Uint32(head[1:])
	if size > maxRelayMessage {
		return 0, nil, errors.New("the relay's message is too large")
	}
	data = make([]byte, size)
	_, err = io.ReadFull(r.from, data)
	return head[0], data, err
}

// greeting waits until the relay runs and returns the limits of its container.
func (r *relay) greeting(ctx context.Context) (map[string]string, error) {
	ctx, cancel := context.WithTimeout(ctx, slotStart)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { r.cmd.Process.Kill() })
	defer stop()
	kind, data, err := r.message()
	limits := map[string]string{}
	if err == nil && kind == 'h' {
		err = json.Unmarshal(data, &limits)
	}
	switch {
	case err == nil && kind == 'h':
		return limits, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("starting a container: %w", context.Cause(ctx))
	}
	r.cmd.Wait()
	r.errs.wait()
	return nil, noContainer(strings.TrimSpace(string(r.errs.text())))
}

// noContainer is what an engine printed instead of starting a container.
type noContainer string

func (e noContainer) Error() string { return strings.TrimSpace(string(e)) }

// listen reads the relay's messages until it ends. It never waits for the program, or for the
// reader of the program's output.
func (r *relay) listen() {
	for {
		kind, data, err := r.message()
		r.state.Lock()
		switch {
		case err != nil || kind == 'x':
			r.ended = true
		case kind == 'd':
			r.queue = append(r.queue, data)
		case kind == 'C' && len(data) == 4:
			r.room += int(binary.BigEndian.Uint32(data))
		case kind == 'f':
			var f relayFile
			if json.Unmarshal(data, &f) == nil {
				r.copied = append(r.copied, f)
			}
		case kind == 'b' && len(r.copied) > 0:
			if f := &r.copied[len(r.copied)-1]; len(f.data) <= MaxOutput {
				f.data = append(f.data, data...)
			}
		case kind == 'e':
			r.end = &relayEnd{}
			if json.Unmarshal(data, r.end) != nil {
				r.end = nil
			}
		}
		r.changed.Broadcast()
		r.state.Unlock()
		switch {
		case err != nil:
			return
		case kind == '1':
			r.out.Write(data)
		case kind == '2':
			r.err.Write(data)
		case kind == 'u':
			r.note(data)
		case kind == 'e':
			r.send('z', nil) // everything was read: the container may end
		}
	}
}

// outputs returns the requested files, after the relay has ended.
func (r *relay) outputs(names []string) []OutputFile {
	r.state.Lock()
	defer r.state.Unlock()
	files, room := make([]OutputFile, len(names)), int64(MaxOutputs)
	for i, name := range names {
		at := slices.IndexFunc(r.copied, func(f relayFile) bool { return f.Name == name })
		if at < 0 {
			files[i] = OutputFile{Name: name, Problem: "the container ended before it could be copied"}
			continue
		}
		files[i] = r.copied[at].output(room)
		room -= int64(len(files[i].Data))
	}
	return files
}

// output returns a file that a relay sent, if it is admissible.
func (f *relayFile) output(room int64) OutputFile {
	if f.Errno != 0 {
		return unopened(f.Name, f.Errno)
	}
	why := inadmissible(f.Mode, f.Links, f.Size, room)
	switch {
	case why != "":
		return OutputFile{Name: f.Name, Problem: why}
	case int64(len(f.data)) != f.Size:
		return OutputFile{Name: f.Name, Problem: errChanged.Error()}
	}
	return OutputFile{Name: f.Name, Data: f.data}
}

// note records an answer about the usage.
func (r *relay) note(data []byte) {
	if len(data) != 40 {
		return
	}
	n := func(i int) int64 { return int64(binary.BigEndian.Uint64(data[8*i:])) }
	u := Usage{CPU: time.Duration(n(0)) * time.Microsecond, MemoryKB: n(1), Delayed: time.Duration(n(3)) * time.Microsecond, state: byte(n(4))}
	r.state.Lock()
	u.PeakKB = max(r.last.PeakKB, u.MemoryKB)
	r.last, r.files = u, int(n(2))
	r.state.Unlock()
	select {
	case r.answers <- u:
	default:
	}
}

// relayPatience is how long to wait for an answer about the usage. A relay that shares its
// processors with a busy program may be late; then the last answer counts.
const relayPatience = 150 * time.Millisecond

// usage asks the relay.
func (r *relay) usage() Usage {
	r.state.Lock()
	last, ready := r.last, r.end == nil && !r.over
	r.state.Unlock()
	if !ready {
		return last
	}
	select {
	case <-r.answers: // of an earlier request
	default:
	}
	if r.send('q', nil) != nil {
		return last
	}
	select {
	case u := <-r.answers:
		return u
	case <-time.After(relayPatience):
		return last
	}
}

// kill makes the relay kill the program and everything it started; a container whose relay does
// not respond is removed.
func (r *relay) kill() {
	r.state.Lock()
	defer r.state.Unlock()
	if r.over || r.overdue != nil {
		return
	}
	r.overdue = time.AfterFunc(slotEnd, func() {
		r.box.remove(r.name)
		r.cmd.Process.Kill()
	})
	go r.send('k', nil)
}

// await waits until the container has ended.
func (r *relay) await() ending {
	r.listen()
	r.to.Close()
	r.cmd.Wait()
	r.state.Lock()
	r.over = true
	r.changed.Broadcast()
	end := r.end
	if r.overdue != nil {
		r.overdue.Stop()
	}
	r.state.Unlock()
	if end == nil {
		r.box.remove(r.name) // the engine's client has ended, the container perhaps not
		r.errs.wait()
		r.err.Write(r.errs.text())
	}
	closeAll([]*os.File{r.out, r.err, r.toProgram, r.errs.file})
	if end == nil {
		return ending{lost: true}
	}
	return ending{exit: end.Exit, cpu: time.Duration(end.CPUUS) * time.Microsecond, peakKB: end.PeakKB, files: end.Files, oom: end.OOM, exact: true}
}
