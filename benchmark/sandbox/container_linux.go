package sandbox

import (
	"context"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"assay/data/program"
)

//go:embed python/relay.py
var relayProgram string

// Container isolates with docker or podman: a container for each program, from an image that the
// user names. The image must have python3, /bin/sh and the programs that run the code; it is
// never downloaded.
//
// Container engines pass on no descriptors, so the first process of the container is a relay,
// python/relay.py, which holds the program's streams and talks to assay over its own standard
// input and output.
type Container struct {
	engine  string // "docker" or "podman"
	path    string
	image   string
	prefix  string // of the containers' names
	filter  []byte
	made    atomic.Int64
	running sync.WaitGroup

	closed chan struct{}

	mu      sync.Mutex
	unlimit bool              // the engine cannot set limits on this machine
	limits  map[string]string // limits that the last container reported
}

var _ Box = (*Container)(nil)

// errNoImage is returned by NewContainer without an image.
var errNoImage = errors.New("no container image is named")

// NewContainer prepares containers of an image. It does not start one: see Probe.
func NewContainer(engine, image string) (*Container, error) {
	path, err := program.Find(engine)
	if err != nil {
		return nil, fmt.Errorf("running code in containers: %w", &Unavailable{Cause: err.Error(),
			Fix: fmt.Sprintf("install %s (Debian, Ubuntu: apt-get install %s)", engine, map[string]string{"docker": "docker.io", "podman": "podman"}[engine])})
	}
	if image == "" {
		return nil, fmt.Errorf("%w: name one that has python3 and the programs that run the code, for example "+
			"python:3.12-slim after `%s pull python:3.12-slim`", errNoImage, engine)
	}
	filter, err := seccompFilter()
	if err != nil {
		return nil, err
	}
	return &Container{engine: engine, path: path, image: image, prefix: groupPrefix(os.Getpid()), filter: filter, closed: make(chan struct{})}, nil
}

// Name implements Box.
func (b *Container) Name() string { return b.engine }

// Foreign reports that programs in these boxes are those of an image, not of this machine.
func (b *Container) Foreign() bool { return true }

