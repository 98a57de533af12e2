package work

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

// asGiven names the tree that answers start from.
const asGiven = "the repository as given"

// comparedTrees lists the trees that an attempt's can be compared with: the repository as given, then those
// of earlier attempts, the nearest first.
func (m *viewer) comparedTrees(a *session.Attempt) []comparedText {
	if a == nil || a.Tree == nil || a.Tree.Failed != nil {
		return nil
	}
	list := []comparedText{{name: asGiven, files: a.Tree.Files}}
	attempts := m.attempts()
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

// treeKey identifies a drawing of the changes of a tree.
type treeKey struct {
	files string
	drawKey
}

// fileComparison is the drawn comparison of a file.
type fileComparison struct {
	comparison
	added, deleted int
}

func (m *viewer) treeKey(files []session.ChangedFile) treeKey {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s\x00%s\x00%s\x00", f.Path, f.Before, f.After)
	}
	key := m.drawKey(diffKey{}, !m.review.stacked)
	key.numbered = true
	return treeKey{b.String(), key}
}

// compareTrees starts the comparison of all files.
func (m *viewer) compareTrees(files []session.ChangedFile) tea.Cmd {
	source, theme, key := m.source, m.theme, m.treeKey(files)
	return m.trees.Ask(key, func(ctx context.Context) []fileComparison {
		list := make([]fileComparison, len(files))
		for i, f := range files {
			if ctx.Err() != nil {
				return nil
			}
			d := drawing{theme: theme, old: frame.Plain(storedText(source, f.Before)), new: frame.Plain(storedText(source, f.After))}
			rows, of := diff.Lines(d.old, d.new), key.drawKey
			of.language = languageOf(f.Path)
			list[i].comparison = d.changes(rows, of)
			list[i].added, list[i].deleted = countChanges(rows)
		}
		return list
	})
}

// treeSheet shows what an attempt at a repository task changes.
func (m *viewer) treeSheet(a *session.Attempt, size frame.Size) *sheet {
	s := &sheet{}
	say := func(style lipgloss.Style, text string) {
		s.add("\n" + frame.Indent(style.Render(frame.Wrap(frame.Plain(text), size.Width-2)), " "))
	}
	switch {
	case a.Extracted == nil, a.Tree == nil && a.Verdict == nil && a.Extracted.Code != "":
		say(m.theme.Dim, "… the changes are being applied to the repository")
		return s
	case a.Extracted.Code == "":
		say(m.theme.Dim, a.Extracted.Note)
		return s
	case a.Tree == nil:
		say(m.theme.Warn, "The repository could not be read, so that the changes cannot be shown file by file. The answer:")
		s.add("")
		s.rows = append(s.rows, markdown.Code(m.text(a.Extracted.Code), "diff", m.answerLook(size.Width))...)
		return s
	case a.Tree.Failed != nil:
		m.failedPatch(s, a.Tree.Failed, size.Width)
		return s
	}
	list := m.compared(a)
	chosen, ok := m.against(list)
	if !ok {
		return s
	}
	head := fmt.Sprintf("%s → %s", chosen.name, m.nameOf(a))
	key, drawn, ready := m.trees.Last()
	switch {
	case len(chosen.files) == 0 && chosen.name == asGiven:
		say(m.theme.Warn, "The answer changes nothing.")
		return s
	case len(chosen.files) == 0:
		say(m.theme.Warn, "All files are the same as in "+chosen.name+".")
		return s
	case !ready || key.files != m.treeKey(chosen.files).files || len(drawn) != len(chosen.files):
		say(m.theme.Dim, head+" · … comparing")
		return s
	}
	added, deleted := 0, 0
	for _, f := range drawn {
		added, deleted = added+f.added, deleted+f.deleted
	}
	say(m.theme.Dim, fmt.Sprintf("%s · %s, %s added, %d deleted", head, frame.Count(len(drawn), "file"), frame.Count(added, "line"), deleted))
	for i, f := range chosen.files {
		m.addFile(s, i, f, drawn[i])
	}
	return s
}

