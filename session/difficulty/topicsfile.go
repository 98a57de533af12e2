package difficulty

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"assay/benchmark"
	"assay/data/disk"
	"assay/data/tomlfile"
	"assay/scoring/topics"
)

// TopicsFile is a file of topics that people edit. Assay writes it once, and afterwards changes only what
// it is asked to: the lines of a name, or of two topics that are merged. All other lines and all comments
// stay as they are.
type TopicsFile struct {
	Path string
	Grouping

	text   string // as last read or written
	tasks  *benchmark.Benchmark
	before []string // texts before each change, for undo
}

// topicsHelp lists the keys of the file for error messages.
const topicsHelp = "the keys are benchmark, hash and made, in each [[topic]] name, words and tasks, and in [noise] tasks"

// topicsHash identifies the texts in which topics were found.
func topicsHash(b *benchmark.Benchmark) string {
	h := sha256.New()
	for i := range b.Tasks {
		t := text(&b.Tasks[i])
		fmt.Fprintf(h, "%d %s %d %s\n", len(b.Tasks[i].ID), b.Tasks[i].ID, len(t), t)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// CreateTopicsFile writes topics to a new file.
func CreateTopicsFile(path string, b *benchmark.Benchmark, g *Grouping) (*TopicsFile, error) {
	var out strings.Builder
	fmt.Fprintf(&out, `# What the tasks of a benchmark are about. Edit it: give topics other names, move tasks from
# one to another or to noise, and put topics together by moving all tasks and removing the
# [[topic]] that is left. A topic has at least %d tasks, and a task one topic. Comments stay.

benchmark = %s
hash = %s  # of the tasks' ids and texts, to notice that they have changed
made = %s
`, topics.MinTexts, quoted(g.Benchmark), quoted(g.Hash), quoted(g.Made))
	for _, t := range g.Topics {
		fmt.Fprintf(&out, "\n[[topic]]\nname = %s\nwords = %s\ntasks = %s\n", quoted(t.Name), list(t.Words), list(t.Tasks))
	}
	fmt.Fprintf(&out, "\n[noise]\ntasks = %s\n", list(g.Noise.Tasks))
	f := &TopicsFile{Path: path, tasks: b}
	if err := f.parse(out.String()); err != nil {
		return nil, err
	}
	if err := disk.Create(path, 0o644, disk.Bytes(f.text)); err != nil {
		return nil, fmt.Errorf("the file of topics cannot be written: %w", err)
	}
	return f, nil
}

// ReadTopicsFile reads the topics of the benchmark's tasks. Errors name line and field, and wrap
// os.ErrNotExist if the file does not exist.
func ReadTopicsFile(path string, b *benchmark.Benchmark) (*TopicsFile, error) {
	text, err := disk.ReadFile(path, disk.Document)
	if err != nil {
		return nil, fmt.Errorf("the file of topics cannot be read: %w", err)
	}
	f := &TopicsFile{Path: path, tasks: b}
	return f, f.parse(string(text))
}

// Changed reports whether the tasks differ from those in which the topics were found.
func (f *TopicsFile) Changed() bool { return f.Hash != topicsHash(f.tasks) }

// parse reads and checks a text.
func (f *TopicsFile) parse(text string) error {
	var g Grouping
	file, err := tomlfile.Decode(f.Path, text, &g, topicsHelp)
	if err != nil {
		return f.located(text, err)
	}
	switch {
	case strings.TrimSpace(g.Made) == "" || control(g.Made):
		return file.Wrong("made", "say in one line how the topics were made, such as \"by hand\"")
	case len(g.Topics) == 0:
		return file.Wrong("topic", "there is no [[topic]]: remove the file, and one is written anew")
	case g.Benchmark != f.tasks.Name:
		return file.Wrong("benchmark", "the topics are of %q, and the tasks of %q: name another file", g.Benchmark, f.tasks.Name)
	}
	where := map[string]string{} // the owner of each task
	names := map[string]bool{}
	for i, t := range g.Topics {
		key := fmt.Sprintf("topic.%d", i)
		if err := badName(t.Name); err != nil {
			return file.Wrong(key+".name", "%v", err)
		}
		if names[t.Name] {
			return file.Wrong(key+".name", "%q is the name of another topic: give it another, or put both together", t.Name)
		}
		names[t.Name] = true
		if i := slices.IndexFunc(t.Words, control); i >= 0 {
			return file.Wrong(key+".words", "the word %q holds characters that no terminal shows", t.Words[i])
		}
		if len(t.Tasks) < topics.MinTexts {
			return file.Wrong(key+".tasks", "a topic has at least %d tasks, and %q has %d: move more here, or move them to another topic or to [noise] and remove this one", topics.MinTexts, t.Name, len(t.Tasks))
		}
		if err := f.claim(file, key+".tasks", fmt.Sprintf("the topic %q", t.Name), t.Tasks, where); err != nil {
			return err
		}
	}
	if err := f.claim(file, "noise.tasks", "[noise]", g.Noise.Tasks, where); err != nil {
		return err
	}
	f.Grouping, f.text = g, text
	return nil
}

// located returns the error of a text with the right line: for a value of the wrong type the decoder knows
// the key, but not which [[topic]].
func (f *TopicsFile) located(text string, err error) error {
	if strings.Contains(err.Error(), "the key is not known") {
		return err // it has its line
	}
	above := 0
	for _, b := range blocksOf(text) {
		var alone Grouping
		if _, blockErr := tomlfile.Decode(f.Path, strings.Repeat("\n", above)+strings.Join(b.lines, "\n"), &alone, topicsHelp); blockErr != nil {
			return blockErr
		}
		above += len(b.lines)
	}
	return err
}

// claim records the owner of tasks, and rejects unknown tasks and those with another owner.
func (f *TopicsFile) claim(file *tomlfile.File, key, owner string, tasks []string, where map[string]string) error {
	for _, id := range tasks {
		if _, err := f.tasks.Task(id); err != nil {
			return file.Wrong(key, "there is no task %q in %s", id, f.tasks.Name)
		}
		if other, taken := where[id]; taken {
			return file.Wrong(key, "the task %q is in %s already: leave it in one place", id, other)
		}
		where[id] = owner
	}
	return nil
}

func control(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) })
}

