package analyser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/data/program"
	"assay/scoring/quality"
)

// Analyser is an installed program.
type Analyser struct {
	Name    string
	Version string
	Path    string

	tool  *tool
	argv  []string // command line
	binds []string // paths that it needs to see
	env   []string
	home  string // for eslint: the folder of its modules
	rules string // for semgrep: its rules
}

// Title returns the analyser's name with its version, as in every finding.
func (a *Analyser) Title() string { return a.Name + " " + a.Version }

// Availability reports whether an analyser is usable, or why not and what to do.
type Availability struct {
	Name      string              `json:"name"`
	Languages []string            `json:"languages"`
	Rates     []quality.Dimension `json:"rates"`
	Analyser  *Analyser           `json:"-"` // nil if it cannot be used
	Version   string              `json:"version,omitempty"`
	Why       string              `json:"why,omitempty"`
	Fix       string              `json:"fix,omitempty"`
}

// Places are the locations of analysers. The zero value searches $PATH.
type Places struct {
	Path         string // folders, as in $PATH
	SemgrepRules string // a file of semgrep's rules, which it cannot download without network
}

// tool is the adapter for an analyser.
type tool struct {
	name      string
	program   string
	languages []string
	rates     []quality.Dimension
	least     [2]int // the oldest supported version
	because   string // why older ones are not supported
	fix       string
	version   []string // arguments that print the version
	prepare   func(ctx context.Context, a *Analyser, p Places) error
	files     func(a *Analyser, language, source string) map[string]string
	arguments func(a *Analyser, language string) []string
	read      func(o output) ([]raw, string, error) // parses the output to findings, or a note why nothing was examined
}

// Names lists the supported analysers.
func Names() []string {
	var names []string
	for _, t := range tools() {
		names = append(names, t.name)
	}
	return names
}

// Find reports, for each analyser of a language ("" for any), whether it is usable.
func Find(ctx context.Context, language string, places Places) []Availability {
	var list []Availability
	for _, t := range tools() {
		if language != "" && !slices.Contains(t.languages, language) {
			continue
		}
		at := Availability{Name: t.name, Languages: t.languages, Rates: t.rates}
		a, err := t.find(ctx, places)
		if a != nil {
			at.Version = a.Version
		}
		if err != nil {
			at.Why, at.Fix = err.Error(), t.fix
		} else {
			at.Analyser = a
		}
		list = append(list, at)
	}
	return list
}

var versionNumber = regexp.MustCompile(`\d+\.\d+(\.\d+)*`)

// find looks up a tool and its version.
func (t *tool) find(ctx context.Context, places Places) (*Analyser, error) {
	path, err := lookUp(t.program, places.Path)
	if err != nil {
		return nil, err
	}
	a := &Analyser{Name: t.name, Path: path, tool: t, argv: []string{path}}
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	said, err := program.Ask(ctx, path, t.version...)
	out := said.All()
	if err != nil {
		return nil, fmt.Errorf("%s does not run: %w: %s", path, err, lastLine(string(out)))
	}
	a.Version = versionNumber.FindString(string(out))
	if a.Version == "" && t.name == "gosec" {
		a.Version = "dev" // built from source, it does not know its version
	}
	if a.Version == "" {
		return nil, fmt.Errorf("%s reports no version: %s", path, lastLine(string(out)))
	}
	if older(a.Version, t.least) {
		return a, fmt.Errorf("%s is version %s; at least %d.%d is needed: %s", path, a.Version, t.least[0], t.least[1], t.because)
	}
	if err := t.prepare(ctx, a, places); err != nil {
		return a, err
	}
	for _, b := range a.binds {
		if b == "/tmp" || strings.HasPrefix(b, "/tmp/") {
			return a, fmt.Errorf("%s is installed below /tmp, which the sandbox replaces with an empty folder", path)
		}
	}
	return a, nil
}

