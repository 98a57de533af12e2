package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/adrg/xdg"
	"github.com/rogpeppe/go-internal/testscript"

	"assay/benchmark/sandbox"
	"assay/cmd/cli/console"
	"assay/data/fatal"
)

// TestMain lets scripts run the program as the command assay, and rehearse sessions; and Landlock sandboxes
// restart it.
func TestMain(m *testing.M) {
	sandbox.Reexec()
	// Tests that run in parallel wait for servers, kills and reconnections for half of their time.
	flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0)))
	testscript.Main(m, map[string]func(){
		"assay": func() {
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
			defer stop()
			os.Exit(Run(ctx, os.Args[1:], console.System()))
		},
		"rehearse": func() {
			if err := rehearseCommand(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		},
	})
}

// Command lines as a person types them: testdata/script/*.txtar. The command "exits" checks an exit code, and runs
// verbs in this process; "exec assay" starts the program.
func TestScripts(t *testing.T) {
	scripts(t, "testdata/script")
}

// TestMakeEarlier writes the archive $ASSAY_FIXTURE with every kind of file, for a script that opens it in all later
// versions.
func TestMakeEarlier(t *testing.T) {
	if os.Getenv("ASSAY_FIXTURE") == "" {
		t.Skip("ASSAY_FIXTURE names no archive to write")
	}
	scripts(t, "testdata/earlier")
}

func scripts(t *testing.T, folder string) {
	verbs := inProcess{t: t, names: []string{"HOME", "PATH", "TMPDIR", "ASSAY_STORE", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"}}
	t.Cleanup(xdg.Reload)
	dir, err := filepath.Abs(folder) // verbs change the working directory
	fatal.If(t, err)
	earlier, err := filepath.Abs("testdata/earlier")
	fatal.If(t, err)
	testscript.Run(t, testscript.Params{
		Dir:  dir,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": verbs.exits},
		Setup: func(env *testscript.Env) error {
			env.Setenv("ASSAY_STORE", env.WorkDir+"/assay.db")
			env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/config")
			env.Setenv("XDG_DATA_HOME", env.WorkDir+"/data")
			env.Setenv("XDG_CACHE_HOME", env.WorkDir+"/cache")
			env.Setenv("ASSAY_REHEARSAL_PACE", "0")
			env.Setenv("EARLIER", earlier)
			env.Setenv("FIXTURE", os.Getenv("ASSAY_FIXTURE"))
			return nil
		},
	})
}

// inProcess runs verbs of scripts in this process, since starting the program costs more than most verbs do. The
// scripts run in parallel, and a process has one working directory and environment: verbs take turns.
type inProcess struct {
	t     *testing.T
	turn  sync.Mutex
	names []string // of the environment that verbs read from the process
}

// exits runs a command and checks its exit code: exits 2 assay evla.
func (v *inProcess) exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGUMENTS")
	}
	code := 0
	if args[1] == "assay" && ts.Getenv("HOME") != "" {
		code = v.run(ts, args[2:])
	} else {
		var ended *exec.ExitError
		if err := ts.Exec(args[1], args[2:]...); errors.As(err, &ended) {
			code = ended.ExitCode()
		} else if err != nil {
			ts.Fatalf("%v", err)
		}
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// run runs a verb with the script's working directory and environment.
func (v *inProcess) run(ts *testscript.TestScript, args []string) (code int) {
	v.turn.Lock()
	defer v.turn.Unlock()
	before, err := os.Getwd()
	ts.Check(err)
	for _, name := range v.names {
		was, set := os.LookupEnv(name)
		defer func() {
			if os.Unsetenv(name); set {
				os.Setenv(name, was)
			}
		}()
		ts.Check(os.Setenv(name, ts.Getenv(name)))
	}
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer func() { ts.Check(os.Chdir(before)) }()
	xdg.Reload()
	var out strings.Builder
	code = Run(context.Background(), args, &console.IO{In: strings.NewReader(""), Out: io.MultiWriter(ts.Stdout(), &out), Err: ts.Stderr(), Getenv: ts.Getenv})
	if slices.Contains(args, "--json") {
		if _, err := checkJSON(v.t, args, out.String()); err != nil {
			ts.Fatalf("assay %q: %v", args, err)
		}
	}
	return code
}
