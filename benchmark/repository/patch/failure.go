package patch

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// Reason is the kind of a [Failure].
type Reason string

// The reasons why an answer is not applied.
const (
	Empty     Reason = "empty"     // there is nothing to apply
	Malformed Reason = "malformed" // the text breaks the rules of its format
	NoMatch   Reason = "no_match"  // the file does not contain what the answer expects there
	NoFile    Reason = "no_file"   // a file is missing, exists already or is of the wrong kind
	Forbidden Reason = "forbidden" // a path or a link outside the tree, or in .git
	Binary    Reason = "binary"    // a binary patch that cannot be applied
	TooLarge  Reason = "too_large" // a limit on size or work
)

// Failure is why an answer does not apply.
type Failure struct {
	Reason Reason
	Path   string // the file, if there is one
	Hunk   int    // the number of the hunk or block in the file, from 1; 0: none
	Line   int    // the line of the answer's patch, from 1; 0: none
	Text   string // what happened
	Also   string // why `patch` failed, after `git apply`
}

func (f *Failure) Error() string {
	var b strings.Builder
	if f.Path != "" {
		b.WriteString(f.Path + ": ")
	}
	if f.Hunk > 0 {
		fmt.Fprintf(&b, "hunk %d ", f.Hunk)
	}
	switch {
	case f.Line > 0 && f.Hunk > 0:
		fmt.Fprintf(&b, "(line %d): ", f.Line)
	case f.Line > 0:
		fmt.Fprintf(&b, "line %d: ", f.Line)
	}
	b.WriteString(f.Text)
	if f.Also != "" {
		b.WriteString("; with fuzz: " + f.Also)
	}
	return b.String()
}

// malformed fails at a line of the patch.
func malformed(line int, format string, args ...any) *Failure {
	return &Failure{Reason: Malformed, Line: line, Text: fmt.Sprintf(format, args...)}
}

// Limits of an answer.
const (
	MaxAnswer = 16 << 20  // bytes
	maxLines  = 500_000   // lines of an answer
	maxFiles  = 10_000    // files that an answer changes
	maxFile   = 64 << 20  // bytes of a resulting file
	maxTotal  = 256 << 20 // bytes of all resulting files
	maxWork   = 64 << 20  // comparisons and copies of lines
	maxName   = 4096      // bytes of a path
)

// budget limits the work of applying an answer.
type budget struct{ work, bytes int }

func newBudget() *budget { return &budget{work: maxWork, bytes: maxTotal} }

// spend takes from the budget, and reports whether there was enough.
func (b *budget) spend(work int) bool {
	b.work -= work
	return b.work >= 0
}

// keep accounts for a resulting file.
func (b *budget) keep(name string, size int) error {
	b.bytes -= size
	if size > maxFile || b.bytes < 0 {
		return &Failure{Reason: TooLarge, Path: name, Text: fmt.Sprintf("the result is larger than %d MB, or all results than %d MB", maxFile>>20, maxTotal>>20)}
	}
	return nil
}

var errWork = errors.New("finding the place takes too long: the file and the hunk have too many equal lines")

// Outside returns why a path may not be changed, or "". Only its text is examined.
func Outside(name string) string {
	switch {
	case name == "" || name == ".":
		return "the path is empty"
	case len(name) > maxName:
		return "the path is too long"
	case strings.ContainsRune(name, 0):
		return "the path contains a zero byte"
	case strings.HasPrefix(name, "/"):
		return "the path is absolute: only files of the repository may be changed"
	}
	for _, part := range strings.Split(name, "/") {
		switch {
		case part == "..":
			return "the path leads outside the repository"
		case isGit(part):
			return "the path belongs to git's own files"
		case part == "." || part == "":
			return "the path is not in its plain form"
		}
	}
	return ""
}

// guard returns a Failure if a path may not be changed, because of its text or because a parent is a link.
func guard(t Tree, name string) error {
	if why := Outside(name); why != "" {
		return &Failure{Reason: Forbidden, Path: name, Text: why}
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		mode, err := t.Mode(dir)
		if err == nil && mode == Link {
			return &Failure{Reason: Forbidden, Path: name, Text: fmt.Sprintf("the path leads through the symbolic link %s", dir)}
		}
	}
	return nil
}

// guardLink returns a Failure if a link leads outside the tree.
func guardLink(name string, target string) error {
	at := path.Join(path.Dir(name), target)
	if target == "" || path.IsAbs(target) || at == ".." || strings.HasPrefix(at, "../") || strings.ContainsRune(target, 0) {
		return &Failure{Reason: Forbidden, Path: name, Text: fmt.Sprintf("the symbolic link leads outside the repository, to %q", clip(target))}
	}
	for _, part := range strings.Split(at, "/") {
		if isGit(part) {
			return &Failure{Reason: Forbidden, Path: name, Text: "the symbolic link leads to git's own files"}
		}
	}
	return nil
}

// clip shortens a text for messages.
func clip(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
