package patch

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"assay/data/fatal"
)

func file(text string) *File { return &File{Data: []byte(text), Mode: Regular} }

var small = Files{"src/a.py": file("one\ntwo\nthree\n"), "run.sh": {Data: []byte("echo\n"), Mode: Executable}, "crlf.txt": file("a\r\nb\r\n"),
	"out": {Data: []byte("../elsewhere"), Mode: Link}, "in": {Data: []byte("src"), Mode: Link}}

const goodDiff = "--- a/src/a.py\n+++ b/src/a.py\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"

func TestRead(t *testing.T) {
	const block = "<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE\n"
	const want = "one\nTWO\nthree\n"
	for _, tc := range []struct {
		name, answer string
		kind         Kind
		path, want   string
	}{
		{"bare diff", goodDiff, UnifiedDiff, "src/a.py", want},
		{"diff in prose", "Here it is:\n\n" + goodDiff + "\nDone.\n", UnifiedDiff, "src/a.py", want},
		{"fenced diff", "I changed this.\n```diff\n" + goodDiff + "```\nIt works.", UnifiedDiff, "src/a.py", want},
		{"fenced diff without language", "```\n" + goodDiff + "```", UnifiedDiff, "src/a.py", want},
		{"open fence", "```diff\n" + goodDiff, UnifiedDiff, "src/a.py", want},
		{"no final line end", strings.TrimSuffix(goodDiff, "\n"), UnifiedDiff, "src/a.py", want},
		{"two fenced diffs", "```diff\n" + goodDiff + "```\nand\n```diff\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+n\n```", UnifiedDiff, "n.py", "n\n"},
		{"with fuzz", strings.Replace(goodDiff, " three", " 3", 1), UnifiedDiff, "src/a.py", want},
		{"block in fence", "src/a.py\n```python\n" + block + "```", Blocks, "src/a.py", want},
		{"block with path in fence", "```python\nsrc/a.py\n" + block + "```", Blocks, "src/a.py", want},
		{"block after heading", "### `src/a.py`\n" + block, Blocks, "src/a.py", want},
		{"second block for the same file", "src/a.py\n" + block + block, Blocks, "", "hunk 2"},
		{"block creates a file", "new/b.py\n<<<<<<< SEARCH\n=======\nb\n>>>>>>> REPLACE\n", Blocks, "new/b.py", "b\n"},
		{"block in a file with CRLF", "crlf.txt\n<<<<<<< SEARCH\nb\n=======\nc\n>>>>>>> REPLACE\n", Blocks, "crlf.txt", "a\r\nc\r\n"},
		{"whole file after its path", "**src/a.py**\n```python\nnew\n```", WholeFiles, "src/a.py", "new\n"},
		{"whole file with path in info", "```python src/a.py\nnew\n```", WholeFiles, "src/a.py", "new\n"},
		{"whole file with language:path", "```python:src/a.py\nnew\n```", WholeFiles, "src/a.py", "new\n"},
		{"whole file with title", "```python title=\"src/a.py\"\nnew\n```", WholeFiles, "src/a.py", "new\n"},
		{"whole file with a comment", "```python\n# file: src/a.py\nnew\n```", WholeFiles, "src/a.py", "new\n"},
		{"whole file keeps its mode", "run.sh:\n```\nexit\n```", WholeFiles, "run.sh", "exit\n"},
	} {
		for _, sent := range []string{tc.answer, windows(tc.answer), "\ufeff" + windows(tc.answer)} {
			t.Run(tc.name, func(t *testing.T) {
				a, err := Read(sent)
				fatal.If(t, err)
				if a.Kind != tc.kind {
					t.Errorf("kind %s", a.Kind)
				}
				changes, err := a.Apply(small)
				if tc.path == "" {
					if err == nil || !strings.Contains(err.Error(), tc.want) {
						t.Fatalf("error %v, want %q", err, tc.want)
					}
					return
				}
				fatal.If(t, err)
				if got := changes[tc.path]; got == nil || string(got.Data) != tc.want {
					t.Errorf("got %v", changes)
				}
				if old := small[tc.path]; old != nil && changes[tc.path].Mode != old.Mode {
					t.Errorf("the mode became %o", changes[tc.path].Mode)
				}
			})
		}
	}
}

