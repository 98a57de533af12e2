package repository

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Planted tests that must fail use the assertions of the task's own tests, each in a test of its own: an answer may
// replace one that no planted test uses.

// unittestFails has for each assertion of unittest.TestCase arguments with which it must fail.
var unittestFails = map[string]string{
	"assertEqual": "1 + 1, 3", "assertNotEqual": "2, 1 + 1", "assertTrue": "[]", "assertFalse": "[1]", "assertIs": "1, []", "assertIsNot": "None, None",
	"assertIsNone": "1", "assertIsNotNone": "None", "assertIn": "1, [2]", "assertNotIn": "1, [1]", "assertIsInstance": "1, str",
	"assertNotIsInstance": "1, int", "assertAlmostEqual": "1, 2", "assertNotAlmostEqual": "1, 1", "assertGreater": "1, 2", "assertGreaterEqual": "1, 2",
	"assertLess": "2, 1", "assertLessEqual": "2, 1", "assertRegex": `"a", "b"`, "assertNotRegex": `"a", "a"`, "assertCountEqual": "[1], [2]",
	"assertListEqual": "[1], [2]", "assertTupleEqual": "(1,), (2,)", "assertSetEqual": "{1}, {2}", "assertDictEqual": "{1: 1}, {}",
	"assertMultiLineEqual": `"a", "b"`, "assertSequenceEqual": "[1], [2]", "assertRaises": `ValueError, int, "1"`,
	"assertRaisesRegex": `ValueError, "a", int, "1"`, "assertWarns": `Warning, int, "1"`, "fail": `"x"`,
}

// pytestFails has statements that must fail, by what tests write.
var pytestFails = map[string]string{
	"assert": "assert [1, 2] == [1, 3]", "pytest.raises": "with pytest.raises(ValueError):\n        int(\"1\")",
	"pytest.warns": "with pytest.warns(Warning):\n        int(\"1\")", "pytest.approx": "assert 1 + 1 == pytest.approx(3)", "pytest.fail": "pytest.fail(\"x\")",
}

// djangoFails has what django.test.SimpleTestCase adds to unittestFails.
var djangoFails = with(unittestFails, map[string]string{
	"assertRaisesMessage": `ValueError, "a", int, "1"`, "assertHTMLEqual": `"<p>a</p>", "<p>b</p>"`, "assertHTMLNotEqual": `"<p>a</p>", "<p>a</p>"`,
	"assertInHTML": `"<p>a</p>", "<p>b</p>"`, "assertXMLEqual": `"<a/>", "<b/>"`, "assertXMLNotEqual": `"<a/>", "<a/>"`, "assertJSONEqual": `"1", "2"`,
	"assertJSONNotEqual": `"1", "1"`, "assertURLEqual": `"/a", "/b"`, "assertContains": `django.http.HttpResponse("a"), "b"`,
	"assertNotContains": `django.http.HttpResponse("a"), "a"`, "assertRedirects": `django.http.HttpResponse("a"), "/"`,
})

// sympyFails has statements that must fail, by what SymPy's tests write.
var sympyFails = map[string]string{"assert": "assert 1 + 1 == 3", "raises": "raises(ValueError, lambda: 1)"}

// rustFails has statements that must fail, by what tests write.
var rustFails = map[string]string{
	"panic": `panic!("1 != 2");`, "assert": "assert!(1 + 1 == 3);", "assert_eq": "assert_eq!(1 + 1, 3);", "assert_ne": "assert_ne!(2, 1 + 1);",
	"unwrap": "Err::<i32, i32>(1).unwrap();", "should_panic": "",
}

