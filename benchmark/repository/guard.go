package repository

import (
	"maps"
	"path"
	"regexp"
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
	"pytest.toml", ".pytest.toml", "*.pyc", "__pycache__/",
	// Go.
	"go.mod", "go.sum", "go.work", "go.work.sum", "vendor/", ".go-cache/",
	// JavaScript.
	"package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "node_modules/", ".npmrc", ".mocharc*", ".babelrc*",
	"babel.config.*", "jest.config.*", "vitest.config.*", "vite.config.*", "karma.conf.*", "tsconfig*.json", "jest.setup.*", "mocha.opts",
	// C, Rust, Java and others.
	"Makefile", "GNUmakefile", "makefile", "*.mk", "*.cmake", "CMakeLists.txt", "Cargo.toml", "Cargo.lock", "build.rs", ".cargo/",
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

// runners are the test runners and their helpers that repositories have themselves, and their directories.
var runners = []string{"sympy/testing/", "sympy/utilities/runtests.py", "sympy/utilities/pytest.py", "django/test/", "bin/test", "runtests.py", "manage.py"}

// isRunner reports whether a path is that of a repository's own test runner, or of the settings that a command names.
func isRunner(name string, commands []string) bool {
	for _, runner := range runners {
		if name == runner || strings.HasSuffix(runner, "/") && strings.HasPrefix(name, runner) {
			return true
		}
	}
	for _, m := range settings.FindAllStringSubmatch(strings.Join(commands, "\n"), -1) {
		module := strings.ReplaceAll(m[1], ".", "/")
		if name == module+".py" || strings.HasPrefix(name, module+"/") {
			return true
		}
	}
	return false
}

var settings = regexp.MustCompile(`(?:--settings[= ]|--ds[= ]|DJANGO_SETTINGS_MODULE=)["']?([\w.]+)`)

// headers are the names of C's own header files, in whose place a directory of the tree could have others.
var headers = strings.Fields("assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic " +
	"stdbool stddef stdint stdio stdlib stdnoreturn string strings tgmath threads time uchar unistd wchar wctype")

// replaces reports whether a file that an answer adds takes the place of another: of a test in Python, as a package or
// a compiled module of its name, or of a header file of the C library.
func (j *job) replaces(name string) bool {
	if _, err := j.base.Mode(name); err == nil {
		return false
	}
	for test := range j.tests {
		stem, isPython := strings.CutSuffix(test, ".py")
		if isPython && (strings.HasPrefix(name, stem+"/") || strings.HasPrefix(name, stem+".")) {
			return true
		}
	}
	header, isHeader := strings.CutSuffix(path.Base(name), ".h")
	return isHeader && slices.Contains(headers, header)
}

// putBack removes from an answer's changes the files that are not its to change, and returns their
// names. Files that the reference patch changes and those of MayChange are the answer's.
func (j *job) putBack(answer patch.Changes) (names []string) {
	for _, name := range answer.Paths() {
		if j.mayChange(name) || !isProtected(name) && !isRunner(name, j.env.Test) && !j.replaces(name) {
			continue
		}
		delete(answer, name)
		names = append(names, name)
	}
	return names
}

func (j *job) mayChange(name string) bool {
	_, needed := j.known[name]
	return needed || slices.Contains(j.task.Repository.MayChange, name)
}

// added lists the files that an answer adds without being told so.
func (j *job) added(answer patch.Changes) (names []string) {
	for _, name := range answer.Paths() {
		if _, err := j.base.Mode(name); err != nil && answer[name] != nil && !j.mayChange(name) {
			names = append(names, name)
		}
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
