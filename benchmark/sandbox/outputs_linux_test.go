package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"assay/data/sampled"
)

// leaves runs a script whose files are asked for, in any box.
func leaves(t *testing.T, b Box, script string, names ...string) Outcome {
	t.Helper()
	spec := Spec{Argv: []string{"/usr/bin/python3", "-c", script}, Limits: Limits{MemoryMB: 256, FileMB: 64}}
	_, warm := b.(*Warm)
	if warm {
		spec = forked(spec.Limits)
	}
	spec.Outputs = names
	p, err := b.Start(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	p.Arm(Budget{Wall: 20 * time.Second})
	if in, _ := p.Control(); warm {
		in.Write([]byte(script))
		in.Close()
	}
	<-p.Done()
	end := p.Close()
	if len(end.Outputs) != len(names) {
		t.Fatalf("%d outputs, want %d; %s %d %s", len(end.Outputs), len(names), end.Cause, end.Exit, end.Stderr)
	}
	return end
}

// refusals are attack 42: what stands in the place of a file that is copied out,
// made in Python, and what is said of it.
var refusals = []struct{ name, script, file, problem string }{
	{"nothing", "pass", "plot.png", "left no such file"},
	{"link to a file outside", "os.symlink('/etc/passwd', 'plot.png')", "plot.png", "symbolic link"},
	{"link to a secret", "os.symlink(%q, 'plot.png')", "plot.png", "symbolic link"},
	{"link to itself", "os.symlink('plot.png', 'plot.png')", "plot.png", "symbolic link"},
	{"link to a file inside", "open('x','w').write('x'); os.symlink('x', 'plot.png')", "plot.png", "symbolic link"},
	{"linked directory inside", "os.mkdir('d'); open('d/x','w').write('x'); os.symlink('d', 'out')", "out/x", ""},
	{"linked directory", "os.symlink('/etc', 'out')", "out/passwd", ""},
	{"linked directory of the secret", "os.symlink(os.path.dirname(%q), 'out')", "out/secret", ""},
	{"hard link", "open('x','w').write('x'); os.link('x', 'plot.png')", "plot.png", "2 names"},
	{"FIFO", "os.mkfifo('plot.png')", "plot.png", "FIFO"},
	{"socket", "import socket\ntry:\n    socket.socket(socket.AF_UNIX).bind('plot.png')\nexcept OSError: os.mknod('plot.png', 0o140644)", "plot.png", "socket"},
	{"directory", "os.mkdir('plot.png')", "plot.png", "directory"},
	{"directory that is none", "open('out','w').close()", "out/plot.png", "is not a directory"},
	{"huge and sparse", "os.truncate(os.open('plot.png', os.O_CREAT|os.O_WRONLY), 60 << 20)", "plot.png", "62914560 bytes"},
	{"too large by a byte", "open('plot.png','wb').write(bytes((4 << 20) + 1))", "plot.png", "4194305 bytes"},
	{"working directory moved away", "os.rename('/tmp/work', '/tmp/w2') if os.path.isdir('/tmp/work') else None\ntry: os.symlink('/etc', '/tmp/work')\nexcept OSError: pass", "passwd", "no such file"},
}

func TestOutputsThatAreRefused(t *testing.T) {
	for _, kind := range append(isolating[:len(isolating):len(isolating)], struct {
		name string
		open func(t *testing.T) Box
	}{"none", unprotected}) {
		t.Run(kind.name, func(t *testing.T) {
			b := kind.open(t)
			secret := plantSecret(t)
			for _, tt := range refusals {
				t.Run(tt.name, func(t *testing.T) {
					if kind.name == "none" && strings.Contains(tt.script, "/tmp/work") {
						t.Skip("without a sandbox it would change this machine's /tmp")
					}
					sampled.Row(t, 3)
					script := tt.script
					if strings.Contains(script, "%q") {
						script = fmt.Sprintf(script, secret)
					}
					f := leaves(t, b, "import os\n"+script, tt.file).Outputs[0]
					if f.Name != tt.file || f.Data != nil || f.Problem == "" || !strings.Contains(f.Problem, tt.problem) {
						t.Errorf("%s: %q %q, want %q", f.Name, f.Data, f.Problem, tt.problem)
					}
				})
			}
		})
	}
}

func unprotected(t *testing.T) Box {
	b, err := NewUnprotected(true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// plantSecret makes a file that everybody may read and nobody must get.
func plantSecret(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "assay-secret-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "secret")
	if err := os.WriteFile(path, []byte("the secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	os.Chmod(dir, 0o755)
	return path
}

// Files are copied whatever the program's end, its orphans and the other files are.
func TestOutputsAreCopied(t *testing.T) {
	for _, kind := range append(isolating[:len(isolating):len(isolating)], struct {
		name string
		open func(t *testing.T) Box
	}{"none", unprotected}) {
		t.Run(kind.name, func(t *testing.T) {
			b := kind.open(t)
			for _, tt := range []struct{ name, script, content string }{
				{"at its end", "open('a.txt','w').write('hello')", "hello"},
				{"in a directory", "os.mkdir('out'); open('out/b','w').write('deep'); open('a.txt','w').write('x')", "x"},
				{"empty", "open('a.txt','w').close()", ""},
				{"a sparse one that fits", "os.truncate(os.open('a.txt', os.O_CREAT|os.O_WRONLY), 4 << 20)", strings.Repeat("\x00", 4<<20)},
				{"when it fails", "open('a.txt','w').write('hello'); os._exit(3)", "hello"},
				{"when it kills itself", "open('a.txt','w').write('hello'); os.kill(os.getpid(), 9)", "hello"},
				{"among many", "for i in range(3000): open('f%d' % i,'w').close()\nopen('a.txt','w').write('hello')", "hello"},
				{"with names that a terminal obeys", "open('\\x1b]0;x\\x07.png','w').close(); open('a.txt','w').write('hello')", "hello"},
			} {
				t.Run(tt.name, func(t *testing.T) {
					sampled.Row(t, 3)
					end := leaves(t, b, "import os\n"+tt.script, "a.txt", "out/b")
					if f := end.Outputs[0]; f.Problem != "" || string(f.Data) != tt.content {
						t.Errorf("%d bytes, %q; %s %d %s", len(f.Data), f.Problem, end.Cause, end.Exit, end.Stderr)
					}
					if f := end.Outputs[1]; f.Missing == strings.Contains(tt.script, "out/b") {
						t.Errorf("out/b: %q %q", f.Data, f.Problem)
					}
				})
			}
		})
	}
}

// A file that an orphan goes on writing to is copied when that is dead: whole, and
// at once.
func TestOutputsOfAnOrphan(t *testing.T) {
	const script = `import os
r, w = os.pipe()
if os.fork() == 0:
    os.setsid()
    f = open('a.txt', 'wb', 0)
    for i in range(10**9):
        f.seek(i % (1 << 20))
        f.write(b'x')
        if i == 0: os.write(w, b'x')
os.read(r, 1)`
	for _, kind := range isolating {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			end := leaves(t, kind.open(t), script, "a.txt")
			if f := end.Outputs[0]; f.Problem != "" || len(f.Data) == 0 || !bytes.Equal(bytes.Trim(f.Data, "x"), nil) {
				t.Errorf("%d bytes, %q; %s %s", len(f.Data), f.Problem, end.Cause, end.Stderr)
			}
		})
	}
}

func TestOutputsInAll(t *testing.T) {
	for _, kind := range isolating {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			end := leaves(t, kind.open(t), "for n in 'abcde': open(n,'wb').write(bytes(4 << 20))", "a", "b", "c", "d", "e")
			for i, f := range end.Outputs {
				if (f.Problem == "") != (i < 4) || i < 4 && len(f.Data) != MaxOutput || i == 4 && !strings.Contains(f.Problem, "16777216") {
					t.Errorf("%s: %d bytes, %q", f.Name, len(f.Data), f.Problem)
				}
			}
		})
	}
}

// The next program in the same box finds none of the files, and leaves none.
func TestOutputsOfThePreviousProgram(t *testing.T) {
	b := newWarm(t)
	leaves(t, b, "open('a.txt','w').write('first')", "a.txt")
	if f := leaves(t, b, "pass", "a.txt").Outputs[0]; !f.Missing {
		t.Errorf("%q %q", f.Data, f.Problem)
	}
	if f := leaves(t, b, "open('a.txt','w').write('third')", "a.txt").Outputs[0]; string(f.Data) != "third" {
		t.Errorf("%q %q", f.Data, f.Problem)
	}
}

// What the boxes cannot bring about is tried on the reader alone.
func TestReaderOfOutputs(t *testing.T) {
	dir := t.TempDir()
	take := func(name string) OutputFile { return holdDirectory(dir, []string{name}).take()[0] }
	if err := unix.Mknod(filepath.Join(dir, "null"), unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3))); err == nil {
		if f := take("null"); !strings.Contains(f.Problem, "device") {
			t.Errorf("a device: %q %q", f.Data, f.Problem)
		}
	}
	for _, name := range []string{"../" + filepath.Base(dir) + "/x", "/etc/passwd", "..", "/proc/self/cwd/x"} {
		if f := take(name); f.Data != nil || !strings.Contains(f.Problem, "out of the working directory") {
			t.Errorf("%s: %q %q", name, f.Data, f.Problem)
		}
	}
	path := filepath.Join(dir, "grows")
	os.WriteFile(path, []byte("before"), 0o600)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var st unix.Stat_t
	unix.Fstat(int(f.Fd()), &st)
	more, _ := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	more.WriteString(" and after")
	more.Close()
	if data, err := readUnchanged(f, &st); err != errChanged {
		t.Errorf("a file that grew: %q, %v", data, err)
	}
	f.Close()
	if data, err := readUnchanged(f, &st); err == nil {
		t.Errorf("a file that cannot be read: %q", data)
	}
	if w := holdDirectory(dir, nil); w != nil || w.take() != nil {
		t.Error("something is held for a program that declares nothing")
	}
}

