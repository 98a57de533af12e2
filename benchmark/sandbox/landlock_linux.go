package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"assay/data/program"
)

// Landlock isolates without namespaces, where the system forbids them: Landlock rules for files,
// a seccomp filter without network, resource limits, a session, an empty environment and a
// temporary directory. Programs can see that other processes exist, though they can neither
// inspect nor signal them, and their files are counted by polling, not by the kernel.
//
// A program that makes these boxes must call Reexec first.
type Landlock struct {
	abi      int
	limiter  limiter
	launcher *launcher
	groups   *groups
	filters  [][]byte
	visible  []string
	users    atomic.Int64 // users given to programs so far
}

var _ Box = (*Landlock)(nil)

// Versions of the kernel's Landlock interface, see landlock(7).
const (
	landlockMinimum = 3 // rules cover truncation: Linux 6.2
	landlockTCP     = 4
	landlockDevices = 5
	landlockSignals = 6 // Linux 6.12
)

// landlockVersion returns the version of the kernel's interface.
func landlockVersion() (int, error) {
	n, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	switch {
	case errno == unix.EOPNOTSUPP:
		return 0, errors.New("Landlock is built into this kernel but switched off: add landlock to the list of the kernel parameter lsm=")
	case errno != 0:
		return 0, fmt.Errorf("this kernel has no Landlock (Linux 6.2 or later, with landlock in the kernel parameter lsm=): %w", errno)
	case n < landlockMinimum:
		return 0, fmt.Errorf("this kernel's Landlock is too old: it has version %d, and assay needs version %d, of Linux 6.2", n, landlockMinimum)
	}
	return int(n), nil
}

// NewLandlock prepares boxes. Its error names what the kernel lacks.
func NewLandlock() (*Landlock, error) {
	if os.Args[0] == keeperName {
		return nil, errors.New("this program makes Landlock boxes but does not call sandbox.Reexec first")
	}
	abi, err := landlockVersion()
	if err != nil {
		return nil, err
	}
	lim, err := newLimiter()
	if err != nil {
		return nil, err
	}
	base, err := seccompFilter()
	if err != nil {
		return nil, err
	}
	own, err := landlockFilter(os.Geteuid() != 0)
	if err != nil {
		return nil, err
	}
	RemoveLeftBehind(landlockDir())
	return &Landlock{abi: abi, limiter: lim, launcher: newLauncher(), groups: newGroups(), filters: [][]byte{base, own}, visible: landlockView()}, nil
}

// landlockDir is the prefix of private directories; the pid of the process that made them
// follows.
func landlockDir() string { return filepath.Join(os.TempDir(), "assay-box-") }

// Name implements Box.
func (b *Landlock) Name() string { return "landlock" }

// Enforcement implements Box.
func (b *Landlock) Enforcement() map[string]string {
	e := map[string]string{
		"box":      "landlock",
		"fs":       "landlock",
		"net":      "seccomp",
		"pids":     "rlimit",
		"signals":  "user", // a separate user for each program
		"syscalls": "seccomp",
		"memory":   b.groups.mechanism(),
		"cpu":      "proc-poll",
		"output":   "count",
		"files":    "poll",
	}
	if os.Geteuid() != 0 {
		e["pids"] = "rlimit-user" // counted with the user's other processes
		e["signals"] = "none"
		if b.abi >= landlockSignals {
			e["signals"] = "landlock"
		}
	}
	return e
}

// Lacks describes in a sentence what these boxes lack compared to others.
func (b *Landlock) Lacks() string {
	text := "weaker than namespaces: programs can detect other processes and the names of files, " +
		"there is no /tmp and no /dev/shm, processes that a program starts have no /proc/self, and written files are counted by polling"
	if os.Geteuid() != 0 {
		text += "; processes are counted together with your others"
		if b.abi < landlockSignals {
			text += ", and programs can signal your other processes (Linux 6.12 and later prevent that)"
		}
	}
	return text
}

