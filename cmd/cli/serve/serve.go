package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/judges"
	"assay/cmd/cli/live"
	"assay/cmd/cli/stores"
	studycmd "assay/cmd/cli/study"
	"assay/data/turns"
	"assay/tui"
	"assay/tui/frame"
	"assay/tui/serve"
	"assay/tui/settings"
	"assay/tui/work/viewer"
)

// serveOptions are the flags of `assay serve`.
type serveOptions struct {
	dir, listen, metrics string
	ratings              string // file of ratings to serve
	estimates            string // file of a round of estimation to serve
	limits               serve.Limits
	executions, requests int
	perHour              int // requests of each tester
	isolation            judges.Isolation
	analysis             judges.Analysis
	fleet                judges.Fleet
}

// fleetExecutions is the number of answers run concurrently if other machines run them, too.
const fleetExecutions = 64

// The files of a server's directory.
const (
	serveKeys        = "keys"        // of testers
	serveOwners      = "owners"      // keys of owners, who watch
	serveInvitations = "invitations" // codes, hashed
	serveHostKey     = "host_ed25519"
	serveSettings    = "settings" // of testers, a file for each
)

// New returns `assay serve`.
func New(io *console.IO, g *console.Globals) *cobra.Command {
	o := &serveOptions{}
	cmd := &cobra.Command{
		Use:   "serve [STUDY] [--ratings FILE] [--estimates FILE]",
		Short: "Serve a study's screens over SSH to many testers, ratings to raters, and rounds of estimation",
		Long: `Let testers work in a frozen study from their own machines with nothing but ssh. Each has the
same screens as on this machine; all share one store and one sandbox. Testers come back to
where they left off: a lost connection is a pause, and nothing typed is lost.

The server's directory (--dir, by default "serve" beside the store) holds who may connect:
  keys         public keys as in authorized_keys, each followed by the pseudonym of the
               tester or rater
  invitations  codes for people without keys; 'assay serve invite' makes them
  owners       public keys of people who watch everybody's progress, without seeing results
  host_ed25519 the server's own key, made at the first start and kept
At least one key or invitation must be there. Testers get their places in the study as they
begin, so that it stays balanced over those who stay.

With --ratings, the raters of FILE ('assay rate plan' makes it) rate in it with the same keys
and codes, all at the same time; without STUDY, only that is served. Nobody sees the ratings
of others. A rater gets no place in the study; one who had a place before finishes those
sessions first, and then rates. While the server runs, only it writes to FILE: 'assay rate
status FILE' shows progress. To close the rating, stop the server, type 'assay rate close
FILE', and start it again. Disagreements are settled on this machine afterwards, with 'assay
rate adjudicate'.

With --estimates, everybody with a key or a code may estimate in FILE ('assay difficulty
round' makes it), as many as it wants estimates of a task: who begins takes a place, and
comes back to it. An estimator with sessions in a study finishes them first.

The server offers no shell, no commands, no forwarding and no file transfer. Each person has
one connection: a new one replaces the old. Testers take turns to run code and to ask models,
so that nobody waits for one who sends much. Ctrl+c or SIGTERM closes all screens and stops
the server; sessions go on after the next start. A tester's changes to keys and colours are
kept in settings/NAME.toml.

With --fleet, workers on other machines help to run code ('assay worker' with the arguments
that are printed); with --nats, those of your own NATS server run all of it.

Connections, departures and refusals are logged to standard error as JSON lines, never what
was typed. --metrics answers GET /metrics with, among others:
  assay_programs_open             open screens
  assay_executions_waiting        answers that wait to be run: raise --executions?
  assay_model_requests_waiting    requests that wait to be sent: raise --requests?
  assay_study_sessions_finished   sessions whose tasks are all closed, of assay_study_sessions_begun
  assay_study_tasks_done          tasks with a result, of assay_study_tasks_planned
  assay_rating_screens_open       raters at their forms
  assay_estimate_screens_open     estimators at theirs
  assay_commit_seconds            histogram of the time until an event is on disk
  assay_resident_bytes            memory of the process`,
		Example: "  assay serve study.toml --listen :2222\n  assay serve invite ann bob\n  assay serve --ratings ratings.jsonl --listen :2222\n  assay serve --estimates round1.jsonl --listen :2222\n  ssh -p 2222 study.example.org",
		RunE: func(cmd *cobra.Command, args []string) error {
			study, err := o.parse(cmd, args)
			if err != nil {
				return err
			}
			return runServe(cmd.Context(), io, g, o, study)
		},
	}
	o.flags(cmd)
	cmd.AddCommand(newInvite(io, g, o))
	return cmd
}

