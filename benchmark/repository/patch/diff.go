package patch

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"time"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// diffContext is the number of unchanged lines around changes.
const diffContext = 3

// longest is the time that comparing two files may take. Files for which it does not suffice are compared
// less finely.
const longest = 2 * time.Second

// Diff writes changes of a tree as `git diff --binary --full-index --no-renames` does, in UTF-8. Applied to the tree
// again, the result is the changed tree.
func Diff(base Tree, changes Changes) ([]byte, error) {
	var b bytes.Buffer
	for _, name := range changes.Paths() {
		old, err := base.File(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		new := changes[name]
		switch {
		case old == nil && new == nil || old != nil && new != nil && old.Equal(new):
		case old != nil && new != nil && (old.Mode == Link) != (new.Mode == Link):
			fileDiff(&b, name, old, nil) // git writes a changed kind as two changes
			fileDiff(&b, name, nil, new)
		default:
			fileDiff(&b, name, old, new)
		}
	}
	return b.Bytes(), nil
}

// fileDiff writes the change of one file; nil is a missing one.
func fileDiff(b *bytes.Buffer, name string, old, new *File) {
	a, z := quote("a/"+name), quote("b/"+name)
	fmt.Fprintf(b, "diff --git %s %s\n", a, z)
	var before, after []byte
	oldID, newID := fmt.Sprintf("%040d", 0), fmt.Sprintf("%040d", 0)
	suffix := ""
	if old != nil {
		before, oldID = old.Data, blobID(old.Data)
	}
	if new != nil {
		after, newID = new.Data, blobID(new.Data)
	}
	switch {
	case old == nil:
		fmt.Fprintf(b, "new file mode %o\n", new.Mode)
		a = "/dev/null"
	case new == nil:
		fmt.Fprintf(b, "deleted file mode %o\n", old.Mode)
		z = "/dev/null"
	case old.Mode != new.Mode:
		fmt.Fprintf(b, "old mode %o\nnew mode %o\n", old.Mode, new.Mode)
	default:
		suffix = fmt.Sprintf(" %o", new.Mode)
	}
	if oldID == newID {
		return
	}
	fmt.Fprintf(b, "index %s..%s%s\n", oldID, newID, suffix)
	switch {
	case isBinary(before) || isBinary(after):
		writeBinary(b, before, after)
	case len(before) > 0 || len(after) > 0:
		fmt.Fprintf(b, "--- %s\n+++ %s\n", ended(a), ended(z))
		unified(b, newImage(before).lines, newImage(after).lines)
	}
}

// ended marks the end of a name with spaces by a tab, as git does.
func ended(name string) string {
	if bytes.ContainsRune([]byte(name), ' ') {
		return name + "\t"
	}
	return name
}

// isBinary reports whether a content is written as binary: where git would, because there is a zero byte near its
// start, and where it is not UTF-8, since answers are stored as text.
func isBinary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 || !utf8.Valid(data)
}

// edit is a run of lines that are equal, or that are replaced.
type edit struct{ same, gone, came int }

// unified writes the hunks.
func unified(b *bytes.Buffer, old, new [][]byte) {
	edits := compareLines(old, new)
	for i, x, y := 0, 0, 0; i < len(edits); {
		if e := edits[i]; e.same > 0 {
			x, y, i = x+e.same, y+e.same, i+1
			continue
		}
		// Changes with little between them share a hunk.
		end, oldLines, newLines := i, 0, 0
		for j := i; j < len(edits); j++ {
			if e := edits[j]; e.same > 2*diffContext || e.same > 0 && j == len(edits)-1 {
				break
			}
			end = j + 1
		}
		before := min(diffContext, x)
		for _, e := range edits[i:end] {
			oldLines, newLines = oldLines+e.same+e.gone, newLines+e.same+e.came
		}
		after := min(diffContext, len(old)-x-oldLines)
		header(b, x-before, before+oldLines+after, y-before, before+newLines+after)
		writeLines(b, ' ', old[x-before:x])
		for _, e := range edits[i:end] {
			writeLines(b, ' ', old[x:x+e.same])
			x, y = x+e.same, y+e.same
			writeLines(b, '-', old[x:x+e.gone])
			writeLines(b, '+', new[y:y+e.came])
			x, y = x+e.gone, y+e.came
		}
		writeLines(b, ' ', old[x:x+after])
		i = end
	}
}

func header(b *bytes.Buffer, oldStart, oldLines, newStart, newLines int) {
	b.WriteString("@@ -")
	writeSpan(b, oldStart, oldLines)
	b.WriteString(" +")
	writeSpan(b, newStart, newLines)
	b.WriteString(" @@\n")
}

// writeSpan writes the first line, from 1, and the number of lines. An empty span names the line before.
func writeSpan(b *bytes.Buffer, start, count int) {
	switch count {
	case 0:
		fmt.Fprintf(b, "%d,0", start)
	case 1:
		fmt.Fprintf(b, "%d", start+1)
	default:
		fmt.Fprintf(b, "%d,%d", start+1, count)
	}
}

func writeLines(b *bytes.Buffer, sign byte, lines [][]byte) {
	for _, line := range lines {
		b.WriteByte(sign)
		b.Write(line)
		if line[len(line)-1] != '\n' {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// compareLines returns the edits that turn one list of lines into another.
func compareLines(old, new [][]byte) []edit {
	letters := map[string]rune{}
	a, okA := spell(old, letters)
	z, okZ := spell(new, letters)
	if !okA || !okZ { // more different lines than letters
		return []edit{{gone: len(old), came: len(new)}}
	}
	engine := diffmatchpatch.New()
	engine.DiffTimeout = longest
	var edits []edit
	for _, d := range engine.DiffMainRunes(a, z, false) {
		n := len([]rune(d.Text))
		last := len(edits) - 1
		switch {
		case n == 0:
		case d.Type == diffmatchpatch.DiffEqual:
			edits = append(edits, edit{same: n})
			continue
		case last < 0 || edits[last].same > 0:
			edits = append(edits, edit{})
			last++
		}
		if d.Type == diffmatchpatch.DiffDelete {
			edits[last].gone += n
		} else if d.Type == diffmatchpatch.DiffInsert {
			edits[last].came += n
		}
	}
	return edits
}

// spell writes each line as a letter, the same for the same line. It fails if there are too few letters.
func spell(lines [][]byte, letters map[string]rune) ([]rune, bool) {
	const surrogates, gap, most = 0xD800, 0x800, 0x10FFFF
	out := make([]rune, len(lines))
	for i, line := range lines {
		r, known := letters[string(line)]
		if !known {
			if r = rune(1 + len(letters)); r >= surrogates {
				r += gap
			}
			if r > most {
				return nil, false
			}
			letters[string(line)] = r
		}
		out[i] = r
	}
	return out, true
}
