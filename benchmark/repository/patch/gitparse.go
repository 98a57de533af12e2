package patch

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// gitParser reads a diff as `git apply` does, with -p1.
type gitParser struct {
	cursor
	components int // to strip in traditional headers; -1: not known yet
}

// parseGit reads all changes of a diff.
func parseGit(text []byte) ([]*change, error) {
	p := gitParser{cursor: cursor{text: text, line: 1}, components: -1}
	var changes []*change
	for {
		c, err := p.header()
		if err != nil {
			return nil, err
		}
		if c == nil {
			break
		}
		if err := p.content(c); err != nil {
			return nil, err
		}
		if changes = append(changes, c); len(changes) > maxFiles {
			return nil, &Failure{Reason: TooLarge, Line: p.line, Text: "the diff changes more than 10,000 files"}
		}
	}
	if len(changes) == 0 {
		return nil, &Failure{Reason: Empty, Text: "there is no diff in the text"}
	}
	return changes, nil
}

// Paths lists the files that a diff changes or creates, by their new names, in its order. Deleted files are
// left out.
func Paths(diff string) ([]string, error) {
	changes, err := parseGit([]byte(unixLines(diff)))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, c := range changes {
		if !c.deletes && !slices.Contains(names, c.new) {
			names = append(names, c.new)
		}
	}
	return names, nil
}

// header finds the next header; nil at the end.
func (p *gitParser) header() (*change, error) {
	for ; !p.done(); p.skip() {
		line := p.peek()
		switch {
		case bytes.HasPrefix(line, []byte("@@ -")):
			if _, ok := hunkHeader(line); ok {
				return nil, malformed(p.line, "a hunk without the name of a file before it")
			}
		case bytes.HasPrefix(line, []byte("diff --git ")):
			c, err := p.gitHeader()
			if c != nil || err != nil {
				return c, err
			}
		case bytes.HasPrefix(line, []byte("--- ")) && bytes.HasPrefix(p.after(1), []byte("+++ ")):
			if third := p.after(2); len(third) >= 14 && bytes.HasPrefix(third, []byte("@@ -")) {
				return p.traditional(string(line[4:]), string(p.after(1)[4:]))
			}
		}
	}
	return nil, nil
}

// name returns the name in a header line: quoted, or up to a tab.
func name(text string, components int) string {
	text = strings.TrimRight(text, "\n")
	if quoted, _, ok := unquote(text); ok {
		text = quoted
	} else {
		text, _, _ = strings.Cut(text, "\t")
	}
	stripped, _ := strip(text, components)
	return stripped
}

func isDevNull(text string) bool {
	rest, ok := strings.CutPrefix(text, "/dev/null")
	return ok && (rest == "" || strings.ContainsRune(" \t\r\n", rune(rest[0])))
}

// traditional reads the lines "---" and "+++" of a diff that is not git's.
func (p *gitParser) traditional(first, second string) (*change, error) {
	c := &change{line: p.line}
	if p.components < 0 {
		p.components = 1
		for _, side := range []string{first, second} {
			if !isDevNull(side) && !strings.Contains(undated(side), "/") {
				p.components = 0 // as git guesses for names without directory
			}
		}
	}
	p.skip()
	p.skip()
	old, new := name(undated(first), p.components), name(undated(second), p.components)
	switch {
	case isDevNull(first):
		c.creates, c.new = true, new
	case isDevNull(second):
		c.deletes, c.old = true, old
	default:
		common := new
		if old != "" && strings.HasPrefix(new, old) || new == "" {
			common = old
		}
		switch {
		case epoch(first):
			c.creates, c.new = true, common
		case epoch(second):
			c.deletes, c.old = true, common
		default:
			c.old, c.new, c.maybeNew = common, common, true
		}
	}
	if c.old == "" && c.new == "" {
		return nil, malformed(c.line, "the name %q has too few directories: one is removed from it", strings.TrimSpace(first))
	}
	return c, nil
}

