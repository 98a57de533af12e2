package repository

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"assay/benchmark/repository/checkout"
	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
)

// prepare runs the environment's commands in a fresh tree, once, and goes on in the tree that they leave.
func (j *job) prepare(ctx context.Context) error {
	key := shelf.Key("prepared 1", j.dir, j.tools.name, strings.Join(j.env.Prepare, "\n"), fmt.Sprint(j.env.Variables, j.env.Libraries))
	commands := strings.Join(j.env.Prepare, "\n")
	dir, err := j.Shelf.Get(key, isDir, func(dir string) error {
		var binds []string
		if j.env.Toolchain == "go" {
			library, err := j.goLibrary(ctx)
			if err != nil {
				return err
			}
			binds = append(binds, library)
			commands = "mkdir -p \"$GOCACHE\"\ncp -r " + shellWord(library) + "/. \"$GOCACHE\"\n" + commands
		}
		return j.make(ctx, dir, commands, binds)
	})
	j.dir = dir
	return err
}

// goLibrary returns a build cache with the packages of Go's library that most tests import, compiled once for all
// trees.
func (j *job) goLibrary(ctx context.Context) (string, error) {
	return j.Shelf.Get(shelf.Key("go library 1", j.tools.name), isDir, func(dir string) error {
		return j.make(ctx, dir, "mkdir /tmp/work/cache\ncd /tmp/work/cache\nexport GOCACHE=$PWD\ngo build "+goPackages, nil)
	})
}

const goPackages = "testing testing/internal/testdeps net/http/httptest encoding/json encoding/xml os/exec html/template flag bufio"

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

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
