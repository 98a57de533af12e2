package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"assay/benchmark/sandbox"
	"assay/cmd/cli/console"
)

// TestMain lets scripts run the program as the command assay, and rehearse sessions; and Landlock sandboxes
// restart it.
func TestMain(m *testing.M) {
	sandbox.Reexec()
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

// Command lines as a person types them: testdata/script/*.txtar. The command "exits" checks an exit code.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			env.Setenv("ASSAY_STORE", env.WorkDir+"/assay.db")
			env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/config")
			env.Setenv("XDG_DATA_HOME", env.WorkDir+"/data")
			env.Setenv("XDG_CACHE_HOME", env.WorkDir+"/cache")
			earlier, err := filepath.Abs("testdata/earlier/0.1.0.tar.gz")
			env.Setenv("EARLIER", earlier)
			return err
		},
	})
}

// exits runs a command and checks its exit code: exits 2 assay evla.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGUMENTS")
	}
	code := 0
	var ended *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &ended) {
		code = ended.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}
