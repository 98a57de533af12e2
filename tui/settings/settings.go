package settings

import (
	_ "embed" // the example
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/adrg/xdg"

	"assay/data/disk"
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
func notifications() []string {
	return []string{Auto, NotifyOSC9, NotifyOSC777, NotifyBell, NotifyOff}
}

// What the screens are written in.
const (
	GlyphsUnicode = "unicode"
	GlyphsASCII   = "ascii"
)

// Glyphs lists what the screens can be written in.
func Glyphs() []string { return []string{Auto, GlyphsUnicode, GlyphsASCII} }

// Pictures lists how pictures can be drawn.
func Pictures() []string { return []string{"auto", "kitty", "iterm2", "sixel", "blocks"} }

// Default returns the settings of who has no file.
func Default() Settings {
	return Settings{Theme: frame.ThemeAuto, Progress: true, Pictures: Auto, Notify: Auto, Glyphs: Auto, RTL: RTLAssay}
}

// DefaultPath is settings.toml in assay's folder of the XDG configuration directory.
func DefaultPath() string { return filepath.Join(xdg.ConfigHome, "assay", "settings.toml") }

// Path returns where the settings are: where the flag says, else the environment, else at the
// default place.
func Path(flag string, getenv func(string) string) string {
	if flag != "" {
		return flag
	}
	if path := getenv(Variable); path != "" {
		return path
	}
	return DefaultPath()
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
	var file map[string]any
	meta, err := toml.Decode(text, &file)
	var at toml.ParseError
	switch {
	case errors.As(err, &at):
		return s, wrong(path, at.Position.Line, at.Message)
	case err != nil:
		return s, wrong(path, 1, err.Error())
	}
	for _, key := range meta.Keys() {
		if err := s.set(key, valueAt(file, key)); err != nil {
			return s, wrong(path, lineOf(text, key), err.Error())
		}
	}
	s.Keys, err = frame.NewKeymap(s.Wishes)
	if refused := new(frame.RemapError); errors.As(err, &refused) {
		return s, wrong(path, lineOf(text, toml.Key{"keys", string(refused.Scope), refused.Own}), err.Error())
	}
	return s, err
}

func wrong(path string, line int, message string) error {
	return fmt.Errorf("%s:%d: %s", path, max(line, 1), message)
}

// valueAt returns what a file has under a key.
func valueAt(file map[string]any, key toml.Key) any {
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
func (s *Settings) set(key toml.Key, value any) error {
	switch name := key[0]; {
	case name == "keys":
		return s.wish(key, value)
	case len(key) > 1:
		return fmt.Errorf("%s: there is no such setting: the file has %s", key, names)
	case name == "theme":
		theme, err := oneOf(name, value, themes())
		s.Theme = frame.ThemeName(theme)
		return err
	case name == "pictures":
		var err error
		s.Pictures, err = oneOf(name, value, Pictures())
		return err
	case name == "notify":
		var err error
		s.Notify, err = oneOf(name, value, notifications())
		return err
	case name == "glyphs":
		var err error
		s.Glyphs, err = oneOf(name, value, Glyphs())
		return err
	case name == "rtl":
		var err error
		s.RTL, err = oneOf(name, value, []string{RTLAssay, RTLTerminal})
		return err
	case name == "mouse":
		return truth(name, value, &s.Mouse)
	case name == "clock":
		return truth(name, value, &s.Clock)
	case name == "progress":
		return truth(name, value, &s.Progress)
	default:
		return fmt.Errorf("%s: there is no such setting: the file has %s", key, names)
	}
}

func themes() []string {
	var list []string
	for _, n := range frame.ThemeNames() {
		list = append(list, string(n))
	}
	return list
}

func oneOf(name string, value any, choices []string) (string, error) {
	text, ok := value.(string)
	if !ok || !slices.Contains(choices, text) {
		return "", fmt.Errorf("%s: %v is not one of \"%s\"", name, quoted(value), strings.Join(choices, `", "`))
	}
	return text, nil
}

func quoted(value any) string {
	if text, ok := value.(string); ok {
		return fmt.Sprintf("%q", text)
	}
	return frame.OneLine(fmt.Sprint(value))
}

func truth(name string, value any, into *bool) error {
	is, ok := value.(bool)
	if !ok {
		return fmt.Errorf("%s: %s is neither true nor false, which are written without quotes", name, quoted(value))
	}
	*into = is
	return nil
}

// wish takes a key of the tester's own, or the table that it stands in.
func (s *Settings) wish(key toml.Key, value any) error {
	_, table := value.(map[string]any)
	if len(key) == 1 {
		if !table {
			return errors.New("keys: is a table: write [keys.review] and below it lines such as y = \"s\"")
		}
		return nil
	}
	scope := frame.Scope(key[1])
	switch {
	case !slices.Contains(frame.Scopes(), scope):
		return fmt.Errorf("%s: there is no scope %q: there are %s", key, key[1], scopeNames())
	case len(key) == 2 && !table:
		return fmt.Errorf("%s: is a table: write [keys.%s] and below it lines such as y = \"s\"", key, scope)
	case len(key) == 2:
		return nil
	}
	wanted, text := value.(string)
	if !text || len(key) > 3 {
		return fmt.Errorf("%s: is no key: write a key in quotes, such as \"f9\"", key)
	}
	if !offers(scope, key[2]) {
		return fmt.Errorf("%s: assay has no key %q in [keys.%s]; `assay keys` lists those that there are", key, key[2], scope)
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

// lineOf returns the line of text, from 1, that sets a key or opens its table.
func lineOf(text string, key toml.Key) int {
	for ; len(key) > 0; key = key[:len(key)-1] { // in a table of one line, the line of that
		var table toml.Key
		for i, line := range strings.Split(text, "\n") {
			opened, opens := header(line)
			if opens {
				table = opened
			} else if name, _, ok := assignment(line); ok {
				opened = append(slices.Clone(table), name...)
			} else {
				continue
			}
			if slices.Equal(opened, key) {
				return i + 1
			}
		}
	}
	return 1
}

// header returns the key of a line that opens a table.
func header(line string) (toml.Key, bool) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "[") {
		return nil, false
	}
	return lastKey(line)
}

// assignment returns the key of a line that sets one, and where in the line its value begins.
func assignment(line string) (key toml.Key, value int, ok bool) {
	for i, r := range line {
		if r != '=' {
			continue
		}
		if key, ok := lastKey(line[:i] + "= 0"); ok {
			return key, i + 1, true
		}
	}
	return nil, 0, false
}

// lastKey returns the key that a line of TOML by itself sets or opens.
func lastKey(line string) (toml.Key, bool) {
	var any map[string]any
	meta, err := toml.Decode(line, &any)
	if keys := meta.Keys(); err == nil && len(keys) > 0 {
		return keys[len(keys)-1], true
	}
	return nil, false
}
