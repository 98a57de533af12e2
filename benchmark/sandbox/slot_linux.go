package sandbox

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

//go:embed python/slot.py
var slotProgram string

// slot is a bubblewrap box with a fork server, which runs one program at a time in a process
// namespace that it shares with none: every process of the one before has ended.
//
// The messages on its socket are words of 64 bits. To the server, once: the size of the private
// file system, the maximum number of its files, the lengths of the two system call filters (the
// server's and the programs'), then both filters and the machine code of its loop; then R with
// the limits and four descriptors for each program, and K to kill it. From the server, once, H
// when it is ready, and E with the program's end when all its processes have ended and everything
// it left is wiped.
type slot struct {
	spec    Spec // of the first program, see fits
	cmd     *exec.Cmd
	inner   *inner
	socket  *net.UnixConn
	errs    *capture
	uses    int
	adopted time.Duration // processor time of all orphans of programs that have ended
	memory  string        // mechanism that enforces the running program's memory limit
	group   *group        // of the slot and its programs; nil: none
	close   func()        // kills the box and waits until it has ended
}

const (
	slotStart = 60 * time.Second // for the server to start and load its modules
	slotEnd   = 10 * time.Second // for a killed program's processes to disappear
	slotUses  = 2000             // programs, then a fresh slot replaces it
)

// fits reports whether the slot can run a program.
func (s *slot) fits(spec Spec) bool {
	a, b := s.spec.Fork, spec.Fork
	return slices.Equal(a.Server, b.Server) && slices.Equal(a.Env, b.Env) && slices.Equal(a.Interpreter, b.Interpreter) && slices.Equal(a.Imports, b.Imports) &&
		a.Before == b.Before && a.Rehearsal == b.Rehearsal && a.After == b.After &&
		slices.Equal(s.spec.Env, spec.Env) && slices.Equal(s.spec.Binds, spec.Binds) && s.spec.Library == spec.Library &&
		s.spec.Limits.FileMB == spec.Limits.FileMB && s.spec.Limits.Files == spec.Limits.Files
}

// command returns the fork server's command line.
func (f *Fork) command() []string {
	if len(f.Server) > 0 {
		return f.Server
	}
	return append(slices.Clone(f.Interpreter), slotScript(f))
}

// slotScript returns the program of the fork server: its own text, the definitions, the modules,
// of which any may be missing, the rehearsal, and the server's loop; then the code of each
// program.
func slotScript(f *Fork) string {
	var b strings.Builder
	b.WriteString(slotProgram)
	b.WriteString("\n\n" + f.Before + "\n\n")
	for _, name := range f.Imports {
		b.WriteString("try: __import__(" + strconv.Quote(name) + ")\nexcept ImportError: pass\n")
	}
	b.WriteString(f.Rehearsal + "\n_slot_serve()\n")
	// The code of programs is outside, at the top level: they have as many levels for their own
	// calls as in other boxes. _code stays referenced, since each child would have to free it.
	return slotCompiler + "_code = _compiled(" + strconv.QuoteToASCII(b.String()) + ")\nexec(_code)\n\n" + f.After
}

// slotCompiler compiles a text in another process: compiling leaves much behind in memory, which
// each program would inherit.
const slotCompiler = `def _compiled(text):
    import marshal, os
    read, write = os.pipe()
    if os.fork() == 0:
        with open(write, "wb") as f:
            f.write(marshal.dumps(compile(text, "<string>", "exec")))
        os._exit(0)
    os.close(write)
    with open(read, "rb") as f:
        code = f.read()
    os.wait()
    return marshal.loads(code)

`

// startSlot starts a box with a fork server and waits until it is ready.
func (b *Bubblewrap) startSlot(spec Spec) (*slot, error) {
	ours, theirs, err := socketPair()
	if err != nil {
		return nil, fmt.Errorf("opening a socket for a sandbox: %w", err)
	}
	defer theirs.Close()
	infoR, infoW, err := os.Pipe()
	if err != nil {
		ours.Close()
		return nil, fmt.Errorf("opening pipes for a sandbox: %w", err)
	}
	defer infoR.Close()
	defer infoW.Close()
	errR, errW, err := os.Pipe()
	if err != nil {
		ours.Close()
		return nil, fmt.Errorf("opening pipes for a sandbox: %w", err)
	}
	// Resolve functions of libraries at the start, not in each program.
	args := []string{"--cap-add", "CAP_SYS_ADMIN", "--info-fd", "4", "--setenv", "LD_BIND_NOW", "1"}
	for _, v := range spec.Fork.Env {
		name, value, _ := strings.Cut(v, "=")
		args = append(args, "--setenv", name, value)
	}
	args = append(b.arguments(spec, args...), spec.Fork.command()...)
	s := &slot{spec: spec, cmd: b.command(args), socket: ours, errs: &capture{file: errR}}
	s.cmd.Stdout, s.cmd.Stderr = nil, errW
	s.cmd.ExtraFiles = []*os.File{theirs, infoW}
	s.group, _ = b.groups.forBox(Limits{})
	err = b.launcher.start(s.cmd, s.group)
	errW.Close()
	infoW.Close()
	if err != nil {
		ours.Close()
		errR.Close()
		s.group.remove()
		return nil, fmt.Errorf("starting %s: %w", b.path, err)
	}
	go s.errs.run(0, nil)
	s.inner = newInner(s.cmd.Process.Pid, infoR)
	s.close = sync.OnceFunc(s.end)
	theirs.Close()
	err = s.setUp(spec.Limits)
	s.group.ready()
	if err != nil {
		s.close()
		text := strings.TrimSpace(string(s.errs.text()))
		return nil, fmt.Errorf("the fork server did not start: %w: %s", err, text[max(0, len(text)-600):])
	}
	return s, nil
}

