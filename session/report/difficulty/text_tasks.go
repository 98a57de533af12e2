package difficulty

import (
	"fmt"
	"slices"

	"assay/session/difficulty"
	doc "assay/session/report/document"
)

// listed is how many of the hardest and easiest tasks are listed.
const listed = 5

func (w *writer) tasks() {
	s := w.section("tasks", "Tasks")
	var all, negative, suspects, noise []int
	sure := 0
	for i := range w.a.Tasks {
		x := &w.a.Tasks[i]
		switch x.Kind {
		case difficulty.Suspect:
			suspects = append(suspects, i)
		case difficulty.Chance:
			noise = append(noise, i)
		default:
			all = append(all, i)
			continue
		}
		if negative = append(negative, i); x.Sure {
			sure++
		}
	}
	if len(negative) > 0 {
		s.Text("Where the discrimination is negative, respondents of lower ability score higher. Such a task is called ", w.d.Strong("suspect"), " where most respondents fail, which points to its wording or its tests, and ", w.d.Strong("noise"), " where most succeed (", doc.Fixed(taskEval), "). Its difficulty does not tell how hard it is.")
		if sure == 0 && w.a.Fit.Intervals != "" {
			s.Text(w.d.Strong("No discrimination is surely negative"), ": each interval includes ", doc.Fixed("0"), ", so chance may have made all of them.")
		}
	}
	s.Text("The mean score is that of the respondents who answered; the expected score is that of a respondent of mean ability.")
	w.taskTable(s, "suspects", "Suspect tasks: negative discrimination, and most fail", suspects)
	if len(suspects) == 0 && w.a.Model == "β3-IRT" {
		s.Text("No task is suspect: none has a negative discrimination and a difficulty below a half.")
	}
	w.taskTable(s, "noise", "Noise: negative discrimination, and most succeed", noise)
	usual, which := w.surelyPositive(), "whose discrimination has an interval above 0"
	if len(usual) < 2 {
		usual, which = slices.DeleteFunc(w.varied(), func(i int) bool { return slices.Contains(negative, i) }), "of positive discrimination"
	}
	hardest := usual[:min(listed, len(usual))]
	w.taskTable(s, "hardest", "The hardest tasks "+which, hardest)
	easiest := slices.Clone(usual[max(len(hardest), len(usual)-listed):])
	slices.Reverse(easiest)
	s.Fold(doc.Item("The easiest tasks"), func(in *doc.Section) {
		w.taskTable(in, "easiest", "The easiest tasks "+which, easiest)
	})
	s.Fold(doc.Item("All tasks, the hardest first"), func(in *doc.Section) {
		if len(negative) > 0 {
			in.Text("Those of negative discrimination stand last.")
		}
		all = append(all, negative...)
		if len(all) > mostTasks {
			in.Text("The first ones; ", doc.Code(w.tableFile("tasks")), " has all.")
		}
		w.taskTable(in, "tasks", "All tasks", all[:min(mostTasks, len(all))])
	})
}

// mostTasks is the number of tasks that the page lists.
const mostTasks = 500

func (w *writer) taskTable(s *doc.Section, id, caption string, places []int) {
	if len(places) == 0 {
		return
	}
	t := w.table(s, id, caption, doc.Left("task"), doc.Left("title"), doc.Right("difficulty"), doc.Right("95 % CI"), doc.Right("discrimination"), doc.Right("95 % CI"), doc.Right("mean score"), doc.Right("expected"), doc.Right("outfit"))
	constant, unsure := false, false
	for _, i := range places {
		x := &w.a.Tasks[i]
		first := doc.Item(name(x.ID))
		if at := slices.IndexFunc(w.a.Looks, func(l difficulty.Look) bool { return l.Task == x.ID }); at >= 0 {
			first = doc.Item(doc.Link(middle(x.ID, 80), "#"+w.lookID(at)))
		}
		if !w.a.Varies(i) {
			first, constant = append(first, "†"), true
		}
		if (x.Kind == difficulty.Suspect || x.Kind == difficulty.Chance) && !x.Sure {
			first, unsure = append(first, "‡"), true
		}
		row := append([]any{first, name(x.Title)}, w.parameter(&x.Difficulty)...)
		row = append(row, w.parameter(&x.Discrimination)...)
		t.Row(append(row, w.d.Num(&x.Mean, 2), w.d.Num(&x.Expected, 2), w.d.Num(&x.Outfit, 2))...)
	}
	if constant {
		t.Note("† All responses are the same: the numbers come from the priors.")
	}
	for k, i := range places[1:] {
		if x, before := &w.a.Tasks[i], &w.a.Tasks[places[k]]; x.Difficulty.Value == before.Difficulty.Value && x.Discrimination.Value == before.Discrimination.Value {
			t.Note("Tasks with the same estimates are in no order.")
			break
		}
	}
	if unsure {
		t.Note("‡ The interval of the discrimination includes ", doc.Fixed("0"), ".")
	}
}

// varied are the places of the tasks to which responses differ, the hardest first.
func (w *writer) varied() (all []int) {
	for i := range w.a.Tasks {
		if w.a.Varies(i) {
			all = append(all, i)
		}
	}
	return all
}

// surelyPositive are those of the tasks to which responses differ whose discrimination is surely above 0.
func (w *writer) surelyPositive() []int {
	return slices.DeleteFunc(w.varied(), func(i int) bool { return !w.a.Tasks[i].Sure || w.a.Tasks[i].Discrimination.Value <= 0 })
}

// extreme names a task by its place among others, and says how many of these have the same estimates.
func (w *writer) extreme(among []int, at int) []any {
	x := &w.a.Tasks[among[at]]
	alike := 0
	for _, i := range among {
		if y := &w.a.Tasks[i]; y != x && y.Difficulty.Value == x.Difficulty.Value && y.Discrimination.Value == x.Discrimination.Value {
			alike++
		}
	}
	text := append(doc.Item(name(x.ID), ", difficulty "), w.withInterval(&x.Difficulty)...)
	switch {
	case alike == 1:
		text = append(text, ", which another task shares")
	case alike > 1:
		text = append(text, fmt.Sprintf(", which %d other tasks share", alike))
	}
	return text
}
