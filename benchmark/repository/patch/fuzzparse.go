package patch

import (
	"bytes"
	"strings"
)

// fuzzParser reads unified diffs as GNU patch does, which guesses more than git: it takes file names from
// any of three kinds of lines, and accepts blank lines that lost their leading space and a final line
// without line end.
type fuzzParser struct {
	cursor
	stripCR bool
}

// fuzzChange is a change with the names that GNU patch chooses from.
type fuzzChange struct {
	change
	git      bool
	names    []string // candidates from "---", "+++" and "Index:"
	nullOld  bool     // the old side is /dev/null, or said to be created
	nullNew  bool
	emptyOld bool // the first hunk starts at line 0: the file is empty or missing

	missing  [2]int // of the old and the new side: 2 if the header says that there is no file, 1 if it is empty or missing
	reverses bool   // a change that looks reversed is reversed
}

// next reads the next change; nil at the end.
func (p *fuzzParser) next() (*fuzzChange, error) {
	c, index := &fuzzChange{}, ""
	stampOld, stampNew := false, false // the name is /dev/null, or its time is that of a missing file
	old, new := "", ""
	for ; !p.done(); p.skip() {
		raw := p.peek()
		p.stripCR = bytes.HasSuffix(raw, []byte("\r\n"))
		line := strings.TrimRight(string(raw), "\r\n")
		h, ok := hunkHeader(raw)
		if !ok && bytes.HasPrefix(raw, []byte("@@ -")) && (old != "" || new != "") {
			return nil, malformed(p.line, "the header of the hunk is malformed")
		}
		if ok && (old != "" || new != "" || index != "" || c.nullOld || c.nullNew) {
			c.emptyOld = h.oldStart == 0
			c.missingAt(0, h.oldStart, stampOld)
			c.missingAt(1, h.newStart, stampNew)
			break
		}
		if c.git && c.extendedOnly() && (strings.HasPrefix(line, "diff --git ") || strings.HasPrefix(line, "--- ") && !c.nextIsNew(p)) {
			break
		}
		switch key, value := fuzzKey(line); key {
		case "diff --git ":
			*c = fuzzChange{git: true, change: change{line: p.line}}
			index = ""
			old, new = twoNames(value)
		case "--- ":
			if name := fuzzName(value); c.git && old != "" && !isDevNull(value) && name != old {
				*c = fuzzChange{} // the header of another file
			}
			c.line = p.line
			old = fuzzName(value)
			stampOld = isDevNull(value) || epoch(value)
			c.nullOld = c.nullOld || stampOld
			if isDevNull(value) {
				old = ""
			}
		case "+++ ":
			new = fuzzName(value)
			stampNew = isDevNull(value) || epoch(value)
			c.nullNew = c.nullNew || stampNew
			if isDevNull(value) {
				new = ""
			}
		case "Index:":
			index = fuzzName(value)
		case "rename from ", "copy from ":
			if c.git {
				c.renamed(key)
				old = wholeName(value)
			}
		case "rename to ", "copy to ":
			if c.git {
				c.renamed(key)
				new = wholeName(value)
			}
		case "GIT binary patch":
			return nil, &Failure{Reason: Binary, Path: new, Line: p.line, Text: "patch does not apply git's binary patches"}
		default:
			c.extended(key, value)
		}
	}
	if p.done() && !(c.git && c.extendedOnly()) {
		return nil, nil
	}
	c.old, c.new = old, new
	c.names = []string{old, new}
	if old == "" && new == "" {
		c.names = []string{index}
	}
	return c, p.hunks(c)
}

// missingAt notes that a hunk whose range starts at 0 is of a side without content: of an empty file, or of none where its
// name or time says so.
func (c *fuzzChange) missingAt(side, start int, none bool) {
	switch {
	case start != 0:
	case none:
		c.missing[side] = 2
	default:
		c.missing[side] = 1
	}
}

// renamed notes that the file is moved or copied.
func (c *fuzzChange) renamed(key string) {
	c.renames = c.renames || strings.HasPrefix(key, "rename")
	c.copies = c.copies || strings.HasPrefix(key, "copy")
}

// extended reads a line of git's header that names no file.
func (c *fuzzChange) extended(key, value string) {
	if !c.git {
		return
	}
	m, _ := modeOf(value)
	switch key {
	case "new file mode ":
		c.nullOld, c.creates, c.newMode, c.missing[0] = true, true, m, 2
	case "deleted file mode ":
		c.nullNew, c.deletes, c.oldMode, c.missing[1] = true, true, m, 2
	case "old mode ":
		c.oldMode = m
	case "new mode ":
		c.newMode = m
	case "index ":
		ids, _, _ := strings.Cut(value, " ")
		before, after, _ := strings.Cut(ids, "..")
		c.missing = [2]int{missingID(before), missingID(after)}
	}
}

// missingID tells what an id of git says about a file: 2, there is none; 1, it is empty; 0, neither.
func missingID(id string) int {
	switch {
	case strings.Trim(id, "0") == "":
		return 2
	case strings.HasPrefix(emptyID, id):
		return 1
	}
	return 0
}

