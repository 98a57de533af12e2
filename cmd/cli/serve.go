package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"assay/session/turns"
	"assay/tui"
	"assay/tui/frame"
	"assay/tui/serve"
	"assay/tui/settings"
)

// serveOptions are the flags of `assay serve`.
type serveOptions struct {
	dir, listen, metrics string
	limits               serve.Limits
	executions, requests int
	isolation            isolationOptions
}

// The files of a server's directory.
const (
	serveKeys        = "keys"        // of testers
	serveOwners      = "owners"      // keys of those who watch
	serveInvitations = "invitations" // codes, by their hashes
	serveHostKey     = "host_ed25519"
)

func newServe(io *IO, g *globals) *cobra.Command {
	o := &serveOptions{}
	cmd := &cobra.Command{
		Use:   "serve STUDY",
		Short: "Serve a study's screens over SSH to many testers",
		Long: `Let testers work in a frozen study from their own machines by nothing but ssh: each has
the same screens as here, all of them one store and one sandbox. A tester comes back to
where they left off; a lost connection is a pause, and nothing typed is lost.

Who may come in stands in files of the server's directory (--dir, by default "serve" beside
the store):
  keys         public keys as in authorized_keys, each with the tester's pseudonym behind it
  invitations  codes for people without keys; 'assay serve invite' makes them
  owners       public keys of those who watch how testers get on, without seeing results
  host_ed25519 the server's own key, made at the first start and kept
At least one key or invitation must be there. Places in the study are given as testers
begin, so that it stays balanced over those who stay.

There is no shell, no command, no forwarding and no file transfer. One person has one
connection: another one takes over. Code is run in turns, so that nobody waits for one who
sends much. Ctrl+c, or SIGTERM, has all screens left and ends it; sessions go on after the
next start.`,
		Example: "  assay serve study.toml --listen :2222\n  assay serve invite ann bob\n  ssh -p 2222 study.example.org",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("assay serve takes one study file; see 'assay serve --help'")
			}
			return runServe(cmd.Context(), io, g, o, args[0])
		},
	}
	f := cmd.Flags()
	cmd.PersistentFlags().StringVar(&o.dir, "dir", "", "the `directory` of keys and invitations (default: serve, beside the store)")
	f.StringVar(&o.listen, "listen", "127.0.0.1:2222", "the `address` to listen on; :2222 is every one of this machine")
	f.StringVar(&o.metrics, "metrics", "", "answer with metrics in Prometheus' text format at this `address` of the loopback, such as 127.0.0.1:9222")
	f.IntVar(&o.limits.Programs, "testers-at-once", 500, "`number` of people who can be there at a time")
	f.DurationVar(&o.limits.Idle, "idle", 30*time.Minute, "leave the screens after this `time` without a key")
	f.DurationVar(&o.limits.Absolute, "longest", 12*time.Hour, "leave the screens after this `time`")
	f.IntVar(&o.executions, "executions", runtime.NumCPU(), "`number` of answers that are run at a time, of one tester one")
	f.IntVar(&o.requests, "requests", 32, "`number` of requests to models at a time, of one tester one")
	o.isolation.flags(cmd)
	cmd.AddCommand(newServeInvite(io, g, o))
	return cmd
}

func newServeInvite(io *IO, g *globals, o *serveOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "invite NAME...",
		Short: "Make codes for testers without keys",
		Long: `Print a code for each pseudonym, which its tester types when ssh asks for it. Only the
code's hash is kept: give it on now, it cannot be shown again. A server that runs knows it
after its next start.`,
		Example: "  assay serve invite ann bob",
		RunE: func(_ *cobra.Command, names []string) error {
			if len(names) == 0 {
				return usagef("name at least one tester: assay serve invite ann")
			}
			dir := o.directory(io, g)
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return fmt.Errorf("the server's directory cannot be made: %w", err)
			}
			for _, name := range names {
				code, err := serve.Invite(filepath.Join(dir, serveInvitations), name, time.Now())
				if err != nil {
					return err
				}
				fmt.Fprintf(io.Out, "%s\t%s\n", name, code)
			}
			return nil
		},
	}
}

// directory is where a server's files are.
func (o *serveOptions) directory(io *IO, g *globals) string {
	if o.dir != "" {
		return o.dir
	}
	return filepath.Join(filepath.Dir(storePath(io, g)), "serve")
}

// door reads who may come in.
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
		return nil, fmt.Errorf("nobody could come in: write testers' public keys into %s, each with a pseudonym behind it, or type 'assay serve invite NAME'", filepath.Join(dir, serveKeys))
	}
	return door, nil
}

func runServe(ctx context.Context, io *IO, g *globals, o *serveOptions, path string) error {
	dir := o.directory(io, g)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the server's directory cannot be made: %w", err)
	}
	door, err := o.door(dir)
	if err != nil {
		return err
	}
	lib, err := startLibrary(io, g, &openOptions{isolation: o.isolation})
	if err != nil {
		return err
	}
	defer lib.close()
	if err := lib.ready(); err != nil {
		return err
	}
	frozen, err := lib.frozen(path)
	if err != nil {
		return err
	}
	s := &served{lib: lib, study: frozen, judges: turns.New(o.executions, 1), models: turns.New(o.requests, 1)}
	log := slog.New(slog.NewJSONHandler(io.Err, nil))
	var server *serve.Server
	server, err = serve.New(serve.Options{
		Address: o.listen, HostKey: filepath.Join(dir, serveHostKey), Door: door, Limits: o.limits, Log: log, Now: time.Now,
		Greeting: frozen.Name,
		Open: func(_ context.Context, guest serve.Guest, t serve.Terminal) (*tui.App, func(), error) {
			if guest.Owner {
				return guestApp(serve.Watch(s.progress, &server.Counts), t), func() {}, nil
			}
			desk, leave := s.forGuest(guest, t)
			return guestApp(serve.Lobby(desk), t), leave, nil
		},
	})
	if err != nil {
		return err
	}
	listener, err := server.Listen()
	if err != nil {
		return err
	}
	if o.metrics != "" {
		end, err := serveMetrics(o.metrics, server)
		if err != nil {
			return errors.Join(err, listener.Close())
		}
		defer end()
	}
	fmt.Fprintf(io.Err, "assay: %s is served at %s; ctrl+c ends it\n", frozen.Name, listener.Addr())
	return server.Serve(ctx, listener)
}

// guestApp is a program by the settings that a new tester has.
func guestApp(first frame.Screen, t serve.Terminal) *tui.App {
	app := tui.New(first, t.Colored())
	app.Use(settings.Default(), time.Now)
	return app
}

// serveMetrics answers with the server's metrics, on the loopback alone: they say who is
// there to nobody else.
func serveMetrics(address string, server *serve.Server) (end func(), err error) {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, usagef("--metrics takes an address of the loopback, such as 127.0.0.1:9222, not %q", address)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("metrics cannot be answered with at %s: %w", address, err)
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", &server.Counts)
	answers := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go answers.Serve(listener)
	return func() { answers.Close() }, nil
}
