package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/fleet"
	"assay/benchmark/judge"
	"assay/data/disk"
	"assay/data/filelock"
)

// natsVariable names the server for a worker without --nats, and wherever --nats says
// natsFromEnvironment: a token in it is then not seen in the list of processes. It is never
// taken unasked by who gives work, or a variable that was left over would send that elsewhere.
const (
	natsVariable        = "ASSAY_NATS"
	natsFromEnvironment = "env"
)

// fleetTokenVariable has the token where --fleet-token does not.
const fleetTokenVariable = "ASSAY_FLEET_TOKEN"

// natsOptions are the flags that say how to reach a NATS server.
type natsOptions struct {
	url, creds, ca, cert, key string
}

func (o *natsOptions) flags(cmd *cobra.Command, whatFor string) {
	f := cmd.Flags()
	f.StringVar(&o.url, "nats", "", "the `URL` of a NATS server with JetStream, as nats://HOST:4222 or nats://TOKEN@HOST:4222, or 'env' for that in $"+natsVariable+", which keeps a token out of the list of processes; "+whatFor)
	f.StringVar(&o.creds, "creds", "", "the `file` of user credentials for the NATS server")
	f.StringVar(&o.ca, "tls-ca", "", "the `file` of the authority that the NATS server's certificate is checked by")
	f.StringVar(&o.cert, "tls-cert", "", "the `file` of a certificate of this side")
	f.StringVar(&o.key, "tls-key", "", "the `file` of its key")
	rare(f, "creds", "tls-ca", "tls-cert", "tls-key")
}

func (o *natsOptions) check() error {
	if (o.cert == "") != (o.key == "") {
		return usagef("--tls-cert and --tls-key belong together: give both")
	}
	for _, file := range []struct{ flag, path string }{{"--creds", o.creds}, {"--tls-ca", o.ca}, {"--tls-cert", o.cert}, {"--tls-key", o.key}} {
		if file.path == "" {
			continue
		}
		// The library that reads it again has no limit, and waits for pipes without end.
		if info, err := os.Stat(file.path); err == nil && !info.Mode().IsRegular() {
			return usagef("%s: %s is not a regular file", file.flag, file.path)
		}
		text, err := disk.ReadFile(file.path, disk.Settings)
		clear(text)
		if err != nil {
			return usagef("%s: %v", file.flag, err)
		}
	}
	return nil
}

// resolve takes the URL from the environment where that is wanted, and warns of what is secret
// in a command line.
func (o *natsOptions) resolve(getenv func(string) string, say func(string)) error {
	if o.url == natsFromEnvironment {
		if o.url = getenv(natsVariable); o.url == "" {
			return usagef("--nats %s takes the URL of a NATS server from $%s, which is empty", natsFromEnvironment, natsVariable)
		}
		return nil
	}
	if fleet.HasSecret(o.url) {
		say("warning: who lists the processes of this machine reads the token or password in --nats: set $" + natsVariable + " to that URL, and give --nats " + natsFromEnvironment)
	}
	return nil
}

func (o *natsOptions) link(name string, say func(string)) fleet.Link {
	return fleet.Link{URL: o.url, Creds: o.creds, CA: o.ca, Cert: o.cert, Key: o.key, Name: name, Say: say}
}

// refused gives an error of a server its exit code.
func refused(err error) error {
	if errors.Is(err, fleet.ErrRefused) || errors.Is(err, fleet.ErrNoCredentials) {
		return withCode(exitAuth, err)
	}
	return err
}

// fleetOptions are the flags that spread judging over machines.
type fleetOptions struct {
	nats          natsOptions
	listen, token string
	window        int
}

func (o *fleetOptions) flags(cmd *cobra.Command) {
	o.nats.flags(cmd, "its workers judge, in place of this machine")
	f := cmd.Flags()
	f.StringVar(&o.listen, "fleet", "", "let workers on other machines help: listen at `HOST:PORT` (:4222 is every address of this machine) and print what to start there")
	f.StringVar(&o.token, "fleet-token", "", "the `token` that those workers must have (default: $"+fleetTokenVariable+", else one is made up and printed)")
	f.IntVar(&o.window, "window", 0, "`number` of samples that are with workers at a time (default 1000); some four times as many as they judge at once")
	bounds(f, "window", 0, 1000000)
	rare(f, "nats", "fleet", "fleet-token", "window")
}

// spread says whether other machines judge, too.
func (o *fleetOptions) spread() bool { return o.nats.url != "" || o.listen != "" }