// gitHeader reads "diff --git" and the extended header. It returns nil, and stays at the line, if no
// extended header follows.
func (p *gitParser) gitHeader() (*change, error) {
	c := &change{line: p.line}
	start := p.cursor
	both := sameName(strings.TrimRight(string(p.peek()[len("diff --git "):]), "\n"))
	p.skip()
	lines := 0
	for ; !p.done(); lines++ {
		line := strings.TrimSuffix(string(p.peek()), "\n")
		more, err := p.extended(c, line, both)
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		p.skip()
	}
	if lines == 0 {
		p.cursor = start
		return nil, nil
	}
	if c.old == "" && c.new == "" {
		if both == "" {
			return nil, malformed(c.line, "the header lacks the names of the files")
		}
		c.old, c.new = both, both
	}
	if c.new == "" && !c.deletes || c.old == "" && !c.creates {
		return nil, malformed(c.line, "the header lacks the name of a file")
	}
	if c.creates {
		c.old = ""
	}
	if c.deletes {
		c.new = ""
	}
	return c, nil
}

// sameName returns the name in "a/name b/name", or "" if there is no single name.
func sameName(text string) string {
	if first, rest, ok := unquote(text); ok {
		second := strings.TrimPrefix(rest, " ")
		if unquoted, _, ok := unquote(second); ok {
			second = unquoted
		}
		return agreed(first, second)
	}
	for i := range len(text) {
		if text[i] != ' ' && text[i] != '\t' {
			continue
		}
		second := text[i+1:]
		if unquoted, _, ok := unquote(second); ok {
			second = unquoted
		}
		if same := agreed(text[:i], second); same != "" {
			return same
		}
	}
	return ""
}

func agreed(first, second string) string {
	a, okA := strip(first, 1)
	b, okB := strip(second, 1)
	if !okA || !okB || a != b {
		return ""
	}
	return a
}

// extended reads a line of an extended header. It returns false for another line.
func (p *gitParser) extended(c *change, line, both string) (bool, error) {
	mode := func(text string, into *Mode) error {
		m, ok := modeOf(text)
		if !ok {
			return malformed(p.line, "%q is not a mode of a file", clip(text))
		}
		*into = m
		return nil
	}
	for _, prefix := range []string{"similarity index ", "dissimilarity index "} {
		if strings.HasPrefix(line, prefix) {
			return true, nil
		}
	}
	switch key, value := headerKey(line); key {
	case "--- ":
		return true, p.verify(value, c.creates, &c.old)
	case "+++ ":
		return true, p.verify(value, c.deletes, &c.new)
	case "old mode ":
		return true, mode(value, &c.oldMode)
	case "new mode ":
		return true, mode(value, &c.newMode)
	case "deleted file mode ":
		c.deletes, c.old = true, both
		return true, mode(value, &c.oldMode)
	case "new file mode ":
		c.creates, c.new = true, both
		return true, mode(value, &c.newMode)
	case "copy from ":
		c.copies, c.old = true, wholeName(value)
	case "copy to ":
		c.copies, c.new = true, wholeName(value)
	case "rename from ", "rename old ":
		c.renames, c.old = true, wholeName(value)
	case "rename to ", "rename new ":
		c.renames, c.new = true, wholeName(value)
	case "index ":
		ids, rest, found := strings.Cut(value, " ")
		if old, new, ok := strings.Cut(ids, ".."); ok {
			c.oldID, c.newID = old, new
			if found {
				return true, mode(rest, &c.oldMode)
			}
		}
	default:
		return false, nil
	}
	return true, nil
}

func headerKey(line string) (key, value string) {
	for _, key := range []string{"--- ", "+++ ", "old mode ", "new mode ", "deleted file mode ", "new file mode ",
		"copy from ", "copy to ", "rename from ", "rename to ", "rename old ", "rename new ", "index "} {
		if value, ok := strings.CutPrefix(line, key); ok {
			return key, value
		}
	}
	return "", ""
}

// wholeName reads a name that fills its line.
func wholeName(text string) string {
	if quoted, _, ok := unquote(text); ok {
		text = quoted
	}
	plain, _ := strip(text, 0)
	return plain
}

// verify reads a line "---" or "+++" after an extended header, which must agree with it.
func (p *gitParser) verify(value string, none bool, known *string) error {
	switch found := name(value, 1); {
	case none:
		if !isDevNull(value) {
			return malformed(p.line, "the header says that there is no such file, but names %q", clip(value))
		}
	case *known == "":
		if isDevNull(value) {
			return malformed(p.line, "/dev/null stands here, but the header does not say that the file is created or deleted")
		}
		*known = found
	case found != *known:
		return malformed(p.line, "the name %q differs from %q in the header", clip(found), *known)
	}
	return nil
}

