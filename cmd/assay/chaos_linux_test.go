package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/sys/unix"

	"assay/data/fatal"
	"assay/data/sampled"
)

// The chaos suite: work is disturbed by a fault at a random moment, up to three times, then
// finished undisturbed, and compared with work that nothing disturbed. $ASSAY_CHAOS is how
// long it goes on, $ASSAY_CHAOS_SEED the first episode; a failure names its own.
//
// The disk is slowed down by strace, where there is one. For jumps of the wall clock the
// program is built with a time.Now that jumps, if $ASSAY_CHAOS is set: that takes a while.
func TestChaos(t *testing.T) {
	if !sampled.All {
		t.Skip("disturbs programs for half a minute")
	}
	for _, need := range []string{"bwrap", "/usr/bin/python3", "prlimit", "unshare"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skipf("%s is missing", need)
		}
	}
	span, seed := 4*time.Second, uint64(1)
	if text := os.Getenv("ASSAY_CHAOS"); text != "" {
		var err error
		if span, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
		seed = rand.Uint64() >> 32
	}
	if text := os.Getenv("ASSAY_CHAOS_SEED"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	t.Logf("ASSAY_CHAOS=%s ASSAY_CHAOS_SEED=%d", span, seed)
	// Whatever a killed program leaves running becomes a child of this process.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		t.Skipf("orphans cannot be seen: %v", err)
	}
	bin := builtAssay(t)
	jumping := ""
	if os.Getenv("ASSAY_CHAOS") != "" {
		jumping = buildJumping(t, t.TempDir())
	}
	if only := os.Getenv("ASSAY_CHAOS_WORK"); only != "" {
		workloads = slices.DeleteFunc(workloads, func(w *workload) bool { return w.name != only })
	}
	undisturbed := map[string]*episode{}
	for i, w := range workloads {
		e := newEpisode(t, bin, w, uint64(i))
		w.finish(e)
		e.nothingRuns()
		undisturbed[w.name] = e
		if t.Failed() {
			t.Fatalf("%s fails undisturbed:\n%s", w.name, e)
		}
	}
	counts := map[string]int{}
	for end := time.Now().Add(span); time.Now().Before(end); seed++ {
		draw := rand.New(rand.NewPCG(seed, 0))
		w := workloads[draw.IntN(len(workloads))]
		e := newEpisode(t, bin, w, seed)
		e.draw, e.calm, e.jumping = draw, undisturbed[w.name], jumping
		for range 1 + draw.IntN(3) {
			f := &faults[draw.IntN(len(faults))]
			if (f.disk && !e.mounted) || (f.damages && w.file == "") || (f.possible != nil && !f.possible(e)) {
				f = &faults[0]
			}
			e.disturb(f)
			counts[w.name]++
			counts[f.name]++
		}
		w.finish(e)
		e.nothingLeft()
		if t.Failed() {
			t.Fatalf("ASSAY_CHAOS_SEED=%d\n%s", seed, e)
		}
		e.end()
	}
	t.Logf("next seed %d: faults and work %v", seed, counts)
}

// episode is a folder with one disturbed work.
type episode struct {
	t       *testing.T
	bin     string
	w       *workload
	draw    *rand.Rand
	calm    *episode // the same work undisturbed; nil in that one itself
	dir     string   // inputs, home and temporary files
	disk    string   // what is written, on a file system of its own where that may be
	mounted bool

	jumping   string // the program whose clock jumps; "": there is none
	signer    ssh.Signer
	wrap      []string // before the program: limits, another clock
	clock     string   // the jumps of the clock; "": none
	path      string   // PATH
	fault     *fault   // of this round; nil: none
	strikeIn  time.Duration
	struck    bool
	truncated bool // written files were truncated: data may be lost if that is reported
	steps     []string
	pids      []int // of programs that were started
	took      time.Duration
	talk      *talked // what a tester said and saw
	rated     map[[2]int]int
}

func newEpisode(t *testing.T, bin string, w *workload, seed uint64) *episode {
	t.Helper()
	e := &episode{t: t, bin: bin, w: w, dir: t.TempDir(), path: os.Getenv("PATH"), draw: rand.New(rand.NewPCG(seed, 1)), talk: &talked{}, rated: map[[2]int]int{}}
	e.disk = filepath.Join(e.dir, "disk")
	for _, name := range []string{e.disk, filepath.Join(e.dir, "tmp"), filepath.Join(e.dir, "home"), filepath.Join(e.dir, "none")} {
		fatal.If(t, os.Mkdir(name, 0o755))
	}
	e.mounted = unix.Mount("chaos", e.disk, "tmpfs", 0, "size=64m") == nil
	if e.mounted {
		t.Cleanup(e.end)
	}
	for name, text := range chaosInputs() {
		fatal.If(t, os.WriteFile(filepath.Join(e.dir, name), []byte(text), 0o644))
	}
	if w.setup != nil {
		w.setup(e)
	}
	return e
}