// setUp sends the server its configuration and waits until it is ready.
func (s *slot) setUp(l Limits) error {
	server, err := seccompFilter(slotCalls[:]...)
	if err != nil {
		return err
	}
	program, err := slotFilter()
	if err != nil {
		return err
	}
	message := words(int64(l.FileMB)<<20, int64(l.Files+slotFiles), int64(len(server)), int64(len(program)))
	if _, err := s.socket.Write(slices.Concat(message, server, program, slotCode())); err != nil {
		return err
	}
	_, err = s.receive(slotStart, 'H')
	return err
}

// words encodes a message of numbers.
func words(numbers ...int64) []byte {
	message := make([]byte, 0, 8*len(numbers))
	for _, n := range numbers {
		message = binary.NativeEndian.AppendUint64(message, uint64(n))
	}
	return message
}

// socketPair returns the two ends of a fork server's socket.
func socketPair() (*net.UnixConn, *os.File, error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	mine, theirs := os.NewFile(uintptr(fds[0]), "slot"), os.NewFile(uintptr(fds[1]), "slot")
	defer mine.Close()
	conn, err := net.FileConn(mine)
	if err != nil {
		theirs.Close()
		return nil, nil, err
	}
	return conn.(*net.UnixConn), theirs, nil
}

func (s *slot) end() {
	s.socket.Close()
	s.inner.end(s.cmd.Process)
	s.cmd.Process.Wait()
	s.inner.wait()
	s.group.remove()
}

var errSlot = errors.New("the fork server sent an unexpected message")

// receive waits for a message of the given kind and returns its content.
func (s *slot) receive(patience time.Duration, kind int64) ([]int64, error) {
	var deadline time.Time
	if patience > 0 {
		deadline = time.Now().Add(patience)
	}
	s.socket.SetReadDeadline(deadline)
	var buf [64]byte
	n, err := s.socket.Read(buf[:])
	if err != nil {
		return nil, err
	}
	message := make([]int64, n/8)
	for i := range message {
		message[i] = int64(binary.NativeEndian.Uint64(buf[8*i:]))
	}
	if len(message) == 0 || message[0] != kind {
		return nil, errSlot
	}
	return message[1:], nil
}

// request starts a program with the given descriptors: the two of its control channel, standard
// output and standard error.
func (s *slot) request(l Limits, fds [4]int) error {
	limit := func(set bool, value int64) int64 {
		if !set {
			return -1
		}
		return value
	}
	message := words('R',
		limit(l.CPU > 0, int64((l.CPU+time.Second-1)/time.Second)),
		limit(l.AddressSpaceMB > 0, int64(l.AddressSpaceMB)<<20),
		int64(l.Processes+slotProcesses),
		int64(l.OpenFiles),
		limit(l.FileMB > 0, int64(l.FileMB)<<20))
	s.uses++
	_, _, err := s.socket.WriteMsgUnix(message, unix.UnixRights(fds[:]...), nil)
	return err
}

// slotProcesses is the number of processes that belong to the box itself: bubblewrap's, the fork
// server, and the first of the programs' process namespace.
const slotProcesses = 3

// slotFiles is the number of files beyond the limit that fit into the private file system: a
// program that exceeds the limit is detected by their number, and can never create many more.
const slotFiles = 64

func (s *slot) kill() { s.socket.Write(words('K')) }

// await waits until the program has ended, at most for patience. For a program that may take its
// time that is 0, no limit: a broken server closes the socket.
func (s *slot) await(patience time.Duration) (ending, error) {
	return s.ending(s.receive(patience, 'E'))
}

// awaitSoon is await for a program that may not end in time: then it returns false.
func (s *slot) awaitSoon(patience time.Duration) (e ending, ended bool, err error) {
	report, err := s.receive(patience, 'E')
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return e, false, nil
	}
	e, err = s.ending(report, err)
	return e, true, err
}

// ending returns how a program has ended according to the server's report.
func (s *slot) ending(report []int64, err error) (ending, error) {
	oom := s.group.outOfMemory()
	if err != nil {
		return ending{lost: true, oom: oom}, err
	}
	if len(report) != 5 {
		return ending{lost: true}, errSlot
	}
	s.adopted = time.Duration(report[4]) * time.Microsecond
	return ending{exit: int(report[0]), cpu: time.Duration(report[1]) * time.Microsecond, peakKB: report[2], files: int(report[3]), exact: true, oom: oom}, nil
}

// program finds the running program among the server's children, and the first process of its
// process namespace, which adopts its orphans. It returns 0 if there is none.
func (s *slot) program() (first, program int) {
	servers := children(threadOf(s.inner.pid))
	if len(servers) == 0 {
		return 0, 0
	}
	if pids := children(threadOf(servers[0])); len(pids) == 2 {
		return pids[0], pids[1]
	}
	return 0, 0
}

// threadOf returns the directory of a process's first thread.
func threadOf(pid int) string { return "/proc/" + strconv.Itoa(pid) + "/task/" + strconv.Itoa(pid) }
