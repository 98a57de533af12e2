package study

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/data/disk"
	"assay/data/program"
	"assay/scoring/stats"
	"assay/session"
	"assay/session/llm"
	"assay/session/study"
	"assay/tui/frame"
)

// studyFile is the name that `assay study init` gives a study's file, and that the verbs for a
// study take where none is named.
const studyFile = "study.toml"

// studyArg reads the one study file of a verb, and its benchmark.
func studyArg(cmd *cobra.Command, args []string) (*study.Study, *benchmark.Benchmark, error) {
	switch _, err := os.Stat(studyFile); {
	case len(args) == 1:
		return LoadStudy(args[0])
	case len(args) > 1 || err != nil:
		return nil, nil, console.Usagef("%s takes one study file; 'assay study init' makes one", cmd.CommandPath())
	}
	return LoadStudy(studyFile)
}

// LoadStudy reads a study file and the benchmark that it names.
func LoadStudy(path string) (*study.Study, *benchmark.Benchmark, error) {
	if of, isLock := strings.CutSuffix(path, ".lock.json"); isLock {
		return nil, nil, console.Usagef("%s is the lock of a study: name the study file next to it, %s.toml", path, of)
	}
	s, err := study.Load(path)
	if err != nil {
		return nil, nil, err
	}
	b, err := (&inputs.TaskLoader{}).Load(s.Benchmark())
	if err != nil {
		return nil, nil, fmt.Errorf("%s: tasks.benchmark: %w", path, err)
	}
	return s, b, nil
}

// frozenHash returns the hash of a frozen study, empty if it was never frozen. A study that has changed since
// is an error.
func frozenHash(io *console.IO, g *console.Globals, s *study.Study, b *benchmark.Benchmark) (string, error) {
	lock, err := s.Frozen(b, NamedModel(io, g))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return lock.Hash, err
}

// NamedModel finds models in models.toml, which is read when the first is asked for.
func NamedModel(io *console.IO, g *console.Globals) study.Model {
	models := sync.OnceValues(func() (llm.Models, error) { return llm.LoadModels(llm.ModelsPath(g.Models, io.Getenv)) })
	return func(name string) (session.Model, error) {
		all, err := models()
		if err != nil {
			return session.Model{}, err
		}
		m, err := all.Get(name)
		return inputs.Describe(m), err
	}
}

// New returns `assay study`.
func New(io *console.IO, g *console.Globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "study",
		Short: "Plan a study with testers, freeze it, follow it, and collect its sessions",
		Long: `Plan a study with testers, freeze it, follow it, and collect its sessions. In this order:

  tour      see all of this once, on made-up testers
  init      write a study file to begin from
  check     check it; power computes how many testers and tasks an effect needs
  plan      show who gets what; simulate writes its report before there are data
  freeze    fix it by its hash: then testers begin, here, over SSH ('assay serve') or elsewhere
  pack      one file for each tester elsewhere, who types 'assay study join FILE'; reserve
            keeps places for certain testers
  watch     follow testers' progress, without results
  allow, close, withdraw
            let a late session continue, end one, remove a tester's data for good
  join      work in a study, with the file that its owner packed
  collect   collect the sessions of testers on other machines
  unblind   reveal which models a blind study compares; 'assay report --study FILE' reports it

FILE is a study file; without FILE the verbs take study.toml.`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTourVerb(io, g), newInit(io, g), newCheck(io, g), newPower(io, g), newPlan(io, g), newSimulate(io, g), newFreeze(io, g), newReserve(io, g), newPack(io, g), newWatch(io, g),
		newAllow(io, g), newClose(io, g), newWithdraw(io, g), newCollect(io, g), newUnblind(io, g))
	return cmd
}

// newInit returns `assay study init`.
func newInit(io *console.IO, _ *console.Globals) *cobra.Command {
	var print bool
	cmd := &cobra.Command{
		Use:        "init [FILE]",
		SuggestFor: []string{"new", "create", "make"},
		Example:    "  assay study init\n  assay study init comparison.toml\n  assay study init --print",
		Short:      "Create a study file to start from",
		Long: `Write a study file (study.toml unless FILE is named) in which every key is
explained. It fixes the tasks, the models, the order and the rules for all testers of
a study. 'assay study check' reports errors in it, 'assay study plan' shows who gets what, and
'assay study freeze' fixes it before the first tester begins. Nothing is overwritten.`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return console.Usagef("assay study init takes one file or none")
			}
			if print {
				_, err := fmt.Fprint(io.Out, study.Example())
				return err
			}
			path := studyFile
			if len(args) == 1 {
				path = args[0]
			}
			err := disk.Create(path, 0o644, disk.Bytes(study.Example()))
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%s already exists: name another file", path)
			}
			if err != nil {
				return fmt.Errorf("the study file cannot be written: %w", err)
			}
			fmt.Fprintf(io.Err, "wrote %s: edit it, then 'assay study check %s'\n", path, program.Word(path))
			return nil
		},
	}
	cmd.Flags().BoolVar(&print, "print", false, "print the file instead")
	return cmd
}

