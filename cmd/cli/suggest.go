package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// suggestionDistance is how many letters a typed name may differ from the one suggested.
const suggestionDistance = 2

// noArgs refuses arguments. An unknown verb looks like one.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasSubCommands() {
		return usagef("%s takes no arguments, not %q", cmd.CommandPath(), args[0])
	}
	message := fmt.Sprintf("there is no verb %q", args[0])
	if near := nearVerbs(cmd, args[0]); len(near) > 0 {
		message += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return usagef("%s; see '%s --help'", message, cmd.CommandPath())
}

// nearVerbs are the commands that may be meant by a name: those of cmd, else those of the whole
// program that have this name below a noun, else those that are written alike.
func nearVerbs(cmd *cobra.Command, name string) []string {
	var near []string
	cmd.SuggestionsMinimumDistance = suggestionDistance
	for _, verb := range cmd.SuggestionsFor(name) {
		near = append(near, cmd.CommandPath()+" "+verb)
	}
	if len(near) > 0 {
		return near
	}
	var same, alike []string
	for _, noun := range cmd.Root().Commands() {
		for _, verb := range noun.Commands() {
			if verb.Name() == name || slices.Contains(verb.SuggestFor, name) {
				same = append(same, verb.CommandPath())
			}
		}
		if len(name) >= 4 { // shorter names are like too many
			noun.SuggestionsMinimumDistance = suggestionDistance
			for _, verb := range noun.SuggestionsFor(name) {
				alike = append(alike, noun.CommandPath()+" "+verb)
			}
		}
	}
	if len(same) > 0 {
		return same
	}
	return alike
}

// flagError names the flags that may be meant by one that there is not.
func flagError(cmd *cobra.Command, err error) error {
	message := err.Error()
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		flags := &cobra.Command{SuggestionsMinimumDistance: suggestionDistance} // cobra compares names of commands only
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			flags.AddCommand(&cobra.Command{Use: "--" + f.Name, Run: func(*cobra.Command, []string) {}})
		})
		if near := flags.SuggestionsFor("--" + unknown.GetSpecifiedName()); len(near) > 0 {
			message += "; did you mean " + strings.Join(near, " or ") + "?"
		}
	}
	return usagef("%s; see '%s --help'", message, cmd.CommandPath())
}

// oldNames are verbs as they were called before they were ordered by noun, and what they are
// called now. They go on working for one release.
var oldNames = map[string]string{
	"init": "study init", "check": "study check", "plan": "study plan", "power": "study power", "simulate": "study simulate",
	"freeze": "study freeze", "watch": "study watch", "collect": "study collect", "unblind": "study unblind",
	"allow": "study allow", "close": "study close", "withdraw": "study withdraw",
	"replay": "session replay", "export": "session export", "verify": "session verify", "import": "session import", "rebuild": "session rebuild",
	"generate": "run generate", "samples": "eval export",
	"batch": "run", "batch run": "run batch", "batch tester": "run tester", "batch example": "run example",
	"ratings": "rate", "ratings rate": "rate answers",
}

// addOldNames adds hidden commands by which currentName knows old names.
func addOldNames(root *cobra.Command) {
	for _, name := range slices.Sorted(maps.Keys(oldNames)) { // a noun comes before its verbs
		parent, rest, err := root.Find(strings.Fields(name))
		if err != nil {
			panic(err)
		}
		parent.AddCommand(&cobra.Command{Use: rest[0], Hidden: true, Run: func(*cobra.Command, []string) {}, DisableFlagParsing: true})
	}
}

// currentName puts the verb's new name in the place of an old one and says so on errs. It also
// says where a verb is also the name of a file that could have been meant.
func currentName(root *cobra.Command, args []string, errs io.Writer) []string {
	cmd, rest, err := root.Find(args)
	if err != nil {
		return args
	}
	old := strings.TrimPrefix(cmd.CommandPath(), root.Name()+" ")
	if now, renamed := oldNames[old]; renamed {
		fmt.Fprintf(errs, "note: 'assay %s' is now 'assay %s'; the old name will go with the next release\n", old, now)
		return append(strings.Fields(now), rest...)
	}
	for c := cmd; c.HasParent(); c = c.Parent() {
		parent := c.Parent()
		takesFiles := parent.HasParent() && parent.ValidateArgs([]string{c.Name()}) == nil
		if takesFiles && slices.Contains(args, c.Name()) && exists(c.Name()) {
			fmt.Fprintf(errs, "note: %s is taken for the verb, not for the file of that name; for the file type ./%[1]s\n", c.Name())
		}
	}
	return args
}
