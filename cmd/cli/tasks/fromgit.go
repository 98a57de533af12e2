package tasks

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/repository/history"
	"assay/benchmark/repository/testlog"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/judges"
	"assay/tui/frame"
)

// fromGitOptions are the flags of `assay tasks from-git`.
type fromGitOptions struct {
	span, out, name string
	most            int
	env             benchmark.Environment
	appended        string
	json            bool
	isolation       judges.Isolation
}

func newTasksFromGit(io *console.IO) *cobra.Command {
	o := &fromGitOptions{}
	cmd := &cobra.Command{
		Use:   "from-git DIR --range A..B --out FOLDER",
		Short: "Make tasks of a repository's own commits",
		Long: `Make a benchmark of a git repository's own commits: tasks that no model has seen.

A commit becomes a task if it changes tests and code, and if its tests show the change:
some fail before it and pass after it. Its message is the statement, its parent is what
answers start from, its changes of tests are applied after an answer, and its other
changes are the reference. A merged branch is one commit, with what its merge says, or
its commits if that is nothing; of a line of development that is merged, such as
another release, the commits are taken one by one. Each task is checked as 'assay tasks
check' does: five times, all tests of its lists must pass with the reference.

How the tests run is guessed: pytest or unittest for Python, go test, vitest, jest or
mocha if package.json names them, else node --test; else name it with --test and
--parser. Where the changed files have no test that passes before the change, all tests
beside them run, too. They run without a network, so packages have to be
installed. Read each statement before use: a message is written for people who know
the code, and may contain the solution.

FOLDER then has a folder for each task and a git bundle with the commits from which
answers start, so that it can be given to others. The same command goes on where it was
stopped.`,
		Example: "  assay tasks from-git ~/src/project --range v1.2..main --out project-tasks\n" +
			"  assay tasks from-git . --range HEAD~50..HEAD --out ours --test 'make check' --parser tap",
		Args: console.One("the DIR of a git repository"),
		RunE: func(cmd *cobra.Command, args []string) error { return runTasksFromGit(cmd.Context(), io, o, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.span, "range", "", "the `commits`, as git names them: A..B")
	f.StringVar(&o.out, "out", "", "the benchmark's `folder`")
	f.StringVar(&o.name, "name", "", "the `name` of the repository, as OWNER/NAME (default: that of its directory)")
	f.IntVar(&o.most, "most", 0, "stop after this `number` of tasks (default: all)")
	console.Bounds(f, "most", 0, 100_000)
	f.StringArrayVar(&o.env.Test, "test", nil, "a shell `command` that runs the tests; may be repeated, the last one is read")
	f.StringVar(&o.env.Parser, "parser", "", "the `format` of its output: see 'assay help repositories'")
	f.StringVar(&o.appended, "append", "", "what is appended to the last command: `files` of the tests, or modules")
	f.StringVar(&o.env.Toolchain, "toolchain", "", "the `toolchain`: python, go, node, or another program")
	f.StringVar(&o.env.Version, "version", "", "its `version`, as 3.9 (default: any)")
	f.StringArrayVar(&o.env.Prepare, "prepare", nil, "a shell `command` to run once in a fresh tree; may be repeated")
	f.StringArrayVar(&o.env.Libraries, "libraries", nil, "a `directory` of packages that tests may read; may be repeated")
	console.JSONFlag(f, &o.json, "print one JSON object for each commit", history.Proposal{})
	o.isolation.Flags(cmd)
	return cmd
}

func runTasksFromGit(ctx context.Context, io *console.IO, o *fromGitOptions, dir string) error {
	o.env.Arguments = benchmark.TestArguments(o.appended)
	switch {
	case o.span == "" || o.out == "":
		return console.Usagef("assay tasks from-git needs commits and a place: give --range A..B and --out FOLDER")
	case (len(o.env.Test) == 0) != (o.env.Parser == ""):
		return console.Usagef("--test and --parser belong together: the formats are %s", testlog.Parsers())
	case len(o.env.Test) == 0 && !o.env.IsZero():
		return console.Usagef("the flags of an environment need --test and --parser, too")
	}
	for _, problem := range o.env.Problems() {
		return console.Usagef("%s", problem)
	}
	repository, err := history.Open(ctx, dir)
	if err != nil {
		return err
	}
	commits, err := repository.Commits(ctx, o.span)
	if err != nil {
		return err
	}
	if len(commits) == 0 {
		return fmt.Errorf("the range %s has no commits with a parent", o.span)
	}
	j, done, err := judges.OpenHere(ctx, io, &judges.Options{Isolation: o.isolation}, nil)
	if err != nil {
		return err
	}
	defer done()
	var all []history.Proposal
	tasks, left := 0, map[string]int{}
	options := history.Options{Tests: j, Folder: o.out, Name: o.name, Environment: o.env, Rounds: 1 + len(hashSeeds), Most: o.most}
	expect := expected(io, commits, options.Runs())
	err = repository.Propose(ctx, commits, options, func(p history.Proposal) {
		all = append(all, p)
		expect(p)
		if p.Task != "" {
			tasks++
		} else {
			left[reasonIn(p.Problem)]++
		}
		if o.json {
			console.WriteJSON(io, p)
			return
		}
		printProposal(io, p)
	})
	if err != nil {
		return err
	}
	for _, why := range slices.SortedFunc(maps.Keys(left), func(a, b string) int { return cmp.Or(cmp.Compare(left[b], left[a]), cmp.Compare(a, b)) }) {
		fmt.Fprintf(io.Err, "left out: %s: %s\n", frame.Count(left[why], "commit"), verdicts.StripEscapes(why))
	}
	fmt.Fprintf(io.Err, "%s of %s: %s\n", frame.Count(tasks, "task"), frame.Count(len(all), "commit"), o.out)
	if tasks == 0 {
		return console.WithCode(console.ExitPartial, fmt.Errorf("no commit of the range became a task"))
	}
	return nil
}

func printProposal(io *console.IO, p history.Proposal) {
	title := verdicts.StripEscapes(p.Title)
	switch {
	case p.Exists:
		fmt.Fprintf(io.Out, "%.8s  %s\n          is in %s already\n", p.Commit, title, p.Task)
	case p.Task != "":
		fmt.Fprintf(io.Out, "%.8s  %s\n          → %s: fail_to_pass %d, pass_to_pass %d\n", p.Commit, title, p.Task, p.FailToPass, p.PassToPass)
	default:
		fmt.Fprintf(io.Out, "%.8s  %s\n          no task: %s\n", p.Commit, title, verdicts.StripEscapes(p.Problem))
	}
}

// reasonIn is a problem without what only one commit has, so that commits are counted by it.
func reasonIn(problem string) string {
	why, _, _ := strings.Cut(problem, ": ")
	return regexp.MustCompile(`\d+`).ReplaceAllString(why, "N")
}

// expected says how many commits will be tried and how often their tests run, and after the first one that was tried,
// how long all will take.
func expected(io *console.IO, commits []history.Commit, runs int) func(history.Proposal) {
	suit := 0
	for i := range commits {
		if commits[i].Unsuitable() == "" {
			suit++
		}
	}
	fmt.Fprintf(io.Err, "%s, of which %d change tests and code; the tests of each run up to %d times\n", frame.Count(len(commits), "commit"), suit, runs)
	began, told := time.Now(), false
	return func(p history.Proposal) {
		if !p.Ran {
			return
		}
		if suit--; !told && suit > 0 {
			each := time.Since(began)
			fmt.Fprintf(io.Err, "the first took %.0f s: at this pace, all others take %.0f min\n", each.Seconds(), (time.Duration(suit) * each).Minutes())
			told = true
		}
	}
}
