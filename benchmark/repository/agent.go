package repository

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay/benchmark"
	"assay/benchmark/gateway"
	"assay/benchmark/repository/agents"
	"assay/benchmark/repository/patch"
	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
	"assay/data/disk"
)

// agentScript starts a program: it takes the key, makes a git repository, and applies changes. Its arguments are
// the name of the key, whether git is wanted, the sizes of the list of deleted files and of the archive of changes,
// and the program with its arguments.
const agentScript = `
fail() { echo "assay: $1" >&2; exit 126; }
if [ -n "$1" ]; then IFS= read -r "$1" <&3; export "$1"; fi
if [ -n "$2" ]; then
	command -v git >/dev/null || fail "git is not installed where boxes see it"
	git init --quiet . && echo /.go-cache/ >>.git/info/exclude &&
		git config user.name assay && git config user.email assay@localhost &&
		git add --all && git commit --quiet --allow-empty --message base || fail "the git repository could not be made"
fi
head -c "$3" <&3 | xargs -0r rm -rf --
head -c "$4" <&3 | tar --recursive-unlink -xf - || fail "the earlier changes could not be written"
shift 4
`

// Work starts an agent in a copy of the task's repository, without a task in an empty directory. The tests and
// the reference of the task are not there. It returns an error if the program could not be started.
func (r *Runner) Work(ctx context.Context, task *benchmark.Task, p agents.Program) (agents.Work, error) {
	j, err := r.openFor(ctx, task)
	if err != nil {
		return agents.Work{}, err
	}
	defer j.root.Close()
	for _, dir := range p.Binds {
		if err := shelf.Reachable(dir); err != nil {
			return agents.Work{}, fmt.Errorf("the box cannot see %s: %w", dir, err)
		}
	}
	before, err := applied(j.base, p.Before)
	var failed *patch.Failure
	if err != nil && !errors.As(err, &failed) {
		return agents.Work{}, err
	}
	if failed != nil && failed.Reason != patch.Empty {
		p.Output(fmt.Appendf(nil, "[assay] The changes of the attempt before do not apply (%s): "+
			"the program starts from the repository as it is.\n", failed))
	}
	return j.work(ctx, p, before)
}

// openFor is open, also for no task.
func (r *Runner) openFor(ctx context.Context, task *benchmark.Task) (*job, error) {
	if task != nil {
		return r.open(ctx, task)
	}
	dir, err := r.Shelf.Get(shelf.Key("empty 1"), disk.IsDir, sandbox.OwnTree)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &job{Runner: r, dir: dir, commit: dir, root: root, base: patch.Files{}}, nil
}

// work runs the program.
func (j *job) work(ctx context.Context, p agents.Program, before patch.Changes) (done agents.Work, err error) {
	var mu sync.Mutex
	gate := gateway.New(p.Hosts, func(r gateway.Request) {
		mu.Lock()
		if r.Granted {
			if done.Unreached = nil; r.Problem != "" {
				done.Unreached = &r
			}
		}
		mu.Unlock()
		p.Asked(r)
	})
	defer gate.Close()
	spec, input := j.agentSpec(p, before)
	var changes patch.Changes
	var unread error
	spec.Tree.Gate = func(l net.Listener) { gate.Serve(l) }
	spec.Tree.Leave = func(left sandbox.Left) { changes, done.LeftOut, unread = j.changed(ctx, left, p.Mask) }
	box, err := j.Box.Start(ctx, spec)
	if err != nil {
		return done, err
	}
	defer box.Close()
	p.Started()
	clock := time.AfterFunc(p.Time, func() { box.Kill(sandbox.Idle) })
	defer clock.Stop()
	counted := speak(ctx, box, p, input)
	<-box.Done()
	end := box.Close()
	gate.Close()
	mu.Lock()
	defer mu.Unlock()
	done.Exit, done.Stderr, done.PeakKB = end.Exit, string(end.Stderr), end.Usage.PeakKB
	switch end.Cause {
	case sandbox.Cancelled:
		return done, context.Cause(ctx)
	case sandbox.Lost:
		return done, errors.New("its box was lost")
	case sandbox.Idle:
		done.Limit = agents.LimitTime
	case sandbox.Memory:
		done.Limit = agents.LimitMemory
	case sandbox.Output:
		done.Limit = cmp.Or(counted, agents.LimitOutput)
	case sandbox.Files:
		done.Limit = agents.LimitFiles
	}
	if why, ours := strings.CutPrefix(lastLine(done.Stderr), "assay: "); ours && end.Exit == 126 {
		return done, errors.New(why)
	}
	if done.TooMuch = unread == errTooMuch; done.TooMuch {
		return done, nil
	}
	if unread != nil {
		return done, fmt.Errorf("%w: %s", unread, lastLine(done.Stderr))
	}
	diff, err := patch.Diff(j.base, changes)
	if done.TooMuch = len(diff) > patch.MaxAnswer; !done.TooMuch {
		done.Diff = string(diff)
	}
	return done, err
}

