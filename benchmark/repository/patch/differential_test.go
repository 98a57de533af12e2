package patch

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/data/sampled"
)

// write puts a tree into a directory.
func (f Files) write(t *testing.T, dir string) {
	t.Helper()
	for name, file := range f {
		at := filepath.Join(dir, name)
		fatal.If(t, os.MkdirAll(filepath.Dir(at), 0o755))
		var err error
		if file.Mode == Link {
			err = os.Symlink(string(file.Data), at)
		} else {
			err = os.WriteFile(at, file.Data, fs.FileMode(file.Mode&0o777))
		}
		fatal.If(t, err)
	}
}

// read is the tree in a directory.
func read(t *testing.T, dir string) Files {
	t.Helper()
	root, err := os.OpenRoot(dir)
	fatal.If(t, err)
	defer root.Close()
	files := Files{}
	names := map[string]bool{}
	tree := FromFS(root.FS().(fs.ReadLinkFS))
	fatal.If(t, walk(tree, ".", names))
	for name := range names {
		if strings.HasSuffix(name, ".rej") || strings.HasSuffix(name, ".orig") {
			continue
		}
		if files[name], err = tree.File(name); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// with is the tree with changes.
func (f Files) with(changes Changes) Files {
	out := Files{}
	for name, file := range f {
		out[name] = file
	}
	for name, file := range changes {
		if delete(out, name); file != nil {
			out[name] = file
		}
	}
	return out
}

func (f Files) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(f)) {
		fmt.Fprintf(&b, "%s %o %q\n", name, f[name].Mode, f[name].Data)
	}
	return b.String()
}

// reference runs a program with a diff in a copy of a tree.
func reference(t *testing.T, base Files, diff []byte, name string, args ...string) (Files, bool, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tree")
	fatal.If(t, os.Mkdir(dir, 0o755))
	base.write(t, dir)
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(diff)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_DIR=/nonexistent", "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	return read(t, dir), err == nil, string(out)
}

// appliers are the ways in which a diff is applied, with the program whose rules they follow.
var appliers = []struct {
	name    string
	apply   func(Tree, []byte, *budget) (Changes, error)
	program []string
}{
	{"git", applyGit, []string{"git", "apply", "--verbose", "-"}},
	{"patch", applyFuzzy, []string{"patch", "--batch", "--forward", "--fuzz=5", "-p1"}},
	{"patch either way", applyEitherWay, []string{"patch", "--batch", "--fuzz=5", "-p1"}},
	{"in turn", inTurn, []string{"sh", "-c", `cat >../answer.diff; git apply --verbose ../answer.diff || git apply --verbose --reject ../answer.diff || patch --batch --fuzz=5 -p1 -i ../answer.diff`}},
}

func inTurn(base Tree, diff []byte, _ *budget) (Changes, error) {
	return (&Answer{Kind: UnifiedDiff, diff: diff}).ApplyInTurn(base)
}

// compare applies a diff both ways with both rules, and fails if the outcomes differ.
func compare(t *testing.T, base Files, diff []byte) {
	t.Helper()
	for _, a := range appliers {
		want, ok, said := reference(t, base, diff, a.program[0], a.program[1:]...)
		changes, err := a.apply(base, diff, newBudget())
		if forbidden(err) && !ok {
			continue
		}
		if (err == nil) != ok {
			t.Fatalf("%s: error %v, but the program succeeded: %v\n%s\ndiff:\n%s\nbase:\n%s", a.name, err, ok, said, diff, base)
		}
		if got := base.with(changes); ok && got.String() != want.String() {
			t.Fatalf("%s: got\n%s\nwant\n%s\n%s\ndiff:\n%s\nbase:\n%s", a.name, got, want, said, diff, base)
		}
	}
}

// installed skips a test if a program is missing.
func installed(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
}

// gen draws trees, edits and damages to diffs.
type gen struct{ *rand.Rand }

func (g gen) line() string {
	return []string{"", "a", "b", "c", "  x", "}", "é", "long line with words", "\ttab", "a ", "-m", "+p", "-- d", "@@ x"}[g.IntN(14)]
}

func (g gen) content(lines int) string {
	var b strings.Builder
	end := "\n"
	if g.IntN(12) == 0 {
		end = "\r\n"
	}
	numbered := g.IntN(2) == 0
	for i := range lines {
		b.WriteString(g.line())
		if numbered {
			fmt.Fprintf(&b, " %d", i)
		}
		b.WriteString(end)
	}
	text := b.String()
	if g.IntN(8) == 0 {
		text = strings.TrimSuffix(text, end)
	}
	return text
}

