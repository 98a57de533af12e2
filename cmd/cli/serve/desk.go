package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"sync"
	"time"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/judges"
	"assay/cmd/cli/live"
	studycmd "assay/cmd/cli/study"
	"assay/data/turns"
	"assay/session"
	"assay/session/engine"
	"assay/session/llm"
	"assay/session/report/sessions"
	"assay/session/study"
	"assay/store"
	"assay/tui/frame"
	"assay/tui/picture"
	"assay/tui/serve"
	"assay/tui/work"
	"assay/tui/work/viewer"
)

// served is a study for many concurrent testers, on one store.
type served struct {
	lib    *live.Library
	study  studycmd.Fixed
	log    *slog.Logger
	judges *turns.Turns   // slots for running code
	fleet  *judges.Judges // nil: this machine's sandbox
	models *turns.Turns   // requests to models
	hourly *hourly        // limits requests to models by each tester
	counts *servedCounts
	seen   progressKept

	seat sync.Mutex // held while a free place in the study is looked for and taken
}

// desk holds what one guest works with.
type desk struct {
	*served
	mine  *live.Library // the same store, models and sandbox, with the guest's terminal
	guest string

	pictures picture.Way // how to draw pictures

	opening sync.Mutex // held while a session is opened; guards the fields below
	opened  []*engine.Engine
	left    bool
}

// forGuest returns the desk of a guest; leave stops everything that belongs to it. broke is called for a
// panic outside the guest's screens.
func (s *served) forGuest(g serve.Guest, t serve.Terminal, pictures string, broke func(why any, goesOn bool)) (d *desk, leave func()) {
	mine := live.Guest{
		Getenv: t.Getenv, Pictures: pictures,
		Share: func(cfg engine.Config) engine.Config {
			if s.fleet != nil {
				cfg.Judge, cfg.NoJudge = fleetJudge{s.fleet}, ""
			}
			if cfg.Judge != nil {
				cfg.Judge = sharedJudge{cfg.Judge, s.judges, g.Name}
			}
			if cfg.Analysis != nil {
				cfg.Analysis = sharedAnalysis(cfg.Analysis, s.judges, g.Name)
			}
			// a paste client waits for a tester, and sends no requests
			if _, byHand := cfg.Client.(interface{ Submit(string) error }); !byHand {
				cfg.Client = sharedClient{cfg.Client, s, g.Name}
			}
			if cfg.Against != nil {
				cfg.Against = sharedClient{cfg.Against, s, g.Name}
			}
			cfg.Store, cfg.Broke = timedStore{cfg.Store, s.counts}, broke
			return cfg
		},
	}
	if s.fleet != nil {
		mine.Isolation = "isolated (workers of a fleet)"
	}
	d = &desk{served: s, mine: s.lib.For(mine), guest: g.Name, pictures: guestPictures(t.Getenv, pictures)}
	return d, d.leave
}

// leave closes a desk. Its screens close their session themselves, unless it was opened after they were
// left, or they failed.
func (d *desk) leave() {
	d.mine.Ticker.Stop()
	d.opening.Lock()
	defer d.opening.Unlock()
	d.left = true
	for _, eng := range d.opened {
		if err := eng.Close(context.Background()); err != nil {
			d.log.Error("a session could not be paused", "guest", d.guest, "session", eng.State().Session, "why", err.Error())
		}
	}
	d.opened = nil
}

// fleetJudge lets the workers of a fleet judge for a session.
type fleetJudge struct{ judges *judges.Judges }

// Judge implements engine.Judge.
func (j fleetJudge) Judge(ctx context.Context, task *benchmark.Task, code string) (verdicts.Result, error) {
	return j.judges.Judge.Judge(ctx, verdicts.Submission{Task: task, Code: code})
}

// sharedJudge waits for its guest's turn.
type sharedJudge struct {
	judge engine.Judge
	turns *turns.Turns
	guest string
}

// Judge implements engine.Judge.
func (j sharedJudge) Judge(ctx context.Context, task *benchmark.Task, code string) (verdicts.Result, error) {
	leave, err := j.turns.Take(ctx, j.guest)
	if err != nil {
		return verdicts.Result{}, err
	}
	defer leave()
	return j.judge.Judge(ctx, task, code)
}

// sharedAnalysis waits for its guest's turn: analysers are programs in boxes, as the answers' code is.
func sharedAnalysis(a *batch.Analysis, judges *turns.Turns, guest string) *batch.Analysis {
	return &batch.Analysis{Asked: a.Asked, Rate: func(ctx context.Context, task *benchmark.Task, number int, code string, as assemble.Assembly) (batch.Analysed, error) {
		leave, err := judges.Take(ctx, guest)
		if err != nil {
			return batch.Analysed{}, err
		}
		defer leave()
		return a.Rate(ctx, task, number, code, as)
	}}
}

// sharedClient waits for its guest's turn, and counts requests by the hour.
type sharedClient struct {
	client llm.Client
	*served
	guest string
}

// Stream implements llm.Client.
func (c sharedClient) Stream(ctx context.Context, req llm.Request, delta func(string)) (llm.Answer, error) {
	if err := c.hourly.count(c.guest); err != nil {
		return llm.Answer{}, err
	}
	llm.Tell(ctx, llm.Progress{Stage: llm.Queued})
	leave, err := c.models.Take(ctx, c.guest)
	if err != nil {
		return llm.Answer{}, err
	}
	defer leave()
	llm.Tell(ctx, llm.Progress{Stage: llm.Asked}) // for clients that report nothing
	c.counts.requests.Add(1)
	return c.client.Stream(ctx, req, delta)
}

