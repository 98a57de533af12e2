package repository_test

import (
	"cmp"
	"maps"
	"os"
	"os/exec"
	"strings"

	"assay/benchmark"
)

// project is a small repository with a fault: its tests, its reference and what else a task needs.
type project struct {
	files      map[string]string
	tests      map[string]string // of the test patch
	reference  map[string]string
	env        benchmark.Environment
	failToPass []string
	passToPass []string
	needs      []string // a command that succeeds where the tests can run
}

var projects = map[string]project{
	"unittest": {
		files:      map[string]string{"shop/__init__.py": "", "shop/price.py": "def total(prices):\n    return sum(prices[1:])\n", "tests/__init__.py": "", "README": "shop\n"},
		tests:      map[string]string{"tests/test_price.py": pythonTests},
		reference:  map[string]string{"shop/price.py": "def total(prices):\n    return sum(prices)\n"},
		env:        benchmark.Environment{Toolchain: "python", Test: []string{"python -m unittest -v"}, Arguments: benchmark.TestFiles, Parser: "unittest"},
		failToPass: []string{"tests.test_price.Price.test_some", "tests.test_price.Price.test_one"}, passToPass: []string{"tests.test_price.Price.test_none"},
		needs: []string{"python3", "--version"},
	},
	"pytest": {
		files:      map[string]string{"shop/__init__.py": "", "shop/price.py": "def total(prices):\n    return sum(prices[1:])\n", "tests/__init__.py": ""},
		tests:      map[string]string{"tests/test_price.py": pytestTests},
		reference:  map[string]string{"shop/price.py": "def total(prices):\n    return sum(prices)\n"},
		env:        benchmark.Environment{Toolchain: "python", Version: "3.11", Test: []string{"python -m pytest -rA"}, Arguments: benchmark.TestFiles, Parser: "pytest"},
		failToPass: []string{"tests/test_price.py::test_one[prices0-3]", "tests/test_price.py::test_one[prices1-4]", "tests/test_price.py::TestMore::test_some"},
		passToPass: []string{"tests/test_price.py::test_none"}, needs: []string{"/usr/bin/python3", "-c", "import pytest"},
	},
	"go": {
		files:      map[string]string{"go.mod": "module shop\n\ngo 1.18\n", "price.go": "package shop\n\n// Total adds prices.\nfunc Total(prices []int) int {\n\tsum := 0\n\tfor _, p := range prices[min(1, len(prices)):] {\n\t\tsum += p\n\t}\n\treturn sum\n}\n\nfunc min(a, b int) int {\n\tif a < b {\n\t\treturn a\n\t}\n\treturn b\n}\n"},
		tests:      map[string]string{"price_test.go": goTests},
		reference:  map[string]string{"price.go": "package shop\n\n// Total adds prices.\nfunc Total(prices []int) int {\n\tsum := 0\n\tfor _, p := range prices {\n\t\tsum += p\n\t}\n\treturn sum\n}\n"},
		env:        benchmark.Environment{Toolchain: "go", Test: []string{"go test -v ./..."}, Parser: "go-test"},
		failToPass: []string{"TestSome", "TestOne"}, passToPass: []string{"TestNone"}, needs: []string{"go", "version"},
	},
	"node": {
		files:      map[string]string{"package.json": `{"name": "shop", "type": "commonjs"}` + "\n", "price.js": "exports.total = (prices) => prices.slice(1).reduce((a, b) => a + b, 0);\n"},
		tests:      map[string]string{"test/price.test.js": nodeTests},
		reference:  map[string]string{"price.js": "exports.total = (prices) => prices.reduce((a, b) => a + b, 0);\n"},
		env:        benchmark.Environment{Toolchain: "node", Test: []string{"node --test --test-reporter=tap"}, Arguments: benchmark.TestFiles, Parser: "tap"},
		failToPass: []string{"some", "one"}, passToPass: []string{"none"}, needs: []string{"node", "--version"},
	},
	"django": {
		files: map[string]string{"shop/__init__.py": "", "shop/price.py": "def total(prices):\n    return sum(prices[1:])\n", "shop/tests/__init__.py": "",
			"settings.py": "SECRET_KEY = 'x'\nINSTALLED_APPS = ['shop']\nUSE_TZ = True\nDATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': ':memory:'}}\n"},
		tests:      map[string]string{"shop/tests/test_price.py": strings.NewReplacer("import unittest\n", "from django.test import TestCase\n", "unittest.", "").Replace(pythonTests)},
		reference:  map[string]string{"shop/price.py": "def total(prices):\n    return sum(prices)\n"},
		env:        benchmark.Environment{Toolchain: "python", Test: []string{"python -m django test --settings=settings -v 2"}, Arguments: benchmark.TestModules, Parser: "django"},
		failToPass: []string{djangoID("test_some"), djangoID("test_one")}, passToPass: []string{djangoID("test_none")},
		needs: []string{"/usr/bin/python3", "-c", "import django"},
	},
	"jest": {
		files: scripts["node"], tests: map[string]string{"test/price.test.js": expectTests}, reference: scripts["fixed"],
		env:        nodeEnvironment("jest-json", "node $MODULES/jest/bin/jest.js --json --rootDir=."),
		failToPass: []string{"some", "one"}, passToPass: []string{"none"}, needs: []string{"test", "-d", nodeModules + "/jest"},
	},
	"vitest": {
		files: scripts["node"], tests: map[string]string{"test/price.test.js": expectTests}, reference: scripts["fixed"],
		env:        nodeEnvironment("jest-json", "node $MODULES/vitest/vitest.mjs run --globals --reporter=json"),
		failToPass: []string{"some", "one"}, passToPass: []string{"none"}, needs: []string{"test", "-d", nodeModules + "/vitest"},
	},
	"mocha": {
		files: scripts["node"], tests: map[string]string{"test/price.test.js": mochaTests}, reference: scripts["fixed"],
		env:        nodeEnvironment("mocha-json", "node $MODULES/mocha/bin/mocha.js --reporter json"),
		failToPass: []string{"total some", "total one"}, passToPass: []string{"total none"}, needs: []string{"test", "-d", nodeModules + "/mocha"},
	},
	"cargo": {
		files: map[string]string{"Cargo.toml": "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "Cargo.lock": "version = 3\n\n[[package]]\nname = \"shop\"\nversion = \"0.1.0\"\n",
			"src/lib.rs": "pub fn total(prices: &[i64]) -> i64 {\n    prices.iter().skip(1).sum()\n}\n"},
		tests:      map[string]string{"tests/price.rs": rustTests, "tests/zero.rs": "#[test]\nfn no_price() {\n    assert_eq!(shop::total(&[0, 5]), 5);\n}\n"},
		reference:  map[string]string{"src/lib.rs": "pub fn total(prices: &[i64]) -> i64 {\n    prices.iter().sum()\n}\n"},
		env:        benchmark.Environment{Toolchain: "cargo", Test: []string{"cargo test --offline"}, Parser: "cargo"},
		failToPass: []string{"some", "one"}, passToPass: []string{"none", "no_price"}, needs: []string{"cargo", "--version"},
	},
	"c": {
		files: map[string]string{"Makefile": "test: run\n\t./run\n\nrun: price.c price.h test.c\n\t$(CC) -I. -o $@ price.c test.c\n", "price.h": "int total(const int *prices, int n);\n",
			"price.c": "#include \"price.h\"\n\nint total(const int *prices, int n)\n{\n\tint sum = 0;\n\tfor (int i = 1; i < n; i++)\n\t\tsum += prices[i];\n\treturn sum;\n}\n"},
		tests:     map[string]string{"test.c": cTests},
		reference: map[string]string{"price.c": "#include \"price.h\"\n\nint total(const int *prices, int n)\n{\n\tint sum = 0;\n\tfor (int i = 0; i < n; i++)\n\t\tsum += prices[i];\n\treturn sum;\n}\n"},
		env: benchmark.Environment{Toolchain: "c", Test: []string{"make -s test"}, Parser: "tap", Planted: []benchmark.Planted{
			{File: "test.c", Before: "\treturn bad;", Text: "\tsame(\"{pass}\", \"1\", \"1\");\n\tsame(\"{fail}\", \"1\", \"2\");\n"}}},
		failToPass: []string{"some", "one"}, passToPass: []string{"none"}, needs: []string{"cc", "--version"},
	},
	"java": {
		files:      map[string]string{"Price.java": "class Price {\n    static int total(int... prices) {\n        return java.util.stream.IntStream.of(prices).skip(1).sum();\n    }\n}\n"},
		tests:      map[string]string{"PriceTest.java": javaTests},
		reference:  map[string]string{"Price.java": "class Price {\n    static int total(int... prices) {\n        return java.util.stream.IntStream.of(prices).sum();\n    }\n}\n"},
		env:        benchmark.Environment{Toolchain: "java", Test: []string{"javac -d /tmp/classes Price.java PriceTest.java && java -cp /tmp/classes PriceTest"}, Parser: "tap"},
		failToPass: []string{"totalSome", "totalOne"}, passToPass: []string{"totalNone"}, needs: []string{"javac", "--version"},
	},
}

