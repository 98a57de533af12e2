package evaluations

import (
	"fmt"
	"slices"
	"strings"

	doc "assay/session/report/document"
)

// The mark of runs whose prompts nobody reviewed, and its explanation.
const (
	unreviewedMark = "‡"
	unreviewedNote = "with prompts that nobody reviewed."
)

// mark returns the mark of a run whose prompts nobody reviewed.
func (r *Report) mark(run int) string {
	if r.Runs[run].Unreviewed {
		return " " + unreviewedMark
	}
	return ""
}

// marked returns a run's name with its mark.
func (r *Report) marked(run int) string { return r.Runs[run].Name + r.mark(run) }

// unreviewed explains the mark below every table that has it.
func (w *writer) unreviewed() {
	if !slices.ContainsFunc(w.Runs, func(r Run) bool { return r.Unreviewed }) {
		return
	}
	for _, t := range w.d.Tables() {
		if t.Mentions(unreviewedMark) {
			t.Note(unreviewedMark, " ", w.d.Strong("Unreviewed"), ": ", unreviewedNote)
		}
	}
}

// fewTasks reports whether a page has room for a column for each task.
func (w *writer) fewTasks() bool {
	const wide, long = 10, 90 // columns, and characters of their heads
	heads := 0
	for i := range w.Tasks {
		heads += len(w.Tasks[i].ID)
	}
	return len(w.Tasks) <= wide && heads <= long
}

// promptName describes what the model is given in a type of prompt.
func promptName(prompt string) string {
	switch prompt {
	case "":
		return "not known"
	case "level-1":
		return prompt + " (description only)"
	case "level-2":
		return prompt + " (description + constraints)"
	case "level-3":
		return prompt + " (description + constraints + examples)"
	}
	return prompt
}

// promptGrids are table 2 of Yeo et al. for each model: its rows are types of prompts,
// with growing detail.
func (w *writer) promptGrids(s *doc.Section) {
	models := w.models()
	grids := func(s *doc.Section) {
		for i, model := range models {
			w.promptGrid(s, i, model)
		}
	}
	if w.fewTasks() && len(models) <= 3 {
		grids(s)
		return
	}
	s.Fold(doc.Item("Which tasks each model solves by type of prompt (", doc.Fixed("table 2 of the paper"), ")"), grids)
}

func (w *writer) promptGrid(s *doc.Section, i int, model string) {
	id, caption := fmt.Sprintf("yeo-2-%d", i+1), "Which tasks are solved by type of prompt: "+model
	runs := w.runsOf(model)
	note := func(t *doc.Table) {
		t.Note("After ", doc.Fixed(yeo+", table 2"), ". Of several samples, how many pass.")
	}
	if w.fewTasks() {
		columns := []doc.Column{doc.Left("prompt type")}
		for i := range w.Tasks {
			columns = append(columns, doc.Left(w.Tasks[i].ID))
		}
		t := s.Table(id, caption, columns...)
		for _, run := range runs {
			row := []any{doc.Name(promptName(w.Runs[run].Prompt) + w.mark(run))}
			for i := range w.Tasks {
				row = append(row, w.solved(&w.Tasks[i].Runs[run]))
			}
			t.Row(row...)
		}
		note(t)
		return
	}
	columns := []doc.Column{doc.Left("task")}
	for _, run := range runs {
		columns = append(columns, doc.Left(notKnown(w.Runs[run].Prompt)+w.mark(run)))
	}
	t := s.Table(id, caption, columns...)
	for i := range w.Tasks[:w.listedTasks()] {
		row := []any{doc.Name(w.Tasks[i].ID)}
		for _, run := range runs {
			row = append(row, w.solved(&w.Tasks[i].Runs[run]))
		}
		t.Row(row...)
	}
	note(t)
	if slices.ContainsFunc(runs, func(run int) bool { return promptName(w.Runs[run].Prompt) != w.Runs[run].Prompt }) {
		t.Note(doc.Fixed("level-1"), ": description only; ", doc.Fixed("level-2"), ": with constraints; ", doc.Fixed("level-3"), ": with constraints and examples.")
	}
	w.restNote(t)
}