// Probe implements Box.
func (b *Landlock) Probe(ctx context.Context) error {
	if err := answers(ctx, b); err != nil {
		return fmt.Errorf("Landlock boxes cannot run here: %w", err)
	}
	return nil
}

// Start implements Box.
func (b *Landlock) Start(ctx context.Context, spec Spec) (Process, error) {
	if spec.Tree != nil {
		return nil, errNoTree
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	spec.Limits = spec.Limits.withDefaults()
	user := b.user()
	dir, err := privateDir(user)
	if err != nil {
		return nil, fmt.Errorf("making a directory for a sandbox: %w", err)
	}
	p, err := b.start(ctx, spec, dir, user)
	if err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("starting a sandbox with Landlock: %w", err)
	}
	return p, nil
}

// boxUsers is the first of a range of user ids that no system assigns.
const boxUsers = 1_700_000_000

// user returns the user that the next program runs as: a separate one if assay may choose, so
// that the kernel counts its processes alone and it owns no files; otherwise 0.
func (b *Landlock) user() int {
	if os.Geteuid() != 0 {
		return 0
	}
	return boxUsers + os.Getpid()%100_000*1000 + int(b.users.Add(1)%1000)
}

// privateDir makes the directory that a program may write to.
func privateDir(user int) (string, error) {
	dir, err := os.MkdirTemp("", fmt.Sprintf("%s%d-", filepath.Base(landlockDir()), os.Getpid()))
	if err != nil {
		return "", err
	}
	work := filepath.Join(dir, "work")
	err = os.Mkdir(work, 0o700)
	if user != 0 {
		err = errors.Join(err, os.Chown(work, user, user), os.Chown(dir, user, user))
	}
	if err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}

func (b *Landlock) start(ctx context.Context, spec Spec, dir string, user int) (Process, error) {
	cmd := program.Command(context.Background(), program.Box, "/proc/self/exe")
	cmd.Args[0] = keeperName
	// It outlives this process briefly, to kill what is left: see keep.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	p, pl := wire(spec.Limits)
	orders, report := pl.in(), pl.out()
	place := holdDirectory(filepath.Join(dir, "work"), spec.Outputs)
	group, mechanism := b.groups.forKeeper(spec.Limits)
	err := pl.start(cmd, b.launcher, group)
	if err == nil {
		if err = json.NewEncoder(orders).Encode(b.order(spec, dir, user)); err != nil {
			cmd.Process.Kill()
			cmd.Wait()
			closeAll(pl.ours)
		}
	}
	if err != nil {
		place.release()
		group.remove()
		return nil, err
	}
	p.enforced, p.memory = b.Enforcement(), group
	p.enforced["memory"] = mechanism
	keeper := &keeperProcess{cmd: cmd, orders: orders, report: report}
	count := &fileCount{dir: dir, limits: spec.Limits}
	p.await = func() ending {
		e := keeper.await()
		if count.over(true) {
			e.files = spec.Limits.Files + 1
		}
		return e
	}
	p.end = keeper.kill
	p.gone = p.killDescendants // if the keeper itself was killed
	p.leave = func() []OutputFile {
		defer removePrivate(dir)
		return place.take()
	}
	p.tooMany = count.over
	m := newMeter(cmd.Process.Pid)
	m.outer, m.group = true, group
	p.watch(ctx, m)
	return p, nil
}

