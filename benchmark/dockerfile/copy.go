package dockerfile

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// copy reads COPY and ADD.
func (r *reader) copy(word, rest string) error {
	mode, stage := "", -1
	for strings.HasPrefix(rest, "--") {
		option, more, _ := strings.Cut(rest, " ")
		switch name, value, _ := strings.Cut(option, "="); name {
		case "--chown", "--link":
		case "--chmod":
			mode = value
		case "--from":
			if strings.HasPrefix(value, "ghcr.io/astral-sh/uv:") { // which something of the box stands for
				return nil
			}
			if stage = r.stage(value); stage < 0 {
				return r.fail("%s: no earlier stage is called %s", word, value)
			}
		default:
			return r.fail("the option %s of %s is not understood", option, word)
		}
		rest = strings.TrimSpace(more)
	}
	var names []string
	if !strings.HasPrefix(rest, "[") || json.Unmarshal([]byte(rest), &names) != nil {
		var err error
		if names, err = r.words(rest); err != nil {
			return err
		}
	}
	if len(names) < 2 {
		return r.fail("%s takes files and where they go", word)
	}
	last := names[len(names)-1]
	to, err := r.absolute(last)
	if err != nil {
		return err
	}
	r.begin()
	if r.inner != "" {
		if len(names) != 2 || !strings.HasPrefix(names[0], "<<") {
			return r.fail("%s of a here document takes one name", word)
		}
		fmt.Fprintf(&r.script, "mkdir -p %s\nprintf %%s %s >%s\n", Quote(path.Dir(to)), Quote(r.inner), Quote(to))
		return nil
	}
	into := strings.HasSuffix(last, "/") || last == "." || len(names) > 2
	if stage >= 0 {
		for _, from := range names[:len(names)-1] {
			r.copiedOver(stage, from, to, into)
		}
		return nil
	}
	for _, from := range names[:len(names)-1] {
		if err := r.copied(word, from, to, into); err != nil {
			return err
		}
	}
	if mode != "" {
		fmt.Fprintf(&r.script, "chmod -R %s %s\n", Quote(mode), Quote(to))
	}
	return nil
}

// copiedOver copies a file or directory of a stage.
func (r *reader) copiedOver(stage int, from, to string, into bool) {
	source := fmt.Sprintf(`"$ASSAY_STAGE_%d"`, stage) + Quote(path.Clean("/"+from))
	file := Quote(to)
	if into {
		file += "/"
	}
	fmt.Fprintf(&r.script, "if [ -d %[1]s ]; then mkdir -p %[2]s && cp -a --no-preserve=ownership %[1]s/. %[2]s/; else mkdir -p %[4]s && cp -a --no-preserve=ownership %[1]s %[3]s; fi\n",
		source, Quote(to), file, Quote(map[bool]string{true: to, false: path.Dir(to)}[into]))
}

// copied copies what a pattern names.
func (r *reader) copied(word, from, to string, into bool) error {
	if strings.Contains(from, "://") || strings.HasPrefix(from, "git@") {
		return r.fail("%s of %s needs a network", word, from)
	}
	from = path.Clean(strings.TrimLeft(from, "/"))
	if !fs.ValidPath(from) {
		return r.fail("%s: %q is outside of the build context", word, from)
	}
	if _, err := fs.Stat(r.context, ".dockerignore"); err == nil {
		return r.fail("%s with a file .dockerignore is not understood", word)
	}
	found, err := fs.Glob(r.context, from)
	if err != nil || len(found) == 0 {
		return r.fail("%s: the build context has no %s", word, from)
	}
	for _, name := range found {
		info, err := fs.Stat(r.context, name)
		if err != nil {
			return r.fail("%s: %s cannot be read: %v", word, name, err)
		}
		source := `"$ASSAY_CONTEXT"/` + Quote(name)
		switch {
		case info.IsDir():
			fmt.Fprintf(&r.script, "mkdir -p %[2]s && cp -a --no-preserve=ownership %[1]s/. %[2]s/\n", source, Quote(to))
		case word == "ADD" && archived.MatchString(name):
			fmt.Fprintf(&r.script, "mkdir -p %[2]s && tar -xf %[1]s -C %[2]s\n", source, Quote(to))
		case into || len(found) > 1:
			fmt.Fprintf(&r.script, "mkdir -p %[2]s && cp -a --no-preserve=ownership %[1]s %[2]s/\n", source, Quote(to))
		default:
			fmt.Fprintf(&r.script, "mkdir -p %s && cp -a --no-preserve=ownership %s %s\n", Quote(path.Dir(to)), source, Quote(to))
		}
	}
	return nil
}

var archived = regexp.MustCompile(`\.(tar|tgz|tar\.(gz|bz2|xz))$`)
