package repository

import (
	"context"
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
	dir, err := j.Shelf.Get(key, isDir, func(dir string) error {
		ran, err := j.inBox(ctx, work{
			script: "(\nset -e\n" + strings.Join(j.env.Prepare, "\n") + "\n) </dev/null >&2 4>&- && tar -cf - . >&4", most: maxPrepared,
		})
		if err == nil && (ran.end.Cause != "" || ran.end.Exit != 0) {
			err = fmt.Errorf("%s %d", ran.end.Cause, ran.end.Exit)
		}
		if err != nil {
			return fmt.Errorf("the commands that prepare the repository failed: %w: %s", err, lastLine(string(ran.end.Stderr)))
		}
		if err := checkout.Unpack(strings.NewReader(ran.log), dir); err != nil {
			return err
		}
		return sandbox.OwnTree(dir)
	})
	j.dir = dir
	return err
}

// maxPrepared is the size of a prepared tree as an archive.
const maxPrepared = 1 << 30

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