// order returns the order for a keeper. Paths of other boxes become those of the private
// directory.
func (b *Landlock) order(spec Spec, dir string, user int) keeperOrderText {
	limits := spec.Limits
	if user == 0 {
		limits.Processes += processesOf(os.Geteuid())
	}
	env := []string{}
	for _, v := range spec.Env {
		name, value, _ := strings.Cut(v, "=")
		if value == "/tmp" || value == "/tmp/work" {
			value = dir + strings.TrimPrefix(value, "/tmp")
		}
		if spec.Library != "" {
			value = strings.ReplaceAll(value, LibraryDir, spec.Library) // which is not moved here
		}
		env = append(env, name+"="+value)
	}
	visible := append(append([]string(nil), b.visible...), spec.Binds...)
	if spec.Library != "" {
		visible = append(visible, spec.Library)
	}
	return keeperOrderText{
		Argv: b.limiter.wrap(spec.argv(), limits, true), Env: env, Dir: filepath.Join(dir, "work"), Private: dir,
		Visible: visible, Filters: b.filters, User: user,
	}
}

// processesOf counts the processes and threads of a user.
func processesOf(uid int) int {
	names, _ := readNames("/proc")
	count := 0
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if info, err := os.Stat("/proc/" + name); err == nil && int(info.Sys().(*syscall.Stat_t).Uid) == uid {
			s, _ := readStat(pid)
			count += max(s.threads, 1)
		}
	}
	return count
}

// keeperKB is the memory that a keeper itself may use.
const keeperKB = 64 << 10

// forKeeper is forBox for a program with a keeper.
func (g *groups) forKeeper(l Limits) (*group, string) {
	gr, _ := g.forBox(Limits{})
	if gr != nil {
		gr.base = keeperKB << 10
	}
	return gr, gr.limitTo(l)
}

// keeperProcess is a keeper as seen by assay.
type keeperProcess struct {
	cmd    *exec.Cmd
	report *os.File

	mu      sync.Mutex
	orders  *os.File
	overdue *time.Timer
	ended   bool
}

// kill makes the keeper kill everything; one that does not respond is killed itself.
func (k *keeperProcess) kill() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ended || k.overdue != nil {
		return
	}
	k.orders.Write([]byte{'K'})
	k.overdue = time.AfterFunc(slotEnd, func() { k.cmd.Process.Kill() })
}

// await waits for the keeper, which waits for the program and everything it started.
func (k *keeperProcess) await() ending {
	report, err := readReport(k.report)
	state, _ := k.cmd.Process.Wait()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ended = true
	if k.overdue != nil {
		k.overdue.Stop()
	}
	closeAll([]*os.File{k.orders, k.report})
	if err != nil {
		e := ending{lost: true}
		if state != nil {
			e.exit = state.ExitCode()
		}
		return e
	}
	return ending{exit: report.Exit, cpu: time.Duration(report.CPUUS) * time.Microsecond, peakKB: report.RSSKB, exact: true}
}

// removePrivate removes a program's directory, including unreadable parts.
func removePrivate(dir string) {
	if os.RemoveAll(dir) == nil {
		return
	}
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			os.Chmod(path, 0o700)
		}
		return nil
	})
	os.RemoveAll(dir)
}

// fileCount measures how much a program has written. That takes long if it is much, so it is done
// rarely.
type fileCount struct {
	dir    string
	limits Limits
	next   time.Time
}

const lookEvery = 50 * time.Millisecond

// over reports whether the files exceed the limits. At the end it always measures.
func (c *fileCount) over(last bool) bool {
	now := time.Now()
	if !last && now.Before(c.next) {
		return false
	}
	files, bytes := 0, int64(0)
	err := filepath.WalkDir(c.dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		files++
		if info, err := d.Info(); err == nil {
			if st, ok := info.Sys().(*syscall.Stat_t); ok {
				bytes += st.Blocks * 512
			}
		}
		if files > c.limits.Files || bytes > int64(c.limits.FileMB)<<20 {
			return fs.SkipAll
		}
		return nil
	})
	if !last { // the last call may be concurrent with another
		c.next = time.Now().Add(lookEvery + 10*time.Since(now))
	}
	return err == nil && (files > c.limits.Files || bytes > int64(c.limits.FileMB)<<20)
}

// Close implements Box.
func (b *Landlock) Close() error {
	b.launcher.close()
	b.groups.close()
	return nil
}