// edited changes some lines.
func (g gen) edited(text string, edits int) string {
	lines := strings.SplitAfter(text, "\n")
	for range edits {
		at := g.IntN(len(lines) + 1)
		switch g.IntN(3) {
		case 0:
			lines = slices.Insert(lines, at, g.line()+" new\n")
		case 1:
			if at < len(lines) {
				lines = slices.Delete(lines, at, min(len(lines), at+1+g.IntN(2)))
			}
		case 2:
			if at < len(lines) {
				lines[at] = g.line() + " changed\n"
			}
		}
	}
	out := strings.Join(lines, "")
	if g.IntN(10) == 0 {
		out = strings.TrimSuffix(out, "\n")
	}
	return out
}

var genNames = []string{"a.py", "src/b.py", "src/deep/c.txt", "with space.txt", "ä/ö.txt", "run.sh"}

func (g gen) tree() Files {
	files := Files{}
	for _, name := range genNames {
		if g.IntN(3) > 0 {
			mode := Regular
			if g.IntN(5) == 0 {
				mode = Executable
			}
			files[name] = &File{Data: []byte(g.content(g.IntN(30))), Mode: mode}
		}
	}
	files["keep"] = &File{Data: []byte("kept\n"), Mode: Regular}
	return files
}

// changed edits some files, deletes some, and adds some.
func (g gen) changed(base Files, edits int) Files {
	out := Files{}
	for _, name := range slices.Sorted(maps.Keys(base)) {
		file := base[name]
		switch {
		case name == "keep":
			out[name] = file
		case g.IntN(8) == 0:
		default:
			mode := file.Mode
			if g.IntN(10) == 0 {
				mode = Regular + Executable - mode
			}
			out[name] = &File{Data: []byte(g.edited(string(file.Data), g.IntN(edits+1))), Mode: mode}
		}
	}
	if g.IntN(4) == 0 {
		out["new/file.py"] = &File{Data: []byte(g.content(g.IntN(5))), Mode: Regular}
	}
	return out
}

// damaged changes a diff as models do.
func (g gen) damaged(diff []byte) []byte {
	lines := strings.SplitAfter(string(diff), "\n")
	for range g.IntN(3) {
		at := g.IntN(len(lines))
		switch line := lines[at]; g.IntN(7) {
		case 0: // other line numbers
			if h, ok := hunkHeader([]byte(line)); ok {
				lines[at] = fmt.Sprintf("@@ -%d,%d +%d,%d @@\n", max(0, h.oldStart+g.IntN(7)-3), h.oldLines, max(0, h.newStart+g.IntN(7)-3), h.newLines)
			}
		case 1: // another context line
			if strings.HasPrefix(line, " ") {
				lines[at] = " other\n"
			}
		case 2: // trailing white space removed
			lines[at] = strings.TrimRight(line, " \r\n") + "\n"
		case 3:
			if strings.HasPrefix(line, "diff --git") || strings.HasPrefix(line, "index") {
				lines[at] = ""
			}
		case 4:
			if h, ok := hunkHeader([]byte(line)); ok {
				lines[at] = fmt.Sprintf("@@ -%d,%d +%d,%d @@\n", h.oldStart, h.oldLines+g.IntN(3)-1, h.newStart, h.newLines)
			}
		case 5:
			lines[at] = "Some prose.\n" + line
		case 6:
			lines = lines[:len(lines)-1]
			if len(lines) == 0 {
				return nil
			}
		}
	}
	return []byte(strings.Join(lines, ""))
}

// rounds is how many trees are generated: more with ASSAY_ROUNDS.
func rounds(t *testing.T, usual int) int {
	if n, err := strconv.Atoi(os.Getenv("ASSAY_ROUNDS")); err == nil {
		return n
	}
	if !sampled.All {
		return usual / 10
	}
	return usual
}

// difference draws a tree, what becomes of it, and the diff between the two.
func (g gen) difference(t *testing.T) (base, target Files, diff []byte) {
	t.Helper()
	base = g.tree()
	target = g.changed(base, 3)
	changes, err := Compare(base, target)
	fatal.If(t, err)
	diff, err = Diff(base, changes)
	fatal.If(t, err)
	return base, target, diff
}