// content reads the hunks or the binary content of a change.
func (p *gitParser) content(c *change) error {
	for !p.done() && bytes.HasPrefix(p.peek(), []byte("@@ -")) {
		h, err := p.hunk(c)
		if err != nil {
			return err
		}
		c.hunks = append(c.hunks, h)
	}
	if len(c.hunks) == 0 {
		if err := p.binaryContent(c); err != nil {
			return err
		}
	}
	path := c.path()
	if len(c.hunks) != 1 || c.hunks[0].oldLines > 0 {
		c.maybeNew = false
	}
	switch {
	case c.creates && len(c.hunks) > 0 && c.hunks[0].oldLines > 0:
		return &Failure{Reason: Malformed, Path: path, Hunk: 1, Line: c.hunks[0].line, Text: "the file is new, but the hunk has lines of an old one"}
	case c.deletes && len(c.hunks) > 0 && c.hunks[0].newLines > 0:
		return &Failure{Reason: Malformed, Path: path, Hunk: 1, Line: c.hunks[0].line, Text: "the file is deleted, but the hunk leaves lines in it"}
	case len(c.hunks) == 0 && c.binary == nil && !c.creates && !c.deletes && !c.renames && !c.copies && c.newMode == 0:
		return &Failure{Reason: Malformed, Path: path, Line: c.line, Text: "the header is followed by no hunk"}
	}
	return nil
}

// path is the path by which messages call a change.
func (c *change) path() string { return cmp.Or(c.new, c.old) }

// unchanged says why a hunk of context alone is malformed: its header counts fewer lines than follow.
const unchanged = "the hunk changes nothing within the lines that its header announces"

// hunk reads a hunk with exactly the lines that its header announces.
func (p *gitParser) hunk(c *change) (hunk, error) {
	h, ok := hunkHeader(p.peek())
	corrupt := func(text string) error {
		return &Failure{Reason: Malformed, Path: c.path(), Hunk: len(c.hunks) + 1, Line: p.line, Text: text}
	}
	if !ok {
		return h, corrupt("the header of the hunk is malformed")
	}
	h.line = p.line
	p.skip()
	old, new, changed := h.oldLines, h.newLines, false
	for (old > 0 || new > 0) && !p.done() {
		line := p.peek()
		if line[len(line)-1] != '\n' {
			return h, corrupt("the diff ends in the middle of a line")
		}
		op, text := line[0], line[1:]
		switch op {
		case '\n', ' ':
			if op == '\n' {
				text = line
			}
			op = ' '
			old, new = old-1, new-1
			if !changed {
				h.prefix++
			}
			h.suffix++
		case '-':
			old--
		case '+':
			new--
		case '\\':
			if !h.noNewline(line) {
				return h, corrupt("the line begins with \\ but is not \"\\ No newline at end of file\"")
			}
			p.skip()
			continue
		default:
			return h, corrupt("the line begins with none of the signs space, + and -; the header announces more lines")
		}
		if old < 0 || new < 0 {
			return h, corrupt("the hunk has other numbers of lines than its header announces")
		}
		if op != ' ' {
			changed, h.suffix = true, 0
		}
		h.body = append(h.body, piece{op, text})
		p.skip()
	}
	if old > 0 || new > 0 {
		return h, corrupt("the diff ends before the hunk has as many lines as its header announces")
	}
	if !changed {
		return h, corrupt(unchanged)
	}
	if !p.done() && bytes.HasPrefix(p.peek(), []byte("\\ ")) && h.noNewline(p.peek()) {
		p.skip()
	}
	return h, nil
}

// noNewline applies a line "\ No newline at end of file" to the line before it.
func (h *hunk) noNewline(line []byte) bool {
	if len(line) < 12 || line[1] != ' ' {
		return false
	}
	if n := len(h.body); n > 0 {
		h.body[n-1].text = bytes.TrimSuffix(h.body[n-1].text, []byte("\n"))
	}
	return true
}
