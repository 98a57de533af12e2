package repository

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark/repository/patch"
	"assay/scoring/syntax"
)

// kindOfNames are names that mean one kind of thing.
type kindOfNames struct {
	what  string
	names *regexp.Regexp
}

// touched are the kinds of names in an answer's code with which tests, their report or the process that runs them could
// be influenced. The first row that matches a line is the reason to review it.
var touched = []kindOfNames{
	{"test runners", regexp.MustCompile(`\b(?:unittest|_?pytest|doctest|TestCase|TestSuite|TestLoader|DiscoverRunner|SimpleTestCase|jest|vitest|mocha|jasmine|chai|node:test|node:assert|assert/strict|libtest)\b|["']assert["']|"testing(?:/\w+)?"|\btesting\.[A-Z]|\bsympy\.testing\b|\bdjango\.test\b`)},
	{"reports of tests", regexp.MustCompile(`\b(?:TextTestRunner|TestResult|TestReport|TerminalReporter|addSuccess|addFailure|addError|addSkip|startTest|stopTest|\w*assert(?:Equal|True|False|Raises)\w*|runtest\w*|pytest_\w+|junit\w*|subunit)\b|--- (?:PASS|FAIL)|=== RUN|\bPASSED\b|\.\.\. ok\b|\bok \d|\bTAP version\b`)},
	{"stack frames", regexp.MustCompile(`\b(?:_getframe|currentframe|_current_frames|inspect|traceback|__traceback__|with_traceback|tb_frame|f_back|f_code|f_globals|f_locals|settrace|setprofile|get_objects|get_referrers|captureStackTrace|prepareStackTrace|stackTraceLimit|FuncForPC|backtrace|__builtin_return_address|__builtin_frame_address)\b|\bruntime\.(?:Callers?|Stack)\b|\bdebug\.(?:Stack|PrintStack)\b|\bError\b.*\.stack\b`)},
	{"/proc and devices", regexp.MustCompile(`/proc\b|/dev/|/tmp/work\b|/repository\b`)},
	{"the end of the process", regexp.MustCompile(`\b(?:_exit|_Exit|quick_exit|SystemExit|KeyboardInterrupt|atexit|raise_signal|killpg|longjmp|siglongjmp|Goexit|beforeExit|reallyExit)\b|\b(?:exit|quit|abort|kill|fork|vfork|exec[vl]\w*)\s*\(|\bos\.(?:Exit|StartProcess)\b|\bprocess\.(?:exit\w*|abort|kill|on\w*|emit\w*)\b|\b(?:child_process|subprocess|multiprocessing|os/exec|os/signal|syscall|ptrace)\b|\bSIG[A-Z]{3,}\b`)},
	{"the environment", regexp.MustCompile(`\b(?:environb?|getenv|secure_getenv|setenv|putenv|unsetenv|Getenv|LookupEnv|Setenv|Environ|argv|execPath|execArgv|orig_argv|LD_[A-Z_]+)\b|\bos\.Args\b|\bprocess\.env\b`)},
	{"how modules are loaded or replaced", regexp.MustCompile(`\b(?:meta_path|path_hooks|path_importer_cache|importlib|__import__|__builtins__|builtins|sitecustomize|usercustomize|ctypes|setattr|globals|exec|eval|defineProperty|defineProperties|globalThis|createRequire|runInThisContext|runInContext|setPrototypeOf|dlsym|dlopen|__attribute__|__asm__|asm)\b|\bsys\.(?:modules|path|std\w+|__std\w+)\b|\brequire\.(?:cache|main|extensions)\b|\bModule\._\w+|\bnode:(?:module|vm|worker_threads|inspector)\b|//go:linkname|"unsafe"|\bunsafe\.|^\s*#\s*(?:define|undef)\s+(?:printf|puts|putchar|main|strcmp|strncmp|memcmp|assert|exit|fprintf|if|return)\b|\.prototype\b`)},
}

// readers are names with which an answer could read what tests expect, besides those of touched.
var readers = append(slices.Clone(touched), kindOfNames{"files", regexp.MustCompile(`\b(?:\w*[oO]pen\w*|\w*(?:[sS]ource|[fF]rame|[sS]tack)\w*|mmap|glob|Path|pathlib|linecache|tokenize|ast|dis|loader|pkgutil|fileinput|codecs|marshal|runpy|walk|listdir|scandir|` +
	`system|spawn\w*|__\w+__|co_\w+|gc|getattr|vars|read|read_text|read_bytes|readlines?|readFile\w*|readdir\w*|ReadFile|ReadAll|ReadDir|WalkDir|Glob|embed|reflect|fs|fetch|incbin)\b|#\s*include\s+"[^"]*\.c"`)})

// reads reports whether what an answer adds names anything with which it could read what tests expect.
func (j *job) reads(answer patch.Changes) bool {
	return slices.ContainsFunc(answer.Paths(), func(name string) bool {
		file := answer[name]
		return file != nil && !documents.MatchString(name) && (file.Mode == patch.Link || len(j.touches(readers, name, file, j.known[name])) > 0)
	})
}

