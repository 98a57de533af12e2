package repository

import (
	"maps"
	"os"
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
	"go.mod", "go.sum", "go.work", "go.work.sum", "vendor/", ".go-cache/", "*.syso",
	// JavaScript.
	"package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "node_modules/", ".npmrc", ".mocharc*", ".babelrc*",
	"babel.config.*", "jest.config.*", "vitest.config.*", "vite.config.*", "karma.conf.*", "tsconfig*.json", "jest.setup.*", "mocha.opts",
	"vitest.workspace.*", "vitest.setup.*", "jest-preset.*", "ava.config.*", "nyc.config.*", ".nycrc*", ".c8rc*", ".taprc*", ".swcrc", "node.config.json",
	".yarnrc*", ".pnp.*", ".pnpmfile.*", "bunfig.toml", "deno.json*", ".env*",
	// C, Rust, Java and others.
	"Makefile*", "GNUmakefile*", "makefile*", "RCS/", "SCCS/", "*.mk", "*.cmake", "CMakeLists.txt", "CMakePresets.json", "configure", "configure.ac",
	"meson.build", "meson_options.txt", "SConstruct", "SConscript", "build.ninja", "BUILD.bazel", "justfile", "Cargo.toml", "Cargo.lock", "build.rs", ".cargo/",
	"pom.xml", "build.gradle*", "settings.gradle*", "gradle.properties", "Gemfile*", "Rakefile", ".rspec", "composer.json", "phpunit.xml*",
}

// shadows are modules that a runner would find in the repository's root instead of its own.
var shadows = []string{"pytest", "_pytest", "pluggy", "py", "iniconfig", "unittest", "site", "runpy", "importlib", "encodings", "sys", "os", "traceback"}

