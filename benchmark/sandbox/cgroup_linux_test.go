package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// newTestGroups returns groups that work, or skips with the reason.
func newTestGroups(t *testing.T) *groups {
	t.Helper()
	g := newGroups()
	if g.reason != nil {
		t.Skip(g.reason)
	}
	t.Cleanup(g.close)
	return g
}

// ourGroups are the cgroups of boxes of this process that exist.
func ourGroups(t *testing.T, g *groups) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(g.home, g.prefix+"[0-9]*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// killedChild is a program that waits for its order, has a child that is killed
// for its memory, and ends as if nothing had been.
const killedChild = `import os
os.read(3, 1)
pid = os.fork()
if pid == 0:
    x = bytearray(b"x") * (200 << 20)
    os._exit(7)
print(os.waitpid(pid, 0)[1])
`

// TestKilledChildIsAMemoryLimit: a program that ends well although the kernel has
// killed its child has met the memory limit, in every kind of box. The limit is
// the cgroup's alone here, so that no poll comes first.
func TestKilledChildIsAMemoryLimit(t *testing.T) {
	newTestGroups(t)
	strict := newBox(t)
	bare, err := NewUnprotected(true)
	if err != nil {
		t.Fatal(err)
	}
	defer bare.Close()
	for _, b := range []Box{strict, newWarm(t), bare} {
		t.Run(b.Name(), func(t *testing.T) {
			for _, tt := range []struct {
				limit int64
				want  Cause
			}{{100 << 20, Memory}, {0, ""}, {100 << 20, Memory}} {
				end := runUnderGroup(t, b, killedChild, tt.limit)
				if end.Cause != tt.want || end.Exit != 0 {
					t.Errorf("limit %d: cause %q, want %q; exit %d, %s%s", tt.limit, end.Cause, tt.want, end.Exit, end.Stdout, end.Stderr)
				}
			}
			b.Close()
		})
	}
	if left := ourGroups(t, strict.groups); len(left) > 0 {
		t.Errorf("cgroups are left: %v", left)
	}
}

// runUnderGroup runs a script with a limit that only its cgroup knows.
func runUnderGroup(t *testing.T, b Box, script string, limit int64) Outcome {
	t.Helper()
	spec := Spec{Argv: []string{python, "-I", "-S", "-c", script}}
	w, warm := b.(*Warm)
	if warm {
		spec = forked(Limits{})
	}
	running, err := b.Start(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	var gr *group
	if p, is := running.(*process); is {
		gr = p.memory
	}
	in, _ := running.Control()
	if warm {
		for s := range slots(w) {
			gr = s.group
		}
		fmt.Fprint(in, strings.Replace(script, "os.read(3, 1)", "", 1))
	}
	if gr == nil || !strings.HasPrefix(running.Enforcement()["memory"], "cgroup") {
		t.Fatalf("no cgroup, and memory is enforced by %q", running.Enforcement()["memory"])
	}
	if err := gr.setLimit(limit); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(in, "\n")
	in.Close()
	select {
	case <-running.Done():
	case <-time.After(20 * time.Second):
		t.Error("it did not end")
	}
	return running.Close()
}

// TestGroupLimits: what is asked for is what the kernel has, and a slot's limit
// follows its programs.
func TestGroupLimits(t *testing.T) {
	g := newTestGroups(t)
	gr, mechanism := g.forBox(Limits{MemoryMB: 100, FileMB: 20})
	defer gr.remove()
	file := map[string]string{"cgroup": "memory.limit_in_bytes", "cgroup2": "memory.max"}[mechanism]
	for _, tt := range []struct {
		limits Limits
		wantMB int // 0: no limit
	}{{Limits{MemoryMB: 100, FileMB: 20}, 136}, {Limits{MemoryMB: 500, FileMB: 20}, 536}, {Limits{MemoryMB: 50, FileMB: 20}, 86}, {Limits{}, 0}, {Limits{MemoryMB: 1}, 17}} {
		if got := gr.limitTo(tt.limits); got != mechanism {
			t.Errorf("%+v is enforced by %s", tt.limits, got)
		}
		text := readText(filepath.Join(gr.dir, file))
		n, _ := strconv.ParseInt(text, 10, 64)
		if tt.wantMB > 0 && n != int64(tt.wantMB)<<20 || tt.wantMB == 0 && n > 0 && n < 1<<40 {
			t.Errorf("%+v: the limit is %s bytes, want %d MB", tt.limits, text, tt.wantMB)
		}
	}
}

// TestStaleGroups: what a killed process of ours left is removed, and nothing
// else is.
func TestStaleGroups(t *testing.T) {
	g := newTestGroups(t)
	gone := exec.Command("/bin/true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	own := strings.Split(g.prefix, "-")
	stale := fmt.Sprintf("assay-%s-%d-1-4", own[1], gone.Process.Pid)
	_, clocks, _ := strings.Cut(own[3], ".")
	reused := fmt.Sprintf("assay-%s-1-987654321.%s-4", own[1], clocks) // process 1 started at another time
	otherTime := fmt.Sprintf("assay-%s-1-987654321.1-4", own[1])       // by other clocks, see time_namespaces(7)
	alive := g.prefix + "900"
	elsewhere := fmt.Sprintf("assay-4026000000-%d-1-4", gone.Process.Pid)
	foreign := "assay-notes"
	for _, name := range []string{stale, reused, otherTime, alive, elsewhere, foreign} {
		if err := os.Mkdir(filepath.Join(g.home, name), 0o755); err != nil {
			t.Fatal(err)
		}
		defer syscall.Rmdir(filepath.Join(g.home, name))
	}
	newGroups().close()
	for name, want := range map[string]bool{stale: false, reused: false, otherTime: true, alive: true, elsewhere: true, foreign: true} {
		if _, err := os.Stat(filepath.Join(g.home, name)); (err == nil) != want {
			t.Errorf("%s exists: %t, want %t", name, err == nil, want)
		}
	}
}

// TestNoGroupsForOthers: an ordinary user, whom nobody gave a cgroup, has polling,
// and the results say so.
func TestNoGroupsForOthers(t *testing.T) {
	if os.Getenv("ASSAY_TEST_ORDINARY") != "" {
		b := newBox(t)
		end := runPython(t, b, "print(1)", Limits{MemoryMB: 100}, Budget{})
		fmt.Printf("memory=%s reason=%v out=%s\n", b.Enforcement()["memory"], b.groups.reason, end.Stdout)
		return
	}
	out := asOrdinaryUser(t, "TestNoGroupsForOthers")
	if !strings.Contains(out, "memory=rss-poll reason=") || !strings.Contains(out, "out=1") {
		t.Errorf("%s", out)
	}
}

// asOrdinaryUser runs a test of this package as a user without rights.
func asOrdinaryUser(t *testing.T, test string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	dir, err := os.MkdirTemp("", "assay-test-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	os.Chmod(dir, 0o755)
	bin := filepath.Join(dir, "sandbox.test")
	text, err := os.ReadFile("/proc/self/exe")
	if err == nil {
		err = os.WriteFile(bin, text, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "-test.v", "-test.run=^"+test+"$")
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), "ASSAY_TEST_ORDINARY=1", "HOME=/nonexistent", "TMPDIR=/tmp")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if strings.Contains(string(out), "--- SKIP: "+test+" ") {
		t.Skipf("%s", out)
	}
	return string(out)
}

// tree writes files below a new directory and returns it.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestLocateGroups finds the memory controller as proc(5) and cgroups(7) describe
// it, in a tree that only looks like one.
func TestLocateGroups(t *testing.T) {
	dir := tree(t, map[string]string{
		"u/user.slice/run.scope/cgroup.controllers":                  "cpu memory pids\n",
		"u/user.slice/session.scope/cgroup.controllers":              "cpu pids\n",
		"u/user.slice/run.scope/assay-1-2-3-main/cgroup.controllers": "memory\n",
		"u/user.slice/run.scope/with space/cgroup.controllers":       "memory\n",
		"m/job/tasks": "",
	})
	hybrid := "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n" +
		"35 31 0:32 / " + dir + "/m rw,relatime shared:3 - cgroup cgroup rw,memory\n" +
		"41 31 0:38 / " + dir + "/u rw - cgroup2 cgroup2 rw\n"
	unified := "30 24 0:27 / " + dir + "/u rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
	container := "30 24 0:27 /user.slice " + dir + "/u/user.slice ro - cgroup2 cgroup rw\n"
	for _, tt := range []struct {
		name, mounts, own string
		version           int
		home, reason      string
	}{
		{"version 1", hybrid, "5:cpu:/\n4:memory:/job\n0::/\n", 1, "m/job", ""},
		{"version 1, several controllers", "1 1 0:1 / " + dir + "/m rw - cgroup none rw,cpu,memory\n", "4:cpu,memory:/job\n", 1, "m/job", ""},
		{"version 2", unified, "0::/user.slice/run.scope\n", 2, "u/user.slice/run.scope", ""},
		{"version 2, entered", unified, "0::/user.slice/run.scope/assay-1-2-3-main\n", 2, "u/user.slice/run.scope", ""},
		{"version 2, a part is mounted", container, "0::/user.slice/run.scope\n", 2, "u/user.slice/run.scope", ""},
		{"version 2, elsewhere", container, "0::/system.slice\n", 0, "", "not mounted"},
		{"not delegated", unified, "0::/user.slice/session.scope\n", 0, "", "Delegate=yes"},
		{"none", "1 1 0:1 / /proc rw - proc proc rw\n", "", 0, "", "not mounted"},
		{"nonsense", "x\n - \n1 2 - cgroup2", "0::/\n:\n", 0, "", "not mounted"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := locateGroups(groupPlaces{tt.mounts, tt.own})
			home := ""
			if tt.home != "" {
				home = filepath.Join(dir, tt.home)
			}
			if g.version != tt.version || g.home != home || (g.reason == nil) != (tt.reason == "") {
				t.Errorf("version %d, home %s, reason %v", g.version, g.home, g.reason)
			}
			if g.reason != nil && !strings.Contains(g.reason.Error(), tt.reason) {
				t.Errorf("%v does not mention %q", g.reason, tt.reason)
			}
			if tt.reason != "" && g.mechanism() != "rss-poll" {
				t.Errorf("claims %s", g.mechanism())
			}
		})
	}
}

// TestCrowdedGroup: processes of others are not moved.
func TestCrowdedGroup(t *testing.T) {
	dir := tree(t, map[string]string{
		"u/cgroup.controllers": "memory\n", "u/cgroup.subtree_control": "",
		"u/cgroup.procs": fmt.Sprintf("%d\n1\n", os.Getpid()),
	})
	g := locateGroups(groupPlaces{"1 1 0:1 / " + dir + "/u rw - cgroup2 x rw\n", "0::/\n"})
	if _, err := g.make(0); err == nil || !strings.Contains(err.Error(), "processes other than assay") {
		t.Errorf("got %v", err)
	}
	if others := g.others(""); len(others) > 0 {
		t.Errorf("made %v", others)
	}
}

// TestGroupFiles of version 2, on files that only look like the kernel's.
func TestGroupFiles(t *testing.T) {
	dir := tree(t, map[string]string{"memory.max": "max\n", "memory.swap.max": "", "memory.current": "4096\n",
		"memory.events": "low 0\nhigh 0\nmax 7\noom 3\noom_kill 2\noom_group_kill 0\n"})
	kills, err := os.Open(filepath.Join(dir, "memory.events"))
	if err != nil {
		t.Fatal(err)
	}
	gr := &group{of: &groups{version: 2}, dir: dir, kills: kills}
	if n, err := gr.countKills(); n != 2 || err != nil {
		t.Errorf("%d killed, %v", n, err)
	}
	if gr.outOfMemory() {
		t.Error("the same kills counted twice")
	}
	os.WriteFile(filepath.Join(dir, "memory.events"), []byte("oom 4\noom_kill 3\n"), 0o644)
	if !gr.outOfMemory() {
		t.Error("a kill was missed")
	}
	gr.ready()
	if how := gr.limitTo(Limits{MemoryMB: 1}); how != "cgroup2" || readText(filepath.Join(dir, "memory.max")) != strconv.Itoa(17<<20+4096) ||
		readText(filepath.Join(dir, "memory.swap.max")) != "0" {
		t.Errorf("%s, %s", how, readText(filepath.Join(dir, "memory.max")))
	}
}

func BenchmarkGroup(b *testing.B) {
	g := newGroups()
	if g.reason != nil {
		b.Skip(g.reason)
	}
	defer g.close()
	b.Run("make and remove", func(b *testing.B) {
		for b.Loop() {
			gr, _ := g.forBox(Limits{MemoryMB: 100})
			gr.remove()
		}
	})
	b.Run("look", func(b *testing.B) { // what a program in a slot costs
		gr, _ := g.forBox(Limits{})
		defer gr.remove()
		for b.Loop() {
			gr.limitTo(Limits{MemoryMB: 100})
			gr.outOfMemory()
		}
	})
}

// A process that may open no more files takes no other's boxes for left behind.
func TestStaleInDoubt(t *testing.T) {
	mine, other := groupPrefix(os.Getpid()), groupPrefix(os.Getppid())+"1"
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	none := limit
	none.Cur = 0
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	nameless, stale := groupPrefix(os.Getppid())+"1", isStale(other, mine)
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if stale {
		t.Error("a process that runs is taken to be gone, since nothing can be read of it")
	}
	if isStale(nameless, mine) {
		t.Error("a process that could not read its own start is taken to be gone")
	}
}

// Two boxes of one process, such as those of a coordinator and its worker, do not take each other's cgroups.
func TestGroupsOfOneProcess(t *testing.T) {
	first, second := newGroups(), newGroups()
	defer first.close()
	defer second.close()
	if first.reason != nil {
		t.Skip(first.reason)
	}
	for range 3 {
		for _, g := range []*groups{first, second} {
			gr, err := g.make(0)
			if err != nil {
				t.Fatal(err)
			}
			defer gr.remove()
		}
	}
}

// hoard fills memory that is shared and gives it up, first without a file, then with /dev/zero; {} says which.
const hoard = `import mmap, os
kept = []
for i in range(20):
    m = mmap.mmap(os.open("/dev/zero", os.O_RDWR) if {} else -1, 64 << 20)
    for at in range(0, 64 << 20, 4096): m[at] = 1
    m.madvise(mmap.MADV_DONTNEED)
    kept.append(m)
print("kept", flush=True)
import time; time.sleep(1)
`

// TestSharedMemoryForOthers: where no cgroup counts it, no program keeps memory that is in none of its processes.
func TestSharedMemoryForOthers(t *testing.T) {
	if os.Getenv("ASSAY_TEST_ORDINARY") != "" {
		for _, file := range []string{"False", "True"} {
			end := runPython(t, newBox(t), strings.Replace(hoard, "{}", file, 1), Limits{MemoryMB: 256, CPU: 20 * time.Second}, Budget{})
			fmt.Printf("file=%s cause=%s kept=%t refused=%t\n", file, end.Cause, strings.Contains(string(end.Stdout), "kept"), strings.Contains(string(end.Stderr), "Operation not permitted"))
		}
		return
	}
	out := asOrdinaryUser(t, "TestSharedMemoryForOthers")
	if !strings.Contains(out, "file=False cause= kept=false refused=true") || !strings.Contains(out, "file=True cause=memory kept=false") {
		t.Errorf("%s", out)
	}
}
