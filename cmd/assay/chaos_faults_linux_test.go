package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// fault disturbs a round of work.
type fault struct {
	name    string
	signal  syscall.Signal // that ends the program, if one does
	disk    bool           // needs a disk of its own
	damages bool           // destroys written files

	possible func(*episode) bool // nil: always
	before   func(*episode)
	strike   func(*episode, *os.Process) // at the moment of the fault
	heal     func(*episode)
}

func sends(name string, signal syscall.Signal) fault {
	return fault{name: name, signal: signal, strike: func(_ *episode, p *os.Process) { _ = p.Signal(signal) }}
}

var faults = []fault{
	sends("kill", syscall.SIGKILL),
	sends("interrupt", syscall.SIGINT),
	sends("terminate", syscall.SIGTERM),
	sends("hangup", syscall.SIGHUP),
	{name: "stall", strike: func(e *episode, p *os.Process) { // as a laptop that is closed
		_ = p.Signal(syscall.SIGSTOP)
		time.Sleep(e.strikeIn / 2)
		_ = p.Signal(syscall.SIGCONT)
	}},
	{name: "full disk", disk: true, strike: func(e *episode, _ *os.Process) { e.fill() }, heal: empties},
	{name: "disk full from the beginning", disk: true, before: (*episode).fill, heal: empties},
	{name: "read-only disk", disk: true,
		before: func(e *episode) { e.remount(unix.MS_RDONLY) },
		heal:   func(e *episode) { e.remount(0) }},
	{name: "deleted", damages: true, strike: func(e *episode, _ *os.Process) {
		for _, path := range e.written() {
			_ = os.Remove(path)
		}
	}},
	{name: "replaced", damages: true, strike: func(e *episode, _ *os.Process) { // as editors save
		for _, path := range e.written() {
			text, err := os.ReadFile(path)
			if err == nil && os.WriteFile(path+".edited", text, 0o644) == nil {
				_ = os.Rename(path+".edited", path)
			}
		}
	}},
	{name: "truncated", damages: true, strike: func(e *episode, _ *os.Process) {
		e.truncated = true
		for _, path := range e.written() {
			if info, err := os.Stat(path); err == nil {
				_ = os.Truncate(path, info.Size()/2)
			}
		}
	}},
	{name: "descriptors", before: func(e *episode) { e.limit("--nofile", 8+e.draw.IntN(60)) /* fewer, and Go gives up */ }},
	{name: "memory", before: func(e *episode) { e.limit("--as", (200+e.draw.IntN(3000))<<20) }},
	{name: "no tools", before: func(e *episode) { e.path = filepath.Join(e.dir, "none") }},
	{name: "slow disk", possible: traceable, before: (*episode).slow},
	{name: "kill on a slow disk", possible: traceable, before: (*episode).slow, signal: syscall.SIGKILL,
		strike: func(_ *episode, p *os.Process) { _ = p.Kill() }},
	{name: "wall clock", possible: func(e *episode) bool { return e.jumping != "" }, before: func(e *episode) {
		years := func() int { return (e.draw.IntN(60) - 30) * 366 * 24 * 3600 }
		e.clock = fmt.Sprintf("%d %d %d", years(), e.strikeIn.Milliseconds(), years())
		e.step("%s=%s", jumps, e.clock)
	}},
	{name: "monotonic clock", signal: syscall.SIGKILL, // which is another one after a restart
		before: func(e *episode) {
			text := fmt.Sprint(e.draw.IntN(1 << 30)) // seconds: up to 34 years
			e.wrap = []string{"/usr/bin/unshare", "--time", "--monotonic", text, "--boottime", text}
		},
		strike: func(_ *episode, p *os.Process) { _ = p.Kill() }},
}

// limit sets a resource limit for the round's program.
func (e *episode) limit(what string, n int) {
	e.step("%s=%d", what, n)
	e.wrap = []string{"/usr/bin/prlimit", fmt.Sprintf("%s=%d", what, n)}
}

// traceable reports whether strace is installed and permitted.
func traceable(*episode) bool { return canTrace() }

var canTrace = sync.OnceValue(func() bool {
	return exec.Command("strace", "-qq", "-o", "/dev/null", "/bin/true").Run() == nil
})

// slow delays each write to a file, and each flush for longer.
func (e *episode) slow() {
	write, sync := e.draw.IntN(10_000), e.draw.IntN(300_000) // microseconds
	e.step("writes take %d µs, and %d µs to the disk", write, sync)
	e.wrap = []string{"/usr/bin/strace", "-D", "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null", "-e", "trace=fsync,fdatasync,pwrite64,rename,renameat",
		"-e", fmt.Sprintf("inject=pwrite64,rename,renameat:delay_enter=%d", write), "-e", fmt.Sprintf("inject=fsync,fdatasync:delay_enter=%d", sync)}
}

// written are the files of the work.
func (e *episode) written() []string {
	paths, _ := filepath.Glob(filepath.Join(e.disk, e.w.file))
	return paths
}

// ballast fills a disk.
func (e *episode) ballast() string { return filepath.Join(e.disk, "ballast") }

func (e *episode) fill() {
	f, err := os.Create(e.ballast())
	if err != nil {
		return
	}
	defer f.Close()
	for size := 1 << 20; size > 0; size /= 2 {
		for text := make([]byte, size); err == nil; {
			_, err = f.Write(text)
		}
		err = nil
	}
}

func empties(e *episode) { _ = os.Remove(e.ballast()) }

func (e *episode) remount(flags uintptr) {
	if err := unix.Mount("chaos", e.disk, "tmpfs", unix.MS_REMOUNT|flags, "size=64m"); err != nil {
		e.t.Errorf("remounting: %v", err)
	}
}