func (o *serveOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	cmd.PersistentFlags().StringVar(&o.dir, "dir", "", "the `directory` of keys and invitations (default: serve, beside the store)")
	f.StringVar(&o.listen, "listen", "127.0.0.1:2222", "the `address` to listen on; :2222 is every one of this machine")
	f.StringVar(&o.ratings, "ratings", "", "let the raters of this `FILE` rate in it ('assay rate plan' makes one)")
	f.StringVar(&o.estimates, "estimates", "", "let everybody who may connect estimate in this `FILE` of a round ('assay difficulty round' makes one)")
	f.StringVar(&o.metrics, "metrics", "", "answer with metrics in Prometheus' text format at this `address` of the loopback, such as 127.0.0.1:9222")
	f.IntVar(&o.limits.Programs, "testers-at-once", 500, "`number` of people who can be there at a time")
	console.Bounds(f, "testers-at-once", 1, 100000)
	f.DurationVar(&o.limits.Idle, "idle", 30*time.Minute, "leave the screens after this `time` without a key")
	console.Bounds(f, "idle", 1, 365*24*3600)
	f.DurationVar(&o.limits.Absolute, "longest", 12*time.Hour, "leave the screens after this `time`")
	console.Bounds(f, "longest", 1, 365*24*3600)
	f.IntVar(&o.executions, "executions", runtime.NumCPU(), "`number` of answers that are run at a time, of one tester one (with --nats or --fleet: 64)")
	console.Bounds(f, "executions", 1, console.MostWorkers)
	f.IntVar(&o.requests, "requests", 32, "`number` of requests to models at a time, of one tester one")
	console.Bounds(f, "requests", 1, 100000)
	f.IntVar(&o.perHour, "requests-per-hour", 0, "`number` of requests to models that each tester may make in an hour (default: as many as they like)")
	console.Bounds(f, "requests-per-hour", 0, 1000000)
	o.analysis.ProgramFlags(cmd)
	o.isolation.Flags(cmd)
	o.fleet.Flags(cmd)
}

// parse returns the study of a command line, "" for none.
func (o *serveOptions) parse(cmd *cobra.Command, args []string) (study string, err error) {
	switch {
	case len(args) == 1:
		study = args[0]
	case len(args) > 1 || o.ratings == "" && o.estimates == "":
		return "", console.Usagef("assay serve takes one study file, or --ratings FILE or --estimates FILE, or several of these; see 'assay serve --help'")
	default:
		if err := ofStudies(cmd); err != nil {
			return "", err
		}
	}
	if o.fleet.Spread() && !cmd.Flags().Changed("executions") {
		o.executions = fleetExecutions
	}
	return study, nil
}

// ofStudies rejects flags that have no effect if no study is served.
func ofStudies(cmd *cobra.Command) error {
	for _, name := range studyFlags() {
		if cmd.Flags().Changed(name) {
			return console.Usagef("--%s is for a study, but none is named: name one, or leave the flag out", name)
		}
	}
	return nil
}

// studyFlags returns the flags about answers and running code.
func studyFlags() []string {
	return []string{"executions", "requests", "requests-per-hour", "analyser", "severities", "semgrep-rules", "isolation", "image", "no-sandbox",
		"nats", "creds", "tls-ca", "tls-cert", "tls-key", "fleet", "fleet-token", "window"}
}

// directory returns the directory of a server's files.
func (o *serveOptions) directory(io *console.IO, g *console.Globals) string {
	if o.dir != "" {
		return o.dir
	}
	return filepath.Join(filepath.Dir(stores.Path(io, g)), "serve")
}

