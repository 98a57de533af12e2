package cli

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/session/engine"
	"assay/session/llm"
	"assay/session/report"
	"assay/session/study"
	"assay/session/turns"
	"assay/store"
	"assay/tui/picture"
	"assay/tui/serve"
	"assay/tui/work"
)

// served is one study for many testers at a time, on one store.
type served struct {
	lib    *library
	study  fixedStudy
	judges *turns.Turns // places to run code
	models *turns.Turns // requests to models

	seat sync.Mutex // held from looking for a free place in the study until it is taken
}

// desk is what one guest works with.
type desk struct {
	*served
	mine  *library // the same store, models and sandbox, with the guest's terminal
	guest string
}

// forGuest makes the desk of a guest; leave stops what belongs to it.
func (s *served) forGuest(g serve.Guest, t serve.Terminal) (d *desk, leave func()) {
	mine := &library{
		io: s.lib.io, store: s.lib.store, benchmarks: s.lib.benchmarks, stamp: s.lib.stamp, exec: s.lib.exec, consent: s.lib.consent, pictures: s.lib.pictures,
		ticker: time.NewTicker(engine.HeartbeatEvery), mode: "ssh", terminal: t.Getenv,
		shared: func(cfg engine.Config) engine.Config {
			if cfg.Judge != nil {
				cfg.Judge = sharedJudge{cfg.Judge, s.judges, g.Name}
			}
			cfg.Client = sharedClient{cfg.Client, s.models, g.Name}
			return cfg
		},
	}
	known := s.lib.known()
	mine.models.Store(&known)
	return &desk{s, mine, g.Name}, mine.ticker.Stop
}

// sharedJudge waits for its guest's turn.
type sharedJudge struct {
	judge engine.Judge
	turns *turns.Turns
	guest string
}

// Judge implements engine.Judge.
func (j sharedJudge) Judge(ctx context.Context, task *benchmark.Task, code string) (judge.Result, error) {
	leave, err := j.turns.Take(ctx, j.guest)
	if err != nil {
		return judge.Result{}, err
	}
	defer leave()
	return j.judge.Judge(ctx, task, code)
}

// sharedClient waits for its guest's turn.
type sharedClient struct {
	client llm.Client
	turns  *turns.Turns
	guest  string
}

// Stream implements llm.Client.
func (c sharedClient) Stream(ctx context.Context, req llm.Request, delta func(string)) (llm.Answer, error) {
	leave, err := c.turns.Take(ctx, c.guest)
	if err != nil {
		return llm.Answer{}, err
	}
	defer leave()
	return c.client.Stream(ctx, req, delta)
}

// Standing implements serve.Desk.
func (d *desk) Standing(context.Context) (serve.Standing, error) {
	at := serve.Standing{Study: d.study.Name, Tester: d.guest, Part: 1, Parts: len(d.study.Assign(1))}
	tester, err := d.seated()
	if err != nil || tester == 0 {
		return at, err
	}
	where, err := d.mine.whereInStudy(d.study.hash, tester)
	if err != nil {
		return at, err
	}
	at.Part, at.Begun = where.part, where.open != ""
	if at.Begun {
		at.Part--
	}
	return at, nil
}

// seated is the guest's number in the study; 0: none yet.
func (d *desk) seated() (int, error) {
	rows, err := d.mine.store.Sessions()
	if err != nil {
		return 0, err
	}
	for _, row := range rows {
		lost := row.Status == store.StatusWithdrawn || row.Status == store.StatusAbandoned
		if row.Study != nil && row.Study.Hash == d.study.hash && row.Tester == d.guest && row.Study.Seated && !lost {
			return row.Study.Tester, nil
		}
	}
	return 0, nil
}

// Next implements serve.Desk.
func (d *desk) Next(ctx context.Context) (*engine.Engine, error) {
	d.seat.Lock()
	defer d.seat.Unlock()
	tester, err := d.mine.testerOf(d.study.Study, d.study.hash, "", d.guest)
	if errors.Is(err, study.ErrFull) {
		return nil, fmt.Errorf("all places of the study are taken: ask its owner")
	}
	if err != nil {
		return nil, err
	}
	return d.mine.nextSession(ctx, d.study, tester, true, d.guest)
}

// Work implements serve.Desk: nothing in it touches the server's own files and programs.
func (d *desk) Work() work.Options {
	all := d.mine.archive()
	return work.Options{
		Ticks: d.mine.ticker.C, Interval: work.LookEvery, Pictures: picture.Detect(d.mine.getenv, d.mine.pictures),
		Results: func(ctx context.Context, id string) (*report.Report, error) {
			opened, err := all.Open(ctx, id)
			return opened.Report, err
		},
		NoEditor: "Another editor cannot be opened here: you work on the study's machine.",
	}
}

// progress is what an owner sees.
func (s *served) progress(context.Context) ([]study.Progress, error) {
	all, err := watched(s.lib.store)
	if err != nil {
		return nil, err
	}
	list := all[:0]
	for _, p := range all {
		if p.Number > 0 {
			list = append(list, p)
		}
	}
	return list, nil
}