// windows is a text as it comes from Windows.
func windows(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

// Whatever is not applied is refused with its reason, file and hunk.
func TestRefused(t *testing.T) {
	created := func(name string) string { return "--- /dev/null\n+++ b/" + name + "\n@@ -0,0 +1 @@\n+x\n" }
	link := func(name, target string) string {
		return "diff --git a/" + name + " b/" + name + "\nnew file mode 120000\n--- /dev/null\n+++ b/" + name + "\n@@ -0,0 +1 @@\n+" + target + "\n\\ No newline at end of file\n"
	}
	for _, tc := range []struct {
		name, answer string
		reason       Reason
		want         string
	}{
		{"nothing", "I could not do it.", Empty, "no diff"},
		{"parent", created("../x"), Forbidden, "../x: line 1: the path leads outside the repository"},
		{"parent inside", created("src/../../x"), Forbidden, "outside"},
		{"absolute", created("/etc/passwd"), Forbidden, "absolute"},
		{"git", created(".git/hooks/post-commit"), Forbidden, "git's own files"},
		{"git in upper case", created("src/.GIT/config"), Forbidden, "git's own files"},
		{"through a link of the tree", created("in/x.py"), Forbidden, "through the symbolic link in"},
		{"through a link of its own", link("new", "src") + created("new/x.py"), Forbidden, "through the symbolic link new"},
		{"link to the outside", link("new", "../x"), Forbidden, `outside the repository, to "../x"`},
		{"absolute link", link("new", "/etc"), Forbidden, "outside"},
		{"link to git", link("new", ".git/config"), Forbidden, "git's own files"},
		{"rename to the outside", "diff --git a/src/a.py b/../x\nsimilarity index 100%\nrename from src/a.py\nrename to ../x\n", Forbidden, "outside"},
		{"block outside", "../x.py\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n", Forbidden, "outside"},
		{"whole file outside", "```python ../../x.py\nx\n```", Forbidden, "outside"},
		{"whole file through a link", "```python in/a.py\nx\n```", Forbidden, "symbolic link"},
		{"submodule", "diff --git a/sub b/sub\nnew file mode 160000\nindex 0000000..1234567\n--- /dev/null\n+++ b/sub\n@@ -0,0 +1 @@\n+Subproject commit 1\n", Forbidden, "mode 160000"},
		{"other lines", strings.Replace(goodDiff, " one\n-two", " 1\n-2", 1), NoMatch, `src/a.py: hunk 1 (line 3): does not apply: line 1 is "one" and not "1"`},
		{"missing file", strings.ReplaceAll(goodDiff, "a.py", "b.py"), NoFile, "src/b.py: line 1: there is no such file"},
		{"exists", created("run.sh"), NoFile, "run.sh: line 1: the file exists already"},
		{"counts", strings.Replace(goodDiff, "-1,3 +1,3", "-1,9 +1,9", 1), Malformed, "src/a.py: hunk 1 (line 8): the diff ends before"},
		{"counts that leave out the changes", strings.Replace(goodDiff, "-1,3 +1,3", "-1 +1", 1), Malformed, "src/a.py: hunk 1 (line 5): the hunk changes nothing within the lines"},
		{"binary without content", "diff --git a/x.png b/x.png\nindex 1..2 100644\nBinary files a/x.png and b/x.png differ\n", Binary, "git diff --binary"},
		{"file below a file", created("src/a.py/x"), NoFile, "src/a.py is a file"},
		{"block without path", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", Malformed, "line 1: a search/replace block without the path"},
		{"block without end", "src/a.py\n<<<<<<< SEARCH\na\n=======\nb\n", Malformed, "without its ======="},
		{"block elsewhere", "src/a.py\n<<<<<<< SEARCH\nfour\n=======\nb\n>>>>>>> REPLACE\n", NoMatch, `src/a.py: hunk 1 (line 2): the file does not contain the block's search text, which begins "four"`},
		{"50 MB", strings.Repeat(goodDiff, 50<<20/len(goodDiff)), TooLarge, "the answer is 49 MB long; the limit is 16 MB"},
		{"a million lines", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n" + strings.Repeat("+\n", 1<<20), TooLarge, "500,000 lines"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, sent := range []string{tc.answer, windows(tc.answer)} {
				if tc.reason == TooLarge {
					sent = tc.answer // whose size is in the message
				}
				a, err := Read(sent)
				if err == nil {
					_, err = a.Apply(small)
				}
				var f *Failure
				if !errors.As(err, &f) || f.Reason != tc.reason || !strings.Contains(err.Error(), tc.want) {
					t.Errorf("got %v, want %s %q", err, tc.reason, tc.want)
				}
			}
		})
	}
}