// door reads who may connect.
func (o *serveOptions) door(dir string) (*serve.Door, error) {
	door := serve.NewDoor(time.Now)
	for _, file := range []struct {
		name  string
		owner bool
	}{{serveKeys, false}, {serveOwners, true}} {
		path := filepath.Join(dir, file.name)
		in, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("the keys cannot be read: %w", err)
		}
		err = door.AddKeys(path, in, file.owner)
		if err = errors.Join(err, in.Close()); err != nil {
			return nil, err
		}
	}
	if err := door.AddInvitations(filepath.Join(dir, serveInvitations)); err != nil {
		return nil, err
	}
	if door.Closed() {
		return nil, fmt.Errorf("nobody could connect: write public keys to %s, each followed by a pseudonym, or run 'assay serve invite NAME'", filepath.Join(dir, serveKeys))
	}
	return door, nil
}

// service is what a server offers: a study for testers, ratings for raters, a round for estimators, or several of these.
type service struct {
	study     *served          // nil: none
	ratings   *serve.Ratings   // nil: none
	estimates *serve.Estimates // nil: none
	name      string           // of the study, the ratings or the round
	log       *slog.Logger
}

func runServe(ctx context.Context, io *console.IO, g *console.Globals, o *serveOptions, path string) (err error) {
	dir := o.directory(io, g)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the server's directory cannot be created: %w", err)
	}
	door, err := o.door(dir)
	if err != nil {
		return err
	}
	s := &service{log: slog.New(slog.NewJSONHandler(io.Err, nil))}
	later := ""
	if o.ratings != "" {
		file, planned, failed := shareRatings(o.ratings, door)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		s.ratings, s.name, later = serve.NewRatings(file, time.Now), planned.name, planned.says
	}
	if o.estimates != "" {
		file, says, failed := shareRound(o.estimates)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		s.estimates, s.name, later = serve.NewEstimates(file, time.Now), cmp.Or(s.name, file.Header().Benchmark), later+says
	}
	if path != "" {
		end, failed := s.openStudy(ctx, io, g, o, path)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, end()) }()
	}
	server, err := s.server(o, dir, door)
	if err != nil {
		return err
	}
	listener, err := server.Listen()
	if err != nil {
		return err
	}
	if o.metrics != "" {
		end, err := s.serveMetrics(o.metrics, server)
		if err != nil {
			return errors.Join(err, listener.Close())
		}
		defer end()
	}
	fmt.Fprintf(io.Out, "%s is served at %s; ctrl+c stops\n%s", frame.OneLine(s.name), listener.Addr(), later)
	about := []any{"address", listener.Addr().String()}
	if s.study != nil {
		about = append(about, "study", s.study.study.Hash, "store", s.study.lib.Store.Path())
	}
	if s.ratings != nil {
		about = append(about, "ratings", o.ratings)
	}
	if s.estimates != nil {
		about = append(about, "estimates", o.estimates)
	}
	s.log.Info("listening", about...)
	err = server.Serve(ctx, listener)
	s.log.Info("stopped")
	return err
}

// openStudy serves a study until end is called, whose error tells what could not be saved.
func (s *service) openStudy(ctx context.Context, io *console.IO, g *console.Globals, o *serveOptions, path string) (end func() error, err error) {
	if err := o.fleet.Check(0, ""); err != nil {
		return nil, err
	}
	analysers, err := o.analysis.Open(ctx, o.isolation, io.Getenv)
	if err != nil {
		return nil, err
	}
	lib, err := live.Start(io, g, "", o.isolation)
	if err != nil {
		return nil, err
	}
	lib.RateBy(analysers)
	closes := func() error {
		err := lib.Close()
		analysers.Close(io.Err)
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, closes())
		}
	}()
	if err := lib.Ready(); err != nil {
		return nil, err
	}
	frozen, err := lib.Frozen(path)
	if err != nil {
		return nil, err
	}
	if frozen.Code != "" {
		return nil, console.Usagef("%s is packed for one tester: serve the study file", path)
	}
	s.study, s.name = newServed(lib, frozen, s.log, o, time.Now), frozen.Name
	if err := analysers.Check(ctx, s.study.study.All.Pointers()); err != nil {
		return nil, err
	}
	if !o.fleet.Spread() {
		return closes, nil
	}
	leave, err := s.study.spread(ctx, io, o)
	if err != nil {
		return nil, err
	}
	return func() error {
		leave()
		return closes()
	}, nil
}

