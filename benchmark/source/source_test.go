package source

import (
	"strings"
	"testing"
)

func TestDefinitions(t *testing.T) {
	for _, tt := range []struct{ language, text, names string }{
		{"python", "from __future__ import annotations\nimport a.b as c, d.e\nfrom x import (y, z as w)\nfrom m import *\n@dec\ndef f(p): q = 1\nclass A:\n  def g(self): pass\nx, v = 1, 2\nu: int = 3\na.b = 4\ns[0] = 1\nfor i in x: pass\nif 1:\n  def h(): pass\nwith open(f) as r: pass\nlam = lambda k: 1\n",
			"-annotations -c -d -y -w f A .g x v u i h r lam"},
		{"javascript", "const f = (x) => x, {g} = h;\nfunction k(a) { var b; }\nclass A { m() {} }\nexport default function z() {}\nexports.q = 1;\n", "f g k A .m z"},
		{"go", "package x\nimport \"fmt\"\ntype T struct{}\nfunc (t T) M() { a := 1 }\nfunc F[K any](a int) {}\nvar a, b = 1, 2\nconst c = 1\n", "T M F a b c"},
		{"java", "package p; import java.util.*; public class A { int q; static int f(int a) { int b; return 1; } record R(int x) {} } interface I {}", "A .q .f .R I"},
		{"cpp", "#include <x>\n#define M 3\ntemplate<class T> T f(T a) { return a; }\nint *g(int b);\nstruct S { int k() { return 1; } };\nauto l = [](int x) { return x; };\ntypedef long ll;\nusing L = int;\nnamespace n { int z() {return 1;} }\nint S::q(int a) { return 1; }\nint arr[3];\nstruct S one;",
			"M f S .k l ll L z q arr one"},
		{"c", "int *f(int b) { int c; return 0; }\nint g;", "f g"},
		{"r", "f <- function(x) x + 1\ng = function(y) { z <- 1 }\na + b\n", "f g"},
		{"bash", "f() { x=1; }\nfunction g { echo 2; }\ny=3\n", "f g y"},
	} {
		t.Run(tt.language, func(t *testing.T) {
			p, ok := Parse(tt.language, tt.text)
			if !ok || !p.Valid() {
				t.Fatal("it does not parse")
			}
			var names []string
			for _, d := range p.Definitions() {
				sign := ""
				if d.Import {
					sign = "-"
				} else if d.Member {
					sign = "."
				}
				names = append(names, sign+d.Name)
			}
			if got := strings.Join(names, " "); got != tt.names {
				t.Errorf("got  %s\nwant %s", got, tt.names)
			}
		})
	}
}

func TestStub(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		stub       bool
	}{
		{"documentation", "def f(x):\n    \"\"\" x \"\"\"\n", true},
		{"pass", "def f(x):\n    # to do\n    pass\n", true},
		{"ellipsis", "def f(x): ...\n", true},
		{"error", "def f(x):\n    raise NotImplementedError()\n", true},
		{"class of stubs", "class f:\n    def g(self):\n        pass\n    @staticmethod\n    def h():\n        ...\n", true},
		{"return", "def f(x):\n    return\n", false},
		{"class with a method", "class f:\n    def g(self):\n        return 1\n", false},
		{"variable", "f = None\n", false},
		{"redefined", "def f(x): pass\ndef f(x): return x\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, _ := Parse("python", tt.text)
			if d, found := p.Definition("f"); !found || d.Stub != tt.stub {
				t.Errorf("%+v, %v", d, found)
			}
		})
	}
}

func TestBody(t *testing.T) {
	const prompt = "import math\n\ndef area(r: float) -> float:\n    \"\"\" The area. \"\"\"\n"
	for _, tt := range []struct{ name, prompt, text, program string }{
		{"indented", prompt, "    return math.pi * r\n", prompt + "    return math.pi * r\n"},
		{"not indented", prompt, "x = 1\nreturn x\n", prompt + "    x = 1\n    return x\n"},
		{"only its first line not", prompt, "x = 1\n    return x\n", prompt + "    x = 1\n    return x\n"},
		{"with helpers after it", prompt, "    return g(r)\n\ndef g(r):\n    return r\n", prompt + "    return g(r)\n\ndef g(r):\n    return r\n"},
		{"after a header", "def area(r):\n", "    return r\n", "def area(r):\n    return r\n"},
		{"after an indentation", "def area(r):\n    ", "return r\n", "def area(r):\n    return r\n"},
		{"pass", prompt, "    pass\n", prompt + "    pass\n"},
		{"whole function", prompt, "def area(r):\n    return r\n", ""},
		{"other function", prompt, "def other(r):\n    return r\n", ""},
		{"prose", prompt, "I am sorry.\n", ""},
		{"word", prompt, "Sorry\n", ""},
		{"indented word", prompt, "    Sorry\n", ""},
		{"comment", prompt, "    # to do\n", ""},
		{"documentation", prompt, "    \"\"\" more \"\"\"\n", ""},
		{"nothing", prompt, "", ""},
		{"function that the prompt has", "def area(r):\n    return 1\n", "    return r\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := Body(tt.prompt, tt.text, "area"); got != tt.program || ok != (tt.program != "") {
				t.Errorf("got %q, %v", got, ok)
			}
		})
	}
}

