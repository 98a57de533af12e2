package settings_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/tui/frame"
	"assay/tui/settings"
)

func parse(text string) (settings.Settings, error) { return settings.Parse("settings.toml", text) }

// The example is right, and says of every setting what it is without a file.
func TestExample(t *testing.T) {
	s, err := parse(settings.Example())
	fatal.If(t, err)
	d := settings.Default()
	if s.Theme != d.Theme || s.Mouse != d.Mouse || s.Clock != d.Clock || s.Pictures != d.Pictures || s.RTL != d.RTL {
		t.Errorf("the example has %+v, the default is %+v", s, d)
	}
	if len(s.Wishes) != 2 || s.Keys.Wanted(frame.ScopeReview, false, "y") != "s" || s.Keys.Wanted(frame.ScopeCompose, true, "ctrl+p") != "f9" {
		t.Errorf("the example's keys are %v", s.Wishes)
	}
}

// What is wrong is said with file, line and field.
func TestProblems(t *testing.T) {
	for text, want := range map[string]string{
		"theme = \"dark\"\ncolor = true":      `settings.toml:2: color: there is no such setting`,
		"theme = \"dar":                       `settings.toml:1: `,
		"\ntheme = \"blue\"":                  `settings.toml:2: theme: "blue" is not one of "auto", "dark"`,
		"theme = 3":                           `settings.toml:1: theme: 3 is not one of`,
		"mouse = \"yes\"":                     `settings.toml:1: mouse: "yes" is neither true nor false`,
		"# x\nclock = 1":                      `settings.toml:2: clock: 1 is neither`,
		"rtl = \"me\"":                        `settings.toml:1: rtl: "me" is not one of "assay", "terminal"`,
		"notify = \"loud\"":                   `settings.toml:1: notify: "loud" is not one of "auto", "osc9", "osc777", "bell", "off"`,
		"glyphs = 1":                          `settings.toml:1: glyphs: 1 is not one of "auto", "unicode", "ascii"`,
		"pictures = \"big\"":                  `settings.toml:1: pictures: "big" is not`,
		"keys = 3":                            `settings.toml:1: keys: is a table`,
		"[keys.reviews]\ny = \"s\"":           `settings.toml:1: keys.reviews: there is no scope "reviews": there are home`,
		"[keys]\nreview = 3":                  `settings.toml:2: keys.review: is a table`,
		"[keys.review]\nQ = \"s\"":            `settings.toml:2: keys.review.Q: assay has no key "Q"`,
		"[keys.review]\ny = 3":                `settings.toml:2: keys.review.y: is no key`,
		"[keys.review]\n\ny = \"hyper\"":      `settings.toml:3: [keys.review] "y" = "hyper": "hyper" is the name of no key`,
		"[keys.review]\ny = \"s\"\nr = \"s\"": `settings.toml:3: [keys.review] "r" = "s": [keys.review] wants the same key for "y"`,
		"[keys.compose]\n\"ctrl+s\" = \"s\"":  `settings.toml:2: [keys.compose] "ctrl+s" = "s": text is typed here`,
		"keys.review.y = \"s\"\nkeys.review.\"r\" = \"s\"":         `settings.toml:2: [keys.review]`,
		"keys = { review = { y = \"s\", r = \"s\" } }":             `settings.toml:1: [keys.review]`,
		"[theme]\ndark = true":                                     `settings.toml:1: theme: `,
		"mouse = true\n[keys.everywhere]\n\"ctrl+p\" = \"ctrl+c\"": `settings.toml:3: [keys.everywhere] "ctrl+p" = "ctrl+c": ctrl+c leaves assay`,
	} {
		_, err := parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}

// Only the default file may be missing.
func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.toml")
	if _, err := settings.Load(path); err == nil {
		t.Error("a named file that is missing is no error")
	}
	env := func(name string) string { return map[string]string{settings.Variable: "env.toml"}[name] }
	none := func(string) string { return "" }
	if settings.Path("flag.toml", env) != "flag.toml" || settings.Path("", env) != "env.toml" || settings.Path("", none) != settings.DefaultPath() {
		t.Error("the flag comes before the environment, and that before the default place")
	}
}