// Finding the place of hunks in files of equal lines takes a bounded time.
func TestBoundedWork(t *testing.T) {
	var diff strings.Builder
	diff.WriteString("--- a/x\n+++ b/x\n")
	for range 40 {
		diff.WriteString("@@ -5,5002 +5,5002 @@\n" + strings.Repeat(" a\n", 5000) + "-b\n+c\n a\n")
	}
	a, err := Read(diff.String())
	fatal.If(t, err)
	_, err = a.Apply(Files{"x": file(strings.Repeat("a\n", 400_000))})
	var f *Failure
	if !errors.As(err, &f) || f.Reason != TooLarge {
		t.Errorf("got %v", err)
	}
}

// A renaming that exchanges two files reads both before.
func TestExchange(t *testing.T) {
	base := Files{"a": file("A\n"), "b": file("B\n")}
	diff := "diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\ndiff --git a/b b/a\nsimilarity index 100%\nrename from b\nrename to a\n"
	changes, err := applyGit(base, []byte(diff), newBudget())
	if err != nil || string(changes["a"].Data) != "B\n" || string(changes["b"].Data) != "A\n" {
		t.Errorf("got %v, %v", changes, err)
	}
}

// A directory may become a file, and the other way round.
func TestDirectoryAndFile(t *testing.T) {
	from, to := Files{"d/x": file("x\n"), "f": file("f\n")}, Files{"d": file("d\n"), "f/y": file("y\n")}
	for _, trees := range [][2]Files{{from, to}, {to, from}} {
		changes, err := Compare(trees[0], trees[1])
		fatal.If(t, err)
		diff, err := Diff(trees[0], changes)
		fatal.If(t, err)
		got, err := applyGit(trees[0], diff, newBudget())
		if err != nil || trees[0].with(got).String() != trees[1].String() {
			t.Errorf("%v\n%s", err, diff)
		}
	}
}

// Reading and applying never panic, and results lie inside the tree.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{goodDiff, "```diff\n" + goodDiff + "```", "src/a.py\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE\n",
		"diff --git \"a/\\303\\244\" \"b/\\303\\244\"\nnew file mode 100644\n--- /dev/null\n+++ \"b/\\303\\244\"\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n",
		"diff --git a/src/a.py b/c.py\nsimilarity index 100%\ncopy from src/a.py\ncopy to c.py\n",
		"diff --git a/b b/b\nnew file mode 100644\nindex 0000000000000000000000000000000000000000..f76dd238ade08917e6712764a16a22005a50573d\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\nliteral 0\nHcmV?d00001\n\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := Read(text)
		if err != nil {
			return
		}
		changes, err := a.Apply(small)
		if err != nil {
			return
		}
		for name, file := range changes {
			if why := Outside(name); why != "" {
				t.Errorf("%q: %s", name, why)
			}
			if file != nil && file.Mode == Link && guardLink(name, string(file.Data)) != nil {
				t.Errorf("%q links to %q", name, file.Data)
			}
		}
	})
}

