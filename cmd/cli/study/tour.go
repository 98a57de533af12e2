package study

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/data/disk"
	"assay/data/program"
)

// newTourVerb returns `assay study tour`.
func newTourVerb(io *console.IO, _ *console.Globals) *cobra.Command {
	var noPause bool
	cmd := &cobra.Command{
		Use:        "tour [DIR]",
		SuggestFor: []string{"demo", "tutorial", "example"},
		Example:    "  assay study tour\n  assay study tour tour --no-pause > tour.txt",
		Short:      "Show a whole blind study in ten minutes, on made-up testers",
		Long: `Take a blind study of two models with recorded answers from its file to the report that names
them, by the commands that you will type yourself: each is shown, explained and run. The testers and
raters are made up, so that the numbers mean nothing. Everything happens in DIR, or in a new
temporary directory: your store, models and settings are not touched. Afterwards you can go on there
with commands of your own.

On a terminal, enter shows the next step and q leaves; --no-pause shows all at once.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return console.Usagef("assay study tour takes one directory or none")
			}
			t, err := newTour(io, args)
			if err != nil {
				return err
			}
			t.pause = io.Terminal && !noPause
			return t.run(cmd.Context())
		},
	}
	cmd.Flags().BoolVar(&noPause, "no-pause", false, "do not wait for enter after each step")
	return cmd
}

// tour runs the commands of a study in a directory of its own.
type tour struct {
	io      *console.IO
	program string // this program
	dir     string
	pause   bool
	keys    *bufio.Reader
}

// newTour creates the directory of a tour, which must not have been used.
func newTour(io *console.IO, args []string) (*tour, error) {
	t := &tour{io: io, keys: bufio.NewReader(io.In)}
	var err error
	if t.program, err = os.Executable(); err != nil {
		return nil, fmt.Errorf("the program cannot be found: %w", err)
	}
	if len(args) == 0 {
		t.dir, err = os.MkdirTemp("", "assay-tour-")
		return t, err
	}
	if t.dir, err = filepath.Abs(args[0]); err != nil {
		return nil, err
	}
	if err := disk.MkdirAll(t.dir, 0o755); err != nil {
		return nil, fmt.Errorf("the directory cannot be created: %w", err)
	}
	if files, err := os.ReadDir(t.dir); err != nil || len(files) > 0 {
		return nil, errors.Join(err, console.Usagef("%s is not empty: name a new directory", args[0]))
	}
	return t, nil
}

// tourStep is a sentence, and a command or something that is made up. Commands that begin with a store are those
// of another machine.
type tourStep struct {
	says    string
	command string
	store   string // of the tester whose command it is; empty: the owner's
	typed   func() (string, error)
	makes   func() error
	lines   int // of the output that are shown; below 0: from its end; 0: all
}

func (t *tour) run(ctx context.Context) error {
	t.print("A study from its file to the report, in %s. Testers and raters are made up.\n", t.dir)
	steps := t.steps()
	for i, s := range steps {
		t.print("\n%d of %d. %s\n", i+1, len(steps), s.says)
		if s.makes != nil {
			if err := s.makes(); err != nil {
				return fmt.Errorf("step %d of the tour: %w", i+1, err)
			}
		}
		if s.command != "" {
			if err := t.show(ctx, s); err != nil {
				return fmt.Errorf("step %d of the tour: %w; what is there stays in %s", i+1, err, t.dir)
			}
		}
		if t.pause && i+1 < len(steps) {
			fmt.Fprint(t.io.Out, "\n[enter: next, q: leave] ")
			if line, err := t.keys.ReadString('\n'); err != nil || strings.TrimSpace(line) == "q" {
				break
			}
		}
	}
	t.print("\nAll of it is in %s; to look around there:\n  cd %[1]s && ASSAY_STORE=owner/assay.db ASSAY_MODELS=models.toml %s report --browse\n'assay help study' explains every step.\n", t.dir, filepath.Base(t.program))
	return nil
}

// print writes text, wrapped between words on a terminal.
func (t *tour) print(format string, args ...any) {
	fmt.Fprint(t.io.Out, console.Wrapped(t.io.Out, fmt.Sprintf(format, args...)))
}

// show runs a command and shows it with what it prints.
func (t *tour) show(ctx context.Context, s tourStep) error {
	t.print("\n$ %s\n", s.command)
	store := cmp.Or(s.store, "owner")
	if err := os.MkdirAll(filepath.Join(t.dir, store), 0o700); err != nil {
		return err
	}
	args := shellLike(s.command)[1:]
	cmd := program.Command(ctx, program.Own, t.program, args...)
	cmd.Args[0] = "assay"
	cmd.Dir = t.dir
	cmd.Env = append(os.Environ(), "ASSAY_STORE="+filepath.Join(t.dir, store, "assay.db"), "ASSAY_SETTINGS=")
	if s.store == "" {
		cmd.Env = append(cmd.Env, "ASSAY_MODELS="+filepath.Join(t.dir, "models.toml"))
	} else { // a tester has no models of their own
		cmd.Env = append(cmd.Env, "ASSAY_MODELS="+filepath.Join(t.dir, "none.toml"))
	}
	if s.typed != nil {
		text, err := s.typed()
		if err != nil {
			return err
		}
		cmd.Stdin = strings.NewReader(text)
	}
	out, err := cmd.CombinedOutput()
	lines := strings.SplitAfter(string(bytes.TrimRight(out, "\n")), "\n")
	switch more := len(lines) - max(s.lines, -s.lines); {
	case s.lines == 0 || more < 2 || err != nil:
	case s.lines > 0:
		lines = append(lines[:s.lines], fmt.Sprintf("… and %d more lines", more))
	default:
		lines = append([]string{fmt.Sprintf("%d lines …\n", more)}, lines[more:]...)
	}
	t.print("%s\n", strings.TrimRight(strings.Join(lines, ""), "\n"))
	return err
}

// shellLike splits a command of the tour into words; single quotes keep spaces.
func shellLike(command string) []string {
	var words []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

// steps returns the study.
func (t *tour) steps() []tourStep {
	const place1, place2 = "places/two-models-on-starter-tasks-place-1.study", "places/two-models-on-starter-tasks-place-2.study"
	return []tourStep{
		{says: "A study begins with its file, in which every key is explained.", command: "assay study init study.toml"},
		{says: "Edit it. The tour allows 3 attempts and names two models, careful and hasty, which play recorded answers (models.toml). Testers read Model A and Model B.",
			makes: t.writeModels, command: "assay study check study.toml"},
		{says: "Before anybody works, the report shows with random data which numbers the study will give, and which it cannot.", command: "assay study simulate study.toml", lines: 24},
		{says: "Freezing fixes file, tasks and models by a hash. Every session records it.", command: "assay study freeze study.toml"},
		{says: "Two testers work on machines of their own. Each gets one file, in which no model can be read, and which has no keys.", command: "assay study pack study.toml --out places --place 1-2"},
		{says: "The others come over SSH: 'assay serve study.toml' would serve them. A place can be kept for one of them.", command: "assay study reserve study.toml 3 --for cleo"},
		{says: "The plan shows every place, and who has it.", command: "assay study plan study.toml"},
		{says: "On her machine, Ann joins with her file. (--plain works line by line, so that the tour can type for her; without it the screens open.) Her first session:",
			command: "assay study join " + place1 + " --tester ann --plain", store: "ann", typed: t.typed(1), lines: 32},
		{says: "The same command begins her second session. After the last one, assay offers the file to hand in.",
			command: "assay study join --plain", store: "ann", typed: t.typed(2), lines: -12},
		{says: "Ann's results are hers to see now. They still say Model A.", command: "assay report last --brief", store: "ann", lines: 16},
		{says: "Bob's sessions, and those of the six who came over SSH, are made up. Bob hands in by command.",
			makes: t.makeUp, command: "assay session export --bundle bob.assay --study " + place2, store: "bob"},
		{says: "The owner collects what was handed in.", command: "assay study collect --study study.toml two-models-on-starter-tasks-place-1.assay bob.assay"},
		{says: "To collect a file twice is harmless.", command: "assay study collect --study study.toml bob.assay"},
		{says: "How far is everybody? There are no results in this.", command: "assay study watch study.toml"},
		{says: "Would other people rate the same answers alike? Two raters get some of the final answers.",
			command: "assay rate plan ratings.jsonl --raters dora,eve --per-rater 8 --seed 1"},
		{says: "They rate on the screen, or over SSH. Their ratings are made up.", makes: t.rate, command: "assay rate status ratings.jsonl"},
		{says: "Closing ends the rating and shows how far they agree.", command: "assay rate close ratings.jsonl --by owner"},
		{says: "The report is blind, as the study is.", command: "assay report --study study.toml --overlap ratings.jsonl --brief", lines: 40},
		{says: "All are finished: unblind, with a reason, which is recorded for good.", command: "assay study unblind study.toml --reason 'all are finished'"},
		{says: "From now on the report names the models. Its dataset has the ratings, the study file with the analysis plan, and the lock.",
			command: "assay report --study study.toml --overlap ratings.jsonl --out report"},
		{says: "Every number of it can be checked.", command: "assay report --check report"},
		{says: "Reviewers get one file with all of it.", command: "assay session export --bundle study.assay --study study.toml --ratings ratings.jsonl"},
		{says: "Anybody can verify a bundle anywhere. Ann's answers are real: they are judged again. (Those that were made up were never run.)",
			command: "assay session verify two-models-on-starter-tasks-place-1.assay"},
	}
}