func (l *Leaderboard) title() string {
	if l.Prompt == "" {
		return "Leaderboard"
	}
	return "Leaderboard, prompt " + l.Prompt
}

func (w *writer) leaderboards() {
	if len(w.Leaderboards) == 0 {
		return
	}
	alone := len(w.Leaderboards) == 1 // the summary has it
	if alone && w.pairMatrix() {
		return
	}
	s := w.d.Section("leaderboard", "Leaderboard")
	if len(w.Leaderboards) > 1 || w.hasPrompts() {
		s.Text("One for each type of prompt: types are not pooled.")
	}
	for i := range w.Leaderboards {
		if !alone || len(w.Runs) > manyRuns {
			w.Figure(s, fmt.Sprintf("leaderboard-%d", i+1))
		}
		if !alone {
			w.standings(s, i)
		}
		if !w.pairMatrix() {
			w.gaps(s, i)
		}
	}
}

// standings are the runs in the order of their ranks.
func (w *writer) standings(s *doc.Section, at int) {
	l := &w.Leaderboards[at]
	t := s.Table(fmt.Sprintf("leaderboard-%d", at+1), l.title(), doc.Right("rank"), doc.Left("run"), doc.Right("accepted"), doc.Right(l.Metric+", %"), doc.Right("95 % CI"), doc.Right(w.Metrics[w.ratioAt()]+", %"), doc.Left("no significant difference from ranks"))
	unranked := false
	for i := range l.Rows {
		row := &l.Rows[i]
		unranked = unranked || row.Rank == 0
		t.Row(w.rank(row), doc.Name(w.marked(row.run)), doc.Item(w.d.Count(&row.Accepted), " of ", w.d.Count(&row.Counted)), w.Percent(&row.Metric), w.PercentInterval(&row.Metric), w.Percent(&row.PassRatio), w.ranks(row))
	}
	t.Note("No significant difference: at ", w.d.Percent(&l.Alpha, 0), " %, by the sign-flip test, corrected by Holm for all ", w.d.Count(&l.Tests), " differences between runs that this report tests. That does not show that runs are equal: who comes first among them may be chance.")
	if unranked {
		t.Note("Without a rank: no task of the run is scored.")
	}
}

func (w *writer) rank(row *Standing) any {
	if row.Rank == 0 {
		return doc.Undefined
	}
	return w.d.Count(&row.Rank)
}

// gaps are the differences to the run above and to the best.
func (w *writer) gaps(s *doc.Section, at int) {
	l := &w.Leaderboards[at]
	t := s.Table(fmt.Sprintf("leaderboard-%d-differences", at+1), "Differences in "+l.Metric+" to the run above and to the best", doc.Right("rank"), doc.Left("run"),
		doc.Right("to the one above"), doc.Right("95 % CI"), doc.Right("tasks"), doc.Right("p, Holm"), doc.Right("to the best"), doc.Right("95 % CI"), doc.Right("tasks"), doc.Right("p, Holm"))
	for i := range l.Rows {
		row := &l.Rows[i]
		cells := []any{w.rank(row), doc.Name(w.marked(row.run))}
		for _, g := range []*Gap{&row.Above, &row.Best} {
			tasks := any(doc.Undefined)
			if g.Difference.N > 0 {
				tasks = w.d.Count(&g.Difference.N)
			}
			cells = append(cells, w.Percent(&g.Difference), w.PercentInterval(&g.Difference), tasks, w.pValue(&g.Holm))
		}
		t.Row(cells...)
	}
	t.Note("In percentage points over the tasks that both runs have, with sign-flip intervals at ", w.Confidence(), ", paired by task, for tasks like these and each for itself. p, Holm: the corrected p that the leaderboard is made from.")
}

