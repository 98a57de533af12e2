package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain lets this program be started as a keeper.
func TestMain(m *testing.M) {
	Reexec()
	os.Exit(m.Run())
}

// newLandlock returns boxes that work, or skips with the reason.
func newLandlock(t *testing.T) *Landlock {
	t.Helper()
	b, err := NewLandlock()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { b.Close() })
	if err := b.Probe(t.Context()); err != nil {
		t.Skip(err)
	}
	return b
}

func TestLimitsEndALandlockBox(t *testing.T) {
	b := newLandlock(t)
	short := Budget{CPU: 300 * time.Millisecond, Wall: 20 * time.Second}
	for _, tt := range []struct {
		name, script string
		limits       Limits
		budget       Budget
		cause        Cause
		stderr       string
	}{
		{"ends by itself", "print('hello')", Limits{}, short, "", ""},
		{"busy loop", "import signal\nsignal.signal(15, signal.SIG_IGN)\nwhile True: pass", Limits{}, short, CPU, ""},
		{"CPU in children", "import os\nfor i in range(3): os.fork()\nwhile True: pass", Limits{}, short, CPU, ""},
		{"sleeps", "import time\ntime.sleep(1000)", Limits{}, Budget{Wall: 300 * time.Millisecond}, Idle, ""},
		{"memory", "x=[]\nwhile True: x.append(bytearray(1<<20))", Limits{MemoryMB: 100}, Budget{}, Memory, ""},
		{"memory in children", "import os,time\nfor i in range(4):\n  if os.fork()==0:\n    x=bytearray(b'x')*(60<<20); time.sleep(100)\ntime.sleep(100)",
			Limits{MemoryMB: 150}, Budget{}, Memory, ""},
		{"output", "while True: print('x'*1000)", Limits{OutputKB: 64}, Budget{}, Output, ""},
		{"many files", "i=0\nwhile True: open(str(i),'w').close(); i+=1", Limits{Files: 500}, Budget{}, Files, ""},
		{"disk", "i=0\nwhile True: open(str(i),'wb').write(b'x'*(1<<20)); i+=1", Limits{FileMB: 8}, Budget{}, Files, ""},
		{"a large file", "import os\nf=os.open('f',os.O_CREAT|os.O_WRONLY)\ntry:\n  while True: os.write(f,b'x'*(1<<20))\nexcept OSError as e: os.write(2,str(e).encode())", Limits{FileMB: 8}, Budget{}, Files, ""}, // ended by the limit of a file, or of the disk if that is seen first
		{"fork bomb", "import os\nwhile True: os.fork()", Limits{Processes: 16}, Budget{Wall: 5 * time.Second}, "", "Errno 11"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			end := runPython(t, b, tt.script, tt.limits, tt.budget)
			if end.Cause != tt.cause {
				t.Errorf("cause %q, want %q; exit %d, stderr %s", end.Cause, tt.cause, end.Exit, end.Stderr)
			}
			if !strings.Contains(string(end.Stderr), tt.stderr) {
				t.Errorf("stderr %q does not mention %q", end.Stderr, tt.stderr)
			}
		})
	}
	if left, _ := filepath.Glob(fmt.Sprintf("%s%d-*", landlockDir(), os.Getpid())); len(left) > 0 {
		t.Errorf("directories are left: %v", left)
	}
}

// TestLandlockAsOrdinaryUser runs the test before as a user without any rights.
func TestLandlockAsOrdinaryUser(t *testing.T) {
	if out := asOrdinaryUser(t, "TestLimitsEndALandlockBox"); !strings.Contains(out, "--- PASS: TestLimitsEndALandlockBox/fork_bomb") {
		t.Errorf("%s", out)
	}
}

// changing are changes of rights and times, of files that are the program's own and
// of one that is not.
const changing = `import os, stat
def mode(p): return oct(os.stat(p).st_mode & 0o777)
own = os.open("f", os.O_CREAT | os.O_WRONLY, 0o600)
os.chmod("f", 0o755); a = mode("f")
os.fchmod(own, 0o700); b = mode("f")
os.mkdir("d"); here = os.open(".", os.O_RDONLY)
os.chmod("d", 0o711, dir_fd=here); c = mode("d")
os.chmod(os.getcwd() + "/f", 0o744); d = mode("f")
os.utime("f", (5, 7)); e = int(os.stat("f").st_mtime)
os.utime(own, (5, 9)); g = int(os.stat("f").st_mtime)
won = []
def attempt(name, do):
    try:
        do()
        won.append(name)
    except OSError: pass
os.symlink(os.environ["OUTSIDE"], "l")
os.symlink(os.path.dirname(os.environ["OUTSIDE"]), "m")
attempt("link", lambda: os.chmod("l", 0o777))
attempt("path", lambda: os.chmod(os.environ["OUTSIDE"], 0o777))
attempt("dots", lambda: os.chmod("../../.." + os.environ["OUTSIDE"], 0o777))
attempt("through a link", lambda: os.chmod("m/secret", 0o777))
attempt("descriptor", lambda: os.fchmod(os.open("/usr/bin/env", os.O_RDONLY), 0o777))
attempt("time", lambda: os.utime(os.environ["OUTSIDE"], (1, 1)))
attempt("owner", lambda: os.chown(os.environ["OUTSIDE"], -1, os.getgid()))
attempt("nothing", lambda: os.chmod("none", 0o777))
print(a, b, c, d, e, g, won)
`

// TestLandlockChangesOfFiles, which Landlock itself does not rule: a program may
// change its own files as elsewhere, and nobody else's.
func TestLandlockChangesOfFiles(t *testing.T) {
	b := newLandlock(t)
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, nil, 0o640); err != nil {
		t.Fatal(err)
	}
	p, err := b.Start(t.Context(), Spec{Argv: []string{python, "-I", "-S", "-c", changing}, Env: []string{"OUTSIDE=" + secret}})
	if err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	end := p.Close()
	if string(end.Stdout) != "0o755 0o700 0o711 0o744 7 9 []\n" {
		t.Errorf("%s%s", end.Stdout, end.Stderr)
	}
	if info, err := os.Stat(secret); err != nil || info.Mode() != 0o640 || time.Since(info.ModTime()) > time.Minute {
		t.Errorf("the file outside was changed: %v", info)
	}
}

// TestLandlockChangesAsOrdinaryUser runs the same as the user who owns the file.
func TestLandlockChangesAsOrdinaryUser(t *testing.T) {
	if out := asOrdinaryUser(t, "TestLandlockChangesOfFiles"); !strings.Contains(out, "--- PASS: TestLandlockChangesOfFiles") {
		t.Errorf("%s", out)
	}
}
