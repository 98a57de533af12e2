package sandbox

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

//go:embed python/tree.py
var treeProgram string

// OwnTree lets programs in boxes change their copies of a directory's files, as the user that boxes
// run as. Call it once for a directory that was just made.
func OwnTree(dir string) error {
	if os.Geteuid() != 0 { // boxes run as this user
		return nil
	}
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	})
}

// etc are files that tests of repositories expect, by path: the box's user, and its names.
var etc = [...][2]string{
	{"/etc/passwd", "nobody:x:65534:65534:nobody:/tmp/work:/bin/sh\n"},
	{"/etc/group", "nogroup:x:65534:\n"},
	{"/etc/hosts", "127.0.0.1 localhost box\n::1 localhost\n"},
	{"/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"},
}

// etcFirst is the descriptor of the first of these files, after those of every box.
const etcFirst = 7

// arguments returns bwrap's arguments for the tree.
func (t *Tree) arguments() []string {
	args := []string{"--ro-bind", t.Dir, "/tree", "--dir", TreeDir, "--cap-add", "CAP_SYS_ADMIN", "--cap-add", "CAP_DAC_OVERRIDE"}
	for i, file := range etc {
		args = append(args, "--ro-bind-data", strconv.Itoa(etcFirst+i), file[0])
	}
	return args
}

// open opens the pipes that hold the files, and then the link to the box, of which it returns our end, nil if
// the tree needs none.
func (t *Tree) open(pl *plumbing) *os.File {
	for _, file := range etc {
		pl.holding([]byte(file[1]))
	}
	if !t.linked() {
		return nil
	}
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		pl.add(nil, nil, err)
		return nil
	}
	ours := os.NewFile(uintptr(ends[0]), "link")
	pl.add(os.NewFile(uintptr(ends[1]), "link"), ours, nil)
	return ours
}

// mounted returns the command line that gives the program its tree. The program of python/tree.py
// reads the system call filter from a descriptor. binds are those of the box.
func (t *Tree) mounted(argv []string, filter int, binds []string) []string {
	link, shown := "-", ""
	if t.System {
		shown = strings.Join(append([]string{"/"}, binds...), ":")
	}
	if t.linked() {
		link = strconv.Itoa(etcFirst + len(etc))
	}
	return append([]string{t.Python, "-I", "-S", "-B", "-c", treeProgram, strconv.Itoa(filter), link, shown}, argv...)
}

// linked reports whether the outside has to do with the box before its program starts.
func (t *Tree) linked() bool { return t.Gate != nil || t.Leave != nil }

// meet waits for a box to be set up, takes its gate, holds what its program will change, and lets the program
// start. pid is any process of the box. The returned function gives away what the program left. A box that
// does not get that far is left to the reader of its control channel.
func (t *Tree) meet(ctx context.Context, link *os.File, pid int) (leave func()) {
	lost := func(err error) func() {
		return func() {
			if t.Leave != nil {
				t.Leave(Left{Err: fmt.Errorf("its box did not start: %w", err)})
			}
		}
	}
	conn, err := net.FileConn(link)
	link.Close()
	if err != nil {
		return lost(err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.SetReadDeadline(time.Unix(1, 0)) })()
	conn.SetReadDeadline(time.Now().Add(slotStart))
	kind, rights := make([]byte, 1), make([]byte, unix.CmsgSpace(4))
	n, size, _, _, err := conn.(*net.UnixConn).ReadMsgUnix(kind, rights)
	if err == nil && n == 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return lost(err)
	}
	gate, err := gateOf(rights[:size])
	if err != nil {
		return lost(err)
	}
	dir, err := unix.Open("/proc/"+strconv.Itoa(pid)+"/root/tmp/.changed", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		gate.Close()
		return lost(err)
	}
	if t.Gate != nil {
		t.Gate(gate)
	}
	conn.Write([]byte("\n")) // fails only if the box has ended, which others notice
	return func() {
		gate.Close()
		t.giveAway(dir, kind[0] == 'c')
	}
}

// gateOf returns the listener that came with a message.
func gateOf(rights []byte) (net.Listener, error) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil || len(messages) != 1 {
		return nil, fmt.Errorf("it sent no socket: %w", err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return nil, fmt.Errorf("it sent no socket: %w", err)
	}
	unix.CloseOnExec(fds[0])
	file := os.NewFile(uintptr(fds[0]), "gate")
	defer file.Close()
	return net.FileListener(file)
}

// giveAway calls Leave for the held directory, and closes it.
func (t *Tree) giveAway(dir int, whole bool) {
	defer unix.Close(dir)
	if t.Leave == nil {
		return
	}
	place := "/proc/self/fd/" + strconv.Itoa(dir)
	root, err := os.OpenRoot(place)
	if err != nil {
		t.Leave(Left{Err: err})
		return
	}
	defer root.Close()
	t.Leave(Left{Dir: root.FS().(fs.ReadLinkFS), Whole: whole, Opaque: func(name string) bool {
		file, err := root.Open(name)
		if err != nil {
			return false
		}
		defer file.Close()
		value := make([]byte, 1)
		n, err := unix.Fgetxattr(int(file.Fd()), "user.overlay.opaque", value)
		return err == nil && n == 1 && value[0] == 'y'
	}})
}

// errNoTree is the error of boxes that cannot give a program a tree.
var errNoTree = errors.New("a box of this kind cannot hold a repository: it takes bubblewrap, see assay doctor")
