// Package dockerfile reads a Dockerfile as steps that can be done in a box, and writes them as a shell script.
//
// It owns which images and instructions are understood, and how. It runs nothing: package repository runs the script
// in a box in which the machine's own programs stand for those of the image. Every error names the file, the line and
// what is not understood.
package dockerfile

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Plan is what a Dockerfile says, or one of its stages.
type Plan struct {
	Name   string  // of the stage, behind AS
	Stages []*Plan // the stages before this one, in their order; they have none of their own
	On     *Plan   // the one of them that it begins with; nil: an image

	Image              string // of FROM
	Toolchain, Version string // that stands for the image, as environments of repository tasks name it; "": the system's programs
	Workdir            string // an absolute path
	Env                map[string]string

	// Script is text for sh that does the steps. The build context lies in $ASSAY_CONTEXT, the files of a stage in
	// $ASSAY_STAGE_N, with N from 0 and their paths below /, and /tmp/.step has the line of the step that runs. Each RUN
	// is a process of its own.
	Script string
}

// SystemPath is the PATH of images that set none.
const SystemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// images are the images that the machine's own programs stand for.
var images = []struct{ name, toolchain, workdir string }{
	{"debian", "", "/"}, {"ubuntu", "", "/"}, {"buildpack-deps", "", "/"}, {"gcc", "", "/"}, {"r-base", "", "/"}, {"perl", "", "/"},
	{"python", "python", "/"}, {"node", "node", "/"}, {"golang", "go", "/go"}, {"rust", "cargo", "/"}, {"ruby", "ruby", "/"},
	{"eclipse-temurin", "java", "/"}, {"openjdk", "java", "/"}, {"maven", "mvn", "/"},
	{"ghcr.io/laude-institute/t-bench/ubuntu-24-04", "", "/app"}, {"ghcr.io/laude-institute/t-bench/python-3-13", "python", "/app"},
}

// Images lists the names of images that are understood.
func Images() (names []string) {
	for _, image := range images {
		names = append(names, image.name)
	}
	return names
}

// reader is the state while the steps are read.
type reader struct {
	name    string // of the file, for errors
	line    int    // of the step
	context fs.FS
	plan    *Plan
	vars    map[string]string // ARG and ENV
	global  map[string]string // ARG before FROM
	shell   []string
	script  strings.Builder
	heredoc string // the text of the step's here document, with its end
	inner   string // without its end
}

// Error is a step that is not understood.
type Error struct {
	File string
	Line int // from 1
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text) }

func (r *reader) fail(format string, args ...any) error {
	return &Error{r.name, r.line, fmt.Sprintf(format, args...)}
}

