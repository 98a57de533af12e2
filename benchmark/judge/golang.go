package judge

import (
	"assay/benchmark/shelf"
	"assay/data/program"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

//go:embed golang/assert.go.txt
var goAssert string

// goAhead lets the compiler and linker, which are Go programs, collect no garbage: it is not worth the time, up
// to the box's limit. Other samples use the other processors.
func goAhead(t *toolchain, files map[string]string, _ string) ahead {
	return ahead{"export GOGC=off GOMAXPROCS=1 && " + t.compile("main.go"), files}
}

// goPackages are the packages of the standard library that programs may import: all that need
// neither network nor cgo.
const goPackages = "bufio bytes cmp container/heap container/list container/ring context crypto/md5 crypto/rand crypto/sha1 crypto/sha256 crypto/sha512 " +
	"encoding/base64 encoding/binary encoding/csv encoding/hex encoding/json errors flag fmt hash/crc32 hash/fnv hash/maphash index/suffixarray io iter log maps math math/big math/bits " +
	"math/cmplx math/rand math/rand/v2 os path path/filepath reflect regexp runtime runtime/debug slices sort strconv strings sync sync/atomic testing text/tabwriter " +
	"text/template time unicode unicode/utf16 unicode/utf8 unsafe html"

func prepareGo(ctx context.Context, t *toolchain) error {
	env := append(program.Environment(), "GOENV=off", "CGO_ENABLED=0", "GO111MODULE=off", "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	ask := func(args ...string) (string, error) {
		cmd := program.Command(ctx, program.Tool, t.paths[0], args...)
		cmd.Env = env
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("preparing Go's standard library with %s: %w", strings.Join(cmd.Args[:2], " "), err)
		}
		return strings.TrimSpace(string(out)), nil
	}
	tool, err := ask("env", "GOTOOLDIR")
	if err != nil {
		return err
	}
	t.paths = append(t.paths, tool)
	t.binds = append(t.binds, prefixBind(tool)...)
	var remove func()
	if t.shelf, remove, err = openShelf(t.box); err != nil {
		return fmt.Errorf("finding a directory for Go's standard library: %w", err)
	}
	t.cleanup = remove
	var failed error
	key := shelf.Key(t.paths[0], t.version, stamp(filepath.Join(tool, "compile")), stamp(filepath.Join(tool, "link")), goPackages, goAssert, goCalls)
	t.dir = t.shelf.Want(key, 1, func(dir string) bool { return stamp(filepath.Join(dir, "importcfg")) != "absent" }, func(dir string) error {
		list, err := ask(append([]string{"list", "-export", "-deps", "-f", "{{if .Export}}{{.ImportPath}}={{.Export}}{{end}}"}, strings.Fields(goPackages)...)...)
		if err == nil {
			err = writeGoLibrary(ctx, t, dir, filepath.Join(t.shelf.Dir, key), list)
		}
		failed = err
		return err
	})
	if t.dir == "" {
		remove()
		return cmp.Or(failed, errors.New("cannot write Go's standard library to "+t.shelf.Dir))
	}
	t.binds = append(t.binds, t.shelf.Dir)
	return nil
}

// goCallsPackage is the package that calls functions.
const goCallsPackage = "assay/calls"

// goOwn are the packages that boxes have besides the standard library's.
var goOwn = []struct{ path, source string }{{"github.com/stretchr/testify/assert", goAssert}, {goCallsPackage, goCalls}}

