package settings

import (
	"cmp"
	_ "embed" // the example
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"assay/data/disk"
	"assay/data/tomlfile"
	"assay/tui/frame"
)

//go:embed settings.example.toml
var example string

// Example returns a settings file to begin from.
func Example() string { return example }

// Variable is the environment variable that names the settings file.
const Variable = "ASSAY_SETTINGS"

// Settings are how the screens look and which keys they listen to.
type Settings struct {
	Path     string // where they are kept; empty for nowhere
	Theme    frame.ThemeName
	Mouse    bool   // assay takes the mouse
	Clock    bool   // the time of day stands in the first line
	Progress bool   // how far the session is stands in the upper rule
	Pictures string // one of Pictures
	Notify   string // how a tester who looks elsewhere hears of an answer, one of notifications
	Glyphs   string // one of Glyphs
	RTL      string // who puts text that is written from right to left in order: RTLAssay or RTLTerminal
	Wishes   []frame.Remap
	Keys     frame.Keymap // fulfils the wishes
}

// Who puts text that is written from right to left in order.
const (
	RTLAssay    = "assay"
	RTLTerminal = "terminal"
)

// Auto leaves a choice to what is known of the terminal.
const Auto = "auto"

// How a tester who looks at another window hears of an answer.
const (
	NotifyOSC9   = "osc9"
	NotifyOSC777 = "osc777"
	NotifyBell   = "bell"
	NotifyOff    = "off"
)

// notifications lists how a tester who looks at another window hears of an answer.
func notifications() []string { return []string{Auto, NotifyOSC9, NotifyOSC777, NotifyBell, NotifyOff} }

// What the screens are written in.
const (
	GlyphsUnicode = "unicode"
	GlyphsASCII   = "ascii"
)

// glyphs lists what the screens can be written in.
func glyphs() []string { return []string{Auto, GlyphsUnicode, GlyphsASCII} }

// pictures lists how pictures can be drawn.
func pictures() []string { return []string{"auto", "kitty", "iterm2", "sixel", "blocks"} }

// Default returns the settings of who has no file.
func Default() Settings {
	return Settings{Theme: frame.ThemeAuto, Progress: true, Pictures: Auto, Notify: Auto, Glyphs: Auto, RTL: RTLAssay}
}

// DefaultPath is settings.toml in assay's folder of the XDG configuration directory.
func DefaultPath() string { return filepath.Join(xdg.ConfigHome, "assay", "settings.toml") }

// Path returns where the settings are: where the flag says, else the environment, else at the
// default place.
func Path(flag string, getenv func(string) string) string {
	return cmp.Or(flag, getenv(Variable), DefaultPath())
}

// Load reads the settings at path. A missing file is an error only where somebody named
// it.
func Load(path string) (Settings, error) {
	text, err := disk.ReadFile(path, disk.Settings)
	switch {
	case errors.Is(err, fs.ErrNotExist) && path == DefaultPath():
		s := Default()
		s.Path = path
		return s, nil
	case err != nil:
		return Settings{}, fmt.Errorf("the settings cannot be read: %w", err)
	}
	return Parse(path, string(text))
}

// Parse reads the text of a settings file; errors name it by path.
func Parse(path, text string) (Settings, error) {
	s := Default()
	s.Path = path
	var values map[string]any
	file, err := tomlfile.Decode(path, text, &values, "")
	if err != nil {
		return s, err
	}
	for _, key := range file.Keys() {
		if err := s.set(key, valueAt(values, key)); err != nil {
			return s, file.Wrong(strings.Join(key, "."), "%v", err)
		}
	}
	s.Keys, err = frame.NewKeymap(s.Wishes)
	if refused := new(frame.RemapError); errors.As(err, &refused) {
		return s, fmt.Errorf("%s:%d: %w", path, file.Line(strings.Join([]string{"keys", string(refused.Scope), refused.Own}, ".")), err)
	}
	return s, err
}

// valueAt returns what a file has under a key.
func valueAt(file map[string]any, key []string) any {
	var value any = file
	for _, name := range key {
		table, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = table[name]
	}
	return value
}

// names are the settings of the file's top level.
const names = "theme, mouse, clock, progress, pictures, notify, glyphs, rtl and tables such as [keys.review]"

// set takes one key of the file.
func (s *Settings) set(key []string, value any) error {
	switch name := key[0]; {
	case name == "keys":
		return s.wish(key, value)
	case len(key) > 1:
		return fmt.Errorf("there is no such setting: the file has %s", names)
	case name == "theme":
		theme, err := oneOf(value, themes())
		s.Theme = frame.ThemeName(theme)
		return err
	case name == "pictures":
		var err error
		s.Pictures, err = oneOf(value, pictures())
		return err
	case name == "notify":
		var err error
		s.Notify, err = oneOf(value, notifications())
		return err
	case name == "glyphs":
		var err error
		s.Glyphs, err = oneOf(value, glyphs())
		return err
	case name == "rtl":
		var err error
		s.RTL, err = oneOf(value, []string{RTLAssay, RTLTerminal})
		return err
	case name == "mouse":
		return truth(value, &s.Mouse)
	case name == "clock":
		return truth(value, &s.Clock)
	case name == "progress":
		return truth(value, &s.Progress)
	default:
		return fmt.Errorf("there is no such setting: the file has %s", names)
	}
}

func themes() []string {
	var list []string
	for _, n := range frame.ThemeNames() {
		list = append(list, string(n))
	}
	return list
}

func oneOf(value any, choices []string) (string, error) {
	text, ok := value.(string)
	if !ok || !slices.Contains(choices, text) {
		return "", fmt.Errorf("%v is not one of \"%s\"", quoted(value), strings.Join(choices, `", "`))
	}
	return text, nil
}

func quoted(value any) string {
	if text, ok := value.(string); ok {
		return fmt.Sprintf("%q", text)
	}
	return frame.OneLine(fmt.Sprint(value))
}

func truth(value any, into *bool) error {
	is, ok := value.(bool)
	if !ok {
		return fmt.Errorf("%s is neither true nor false, which are written without quotes", quoted(value))
	}
	*into = is
	return nil
}

// wish takes a key of the tester's own, or the table that it stands in.
func (s *Settings) wish(key []string, value any) error {
	_, table := value.(map[string]any)
	if len(key) == 1 {
		if !table {
			return errors.New("is a table: write [keys.review] and below it lines such as y = \"s\"")
		}
		return nil
	}
	scope := frame.Scope(key[1])
	switch {
	case !slices.Contains(frame.Scopes(), scope):
		return fmt.Errorf("there is no scope %q: there are %s", key[1], scopeNames())
	case len(key) == 2 && !table:
		return fmt.Errorf("is a table: write [keys.%s] and below it lines such as y = \"s\"", scope)
	case len(key) == 2:
		return nil
	}
	wanted, text := value.(string)
	if !text || len(key) > 3 {
		return errors.New("is no key: write a key in quotes, such as \"f9\"")
	}
	if !offers(scope, key[2]) {
		return fmt.Errorf("assay has no key %q in [keys.%s]; `assay keys` lists those that there are", key[2], scope)
	}
	s.Wishes = append(s.Wishes, frame.Remap{Scope: scope, Own: key[2], Wanted: wanted})
	return nil
}

func scopeNames() string {
	var list []string
	for _, s := range frame.Scopes() {
		list = append(list, string(s))
	}
	return strings.Join(list, ", ")
}
