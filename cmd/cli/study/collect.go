package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/stores"
	"assay/data/disk"
	"assay/data/program"
	"assay/session"
	"assay/session/bundle"
	"assay/session/study"
	"assay/store"
)

// newCollect returns `assay study collect`.
func newCollect(io *console.IO, g *console.Globals) *cobra.Command {
	var studyFile string
	cmd := &cobra.Command{
		Use:     "collect FILE...",
		Example: "  assay study collect --study study.toml ann.assay ben.assay",
		Short:   "Collect testers' sessions from other machines into one store",
		Long: `Read bundles ('assay session export --bundle FILE --study STUDY' on a tester's machine) into the
store, after checking every hash chain and text. With --study, only sessions of that study
and its frozen version are collected; others, such as rehearsals, are left out and named.
A session that continued since it was last collected is brought up to date. If two
pseudonyms hold one place of the study, both are collected with a warning, and the report
names them.

A file without anything new is named and changes nothing. A file is refused if it was
altered, if tasks or models of a session are not those of the frozen study, if it has
another copy of a session in the store, or, without --study, if it has sessions of several
studies. A refused file is named and leaves no trace; the other files are collected, and
the exit code is 1.

'assay report --study FILE' is then the report of the whole study.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return console.Usagef("assay study collect takes the bundles of testers; see 'assay study collect --help'")
			}
			c := &collector{io: io, ctx: cmd.Context()}
			if studyFile != "" {
				s, b, err := LoadStudy(studyFile)
				if err != nil {
					return err
				}
				lock, err := s.Frozen(b, NamedModel(io, g))
				if err != nil {
					return fmt.Errorf("the study must be frozen to collect its sessions: %w; 'assay study freeze %s'", err, program.Word(studyFile))
				}
				c.hash, c.lock = lock.Hash, &lock
			}
			var err error
			if c.store, err = stores.Open(io, g); err != nil {
				return err
			}
			return errors.Join(c.collect(args), c.store.Close())
		},
	}
	cmd.Flags().StringVar(&studyFile, "study", "", "collect only sessions of the study in this `file`, as it was frozen")
	return cmd
}

type collector struct {
	io    *console.IO
	ctx   context.Context
	store *store.Store
	hash  string      // of the study; without --study, that of the first session
	lock  *study.Lock // nil: no study was named
	first string      // the file of that session

	places map[place]string // the sessions that are there, by their place in a study
	names  map[place]string // the pseudonyms of testers, by their place, its part 0
}

// place is a session's in a study, whatever its tester was shown.
type place struct {
	hash         string
	tester, part int
}

func placeIn(p *store.Place) place { return place{p.Hash, p.Tester, p.Part} }

func (c *collector) collect(files []string) error {
	refused := 0
	for _, name := range files {
		said, err := c.file(name)
		if err != nil {
			refused++
			fmt.Fprintf(c.io.Err, "refused %s: %v\n", name, err)
			continue
		}
		for _, line := range said {
			fmt.Fprintf(c.io.Out, "%s: %s\n", name, line)
		}
	}
	if refused > 0 {
		return fmt.Errorf("%d of %d files were refused", refused, len(files))
	}
	return nil
}

// file collects all sessions of a bundle or none. With --study it leaves out those of other studies.
func (c *collector) file(name string) ([]string, error) {
	f, err := disk.Open(name)
	if err != nil {
		return nil, err
	}
	b, err := bundle.Read(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	kept := map[string]int{} // events that the store has already
	var logs []bundle.Log
	var said []string
	var foreign error
	for _, l := range b.Logs() {
		opened, is := l.Events[0].Payload.(session.Opened)
		if !is {
			return nil, fmt.Errorf("session %s does not begin with its plan", l.ID)
		}
		switch err := c.sameStudy(name, l.ID, opened.Plan.Study); {
		case err != nil && c.lock == nil:
			return nil, err
		case err != nil:
			said, foreign = append(said, "left out: "+err.Error()), err
			continue
		}
		if c.lock != nil {
			if err := c.lock.Of(opened.Plan); err != nil {
				return nil, fmt.Errorf("session %s: %w", l.ID, err)
			}
		}
		if kept[l.ID], err = c.check(l, opened.Plan); err != nil {
			return nil, err
		}
		logs = append(logs, l)
	}
	if len(logs) == 0 {
		return nil, foreign
	}
	if !slices.ContainsFunc(logs, func(l bundle.Log) bool { return kept[l.ID] < len(l.Events) }) {
		return append(said, fmt.Sprintf("nothing new: the store already has all of session %s", list(logs))), nil
	}
	for _, l := range logs {
		if kept[l.ID] == len(l.Events) {
			said = append(said, fmt.Sprintf("session %s already stored", l.ID))
			continue
		}
		texts, err := b.Texts(l)
		if err != nil {
			return nil, err
		}
		if _, err := c.store.Append(c.ctx, l.ID, l.Events[kept[l.ID]:], texts); err != nil {
			return nil, err
		}
		plan := l.Events[0].Payload.(session.Opened).Plan
		what := "collected"
		if n := kept[l.ID]; n > 0 {
			what = fmt.Sprintf("brought up to date, %d events more,", len(l.Events)-n)
		}
		said = append(said, fmt.Sprintf("%s session %s", what, l.ID))
		if at := store.PlaceOf(plan); at != nil && c.places != nil {
			said = append(said, c.took(placeIn(at), l.ID, plan.Tester)...)
		}
	}
	return said, nil
}

// check returns how many events of a session the store already has. The error is why the session cannot be
// collected.
func (c *collector) check(l bundle.Log, plan session.Plan) (int, error) {
	if err := c.samePlace(l.ID, plan.Tester, store.PlaceOf(plan)); err != nil {
		return 0, err
	}
	old, err := c.store.Events(l.ID, 1)
	if errors.Is(err, store.ErrNoSession) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	for i := range min(len(old), len(l.Events)) {
		if old[i].Hash != l.Events[i].Hash {
			return 0, fmt.Errorf("the store has a different copy of session %s, from event %d on: ask the tester which one is right", l.ID, i+1)
		}
	}
	return min(len(old), len(l.Events)), nil
}

// samePlace rejects a session in the place of another: two people used one join code, or one person started
// over in another store.
func (c *collector) samePlace(id, name string, at *store.Place) error {
	if at == nil || at.Hash == "" {
		return nil
	}
	if c.places == nil {
		c.places, c.names = map[place]string{}, map[place]string{}
		rows, err := c.store.Sessions()
		if err != nil {
			return err
		}
		for _, row := range rows {
			if row.Study != nil && row.Status != store.StatusWithdrawn {
				c.took(placeIn(row.Study), row.ID, row.Tester)
			}
		}
	}
	if other, taken := c.places[placeIn(at)]; taken && other != id {
		holder := placeIn(at)
		holder.part = 0
		return fmt.Errorf("session %s of %q is session %d of tester %d, and so is session %s of %q in the store: two people may have used one join code, or one person started over; ask whose the place is ('assay study plan' says whether it was packed), then remove the other's session for good with 'assay study withdraw', after which the report counts that person as withdrawn and nobody else, and collect the file again", id, name, at.Part, at.Tester, other, c.names[holder])
	}
	return nil
}

// took records who holds a place, and returns a warning if two pseudonyms do.
func (c *collector) took(at place, id, name string) []string {
	c.places[at] = id
	at.part = 0
	holder, taken := c.names[at]
	if !taken {
		c.names[at] = name
		return nil
	}
	if holder == name {
		return nil
	}
	return []string{fmt.Sprintf("warning: the place of tester %d is held by %q and by %q: two people may have used one join code. The report counts them as two people and names them; if that is wrong, or one of them should not count, withdraw a session: assay study withdraw %s", at.tester, holder, name, id)}
}

func list(logs []bundle.Log) string {
	var ids []string
	for _, l := range logs {
		ids = append(ids, l.ID)
	}
	return strings.Join(ids, ", ")
}

// sameStudy rejects a session that is not of the study being collected.
func (c *collector) sameStudy(name, id string, in *session.InStudy) error {
	hash := ""
	if in != nil {
		hash = in.Hash
	}
	switch {
	case c.lock != nil && in == nil:
		return fmt.Errorf("session %s belongs to no study", id)
	case c.lock != nil && hash != c.hash:
		return fmt.Errorf("session %s is of study %q, version %d, frozen as %.12s…, not of %q, version %d, %.12s…", id, in.Name, in.Version, named(hash), c.lock.Study, c.lock.Version, c.hash)
	case c.lock == nil && c.first == "":
		c.hash, c.first = hash, name
	case c.lock == nil && hash != c.hash:
		return fmt.Errorf("session %s is of another study, or another frozen version of it, than the first session of %s: with --study FILE only the sessions of that study are collected", id, c.first)
	}
	return nil
}

// named returns a hash, or words if there is none.
func named(hash string) string { return cmp.Or(hash, "never frozen") }
