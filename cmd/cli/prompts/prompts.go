package prompts

import (
	"errors"
	"fmt"
	stdio "io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/data"
	"assay/data/disk"
	"assay/session/harden"
	"assay/session/overlap/modeljudge"
	"assay/session/prompts"
	"assay/tui/frame"
)

// New returns `assay prompts`.
func New(io *console.IO, g *console.Globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "prompts",
		Short: "Show, have written, and review the prompts of tasks",
		Long: `The wordings in which tasks are put to models when no tester formulates them: the three
levels of Yeo et al., which follow from the task alone, and TaskEval's three context
levels of six wordings each, which a model writes and people review.

FILE is a file of written prompts. It is only ever added to: what a model wrote and
what reviewers decided is never lost, and nothing is asked for twice.`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPromptsShow(io), newPromptsWrite(io, g), newPromptsReview(io, g), newPromptsStatus(io), newPromptsTemplates(io), newPromptsExport(io))
	return cmd
}

// Tasks holds the flags for the tasks that prompts belong to.
type Tasks struct {
	File, format string
	choose       inputs.Chooser
}

// Flags adds --tasks and --tasks-format.
func (p *Tasks) Flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.File, "tasks", "", "the `file` of the tasks, or the name of a bundled benchmark")
	cmd.Flags().StringVar(&p.format, "tasks-format", "", inputs.TasksFormatHelp)
	p.choose.Flags(cmd.Flags())
}

// Load reads the benchmark and selects its tasks.
func (p *Tasks) Load(io *console.IO) (*benchmark.Benchmark, []*benchmark.Task, error) {
	if p.File == "" {
		return nil, nil, console.Usagef("the tasks of the prompts are unknown: give --tasks FILE, or the name of a bundled benchmark (%s)", data.BenchmarkNames())
	}
	b, err := (&inputs.TaskLoader{Format: p.format, Err: io.Err}).Load(p.File)
	if err != nil {
		return nil, nil, err
	}
	filter, err := p.choose.Filter()
	if err != nil {
		return nil, nil, err
	}
	tasks, _ := filter.Select(b)
	if len(tasks) == 0 {
		return nil, nil, p.choose.NoMatch(p.File, b.Pointers())
	}
	return b, tasks, nil
}

var onePromptFile = console.One("one FILE of prompts as 'assay prompts write' makes it")

func newPromptsShow(io *console.IO) *cobra.Command {
	var asJSON bool
	var level int
	kind := "levels"
	p := &Tasks{}
	cmd := &cobra.Command{
		Use:   "show TASKS [ID...]",
		Short: "Print the prompts derived from tasks alone",
		Long: `Print the prompts of tasks that need no model to write them: the three levels of Yeo et
al. (1 the description, 2 with the constraints, 3 with the examples, each with the
signature), with --kind context the context levels that bundled tasks bring along, with
--kind statement the task as its file states it, and with --kind original what prompts
are written from: the statement without its examples.`,
		Example: "  assay prompts show starter merge-shifts --level 2\n  assay prompts show HumanEval.jsonl.gz HumanEval/108 --kind original",
		Args:    console.Some(fmt.Sprintf("a file of TASKS or the name of a bundled benchmark (%s), and ids", data.BenchmarkNames())),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("level") && (level < 1 || level > benchmark.MaxPromptLevel) {
				return console.Usagef("--level %d: the levels are 1, 2 and 3", level)
			}
			p.File = args[0]
			_, tasks, err := p.Load(io)
			if err != nil {
				return err
			}
			list, err := shownPrompts(tasks, args[1:], kind, level)
			if err != nil {
				return err
			}
			if asJSON {
				return prompts.Export(console.Data(io.Out), list)
			}
			for _, prompt := range list {
				if _, err := fmt.Fprintf(io.Out, "== %s · %s\n\n%s\n\n", frame.OneLine(prompt.Task), frame.OneLine(prompt.Name), verdicts.StripEscapes(strings.TrimSpace(prompt.Text))); err != nil {
					return err
				}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.IntVar(&level, "level", 0, "only this `level`, 1 to 3")
	console.Bounds(f, "level", 0, 3)
	f.StringVar(&kind, "kind", kind, "which prompts: levels, context, statement or original")
	f.StringVar(&p.format, "tasks-format", "", inputs.TasksFormatHelp)
	p.choose.Flags(cmd.Flags())
	console.JSONFlag(f, &asJSON, "print JSON Lines, a prompt each", prompts.Prompt{})
	return cmd
}

// shownPrompts returns the prompts of a kind for the tasks with the given ids, or for all.
func shownPrompts(tasks []*benchmark.Task, ids []string, kind string, level int) ([]prompts.Prompt, error) {
	kinds := map[string]func(*benchmark.Task) []prompts.Prompt{
		"levels": prompts.Levels, "context": prompts.Context,
		"statement": func(t *benchmark.Task) []prompts.Prompt { return []prompts.Prompt{prompts.Statement(t)} },
		"original": func(t *benchmark.Task) []prompts.Prompt {
			return []prompts.Prompt{{Task: t.ID, Name: "original", Text: prompts.Original(t)}}
		},
	}
	promptsOf := kinds[kind]
	if promptsOf == nil {
		return nil, console.Usagef("--kind takes levels, context, statement or original, not %q", kind)
	}
	for _, id := range ids {
		if !slices.ContainsFunc(tasks, func(t *benchmark.Task) bool { return t.ID == id }) {
			return nil, fmt.Errorf("there is no task %q among those chosen; 'assay tasks list' lists the ids", id)
		}
	}
	var list []prompts.Prompt
	for _, t := range tasks {
		if len(ids) > 0 && !slices.Contains(ids, t.ID) {
			continue
		}
		for _, p := range promptsOf(t) {
			if level == 0 || p.Level == level {
				list = append(list, p)
			}
		}
	}
	return list, nil
}

// Templates reads templates of a folder, or the built-in ones.
func Templates(folder string, files []string) (*prompts.Templates, error) {
	if folder != "" {
		return prompts.LoadTemplates(os.DirFS(folder), folder, files)
	}
	builtin, err := data.PromptTemplates()
	if err != nil {
		return nil, err
	}
	return prompts.LoadTemplates(builtin, "assay", files)
}

func newPromptsTemplates(io *console.IO) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "templates DIR",
		Example: "  assay prompts templates templates",
		Short:   "Write the templates for requests to prompt models",
		Long:    "Write the templates into the folder DIR, to be edited and used with --templates DIR.\nExisting files are left unchanged. The fields that a template may use are\n\n" + templateFields(),
		Args:    console.One("one DIR to write to"),
		RunE:    func(_ *cobra.Command, args []string) error { return writeTemplates(io, args[0]) },
	}
	return cmd
}

