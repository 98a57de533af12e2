package judge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"assay/benchmark/shelf"
	"assay/benchmark/verdicts"
	"assay/data/program"
)

// Headers of the standard library take longer to compile than most samples. Where a source begins
// with includes of such headers only, the compiler gets the same includes, in the same order,
// precompiled: when it reaches the source's own includes, nothing is left to do. So the program
// means the same, and one that forgets a header still does not compile.

// standardHeaders are the headers that may be included twice without a difference. This excludes
// assert.h.
var standardHeaders = wordSet("algorithm any array atomic bitset cctype cerrno cfenv cfloat charconv chrono cinttypes climits clocale cmath " +
	"codecvt complex condition_variable csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype " +
	"deque exception forward_list fstream functional future initializer_list iomanip ios iosfwd iostream istream iterator limits list " +
	"locale map memory memory_resource mutex new numeric optional ostream queue random ratio regex scoped_allocator set shared_mutex " +
	"sstream stack stdexcept streambuf string string_view system_error thread tuple type_traits typeindex typeinfo unordered_map " +
	"unordered_set utility valarray variant vector bits/stdc++.h " +
	"ctype.h errno.h float.h inttypes.h limits.h locale.h math.h setjmp.h signal.h stdarg.h stdbool.h stddef.h stdint.h stdio.h " +
	"stdlib.h string.h time.h wchar.h wctype.h")

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(text) {
		set[word] = true
	}
	return set
}

var (
	include = regexp.MustCompile(`^#[ \t]*include[ \t]*<([\w./+]+)>[ \t\r]*(?:\n|//[^\\\n]*\n|/\*)`)
	comment = regexp.MustCompile(`^(?:\s+|//[^\\\n]*\n|/\*(?s:.*?)\*/)`)
)

// maxHeaders bounds the number of headers compiled together.
const maxHeaders = 40

// leadingHeaders returns the includes of standard headers at the beginning of a source.
func leadingHeaders(source string) string {
	var b strings.Builder
	lineStart := true
	for n := 0; n < maxHeaders; {
		if skipped := comment.FindString(source); skipped != "" {
			lineStart = lineStart || strings.Contains(skipped, "\n")
			source = source[len(skipped):]
			continue
		}
		m := include.FindStringSubmatch(source)
		if m == nil || !lineStart || !standardHeaders[m[1]] {
			break
		}
		fmt.Fprintf(&b, "#include <%s>\n", m[1])
		source = source[strings.IndexByte(source, '>')+1:]
		lineStart = false
		n++
	}
	return b.String()
}

const (
	headerFile = "headers.h"
	headerList = "depends" // the files read, with sizes and times
)

// compiledHeaders returns options that make the compiler read the headers of a source
// precompiled, or "". They must have been compiled with the same options as the source.
func compiledHeaders(t *toolchain, options, source string) string {
	headers := leadingHeaders(source)
	if headers == "" {
		return ""
	}
	dir := t.shelf.Want(shelf.Key(t.identity, options, headers), 2, unchanged, func(dir string) error {
		return compileHeaders(t, dir, options, headers)
	})
	if dir == "" {
		return ""
	}
	return " -include " + filepath.Join(dir, headerFile)
}

// compileHeaders writes headers.h.gch into a directory. It runs outside a box: nothing that it
// reads comes from a sample.
func compileHeaders(t *toolchain, dir, options, headers string) error {
	path := filepath.Join(dir, headerFile)
	if err := os.WriteFile(path, []byte(headers), 0o644); err != nil {
		return err
	}
	if err := t.command(fmt.Sprintf("%s %s -x %s-header -MD -MF %s.d -o %[4]s.gch %[4]s", t.paths[0], options, t.dialect, path)); err != nil {
		return err
	}
	text, err := os.ReadFile(path + ".d")
	if err != nil {
		return err
	}
	var list strings.Builder
	for _, file := range strings.Fields(string(text)) {
		if filepath.IsAbs(file) && filepath.Dir(file) != dir {
			fmt.Fprintf(&list, "%s %s\n", file, stamp(file))
		}
	}
	return os.WriteFile(filepath.Join(dir, headerList), []byte(list.String()), 0o644)
}

// unchanged reports whether precompiled headers exist and all files that they were made from are
// unchanged.
func unchanged(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, headerList))
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		file, was, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if stamp(file) != was {
			return false
		}
	}
	return true
}

// stamp returns a text that changes when the file does.
func stamp(file string) string {
	info, err := os.Stat(file)
	if err != nil {
		return "absent"
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}

// command runs a compiler on assay's own sources, with the environment that it has in boxes.
func (t *toolchain) command(line string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := program.Command(ctx, program.Tool, "/bin/sh", "-c", line)
	cmd.Env = t.environment()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("compiling ahead: %w: %s", err, verdicts.Clip(string(out), 600))
	}
	return nil
}
