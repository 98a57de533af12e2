package sandbox

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// broker changes modes and times of files for a program under Landlock that runs as the files'
// owner. Landlock does not control these calls, so the kernel asks the keeper, which makes them
// only for files in the program's private directory. Compilers need them to write a program.
type broker struct {
	listener int // delivers the kernel's questions
	private  string
	dir      int // the private directory
}

// brokered are the calls that the kernel asks about. brokeredHere has those of single
// architectures.
var brokered = [...]uint32{unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_UTIMENSAT}

// The kernel's question and its answer, see seccomp_unotify(2).
type (
	brokerQuestion struct {
		id         uint64
		pid, flags uint32
		call       int32
		arch       uint32
		at         uint64
		args       [6]uint64
	}
	brokerAnswer struct {
		id    uint64
		value int64
		errno int32
		flags uint32
	}
)

// newBroker makes the kernel ask about the calls of this thread, and of what it starts, from now
// on.
func newBroker(private string) (*broker, error) {
	program := []bpf.Instruction{bpf.LoadAbsolute{Off: offsetNumber, Size: 4}}
	for _, number := range append(append([]uint32(nil), brokered[:]...), brokeredHere[:]...) {
		program = append(program, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: number, SkipTrue: 1}, bpf.RetConstant{Val: unix.SECCOMP_RET_USER_NOTIF})
	}
	text, err := assemble(append(program, bpf.RetConstant{Val: seccompAllow}))
	if err != nil {
		return nil, err
	}
	dir, err := unix.Open(private, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("opening the private directory: %w", err)
	}
	listener, err := loadFilter(text, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER)
	if err != nil {
		return nil, err
	}
	unix.CloseOnExec(listener)
	return &broker{listener: listener, private: private, dir: dir}, nil
}

// serve answers questions as long as this process lives.
func (b *broker) serve() {
	for {
		var q brokerQuestion
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(b.listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&q))); errno != 0 {
			if errno == unix.EINTR || errno == unix.ENOENT { // ENOENT: the asking process was killed
				continue
			}
			return
		}
		answer := brokerAnswer{id: q.id}
		if err := b.do(&q); err != nil {
			answer.errno = -int32(unix.EPERM)
			var errno unix.Errno
			if errors.As(err, &errno) {
				answer.errno = -int32(errno)
			}
		}
		unix.Syscall(unix.SYS_IOCTL, uintptr(b.listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&answer)))
	}
}

// errOutside is the error for a file outside the private directory.
var errOutside = errors.New("the file is not in the private directory")

// do makes the requested call.
func (b *broker) do(q *brokerQuestion) error {
	var path string
	var err error
	rest := q.args[2:] // arguments after a directory and a path
	switch byPath := brokeredPath(q.call); {
	case byPath:
		path, err = b.path(q, unix.AT_FDCWD, q.args[0])
		rest = q.args[1:]
	case q.call == unix.SYS_FCHMOD, q.call == unix.SYS_UTIMENSAT && q.args[1] == 0:
		path, err = os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", q.pid, int32(q.args[0])))
		if q.call == unix.SYS_FCHMOD {
			rest = q.args[1:]
		}
	default:
		path, err = b.path(q, int32(q.args[0]), q.args[1])
	}
	if err != nil {
		return err
	}
	file, err := b.open(path)
	if err != nil {
		return err
	}
	defer unix.Close(file)
	name := fmt.Sprintf("/proc/self/fd/%d", file)
	if q.call != unix.SYS_UTIMENSAT {
		return unix.Chmod(name, uint32(rest[0])&0o777)
	}
	times, err := b.times(q, rest[0])
	if err != nil {
		return err
	}
	return unix.UtimesNanoAt(unix.AT_FDCWD, name, times, 0)
}

// open opens a file below the private directory, without following links. From here on, the
// program cannot change what the path refers to.
func (b *broker) open(path string) (int, error) {
	inside, err := filepath.Rel(b.private, path)
	if err != nil || inside == ".." || strings.HasPrefix(inside, "../") {
		return -1, errOutside
	}
	fd, err := unix.Openat2(b.dir, inside, &unix.OpenHow{Flags: unix.O_PATH | unix.O_NOFOLLOW | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_XDEV})
	if err != nil {
		return -1, err
	}
	var st unix.Stat_t
	err = unix.Fstat(fd, &st)
	if kind := st.Mode & unix.S_IFMT; err == nil && kind != unix.S_IFDIR && (kind != unix.S_IFREG || st.Nlink != 1) {
		err = errOutside // perhaps a hard link to a file elsewhere
	}
	if err != nil {
		unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

// path reads a path from the asking process, and resolves it against a directory of that process.
func (b *broker) path(q *brokerQuestion, dir int32, address uint64) (string, error) {
	text, err := b.read(q, address, unix.PathMax)
	if err != nil {
		return "", err
	}
	text, _, found := bytes.Cut(text, []byte{0})
	if !found || len(text) == 0 {
		return "", unix.ENOENT
	}
	path := string(text)
	if filepath.IsAbs(path) {
		return path, nil
	}
	from := fmt.Sprintf("/proc/%d/cwd", q.pid)
	if dir != unix.AT_FDCWD {
		from = fmt.Sprintf("/proc/%d/fd/%d", q.pid, dir)
	}
	base, err := os.Readlink(from)
	return filepath.Join(base, path), err
}

// times reads the two times of utimensat; none means now.
func (b *broker) times(q *brokerQuestion, address uint64) ([]unix.Timespec, error) {
	now := []unix.Timespec{{Nsec: unix.UTIME_NOW}, {Nsec: unix.UTIME_NOW}}
	if address == 0 {
		return now, nil
	}
	raw, err := b.read(q, address, 32)
	if err != nil || len(raw) < 32 {
		return nil, unix.EFAULT
	}
	n := func(i int) int64 { return int64(binary.NativeEndian.Uint64(raw[8*i:])) }
	return []unix.Timespec{{Sec: n(0), Nsec: n(1)}, {Sec: n(2), Nsec: n(3)}}, nil
}

// read reads up to size bytes of the asking process's memory, and checks that it is still asking.
func (b *broker) read(q *brokerQuestion, address uint64, size int) ([]byte, error) {
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", q.pid))
	if err != nil {
		return nil, err
	}
	defer memory.Close()
	buf := make([]byte, size)
	n := 0
	for n < size { // page by page, since the next may not be mapped
		part := min(size-n, 4096-int((address+uint64(n))%4096))
		k, err := memory.ReadAt(buf[n:n+part], int64(address)+int64(n))
		n += k
		if err != nil || bytes.IndexByte(buf[n-k:n], 0) >= 0 && size == unix.PathMax {
			break
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(b.listener), unix.SECCOMP_IOCTL_NOTIF_ID_VALID, uintptr(unsafe.Pointer(&q.id))); errno != 0 {
		return nil, errno
	}
	if n == 0 {
		return nil, unix.EFAULT
	}
	return buf[:n], nil
}
