package patch

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"strings"
)

// Kind is how an answer states its changes.
type Kind string

// The kinds of answers.
const (
	UnifiedDiff Kind = "diff"
	Blocks      Kind = "blocks" // search/replace blocks
	WholeFiles  Kind = "files"
)

// Answer is the part of a model's answer that changes files.
type Answer struct {
	Kind Kind

	diff   []byte
	blocks []block
	files  []wholeFile
}

// block replaces some lines of a file.
type block struct {
	path            string
	line            int
	search, replace []byte
}

// wholeFile is the whole content of a file.
type wholeFile struct {
	path string
	line int
	text []byte
}

// Read finds the changes in a model's answer. The error is a [Failure].
func Read(text string) (*Answer, error) {
	if len(text) > MaxAnswer {
		return nil, &Failure{Reason: TooLarge, Text: fmt.Sprintf("the answer is %d MB long; the limit is %d MB", len(text)>>20, MaxAnswer>>20)}
	}
	if strings.Count(text, "\n") > maxLines {
		return nil, &Failure{Reason: TooLarge, Text: "the answer has more than 500,000 lines"}
	}
	text = unixLines(strings.TrimPrefix(text, "\ufeff"))
	d := splitFences(text)
	if blocks, err := d.searchReplace(); len(blocks) > 0 || err != nil {
		return &Answer{Kind: Blocks, blocks: blocks}, err
	}
	if diff := d.diff(text); diff != nil {
		return &Answer{Kind: UnifiedDiff, diff: diff}, nil
	}
	if files := d.files(); len(files) > 0 {
		return &Answer{Kind: WholeFiles, files: files}, nil
	}
	return nil, &Failure{Reason: Empty, Text: "the answer has no diff, no search/replace block and no file with its path"}
}

// unixLines replaces the line ends of Windows, if every line has them: then they are the sender's, and not those of
// the files.
func unixLines(text string) string {
	if n := strings.Count(text, "\r\n"); n > 0 && n == strings.Count(text, "\n") {
		return strings.ReplaceAll(text, "\r\n", "\n")
	}
	return text
}

// Fenced writes a file below its path, in a fence that its text does not close: as Read finds whole files, and
// as prompts quote them.
func Fenced(path, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return path + "\n" + fence + "\n" + text + fence + "\n"
}

// ApplyInTurn is Apply, but for a diff as SWE-bench's harness applies it: by `git apply`, `git apply --reject` and
// `patch --batch --fuzz=5 -p1`, each on what the one before has left, until one succeeds.
func (a *Answer) ApplyInTurn(base Tree) (Changes, error) {
	if a.Kind != UnifiedDiff {
		return a.Apply(base)
	}
	changes, gitErr := applyGit(base, a.diff, newBudget())
	if gitErr == nil || forbidden(gitErr) {
		return changes, gitErr
	}
	left := applyPartly(base, a.diff, newBudget())
	changes, err := applyEitherWay(left.Over(base), a.diff, newBudget())
	if err != nil {
		return nil, describe(gitErr, err)
	}
	maps.Copy(left, changes)
	return finish(base, left)
}

// Apply returns the changes that the answer makes to a tree. The error is a [Failure], unless the tree
// cannot be read.
func (a *Answer) Apply(base Tree) (Changes, error) {
	switch a.Kind {
	case Blocks:
		return applyBlocks(base, a.blocks)
	case WholeFiles:
		results := Changes{}
		for _, f := range a.files {
			if err := writable(base, f.path, f.line); err != nil {
				return nil, err
			}
			results[f.path] = &File{Data: f.text, Mode: modeAt(base, f.path)}
		}
		return finish(base, results)
	}
	changes, gitErr := applyGit(base, a.diff, newBudget())
	if gitErr == nil {
		return changes, nil
	}
	changes, fuzzyErr := applyFuzzy(base, a.diff, newBudget())
	if fuzzyErr == nil && forbidden(gitErr) {
		return nil, gitErr
	}
	if fuzzyErr == nil {
		return changes, nil
	}
	return nil, describe(gitErr, fuzzyErr)
}

func forbidden(err error) bool {
	var f *Failure
	return errors.As(err, &f) && f.Reason == Forbidden
}

// writable returns a Failure if a file may not be written whole.
func writable(t Tree, name string, line int) error {
	if err := guard(t, name); err != nil {
		return at(err, line)
	}
	if mode, err := t.Mode(name); err == nil && mode == Link {
		return &Failure{Reason: NoFile, Path: name, Line: line, Text: "the file is a symbolic link"}
	}
	return nil
}

func modeAt(t Tree, name string) Mode {
	if mode, err := t.Mode(name); err == nil && mode == Executable {
		return Executable
	}
	return Regular
}