// spread lets a fleet's workers run code, and prints how to join them.
func (s *served) spread(ctx context.Context, io *console.IO, o *serveOptions) (end func(), err error) {
	say := func(text string) { fmt.Fprintln(io.Out, text) } // not logged, since it may contain a token
	j, err := judges.Open(ctx, io, &judges.Options{Isolation: o.isolation, Fleet: o.fleet}, s.study.All, say)
	if err != nil {
		return nil, err
	}
	s.fleet = j
	return func() { j.Done(context.WithoutCancel(ctx), true) }, nil
}

// newServed shares a study among testers.
func newServed(lib *live.Library, frozen studycmd.Fixed, log *slog.Logger, o *serveOptions, now func() time.Time) *served {
	return &served{
		lib: lib, study: frozen, log: log, judges: turns.New(o.executions, 1), models: turns.New(o.requests, 1),
		hourly: &hourly{most: o.perHour, now: now, by: map[string][]time.Time{}}, counts: &servedCounts{},
	}
}

// server returns the SSH server for testers, raters and owners.
func (s *service) server(o *serveOptions, dir string, door *serve.Door) (*serve.Server, error) {
	var server *serve.Server
	server, err := serve.New(serve.Options{
		Address: o.listen, HostKey: filepath.Join(dir, serveHostKey), Door: door, Limits: o.limits, Log: s.log, Now: time.Now,
		Greeting: frame.OneLine(s.name),
		Open: func(_ context.Context, guest serve.Guest, t serve.Terminal, broke func(any, bool)) (*tui.App, func(), error) {
			if guest.Owner {
				watched := serve.Watched{Ratings: s.ratings, Estimates: s.estimates, Counts: &server.Counts}
				if s.study != nil {
					watched.Testers = s.study.progress
				}
				return guestApp(serve.Watch(watched), t, settings.Default()), func() {}, nil
			}
			guestsOwn, err := guestSettings(dir, guest.Name)
			if err != nil {
				return nil, nil, err
			}
			lobby, leave, err := s.lobby(guest, t, guestsOwn.Pictures, broke)
			if err != nil {
				return nil, nil, err
			}
			return guestApp(lobby, t, guestsOwn), leave, nil
		},
	})
	return server, err
}

// lobby returns the first screen of a guest. A rater may only work in the study if they have a place in it
// already, so that no place goes to somebody who has seen its answers.
func (s *service) lobby(guest serve.Guest, t serve.Terminal, pictures string, broke func(any, bool)) (first frame.Screen, leave func(), err error) {
	var forms []*serve.Form
	tests := s.study != nil
	if s.ratings != nil {
		if rater := s.ratings.Rater(guest.Name, viewer.Options{Pictures: guestPictures(t.Getenv, pictures)}); rater != nil {
			forms = append(forms, rater)
			if tests {
				number, err := s.study.seated(guest.Name)
				if err != nil {
					return nil, nil, err
				}
				tests = number > 0
			}
		}
	}
	if s.estimates != nil {
		forms = append(forms, s.estimates.Estimator(guest.Name))
	}
	away := func() {}
	leave = func() {
		for _, f := range forms {
			f.Leave()
		}
		away()
	}
	switch {
	case tests:
		var desk serve.Desk
		desk, away = s.study.forGuest(guest, t, pictures, broke)
		return serve.Lobby(desk, forms...), leave, nil
	case len(forms) > 0:
		return serve.Lobby(nil, forms...), leave, nil
	}
	return nil, nil, fmt.Errorf("%q has nothing to rate here: ask the person who invited you", guest.Name)
}

// guestSettings returns a tester's own settings, which the screens store in the server's directory.
func guestSettings(dir, guest string) (settings.Settings, error) {
	path := filepath.Join(dir, serveSettings, guest+".toml")
	if console.Exists(path) {
		return settings.Load(path)
	}
	own := settings.Default()
	own.Path = path
	return own, nil
}

// guestApp returns the program with a guest's settings.
func guestApp(first frame.Screen, t serve.Terminal, own settings.Settings) *tui.App {
	app := tui.New(first, t.Colored())
	app.Use(own, time.Now)
	return app
}
