package repository

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/repository/patch"
)

// auditJob is a job for a small tree whose reference changes shop/price.py and whose test is tests/test_price.py.
func auditJob() *job {
	file := func(text string) *patch.File { return &patch.File{Data: []byte(text), Mode: patch.Regular} }
	return &job{
		task:  &benchmark.Task{Repository: &benchmark.Repository{}},
		base:  patch.Files{"shop/price.py": file("import sys\nargs = sys.argv\n"), "shop/util.py": file(""), "price.go": file("package shop\n")},
		known: patch.Changes{"shop/price.py": file("import sys\nimport subprocess\nargs = sys.argv\n")},
		tests: patch.Changes{"tests/test_price.py": file("from shop.price import total\nfrom shop import tax\n"), "price_test.go": file("package shop\n")},
	}
}

// Names with which tests could be influenced are found in every language, with file and line, and no others.
func TestAudit(t *testing.T) {
	for _, row := range []struct{ file, text, want string }{
		{"shop/price.py", "import sys\nprint(sys.argv, subprocess)\n", ""}, // the file names argv, the reference subprocess
		{"shop/price.py", "# os._exit, unittest and sys._getframe\ndef f():\n    \"\"\"Read /proc, see pytest.\"\"\"\n", ""},
		{"shop/price.py", "def exit_code(exits):\n    return testing_order(exits.environment)\n", ""},
		{"shop/price.py", "x = 1\nimport unittest\n", "shop/price.py:2 names test runners: unittest"},
		{"shop/price.py", "import os\nos._exit(0)\n", "shop/price.py:2 names the end of the process: _exit"},
		{"shop/price.py", "import sys\nsys._getframe(1)\n", "names stack frames: _getframe"},
		{"shop/price.py", "open('/proc/self/maps')\n", "names /proc and devices: /proc"},
		{"shop/price.py", "import os\nos.environ['CI']\n", "names the environment: environ"},
		{"shop/price.py", "import sys\nsys.meta_path.insert(0, x)\n", "names how modules are loaded or replaced: meta_path"},
		{"shop/price.py", "print('test_one ... ok')\n", "names reports of tests: ... ok"},
		{"shop/other.py", "x = 1\n", "shop/other.py is a file that neither the reference nor a test names"},
		{"shop/tax.py", "x = 1\n", ""},
		{"docs/price.rst", "x\n", ""},
		{"setup.cfg", "[x]\n", "setup.cfg is a file that decides how tests are built or run"},
		{"total.go", "package shop\n\nimport \"os\"\n\nfunc init() { os.Exit(0) }\n", "total.go:5 names the end of the process: os.Exit"},
		{"total.go", "package shop\n\nimport \"testing\"\n", "total.go:3 names test runners: \"testing\""},
		{"total.go", "package shop\n\nimport _ \"unsafe\"\n\n//go:linkname a b\n", "total.go:3 names how modules are loaded or replaced: \"unsafe\""},
		{"price.js", "process.exit(0);\n", "price.js:1 names the end of the process: process.exit"},
		{"price.js", "require.cache;\n", "price.js:1 names how modules are loaded or replaced: require.cache"},
		{"price.c", "#define strcmp(a, b) 0\n", "price.c:1 names how modules are loaded or replaced: #define strcmp"},
		{"price.c", "__attribute__((constructor)) void f(void) {}\n", "names how modules are loaded or replaced: __attribute__"},
		{"price.rs", "fn f() { std::process::exit(0) }\n", "price.rs:1 names the end of the process: exit("},
	} {
		got := strings.Join(auditJob().audit(patch.Changes{row.file: {Data: []byte(row.text), Mode: patch.Regular}}), "; ")
		if row.want == "" && got != "" || !strings.Contains(got, row.want) {
			t.Errorf("%s of %q: %q, want %q", row.file, row.text, got, row.want)
		}
	}
	if got := auditJob().audit(patch.Changes{"shop/price.py": auditJob().known["shop/price.py"], "shop/util.py": nil}); len(got) > 0 {
		t.Errorf("the reference and a deleted file: %q", got)
	}
	if got := auditJob().audit(patch.Changes{"shop/price.py": {Data: []byte("util.py"), Mode: patch.Link}}); len(got) != 1 || got[0] != "shop/price.py is a symbolic link" {
		t.Errorf("a link: %q", got)
	}
	without := auditJob() // no reference
	without.known = nil
	if got := without.audit(patch.Changes{"shop/other.py": {Data: []byte("x = 1\n"), Mode: patch.Regular}}); len(got) > 0 {
		t.Errorf("without a reference: %q", got)
	}
}
