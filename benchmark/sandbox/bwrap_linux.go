package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"assay/data/program"
)

// nobody is the ordinary user that boxes run as. If assay runs as root it becomes this user
// first, since the kernel does not enforce RLIMIT_NPROC for root.
const nobody = 65534

// Bubblewrap isolates with the bwrap program: namespaces for users, mounts,
// processes, network, IPC and host name, a read-only system, a private tmpfs,
// no capabilities, and a seccomp filter.
type Bubblewrap struct {
	path       string
	filter     []byte
	treeFilter []byte
	prefix     string   // of its processes' names, by which a later assay recognizes leftovers
	system     []string // arguments that bind the system into the box
	limiter    limiter
	launcher   *launcher
	groups     *groups
}

var _ Box = (*Bubblewrap)(nil)

// NewBubblewrap finds bwrap and prepares boxes. It does not start one: see Probe.
func NewBubblewrap() (*Bubblewrap, error) {
	path, err := program.Find("bwrap")
	if err != nil {
		return nil, fmt.Errorf("running code safely needs bubblewrap, and no program bwrap was found: "+
			"install it (Debian, Ubuntu: apt-get install bubblewrap; Fedora: dnf install bubblewrap; "+
			"Arch: pacman -S bubblewrap): %w", err)
	}
	filter, err := seccompFilter()
	if err != nil {
		return nil, err
	}
	forTrees, err := treeFilter()
	if err != nil {
		return nil, err
	}
	lim, err := newLimiter()
	if err != nil {
		return nil, err
	}
	prefix := groupPrefix(os.Getpid())
	endLeftBehind(prefix)
	return &Bubblewrap{path: path, prefix: prefix, filter: filter, treeFilter: forTrees, system: systemView(), limiter: lim, launcher: newLauncher(), groups: newGroups()}, nil
}

// endLeftBehind kills what killed assay processes left of their boxes; mine is the prefix of this
// process. The kernel kills bwrap with its parent, and bwrap's child with bwrap, but only after
// the child has asked for that: if bwrap is killed before, its child waits forever.
func endLeftBehind(mine string) {
	names, _ := readNames("/proc")
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		called, _, _ := strings.Cut(readText("/proc/"+name+"/cmdline"), "\x00")
		if !isStale(called, mine) {
			continue
		}
		left := inner{pid: pid}
		if left.fd, err = unix.PidfdOpen(pid, 0); err == nil && unix.PidfdSendSignal(left.fd, unix.SIGKILL, nil, 0) == nil {
			left.wait() // until its cgroup is empty
		}
	}
}

// systemView binds programs and libraries read-only, and of /etc only what the dynamic linker and
// name look-ups of system programs need.
func systemView() []string {
	args := []string{"--ro-bind", "/usr", "/usr"}
	for _, dir := range []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"} {
		info, err := os.Lstat(dir)
		switch {
		case err != nil:
		case info.Mode()&os.ModeSymlink != 0:
			if target, err := os.Readlink(dir); err == nil {
				args = append(args, "--symlink", target, dir)
			}
		default:
			args = append(args, "--ro-bind", dir, dir)
		}
	}
	for _, file := range []string{"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime"} {
		args = append(args, "--ro-bind-try", file, file)
	}
	return args
}

// Name implements Box.
func (b *Bubblewrap) Name() string { return "bwrap" }

// Enforcement implements Box.
func (b *Bubblewrap) Enforcement() map[string]string {
	return map[string]string{
		"box":      "bwrap",
		"fs":       "mount-namespace",
		"net":      "namespace",
		"pids":     "rlimit",
		"syscalls": "seccomp",
		"memory":   b.groups.mechanism(),
		"cpu":      "proc-poll",
		"output":   "count",
		"files":    "tmpfs-size",
	}
}

// arguments returns bwrap's arguments up to the program to run; more are those that differ
// between boxes.
func (b *Bubblewrap) arguments(spec Spec, more ...string) []string {
	args := []string{
		"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
		"--uid", strconv.Itoa(nobody), "--gid", strconv.Itoa(nobody), "--hostname", "box",
		"--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv",
	}
	for _, v := range spec.Env {
		name, value, _ := strings.Cut(v, "=")
		args = append(args, "--setenv", name, value)
	}
	args = append(args, b.system...)
	if spec.Library != "" {
		args = append(args, "--ro-bind", spec.Library, LibraryDir)
	}
	if spec.Tree != nil {
		args = append(args, spec.Tree.arguments()...)
	}
	for _, dev := range devices {
		args = append(args, "--dev-bind", "/dev/"+dev, "/dev/"+dev)
	}
	for _, link := range descriptorLinks {
		args = append(args, "--symlink", link[1], link[0])
	}
	args = append(args,
		// One file system of limited size holds everything that is written; the directories
		// around it become read-only last.
		"--size", strconv.Itoa(spec.Limits.FileMB<<20), "--tmpfs", "/tmp",
		"--dir", "/tmp/work", "--dir", "/tmp/shm", "--symlink", "/tmp/shm", "/dev/shm",
		"--proc", "/proc", "--remount-ro", "/proc")
	for _, dir := range spec.Binds { // also of directories below /tmp
		args = append(args, "--ro-bind", dir, dir)
	}
	args = append(args, "--remount-ro", "/", "--chdir", "/tmp/work")
	return append(append(args, more...), "--")
}