// A file in a fence is read as it was written, even if it has fences itself.
func TestFenced(t *testing.T) {
	for _, text := range []string{"", "one\n", "no end", "```\ninner\n```\n"} {
		a, err := Read("Here:\n\n" + Fenced("src/new.py", text))
		fatal.If(t, err)
		changes, err := a.Apply(small)
		fatal.If(t, err)
		if got := string(changes["src/new.py"].Data); got != text && got != text+"\n" {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// What people read of changes: new, deleted and renamed files, modes and binary ones, with their lines.
func TestFileChanges(t *testing.T) {
	base := Files{"a.py": file("one\ntwo\nthree\n"), "gone": file("x\n"), "old": file("1\n2\n3\n4\n"), "run.sh": file("echo\n"), "logo": file("a\x00b")}
	list, err := FileChanges(base, Changes{
		"a.py": file("one\nTWO\nthree\nfour\n"), "gone": nil, "old": nil, "moved/new": file("1\n2\n3\nfour\n"), "fresh": file("f\n"),
		"run.sh": {Data: []byte("echo\n"), Mode: Executable}, "logo": file("a\x00c"),
	})
	fatal.If(t, err)
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "%s from=%q old=%v new=%v binary=%v +%d -%d\n", c.Path, c.From, c.Old != nil, c.New != nil, c.Binary(), c.Added, c.Deleted)
	}
	const want = `a.py from="" old=true new=true binary=false +2 -1
fresh from="" old=false new=true binary=false +1 -0
gone from="" old=true new=false binary=false +0 -1
logo from="" old=true new=true binary=true +0 -0
moved/new from="old" old=true new=true binary=false +1 -1
run.sh from="" old=true new=true binary=false +0 -0
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

// The part of an answer that does not apply is the hunk or block that fails.
func TestPart(t *testing.T) {
	for _, tc := range []struct{ name, answer, want string }{
		{"second hunk", goodDiff + "@@ -5,1 +5,1 @@\n-nothing\n+NO\n", "@@ -5,1 +5,1 @@\n-nothing\n+NO\n"},
		{"block", "src/a.py\n<<<<<<< SEARCH\nmissing\n=======\nx\n>>>>>>> REPLACE\n", "<<<<<<< SEARCH\nmissing\n=======\nx\n>>>>>>> REPLACE\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, err := Read(tc.answer)
			fatal.If(t, err)
			_, err = a.Apply(small)
			var f *Failure
			if !errors.As(err, &f) {
				t.Fatalf("error %v", err)
			}
			if got := a.Part(f); got != tc.want {
				t.Errorf("got %q for %+v, want %q", got, f, tc.want)
			}
		})
	}
}

// In turn, a hunk that does not fit spoils those that do, and a diff that is in the tree already is taken out of it.
// Otherwise the first is applied with fuzz, and the second fails.
func TestInTurn(t *testing.T) {
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("line %d\n", i))
	}
	base := Files{"a": file(strings.Join(lines, ""))}
	lines[4], lines[34] = "four\n", "thirty-four\n"
	target := Files{"a": file(strings.Join(lines, ""))}
	changes, err := Compare(base, target)
	fatal.If(t, err)
	diff, err := Diff(base, changes)
	fatal.If(t, err)
	stale := strings.Replace(string(diff), " line 37\n", " another line\n", 1)
	for _, tt := range []struct {
		name, diff     string
		tree           Files
		inTurn, before string // the file; "": it fails
	}{
		{"fits", string(diff), base, string(target["a"].Data), string(target["a"].Data)},
		{"one context line changed", stale, base, "", string(target["a"].Data)},
		{"applied already", string(diff), target, string(base["a"].Data), ""},
		{"applied already, one context line changed", stale, target, string(base["a"].Data), ""},
	} {
		answer, err := Read(tt.diff)
		fatal.If(t, err)
		for want, apply := range map[*string]func(Tree) (Changes, error){&tt.inTurn: answer.ApplyInTurn, &tt.before: answer.Apply} {
			changes, err := apply(tt.tree)
			if got := tt.tree.with(changes); (err == nil) != (*want != "") || err == nil && string(got["a"].Data) != *want {
				t.Errorf("%s: %v, %s\nwant %s", tt.name, err, got, *want)
			}
		}
	}
}
