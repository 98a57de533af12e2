package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/stores"
	studycmd "assay/cmd/cli/study"
	"assay/data/disk"
	"assay/session"
	"assay/session/bundle"
	"assay/session/engine"
	"assay/session/llm"
	"assay/session/study"
	"assay/store"
	"assay/tui/home"
)

// joinStudy begins the next session of the tester with a join code, or continues the open one. The code of a
// packed study is in its file.
func (l *library) joinStudy(ctx context.Context, path, code, pseudonym string) (*engine.Engine, error) {
	s, err := l.frozen(path)
	if err != nil {
		return nil, err
	}
	if code == "" {
		code = s.code
	}
	if code == "" && pseudonym == "" {
		return nil, console.Usagef("--study needs the tester's code, --join CODE ('assay study plan %s' prints the codes), or, where testers share this store, a pseudonym: --tester NAME", path)
	}
	tester, undo, err := l.testerOf(s, code, pseudonym)
	if err != nil {
		return nil, err
	}
	l.joined = &joined{s, tester, code == "", pseudonym}
	eng, err := l.nextSession(ctx, s, tester, code == "", pseudonym)
	return eng, undo(err)
}

// joined is the study that the program was started for, and the tester's place in it.
type joined struct {
	study     fixedStudy
	tester    int
	seated    bool
	pseudonym string
}

// Next is the session that comes next in the study that the program was started for.
func (l *library) Next(context.Context) (*home.NextSession, error) {
	j := l.joined
	if j == nil {
		return nil, nil
	}
	rows, err := l.store.Sessions()
	if err != nil {
		return nil, err
	}
	at, all := store.StandingOf(rows, j.study.hash, j.tester), len(j.study.Assign(j.tester))
	if at.Open != "" || at.Part > all {
		return nil, nil
	}
	return &home.NextSession{Study: j.study.Name, Part: at.Part, Last: all, Begin: func(ctx context.Context) (*engine.Engine, error) {
		return l.nextSession(ctx, j.study, j.tester, j.seated, j.pseudonym)
	}}, nil
}

// HandIn writes the tester's sessions of the study that the program was started for into a file in the
// working directory, and returns its path.
func (l *library) HandIn(context.Context) (string, error) {
	rows, err := l.store.Sessions()
	if err != nil {
		return "", err
	}
	var ids []string
	for _, row := range rows {
		if row.Study != nil && row.Study.Hash == l.joined.study.hash && row.Study.Tester == l.joined.tester {
			ids = append(ids, row.ID)
		}
	}
	b, err := bundle.Pack(l.store, ids, console.Version(), nil)
	if err != nil {
		return "", err
	}
	path := fmt.Sprintf("%s-place-%d.assay", studycmd.FileName(l.joined.study.Name), l.joined.tester)
	if err := disk.Replace(path, 0o600, b.Write); err != nil {
		return "", fmt.Errorf("the hand-in file cannot be written: %w; in another directory 'assay session export --bundle FILE --study %s' writes it", err, l.joined.study.path)
	}
	return filepath.Abs(path)
}

// fixedStudy is a frozen study.
type fixedStudy struct {
	*study.Study
	path  string
	hash  string
	tasks *benchmark.Benchmark
	code  string      // of a packed study; else empty
	model study.Model // finds the models of its arms
}

// frozen reads a study, packed or not, and checks it against its lock.
func (l *library) frozen(path string) (fixedStudy, error) {
	packed, err := stores.ReadPacked(path)
	if err != nil {
		return fixedStudy{}, err
	}
	if packed != nil {
		return l.unpacked(path, packed)
	}
	s, b, err := studycmd.LoadStudy(path)
	if err != nil {
		return fixedStudy{}, err
	}
	lock, err := s.Frozen(b, l.modelNamed)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fixedStudy{}, fmt.Errorf("a study must be frozen before it begins: %w; its owner runs 'assay study freeze %s'", err, path)
	case err != nil: // the difference may reveal a model's name
		return fixedStudy{}, fmt.Errorf("the study file differs from the frozen one, or a model is missing: ask its owner for the right files; 'assay study check %s' shows the cause", path)
	}
	return fixedStudy{s, path, lock.Hash, b, "", l.modelNamed}, nil
}

