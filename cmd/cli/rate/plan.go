package rate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark/outputs"
	"assay/cmd/cli/console"
	"assay/cmd/cli/stores"
	"assay/data/disk"
	"assay/data/program"
	"assay/session"
	"assay/session/bundle"
	"assay/session/overlap"
	"assay/tui/frame"
	"assay/tui/serve"
)

// ratingsPlanOptions are the flags of `assay rate plan`.
type ratingsPlanOptions struct {
	raters   []string
	overlap  int
	perRater int
	people   int
	peopleBy string
	stratify []string
	seed     uint64
	tests    string
	from     []string
	split    bool
	answers  answers
	pairs    bool

	repeats, attention float64
	howMuch            bool
	next, between      string
	why                []string
}

func newRatingsPlan(io *console.IO, g *console.Globals) *cobra.Command {
	o := &ratingsPlanOptions{}
	cmd := &cobra.Command{
		Use:   "plan FILE [SESSION...] --raters NAMES",
		Short: "Choose answers, or pairs of answers, and assign them to raters",
		Long: `Make FILE, in which several people rate the same answers: the final ones of the finished
sessions in the store (or, with --from, in bundles) whose prompts a person wrote. SESSIONs are
ids or beginnings of ids; without any, all sessions are used. With --answers they are answers of
models: of files of samples, or of a run, together with sessions only if some are named. Answers
that are the same are rated once, and names of models in them are masked.

With --pairs, raters are shown two answers to one task, of different models, with the sides at
random, and say which is better. The models that were compared least often, and the tasks with
the fewest pairs, are drawn first. With --between they are two samples of one model, or two attempts
of a session at a task. --repeats of a rater's pairs are shown once more with the
sides swapped; --attention of them have an answer to another task on one side. --how-much and
--why also ask how much better an answer is, and in what. With --next uncertain, pairs are not
dealt: a rater's next pair is of the two models of whose strengths a judgement is expected to
tell most, by what this rater judged before.

Each answer is rated by --overlap people, every rater gets equally many, and nobody rates
answers to their own prompts: raters who were testers use the same name. Answers are drawn in
equal shares by --stratify. Everything follows from --seed.

With --people, people rate that many, drawn at random of all, and 'assay rate judge' has models
rate all of them: from both, 'assay rate report' says what people would have said of all.

FILE records where the answers come from and how their testers rated them. The screen shows
neither, but anybody who opens the file can read both. With --split, each rater also gets a
file with only their answers; 'assay rate close' merges these files.`,
		Example: "  assay rate plan ratings.jsonl --raters ann,bob,cleo --overlap 3 --per-rater 20 --seed 1\n  assay rate plan ratings.jsonl --from all.assay --raters 3 --split\n  assay rate plan pairs.jsonl --pairs --answers gpt=gpt.jsonl --answers llama=llama.jsonl --tasks HumanEval.jsonl --raters ann,bob --per-rater 40 --repeats 0.1",
		Args:    console.Some("the FILE to create"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), io, g, args[0], args[1:])
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.raters, "raters", nil, "the `names` of the raters, or how many there are")
	f.IntVar(&o.overlap, "overlap", 0, "how many `people` rate each answer (default: all raters)")
	console.Bounds(f, "overlap", 0, 1000)
	f.IntVar(&o.perRater, "per-rater", 0, "how many answers, or pairs, each rater has; 0: as many as there are")
	console.Bounds(f, "per-rater", 0, console.MostTasks)
	f.IntVar(&o.people, "people", 0, "how `many` answers, or pairs, people rate, drawn at random; judges rate all (default: people rate all)")
	console.Bounds(f, "people", 0, console.MostTasks)
	f.StringVar(&o.peopleBy, "people-by", "", "with --people: draw equally many of each value of this `field`; reports weight them by their probabilities")
	f.StringSliceVar(&o.stratify, "stratify", []string{"arm", "task"}, "draw in equal shares by these `fields`, the first one first: "+strings.Join(overlap.Fields(), ", "))
	f.Uint64Var(&o.seed, "seed", 1, "the seed of the draw")
	f.StringVar(&o.tests, "tests", "", "what raters see of the tests: all, verdict or none (default: what the study shows before a judgement)")
	f.StringSliceVar(&o.from, "from", nil, "take the sessions of these bundle `files`, not of the store")
	f.BoolVar(&o.split, "split", false, "write a file for each rater, too")
	o.answers.flags(f)
	f.BoolVar(&o.pairs, "pairs", false, "ask which of two answers is better")
	f.StringVar(&o.next, "next", "", "choose each rater's next pair by a `rule`: uncertain (default: pairs are dealt beforehand)")
	f.StringVar(&o.between, "between", "models", "pair answers of different models, of two samples of one model, or of two attempts of a session: `models`, samples or attempts")
	f.Float64Var(&o.repeats, "repeats", 0, "the `share` of a rater's pairs that is repeated with the sides swapped, 0 to 0.5")
	f.Float64Var(&o.attention, "attention", 0, "the `share` of attention checks, 0 to 0.5")
	console.Bounds(f, "repeats", 0, 0.5)
	console.Bounds(f, "attention", 0, 0.5)
	f.BoolVar(&o.howMuch, "how-much", false, "also ask how much better an answer is: slightly, clearly or far")
	f.StringSliceVar(&o.why, "why", nil, "also ask which answer is better in these `attributes` of the study, or in all")
	return cmd
}

