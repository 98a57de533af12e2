package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/stores"
	studycmd "assay/cmd/cli/study"
	"assay/data/disk"
	"assay/data/program"
	"assay/session"
	"assay/session/bundle"
	"assay/session/engine"
	"assay/session/study"
	"assay/store"
	"assay/tui/home"
)

// Join begins the next session of the tester with a join code, or continues the open one. The code of a
// packed study is in its file.
func (l *Library) Join(ctx context.Context, path, code, pseudonym string) (*engine.Engine, error) {
	s, err := l.Frozen(path)
	if err != nil {
		return nil, err
	}
	code = cmp.Or(code, s.Code)
	if code == "" && pseudonym == "" {
		return nil, console.Usagef("--study needs the tester's code, --join CODE ('assay study plan %s' prints the codes), or, where testers share this store, a pseudonym: --tester NAME", program.Word(path))
	}
	tester, undo, err := l.TesterOf(s, code, pseudonym)
	if err != nil {
		return nil, err
	}
	l.joined = &joined{s, tester, code == "", pseudonym}
	eng, err := l.NextSession(ctx, s, tester, code == "", pseudonym)
	return eng, undo(err)
}

// joined is the study that the program was started for, and the tester's place in it.
type joined struct {
	study     studycmd.Fixed
	tester    int
	seated    bool
	pseudonym string
}

// Next returns the session that comes next in the study that the program was started for.
func (l *Library) Next(context.Context) (*home.NextSession, error) {
	j := l.joined
	if j == nil {
		return nil, nil
	}
	rows, err := l.Store.Sessions()
	if err != nil {
		return nil, err
	}
	at, all := store.StandingOf(rows, j.study.Hash, j.tester), len(j.study.Assign(j.tester))
	if at.Open != "" || at.Part > all {
		return nil, nil
	}
	return &home.NextSession{Study: j.study.Name, Part: at.Part, Last: all, Begin: func(ctx context.Context) (*engine.Engine, error) {
		return l.NextSession(ctx, j.study, j.tester, j.seated, j.pseudonym)
	}}, nil
}

// handIn writes the tester's sessions of the study that the program was started for into a file in the
// working directory, and returns its path.
func (l *Library) handIn(context.Context) (string, error) {
	rows, err := l.Store.Sessions()
	if err != nil {
		return "", err
	}
	var ids []string
	for _, row := range rows {
		if row.Study != nil && row.Study.Hash == l.joined.study.Hash && row.Study.Tester == l.joined.tester {
			ids = append(ids, row.ID)
		}
	}
	b, err := bundle.Pack(l.Store, ids, console.Version(), nil)
	if err != nil {
		return "", err
	}
	path := fmt.Sprintf("%s-place-%d.assay", studycmd.FileName(l.joined.study.Name), l.joined.tester)
	if err := disk.Replace(path, 0o600, b.Write); err != nil {
		return "", fmt.Errorf("the hand-in file cannot be written: %w; in another directory 'assay session export --bundle FILE --study %s' writes it", err, program.Word(l.joined.study.Path()))
	}
	return filepath.Abs(path)
}

// HandInAgain is handIn for a packed study that was not joined, since its sessions are finished.
func (l *Library) HandInAgain(path string) (string, error) {
	if err := l.Ready(); err != nil {
		return "", err
	}
	s, err := l.Frozen(path)
	if err != nil {
		return "", err
	}
	tester, err := study.Join(s.Hash, s.Code)
	if err != nil {
		return "", err
	}
	l.joined = &joined{study: s, tester: tester}
	return l.handIn(context.Background())
}

// Frozen reads a study, packed or not, and checks it against its lock.
func (l *Library) Frozen(path string) (studycmd.Fixed, error) {
	packed, err := stores.ReadPacked(path)
	if err != nil {
		return studycmd.Fixed{}, err
	}
	if packed != nil {
		return l.unpacked(path, packed)
	}
	s, b, err := studycmd.LoadStudy(path)
	if err != nil {
		return studycmd.Fixed{}, err
	}
	lock, err := s.Frozen(b, l.ModelNamed)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return studycmd.Fixed{}, fmt.Errorf("a study must be frozen before it begins: %w; its owner runs 'assay study freeze %s'", err, program.Word(path))
	case err != nil: // the difference may reveal a model's name
		return studycmd.Fixed{}, fmt.Errorf("the study file differs from the frozen one, or a model is missing: ask its owner for the right files; 'assay study check %s' shows the cause", program.Word(path))
	}
	return studycmd.Fixed{Study: s, Hash: lock.Hash, All: b, Model: l.ModelNamed}, nil
}

// unpacked checks a packed study, whose recorded answers it writes beside the store.
func (l *Library) unpacked(path string, p *study.Packed) (studycmd.Fixed, error) {
	dir := filepath.Join(filepath.Dir(l.Store.Path()), studycmd.PackedDir)
	if err := disk.MkdirAll(dir, 0o700); err != nil {
		return studycmd.Fixed{}, err
	}
	s, models, err := p.Unpack(path, filepath.Join(dir, p.Hash[:12]))
	if err != nil {
		return studycmd.Fixed{}, fmt.Errorf("%s cannot be used: %w", path, err)
	}
	l.packed = nil
	for _, m := range models {
		if m.Name != "" {
			l.packed = append(l.packed, m.Bound(p.Hash))
		}
	}
	return studycmd.Fixed{Study: s, Hash: p.Hash, All: &p.Benchmark, Code: p.Code, Model: func(name string) (session.Model, error) {
		models := p.Lock.Models()
		a := models[slices.IndexFunc(models, func(a study.LockModel) bool { return a.Model == name })]
		m, err := l.Defined(a.Definition)
		m.Name = a.Model
		return inputs.Describe(m), err
	}}, nil
}

