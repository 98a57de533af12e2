package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/analyser"
	"assay/benchmark/batch"
	"assay/benchmark/fleet"
	"assay/benchmark/judge"
)

// workerOptions are the flags of `assay worker`.
type workerOptions struct {
	nats      natsOptions
	workers   int
	name      string
	python    string
	libraries map[string]string
	languages []string // empty: all that are here
	isolation isolationOptions
}

func newWorker(io *IO, _ *globals) *cobra.Command {
	o := &workerOptions{}
	cmd := &cobra.Command{
		Use:   "worker --nats URL",
		Short: "Judge samples for others, as one machine of many",
		Long: `Take samples from the work queue of a NATS server, judge them here, and bring the results
back, until ctrl+c: what is being judged is then finished, and the rest left to others.
'assay eval' and 'assay run batch' give the work, with --nats for a server that is there, or
with --fleet for one of their own.

It measures their code, too, where that is wanted. It says at first what this machine has, and
judges samples whose verdicts are known: good, wrong, endless, memory-hungry and cheating ones.
Where one comes out otherwise it takes no work. It takes only samples of the same version of
assay, of languages, libraries and the isolation that are here. Whoever gives it work trusts it
with the verdicts.

Exit codes: 1 the self-test failed, or the server has no JetStream; 4 the server refuses,
or the file of --creds has none.`,
		Example: "  ASSAY_NATS=nats://TOKEN@judge.example.org:4222 assay worker\n  assay worker --nats tls://nats.example.org --creds worker.creds --workers 8",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runWorker(cmd.Context(), io, o) },
	}
	o.nats.flags(cmd, "its work is done (default: env)")
	f := cmd.Flags()
	f.IntVar(&o.workers, "workers", 0, "`number` of samples judged at once (default: one for each processor)")
	bounds(f, "workers", 0, mostWorkers)
	f.StringVar(&o.name, "name", "", "the `name` that results carry (default: this machine's)")
	f.StringVar(&o.python, "python", "", "the Python `interpreter` (default: /usr/bin/python3, else python3)")
	f.StringToStringVar(&o.libraries, "library", nil, "`language=directory` of packages that tasks may import: tasks that declare one are taken if it is the same, by SHA-256")
	f.StringSliceVar(&o.languages, "languages", nil, "the `languages` to take work of, with commas (default: all that can be run here)")
	o.isolation.flags(cmd)
	return cmd
}

func runWorker(ctx context.Context, io *IO, o *workerOptions) error {
	if o.nats.url == "" && io.Getenv(natsVariable) == "" {
		return usagef("assay worker needs a server to take work from: give --nats URL, or $%s, which keeps a token out of the list of processes", natsVariable)
	}
	say := func(text string) { fmt.Fprintln(io.Err, text) }
	o.nats.url = cmp.Or(o.nats.url, natsFromEnvironment)
	if err := o.nats.resolve(io.Getenv, say); err != nil {
		return err
	}
	if err := o.nats.check(); err != nil {
		return err
	}
	if err := o.isolation.check(io.Getenv); err != nil {
		return err
	}
	j, done, err := openJudge(ctx, io, &judging{workers: o.workers, python: o.python, isolation: o.isolation}, nil)
	if err != nil {
		return err
	}
	defer done()
	card, err := workerCard(ctx, j, o.isolation.kind(), o.python)
	if err != nil {
		return err
	}
	libraries, err := o.offer(card)
	if err != nil {
		return err
	}
	if err := o.choose(card); err != nil {
		return err
	}
	card.Name = cmp.Or(o.name, fmt.Sprintf("%s-%d", cmp.Or(hostName(), "worker"), os.Getpid()))
	card.Analysers = analyserVersions(ctx)
	printCard(io, card)
	w, err := fleet.NewWorker(ctx, fleet.WorkerOptions{Link: o.nats.link(card.Name, say), Card: card, Judge: j, Measure: batch.MeasureAsJSON, Libraries: libraries})
	if err != nil {
		return refused(err)
	}
	defer w.Close()
	start := time.Now()
	n, err := fleet.SelfTest(ctx, j, slices.Collect(maps.Keys(card.Languages)))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(io.Err, "self-test   %d known answers judged right in %.1f s\n", n, time.Since(start).Seconds())
	fmt.Fprintf(io.Err, "ready       takes work, %d samples at a time; ctrl+c ends it\n", j.Workers())
	err = refused(w.Run(ctx))
	c := w.Counts()
	fmt.Fprintf(io.Err, "%d samples judged in %d messages", c.Judged, c.Messages)
	for _, also := range []struct {
		n    int
		what string
	}{{c.GivenBack, "left to others"}, {c.Refused, "had a result already"}, {c.GivenUp, "given up"}, {c.Malformed, "messages were none"}} {
		if also.n > 0 {
			fmt.Fprintf(io.Err, ", %d %s", also.n, also.what)
		}
	}
	fmt.Fprintln(io.Err)
	return err
}