func (e *episode) end() {
	if e.mounted {
		_ = unix.Unmount(e.disk, unix.MNT_DETACH)
		e.mounted = false
	}
}

// String describes the episode for an error.
func (e *episode) String() string {
	files := strings.Join(e.files(), "\n  ")
	return fmt.Sprintf("%s\n%s\nfiles:\n  %s", e.w.name, strings.Join(e.steps, "\n"), files)
}

func (e *episode) step(format string, args ...any) {
	e.steps = append(e.steps, fmt.Sprintf(format, args...))
}

// disturb runs one round of the work with a fault.
func (e *episode) disturb(f *fault) {
	e.fault, e.struck = f, false
	e.strikeIn = time.Duration(e.draw.Float64() * 1.1 * float64(e.calm.took))
	e.step("-- %s after %s", f.name, e.strikeIn)
	if f.before != nil {
		f.before(e)
	}
	e.w.round(e)
	if f.heal != nil {
		f.heal(e)
	}
	e.wrap, e.path, e.clock, e.fault = nil, os.Getenv("PATH"), "", nil
	e.nothingRuns()
}

// program is a started program.
type program struct {
	cmd  *exec.Cmd
	out  *output
	ends chan struct{}
}

// over reports whether the program has ended.
func (p *program) over() bool {
	select {
	case <-p.ends:
		return true
	default:
		return false
	}
}

// start starts the program with the environment of the round's fault.
func (e *episode) start(edit func(*exec.Cmd), args ...string) *program {
	e.t.Helper()
	bin := e.bin
	if e.clock != "" {
		bin = e.jumping
	}
	line := append(append(slices.Clone(e.wrap), bin), args...)
	p := &program{cmd: exec.Command(line[0], line[1:]...), out: &output{said: make(chan struct{})}, ends: make(chan struct{})}
	home := filepath.Join(e.dir, "home")
	p.cmd.Dir = e.dir
	p.cmd.Env = []string{"PATH=" + e.path, "HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_DATA_HOME=" + home, "XDG_CACHE_HOME=" + home, "LC_ALL=C.UTF-8",
		"TMPDIR=" + filepath.Join(e.dir, "tmp"), "ASSAY_STORE=" + filepath.Join(e.disk, "assay.db"), "ASSAY_REHEARSAL_PACE=3000", "ASSAY_FLEET_TOKEN=token", jumps + "=" + e.clock}
	if cache, err := os.UserCacheDir(); err == nil { // a fleet looks which compilers there are
		p.cmd.Env = append(p.cmd.Env, "GOCACHE="+filepath.Join(cache, "go-build"))
	}
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.out
	if edit != nil {
		edit(p.cmd)
	}
	fatal.If(e.t, p.cmd.Start())
	e.pids = append(e.pids, p.cmd.Process.Pid)
	for len(e.wrap) > 0 && isStrace(p.cmd.Process.Pid) { // killed now, it would leave a stopped child of its own
		time.Sleep(time.Millisecond)
	}
	return p
}

// isStrace reports whether a process is still strace's, before it executes the program.
func isStrace(pid int) bool {
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	return err == nil && string(name) == "strace\n"
}

// struckBy lets the fault of the round strike a program at its moment.
func (e *episode) struckBy(p *program) (stop func()) {
	if e.fault == nil || e.fault.strike == nil {
		return func() {}
	}
	f := e.fault
	var once sync.Mutex // the moment of the fault is what is tested, not something waited for
	moment := time.AfterFunc(e.strikeIn, func() {
		once.Lock()
		defer once.Unlock()
		select {
		case <-p.ends:
		default:
			e.struck = true
			f.strike(e, p.cmd.Process)
		}
	})
	return func() { moment.Stop(); once.Lock(); once.Unlock() } //lint:ignore SA2001 a strike under way is awaited
}

// chaosPatience is the timeout for a program.
const chaosPatience = 3 * time.Minute

