package cli

import (
	"context"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Run executes one command line and returns its exit code.
func Run(ctx context.Context, args []string, io *IO) int {
	io, out := checkedOutput(io)
	root := newRoot(io)
	root.SetArgs(currentName(root, args, io.Err))
	root.SetIn(io.In)
	root.SetOut(io.Out)
	root.SetErr(io.Err)
	code := exit(out.join(root.ExecuteContext(ctx)), io.Err)
	if signal, is := endedBy(ctx); is {
		return signal.code()
	}
	return code
}

// globals are the flags that every verb shares.
type globals struct {
	store, models, settings string
}

func newRoot(io *IO) *cobra.Command {
	g := &globals{}
	o := &openOptions{}
	root := &cobra.Command{
		Use:     "assay",
		Short:   "Evaluate code-generating language models the way people use them",
		Example: "  assay\n  assay --model rehearsal --benchmark starter --tasks 3 --plain\n  assay --study study.toml --join CODE",
		Long: `assay walks a tester through coding tasks with a language model: write a prompt,
watch the answer, see it executed, judge it, refine the prompt, up to k attempts,
then rate it. The same engines judge recorded samples without a human.

Without a verb, assay opens its screens on a terminal. The flags below begin a
new session at once; without them the home screen asks.`,
		Args:          noArgs,
		SilenceErrors: true, SilenceUsage: true,
		Version: version(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !io.Terminal && !o.plain {
				if slices.ContainsFunc(append([]string{"study", "join", "tester", "criterion"}, beginFlags...), cmd.Flags().Changed) {
					return usagef("the screens need a terminal, and input or output is none: add --plain to work line by line")
				}
				return cmd.Help()
			}
			return runOpen(cmd.Context(), io, g, o, cmd.Flags().Changed)
		},
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.SetUsageTemplate(usageTemplate(root))
	root.PersistentFlags().StringVar(&g.store, "store", "", "the `file` that sessions are kept in (default: $ASSAY_STORE, else assay.db in the user's data directory)")
	root.PersistentFlags().StringVar(&g.models, "models", "", "the models `file` (default: $ASSAY_MODELS, else models.toml in the user's configuration directory)")
	root.PersistentFlags().StringVar(&g.settings, "settings", "", "the settings `file` of the screens (default: $ASSAY_SETTINGS, else settings.toml in the user's configuration directory)")
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

// groups are the commands by what they are for, as help lists them.
var groups = []struct {
	title string
	verbs []func(*IO, *globals) *cobra.Command
}{
	{"A study with people", []func(*IO, *globals) *cobra.Command{newStudy, newServe, newSession, newRate, newReport}},
	{"Models without people", []func(*IO, *globals) *cobra.Command{newEval, newRun, newCompare}},
	{"Tasks", []func(*IO, *globals) *cobra.Command{newTasks, newPrompts, newDifficulty}},
	{"This machine", []func(*IO, *globals) *cobra.Command{newModels, newMeasure, newWorker, newSettings, newKeys, newDoctor}},
}

func init() {
	cobra.EnableCommandSorting = false // verbs are listed in the order in which they are used
	cobra.AddTemplateFunc("commonFlags", func(f *pflag.FlagSet) string { return usagesOf(f, false) })
	cobra.AddTemplateFunc("rareFlags", func(f *pflag.FlagSet) string { return usagesOf(f, true) })
}

// version is the version the program was built as.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "0.1.0"
}
