package prompts

import (
	"fmt"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/statement"
)

// FlagKind is a kind of doubt about a candidate.
type FlagKind string

// The kinds of doubt. None decides anything: a reviewer does.
const (
	HasExample   FlagKind = "example"   // an example was left in
	HasCode      FlagKind = "code"      // it contains program text, and the statement does not
	NamesIt      FlagKind = "names"     // level 2 uses names of the reference solution
	NamesNothing FlagKind = "no names"  // level 3 uses no names of the reference solution
	NotChecked   FlagKind = "unchecked" // the language has no grammar
	TooClose     FlagKind = "too close" // it is nearly equal to another wording
)

// Flag is a doubt with its subject.
type Flag struct {
	Kind  FlagKind
	About []string // the names, or the other wording
}

// String describes the doubt as a sentence without its full stop.
func (f Flag) String() string {
	about := strings.Join(f.About, ", ")
	switch f.Kind {
	case HasExample:
		return "it still has an example"
	case HasCode:
		return "it holds code"
	case NamesIt:
		return "it names what the reference solution names: " + about
	case NamesNothing:
		return "it names nothing of the reference solution, as level 3 should"
	case NotChecked:
		return "names are not checked: " + about
	case TooClose:
		return "it is nearly the same as " + about
	}
	return string(f.Kind)
}

// levelMethod is the first context level written from the reference solution: it describes the method
// without names from the code. Level 3 includes the names.
const levelMethod = 2

// nearlySame is the similarity from which two wordings are flagged.
const nearlySame = 0.85

// Checker checks the prompts of one task.
type Checker struct {
	task   *benchmark.Task
	shapes statement.Shapes
	names  Names
}

// NewChecker prepares a task for checking any number of prompts.
func NewChecker(t *benchmark.Task) *Checker {
	c := &Checker{task: t, shapes: statement.New(t.EntryPoint)}
	if t.Reference != "" {
		c.names = namesOf(t)
	}
	return c
}

// Check lists the doubts about a prompt. others are the other wordings of the task.
func (c *Checker) Check(p Prompt, others []Prompt) []Flag {
	var flags []Flag
	if !slices.Equal(strings.Fields(c.shapes.Without(p.Text, c.task.Examples)), strings.Fields(p.Text)) {
		flags = append(flags, Flag{Kind: HasExample})
	}
	if hasCode(p.Text) && !hasCode(c.task.Description) {
		flags = append(flags, Flag{Kind: HasCode})
	}
	flags = append(flags, c.checkNames(p)...)
	for _, other := range others {
		if other.Task == p.Task && other.Name != p.Name && other.Level == p.Level && similarity(p.Text, other.Text) >= nearlySame {
			flags = append(flags, Flag{TooClose, []string{other.Name}})
			break
		}
	}
	return flags
}

func (c *Checker) checkNames(p Prompt) []Flag {
	switch {
	case c.task.Reference == "" || p.Level < levelMethod:
	case c.names.err != nil:
		return []Flag{{NotChecked, []string{c.names.err.Error()}}}
	case p.Level == levelMethod:
		if used := c.names.In(p.Text); len(used) > 0 {
			return []Flag{{NamesIt, used}}
		}
	case len(c.names.list) > 0 && !c.names.Any(p.Text):
		return []Flag{{Kind: NamesNothing}}
	}
	return nil
}

// hasCode reports whether a text has a fence, or lines that can only be code.
func hasCode(text string) bool {
	if strings.Contains(text, "```") {
		return true
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "def ") && strings.HasSuffix(line, ":") || strings.HasPrefix(line, "return ") && strings.ContainsAny(line, "[](){}=+*;") ||
			strings.HasPrefix(line, "#include") || strings.HasSuffix(line, ") {") {
			return true
		}
	}
	return false
}

// similarity is Dice's coefficient of two texts' pairs of adjacent words, ignoring case and punctuation: 1
// for the same words in the same order, 0 without a common pair.
func similarity(a, b string) float64 {
	x, y := pairs(a), pairs(b)
	total, common := 0, 0
	for pair, n := range x {
		total += n
		common += min(n, y[pair])
	}
	for _, n := range y {
		total += n
	}
	if total == 0 {
		return 0
	}
	return 2 * float64(common) / float64(total)
}

// pairs counts pairs of adjacent words; start and end count as words.
func pairs(text string) map[string]int {
	list := words(strings.ToLower(text))
	if len(list) == 0 {
		return nil
	}
	count, before := map[string]int{}, ""
	for _, w := range list {
		count[before+" "+w.text]++
		before = w.text
	}
	count[before+" "]++
	return count
}

// Describe lists all doubts in one line.
func Describe(flags []Flag) string {
	parts := make([]string, len(flags))
	for i, f := range flags {
		parts[i] = fmt.Sprint(f)
	}
	return strings.Join(parts, "; ")
}
