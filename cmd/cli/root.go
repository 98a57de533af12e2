package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/cmd/cli/console"
	"assay/cmd/cli/difficulty"
	"assay/cmd/cli/eval"
	"assay/cmd/cli/home"
	"assay/cmd/cli/machine"
	"assay/cmd/cli/measure"
	"assay/cmd/cli/prompts"
	"assay/cmd/cli/rate"
	"assay/cmd/cli/report"
	"assay/cmd/cli/run"
	"assay/cmd/cli/serve"
	"assay/cmd/cli/session"
	"assay/cmd/cli/study"
	"assay/cmd/cli/tasks"
	"assay/data/language"
)

// Run executes one command line and returns its exit code.
func Run(ctx context.Context, args []string, io *console.IO) int {
	if err := language.Load(filepath.Join(xdg.ConfigHome, "assay", "languages.toml")); err != nil && !slices.Contains(args, "help") {
		return console.Exit(err, io.Err)
	}
	return console.Run(ctx, io, func(io *console.IO) *cobra.Command {
		root := newRoot(io)
		root.SetArgs(currentName(root, args, io.Err))
		return root
	})
}

func newRoot(io *console.IO) *cobra.Command {
	g := &console.Globals{}
	root := home.New(io, g)
	g.Flags(root)
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		if i := slices.Index(args, ""); i >= 0 && !strings.HasPrefix(cmd.Name(), cobra.ShellCompRequestCmd) {
			return console.Usagef("argument %d of %s is empty, as an unset variable of the shell is: leave it out, or give it a value", i+1, cmd.CommandPath())
		}
		return together(cmd)
	}
	root.SetUsageTemplate(usageTemplate(root))
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
	addCompletions(root, io, g)
	return root
}

// bothSet matches cobra's error for flags that exclude each other.
var bothSet = regexp.MustCompile(`\[([^\]]+)\] were all set$`)

// together returns an error if flags that exclude each other are given together.
func together(cmd *cobra.Command) error {
	err := cmd.ValidateFlagGroups()
	if err == nil {
		return nil
	}
	if set := bothSet.FindStringSubmatch(err.Error()); set != nil {
		err = fmt.Errorf("--%s cannot be given together", strings.Join(strings.Fields(set[1]), " and --"))
	}
	return console.Usagef("%w", err)
}

// newStudy returns `assay study` with the verb that opens the screens.
func newStudy(io *console.IO, g *console.Globals) *cobra.Command {
	cmd := study.New(io, g)
	cmd.AddCommand(home.NewJoin(io, g))
	return cmd
}

// groups are the groups of commands in help.
var groups = []struct {
	title string
	verbs []func(*console.IO, *console.Globals) *cobra.Command
}{
	{"A study with people", []func(*console.IO, *console.Globals) *cobra.Command{newStudy, serve.New, session.New, rate.New, report.New}},
	{"Models without people", []func(*console.IO, *console.Globals) *cobra.Command{eval.New, run.New, eval.NewCompare}},
	{"Tasks", []func(*console.IO, *console.Globals) *cobra.Command{tasks.New, prompts.New, difficulty.New}},
	{"This machine", []func(*console.IO, *console.Globals) *cobra.Command{machine.NewModels, measure.New, machine.NewWorker, machine.NewSettings, machine.NewKeys, machine.NewDoctor, machine.NewUpgrade, machine.NewVersion}},
}

func init() {
	cobra.EnableCommandSorting = false // verbs are listed in the order of their use
	cobra.AddTemplateFunc("commonFlags", func(f *pflag.FlagSet) string { return usagesOf(f, false) })
	cobra.AddTemplateFunc("rareFlags", func(f *pflag.FlagSet) string { return usagesOf(f, true) })
}
