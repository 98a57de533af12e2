package viewer

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"assay/session"
	"assay/tui/diff"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// What an answer to a repository task changes, file by file.

// AsGiven names the tree that answers start from.
const AsGiven = "the repository as given"

// comparedTrees lists the trees that an attempt's can be compared with: the repository as given, then those
// of earlier attempts, the nearest first.
func (m *reading) comparedTrees(a *session.Attempt) []comparedText {
	if a == nil || a.Tree == nil || a.Tree.Failed != nil {
		return nil
	}
	list := []comparedText{{name: AsGiven, files: a.Tree.Files}}
	attempts := m.Attempts()
	for i := range slices.Backward(attempts) {
		if b := &attempts[i]; b.N < a.N && b.Tree != nil && b.Tree.Failed == nil {
			list = append(list, comparedText{name: fmt.Sprintf("attempt %d", b.N), files: betweenTrees(b.Tree.Files, a.Tree.Files)})
		}
	}
	return list
}

// content is a file of a tree; its zero value is a missing one.
type content struct {
	exists, binary bool
	text           session.Ref
	bytes          int
}

// contents returns the files before and after changes, by path.
func contents(files []session.ChangedFile) (before, after map[string]content) {
	before, after = map[string]content{}, map[string]content{}
	for _, f := range files {
		old := content{exists: true, binary: f.Binary, text: f.Before, bytes: f.Bytes}
		switch f.Change {
		case session.FileNew:
			old = content{}
		case session.FileRenamed:
			before[f.From], after[f.From] = old, content{}
			old = content{}
		}
		before[f.Path] = old
		after[f.Path] = content{exists: true, binary: f.Binary, text: f.After, bytes: f.Bytes}
		if f.Change == session.FileDeleted {
			after[f.Path] = content{}
		}
	}
	return before, after
}

// betweenTrees returns the changes from one changed tree to another of the same repository. A file that only
// one of them changes is as given in the other.
func betweenTrees(from, to []session.ChangedFile) (files []session.ChangedFile) {
	givenA, a := contents(from)
	givenB, b := contents(to)
	paths := maps.Clone(a)
	maps.Copy(paths, b)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		old, known := a[path]
		if !known {
			old = givenB[path]
		}
		now, known := b[path]
		if !known {
			now = givenA[path]
		}
		if old == now {
			continue
		}
		f := session.ChangedFile{Path: path, Change: session.FileChanged, Before: old.text, After: now.text, Binary: old.binary || now.binary, Bytes: now.bytes}
		switch {
		case !old.exists:
			f.Change = session.FileNew
		case !now.exists:
			f.Change, f.Bytes = session.FileDeleted, old.bytes
		}
		files = append(files, f)
	}
	return files
}

func (m *reading) treeKey(files []session.ChangedFile) treeKey {
	key := m.drawKey(diffKey{}, !m.review.stacked)
	key.numbered = true
	return treeKey{fmt.Sprint(files), key}
}

// compareTrees starts the comparison of all files.
func (m *changesTab) compareTrees(files []session.ChangedFile) tea.Cmd {
	source, theme, key := m.source, m.Theme, m.treeKey(files)
	return m.trees.Ask(key, func(ctx context.Context) []fileComparison {
		list := make([]fileComparison, len(files))
		for i, f := range files {
			if ctx.Err() != nil {
				return nil
			}
			d := drawing{theme: theme, old: frame.Plain(storedText(source, f.Before)), new: frame.Plain(storedText(source, f.After))}
			rows, of := diff.Lines(d.old, d.new), key.drawKey
			of.language = LanguageOf(f.Path)
			list[i].comparison = d.changes(rows, of)
			list[i].added, list[i].deleted = countChanges(rows)
		}
		return list
	})
}