// A setting that is kept changes its own line only.
func TestKeep(t *testing.T) {
	for _, c := range []struct {
		name, before, key string
		value             any
		after             string
	}{
		{"no file", "", "theme", "dark", "theme = \"dark\"\n"},
		{"changed", "# mine\ntheme = \"auto\" # at night\nmouse = false\n", "theme", "light", "# mine\ntheme = \"light\" # at night\nmouse = false\n"},
		{"hash in quotes", "\"theme\"=\"auto\"# #1\n", "theme", "light", "\"theme\"= \"light\"# #1\n"},
		{"added behind others", "mouse = true # yes\n\n[keys.review]\ny = \"s\"\n", "clock", true, "mouse = true # yes\nclock = true\n\n[keys.review]\ny = \"s\"\n"},
		{"added before a table", "# mine\n\n# keys\n[keys.review]\ny = \"s\"\n", "clock", true, "# mine\n\nclock = true\n\n# keys\n[keys.review]\ny = \"s\"\n"},
		{"only a comment", "# mine\n", "mouse", true, "# mine\nmouse = true\n"},
		{"no line break at the end", "mouse = true", "clock", true, "mouse = true\nclock = true\n"},
		{"changed without line break", "mouse = true", "mouse", false, "mouse = false"},
		{"other line ends", "mouse = true\r\nclock = true\r\n", "mouse", false, "mouse = false\r\nclock = true\r\n"},
		{"same name in a table", "[keys.review]\ny = \"s\"\n", "theme", "dark", "theme = \"dark\"\n\n[keys.review]\ny = \"s\"\n"},
	} {
		path := filepath.Join(t.TempDir(), "deep", "settings.toml")
		if c.before != "" {
			fatal.If(t, os.MkdirAll(filepath.Dir(path), 0o700))
			fatal.If(t, os.WriteFile(path, []byte(c.before), 0o640))
		}
		if err := settings.Keep(path, c.key, c.value); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != c.after {
			t.Errorf("%s: %v\n%q, want\n%q", c.name, err, got, c.after)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".settings-*")); len(left) > 0 {
			t.Errorf("%s: %v stayed behind", c.name, left)
		}
	}
}

// A file with something wrong in it, or written in an unusual way, is left as it is; a
// link stays one.
func TestKeepLeavesAlone(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "settings.toml")
	for _, text := range []string{"colour = 3\n", "theme = \"\"\"\nauto\"\"\"\n", "theme = \"\"\"\\\n  dark\"\"\"\nmouse = true\n"} {
		fatal.If(t, os.WriteFile(path, []byte(text), 0o600))
		if err := settings.Keep(path, "theme", "light"); err == nil || !strings.Contains(err.Error(), "not kept") {
			t.Errorf("%q: %v", text, err)
		}
		if got, _ := os.ReadFile(path); string(got) != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	fatal.If(t, errors.Join(os.WriteFile(path, []byte("mouse = true\n"), 0o600), os.Chmod(path, 0o640)))
	link := filepath.Join(dir, "link.toml")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	fatal.If(t, settings.Keep(link, "mouse", false))
	info, err := os.Lstat(link)
	if got, _ := os.ReadFile(path); err != nil || info.Mode()&os.ModeSymlink == 0 || string(got) != "mouse = false\n" {
		t.Errorf("%v, %v, %q", err, info.Mode(), got)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 {
		t.Errorf("the file may be read by %v now", info.Mode().Perm())
	}
}

// No scope lists a key twice for two things, and every key can be moved.
func TestKeys(t *testing.T) {
	for _, scope := range frame.Scopes() {
		seen := map[string]string{}
		for _, k := range settings.Keys(scope) {
			names := frame.Presses(k.Press)
			if len(names) == 0 {
				t.Errorf("%s: %q names no key", scope, k.Press)
			}
			for _, name := range names {
				if other, twice := seen[name]; twice {
					t.Errorf("%s: %s is listed for %q and for %q", scope, name, other, k.Does)
				}
				seen[name] = k.Does
				if _, err := frame.NewKeymap([]frame.Remap{{Scope: scope, Own: name, Wanted: "f12"}}); err != nil {
					t.Error(err)
				}
			}
		}
	}
}
