package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/terminal"
	"assay/data/disk"
	"assay/data/manual"
	"assay/data/program"
	"assay/tui/markdown"
	"assay/tui/settings"
)

// newHelp returns `assay help`, which shows manual pages as well as the help of verbs, and lists the pages
// below the verbs.
func newHelp(io *console.IO, root *cobra.Command) *cobra.Command {
	var man, schemas string
	cmd := &cobra.Command{
		Use:   "help [TOPIC | VERB...]",
		Short: "Show a page of the manual, or help about a verb",
		Long: `Show a page of the manual: drawn on a terminal, as Markdown elsewhere. For any other verb its
help, as VERB --help shows it. --man writes all of it as man pages. --schemas writes the JSON
Schemas of what verbs print with --json, one for each verb: session-list.json is that of
'assay session list --json'. Members may be added; the number in a schema's $id rises when one is
removed or means something else.`,
		Example: `  assay help numbers
  assay help study init
  assay help --man man
  assay help --schemas schemas`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case man != "":
				return writeMan(root, man)
			case schemas != "":
				return writeSchemas(schemas)
			case len(args) == 0:
				return root.Help()
			case len(args) == 1:
				if page, err := manual.Named(args[0]); err == nil {
					return showPage(io, cmd, page)
				}
			}
			verb, rest, err := root.Find(currentName(root, args, io.Err))
			if err != nil || verb == root || len(rest) > 0 && verb.HasAvailableSubCommands() {
				return noPage(verb, args, rest)
			}
			return verb.Help()
		},
	}
	cmd.Flags().StringVar(&man, "man", "", "write the manual and the help of all verbs as man pages below this `directory`")
	cmd.Flags().StringVar(&schemas, "schemas", "", "write the JSON Schemas of what --json prints into this `directory`")
	cmd.MarkFlagsMutuallyExclusive("man", "schemas")
	const flags = "{{if .HasAvailableLocalFlags}}" // the start of the flags in cobra's template
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), flags, "{{if not .HasParent}}"+topicList()+"{{end}}"+flags, 1))
	return cmd
}

// noPage returns an error for a name that is neither a page nor a verb, with suggestions.
func noPage(verb *cobra.Command, args, rest []string) error {
	var topics, near []string
	for _, page := range manual.Pages() {
		topics = append(topics, page.Topic)
	}
	if !verb.HasParent() {
		for _, topic := range console.Near(args[0], topics) {
			near = append(near, "assay help "+topic)
		}
	}
	if len(near) == 0 {
		near = console.NearVerbs(verb, rest[0])
	}
	hint := "'assay help' lists both"
	if len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return console.Usagef("there is no page or verb %q; %s", strings.Join(args, " "), hint)
}

// topicList lists the pages of the manual below the verbs.
func topicList() string {
	var b strings.Builder
	b.WriteString("\n\nManual (assay help TOPIC):")
	for _, page := range manual.Pages() {
		fmt.Fprintf(&b, "\n  %-11s %s", page.Topic, page.Title)
	}
	return b.String()
}

// showPage prints a page; on a terminal it is rendered and shown in the user's pager.
func showPage(io *console.IO, cmd *cobra.Command, page manual.Page) error {
	text := page.Text
	if verb, _, err := cmd.Root().Find([]string{page.Topic}); err == nil && verb.HasParent() {
		text += fmt.Sprintf("\nThe verbs and their flags: `assay %s --help`.\n", page.Topic)
	}
	if !io.Terminal {
		_, err := fmt.Fprint(console.Raw(io.Out), text) // with its colours
		return err
	}
	set, err := settings.Load(settings.Path(cmd.Flag("settings").Value.String(), io.Getenv))
	if err != nil {
		return err
	}
	look, height := terminal.Look(io, set.Theme)
	text = markdown.Page(text, look) + "\n"
	if strings.Count(text, "\n") < height {
		_, err := fmt.Fprint(console.Raw(io.Out), text) // with its colours
		return err
	}
	return pageThrough(io, text)
}

// pageThrough shows a text in $PAGER or less, or prints it if there is neither.
func pageThrough(io *console.IO, text string) error {
	pager := cmp.Or(strings.TrimSpace(io.Getenv("PAGER")), "less")
	if _, err := program.Named(strings.Fields(pager)[0]); err != nil {
		_, err := fmt.Fprint(console.Raw(io.Out), text) // with its colours
		return err
	}
	cmd := program.Command(context.Background(), program.Own, "sh", "-c", pager)
	cmd.Env = os.Environ()
	if io.Getenv("LESS") == "" {
		cmd.Env = append(cmd.Env, "LESS=FRX") // as git does: colours, and no alternate screen
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), console.Raw(io.Out), io.Err
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the pager %q failed: %w; set PAGER to another, or PAGER=cat for none", pager, err)
	}
	return nil
}

