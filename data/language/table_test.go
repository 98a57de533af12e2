package language

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/data/fatal"
)

// awk is a user's entry with every necessary key.
const awk = `[awk]
title = "AWK"
aliases = ["gawk"]
extensions = [".awk"]
programs = ["awk"]
version = ["{0}", "-W", "version"]
install = "apt-get install mawk"
file = "main.awk"
run = ["{0}", "-f", "{file}"]
double = "{ print 2 * $1 }"
`

// TestBuiltIn: every entry is whole, and its names lead to it.
func TestBuiltIn(t *testing.T) {
	for _, name := range Names() {
		e := Find(name)
		if e.Install == "" || !e.End.Proves() || e.Double == "" || e.Own {
			t.Errorf("%s: install %q, end %v, double %q", name, e.Install, e.End.Proves(), e.Double)
		}
		for _, alias := range append(e.Aliases, name, strings.ToUpper(name)) {
			if Named(alias) != name {
				t.Errorf("%q is %q, want %s", alias, Named(alias), name)
			}
		}
		for _, extension := range e.Extensions {
			if OfFile("a/b"+extension) != name || OfFile("b"+strings.ToUpper(extension)+".txt") != name {
				t.Errorf("%q is %q, want %s", extension, OfFile("b"+extension), name)
			}
		}
	}
	for name, want := range map[string]string{"cpp": "C++", "csharp": "C#", "r": "R", "cobol": "Cobol", "": "any language"} {
		if Title(name) != want {
			t.Errorf("%q is %q, want %q", name, Title(name), want)
		}
	}
}