// writeGoLibrary copies the compiled packages to dir, which boxes will see as name, and adds those of goOwn.
func writeGoLibrary(ctx context.Context, t *toolchain, dir, name, list string) error {
	var config strings.Builder
	for i, line := range strings.Split(list, "\n") {
		path, from, _ := strings.Cut(line, "=")
		content, err := os.ReadFile(from)
		if err != nil {
			return fmt.Errorf("copying Go's standard library: %w", err)
		}
		file := fmt.Sprintf("%d.a", i)
		if err := os.WriteFile(filepath.Join(dir, file), content, 0o644); err != nil {
			return fmt.Errorf("copying Go's standard library: %w", err)
		}
		fmt.Fprintf(&config, "packagefile %s=%s\n", path, filepath.Join(name, file))
	}
	path := filepath.Join(dir, "importcfg")
	here := strings.ReplaceAll(config.String(), name, dir) // dir is renamed only when it is complete
	if err := os.WriteFile(path, []byte(here), 0o644); err != nil {
		return fmt.Errorf("copying Go's standard library: %w", err)
	}
	for i, own := range goOwn {
		source, file := filepath.Join(dir, "own.go"), fmt.Sprintf("own%d.a", i)
		if err := os.WriteFile(source, []byte(own.source), 0o644); err != nil {
			return fmt.Errorf("writing %s: %w", own.path, err)
		}
		archive := filepath.Join(dir, file)
		compile := program.Command(ctx, program.Tool, filepath.Join(t.paths[1], "compile"), "-p", own.path, "-complete", "-pack", "-importcfg", path, "-o", archive, source)
		if out, err := compile.CombinedOutput(); err != nil {
			return fmt.Errorf("compiling %s for Go: %w: %s", own.path, err, out)
		}
		if err := os.Chmod(archive, 0o644); err != nil {
			return fmt.Errorf("compiling %s for Go: %w", own.path, err)
		}
		fmt.Fprintf(&config, "packagefile %s=%s\n", own.path, filepath.Join(name, file))
	}
	if err := os.WriteFile(path, []byte(config.String()), 0o644); err != nil {
		return fmt.Errorf("copying Go's standard library: %w", err)
	}
	return nil
}

// goImported adds missing imports of the standard library's packages. A script is assembled from
// parts, each of which knows only its own imports.
func goImported(source string) string {
	clause := goPackage.FindStringIndex(source)
	if clause == nil {
		return source
	}
	var missing strings.Builder
	for _, path := range strings.Fields(goPackages) {
		name := path[strings.LastIndexByte(path, '/')+1:]
		if slices.Contains([]string{"v2", "log", "debug"}, name) || path == "crypto/rand" || path == "text/template" {
			continue
		}
		used, err := regexp.MatchString(`(^|[^\w."])`+name+`\.[A-Z]`, goComment.ReplaceAllString(source, ""))
		if err == nil && used && !strings.Contains(source, `"`+path+`"`) {
			missing.WriteString("; import \"" + path + "\"")
		}
	}
	// On the line of the package clause, so that line numbers stay the same.
	return source[:clause[1]] + missing.String() + source[clause[1]:]
}

var (
	goPackage = regexp.MustCompile(`(?m)^package +\w+`)
	goComment = regexp.MustCompile(`(?m)//.*$|"[^"\n]*"`)

	goTest = regexp.MustCompile(`(?m)^func (Test\w*)\(\w+ \*testing\.T\)`)
	goMain = regexp.MustCompile(`(?m)^func main\(\)`)
)

// goTestMain returns the main function that `go test` would generate, or "" without tests. Its
// cleanup runs after parallel tests, too.
func goTestMain(source string) string {
	tests := goTest.FindAllStringSubmatch(source, -1)
	if len(tests) == 0 {
		return ""
	}
	var b strings.Builder
	for _, t := range tests {
		fmt.Fprintf(&b, "\t\tt.Run(%q, %s)\n", t[1], t[1])
	}
	return `package main

import "testing"

func main() {
	all := func(t *testing.T) {
		t.Cleanup(func() {
			if !t.Failed() {
				assayEnd()
			}
		})
` + b.String() + `	}
	match := func(_, _ string) (bool, error) { return true, nil }
	testing.Main(match, []testing.InternalTest{{Name: "Tests", F: all}}, nil, nil)
}
`
}
