package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/cmd/cli/console"
	"assay/cmd/cli/difficulty"
	"assay/cmd/cli/eval"
	"assay/cmd/cli/machine"
	"assay/cmd/cli/measure"
	"assay/cmd/cli/prompts"
	"assay/cmd/cli/rate"
	"assay/cmd/cli/report"
	"assay/cmd/cli/run"
	"assay/cmd/cli/session"
	"assay/cmd/cli/study"
	"assay/cmd/cli/tasks"
)

// Run executes one command line and returns its exit code.
func Run(ctx context.Context, args []string, io *console.IO) int {
	io, out := console.CheckedOutput(io)
	root := newRoot(io)
	root.SetArgs(currentName(root, args, io.Err))
	root.SetIn(io.In)
	root.SetOut(io.Out)
	root.SetErr(io.Err)
	code := console.Exit(out.Join(root.ExecuteContext(ctx)), io.Err)
	if signal, ok := console.EndedBy(ctx); ok {
		return signal.Code()
	}
	return code
}

func newRoot(io *console.IO) *cobra.Command {
	g := &console.Globals{}
	o := &openOptions{}
	root := &cobra.Command{
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
			return runOpen(cmd.Context(), io, g, o, cmd.Flags().Changed)
		},
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(console.FlagError)
	root.SetUsageTemplate(usageTemplate(root))
	root.PersistentFlags().StringVar(&g.Store, "store", "", "the `file` that sessions are kept in (default: $ASSAY_STORE, else assay.db in the user's data directory)")
	root.PersistentFlags().StringVar(&g.Models, "models", "", "the models `file` (default: $ASSAY_MODELS, else models.toml in the user's configuration directory)")
	root.PersistentFlags().StringVar(&g.Settings, "settings", "", "the settings `file` of the screens (default: $ASSAY_SETTINGS, else settings.toml in the user's configuration directory)")
	o.flags(root)
	for _, group := range groups {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title + ":"})
		for _, newVerb := range group.verbs {
			verb := newVerb(io, g)
			verb.GroupID = group.title
			root.AddCommand(verb)
		}
	}
	root.SetHelpCommand(newHelp(io, root))
	addOldNames(root)
	return root
}

// newStudy returns `assay study` with the verbs that open screens or run others.
func newStudy(io *console.IO, g *console.Globals) *cobra.Command {
	cmd := study.New(io, g)
	cmd.AddCommand(newStudyJoin(io, g), newStudyTour(io, g))
	return cmd
}

// groups are the groups of commands in help.
var groups = []struct {
	title string
	verbs []func(*console.IO, *console.Globals) *cobra.Command
}{
	{"A study with people", []func(*console.IO, *console.Globals) *cobra.Command{newStudy, newServe, session.New, rate.New, report.New}},
	{"Models without people", []func(*console.IO, *console.Globals) *cobra.Command{eval.New, run.New, eval.NewCompare}},
	{"Tasks", []func(*console.IO, *console.Globals) *cobra.Command{tasks.New, prompts.New, difficulty.New}},
	{"This machine", []func(*console.IO, *console.Globals) *cobra.Command{machine.NewModels, measure.New, machine.NewWorker, machine.NewSettings, machine.NewKeys, machine.NewDoctor}},
}

func init() {
	cobra.EnableCommandSorting = false // verbs are listed in the order of their use
	cobra.AddTemplateFunc("commonFlags", func(f *pflag.FlagSet) string { return usagesOf(f, false) })
	cobra.AddTemplateFunc("rareFlags", func(f *pflag.FlagSet) string { return usagesOf(f, true) })
}