// choose leaves only the languages that were named.
func (o *workerOptions) choose(card fleet.Card) error {
	for _, language := range o.languages {
		if _, ok := card.Languages[language]; !ok {
			return fmt.Errorf("programs in %q cannot be run here; what can: %s (see 'assay doctor')", language, strings.Join(slices.Sorted(maps.Keys(card.Languages)), ", "))
		}
	}
	maps.DeleteFunc(card.Languages, func(language, _ string) bool {
		return len(o.languages) > 0 && !slices.Contains(o.languages, language)
	})
	return nil
}

// workerCard says what this machine can judge, without libraries.
func workerCard(ctx context.Context, j *judge.Judge, kind, python string) (fleet.Card, error) {
	card := fleet.Card{Version: version(), Isolation: kind, Languages: map[string]string{}, Libraries: map[string]string{}, Enforcement: j.Enforcement()}
	found := map[string]string{}
	for _, l := range judge.Languages(ctx, python) {
		found[l.Name] = l.Found
	}
	for _, language := range fleet.TestedLanguages() {
		task := benchmark.Task{Language: language, Tests: benchmark.Tests{Style: benchmark.Stdin}}
		if ready(ctx, j, &task) == nil {
			card.Languages[language] = cmp.Or(found[language], "in the container")
		}
	}
	if ctx.Err() != nil {
		return card, ctx.Err()
	}
	if len(card.Languages) == 0 {
		return card, fmt.Errorf("programs in no language can be run here: see 'assay doctor'")
	}
	return card, nil
}

// ready is [judge.Judge.Ready], which compiles Go's library the first time, until ctx ends.
func ready(ctx context.Context, j *judge.Judge, task *benchmark.Task) error {
	why := make(chan error, 1)
	go func() { why <- j.Ready(task) }()
	select {
	case err := <-why:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// offer puts the libraries that were given on the card, and says where they are, by SHA-256.
func (o *workerOptions) offer(card fleet.Card) (map[string]string, error) {
	dirs := map[string]string{}
	for language, dir := range o.libraries {
		whole, err := filepath.Abs(dir)
		if err != nil {
			return nil, usagef("--library %s=%s: %v", language, dir, err)
		}
		if _, ok := card.Languages[language]; !ok {
			return nil, usagef("--library %s=%s: programs in %s cannot be run here", language, dir, language)
		}
		digest, err := judge.LibraryDigest(whole)
		if err != nil {
			return nil, usagef("--library %s=%s: %v", language, dir, err)
		}
		card.Libraries[digest], dirs[digest] = language, whole
	}
	return dirs, nil
}

// analyserVersions are the analysers that are installed here.
func analyserVersions(ctx context.Context) map[string]string {
	list := map[string]string{}
	for _, t := range analyser.Find(ctx, "", analyser.Places{}) {
		if t.Analyser != nil {
			list[t.Name] = t.Version
		}
	}
	return list
}

func printCard(io *IO, c fleet.Card) {
	fmt.Fprintf(io.Err, "worker      %s, assay %s\n", c.Name, c.Version)
	fmt.Fprintf(io.Err, "isolation   %s: %s\n", c.Isolation, judge.Result{Enforcement: c.Enforcement}.EnforcementText())
	for _, language := range slices.Sorted(maps.Keys(c.Languages)) {
		fmt.Fprintf(io.Err, "  %-11s %s\n", language, c.Languages[language])
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(c.Analysers)) {
		names = append(names, name+" "+c.Analysers[name])
	}
	fmt.Fprintf(io.Err, "analysers   %s\n", cmp.Or(strings.Join(names, ", "), "none installed"))
	for _, digest := range slices.Sorted(maps.Keys(c.Libraries)) {
		fmt.Fprintf(io.Err, "library     %s sha256:%.12s\n", c.Libraries[digest], digest)
	}
}
