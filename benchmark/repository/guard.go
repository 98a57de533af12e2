package repository

import (
	"maps"
	"path"
	"slices"
	"strings"

	"assay/benchmark/repository/patch"
)

// Files that a test runner, a build tool or an interpreter reads before tests. An answer that could
// change them could decide what the tests report. Names match in any directory; a name with a slash
// at its end is a directory.
var configures = []string{
	// Python: pytest's and unittest's settings, modules that are imported at the start, and files that
	// register plug-ins.
	"conftest.py", "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml", "setup.py", "noxfile.py", ".coveragerc",
	"sitecustomize.py", "usercustomize.py", "*.pth", "*.egg-info/", "*.dist-info/", "*.egg-link",
	// Go.
	"go.mod", "go.sum", "go.work", "go.work.sum", "vendor/",
	// JavaScript.
	"package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "node_modules/", ".npmrc", ".mocharc*", ".babelrc*",
	"babel.config.*", "jest.config.*", "vitest.config.*", "vite.config.*", "karma.conf.*", "tsconfig*.json", "jest.setup.*",
	// C, Rust, Java and others.
	"Makefile", "GNUmakefile", "makefile", "CMakeLists.txt", "Cargo.toml", "Cargo.lock", "build.rs", ".cargo/",
	"pom.xml", "build.gradle*", "settings.gradle*", "gradle.properties", "Gemfile*", "Rakefile", ".rspec", "composer.json", "phpunit.xml*",
}

// shadows are modules that a runner would find in the repository's root instead of its own.
var shadows = []string{"pytest", "_pytest", "pluggy", "py", "iniconfig", "unittest", "site", "runpy", "importlib", "encodings", "sys", "os", "traceback"}

// isTest reports whether a path is that of a test, or of something that only tests use.
func isTest(name string) bool {
	parts := strings.Split(name, "/")
	for _, part := range parts[:len(parts)-1] {
		if slices.Contains([]string{"tests", "__tests__", "spec", "testdata", "__mocks__"}, part) {
			return true
		}
	}
	base := parts[len(parts)-1]
	for _, pattern := range []string{"test_*.py", "*_test.py", "*_test.go", "*.test.*", "*.spec.*", "*_test.c", "test_*.c", "*Test.java", "*Tests.java"} {
		if matches(pattern, base) {
			return true
		}
	}
	return false
}

// isProtected reports whether a path is not an answer's to change unless the task says so.
func isProtected(name string) bool {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		for _, pattern := range configures {
			dir, isDir := strings.CutSuffix(pattern, "/")
			if isDir == (i < len(parts)-1) && matches(dir, part) {
				return true
			}
		}
	}
	top, _, _ := strings.Cut(parts[0], ".")
	return slices.Contains(shadows, top) && (len(parts) > 1 || strings.HasSuffix(name, ".py")) || isTest(name)
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// putBack removes from an answer's changes the files that are not its to change, and returns their
// names. Files that the reference patch changes and those of MayChange are the answer's.
func putBack(answer patch.Changes, mayChange []string, reference patch.Changes) (names []string) {
	for _, name := range answer.Paths() {
		if _, needed := reference[name]; needed || slices.Contains(mayChange, name) || !isProtected(name) {
			continue
		}
		delete(answer, name)
		names = append(names, name)
	}
	return names
}

// apart removes from an answer's changes the files that stand where a directory of files is that are not its to
// change, or below such a file, and returns their names.
func apart(answer, tests patch.Changes, base patch.Tree) (names []string) {
	fixed := maps.Clone(tests)
	for name, file := range answer {
		if file == nil {
			fixed[name] = nil
		}
	}
	tree := fixed.Over(base)
	for _, name := range answer.Paths() {
		mode, err := tree.Mode(name)
		wrong := err == nil && !isFile(mode)
		for dir := path.Dir(name); dir != "." && !wrong; dir = path.Dir(dir) {
			mode, err = tree.Mode(dir)
			wrong = err == nil && isFile(mode)
		}
		if wrong && answer[name] != nil {
			delete(answer, name)
			names = append(names, name)
		}
	}
	return names
}

func isFile(mode patch.Mode) bool {
	return mode == patch.Regular || mode == patch.Executable || mode == patch.Link
}