// Read reads the text of a Dockerfile, whose build context is given. Errors call the file name.
func Read(name, text string, context fs.FS) (*Plan, error) {
	r := &reader{name: name, context: context, plan: &Plan{}, global: map[string]string{}}
	r.vars = r.global
	lines := strings.Split(strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n"), "\n")
	for at := 0; at < len(lines); {
		r.line = at + 1
		word, rest, next := joined(lines, at)
		at = next
		if word == "" {
			continue
		}
		r.heredoc, r.inner = "", ""
		if word == "RUN" || word == "COPY" {
			var err error
			if rest, at, err = r.document(rest, lines, at); err != nil {
				return nil, err
			}
		}
		if err := r.step(word, rest); err != nil {
			return nil, err
		}
	}
	if r.plan.Image == "" {
		r.line = 1
		return nil, r.fail("there is no FROM")
	}
	r.plan.Script = r.script.String()
	return r.plan, nil
}

// joined returns the instruction that begins on a line, with the lines on which it goes on, and the line after it.
func joined(lines []string, at int) (word, rest string, next int) {
	first := strings.TrimSpace(lines[at])
	if first == "" || strings.HasPrefix(first, "#") {
		return "", "", at + 1
	}
	word, rest, _ = strings.Cut(first, " ")
	if tab, more, found := strings.Cut(word, "\t"); found {
		word, rest = tab, more+" "+rest
	}
	at++
	for strings.HasSuffix(rest, `\`) {
		rest = strings.TrimSuffix(rest, `\`)
		for at < len(lines) && (strings.HasPrefix(strings.TrimSpace(lines[at]), "#") || strings.TrimSpace(lines[at]) == "") {
			at++
		}
		if at == len(lines) {
			break
		}
		rest += strings.TrimRight(lines[at], " \t")
		at++
	}
	return strings.ToUpper(word), strings.TrimSpace(rest), at
}

var documentStart = regexp.MustCompile(`(?:^|[^<])<<-?\s*(["']?)([A-Za-z_][A-Za-z0-9_]*)(["']?)`)

// document reads the here document of a step, if it has one, from the lines behind it.
func (r *reader) document(rest string, lines []string, at int) (string, int, error) {
	start := documentStart.FindStringSubmatch(rest)
	if start == nil || start[1] != start[3] {
		return rest, at, nil
	}
	for begin := at; at < len(lines); at++ {
		if strings.Trim(lines[at], "\t") == start[2] {
			r.inner = strings.Join(lines[begin:at], "\n") + "\n"
			r.heredoc = r.inner + start[2] + "\n"
			return rest, at + 1, nil
		}
	}
	return rest, at, r.fail("the here document has no end %q", start[2])
}

// step reads one instruction.
func (r *reader) step(word, rest string) error {
	if r.plan.Image == "" && word != "FROM" && word != "ARG" {
		return r.fail("%s stands before FROM", word)
	}
	switch word {
	case "FROM":
		return r.from(rest)
	case "ARG":
		name, value, given := strings.Cut(rest, "=")
		value, err := r.expand(strings.Trim(value, `"'`))
		if given {
			r.vars[name] = value
		} else if value, given = r.global[name]; given {
			r.vars[name] = value
		}
		if given && r.plan.Image != "" {
			r.export(name, value)
		}
		return err
	case "ENV":
		return r.env(rest)
	case "WORKDIR":
		dir, err := r.expand(strings.Trim(rest, `"'`))
		if err != nil {
			return err
		}
		if r.plan.Workdir, err = r.absolute(dir); err != nil {
			return err
		}
		r.begin()
		fmt.Fprintf(&r.script, "mkdir -p %[1]s && cd %[1]s\n", Quote(r.plan.Workdir))
		return nil
	case "RUN":
		return r.run(rest)
	case "COPY", "ADD":
		return r.copy(word, rest)
	case "SHELL":
		if json.Unmarshal([]byte(rest), &r.shell) != nil || len(r.shell) == 0 {
			return r.fail("SHELL takes a list of texts in JSON")
		}
		return nil
	case "USER", "LABEL", "EXPOSE", "CMD", "ENTRYPOINT", "HEALTHCHECK", "STOPSIGNAL", "MAINTAINER", "VOLUME":
		return nil // they change no file; a box has one user
	}
	return r.fail("the instruction %s is not understood", word)
}

// begin notes the line of a step.
func (r *reader) begin() { fmt.Fprintf(&r.script, "echo %d >/tmp/.step\n", r.line) }

func (r *reader) export(name, value string) {
	if name == "PATH" { // the caller puts its own directory before it
		fmt.Fprintf(&r.script, "export PATH=\"$ASSAY_BIN\":%s\n", Quote(value))
		return
	}
	fmt.Fprintf(&r.script, "export %s=%s\n", name, Quote(value))
}

var versionOf = regexp.MustCompile(`^\d+(\.\d+)*`)

// from reads FROM.
func (r *reader) from(rest string) error {
	rest, err := r.expand(rest)
	if err != nil {
		return err
	}
	words := slices.DeleteFunc(strings.Fields(rest), func(w string) bool { return strings.HasPrefix(w, "--platform=") })
	if len(words) != 1 && (len(words) != 3 || !strings.EqualFold(words[1], "as")) {
		return r.fail("FROM takes the name of an image")
	}
	stages := r.plan.Stages
	if r.plan.Image != "" {
		r.plan.Script, r.plan.Stages = r.script.String(), nil
		stages = append(stages, r.plan)
		r.script.Reset()
	}
	r.plan = &Plan{Stages: stages, Image: words[0], Env: map[string]string{}}
	if len(words) == 3 {
		r.plan.Name = words[2]
	}
	r.vars, r.shell = map[string]string{"PATH": SystemPath}, []string{"/bin/sh", "-c"}
	if at := r.stage(words[0]); at >= 0 {
		on := stages[at]
		r.plan.On, r.plan.Image, r.plan.Toolchain, r.plan.Version, r.plan.Workdir = on, on.Image, on.Toolchain, on.Version, on.Workdir
		for _, name := range slices.Sorted(maps.Keys(on.Env)) {
			r.vars[name], r.plan.Env[name] = on.Env[name], on.Env[name]
			r.export(name, on.Env[name])
		}
		fmt.Fprintf(&r.script, "cd %s\n", Quote(r.plan.Workdir))
		return nil
	}
	image, _, _ := strings.Cut(words[0], "@")
	name, tag := image, ""
	if at := strings.LastIndex(image, ":"); at > strings.LastIndex(image, "/") {
		name, tag = image[:at], image[at+1:]
	}
	for _, prefix := range []string{"docker.io/", "public.ecr.aws/docker/", "library/"} {
		name = strings.TrimPrefix(name, prefix)
	}
	for _, known := range images {
		if name != known.name {
			continue
		}
		r.plan.Toolchain, r.plan.Workdir = known.toolchain, known.workdir
		if known.toolchain != "" {
			if r.plan.Version = versionOf.FindString(tag); strings.HasSuffix(name, "/python-3-13") { // whose tag is a date
				r.plan.Version = "3.13"
			}
		}
		fmt.Fprintf(&r.script, "mkdir -p %[1]s && cd %[1]s\n", Quote(r.plan.Workdir))
		return nil
	}
	return r.fail("the image %s is not understood: only its own container has what is in it; the machine's programs stand for %s", words[0], strings.Join(Images(), ", "))
}

// stage returns the index of a stage by its name or number, or -1.
func (r *reader) stage(name string) int {
	if at, err := strconv.Atoi(name); err == nil && at >= 0 && at < len(r.plan.Stages) {
		return at
	}
	return slices.IndexFunc(r.plan.Stages, func(p *Plan) bool { return p.Name != "" && strings.EqualFold(p.Name, name) })
}

// env reads ENV: NAME=value pairs, or a name and the rest of the line.
func (r *reader) env(rest string) error {
	words, err := r.words(rest)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return r.fail("ENV takes NAME=value")
	}
	if !strings.Contains(words[0], "=") {
		_, value, _ := strings.Cut(rest, " ")
		if value, err = r.expand(strings.TrimSpace(value)); err != nil {
			return err
		}
		words = []string{words[0] + "=" + value}
	}
	for _, word := range words {
		name, value, given := strings.Cut(word, "=")
		if !given || !variable.MatchString(name) {
			return r.fail("ENV: %q is not NAME=value", word)
		}
		r.vars[name], r.plan.Env[name] = value, value
		r.export(name, value)
	}
	return nil
}

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// run reads RUN.
func (r *reader) run(rest string) error {
	for strings.HasPrefix(rest, "--") {
		option, more, _ := strings.Cut(rest, " ")
		if !strings.HasPrefix(option, "--mount=type=cache") && !strings.HasPrefix(option, "--network=") {
			return r.fail("the option %s of RUN is not understood", option)
		}
		rest = strings.TrimSpace(more)
	}
	argv := slices.Clone(r.shell)
	var list []string
	switch {
	case strings.HasPrefix(rest, "<<") && !strings.ContainsAny(strings.TrimSpace(rest[2:]), " \t"):
		argv = append(argv, r.inner)
	case r.heredoc != "":
		argv = append(argv, rest+"\n"+r.heredoc)
	case strings.HasPrefix(rest, "[") && json.Unmarshal([]byte(rest), &list) == nil && len(list) > 0:
		argv = list
	case rest == "":
		return r.fail("RUN has no command")
	default:
		argv = append(argv, rest)
	}
	for i := range argv {
		argv[i] = Quote(argv[i])
	}
	r.begin()
	r.script.WriteString(strings.Join(argv, " ") + "\n")
	return nil
}

// absolute resolves a path of the image.
func (r *reader) absolute(name string) (string, error) {
	if strings.ContainsAny(name, "\x00\n") {
		return "", r.fail("%q is no path", name)
	}
	if path.IsAbs(name) {
		return path.Clean(name), nil
	}
	return path.Join("/", r.plan.Workdir, name), nil
}

// words splits a text at spaces outside of quotes, removes the quotes and expands variables.
func (r *reader) words(text string) (words []string, err error) {
	var word strings.Builder
	quote, open := byte(0), false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, open = c, true
		case quote == 0 && (c == ' ' || c == '\t'):
			if open {
				words, open = append(words, word.String()), false
				word.Reset()
			}
		case c == '\\' && quote != '\'' && i+1 < len(text):
			i++
			if text[i] == '$' || quote == '"' && text[i] != '"' && text[i] != '\\' {
				word.WriteByte('\\')
			}
			word.WriteByte(text[i])
			open = true
		default:
			if c == '$' && quote == '\'' {
				word.WriteByte('\\')
			}
			word.WriteByte(c)
			open = true
		}
	}
	if quote != 0 {
		return nil, r.fail("a quotation mark %c is not closed", quote)
	}
	if open {
		words = append(words, word.String())
	}
	for i := range words {
		if words[i], err = r.expand(words[i]); err != nil {
			return nil, err
		}
	}
	return words, nil
}

var reference = regexp.MustCompile(`\\\$|\$\{([A-Za-z_][A-Za-z0-9_]*)(:[-+][^}]*)?\}|\$([A-Za-z_][A-Za-z0-9_]*)|\$\{`)

// expand replaces variables.
func (r *reader) expand(text string) (string, error) {
	var wrong string
	text = reference.ReplaceAllStringFunc(text, func(found string) string {
		if found == `\$` {
			return "$"
		}
		if found == "${" {
			wrong = found
			return found
		}
		m := reference.FindStringSubmatch(found)
		value := r.vars[m[1]+m[3]]
		switch {
		case strings.HasPrefix(m[2], ":-") && value == "":
			return m[2][2:]
		case strings.HasPrefix(m[2], ":+") && value != "":
			return m[2][2:]
		case strings.HasPrefix(m[2], ":+"):
			return ""
		}
		return value
	})
	if wrong != "" {
		return "", r.fail("the variable in %q is not understood: write ${NAME} or ${NAME:-default}", text)
	}
	return text, nil
}

// Quote quotes a word for a shell.
func Quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
