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

// unittestSentinel is a file of tests for unittest.
func unittestSentinel(pass, text string) (file string, fail []string) {
	tests, fail := failing(unittestFails, "assertEqual", text, "_", func(name, assertion, arguments string) string {
		return fmt.Sprintf("\n    def test_%s(self):\n        self.%s(%s)\n", name, assertion, arguments)
	})
	return fmt.Sprintf("import unittest\n\n\nclass %s(unittest.TestCase):\n    def test_%s(self):\n        self.assertEqual(1 + 1, 2)\n%s",
		camel(randomName(" ")), pass, tests), prefixed("test_", fail)
}

// pytestSentinel is a file of tests for pytest, also with the assertions of unittest if the tests use them.
func pytestSentinel(pass, text string) (file string, fail []string) {
	tests, fail := failing(pytestFails, "assert", text, "_", func(name, _, statement string) string {
		return fmt.Sprintf("\n\ndef test_%s():\n    %s\n", name, statement)
	})
	file = fmt.Sprintf("import pytest\n\n\ndef test_%s():\n    assert [1, 2] == [1, 2]\n%s", pass, tests)
	if strings.Contains(text, "self.assert") {
		inClass, more := unittestSentinel(randomName("_"), text)
		return file + "\n\n" + inClass, append(prefixed("test_", fail), more...)
	}
	return file, prefixed("test_", fail)
}

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
