package judge

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Headers of the standard library take longer to compile than most samples. Where a source
// begins with nothing but includes of them, the compiler is given the same includes, in the
// same order, in compiled form: when it comes to the source's own, there is nothing left to
// do. So a program means the same, and one that forgets a header does not compile.

// standardHeaders are those that may be included twice without a difference, which
// assert.h may not.
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

// maxHeaders bounds what is compiled together.
const maxHeaders = 40

// leadingHeaders are the includes with which a source begins, as far as they are of
// standard headers.
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
	headerList = "depends" // on which files, with sizes and times
)

// compiledHeaders are options that have the compiler read the headers of a source in
// compiled form, or "". They must be compiled with the same options as the source.
func compiledHeaders(t *toolchain, options, source string) string {
	headers := leadingHeaders(source)
	if headers == "" {
		return ""
	}
	dir := t.shelf.want(shelfKey(t.identity, options, headers), 2, unchanged, func(dir string) error {
		return compileHeaders(t, dir, options, headers)
	})
	if dir == "" {
		return ""
	}
	return " -include " + filepath.Join(dir, headerFile)
}

// compileHeaders has the compiler make headers.h.gch in a directory. This is no box: there is
// nothing of a sample in what it reads.
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

// unchanged reports whether compiled headers are there and all files that they were made of are as
// they were.
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

// stamp changes when a file does.
func stamp(file string) string {
	info, err := os.Stat(file)
	if err != nil {
		return "absent"
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}

// command runs a compiler on texts of assay's own, with the environment that it has in boxes.
func (t *toolchain) command(line string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	cmd.Env, cmd.Dir = t.environment(), "/"
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("compiling ahead: %w: %s", err, clip(string(out), 600))
	}
	return nil
}
