package sandbox

import (
	"bytes"
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
)

// groups makes memory cgroups below that of this process, so that a limit on this process also
// limits its boxes.
//
// In version 1 the thread that starts a program enters the program's cgroup for that moment: a
// thread can move itself at once, while moving another process takes the kernel fifteen
// milliseconds. In version 2 the kernel starts a program directly in its cgroup, but a cgroup
// with processes cannot have child cgroups: so this process moves into a cgroup of its own, and
// back at the end.
type groups struct {
	version int    // 1 or 2
	home    string // the cgroup of this process and parent of the others
	prefix  string // of the names of all cgroups that this process makes
	reason  error  // why cgroups cannot be made, or nil

	mu     sync.Mutex
	closed bool
}

// group is the memory cgroup of one box.
type group struct {
	of     *groups
	dir    string
	kills  *os.File // the file that counts processes killed for memory
	killed int64    // the last count
	limit  int64    // bytes, as last set; 0: none
	base   int64    // bytes that the box itself used before the program
}

// groupSlackKB is what the kernel may use for a box in addition to a program's memory: page
// tables, stacks, bubblewrap itself.
const groupSlackKB = 16 << 10

// groupsMade numbers the cgroups of this process, which may have several boxes.
var groupsMade atomic.Int64

// groupName is the prefix of assay's cgroups.
const groupName = "assay-"

// groupPlaces are the contents of the files by which cgroups are located.
type groupPlaces struct {
	mounts, own string // /proc/self/mountinfo and /proc/self/cgroup
}

// newGroups finds where this process may make memory cgroups, and removes leftovers of earlier
// processes. It always returns a value: see reason.
func newGroups() *groups {
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	own, _ := os.ReadFile("/proc/self/cgroup")
	g := locateGroups(groupPlaces{string(mounts), string(own)})
	g.prefix = groupPrefix(os.Getpid())
	if g.reason != nil {
		return g
	}
	g.removeStale()
	if err := unix.Access(filepath.Join(g.home, g.entrance()), unix.W_OK); err != nil {
		g.reason = fmt.Errorf("no permission to make memory cgroups in %s: %w", g.home, err)
		return g
	}
	probe, err := g.make(1 << 30) // bytes: any limit proves that limits work
	if err != nil {
		g.reason = err
		return g
	}
	probe.remove()
	return g
}

// groupPrefix returns the prefix of a process's cgroups. It includes the process namespace, since
// a pid means nothing in another; the start time, since pids are reused; and the time namespace,
// by whose clock the start is measured.
func groupPrefix(pid int) string {
	pids, _ := os.Readlink("/proc/self/ns/pid")
	clocks, _ := os.Readlink("/proc/self/ns/time")
	s, _ := readStat(pid)
	return fmt.Sprintf("%s%s-%d-%d.%s-", groupName, strings.Trim(pids, "pid:[]"), pid, s.start, strings.Trim(clocks, "time:[]"))
}

// MemoryCgroups returns why this process cannot make memory cgroups, so that memory is limited
// only by polling; nil if it can.
func MemoryCgroups() error {
	g := newGroups()
	defer g.close()
	return g.reason
}

// mechanism names the mechanism that limits memory, as results record it.
func (g *groups) mechanism() string {
	switch {
	case g == nil || g.reason != nil:
		return "rss-poll"
	case g.version == 2:
		return "cgroup2"
	}
	return "cgroup"
}

// forBox makes a cgroup for one box, and names the mechanism that enforces its memory limit:
// polling if there is no cgroup.
func (g *groups) forBox(l Limits) (*group, string) {
	gr, err := g.make(0)
	if err != nil {
		return nil, (*groups)(nil).mechanism()
	}
	return gr, gr.limitTo(l)
}

// make makes a cgroup with a limit in bytes; 0: none.
func (g *groups) make(limit int64) (*group, error) {
	if g.reason != nil {
		return nil, g.reason
	}
	if err := g.enter(); err != nil {
		return nil, err
	}
	dir := filepath.Join(g.home, g.prefix+strconv.FormatInt(groupsMade.Add(1), 10))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making a memory cgroup: %w", err)
	}
	gr := &group{of: g, dir: dir}
	err := gr.setLimit(limit)
	if err == nil {
		gr.kills, err = os.Open(filepath.Join(dir, gr.killsFile()))
	}
	if err == nil {
		_, err = gr.countKills()
	}
	if err != nil {
		gr.remove()
		return nil, fmt.Errorf("preparing a memory cgroup: %w", err)
	}
	return gr, nil
}

