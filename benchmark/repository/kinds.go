package repository

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"assay/benchmark"
	"assay/benchmark/repository/patch"
)

// place is where sentinels are planted.
type place struct {
	commands string // that run the tests
	dir      string
	file     string // a test file in it
	own      string // its text
	text     string // that of all test files in the directory
	like     string // the name of a test of the task
}

// kind is a way to write sentinels.
type kind struct {
	parsers string         // the formats of output that its runners write
	files   *regexp.Regexp // the names of test files
	uses    *regexp.Regexp // what their text has; nil: anything
	write   func(place) (sentinel, bool)
}

var (
	isPython = regexp.MustCompile(`\.py$`)
	isGo     = regexp.MustCompile(`_test\.go$`)
	isRust   = regexp.MustCompile(`\.rs$`)
	isScript = regexp.MustCompile(`\.[cm]?[jt]sx?$`)
)

// kinds are tried in their order.
var kinds = []kind{
	{"pytest pytest-matplotlib pytest-options pytest-v2 seaborn junit", isPython, nil, plantPytest},
	{"unittest", isPython, nil, plantUnittest},
	{"django", isPython, nil, plantDjango},
	{"sympy", isPython, nil, plantSympy},
	{"go-test go-test-json", isGo, nil, plantGo},
	{"cargo", isRust, nil, plantRust},
	{"node-test tap junit", isScript, regexp.MustCompile(`node:test`), plantNode},
	{"jest jest-json jest-lines vitest mocha-json node-test tap junit", isScript, jsTest, plantJS},
}

// pythonFile is a sentinel in a file of its own.
func (p place) pythonFile(text, pass string, fail []string) (sentinel, bool) {
	file := path.Join(p.dir, "test_"+randomName("_")+".py")
	return sentinel{path: file, text: text, args: []string{file}, pass: "test_" + pass, fail: fail}, true
}

func plantPytest(p place) (sentinel, bool) {
	pass := randomName("_")
	text, fail := pytestSentinel(pass, p.text)
	return p.pythonFile(text, pass, fail)
}

func plantUnittest(p place) (sentinel, bool) {
	pass := randomName("_")
	text, fail := unittestSentinel("unittest.TestCase", unittestFails, pass, p.text)
	return p.pythonFile(text, pass, fail)
}

// usesDatabase matches tests that derive from Django's TestCase, which may use the database.
var usesDatabase = regexp.MustCompile(`from django\.test import [^\n]*\bTestCase\b`)

func plantDjango(p place) (sentinel, bool) {
	class, pass := "django.test.SimpleTestCase", randomName("_")
	if usesDatabase.MatchString(p.text) {
		class = "django.test.TestCase"
	}
	text, fail := unittestSentinel(class, djangoFails, pass, p.text)
	return p.pythonFile(text, pass, fail)
}

func plantSympy(p place) (sentinel, bool) {
	pass := randomName("_")
	text, fail := sympySentinel(pass, p.text)
	return p.pythonFile(text, pass, fail)
}

var (
	// goRun matches the pattern by which a command selects tests.
	goRun     = regexp.MustCompile(`-run[= ]["']?([^"' ]+)`)
	goPackage = regexp.MustCompile(`(?m)^package\s+(\w+)`)
)

func plantGo(p place) (s sentinel, ok bool) {
	clause := goPackage.FindStringSubmatch(p.own)
	if clause == nil {
		return s, false
	}
	// Commands select tests by patterns, and a name that begins like a real test's matches them.
	like, _, _ := strings.Cut(p.like, "/")
	if !strings.HasPrefix(like, "Test") {
		like = "Test"
	}
	pass, fail := like+camel(randomName(" ")), like+camel(randomName(" "))
	if m := goRun.FindStringSubmatch(p.commands); m != nil {
		if selected, err := regexp.Compile(m[1]); err != nil || !selected.MatchString(pass) || !selected.MatchString(fail) {
			return s, false
		}
	}
	text := fmt.Sprintf("package %s\n\nimport \"testing\"\n\nfunc %s(t *testing.T) {}\n\nfunc %s(t *testing.T) { t.Error(\"1 != 2\") }\n",
		clause[1], pass, fail)
	return sentinel{path: path.Join(p.dir, randomName("_")+"_test.go"), text: text, pass: pass, fail: []string{fail}}, true
}

// appended is a sentinel at the end of a test file, for runners that give each file a process or a context of its own.
func (p place) appended(tests, pass string, fail []string) (sentinel, bool) {
	return sentinel{path: p.file, text: p.own + "\n" + tests, pass: pass, fail: fail}, p.own != ""
}

func plantRust(p place) (sentinel, bool) {
	pass := randomName("_")
	tests, fail := rustSentinel(pass, p.own)
	return p.appended(tests, pass, fail)
}

// isModule recognizes import statements.
var isModule = regexp.MustCompile(`(?m)^import[ {*"']`)

func plantNode(p place) (sentinel, bool) {
	pass := randomName(" ")
	tests, fail := nodeSentinel(pass, p.own, strings.HasSuffix(p.file, ".mjs") || isModule.MatchString(p.own))
	return p.appended(tests, pass, fail)
}

// jsTest matches the function by which a file of jest, vitest or mocha has tests.
var jsTest = regexp.MustCompile(`\b(it|test)(\.each|\.concurrent)?\s*[(\x60]`)

func plantJS(p place) (sentinel, bool) {
	pass := randomName(" ")
	tests, fail := jsSentinel(jsTest.FindStringSubmatch(p.own)[1], pass, p.own)
	return p.appended(tests, pass, fail)
}

// inserted are sentinels as an environment says: each text stands before a place in its file, or at the file's end.
func inserted(texts []benchmark.Planted, tree patch.Tree) (planted []sentinel) {
	pass, fail := randomName(" "), randomName(" ")
	names := strings.NewReplacer("{pass}", pass, "{fail}", fail)
	for _, text := range texts {
		i := len(planted) - 1
		for i >= 0 && planted[i].path != text.File {
			i--
		}
		if i < 0 {
			f, err := tree.File(text.File)
			if err != nil {
				return nil
			}
			planted = append(planted, sentinel{path: text.File, text: string(f.Data), pass: pass, fail: []string{fail}})
			i = len(planted) - 1
		}
		before, after, found := strings.Cut(planted[i].text, text.Before)
		if text.Before == "" {
			before, after, found = planted[i].text, "", true
		}
		if !found {
			return nil
		}
		planted[i].text = before + names.Replace(text.Text) + text.Before + after
	}
	return planted
}
