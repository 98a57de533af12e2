package judge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/benchmark/sandbox"
	"assay/data/language"
)

// foreign reports whether programs in the box are not those of this machine, as in a container.
func foreign(box sandbox.Box) bool {
	f, ok := box.(interface{ Foreign() bool })
	return ok && f.Foreign()
}

// ask runs a shell script in a box and returns what it prints.
func ask(ctx context.Context, box sandbox.Box, script string, args ...string) (string, error) {
	end, err := finish(ctx, box, sandbox.Spec{
		Argv:   append([]string{"/bin/sh", "-c", script, "ask"}, args...),
		Env:    []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp/work", "LANG=C.UTF-8"},
		Limits: sandbox.Limits{MemoryMB: 1024, Processes: 64},
	})
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(string(end.Stdout))
	if end.Cause != "" || end.Exit != 0 {
		return "", errors.New(describe(end))
	}
	return text, nil
}

// finish runs a process in a box to its end.
func finish(ctx context.Context, box sandbox.Box, spec sandbox.Spec) (sandbox.Outcome, error) {
	p, err := box.Start(ctx, spec)
	if err != nil {
		return sandbox.Outcome{}, err
	}
	p.Arm(sandbox.Budget{CPU: startCPU, Wall: startWall})
	<-p.Done()
	return p.Close(), nil
}

// pythonQuestion is a program in which an interpreter describes itself.
const pythonQuestion = "import os, site, sys, json; print(json.dumps({'executable': os.path.realpath(sys.executable), " +
	"'prefix': sys.base_prefix, 'version': sys.version.split()[0], 'modules': sorted(getattr(sys, 'stdlib_module_names', [])), 'sites': site.getsitepackages()}))"

// findPythonFor finds the interpreter where code will run.
func findPythonFor(ctx context.Context, box sandbox.Box, wanted string) (interpreter, error) {
	if !foreign(box) {
		return findPython(ctx, wanted)
	}
	wanted = cmp.Or(wanted, "python3")
	text, err := ask(ctx, box, `exec "$1" -I -S -c "$2"`, wanted, pythonQuestion)
	var found interpreter
	if err == nil {
		err = json.Unmarshal([]byte(text), &found)
	}
	if err == nil && found.Executable == "" {
		err = errors.New("it does not report its own path")
	}
	if err != nil {
		return interpreter{}, fmt.Errorf("the Python interpreter %s does not run in a box of %s: %w", wanted, box.Name(), err)
	}
	found.Prefix = "/usr" // so that nothing of this machine is bound
	return found, nil
}

// unpackers are the programs that every box needs besides those of the language.
var unpackers = [...]string{"tar", "rm", "mkdir"}

// findPrograms prints the path of each program, whose names or patterns are separated by bars.
const findPrograms = `for names in "$@"; do
	found=
	IFS='|'
	for name in $names; do
		[ -n "$found" ] || case "$name" in
		/*) [ -e "$name" ] && found=$name ;;
		*) found=$(command -v "$name") ;;
		esac
	done
	[ -n "$found" ] || { echo "$names" >&2; exit 3; }
	echo "$found"
done`

// locateFor finds the language's programs where code will run.
func locateFor(ctx context.Context, box sandbox.Box, e *language.Entry, py interpreter, noPython error) (*toolchain, error) {
	if !foreign(box) {
		return locate(ctx, e, py, noPython)
	}
	if attachments[e.Name].prepare != nil {
		return nil, fmt.Errorf("programs in %s cannot be judged in containers: choose --isolation strict for them", e.Title)
	}
	programs := e.Programs
	if e.Name == "python" {
		if noPython != nil {
			return nil, noPython
		}
		programs = []string{py.Executable}
	}
	ctx, cancel := context.WithTimeout(ctx, startWall)
	defer cancel()
	text, err := ask(ctx, box, findPrograms, append(unpackers[:], programs...)...)
	if err != nil {
		return nil, fmt.Errorf("judging %s in a box of %s needs the programs %s in its image: %w",
			e.Title, box.Name(), strings.Join(append(unpackers[:], programs...), ", "), err)
	}
	t := &toolchain{Entry: e, attached: attachments[e.Name], paths: strings.Fields(text)[len(unpackers):], env: slices.Clone(e.Env)}
	if e.Name == "python" {
		t.version, t.env = "CPython "+py.Version, []string{py.hashing()}
		return t, nil
	}
	text, err = ask(ctx, box, `exec "$@" 2>&1`, t.words(e.Version, "", 0)...)
	if err != nil {
		return nil, fmt.Errorf("%s does not run in a box of %s: %w", t.paths[0], box.Name(), err)
	}
	t.version = versionIn(text)
	return t, nil
}