// Diffs, the same with damages, and on files that have changed meanwhile, have the outcome that they have
// with the real programs.
func TestAppliesAsGitAndPatchDo(t *testing.T) {
	installed(t, "git", "patch")
	for seed := range rounds(t, 40) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			g := gen{rand.New(rand.NewPCG(uint64(seed), 1))}
			base, _, diff := g.difference(t)
			if len(diff) == 0 {
				return
			}
			switch seed % 3 {
			case 1:
				diff = g.damaged(diff)
			case 2: // the files have changed meanwhile
				for _, name := range slices.Sorted(maps.Keys(base)) {
					file := base[name]
					base[name] = &File{Data: []byte(g.edited(string(file.Data), 1)), Mode: file.Mode}
				}
			}
			if diff != nil {
				compare(t, base, diff)
			}
		})
	}
}

// Diffs that are applied already, wholly or in part, have the outcome that they have with the real programs.
func TestAppliedTwiceAsGitAndPatchDo(t *testing.T) {
	installed(t, "git", "patch")
	for seed := range rounds(t, 60) {
		g := gen{rand.New(rand.NewPCG(uint64(seed), 4))}
		base, target, diff := g.difference(t)
		if len(diff) == 0 {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(target)) {
			if file := target[name]; g.IntN(3) == 0 && base[name] != nil {
				target[name] = base[name] // not applied
			} else if g.IntN(3) == 0 {
				target[name] = &File{Data: []byte(g.edited(string(file.Data), 1)), Mode: file.Mode}
			}
		}
		compare(t, target, diff)
	}
}

// Hunks whose headers count too few or too many lines have the outcome that they have with the real programs.
func TestCountsAsGitAndPatchDo(t *testing.T) {
	installed(t, "git", "patch")
	for seed := range rounds(t, 60) {
		g := gen{rand.New(rand.NewPCG(uint64(seed), 3))}
		base := Files{"a.py": {Data: []byte(g.content(1 + g.IntN(25))), Mode: Regular}}
		target := Files{"a.py": {Data: []byte(g.edited(string(base["a.py"].Data), 2)), Mode: Regular}}
		changes, err := Compare(base, target)
		fatal.If(t, err)
		diff, err := Diff(base, changes)
		fatal.If(t, err)
		if len(diff) == 0 {
			continue
		}
		lines := strings.SplitAfter(string(diff), "\n")
		for i, line := range lines {
			if h, ok := hunkHeader([]byte(line)); ok {
				lines[i] = fmt.Sprintf("@@ -%d,%d +%d,%d @@\n", h.oldStart, max(0, h.oldLines+g.IntN(5)-2), h.newStart, max(0, h.newLines+g.IntN(5)-2))
			}
		}
		compare(t, base, []byte(strings.Join(lines, "")))
	}
}

// What Diff writes leads from a tree to the other, by these rules and by git's own.
func TestDiffLeadsBack(t *testing.T) {
	_, err := exec.LookPath("git")
	for seed := range rounds(t, 40) {
		g := gen{rand.New(rand.NewPCG(uint64(seed), 2))}
		base := g.tree()
		target := g.changed(base, 6)
		if g.IntN(3) == 0 {
			base["bin"] = &File{Data: []byte{0, 1, 2, 0xff}, Mode: Regular}
			target["bin"] = &File{Data: []byte(strings.Repeat("\x00binary", g.IntN(200))), Mode: Regular}
		}
		if g.IntN(3) == 0 {
			base["link"] = &File{Data: []byte("keep"), Mode: Link}
			target["link"] = &File{Data: []byte(g.content(3) + "x"), Mode: Regular}
			target["other"] = &File{Data: []byte("src/b.py"), Mode: Link}
		}
		changes, err2 := Compare(base, target)
		fatal.If(t, err2)
		diff, err2 := Diff(base, changes)
		fatal.If(t, err2)
		if len(diff) == 0 {
			continue
		}
		got, failed := applyGit(base, diff, newBudget())
		if failed != nil || base.with(got).String() != target.String() {
			t.Fatalf("seed %d: %v, got\n%s\nwant\n%s\ndiff\n%s", seed, failed, base.with(got), target, diff)
		}
		if err == nil {
			if got, ok, said := reference(t, base, diff, "git", "apply", "-"); !ok || got.String() != target.String() {
				t.Fatalf("seed %d: git: %s, got\n%s\nwant\n%s\ndiff\n%s", seed, said, got, target, diff)
			}
		}
	}
}
