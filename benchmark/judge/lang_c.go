package judge

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/shelf"
)

const gccPackages = "Debian, Ubuntu: apt-get install g++; Fedora: dnf install gcc-c++"

var cLanguage = language{
	title: "C", programs: []string{"gcc"}, versionFlag: "--version", install: gccPackages,
	file:    named("main.c"),
	script:  cEnding.script,
	quicken: func(t *toolchain) { quickenNative(t, "c", cEnding) },
	compile: func(t *toolchain, _, source string) string { return native(t, cOptions, "*.c", source) },
	ahead: func(t *toolchain, files map[string]string) ahead {
		return nativeAhead(t, cOptions, "main.c", cEnding, files)
	},
	run: runNative,
}

var cpp = language{
	title: "C++", programs: []string{"g++"}, versionFlag: "--version", install: gccPackages,
	file:    named("main.cpp"),
	script:  cppEnding.script,
	quicken: func(t *toolchain) { quickenNative(t, "c++", cppEnding) },
	compile: func(t *toolchain, _, source string) string { return native(t, cppOptions, "*.cpp", source) },
	ahead: func(t *toolchain, files map[string]string) ahead {
		return nativeAhead(t, cppOptions, "main.cpp", cppEnding, files)
	},
	run: runNative,

	functions: true,
	calls:     cppCaller,
}

// Without warnings: a sample is judged by what it does.
const (
	nativeOptions = " -O1 -w -fmax-errors=5"
	cOptions      = "-std=gnu17" + nativeOptions
	cppOptions    = "-std=gnu++17" + nativeOptions
)

// native returns the command that compiles.
func native(t *toolchain, options, files, source string) string {
	libraries := " -lm"
	if strings.Contains(source, "<openssl/") {
		libraries += " -lcrypto"
	}
	return t.paths[0] + " " + options + " -o out/main " + files + libraries
}

func quickenNative(t *toolchain, dialect string, e *ending) {
	s, remove, err := openShelf(t.box)
	if err != nil {
		return
	}
	t.shelf, t.cleanup, t.dialect = s, remove, dialect
	t.binds = append(t.binds, s.Dir)
	t.identity = shelf.Key(t.paths[0], t.version, stamp(realPath(t.paths[0])))
	t.object = t.shelf.Want(shelf.Key(t.identity, e.text), 1, func(dir string) bool { return stamp(filepath.Join(dir, "end.o")) != "absent" },
		func(dir string) error { return compileEnd(t, dir, e) })
	if t.object != "" {
		t.object = filepath.Join(t.object, "end.o")
		t.linker = fastLinker(t)
	}
}

func compileEnd(t *toolchain, dir string, e *ending) error {
	source := filepath.Join(dir, e.file)
	if err := os.WriteFile(source, []byte(e.text), 0o644); err != nil {
		return err
	}
	return t.command(fmt.Sprintf("%s -O1 -w -c -o %s %s", t.paths[0], filepath.Join(dir, "end.o"), source))
}

// fastLinker returns an option that selects a linker faster than the default, if one works.
func fastLinker(t *toolchain) string {
	for _, name := range []string{"mold", "lld", "gold"} {
		if _, err := os.Stat(filepath.Join("/usr/bin", "ld."+name)); err != nil {
			continue
		}
		dir, err := os.MkdirTemp(t.shelf.Dir, shelf.Unfinished+"link-")
		if err != nil {
			return ""
		}
		defer os.RemoveAll(dir)
		made := filepath.Join(dir, "main")
		options := " -fuse-ld=" + name + " -fno-use-linker-plugin"
		line := fmt.Sprintf("echo 'int main(void) { return 0; }' | %s -x %s%s -o %s - -x none %s -lm", t.paths[0], t.dialect, options, made, t.object)
		if t.command(line) == nil && exec.Command(made).Run() == nil {
			return options
		}
	}
	return ""
}

func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// nativeAhead compiles only the sample's own part: the end of the tests is compiled already, and
// headers may be.
func nativeAhead(t *toolchain, options, main string, e *ending, files map[string]string) ahead {
	source, there := files[main]
	if t.object == "" || !there {
		return ahead{}
	}
	files = maps.Clone(files)
	headers, object := compiledHeaders(t, options, source), ""
	if files[e.file] == e.text {
		delete(files, e.file)
		object = " " + t.object
	}
	names := strings.Join(slices.Sorted(maps.Keys(files)), " ")
	if headers == "" && object == "" || names != main {
		return ahead{}
	}
	return ahead{native(t, options+headers+t.linker, names+object, source), files}
}

func runNative(*toolchain, string, string, benchmark.Limits) []string { return []string{"./main"} }
