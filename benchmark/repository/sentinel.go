package repository

import (
	"crypto/rand"
	"fmt"
	"path"
	"regexp"
	"strings"

	"assay/benchmark/repository/patch"
	"assay/benchmark/repository/testlog"
)

// A sentinel is a group of tests with random names that are planted beside the real ones: one must
// pass, the others must fail, in the same process of the same runner. A program that makes its runner
// report success for whatever it runs, that ends it early, or prints results of its own, does not
// know their names before it runs, and gives itself away.
type sentinel struct {
	path string // of the file to plant, or to replace
	text string
	args []string // what the runner's command needs besides the real tests
	pass string   // name of the test that must pass, with which its id ends
	fail []string // names of the tests that must fail
}

// words make random names that look like those of other tests.
var words = strings.Fields("accept append basic between buffer cache change clear close config copy count default " +
	"delete edge empty encode error every field first format group header index inner input insert item join key large last " +
	"limit line list load lookup match merge message missing mode name nested number option order outer output parse path prefix " +
	"query range read record remove repeat reset resolve result return reverse round sample scope select single size skip sort " +
	"source split start state step strip table target token total trim type unique update value version window write zero")

// randomName returns two or three words.
func randomName(separator string) string {
	var n [4]byte
	rand.Read(n[:]) // never fails
	parts := []string{words[int(n[0])%len(words)], words[int(n[1])%len(words)], words[int(n[2])%len(words)], words[int(n[3])%len(words)]}
	return strings.Join(parts, separator)
}

// camel writes words as one identifier.
func camel(name string) string {
	parts := strings.Fields(name)
	for i, part := range parts {
		parts[i] = strings.ToUpper(part[:1]) + part[1:]
	}
	return strings.Join(parts, "")
}

// sentinels returns the sentinels for a format of output and the commands that run the tests, beside the given
// test files of a tree and named like a test of the task. There are none for runners whose tests cannot be added to.
func sentinels(parser, commands string, files []string, like string, tree patch.Tree) []sentinel {
	var planted []sentinel
	seen := map[string]bool{}
	for _, file := range files {
		dir := path.Dir(file)
		if seen[dir] {
			continue
		}
		if s, ok := sentinelFor(parser, commands, dir, file, like, files, tree); ok {
			seen[dir] = true
			planted = append(planted, s)
		}
	}
	return planted
}

func sentinelFor(parser, commands, dir, file, like string, files []string, tree patch.Tree) (s sentinel, ok bool) {
	pass, fail, name := randomName("_"), randomName("_"), randomName("_")
	switch {
	case strings.HasPrefix(parser, "pytest"), parser == "seaborn", parser == "junit":
		if !strings.HasSuffix(file, ".py") {
			return s, false
		}
		s.path = path.Join(dir, "test_"+name+".py")
		s.text, s.fail = pytestSentinel(pass, textOf(dir, files, tree))
		s.args, s.pass = []string{s.path}, "test_"+pass
	case parser == "sympy":
		s.path = path.Join(dir, "test_"+name+".py")
		// SWE-bench's harness, and so the format, misses the last test of a file.
		s.text = fmt.Sprintf("def test_%s():\n    assert 1 + 1 == 2\n\n\ndef test_%s():\n    assert 1 + 1 == 3\n\n\ndef test_%s():\n    assert 1 + 1 != 3\n",
			pass, fail, randomName("_"))
		s.args, s.pass, s.fail = []string{s.path}, "test_"+pass, []string{"test_" + fail}
	case parser == "unittest":
		if !strings.HasSuffix(file, ".py") {
			return s, false
		}
		s.path = path.Join(dir, "test_"+name+".py")
		s.text, s.fail = unittestSentinel(pass, textOf(dir, files, tree))
		s.args, s.pass = []string{s.path}, "test_"+pass
	case parser == "go-test", parser == "go-test-json":
		clause := packageClause(file, tree)
		if clause == "" {
			return s, false
		}
		// Commands select tests by patterns, and a name that begins like a real test's matches them.
		like, _, _ = strings.Cut(like, "/")
		if !strings.HasPrefix(like, "Test") {
			like = "Test"
		}
		pass, fail = like+camel(randomName(" ")), like+camel(randomName(" "))
		if m := goRun.FindStringSubmatch(commands); m != nil {
			if selected, err := regexp.Compile(m[1]); err != nil || !selected.MatchString(pass) || !selected.MatchString(fail) {
				return s, false
			}
		}
		s.path = path.Join(dir, name+"_test.go")
		s.text = fmt.Sprintf("package %s\n\nimport \"testing\"\n\nfunc %s(t *testing.T) {}\n\nfunc %s(t *testing.T) { t.Error(\"1 != 2\") }\n", clause, pass, fail)
		s.pass, s.fail = pass, []string{fail}
	case parser == "node-test", parser == "tap":
		// Each file has a process of its own, so they go into a file of the task.
		f, err := tree.File(file)
		if err != nil || !isScript.MatchString(file) {
			return s, false
		}
		s.path, s.pass = file, randomName(" ")
		s.text, s.fail = nodeSentinel(s.pass, string(f.Data), strings.HasSuffix(file, ".mjs") || isModule.Match(f.Data))
		s.text = string(f.Data) + "\n" + s.text
	default:
		return s, false
	}
	return s, true
}

// textOf returns the text of the test files in a directory.
func textOf(dir string, files []string, tree patch.Tree) string {
	var text strings.Builder
	for _, file := range files {
		if f, err := tree.File(file); err == nil && path.Dir(file) == dir {
			text.Write(f.Data)
		}
	}
	return text.String()
}

// tests counts planted tests.
func tests(planted []sentinel) (n int) {
	for _, s := range planted {
		n += 1 + len(s.fail)
	}
	return n
}

// isScript and isModule recognize files of JavaScript, and those with import statements.
var (
	isScript = regexp.MustCompile(`\.[cm]?js$`)
	isModule = regexp.MustCompile(`(?m)^import[ {*"']`)
)

// goRun matches the pattern by which a command selects tests.
var goRun = regexp.MustCompile(`-run[= ]["']?([^"' ]+)`)

var goPackage = regexp.MustCompile(`(?m)^package\s+(\w+)`)

// packageClause returns the package of a Go file.
func packageClause(file string, tree patch.Tree) string {
	if !strings.HasSuffix(file, "_test.go") {
		return ""
	}
	f, err := tree.File(file)
	if err != nil {
		return ""
	}
	if m := goPackage.FindSubmatch(f.Data); m != nil {
		return string(m[1])
	}
	return ""
}

// betrayed returns what is wrong with the reports of the sentinels, or "": one of them is missing or has
// another status than it must have, or the runner's exit status is that of success.
func betrayed(planted []sentinel, status map[string]testlog.Status, exit int) string {
	for _, s := range planted {
		for _, name := range s.fail {
			switch fail := named(status, name); {
			case fail == "":
				return "a test that must fail is not reported"
			case fail != testlog.Failed && fail != testlog.Error:
				return "a test that must fail is reported as " + strings.ToLower(string(fail))
			}
		}
		switch pass := named(status, s.pass); {
		case pass == "":
			return "a test that must pass is not reported"
		case !pass.Good():
			return "a test that must pass is reported as " + strings.ToLower(string(pass))
		}
	}
	if len(planted) > 0 && exit == 0 {
		return "the runner exited with 0 although a test failed that must fail"
	}
	return ""
}

// named returns the status of the test whose id ends with a name.
func named(status map[string]testlog.Status, name string) testlog.Status {
	for id, s := range status {
		if strings.HasSuffix(id, name) {
			return s
		}
	}
	return ""
}