// entrance is the file through which processes enter a cgroup: in version 1 also single threads.
func (g *groups) entrance() string {
	if g.version == 1 {
		return "tasks"
	}
	return "cgroup.procs"
}

// start starts a command in the cgroup, or where this process is if the group is nil. The caller
// must be the only goroutine of its operating system thread.
func (gr *group) start(cmd *exec.Cmd) error {
	if gr == nil {
		return cmd.Start()
	}
	if gr.of.version == 1 {
		if err := writeGroup(gr.dir, gr.of.entrance(), "0"); err != nil {
			return fmt.Errorf("entering a memory cgroup: %w", err)
		}
		defer writeGroup(gr.of.home, gr.of.entrance(), "0")
		return cmd.Start()
	}
	dir, err := os.Open(gr.dir)
	if err != nil {
		return fmt.Errorf("entering a memory cgroup: %w", err)
	}
	defer dir.Close()
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, int(dir.Fd())
	return cmd.Start()
}

// enter enables cgroups with a memory limit below home. Only version 2 needs it, and it is only
// done if this process is alone in its cgroup: moving other processes is not our business.
func (g *groups) enter() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return errClosed
	}
	switches := filepath.Join(g.home, "cgroup.subtree_control")
	if g.version == 1 || hasWord(readText(switches), "memory") {
		return nil
	}
	for _, pid := range strings.Fields(readText(filepath.Join(g.home, "cgroup.procs"))) {
		if pid != strconv.Itoa(os.Getpid()) {
			return fmt.Errorf("the cgroup %s contains processes other than assay, so no limited cgroup can be made below it: "+
				"start assay with `systemd-run --user --scope -p Delegate=yes assay …`", g.home)
		}
	}
	main := g.mainGroup()
	if err := os.Mkdir(main, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("making a memory cgroup: %w", err)
	}
	err := writeGroup(main, "cgroup.procs", strconv.Itoa(os.Getpid()))
	if err == nil {
		err = writeGroup(g.home, "cgroup.subtree_control", "+memory")
	}
	if err != nil {
		g.leave()
		return fmt.Errorf("moving assay into a cgroup of its own: %w", err)
	}
	return nil
}

func (g *groups) mainGroup() string { return filepath.Join(g.home, g.prefix+"main") }

// leave undoes enter unless another box needs it; the last box then does it.
func (g *groups) leave() {
	main := g.mainGroup()
	if _, err := os.Stat(main); err != nil || len(g.others(main)) > 0 {
		return
	}
	if writeGroup(g.home, "cgroup.subtree_control", "-memory") == nil {
		writeGroup(g.home, "cgroup.procs", strconv.Itoa(os.Getpid()))
	}
	os.Remove(main)
}

// others returns the cgroups below home, except one.
func (g *groups) others(but string) []string {
	entries, _ := os.ReadDir(g.home)
	var found []string
	for _, e := range entries {
		if path := filepath.Join(g.home, e.Name()); e.IsDir() && path != but {
			found = append(found, path)
		}
	}
	return found
}

// close removes this process's remaining cgroups.
func (g *groups) close() {
	if g == nil || g.reason != nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	if g.version == 2 {
		g.leave()
	}
}

// staleGroups bounds the search for stale cgroups. On a machine with more, the rest stay: an
// empty cgroup costs next to nothing.
const staleGroups = 2000

// removeStale removes the cgroups of killed assay processes. They may be elsewhere than those of
// this process, since every session of a user has its own place.
func (g *groups) removeStale() {
	top := g.home
	for up := filepath.Dir(top); ; up = filepath.Dir(up) {
		if _, err := os.Stat(filepath.Join(up, "cgroup.procs")); err != nil || up == "/" {
			break
		}
		top = up
	}
	seen := 0
	filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return nil
		case seen >= staleGroups:
			return filepath.SkipAll
		}
		seen++
		if isStale(d.Name(), g.prefix) {
			syscall.Rmdir(path) // the kernel refuses when it is not empty
		}
		return nil
	})
}

// isStale reports whether a cgroup's name shows that a process of ours made it that no longer
// exists; mine is the prefix of this process. In doubt it returns false.
func isStale(name, mine string) bool {
	parts := strings.Split(strings.TrimPrefix(name, groupName), "-")
	own := strings.Split(strings.TrimPrefix(mine, groupName), "-")
	if !strings.HasPrefix(name, groupName) || len(parts) != 4 || parts[0] != own[0] {
		return false
	}
	pid, err := strconv.Atoi(parts[1])
	if err != nil {
		return false
	}
	if gone(pid) {
		return true
	}
	s, read := readStat(pid) // also fails if this process cannot open more files
	start, clocks, _ := strings.Cut(parts[2], ".")
	_, ours, _ := strings.Cut(own[2], ".")
	return read && start != "0" && clocks == ours && strconv.FormatUint(s.start, 10) != start
}