// writeMan writes man pages: section 1 has a page for each verb, section 7 the manual.
func writeMan(root *cobra.Command, dir string) error {
	pages := map[string][]byte{}
	for _, page := range manual.Pages() {
		pages["man7/assay-"+page.Topic+".7"] = manPage("assay-"+page.Topic, 7, page.Title, "# DESCRIPTION\n"+strings.TrimPrefix(page.Text, "# "+page.Title+"\n"))
	}
	var walk func(*cobra.Command)
	walk = func(verb *cobra.Command) {
		if !verb.IsAvailableCommand() && verb != root {
			return
		}
		name := strings.ReplaceAll(verb.CommandPath(), " ", "-")
		pages["man1/"+name+".1"] = manPage(name, 1, verb.Short, verbText(verb, root))
		for _, sub := range verb.Commands() {
			walk(sub)
		}
	}
	walk(root)
	return writeAll(dir, pages)
}

// writeSchemas writes the schemas of what --json prints.
func writeSchemas(dir string) error {
	files := map[string][]byte{}
	entries, err := schemaFiles.ReadDir("schemas")
	for _, e := range entries {
		text, readErr := schemaFiles.ReadFile("schemas/" + e.Name())
		files[e.Name()], err = text, errors.Join(err, readErr)
	}
	if err != nil {
		return err
	}
	return writeAll(dir, files)
}

// writeAll writes files below a directory.
func writeAll(dir string, files map[string][]byte) error {
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := disk.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := disk.Replace(path, 0o644, disk.Bytes(text)); err != nil {
			return err
		}
	}
	return nil
}

// manWidth is the width of what man pages show as it is: terminals of 80 columns have room for it.
const manWidth = 72

// verbText returns the help of a verb as Markdown for its man page.
func verbText(verb, root *cobra.Command) string {
	var b bytes.Buffer
	section := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "# %s\n\n```\n%s\n```\n\n", title, strings.TrimRight(text, "\n"))
		}
	}
	section("SYNOPSIS", verb.UseLine())
	if verb.Long != "" {
		fmt.Fprintf(&b, "# DESCRIPTION\n\n%s\n\n", filled(verb.Long))
	}
	section("EXAMPLES", verb.Example)
	section("OPTIONS", verb.NonInheritedFlags().FlagUsagesWrapped(manWidth))
	section("OPTIONS OF ALL VERBS", verb.InheritedFlags().FlagUsagesWrapped(manWidth))
	var verbs strings.Builder
	var see []string
	if verb != root {
		see = append(see, manName(verb.Parent()))
	}
	for _, sub := range verb.Commands() {
		if sub.IsAvailableCommand() {
			fmt.Fprintf(&verbs, "**%s**\n: %s\n\n", escaped(sub.CommandPath()), escaped(sub.Short))
			see = append(see, manName(sub))
		}
	}
	if verbs.Len() > 0 {
		fmt.Fprintf(&b, "# VERBS\n\n%s", verbs.String())
	}
	if verb == root {
		b.WriteString(placesText())
		for _, page := range manual.Pages() {
			see = append(see, "**assay-"+page.Topic+"**(7)")
		}
	}
	fmt.Fprintf(&b, "# SEE ALSO\n\n%s\n", strings.Join(see, ", "))
	return b.String()
}

func manName(verb *cobra.Command) string {
	return "**" + strings.ReplaceAll(verb.CommandPath(), " ", "-") + "**(1)"
}

// placesText returns the sections on files, the environment and exit codes, as the page on files tells them.
func placesText() string {
	var text string
	for _, page := range manual.Pages() {
		if page.Topic == "files" {
			text = page.Text
		}
	}
	part := func(heading string) string {
		_, rest, _ := strings.Cut(text, "\n## "+heading+"\n")
		rest, _, _ = strings.Cut(rest, "\n## ")
		return strings.TrimSpace(rest)
	}
	files, environment, _ := strings.Cut(part("Where things are"), "\nOther variables: ")
	variables, _, _ := strings.Cut(environment, "\n\n")
	return "# FILES\n\n" + files + "\n\n# ENVIRONMENT\n\nThe variables of the table above, and " + variables + "\n\n# EXIT STATUS\n\n" + part("Exit codes") + "\n\n"
}

// filled returns help as Markdown whose paragraphs are filled, and whose lists stay as they are.
func filled(help string) string {
	var parts []string
	for part := range strings.SplitSeq(strings.Trim(help, "\n"), "\n\n") {
		if strings.HasPrefix(part, " ") || strings.Contains(part, "\n ") {
			parts = append(parts, "```\n"+part+"\n```")
		} else {
			parts = append(parts, escaped(part))
		}
	}
	return strings.Join(parts, "\n\n")
}

// escaped returns words whose marks Markdown does not read.
func escaped(text string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "`", "\\`", "<", "\\<", "[", "\\[", "#", "\\#").Replace(text)
}

// manPage returns a page in roff, with the day of the commit that this build is of.
func manPage(name string, section int, title, text string) []byte {
	_, date, _ := console.Commit()
	day, _, _ := strings.Cut(date, "T")
	return md2man.Render(fmt.Appendf(nil, "%% %q \"%d\" %q %q \"assay\"\n\n# NAME\n\n%s - %s\n\n%s",
		strings.ToUpper(name), section, day, "assay "+console.Version(), name, title, text))
}