// failedPatch shows why an answer does not apply, and the part of it that does not.
func (m *viewer) failedPatch(s *sheet, f *session.PatchFailure, width int) {
	where := frame.OneLine(f.Path)
	if f.Hunk > 0 {
		where += fmt.Sprintf(", part %d of the file's changes", f.Hunk)
	}
	if f.Line > 0 {
		where += fmt.Sprintf(", line %d of the answer's changes", f.Line)
	}
	s.add("\n " + m.theme.Bad.Bold(true).Render("✗ The answer does not apply."))
	for _, text := range []string{strings.TrimPrefix(where, ", "), frame.Plain(f.Text)} {
		if text != "" {
			s.add(frame.Indent(frame.Wrap(text, width-4), "   "))
		}
	}
	if f.Also != "" {
		s.add(frame.Indent(m.theme.Dim.Render(frame.Wrap("with fuzz: "+frame.Plain(f.Also), width-4)), "   "))
	}
	if f.Part != "" {
		s.add("\n " + m.theme.Dim.Render("the part that does not fit") + "\n")
		s.rows = append(s.rows, markdown.Code(m.text(f.Part), "diff", m.answerLook(width))...)
	}
}

// addFile adds a file's changes below its name.
func (m *viewer) addFile(s *sheet, n int, f session.ChangedFile, drawn fileComparison) {
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
		facts = append(facts, m.theme.Good.Render(fmt.Sprintf("+%d", drawn.added))+" "+m.theme.Bad.Render(fmt.Sprintf("−%d", drawn.deleted)))
	}
	s.add("")
	s.begin(of, true)
	s.add(" " + mark + " " + m.theme.Strong.Render(frame.OneLine(f.Path)) + "   " + strings.Join(facts, ", "))
	s.end()
	if folded {
		return
	}
	for i, run := range drawn.runs {
		id := n<<20 + i
		if run.same {
			m.addSame(s, run.lines, item{sameItem, id}, i == 0, i == len(drawn.runs)-1)
			continue
		}
		s.begin(item{changeItem, id}, false)
		s.addLines(run.lines)
		s.end()
	}
}

// fileKeys are the keys of changes by file.
func (m *viewer) fileKeys() []frame.Key {
	keys := []frame.Key{
		{Press: "} {", Does: "next file, file before", Run: m.goToFile},
		{Press: "x", Does: "fold file", Do: frame.Only(m.foldFile)},
	}
	for i := range keys {
		keys[i].Fit = func(k *frame.Key) {
			if m.review.tab != tabChanges || !m.ofRepository() {
				k.Press = ""
			}
		}
	}
	return keys
}

// ofRepository reports whether the task that is shown is a repository.
func (m *viewer) ofRepository() bool {
	t := m.task()
	return t != nil && t.Repository != nil
}

// goToFile scrolls to the name of the next or previous file.
func (m *viewer) goToFile(press string) tea.Cmd {
	return m.goToItem(press == "}", changedFileItem, press, "file")
}

// foldFile folds or unfolds the file at the top of the view, or the first visible one.
func (m *viewer) foldFile() {
	size := m.textSize()
	s := m.sheet(size)
	top, at := m.top(s, size.Height), -1
	for i, spot := range s.spots {
		if spot.kind == changedFileItem && (spot.row <= top || at < 0) {
			at = i
		}
	}
	if at < 0 {
		m.notice = "x: there is no file here"
		return
	}
	of := s.spots[at].item
	m.changed(func() { m.review.toggled[of] = !m.review.toggled[of] })
	after := m.sheet(size)
	if i := after.find(of); i >= 0 && after.spots[i].row < m.top(after, size.Height) {
		m.review.tops[tabChanges] = after.spots[i].row
	}
}
