package console

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// suggestionDistance is the edit distance within which a name is suggested.
const suggestionDistance = 2

// NoArgs rejects arguments. An unknown verb looks like one.
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

// One requires exactly one argument, which what describes.
func One(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return Usagef("%s takes %s, not %d arguments; see '%[1]s --help'", cmd.CommandPath(), what, len(args))
		}
		return nil
	}
}

// Some requires at least one argument; what describes all.
func Some(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return Usagef("%s takes %s; see '%[1]s --help'", cmd.CommandPath(), what)
		}
		return nil
	}
}

// NearVerbs returns the commands that a name may mean: those of cmd, else those of the whole program with
// this name below a noun, else those with a similar name.
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
		if len(name) >= 4 { // shorter names resemble too many
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

// Near returns the names that a mistyped one may mean. cobra only suggests names of commands.
func Near(typed string, names []string) []string {
	list := &cobra.Command{SuggestionsMinimumDistance: suggestionDistance}
	for _, name := range names {
		list.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	return list.SuggestionsFor(typed)
}

// flagError suggests flags for an unknown one.
func flagError(cmd *cobra.Command, err error) error {
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
