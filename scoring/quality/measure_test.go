package quality

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay/data/fatal"
	"assay/scoring/syntax"
)

func measure(t testing.TB, language, source string) Measures {
	t.Helper()
	m, err := Measure(language, []byte(source))
	fatal.If(t, err)
	return m
}

// Corners of Python beyond the oracle, each worked out from the source of
// SonarQube's analyser (sonar-python, python-frontend/…/metrics).
func TestPythonCorners(t *testing.T) {
	for _, c := range []struct {
		name, source                         string
		cyclomatic, cognitive, code, comment int
	}{
		{"module level", "if a:\n    b = 1 if c else 2\n", 2, 3, 2, 0},
		{"elif chain", "if a: pass\nelif b: pass\nelif c: pass\nelse: pass\n", 1, 4, 4, 0},
		{"while else", "while a:\n    pass\nelse:\n    if b: pass\n", 2, 4, 4, 0},
		{"try inside", "try:\n    if a: pass\nfinally:\n    if b: pass\n", 2, 2, 4, 0},
		{"except nests", "try:\n    pass\nexcept* E:\n    if b: pass\n", 1, 3, 4, 0},
		{"not keeps a run", "x = a and not b and c\n", 2, 1, 1, 0},
		{"not of parentheses breaks it", "x = a and not (b and c)\n", 2, 2, 1, 0},
		{"runs change", "x = a and b or c and d or e\n", 4, 4, 1, 0},
		{"ternary in its condition", "x = 1 if (2 if a else b) else 3\n", 2, 3, 1, 0},
		{"match nests its bodies", "match a:\n    case 1 if b or c:\n        if d: pass\n", 2, 3, 3, 0},
		{"method in a function in a loop", "for x in y:\n    def f():\n        if a: pass\n", 3, 2, 3, 0},
		{"decorator is the function's", "@d(1 if a else 2)\ndef f():\n    pass\n", 2, 1, 3, 0},
		{"docstring is no wrapper", "def f():\n    'd'\n    def g():\n        if a: pass\n    return g\n", 3, 2, 4, 1},
		{"lambda in a loop", "for x in y:\n    f(lambda: 1 if x else 2)\n", 2, 3, 2, 0},
		{"f-string", "x = f'{1 if a else 2}'\n", 1, 1, 1, 0},
		{"blank lines between braces", "x = f'''{a}\n\n{b}'''\n", 0, 0, 3, 0},
		{"string that is no docstring", "x = '''a\n\nb'''\n", 0, 0, 3, 0},
		{"docstring with blank lines", "'''a\n\nb'''\nx = 1\n", 0, 0, 1, 3},
		{"docstring in two parts", "def f():\n    'a' \\\n    'b'\n", 1, 0, 1, 2},
		{"second string", "'a'\n'b'\n", 0, 0, 1, 1},
		{"docstring beside def", "def f(): 'a'\n", 1, 0, 0, 1},
		{"comments without a word", "# ---\n#\n# é\nx = 1  # !\n", 0, 0, 1, 1},
		{"NOSONAR", "x = 1  # NOSONAR because\n", 0, 0, 1, 0},
		{"continued line", "x = 1 + \\\n    2\n", 0, 0, 2, 0},
		{"class body", "class A:\n    'd'\n    if a:\n        x = 1\n", 1, 1, 3, 1},
		{"empty", "", 0, 0, 0, 0},
	} {
		m := measure(t, "python", c.source)
		if m.Cyclomatic != c.cyclomatic || m.Cognitive != c.cognitive || m.CodeLines != c.code || m.CommentLines != c.comment {
			t.Errorf("%s: cyclomatic %d, cognitive %d, code %d, comment %d; want %d, %d, %d, %d",
				c.name, m.Cyclomatic, m.Cognitive, m.CodeLines, m.CommentLines, c.cyclomatic, c.cognitive, c.code, c.comment)
		}
	}
}

// Corners of JavaScript, printed by eslint-plugin-sonarjs 4.2.2.
func TestJavaScriptCorners(t *testing.T) {
	for _, c := range []struct {
		source    string
		functions []Function
	}{
		{"function f(a) { const g = a ? () => 1 : 2; if (a) { } return g }", []Function{{"f", 1, 3, 3}, {"", 1, 1, 0}}},
		{"function f(a) { const g = a ? function () { if (a) {} } : 2; if (a) { } if (a) {} return g }",
			[]Function{{"f", 1, 4, 5}, {"", 1, 2, 1}}},
	} {
		m := measure(t, "javascript", c.source)
		for i, f := range c.functions {
			if i >= len(m.Functions) || m.Functions[i] != f {
				t.Errorf("%s: %+v, want %+v", c.source, m.Functions, c.functions)
				break
			}
		}
	}
}

