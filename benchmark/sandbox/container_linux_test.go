package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// testImage is the image that containers are tested with: one with python3 and
// /bin/sh in /usr/bin.
func testImage() string { return cmp.Or(os.Getenv("ASSAY_TEST_IMAGE"), "localhost/assay-test") }

// newContainer returns containers that work, or skips with the reason.
func newContainer(t *testing.T, engine string) *Container {
	t.Helper()
	b, err := NewContainer(engine, testImage())
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { b.Close() })
	if err := b.Probe(t.Context()); err != nil {
		t.Skip(err)
	}
	return b
}

// engines are those that containers can be made with.
var engines = []string{"docker", "podman"}

func TestLimitsEndAContainer(t *testing.T) {
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			b := newContainer(t, engine)
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
				{"disk full", "f=open('f','wb')\nwhile True: f.write(b'x'*(1<<20))", Limits{FileMB: 8}, Budget{}, "", "Errno 2"},
				{"orphan", "import os,time\nif os.fork()==0:\n  os.setsid()\n  if os.fork()==0: time.sleep(1000)\n", Limits{}, Budget{}, "", ""},
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
		})
	}
}

// TestContainerArguments: no container is made without what isolates it.
func TestContainerArguments(t *testing.T) {
	dir := fakeEngine(t, "exit 1")
	t.Setenv("PATH", dir)
	for _, engine := range engines {
		b, err := NewContainer(engine, "an-image")
		if err != nil {
			t.Fatal(err)
		}
		spec := Spec{Argv: []string{"true"}, Binds: []string{"/opt/lib"}, Env: []string{"A=b"}, Limits: Limits{MemoryMB: 100, FileMB: 8, Processes: 9}.withDefaults()}
		text := " " + strings.Join(b.arguments("name", spec), " ") + " "
		for _, want := range []string{
			"run --rm --interactive", "--pull never", "--network none", "--read-only ", "--cap-drop ALL", "--security-opt no-new-privileges",
			"--user 65534:65534", "--pids-limit 11", "--memory 164m --memory-swap 164m", "--cpus ", "--init=false", "--log-driver none", "--ulimit core=0:0",
			"--tmpfs /tmp:rw,exec,nosuid,nodev,mode=1777,size=8m", "--mount type=bind,source=/opt/lib,target=/opt/lib,readonly", "--entrypoint python3 an-image ",
		} {
			if !strings.Contains(text, " "+want) {
				t.Errorf("%s: %q is missing in %s", engine, want, text)
			}
		}
		if strings.Contains(text, "--env") || strings.Contains(text, "privileged ") {
			t.Errorf("%s: %s", engine, text)
		}
		// An engine may ignore a limit, as podman does without a cgroup of the user's.
		if _, set := b.order(spec, map[string]string{"pids": "cgroup", "user": "4242"}).Limits["NPROC"]; set {
			t.Errorf("%s: processes are limited twice", engine)
		}
		if n := b.order(spec, map[string]string{"pids": "rlimit", "user": "2000000000"}).Limits["NPROC"]; n != int64(spec.Limits.Processes+relayProcesses) {
			t.Errorf("%s: %d processes are allowed where no cgroup counts them", engine, n)
		}
		b.unlimit = true
		if text := strings.Join(b.arguments("name", spec), " "); strings.Contains(text, "--memory") || strings.Contains(text, "--pids") {
			t.Errorf("%s sets limits that it cannot set: %s", engine, text)
		}
	}
}

