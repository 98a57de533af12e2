package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"

	"assay/data/fatal"
)

// patience is the timeout for a program's output, which only failures use up.
const patience = 30 * time.Second

// terminal is a program on a pseudoterminal. It records the program's output, and the printable characters
// of it, each with its time of arrival.
type terminal struct {
	tb     testing.TB
	master *os.File
	cmd    *exec.Cmd
	link   *link // nil: no slower than the machine

	mu      sync.Mutex
	written []byte
	printed []rune
	at      []time.Time // of the runes of printed
	news    chan struct{}
}

// openTerminal opens a pseudoterminal. The program gets the slave.
func openTerminal(tb testing.TB, columns, rows int) (master, slave *os.File) {
	tb.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		tb.Skipf("this machine gives no pseudo terminal: %v", err)
	}
	fd := int(master.Fd())
	fatal.If(tb, unix.SetNonblock(fd, true))
	fatal.If(tb, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	fatal.If(tb, err)
	fatal.If(tb, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(rows), Col: uint16(columns)}))
	if slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		tb.Fatal(err)
	}
	return master, slave
}

// start runs a program on a terminal of the given size, with its home in dir.
func start(tb testing.TB, dir string, columns, rows int, through *link, name string, args ...string) *terminal {
	tb.Helper()
	master, slave := openTerminal(tb, columns, rows)
	defer slave.Close()
	t := &terminal{tb: tb, master: master, link: through, news: make(chan struct{}, 1), cmd: exec.Command(name, args...)}
	t.cmd.Stdin, t.cmd.Stdout, t.cmd.Stderr = slave, slave, slave
	t.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	t.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LC_ALL=C.UTF-8", "HOME=" + dir, "ASSAY_STORE=" + filepath.Join(dir, "assay.db")}
	fatal.If(tb, t.cmd.Start())
	go t.read()
	return t
}

// read reads the program's output until it ends.
func (t *terminal) read() {
	parser := ansi.NewParser()
	parser.SetHandler(ansi.Handler{Print: func(r rune) {
		at := time.Now()
		if t.link != nil {
			at = at.Add(t.link.delay)
		}
		t.printed, t.at = append(t.printed, r), append(t.at, at)
	}})
	buffer := make([]byte, 4096)
	for {
		n, err := t.master.Read(buffer)
		if n > 0 {
			if t.link != nil {
				t.link.pass(n)
			}
			t.mu.Lock()
			t.written = append(t.written, buffer[:n]...)
			for _, b := range buffer[:n] {
				parser.Advance(b)
			}
			t.mu.Unlock()
			select {
			case t.news <- struct{}{}:
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

// press sends keys as a terminal does.
func (t *terminal) press(keys string) {
	if t.link != nil {
		time.Sleep(t.link.delay)
	}
	if _, err := t.master.WriteString(keys); err != nil {
		t.tb.Fatal(err)
	}
}

// mark is the number of characters printed so far.
func (t *terminal) mark() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.printed)
}

// bytes is the number of bytes written so far.
func (t *terminal) bytes() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.written)
}

// wait waits until a condition holds, checking it at each output; false after a timeout.
func (t *terminal) wait(within time.Duration, reached func() bool) bool {
	deadline := time.NewTimer(within)
	defer deadline.Stop()
	for !reached() {
		select {
		case <-t.news:
		case <-deadline.C:
			return false
		}
	}
	return true
}

// until waits for a condition.
func (t *terminal) until(what string, reached func() bool) {
	t.tb.Helper()
	if !t.wait(patience, reached) {
		t.tb.Fatalf("the terminal never had %s", what)
	}
}

// prints waits until text is printed after a mark, and returns the time when its end arrived; ok is false
// after a timeout.
func (t *terminal) prints(text string, from int, within time.Duration) (at time.Time, ok bool) {
	ok = t.wait(within, func() bool {
		t.mu.Lock()
		defer t.mu.Unlock()
		printed := string(t.printed[min(from, len(t.printed)):])
		i := strings.Index(printed, text)
		if i < 0 {
			return false
		}
		at = t.at[from+len([]rune(printed[:i+len(text)]))-1]
		return true
	})
	return at, ok
}

// sees waits for a text after a mark.
func (t *terminal) sees(text string, from int) time.Time {
	t.tb.Helper()
	at, ok := t.prints(text, from, patience)
	if !ok {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.tb.Fatalf("the terminal never printed %q after %q", text, string(t.printed[min(from, len(t.printed)):]))
	}
	return at
}

// end kills the program.
func (t *terminal) end() {
	_ = t.cmd.Process.Kill()
	_ = t.cmd.Wait()
	_ = t.master.Close()
}

// link is a slow connection between program and terminal.
type link struct {
	rate  int           // bytes a second
	delay time.Duration // of each direction
	free  time.Time     // when the line is free again
}

// pass waits for the transmission time of n bytes.
func (l *link) pass(n int) {
	now := time.Now()
	if l.free.Before(now) {
		l.free = now
	}
	l.free = l.free.Add(time.Duration(n) * time.Second / time.Duration(l.rate))
	time.Sleep(time.Until(l.free))
}