// templateFields describes the fields of templates.
func templateFields() string {
	var b strings.Builder
	for _, f := range prompts.FieldNames() {
		fmt.Fprintf(&b, "  {{.%-12s %s\n", f[0]+"}}", f[1])
	}
	return b.String()
}

func writeTemplates(io *console.IO, dir string) error {
	builtin, err := data.PromptTemplates()
	if err != nil {
		return err
	}
	if err := disk.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the folder of the templates cannot be created: %w", err)
	}
	for _, name := range slices.Concat(prompts.TemplateNames(), harden.TemplateNames(), modeljudge.TemplateNames()) {
		text, err := fs.ReadFile(builtin, name)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, name)
		err = disk.Create(path, 0o644, disk.Bytes(text))
		if errors.Is(err, fs.ErrExist) {
			fmt.Fprintf(io.Err, "%s already exists and is left unchanged\n", path)
			continue
		}
		if err != nil {
			return fmt.Errorf("the template cannot be written: %w", err)
		}
		if _, err := fmt.Fprintln(io.Out, path); err != nil {
			return err
		}
	}
	return nil
}

func newPromptsExport(io *console.IO) *cobra.Command {
	var out console.OutFlags
	var unreviewed bool
	p := &Tasks{}
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Write the usable prompts as JSON Lines",
		Long: `Write the prompts that may be used, a line each, with task, name, level, wording and
what their review came to. With --tasks they are as they are sent, with the interface of
what is to be written, and only those that are of the tasks as they are now; without,
they are the wordings alone.`,
		Example: "  assay prompts export prompts.jsonl --tasks starter --out accepted.jsonl",
		Args:    onePromptFile,
		RunE: func(_ *cobra.Command, args []string) error {
			set, err := prompts.Open(args[0])
			if err != nil {
				return err
			}
			var list []prompts.Prompt
			if p.File == "" {
				for _, id := range set.Tasks() {
					list = append(list, set.ForID(id, unreviewed)...)
				}
			} else {
				_, tasks, err := p.Load(io)
				if err != nil {
					return err
				}
				SayStale(io, set, tasks)
				for _, t := range tasks {
					list = append(list, set.For(t, unreviewed)...)
				}
			}
			return exportPrompts(io, list, out)
		},
	}
	f := cmd.Flags()
	p.Flags(cmd)
	out.Flags(cmd)
	f.BoolVar(&unreviewed, "unreviewed", false, "also include prompts not yet reviewed, marked as such")
	return cmd
}

func exportPrompts(io *console.IO, list []prompts.Prompt, to console.OutFlags) error {
	if err := to.Out(io).Put(func(w stdio.Writer) error { return prompts.Export(w, list) }); err != nil {
		return fmt.Errorf("the prompts cannot be written: %w", err)
	}
	to.Wrote(io, "%s", frame.Count(len(list), "prompt"))
	return nil
}

