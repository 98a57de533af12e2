package home

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/live"
	"assay/cmd/cli/stores"
	studycmd "assay/cmd/cli/study"
	"assay/data/disk"
	"assay/session/study"
	"assay/tui/frame"
)

// NewJoin returns `assay study join`.
func NewJoin(io *console.IO, g *console.Globals) *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use:     "join [FILE]",
		Example: "  assay study join two-models-place-3.study\n  assay study join two-models-place-3.study --tester ann --plain\n  assay study join",
		Short:   "Work in a study from the file that its owner packed",
		Long: `Begin the next session of the place in FILE ('assay study pack' makes it), or continue the open
one. The file is checked first, and kept beside the store: from then on 'assay study join' alone is
enough. A key that a model needs and that is not in the environment is asked for, with the host that
it is sent to, and kept beside the store until the last session has ended, in a file that only you
can read.

After the last session, w writes the file to hand in; so does 'assay study join' again.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return console.Usagef("assay study join takes one packed study")
			}
			path, added, err := packedArg(io, g, args)
			if err != nil {
				return err
			}
			o.study = path
			return runJoin(cmd.Context(), io, g, o, cmd.Flags().Changed, added)
		},
	}
	cmd.Flags().StringVar(&o.tester, "tester", "", "your `pseudonym`, if you have one (default: tester and the number of the place)")
	cmd.Flags().BoolVar(&o.plain, "plain", false, "work line by line, in words: for screen readers and terminals that cannot draw")
	o.analysis.ProgramFlags(cmd)
	o.isolation.Flags(cmd)
	return cmd
}

// packedArg returns the path of the packed study: the one that is named, or else the one that is kept. added reports
// that none was kept for this place before.
func packedArg(io *console.IO, g *console.Globals, args []string) (path string, added bool, err error) {
	dir := filepath.Join(filepath.Dir(stores.Path(io, g)), studycmd.PackedDir)
	if len(args) == 1 {
		return keepPacked(dir, args[0])
	}
	kept, err := filepath.Glob(filepath.Join(dir, "*.study"))
	switch {
	case err != nil:
		return "", false, err
	case len(kept) == 0:
		return "", false, console.Usagef("assay study join takes the file that the study's owner gave you: assay study join FILE")
	case len(kept) > 1:
		return "", false, console.Usagef("you have joined with several files: name one of %s", strings.Join(kept, ", "))
	}
	return kept[0], false, nil
}

// keepPacked checks a packed study and keeps a copy, whose path it returns. Another file for the place that was
// joined before, such as one packed again, replaces it.
func keepPacked(dir, path string) (kept string, added bool, err error) {
	text, err := disk.ReadFile(path, disk.Data)
	if err != nil {
		return "", false, fmt.Errorf("the packed study cannot be read: %w", err)
	}
	p, err := study.ReadPacked(text)
	if err != nil {
		return "", false, fmt.Errorf("%s cannot be used: %w", path, err)
	}
	if err := disk.MkdirAll(dir, 0o700); err != nil {
		return "", false, fmt.Errorf("the packed study cannot be kept: %w", err)
	}
	kept = filepath.Join(dir, fmt.Sprintf("%.12s-%s", p.Hash, studycmd.PackedName(p.Ticket)))
	old, err := os.ReadFile(kept)
	if err == nil && slices.Equal(old, text) {
		return kept, false, nil
	}
	return kept, errors.Is(err, fs.ErrNotExist), disk.Replace(kept, 0o600, disk.Bytes(text))
}

// runJoin asks for missing keys, and opens the tester's session. If it cannot, an added study is not kept.
func runJoin(ctx context.Context, io *console.IO, g *console.Globals, o *options, changed func(string) bool, added bool) error {
	withKeys, err := io, console.Usagef("the screens need a terminal for input and output: add --plain to work line by line")
	if io.Terminal || o.plain {
		withKeys, err = askKeys(io, g, o)
	}
	if err != nil {
		if added {
			err = errors.Join(err, os.Remove(o.study))
		}
		return err
	}
	err = open(ctx, withKeys, g, o, changed)
	if !errors.Is(err, live.ErrFinished) {
		return err
	}
	lib, err := live.Start(io, g, o.file, o.isolation)
	if err != nil {
		return err
	}
	path, err := lib.HandInAgain(o.study)
	if err = errors.Join(err, forgetKeys(lib, o.study), lib.Close()); err != nil {
		return err
	}
	fmt.Fprintf(io.Out, "You have finished all your sessions. To hand them in, send %s to the study's owner.\n", path)
	return nil
}

// askKeys returns an environment with the keys that the study's models need: those that are not set are asked
// for on a terminal. What else a model lacks is an error now, not at the first prompt.
func askKeys(io *console.IO, g *console.Globals, o *options) (*console.IO, error) {
	lib, err := live.Start(io, g, o.file, o.isolation)
	if err != nil {
		return nil, err
	}
	defer lib.Close()
	if err := lib.Ready(); err != nil {
		return nil, err
	}
	s, err := lib.Frozen(o.study)
	if err != nil {
		return nil, err
	}
	kept := filepath.Join(filepath.Dir(o.study), "keys.json")
	given, err := keptKeys(kept)
	if err != nil {
		return nil, err
	}
	with := *io
	with.Getenv = func(name string) string {
		if value, is := given[name]; is {
			return value
		}
		return io.Getenv(name)
	}
	for _, a := range s.Models() {
		shown := cmp.Or(a.Arm.Shown, a.Name)
		described, err := s.Model(a.Name)
		if err != nil {
			return nil, fmt.Errorf("%s cannot answer on this machine: it is a program that the study's owner has to set up here", shown)
		}
		m, err := lib.Defined(described.Definition)
		if err != nil {
			return nil, err
		}
		for _, variable := range m.Missing(with.Getenv) {
			if given[variable], err = askKey(io, shown, s.Name, m.Host(), variable, kept); err != nil {
				return nil, err
			}
			if err := keepKeys(kept, given); err != nil {
				return nil, err
			}
		}
		if ready, why := m.Ready(inputs.ModelsDeps(&with)); !ready {
			if s.Blind() { // it may name the model
				why = "ask the study's owner what it needs"
			}
			return nil, fmt.Errorf("%s cannot answer on this machine: %s", shown, why)
		}
	}
	return &with, nil
}

// keptKeys reads the keys that were typed before. Their variables belong to a study and a host.
func keptKeys(path string) (map[string]string, error) {
	keys := map[string]string{}
	text, err := disk.ReadFile(path, disk.Settings)
	if err == nil {
		err = json.Unmarshal(text, &keys)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the kept keys cannot be read: %w; remove %s to type them again", err, path)
	}
	return keys, nil
}

func keepKeys(path string, keys map[string]string) error {
	text, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	return disk.Replace(path, 0o600, disk.Bytes(text))
}

// forgetKeys removes the keys of a study that has ended for the tester.
func forgetKeys(lib *live.Library, path string) error {
	s, err := lib.Frozen(path)
	if err != nil {
		return err
	}
	kept := filepath.Join(filepath.Dir(path), "keys.json")
	keys, err := keptKeys(kept)
	if err != nil || len(keys) == 0 {
		return err
	}
	for _, a := range s.Models() {
		if described, err := s.Model(a.Name); err == nil {
			if m, err := lib.Defined(described.Definition); err == nil {
				for _, variable := range m.Variables() {
					delete(keys, variable)
				}
			}
		}
	}
	return keepKeys(kept, keys)
}

// askKey asks for a key, which is not shown, and says where it will be sent.
func askKey(io *console.IO, shown, study, host, variable, kept string) (string, error) {
	missing := console.WithCode(console.ExitAuth, fmt.Errorf("%s needs a key, which is sent to %s: put the one that the study's owner gave you into the environment variable %s, which belongs to this study and host, then type this again", shown, host, variable))
	in, isFile := io.In.(*os.File)
	if !io.Terminal || !isFile {
		return "", missing
	}
	fmt.Fprintf(io.Err, "%s needs the key that the study's owner gave you (or %s in the environment).\nIt is sent to %s, for the study %s alone, is not shown, and is kept in %s until your last session has ended.\nKey (enter alone: do not send one): ",
		shown, variable, host, frame.OneLine(study), kept)
	key, err := term.ReadPassword(int(in.Fd()))
	fmt.Fprintln(io.Err)
	if err != nil {
		return "", err
	}
	if text := strings.TrimSpace(string(key)); text != "" {
		return text, nil
	}
	return "", missing
}