// setup returns the setup that the flags describe.
func (o *ratingsPlanOptions) setup() (overlap.Setup, error) {
	s := overlap.Setup{Raters: o.raters, Overlap: o.overlap, PerRater: o.perRater, People: o.people, PeopleBy: o.peopleBy, Stratify: o.stratify, Seed: o.seed, Tests: session.TestsSeen(o.tests),
		Pairs: o.pairs, Repeats: o.repeats, Attention: o.attention, HowMuch: o.howMuch, Next: overlap.Rule(o.next), Between: overlap.Between(o.between), Why: o.why, Mask: o.pairs || len(o.answers.from) > 0}
	switch s.Between {
	case "models":
		s.Between = overlap.Models
	case overlap.Samples, overlap.Attempts:
	default:
		return s, console.Usagef("--between is models, samples or attempts, not %q", o.between)
	}
	if s.Between == overlap.Attempts && len(o.answers.from) > 0 {
		return s, console.Usagef("attempts are of sessions: --between attempts does not go with --answers")
	}
	if !o.pairs && (s.Between != overlap.Models || o.next != "" || o.repeats > 0 || o.attention > 0 || o.howMuch || len(o.why) > 0) {
		return s, console.Usagef("--between, --next, --repeats, --attention, --how-much and --why are of pairs: give --pairs too")
	}
	if len(o.answers.from) == 0 && (o.answers.tasks != "" || len(o.answers.results) > 0 || o.answers.choose.IsSet()) {
		return s, console.Usagef("--tasks, --results and --filter are of model answers: give --answers too")
	}
	if len(o.raters) == 1 {
		if n, err := strconv.Atoi(o.raters[0]); err == nil {
			const most = 1000
			if n < 1 || n > most {
				return s, console.Usagef("--raters takes names, or a number from 1 to %d, not %d", most, n)
			}
			s.Raters = nil
			for i := range n {
				s.Raters = append(s.Raters, fmt.Sprintf("rater%d", i+1))
			}
		}
	}
	if len(s.Raters) == 0 {
		return s, console.Usagef("who rates? give --raters NAMES, with commas, or a number")
	}
	if o.overlap == 0 {
		s.Overlap = len(s.Raters)
	}
	if !slices.Contains([]session.TestsSeen{"", session.SeeTests, session.SeeVerdict, session.SeeNothing}, s.Tests) {
		return s, console.Usagef("--tests is all, verdict or none, not %q", o.tests)
	}
	if err := s.Check(); err != nil {
		return s, console.Usagef("%v", err)
	}
	return s, nil
}

// ownFile returns the path that --split gives to a rater's own file.
func ownFile(path, rater string) string {
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + "-" + outputs.SafeName(rater) + ext
}

func (o *ratingsPlanOptions) run(ctx context.Context, io *console.IO, g *console.Globals, path string, sessions []string) error {
	setup, err := o.setup()
	if err != nil {
		return err
	}
	files := map[string]string{} // by rater
	if o.split {
		for _, r := range setup.Raters {
			files[r] = ownFile(path, r)
		}
	}
	for _, name := range append(slices.Sorted(maps.Values(files)), path) {
		if _, err := os.Lstat(name); err == nil {
			return fmt.Errorf("%s already exists and was left unchanged; name another file", name)
		}
	}
	pool := overlap.NewPool()
	pool.Attempts = setup.Between == overlap.Attempts
	add := func(events []session.Event, texts func(session.Ref) ([]byte, error)) error {
		return pool.Add(events, texts, session.TestsSeen(o.tests))
	}
	switch {
	case len(o.from) > 0:
		err = bundledSessions(o.from, sessions, add)
	case len(sessions) > 0 || len(o.answers.from) == 0:
		err = storedSessions(io, g, sessions, add)
	}
	if err == nil && len(o.answers.from) > 0 {
		err = o.answers.add(ctx, io, pool, session.TestsSeen(o.tests))
	}
	if err != nil {
		return err
	}
	h, err := overlap.Make(pool, setup)
	if err != nil {
		return err
	}
	if err := overlap.Create(path, h); err != nil {
		return err
	}
	for _, r := range setup.Raters {
		if files[r] == "" {
			continue
		}
		if err := overlap.Create(files[r], h.For(r)); err != nil {
			return err
		}
	}
	o.say(io, path, pool, &h, files)
	return nil
}

