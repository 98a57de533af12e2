package judge

import (
	"context"
	_ "embed"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"assay/benchmark"
)

var java = language{
	title: "Java", programs: []string{"java", "javac"}, versionFlag: "-version",
	install: "Debian, Ubuntu: apt-get install default-jdk-headless; Fedora: dnf install java-devel",
	binds:   []string{"/etc/java-*"}, // part of the runtime on Debian
	prepare: prepareJava,
	file:    func(source string) string { return javaClass(source) + ".java" },
	script:  javaEnding.script,
	compile: func(t *toolchain, _, _ string) string { return javaCompile(t, "*.java") },

	resident: javaResident,
	run: func(t *toolchain, _, source string, l benchmark.Limits) []string {
		return append(javaCommand(t, l.MemoryMB), "-cp", ".", javaClass(source))
	},
	scriptOptions: []string{"--add-opens", "java.base/java.io=ALL-UNNAMED"},

	functions: true,
	calls:     javaCaller,
	threads:   24,
}

//go:embed java/AssayCompiler.java.txt
var javaCompiler string

// javaOptions are the options of the command and of the resident compiler. Annotation processors
// would be code of a sample.
var javaOptions = []string{"-nowarn", "-proc:none"}

func javaResident(t *toolchain) (argv []string, files map[string]string) {
	argv = []string{t.paths[0], "-XX:+UseSerialGC", "-Xms64m", "-Xmx768m", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xshare:auto",
		"--add-opens", "java.base/java.io=ALL-UNNAMED", "AssayCompiler.java"}
	return append(argv, javaOptions...), map[string]string{"AssayCompiler.java": javaCompiler}
}

func javaCompile(t *toolchain, files string) string {
	return t.paths[1] + " -J-XX:+UseSerialGC -J-Xmx768m -J-XX:TieredStopAtLevel=1 " + strings.Join(javaOptions, " ") + " -encoding UTF-8 -d out " + files
}

func javaCommand(t *toolchain, memoryMB int) []string {
	return []string{t.paths[0], "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xshare:auto",
		"-Xss16m", "-Xmx" + strconv.Itoa(max(3*memoryMB/4, 16)) + "m", "-ea"}
}

// prepareJava sets the path of java's libraries. java finds them by /proc/self/exe, which does
// not exist in a box.
func prepareJava(_ context.Context, t *toolchain) error {
	for i, path := range t.paths {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return fmt.Errorf("the program %s cannot be followed: %w", path, err)
		}
		t.paths[i] = real
	}
	lib := filepath.Join(filepath.Dir(filepath.Dir(t.paths[0])), "lib")
	t.env = []string{"LD_LIBRARY_PATH=" + lib + ":" + filepath.Join(lib, "server")}
	return nil
}

var (
	javaPublic = regexp.MustCompile(`(?m)^\s*public\s+(?:final\s+|abstract\s+)*(?:class|record|enum)\s+(\w+)`)
	javaMain   = regexp.MustCompile(`(?s)\bclass\s+(\w+)[^{]*\{(?:[^{}]|\{[^{}]*\})*public\s+static\s+void\s+main\s*\(`)
)

// longestClass is the longest class name, in bytes, that becomes a file name: file systems allow
// 255.
const longestClass = 200

// javaClass returns the class to run, which also names the file.
func javaClass(source string) string {
	for _, pattern := range []*regexp.Regexp{javaPublic, javaMain} {
		if m := pattern.FindStringSubmatch(source); m != nil && len(m[1]) <= longestClass {
			return m[1]
		}
	}
	return "Main"
}
