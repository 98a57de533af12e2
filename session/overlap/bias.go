package overlap

import (
	"cmp"
	"slices"
	"strings"

	"assay/scoring/stats"
)

// biases compares judge and people in groups: by length, own family and verdict.
func (s *Set) biases(m measure, units []unit, models []string) []JudgeBias {
	h, from := &s.Header, map[string][]Origin{}
	for _, o := range h.Origins {
		from[o.Item] = append(from[o.Item], o)
	}
	var lengths []float64
	for i := range units {
		lengths = append(lengths, h.Item(units[i].id[0]).length())
	}
	own := func(item string) bool {
		return slices.ContainsFunc(from[item], func(o Origin) bool {
			return slices.ContainsFunc(models, func(judge string) bool { return Family(judge) == Family(o.Arm) })
		})
	}
	accepted := func(item string) int { // 0: not judged
		switch {
		case len(from[item]) == 0 || from[item][0].Verdict == "":
			return 0
		case from[item][0].Verdict == "accepted":
			return 1
		}
		return -1
	}
	list := []JudgeBias{}
	// add adds a group: +1 if a unit is in it, for a pair if its first answer is the one named; -1 if the second is.
	add := func(name string, side func(u *unit) int) {
		var people, judged, differences []float64
		var tasks []string
		for i := range units {
			u := &units[i]
			at, p, j := side(u), u.mean(), u.judged
			if at == 0 {
				continue
			}
			if at < 0 {
				p, j = 1-p, 1-j
			}
			people, judged, differences, tasks = append(people, p), append(judged, j), append(differences, j-p), append(tasks, u.task)
		}
		if len(tasks) == 0 {
			return
		}
		b := JudgeBias{Name: name, N: len(tasks), People: stats.Mean(people), Judge: stats.Mean(judged)}
		b.Difference, b.Range = clusteredMean(differences, tasks)
		list = append(list, b)
	}
	if m.id == "better" {
		length := func(item string) float64 { return h.Item(item).length() }
		add("the longer answer", func(u *unit) int { return cmp.Compare(length(u.id[0]), length(u.id[1])) })
		add("the answer of the judge's family", func(u *unit) int { return side(own(u.id[0]), own(u.id[1])) })
		add("the accepted answer, the other fails", func(u *unit) int {
			if x, y := accepted(u.id[0]), accepted(u.id[1]); x != 0 && y != 0 {
				return cmp.Compare(x, y)
			}
			return 0
		})
		return list
	}
	if len(lengths) == 0 {
		return list
	}
	middle := stats.Median(lengths)
	chosen := func(yes bool) int { return side(yes, false) }
	add("longer answers", func(u *unit) int { return chosen(h.Item(u.id[0]).length() > middle) })
	add("shorter answers", func(u *unit) int { return chosen(h.Item(u.id[0]).length() <= middle) })
	add("answers of the judge's family", func(u *unit) int { return chosen(own(u.id[0])) })
	add("answers of others", func(u *unit) int { return chosen(!own(u.id[0])) })
	add("accepted answers", func(u *unit) int { return chosen(accepted(u.id[0]) > 0) })
	add("failing answers", func(u *unit) int { return chosen(accepted(u.id[0]) < 0) })
	return list
}

// side returns 1 if only the first one is, -1 if only the second one is.
func side(first, second bool) int {
	switch {
	case first && !second:
		return 1
	case second && !first:
		return -1
	}
	return 0
}

// Family returns the family of a model by its name: the letters with which the last part of a path begins, in lower case.
func Family(model string) string {
	model = strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	end := strings.IndexFunc(model, func(r rune) bool { return (r < 'a' || r > 'z') && r < 128 })
	if end <= 0 {
		return model
	}
	return model[:end]
}
