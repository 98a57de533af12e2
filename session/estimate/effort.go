package estimate

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is a reason to doubt an estimate, which may have been filled in at random. TaskEval checked by hand
// for meaningful explanations, and for inconsistent pairs of time and difficulty.
type Kind string

// The kinds of doubt. None excludes an estimate: the owner of the round decides.
const (
	Short      Kind = "short text"           // summary or reason has too few words
	SameText   Kind = "same text"            // the same text on several tasks
	AllAlike   Kind = "all alike"            // all times and difficulties are equal
	TooFast    Kind = "too fast"             // faster than reading the shortest phrasing
	Incoherent Kind = "does not go together" // very easy with the longest time, or very difficult with the shortest
)

// Doubt is a reason to doubt an estimate or, without a task, all estimates of a person.
type Doubt struct {
	Estimator string `json:"estimator"`
	Task      string `json:"task,omitempty"`
	Kind      Kind   `json:"kind"`
	Says      string `json:"says"`
}

// EnoughWords is the smallest number of words in a meaningful summary or reason.
const EnoughWords = 3

// fastest is a speed in words a minute at which nobody reads with understanding: twice the 238 of silent
// reading (Brysbaert 2019), rounded up.
const fastest = 500

// Doubts lists possible signs of low effort among the estimates that are kept and not refused.
func (r *Round) Doubts(words int) []Doubt {
	var list []Doubt
	for _, who := range r.order {
		given := slices.DeleteFunc(r.Given(who), func(e Estimate) bool { return r.Refused(who, e.Task) != "" })
		add := func(task string, kind Kind, format string, args ...any) {
			list = append(list, Doubt{who, task, kind, fmt.Sprintf(format, args...)})
		}
		summaries, reasons := map[string]int{}, map[string]int{}
		for _, e := range given {
			summaries[plain(e.Summary)]++
			reasons[plain(e.Reason)]++
		}
		for _, e := range given {
			for _, text := range []struct{ name, text string }{{"summary", e.Summary}, {"reason", e.Reason}} {
				if n := len(strings.Fields(text.text)); n < words {
					add(e.Task, Short, "the %s has %d of %d words: %q", text.name, n, words, text.text)
				}
			}
			if n := summaries[plain(e.Summary)]; n > 1 {
				add(e.Task, SameText, "the same summary on %d tasks: %q", n, e.Summary)
			}
			if n := reasons[plain(e.Reason)]; n > 1 {
				add(e.Task, SameText, "the same reason on %d tasks: %q", n, e.Reason)
			}
			if least := r.Header.Item(e.Task).reading(); e.MS < least {
				add(e.Task, TooFast, "%.1f s on the screen, and %.1f s to read its shortest phrasing at %d words a minute", float64(e.MS)/1000, float64(least)/1000, fastest)
			}
			labels := r.Header.Labels()
			if e.Difficulty == 1 && *e.Time == len(labels)-1 || e.Difficulty == Points && *e.Time == 0 {
				add(e.Task, Incoherent, "%s, and %s", DifficultyLabels()[e.Difficulty-1], labels[*e.Time])
			}
		}
		const several = 3
		alike := func(e Estimate) bool { return *e.Time == *given[0].Time && e.Difficulty == given[0].Difficulty }
		if len(given) >= several && !slices.ContainsFunc(given, func(e Estimate) bool { return !alike(e) }) {
			add("", AllAlike, "%s and %s for all of %d tasks", r.Header.Labels()[*given[0].Time], DifficultyLabels()[given[0].Difficulty-1], len(given))
		}
	}
	return list
}

// plain normalises a text for comparison.
func plain(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// reading returns how many milliseconds the fastest reader takes for the shortest phrasing.
func (item *Item) reading() int64 {
	least := 0
	for i, p := range item.Phrasings {
		if n := len(strings.Fields(p.Text)); i == 0 || n < least {
			least = n
		}
	}
	return int64(least) * 60_000 / fastest
}
