// Package clitest is for tests of the verbs: it runs command lines, and makes frozen studies and the sessions
// of their testers.
package clitest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	studycmd "assay/cmd/cli/study"
	"assay/data/disk"
	"assay/data/fatal"
	"assay/session"
	"assay/session/bundle"
	"assay/session/simulate"
	"assay/session/study"
	"assay/store"
)

// Line runs a command line and returns its exit code.
type Line func(ctx context.Context, args []string, io *console.IO) int

// Verbs returns what runs the command lines of some verbs alone.
func Verbs(verbs ...func(*console.IO, *console.Globals) *cobra.Command) Line {
	return func(ctx context.Context, args []string, io *console.IO) int {
		return console.Run(ctx, io, func(io *console.IO) *cobra.Command {
			g, root := &console.Globals{}, &cobra.Command{Use: "assay", SilenceErrors: true, SilenceUsage: true}
			g.Flags(root)
			for _, newVerb := range verbs {
				root.AddCommand(newVerb(io, g))
			}
			root.SetArgs(args)
			return root
		})
	}
}

// On runs a command line on a store.
func (run Line) On(t testing.TB, storeFile string, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	env := func(name string) string { return map[string]string{"ASSAY_STORE": storeFile}[name] }
	code = run(t.Context(), args, &console.IO{In: strings.NewReader(""), Out: &o, Err: &e, Getenv: env})
	return o.String(), e.String(), code
}

// Must is On for a command line that succeeds.
func (run Line) Must(t testing.TB, storeFile string, args ...string) (out, errs string) {
	t.Helper()
	out, errs, code := run.On(t, storeFile, args...)
	if code != console.ExitOK {
		t.Fatalf("assay %v: exit code %d\n%s\n%s", args, code, out, errs)
	}
	return out, errs
}

// Models returns the built-in models.
func Models() study.Model {
	return studycmd.NamedModel(&console.IO{Getenv: func(string) string { return "" }}, &console.Globals{})
}

// FrozenStudy writes the example of a study for a number of testers, with edits, freezes it, and returns its
// path.
func FrozenStudy(t testing.TB, dir string, testers int, models study.Model, edits ...string) string {
	t.Helper()
	path := filepath.Join(dir, "study.toml")
	text := strings.NewReplacer(append(edits, "testers = 8 ", fmt.Sprintf("testers = %d ", testers))...).Replace(study.Example())
	fatal.If(t, os.WriteFile(path, []byte(text), 0o600))
	s, b, err := studycmd.LoadStudy(path)
	fatal.If(t, err)
	_, _, err = s.Freeze(b, models)
	fatal.If(t, err)
	return path
}

// Worked simulates the sessions of a tester in a store of its own, packs them, and returns the bundle's path.
// The ids of the sessions begin with prefix.
func Worked(t testing.TB, dir, path string, tester int, prefix string) string {
	t.Helper()
	s, b, err := studycmd.LoadStudy(path)
	fatal.If(t, err)
	lock, err := s.Frozen(b, Models())
	fatal.If(t, err)
	kept, err := store.Open(filepath.Join(dir, fmt.Sprintf("tester-%d.db", tester)), store.Options{})
	fatal.If(t, err)
	defer kept.Close()
	var ids []string
	for i, part := range s.Assign(tester) {
		models, err := s.Arms[part.Arm].Models(func(name string) (session.Model, error) { return session.Model{Name: name, Provider: "made up"}, nil })
		fatal.If(t, err)
		plan, tasks, err := s.Plan(b, lock.Hash, tester, i+1, fmt.Sprintf("T%02d", tester), models...)
		fatal.If(t, err)
		ids = append(ids, fmt.Sprintf("%s%021d%02d", prefix, tester, i))
		events, texts, err := simulate.Session{ID: ids[i], Plan: plan, Seed: uint64(tester*10 + i), Wall: 1_700_000_000_000}.Log(tasks...)
		fatal.If(t, err)
		if _, err := kept.Append(t.Context(), ids[i], events, texts); err != nil {
			t.Fatal(err)
		}
	}
	packed, err := bundle.Pack(kept, ids, console.Version(), nil)
	fatal.If(t, err)
	out := filepath.Join(dir, fmt.Sprintf("tester-%d.assay", tester))
	fatal.If(t, disk.Replace(out, 0o600, packed.Write))
	return out
}
