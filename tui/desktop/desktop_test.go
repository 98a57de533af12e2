package desktop

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"assay/data/fatal"
)

// tool puts a program of that name into a directory.
func tool(t *testing.T, dir, name, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs of this test are shell scripts")
	}
	fatal.If(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755))
}

func on(system string, env map[string]string) Desktop {
	return find(func(name string) string { return env[name] }, system)
}

// Which program is taken depends on the display that there is and on what is installed.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"wl-copy", "xclip", "xsel", "xdg-open"} {
		tool(t, dir, name, "")
	}
	only := t.TempDir()
	tool(t, only, "xsel", "")
	mac := t.TempDir()
	tool(t, mac, "pbcopy", "")
	tool(t, mac, "open", "")
	plain := t.TempDir()
	if err := os.WriteFile(filepath.Join(plain, "xclip"), nil, 0o644); err != nil { // cannot be run
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name         string
		env          map[string]string
		copier, open string
	}{
		{"wayland", map[string]string{"PATH": dir, "WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "wl-copy", "xdg-open"},
		{"x", map[string]string{"PATH": dir, "DISPLAY": ":0"}, "xclip", "xdg-open"},
		{"only xsel", map[string]string{"PATH": "/nowhere" + string(os.PathListSeparator) + only, "DISPLAY": ":0"}, "xsel", ""},
		{"no display", map[string]string{"PATH": dir}, "", ""},
		{"darwin", map[string]string{"PATH": mac}, "pbcopy", "open"},
		{"linux with a program called open", map[string]string{"PATH": mac}, "pbcopy", ""},
		{"no program", map[string]string{"PATH": plain, "DISPLAY": ":0"}, "", ""},
		{"nothing", nil, "", ""},
	} {
		system := "linux"
		if tc.name == "darwin" {
			system = tc.name
		}
		d := on(system, tc.env)
		if d.Copier() != tc.copier || d.Opener() != tc.open {
			t.Errorf("%s: %q and %q, want %q and %q", tc.name, d.Copier(), d.Opener(), tc.copier, tc.open)
		}
	}
	if !on("linux", map[string]string{"TMUX": "/tmp/s"}).InTmux() || on("linux", nil).InTmux() {
		t.Error("tmux is not known")
	}
}

func TestCopy(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "clipboard")
	tool(t, dir, "xclip", `[ "$1 $2" = "-selection clipboard" ] && exec cat > `+out+"\n")
	d := on("linux", map[string]string{"PATH": dir, "DISPLAY": ":0"})
	text := strings.Repeat("def double(n):\n    return '\x1b[31m' * n\n", 1000)
	fatal.If(t, d.Copy(context.Background(), text))
	if got, err := os.ReadFile(out); err != nil || string(got) != text {
		t.Errorf("%d bytes arrived, %v", len(got), err)
	}
	tool(t, dir, "xclip", "exit 3\n")
	if err := d.Copy(context.Background(), text); err == nil || !strings.Contains(err.Error(), "xclip did not take the text") {
		t.Error(err)
	}
	if err := (Desktop{}).Copy(context.Background(), "x"); err == nil {
		t.Error("nothing was copied by nobody")
	}
	// One that never ends is given up: here at once, since nobody waits any more.
	tool(t, dir, "xclip", "exec sleep 60\n")
	ended, end := context.WithCancel(context.Background())
	end()
	if err := d.Copy(ended, text); err == nil {
		t.Error("a program that takes nothing succeeded")
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	tool(t, dir, "xdg-open", "exit 0\n")
	d := on("linux", map[string]string{"PATH": dir, "DISPLAY": ":0"})
	if err := d.Open("-plot.png"); err != nil {
		t.Error(err)
	}
	if err := (Desktop{}).Open("plot.png"); err == nil {
		t.Error("nobody opened it")
	}
	fatal.If(t, os.Remove(filepath.Join(dir, "xdg-open")))
	if err := d.Open("plot.png"); err == nil {
		t.Error("a program that is gone opened it")
	}
}

func TestClipOfWindows(t *testing.T) {
	if got := encoded("clip.exe", "é\n𝄞"); got != "\xff\xfe\xe9\x00\n\x00\x34\xd8\x1e\xdd" {
		t.Errorf("%q", got)
	}
	if got := encoded("xclip", "é"); got != "é" {
		t.Errorf("%q", got)
	}
}
