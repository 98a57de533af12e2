package judges

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/fleet"
	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/data/disk"
	"assay/data/filelock"
	"assay/data/language"
)

// NatsVariable names the server for a worker without --nats, and for any verb whose --nats is
// NatsFromEnvironment, which keeps a token out of the list of processes. Coordinators never use it
// implicitly, since a left-over variable would send their work elsewhere.
const (
	NatsVariable        = "ASSAY_NATS"
	NatsFromEnvironment = "env"
)

// fleetTokenVariable is the environment variable for the token if --fleet-token is not given.
const fleetTokenVariable = "ASSAY_FLEET_TOKEN"

// NATS holds the flags for connecting to a NATS server.
type NATS struct {
	Url, creds, ca, cert, key string
}

// Flags adds --nats and its companions.
func (o *NATS) Flags(cmd *cobra.Command, whatFor string) {
	f := cmd.Flags()
	f.StringVar(&o.Url, "nats", "", "the `URL` of a NATS server with JetStream, as nats://HOST:4222 or nats://TOKEN@HOST:4222, or 'env' for that in $"+NatsVariable+", which keeps a token out of the process list; "+whatFor)
	f.StringVar(&o.creds, "creds", "", "the `file` of user credentials for the NATS server")
	f.StringVar(&o.ca, "tls-ca", "", "the `file` of the authority that the NATS server's certificate is checked by")
	f.StringVar(&o.cert, "tls-cert", "", "the `file` of a certificate of this side")
	f.StringVar(&o.key, "tls-key", "", "the `file` of its key")
	console.Rare(f, "creds", "tls-ca", "tls-cert", "tls-key")
}

// Check rejects contradictory flags and unreadable files.
func (o *NATS) Check() error {
	if (o.cert == "") != (o.key == "") {
		return console.Usagef("--tls-cert and --tls-key belong together: give both")
	}
	for _, file := range []struct{ flag, path string }{{"--creds", o.creds}, {"--tls-ca", o.ca}, {"--tls-cert", o.cert}, {"--tls-key", o.key}} {
		if file.path == "" {
			continue
		}
		// The library that reads it later has no size limit, and waits for pipes forever.
		if info, err := os.Stat(file.path); err == nil && !info.Mode().IsRegular() {
			return console.Usagef("%s: %s is not a regular file", file.flag, file.path)
		}
		text, err := disk.ReadFile(file.path, disk.Settings)
		clear(text)
		if err != nil {
			return console.Usagef("%s: %v", file.flag, err)
		}
	}
	return nil
}

// Resolve takes the URL from the environment if requested, and warns about secrets in the command line.
func (o *NATS) Resolve(getenv func(string) string, say func(string)) error {
	if o.Url == NatsFromEnvironment {
		if o.Url = getenv(NatsVariable); o.Url == "" {
			return console.Usagef("--nats %s takes the URL of a NATS server from $%s, which is empty", NatsFromEnvironment, NatsVariable)
		}
		return nil
	}
	if fleet.HasSecret(o.Url) {
		say("warning: who lists the processes of this machine reads the token or password in --nats: set $" + NatsVariable + " to that URL, and give --nats " + NatsFromEnvironment)
	}
	return nil
}

// Link returns the connection settings.
func (o *NATS) Link(name string, say func(string)) fleet.Link {
	return fleet.Link{URL: o.Url, Creds: o.creds, CA: o.ca, Cert: o.cert, Key: o.key, Name: name, Say: say}
}

// Refused sets the exit code of a server's error.
func Refused(err error) error {
	if errors.Is(err, fleet.ErrRefused) || errors.Is(err, fleet.ErrNoCredentials) {
		return console.WithCode(console.ExitAuth, err)
	}
	return err
}

// Fleet holds the flags for judging on several machines.
type Fleet struct {
	nats          NATS
	listen, token string
	window        int
}

