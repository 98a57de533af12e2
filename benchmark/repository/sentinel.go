package repository

import (
	"crypto/rand"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
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

// sentinels returns the sentinels for an environment, beside the given test files of a tree and named like a test of
// the task. There are none for runners that no kind of tests is for, unless the environment says how to plant some.
func sentinels(e benchmark.Environment, files []string, like string, tree patch.Tree) []sentinel {
	commands := strings.Join(e.Test, "\n")
	if stopsEarly.MatchString(commands) { // a test that must fail would keep others from being run
		return nil
	}
	if len(e.Planted) > 0 {
		return inserted(e.Planted, tree)
	}
	var planted []sentinel
	seen := map[string]bool{}
	for _, file := range files {
		dir := path.Dir(file)
		if seen[dir] {
			continue
		}
		at := place{commands: commands, dir: dir, file: file, like: like, text: textOf(dir, files, tree)}
		if f, err := tree.File(file); err == nil {
			at.own = string(f.Data)
		}
		for _, kind := range kinds {
			suits := slices.Contains(strings.Fields(kind.parsers), e.Parser) && kind.files.MatchString(file)
			if !suits || kind.uses != nil && !kind.uses.MatchString(at.own) {
				continue
			}
			if s, ok := kind.write(at); ok {
				seen[dir] = true
				planted = append(planted, s)
			}
			break
		}
	}
	return planted
}

// stopsEarly matches options with which runners stop at the first failure, behind what stays of a command.
var stopsEarly = regexp.MustCompile(`(?:\s(?:--bail|--exitfirst|--maxfail|--?failfast)\b(?:[= ]\d+)?|(pytest\b.*)\s-x\b|(unittest\b.*)\s-f\b)`)

// withoutStop returns commands that go on after a failure.
func withoutStop(commands []string) []string {
	commands = slices.Clone(commands)
	for i := range commands {
		commands[i] = stopsEarly.ReplaceAllString(commands[i], "$1$2")
	}
	return commands
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

// named returns the status of the test whose id ends with a name, or begins with it as Django writes ids.
func named(status map[string]testlog.Status, name string) testlog.Status {
	for id, s := range status {
		if strings.HasSuffix(id, name) || strings.HasPrefix(id, name+" (") {
			return s
		}
	}
	return ""
}