// isTest reports whether a path is that of a test, or of something that only tests use.
func isTest(name string) bool {
	parts := strings.Split(name, "/")
	for _, part := range parts[:len(parts)-1] {
		if slices.Contains([]string{"test", "tests", "__tests__", "spec", "testdata", "__mocks__"}, part) {
			return true
		}
	}
	base := parts[len(parts)-1]
	for _, pattern := range []string{"test_*.py", "*_test.py", "tests.py", "*_test.go", "*.test.*", "*.spec.*", "*-test.*", "test-*.js", "*_spec.*", "*_test.c", "test_*.c", "*Test.java", "*Tests.java"} {
		if matches(pattern, base) {
			return true
		}
	}
	return matches("test.*", name)
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
	if strings.HasSuffix(name, "management/commands/test.py") {
		return true
	}
	for _, m := range started.FindAllStringSubmatch(strings.Join(commands, "\n"), -1) {
		if name == m[1] {
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

// started matches what a shell command starts, by itself or by an interpreter.
var started = regexp.MustCompile(`(?m)(?:^|[;&|(])\s*(?:\w+=\S*\s+)*(?:(?:ba|da)?sh\s+(?:-\S+\s+)*|node\s+(?:-\S+\s+)*|python[\d.]*\s+(?:-[^m\s]\S*\s+)*|perl\s+|ruby\s+)?(?:\./)?([\w.-]+(?:/[\w.-]+)*)`)

// header matches C's own header files and what these include, in whose place a directory of the tree could have others.
var header = regexp.MustCompile(`(?:^|/)(?:(?:bits|gnu|asm|asm-generic)/.+|sys/(?:cdefs|types|select|single_threaded)|features[\w-]*|stdc-predef|alloca|endian|` +
	`assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|` +
	`stdnoreturn|strings?|tgmath|threads|time|uchar|unistd|wchar|wctype)\.h$`)

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
	return header.MatchString(name)
}

// loaded matches keys in settings of runners of JavaScript with what they load, and loadedPath a path in it.
var (
	loaded = regexp.MustCompile(`\b(?:setupFiles\w*|globalSetup|globalTeardown|testEnvironment|testRunner|runner|transform|resolver|reporters?|presets?|plugins|require|loader)["']?\s*:\s*` +
		`(\[[^\]]*\]|\{[^}]*\}|"[^"]*"|'[^']*')`)
	loadedPath = regexp.MustCompile(`["'](?:<rootDir>/)?([^"'<>]+)["']`)
)

// isLoaded reports whether a setting of the tree above a path names it as what a runner of JavaScript loads.
func (j *job) isLoaded(name string) bool {
	if !isScript.MatchString(name) {
		return false
	}
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		names, _ := j.base.Names(dir) // a new directory has no settings
		for _, config := range names {
			file := fileOf(j.base, path.Join(dir, config))
			if file == nil || !slices.ContainsFunc(configures, func(pattern string) bool { return matches(pattern, config) }) {
				continue
			}
			for _, key := range loaded.FindAllStringSubmatch(string(file.Data), -1) {
				for _, m := range loadedPath.FindAllStringSubmatch(key[1], -1) {
					if at := path.Join(dir, m[1]); at == name || at+path.Ext(name) == name || at+"/index"+path.Ext(name) == name {
						return true
					}
				}
			}
		}
		if dir == "." {
			return false
		}
	}
}

// putBack removes from an answer's changes the files that are not its to change, and returns their
// names. Files that the reference patch changes and those of MayChange are the answer's.
func (j *job) putBack(answer patch.Changes) (names []string) {
	for _, name := range answer.Paths() {
		if j.mayChange(name) || !isProtected(name) && !isRunner(name, j.env.Test) && !j.replaces(name) && !j.isLoaded(name) {
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

// startFiles are files of a system that shells, interpreters and pytest read before tests, wherever they are but for those
// that begin with a slash.
var startFiles = strings.Fields("conftest.py pytest.ini .pytest.ini pytest.toml .pytest.toml sitecustomize.py usercustomize.py *.pth *.pyc .bashrc .bash_profile .bash_login .profile .bash_env " +
	".pythonrc .pdbrc activate /pyproject.toml /tox.ini /setup.cfg /etc/profile /etc/bash.bashrc /etc/environment /etc/ld.so.preload /etc/ld.so.conf /etc/ld.so.cache /root/.local/bin/env")

// systemDirs are directories of a whole system in which programs and settings lie.
var systemDirs = strings.Fields("bin sbin usr/bin usr/sbin usr/local/bin usr/local/sbin root/.local/bin etc/profile.d etc/ld.so.conf.d usr/lib usr/local/lib lib")

// ofSystem reports whether a path of a whole system is that of a program, a library or a setting with which tests start.
func ofSystem(name string) bool {
	for _, pattern := range startFiles {
		if full, isFull := strings.CutPrefix(pattern, "/"); isFull && name == full || matches(pattern, path.Base(name)) {
			return true
		}
	}
	dir, base := path.Dir(name), path.Base(name)
	module := strings.TrimSuffix(base, ".py")
	if slices.Contains([]string{"__init__.py", "__main__.py"}, base) {
		module = path.Base(dir)
	}
	if module != base && slices.Contains(shadows, module) {
		return true
	}
	if slices.ContainsFunc(systemDirs, func(d string) bool { return strings.HasPrefix(d+"/", name+"/") }) || strings.HasSuffix(dir, ".d") && slices.Contains(systemDirs, dir) {
		return true // also what stands in the place of such a directory
	}
	at := "/" + name // a library, or a module of the interpreter
	if strings.HasSuffix(dir, "bin") {
		at = "/usr/bin/" + base
	}
	_, err := os.Lstat(at)
	return (err == nil || slices.Contains(strings.Fields(standins+" python"), base)) && slices.ContainsFunc(systemDirs, func(d string) bool { return strings.HasPrefix(name, d+"/") })
}

func isFile(mode patch.Mode) bool {
	return mode == patch.Regular || mode == patch.Executable || mode == patch.Link
}
