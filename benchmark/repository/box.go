package repository

import (
	"archive/tar"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"assay/benchmark/repository/patch"
	"assay/benchmark/repository/testlog"
	"assay/benchmark/sandbox"
)

// ran is a run of the tests in a box.
type ran struct {
	log         string
	report      string // in a format for machines; "": none
	end         sandbox.Outcome
	budget      sandbox.Budget
	enforcement map[string]string
	wall        time.Duration
	failed      string // why the tests did not start although they do with the reference; "": they did
}

// results reads what the tests report, from the report for machines if there is one. What is no id of a test
// comes from the log also then: lists of SWE-bench contain words that its harness took for one, such as "[100%]".
func (r ran) results(p testlog.Parser) *testlog.Results {
	logged := p.Parse(r.log)
	if r.report == "" {
		return logged
	}
	junit, err := testlog.Find("junit")
	if err != nil {
		return logged
	}
	found := junit.Parse(r.report)
	if len(found.Status) == 0 {
		return logged
	}
	for id, status := range logged.Status {
		if !strings.Contains(id, "::") {
			found.Status[id] = status
		}
	}
	return found
}

// why describes a run in which no test was reported.
func (r ran) why() string {
	if reason := limitReached(r.end.Cause, r.budget); reason != "" {
		return reason
	}
	return cmp.Or(reasonOf(r.log), lastLine(r.log), fmt.Sprintf("the runner exited with %d and wrote nothing", r.end.Exit))
}

// limitReached describes the limit that ended a run, or returns "".
func limitReached(cause sandbox.Cause, budget sandbox.Budget) string {
	switch cause {
	case sandbox.CPU, sandbox.CPUTotal, sandbox.Idle:
		return fmt.Sprintf("the tests used up their time: %v of processor time, or %v of waiting", budget.CPU, budget.Wall)
	case sandbox.Memory:
		return "the tests used more memory than allowed"
	case sandbox.Output, sandbox.Files:
		return "the tests wrote more than allowed"
	}
	return ""
}

// work is a shell script to run in a tree.
type work struct {
	script  string // writes its result to descriptor 4
	changes patch.Changes
	added   []string // files that an answer added
	binds   []string // directories to read
	outputs []string
	most    int64 // bytes of the result

	leave func(sandbox.Left) // is called with what the script has left of the tree; nil: it is not
}

// inBox runs a script in the tree.
func (j *job) inBox(ctx context.Context, w work) (done ran, err error) {
	files, deleted := archive(w.changes, w.added)
	limits := j.task.Limits.ForRepository()
	added := strings.Join(w.added, "\x00")
	spec := j.spec(fmt.Sprintf("head -c %d <&3 >%s/added\nhead -c %d <&3 | xargs -0r rm -rf --\ntar --recursive-unlink -xf - <&3 || { echo the files could not be written >&2; exit 126; }\n"+
		"exec 3<&-\nset +e\n", len(added), startDir, len(deleted))+w.script+"\n", nil)
	spec.Outputs, spec.Binds = w.outputs, append(spec.Binds, w.binds...)
	spec.Tree.Leave = w.leave
	spec.Limits = sandbox.Limits{MemoryMB: limits.MemoryMB, Processes: limits.Processes, OutputKB: limits.OutputKB, FileMB: limits.FileMB,
		Files: mostFiles, OpenFiles: 4096}
	began := time.Now()
	p, err := j.Box.Start(ctx, spec)
	if err != nil {
		return done, err
	}
	defer p.Close()
	done.budget = sandbox.Budget{CPU: seconds(limits.CPUTotal), Wall: seconds(limits.WallSeconds)}
	p.Arm(done.budget)
	in, out := p.Control()
	go func() {
		io.WriteString(in, added+deleted) // not as arguments, of which the system limits the size
		in.Write(files)
		in.Close()
	}()
	log, _ := io.ReadAll(io.LimitReader(out, w.most+1))
	if int64(len(log)) > w.most {
		p.Kill(sandbox.Output)
	}
	<-p.Done()
	done.end = p.Close()
	done.log, done.wall, done.enforcement = string(log), time.Since(began), p.Enforcement()
	switch done.end.Cause {
	case sandbox.Cancelled:
		return done, context.Canceled
	case sandbox.Lost:
		return done, errors.New("the box was lost")
	}
	if done.end.Exit == 126 && len(log) == 0 {
		return done, fmt.Errorf("the tests could not be started: %s", lastLine(string(done.end.Stderr)))
	}
	for _, o := range done.end.Outputs {
		done.report = string(o.Data)
	}
	return done, nil
}

// spec describes a box that has the tree and the toolchain, and runs a shell script.
func (j *job) spec(script string, args []string) sandbox.Spec {
	if d := j.directory; d != nil {
		return sandbox.Spec{
			Argv: append([]string{"/bin/sh", "-c", "set -e\n" + j.setUpDirectory() + script, "box"}, args...),
			Env:  d.environ(j.tools), Binds: slices.Clone(j.tools.binds), Tree: &sandbox.Tree{Dir: j.dir, Python: j.Python, System: true},
		}
	}
	env := append([]string{"PATH=" + binDir + ":/usr/local/bin:/usr/bin:/bin", "HOME=/tmp/work", "TMPDIR=/tmp", "LANG=C.UTF-8", "USER=nobody", "CI=1"}, j.tools.env...)
	for name, value := range j.env.Variables {
		if name == "PYTHONPATH" && j.env.Toolchain == "python" {
			env = append(env, pythonPath+value)
			continue
		}
		env = append(env, name+"="+value)
	}
	return sandbox.Spec{
		Argv: append([]string{"/bin/sh", "-c", "set -e\n" + j.tools.setUp() + script, "box"}, args...),
		Env:  env, Binds: append(slices.Clone(j.env.Libraries), j.tools.binds...),
		Tree: &sandbox.Tree{Dir: j.dir, Python: j.Python},
	}
}

// mostFiles is how many files tests may add or change.
const mostFiles = 100_000

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// archive packs the changed files as a tar archive, and lists the deleted ones, each with a zero byte behind it. Files
// that an answer adds are older than all others: what they contain was not built from these.
func archive(changes patch.Changes, added []string) (files []byte, deleted string) {
	var packed bytes.Buffer
	var gone []string
	now := time.Now()
	w := tar.NewWriter(&packed)
	for _, name := range changes.Paths() {
		file := changes[name]
		if file == nil {
			gone = append(gone, name)
			continue
		}
		h := &tar.Header{Name: name, Mode: int64(file.Mode & 0o777), Size: int64(len(file.Data)), Typeflag: tar.TypeReg, ModTime: now, Format: tar.FormatPAX}
		if slices.Contains(added, name) {
			h.ModTime = time.Unix(1<<30, 0)
		}
		if file.Mode == patch.Link {
			h.Typeflag, h.Linkname, h.Size, h.Mode = tar.TypeSymlink, string(file.Data), 0, 0o777
		}
		w.WriteHeader(h)
		if file.Mode != patch.Link {
			w.Write(file.Data)
		}
	}
	w.Close() // writing to memory does not fail
	return packed.Bytes(), strings.Join(append(gone, ""), "\x00")
}