func TestWithoutStub(t *testing.T) {
	for _, tt := range []struct{ name, prompt, rest string }{
		{"function", "import math\n\n\ndef f(x):\n    \"\"\" Doc. \"\"\"\n", "import math\n\n\n"},
		{"helper before it", "def g():\n    return 1\n\ndef f(x):\n    ''' Doc. '''\n", "def g():\n    return 1\n\n"},
		{"header", "import math\ndef f(x):\n", "import math\n"},
		{"decorated", "@cache\ndef f(x): ...\n", ""},
		{"class of stubs", "class f:\n    def g(self):\n        pass\n\nx = 1\n", "x = 1\n"},
		{"function with a body", "def f(x):\n    return 1\n", "def f(x):\n    return 1\n"},
		{"none", "from typing import *\n", "from typing import *\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := WithoutStub(tt.prompt, "f"); got != tt.rest {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestCode(t *testing.T) {
	for _, tt := range []struct {
		language, text string
		code           bool
	}{
		{"python", "n = int(input())\nprint(n)\n", true},
		{"python", "print('x')\n", true},
		{"python", "Sorry\n", false},
		{"python", "Yes, no\n", false},
		{"python", "Output: 3\n", false},
		{"python", "3\n", false},
		{"python", "[1, 2]\n", false},
		{"python", "Done\nprint(1)\n", false},
		{"javascript", "const a = 1;\nconsole.log(a);\n", true},
		{"javascript", "Output: 3\n", false},
		{"bash", "read n\necho $((n * 2))\n", true},
		{"bash", "sort | uniq -c\n", true},
		{"bash", "Sorry, this is too hard.\n", false},
		{"bash", "I would read the file.\n", false},
		{"r", "x <- 1\n", true},
		{"r", "Sorry\n", false},
		{"go", "package main\nfunc main() {}\n", true},
		{"java", "class A {}\n", true},
		{"cpp", "#include <x>\nint main() {}\n", true},
	} {
		p, ok := Parse(tt.language, tt.text)
		if !ok || p.Code() != tt.code {
			t.Errorf("%s: %q: code is %v", tt.language, tt.text, !tt.code)
		}
	}
}

// TestMainClass: by which class a program is started, whatever stands in comments, texts and before main.
func TestMainClass(t *testing.T) {
	for _, tt := range []struct{ name, language, text, class string }{
		{"public class", "java", "class A {}\npublic final class B {}", "B"},
		{"class with main", "java", "class A {}\nclass B { public static void main(String[] a) {} }", "B"},
		{"braces before main", "java", "class A { int f() { if (1 > 0) { while (true) { } } return 1; } static public void main(String... a) {} }", "A"},
		{"comment", "java", "// public class Foo {\n/* public class Bar { */ class C { public static void main(String[] a) { String s = \"public class D {\"; } }", "C"},
		{"none", "java", "interface A {}", ""},
		{"object with main", "scala", "object A { def f = 1 }\nobject B { def main(a: Array[String]): Unit = {} }", "B"},
		{"App", "scala", "object A {}\nobject B extends App {}", "B"},
	} {
		if got := MainClass(tt.language, tt.text); got != tt.class {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.class)
		}
	}
	if got := Alone("java", "package a.b;\nimport java.util.*;\npublic class Foo {\n}\n"); got != "\nimport java.util.*;\nclass Foo {\n}\n" {
		t.Errorf("%q", got)
	}
}

// TestMask: comments and texts are blanked, and nothing else.
func TestMask(t *testing.T) {
	for _, tt := range []struct{ language, text, words string }{
		{"go", "a /* { */ \"}\" `{` // }\nb", "a b"},
		{"rust", "fn f<'a>(x: &'a str) { '}'; /* /* { */ */ }", "fn f<'a>(x: &'a str) { ; }"},
		{"cpp", "int n = 1'000; char c = '{';", "int n = 1'000; char c = ;"},
		{"bash", "echo ${#x} # {\n'}'", "echo ${#x}"},
		{"lua", "--[[ {\n]] x = [[ } ]]", "x ="},
		{"haskell", "f' x = x -- {\n{- { -}", "f' x = x"},
		{"perl", "print \"}\"; my $n = $#a; # {", "print ; my $n = $#a;"},
	} {
		got := mask(tt.language, tt.text)
		if strings.Join(strings.Fields(got), " ") != tt.words || len(got) != len(tt.text) || strings.Count(got, "\n") != strings.Count(tt.text, "\n") {
			t.Errorf("%s: %q, want %q", tt.language, got, tt.words)
		}
	}
}
