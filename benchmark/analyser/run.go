package analyser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"assay/benchmark/sandbox"
)

// Box runs analysers; a sandbox.Box is one. It must give them no network.
type Box interface {
	Start(ctx context.Context, spec sandbox.Spec) (sandbox.Process, error)
}

// Limits for analysers, which start slowly.
const (
	startTime   = 60 * time.Second
	analyseCPU  = 120 * time.Second
	analyseWall = 300 * time.Second
	maxOutput   = 8 << 20
	memoryMB    = 2048
)

// unpackAndRun unpacks the files, runs the program, and passes on its exit status and output.
const unpackAndRun = `tar -xf - <&3 && exec 3<&- && printf r >&4 || exit 99
"$@" >.assay-out 2>.assay-err 4>&- </dev/null
printf '%s\n' "$?" >&4
cat .assay-out >&4`

// output is a program's output and exit status.
type output struct {
	exit   int
	stdout []byte
	stderr string
}

// run runs a program in a box with files in its working directory.
func run(ctx context.Context, box Box, argv, env, binds []string, files map[string]string) (output, error) {
	script := unpackAndRun + "\ncat .assay-err >&2"
	p, err := box.Start(ctx, sandbox.Spec{
		Argv: append([]string{"/bin/sh", "-c", script, "sh"}, argv...),
		Env:  append([]string{"PATH=/usr/bin:/bin", "HOME=/tmp/work", "LANG=C.UTF-8", "TMPDIR=/tmp/work"}, env...), Binds: binds,
		Limits: sandbox.Limits{CPU: analyseCPU + 10*time.Second, MemoryMB: memoryMB, Processes: 128, OutputKB: 4096, FileMB: 512, Files: 20_000, OpenFiles: 1024},
	})
	if err != nil {
		return output{}, err
	}
	defer p.Close()
	p.Arm(sandbox.Budget{CPU: startTime, Wall: startTime})
	w, r := p.Control()
	_, err = w.Write(sandbox.Archive(files, 0o644))
	ready := make([]byte, 1)
	if err == nil {
		_, err = io.ReadFull(r, ready)
	}
	if err != nil || ready[0] != 'r' {
		return output{}, fmt.Errorf("its sandbox did not start: %s", ended(p.Close()))
	}
	p.Arm(sandbox.Budget{CPU: analyseCPU, Wall: analyseWall})
	text, _ := io.ReadAll(io.LimitReader(r, maxOutput+1))
	if len(text) > maxOutput {
		p.Kill(sandbox.Output)
	}
	<-p.Done()
	end := p.Close()
	if ctx.Err() != nil {
		return output{}, ctx.Err()
	}
	if end.Cause != "" {
		return output{}, errors.New(ended(end))
	}
	status, rest, ok := bytes.Cut(text, []byte("\n"))
	exit, err := strconv.Atoi(string(status))
	if !ok || err != nil {
		return output{}, fmt.Errorf("it did not exit in its sandbox: %s", ended(end))
	}
	return output{exit, rest, string(end.Stderr)}, nil
}

func ended(o sandbox.Outcome) string {
	message := lastLine(string(o.Stderr))
	if o.Cause != "" {
		return strings.TrimSpace(fmt.Sprintf("it was stopped (%s) %s", o.Cause, message))
	}
	return strings.TrimSpace(fmt.Sprintf("exit status %d %s", o.Exit, message))
}

// lastLine returns the last line of an error output, which usually explains the problem.
func lastLine(s string) string {
	list := strings.Split(strings.TrimSpace(s), "\n")
	line := []rune(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, list[len(list)-1]))
	return string(line[:min(len(line), 300)])
}
