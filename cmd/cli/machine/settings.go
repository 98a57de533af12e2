package machine

import (
	"fmt"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/terminal"
	"assay/tui/frame"
	"assay/tui/settings"
)

// NewSettings returns `assay settings`.
func NewSettings(io *console.IO, g *console.Globals) *cobra.Command {
	var asJSON, example bool
	cmd := &cobra.Command{
		Use:     "settings",
		Example: "  assay settings",
		Short:   "Print the settings of the screens and the path of their file",
		Long: `Print the settings of the screens: theme, mouse, clock, pictures, text that is written
from right to left. They are read from a file, which --example prints one of; keys of
your own are in it, too, and 'assay keys' prints them.`,
		Args: console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if example {
				_, err := fmt.Fprint(io.Out, settings.Example())
				return err
			}
			s, err := terminal.Settings(io, g)
			if err != nil {
				return err
			}
			return printSettings(io, s, asJSON)
		},
	}
	console.JSONFlag(cmd.Flags(), &asJSON, "print JSON", listedSettings{})
	cmd.Flags().BoolVar(&example, "example", false, "print a settings file to begin from, and stop")
	return cmd
}

// listedSettings are the settings that hold.
type listedSettings struct {
	Path     string          `json:"path"`     // of the settings file
	Found    bool            `json:"found"`    // the file exists
	Theme    frame.ThemeName `json:"theme"`    // colors
	Mouse    bool            `json:"mouse"`    // the mouse is used
	Clock    bool            `json:"clock"`    // times are shown while they pass
	Progress bool            `json:"progress"` // the terminal's own progress bar is used
	Pictures string          `json:"pictures"` // how pictures are drawn
	Notify   string          `json:"notify"`   // how the end of waiting is announced
	Glyphs   string          `json:"glyphs"`   // which characters draw frames and marks
	RTL      string          `json:"rtl"`      // who reorders text that is written from right to left
}

func printSettings(io *console.IO, s settings.Settings, asJSON bool) error {
	if asJSON {
		return console.WriteJSON(io, listedSettings{s.Path, console.Exists(s.Path), s.Theme, s.Mouse, s.Clock, s.Progress, s.Pictures, s.Notify, s.Glyphs, s.RTL})
	}
	fmt.Fprintf(io.Out, "theme = %q\nmouse = %v\nclock = %v\nprogress = %v\npictures = %q\nnotify = %q\nglyphs = %q\nrtl = %q\n", s.Theme, s.Mouse, s.Clock, s.Progress, s.Pictures, s.Notify, s.Glyphs, s.RTL)
	note := s.Path
	if !console.Exists(s.Path) {
		note += " (there is no such file: `assay settings --example` prints one to begin from)"
	}
	_, err := fmt.Fprintln(io.Err, "settings file: "+note)
	return err
}

// NewKeys returns `assay keys`.
func NewKeys(io *console.IO, g *console.Globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "keys",
		Example: "  assay keys\n  assay keys --json",
		Short:   "Print the key bindings of the screens, including your own",
		Long: `Print which keys do what, by the scopes that the settings file calls [keys.review] and
so on. Where you have given something another key, assay's own stands behind it in brackets.`,
		Args: console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			s, err := terminal.Settings(io, g)
			if err != nil {
				return err
			}
			return printKeys(io, s, asJSON)
		},
	}
	console.JSONFlag(cmd.Flags(), &asJSON, "print JSON", listedKeys{})
	return cmd
}

// listedKey is the JSON form of a key in `assay keys`.
type listedKey struct {
	Own   string `json:"own"`   // assay's own key, as in the settings file
	Press string `json:"press"` // the key to press
	Does  string `json:"does"`
}

// listedScope is the JSON form of a scope.
type listedScope struct {
	Scope frame.Scope `json:"scope"`
	Keys  []listedKey `json:"keys"`
}

// listKeys lists the keys of every scope with the settings applied.
func listKeys(s settings.Settings) []listedScope {
	var list []listedScope
	for _, scope := range frame.Scopes() {
		listed := listedScope{Scope: scope}
		for _, k := range settings.Keys(scope) {
			for _, own := range frame.Presses(k.Press) {
				listed.Keys = append(listed.Keys, listedKey{own, s.Keys.Wanted(scope, false, own), k.Does})
			}
		}
		list = append(list, listed)
	}
	return list
}

// listedKeys are the keys of all screens.
type listedKeys struct {
	Path   string        `json:"path"` // of the settings file
	Scopes []listedScope `json:"scopes"`
}

func printKeys(io *console.IO, s settings.Settings, asJSON bool) error {
	list := listKeys(s)
	if asJSON {
		return console.WriteJSON(io, listedKeys{s.Path, list})
	}
	table := console.NewTable(io.Out)
	for i, scope := range list {
		if i > 0 {
			fmt.Fprintln(table)
		}
		fmt.Fprintf(table, "[keys.%s]\n", scope.Scope)
		for _, k := range scope.Keys {
			press := k.Press
			if press != k.Own {
				press += " (" + k.Own + ")"
			}
			fmt.Fprintf(table, "  %s\t%s\n", press, k.Does)
		}
	}
	return table.Flush()
}