// TestFileOf: the source names its own file where the entry asks for that.
func TestFileOf(t *testing.T) {
	e := &Entry{Name: "x", Title: "X", Programs: []string{"x"}, Extensions: []string{".x"}, File: "main.x", Run: []string{"{0}"}, NamedBy: []string{`(?m)^program (\w+)`}}
	if wrong := e.prepare(); wrong != nil {
		t.Fatal(wrong)
	}
	for source, want := range map[string]string{"": "main.x", "// program A\nprogram B\n": "B.x", "program " + strings.Repeat("X", 201): "main.x"} {
		if got := e.FileOf(source); got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}

// TestDeclared: the function that a prompt of MultiPL-E leaves open.
func TestDeclared(t *testing.T) {
	for language, prompt := range map[string]string{
		"python": "def f(x: int) -> int:\n    \"\"\" doc \"\"\"\n", "javascript": "//x\nfunction f(x){\n", "typescript": "function f(x: number): number {\n",
		"cpp": "#include<assert.h>\nlong f(long x) {\n", "java": "class Problem {\n    public static long f(long x) {\n", "go": "func f(x int) int {\n", "bash": "# x\nf() {\n",
		"r": "f <- function(x) {", "ruby": "# g()\ndef f(x)\n", "php": "<?php\n// g()\nfunction f($x) {\n", "lua": "-- x\nlocal function f(x)\n", "perl": "# x\nsub f {\n    my($x, $y) = @_;\n",
		"rust": "/// g()\nfn f(x: isize) -> isize {\n", "csharp": "class Problem {\n    public static long f(long x) {\n", "scala": "object Problem {\n    def f(x : Long) : Long = {\n",
		"haskell": "-- | g\nf :: Int -> Int\nf x =", "ocaml": "(** g *)\nlet rec f (x : int) : int =", "d": "import std.math;\n/*\n g()\n*/\nlong f(long x) \n", "racket": "#lang racket\n\n;; (g x)\n(define (f x)\n",
		"elixir": "defmodule HumanEval do\n  @doc \"g\"\n  def f(x) do\n", "clojure": "(defn f\n  \"doc (g 1)\n  [2]\"\n  [x]\n", "julia": "\"\"\" doc \"\"\"\nfunction f(x::Int64)::Int64 \n", "swift": "/// g()\nfunc f(x: Int) -> Int {\n", "kotlin": "fun f(x: Int): Int {\n",
	} {
		if got := Find(language).Declared(prompt); got != "f" {
			t.Errorf("%s: %q, want f", language, got)
		}
	}
}

// TestManual: the page of languages has the options with which programs in each are compiled and started.
func TestManual(t *testing.T) {
	page, err := os.ReadFile("../manual/languages.md")
	fatal.If(t, err)
	for _, name := range Names() {
		e := Find(name)
		option, _ := e.Option(e.Standard)
		compiled := strings.TrimSpace(option + " " + e.Options)
		if e.Compile == "" || compiled == "" {
			compiled = "-"
		}
		if row := fmt.Sprintf("| %s | `%s` | `%s` |\n", e.Title, compiled, strings.Join(e.Run, " ")); !strings.Contains(string(page), row) {
			t.Errorf("the page lacks the row\n%s", row)
		}
		for _, s := range e.Standards {
			if !strings.Contains(string(page), "`"+s[0]+"`") {
				t.Errorf("the page lacks the standard %s", s[0])
			}
		}
	}
}

// TestLoad: an entry of the user is known at once, and none of the built-in ones changes.
func TestLoad(t *testing.T) {
	t.Cleanup(func() { current.Store(nil) })
	file := filepath.Join(t.TempDir(), "languages.toml")
	before := Names()
	if err := Load(file); err != nil || !slices.Equal(Names(), before) {
		t.Fatalf("without a file: %v", err)
	}
	fatal.If(t, os.WriteFile(file, []byte(awk), 0o600))
	fatal.If(t, Load(file))
	e := Find("awk")
	if e == nil || !e.Own || Named("GAWK") != "awk" || OfFile("x.awk") != "awk" || e.End.Proves() || len(Names()) != len(before)+1 {
		t.Fatalf("%+v", e)
	}
	if ID("awk") != "awk-"+e.Digest[:12] || ID("c") != "c" {
		t.Errorf("%s %s", ID("awk"), ID("c"))
	}
	lines := strings.SplitAfter(awk, "\n")
	lines[1], lines[2] = lines[2], lines[1]
	first := e.Digest
	fatal.If(t, os.WriteFile(file, []byte(strings.Join(lines, "")+"# a comment\n"), 0o600))
	fatal.If(t, Load(file))
	if Find("awk").Digest != first {
		t.Error("the hash depends on the order of keys")
	}
}

// TestOnceOwn: a file with an entry of a language that is built in by now is read, and the built-in one counts.
func TestOnceOwn(t *testing.T) {
	t.Cleanup(func() { current.Store(nil) })
	file := filepath.Join(t.TempDir(), "languages.toml")
	own := strings.NewReplacer("[awk]", "[elixir]", "gawk", "ex", ".awk", ".exs").Replace(awk)
	fatal.If(t, os.WriteFile(file, []byte(own+awk), 0o600))
	if err := Load(file); err != nil || Find("elixir").Own || Find("elixir").Title != "Elixir" || Find("awk") == nil {
		t.Errorf("%v: %+v", err, Find("elixir"))
	}
}

// TestBadEntries: errors name the file, the line and the key, and what to do.
func TestBadEntries(t *testing.T) {
	t.Cleanup(func() { current.Store(nil) })
	file := filepath.Join(t.TempDir(), "languages.toml")
	replaced := func(old, new string) string { return strings.Replace(awk, old, new, 1) }
	for _, tt := range []struct{ name, text, want string }{
		{"no TOML", "[awk\n", ":1: "},
		{"an unknown key", awk + "compiler = \"x\"\n", ":11: awk.compiler: the key is not known"},
		{"no title", replaced("title = \"AWK\"\n", ""), ":1: awk.title: the key is missing"},
		{"no command", replaced("run =", "check ="), "awk.run: the key is missing"},
		{"a built-in name", replaced("[awk]", "[python]"), ":1: python: the language is built in"},
		{"a built-in alias", replaced("gawk", "rb"), ":3: awk.aliases: \"rb\" is the language ruby already"},
		{"a built-in ending", replaced("[\".awk\"]", "[\".PY\"]"), ":4: awk.extensions: \".PY\" is no file ending"},
		{"another's ending", replaced("[\".awk\"]", "[\".py\"]"), ":4: awk.extensions: \".py\" is the ending of python already"},
		{"a name in capitals", replaced("[awk]", "[AWK]"), ":1: AWK: the name of a language is in lower-case letters"},
		{"a path for a file", replaced("main.awk", "../main.awk"), ":8: awk.file: \"../main.awk\" is no file name"},
		{"a program too many", replaced("-f\", \"{file}", "-f\", \"{1}"), ":9: awk.run: the placeholder {1} is not known: there are {0} to {0}"},
		{"an unknown placeholder", replaced("{file}", "{source}"), ":9: awk.run: the placeholder {source} is not known"},
		{"a bad pattern", awk + "named_by = ['(']\n", ":11: awk.named_by: the pattern cannot be read"},
		{"a pattern without a group", awk + "named_by = ['class']\n", ":11: awk.named_by: the pattern class has no group"},
		{"a bad pattern for scripts", awk + "[awk.end]\nexits = [['(', '']]\n", ":12: awk.end.exits: the pattern cannot be read"},
		{"a variable without value", awk + "env = [\"X\"]\n", ":11: awk.env: \"X\" has no value"},
		{"a negative number", awk + "threads = -1\n", ":11: awk.threads: -1 is out of range"},
		{"a wrong type", replaced("\"AWK\"", "7"), ":2: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fatal.If(t, os.WriteFile(file, []byte(tt.text), 0o600))
			err := Load(file)
			if err == nil || !strings.Contains(err.Error(), file+tt.want) && !(strings.HasPrefix(err.Error(), file+":") && strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}
