// Package program starts every program that assay starts, so that one place decides what runs: a program on the
// user's PATH, never one that the current folder or a file of others chooses. SECURITY.md lists the callers.
package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Class is why a program is started.
type Class int

const (
	// Tool is a program that assay needs: it runs in the root directory, with the variables of [Environment].
	Tool Class = iota
	// Box is a program that makes a box, or becomes one: it runs in the root directory, without variables.
	Box
	// Own is a program that the user named or that acts for the user, as an editor: it runs in the current directory,
	// with the user's environment.
	Own
)

// errNamed is returned for a name that is not that of a program.
var errNamed = errors.New("it is not the plain name of a program, such as ruby")

// All lists the programs of a plain name in the absolute directories of the PATH, in their order.
func All(name string) ([]string, error) {
	if name == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, "/\\\x00") {
		return nil, fmt.Errorf("%q: %w", name, errNamed)
	}
	var found []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil && filepath.IsAbs(dir) {
			found = append(found, path)
		}
	}
	if found == nil {
		return nil, &exec.Error{Name: name, Err: exec.ErrNotFound}
	}
	return found, nil
}

// Find returns the first program of a plain name.
func Find(name string) (string, error) {
	all, err := All(name)
	if err != nil {
		return "", err
	}
	return all[0], nil
}

// Named returns the program that the user named, by a path or a plain name.
func Named(name string) (string, error) {
	if !strings.ContainsRune(name, filepath.Separator) && !strings.Contains(name, "/") {
		return Find(name)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// Command returns a command. Its name is an absolute path or a plain name; that of the user's own program may be any path.
func Command(ctx context.Context, class Class, name string, args ...string) *exec.Cmd {
	path, err := name, error(nil)
	switch {
	case class == Own:
		path, err = Named(name)
	case !filepath.IsAbs(name):
		path, err = Find(name)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Args[0] = name
	if err != nil {
		cmd.Err = err
	}
	switch class {
	case Tool:
		cmd.Dir, cmd.Env = string(filepath.Separator), Environment()
	case Box:
		cmd.Dir, cmd.Env = string(filepath.Separator), []string{}
	}
	return cmd
}

// kept are the variables that tools get: where the user's own things are, and how to reach a container engine. None
// holds a key, options of an interpreter, or a library to load.
var kept = []string{"PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ",
	"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
	"CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "PYENV_ROOT", "PYENV_VERSION", "GOROOT", "GOPATH", "GOCACHE", "GOMODCACHE",
	"JAVA_HOME", "R_HOME", "R_LIBS", "R_LIBS_USER", "R_LIBS_SITE",
	"DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY", "CONTAINER_HOST",
	"SYSTEMROOT", "PATHEXT", "TEMP", "TMP", "APPDATA", "LOCALAPPDATA", "USERPROFILE"}

// Environment returns the variables for tools. Relative paths are left out, and programs that look for a version of
// themselves in the network or in a project's files are told not to.
func Environment() []string {
	env := []string{"GOTOOLCHAIN=local", "GOWORK=off", "PYTHONDONTWRITEBYTECODE=1", "GIT_TERMINAL_PROMPT=0"}
	for _, name := range kept {
		value, set := os.LookupEnv(name)
		if !set {
			continue
		}
		if !strings.Contains(value, "://") {
			value = strings.Join(slices.DeleteFunc(filepath.SplitList(value), func(part string) bool {
				return !filepath.IsAbs(part) && (name == "PATH" || strings.ContainsAny(part, `/\`))
			}), string(filepath.ListSeparator))
		}
		env = append(env, name+"="+value)
	}
	return env
}

// Limits of a program that is asked about itself. On a busy machine one that needs a second of processor time may take
// a minute.
const (
	Wall    = 2 * time.Minute
	maxSaid = 4 << 20
)

// Said is what a program printed.
type Said struct{ Out, Err []byte }

// All is what it printed on both streams.
func (s Said) All() []byte { return append(bytes.Clone(s.Out), s.Err...) }

// Ask runs a tool that ends by itself, within [Wall] and a limit on what it prints.
func Ask(ctx context.Context, name string, args ...string) (Said, error) {
	ctx, cancel := context.WithTimeout(ctx, Wall)
	defer cancel()
	cmd := Command(ctx, Tool, name, args...)
	var out, errs limited
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.WaitDelay = time.Second // a process that it left behind may hold its streams
	err := cmd.Run()
	return Said{out, errs}, err
}

// limited refuses more than maxSaid bytes.
type limited []byte

func (l *limited) Write(p []byte) (int, error) {
	if len(*l)+len(p) > maxSaid {
		return 0, fmt.Errorf("it printed more than %d MB", maxSaid>>20)
	}
	*l = append(*l, p...)
	return len(p), nil
}

// Word quotes a text as one word of a command line for a POSIX shell, if that is necessary: for commands that are shown to
// be typed. The quotes are double, since single ones stand around such commands.
func Word(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.@/,:=+%", r)
	}
	if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) {
		return text
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(text) + `"`
}

// Line joins words of a command line.
func Line(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Word(word)
	}
	return strings.Join(quoted, " ")
}
