package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// newTree makes a directory that boxes can see.
func newTree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "assay-tree-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	os.Chmod(dir, 0o755)
	for name, text := range files {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := OwnTree(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// inTree runs a Python script in a private copy of the directory.
func inTree(t *testing.T, b Box, dir, script string, limits Limits) Outcome {
	t.Helper()
	p, err := b.Start(t.Context(), Spec{
		Argv: []string{python, "-I", "-S", "-c", "import os\n" + script}, Env: []string{"PATH=/usr/bin:/bin"},
		Tree: &Tree{Dir: dir, Python: python}, Limits: limits, Outputs: []string{"result"},
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Arm(Budget{Wall: 20 * time.Second})
	<-p.Done()
	return p.Close()
}

// TestTree: every program changes, adds and deletes files of a tree as it likes, and neither the
// host nor another program sees it.
func TestTree(t *testing.T) {
	b := newBox(t)
	dir := newTree(t, map[string]string{"setup.py": "one\n", "lib/a.py": "a\n", "lib/b.py": "b\n"})
	script := `
open("setup.py", "a").write("two\n")
os.remove("lib/a.py")
os.rename("lib/b.py", "lib/c.py")
os.mkdir("new"); open("new/file", "w").write("x")
os.chmod("setup.py", 0o600)
print(os.getcwd(), open("setup.py").read().split(), sorted(os.listdir("lib")), sorted(os.listdir(".")))
open("/tmp/work/result", "w").write("done")
`
	for range 2 {
		end := inTree(t, b, dir, script, Limits{FileMB: 16})
		want := "/repository ['one', 'two'] ['c.py'] ['lib', 'new', 'setup.py']\n"
		if string(end.Stdout) != want || string(end.Outputs[0].Data) != "done" {
			t.Errorf("%q and %q, want %q: %+v %s", end.Stdout, end.Outputs[0].Data, want, end.Cause, end.Stderr)
		}
	}
	text, _ := os.ReadFile(filepath.Join(dir, "setup.py"))
	if names, _ := os.ReadDir(filepath.Join(dir, "lib")); string(text) != "one\n" || len(names) != 2 {
		t.Errorf("the host has %q and %v", text, names)
	}
}

// TestTreeLeavesNoRights: the program that got its tree has no more rights than any other.
func TestTreeLeavesNoRights(t *testing.T) {
	b, dir := newBox(t), newTree(t, map[string]string{"a": "a"})
	end := inTree(t, b, dir, `
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def refused(name, *args): print(name, getattr(libc, name)(*args) < 0)
refused("mount", b"none", b"/tmp", b"tmpfs", 0, None)
refused("umount2", b"/repository", 2)
refused("unshare", 0x10000000)
refused("socket", 16, 3, 0)  # netlink
refused("chroot", b"/tmp")
data = (ctypes.c_uint32 * 6)()
libc.capget((ctypes.c_uint32 * 2)(0x20080522, 0), data)
print(list(data), [libc.prctl(47, 1, c, 0, 0) for c in range(41) if libc.prctl(47, 1, c, 0, 0) > 0], libc.prctl(39, 0, 0, 0, 0))
for path in ("/tree/a", "/tree/new"):
    try: open(path, "w"); print("wrote", path)
    except OSError: pass
print([fd for fd in range(5, 64) if os.path.exists("/proc/self/fd/%d" % fd)])
import socket, pwd, threading
server = socket.create_server(("localhost", 0))
threading.Thread(target=lambda: server.accept()[0].sendall(b"served"), daemon=True).start()
print(socket.create_connection(server.getsockname()).recv(10).decode())
try: socket.create_connection(("192.0.2.1", 80))
except OSError as e: print(e)
print(pwd.getpwuid(os.getuid()).pw_name, socket.gethostname(), [m.split()[1] for m in open("/proc/mounts") if m.split()[2] == "overlay"])
`, Limits{FileMB: 16})
	want := "mount True\numount2 True\nunshare True\nsocket True\nchroot True\n[0, 0, 0, 0, 0, 0] [] 1\n[]\nserved\n[Errno 101] Network is unreachable\nnobody box ['/repository']\n"
	if string(end.Stdout) != want {
		t.Errorf("%s%s, want\n%s", end.Stdout, end.Stderr, want)
	}
}

// TestTreeIsLimited: what a program changes of its tree counts as its files.
func TestTreeIsLimited(t *testing.T) {
	b, dir := newBox(t), newTree(t, map[string]string{"a": strings.Repeat("a", 12<<20)})
	end := inTree(t, b, dir, `
try:
    with open("a", "ab") as f: f.write(bytes(8 << 20))
    print("written")
except OSError as e: print(e.strerror)
`, Limits{FileMB: 16})
	if got := string(end.Stdout); got != "No space left on device\n" && got != "File too large\n" {
		t.Errorf("%q %s %s", got, end.Cause, end.Stderr)
	}
}

// TestTreeElsewhere: boxes that cannot hold a tree refuse it.
func TestTreeElsewhere(t *testing.T) {
	b := unprotected(t)
	if _, err := b.Start(t.Context(), Spec{Argv: []string{python}, Tree: &Tree{Dir: t.TempDir(), Python: python}}); err != errNoTree {
		t.Error(err)
	}
}

// BenchmarkTree starts and ends a program in a tree of 5,000 files, beside one without a tree.
func BenchmarkTree(b *testing.B) {
	box, err := NewBubblewrap()
	if err != nil {
		b.Skip(err)
	}
	defer box.Close()
	dir, err := os.MkdirTemp("/var/tmp", "assay-tree-")
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(dir)
	os.Chmod(dir, 0o755)
	for i := range 5000 {
		sub := filepath.Join(dir, string(rune('a'+i%26)))
		os.MkdirAll(sub, 0o755)
		os.WriteFile(filepath.Join(sub, time.Duration(i).String()), make([]byte, 8<<10), 0o644)
	}
	for name, tree := range map[string]*Tree{"5000": {Dir: dir, Python: python}, "none": nil} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p, err := box.Start(b.Context(), Spec{Argv: []string{"/bin/true"}, Tree: tree, Limits: Limits{FileMB: 64}})
				if err != nil {
					b.Fatal(err)
				}
				<-p.Done()
				if end := p.Close(); end.Exit != 0 {
					b.Fatal(end)
				}
			}
		})
	}
}
