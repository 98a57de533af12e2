package rules

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/data/fatal"
)

var update = flag.Bool("update", false, "write the expected findings anew")

// golden compares text with a file of expected findings.
func golden(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		fatal.If(t, os.WriteFile(file, []byte(text), 0o644))
	}
	want, err := os.ReadFile(file)
	fatal.If(t, err)
	if text == string(want) {
		return
	}
	lines := map[string]bool{}
	for line := range strings.Lines(string(want)) {
		lines[line] = true
	}
	for line := range strings.Lines(text) {
		if !lines[line] {
			t.Errorf("not in %s: %s", file, line)
		}
	}
	t.Errorf("%s differs; look at it and run the test with -update", file)
}

// Every finding in every bad example, with its line and words.
func TestFindingsInExamples(t *testing.T) {
	var text strings.Builder
	for _, r := range All() {
		for _, f := range check(t, r.Bad).Findings {
			fmt.Fprintf(&text, "%s\t%d\t%s\t%s\n", r.ID, f.Line, f.Rule, f.Message)
		}
	}
	golden(t, "testdata/examples.tsv", text.String())
}

// token is what a variant changes: a name, a number, an operator or a bracket.
var token = regexp.MustCompile(`\w+|[-+*/%=!<>]=?|[^\w\s]`)

// variants are a program without one of its tokens, or with another in its place.
func variants(source string) (all []string) {
	for _, at := range token.FindAllStringIndex(source, -1) {
		old := source[at[0]:at[1]]
		for _, new := range []string{"", "x", "1", "None", "==", "not " + old, old + "." + old, old + "()"} {
			all = append(all, source[:at[0]]+new+source[at[1]:])
		}
	}
	return all
}

// How often each rule objects to variants of all examples, in how many of them, and the sum of the lines.
func TestFindingsInVariants(t *testing.T) {
	c := counts{}
	for _, r := range All() {
		for _, source := range []string{r.Bad, r.Good} {
			for _, v := range variants(source) {
				c.add(check(t, v))
			}
		}
	}
	golden(t, "testdata/variants.tsv", c.String())
}

// How often each rule objects to recorded answers of models, in how many of them, and the sum of the lines.
func TestFindingsInAnswers(t *testing.T) {
	c := counts{}
	for _, g := range generations(t) {
		c.add(check(t, g.source))
	}
	golden(t, "testdata/answers.tsv", c.String())
}

// counts are by rule: findings, programs with one, and the sum of their lines.
type counts map[string]*[3]int

func (c counts) add(r Report) {
	seen := map[string]bool{}
	for _, f := range r.Findings {
		if c[f.Rule] == nil {
			c[f.Rule] = &[3]int{}
		}
		c[f.Rule][0]++
		if !seen[f.Rule] {
			c[f.Rule][1]++
		}
		c[f.Rule][2] += f.Line
		seen[f.Rule] = true
	}
}

func (c counts) String() string {
	var text strings.Builder
	for _, id := range slices.Sorted(maps.Keys(c)) {
		fmt.Fprintf(&text, "%s\t%d\t%d\t%d\n", id, c[id][0], c[id][1], c[id][2])
	}
	return text.String()
}