// No descriptor stays open.
func TestOutputsAreLetGo(t *testing.T) {
	b := newWarm(t)
	leaves(t, b, "pass", "a.txt")
	open := func() int { names, _ := readNames("/proc/self/fd"); return len(names) }
	before := open()
	for range 20 {
		leaves(t, b, "open('a.txt','w').write('x')", "a.txt")
	}
	if after := open(); after > before+2 {
		t.Errorf("%d descriptors, and %d before", after, before)
	}
}

// BenchmarkStartToEnd is the whole life of an empty program, which declares no files
// or one.
func BenchmarkStartToEnd(b *testing.B) {
	box, err := NewBubblewrap()
	if err != nil {
		b.Skip(err)
	}
	w := NewWarm(box)
	defer w.Close()
	strict := Spec{Argv: []string{"/bin/true"}}
	warm := forked(Limits{})
	warm.Fork.After = "os._exit(0)"
	for _, bb := range []struct {
		name  string
		spec  Spec
		names []string
	}{{"warm, no files", warm, nil}, {"warm, a file", warm, []string{"a"}}, {"strict, no files", strict, nil}, {"strict, a file", strict, []string{"a"}}} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			bb.spec.Outputs = bb.names
			for b.Loop() {
				p, err := w.Start(b.Context(), bb.spec)
				if err != nil {
					b.Fatal(err)
				}
				<-p.Done()
				p.Close()
			}
		})
	}
}