// jsFails has statements that must fail, by the words of jest's and vitest's expect, and of chai's.
var jsFails = map[string]string{
	"throw": `throw new Error("1 != 2")`,
	"toBe":  "expect(1 + 1).toBe(3)", "toEqual": "expect([1]).toEqual([2])", "toStrictEqual": "expect([1]).toStrictEqual([2])",
	"toBeTruthy": "expect(0).toBeTruthy()", "toBeFalsy": "expect(1).toBeFalsy()", "toBeNull": "expect(1).toBeNull()",
	"toBeDefined": "expect(undefined).toBeDefined()", "toBeUndefined": "expect(1).toBeUndefined()", "toBeNaN": "expect(1).toBeNaN()",
	"toContain": "expect([1]).toContain(2)", "toContainEqual": "expect([1]).toContainEqual(2)", "toHaveLength": "expect([1]).toHaveLength(2)",
	"toHaveProperty": `expect({ a: 1 }).toHaveProperty("b")`, "toMatch": `expect("a").toMatch(/b/)`, "toMatchObject": "expect({ a: 1 }).toMatchObject({ a: 2 })",
	"toBeGreaterThan": "expect(1).toBeGreaterThan(2)", "toBeGreaterThanOrEqual": "expect(1).toBeGreaterThanOrEqual(2)",
	"toBeLessThan": "expect(2).toBeLessThan(1)", "toBeLessThanOrEqual": "expect(2).toBeLessThanOrEqual(1)", "toBeCloseTo": "expect(1).toBeCloseTo(2)",
	"toBeInstanceOf": "expect([]).toBeInstanceOf(Map)", "toThrow": "expect(() => {}).toThrow()", "not": "expect(1).not.toBe(1)",
	"rejects": "await expect(Promise.resolve(1)).rejects.toBe(1)", "resolves": `await expect(Promise.reject(new Error("x"))).resolves.toBe(1)`,
	"to.equal": "expect(1 + 1).to.equal(3)", "to.eql": "expect([1]).to.eql([2])", "to.deep.equal": "expect([1]).to.deep.equal([2])",
	"to.not.equal": "expect(1).to.not.equal(1)", "not.to": "expect(1).not.to.equal(1)", "to.be.true": "expect(false).to.be.true",
	"to.be.false": "expect(true).to.be.false", "to.be.null": "expect(1).to.be.null", "to.be.undefined": "expect(1).to.be.undefined",
	"to.be.ok": "expect(0).to.be.ok", "to.exist": "expect(null).to.exist", "to.be.a": `expect(1).to.be.a("string")`, "to.be.an": `expect(1).to.be.an("array")`,
	"to.be.instanceof": "expect([]).to.be.instanceof(Map)", "to.throw": "expect(() => {}).to.throw()", "to.include": "expect([1]).to.include(2)",
	"to.contain": "expect([1]).to.contain(2)", "to.have.lengthOf": "expect([1]).to.have.lengthOf(2)", "to.have.length": "expect([1]).to.have.length(2)",
	"to.have.property": `expect({ a: 1 }).to.have.property("b")`, "to.match": `expect("a").to.match(/b/)`, "to.be.empty": "expect([1]).to.be.empty",
	"to.be.above": "expect(1).to.be.above(2)", "to.be.below": "expect(2).to.be.below(1)",
}

// with returns a table with the rows of another.
func with(table, more map[string]string) map[string]string {
	all := maps.Clone(table)
	maps.Copy(all, more)
	return all
}

// nodeFails has for each function of node:assert arguments with which it must fail.
var nodeFails = map[string]string{
	"equal": "1 + 1, 3", "notEqual": "2, 1 + 1", "strictEqual": "1 + 1, 3", "notStrictEqual": "2, 1 + 1", "deepEqual": "[1], [2]", "notDeepEqual": "[1], [1]",
	"deepStrictEqual": "[1], [2]", "notDeepStrictEqual": "[1], [1]", "ok": "0", "match": `"a", /b/`, "doesNotMatch": `"a", /a/`, "throws": "() => {}",
	"doesNotThrow": `() => { throw new Error("x"); }`, "rejects": "Promise.resolve(1)", "doesNotReject": `Promise.reject(new Error("x"))`, "fail": `"x"`,
}

// used returns the names of a table that occur in the text of tests, sorted, and always the first of all.
func used(table map[string]string, always, text string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(table)), func(name string) bool {
		return name != always && !regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).MatchString(text)
	})
}

// failing writes a test for each assertion that the text uses, by a format for its random name, the assertion and its
// arguments. It returns the tests with their names.
func failing(table map[string]string, always, text, separator string, write func(name, assertion, arguments string) string) (tests string, names []string) {
	for _, assertion := range used(table, always, text) {
		name := randomName(separator)
		names = append(names, name)
		tests += write(name, assertion, table[assertion])
	}
	return tests, names
}

// unittestSentinel is a file of tests for unittest or Django, in a class derived from the given one.
func unittestSentinel(base string, table map[string]string, pass, text string) (file string, fail []string) {
	tests, fail := failing(table, "assertEqual", text, "_", func(name, assertion, arguments string) string {
		return fmt.Sprintf("\n    def test_%s(self):\n        self.%s(%s)\n", name, assertion, arguments)
	})
	module := base[:strings.LastIndexByte(base, '.')]
	return fmt.Sprintf("import %s\n\n\nclass %s(%s):\n    def test_%s(self):\n        self.assertEqual(1 + 1, 2)\n%s",
		module, camel(randomName(" ")), base, pass, tests), prefixed("test_", fail)
}

