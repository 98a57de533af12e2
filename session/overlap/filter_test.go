package overlap

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
)

// part returns the set of a file in which there are only some tasks, with what was said of them.
func (s *Set) part(t fatal.Test, keep func(task string) bool) *Set {
	h := s.Header
	task := map[string]string{}
	for _, it := range h.Items {
		task[it.ID] = it.Task.ID
	}
	for _, p := range h.Pairs {
		task[p.ID] = task[p.A]
	}
	kept := func(id string) bool { return task[id] != "" && keep(task[id]) }
	h.Items, h.Pairs, h.Origins, h.Work, h.Identical = nil, nil, nil, nil, 0
	for _, it := range s.Header.Items {
		if kept(it.ID) {
			h.Items = append(h.Items, it)
		}
	}
	for _, p := range s.Header.Pairs {
		if kept(p.ID) {
			h.Pairs = append(h.Pairs, p)
		}
	}
	for _, o := range s.Header.Origins {
		if kept(o.Item) {
			h.Origins = append(h.Origins, o)
		}
	}
	for _, w := range s.Header.Work {
		list := []string{}
		for _, id := range w.Items {
			if kept(id) {
				list = append(list, id)
			}
		}
		h.Work = append(h.Work, Work{w.Rater, list})
	}
	if h.People != nil {
		people := *h.People
		people.Units, people.Of = h.RatedByPeople(), len(h.units(false))
		h.People = &people
	}
	h.Plan = h.hash()
	fatal.If(t, h.Check())
	only := NewSet(h)
	for _, r := range h.Raters {
		if len(h.Of(r)) == 0 || s.people[r] == nil {
			continue
		}
		for _, ev := range s.people[r].events {
			if ev.Opened == nil {
				id, _, err := s.alteration(ev)
				if fatal.If(t, err); !kept(id) {
					continue
				}
			}
			fatal.If(t, only.Apply(ev))
		}
	}
	for _, j := range s.judges {
		fatal.If(t, only.Apply(Event{Judge: &j.judge}))
		for _, e := range j.list {
			if kept(e.Item) || kept(e.A) {
				fatal.If(t, only.Apply(Event{Judged: &e}))
			}
		}
	}
	fatal.If(t, only.Apply(Event{Closed: s.closed}))
	for _, e := range s.settled {
		if kept(e.Item) {
			fatal.If(t, only.Apply(Event{Settled: &e}))
		}
	}
	return only
}

// The analysis of the tasks that a filter chooses equals that of a file that has only these tasks.
func TestFilteredRatings(t *testing.T) {
	ratings := rated(t, true)
	fatal.If(t, ratings.Apply(Event{Settled: &Settled{By: "eve", Item: ratings.Header.Items[0].ID, Attribute: "accuracy", Score: 2, Reason: "ran it", At: at(90)}}))
	think := func(i *Item) opinion { return opinion{float64(1 + len(i.ID+i.Task.ID)%5), float64(1 + i.ID[0]%5)} }
	sets := []*Set{ratings, rated(t, false)}
	for _, pairs := range []bool{false, true} {
		sets = append(sets, judgedFile(t, rand.New(rand.NewPCG(1, 2)), pairs, 30, think))
	}
	random := rand.New(rand.NewPCG(3, 4))
	for try := range 64 { // judgements take longer to analyse
		s := sets[try%2]
		if try%8 == 0 {
			s = sets[2+try/8%2]
		}
		var tasks []string
		for _, it := range s.Header.Items {
			if !slices.Contains(tasks, it.Task.ID) {
				tasks = append(tasks, it.Task.ID)
			}
		}
		n := 1 + random.IntN(len(tasks))
		random.Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
		text := "id:" + strings.Join(tasks[:n], ",")
		if random.IntN(2) == 0 && n < len(tasks) {
			text = "-" + text
		}
		filter, err := benchmark.ParseFilter(text)
		fatal.If(t, err)
		part, err := s.Only(filter)
		fatal.If(t, err)
		got, err := Analyse(part, Apart)
		data := s.part(t, func(id string) bool { return filter.Match(&benchmark.Task{ID: id}) })
		want, errWant := Analyse(data, Apart)
		if fmt.Sprint(err) != fmt.Sprint(errWant) {
			t.Fatalf("%s: %v, and of the data %v", filter, err, errWant)
		}
		if err != nil {
			continue
		}
		if got.Filter != text {
			t.Errorf("the filter is said to be %q", got.Filter)
		}
		got.Filter, got.Plan = "", want.Plan
		if a, b := asJSON(t, got), asJSON(t, want); a != b {
			t.Errorf("%s: the analysis is\n%s\nand that of the data is\n%s", filter, a, b)
		}
	}
	none, err := benchmark.ParseFilter("difficulty:hard type:plot")
	fatal.If(t, err)
	if _, err := ratings.Only(none); err == nil || !strings.Contains(err.Error(), `no task of the ratings matches the filter "difficulty:hard type:plot": none of the 12 tasks has the field "type"`) {
		t.Error(err)
	}
}

func asJSON(t fatal.Test, v any) string {
	text, err := json.Marshal(v)
	fatal.If(t, err)
	return string(text)
}
