package cli

import (
	"context"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Run executes one command line and returns its exit code.
func Run(ctx context.Context, args []string, io *IO) int {
	io, out := checkedOutput(io)
	root := newRoot(io)
	root.SetArgs(args)
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
		Use:   "assay",
		Short: "Evaluate code-generating language models the way people use them",
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
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%v; see '%s --help'", err, cmd.CommandPath())
	})
	root.PersistentFlags().StringVar(&g.store, "store", "", "the `file` that sessions are kept in (default: $ASSAY_STORE, else assay.db in the user's data directory)")
	root.PersistentFlags().StringVar(&g.models, "models", "", "the models `file` (default: $ASSAY_MODELS, else models.toml in the user's configuration directory)")
	root.PersistentFlags().StringVar(&g.settings, "settings", "", "the settings `file` of the screens (default: $ASSAY_SETTINGS, else settings.toml in the user's configuration directory)")
	o.flags(root)
	for _, verb := range verbs {
		root.AddCommand(verb(io, g))
	}
	root.SetHelpCommand(newHelp(io, root))
	return root
}

// verbs lists the commands, one file each.
var verbs = []func(*IO, *globals) *cobra.Command{
	newEval, newGenerate, newBatch, newDifficulty, newTasks, newSamples, newMeasure, newCompare, newReport, newImport, newExport, newVerify, newRebuild, newSession, newModels, newPrompts, newRatings, newDoctor,
	newInit, newCheck, newServe, newWorker, newPlan, newFreeze, newPower, newSimulate, newCollect, newWatch, newUnblind, newClose, newAllow, newWithdraw, newReplay, newSettings, newKeys,
}

// noArgs refuses arguments; an unknown verb looks like one.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasSubCommands() {
		message := "there is no verb %q; see 'assay --help'"
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			message = "there is no verb %q; did you mean " + strings.Join(near, " or ") + "? see 'assay --help'"
		}
		return usagef(message, args[0])
	}
	return usagef("%s takes no arguments, not %q", cmd.CommandPath(), args[0])
}

// version is the version the program was built as.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "0.1.0"
}