// badName returns an error if the name of a topic is not allowed.
func badName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("a topic needs a name")
	case control(name):
		return fmt.Errorf("the name %q holds characters that no terminal shows, or is of several lines", name)
	}
	return nil
}

// Rename renames a topic, by index, and writes the file.
func (f *TopicsFile) Rename(topic int, name string) error {
	if err := badName(name); err != nil {
		return err
	}
	if i := slices.IndexFunc(f.Topics, func(t Group) bool { return t.Name == name }); i >= 0 && i != topic {
		return fmt.Errorf("%q is the name of another topic", name)
	}
	blocks := blocksOf(f.text)
	if err := blocks.of(topic).set("name", quoted(name)); err != nil {
		return err
	}
	return f.write(blocks.text())
}

// Merge merges two topics, by index, at the position and under the name of the first, and writes the file.
// Comments of the other one are removed.
func (f *TopicsFile) Merge(into, from int) error {
	merged, err := f.merged(f.tasks, into, from)
	if err != nil {
		return err
	}
	at := into
	if from < into {
		at--
	}
	blocks := blocksOf(f.text)
	target := blocks.of(into)
	end := len(target.lines)
	for end > 0 && strings.TrimSpace(target.lines[end-1]) == "" {
		end--
	}
	target.lines = slices.Insert(target.lines, end, blocks.of(from).comments()...)
	if err := target.set("tasks", list(merged.Topics[at].Tasks)); err != nil {
		return err
	}
	if f.Topics[into].Words != nil {
		if err := target.set("words", list(merged.Topics[at].Words)); err != nil {
			return err
		}
	}
	blocks.of(from).lines = nil
	return f.write(blocks.text())
}

// Undo undoes the last change made here. It is an error if there is none.
func (f *TopicsFile) Undo() error {
	if len(f.before) == 0 {
		return errors.New("nothing was changed here that could be undone")
	}
	last := f.before[len(f.before)-1]
	rest := f.before[:len(f.before)-1]
	if err := f.write(last); err != nil {
		return err
	}
	f.before = rest
	return nil
}

// Undoable reports whether there is a change to undo.
func (f *TopicsFile) Undoable() bool { return len(f.before) > 0 }

// write replaces the file, unless it has changed since it was read, by a text that is checked as if a
// person had written it.
func (f *TopicsFile) write(text string) error {
	on, err := disk.ReadFile(f.Path, disk.Document)
	switch {
	case err != nil:
		return fmt.Errorf("the file of topics cannot be read: %w", err)
	case string(on) != f.text:
		return fmt.Errorf("%s was changed meanwhile by somebody else: leave and open it again", f.Path)
	}
	before := f.text
	next := &TopicsFile{Path: f.Path, tasks: f.tasks}
	if err := next.parse(text); err != nil {
		return err
	}
	if err := disk.Replace(f.Path, 0o644, disk.Bytes(text)); err != nil {
		return fmt.Errorf("the file of topics cannot be written: %w", err)
	}
	f.Grouping, f.text = next.Grouping, text
	f.before = append(f.before, before)
	return nil
}

