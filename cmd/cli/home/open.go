package home

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"assay/benchmark/sandbox"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/judges"
	"assay/cmd/cli/live"
	"assay/cmd/cli/terminal"
	"assay/data"
	"assay/session"
	"assay/session/engine"
	"assay/tui"
	"assay/tui/home"
	"assay/tui/work"
)

// options are the flags for beginning a session without the form.
type options struct {
	benchmark, file, filter, saved, model, against, context, tester, criterion string
	tasks, sets, k, level                                                      int
	seed                                                                       uint64
	stratify                                                                   []string
	reference, practice                                                        bool
	study, join                                                                string
	plain                                                                      bool
	isolation                                                                  judges.Isolation
	analysis                                                                   judges.Analysis
}

func (o *options) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.benchmark, "benchmark", "", "`name` of a bundled benchmark ("+data.BenchmarkNames()+")")
	f.StringVar(&o.file, "tasks-file", "", "a `file` of tasks in any format that assay reads, or a folder in its own")
	f.StringVar(&o.filter, "filter", "", inputs.FilterHelp)
	inputs.SavedFilterFlag(f, &o.saved)
	f.StringVar(&o.model, "model", "", "`name` of the model that answers (see 'assay models list')")
	f.StringVar(&o.against, "against", "", "`name` of a second model: both answer each prompt, and the tester says which answer is better")
	f.IntVar(&o.tasks, "tasks", 0, "`number` of tasks in each test set (default all)")
	console.Bounds(f, "tasks", 0, console.MostTasks)
	f.IntVar(&o.sets, "sets", 1, "`number` of disjoint test sets")
	console.Bounds(f, "sets", 1, console.MostSets)
	f.StringSliceVar(&o.stratify, "stratify", nil, "`fields` whose values all test sets are to have in nearly the same numbers, as type,difficulty")
	f.IntVar(&o.k, "k", session.DefaultK, "attempts allowed for each task")
	console.Bounds(f, "k", 1, console.MostAttempts)
	f.IntVar(&o.level, "level", 0, "prompt `level` that the editor starts with: 0 empty, 1 description, 2 constraints, 3 examples")
	console.Bounds(f, "level", 0, 3)
	f.StringVar(&o.context, "context", string(session.Conversation), "`mode`: conversation sends earlier turns again, fresh does not")
	f.StringVar(&o.tester, "tester", "", "pseudonym of the tester")
	f.StringVar(&o.criterion, "criterion", "", "the `text` that says when an answer is satisfactory")
	f.Uint64Var(&o.seed, "seed", 0, "seed of the task order (default: drawn, and recorded)")
	f.BoolVar(&o.reference, "reference", false, "the reference solution may be seen while reviewing")
	f.StringVar(&o.study, "study", "", "work in a study: the `file` that was frozen, as study.toml")
	f.StringVar(&o.join, "join", "", "the `code` with which a tester joins and continues the study")
	f.BoolVar(&o.plain, "plain", false, "work line by line, in words: for screen readers and terminals that cannot draw")
	f.BoolVar(&o.practice, "practice", false, "begin with a practice task that is not counted")
	o.analysis.ProgramFlags(cmd)
	o.isolation.Flags(cmd)
}

// beginFlags are the flags that begin a session at once.
var beginFlags = []string{"benchmark", "tasks-file", "filter", "saved-filter", "scenario", "model", "against", "tasks", "sets", "stratify", "k", "level", "context", "seed", "reference", "practice"}

