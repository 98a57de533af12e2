package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// workplace is a program's working directory, held open from outside since before the program
// started. The kernel keeps a file system as long as someone holds a directory in it, even after
// the box and its mounts are gone; so the files are read when no process is left that could
// change them, delay the reader, or replace them. A nil workplace is that of a program that
// declares no files.
type workplace struct {
	dir   int // -1: see err
	err   error
	names []string
}

// holdDirectory opens a directory of this machine.
func holdDirectory(path string, names []string) *workplace {
	if len(names) == 0 {
		return nil
	}
	w := &workplace{names: names}
	w.dir, w.err = unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	return w
}

// holdInside opens the working directory of a box that is set up but runs nothing untrusted yet.
// pid is any process of the box.
func holdInside(pid int, names []string) *workplace {
	if len(names) == 0 {
		return nil
	}
	w := &workplace{dir: -1, names: names}
	private, err := unix.Open("/proc/"+strconv.Itoa(pid)+"/root/tmp", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		w.err = err
		return w
	}
	defer unix.Close(private)
	w.dir, w.err = unix.Openat2(private, "work", &unix.OpenHow{Flags: unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: beneath})
	return w
}

// beneath resolves only paths below a directory: no links, no other file systems, no "..".
const beneath = unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS | unix.RESOLVE_NO_XDEV

// take reads the files and closes the directory. Every process of the box must have ended.
func (w *workplace) take() []OutputFile {
	if w == nil {
		return nil
	}
	files, room := make([]OutputFile, len(w.names)), int64(MaxOutputs)
	for i, name := range w.names {
		files[i] = w.read(name, room)
		room -= int64(len(files[i].Data))
	}
	w.release()
	return files
}

// release closes the directory.
func (w *workplace) release() {
	if w != nil && w.dir >= 0 {
		unix.Close(w.dir)
		w.dir, w.err = -1, os.ErrClosed
	}
}

// read copies one regular file. It opens nothing for reading before it is known to be a regular
// file: opening a FIFO or a device has effects.
func (w *workplace) read(name string, room int64) OutputFile {
	if w.err != nil {
		return OutputFile{Name: name, Problem: "the working directory could not be opened: " + w.err.Error()}
	}
	found, err := unix.Openat2(w.dir, name, &unix.OpenHow{Flags: unix.O_PATH | unix.O_NOFOLLOW | unix.O_CLOEXEC, Resolve: beneath})
	if err != nil {
		return unopened(name, err)
	}
	defer unix.Close(found)
	var st unix.Stat_t
	if err := unix.Fstat(found, &st); err != nil {
		return unopened(name, err)
	}
	if why := inadmissible(st.Mode, uint64(st.Nlink), st.Size, room); why != "" {
		return OutputFile{Name: name, Problem: why}
	}
	fd, err := unix.Open("/proc/self/fd/"+strconv.Itoa(found), unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return unopened(name, err)
	}
	f := os.NewFile(uintptr(fd), name)
	defer f.Close()
	data, err := readUnchanged(f, &st)
	if err != nil {
		return OutputFile{Name: name, Problem: err.Error()}
	}
	return OutputFile{Name: name, Data: data}
}

// errChanged can only occur where a process may escape being killed: without a box.
var errChanged = errors.New("it changed while it was read")

// readUnchanged reads a file that must match st before and after.
func readUnchanged(f *os.File, st *unix.Stat_t) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(f, st.Size+1))
	if err != nil {
		return nil, fmt.Errorf("reading it failed: %w", err)
	}
	var now unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &now); err != nil {
		return nil, fmt.Errorf("reading it failed: %w", err)
	}
	if int64(len(data)) != st.Size || now.Size != st.Size || now.Mtim != st.Mtim || now.Ctim != st.Ctim || now.Nlink != st.Nlink {
		return nil, errChanged
	}
	return data, nil
}

// inadmissible returns why a file is not copied, or "".
func inadmissible(mode uint32, links uint64, size, room int64) string {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFLNK:
		return "it is a symbolic link, which is not followed"
	case unix.S_IFDIR:
		return "it is a directory"
	case unix.S_IFIFO:
		return "it is a FIFO, not a regular file"
	case unix.S_IFSOCK:
		return "it is a socket, not a regular file"
	default:
		return "it is a device, not a regular file"
	}
	switch {
	case links != 1:
		return fmt.Sprintf("it has %d names (hard links), so it may be another file", links)
	case size > MaxOutput:
		return fmt.Sprintf("it has %d bytes; the limit is %d", size, MaxOutput)
	case size > room:
		return fmt.Sprintf("with the files before it, it exceeds the total limit of %d bytes", MaxOutputs)
	}
	return ""
}

// unopened describes why a file could not be opened.
func unopened(name string, err error) OutputFile {
	f := OutputFile{Name: name}
	switch {
	case errors.Is(err, unix.ENOENT):
		f.Problem, f.Missing = "the program left no such file", true
	case errors.Is(err, unix.ELOOP):
		f.Problem = "a symbolic link is on its path, which is not followed"
	case errors.Is(err, unix.EXDEV):
		f.Problem = "its path leads out of the working directory"
	case errors.Is(err, unix.ENOTDIR):
		f.Problem = "part of its path is not a directory"
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		f.Problem = "it may not be read: the program removed the permission"
	default:
		f.Problem = "it could not be opened: " + err.Error()
	}
	return f
}

// holdScript makes a box wait, before it starts the program, until its working directory is held.
const holdScript = `printf w >&4 && read -r go <&3 && exec "$@"`

// waiting returns the command line of a program that holdOn releases.
func waiting(argv []string) []string {
	return append([]string{"/bin/sh", "-c", holdScript, "hold"}, argv...)
}

// holdOn waits for a box to be set up, opens its working directory and lets the program start. A
// box that does not get that far is left to the reader of its control channel.
func holdOn(ctx context.Context, control [2]*os.File, pid int, names []string) *workplace {
	defer context.AfterFunc(ctx, func() { control[1].SetReadDeadline(time.Unix(1, 0)) })()
	control[1].SetReadDeadline(time.Now().Add(slotStart))
	ready := make([]byte, 1)
	_, err := io.ReadFull(control[1], ready)
	control[1].SetReadDeadline(time.Time{})
	if err != nil {
		return &workplace{dir: -1, names: names, err: fmt.Errorf("its box did not start: %w", err)}
	}
	w := holdInside(pid, names)
	control[0].Write([]byte("\n")) // fails only if the program has ended, which others notice
	return w
}
