package console

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// suggestionDistance is how many letters a typed name may differ from the one suggested.
const suggestionDistance = 2

// NoArgs refuses arguments. An unknown verb looks like one.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasSubCommands() {
		return Usagef("%s takes no arguments, not %q", cmd.CommandPath(), args[0])
	}
	message := fmt.Sprintf("there is no verb %q", args[0])
	if near := NearVerbs(cmd, args[0]); len(near) > 0 {
		message += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return Usagef("%s; see '%s --help'", message, cmd.CommandPath())
}

// NearVerbs are the commands that may be meant by a name: those of cmd, else those of the whole
// program that have this name below a noun, else those that are written alike.
func NearVerbs(cmd *cobra.Command, name string) []string {
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

// Near are the names that may be meant by a mistyped one. cobra compares names of commands only.
func Near(typed string, names []string) []string {
	list := &cobra.Command{SuggestionsMinimumDistance: suggestionDistance}
	for _, name := range names {
		list.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	return list.SuggestionsFor(typed)
}

// FlagError names the flags that may be meant by one that there is not.
func FlagError(cmd *cobra.Command, err error) error {
	message := err.Error()
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var flags []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, "--"+f.Name) })
		if near := Near("--"+unknown.GetSpecifiedName(), flags); len(near) > 0 {
			message += "; did you mean " + strings.Join(near, " or ") + "?"
		}
	}
	return Usagef("%s; see '%s --help'", message, cmd.CommandPath())
}