func (o *fleetOptions) check(workers int, python string) error {
	switch {
	case o.nats.url != "" && o.listen != "":
		return usagef("--nats is for a server that is there, and --fleet makes one: give one of them")
	case o.nats.url != "" && (workers != 0 || python != ""):
		return usagef("with --nats this machine judges nothing: give --workers and --python to 'assay worker'")
	case o.token != "" && o.listen == "":
		return usagef("--fleet-token is for --fleet")
	case o.window > 0 && !o.spread():
		return usagef("--window is for --nats and --fleet")
	case o.nats.creds+o.nats.ca+o.nats.cert+o.nats.key != "" && !o.spread():
		return usagef("--creds, --tls-ca, --tls-cert and --tls-key are for --nats and --fleet")
	}
	if err := o.checkToken(); err != nil {
		return err
	}
	return o.nats.check()
}

func (o *fleetOptions) checkToken() error {
	if strings.ContainsAny(o.token, "@:/?#% \t\n") {
		return usagef("--fleet-token and $%s are part of a URL: letters and digits only", fleetTokenVariable)
	}
	return nil
}

// judging are the flags of a verb that judges samples, here or on other machines.
type judging struct {
	workers   int
	python    string
	libraries map[string]string
	out       string // where results are written; a fleet finds its work again by it
	isolation isolationOptions
	fleet     fleetOptions
}

func (o *judging) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&o.workers, "workers", 0, "`number` of samples judged at once (default: one for each processor, more while they idle)")
	bounds(f, "workers", 0, mostWorkers)
	f.StringVar(&o.python, "python", "", "the Python `interpreter` (default: /usr/bin/python3, else python3)")
	f.StringToStringVar(&o.libraries, "library", nil, "`language=directory` of packages that the tasks may import, as python=venv; read-only, and recorded with its SHA-256")
	o.isolation.flags(cmd)
	o.fleet.flags(cmd)
}

// judges are what samples are judged by: this machine, or machines.
type judges struct {
	batch.Judge
	local  *judge.Judge  // nil: this machine judges nothing
	client *fleet.Client // nil: no other does
	close  []func()      // the last first

	finished bool // all is judged
}

// done ends them. The results on a server are needed no more when the run is finished.
func (j *judges) done(ctx context.Context, finished bool) {
	if j.finished = finished; j.client != nil && finished {
		_ = j.client.Done(ctx) // they are removed by age otherwise
	}
	for i := len(j.close) - 1; i >= 0; i-- {
		j.close[i]()
	}
}

// openJudges makes what judges the samples of tasks. Results are found again by where they
// are written.
func openJudges(ctx context.Context, io *IO, o *judging, tasks *benchmark.Benchmark, say func(string)) (_ *judges, err error) {
	if o.fleet.listen != "" {
		o.fleet.token = cmp.Or(o.fleet.token, io.Getenv(fleetTokenVariable))
		if err := o.fleet.checkToken(); err != nil {
			return nil, err
		}
	}
	if err := o.fleet.nats.resolve(io.Getenv, say); err != nil {
		return nil, err
	}
	j := &judges{}
	defer func() {
		if err != nil {
			j.done(ctx, false)
		}
	}()
	if o.fleet.nats.url == "" {
		local, done, err := openJudge(ctx, io, o, tasks.Tasks)
		if err != nil {
			return nil, err
		}
		j.Judge, j.local = local, local
		j.close = append(j.close, done)
	}
	if !o.fleet.spread() {
		j.close = append(j.close, func() {
			if j.finished {
				removeFleet(o.out)
			}
		})
		return j, nil
	}
	if err := o.isolation.check(io.Getenv); err != nil {
		return nil, err
	}
	host, _ := os.Hostname()
	link := o.fleet.nats.link(fmt.Sprintf("coordinator-%s-%d", host, os.Getpid()), say)
	dir, run, err := j.take(o.out)
	if err != nil {
		return nil, err
	}
	if o.fleet.listen != "" {
		if link.Server, err = j.serve(o, dir, say); err != nil {
			return nil, err
		}
		if err := j.work(ctx, o, link, tasks); err != nil {
			return nil, err
		}
	}
	options := fleet.ClientOptions{Link: link, Version: version(), Run: run, Isolation: o.isolation.kind(), Tasks: tasks.Tasks, Window: o.fleet.window}
	if j.local != nil {
		options.Ready = j.local.Ready
	} else if run != "" {
		options.Later = "ctrl+c ends it, and the same command goes on later, 'assay eval' also with --resume"
	} else {
		options.Later = "ctrl+c ends it; with --out the results so far are kept, and --resume goes on"
	}
	j.client, err = fleet.NewClient(ctx, options)
	if err != nil {
		return nil, refused(err)
	}
	j.Judge = j.client
	j.close = append(j.close, func() { j.client.Close() })
	return j, nil
}

