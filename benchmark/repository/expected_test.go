package repository

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/repository/patch"
)

// What tests expect is found in each language, and nothing that they begin with.
func TestExpectedValues(t *testing.T) {
	for _, row := range []struct{ file, text, ids, want string }{
		{"test_a.py", "def test_a():\n    x = 9\n    assert total([1, 2]) == 3, 'no'\n    assert f(4) in [5, -6]\n", "test_a", "test_a: 3 5 6"},
		{"test_a.py", "class A:\n    def test_a(self):\n        self.assertEqual(total([1]), {'k': 'v'}, )\n        expected = True\n    def helper(self):\n        assert 1 == 1\n", "test_a", "test_a: v True"},
		{"test_a.py", "def test_a():\n    with pytest.raises(ValueError):\n        f(1)\n", "test_a", "test_a: ValueError"},
		{"test_a.py", "def test_a():\n    assert f(1) is not g(2)\n    assert h(3)\n", "test_a", "test_a: is not h(3)"},
		{"test_a.py", "def test_a():\n    self.assertTrue(f(1))\n", "test_a", "test_a: assertTrue"},
		{"a_test.go", "package a\n\nfunc TestA(t *testing.T) {\n\tif got := f(1); got != -3 {\n\t\tt.Error(4)\n\t}\n\tassert.Equal(t, \"b\", g(5))\n\tfor _, c := range []struct{ in, want int }{{in: 1, want: 2}} {\n\t}\n}\n\nfunc help() { _ = 1 == 2 }\n", "TestA", "TestA: 3 b 2"},
		{"a_test.go", "package a\n\nfunc TestA(t *testing.T) {\n\tif err := f(1); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n", "TestA", "TestA: !="},
		{"a_test.go", "package a\n\nfunc TestA(t *testing.T) {\n\tcheck(t, f(1), `\nb\n`)\n\tgot, want := f(\"c\"), []string{\"d\"}\n\tfor in, want := range map[string]int{\"e\": 5} {\n\t}\n}\n", "TestA", "TestA: \nb\n d 5"},
		{"a_test.go", "package a\n\nfunc TestA(t *testing.T) {\n\tif got := f(g); got != h || bad {\n\t\tt.Error(got)\n\t}\n}\n", "TestA", "TestA: !="},
		{"a_test.go", "package a\n\nfunc TestA(t *testing.T) {\n\trun(t, \"in\", \"\\nout\")\n\tx := pair(1, 2)\n}\n", "TestA", "TestA: out"},
		{"test_a.py", "def test_a(self):\n    self.run_it('in', 'out')\n    start(3)\n", "test_a", "test_a: out"},
		{"test_a.py", "def test_a():\n    x = f(1)\n    x.start()\n    # must not raise\n    x.end(y)\n", "test_a", "test_a: x.end(y)"},
		{"a.test.js", "it('one', async () => { await start(); stop(x); });\n", "one", "one: stop(x)"},
		{"a.test.js", "describe('d', () => {\n  it('one', () => { expect(total([3])).toEqual([4, `c`]); assert.ok(f(1) === 7, 'x'); });\n  test('two', () => { assert.notEqual(f(1), g(2)); });\n});\n", "one two", "one: 4 c 7 x; two: notEqual"},
		{"a.test.ts", "it('one', () => { const x: number = 3; expect(f(x)).toBe(4); });\n", "one", ""}, // types are no JavaScript
		{"test.c", "int main(void)\n{\n\tsame(\"one\", text(total(p, 1)), \"3\");\n\tcheck(total(p, 2) == 7);\n}\n", "one", "one: 3"},
		{"test.c", "static void test_two(void)\n{\n\tassert(total(p, 2) == 7);\n}\n", "test_two", "test_two: 7"},
		{"test.c", "static const char *two(void)\n{\n\treturn all(\"a\", \"[b]\\n\");\n}\nconst struct test tests[] = {{\"second\", two}, {0, 0}};\n", "second", "second: [b]"},
		{"ATest.java", "class ATest {\n  @Test\n  void two() { assertEquals(4, f(2)); }\n}\n", "two", "two: 4"},
	} {
		j := &job{task: &benchmark.Task{Repository: &benchmark.Repository{FailToPass: strings.Fields(row.ids)}},
			tests: patch.Changes{row.file: {Data: []byte(row.text), Mode: patch.Regular}}}
		var found []string
		for _, u := range j.alterable() {
			text := u.name + ":"
			for _, e := range u.expected {
				text += " " + e.text
				if e.other() == e.text {
					t.Errorf("%q is altered to itself", e.text)
				}
			}
			found = append(found, text)
		}
		if got := strings.Join(found, "; "); got != row.want {
			t.Errorf("%s %q:\n%s, want\n%s", row.file, row.text, got, row.want)
		}
	}
}

// Names of copies are those of no other test, and other text differs in one place.
func TestNames(t *testing.T) {
	for _, row := range []struct {
		id, name string
		want     bool
	}{
		{"a.py::test_one", "test_one", true}, {"a.py::test_one[3]", "test_one", true}, {"a.py::test_one_more", "test_one", false}, {"test_one (a.B.test_one)", "test_one", true},
		{"test_one (a.B)", "test_one", true}, {"TestOne/sub", "TestOne", true}, {"TestOneMore", "TestOne", false}, {"total one", "one", true}, {"one more", "one", false}, {"none", "one", false},
	} {
		if got := hasName(row.id, row.name); got != row.want {
			t.Errorf("%q has the name %q: %v", row.id, row.name, got)
		}
	}
	for range 1000 {
		for _, text := range []string{"", "a", "%d of 5", `\n`, "Z9 é", "-"} {
			if got := otherText(text); got == text || strings.Contains(text, "%d") && !strings.Contains(got, "%d") {
				t.Fatalf("%q became %q", text, got)
			}
		}
	}
}
