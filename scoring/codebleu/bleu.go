package codebleu

import (
	"cmp"
	"math"
	"strings"
)

// keywords are the Python keywords, which weigh more than other tokens.
var keywords = map[string]bool{
	"False": true, "None": true, "True": true, "and": true, "as": true, "assert": true, "async": true, "await": true,
	"break": true, "class": true, "continue": true, "def": true, "del": true, "elif": true, "else": true, "except": true,
	"finally": true, "for": true, "from": true, "global": true, "if": true, "import": true, "in": true, "is": true,
	"lambda": true, "nonlocal": true, "not": true, "or": true, "pass": true, "raise": true, "return": true, "try": true,
	"while": true, "with": true, "yield": true, "match": true, "case": true, "type": true,
}

const (
	orders       = 4   // of n-grams
	otherWeight  = 0.2 // of tokens other than keywords
	emptyMatches = 0.1 // stands in for 0 matches (Chen & Cherry 2014, method 1)
)

// ratio is a number of matches out of a number of possible ones.
type ratio struct{ matched, of float64 }

// bleu is BLEU with n-grams up to 4 (Papineni et al. 2002), smoothed.
func bleu(candidate []string, references []*text, mode Mode) float64 {
	var parts [orders]ratio
	for n := 1; n <= orders; n++ {
		most := map[string]int{}
		for _, r := range references {
			for gram, count := range grams(r.tokens, n) {
				most[gram] = max(most[gram], count)
			}
		}
		all := 0
		for gram, count := range grams(candidate, n) {
			parts[n-1].matched += float64(min(count, most[gram]))
			all += count
		}
		parts[n-1].of = float64(max(all, 1))
	}
	return combined(parts, len(candidate), closest(len(candidate), references), mode)
}

// weightedBLEU weighs keywords five times as much as other tokens. In mode Reference it is a recall, the
// share of the references' n-grams that the candidate has; in the paper (equation 3) it is a precision, the
// share of the candidate's n-grams that a reference has.
func weightedBLEU(candidate []string, references []*text, mode Mode) float64 {
	var parts [orders]ratio
	for n := 1; n <= orders; n++ {
		for _, r := range references {
			have, wanted := grams(candidate, n), grams(r.tokens, n)
			if mode == Default {
				have, wanted = wanted, have
			}
			weigh := n == 1
			of := 0.0
			for gram, count := range wanted {
				weight := 1.0
				if weigh && !keywords[gram] {
					weight = otherWeight
				}
				parts[n-1].matched += weight * float64(min(count, have[gram]))
				of += weight * float64(count)
			}
			parts[n-1].of += max(of, 1)
		}
	}
	length := closest(len(candidate), references)
	if mode == Reference {
		length = 2
	}
	return combined(parts, len(candidate), length, mode)
}

// combined returns the geometric mean of the parts, with the brevity penalty. In mode Default n-grams longer
// than the candidate are left out.
func combined(parts [orders]ratio, candidate, reference int, mode Mode) float64 {
	if parts[0].matched == 0 {
		return 0
	}
	used := parts[:]
	if mode == Default {
		used = parts[:min(orders, candidate)]
	}
	sum := 0.0
	for _, p := range used {
		p.matched = cmp.Or(p.matched, emptyMatches)
		sum += math.Log(p.matched/p.of) / float64(len(used))
	}
	if candidate > reference {
		return math.Exp(sum)
	}
	return math.Exp(1-float64(reference)/float64(candidate)) * math.Exp(sum)
}

// closest returns the reference length nearest to the candidate's; of two equally near ones, the shorter.
func closest(candidate int, references []*text) int {
	best := len(references[0].tokens)
	for _, r := range references[1:] {
		length := len(r.tokens)
		d, least := abs(length-candidate), abs(best-candidate)
		if d < least || d == least && length < best {
			best = length
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }

// grams counts the n-grams of a text.
func grams(tokens []string, n int) map[string]int {
	counts := map[string]int{}
	for i := 0; i+n <= len(tokens); i++ {
		counts[strings.Join(tokens[i:i+n], "\x00")]++
	}
	return counts
}
