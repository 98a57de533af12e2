package statement

import (
	"regexp"
	"strings"

	"assay/benchmark"
)

// Split takes the description of a task apart, if it has neither constraints nor examples yet. A description of
// nothing but examples stays.
func Split(t *benchmark.Task) {
	if len(t.Constraints)+len(t.Examples) > 0 {
		return
	}
	s := New(t.EntryPoint)
	rest, blocks := s.blocks(t.Description, nil)
	rest, found := withoutConstraints(rest)
	rest, sentences := withoutSentences(rest)
	if rest = tidied(rest); rest == "" {
		return
	}
	t.Description, t.Constraints = rest, found
	for _, block := range blocks {
		t.Examples = append(t.Examples, s.examples(block)...)
	}
	for _, sentence := range sentences {
		t.Examples = append(t.Examples, benchmark.Example{Input: strings.TrimSpace(sentence)})
	}
}

var (
	constraints = regexp.MustCompile(`(?i)^constrain(?:t|ts|s)?\s*(?::|$)`)
	other       = regexp.MustCompile(`^[A-Z][\w -]{1,40}:|^(?i:input|output|note|follow[- ]?up)s?\s*:?$`) // a heading
	bullet      = regexp.MustCompile(`^(?:[*•-]|\d+[.)])\s+`)
)

// withoutConstraints removes the sections of constraints from a statement and returns each constraint.
func withoutConstraints(text string) (rest string, found []string) {
	var kept []string
	inside, listed, blank := false, false, false
	for line := range strings.SplitSeq(text, "\n") {
		plain := strings.TrimSpace(line)
		at := constraints.FindStringIndex(bare(line))
		switch {
		case at != nil:
			same := strings.TrimSpace(bare(line)[at[1]:])
			if inside, listed, blank = same == "", false, false; !inside {
				found = append(found, same)
			}
			continue
		case inside && plain == "":
			blank = true
			continue
		case inside && (other.MatchString(bare(line)) || listed && blank && !bullet.MatchString(plain)):
			inside = false
			kept = append(kept, "")
		}
		switch {
		case !inside:
			kept = append(kept, line)
			continue
		case bullet.MatchString(plain):
			listed = true
			found = append(found, bullet.ReplaceAllString(plain, ""))
		case listed:
			found[len(found)-1] += " " + plain
		default:
			found = append(found, plain)
		}
		blank = false
	}
	return strings.Join(kept, "\n"), found
}

var (
	partName  = regexp.MustCompile(`(?i)^(?:(input|output|explanation)s?\s*(?::|$)|results?\s*:)\s*`)
	inOut     = regexp.MustCompile(`(?i)^(?:in|out)puts?\s*(?::|$)`)
	separator = regexp.MustCompile(`^\s*(?:# ?)?(?:={2,}>?|=>|-+>|➞|→|=|returns?:?\s|should (?:return|be)\s)\s*`)
	announces = regexp.MustCompile(`^(?i:assert|for|if)\s`)
)

// examples reads the lines of one place with examples.
func (s Shapes) examples(lines []string) []benchmark.Example {
	for _, line := range lines {
		switch plain := bare(line); {
		case strings.HasPrefix(strings.TrimSpace(line), ">>>"):
			return doctests(lines)
		case inOut.MatchString(plain):
			return byParts(lines)
		}
	}
	return s.byLines(lines)
}

// doctests reads calls after ">>>", each with the lines of its result.
func doctests(lines []string) []benchmark.Example {
	var list []benchmark.Example
	for _, line := range lines {
		plain := strings.TrimSpace(line)
		call, is := strings.CutPrefix(plain, ">>>")
		more, goesOn := strings.CutPrefix(plain, "...")
		switch n := len(list) - 1; {
		case is:
			list = append(list, benchmark.Example{Input: strings.TrimSpace(call)})
		case plain == "":
		case n < 0:
			list = append(list, benchmark.Example{Input: plain})
		case goesOn && list[n].Output == "":
			list[n].Input += "\n" + strings.TrimPrefix(more, " ")
		default:
			list[n].Output = joined(list[n].Output, plain)
		}
	}
	return list
}

func joined(text, line string) string { return strings.TrimPrefix(text+"\n"+line, "\n") }

// byParts reads examples with "Input:", "Output:" and "Explanation:".
func byParts(lines []string) []benchmark.Example {
	var list []benchmark.Example
	var part *string
	for _, line := range lines {
		plain := strings.TrimSpace(line)
		if name := partName.FindStringSubmatch(bare(line)); name != nil {
			first := strings.EqualFold(name[1], "input")
			if n := len(list); n == 0 || first && (list[n-1].Output != "" || list[n-1].Explanation != "") {
				list = append(list, benchmark.Example{})
			}
			e := &list[len(list)-1]
			switch strings.ToLower(name[1]) {
			case "input":
				part = &e.Input
			case "explanation":
				part = &e.Explanation
			default:
				part = &e.Output
			}
			plain = strings.TrimSpace(bare(line)[len(name[0]):])
		} else if part == nil {
			list = append(list, benchmark.Example{})
			part = &list[0].Input
		}
		if plain != "" {
			*part = joined(*part, plain)
		}
	}
	return list
}

// byLines reads a call or a sentence on each line, with the result after an arrow, an equals sign or "returns". A
// call may take several lines; any other line explains the example before it. Lines without a call are one
// example.
func (s Shapes) byLines(lines []string) []benchmark.Example {
	var list []benchmark.Example
	var open string // the beginning of a call
	calls := false
	for _, line := range lines {
		plain := bullet.ReplaceAllString(strings.TrimSpace(line), "")
		if plain == "" {
			continue
		}
		explained := partName.FindString(plain)
		plain = plain[len(explained):]
		if open != "" {
			open, plain = "", open+"\n"+plain
		}
		input, output, is, whole := s.split(plain)
		switch n := len(list) - 1; {
		case !whole:
			open = plain
		case explained == "" && (is || announces.MatchString(plain)):
			calls = true
			list = append(list, benchmark.Example{Input: input, Output: output})
		case n < 0:
			list = append(list, benchmark.Example{Input: plain})
		case calls:
			list[n].Explanation = joined(list[n].Explanation, plain)
		default:
			list[n].Input = joined(list[n].Input, plain)
		}
	}
	if open != "" {
		list = append(list, benchmark.Example{Input: open})
	}
	return list
}

// split splits a line that starts with a call into the call and its result. whole is false if the call's bracket
// is not closed.
func (s Shapes) split(line string) (input, output string, is, whole bool) {
	at := s.starts.FindStringIndex(line)
	if at == nil {
		return line, "", false, true
	}
	end := callEnd(line[at[1]:])
	if end < 0 {
		return line, "", true, false
	}
	input, after := line[:at[1]+end], line[at[1]+end:]
	sep := separator.FindString(after)
	if sep == "" {
		return line, "", true, true
	}
	return strings.TrimSpace(announces.ReplaceAllString(input, "")), strings.TrimSpace(after[len(sep):]), true, true
}

// callEnd returns the end of a call after its opening bracket, or -1. Brackets in strings do not count.
func callEnd(text string) int {
	depth, quote := 1, rune(0)
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