// quoted returns a text as a TOML string.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case unicode.IsControl(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// list returns a TOML array of texts, several on a line.
func list(texts []string) string {
	if len(texts) == 0 {
		return "[]"
	}
	const width = 92
	var b strings.Builder
	b.WriteString("[")
	line := 0
	for i, t := range texts {
		item := quoted(t)
		if i == 0 || line+len(item) > width {
			b.WriteString("\n  ")
			line = 2
		} else {
			b.WriteString(" ")
		}
		b.WriteString(item + ",")
		line += len(item) + 2
	}
	b.WriteString("\n]")
	return b.String()
}

// block is the text from a header to the next one; comments directly before a header belong to it.
type block struct {
	header string // "topic", "noise", …; empty before the first
	lines  []string
}

type blocks []*block

func (all blocks) text() string {
	var lines []string
	for _, b := range all {
		lines = append(lines, b.lines...)
	}
	return strings.Join(lines, "\n")
}

// of returns the block of a topic.
func (all blocks) of(topic int) *block {
	for _, b := range all {
		if b.header == "topic" {
			if topic == 0 {
				return b
			}
			topic--
		}
	}
	return &block{}
}

// blocksOf splits a valid file into blocks.
func blocksOf(text string) blocks {
	lines := strings.Split(text, "\n")
	all := blocks{{}}
	var scan scanner
	for _, line := range lines {
		trimmed := strings.TrimSpace(line)
		if scan.outside() && strings.HasPrefix(trimmed, "[") {
			last := all[len(all)-1]
			from := len(last.lines)
			for from > 0 && strings.HasPrefix(strings.TrimSpace(last.lines[from-1]), "#") {
				from--
			}
			if len(all) == 1 && from == 0 {
				from = len(last.lines) // the head of the file belongs to no topic
			}
			next := &block{header: strings.TrimSpace(strings.Trim(strings.SplitN(trimmed, "]", 2)[0], "[")), lines: slices.Clone(last.lines[from:])}
			next.lines = append(next.lines, line)
			last.lines = last.lines[:from]
			all = append(all, next)
			continue
		}
		scan.line(line)
		all[len(all)-1].lines = append(all[len(all)-1].lines, line)
	}
	return all
}

// scanner tracks arrays and strings across lines, and finds comments.
type scanner struct {
	depth int    // of brackets
	quote string // the end of the open string
}

func (s *scanner) outside() bool { return s.depth == 0 && s.quote == "" }

// line reads a line, and returns the comment at its end.
func (s *scanner) line(line string) (comment string) {
	for i := 0; i < len(line); {
		rest := line[i:]
		switch {
		case s.quote != "" && strings.HasPrefix(s.quote, `"`) && rest[0] == '\\':
			i += 2
			continue
		case s.quote != "" && strings.HasPrefix(rest, s.quote):
			i += len(s.quote)
			s.quote = ""
			continue
		case s.quote != "":
		case rest[0] == '#':
			return rest
		case strings.HasPrefix(rest, `"""`) || strings.HasPrefix(rest, "'''"):
			s.quote = rest[:3]
			i += 3
			continue
		case rest[0] == '"' || rest[0] == '\'':
			s.quote = rest[:1]
		case rest[0] == '[' || rest[0] == '{':
			s.depth++
		case rest[0] == ']' || rest[0] == '}':
			s.depth--
		}
		i++
	}
	return ""
}

// comments returns the comments of a block, each on its own line.
func (b *block) comments() []string {
	var found []string
	var scan scanner
	for _, line := range b.lines {
		if c := scan.line(line); c != "" {
			found = append(found, c)
		}
	}
	return found
}

// set changes the value of a key. Comments within the old value are moved before it.
func (b *block) set(key, value string) error {
	var scan scanner
	for i := 0; i < len(b.lines); i++ {
		name, _, assigned := strings.Cut(b.lines[i], "=")
		if !scan.outside() || !assigned || strings.Trim(strings.TrimSpace(name), `"'`) != key {
			scan.line(b.lines[i])
			continue
		}
		var comments []string
		end := i
		for ; end < len(b.lines); end++ {
			if c := scan.line(b.lines[end]); c != "" {
				comments = append(comments, c)
			}
			if scan.outside() {
				break
			}
		}
		tail := "" // a comment after a one-line value stays
		if end == i && len(comments) == 1 && !strings.Contains(value, "\n") {
			tail, comments = "  "+comments[0], nil
		}
		lines := append(comments, strings.Split(name+"= "+value+tail, "\n")...)
		b.lines = slices.Replace(b.lines, i, min(end+1, len(b.lines)), lines...)
		return nil
	}
	return fmt.Errorf("the key %s does not stand on a line of its own: change the file by hand", strconv.Quote(key))
}
