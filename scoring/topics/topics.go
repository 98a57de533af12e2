package topics

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Topic is a group of texts.
type Topic struct {
	Name    string // its first words, until a person renames it
	Words   []Word // the most distinctive words first
	Members []int  // indices of its texts, ascending
}

// Word is a word of a topic with its class-based TF-IDF.
type Word struct {
	Text   string
	Weight float64
}

// Found is the result of Find.
type Found struct {
	Topics []Topic
	Noise  []int // texts of no topic
}

const (
	// MinTexts is the smallest number of texts in a topic.
	MinTexts = 3

	namedBy   = 3  // words in a name
	wordsKept = 10 // of each topic
)

// Find clusters texts by their points, from Lexical or Semantic. It selects the leaves of hdbscan's
// hierarchy with clusters of at least minTexts, as TaskEval does.
func Find(texts []string, points [][]float64, minTexts int) (Found, error) {
	if len(texts) != len(points) {
		return Found{}, fmt.Errorf("there are %d texts and %d points", len(texts), len(points))
	}
	if minTexts < MinTexts {
		return Found{}, fmt.Errorf("topics of %d texts say nothing: ask for %d or more", minTexts, MinTexts)
	}
	c, err := hdbscan(points, minTexts, Leaf)
	if err != nil {
		return Found{}, err
	}
	f := Found{Topics: make([]Topic, len(c.Stability))}
	for i, label := range c.Labels {
		if label == Noise {
			f.Noise = append(f.Noise, i)
			continue
		}
		f.Topics[label].Members = append(f.Topics[label].Members, i)
	}
	f.name(texts)
	return f, nil
}

// name finds each topic's distinctive words and names it after the first ones.
func (f *Found) name(texts []string) {
	groups := make([][]int, len(f.Topics))
	for i, t := range f.Topics {
		groups[i] = t.Members
	}
	taken := map[string]bool{}
	for i, words := range telling(texts, groups) {
		f.Topics[i].Words = words
		var first []string
		for _, w := range words[:min(namedBy, len(words))] {
			first = append(first, w.Text)
		}
		name := strings.Join(first, ", ")
		for n := 2; taken[name]; n++ { // topics may have the same first words
			name = fmt.Sprintf("%s (%d)", strings.Join(first, ", "), n)
		}
		f.Topics[i].Name, taken[name] = name, true
	}
}

// telling returns the distinctive words of each group by class-based TF-IDF (Grootendorst 2022, equation
// 2): how often the group has the word, times ln(1 + A/f), where A is the mean number of words of a group
// and f how often all groups have the word.
func telling(texts []string, groups [][]int) [][]Word {
	counts := make([]map[string]int, len(groups))
	all, total := map[string]int{}, 0
	for g, members := range groups {
		counts[g] = map[string]int{}
		for _, m := range members {
			for _, w := range Words(texts[m]) {
				counts[g][w]++
				all[w]++
				total++
			}
		}
	}
	out := make([][]Word, len(groups))
	for g := range groups {
		mean := float64(total) / float64(len(groups))
		for w, n := range counts[g] {
			out[g] = append(out[g], Word{w, float64(n) * math.Log(1+mean/float64(all[w]))})
		}
		slices.SortFunc(out[g], func(a, b Word) int {
			switch {
			case a.Weight > b.Weight:
				return -1
			case a.Weight < b.Weight:
				return 1
			}
			return strings.Compare(a.Text, b.Text)
		})
		out[g] = out[g][:min(wordsKept, len(out[g]))]
	}
	return out
}

// Merge joins the topics with the given indices into one, at the position of the first, and recomputes its
// words. The caller may rename it. Fewer than two indices, or one out of range, are an error.
func (f *Found) Merge(texts []string, numbers ...int) error {
	numbers = slices.Compact(slices.Sorted(slices.Values(numbers)))
	if len(numbers) < 2 {
		return fmt.Errorf("it takes two topics to be merged")
	}
	if last := numbers[len(numbers)-1]; numbers[0] < 0 || last >= len(f.Topics) {
		return fmt.Errorf("there are %d topics, numbered from 0, and so none of the number %d", len(f.Topics), last)
	}
	var rest []Topic
	merged := Topic{}
	for i, t := range f.Topics {
		if !slices.Contains(numbers, i) {
			rest = append(rest, t)
			continue
		}
		merged.Members = append(merged.Members, t.Members...)
	}
	slices.Sort(merged.Members)
	names := map[int]string{}
	for _, t := range rest {
		names[t.Members[0]] = t.Name // may have been given by a person
	}
	f.Topics = slices.Insert(rest, numbers[0], merged)
	f.name(texts)
	for i := range f.Topics {
		if name, ok := names[f.Topics[i].Members[0]]; ok && i != numbers[0] {
			f.Topics[i].Name = name
		}
	}
	return nil
}
