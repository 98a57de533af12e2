package judge

import (
	_ "embed"
	"path/filepath"
	"strings"
)

//go:embed typescript/compile.js
var typescriptCompiler string

// typescriptResident runs the compiler's library, which lies beside its command.
func typescriptResident(t *toolchain) (argv []string, files map[string]string) {
	library := filepath.Join(filepath.Dir(filepath.Dir(realPath(t.paths[1]))), "lib", "typescript.js")
	argv = []string{t.paths[0], "--max-old-space-size=1024", "compile.js", library}
	return append(argv, strings.Fields(t.Options)...), map[string]string{"compile.js": typescriptCompiler}
}

// translateCalls compiles a program in TypeScript to the one in JavaScript that the process for functions loads. It
// returns why that failed, or nil; the error is never the sample's fault.
func (r *run) translateCalls() (*callFailure, error) {
	_, files := r.withFiles(r.program, nil)
	made, failed, err := r.make(files, r.tool.compile(r.tool.File))
	r.program = made["main.js"]
	return failed, err
}