// say reports the plan, and what was left out.
func (o *ratingsPlanOptions) say(io *console.IO, path string, pool *overlap.Pool, h *overlap.Header, files map[string]string) {
	for _, why := range slices.Sorted(maps.Keys(pool.Left)) {
		fmt.Fprintf(io.Err, "left out: %s %s\n", frame.Count(pool.Left[why], "task"), why)
	}
	if pool.Masked > 0 {
		fmt.Fprintf(io.Err, "masked: %s of models in answers\n", frame.Count(pool.Masked, "name"))
	}
	if o.pairs {
		o.sayPairs(io, path, h)
	} else {
		o.sayAnswers(io, path, pool, h)
	}
	if p := h.People; p != nil {
		fmt.Fprintf(io.Err, "judges alone: the other %d of %d; people's were drawn at random\n", p.Of-p.Units, p.Of)
		for _, s := range p.Strata {
			fmt.Fprintf(io.Err, "  %s: people rate %d of %d\n", frame.OneLine(s.Stratum), s.Units, s.Of)
		}
	}
	for _, w := range h.Work {
		fmt.Fprintf(io.Err, "  %s: %s", w.Rater, frame.Count(h.Share(w.Rater), o.unit()))
		if files[w.Rater] != "" {
			fmt.Fprintf(io.Err, ", %s", files[w.Rater])
		}
		fmt.Fprintln(io.Err)
	}
	for _, why := range UnservedRaters(h.Raters) {
		fmt.Fprintf(io.Err, "warning: %s\n", why)
	}
	if o.split {
		fmt.Fprintf(io.Err, "next: assay rate answers %s\n", program.Word(files[h.Raters[0]]))
	} else {
		fmt.Fprintf(io.Err, "next: assay rate answers %s --rater NAME\n", program.Word(path))
	}
}

// unit returns the word for what is rated.
func (o *ratingsPlanOptions) unit() string {
	if o.pairs {
		return "pair"
	}
	return "answer"
}

func (o *ratingsPlanOptions) sayPairs(io *console.IO, path string, h *overlap.Header) {
	if h.Identical > 0 {
		fmt.Fprintf(io.Err, "identical: %s of models gave the same answer to a task; nobody is asked for these\n", frame.Count(h.Identical, "pair"))
	}
	if h.Next != nil {
		fmt.Fprintf(io.Err, "%s: %s of %d answers, of which each of %d people judges %d, chosen one by one\n", path, frame.Count(h.RatedByPeople(), "pair"), len(h.Items), len(h.Raters), h.Next.Each)
		return
	}
	fmt.Fprintf(io.Err, "%s: %s of %d answers, each judged by %d of %d people\n", path, frame.Count(h.RatedByPeople(), "pair"), len(h.Items), h.Overlap, len(h.Raters))
}

func (o *ratingsPlanOptions) sayAnswers(io *console.IO, path string, pool *overlap.Pool, h *overlap.Header) {
	if wanted := o.perRater * len(h.Raters) / h.Overlap; wanted > len(h.Items) {
		fmt.Fprintf(io.Err, "%s wanted, but there are only %d\n", frame.Count(wanted, "answer"), len(h.Items))
	}
	fmt.Fprintf(io.Err, "%s: %d of %d answers, each by %d of %d people\n", path, h.RatedByPeople(), pool.Len(), h.Overlap, len(h.Raters))
}

// adder takes a session's log, and a function that reads its texts.
type adder func(events []session.Event, texts func(session.Ref) ([]byte, error)) error

// storedSessions adds sessions of the store, or all.
func storedSessions(io *console.IO, g *console.Globals, args []string, add adder) error {
	k, err := stores.OpenKept(io, g)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		args = []string{"all"}
	}
	ids, err := stores.SessionIDs(k, args)
	if err != nil {
		return errors.Join(err, k.Close())
	}
	slices.Sort(ids) // ids sort chronologically
	for _, id := range slices.Compact(ids) {
		events, err := k.Events(id, 1)
		if err == nil {
			err = add(events, k.Blob)
		}
		if err != nil {
			return errors.Join(err, k.Close())
		}
		k.Release()
	}
	return k.Close()
}

// bundledSessions adds sessions of bundles, or all.
func bundledSessions(from, ids []string, add adder) error {
	taken := map[string]string{}
	for _, name := range from {
		f, err := disk.Open(name)
		if err != nil {
			return err
		}
		b, err := bundle.Read(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, l := range b.Logs() {
			if len(ids) > 0 && !slices.ContainsFunc(ids, func(m string) bool { return m != "" && strings.HasPrefix(strings.ToUpper(l.ID), strings.ToUpper(m)) }) {
				continue
			}
			if other, twice := taken[l.ID]; twice {
				return fmt.Errorf("session %s is in %s and in %s", l.ID, other, name)
			}
			taken[l.ID] = name
			if err := add(l.Events, b.Blob); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	if len(taken) == 0 {
		return errors.New("the bundles contain none of these sessions")
	}
	return nil
}

// UnservedRaters explains which raters cannot connect over SSH, and why.
func UnservedRaters(raters []string) (why []string) {
	for _, name := range raters {
		if err := serve.CheckName(name); err != nil {
			why = append(why, err.Error()+" (who comes in over SSH needs a pseudonym)")
		}
	}
	return why
}