// pytestSentinel is a file of tests for pytest, also with the assertions of unittest if the tests use them.
func pytestSentinel(pass, text string) (file string, fail []string) {
	tests, fail := failing(pytestFails, "assert", text, "_", func(name, _, statement string) string {
		return fmt.Sprintf("\n\ndef test_%s():\n    %s\n", name, statement)
	})
	file = fmt.Sprintf("import pytest\n\n\ndef test_%s():\n    assert [1, 2] == [1, 2]\n%s", pass, tests)
	if strings.Contains(text, "self.assert") {
		inClass, more := unittestSentinel("unittest.TestCase", unittestFails, randomName("_"), text)
		return file + "\n\n" + inClass, append(prefixed("test_", fail), more...)
	}
	return file, prefixed("test_", fail)
}

// sympyRaises matches the import of the function by which SymPy's tests expect exceptions: it lies in sympy.testing
// since 1.6.
var sympyRaises = regexp.MustCompile(`(?m)^from (sympy\.\w+\.pytest) import [^\n]*\braises\b`)

// sympySentinel is a file of tests for SymPy's runner. SWE-bench's harness, and so the format, misses the last test
// of a file, which is another one here.
func sympySentinel(pass, text string) (file string, fail []string) {
	head := "raises = None\n"
	if m := sympyRaises.FindStringSubmatch(text); m != nil {
		head = "from " + m[1] + " import raises\n"
	}
	tests, fail := failing(sympyFails, "assert", text, "_", func(name, _, statement string) string {
		return fmt.Sprintf("def test_%s():\n    %s\n\n\n", name, statement)
	})
	return fmt.Sprintf("%s\n\ndef test_%s():\n    assert 1 + 1 == 2\n\n\n%sdef test_%s():\n    assert 1 + 1 != 3\n", head, pass, tests, randomName("_")),
		prefixed("test_", fail)
}

// rustSentinel is what is appended to a file of tests for cargo.
func rustSentinel(pass, text string) (tests string, fail []string) {
	tests, fail = failing(rustFails, "panic", text, "_", func(name, assertion, statement string) string {
		attribute := ""
		if assertion == "should_panic" {
			attribute = "#[should_panic]\n"
		}
		return fmt.Sprintf("\n#[test]\n%sfn %s() {\n    %s\n}\n", attribute, name, statement)
	})
	return fmt.Sprintf("#[test]\nfn %s() {}\n%s", pass, tests), fail
}

// jsSentinel is what is appended to a file of tests for jest, vitest or mocha, whose function for tests is given. The
// assertions are those that the file has in scope.
func jsSentinel(test, pass, text string) (tests string, fail []string) {
	write := func(name, _, statement string) string {
		return fmt.Sprintf("%s(%q, async () => { %s; });\n", test, name, statement)
	}
	tests, fail = failing(jsFails, "throw", text, " ", write)
	if usesAssert.MatchString(text) {
		more, names := failing(nodeFails, "equal", text, " ", func(name, assertion, arguments string) string {
			return write(name, assertion, fmt.Sprintf("await assert.%s(%s)", assertion, arguments))
		})
		tests, fail = tests+more, append(fail, names...)
	}
	return fmt.Sprintf("%s(%q, () => {});\n%s", test, pass, tests), fail
}

// usesAssert matches what has an object of assertions in scope, that of node or chai.
var usesAssert = regexp.MustCompile(`\bassert\b`)

// nodeSentinel is what is appended to a file of tests for node:test.
func nodeSentinel(pass, text string, module bool) (file string, fail []string) {
	test, assert, library := strings.ReplaceAll(randomName("_"), "_", ""), strings.ReplaceAll(randomName("_"), "_", ""), "node:assert"
	if strings.Contains(text, "assert/strict") {
		library = "node:assert/strict"
	}
	load := "const %s = require(\"node:test\"), %s = require(%q);\n"
	if module {
		load = "import %s from \"node:test\";\nimport %s from %q;\n"
	}
	tests, fail := failing(nodeFails, "equal", text, " ", func(name, assertion, arguments string) string {
		return fmt.Sprintf("%s(%q, async () => { await %s.%s(%s); });\n", test, name, assert, assertion, arguments)
	})
	return fmt.Sprintf(load+"%s(%q, () => { %s.equal(1 + 1, 2); });\n%s", test, assert, library, test, pass, assert, tests), fail
}

func prefixed(prefix string, names []string) []string {
	for i := range names {
		names[i] = prefix + names[i]
	}
	return names
}
