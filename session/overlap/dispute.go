package overlap

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"assay/session"
)

// Apart is the default number of points by which raters must differ to disagree.
const Apart = 2

// Dispute is a question on which an item's raters disagree.
type Dispute struct {
	Item      *Item
	Attribute *session.Attribute // nil for a label
	Label     *session.Label     // nil for an attribute
	Answers   []Answer           // of all its raters, by letter
	Settled   *Settled           // nil: not settled yet
}

// Answer is one rater's answer.
type Answer struct {
	Letter string
	Score  int    // 0: none
	Value  string // of a label; "": none
	Note   string // on the item
}

// Letter returns the letter of a rater, A for the first one.
func (h *Header) Letter(rater string) string {
	const letters = 26
	i := slices.Index(h.Raters, rater)
	if i < 0 || i >= letters {
		return "R" + strconv.Itoa(i+1)
	}
	return string(rune('A' + i))
}

// CheckApart returns an error if raters cannot differ by this many points.
func (h *Header) CheckApart(points int) error {
	most := 0
	for _, a := range h.Attributes {
		most = max(most, a.Max()-1)
	}
	if len(h.Pairs) == 0 && (points < 1 || points > most) {
		return fmt.Errorf("%d points apart: these scales allow 1 to %d", points, most)
	}
	return nil
}

// Disputes lists the questions on which raters disagree: scores of an attribute that differ by at least
// apart points, or different values of a label. Before the ratings are closed it returns [ErrOpen].
func (s *Set) Disputes(apart int) ([]Dispute, error) {
	var list []Dispute
	settled := s.Settlements()
	for i := range s.Header.Items {
		item := &s.Header.Items[i]
		given, err := s.Given(item.ID)
		if err != nil {
			return nil, err
		}
		for j := range s.Header.Attributes {
			a := &s.Header.Attributes[j]
			low, high := 0, 0
			for _, g := range given {
				if score, ok := g.Form.Scores[a.ID]; ok {
					low, high = min(cmp.Or(low, score), score), max(high, score)
				}
			}
			if high-low >= apart {
				list = append(list, s.dispute(Dispute{Item: item, Attribute: a}, given, settled))
			}
		}
		for j := range s.Header.Labels {
			l := &s.Header.Labels[j]
			var values []string
			for _, g := range given {
				if v, ok := g.Form.Labels[l.ID]; ok && !slices.Contains(values, v) {
					values = append(values, v)
				}
			}
			if len(values) > 1 {
				list = append(list, s.dispute(Dispute{Item: item, Label: l}, given, settled))
			}
		}
	}
	return list, nil
}

// dispute fills in the answers and the settlement.
func (s *Set) dispute(d Dispute, given []Given, settled []Settled) Dispute {
	q := question{item: d.Item.ID}
	if d.Attribute != nil {
		q.attribute = d.Attribute.ID
	} else {
		q.label = d.Label.ID
	}
	for _, g := range given {
		d.Answers = append(d.Answers, Answer{s.Header.Letter(g.Rater), g.Form.Scores[q.attribute], g.Form.Labels[q.label], g.Form.Note})
	}
	slices.SortFunc(d.Answers, func(a, b Answer) int { return cmp.Compare(a.Letter, b.Letter) })
	for _, e := range settled {
		if e.question() == q {
			d.Settled = &e
		}
	}
	return d
}
