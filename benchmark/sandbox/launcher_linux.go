package sandbox

import (
	"errors"
	"os/exec"
	"runtime"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// launcher starts all processes of a box from one operating system thread.
//
// The kernel kills a child with PR_SET_PDEATHSIG when the thread that forked it ends, not the
// process. Go may end any thread that is not locked, so the forking thread must live as long as
// the box.
type launcher struct {
	requests chan launch
	closing  chan struct{}
	once     sync.Once
}

type launch struct {
	cmd    *exec.Cmd
	group  *group // the memory cgroup to start it in, or nil
	result chan error
}

var errClosed = errors.New("the sandbox is closed")

func newLauncher() *launcher {
	l := &launcher{requests: make(chan launch), closing: make(chan struct{})}
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the box
		for {
			select {
			case r := <-l.requests:
				sealDescriptors()
				r.result <- r.group.start(r.cmd)
			case <-l.closing:
				return
			}
		}
	}()
	return l
}

func (l *launcher) start(cmd *exec.Cmd, gr *group) error {
	r := launch{cmd: cmd, group: gr, result: make(chan error, 1)}
	select {
	case l.requests <- r:
		return <-r.result
	case <-l.closing:
		return errClosed
	}
}

func (l *launcher) close() { l.once.Do(func() { close(l.closing) }) }

// sealDescriptors keeps descriptors that this process inherited (from a shell, an editor) out of
// boxes. Go marks its own as not inheritable, but leaves those alone.
func sealDescriptors() {
	const first = 3
	if unix.CloseRange(first, ^uint(0), unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	names, err := readNames("/proc/self/fd") // before Linux 5.11
	if err != nil {
		return
	}
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd >= first {
			unix.CloseOnExec(fd)
		}
	}
}