// fakeEngine makes programs with the engines' names out of a line of shell.
func fakeEngine(t *testing.T, line string) string {
	t.Helper()
	dir := t.TempDir()
	for _, engine := range engines {
		if err := os.WriteFile(filepath.Join(dir, engine), []byte("#!/bin/sh\n"+line+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestContainerProbe: what an engine prints becomes a cause and a fix.
func TestContainerProbe(t *testing.T) {
	if _, err := NewContainer("docker", ""); err != nil && !errors.Is(err, errNoImage) {
		var known *Unavailable
		if !errors.As(err, &known) {
			t.Errorf("without the program: %v", err)
		}
	}
	for _, tt := range []struct{ name, prints, fix string }{
		{"no daemon", "Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?", "systemctl start docker"},
		{"not permitted", "permission denied while trying to connect to the Docker daemon socket", "usermod -aG docker"},
		{"no image", "Error response from daemon: No such image: an-image:latest", "pull an-image"},
		{"no image, podman", "Error: an-image: image not known", "pull an-image"},
		{"both cgroups", "Error: OCI runtime error: crun: cgroups in hybrid mode not supported, drop all controllers from cgroupv2", "install runc"},
		{"no users yet", "Error: OCI runtime error: runc: runc create failed: unable to start container process: unable to setup user: invalid argument", "podman system migrate"},
		{"no python", `exec: "python3": executable file not found in $PATH`, "has no python3"},
		{"no ranges of users", `Error: cannot find newuidmap: exec: "newuidmap"`, "uidmap"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("PATH", fakeEngine(t, "echo '"+tt.prints+"' >&2; exit 125")+":/usr/bin:/bin")
			b, err := NewContainer("docker", "an-image")
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			var known *Unavailable
			if err := b.Probe(t.Context()); !errors.As(err, &known) || !strings.Contains(known.Fix, tt.fix) || !strings.Contains(known.Cause, tt.prints) {
				t.Errorf("%v", err)
			}
		})
	}
	t.Run("limits that cannot be set", func(t *testing.T) {
		// The engine refuses limits; without them it says so, and that is recorded.
		t.Setenv("PATH", fakeEngine(t, `case "$*" in *--memory*) echo "Error: cgroups: cgroup mountpoint does not exist" >&2; exit 126;; esac; echo "second try" >&2; exit 1`)+":/usr/bin:/bin")
		b, err := NewContainer("podman", "an-image")
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		if err := b.Probe(t.Context()); err == nil || !strings.Contains(err.Error(), "second try") || !b.unlimit {
			t.Errorf("%v", err)
		}
	})
}

// TestRelayNeedsToBeFirst: in a container that shares its processes with others the
// relay would not know which to kill.
func TestRelayNeedsToBeFirst(t *testing.T) {
	out, err := exec.Command(python, "-I", "-S", "-B", "-c", relayProgram).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "not the first process") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestKilledContainer: when somebody ends the engine's client or the container, the
// box is lost, and nothing of it is left.
func TestKilledContainer(t *testing.T) {
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			b := newContainer(t, engine)
			for what, kill := range map[string]func(name string, client int) error{
				"client":    func(_ string, client int) error { return syscall.Kill(client, syscall.SIGKILL) },
				"container": func(name string, _ int) error { return exec.Command(b.path, "kill", name).Run() },
			} {
				p := startAsleep(t, b)
				name := fmt.Sprint(b.prefix, b.made.Load())
				if err := kill(name, clientOf(t, name)); err != nil {
					t.Fatal(err)
				}
				if end := outcome(t, p); end.Cause != Lost {
					t.Errorf("%s: cause %q, exit %d, %s", what, end.Cause, end.Exit, end.Stderr)
				}
				out, err := exec.Command(b.path, "ps", "--all", "--quiet", "--filter", "name="+name).Output()
				if err != nil || len(out) > 0 {
					t.Errorf("%s: a container is left: %s, %v", what, out, err)
				}
			}
		})
	}
}

// clientOf finds the engine's client that runs a container.
func clientOf(t *testing.T, name string) int {
	t.Helper()
	names, _ := readNames("/proc")
	for _, pid := range names {
		if n, err := strconv.Atoi(pid); err == nil && strings.Contains(readText("/proc/"+pid+"/cmdline"), "--name\x00"+name+"\x00") && parentOf(n) == os.Getpid() {
			return n
		}
	}
	t.Fatal("the client is not found")
	return 0
}
