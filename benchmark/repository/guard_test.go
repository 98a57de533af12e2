package repository

import (
	"testing"

	"assay/benchmark"
	"assay/benchmark/repository/patch"
)

// What runners, build tools and compilers read before tests is put back, whatever names it: a rule, a command or a setting.
func TestPutBack(t *testing.T) {
	file := func(text string) *patch.File { return &patch.File{Data: []byte(text), Mode: patch.Regular} }
	j := &job{
		task: &benchmark.Task{Repository: &benchmark.Repository{MayChange: []string{"setup.cfg"}}},
		base: patch.Files{"package.json": file(`{"main": "./lib/index.js", "jest": {"setupFiles": ["./lib/setup.js"], "transform": {"js$": "<rootDir>/lib/transform"}}}`),
			".mocharc.json": file(`{"require": ["./hooks"]}`), "web/jest.config.js": file("module.exports = { globalSetup: './start.js' };\n")},
		env: benchmark.Environment{Test: []string{"export X=1; sh scripts/check.sh && node --test tools/run.js", "./all.sh -v", "python3 -B check.py", "make -s test"}},
	}
	for name, want := range map[string]bool{
		"lib/setup.js": true, "lib/transform.js": true, "hooks.js": true, "web/start.js": true, "lib/index.js": false, "start.js": false, "lib/start.js": false,
		"scripts/check.sh": true, "tools/run.js": true, "all.sh": true, "check.py": true, "lib/check.py": false, "test.py": true, "lib/test.py": false, "shop/tests.py": true,
		"string.h": true, "include/bits/types.h": true, "sys/cdefs.h": true, "stdc-predef.h": true, "strings2.h": false, "src/sys/price.h": false,
		"Makefile.sh": true, "RCS/Makefile,v": true, "x.syso": true, "test/help.js": true, "shop/management/commands/test.py": true, "setup.cfg": false, "tox.ini": true, "latest/x.js": false,
	} {
		if got := len(j.putBack(patch.Changes{name: file("x\n")})) > 0; got != want {
			t.Errorf("%s is put back: %v", name, got)
		}
	}
	for name, want := range map[string]bool{
		"app/conftest.py": true, "conftest.py": true, "root/.bashrc": true, "root/.local/bin/env": true, "root/.local": true, "usr/local/bin/sh": true, "usr/local/bin/pytest": true,
		"usr/local/bin/shop": false, "app/bin/sh": false, "etc/profile.d/x.sh": true, "etc/shop.conf": false, "usr/local": true, "app/pytest/__init__.py": true, "app/shop/__init__.py": false,
		"app/.venv/bin/activate": true, "pyproject.toml": true, "app/pyproject.toml": false, "etc/ld.so.preload": true, "usr/local/lib/x.pth": true,
	} {
		if got := ofSystem(name); got != want {
			t.Errorf("%s of a whole system is put back: %v", name, got)
		}
	}
}
