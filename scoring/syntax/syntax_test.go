package syntax

import (
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/data/sampled"
)

func TestParseEveryLanguage(t *testing.T) {
	for language, source := range map[string]string{
		"python":     "def f(a):\n    return a + 1\n",
		"javascript": "function f(a) { return a + 1; }\n",
		"r":          "f <- function(a) a + 1\n",
		"go":         "package p\n\nfunc f(a int) int { return a + 1 }\n",
		"java":       "class A { int f(int a) { return a + 1; } }\n",
		"cpp":        "template <class T> T f(T a) { return a + 1; }\n",
		"c":          "int f(int a) { return a + 1; }\n",
		"bash":       "f() { echo $(($1 + 1)); }\n",
	} {
		tree, err := Parse(language, []byte(source))
		if err != nil || !tree.Valid {
			t.Errorf("%s: %v, valid %v", language, err, tree != nil && tree.Valid)
			continue
		}
		if tree, _ := Parse(language, []byte(source+"\n((({{")); tree.Valid {
			t.Errorf("%s: broken text is valid", language)
		}
	}
}

func TestNodes(t *testing.T) {
	tree, err := Parse("python", []byte("x = 1\nif x:\n    y = x + 2\n"))
	fatal.If(t, err)
	var sum *Node
	Walk(tree.Root, func(n *Node) bool {
		if n.Kind == "binary_operator" {
			sum = n
		}
		return true
	})
	if sum == nil || tree.Text(sum) != "x + 2" || sum.Line != 3 || sum.Column != 8 || tree.Text(sum.Child("right")) != "2" {
		t.Fatalf("%+v", sum)
	}
	if sum.Field != "right" || sum.Parent.Kind != "assignment" || sum.Child("nothing") != nil {
		t.Fatalf("%+v", sum)
	}
}

func TestBounds(t *testing.T) {
	if _, err := Parse("cobol", nil); !errors.Is(err, ErrLanguage) {
		t.Error(err)
	}
	if _, err := Parse("python", make([]byte, MaxSize+1)); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	for language := range languages {
		for _, deep := range []string{strings.Repeat("(", 20_000), strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), strings.Repeat("a+(", 30_000)} {
			tree, err := Parse(language, []byte(deep))
			if err == nil && tree.Valid {
				t.Errorf("%s: %.5s… is valid", language, deep)
			}
		}
	}
	for language, times := range map[string]int{"cpp": sampled.Of(1, 4), "javascript": 1, "c": 1, "python": 1} { // cpp takes longest
		for _, hostile := range []string{strings.Repeat("{<", 125_000*times), strings.Repeat("f'{", 90_000*times)} {
			if tree, err := Parse(language, []byte(hostile)); err == nil && tree.Valid {
				t.Errorf("%s: %.5s… is valid", language, hostile)
			}
		}
	}
	tree, err := Parse("python", []byte(strings.Repeat("[", 5000)+strings.Repeat("]", 5000)))
	if err != nil || !tree.Cut {
		t.Errorf("a deep tree is not cut: %v", err)
	}
}

// Texts whose cost is far above their length are rejected, always at the same point; the cost of realistic
// programs is far below.
func TestBudget(t *testing.T) {
	hostile := []byte(strings.Repeat("\x00", 100_000)) // read again from every byte on
	if _, err := Parse("bash", hostile); !errors.Is(err, ErrTooHard) {
		t.Error(err)
	}
	tree := &Tree{Source: []byte(strings.Repeat("x = [f(a, b)[0] for a in 'text' if a > 2 and not b]\n", 2000))}
	once, ok := tree.parse(languages["python"](), 1<<40)
	again, _ := tree.parse(languages["python"](), 1<<40)
	if !ok || once != again {
		t.Errorf("the same text cost %d, then %d", once, again)
	}
	if budget := baseBudget + byteBudget*len(tree.Source); once > budget/3 {
		t.Errorf("%d bytes of dense code cost %d of %d", len(tree.Source), once, budget)
	}
	if _, ok := tree.parse(languages["python"](), once-1); ok {
		t.Error("the budget is not kept")
	}
}

// The copy of the library's header is the header of the version that go.mod names.
func TestHeaderIsTheLibrarys(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/tree-sitter/go-tree-sitter").Output()
	fatal.If(t, err)
	const name = "include/tree_sitter/api.h"
	theirs := fatal.Read(t, filepath.Join(strings.TrimSpace(string(dir)), name))
	ours := fatal.Read(t, name)
	if !bytes.Equal(ours, theirs) {
		t.Errorf("%s is not the header of the library in %s: copy it again, and see that native.c still fits", name, bytes.TrimSpace(dir))
	}
}

func FuzzParse(f *testing.F) {
	f.Add("python", "def f(:\n\tpass")
	f.Add("cpp", "int main() { /* ")
	f.Add("r", "x <- \"\x00\xff")
	f.Fuzz(func(t *testing.T, language, source string) {
		if languages[language] == nil {
			language = "python"
		}
		tree, err := Parse(language, []byte(source))
		if err != nil {
			return
		}
		Walk(tree.Root, func(n *Node) bool {
			if n.Start > n.End || n.End > len(source) || n.Line > n.EndLine {
				t.Fatalf("%+v", n)
			}
			return true
		})
	})
}

func BenchmarkParse(b *testing.B) {
	source := []byte(strings.Repeat("def f(a, b):\n    # adds\n    return [x + b for x in a if x > 2]\n\n", 500))
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		if _, err := Parse("python", source); err != nil {
			b.Fatal(err)
		}
	}
}