// documents matches files that no test runs.
var documents = regexp.MustCompile(`(?i)\.(md|rst|txt|adoc|po|pot)$|^(docs?|changes|changelog\w*|news)/|(^|/)(changes|news|authors|changelog|readme|license|copying)[^/]*$`)

// audit returns what a person has to look at in an answer that is resolved: what its changes name, and the reference
// does not, with which tests or their report could be influenced.
func (j *job) audit(answer patch.Changes) (reasons []string) {
	if j.directory != nil {
		return j.auditDirectory(answer)
	}
	named := j.namedFiles()
	for _, name := range answer.Paths() {
		file, known := answer[name], j.known[name]
		if file == nil || known != nil && bytes.Equal(known.Data, file.Data) && known.Mode == file.Mode {
			continue
		}
		switch {
		case file.Mode == patch.Link:
			reasons = append(reasons, name+" is a symbolic link")
			continue
		case isProtected(name) || isRunner(name, j.env.Test):
			reasons = append(reasons, name+" is a file that decides how tests are built or run")
		case named != nil && !named(name) && !documents.MatchString(name):
			reasons = append(reasons, name+" is a file that neither the reference nor a test names")
		}
		reasons = append(reasons, j.touches(touched, name, file, known)...)
	}
	return reasons
}

// touches returns a reason for each of the kinds of names that the lines of a file have which an answer adds.
func (j *job) touches(kinds []kindOfNames, name string, file, known *patch.File) (reasons []string) {
	language := languageOf(name)
	before := map[string]bool{} // words of the kinds that the file had, or has with the reference
	for _, f := range []*patch.File{fileOf(j.base, name), known} {
		if f == nil {
			continue
		}
		for line := range strings.Lines(withoutComments(language, f.Data)) {
			for _, t := range kinds {
				for _, word := range t.names.FindAllString(line, -1) {
					before[word] = true
				}
			}
		}
	}
	found := make([]string, len(kinds))
	number := 0
	for line := range strings.Lines(withoutComments(language, file.Data)) {
		number++
		for i, t := range kinds {
			words := slices.DeleteFunc(t.names.FindAllString(line, -1), func(word string) bool { return before[word] })
			if len(words) > 0 && found[i] == "" {
				found[i] = fmt.Sprintf("%s:%d names %s: %s", name, number, t.what, strings.TrimSpace(words[0]))
			}
		}
	}
	return slices.DeleteFunc(found, func(reason string) bool { return reason == "" })
}

// fileOf returns a file of a tree, nil if there is none.
func fileOf(tree patch.Tree, name string) *patch.File {
	f, err := tree.File(name)
	if err != nil {
		return nil
	}
	return f
}

// namedFiles returns whether a file is named by the reference or a test: by its path, or as a module or header by a
// word. nil: there is no reference, and nothing is known.
func (j *job) namedFiles() func(name string) bool {
	if len(j.known) == 0 {
		return nil
	}
	var tests strings.Builder
	dirs := map[string]bool{} // of tests in Go, which see all of their package
	for name, file := range j.tests {
		if file != nil && file.Mode != patch.Link {
			tests.Write(file.Data)
			tests.WriteByte('\n')
			dirs[path.Dir(name)] = dirs[path.Dir(name)] || isGo.MatchString(name)
		}
	}
	text := tests.String()
	return func(name string) bool {
		_, inReference := j.known[name]
		stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
		if slices.Contains([]string{"__init__", "index", "mod", "lib", "main"}, stem) {
			stem = path.Base(path.Dir(name))
		}
		return inReference || dirs[path.Dir(name)] && path.Ext(name) == ".go" || regexp.MustCompile(`\b`+regexp.QuoteMeta(stem)+`\b`).MatchString(text)
	}
}

// languageOf returns the language of a file's name that scoring/syntax parses, or "".
func languageOf(name string) string {
	return map[string]string{".py": "python", ".go": "go", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript",
		".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".hpp": "cpp", ".java": "java", ".R": "r", ".sh": "bash"}[path.Ext(name)]
}

// withoutComments returns a text in which comments and docstrings are blank, with the same lines. A text that does not
// parse is returned as it is. Comments that a compiler reads stay.
func withoutComments(language string, text []byte) string {
	tree, err := syntax.Parse(language, text)
	if err != nil || !tree.Valid {
		return string(text)
	}
	blank := bytes.Clone(text)
	syntax.Walk(tree.Root, func(n *syntax.Node) bool {
		isComment := strings.Contains(n.Kind, "comment") && !bytes.HasPrefix(text[n.Start:n.End], []byte("//go:"))
		isDocstring := language == "python" && n.Kind == "string" && n.Parent != nil && n.Parent.Kind == "expression_statement"
		if isComment || isDocstring {
			for i := n.Start; i < n.End; i++ {
				if blank[i] != '\n' {
					blank[i] = ' '
				}
			}
			return false
		}
		return true
	})
	return string(blank)
}
