package judge

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"assay/benchmark/verdicts"
)

// Messages of compilers and interpreters name lines of the program, in which the answer follows a prompt, imports or
// the tests' setup. People look at the answer: its lines are named as they are numbered there.

// renumber makes a result's messages name the lines of the answer.
func (r *run) renumber(answer string) {
	if r.result.Verdict == verdicts.Accepted || r.tool == nil && r.result.Message == "" {
		return
	}
	before, source, file := linesBefore(r.program, answer), r.program, "solution.py"
	if r.isScript() {
		before += strings.Count(r.task.Tests.Setup, "\n")
	}
	if before == 0 {
		return
	}
	if r.isScript() {
		source, _ = r.sources()
	}
	if r.tool != nil {
		file = r.tool.fileOf(source)
	}
	l := answerLines{before, strings.Count(strings.TrimSuffix(answer, "\n"), "\n") + 1, lineIn(file)}
	r.result.Message, r.result.Stderr = l.of(r.result.Message), l.of(r.result.Stderr)
	for i := range r.result.Cases {
		r.result.Cases[i].Message = l.of(r.result.Cases[i].Message)
	}
}

// linesBefore returns how many lines of a program stand before an answer, some of whose lines may be changed in it or
// left out: what most of the lines tell that stand once in the program.
func linesBefore(program, answer string) int {
	at := map[string]int{}
	for i, line := range strings.Split(program, "\n") {
		if _, twice := at[line]; twice {
			i = -1
		}
		at[line] = i
	}
	votes, best := map[int]int{}, 0
	for i, line := range strings.Split(answer, "\n") {
		if n, there := at[line]; there && n >= i && strings.TrimSpace(line) != "" {
			if votes[n-i]++; votes[n-i] >= votes[best] { // imports may have been moved, what follows was not
				best = n - i
			}
		}
	}
	return best
}

// answerLines are the lines of a program in which an answer stands.
type answerLines struct {
	before, count int
	named         *regexp.Regexp // matches where a line of the program is named; the number is its last group
}

// lineIn returns the pattern by which compilers and interpreters name lines of a file.
func lineIn(file string) *regexp.Regexp {
	return regexp.MustCompile(`(\b` + regexp.QuoteMeta(file) + `(?::(?: line )?|\(|"?,? (?:on )?line )|\(line )(\d+)\b|(?m)^( *)(\d+)( \|)`)
}

// of returns a message with the numbers of the answer's lines.
func (l answerLines) of(message string) string {
	return l.named.ReplaceAllStringFunc(message, func(found string) string {
		m := l.named.FindStringSubmatch(found)
		n, err := strconv.Atoi(m[2] + m[4])
		if n -= l.before; err != nil || n < 1 || n > l.count {
			return found
		}
		if m[4] != "" { // the margin of a quoted line
			return fmt.Sprintf("%*d%s", len(m[3]+m[4]), n, m[5])
		}
		return m[1] + strconv.Itoa(n)
	})
}
