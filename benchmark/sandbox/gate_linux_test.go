package sandbox

import (
	"io/fs"
	"net"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestGate: a program reaches the listener that the host got, and nothing else; what it changed can be read
// after it has ended, also if it was killed.
func TestGate(t *testing.T) {
	b := newBox(t)
	dir := newTree(t, map[string]string{"a": "a\n", "lib/b": "b\n", "lib/c": "c\n", "old/d": "d\n"})
	var left []string
	opaque := ""
	p, err := b.Start(t.Context(), Spec{
		Argv: []string{python, "-I", "-S", "-c", `
import os, shutil, socket, sys, time
def ask(address):
    try:
        with socket.create_connection(address, 5) as s:
            return s.recv(100).decode()
    except OSError as e:
        return type(e).__name__
open("a", "a").write("more\n")
os.remove("lib/b")
shutil.rmtree("old"); os.mkdir("old"); open("old/e", "w").write("e")
os.symlink("/etc/passwd", "link")
fds = sorted(int(n) for n in os.listdir("/proc/self/fd"))[:-1]
print(ask(("127.0.0.1", 3128)), ask(("192.0.2.1", 80)), ask(("127.0.0.1", 80)), fds, flush=True)
os.close(4)
time.sleep(60)
`}, Env: []string{"PATH=/usr/bin:/bin"}, Limits: Limits{FileMB: 16},
		Tree: &Tree{Dir: dir, Python: python,
			Gate: func(l net.Listener) {
				go func() {
					for {
						conn, err := l.Accept()
						if err != nil {
							return
						}
						conn.Write([]byte("hello"))
						conn.Close()
					}
				}()
			},
			Leave: func(l Left) {
				if l.Err != nil || l.Whole {
					t.Errorf("left %+v", l)
					return
				}
				fs.WalkDir(l.Dir, ".", func(name string, d fs.DirEntry, err error) error {
					left = append(left, name+" "+d.Type().String())
					if d.IsDir() && l.Opaque(name) {
						opaque += name
					}
					return err
				})
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, out := p.Control()
	out.Read(make([]byte, 1)) // until the program closes it
	p.Kill(Idle)
	end := p.Close()
	if got, want := string(end.Stdout), "hello OSError ConnectionRefusedError [0, 1, 2, 3, 4]\n"; got != want {
		t.Errorf("the program printed %q, want %q; %s", got, want, end.Stderr)
	}
	want := []string{". d---------", "a ----------", "lib d---------", "lib/b Dc---------", "link L---------", "old d---------", "old/e ----------"}
	if end.Cause != Idle || !slices.Equal(left, want) || opaque != "old" {
		t.Errorf("ended by %s, left %q, opaque %q", end.Cause, left, opaque)
	}
}

// TestGateOfBrokenBox: a box that does not start is reported, and waits for nothing.
func TestGateOfBrokenBox(t *testing.T) {
	b := newBox(t)
	var left Left
	p, err := b.Start(t.Context(), Spec{Argv: []string{python}, Limits: Limits{FileMB: 16},
		Tree: &Tree{Dir: newTree(t, nil), Python: "/nowhere/python3", Leave: func(l Left) { left = l }}})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.Done():
	case <-time.After(20 * time.Second):
		t.Fatal("it goes on")
	}
	if p.Close(); left.Err == nil || !strings.Contains(left.Err.Error(), "did not start") {
		t.Errorf("left %+v", left)
	}
}