// newCheck returns `assay study check`.
func newCheck(io *console.IO, g *console.Globals) *cobra.Command {
	return &cobra.Command{
		Use:     "check [FILE]",
		Example: "  assay study check study.toml",
		Short:   "Check a study file",
		Long: `Check a study file: every field, the tasks that it draws, whether its models are in
models.toml and ready, and whether it has changed since it was frozen. Errors name the
file, the line, and what to do.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, b, err := studyArg(cmd, args)
			if err != nil {
				return err
			}
			sets, practice, err := s.Sets(b)
			if err != nil {
				return err
			}
			if err := checkArms(io, g, s); err != nil {
				return err
			}
			hash, err := frozenHash(io, g, s, b)
			if err != nil {
				return err
			}
			state := "not frozen yet"
			if hash != "" {
				state = "frozen as " + hash
			}
			each := len(sets[0])
			fmt.Fprintf(io.Out, "%s, version %d: %s %s, %s of %s, %s, %s; %s\n",
				s.Name, s.Version, frame.Count(len(s.Arms), "arm"), s.Dealt(), frame.Count(len(sets), "test set"), frame.Count(each, "task"), frame.Count(len(practice), "practice task"), frame.Count(s.Design.Testers, "tester"), state)
			warnTooFew(io, s)
			if tasks := len(sets) * each; s.Analysis.Model == session.ModelMixed && (tasks < stats.MixedTasks || s.Design.Testers < stats.MixedSubjects) {
				fmt.Fprintf(io.Err, "warning: [analysis] model = %q needs %d testers and %d tasks, and the plan has %d and %d: the report will compare over testers alone\n",
					session.ModelMixed, stats.MixedSubjects, stats.MixedTasks, s.Design.Testers, tasks)
			}
			if s.Tasks.Practice && len(practice) == 0 {
				fmt.Fprintf(io.Err, "warning: practice = true under [tasks], but the benchmark %s has no practice task: testers begin with the first set\n", frame.OneLine(b.Name))
			}
			if hash == "" {
				fmt.Fprintf(io.Err, "next: 'assay study plan %[1]s' shows what each tester gets, 'assay study simulate %[1]s' the report before there are data, and 'assay study freeze %[1]s' fixes it\n", program.Word(s.Path()))
			}
			return nil
		},
	}
}

// warnTooFew warns if the report will have no test of the difference between arms.
func warnTooFew(io *console.IO, s *study.Study) {
	if few := s.Fewest(); few > s.Design.Testers {
		fmt.Fprintf(io.Err, "warning: with %s the plan leaves the comparison of %s without a test: it needs %d or more ('assay study power %s' computes how many detect an effect)\n",
			frame.Count(s.Design.Testers, "tester"), frame.Count(len(s.Arms), "arm"), few, program.Word(s.Path()))
	}
}

// checkArms checks that the arms' models are known here. One that is known but not ready may be ready on the
// testers' machines, so that is a warning.
func checkArms(io *console.IO, g *console.Globals, s *study.Study) error {
	models, err := llm.LoadModels(llm.ModelsPath(g.Models, io.Getenv))
	if err != nil {
		return err
	}
	for _, a := range s.Models() {
		m, err := models.Get(a.Name)
		if err != nil {
			return fmt.Errorf("%s: arm %q: %w", s.Path(), a.Arm.Name, err)
		}
		if a.Arm.Against != "" {
			if err := inputs.Describe(m).AnswersBeside(); err != nil {
				return fmt.Errorf("%s: arm %q: %w", s.Path(), a.Arm.Name, err)
			}
		}
		if ready, why := m.Ready(inputs.ModelsDeps(io)); !ready {
			fmt.Fprintf(io.Err, "warning: arm %q: model %s cannot answer here: %s\n", a.Arm.Name, a.Name, why)
		}
	}
	return nil
}

// newPlan returns `assay study plan`.
func newPlan(io *console.IO, g *console.Globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "plan [FILE]",
		Example: "  assay study plan study.toml\n  assay study plan study.toml --json",
		Short:   "Show what each tester gets in a study, with the join codes",
		Long: `Print for each place the join code, who has it, and the sessions in their order: the arm and
the test sets, balanced by Latin squares. A tester begins, and later goes on, with

  assay --study FILE --join CODE --tester PSEUDONYM

The codes are of the frozen study: freeze it before you hand them out.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, b, err := studyArg(cmd, args)
			if err != nil {
				return err
			}
			hash, err := frozenHash(io, g, s, b)
			if err != nil {
				return err
			}
			all, taken := s.Assignments(hash), map[int]string{}
			if hash != "" {
				if taken, err = holders(io, g, s, hash); err != nil {
					return err
				}
			}
			for i := range all {
				all[i].Taken = taken[all[i].Tester]
			}
			if asJSON {
				return console.WriteJSON(io, all)
			}
			if hash == "" {
				fmt.Fprintln(io.Err, "note: the study is not frozen: its codes will change")
			}
			warnTooFew(io, s)
			if err := planAnalysis(io, s, b); err != nil {
				return err
			}
			w := console.NewTable(io.Out)
			fmt.Fprintln(w, "place\tcode\ttaken by\tsessions")
			for _, a := range all {
				var parts []string
				for _, p := range a.Sessions {
					parts = append(parts, s.Describe(p))
				}
				fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", a.Tester, a.Code, cmp.Or(frame.OneLine(a.Taken), "–"), strings.Join(parts, "; then "))
			}
			if err := w.Flush(); err != nil {
				return err
			}
			if hash == "" {
				fmt.Fprintf(io.Err, "next: 'assay study freeze %s' fixes the study and its codes\n", program.Word(s.Path()))
			} else {
				fmt.Fprintf(io.Err, "a tester begins and continues each session with: assay --study %s --join CODE\nnext: 'assay study pack %[1]s --out DIR' for testers elsewhere, 'assay serve %[1]s' for testers over SSH\n", program.Word(s.Path()))
			}
			return nil
		},
	}
	console.JSONFlag(cmd.Flags(), &asJSON, "print the plan as JSON", []study.Assignment{})
	return cmd
}

