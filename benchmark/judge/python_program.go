package judge

import (
	_ "embed"
	"fmt"
	"slices"

	"assay/benchmark/sandbox"
)

// Whole programs in Python are run by python/program.py, in a process that a warm box forks from a running
// interpreter, or in an interpreter of their own.

//go:embed python/program.py
var pythonProgram string

// pythonTrial uses standard input, a module and a thread.
const pythonTrial = `import sys, threading
reader = threading.Thread(target=lambda: print(sys.stdin.read(), "true"))
reader.start()
reader.join()
`

// quickenPython has programs forked where boxes fork.
func quickenPython(t *toolchain) {
	if t.box.Name() == "bwrap-warm" {
		t.trialText = pythonTrial
	}
}

// pythonStart returns the program that runs a file, whose name an expression gives, in the interpreter that runs this.
func pythonStart(file string) string {
	return fmt.Sprintf(`
_status = 0
try: exec(_begin(%s), vars(sys.modules["__main__"]))
except KeyboardInterrupt: raise
except BaseException as e:
    _status = _fail(e)
    e.with_traceback(None)
_end(_status)
`, file)
}

// pythonRun has the interpreter start a program by python/program.py.
func pythonRun(argv []string) []string {
	return slices.Insert(argv, len(argv)-1, "-c", pythonProgram+pythonStart("sys.argv[1]"))
}

// pythonFork makes a warm box fork a running Python for a whole program.
func pythonFork(t *toolchain, argv []string) *sandbox.Fork {
	return &sandbox.Fork{Interpreter: argv[:len(argv)-2], Imports: t.imports, Before: joined(pythonBecome, pythonProgram), After: pythonStart("_arrange()[-1]")}
}