// applyBlocks replaces the first occurrence of each block's search text.
func applyBlocks(base Tree, blocks []block) (Changes, error) {
	results, work, numbers := Changes{}, newBudget(), map[string]int{}
	tree := results.Over(base).(*overlay)
	for _, b := range blocks {
		numbers[b.path]++
		fail := func(reason Reason, text string) error {
			return &Failure{Reason: reason, Path: b.path, Hunk: numbers[b.path], Line: b.line, Text: text}
		}
		if err := writable(tree, b.path, b.line); err != nil {
			return nil, err
		}
		old, err := tree.File(b.path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		var text []byte
		switch {
		case old == nil && len(bytes.TrimSpace(b.search)) > 0:
			return nil, fail(NoFile, "there is no such file, and the block does not create one: its search part is not empty")
		case old == nil:
			text = b.replace
		case len(bytes.TrimSpace(b.search)) == 0:
			text = append(bytes.Clone(old.Data), b.replace...)
		default:
			if !work.spend(len(old.Data) / 16) {
				return nil, fail(TooLarge, errWork.Error())
			}
			var found bool
			if text, found = replaceFirst(old.Data, b.search, b.replace); !found {
				return nil, fail(NoMatch, fmt.Sprintf("the file does not contain the block's search text, which begins %q", shown(firstLine(b.search))))
			}
		}
		if err := work.keep(b.path, len(text)); err != nil {
			return nil, err
		}
		tree.set(b.path, &File{Data: text, Mode: modeAt(tree, b.path)})
	}
	return finish(base, results)
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(bytes.TrimLeft(text, "\n"), []byte("\n"))
	return line
}

// replaceFirst replaces whole lines. If they are not found, line ends \r\n of the file are tried.
func replaceFirst(text, search, replace []byte) ([]byte, bool) {
	for _, crlf := range []bool{false, true} {
		if crlf {
			search, replace = withCRLF(search), withCRLF(replace)
		}
		from := 0
		for {
			i := bytes.Index(text[from:], search)
			if i < 0 {
				break
			}
			i += from
			if i == 0 || text[i-1] == '\n' {
				return bytes.Join([][]byte{text[:i], replace, text[i+len(search):]}, nil), true
			}
			from = i + 1
		}
		// The last line of a file may lack its line end.
		if bare := bytes.TrimRight(search, "\r\n"); len(bare) > 0 && bytes.HasSuffix(text, bare) {
			if i := len(text) - len(bare); i == 0 || text[i-1] == '\n' {
				return append(bytes.Clone(text[:i]), bytes.TrimRight(replace, "\r\n")...), true
			}
		}
	}
	return nil, false
}

func withCRLF(text []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
}

// fence is a fenced part of an answer.
type fence struct {
	info   string // what follows the opening fence
	before string // the last line before it that is not blank
	line   int    // of its first line
	text   string
}

// document is an answer as lines, with its fenced parts.
type document struct {
	lines  []string
	fences []fence
	fenced []bool // lines that open or close a fence
}

// splitFences finds the parts in fences. A fence that is not closed extends to the end.
func splitFences(text string) document {
	d := document{lines: strings.SplitAfter(text, "\n")}
	d.fenced = make([]bool, len(d.lines))
	before := ""
	for i := 0; i < len(d.lines); i++ {
		line := strings.TrimSpace(d.lines[i])
		mark := fenceMark(d.lines[i])
		if mark == "" {
			if line != "" {
				before = line
			}
			continue
		}
		d.fenced[i] = true
		f := fence{info: strings.TrimSpace(strings.TrimLeft(line, mark[:1])), before: before, line: i + 2}
		var body strings.Builder
		for i++; i < len(d.lines); i++ {
			end := strings.TrimRight(d.lines[i], " \t\r\n")
			if strings.HasPrefix(end, mark) && strings.Trim(end, mark[:1]) == "" {
				d.fenced[i] = true
				break
			}
			body.WriteString(d.lines[i])
		}
		f.text = body.String()
		d.fences = append(d.fences, f)
		before = ""
	}
	return d
}

// fenceMark returns the fence with which a line begins, or "".
func fenceMark(line string) string {
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 {
		return ""
	}
	for _, c := range []string{"`", "~"} {
		if n := len(trimmed) - len(strings.TrimLeft(trimmed, c)); n >= 3 && !strings.Contains(trimmed[n:], "`") {
			return trimmed[:n]
		}
	}
	return ""
}

// diff returns the diff of an answer: its fenced diffs, or else the text from the first header on.
func (d document) diff(text string) []byte {
	var out []byte
	for _, f := range d.fences {
		language, _, _ := strings.Cut(f.info, " ")
		if body := bareDiff(f.text); body != "" && (language == "diff" || language == "patch" || startsDiff(f.text)) {
			out = append(out, body...)
		}
	}
	if out == nil {
		out = []byte(bareDiff(text))
	}
	if len(out) == 0 {
		return nil
	}
	if out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	return out
}

// startsDiff reports whether a text begins with the header of a diff.
func startsDiff(text string) bool { return bareDiff(text) == strings.TrimLeft(text, "\r\n") }

// bareDiff returns a text from the first header of a diff on, or "".
func bareDiff(text string) string {
	for at := 0; at < len(text); {
		rest := text[at:]
		end := strings.IndexByte(rest, '\n') + 1
		if end == 0 {
			end = len(rest)
		}
		switch {
		case strings.HasPrefix(rest, "diff --git "), strings.HasPrefix(rest, "Index: "),
			strings.HasPrefix(rest, "--- ") && strings.HasPrefix(rest[end:], "+++ "):
			return rest
		}
		at += end
	}
	return ""
}

// The marks of search/replace blocks.
var (
	searchMark  = regexp.MustCompile(`^<{5,9} ?SEARCH\s*$`)
	middleMark  = regexp.MustCompile(`^={5,9}\s*$`)
	replaceMark = regexp.MustCompile(`^>{5,9} ?REPLACE\s*$`)
)

// searchReplace reads the blocks of an answer.
func (d document) searchReplace() (blocks []block, err error) {
	last, before := "", ""
	for i := 0; i < len(d.lines); i++ {
		line := strings.TrimRight(d.lines[i], "\r\n")
		if !searchMark.MatchString(line) {
			if strings.TrimSpace(line) != "" && fenceMark(line) == "" {
				before = line
			}
			continue
		}
		b := block{path: pathOf(before), line: i + 1}
		b.path = cmp.Or(b.path, last)
		if b.path == "" {
			return nil, malformed(i+1, "a search/replace block without the path of its file on the line before")
		}
		parts, end := [2][]byte{}, i
		part := 0
		for end++; end < len(d.lines); end++ {
			text := strings.TrimRight(d.lines[end], "\r\n")
			if part == 0 && middleMark.MatchString(text) {
				part = 1
				continue
			}
			if part == 1 && replaceMark.MatchString(text) {
				part = 2
				break
			}
			parts[part] = append(parts[part], d.lines[end]...)
		}
		if part != 2 {
			return nil, &Failure{Reason: Malformed, Path: b.path, Line: i + 1, Text: "a search/replace block without its ======= or >>>>>>> REPLACE"}
		}
		b.search, b.replace = parts[0], parts[1]
		blocks = append(blocks, b)
		last, before, i = b.path, "", end
	}
	return blocks, nil
}

// A path in prose: alone on its line, perhaps as a heading or in quotes, or after a word such as "File:".
var (
	pathLine = regexp.MustCompile("^[#>*\\s-]*(?:\\*\\*)?(?i:file(?:name| ?path)?\\s*:|path\\s*:)?\\s*(?:\\*\\*)?[`\"']?([^\\s`\"'*:]+)[`\"']?(?:\\*\\*)?:?(?:\\*\\*)?$")
	pathInfo = regexp.MustCompile("(?:title|file|filename|path)=[\"']?([^\\s\"']+)")
	pathNote = regexp.MustCompile(`^\s*(?:#|//|--|/\*|<!--)\s*(?i:file(?:name| ?path)?\s*:|path\s*:)\s*(\S+)`)
)

// pathOf returns the path on a line, or "".
func pathOf(line string) string {
	m := pathLine.FindStringSubmatch(strings.TrimSpace(line))
	if m == nil || !looksLikePath(m[1]) {
		return ""
	}
	return plainPath(m[1])
}

// plainPath removes "./". What leads outside the tree remains, and is refused later by its name.
func plainPath(name string) string {
	for strings.HasPrefix(name, "./") {
		name = strings.TrimLeft(name[2:], "/")
	}
	return name
}

func looksLikePath(text string) bool {
	return strings.Contains(text, "/") || path.Ext(text) != "" && !strings.HasSuffix(text, ".") || text == "Makefile" || text == "Dockerfile"
}

// files reads the fenced files of an answer that have a path.
func (d document) files() (files []wholeFile) {
	for _, f := range d.fences {
		name, text := f.path()
		if name == "" {
			continue
		}
		files = append(files, wholeFile{path: name, line: f.line, text: []byte(text)})
	}
	return files
}

// path returns the path of a fenced file and its content.
func (f fence) path() (name, text string) {
	if m := pathInfo.FindStringSubmatch(f.info); m != nil {
		return plainPath(m[1]), f.text
	}
	words := strings.Fields(f.info)
	for i, word := range words {
		_, after, labelled := strings.Cut(word, ":") // python:src/a.py
		if labelled {
			word = after
		}
		if looksLikePath(word) && (labelled || i > 0 || strings.Contains(word, "/")) {
			return plainPath(word), f.text
		}
	}
	if name := pathOf(f.before); name != "" {
		return name, f.text
	}
	first, rest, _ := strings.Cut(f.text, "\n")
	if m := pathNote.FindStringSubmatch(first); m != nil && looksLikePath(m[1]) {
		return plainPath(m[1]), rest
	}
	return "", ""
}