// The other languages, by the white paper's rules.
func TestOtherLanguages(t *testing.T) {
	for language, source := range map[string]string{
		"go":   "package p\n\n// f is f.\nfunc f(a, b int) int {\n\tif a > 1 && b > 1 {\n\t\tfor a < 2 {\n\t\t\ta++\n\t\t}\n\t} else if a == 3 {\n\t\treturn 1\n\t} else {\n\t\treturn 2\n\t}\n\treturn 0\n}\n",
		"java": "class A {\n  // f is f.\n  int f(int a, int b) {\n    if (a > 1 && b > 1) {\n      while (a < 2) a++;\n    } else if (a == 3) {\n      return 1;\n    } else {\n      return 2;\n    }\n    return 0;\n  }\n}\n",
		"cpp":  "// f is f.\nint f(int a, int b) {\n  if (a > 1 && b > 1) {\n    while (a < 2) a++;\n  } else if (a == 3) {\n    return 1;\n  } else {\n    return 2;\n  }\n  return 0;\n}\n",
		"c":    "// f is f.\nint f(int a, int b) {\n  if (a > 1 && b > 1) {\n    while (a < 2) a++;\n  } else if (a == 3) {\n    return 1;\n  } else {\n    return 2;\n  }\n  return 0;\n}\n",
		"r":    "# f is f.\nf <- function(a, b) {\n  if (a > 1 && b > 1) {\n    while (a < 2) a <- a + 1\n  } else if (a == 3) {\n    1\n  } else {\n    2\n  }\n}\n",
		"bash": "# f is f.\nf() {\n  if a && b; then\n    while c; do d; done\n  elif e; then\n    g\n  else\n    h\n  fi\n}\n",
		"javascript": "// f is f.\nfunction f(a, b) {\n  if (a > 1 && b > 1) {\n    while (a < 2) a++;\n  } else if (a === 3) {\n" +
			"    return 1;\n  } else {\n    return 2;\n  }\n  return 0;\n}\n",
	} {
		m := measure(t, language, source)
		if !m.Valid || len(m.Functions) != 1 || m.CommentLines != 1 {
			t.Errorf("%s: %+v", language, m)
			continue
		}
		// 1 + if + && + loop + else if; if 1, && 1, loop 2, else if 1, else 1
		if want := (Function{"f", m.Functions[0].Line, 5, 6}); m.Functions[0] != want || m.Cyclomatic != 5 || m.Cognitive != 6 {
			t.Errorf("%s: %+v, %d, %d", language, m.Functions, m.Cyclomatic, m.Cognitive)
		}
		if c := m.Constructs; c[If].Count != 2 || c[Loop].Count != 1 || c[FunctionDef].Count != 1 {
			t.Errorf("%s: %+v", language, c)
		}
	}
}

// What CPython 3.11 compiles and what it does not.
func TestPythonValid(t *testing.T) {
	for source, want := range map[string]bool{
		"return 1": false, "def f():\n    return 1": true, "class A:\n    return 1": false,
		"def f(a, a): pass": false, "lambda a, a: 1": false, "def f(a=1, b): pass": false,
		"def f(a=1, *, b): pass": true, "def f(*a, b): pass": true, "def f(a, *): pass": false,
		"def f(a: int = 1, *b: int, c: int): pass": true, "def f(a, /, b=1): pass": true,
		"print 'a'": false, "print('a')": true, "exec 'a'": false, "a <> b": false,
		"break": false, "while a: break": true, "while a: pass\nelse: break": false,
		"for a in b:\n    def f(): break": false, "yield 1": false, "await a": false,
		"async def f(): await a": true, "def f(): await a": false, "async with a: pass": false,
		"if a:\n": false, "if a:\n    # only\n": false, "def f():\n": false, "def f():\n    'doc'": true,
		"if a:\n        b\n    c": false, "if a:\n    b\n  c": false, "  a": false, "a\n  b": false,
		"if a:\n\tb\n        c": false, "a = 1; b = 2": true, "if a: b; c": true, "a = \\\n  2\nb": true,
		"x = 0777": false, "x = 0": true, "x = 00": true, "x = 0x1F": true, "x = 10L": false, "x = 00j": true,
		"f(a=1, a=2)": false, "f(a=1, b)": false, "f(*a, b, **c)": true, "f(**c, d=1)": true, "f(**c, *a)": false,
		"try: a\nexcept: b\nexcept E: c": false, "try: a\nexcept E: b\nexcept: c": true,
		"x := 1": false, "(x := 1)": true, "def f():\n    from a import *": false, "from a import *": true,
		"try: a\nexcept E, e: b": false, "raise E, 'x'": false, "def f(:": false, "I cannot do this": false,
		"": true, "# nothing": true, "\ufeffa = 1": true,
	} {
		if m := measure(t, "python", source); m.Valid != want {
			t.Errorf("%q: valid %v", source, m.Valid)
		}
	}
}

