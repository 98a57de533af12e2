package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	studycmd "assay/cmd/cli/study"
	"assay/session"
	"assay/session/engine"
	"assay/session/study"
	"assay/store"
	"assay/tui/home"
)

// joinStudy begins the next session of the tester with a join code, or continues the open one.
func (l *library) joinStudy(ctx context.Context, path, code, pseudonym string) (*engine.Engine, error) {
	if code == "" && pseudonym == "" {
		return nil, console.Usagef("--study needs the tester's code, --join CODE ('assay study plan %s' prints the codes), or, where testers share this store, a pseudonym: --tester NAME", path)
	}
	s, err := l.frozen(path)
	if err != nil {
		return nil, err
	}
	tester, err := l.testerOf(s.Study, s.hash, code, pseudonym)
	if err != nil {
		return nil, err
	}
	l.joined = &joined{s, tester, code == "", pseudonym}
	return l.nextSession(ctx, s, tester, code == "", pseudonym)
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

// fixedStudy is a frozen study.
type fixedStudy struct {
	*study.Study
	path  string
	hash  string
	tasks *benchmark.Benchmark
}

// frozen reads a study and checks it against its lock.
func (l *library) frozen(path string) (fixedStudy, error) {
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
	return fixedStudy{s, path, lock.Hash, b}, nil
}

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
		return nil, fmt.Errorf("tester %d has finished all %d sessions of %s: hand them in with 'assay session export --bundle FILE --study %s'", tester, all, s.Name, s.path)
	}
	arm := s.Arms[s.Assign(tester)[part-1].Arm]
	m, err := l.modelNamed(arm.Model)
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
// the tester with the pseudonym, who gets a place if they have none.
func (l *library) testerOf(s *study.Study, hash, code, pseudonym string) (int, error) {
	if code != "" {
		tester, err := study.Join(hash, code)
		if err == nil && (tester < 1 || tester > s.Design.Testers) {
			err = fmt.Errorf("%s is planned for %d testers, but the code is for tester %d: its owner must raise `testers` and freeze it again", s.Name, s.Design.Testers, tester)
		}
		return tester, err
	}
	rows, err := l.store.Sessions()
	if err != nil {
		return 0, err
	}
	if tester := store.SeatOf(rows, hash, pseudonym); tester > 0 {
		return tester, nil
	}
	return s.Seat(store.TakenSeats(rows, hash))
}

// modelNamed returns the model of that name here.
func (l *library) modelNamed(name string) (session.Model, error) {
	m, err := l.known().Get(name)
	return inputs.Describe(m), err
}