// wait waits for a program's end, and checks the properties of every end. The exit code of a program ended
// by a signal is that of shells.
func (e *episode) wait(p *program) int {
	e.t.Helper()
	hang := time.AfterFunc(chaosPatience, func() {
		e.t.Errorf("it does not end")
		_ = p.cmd.Process.Signal(syscall.SIGQUIT)
		time.AfterFunc(10*time.Second, func() { _ = p.cmd.Process.Kill() })
	})
	_ = p.cmd.Wait()
	hang.Stop()
	close(p.ends)
	code := p.cmd.ProcessState.ExitCode()
	status := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		code = 128 + int(status.Signal())
	}
	said := p.out.String()
	e.step("%s: exit code %d\n%.3000s", strings.Join(p.cmd.Args[len(e.wrap)+1:], " "), code, said)
	memory := e.fault != nil && e.fault.name == "memory" // Go itself gives up where nothing is left
	for _, sign := range []string{"panic:", "\ngoroutine ", "fatal error:", "SIGSEGV"} {
		if strings.Contains(said, sign) && !memory {
			e.t.Errorf("it says %q", sign)
		}
	}
	return code
}

// judge checks an exit code: 0 only for complete work, that of the signal after a signal, and no other.
func (e *episode) judge(code int, complete bool) {
	e.t.Helper()
	signal := syscall.Signal(0)
	if e.fault != nil && e.struck {
		signal = e.fault.signal
	}
	switch {
	case code == 0 && !complete:
		e.t.Errorf("exit code 0, and the work is not complete")
	case code == 0:
	case e.fault == nil:
		e.t.Errorf("exit code %d of what nothing disturbs", code)
	case code > 128 && code != 128+int(signal):
		e.t.Errorf("exit code %d of what %s disturbed", code, e.fault.name)
	case code <= 128 && signal != 0 && signal != syscall.SIGKILL:
		e.t.Errorf("exit code %d after %s", code, signal)
	}
}

// files are those of the episode, except inputs.
func (e *episode) files() (names []string) {
	inputs := chaosInputs()
	_ = filepath.WalkDir(e.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		name, _ := filepath.Rel(e.dir, path)
		if _, ok := inputs[name]; !ok && !strings.HasPrefix(name, "home/go") { // which are the Go compiler's
			names = append(names, name)
		}
		return nil
	})
	return names
}

// nothingLeft checks that no process, cgroup or file remains, apart from those of undisturbed work.
func (e *episode) nothingLeft() {
	e.t.Helper()
	e.nothingRuns()
	if len(orphans())+len(e.groups()) > 0 { // boxes that ended late, or not: the next assay that makes some clears them
		e.wait(e.start(nil, "doctor"))
	}
	for _, name := range orphans() {
		e.t.Errorf("this still runs: %s", name)
	}
	known := e.calm.files()
	for _, name := range e.files() {
		if !slices.Contains(known, name) && !(e.w.mayLeave != nil && e.w.mayLeave(name)) {
			e.t.Errorf("%s is left behind", name)
		}
	}
	for _, path := range e.groups() {
		e.t.Errorf("the cgroup %s is left behind", path)
	}
}

// groups are the cgroups created by the episode's programs.
func (e *episode) groups() (paths []string) {
	_ = filepath.WalkDir("/sys/fs/cgroup", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil
		}
		for _, pid := range e.pids {
			if name := d.Name(); strings.HasPrefix(name, "assay-") && strings.Contains(name, fmt.Sprintf("-%d-", pid)) {
				paths = append(paths, path)
			}
		}
		return nil
	})
	return paths
}

// nothingRuns waits until all started programs and their children have ended, except a sandbox: bwrap
// leaves its child if it is killed before it has set the child's parent-death signal.
func (e *episode) nothingRuns() {
	e.t.Helper()
	var left []string
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		left = slices.DeleteFunc(orphans(), func(name string) bool { return strings.Contains(name, `(bwrap) "assay-`) })
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			e.t.Errorf("these still run: %s", strings.Join(left, "; "))
			return
		}
	}
}

// orphans are the children of this process; those that have ended are reaped.
func orphans() (names []string) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		name, rest, _ := bytes.Cut(text, []byte(") "))
		fields := strings.Fields(string(rest))
		if len(fields) < 2 || fields[1] != strconv.Itoa(os.Getpid()) {
			continue
		}
		if pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path))); fields[0] == "Z" {
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil)
			continue
		}
		args, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		names = append(names, fmt.Sprintf("%s) %.300q", name, args))
	}
	return names
}