// Flags adds the flags for several machines.
func (o *Fleet) Flags(cmd *cobra.Command) {
	o.nats.Flags(cmd, "its workers judge, in place of this machine")
	f := cmd.Flags()
	f.StringVar(&o.listen, "fleet", "", "let workers on other machines help: listen at `HOST:PORT` (:4222 is every address of this machine) and print what to start there")
	f.StringVar(&o.token, "fleet-token", "", "the `token` that those workers must have (default: $"+fleetTokenVariable+", else one is made up and printed)")
	f.IntVar(&o.window, "window", 0, "`number` of samples that are with workers at a time (default 1000); some four times as many as they judge at once")
	console.Bounds(f, "window", 0, 1000000)
	console.Rare(f, "nats", "fleet", "fleet-token", "window")
}

// Spread reports whether other machines judge, too.
func (o *Fleet) Spread() bool { return o.nats.Url != "" || o.listen != "" }

// Check rejects contradictory flags.
func (o *Fleet) Check(workers int, python string) error {
	switch {
	case o.nats.Url != "" && o.listen != "":
		return console.Usagef("--nats uses an existing server, and --fleet starts one: give only one of them")
	case o.nats.Url != "" && (workers != 0 || python != ""):
		return console.Usagef("with --nats this machine judges nothing: give --workers and --python to 'assay worker'")
	case o.token != "" && o.listen == "":
		return console.Usagef("--fleet-token is for --fleet")
	case o.window > 0 && !o.Spread():
		return console.Usagef("--window is for --nats and --fleet")
	case o.nats.creds+o.nats.ca+o.nats.cert+o.nats.key != "" && !o.Spread():
		return console.Usagef("--creds, --tls-ca, --tls-cert and --tls-key are for --nats and --fleet")
	}
	if err := o.checkToken(); err != nil {
		return err
	}
	return o.nats.Check()
}

func (o *Fleet) checkToken() error {
	if strings.ContainsAny(o.token, "@:/?#% \t\n") {
		return console.Usagef("--fleet-token and $%s are part of a URL: letters and digits only", fleetTokenVariable)
	}
	return nil
}

// Options are the flags of a verb that judges samples, here or on other machines.
type Options struct {
	Workers   int
	Python    string
	Libraries map[string]string
	standards []string
	Out       string // directory of results, by which a fleet finds its work again
	Isolation Isolation
	Fleet     Fleet
}

// Flags adds the flags of judging.
func (o *Options) Flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&o.Workers, "workers", 0, "`number` of samples judged at once (default: one for each processor, more while they idle)")
	console.Bounds(f, "workers", 0, console.MostWorkers)
	f.StringVar(&o.Python, "python", "", "the Python `interpreter` (default: /usr/bin/python3, else python3)")
	f.StringToStringVar(&o.Libraries, "library", nil, "`language=directory` of packages that the tasks may import, as python=venv; read-only, and recorded with its SHA-256")
	f.StringSliceVar(&o.standards, "std", nil, "the `standard` of a language for tasks that name none, as c++20, c11 or rust2024")
	o.Isolation.Flags(cmd)
	o.Fleet.Flags(cmd)
}

// Complete gives tasks the libraries and standards that the flags name.
func (o *Options) Complete(tasks *benchmark.Benchmark) error {
	for language, dir := range o.Libraries {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return console.Usagef("--library %s=%s: there is no such directory", language, dir)
		}
	}
	if err := tasks.SetLibraries("", o.Libraries); err != nil {
		return console.Usagef("--library: %v", err)
	}
	if err := tasks.SetStandards(o.standards); err != nil {
		return console.Usagef("--std: %v", err)
	}
	return nil
}

// Judges judges samples on this machine, on others, or both.
type Judges struct {
	verdicts.Judge
	Local  *judge.Judge  // nil: this machine does not judge
	client *fleet.Client // nil: no other machine judges
	close  []func()      // called in reverse order

	finished bool // everything is judged
}

// Done closes the judges. If the run is finished, its results on a server are removed.
func (j *Judges) Done(ctx context.Context, finished bool) {
	if j.finished = finished; j.client != nil && finished {
		_ = j.client.Done(ctx) // otherwise they expire
	}
	for i := len(j.close) - 1; i >= 0; i-- {
		j.close[i]()
	}
}