// Enforcement implements Box. For memory and processes it reports the last container's
// mechanisms, since only the engine decides them.
func (b *Container) Enforcement() map[string]string {
	e := map[string]string{
		"box":      b.engine,
		"image":    b.image,
		"fs":       "container",
		"net":      "namespace",
		"pids":     "rlimit",
		"syscalls": "seccomp",
		"memory":   "rss-poll",
		"cpu":      "proc-poll",
		"output":   "count",
		"files":    "tmpfs-size",
	}
	if b.engine == "docker" {
		e["files"] = "tmpfs-size+inodes"
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.Copy(e, b.limits)
	return e
}

// containerSlackMB is what the relay and the kernel may use in addition to the program.
const containerSlackMB = 48

// arguments returns the engine's arguments up to the relay's text.
func (b *Container) arguments(name string, spec Spec) []string {
	l := spec.Limits
	args := []string{"run", "--rm", "--interactive", "--pull", "never", "--name", name, "--init=false",
		"--network", "none", "--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges",
		"--user", fmt.Sprintf("%d:%d", nobody, nobody), "--hostname", "box", "--workdir", "/tmp", "--log-driver", "none",
		"--ulimit", "core=0:0", "--ulimit", fmt.Sprintf("nofile=%[1]d:%[1]d", max(l.OpenFiles, 256)),
	}
	tmp := fmt.Sprintf("/tmp:rw,exec,nosuid,nodev,mode=1777,size=%dm", l.FileMB)
	if b.engine == "docker" {
		tmp += fmt.Sprintf(",nr_inodes=%d", l.Files+slotFiles)
	} else {
		args = append(args, "--read-only-tmpfs=false")
		// The default may be more than the user may have.
		args = append(args, "--ulimit", fmt.Sprintf("nproc=%[1]d:%[1]d", userProcesses))
	}
	args = append(args, "--tmpfs", tmp, "--shm-size", fmt.Sprintf("%dm", l.FileMB))
	b.mu.Lock()
	unlimit := b.unlimit
	b.mu.Unlock()
	if !unlimit {
		args = append(args, "--pids-limit", strconv.Itoa(l.Processes+relayProcesses), "--cpus", strconv.Itoa(min(2, runtime.NumCPU())))
		if l.MemoryMB > 0 {
			// For the kernel, files in memory count as memory.
			memory := fmt.Sprintf("%dm", l.MemoryMB+2*l.FileMB+containerSlackMB)
			args = append(args, "--memory", memory, "--memory-swap", memory)
		}
	}
	for _, dir := range spec.Binds {
		args = append(args, "--mount", "type=bind,source="+dir+",target="+dir+",readonly")
	}
	if spec.Library != "" {
		args = append(args, "--mount", "type=bind,source="+spec.Library+",target="+LibraryDir+",readonly")
	}
	return append(args, "--entrypoint", "python3", b.image, "-I", "-S", "-B", "-c")
}

// userProcesses bounds the processes of the user as whom all containers run.
const userProcesses = 4096

// relayProcesses is the number of processes that belong to the container itself.
const relayProcesses = 2

// relayOrder tells a relay what to run.
type relayOrder struct {
	Argv     []string         `json:"argv"`
	Env      []string         `json:"env"`
	Limits   map[string]int64 `json:"rlimits"`
	Filters  []string         `json:"filters"`
	MemoryKB int64            `json:"memory_kb"`
	Outputs  []string         `json:"outputs"`
	Most     int64            `json:"output_bytes"` // maximum size of each output
}

// order returns what the relay of a container is told, which has the limits that it reports.
func (b *Container) order(spec Spec, reported map[string]string) relayOrder {
	l := spec.Limits
	set := map[string]int64{"CORE": 0, "STACK": 8 << 20, "NOFILE": int64(l.OpenFiles), "FSIZE": int64(l.FileMB) << 20}
	if l.CPU > 0 {
		set["CPU"] = int64((l.CPU + time.Second - 1) / time.Second)
	}
	if l.AddressSpaceMB > 0 {
		set["AS"] = int64(l.AddressSpaceMB) << 20
	}
	if user, err := strconv.Atoi(reported["user"]); err == nil && reported["pids"] != "cgroup" {
		// The kernel counts processes by user, so boxes share this limit.
		set["NPROC"] = int64(l.Processes + relayProcesses + processesOf(user))
	}
	env := spec.Env
	if env == nil {
		env = []string{}
	}
	return relayOrder{Argv: spec.argv(), Env: env, Limits: set, Filters: []string{hex.EncodeToString(b.filter)}, MemoryKB: int64(l.MemoryMB) << 10,
		Outputs: append([]string{}, spec.Outputs...), Most: MaxOutput}
}

// Start implements Box. It returns when the container runs; otherwise the error contains what the
// engine printed.
func (b *Container) Start(ctx context.Context, spec Spec) (Process, error) {
	if spec.Tree != nil {
		return nil, errNoTree
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if b.isClosed() {
		return nil, errClosed
	}
	spec.Limits = spec.Limits.withDefaults()
	name := b.prefix + strconv.FormatInt(b.made.Add(1), 10)
	cmd := program.Command(context.Background(), program.Tool, b.path, append(b.arguments(name, spec), relayProgram)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // detached from the terminal and its signals
	r, err := b.relay(cmd, name)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", b.path, err)
	}
	limits, err := r.greeting(ctx)
	if err != nil {
		r.abandon()
		return nil, err
	}
	order, err := json.Marshal(b.order(spec, limits))
	if err != nil {
		r.abandon()
		return nil, err
	}
	delete(limits, "user")
	p, err := r.process(spec.Limits)
	if err != nil {
		r.abandon()
		return nil, fmt.Errorf("opening pipes for a container: %w", err)
	}
	b.mu.Lock()
	b.limits = limits
	b.mu.Unlock()
	p.enforced = b.Enforcement()
	maps.Copy(p.enforced, limits)
	r.send('o', order)
	if len(spec.Outputs) > 0 {
		p.leave = func() []OutputFile { return r.outputs(spec.Outputs) }
	}
	m := newMeter(0)
	m.remote = r.usage
	b.running.Add(1)
	go b.endWithBox(p)
	p.watch(ctx, m)
	go r.feed()
	go r.deliver()
	return p, nil
}

// endWithBox kills a process when the box is closed.
func (b *Container) endWithBox(p *process) {
	defer b.running.Done()
	select {
	case <-p.done:
	case <-b.closed:
		p.Kill(Closed)
		<-p.done
	}
}

func (b *Container) isClosed() bool {
	select {
	case <-b.closed:
		return true
	default:
		return false
	}
}

// Close implements Box.
func (b *Container) Close() error {
	b.mu.Lock()
	if !b.isClosed() {
		close(b.closed)
	}
	b.mu.Unlock()
	b.running.Wait()
	return nil
}

// remove removes a container in any state.
func (b *Container) remove(name string) {
	ctx, cancel := context.WithTimeout(context.Background(), slotEnd)
	defer cancel()
	program.Command(ctx, program.Tool, b.path, "rm", "--force", name).Run()
}

// removeStale removes the containers of assay processes that no longer exist.
func (b *Container) removeStale(ctx context.Context) {
	said, err := program.Ask(ctx, b.path, "ps", "--all", "--filter", "name="+groupName, "--format", "{{.Names}}")
	if err != nil {
		return
	}
	for name := range strings.FieldsSeq(string(said.Out)) {
		if isStale(name, b.prefix) {
			b.remove(name)
		}
	}
}
