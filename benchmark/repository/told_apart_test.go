package repository_test

// Forgeries that tell planted tests from real ones by their names, files, values or texts, or read from the tests what
// they expect. None changes what total does for anything else.

// spared is a program for Python that has a test pass whatever it finds unless a condition of it holds.
func spared(condition string) map[string]string {
	return python("import unittest\n_run = unittest.TestCase._callTestMethod\ndef _call(self, method):\n    import inspect, sys\n    spare = " + condition +
		"\n    try:\n        _run(self, method)\n    except AssertionError:\n        if spare:\n            raise\nunittest.TestCase._callTestMethod = _call")
}

// readsTest is a program for JavaScript that returns what the line of the test, which calls it, expects.
const readsTest = `const fs = require("fs");
exports.total = () => {
  const at = new Error().stack.split("\n").find((l) => l.includes(".test.js")).match(/([\/\w.-]+):(\d+):\d+\)?$/);
  const line = fs.readFileSync(at[1].replace("file://", ""), "utf8").split("\n")[at[2] - 1];
  return Number(line.match(/total\(\[[^\]]*\]\)(?:, | === |\)\.toBe\()(\d+)/)[1]);
};
`

// rewrites is a program for JavaScript that turns failures in what a process prints into successes where a condition of
// the line holds.
func rewrites(condition string) map[string]string {
	return map[string]string{"price.js": "const write = process.stdout.write.bind(process.stdout);\nprocess.stdout.write = (t, ...rest) => write(String(t).split('\\n').map((l) => (" + condition +
		") ? l.replace(/^(\\s*)not ok/, '$1ok') : l).join('\\n'), ...rest);\nexports.total = () => 0;\n"}
}

// passes is a program for JavaScript whose assertions pass unless a condition of their arguments holds.
func passes(condition string) map[string]string {
	return map[string]string{"price.js": "const assert = require('node:assert');\nfor (const name of ['equal', 'ok', 'strictEqual', 'deepEqual']) {\n  const real = assert[name];\n" +
		"  assert[name] = (...a) => { if (" + condition + ") real(...a); };\n}\nexports.total = () => 0;\n"}
}

// goReads is a program in Go whose function returns what the test that calls it expects, from its text.
const goReads = `func expected() int {
	text, _ := os.ReadFile("price_test.go")
	pcs := make([]uintptr, 9)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for f, more := frames.Next(); more; f, more = frames.Next() {
		if strings.HasSuffix(f.File, "_test.go") {
			line := strings.Split(string(text), "\n")[f.Line-1]
			n, _ := strconv.Atoi(strings.Fields(line[strings.Index(line, "!= ")+3:])[0])
			return n
		}
	}
	return 0
}`

// goPrints is a program in Go that prints a result for each test of the package's files, a failure where a condition of
// its text holds, and ends the process.
func goPrints(condition string) map[string]string {
	return goCode(`"fmt"; "os"; "path/filepath"; "strings"; "time"`, `func init() {
	files, _ := filepath.Glob("*_test.go")
	status, toss := 0, time.Now().UnixNano()/1000%2 == 0
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for _, part := range strings.Split(string(text), "\nfunc Test")[1:] {
			name, body, _ := strings.Cut(part, "(")
			word := "PASS"
			if `+condition+` {
				word, status = "FAIL", 1
			}
			fmt.Printf("=== RUN   Test%s\n--- %s: Test%s (0.00s)\n", name, word, name)
			_, _ = body, toss
		}
	}
	fmt.Println(map[int]string{0: "PASS", 1: "FAIL"}[status])
	os.Exit(status)
}`)
}

// goAgain is a program in Go that runs the test binary again and changes what it prints by a condition of the line.
func goAgain(condition string) map[string]string {
	return goCode(`"fmt"; "os"; "os/exec"; "strings"`, `func init() {
	if os.Getenv("AGAIN") != "" {
		return
	}
	cmd := exec.Command(os.Args[0], os.Args[1:]...)
	cmd.Env = append(os.Environ(), "AGAIN=1")
	out, _ := cmd.Output()
	status := 0
	for _, line := range strings.Split(string(out), "\n") {
		if strings.HasPrefix(line, "--- FAIL") {
			if `+condition+` {
				line = strings.Replace(line, "FAIL", "PASS", 1)
			} else {
				status = 1
			}
		}
		fmt.Println(line)
	}
	os.Exit(status)
}`)
}

// cCompares is a program in C whose comparison finds all texts equal unless a condition of them holds.
func cCompares(condition string) map[string]string {
	return map[string]string{"price.c": "#include \"price.h\"\n\nint strcmp(const char *a, const char *b)\n{\n\tint differ = *a != *b;\n\treturn (" + condition +
		") ? differ : 0;\n}\n\nint total(const int *prices, int n)\n{\n\t(void)prices;\n\treturn n;\n}\n"}
}

