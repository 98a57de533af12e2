package prompts

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/terminal"
	"assay/data/program"
	"assay/session/prompts"
	screen "assay/tui/prompts"
)

// promptsReviewOptions are the flags of `assay prompts review`.
type promptsReviewOptions struct {
	Tasks
	reviewer, model, templates string
}

func newPromptsReview(io *console.IO, g *console.Globals) *cobra.Command {
	o := &promptsReviewOptions{}
	cmd := &cobra.Command{
		Use:   "review FILE --tasks TASKS",
		Short: "Review written prompts on the screen: accept, edit, reject",
		Long: `Look at the original and at what the model wrote side by side, with the difference
marked and doubts flagged, and accept, edit or reject each prompt, or ask for another
wording. Each decision is in FILE at once, and can be taken back.

A second reviewer gives another name with --reviewer, and sees the first one's decision
only after his own. What they disagree about is listed, and can be settled.`,
		Example: "  assay prompts review prompts.jsonl --tasks core-python --reviewer ann",
		Args:    onePromptFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runPromptsReview(cmd.Context(), io, g, o, args[0])
		},
	}
	f := cmd.Flags()
	o.Flags(cmd)
	f.StringVar(&o.reviewer, "reviewer", "", "the `name` of who decides (default: $USER)")
	f.StringVar(&o.model, "model", "", "the `name` of the model that is asked for other wordings (default: the one that wrote FILE)")
	f.StringVar(&o.templates, "templates", "", "the `folder` of templates to ask with (default: assay's own)")
	return cmd
}

func runPromptsReview(ctx context.Context, io *console.IO, g *console.Globals, o *promptsReviewOptions, path string) (err error) {
	if !io.Terminal {
		return console.Usagef("assay prompts review needs a terminal; 'assay prompts status %s' and 'assay prompts export %[1]s' print", program.Word(path))
	}
	reviewer := cmp.Or(o.reviewer, io.Getenv("USER"), io.Getenv("USERNAME"))
	if reviewer == "" {
		return console.Usagef("who reviews is unknown: give --reviewer NAME")
	}
	_, tasks, err := o.Load(io)
	if err != nil {
		return err
	}
	set, err := prompts.Change(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, set.Close()) }()
	SayStale(io, set, tasks)
	opts := screen.Options{Set: set, Tasks: tasks, Reviewer: reviewer, Now: time.Now}
	o.writer(io, g, &opts)
	return terminal.Run(ctx, io, g, screen.New(opts))
}

// writer enables the screen to request other wordings, or tells it why that is impossible.
func (o *promptsReviewOptions) writer(io *console.IO, g *console.Globals, opts *screen.Options) {
	opts.Writer = cmp.Or(o.model, opts.Set.Header.Author.Name)
	w, model, err := promptWriter(io, g, opts.Writer, o.templates, nil)
	if err != nil {
		opts.NoWriter = err.Error()
		return
	}
	if ready, why := model.Ready(inputs.ModelsDeps(io)); !ready {
		opts.NoWriter = model.Name + " is not ready: " + why
		return
	}
	w.Set = opts.Set
	opts.Another = func(ctx context.Context, t *benchmark.Task, level, wording int) error {
		return w.Another(ctx, t, level, wording)
	}
}