// ranks returns the ranks from which a run does not differ.
func (w *writer) ranks(row *Standing) any {
	if row.Rank == 0 {
		return doc.Undefined
	}
	if len(row.Ties) == 0 {
		return "none"
	}
	var parts []any
	for i := range row.Ties {
		x := &row.Ties[i]
		if i > 0 {
			parts = append(parts, ", ")
		}
		parts = append(parts, w.d.Count(&x.From))
		if x.To != x.From {
			parts = append(parts, "–", w.d.Count(&x.To))
		}
	}
	return doc.Item(parts...)
}

func (w *writer) outliers() {
	if !slices.ContainsFunc(w.Runs, func(r Run) bool { return r.Flags != nil }) {
		return
	}
	s := w.d.Section("outliers", "Outliers among the answers")
	s.Text("Answers that are odd are flagged, not dropped and not asked for again: ", w.d.Strong("all samples count in every number of this report"), " but those of the column ", doc.Name("without flagged"), ".")
	columns := []doc.Column{doc.Left("run"), doc.Right("answers")}
	kinds := w.flagNames()
	for _, kind := range kinds {
		columns = append(columns, doc.Right(kind))
	}
	t := s.Table("outliers", "Flagged answers by kind", append(columns, doc.Right("judged samples with a flag"))...)
	for i := range w.Runs {
		run := &w.Runs[i]
		row := []any{doc.Name(w.marked(i))}
		if run.Flags == nil {
			row = append(row, doc.Undefined)
			for range kinds {
				row = append(row, doc.Undefined)
			}
			t.Row(append(row, "nobody looked")...)
			continue
		}
		row = append(row, w.d.Count(&run.Generated))
		for _, kind := range kinds {
			at := slices.IndexFunc(run.Flags, func(f Share) bool { return f.Name == kind })
			if at < 0 {
				row = append(row, doc.Undefined)
				continue
			}
			f := &run.Flags[at]
			row = append(row, doc.Item(w.d.Count(&f.Count), " (", w.d.Percent(&f.Value, f.Estimate.PercentDecimals()), " %)"))
		}
		t.Row(append(row, doc.Item(w.d.Count(&run.Flagged), " of ", w.d.Count(&run.Samples)))...)
	}
	t.Note("Percent of the run's answers. An answer may have several flags.")
	w.withoutFlagged(s)
}

// flagNames returns the kinds that answers of any run have, in the order of the first run that has them.
func (w *writer) flagNames() []string {
	var all []string
	for i := range w.Runs {
		for _, f := range w.Runs[i].Flags {
			if f.Count > 0 && !slices.Contains(all, f.Name) {
				all = append(all, f.Name)
			}
		}
	}
	return all
}

func (w *writer) withoutFlagged(s *doc.Section) {
	t := s.Table("without-flagged", "Metrics with all samples, and without those that have a flag", doc.Left("metric"), doc.Left("run"), doc.Right("all samples, %"), doc.Right("95 % CI"), doc.Right("tasks"), doc.Right("without flagged, %"), doc.Right("95 % CI"), doc.Right("tasks"))
	for _, m := range w.shownMetrics() {
		for i := range w.Runs {
			run := &w.Runs[i]
			if run.Flags == nil {
				continue
			}
			all, without := &run.Metrics[m], &run.Without[m]
			t.Row(doc.Name(w.Metrics[m]), doc.Name(w.marked(i)), w.Percent(all), w.PercentInterval(all), w.d.Count(&all.N), w.Percent(without), w.PercentInterval(without), w.d.Count(&without.N))
		}
	}
	t.Note("The headline is that of all samples: a model that refuses has not solved the task. Without flagged: means over the tasks that have a sample left; –: too few samples are left for k.")
}

// prompts are the effects of levels and the spread of wordings.
func (w *writer) prompts() {
	if !w.hasPrompts() {
		return
	}
	s := w.d.Section("prompts", "What the type of prompt changes")
	w.Figure(s, "by-prompt")
	if len(w.Prompts.Effects) == 0 {
		s.Text("No model answered at two levels of detail on the same tasks: there is no effect of the level to tell.")
	} else {
		w.effects(s)
	}
	if len(w.Prompts.Wordings) > 0 {
		w.wordings(s)
	}
}

