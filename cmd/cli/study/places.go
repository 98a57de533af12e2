package study

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/stores"
	"assay/data/program"
	"assay/session/study"
	"assay/store"
	"assay/tui/frame"
)

// frozenArg reads the study file of a verb that needs it frozen and unchanged.
func frozenArg(io *console.IO, g *console.Globals, cmd *cobra.Command, args []string) (*study.Study, *benchmark.Benchmark, study.Lock, error) {
	s, b, err := studyArg(cmd, args)
	if err != nil {
		return nil, nil, study.Lock{}, err
	}
	lock, err := s.Frozen(b, NamedModel(io, g))
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("only a frozen study has places: %w; 'assay study freeze %s'", err, program.Word(s.Path()))
	}
	return s, b, lock, err
}

// holders returns who has each taken place, according to the store or else to the reservations.
func holders(io *console.IO, g *console.Globals, s *study.Study, hash string) (map[int]string, error) {
	by := map[int]string{}
	reserved, err := s.Reserved(hash)
	if err != nil {
		return nil, err
	}
	for _, r := range reserved {
		by[r.Tester] = r.String()
	}
	if path := stores.Path(io, g); !console.Exists(path) {
		return by, nil
	}
	k, err := stores.OpenKept(io, g)
	if err != nil {
		return nil, err
	}
	rows, err := k.Sessions()
	stays := map[int]bool{}
	for _, row := range slices.Backward(rows) { // the latest counts, but nobody withdrawn hides who stays
		switch {
		case row.Study == nil || row.Study.Hash != hash:
		case row.Status != store.StatusWithdrawn:
			stays[row.Study.Tester] = true
			by[row.Study.Tester] = fmt.Sprintf("%s, session %d %s", row.Tester, row.Study.Part, row.Status)
		case !stays[row.Study.Tester]:
			by[row.Study.Tester] = "withdrawn"
		}
	}
	return by, errors.Join(err, k.Close())
}

// parsePlaces reads numbers of places, such as 1-4,7.
func parsePlaces(text string, most int) ([]int, error) {
	var all []int
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		first, err := strconv.Atoi(from)
		last := first
		if isRange && err == nil {
			last, err = strconv.Atoi(to)
		}
		if err != nil || first < 1 || last < first || last > most {
			return nil, console.Usagef("%q is not a place, or a range of them, from 1 to %d", part, most)
		}
		for n := first; n <= last; n++ {
			if !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	slices.Sort(all)
	return all, nil
}

// newReserve returns `assay study reserve`.
func newReserve(io *console.IO, g *console.Globals) *cobra.Command {
	var who string
	var release bool
	cmd := &cobra.Command{
		Use:     "reserve FILE PLACES",
		Example: "  assay study reserve study.toml 3 --for ann\n  assay study reserve study.toml 5-8\n  assay study reserve study.toml 8 --release",
		Short:   "Keep places of a study for certain testers",
		Long: `Keep places of a frozen study, numbered as 'assay study plan' shows them: neither 'assay serve'
nor 'assay study pack' gives them to anybody else. With --for, the place is that of the tester who
joins under this pseudonym, over SSH or with --tester; without it, that of whoever has its code. Do
this before you hand out a code yourself: 'assay study pack' and 'assay serve' reserve on their own.

The places are kept in a file beside FILE (study.places.json). --release frees them again.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return console.Usagef("assay study reserve takes a study file and places, such as: assay study reserve study.toml 3-5")
			}
			s, _, lock, err := frozenArg(io, g, cmd, args[:1])
			if err != nil {
				return err
			}
			places, err := parsePlaces(args[1], s.Design.Testers)
			if err != nil {
				return err
			}
			if who != "" && (len(places) > 1 || release) {
				return console.Usagef("--for takes one place, and cannot be combined with --release")
			}
			taken, err := holders(io, g, s, lock.Hash)
			if err != nil {
				return err
			}
			err = s.ChangeReserved(lock.Hash, func(list []study.Reserved) ([]study.Reserved, error) {
				for _, n := range places {
					i := slices.IndexFunc(list, func(r study.Reserved) bool { return r.Tester == n })
					switch {
					case release && i < 0:
						return nil, fmt.Errorf("place %d is not reserved", n)
					case release:
						list = slices.Delete(list, i, i+1)
					case i >= 0:
						return nil, fmt.Errorf("place %d is taken: %s; 'assay study reserve %s %[1]d --release' frees it", n, frame.OneLine(taken[n]), program.Word(s.Path()))
					case taken[n] != "":
						return nil, fmt.Errorf("place %d is taken: %s", n, frame.OneLine(taken[n]))
					}
					if has := slices.IndexFunc(list, func(r study.Reserved) bool { return r.For == who }); who != "" && has >= 0 {
						return nil, fmt.Errorf("%s has place %d already", who, list[has].Tester)
					}
					if !release {
						list = append(list, study.Reserved{Tester: n, For: who, At: time.Now().UTC().Truncate(time.Second)})
					}
				}
				return list, nil
			})
			if err == nil {
				fmt.Fprintf(io.Err, "next: 'assay study plan %s' shows who has which place\n", program.Word(s.Path()))
			}
			return err
		},
	}
	cmd.Flags().StringVar(&who, "for", "", "the `pseudonym` of the tester who gets the place")
	cmd.Flags().BoolVar(&release, "release", false, "free the places again")
	return cmd
}
