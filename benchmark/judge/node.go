package judge

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"

	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
	"assay/data/program"
)

//go:embed javascript/server.js
var javascriptServer string

// nodeTrial uses standard input, a timer, a thread and process exit.
const nodeTrial = `let text = '';
process.stdin.on('data', (part) => text += part).on('end', () => setTimeout(() => {
  require('fs').readFile('main.js', (error) => console.log(text, !error));
}, 1));
`

// quickenNode compiles the library that turns Node into a fork server, if there is a compiler.
func quickenNode(t *toolchain) {
	gcc, err := program.Find("gcc")
	if err != nil || t.box.Name() != "bwrap-warm" {
		return
	}
	s, remove, err := openShelf(t.box)
	if err != nil {
		return
	}
	t.cleanup = remove
	source := sandbox.NodeServer()
	dir := s.Want(shelf.Key(source, javascriptServer, stamp(realPath(gcc))), 1, func(dir string) bool {
		return stamp(filepath.Join(dir, "server.js")) != "absent"
	}, func(dir string) error {
		path := filepath.Join(dir, "server.c")
		if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
			return err
		}
		line := fmt.Sprintf("%s -std=gnu11 -O1 -fPIC -fno-stack-protector -w -shared -o %s %s -ldl -lpthread", gcc, filepath.Join(dir, "server.node"), path)
		if err := t.command(line); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, "server.js"), []byte(javascriptServer), 0o644)
	})
	if dir == "" {
		return
	}
	t.binds = append(t.binds, s.Dir)
	t.dir, t.trialText = dir, nodeTrial
}

// nodeFork makes a warm box fork a running Node.
func nodeFork(t *toolchain, argv []string) *sandbox.Fork {
	library := filepath.Join(t.dir, "server.node")
	server := append(argv[:len(argv)-1:len(argv)-1], "--single-threaded", filepath.Join(t.dir, "server.js"), library)
	return &sandbox.Fork{Server: server, Env: []string{"LD_PRELOAD=" + library}}
}