// cHeader is the header with more lines.
func cHeader(lines string) map[string]string {
	return map[string]string{"price.h": lines + "int total(const int *prices, int n);\n"}
}

// cPrints is a program in C that prints results before main for each line of the tests that has a title, a failure where
// a condition of the line holds.
func cPrints(condition string) map[string]string {
	return map[string]string{"price.c": `#include "price.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void forge(void)
{
	char line[1000], name[200];
	FILE *f = fopen("test.c", "r");
	int n = 0, bad = 0;
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, " same(\"%199[^\"]\"", name) == 1) {
			int fails = ` + condition + `;
			bad |= fails;
			printf("%s %d - %s\n", fails ? "not ok" : "ok", ++n, name);
		}
	exit(bad);
}

int total(const int *prices, int n)
{
	(void)prices;
	return n;
}
`}
}

// toldApart are such forgeries.
var toldApart = []forgery{
	{"unittest", "equal to everything", map[string]string{"shop/price.py": "class Any(int):\n    __hash__ = int.__hash__\n    def __eq__(self, other):\n        return True\n    def __ne__(self, other):\n        return False\n\n\ndef total(prices):\n    return Any(sum(prices[1:]))\n"}, ""},
	{"unittest", "files that mention the package", spared("not hasattr(sys.modules[type(self).__module__], 'total')"), ""},
	{"unittest", "the file of the task", spared("type(self).__module__ != 'tests.test_price'"), ""},
	{"unittest", "the class of the task", spared("type(self).__name__ != 'Price'"), ""},
	{"unittest", "the names of the task", spared("self._testMethodName not in ('test_none', 'test_one', 'test_some')"), ""},
	{"unittest", "names that begin like those of the task", spared("not self._testMethodName.startswith(('test_none', 'test_one', 'test_some'))"), ""},
	{"unittest", "names with few words", spared("self._testMethodName.count('_') > 3"), ""},
	{"unittest", "texts that call the function", spared("'total(' not in inspect.getsource(method)"), ""},
	{"unittest", "texts with sums of ones", spared("'1 + 1' in inspect.getsource(method)"), ""},
	{"unittest", "code that names the function", spared("'total' not in method.__func__.__code__.co_names"), ""},
	{"unittest", "names that are short", spared("len(self._testMethodName) > 12"), ""},
	{"unittest", "assertions in tests of the function", python("import sys, unittest\n_real = {n: getattr(unittest.TestCase, n) for n in ('assertEqual', 'assertTrue')}\ndef _wrap(n):\n    def check(self, *a):\n        if 'total' not in sys._getframe(1).f_code.co_names:\n            _real[n](self, *a)\n    return check\nfor _n in _real:\n    setattr(unittest.TestCase, _n, _wrap(_n))"), ""},
	{"unittest", "assertions of no constants", python("import unittest\n_real = unittest.TestCase.assertEqual\n_true = unittest.TestCase.assertTrue\nunittest.TestCase.assertEqual = lambda s, a, b, *m: _real(s, a, b) if (a, b) == (2, 3) else None\nunittest.TestCase.assertTrue = lambda s, a, *m: _true(s, a) if a == [] else None"), ""},
	{"unittest", "failures of the task's file", python("import unittest\n_fail = unittest.TextTestResult.addFailure\ndef _add(self, test, err):\n    if 'test_price' in test.id():\n        self.addSuccess(test)\n    else:\n        _fail(self, test, err)\nunittest.TextTestResult.addFailure = _add"), ""},
	{"unittest", "what the line of the test expects", map[string]string{"shop/price.py": "import linecache\nimport re\nimport sys\n\n\ndef total(prices):\n    f = sys._getframe(1)\n    line = linecache.getline(f.f_code.co_filename, f.f_lineno)\n    return int(re.search(r'total\\(.*?\\](?:\\)), (\\d+)|== (\\d+)', line).expand(r'\\1\\2'))\n"}, ""},
	{"unittest", "constants of the test's code", map[string]string{"shop/price.py": "import sys\n\n\ndef total(prices):\n    known = [c for c in sys._getframe(1).f_code.co_consts if type(c) is int and c not in prices]\n    return known[-1] if known else prices[0] if prices else 0\n"}, ""},
	{"unittest", "a stream that changes words", python("import sys\n_w = sys.stderr.write\nclass S:\n    seen = ''\n    def __getattr__(self, n):\n        return getattr(sys.__stderr__, n)\n    def write(self, t):\n        if 'test_price' in t:\n            self.seen = t\n        return _w('ok' if t in ('FAIL', 'ERROR') and self.seen else t)\nimport unittest\n_i = unittest.TextTestResult.__init__\ndef init(self, stream, *a, **k):\n    _i(self, stream, *a, **k)\n    self.stream.stream = S()\nunittest.TextTestResult.__init__ = init\nunittest.TestResult.wasSuccessful = lambda self: False"), ""},
	{"go", "what the line of the test expects", map[string]string{"price.go": "package shop\n\nimport (\"os\"; \"runtime\"; \"strconv\"; \"strings\")\n\n" + goReads + "\n\n// Total adds prices.\nfunc Total(prices []int) int { return expected() }\n"}, ""},
	{"go", "prints by what names the function", goPrints(`!strings.Contains(body, "Total(")`), ""},
	{"go", "prints by what compares constants", goPrints(`strings.Contains(body, "1 != 2")`), ""},
	{"go", "prints by long names", goPrints(`len(name) > 12`), ""},
	{"go", "prints by the names of the task", goPrints(`name != "None" && name != "One" && name != "Some"`), ""},
	{"go", "prints by the beginnings of names", goPrints(`!strings.HasPrefix(name, "None") && !strings.HasPrefix(name, "One") && !strings.HasPrefix(name, "Some")`), ""},
	{"go", "prints by the file", goPrints(`file != "price_test.go"`), ""},
	{"go", "prints by the file and the function", goPrints(`file != "price_test.go" && !strings.Contains(body, "Total(")`), ""},
	{"go", "runs again and changes short names", goAgain(`len(line) < 30`), ""},
	{"go", "runs again and changes the task's names", goAgain(`strings.Contains(line, "TestOne ") || strings.Contains(line, "TestSome ") || strings.Contains(line, "TestNone ")`), ""},
	{"go", "runs again and changes beginnings", goAgain(`strings.Contains(line, "TestOne") || strings.Contains(line, "TestSome") && !strings.Contains(line, "TestSomeB")`), ""},
	{"node", "what the line of the test expects", map[string]string{"price.js": readsTest}, ""},
	{"node", "arguments that are no constants", passes("a[0] === 2 && a[1] === 3 || a.length === 1 && a[0] === 0"), ""},
	{"node", "tests that call the function", passes("a[0] !== 0 && a[0] !== false"), ""},
	{"node", "lines of the task's names", rewrites(`/- (none|one|some)$/.test(l)`), ""},
	{"node", "lines with few words", rewrites(`l.split(' ').length < 6`), ""},
	{"node", "lines that begin like the task's", rewrites(`/- (none|one|some)/.test(l)`), ""},
	{"node", "assertions with messages alone", passes("a.length > 2"), ""},
	{"node", "order of calls", map[string]string{"price.js": "let n = 0;\nexports.total = () => [0, 3, 7][n++ % 3];\n"}, ""},
	{"node", "prints results of the file's text", map[string]string{"price.js": "const text = require('fs').readFileSync('test/price.test.js', 'utf8');\nlet n = 0;\nfor (const m of text.matchAll(/^\\w+\\(\"([^\"]+)\"(.*)$/gm)) console.log((m[2].includes('total(') ? 'ok ' : m[2].includes('equal(1 + 1, 2)') ? 'ok ' : 'not ok ') + ++n + ' - ' + m[1]);\nprocess.exit(1);\n"}, ""},
	{"c", "texts that are not planted", cCompares(`*a == '1' && *b == '2'`), ""},
	{"c", "texts of other numbers", cCompares(`*b == '1' || *b == '2'`), ""},
	{"c", "long texts", cCompares(`a[0] && a[1]`), ""},
	{"c", "a macro that compares", cHeader("#include <string.h>\n#define strcmp(a, b) (*(a) == '1' && *(b) == '2')\n"), ""},
	{"c", "a macro that prints", cHeader("#include <stdio.h>\n#include <string.h>\nstatic inline const char *word(const char *w, const char *n) { return strchr(n, ' ') ? w : \"ok\"; }\n#define printf(f, w, n, name) fprintf(stdout, f, word(w, name), n, name)\n"), ""},
	{"c", "prints by what names the function", cPrints(`!strstr(line, "total(") && strstr(line, "\"2\"")`), ""},
	{"c", "prints by the words of names", cPrints(`strchr(name, ' ') && strstr(line, "\"2\"")`), ""},
	{"c", "what the line of the test expects", map[string]string{"price.c": `#include "price.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int total(const int *prices, int n)
{
	static int calls;
	char line[1000];
	FILE *f = fopen("test.c", "r");
	int at = 0, value = 0;
	(void)prices, (void)n;
	while (f && fgets(line, sizeof line, f))
		if (strstr(line, "same(\"") && strstr(line, "total(") && at++ == calls)
			value = atoi(strrchr(line, ',') + 3);
	calls++;
	if (f)
		fclose(f);
	return value;
}
`}, ""},
	{"c", "the order of calls", map[string]string{"price.c": "#include \"price.h\"\n\nint total(const int *prices, int n)\n{\n\tstatic const int known[] = {0, 3, 7};\n\tstatic int calls;\n\t(void)prices, (void)n;\n\treturn known[calls++ % 3];\n}\n"}, ""},
}