// planAnalysis prints the declared analysis and the saved power calculation.
func planAnalysis(io *console.IO, s *study.Study, b *benchmark.Benchmark) error {
	p, err := s.Planned()
	if err != nil {
		return err
	}
	sets, _, err := s.Sets(b)
	if err != nil {
		return err
	}
	if a := s.Analysis; a.Primary != "" {
		fmt.Fprintf(io.Out, "primary outcome: %s, by %s; the rest exploratory, corrected by %s\n", a.Primary, s.DesignWords(), a.Family)
	}
	if p != nil {
		row, planned := p.Of(s.Design.Testers, len(sets[0]))
		if !planned {
			return fmt.Errorf("%s has no row for %d testers with %d tasks in a set: compute it again with 'assay study power --keep %s'", study.PowerPath(s.Path()), s.Design.Testers, len(sets[0]), program.Word(s.Path()))
		}
		fmt.Fprintf(io.Out, "power: %s\n", p.Sentence(row))
	}
	return nil
}

// newFreeze returns `assay study freeze`.
func newFreeze(io *console.IO, g *console.Globals) *cobra.Command {
	return &cobra.Command{
		Use:     "freeze [FILE]",
		Example: "  assay study freeze study.toml",
		Short:   "Freeze a study by its hash before testers begin",
		Long: `Write FILE's lock beside it (study.lock.json): the hash of the study file, of what the
arms' models are in models.toml, of every task with its tests, and of the power
calculation that 'assay study power --keep' wrote. From then on a session of the study begins
only if nothing has changed but comments and layout, and records the hash. To change a frozen
study, raise its version and freeze it again: later sessions record the new version, and the
version before stays usable by its file, lock and power calculation as study.v1.toml and so on.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, b, err := studyArg(cmd, args)
			if err != nil {
				return err
			}
			if err := checkArms(io, g, s); err != nil {
				return err
			}
			warnTooFew(io, s)
			lock, kept, err := s.Freeze(b, NamedModel(io, g))
			if err != nil {
				return err
			}
			if len(kept) > 0 {
				fmt.Fprintf(io.Err, "kept the version before as %s\n", strings.Join(kept, ", "))
				if file := strings.TrimSuffix(kept[0], ".lock.json"); file != kept[0] { // an earlier build froze it
					fmt.Fprintf(io.Err, "its study file was not kept: to use that version, put it there as %s.toml\n", file)
				}
			}
			fmt.Fprintf(io.Err, "froze %s, version %d, with %s in %s\n", s.Name, s.Version, frame.Count(len(lock.Tasks), "task"), study.LockPath(s.Path()))
			fmt.Fprintln(io.Out, lock.Hash)
			fmt.Fprintf(io.Err, "next: 'assay study plan %s' prints the code of each tester\n", program.Word(s.Path()))
			return nil
		},
	}
}