// hourly limits the requests of each guest to models in any hour. It is safe for concurrent use.
type hourly struct {
	most int // for each guest; 0: no limit
	now  func() time.Time

	mu sync.Mutex
	by map[string][]time.Time // each guest's requests in the last hour, oldest first
}

// count counts a request, or returns an error with the time of the next one.
func (h *hourly) count(guest string) error {
	if h.most <= 0 {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	now, sent := h.now(), h.by[guest]
	for len(sent) > 0 && now.Sub(sent[0]) >= time.Hour {
		sent = sent[1:]
	}
	if len(sent) < h.most {
		h.by[guest] = append(sent, now)
		return nil
	}
	wait := time.Hour - now.Sub(sent[0])
	return &llm.Error{
		Class: llm.RateLimited, After: wait, Own: true,
		Message: fmt.Sprintf("nothing was asked: each tester here has %d requests an hour", h.most),
		Advice:  fmt.Sprintf("send it again in %s; your prompt is kept, and no attempt was used", frame.Duration(math.Ceil(wait.Seconds()))),
	}
}

// Standing implements serve.Desk.
func (d *desk) Standing(context.Context) (serve.Standing, error) {
	at := serve.Standing{Study: d.study.Name, Tester: d.guest, Part: 1, Parts: len(d.study.Assign(1))}
	rows, err := d.lib.Store.Sessions()
	if err != nil {
		return at, err
	}
	tester := store.NumberOf(rows, d.study.Hash, d.guest, true)
	if tester == 0 {
		return at, nil
	}
	where := store.StandingOf(rows, d.study.Hash, tester)
	at.Part, at.Begun = where.Part, where.Open != ""
	if at.Begun {
		at.Part--
	}
	return at, nil
}

// seated returns a guest's number in the study; 0: none yet.
func (s *served) seated(guest string) (int, error) {
	rows, err := s.lib.Store.Sessions()
	if err != nil {
		return 0, err
	}
	return store.NumberOf(rows, s.study.Hash, guest, true), nil
}

// Next implements serve.Desk.
func (d *desk) Next(ctx context.Context) (*engine.Engine, error) {
	d.opening.Lock()
	defer d.opening.Unlock()
	if d.left {
		return nil, errors.New("the screens were closed")
	}
	eng, err := d.next(ctx)
	if err == nil {
		d.opened = append(d.opened, eng)
	}
	return eng, err
}

// next begins or continues a session. Only guests without a place wait for each other.
func (d *desk) next(ctx context.Context) (*engine.Engine, error) {
	tester, err := d.seated(d.guest)
	if err != nil {
		return nil, err
	}
	if tester > 0 {
		return d.mine.NextSession(ctx, d.study, tester, true, d.guest)
	}
	d.seat.Lock()
	defer d.seat.Unlock()
	tester, undo, err := d.mine.TesterOf(d.study, "", d.guest)
	if errors.Is(err, study.ErrFull) {
		return nil, fmt.Errorf("the study is full: ask its owner")
	}
	if err != nil {
		return nil, err
	}
	eng, err := d.mine.NextSession(ctx, d.study, tester, true, d.guest)
	return eng, undo(err)
}

// Work implements serve.Desk: it gives no access to the server's own files and programs.
func (d *desk) Work() work.Options {
	all := d.mine.Archive()
	return work.Options{
		Sessions: len(d.study.Assign(1)),
		Ticks:    d.mine.Ticker.C, Interval: work.LookEvery, Options: viewer.Options{Pictures: d.pictures},
		Results: func(ctx context.Context, id string) (*sessions.Report, error) {
			opened, err := all.Open(ctx, id)
			return opened.Report, err
		},
		NoEditor: "another editor cannot be opened here: you work on the study's machine",
	}
}

// guestPictures returns how to draw pictures on a guest's terminal. An overlay would read a key itself, but
// the program's own input is silent here.
func guestPictures(getenv func(string) string, wish string) picture.Way {
	way := picture.Detect(getenv, wish)
	if way.Overlays() {
		way = picture.Blocks
	}
	return way
}

// progressKept caches the progress of sessions: most have not changed since the last time.
type progressKept struct {
	mu sync.Mutex
	by map[string]progressAt
}

type progressAt struct {
	seq uint64
	study.Progress
}

// sessions returns the rows of the study's sessions.
func (s *served) sessions() ([]session.Summary, error) {
	rows, err := s.lib.Store.Sessions()
	return slices.DeleteFunc(rows, func(row session.Summary) bool { return row.Study == nil || row.Study.Hash != s.study.Hash }), err
}

// progress returns what an owner sees, reading only the sessions that have changed.
func (s *served) progress(context.Context) ([]study.Progress, error) {
	s.seen.mu.Lock()
	defer s.seen.mu.Unlock()
	rows, err := s.sessions()
	if err != nil {
		return nil, err
	}
	now := map[string]progressAt{}
	var list []study.Progress
	for _, row := range rows {
		at, known := s.seen.by[row.ID]
		if !known || at.seq != row.LastSeq {
			watched, err := studycmd.WatchedSession(s.lib.Store, row.ID, benchmark.Filter{})
			if err != nil {
				return nil, err
			}
			at = progressAt{row.LastSeq, watched}
		}
		now[row.ID], list = at, append(list, at.Progress)
	}
	s.seen.by = now
	slices.SortFunc(list, studycmd.ByTester)
	return list, nil
}