// unpacked checks a packed study, whose recorded answers it writes beside the store.
func (l *library) unpacked(path string, p *study.Packed) (fixedStudy, error) {
	dir := filepath.Join(filepath.Dir(l.store.Path()), studycmd.PackedDir)
	if err := disk.MkdirAll(dir, 0o700); err != nil {
		return fixedStudy{}, err
	}
	s, models, err := p.Unpack(path, filepath.Join(dir, p.Hash[:12]))
	if err != nil {
		return fixedStudy{}, fmt.Errorf("%s cannot be used: %w", path, err)
	}
	l.packed = slices.DeleteFunc(models, func(m llm.Model) bool { return m.Name == "" })
	return fixedStudy{s, path, p.Hash, &p.Benchmark, p.Code, func(name string) (session.Model, error) {
		a := p.Lock.Arms[slices.IndexFunc(p.Lock.Arms, func(a study.LockArm) bool { return a.Model == name })]
		m, err := l.defined(a.Definition)
		m.Name = a.Model
		return inputs.Describe(m), err
	}}, nil
}

// errFinished is wrapped by the error for a tester who has no more sessions.
var errFinished = errors.New("finished all sessions")

// nextSession begins the next session of a tester, or continues the open one. Seated testers have numbers
// by pseudonym, others by code.
func (l *library) nextSession(ctx context.Context, s fixedStudy, tester int, seated bool, pseudonym string) (*engine.Engine, error) {
	rows, err := l.store.Sessions()
	if err != nil {
		return nil, err
	}
	at := store.StandingOf(rows, s.hash, tester)
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
		return nil, fmt.Errorf("tester %d has %w: %d of %s; hand them in with 'assay session export --bundle FILE --study %s'", tester, errFinished, all, s.Name, s.path)
	}
	arm := s.Arms[s.Assign(tester)[part-1].Arm]
	m, err := s.model(arm.Model)
	if err != nil && arm.Shown != "" { // the error would reveal the model
		return nil, fmt.Errorf("%s is not set up on this machine: ask the study's owner; 'assay study check %s' shows what is missing", arm.Shown, s.path)
	}
	if err != nil {
		return nil, err
	}
	plan, tasks, err := s.Plan(s.tasks, s.hash, tester, part, pseudonym, m)
	if err != nil {
		return nil, err
	}
	plan.Study.Seated = seated
	return l.open(ctx, plan, tasks)
}

// testerOf returns the number of the tester with a join code; without a code, in a shared store, that of
// the tester with the pseudonym, who gets a place if they have none. The place is reserved at once, so that
// nobody packs it; undo frees it again if beginning the session failed, and returns that error.
func (l *library) testerOf(s fixedStudy, code, pseudonym string) (tester int, undo func(error) error, err error) {
	undo = func(err error) error { return err }
	if code != "" {
		tester, err := study.Join(s.hash, code)
		if err == nil && (tester < 1 || tester > s.Design.Testers) {
			err = fmt.Errorf("%s is planned for %d testers, but the code is for tester %d: its owner must raise `testers` and freeze it again", s.Name, s.Design.Testers, tester)
		}
		return tester, undo, err
	}
	rows, err := l.store.Sessions()
	if err != nil {
		return 0, undo, err
	}
	if tester := store.SeatOf(rows, s.hash, pseudonym); tester > 0 {
		return tester, undo, nil
	}
	taken, fresh := store.TakenSeats(rows, s.hash), false
	seat := func(list []study.Reserved) ([]study.Reserved, error) {
		tester, fresh = 0, false
		all := slices.Clone(taken)
		for _, r := range list {
			known := slices.IndexFunc(taken, func(t study.Taken) bool { return t.Tester == r.Tester })
			if r.For == pseudonym && (known < 0 || !taken[known].Lost) {
				tester = r.Tester
				return list, nil
			}
			if known < 0 {
				all = append(all, study.Taken{Tester: r.Tester})
			}
		}
		var err error
		if tester, err = s.Seat(all); err != nil {
			return nil, err
		}
		fresh = true
		return append(list, study.Reserved{Tester: tester, At: time.Now().UTC().Truncate(time.Second)}), nil
	}
	err = s.ChangeReserved(s.hash, seat)
	if store.CannotWrite(err) { // the study file lies where testers cannot write
		list, readErr := s.Reserved(s.hash)
		if err = readErr; err == nil {
			_, err = seat(list)
		}
		return tester, undo, err
	}
	return tester, func(failed error) error {
		if failed == nil || !fresh {
			return failed
		}
		return errors.Join(failed, s.ChangeReserved(s.hash, func(list []study.Reserved) ([]study.Reserved, error) {
			return slices.DeleteFunc(list, func(r study.Reserved) bool { return r.Tester == tester && r.For == "" && !r.Packed }), nil
		}))
	}, err
}

// modelNamed returns the model of that name here.
func (l *library) modelNamed(name string) (session.Model, error) {
	m, err := l.known().Get(name)
	return inputs.Describe(m), err
}