func init() { // runners that stop at the first failure
	for name, command := range map[string]string{"unittest": "python -m unittest -v -f", "go": "go test -v -failfast ./..."} {
		p := projects[name]
		p.env.Test = []string{command}
		projects[name+" that stops"] = p
	}
	p := projects["unittest"] // whose tests expect no values: something must not fail
	p.files = maps.Clone(p.files)
	p.files["shop/price.py"] = "def total(prices):\n    return sum(prices[1:], start='')\n"
	p.tests = map[string]string{"tests/test_price.py": strings.NewReplacer("self.assertEqual(total([]), 0)", "pass", "self.assertEqual(total([3]), 3)", "total([3, 4])",
		"self.assertTrue(total([3, 4]) == 7)", "total([3, 4, 5])").Replace(pythonTests)}
	projects["unittest without values"] = p
}

// nodeModules is a directory with jest, vitest and mocha that boxes can see, from ASSAY_NODE_MODULES.
var nodeModules = cmp.Or(os.Getenv("ASSAY_NODE_MODULES"), "/nonexistent")

// nodeEnvironment is that of a runner in nodeModules.
func nodeEnvironment(parser, command string) benchmark.Environment {
	return benchmark.Environment{Toolchain: "node", Test: []string{command}, Libraries: []string{nodeModules}, Parser: parser,
		Variables: map[string]string{"MODULES": nodeModules}}
}