func writeGroup(dir, file, text string) error {
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(text)
	return err
}

func (gr *group) killsFile() string {
	if gr.of.version == 2 {
		return "memory.events"
	}
	return "memory.oom_control"
}

// setLimit limits the memory of all processes of the cgroup, in bytes; 0 removes the limit. It
// does nothing if the limit is already set.
func (gr *group) setLimit(limit int64) error {
	if limit == gr.limit {
		return nil
	}
	files, text := []string{"memory.max"}, "max"
	if gr.of.version == 1 {
		// The limit including swap must never be below the one without.
		files, text = []string{"memory.limit_in_bytes", "memory.memsw.limit_in_bytes"}, "-1"
		if limit == 0 || limit > gr.limit && gr.limit > 0 {
			files[0], files[1] = files[1], files[0]
		}
	}
	if limit > 0 {
		text = strconv.FormatInt(limit, 10)
	}
	for _, file := range files {
		if err := writeGroup(gr.dir, file, text); err != nil && !(strings.Contains(file, "memsw") && errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	if gr.of.version == 2 {
		if err := writeGroup(gr.dir, "memory.swap.max", "0"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	gr.limit = limit
	return nil
}

// limitFor returns the cgroup's limit in bytes for a program's limits. For the kernel, files in
// memory count as memory. Below this hard limit, resident memory is polled as it is without
// cgroups, so that verdicts do not depend on the machine.
func (gr *group) limitFor(l Limits) int64 {
	if l.MemoryMB == 0 {
		return 0
	}
	return gr.base + int64(l.MemoryMB+l.FileMB)<<20 + groupSlackKB<<10
}

// limitTo sets a program's limits and names the mechanism that enforces them.
func (gr *group) limitTo(l Limits) string {
	if gr == nil || gr.setLimit(gr.limitFor(l)) != nil {
		return (*groups)(nil).mechanism()
	}
	return gr.of.mechanism()
}

// ready records what the box itself uses: the program's limit is added to that.
func (gr *group) ready() {
	if gr == nil {
		return
	}
	file := "memory.usage_in_bytes"
	if gr.of.version == 2 {
		file = "memory.current"
	}
	gr.base, _ = strconv.ParseInt(readText(filepath.Join(gr.dir, file)), 10, 64)
}

// cpu returns the processor time of all processes that the cgroup ever had, where the kernel
// records it: in every cgroup of version 2.
func (gr *group) cpu() (used time.Duration, known bool) {
	if gr == nil || gr.of.version != 2 {
		return 0, false
	}
	text, err := readProc(filepath.Join(gr.dir, "cpu.stat"))
	if err != nil {
		return 0, false
	}
	line, _, _ := strings.Cut(string(text), "\n")
	microseconds, err := strconv.ParseInt(strings.TrimPrefix(line, "usage_usec "), 10, 64)
	return time.Duration(microseconds) * time.Microsecond, err == nil
}

// countKills returns how many processes the kernel has killed for memory since the last call.
func (gr *group) countKills() (int64, error) {
	var buf [512]byte
	n, err := gr.kills.ReadAt(buf[:], 0)
	if n == 0 {
		return 0, err
	}
	for line := range bytes.Lines(buf[:n]) {
		name, value, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
		if string(name) == "oom_kill" {
			total, err := strconv.ParseInt(string(value), 10, 64)
			since := total - gr.killed
			gr.killed = total
			return since, err
		}
	}
	return 0, errors.New("the kernel does not count processes killed for memory (Linux 4.13 and later do)")
}

// outOfMemory reports whether the kernel has killed a process for memory since the last call. For
// a nil group it returns false.
func (gr *group) outOfMemory() bool {
	if gr == nil {
		return false
	}
	n, _ := gr.countKills()
	return n > 0
}

// remove removes the cgroup. Its processes must have ended.
func (gr *group) remove() {
	if gr == nil {
		return
	}
	if gr.kills != nil {
		gr.kills.Close()
	}
	// A process that has ended still counts until the kernel has released it, which takes longer on a busy machine.
	if !gr.gone(time.Millisecond) {
		go gr.gone(100 * time.Millisecond)
	}
}

// gone tries a hundred times to remove the directory, pausing in between, and reports whether nothing hinders it any more.
func (gr *group) gone(pause time.Duration) bool {
	for range 100 {
		if err := syscall.Rmdir(gr.dir); err != syscall.EBUSY {
			return true
		}
		time.Sleep(pause)
	}
	return false
}