// ErrFinished is wrapped by the error for a tester who has no more sessions.
var ErrFinished = errors.New("finished all sessions")

// NextSession begins the next session of a tester, or continues the open one. Seated testers have numbers
// by pseudonym, others by code.
func (l *Library) NextSession(ctx context.Context, s studycmd.Fixed, tester int, seated bool, pseudonym string) (*engine.Engine, error) {
	rows, err := l.Store.Sessions()
	if err != nil {
		return nil, err
	}
	at := store.StandingOf(rows, s.Hash, tester)
	if at.Name != "" && pseudonym != "" && at.Name != pseudonym {
		return nil, console.Usagef("this code belongs to %q, not %q: leave out --tester, or ask its owner for a code of your own", at.Name, pseudonym)
	}
	if at.Name != "" && at.Seated != seated {
		return nil, console.Usagef("in this store tester %d is %q, who joined without a code: where testers share a store, use --tester NAME instead of codes", tester, at.Name)
	}
	if at.Open != "" {
		return l.Continue(ctx, at.Open)
	}
	part, pseudonym := at.Part, cmp.Or(pseudonym, at.Name, fmt.Sprintf("tester %d", tester))
	if all := len(s.Assign(tester)); part > all {
		return nil, fmt.Errorf("tester %d has %w: %d of %s; hand them in with 'assay session export --bundle FILE --study %s'", tester, ErrFinished, all, s.Name, program.Word(s.Path()))
	}
	arm := s.Arms[s.Assign(tester)[part-1].Arm]
	m, err := arm.Models(s.Model)
	if err != nil && arm.Shown != "" { // the error would reveal the model
		return nil, fmt.Errorf("%s is not set up on this machine: ask the study's owner; 'assay study check %s' shows what is missing", arm.Shown, program.Word(s.Path()))
	}
	if err != nil {
		return nil, err
	}
	plan, tasks, err := s.Plan(s.All, s.Hash, tester, part, pseudonym, m...)
	if err != nil {
		return nil, err
	}
	plan.Study.Seated = seated
	return l.open(ctx, plan, tasks)
}

// TesterOf returns the number of the tester with a join code; without a code, in a shared store, that of
// the tester with the pseudonym, who gets a place if they have none. The place is reserved at once, so that
// nobody packs it; undo frees it again if beginning the session failed, and returns that error.
func (l *Library) TesterOf(s studycmd.Fixed, code, pseudonym string) (tester int, undo func(error) error, err error) {
	undo = func(err error) error { return err }
	rows, err := l.Store.Sessions()
	if err != nil {
		return 0, undo, err
	}
	if code != "" {
		tester, err = study.Join(s.Hash, code)
		if err == nil && (tester < 1 || tester > s.Design.Testers) {
			err = fmt.Errorf("%s is planned for %d testers, but the code is for tester %d: its owner must raise `testers` and freeze it again", s.Name, s.Design.Testers, tester)
		}
		if err != nil || s.Code != "" || store.StandingOf(rows, s.Hash, tester).Name != "" {
			return tester, undo, err // a packed place, or one that was begun here
		}
		pseudonym = cmp.Or(pseudonym, fmt.Sprintf("tester %d", tester))
	} else if tester := store.NumberOf(rows, s.Hash, pseudonym, true); tester > 0 {
		return tester, undo, nil
	} else if tester := store.NumberOf(rows, s.Hash, pseudonym, false); tester > 0 {
		return 0, undo, console.Usagef("%q has place %d of this study, with a code or a file of their own: go on with that, or take another pseudonym", pseudonym, tester)
	}
	at, err := filepath.Abs(l.Store.Path())
	if err != nil {
		return 0, undo, err
	}
	who := study.Seating{Pseudonym: pseudonym, Store: at, Taken: store.TakenSeats(rows, s.Hash), Now: time.Now().UTC().Truncate(time.Second)}
	var before []study.Reserved
	seat := func(list []study.Reserved) (changed []study.Reserved, err error) {
		before = slices.Clone(list)
		if code != "" {
			return s.Enter(list, tester, who)
		}
		tester, changed, err = s.Place(list, who)
		return changed, err
	}
	err = s.ChangeReserved(s.Hash, seat)
	if store.CannotWrite(err) { // the study file lies where testers cannot write
		list, readErr := s.Reserved(s.Hash)
		if err = readErr; err == nil {
			_, err = seat(list)
		}
		return tester, undo, err
	}
	return tester, func(failed error) error {
		if failed == nil {
			return nil
		}
		return errors.Join(failed, s.ChangeReserved(s.Hash, func(list []study.Reserved) ([]study.Reserved, error) {
			mine := func(r study.Reserved) bool { return r.Tester == tester }
			list = slices.DeleteFunc(list, mine)
			if i := slices.IndexFunc(before, mine); i >= 0 {
				list = append(list, before[i])
			}
			return list, nil
		}))
	}, err
}

// ModelNamed returns the model of that name here.
func (l *Library) ModelNamed(name string) (session.Model, error) {
	m, err := l.known().Get(name)
	return inputs.Describe(m), err
}
