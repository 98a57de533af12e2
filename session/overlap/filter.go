package overlap

import (
	"maps"
	"slices"

	"assay/benchmark"
)

// Only returns the part of the ratings whose tasks a filter matches, by the metadata that the file stores, to be analysed. It is
// an error if there are none. How many answers were the same and not asked for is not known of a part.
func (s *Set) Only(filter benchmark.Filter) (*Set, error) {
	if filter.String() == "" {
		return s, nil
	}
	h := s.Header
	kept := map[string]bool{} // items and pairs
	h.Items = nil
	var tasks []*benchmark.Task
	for i := range s.Header.Items {
		item := &s.Header.Items[i]
		t, err := item.Task.Stored(item.Blob)
		if err != nil {
			return nil, err
		}
		if tasks = append(tasks, t); filter.Match(t) {
			kept[item.ID], h.Items = true, append(h.Items, *item)
		}
	}
	if len(h.Items) == 0 {
		return nil, filter.NoMatch("no task of the ratings", tasks)
	}
	h.Pairs = slices.DeleteFunc(slices.Clone(h.Pairs), func(p Pair) bool { return !kept[p.A] })
	for _, p := range h.Pairs {
		kept[p.ID] = true
	}
	h.Origins = slices.DeleteFunc(slices.Clone(h.Origins), func(o Origin) bool { return !kept[o.Item] })
	h.Work = slices.Clone(h.Work)
	for i := range h.Work {
		h.Work[i].Items = slices.DeleteFunc(slices.Clone(h.Work[i].Items), func(id string) bool { return !kept[id] })
	}
	h.Identical = 0
	if h.People != nil {
		part := *h.People // whose strata stay those of the draw
		part.Units, part.Of = h.RatedByPeople(), len(h.units(false))
		h.People = &part
	}
	only := *s
	only.filter = filter.String()
	only.Header, only.people, only.judges = h, maps.Clone(s.people), nil
	for rater, p := range only.people {
		part := *p
		part.events = slices.DeleteFunc(slices.Clone(p.events), func(ev Event) bool { return ev.Compared != nil && !kept[ev.Compared.Pair] })
		only.people[rater] = &part
	}
	for _, j := range s.judges {
		part := &judging{judge: j.judge, known: j.known}
		part.list = slices.DeleteFunc(slices.Clone(j.list), func(e Judged) bool { return !kept[e.Item] && !kept[e.A] })
		only.judges = append(only.judges, part)
	}
	only.picks = slices.DeleteFunc(slices.Clone(s.picks), func(p SessionPick) bool { return !p.matches(filter) })
	only.settled = slices.DeleteFunc(slices.Clone(s.settled), func(e Settled) bool { return !kept[e.Item] })
	return &only, nil
}