func (w *writer) effects(s *doc.Section) {
	t := s.Table("prompt-effect", "More detail in the prompt: differences on the same tasks", doc.Left("model"), doc.Left("levels"), doc.Left("metric"), doc.Right("from, %"), doc.Right("to, %"), doc.Right("difference"), doc.Right("95 % CI"), doc.Right("p"), doc.Right("p, Holm"), doc.Right("p, BH"), doc.Right("tasks"))
	averaged, over := false, false
	for i := range w.Prompts.Effects {
		e := &w.Prompts.Effects[i]
		averaged, over = averaged || e.Averaged, over || e.Models > 1
		model, levels := w.effectName(e)
		for j := range e.Measures {
			m := &e.Measures[j]
			t.Row(model, levels, doc.Name(m.Name), w.d.Percent(&m.From, m.Difference.PercentDecimals()), w.d.Percent(&m.To, m.Difference.PercentDecimals()), w.Percent(&m.Difference), w.PercentInterval(&m.Difference), w.pValue(&m.P), w.pValue(&m.Holm), w.pValue(&m.BH), w.d.Count(&m.Difference.N))
		}
	}
	t.Note("Differences: the level with more detail minus the other, in percentage points, the mean over the tasks that are scored at both, with sign-flip intervals at ", w.Confidence(), ", paired by task, for tasks like these. p: sign-flip test, two-sided; p, Holm and p, BH: corrected for all differences between runs that this report tests.")
	if averaged {
		t.Note("Where a level has several wordings, a task's value is the mean over them; how far they differ is in the table of wordings.")
	}
	if over {
		t.Note("Mean over models: of a task the mean of the models that have both levels, so that tasks are what is drawn and the models are these alone.")
	}
	w.flips(s, over)
}

// effectName returns the model, or how many, and the levels of an effect.
func (w *writer) effectName(e *Effect) (model, levels []any) {
	model, levels = doc.Item(doc.Name(e.Model+w.markOf(e.Model, e.From, e.To))), doc.Item(doc.Name(e.From+" → "+e.To))
	if e.Models > 1 {
		model = doc.Item("mean over ", w.d.Count(&e.Models), " models"+w.markOf("", e.From, e.To))
	}
	return model, levels
}

// flips writes the tasks whose outcome differs between levels.
func (w *writer) flips(s *doc.Section, over bool) {
	t := s.Table("prompt-flips", "Tasks whose outcome flips between levels", doc.Left("model"), doc.Left("levels"), doc.Right("flip"), doc.Right("95 % CI"), doc.Right("gained"), doc.Right("lost"))
	for i := range w.Prompts.Effects {
		e := &w.Prompts.Effects[i]
		model, levels := w.effectName(e)
		t.Row(model, levels, w.share(&e.Flips), w.PercentInterval(&e.Flips.Estimate), w.d.Count(&e.Gained), w.d.Count(&e.Lost))
	}
	t.Note("Flip: tasks that are solved at one of the two levels alone, gained at the one with more detail or lost. Solved: at least half of the task's samples pass, over all wordings. Samples are drawn, so tasks near the half flip by chance, too. Intervals: exact (Clopper & Pearson).")
	if over {
		t.Note("Over several models a task counts once for each, so that there is no interval.")
	}
}

// markOf marks a model, or with "" the mean over models, that has unreviewed prompts at one
// of the levels.
func (w *writer) markOf(model string, levels ...string) string {
	for i := range w.Runs {
		p := typeOf(w.Runs[i].Prompt)
		if w.Runs[i].Unreviewed && (model == "" || w.Runs[i].Model == model) && slices.Contains(levels, p.levelName()) {
			return " " + unreviewedMark
		}
	}
	return ""
}

