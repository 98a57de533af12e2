package sandbox

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"assay/data/program"
)

// Unprotected is a box without isolation: programs run as the user, with limits on time, memory
// and output.
type Unprotected struct {
	limiter  limiter
	launcher *launcher
	groups   *groups
}

var _ Box = (*Unprotected)(nil)

// NewUnprotected returns errNoConsent unless the user has explicitly agreed to run code without
// protection.
func NewUnprotected(consent bool) (*Unprotected, error) {
	if !consent {
		return nil, errNoConsent
	}
	lim, err := newLimiter()
	if err != nil {
		return nil, err
	}
	return &Unprotected{limiter: lim, launcher: newLauncher(), groups: newGroups()}, nil
}

// Name implements Box.
func (b *Unprotected) Name() string { return "none" }

// Enforcement implements Box.
func (b *Unprotected) Enforcement() map[string]string {
	return map[string]string{
		"box":      "none",
		"fs":       "none",
		"net":      "none",
		"pids":     "none",
		"syscalls": "none",
		"memory":   b.groups.mechanism(),
		"cpu":      "proc-poll",
		"output":   "count",
		"files":    "none",
	}
}

// Probe implements Box.
func (b *Unprotected) Probe(ctx context.Context) error { return probe(ctx, b) }

// Start implements Box. The program gets a temporary directory of its own.
func (b *Unprotected) Start(ctx context.Context, spec Spec) (Process, error) {
	if spec.Tree != nil {
		return nil, errNoTree
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	spec.Limits = spec.Limits.withDefaults()
	dir, err := privateDir(0)
	if err != nil {
		return nil, fmt.Errorf("making a directory for a program: %w", err)
	}
	argv := b.limiter.wrap(spec.argv(), spec.Limits, false)
	cmd := program.Command(context.Background(), program.Box, argv[0], argv[1:]...)
	for _, v := range spec.Env {
		if spec.Library != "" {
			v = strings.ReplaceAll(v, LibraryDir, spec.Library) // which is not moved here
		}
		cmd.Env = append(cmd.Env, v)
	}
	cmd.Dir = filepath.Join(dir, "work")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setsid: true}
	place := holdDirectory(cmd.Dir, spec.Outputs)
	p, pl := wire(spec.Limits)
	group, mechanism := b.groups.forBox(spec.Limits)
	if err := pl.start(cmd, b.launcher, group); err != nil {
		place.release()
		os.RemoveAll(dir)
		group.remove()
		return nil, fmt.Errorf("starting %s: %w", argv[0], err)
	}
	pid := cmd.Process.Pid
	p.await = func() ending { return awaitCommand(cmd) }
	p.end = func() {
		syscall.Kill(-pid, syscall.SIGKILL)
		p.killDescendants()
	}
	p.leave = func() []OutputFile {
		defer os.RemoveAll(dir)
		return place.take()
	}
	p.enforced, p.memory = b.Enforcement(), group
	p.enforced["memory"] = mechanism
	p.watch(ctx, newMeter(pid))
	return p, nil
}

// killDescendants kills processes that left the process group, as far as polling has observed
// them.
func (p *process) killDescendants() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id := range p.meter.seen {
		if s, ok := readStat(id.pid); ok && s.start == id.start {
			syscall.Kill(id.pid, syscall.SIGKILL)
		}
	}
}

// Close implements Box.
func (b *Unprotected) Close() error {
	b.launcher.close()
	b.groups.close()
	return nil
}