// kind is the isolation that work needs, as a fleet calls it.
func (o *isolationOptions) kind() string {
	switch o.isolation {
	case "", isolationWarm, isolationStrict:
		return "bwrap"
	}
	return o.isolation
}

// serve starts a server for workers on other machines.
func (j *judges) serve(o *judging, dir string, say func(string)) (*fleet.Server, error) {
	var err error
	if dir == "" {
		if dir, err = os.MkdirTemp("", "assay-fleet-"); err != nil {
			return nil, fmt.Errorf("a directory for the server's streams: %w", err)
		}
		j.close = append(j.close, func() { os.RemoveAll(dir) })
	}
	s, err := fleet.StartServer(fleet.ServerOptions{Dir: dir, Listen: o.fleet.listen, Token: o.fleet.token, Cert: o.fleet.nats.cert, Key: o.fleet.nats.key})
	if err != nil {
		return nil, err
	}
	j.close = append(j.close, s.Close)
	command := natsVariable + "=" + s.Address() + " assay worker"
	if kind := o.isolation.kind(); kind != "bwrap" {
		command += " --isolation " + kind
	}
	say("workers on other machines help after: " + command)
	if s.Open() {
		say("warning: without TLS whoever listens on the network reads the token and the samples, and who has the token decides verdicts: give --tls-cert and --tls-key, or use a network that you trust")
	}
	return s, nil
}

// serverSuffix makes of the directory of results that for what a fleet keeps, beside it.
const serverSuffix = ".fleet"

// take takes the directory beside that of the results for this process alone: two
// coordinators with the same results would take back each other's work. The run's name is
// one that its lock file keeps, since host names and paths are the same in many containers.
// Without results there is nothing to take.
func (j *judges) take(out string) (dir, run string, err error) {
	if out == "" {
		return "", "", nil
	}
	if out, err = filepath.Abs(out); err != nil {
		return "", "", err
	}
	dir = out + serverSuffix
	lock, err := lockIn(dir)
	if err != nil {
		return "", "", err
	}
	j.close = append(j.close, func() {
		if j.finished { // nothing is in it that anybody needs
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

// removeFleet removes what a fleet kept for results that were finished without it, unless one
// is using it.
func removeFleet(out string) {
	dir := filepath.Clean(out) + serverSuffix
	if out == "" || !exists(filepath.Join(dir, "lock")) {
		return
	}
	if lock, err := lockIn(dir); err == nil {
		os.RemoveAll(dir)
		lock.Close()
	}
}

// lockIn locks a file in a directory, which is made if need be.
func lockIn(dir string) (*os.File, error) {
	for {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("a directory for what a fleet keeps: %w", err)
		}
		lock, err := filelock.Open(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
		switch {
		case errors.Is(err, os.ErrNotExist): // a run that has just ended removed the directory
		case errors.Is(err, filelock.ErrTaken):
			return nil, fmt.Errorf("another process uses %s: %w", dir, err)
		case err != nil:
			return nil, fmt.Errorf("a directory for what a fleet keeps: %w", err)
		default:
			return lock, nil
		}
	}
}

// work has this machine judge, too, with the libraries that the tasks declare and that are here.
func (j *judges) work(ctx context.Context, o *judging, link fleet.Link, tasks *benchmark.Benchmark) error {
	link.Name = cmp.Or(hostName(), "here")
	card, err := workerCard(ctx, j.local, o.isolation.kind(), o.python)
	if err != nil {
		return err
	}
	card.Name = link.Name
	libraries := declaredLibraries(card, tasks)
	w, err := fleet.NewWorker(ctx, fleet.WorkerOptions{Link: link, Card: card, Judge: j.local, Measure: batch.MeasureAsJSON, Libraries: libraries})
	if err != nil {
		return err
	}
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	running.Go(func() { _ = w.Run(working) })
	j.close = append(j.close, func() { stop(); running.Wait() })
	return nil
}

// declaredLibraries are the directories of packages that tasks declare, by SHA-256, as far as
// they are here and their language can be run; the card gets them, too. Of others the
// coordinator says that they are missing.
func declaredLibraries(card fleet.Card, tasks *benchmark.Benchmark) map[string]string {
	dirs, seen := map[string]string{}, map[string]bool{}
	for i := range tasks.Tasks {
		task := &tasks.Tasks[i]
		_, runs := card.Languages[task.Language]
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

func hostName() string {
	name, _ := os.Hostname()
	return name
}