func TestConstructs(t *testing.T) {
	m := measure(t, "python", "import a\nx, y = a.b[1], -2\nx += f(y) < 3 < 4\ntry: raise E\nexcept: pass\nz = [i for i in x for j in i]\nw = lambda: a and b and c\n")
	for name, want := range map[Construct]int{
		Import: 1, Assign: 4, DataStruct: 2, Attribute: 1, Subscript: 1, Op: 3, Call: 1, Compare: 1,
		Try: 1, Raise: 1, Comprehension: 2, Lambda: 1, If: 0, Loop: 0, FunctionDef: 0,
	} {
		if got := m.Constructs[name]; got.Count != want || math.Abs(got.PerLine-float64(want)/7) > 1e-12 {
			t.Errorf("%s: %+v, want %d", name, got, want)
		}
	}
	if len(m.Constructs) != len(AllConstructs()) {
		t.Errorf("%d constructs", len(m.Constructs))
	}
}

func TestErrors(t *testing.T) {
	if _, err := Measure("cobol", nil); !errors.Is(err, syntax.ErrLanguage) {
		t.Error(err)
	}
	if _, err := Measure("python", make([]byte, syntax.MaxSize+1)); !errors.Is(err, syntax.ErrTooLarge) {
		t.Error(err)
	}
	for _, language := range Supported() {
		if _, err := Measure(language, nil); err != nil {
			t.Errorf("%s has no grammar: %v", language, err)
		}
	}
}

// pieces are statements that programs are drawn from.
var pieces = []string{
	"def %s(a, b):\n    if a and b or a:\n        return 1\n    return 2\n",
	"def %s(a):\n    for x in a:\n        if x: yield x\n",
	"def %s(a):\n    def g(b):\n        while b: b -= 1\n    return g\n",
	"def %s():\n    '''Doc.'''\n    return [x for x in y if x]\n",
	"class %s:\n    def m(self):\n        try: pass\n        except E: return 1 if a else 2\n",
	"%s = 1 if a else 2  # why\n",
}

func draw(t *rapid.T) []string {
	var list []string
	for i := range rapid.IntRange(1, 8).Draw(t, "pieces") {
		list = append(list, strings.ReplaceAll(rapid.SampledFrom(pieces).Draw(t, "piece"), "%s", "n"+string(rune('a'+i))))
	}
	return list
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		list := draw(r)
		m := measure(t, "python", strings.Join(list, ""))
		sum := 0
		for _, f := range m.Functions {
			sum += f.Cyclomatic
			if f.Cyclomatic < 1 || f.Cognitive < 0 {
				r.Fatalf("%+v", f)
			}
		}
		outside := 0 // the conditional expressions at module level
		for _, piece := range list {
			if strings.Contains(piece, "# why") {
				outside++
			}
		}
		if m.Cyclomatic != sum+outside || !m.Valid || m.CommentRate < 0 || m.CommentRate > 100 {
			r.Fatalf("%+v", m)
		}
		commented := measure(t, "python", strings.Join(list, "")+"# one more\n")
		if commented.Cyclomatic != m.Cyclomatic || commented.Cognitive != m.Cognitive || commented.CodeLines != m.CodeLines || commented.CommentLines != m.CommentLines+1 {
			r.Fatalf("a comment changes more than the comment lines: %+v, then %+v", m, commented)
		}
		permuted := measure(t, "python", strings.Join(rapid.Permutation(list).Draw(r, "order"), ""))
		if permuted.Cyclomatic != m.Cyclomatic || permuted.Cognitive != m.Cognitive || permuted.CodeLines != m.CodeLines || permuted.CommentLines != m.CommentLines {
			r.Fatalf("the order changes the totals: %+v, then %+v", m, permuted)
		}
	})
}

// The standard library: nothing panics, nothing takes long, all of it compiles.
func TestStandardLibrary(t *testing.T) {
	const dir = "/usr/lib/python3.11"
	if _, err := os.Stat(dir); err != nil {
		t.Skip("there is no Python library in " + dir)
	}
	files, size, slowest, slow := 0, 0, time.Duration(0), ""
	begin := time.Now()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".py" {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		start := time.Now()
		m, err := Measure("python", source)
		took := time.Since(start)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return nil
		}
		if !m.Valid && !strings.Contains(path, "lib2to3") && !strings.Contains(path, "bad") {
			t.Errorf("%s is not valid", path)
		}
		if took > slowest {
			slowest, slow = took, path
		}
		files, size = files+1, size+len(source)
		return nil
	})
	fatal.If(t, err)
	if files < 300 {
		t.Skipf("only %d files", files)
	}
	t.Logf("%d files, %.1f MB, %.1f MB/s, slowest %v: %s", files, float64(size)/1e6, float64(size)/1e6/time.Since(begin).Seconds(), slowest, slow)
}

