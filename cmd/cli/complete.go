package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/stores"
	"assay/data"
	"assay/data/manual"
	"assay/session/llm"
)

// completer completes names for shells: the words of benchmarks, models, sessions and pages of the manual.
// What cannot be read completes to nothing.
type completer struct {
	io *console.IO
	g  *console.Globals
}

// addCompletions completes the flags and arguments of all verbs. A flag is known by its name, an argument by its word in
// the verb's usage line.
func addCompletions(root *cobra.Command, io *console.IO, g *console.Globals) {
	c := &completer{io, g}
	flags := map[string]cobra.CompletionFunc{
		"benchmark": namesOrFiles(data.Benchmarks), "tasks": namesOrFiles(data.Benchmarks), "model": names(c.models), "study": filesOf("toml"),
		"isolation": names(func() []string { return []string{"warm", "strict", "docker", "podman", "landlock", "none"} }),
		"context":   names(func() []string { return []string{"conversation", "fresh"} }),
	}
	var walk func(*cobra.Command)
	walk = func(verb *cobra.Command) {
		verb.Flags().VisitAll(func(f *pflag.Flag) {
			if complete := flags[f.Name]; complete != nil && strings.HasPrefix(f.Value.Type(), "string") {
				if err := verb.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
					panic(err) // the flag has two completions
				}
			}
		})
		verb.ValidArgsFunction = c.argument
		for _, sub := range verb.Commands() {
			walk(sub)
		}
	}
	root.SetOut(io.Out)       // for the scripts
	root.InitDefaultHelpCmd() // cobra would add these two later
	root.SetCompletionCommandGroupID("This machine")
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Short = "Print the script that completes names in your shell"
		for _, shell := range completion.Commands() {
			shell.Example = "  " + shell.CommandPath()
		}
	}
	walk(root)
}

// argument completes the next argument of a verb.
func (c *completer) argument(verb *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	words := strings.Fields(verb.Use)[1:]
	if len(words) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	word := words[min(len(args), len(words)-1)]
	if len(args) >= len(words) && !strings.Contains(word, "...") {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	noun := ""
	if verb.HasParent() {
		noun = verb.Parent().Name()
	}
	switch word = strings.Trim(word, "[]."); {
	case word == "SESSION":
		return names(c.sessions)(verb, args, prefix)
	case word == "TOPIC":
		return names(topics)(verb, args, prefix)
	case word == "TASKS", word == "FILE" && noun == "tasks":
		return namesOrFiles(data.Benchmarks)(verb, args, prefix)
	case word == "NAME" && noun == "models":
		return names(c.models)(verb, args, prefix)
	case word == "ID" && len(args) > 0:
		return names(func() []string { return taskIDs(args[0]) })(verb, args, prefix)
	case word == "STUDY", word == "FILE" && noun == "study", strings.HasSuffix(word, ".toml"):
		return filesOf("toml")(verb, args, prefix)
	}
	return nil, cobra.ShellCompDirectiveDefault
}

// names completes to the names that begin with what was typed.
func names(list func() []string) cobra.CompletionFunc {
	return completed(list, cobra.ShellCompDirectiveNoFileComp)
}

// namesOrFiles also completes to files if no name begins so.
func namesOrFiles(list func() []string) cobra.CompletionFunc {
	return completed(list, cobra.ShellCompDirectiveDefault)
}

func completed(list func() []string, then cobra.ShellCompDirective) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return slices.DeleteFunc(slices.Clone(list()), func(name string) bool { return !strings.HasPrefix(name, prefix) }), then
	}
}

// filesOf completes to files with one of the extensions.
func filesOf(extensions ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt)
}

func (c *completer) models() []string {
	models, err := llm.LoadModels(llm.ModelsPath(c.g.Models, c.io.Getenv))
	if err != nil {
		return nil
	}
	var list []string
	for _, m := range models.List() {
		list = append(list, m.Name)
	}
	return list
}

// sessions returns the ids in the store, the latest first.
func (c *completer) sessions() []string {
	kept, err := stores.OpenKept(c.io, c.g)
	if err != nil {
		return nil
	}
	defer kept.Close()
	rows, err := kept.Sessions()
	if err != nil {
		return nil
	}
	slices.SortFunc(rows, stores.LatestFirst)
	list := []string{"last"}
	for _, row := range rows {
		list = append(list, row.ID)
	}
	return list
}

func topics() []string {
	var list []string
	for _, page := range manual.Pages() {
		list = append(list, page.Topic)
	}
	return list
}

func taskIDs(file string) []string {
	b, err := (&inputs.TaskLoader{}).Load(file)
	if err != nil {
		return nil
	}
	var list []string
	for i := range b.Tasks {
		list = append(list, b.Tasks[i].ID)
	}
	return list
}
