package machine

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark/analyser"
	"assay/benchmark/batch"
	"assay/benchmark/fleet"
	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/judges"
	"assay/data/language"
	"assay/tui/frame"
)

// workerOptions are the flags of `assay worker`.
type workerOptions struct {
	nats      judges.NATS
	workers   int
	name      string
	python    string
	libraries map[string]string
	languages []string // empty: all available ones
	isolation judges.Isolation
}

// NewWorker returns `assay worker`.
func NewWorker(io *console.IO, _ *console.Globals) *cobra.Command {
	o := &workerOptions{}
	cmd := &cobra.Command{
		Use:   "worker --nats URL",
		Short: "Judge samples for other machines",
		Long: `Take samples from the work queue of a NATS server, judge them here, and bring the results
back, until ctrl+c: what is being judged is then finished, and the rest left to others.
'assay eval' and 'assay run batch' give the work, with --nats for a server that is there, or
with --fleet for one of their own.

It can be started before its server: it waits until one answers. It measures code, too, where that
is wanted. It says at first what this machine has. Before its first work in a language it judges
samples whose verdicts are known: good and wrong ones, and in Python also endless, memory-hungry
and cheating ones. Where one comes out otherwise it leaves all work to others, and ends. It takes
only samples of the same version of assay, of languages, libraries and the isolation that are here.
Whoever gives it work trusts it with the verdicts.

Exit codes: 1 the self-test failed, or the server has no JetStream; 4 the server refuses,
or the file of --creds has none.`,
		Example: "  ASSAY_NATS=nats://TOKEN@judge.example.org:4222 assay worker\n  assay worker --nats tls://nats.example.org --creds worker.creds --workers 8",
		Args:    console.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runWorker(cmd.Context(), io, o) },
	}
	o.nats.Flags(cmd, "its work is done (default: env)")
	f := cmd.Flags()
	f.IntVar(&o.workers, "workers", 0, "`number` of samples judged at once (default: one for each processor)")
	console.Bounds(f, "workers", 0, console.MostWorkers)
	f.StringVar(&o.name, "name", "", "the `name` that results carry (default: this machine's)")
	f.StringVar(&o.python, "python", "", "the Python `interpreter` (default: /usr/bin/python3, else python3)")
	f.StringToStringVar(&o.libraries, "library", nil, "`language=directory` of packages that tasks may import: tasks that declare one are taken if it is the same, by SHA-256")
	f.StringSliceVar(&o.languages, "languages", nil, "the `languages` to take work of, with commas (default: all that can be run here)")
	o.isolation.Flags(cmd)
	return cmd
}

func runWorker(ctx context.Context, io *console.IO, o *workerOptions) error {
	if o.nats.Url == "" && io.Getenv(judges.NatsVariable) == "" {
		return console.Usagef("assay worker needs a server to take work from: give --nats URL, or $%s, which keeps a token out of the process list", judges.NatsVariable)
	}
	say := func(text string) { fmt.Fprintln(io.Err, text) }
	o.nats.Url = cmp.Or(o.nats.Url, judges.NatsFromEnvironment)
	if err := o.nats.Resolve(io.Getenv, say); err != nil {
		return err
	}
	if err := o.nats.Check(); err != nil {
		return err
	}
	if err := o.isolation.Check(io.Getenv); err != nil {
		return err
	}
	j, done, err := judges.OpenHere(ctx, io, &judges.Options{Workers: o.workers, Python: o.python, Isolation: o.isolation}, nil)
	if err != nil {
		return err
	}
	defer done()
	card, err := judges.WorkerCard(ctx, j, o.isolation.Kind(), o.python)
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
	card.Name = cmp.Or(o.name, fmt.Sprintf("%s-%d", cmp.Or(judges.HostName(), "worker"), os.Getpid()))
	card.Analysers = analyserVersions(ctx)
	printCard(io, card)
	w, err := fleet.NewWorker(ctx, fleet.WorkerOptions{Link: o.nats.Link(card.Name, say), Card: card, Judge: j, Measure: batch.MeasureAsJSON, Libraries: libraries, SelfTest: true})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return judges.Refused(err)
	}
	defer w.Close()
	fmt.Fprintf(io.Err, "ready       takes work, %s at a time; ctrl+c stops\n", frame.Count(j.Workers(), "sample"))
	err = judges.Refused(w.Run(ctx))
	c := w.Counts()
	fmt.Fprintf(io.Err, "%s judged in %s", frame.Count(int(c.Judged), "sample"), frame.Count(int(c.Messages), "message"))
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

// choose restricts the card to the named languages.
func (o *workerOptions) choose(card fleet.Card) error {
	ids := make([]string, len(o.languages))
	for i, name := range o.languages {
		ids[i] = language.ID(name)
		if _, ok := card.Languages[ids[i]]; !ok {
			return fmt.Errorf("programs in %q cannot be run here; available: %s (see 'assay doctor')", name, strings.Join(slices.Sorted(maps.Keys(card.Languages)), ", "))
		}
	}
	maps.DeleteFunc(card.Languages, func(id, _ string) bool { return len(ids) > 0 && !slices.Contains(ids, id) })
	return nil
}

// offer adds the given libraries to the card, and returns their locations by SHA-256.
func (o *workerOptions) offer(card fleet.Card) (map[string]string, error) {
	dirs := map[string]string{}
	for language, dir := range o.libraries {
		whole, err := filepath.Abs(dir)
		if err != nil {
			return nil, console.Usagef("--library %s=%s: %v", language, dir, err)
		}
		if _, ok := card.Languages[language]; !ok {
			return nil, console.Usagef("--library %s=%s: programs in %s cannot be run here", language, dir, language)
		}
		digest, err := judge.LibraryDigest(whole)
		if err != nil {
			return nil, console.Usagef("--library %s=%s: %v", language, dir, err)
		}
		card.Libraries[digest], dirs[digest] = language, whole
	}
	return dirs, nil
}

// analyserVersions returns the installed analysers.
func analyserVersions(ctx context.Context) map[string]string {
	list := map[string]string{}
	for _, t := range analyser.Find(ctx, "", analyser.Places{}) {
		if t.Analyser != nil {
			list[t.Name] = t.Version
		}
	}
	return list
}

func printCard(io *console.IO, c fleet.Card) {
	fmt.Fprintf(io.Err, "worker      %s, assay %s\n", c.Name, c.Version)
	fmt.Fprintf(io.Err, "isolation   %s: %s\n", c.Isolation, verdicts.Result{Enforcement: c.Enforcement}.EnforcementText())
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
