package irt

import (
	"fmt"
	"strings"
)

// WarningKind is the subject of a warning.
type WarningKind string

// The warnings.
const (
	TooFewRespondents WarningKind = "too few respondents"
	SameRespondents   WarningKind = "respondents that answer alike"
	FewResponses      WarningKind = "items with few responses"
	ConstantItems     WarningKind = "constant items"
	ExtremeRespondent WarningKind = "respondents without a bound"
	Apart             WarningKind = "respondents without common items"
	Scattered         WarningKind = "more scatter than expected"
	Clipped           WarningKind = "scores of 0 and 1"
	NotConverged      WarningKind = "not converged"
	UnknownTrials     WarningKind = "unknown numbers of trials"
	NoVariation       WarningKind = "nothing to explain"
)

// Warning has to be shown with the estimates.
type Warning struct {
	Kind WarningKind `json:"kind"`
	Text string      `json:"text"`
}

// Thresholds of the warnings.
const (
	// EnoughRespondents is the number of different respondents from which difficulties are in about the
	// right order: with the scatter that β3-IRT assumes without trials, the mean Spearman correlation with
	// the true ones is then 0.85 (TestRecoveryByRespondents). With 90 independent trials for each cell
	// fewer give above 0.9, but such trials are rarely independent; with single responses it takes 30.
	EnoughRespondents = 12
	scatterWarned     = 1.5
	clippedWarned     = 0.02
)

// warnings collects everything that limits what the estimates mean.
func (e *Estimates) warnings() []Warning {
	var all []Warning
	add := func(kind WarningKind, text string, values ...any) {
		all = append(all, Warning{kind, fmt.Sprintf(text, values...)})
	}
	groups := e.p.alike()
	if n := len(groups); n < EnoughRespondents {
		subject := fmt.Sprintf("%d respondents", n)
		if n < len(e.Respondents) {
			subject = fmt.Sprintf("%d different respondents", n)
		}
		add(TooFewRespondents, "%s: difficulties and discriminations of single items mean little with fewer than %d, however well the responses are reproduced. Show their intervals, and no order of items by the estimates alone.", subject, EnoughRespondents)
	}
	if e.assumed != "" {
		add(UnknownTrials, "%s Give the column n, if it is known.", e.assumed)
	}
	for _, g := range groups {
		if len(g) > 1 {
			add(SameRespondents, "%s gave the same responses to all items; they count as several but tell what one does.", names(g, e.Respondents))
		}
	}
	e.warnItems(add)
	e.warnRespondents(add)
	if parts := e.p.parts(); parts > 1 {
		add(Apart, "the respondents fall into %d groups that have no item in common; their abilities are comparable by the priors alone.", parts)
	}
	if e.Dispersion.Known && e.Dispersion.Ratio > scatterWarned && e.Dispersion.divisor() > 1 {
		add(Scattered, "responses scatter %.1f times as much as a %v observation should; trials may not be independent, or one ability not enough. Intervals are widened for it.", e.Dispersion.Ratio, e.Observation)
	}
	if n := e.p.atEnds(); e.Observation == Beta && float64(n) > clippedWarned*float64(e.Responses) {
		add(Clipped, "%d of %d scores are within %v of 0 or 1, where a beta distribution has no place for them: estimates are pulled away from the truth, and Laplace intervals are too narrow. Give the number of trials, if there is one.", n, e.Responses, e.Clip)
	}
	if !e.Converged {
		add(NotConverged, "the search ended after %d iterations before it came to rest.", e.Iterations)
	}
	if !e.Explained.Defined {
		add(NoVariation, "expected or observed scores do not vary; there is no R².")
	}
	return all
}

func (e *Estimates) warnItems(add func(WarningKind, string, ...any)) {
	var constant, few []int
	for j := range e.Items {
		n, _, _ := e.p.scores(j*e.p.respondents, 1, e.p.respondents)
		if e.constant(j) {
			constant = append(constant, j)
		}
		if n < min(EnoughRespondents, len(e.Respondents)) {
			few = append(few, j)
		}
	}
	if len(constant) > 0 {
		add(ConstantItems, "%s: every response is the same, so that the discrimination is unknown, and of the difficulty at most the side of the abilities on which it lies; the numbers come from the priors.", names(constant, e.Items))
	}
	if len(few) > 0 {
		add(FewResponses, "%s: fewer responses than are needed for a difficulty that means something.", names(few, e.Items))
	}
}

func (e *Estimates) warnRespondents(add func(WarningKind, string, ...any)) {
	var extreme []int
	for i := range e.Respondents {
		if _, low, high := e.p.scores(i, e.p.respondents, e.p.items); low == high && (low == 0 || low == 1) {
			extreme = append(extreme, i)
		}
	}
	if len(extreme) > 0 {
		add(ExtremeRespondent, "%s: all responses are 0, or all 1, so that the ability is bounded by its prior alone.", names(extreme, e.Respondents))
	}
}

// names lists a few names.
func names(which []int, all []string) string {
	const most = 5
	var list []string
	for _, k := range which[:min(most, len(which))] {
		list = append(list, short(all[k]))
	}
	text := strings.Join(list, ", ")
	if more := len(which) - len(list); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// short returns the name, with the middle of a long one cut out.
func short(name string) string {
	const most = 60
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most/2]) + "…" + string(runes[len(runes)-most/2:])
	}
	return name
}

// scores returns the number of responses among count cells at from, from+step, …, with the smallest and
// largest score.
func (p *problem) scores(from, step, count int) (n int, low, high float64) {
	for k := range count {
		at := from + k*step
		if p.n[at] == 0 {
			continue
		}
		if y := p.raw[at]; n == 0 {
			low, high = y, y
		} else {
			low, high = min(low, y), max(high, y)
		}
		n++
	}
	return n, low, high
}

// alike groups respondents with the same scores on the same items, ordered by the first of each group.
func (p *problem) alike() [][]int {
	var groups [][]int
	same := func(i, k int) bool {
		for at := 0; at < len(p.raw); at += p.respondents {
			if (p.n[at+i] == 0) != (p.n[at+k] == 0) || p.raw[at+i] != p.raw[at+k] {
				return false
			}
		}
		return true
	}
next:
	for i := range p.respondents {
		for g := range groups {
			if same(groups[g][0], i) {
				groups[g] = append(groups[g], i)
				continue next
			}
		}
		groups = append(groups, []int{i})
	}
	return groups
}

// parts returns the number of groups of respondents that share no item, not even indirectly.
func (p *problem) parts() int {
	root := make([]int, p.respondents)
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	count := p.respondents
	for j := range p.items {
		first := -1
		for i := range p.respondents {
			if p.n[j*p.respondents+i] == 0 {
				continue
			}
			if first < 0 {
				first = i
			} else if a, b := find(first), find(i); a != b {
				root[a] = b
				count--
			}
		}
	}
	return count
}

// atEnds counts the scores that were clipped.
func (p *problem) atEnds() int {
	count := 0
	for at, y := range p.y {
		if p.n[at] > 0 && y != p.raw[at] {
			count++
		}
	}
	return count
}