// New returns the program's command without a verb, which opens the screens.
func New(io *console.IO, g *console.Globals) *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use:     "assay",
		Short:   "Evaluate code-generating language models the way people use them",
		Example: "  assay\n  assay --model rehearsal --benchmark starter --tasks 3 --plain\n  assay --study study.toml --join CODE",
		Long: `assay walks a tester through coding tasks with a language model: write a prompt,
watch the answer, see it executed, judge it, refine the prompt, up to k attempts,
then rate it. The same engines judge recorded samples without a human.

Without a verb, assay opens its screens on a terminal: the home screen lists open
sessions to continue, and starts new ones. The flags below start a session at once.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && (args[0] == "continue" || args[0] == "resume") {
				return console.Usagef("'assay' alone continues a session: its first screen lists those that are open")
			}
			return console.NoArgs(cmd, args)
		},
		SilenceErrors: true, SilenceUsage: true,
		Version: console.Version(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !io.Terminal && !o.plain {
				if slices.ContainsFunc(append([]string{"study", "join", "tester", "criterion"}, beginFlags...), cmd.Flags().Changed) {
					return console.Usagef("the screens need a terminal for input and output: add --plain to work line by line")
				}
				return cmd.Help()
			}
			return open(cmd.Context(), io, g, o, cmd.Flags().Changed)
		},
	}
	o.flags(cmd)
	return cmd
}

// open opens the screens.
func open(ctx context.Context, io *console.IO, g *console.Globals, o *options, changed func(string) bool) (err error) {
	if !o.plain {
		if err := terminal.CanDraw(io); err != nil {
			return err
		}
	}
	analysers, err := o.analysis.Open(ctx, o.isolation, io.Getenv)
	if err != nil {
		return err
	}
	defer analysers.Close(io.Err)
	lib, err := live.Start(io, g, o.file, o.isolation)
	if err != nil {
		return err
	}
	lib.RateBy(analysers)
	defer func() {
		lost := lib.Close()
		if lost != nil && ctx.Err() != nil { // whose error is not printed
			fmt.Fprintf(io.Err, "assay: %v\n", lost)
			return
		}
		err = errors.Join(err, lost)
	}()
	if o.plain {
		if err := lib.Ready(); err != nil {
			return err
		}
		return runPlain(ctx, io, lib, o, changed)
	}
	first := home.New(lib, time.Now)
	first.Say(sandbox.Elsewhere())
	app, err := terminal.NewScreen(io, g, first)
	if err != nil {
		return err
	}
	eng, err := beginAtOnce(ctx, lib, o, changed)
	if err != nil {
		return err
	}
	if eng != nil {
		app.Push(work.New(eng, lib.Work()))
	}
	return show(ctx, io, g, lib, app)
}

// show runs the screens. The home screen is drawn while the store is being opened; an error doing so ends
// it and is returned.
func show(ctx context.Context, io *console.IO, g *console.Globals, l *live.Library, app *tui.App) error {
	begun := time.Now()
	shown, end := context.WithCancel(ctx)
	defer end()
	drawn := make(chan struct{})
	l.Drawn = drawn
	time.AfterFunc(8*time.Millisecond, func() { close(drawn) }) // opening the store would delay the first frame
	go func() {
		if l.Ready() != nil {
			end()
		}
	}()
	err := terminal.RunApp(shown, io, app, func(send func(tea.Msg)) {
		// The store must not wait for a screen that has lent the terminal to an editor.
		l.Tell(func(text string) { go send(tui.NoticeMsg{Text: text}) })
	})
	if unread := l.Ready(); unread != nil {
		return unread
	}
	l.Farewell(io, g, begun)
	return err
}

// beginAtOnce begins, or continues, the session that the flags ask for; nil if they ask for none.
func beginAtOnce(ctx context.Context, l *live.Library, o *options, changed func(string) bool) (*engine.Engine, error) {
	start := slices.ContainsFunc(beginFlags, changed)
	switch {
	case o.study != "" && start:
		return nil, console.Usagef("--study decides everything about a session: leave out --benchmark, --k and the like")
	case o.study == "" && o.join == "" && !start:
		return nil, nil
	}
	if err := l.Ready(); err != nil {
		return nil, err
	}
	switch {
	case o.study != "":
		return l.Join(ctx, o.study, o.join, o.tester)
	case o.join != "":
		return nil, console.Usagef("--join needs the study: --study FILE")
	}
	return beginFromFlags(ctx, l, o, changed("seed"))
}

// beginFromFlags begins the session that the flags describe.
func beginFromFlags(ctx context.Context, l *live.Library, o *options, seeded bool) (*engine.Engine, error) {
	b, err := l.Benchmark(o.benchmark)
	if err != nil {
		return nil, console.Usagef("%v", err)
	}
	m, err := l.ModelNamed(cmp.Or(o.model, "rehearsal"))
	if err != nil {
		return nil, console.Usagef("%v", err)
	}
	var against *session.Model
	if o.against != "" {
		second, err := l.ModelNamed(o.against)
		if err != nil {
			return nil, console.Usagef("%v", err)
		}
		against = &second
	}
	if !seeded {
		o.seed = uint64(rand.Uint32())
	}
	filter, err := inputs.SavedFilters().With(o.saved, o.filter)
	if err != nil {
		return nil, err
	}
	eng, err := l.Begin(ctx, session.Choice{
		Benchmark: b, Filter: filter, Tasks: o.tasks, Sets: o.sets, Stratify: o.stratify, Practice: o.practice, K: o.k, Level: o.level,
		Context: session.Context(o.context), Seed: o.seed, Tester: o.tester, Model: m, Against: against, Criterion: o.criterion, Reference: o.reference,
	})
	if err != nil {
		return nil, console.Usagef("%v", err)
	}
	return eng, nil
}