// command returns bwrap's command, started as an ordinary user.
func (b *Bubblewrap) command(args []string) *exec.Cmd {
	cmd := program.Command(context.Background(), program.Box, b.path, args...)
	cmd.Args[0] = b.prefix + "bwrap"
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return cmd
}

// Start implements Box.
func (b *Bubblewrap) Start(ctx context.Context, spec Spec) (Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	spec.Limits = spec.Limits.withDefaults()
	// Descriptor numbers as in the box: the filter, and where bwrap reports its child.
	filtered := []string{"--seccomp", "5"}
	argv := spec.argv()
	if len(spec.Outputs) > 0 {
		argv = waiting(argv)
	}
	filter := b.filter
	if spec.Tree != nil { // whose program reads the filter when it has mounted the tree
		filter, filtered, argv = b.treeFilter, nil, spec.Tree.mounted(argv, 5, spec.Binds)
	}
	args := b.arguments(spec, append(filtered, "--info-fd", "6")...)
	cmd := b.command(append(args, b.limiter.wrap(argv, spec.Limits, true)...))
	p, pl := wire(spec.Limits)
	pl.holding(filter)
	info := pl.out()
	defer info.Close()
	var link *os.File
	if spec.Tree != nil {
		link = spec.Tree.open(pl)
	}
	group, mechanism := b.groups.forBox(spec.Limits)
	if err := pl.start(cmd, b.launcher, group); err != nil {
		group.remove()
		return nil, fmt.Errorf("starting %s: %w", b.path, err)
	}
	inner := newInner(cmd.Process.Pid, info)
	p.tmp = "/tmp"
	p.enforced, p.memory = b.Enforcement(), group
	p.enforced["memory"] = mechanism
	p.await = func() ending {
		e := awaitCommand(cmd)
		e.lost = p.undisturbed() && inner.broke(e.exit)
		return e
	}
	p.end = func() { inner.end(cmd.Process) }
	p.gone = inner.wait
	leave := func() {}
	if link != nil {
		leave = spec.Tree.meet(ctx, link, inner.pid)
	}
	p.leave = func() []OutputFile { leave(); return nil }
	if len(spec.Outputs) > 0 {
		held := holdOn(ctx, p.control, inner.pid, spec.Outputs)
		p.leave = func() []OutputFile { leave(); return held.take() }
	}
	m := newMeter(inner.pid)
	m.outer, m.group = true, group // the root is bwrap's
	p.watch(ctx, m)
	return p, nil
}

// Close implements Box. The kernel kills what still runs, see launcher. Leftovers of processes
// that were killed meanwhile are killed, too.
func (b *Bubblewrap) Close() error {
	b.launcher.close()
	b.groups.close()
	endLeftBehind(b.prefix)
	return nil
}

// inner is the first process of a box's process namespace. When it is killed, the kernel ends all
// others of the namespace before it.
type inner struct {
	pid int

	mu sync.Mutex
	fd int // a pidfd, or -1
}

// newInner reads the pid that bwrap reports. If bwrap fails before that, only the bwrap process
// exists.
func newInner(outer int, info *os.File) *inner {
	var report struct {
		Child int `json:"child-pid"`
	}
	if err := json.NewDecoder(info).Decode(&report); err != nil || report.Child == 0 {
		return &inner{pid: outer, fd: -1}
	}
	fd, err := unix.PidfdOpen(report.Child, 0)
	if err != nil {
		fd = -1
	}
	return &inner{pid: report.Child, fd: fd}
}

// end kills the namespace. The bwrap process outside notices and exits by itself: the kernel adds
// the children's times only for a parent that waits for them.
func (in *inner) end(outer *os.Process) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.fd < 0 || unix.PidfdSendSignal(in.fd, unix.SIGKILL, nil, 0) != nil {
		outer.Kill()
	}
}

// broke reports whether someone else has killed the box, and with it the program: either bwrap,
// whose exit is given, or the first process inside. For the latter bwrap reports the same as for
// a program that killed itself, and only kernels from 6.15 on tell the two apart.
func (in *inner) broke(exit int) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if exit != 128+int(unix.SIGKILL) || in.fd < 0 {
		return exit < 0
	}
	// bwrap has waited for its child if that ended first; otherwise the kernel has no exit
	// information yet.
	info := unix.PidfdInfo{Mask: unix.PIDFD_INFO_EXIT}
	err := unix.IoctlPidfdInfo(in.fd, &info)
	return err == nil && info.Mask&unix.PIDFD_INFO_EXIT != 0 && syscall.WaitStatus(info.Exit_code).Signaled()
}

// wait returns when the namespace is empty.
func (in *inner) wait() {
	if in.fd < 0 {
		return
	}
	fds := []unix.PollFd{{Fd: int32(in.fd), Events: unix.POLLIN}}
	for {
		if _, err := unix.Poll(fds, 10_000); err != unix.EINTR {
			break
		}
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	unix.Close(in.fd)
	in.fd = -1
}