// lookUp finds a program in folders, or in $PATH.
func lookUp(name, folders string) (string, error) {
	if folders == "" {
		path, err := program.Find(name)
		if err != nil {
			return "", fmt.Errorf("no program %s was found", name)
		}
		return path, nil
	}
	for _, dir := range filepath.SplitList(folders) {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
			return filepath.Abs(path)
		}
	}
	return "", fmt.Errorf("no program %s was found", name)
}

func older(version string, least [2]int) bool {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return false
	}
	major, _ := strconv.Atoi(parts[0])
	minor, _ := strconv.Atoi(parts[1])
	return major < least[0] || major == least[0] && minor < least[1]
}

// outside returns the folders that are not visible in a box by default.
func outside(folders ...string) []string {
	var list []string
	for _, f := range folders {
		if f == "" || f == "/" || strings.HasPrefix(f, "/usr/") || f == "/usr" || strings.HasPrefix(f, "/bin") || strings.HasPrefix(f, "/lib") || slices.Contains(list, f) {
			continue
		}
		if _, err := os.Stat(f); err == nil {
			list = append(list, f)
		}
	}
	return list
}

// interpreter returns the program in a script's first line, "" if there is none.
func interpreter(path string) string {
	head := make([]byte, 256)
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	n, _ := f.Read(head)
	line, _, _ := bytes.Cut(head[:n], []byte("\n"))
	words := strings.Fields(strings.TrimPrefix(string(line), "#!"))
	if !bytes.HasPrefix(line, []byte("#!")) || len(words) == 0 {
		return ""
	}
	if filepath.Base(words[0]) == "env" && len(words) > 1 {
		found, _ := program.Find(words[len(words)-1])
		return found
	}
	return words[0]
}

// pythonProgram finds the dependencies of a Python program: its interpreter and the interpreter's module
// folders.
func pythonProgram(ctx context.Context, a *Analyser, _ Places) error {
	python := interpreter(a.Path)
	if python == "" {
		a.binds = outside(filepath.Dir(a.Path))
		return nil
	}
	said, err := program.Ask(ctx, python, "-I", "-c",
		"import json, os, site, sys; print(json.dumps([os.path.realpath(sys.executable), sys.prefix, sys.base_prefix, site.getusersitepackages()] + sys.path))")
	var where []string
	if err != nil || json.Unmarshal(said.Out, &where) != nil {
		return fmt.Errorf("%s is run by %s, which does not work: %v", a.Path, python, err)
	}
	real, err := filepath.EvalSymlinks(a.Path)
	if err != nil {
		return err
	}
	a.argv = []string{python, "-B", real}
	home := filepath.Dir(filepath.Dir(real))
	a.binds = outside(append([]string{home, filepath.Dir(filepath.Dir(python))}, where[1:]...)...)
	return nil
}

// Analyse runs the analyser on a source text. The error means that the analyser failed; for a text that it
// cannot read, the result rates nothing and has a note.
func (a *Analyser) Analyse(ctx context.Context, box Box, table *Severities, language string, source []byte) (Result, error) {
	if !slices.Contains(a.tool.languages, language) {
		return Result{}, fmt.Errorf("%s does not support %s", a.Title(), language)
	}
	files := a.tool.files(a, language, string(source))
	o, err := run(ctx, box, append(slices.Clone(a.argv), a.tool.arguments(a, language)...), a.env, a.binds, files)
	if err != nil {
		return Result{}, fmt.Errorf("running %s: %w", a.Title(), err)
	}
	return a.result(o, table)
}

// result parses the analyser's output.
func (a *Analyser) result(o output, table *Severities) (Result, error) {
	list, note, err := a.tool.read(o)
	if err != nil {
		return Result{}, fmt.Errorf("reading the findings of %s: %w", a.Title(), err)
	}
	r := Result{Analyser: a.Title(), Note: note}
	if note != "" {
		r.Note = a.Title() + ": " + note
		return r, nil
	}
	r.Findings, err = table.rated(a.Name, a.Title(), list)
	if err != nil {
		return Result{}, err
	}
	r.Analysed = a.tool.rates
	return r, nil
}
