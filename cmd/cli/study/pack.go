package study

import (
	"cmp"
	"errors"
	"fmt"
	goio "io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/data/disk"
	"assay/data/program"
	"assay/session/llm"
	"assay/session/study"
	"assay/tui/frame"
)

// newPack returns `assay study pack`.
func newPack(io *console.IO, g *console.Globals) *cobra.Command {
	var dir, chosen string
	var force bool
	cmd := &cobra.Command{
		Use:        "pack [FILE] --out DIR",
		SuggestFor: []string{"hand-out", "handout", "package", "distribute"},
		Example:    "  assay study pack study.toml --out places\n  assay study pack study.toml --out places --place 3",
		Short:      "Pack a frozen study into one file for each tester on another machine",
		Long: `Write a file for each free place of a frozen study, or for those of --place, and reserve the places.
A tester on another machine needs only assay and this file:

  assay study join FILE

The file holds the study, its lock, its tasks with their tests, the arms' models and the tester's
code. In a blind study neither the file nor the tester's log names a model; the lock says which
model an arm has. In an editor only the place is readable. The file is not encrypted, though: the
program reads it without a password. Testers who must not be able to find out work over SSH ('assay
serve'), or with models behind an address of yours.

Keys are never packed. The verb prints what testers' machines need: a key goes into the environment
variable that is named, which belongs to this study and the model's host, or 'study join' asks for
it. A model that is a program is not
packed either: the tester's machine must have it in its models.toml, with the same settings. A model
at localhost must run on the tester's machine.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if dir == "" {
				return console.Usagef("name the directory for the files: --out DIR")
			}
			s, b, lock, err := frozenArg(io, g, cmd, args)
			if err != nil {
				return err
			}
			models, needs, err := portable(io, g, s, lock.Hash)
			if err != nil {
				return err
			}
			for _, t := range b.Tasks {
				if t.Library != "" {
					needs = append(needs, fmt.Sprintf("task %s imports packages from %s, which are not packed: testers' machines need them there, and ASSAY_LIBRARIES", t.ID, t.Library))
					break
				}
			}
			taken, err := holders(io, g, s, lock.Hash)
			if err != nil {
				return err
			}
			if err := disk.MkdirAll(dir, 0o755); err != nil {
				return fmt.Errorf("the directory cannot be created: %w", err)
			}
			into := packing{models: models, dir: dir, force: force, to: console.Data(io.Out)}
			written, err := into.places(s, b, lock, taken, chosen)
			if err != nil {
				return err
			}
			w := console.NewTable(io.Out)
			fmt.Fprintln(w, "place\tfile")
			for _, t := range written {
				fmt.Fprintf(w, "%d\t%s\n", t.Tester, filepath.Join(dir, PackedName(t)))
			}
			if err := w.Flush(); err != nil {
				return err
			}
			for _, need := range needs {
				fmt.Fprintf(io.Err, "note: %s\n", need)
			}
			fmt.Fprintf(io.Err, "next: give each tester one file; they type 'assay study join FILE', and at the end hand in a file for 'assay study collect --study %s'\n", program.Word(s.Path()))
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "out", "", "write the files into this `directory`")
	cmd.Flags().StringVar(&chosen, "place", "", "pack only these `places`, such as 3 or 1-4,7, even if they were packed before")
	cmd.Flags().BoolVar(&force, "force", false, "replace files that are there")
	return cmd
}

// packing is the destination of packed places, and what they contain besides the study.
type packing struct {
	models []llm.Portable
	dir    string
	force  bool
	to     goio.Writer
}

// places packs the chosen places, or all that are free, and reserves them.
func (k packing) places(s *study.Study, b *benchmark.Benchmark, lock study.Lock, taken map[int]string, chosen string) (written []study.Ticket, err error) {
	err = s.ChangeReserved(lock.Hash, func(list []study.Reserved) ([]study.Reserved, error) {
		places, err := free(s, list, taken, chosen)
		if err != nil {
			return nil, err
		}
		for _, n := range places {
			p, err := s.Pack(b, lock, k.models, n)
			if err != nil {
				return nil, err
			}
			out := disk.Out{Path: filepath.Join(k.dir, PackedName(p.Ticket)), Force: k.force, Perm: 0o600, To: k.to}
			if err := errors.Join(out.Check(), out.Put(p.Write)); err != nil {
				return nil, fmt.Errorf("place %d cannot be packed: %w", n, err)
			}
			written = append(written, p.Ticket)
			list = slices.DeleteFunc(list, func(r study.Reserved) bool { return r.Tester == n })
			list = append(list, study.Reserved{Tester: n, Packed: true, At: time.Now().UTC().Truncate(time.Second)})
		}
		return list, nil
	})
	return written, err
}

// PackedDir is where packed studies are kept, beside the store.
const PackedDir = "studies"

// PackedName returns the name of a packed study's file.
func PackedName(t study.Ticket) string {
	return fmt.Sprintf("%s-place-%d.study", FileName(t.Study), t.Tester)
}

// FileName returns the name of a study as the beginning of a file's name.
func FileName(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	text := strings.Join(words, "-")
	return cmp.Or(strings.Trim(text[:min(len(text), 40)], "-"), "study")
}

// free lists the places to pack: the chosen ones, which only packing may have taken, or all free ones.
func free(s *study.Study, list []study.Reserved, taken map[int]string, chosen string) ([]int, error) {
	reserved := map[int]study.Reserved{}
	for _, r := range list {
		reserved[r.Tester] = r
	}
	if chosen != "" {
		places, err := parsePlaces(chosen, s.Design.Testers)
		for _, n := range places {
			if taken[n] != "" && !reserved[n].Packed {
				return nil, fmt.Errorf("place %d is taken: %s", n, frame.OneLine(taken[n]))
			}
		}
		return places, err
	}
	var places []int
	for n := 1; n <= s.Design.Testers; n++ {
		if _, is := reserved[n]; !is && taken[n] == "" {
			places = append(places, n)
		}
	}
	if len(places) == 0 {
		return nil, fmt.Errorf("all places of %s are taken ('assay study plan %s' shows by whom); --place N packs one again", s.Name, program.Word(s.Path()))
	}
	return places, nil
}

// portable makes the arms' models portable, and lists what testers' machines need for them.
func portable(io *console.IO, g *console.Globals, s *study.Study, hash string) (models []llm.Portable, needs []string, err error) {
	all, err := llm.LoadModels(llm.ModelsPath(g.Models, io.Getenv))
	if err != nil {
		return nil, nil, err
	}
	keys := llm.Renamed{}
	for _, a := range s.Models() {
		p, err := all.Portable(a.Name, keys)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: arm %q: %w", s.Path(), a.Arm.Name, err)
		}
		models = append(models, p)
		m, err := all.Get(a.Name)
		if err != nil {
			return nil, nil, err
		}
		where := fmt.Sprintf("arm %q (%s)", a.Arm.Name, a.Name)
		switch {
		case m.StartsProgram():
			needs = append(needs, fmt.Sprintf("%s is a program: testers' machines need it, and a [[model]] with the same settings in their models.toml", where))
		case m.OnThisMachine():
			needs = append(needs, fmt.Sprintf("%s is a server at localhost: it must run on testers' machines", where))
		}
	}
	for source, variable := range keys {
		for _, p := range models {
			for _, bound := range p.Variables(hash) {
				if strings.HasPrefix(bound, variable+"_") {
					needs = append(needs, fmt.Sprintf("testers' machines need a key (here %s) in the environment variable %s; without it 'assay study join' asks for it", source, bound))
				}
			}
		}
	}
	slices.Sort(needs)
	return models, slices.Compact(needs), nil
}