const emptyID = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" // of an empty file

// reverse turns the change round.
func (c *fuzzChange) reverse() {
	c.nullOld, c.nullNew = c.nullNew, c.nullOld
	c.missing[0], c.missing[1] = c.missing[1], c.missing[0]
	c.creates, c.deletes, c.oldMode, c.newMode = c.deletes, c.creates, c.newMode, c.oldMode
	for i := range c.hunks {
		h := &c.hunks[i]
		h.oldStart, h.oldLines, h.newStart, h.newLines = h.newStart, h.newLines, h.oldStart, h.oldLines
		for j := range h.body {
			switch p := &h.body[j]; p.op {
			case '-':
				p.op = '+'
			case '+':
				p.op = '-'
			}
		}
	}
}

// extendedOnly reports whether the header alone changes the file.
func (c *fuzzChange) extendedOnly() bool {
	return c.creates || c.deletes || c.renames || c.copies || c.newMode != 0
}

// nextIsNew reports whether a line "---" belongs to the change's own header.
func (c *fuzzChange) nextIsNew(p *fuzzParser) bool {
	return bytes.HasPrefix(p.after(1), []byte("+++ "))
}

func fuzzKey(line string) (key, value string) {
	for _, key := range []string{"diff --git ", "Index:", "GIT binary patch"} {
		if value, ok := strings.CutPrefix(line, key); ok {
			return key, value
		}
	}
	return headerKey(line)
}

// fuzzName returns a name of a header without its first component: quoted, up to a tab, or up to a space.
func fuzzName(text string) string {
	text = strings.TrimLeft(text, " ")
	if quoted, _, ok := unquote(text); ok {
		text = quoted
	} else if before, _, found := strings.Cut(text, "\t"); found {
		text = before
	} else {
		text, _, _ = strings.Cut(text, " ")
	}
	stripped, _ := strip(squash(text), 1)
	return stripped
}

// twoNames returns the names of a line "diff --git"; none if there are spaces in them.
func twoNames(text string) (old, new string) {
	var names []string
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		if quoted, after, ok := unquote(rest); ok {
			names, rest = append(names, quoted), after
			continue
		}
		i := strings.IndexAny(rest+" ", " \t")
		names, rest = append(names, rest[:i]), rest[i:]
	}
	if len(names) != 2 {
		return "", ""
	}
	old, _ = strip(squash(names[0]), 1)
	new, _ = strip(squash(names[1]), 1)
	return old, new
}

// hunks reads the hunks of a change.
func (p *fuzzParser) hunks(c *fuzzChange) error {
	for !p.done() {
		h, ok := hunkHeader(p.peek())
		if !ok && bytes.HasPrefix(p.peek(), []byte("@@ -")) {
			return malformed(p.line, "the header of the hunk is malformed")
		}
		if !ok {
			return nil
		}
		h.line = p.line
		p.skip()
		if err := p.hunk(c, &h); err != nil {
			return err
		}
		c.hunks = append(c.hunks, h)
	}
	return nil
}

// hunk reads the lines of one hunk.
func (p *fuzzParser) hunk(c *fuzzChange, h *hunk) error {
	corrupt := func(text string) error {
		return &Failure{Reason: Malformed, Path: c.path(), Hunk: len(c.hunks) + 1, Line: p.line, Text: text}
	}
	old, new, changed := h.oldLines, h.newLines, false
	for old > 0 || new > 0 {
		line := p.bodyLine()
		if line == nil {
			if max(old, new) > 2 {
				return corrupt("the diff ends before the hunk has as many lines as its header announces")
			}
			line = []byte(" \n") // blank lines at the end that were lost
		} else {
			p.skip()
		}
		op, text := line[0], line[1:]
		switch op {
		case '\n', '\t', ' ', '=':
			if op == '\n' || op == '\t' { // the space in front was lost
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
		default:
			return corrupt("the line begins with none of the signs space, + and -; the header announces more lines")
		}
		if old < 0 || new < 0 {
			return corrupt("the hunk has other numbers of lines than its header announces")
		}
		if op != ' ' {
			changed, h.suffix = true, 0
		}
		h.body = append(h.body, piece{op, text})
		if last := op == '+' && new == 0 || op != '+' && old == 0; last && bytes.HasPrefix(p.peek(), []byte("\\")) {
			h.noNewline([]byte("\\ No newline at end of file"))
			p.skip()
		}
	}
	if !changed {
		return corrupt(unchanged)
	}
	return nil
}

// bodyLine returns the line at the cursor with a line end, and without a carriage return if the header had one;
// nil at the end.
func (p *fuzzParser) bodyLine() []byte {
	if p.done() {
		return nil
	}
	line := p.peek()
	if line[len(line)-1] != '\n' {
		line = append(line, '\n')
	}
	if p.stripCR && bytes.HasSuffix(line, []byte("\r\n")) {
		line = append(line[:len(line)-2:len(line)-2], '\n')
	}
	return line
}
