package repository

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"assay/benchmark"
	"assay/benchmark/repository/checkout"
	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
	"assay/data/disk"
)

// prepare runs the environment's commands in a fresh tree, once, and goes on in the tree that they leave.
func (j *job) prepare(ctx context.Context) error {
	key := shelf.Key("prepared 2", j.dir, j.tools.name, strings.Join(j.env.Prepare, "\n"), fmt.Sprint(j.env.Variables, j.env.Libraries))
	commands := strings.Join(j.env.Prepare, "\n")
	dir, err := j.Shelf.Get(key, disk.IsDir, func(dir string) error {
		var binds []string
		if j.env.Toolchain == "go" {
			library, err := j.goLibrary(ctx)
			if err != nil {
				return err
			}
			binds = append(binds, library)
			commands = "mkdir -p \"$GOCACHE\"\ncp -r " + shellWord(library) + "/. \"$GOCACHE\"\n" + commands
		}
		return j.make(ctx, dir, "(\n"+commands+"\n)", binds) // wherever they end, the tree is what remains
	})
	j.dir = dir
	return err
}

// goLibrary returns a build cache with the packages of Go's library that most tests import, compiled and vetted once
// for all trees: go test vets what a test imports, which takes longer than to compile and run the test. Trees that do
// not name net/http get a smaller one, made in a third of the time.
func (j *job) goLibrary(ctx context.Context) (string, error) {
	packages := goPackages
	if named, err := goNames(j.dir, "net/http"); err != nil {
		return "", err
	} else if named {
		packages += " net/http/httptest html/template"
	}
	return j.Shelf.Get(shelf.Key("go library 3", j.tools.name, packages), disk.IsDir, func(dir string) error {
		var source strings.Builder
		source.WriteString("package library\n")
		for _, name := range strings.Fields(packages) {
			fmt.Fprintf(&source, "import _ %q\n", name)
		}
		own, task := *j, *j.task
		task.Limits = benchmark.Limits{} // the task's are those of its tests
		own.task = &task
		return own.make(ctx, dir, "mkdir /tmp/work/cache /tmp/work/library\ncd /tmp/work/library\nexport GOCACHE=/tmp/work/cache\n"+
			"echo 'module library' >go.mod\nprintf %s "+shellWord(source.String())+" >library_test.go\n"+
			"go build testing/internal/testdeps\ngo test .\ncd /tmp/work/cache", nil)
	})
}

const goPackages = "testing encoding/json encoding/xml os/exec flag bufio"

// goNames reports whether a Go file below dir contains a text.
func goNames(dir, text string) (named bool, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || named || !d.Type().IsRegular() || filepath.Ext(path) != ".go" {
			return err
		}
		source, err := os.ReadFile(path)
		named = bytes.Contains(source, []byte(text))
		return err
	})
	return named, err
}

// make runs commands in a fresh tree, and writes the directory in which they end.
func (j *job) make(ctx context.Context, dir, commands string, binds []string) error {
	ran, err := j.inBox(ctx, work{
		script: "set -e\nexec 5>&4 4>&-\n{\n" + commands + "\n} </dev/null >&2 5>&-\ntar -cf - . >&5", most: maxPrepared, binds: binds,
	})
	if err == nil && (ran.end.Cause != "" || ran.end.Exit != 0) {
		err = errors.New(cmp.Or(string(ran.end.Cause), fmt.Sprintf("exit status %d", ran.end.Exit)))
	}
	if err != nil {
		return fmt.Errorf("the commands that prepare the repository failed with %s: %w: %s", j.tools.name, err, cmp.Or(reasonOf(string(ran.end.Stderr)), lastLine(string(ran.end.Stderr))))
	}
	if err := checkout.Unpack(strings.NewReader(ran.log), dir); err != nil {
		return err
	}
	return sandbox.OwnTree(dir)
}

// maxPrepared is the size of a prepared tree as an archive.
const maxPrepared = 1 << 30