// scripts are the project in JavaScript and what mends it.
var scripts = map[string]map[string]string{
	"node":  {"package.json": `{"name": "shop", "type": "commonjs"}` + "\n", "price.js": "exports.total = (prices) => prices.slice(1).reduce((a, b) => a + b, 0);\n"},
	"fixed": {"price.js": "exports.total = (prices) => prices.reduce((a, b) => a + b, 0);\n"},
}

// djangoID is the id of a test as Django's runner writes it.
func djangoID(test string) string {
	id := test + " (shop.tests.test_price.Price"
	if exec.Command("/usr/bin/python3", "-c", "import sys; sys.exit(sys.version_info < (3, 11))").Run() == nil {
		id += "." + test
	}
	return id + ")"
}

const pythonTests = `import unittest
from shop.price import total


class Price(unittest.TestCase):
    def test_none(self):
        self.assertEqual(total([]), 0)

    def test_one(self):
        self.assertEqual(total([3]), 3)

    def test_some(self):
        self.assertTrue(total([3, 4]) == 7)
`

const pytestTests = `import pytest
from shop.price import total


def test_none():
    assert total([]) == 0


@pytest.mark.parametrize("prices, expected", [([3], 3), ([4], 4)])
def test_one(prices, expected):
    assert total(prices) == expected


class TestMore:
    def test_some(self):
        with_tax = total([3, 4])
        assert with_tax == 7
`

const goTests = `package shop

import "testing"

func TestNone(t *testing.T) { if Total(nil) != 0 { t.Error(Total(nil)) } }
func TestOne(t *testing.T) { if Total([]int{3}) != 3 { t.Error(Total([]int{3})) } }
func TestSome(t *testing.T) { if Total([]int{3, 4}) != 7 { t.Error(Total([]int{3, 4})) } }
`

const nodeTests = `const test = require("node:test");
const assert = require("node:assert");
const { total } = require("../price.js");
test("none", () => { assert.equal(total([]), 0); });
test("one", () => { assert.equal(total([3]), 3); });
test("some", () => { assert.ok(total([3, 4]) === 7); });
`

const expectTests = `const { total } = require("../price.js");
test("none", () => { expect(total([])).toBe(0); });
test("one", () => { expect(total([3])).toBe(3); });
test("some", () => { expect(total([3, 4]) === 7).toBeTruthy(); });
`

const mochaTests = `const assert = require("node:assert");
const { total } = require("../price.js");
describe("total", () => {
  it("none", () => { assert.equal(total([]), 0); });
  it("one", () => { assert.equal(total([3]), 3); });
  it("some", () => { assert.ok(total([3, 4]) === 7); });
});
`

const rustTests = `use shop::*;

#[test]
fn none() { assert_eq!(total(&[]), 0); }

#[test]
fn one() { assert_eq!(total(&[3]), 3); }

#[test]
fn some() { assert!(total(&[3, 4]) == 7); }
`

const javaTests = `class PriceTest {
    static void assertEquals(int want, int got) {
        if (want != got) throw new AssertionError(got);
    }

    static void totalNone() { assertEquals(0, Price.total()); }

    static void totalOne() { assertEquals(3, Price.total(3)); }

    static void totalSome() { assertEquals(7, Price.total(3, 4)); }

    public static void main(String[] args) throws Exception {
        int number = 0;
        for (java.lang.reflect.Method test : PriceTest.class.getDeclaredMethods()) {
            if (!test.getName().startsWith("total")) continue;
            String word = "ok";
            try {
                test.invoke(null);
            } catch (java.lang.reflect.InvocationTargetException e) {
                word = "not ok";
            }
            System.out.println(word + " " + ++number + " - " + test.getName());
        }
    }
}
`

const cTests = `#include "price.h"

#include <stdio.h>
#include <string.h>

static int number, bad;

static void same(const char *name, const char *got, const char *want)
{
	int ok = strcmp(got, want) == 0;
	bad |= !ok;
	printf("%s %d - %s\n", ok ? "ok" : "not ok", ++number, name);
	fflush(stdout);
}

static const char *text(int n)
{
	static char room[20];
	snprintf(room, sizeof room, "%d", n);
	return room;
}

int main(void)
{
	int prices[] = {3, 4};
	same("none", text(total(prices, 0)), "0");
	same("one", text(total(prices, 1)), "3");
	same("some", text(total(prices, 2)), "7");
	return bad;
}
`
