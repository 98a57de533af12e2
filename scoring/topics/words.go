package topics

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// Words returns the lower-case words of a text: runs of letters, with identifiers split (read_port,
// readPort), without numbers, single letters and stop words.
func Words(text string) []string {
	var all []string
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' }) {
		for _, part := range humps(run) {
			word := strings.ToLower(strings.Trim(strings.ReplaceAll(part, "’", "'"), "'"))
			if strings.HasSuffix(word, "n't") {
				continue // contractions such as doesn't
			}
			word, _, _ = strings.Cut(word, "'")
			word = singular(word)
			if len([]rune(word)) > 1 && !tellsNothing(word) {
				all = append(all, word)
			}
		}
	}
	return all
}

// tellsNothing reports whether a word is in empty.
func tellsNothing(word string) bool {
	for rest := empty; ; {
		at := strings.Index(rest, word)
		if at < 0 {
			return false
		}
		end := at + len(word)
		if (at == 0 || rest[at-1] == ' ' || rest[at-1] == '\n') && (rest[end] == ' ' || rest[end] == '\n') {
			return true
		}
		rest = rest[end:]
	}
}

// humps splits an identifier such as readPort or HTTPServer into words.
func humps(name string) []string {
	runes := []rune(name)
	var parts []string
	start := 0
	for i := 1; i < len(runes); i++ {
		up := unicode.IsUpper(runes[i])
		if up && unicode.IsLower(runes[i-1]) || up && i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1]) {
			parts = append(parts, string(runes[start:i]))
			start = i
		}
	}
	return append(parts, string(runes[start:]))
}

// singular strips the s of an English plural, so that "list" and "lists" are one word.
func singular(word string) string {
	switch {
	case len(word) < 4 || strings.HasSuffix(word, "ss") || strings.HasSuffix(word, "us") || strings.HasSuffix(word, "is"):
		return word
	case strings.HasSuffix(word, "ies"):
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "s"):
		return word[:len(word)-1]
	}
	return word
}

// empty lists stop words: those of English, and those of programming tasks.
const empty = `
a about above after again all also an and any are as at be because been before being below between both but by can
could did do doe doing down during each either else few for from further given give had has have having he her here how if in into
is it its itself just let like may me more most must my no nor not now of off on once one only or other our out over own
per same see should since so some such than that the their them then there these they this those through to too two under until up
upon us use used using very was we were what when where whether which while who will with within without would you your
write writes function method class program code python java javascript return returns returned input output parameter
argument value values call called following example constraint implement create make task def self none true false int
str float bool list dict any optional type typing import `

// vocabulary holds the words of texts with their counts.
type vocabulary struct {
	words  []string       // sorted
	number map[string]int // index of a word in words
	counts []map[int]int  // by text: the count of each word
	in     []int          // by word: the number of texts with it
}

func newVocabulary(texts []string) *vocabulary {
	v := &vocabulary{number: map[string]int{}}
	split := make([][]string, len(texts))
	seen := map[string]bool{}
	for i, text := range texts {
		split[i] = Words(text)
		for _, w := range split[i] {
			if !seen[w] {
				seen[w] = true
				v.words = append(v.words, w)
			}
		}
	}
	slices.Sort(v.words)
	for i, w := range v.words {
		v.number[w] = i
	}
	v.in = make([]int, len(v.words))
	for _, words := range split {
		counts := map[int]int{}
		for _, w := range words {
			counts[v.number[w]]++
		}
		for w := range counts {
			v.in[w]++
		}
		v.counts = append(v.counts, counts)
	}
	return v
}

// entry is a weight of a sparse row.
type entry struct {
	column int
	weight float64
}

// tfidf weighs the words of each text: (1 + ln tf) (ln((1+n)/(1+df)) + 1), each row of length 1 (Salton and
// Buckley 1988, smoothed as in scikit-learn). Words that occur in only one text are left out.
func (v *vocabulary) tfidf() [][]entry {
	n := float64(len(v.counts))
	rows := make([][]entry, len(v.counts))
	for i, counts := range v.counts {
		length := 0.0
		for w, count := range counts {
			if v.in[w] < 2 {
				continue
			}
			weight := (1 + math.Log(float64(count))) * (math.Log((1+n)/(1+float64(v.in[w]))) + 1)
			rows[i] = append(rows[i], entry{w, weight})
		}
		// so that sums of floats are reproducible
		slices.SortFunc(rows[i], func(a, b entry) int { return a.column - b.column })
		for _, e := range rows[i] {
			length += e.weight * e.weight
		}
		for j := range rows[i] {
			rows[i][j].weight /= math.Sqrt(length)
		}
	}
	return rows
}