// treeSheet shows what an attempt at a repository task changes.
func (m *changesTab) treeSheet(a *session.Attempt, size frame.Size, chosen comparedText, ok bool) *sheet {
	s := &sheet{}
	say := func(style lipgloss.Style, text string) {
		s.add("\n" + frame.Indent(style.Render(frame.Wrap(frame.Plain(text), size.Width-2)), " "))
	}
	switch {
	case a.Extracted == nil, a.Tree == nil && a.Verdict == nil && a.Extracted.Code != "":
		say(m.Theme.Dim, "… the changes are being applied to the repository")
		return s
	case a.Extracted.Code == "":
		say(m.Theme.Dim, a.Extracted.Note)
		return s
	case a.Tree == nil:
		say(m.Theme.Warn, "The repository could not be read, so that the changes cannot be shown file by file. The answer:")
		s.add("")
		s.rows = append(s.rows, markdown.Code(m.Text(a.Extracted.Code), "diff", m.AnswerLook(size.Width))...)
		return s
	case a.Tree.Failed != nil:
		m.failedPatch(s, a.Tree.Failed, size.Width)
		return s
	}
	if !ok {
		return s
	}
	head := fmt.Sprintf("%s → %s", chosen.name, m.nameOf(a))
	key, drawn, ready := m.trees.Last()
	switch {
	case len(chosen.files) == 0 && chosen.name == AsGiven:
		say(m.Theme.Warn, "The answer changes nothing.")
		return s
	case len(chosen.files) == 0:
		say(m.Theme.Warn, "All files are the same as in "+chosen.name+".")
		return s
	case !ready || key.files != m.treeKey(chosen.files).files || len(drawn) != len(chosen.files):
		say(m.Theme.Dim, head+" · … comparing")
		return s
	}
	added, deleted := 0, 0
	for _, f := range drawn {
		added, deleted = added+f.added, deleted+f.deleted
	}
	say(m.Theme.Dim, fmt.Sprintf("%s · %s, %s added, %d deleted", head, frame.Count(len(drawn), "file"), frame.Count(added, "line"), deleted))
	for i, f := range chosen.files {
		m.addFile(s, i, f, drawn[i])
	}
	return s
}

// failedPatch shows why an answer does not apply, and the part of it that does not.
func (m *reading) failedPatch(s *sheet, f *session.PatchFailure, width int) {
	where := frame.OneLine(f.Path)
	if f.Hunk > 0 {
		where += fmt.Sprintf(", part %d of the file's changes", f.Hunk)
	}
	if f.Line > 0 {
		where += fmt.Sprintf(", line %d of the answer's changes", f.Line)
	}
	s.add("\n " + m.Theme.Bad.Bold(true).Render("✗ The answer does not apply."))
	for _, text := range []string{strings.TrimPrefix(where, ", "), frame.Plain(f.Text)} {
		if text != "" {
			s.add(frame.Indent(frame.Wrap(text, width-4), "   "))
		}
	}
	if f.Also != "" {
		s.add(frame.Indent(m.Theme.Dim.Render(frame.Wrap("with fuzz: "+frame.Plain(f.Also), width-4)), "   "))
	}
	if f.Part != "" {
		s.add("\n " + m.Theme.Dim.Render("the part that does not fit") + "\n")
		s.rows = append(s.rows, markdown.Code(m.Text(f.Part), "diff", m.AnswerLook(width))...)
	}
}

// addFile adds a file's changes below its name.
func (m *reading) addFile(s *sheet, n int, f session.ChangedFile, drawn fileComparison) {
	of := item{changedFileItem, n}
	folded := m.foldedAway(of)
	mark := map[bool]string{true: "▸", false: "▾"}[folded]
	facts := []string{}
	switch f.Change {
	case session.FileNew, session.FileDeleted:
		facts = append(facts, string(f.Change))
	case session.FileRenamed:
		facts = append(facts, "renamed from "+frame.OneLine(f.From))
	}
	if f.Mode != "" {
		facts = append(facts, "mode "+frame.OneLine(f.Mode))
	}
	switch {
	case f.Binary:
		facts = append(facts, "binary, "+frame.Count(f.Bytes, "byte"))
	case f.Before == "" && f.After == "" && f.Bytes > 0:
		facts = append(facts, "too large to show, "+frame.Count(f.Bytes, "byte"))
	case drawn.added+drawn.deleted > 0:
		facts = append(facts, m.Theme.Good.Render(fmt.Sprintf("+%d", drawn.added))+" "+m.Theme.Bad.Render(fmt.Sprintf("−%d", drawn.deleted)))
	}
	s.add("")
	s.begin(of, true)
	s.add(" " + mark + " " + m.Theme.Strong.Render(frame.OneLine(f.Path)) + "   " + strings.Join(facts, ", "))
	s.end()
	if folded {
		return
	}
	m.addChanges(s, drawn.comparison, n<<20)
}