func FuzzMeasure(f *testing.F) {
	f.Add("python", "def f(:\n\tpass")
	f.Add("javascript", "a ? () => { if (b) {} } : c")
	f.Add("cpp", "int main() { /* ")
	f.Add("r", "f <- function(x) if (x) 1 else 2")
	f.Fuzz(func(t *testing.T, language, source string) {
		if !slices.Contains(Supported(), language) {
			language = Supported()[len(source)%len(Supported())]
		}
		m, err := Measure(language, []byte(source))
		if err != nil {
			return
		}
		sum := 0
		for _, fn := range m.Functions {
			sum += fn.Cyclomatic
			if fn.Cyclomatic < 1 || fn.Cognitive < 0 || fn.Line < 1 {
				t.Fatalf("%+v", fn)
			}
		}
		if m.Cyclomatic < sum || m.Cognitive < 0 || m.CodeLines < 0 || m.CommentLines < 0 || !(m.CommentRate >= 0 && m.CommentRate <= 100) {
			t.Fatalf("%+v", m)
		}
	})
}

// answer has the size of models' answers to HumanEval.
const answer = `from typing import List


def has_close_elements(numbers: List[float], threshold: float) -> bool:
    """ Check if in given list of numbers, are any two numbers closer to each other than
    given threshold.
    >>> has_close_elements([1.0, 2.0, 3.0], 0.5)
    False
    """
    # Compare each pair once.
    for idx, elem in enumerate(numbers):
        for idx2, elem2 in enumerate(numbers):
            if idx != idx2:
                distance = abs(elem - elem2)
                if distance < threshold:
                    return True

    return False
`

func BenchmarkMeasureAnswer(b *testing.B) {
	b.SetBytes(int64(len(answer)))
	for b.Loop() {
		if _, err := Measure("python", []byte(answer)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMeasureLong(b *testing.B) {
	source := []byte(strings.Repeat(answer, 200))
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		if _, err := Measure("python", source); err != nil {
			b.Fatal(err)
		}
	}
}

// Which escapes are valid in templates, with a tag and without, and in strings: as Node 20
// says of a script.
func TestJavaScriptEscapes(t *testing.T) {
	for source, valid := range map[string]bool{
		"String.raw`\\x`": true, "String.raw`\\u`": true, "String.raw`\\u{110000}`": true, "String.raw`\\xG`": true, "String.raw`\\07`": true, "String.raw`\\1`": true, "String.raw`\\9`": true,
		"tag`\\u{zz}`": true, "String.raw`a${1}\\x${2}\\u`": true, "x.y`\\x`": true, "f()`\\u0`": true, "String.raw`C:\\users\\x`": true, "String.raw`\\u{`": true, "String.raw`$\\x`": true,
		"a`b`\n`\\x`": true, "new C`\\x`": true, "`a${String.raw`\\x`}`": true, "String.raw`\\`\\x`": true, "String.raw`\\\\`": true, "String.raw`\\${\\x}`": true,
		"String.raw`a${String.raw`\\u`}\\x`": true, "String.raw`a${`\\x`}`": false,
		"`\\x`": false, "`\\u`": false, "`\\07`": false, "`\\1`": false, "`\\8`": false, "`\\0`": true, "`\\u{110000}`": false, "`\\u{10FFFF}`": true, "`\\u{0000000010FFFF}`": true, "`\\x41`": true, "`a${`\\x`}`": false,
		"'\\x'": false, "'\\u'": false, "'\\xG1'": false, "'\\u{110000}'": false, "\"\\u{}\"": false, "'\\07'": true, "/\\x/": true,
	} {
		m := measure(t, "javascript", "let v = "+source+";\n")
		if m.Valid != valid {
			t.Errorf("%s: valid is %v", source, m.Valid)
		}
	}
	// Code after such a template is measured as if there were no template.
	with := measure(t, "javascript", "function f(a) {\n  const p = String.raw`\\u`;\n  if (a && p) { return 1; }\n  return 0;\n}\n")
	without := measure(t, "javascript", "function f(a) {\n  const p = String.raw`_u`;\n  if (a && p) { return 1; }\n  return 0;\n}\n")
	if fmt.Sprint(with) != fmt.Sprint(without) {
		t.Errorf("%+v, want %+v", with, without)
	}
}