// SayStale lists the tasks whose prompts were written for an older version.
func SayStale(io *console.IO, set *prompts.Set, tasks []*benchmark.Task) {
	for _, t := range tasks {
		if n := set.Stale(t); n > 0 {
			fmt.Fprintf(io.Err, "%s has changed since %d of its prompts were written: they are not used; 'assay prompts write' writes new ones\n", frame.OneLine(t.ID), n)
		}
	}
}

// promptStatus is the JSON form of `assay prompts status`.
type promptStatus struct {
	File      string          `json:"file"`
	Benchmark string          `json:"benchmark"`
	Author    prompts.Author  `json:"author"`
	Templates string          `json:"templates"`
	Reviewers int             `json:"reviewers"`
	Tasks     int             `json:"tasks"`
	Prompts   int             `json:"prompts"`
	States    map[string]int  `json:"states"`
	Waiting   int             `json:"waiting"` // unreviewed, but with some decisions
	Stale     *int            `json:"stale,omitempty"`
	Flagged   *int            `json:"flagged,omitempty"`
	By        map[string]int  `json:"by"`
	Disputes  []promptDispute `json:"disputes"`
}

// promptDispute is a prompt about which reviewers disagree.
type promptDispute struct {
	Task      string             `json:"task"`
	Name      string             `json:"name"`
	Decisions []prompts.Decision `json:"decisions"`
}

func newPromptsStatus(io *console.IO) *cobra.Command {
	var asJSON bool
	p := &Tasks{}
	cmd := &cobra.Command{
		Use:     "status FILE",
		Example: "  assay prompts status prompts.jsonl",
		Short:   "Show the progress of the review of written prompts",
		Long: `Count the prompts of FILE by what their review came to, and list those that reviewers
disagree about with what each decided. With --tasks it also counts the prompts that are
flagged, and those that were written for an older version of their task.`,
		Args: onePromptFile,
		RunE: func(_ *cobra.Command, args []string) error {
			set, err := prompts.Open(args[0])
			if err != nil {
				return err
			}
			counts, known := prompts.CountAll(set), p.File != ""
			if known {
				_, tasks, err := p.Load(io)
				if err != nil {
					return err
				}
				SayStale(io, set, tasks)
				counts = prompts.Count(set, tasks...)
			}
			if asJSON {
				return console.WriteJSON(io, statusOf(set, counts, known))
			}
			return printStatus(io, set, counts, known)
		},
	}
	p.Flags(cmd)
	console.JSONFlag(cmd.Flags(), &asJSON, "print JSON", promptStatus{})
	return cmd
}

func statusOf(set *prompts.Set, c prompts.Counts, known bool) promptStatus {
	s := promptStatus{
		File: set.Path, Benchmark: set.Header.Benchmark, Author: set.Header.Author, Templates: set.Header.Templates, Reviewers: set.Header.Reviewers,
		Tasks: len(set.Tasks()), Prompts: c.Prompts, States: map[string]int{}, Waiting: c.Waiting, By: c.By, Disputes: []promptDispute{},
	}
	for _, r := range prompts.Reviews() {
		s.States[string(r)] = c.States[r]
	}
	if known {
		s.Stale, s.Flagged = &c.Stale, &c.Flagged
	}
	for _, e := range c.Disputes {
		s.Disputes = append(s.Disputes, promptDispute{e.Task, e.Name, e.Decisions})
	}
	return s
}

func printStatus(io *console.IO, set *prompts.Set, c prompts.Counts, known bool) error {
	fmt.Fprintf(io.Out, "%s of %s of %s, written by %s; reviewers wanted for each: %d\n\n",
		frame.Count(c.Prompts, "prompt"), frame.Count(len(set.Tasks()), "task"), frame.OneLine(set.Header.Benchmark), frame.OneLine(set.Header.Author.Name), set.Header.Reviewers)
	table := console.NewNumbers(io.Out)
	for _, r := range prompts.Reviews() {
		note := ""
		if r == prompts.Unreviewed && c.Waiting > 0 {
			note = fmt.Sprintf("  %d of them wait for another reviewer", c.Waiting)
		}
		fmt.Fprintf(table, "%s\t%d\t%s\n", r, c.States[r], note)
	}
	if known {
		fmt.Fprintf(table, "flagged\t%d\t\nstale\t%d\t\n", c.Flagged, c.Stale)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, who := range slices.Sorted(maps.Keys(c.By)) {
		fmt.Fprintf(io.Out, "\n%s has decided about %d", frame.OneLine(who), c.By[who])
	}
	if len(c.By) > 0 {
		fmt.Fprintln(io.Out)
	}
	for i, e := range c.Disputes {
		if i == 0 {
			fmt.Fprintf(io.Out, "\nReviewers disagree about\n")
		}
		fmt.Fprintf(io.Out, "  %s %s\n", frame.OneLine(e.Task), frame.OneLine(e.Name))
		for _, d := range e.Decisions {
			fmt.Fprintf(io.Out, "    %s: %s\n", frame.OneLine(d.Reviewer), verdicts.StripEscapes(d.String()))
		}
	}
	return nil
}
