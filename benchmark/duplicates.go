package benchmark

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"unicode"
)

// Similar is a pair of tasks with similar statements.
type Similar struct {
	A, B    *Task
	FileA   int     // index of A's benchmark
	FileB   int     // index of B's benchmark
	Jaccard float64 // similarity of the sets of five consecutive words, 1 for equal statements
}

// Shingles of shingleWords words are compared. Those in more than maxPosting tasks belong to a common form
// and are ignored.
const (
	shingleWords = 5
	maxPosting   = 100
)

// FindSimilar lists the pairs of tasks of the same language, within and across benchmarks, whose
// statements' similarity is at least least, the most similar first. Tasks with the same id in two
// benchmarks are pairs like any other; among many equal statements, each is only listed with the first.
//
// The similarity is Jaccard's, over the sets of five consecutive words, ignoring case and punctuation
// (Broder 1997).
func FindSimilar(benchmarks []*Benchmark, least float64) []Similar {
	type document struct {
		task     *Task
		file     int
		shingles []uint64
	}
	var documents []document
	postings := map[uint64][]int{}
	for file, b := range benchmarks {
		for i := range b.Tasks {
			d := document{&b.Tasks[i], file, shingles(b.Tasks[i].Description)}
			for _, s := range d.shingles {
				postings[s] = append(postings[s], len(documents))
			}
			documents = append(documents, d)
		}
	}
	var found []Similar
	// Equal statements first: each is only paired with the first.
	first := map[string]int{}
	equal := make([]int, len(documents))
	for i, d := range documents {
		equal[i] = -1
		if len(d.shingles) == 0 {
			continue
		}
		key := fmt.Sprint(d.task.Language, d.shingles)
		if at, known := first[key]; known {
			equal[i] = at
			found = append(found, Similar{documents[at].task, d.task, documents[at].file, d.file, 1})
		} else {
			first[key] = i
		}
	}
	common := map[int]int{}
	for i, d := range documents {
		if equal[i] >= 0 {
			continue // its similarities are those of the first
		}
		clear(common)
		for _, s := range d.shingles {
			if list := postings[s]; len(list) <= maxPosting {
				for _, j := range list {
					if j < i && equal[j] < 0 && documents[j].task.Language == d.task.Language {
						common[j]++
					}
				}
			}
		}
		for j := range common {
			shared := intersection(d.shingles, documents[j].shingles)
			jaccard := float64(shared) / float64(len(d.shingles)+len(documents[j].shingles)-shared)
			if jaccard >= least {
				found = append(found, Similar{documents[j].task, d.task, documents[j].file, d.file, jaccard})
			}
		}
	}
	slices.SortFunc(found, func(a, b Similar) int {
		return cmp.Or(-cmp.Compare(a.Jaccard, b.Jaccard), cmp.Compare(a.A.ID, b.A.ID), cmp.Compare(a.B.ID, b.B.ID))
	})
	return found
}

// shingles returns the sorted, distinct hashes of all sequences of consecutive words in a text.
func shingles(text string) []uint64 {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return nil
	}
	var all []uint64
	for i := range max(len(words)-shingleWords+1, 1) {
		h := fnv.New64a()
		for _, w := range words[i:min(i+shingleWords, len(words))] {
			h.Write([]byte(w))
			h.Write([]byte{0})
		}
		all = append(all, h.Sum64())
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// intersection counts the common elements of two sorted lists.
func intersection(a, b []uint64) int {
	n := 0
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			n++
			a, b = a[1:], b[1:]
		}
	}
	return n
}