func (w *writer) wordings(s *doc.Section) {
	t := s.Table("wordings", "How much the wordings of one level differ, in "+w.Metrics[0]+" and in variance", doc.Left("model"), doc.Left("level"), doc.Right("wordings"), doc.Right("tasks"), doc.Left("lowest"), doc.Right("%"), doc.Left("highest"), doc.Right("%"), doc.Right("between wordings"), doc.Right("95 % CI"), doc.Right("sampling"), doc.Right("share between, %"))
	problem := ""
	for i := range w.Prompts.Wordings {
		x := &w.Prompts.Wordings[i]
		t.Row(doc.Name(x.Model+w.markOf(x.Model, x.Level)), doc.Name(x.Level), w.d.Count(&x.Wordings), w.d.Count(&x.Tasks), doc.Name(x.Lowest.Prompt), w.d.Percent(&x.Lowest.Value, 1), doc.Name(x.Highest.Prompt), w.d.Percent(&x.Highest.Value, 1),
			w.d.Num(&x.Between.Value, 4), w.d.Range(x.Between.Interval, 1, 4), w.d.Num(&x.Sampling, 4), w.d.Percent(&x.Share, 1))
		if x.Problem != "" {
			problem = x.Problem
		}
	}
	t.Note("Of one task: a sample passes or not, and the wordings are groups of samples. Between wordings: the variance of the wordings' probabilities to pass; sampling: that of samples of the same wording; by analysis of variance, ", doc.Fixed("(MS between − MS within) / n"), " and ", doc.Fixed("MS within"), " (", doc.Fixed("Searle, Casella & McCulloch 1992, section 3.6"), "), then the mean over tasks, with Student's interval at ", w.Confidence(), " for tasks like these, of at least ", doc.Fixed("20"), " of them. An estimate below ", doc.Fixed("0"), " means that wordings differ less than chance alone makes them.")
	t.Note("Lowest and highest: the wordings with the extreme means. Of several, extremes lie apart by chance, too.")
	if problem != "" {
		t.Note("–: ", strings.TrimSpace(problem), ".")
	}
}

func (w *writer) cutoffs() {
	if len(w.Cutoffs) == 0 {
		return
	}
	s := w.d.Section("training-cutoff", "Before and after the training cutoff")
	t := s.Table("training-cutoff", "Tasks published before and after the end of the model's training data", doc.Left("run"), doc.Left("cutoff"), doc.Left("metric"), doc.Right("before, %"), doc.Right("95 % CI"), doc.Right("tasks"), doc.Right("after, %"), doc.Right("95 % CI"), doc.Right("tasks"), doc.Right("difference"), doc.Right("95 % CI"), doc.Left("interval"))
	few := false
	for i := range w.Cutoffs {
		c := &w.Cutoffs[i]
		at := slices.IndexFunc(w.Runs, func(r Run) bool { return r.Name == c.Run })
		name, date := w.marked(at), c.Date
		few = few || c.Before.Few || c.After.Few
		for _, m := range []int{0, w.ratioAt()} {
			before, after, d := &c.Before.Metrics[m], &c.After.Metrics[m], &c.Differences[m]
			t.Row(doc.Name(name), doc.Name(date), doc.Name(w.Metrics[m]), w.Percent(before), w.PercentInterval(before), w.number(&c.Before), w.Percent(after), w.PercentInterval(after), w.number(&c.After), w.Percent(d), w.PercentInterval(d), doc.Fixed(d.Method))
		}
		told := slices.ContainsFunc(w.Cutoffs[:i], func(o Cutoff) bool { return o.Undated == c.Undated && o.Unclear == c.Unclear })
		if !told && (c.Undated > 0 || c.Unclear > 0) {
			t.Note(doc.Name(w.marked(at)), ": ", w.d.Count(&c.Undated), " scored tasks have no date, and of ", w.d.Count(&c.Unclear), " only the year or month is known, in which the cutoff lies: they are on neither side. So it is in the other runs that are not named here.")
		}
	}
	t.Note("Difference: after minus before, in percentage points. The tasks on the two sides are others, so the difference is not paired, and it is known less well than differences on the same tasks; the tasks may also differ in more than their date, such as in difficulty. Intervals at ", w.Confidence(), " are made of those of both means as Newcombe does, for tasks like these.")
	w.fewNote(t, few)
}