// Open opens judges for the samples of tasks. A fleet finds earlier results by the output directory.
func Open(ctx context.Context, io *console.IO, o *Options, tasks *benchmark.Benchmark, say func(string)) (_ *Judges, err error) {
	if o.Fleet.listen != "" {
		o.Fleet.token = cmp.Or(o.Fleet.token, io.Getenv(fleetTokenVariable))
		if err := o.Fleet.checkToken(); err != nil {
			return nil, err
		}
	}
	if err := o.Fleet.nats.Resolve(io.Getenv, say); err != nil {
		return nil, err
	}
	j := &Judges{}
	defer func() {
		if err != nil {
			j.Done(ctx, false)
		}
	}()
	if o.Fleet.nats.Url == "" && (o.Fleet.listen == "" || runtime.GOOS == "linux") { // elsewhere only workers judge
		local, done, err := OpenHere(ctx, io, o, tasks.Tasks)
		if err != nil {
			return nil, err
		}
		j.Judge, j.Local = local, local
		j.close = append(j.close, done)
	}
	if !o.Fleet.Spread() {
		j.close = append(j.close, func() {
			if j.finished {
				removeFleet(o.Out)
			}
		})
		return j, nil
	}
	if err := o.Isolation.Check(io.Getenv); err != nil {
		return nil, err
	}
	host, _ := os.Hostname()
	link := o.Fleet.nats.Link(fmt.Sprintf("coordinator-%s-%d", host, os.Getpid()), say)
	dir, run, err := j.lockDir(o.Out)
	if err != nil {
		return nil, err
	}
	if o.Fleet.listen != "" {
		if link.Server, err = j.serve(o, dir, say); err != nil {
			return nil, err
		}
		if j.Local != nil {
			if err := j.work(ctx, o, link, tasks); err != nil {
				return nil, err
			}
		}
	}
	options := fleet.ClientOptions{Link: link, Version: console.Version(), Run: run, Isolation: o.Isolation.Kind(), Tasks: tasks.Tasks, Window: o.Fleet.window}
	if j.Local != nil {
		options.Ready = j.Local.Ready
	} else if run != "" {
		options.Later = "ctrl+c stops, and the same command continues later ('assay eval' also with --resume)"
	} else {
		options.Later = "ctrl+c stops; with --out the results so far are kept, and --resume continues"
	}
	j.client, err = fleet.NewClient(ctx, options)
	if err != nil {
		return nil, Refused(err)
	}
	j.Judge = j.client
	j.close = append(j.close, func() { j.client.Close() })
	return j, nil
}

// Kind returns the name that a fleet uses for the isolation that work needs.
func (o *Isolation) Kind() string {
	switch o.Isolation {
	case "", IsolationWarm, IsolationStrict:
		return "bwrap"
	}
	return o.Isolation
}

// serve starts a server for workers on other machines.
func (j *Judges) serve(o *Options, dir string, say func(string)) (*fleet.Server, error) {
	var err error
	if dir == "" {
		if dir, err = os.MkdirTemp("", "assay-fleet-"); err != nil {
			return nil, fmt.Errorf("creating a directory for the server's streams: %w", err)
		}
		j.close = append(j.close, func() { os.RemoveAll(dir) })
	}
	s, err := fleet.StartServer(fleet.ServerOptions{Dir: dir, Listen: o.Fleet.listen, Token: o.Fleet.token, Cert: o.Fleet.nats.cert, Key: o.Fleet.nats.key})
	if err != nil {
		return nil, err
	}
	j.close = append(j.close, s.Close)
	command := NatsVariable + "=" + s.Address() + " assay worker"
	if kind := o.Isolation.Kind(); kind != "bwrap" {
		command += " --isolation " + kind
	}
	say("workers on other machines help after: " + command)
	if s.Open() {
		say("warning: without TLS anyone on the network can read the token and the samples, and with the token forge verdicts: give --tls-cert and --tls-key, or use a network that you trust")
	}
	return s, nil
}

