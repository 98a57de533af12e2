package tasks

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/author"
	"assay/benchmark/judge"
	"assay/benchmark/strength"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/judges"
	"assay/data/disk"
	"assay/data/language"
	"assay/data/program"
)

// tasksNewOptions are the flags of `assay tasks new`.
type tasksNewOptions struct {
	id, title, language, signature string
	prompt, reference              string
	difficulty, kind, category     string
	topics, constraints, inputs    []string
	count                          int
	yes                            bool
	isolation                      judges.Isolation
}

func newTasksNew(io *console.IO) *cobra.Command {
	o := &tasksNewOptions{}
	cmd := &cobra.Command{
		Use:   "new FOLDER --prompt FILE --reference FILE",
		Short: "Make a task of your own from a prompt and a reference solution",
		Long: `Make a task of your own in a benchmark folder, which is made if it is not there.

The prompt is the statement, in Markdown. The reference solution is a program that
defines the function to be written. assay calls it with ordinary inputs and with
those at the edges of its parameters' types, and proposes as test cases the calls
that tell most small faults of the solution (mutants) from it. You say of each
whether it is right: what the solution returns is proposed, not known to be right.
Your own inputs can be added with --input, as a JSON list of arguments.

Then the task is checked as 'assay tasks check --strength' does. What was written is
a folder with task.json and the reference, to be edited further: examples,
constraints, metadata, recorded answers.`,
		Example: "  assay tasks new ours --prompt statement.md --reference split_bill.py\n" +
			"  assay tasks new ours --id split --prompt statement.md --reference split.go --signature 'Split(total: int, people: int) -> list[int]' --input '[100, 3]'",
		Args: console.One("the FOLDER of a benchmark"),
		RunE: func(cmd *cobra.Command, args []string) error { return runTasksNew(cmd.Context(), io, o, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.prompt, "prompt", "", "the `file` with the statement, in Markdown")
	f.StringVar(&o.reference, "reference", "", "the `file` with the reference solution")
	f.StringVar(&o.signature, "signature", "", "the `signature`, as 'split(total: int, names: list[str]) -> dict[str, int]' (default: read from a Python reference)")
	f.StringVar(&o.language, "language", "", "the programming `language` (default: by the reference's extension)")
	f.StringVar(&o.id, "id", "", "the `id` of the task (default: the name of the function, with hyphens)")
	f.StringVar(&o.title, "title", "", "one `line` for lists (default: the first line of the prompt)")
	f.StringVar(&o.difficulty, "difficulty", "", "easy, medium or hard")
	f.StringVar(&o.kind, "type", "", "the `kind` of code wanted, as numerical or structural")
	f.StringVar(&o.category, "category", "", "the `area` of the language, as strings")
	f.StringSliceVar(&o.topics, "topic", nil, "`topics`, with commas between them")
	f.StringArrayVar(&o.constraints, "constraint", nil, "a `sentence` that the prompt's second level adds; may be repeated")
	f.StringArrayVar(&o.inputs, "input", nil, "`arguments` to call the reference with, as a JSON list; may be repeated")
	f.IntVar(&o.count, "cases", 20, "`number` of test cases proposed at most")
	console.Bounds(f, "cases", 1, 10000)
	f.BoolVar(&o.yes, "yes", false, "accept all proposed test cases, unseen: look at them in task.json then")
	o.isolation.Flags(cmd)
	return cmd
}

var notInID = regexp.MustCompile(`[^a-z0-9]+`)

// task creates the task from the files that the flags name, without tests.
func (o *tasksNewOptions) task() (*benchmark.Task, error) {
	if o.prompt == "" || o.reference == "" {
		return nil, console.Usagef("assay tasks new needs the statement and a solution: give --prompt FILE and --reference FILE")
	}
	prompt, err := disk.ReadFile(o.prompt, disk.Settings)
	if err != nil {
		return nil, fmt.Errorf("the prompt cannot be read: %w", err)
	}
	reference, err := disk.ReadFile(o.reference, disk.Settings)
	if err != nil {
		return nil, fmt.Errorf("the reference solution cannot be read: %w", err)
	}
	written := cmp.Or(o.language, language.OfFile(o.reference))
	if written == "" {
		return nil, console.Usagef("the language cannot be inferred from the name %s: give --language", o.reference)
	}
	text := strings.TrimSpace(string(prompt))
	if text == "" {
		return nil, fmt.Errorf("the prompt %s is empty; it must hold the statement that people and models read", o.prompt)
	}
	var entry string
	var sig benchmark.Signature
	if o.signature != "" {
		entry, sig, err = author.ParseSignature(o.signature)
	} else {
		entry, sig, err = author.SignatureOf(written, string(reference), "")
	}
	if err != nil {
		return nil, console.Usagef("%v; --signature 'name(parameter: type) -> type' gives it", err)
	}
	first, _, _ := strings.Cut(text, "\n")
	t := &benchmark.Task{
		ID:       cmp.Or(o.id, strings.Trim(notInID.ReplaceAllString(strings.ToLower(entry), "-"), "-")),
		Title:    cmp.Or(o.title, strings.TrimSpace(strings.TrimLeft(first, "# "))),
		Language: written, EntryPoint: entry, Signature: sig, Description: text, Constraints: o.constraints,
		Difficulty: benchmark.Difficulty(o.difficulty), Type: o.kind, Category: o.category, Topics: o.topics,
		Published: benchmark.Date(time.Now().Format(time.DateOnly)), Reference: string(reference),
	}
	return t, nil
}

func runTasksNew(ctx context.Context, io *console.IO, o *tasksNewOptions, folder string) error {
	task, err := o.task()
	if err != nil {
		return err
	}
	if err := o.isolation.Check(io.Getenv); err != nil {
		return err
	}
	inputs := author.Inputs(task.Signature)
	for _, text := range o.inputs {
		var args []json.RawMessage
		if err := json.Unmarshal([]byte(text), &args); err != nil {
			return console.Usagef("--input %q is not a JSON list of arguments, as '[100, \"a\"]': %v", text, err)
		}
		same := func(other []json.RawMessage) bool { return slices.EqualFunc(args, other, sameJSON) }
		inputs = append([][]json.RawMessage{args}, slices.DeleteFunc(inputs, same)...)
	}
	if err := author.Free(folder, task.ID); err != nil {
		return console.Usagef("%v; choose another with --id, or edit that one", err)
	}
	examiner, done, err := openExaminer(ctx, io, &tasksCheckOptions{strength: true, isolation: o.isolation})
	if err != nil {
		return err
	}
	defer done()
	proposals, mutants, err := author.Propose(ctx, examiner.Judge.(*judge.Judge), task, inputs, len(o.inputs), o.count)
	if err != nil {
		return err
	}
	accepted, err := o.ask(io, task, proposals, mutants)
	if err != nil {
		return err
	}
	task.Tests = benchmark.Tests{Style: benchmark.Calls, Cases: accepted}
	if err := task.Check(); err != nil {
		return console.Usagef("%v", err)
	}
	path, err := author.Write(folder, task)
	if err != nil {
		return err
	}
	fmt.Fprintf(io.Err, "written: %s, with %d test cases\n\n", path, len(accepted))
	x, err := examiner.Examine(ctx, task, nil)
	if err != nil {
		return err
	}
	printChecked(io.Out, checked{Files: []checkedFile{{File: folder, Tasks: []*strength.Examination{x}}}, Faults: x.Faults()}, &tasksCheckOptions{strength: true, survivors: true})
	if x.Faults() > 0 {
		return fmt.Errorf("%d faults were found in the new task; fix them in %s and run 'assay tasks check %s --strength'", x.Faults(), path, program.Word(folder))
	}
	return nil
}

// sameJSON compares two values ignoring white space.
func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// ask shows each proposed test case and returns those that the user accepts.
func (o *tasksNewOptions) ask(io *console.IO, task *benchmark.Task, proposals []author.Proposal, mutants int) ([]benchmark.Case, error) {
	var accepted []benchmark.Case
	keep := func(p author.Proposal) {
		p.Name = fmt.Sprintf("case %d", len(accepted)+1)
		accepted = append(accepted, p.Case)
	}
	if o.yes {
		for _, p := range proposals {
			keep(p)
		}
		return accepted, nil
	}
	lines := bufio.NewScanner(io.In)
	fmt.Fprintf(io.Out, "%d proposed test cases. Must %s return each of these?\n", len(proposals), task.EntryPoint)
	fmt.Fprint(io.Out, "y yes   n no   a this one and all the rest   q quit\n\n")
	all := false
	for i, p := range proposals {
		fmt.Fprintf(io.Out, "%d/%d  %s\n      %s", i+1, len(proposals), verdicts.StripEscapes(p.Call(task.EntryPoint)), verdicts.StripEscapes(p.Shows))
		if p.Kills > 0 {
			fmt.Fprintf(io.Out, "   (kills %d of %d mutants)", p.Kills, mutants)
		}
		fmt.Fprintln(io.Out)
		right := true
		for answered := all; !answered; {
			fmt.Fprint(io.Out, "      y/n/a/q? ")
			if !lines.Scan() {
				return nil, errors.Join(errors.New("input ended before all test cases were reviewed, so nothing was written; --yes accepts all"), lines.Err())
			}
			answered = true
			switch strings.ToLower(strings.TrimSpace(lines.Text())) {
			case "y", "yes":
			case "a", "all":
				all = true
			case "n", "no":
				right = false
			case "q", "quit":
				return accepted, enough(accepted)
			default:
				answered = false
			}
		}
		if right {
			keep(p)
		}
	}
	return accepted, enough(accepted)
}

func enough(accepted []benchmark.Case) error {
	if len(accepted) == 0 {
		return errors.New("no test case was accepted, so nothing was written; fix the reference solution, or give your own inputs with --input")
	}
	return nil
}