// speak passes on what the program reads and prints, until it prints no more. It returns the limit that the caller has
// counted.
func speak(ctx context.Context, box sandbox.Process, p agents.Program, input io.Reader) (counted agents.Limit) {
	in, out := box.Control()
	output := func(piece []byte) {
		if counted == "" {
			if counted = p.Output(piece); counted != "" {
				box.Kill(sandbox.Output)
			}
		}
	}
	if p.Talk == nil {
		go func() {
			io.Copy(in, input)
			in.Close()
		}()
	} else {
		io.Copy(in, input)
		talking, stop := context.WithCancel(ctx)
		go func() { <-box.Done(); stop() }()
		p.Talk(talking, in, out)
		in.Close()
		output = func([]byte) {}
	}
	listen(out, int64(p.OutputMB)<<20, output, func() { box.Kill(sandbox.Output) })
	return counted
}

// agentSpec describes a program's box, and returns what the box reads.
func (j *job) agentSpec(p agents.Program, before patch.Changes) (sandbox.Spec, io.Reader) {
	files, deleted := archive(before, nil)
	git, input := "", ""
	start := ""
	switch {
	case j.directory != nil: // whose tree is the whole system
		start = "cd " + shellWord(j.directory.plan.Workdir) + "\n"
	case p.Git:
		git = "git"
	}
	if p.KeyName != "" {
		input = p.Key + "\n"
	}
	args := []string{p.KeyName, git, strconv.Itoa(len(deleted)), strconv.Itoa(len(files))}
	last, rest := "</dev/null", ""
	if p.Talk != nil {
		last = "<&3"
	} else if !slices.ContainsFunc(p.Argv, func(arg string) bool { return strings.Contains(arg, agents.PromptArgument) }) {
		last, rest = "<&3", p.Prompt
	}
	prompt := strings.ReplaceAll(p.Prompt, "\x00", "")
	for _, arg := range p.Argv {
		args = append(args, strings.ReplaceAll(arg, agents.PromptArgument, prompt))
	}
	last += " 3<&- >&4"
	if p.Errors {
		last += " 2>&4"
	}
	spec := j.spec(agentScript+start+"exec \"$@\" "+last+" 4>&-\n", args)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		spec.Env = append(spec.Env, name+"=http://"+sandbox.GateAddress)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Variables)) {
		spec.Env = append(spec.Env, name+"="+p.Variables[name])
	}
	spec.Binds = append(spec.Binds, p.Binds...)
	spec.Limits = sandbox.Limits{MemoryMB: p.MemoryMB, Processes: p.Processes, OutputKB: p.OutputMB << 10, FileMB: p.DiskMB, Files: mostFiles, OpenFiles: 4096}
	return spec, io.MultiReader(strings.NewReader(input+deleted), bytes.NewReader(files), strings.NewReader(rest))
}

// listen passes on what a program prints, and calls over once it is more than allowed.
func listen(out io.Reader, most int64, output func([]byte), over func()) {
	piece := make([]byte, 32<<10)
	for {
		n, err := out.Read(piece)
		if n := min(int64(n), max(most, 0)); n > 0 {
			output(piece[:n])
		}
		if most -= int64(n); most < 0 && over != nil {
			over()
			over = nil
		}
		if err != nil {
			return
		}
	}
}