// ServerSuffix is appended to the directory of results for the directory of a fleet's data.
const ServerSuffix = ".fleet"

// lockDir locks the directory beside the results for this process: two coordinators with the same results
// would remove each other's work. The run's name is stored in the lock file, since host names and paths are
// the same in many containers. Without results there is nothing to lock.
func (j *Judges) lockDir(out string) (dir, run string, err error) {
	if out == "" {
		return "", "", nil
	}
	if out, err = filepath.Abs(out); err != nil {
		return "", "", err
	}
	dir = out + ServerSuffix
	lock, err := LockIn(dir)
	if err != nil {
		return "", "", err
	}
	j.close = append(j.close, func() {
		if j.finished { // it is not needed any more
			os.RemoveAll(dir)
		}
		lock.Close()
	})
	text, err := io.ReadAll(io.LimitReader(lock, 100))
	if err != nil {
		return "", "", fmt.Errorf("reading the lock of %s: %w", dir, err)
	}
	name := string(text)
	if name == "" {
		name = rand.Text()
		if _, err := lock.WriteString(name); err != nil {
			return "", "", fmt.Errorf("writing the lock of %s: %w", dir, err)
		}
	}
	return dir, name + ":" + out, nil
}

// removeFleet removes a fleet's data for results that were finished without it, unless a fleet is using it.
func removeFleet(out string) {
	dir := filepath.Clean(out) + ServerSuffix
	if out == "" || !console.Exists(filepath.Join(dir, "lock")) {
		return
	}
	if lock, err := LockIn(dir); err == nil {
		os.RemoveAll(dir)
		lock.Close()
	}
}

// LockIn locks a file in a directory, creating the directory if needed.
func LockIn(dir string) (*os.File, error) {
	for {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("creating the fleet's directory: %w", err)
		}
		lock, err := filelock.Open(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
		switch {
		case errors.Is(err, os.ErrNotExist): // a run that has just ended removed the directory
		case errors.Is(err, filelock.ErrTaken):
			return nil, fmt.Errorf("another process uses %s: %w", dir, err)
		case err != nil:
			return nil, fmt.Errorf("creating the fleet's directory: %w", err)
		default:
			return lock, nil
		}
	}
}

// work makes this machine judge, too, with the declared libraries that it has.
func (j *Judges) work(ctx context.Context, o *Options, link fleet.Link, tasks *benchmark.Benchmark) error {
	link.Name = cmp.Or(HostName(), "here")
	card, err := WorkerCard(ctx, j.Local, o.Isolation.Kind(), o.Python)
	if err != nil {
		return err
	}
	card.Name = link.Name
	libraries := declaredLibraries(card, tasks)
	w, err := fleet.NewWorker(ctx, fleet.WorkerOptions{Link: link, Card: card, Judge: j.Local, Measure: batch.MeasureAsJSON, Libraries: libraries})
	if err != nil {
		return err
	}
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	running.Go(func() { _ = w.Run(working) })
	j.close = append(j.close, func() { stop(); running.Wait() })
	return nil
}

// declaredLibraries returns the directories of packages that tasks declare, by SHA-256, if they exist here
// and their language is supported, and adds them to the card. The coordinator reports others as missing.
func declaredLibraries(card fleet.Card, tasks *benchmark.Benchmark) map[string]string {
	dirs, seen := map[string]string{}, map[string]bool{}
	for i := range tasks.Tasks {
		task := &tasks.Tasks[i]
		_, runs := card.Languages[language.ID(task.Language)]
		if task.Library == "" || !runs || seen[task.Language+" "+task.Library] {
			continue
		}
		seen[task.Language+" "+task.Library] = true
		if digest, err := judge.LibraryDigest(task.Library); err == nil {
			card.Libraries[digest], dirs[digest] = task.Language, task.Library
		}
	}
	return dirs
}

// HostName returns the name of this machine, "" if unknown.
func HostName() string {
	name, _ := os.Hostname()
	return name
}
