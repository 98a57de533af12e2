package report

import (
	"time"

	"assay/session"
)

// attemptKey names an attempt of a session.
type attemptKey struct{ task, attempt int }

// attemptTimes are the milliseconds of one attempt.
type attemptTimes struct {
	phases             map[session.Phase]int64
	paused, unobserved int64
}

// byAttempt sums the intervals of each attempt.
func byAttempt(intervals []session.Interval) map[attemptKey]attemptTimes {
	sums := map[attemptKey]attemptTimes{}
	for _, iv := range intervals {
		if iv.Task < 0 {
			continue
		}
		key := attemptKey{iv.Task, iv.Attempt}
		sum, known := sums[key]
		if !known {
			sum.phases = map[session.Phase]int64{}
		}
		switch {
		case iv.Paused:
			sum.paused += iv.MS
		case iv.Unobserved:
			sum.unobserved += iv.MS
		default:
			sum.phases[iv.Phase] += iv.MS
		}
		sums[key] = sum
	}
	return sums
}

// The rows: what the cells of one row are taken from.
type (
	taskRow struct {
		report *Report
		state  *session.State
		*session.Task
		index int
		times session.TaskTimes
	}
	attemptRow struct {
		taskRow
		*session.Attempt
		spent attemptTimes
	}
	pairRow struct { // a rating or a label
		taskRow
		name, value string
		score       int
	}
)

func (r taskRow) imported() bool { return r.report.Header.Imported }

func tablesOf(r *Report, s *session.State, times []session.TaskTimes, intervals []session.Interval) []Table {
	spent := byAttempt(intervals)
	var tasks []taskRow
	var attempts []attemptRow
	var ratings, labels []pairRow
	for i := range s.Tasks {
		row := taskRow{r, s, &s.Tasks[i], i, times[i]}
		tasks = append(tasks, row)
		for j := range row.Attempts {
			a := &row.Attempts[j]
			attempts = append(attempts, attemptRow{row, a, spent[attemptKey{i, a.N}]})
		}
		for _, a := range s.Plan.Attributes {
			if score, rated := row.Ratings[a.ID]; rated {
				ratings = append(ratings, pairRow{row, a.ID, "", score})
			}
		}
		for _, l := range session.Labels() {
			if value, set := row.Labels[l.ID]; set {
				labels = append(labels, pairRow{row, l.ID, value, 0})
			}
		}
	}
	return []Table{
		tableOf("sessions", "One row for each session", sessionColumns(), []*Report{r}),
		tableOf("tasks", "One row for each task of the session's plan, practice and skipped tasks included", taskColumns(), tasks),
		tableOf("attempts", "One row for each attempt that was begun", attemptColumns(), attempts),
		tableOf("ratings", "One row for each rating of a final answer", pairColumns(
			text("attribute", "id of the rated attribute", func(r pairRow) string { return r.name }),
			integer("score", "", "from 1 (poorest) to 5 (best)", func(r pairRow) (int64, bool) { return int64(r.score), true })), ratings),
		tableOf("labels", "One row for each label of a final answer", pairColumns(
			text("label", "id of the label", func(r pairRow) string { return r.name }),
			text("value", "the value chosen", func(r pairRow) string { return r.value })), labels),
	}
}

func sessionColumns() []column[*Report] {
	count := func(name, meaning string, cell func(*Report) int) column[*Report] {
		return integer(name, "", meaning, func(r *Report) (int64, bool) { return int64(cell(r)), true })
	}
	at := func(name, meaning string, cell func(*Report) time.Time) column[*Report] {
		return column[*Report]{Column{name, "time", "", meaning}, func(r *Report) string { return cell(r).Format(time.RFC3339Nano) }}
	}
	word := text[*Report]
	return []column[*Report]{
		word("session", "id of the session (ULID)", func(r *Report) string { return r.Header.ID }),
		boolean("imported", "1 for a session brought in from another study's tables", func(r *Report) (bool, bool) { return r.Header.Imported, true }),
		word("status", "open, finished, abandoned or withdrawn", func(r *Report) string { return r.Header.Status }),
		word("benchmark", "name of the benchmark", func(r *Report) string { return r.Header.Benchmark }),
		word("scenario", "the filter that chose the tasks", func(r *Report) string { return r.Header.Scenario }),
		word("model", "name of the model in the configuration", func(r *Report) string { return r.Header.Model }),
		word("provider", "kind of provider", func(r *Report) string { return r.Header.Provider }),
		word("model_id", "the provider's own model id", func(r *Report) string { return r.Header.ModelID }),
		boolean("recorded_answers", "1 where the answers were recorded earlier, for practice", func(r *Report) (bool, bool) { return r.Header.Recorded, true }),
		count("k", "attempts allowed for a task", func(r *Report) int { return r.Header.K }),
		count("level", "prompt level that the editor started with: 0 empty, 1 description, 2 with constraints, 3 with examples", func(r *Report) int { return r.Header.Level }),
		word("context", "conversation (earlier turns are sent again) or fresh", func(r *Report) string { return r.Header.Context }),
		{Column{"seed", "integer", "", "seed of the task order and of the test sets"}, func(r *Report) string { return formatUint(r.Header.Seed) }},
		word("tester", "pseudonym of the tester", func(r *Report) string { return r.Header.Tester }),
		word("criterion", "the satisfaction criterion shown to the tester", func(r *Report) string { return r.Header.Criterion }),
		boolean("reference_visible", "1 where the reference solution could be seen while reviewing", func(r *Report) (bool, bool) { return r.Header.Reference, true }),
		word("sandbox", "what isolated the code", func(r *Report) string { return r.Header.Sandbox }),
		word("consent", "the words typed to run without isolation", func(r *Report) string { return r.Header.Consent }),
		word("assay", "version of the program", func(r *Report) string { return r.Header.Assay }),
		word("os", "operating system", func(r *Report) string { return r.Header.OS }),
		at("began", "wall time of the first event", func(r *Report) time.Time { return r.Header.Began }),
		at("last", "wall time of the last event", func(r *Report) time.Time { return r.Header.Last }),
		{Column{"events", "integer", "", "events in the log"}, func(r *Report) string { return formatUint(r.Header.Events) }},
		word("hash", "hash of the last event, which seals the log", func(r *Report) string { return r.Header.Hash }),
		count("tasks_planned", "tasks in the plan", func(r *Report) int { return r.Counts.Planned }),
		count("tasks_analysed", "tasks that enter the results", func(r *Report) int { return r.Counts.Analysed }),
		count("tasks_satisfied", "tasks that ended in satisfaction", func(r *Report) int { return r.Counts.Satisfied }),
		count("tasks_gave_up", "tasks given up before k attempts", func(r *Report) int { return r.Counts.GaveUp }),
		count("tasks_exhausted", "tasks without satisfaction after k attempts", func(r *Report) int { return r.Counts.Exhausted }),
		count("tasks_skipped", "tasks left out by the tester", func(r *Report) int { return r.Counts.Skipped }),
		count("tasks_unfinished", "tasks open when the log ends", func(r *Report) int { return r.Counts.Unfinished }),
		count("tasks_not_opened", "tasks never shown", func(r *Report) int { return r.Counts.NotOpened }),
		count("tasks_practice", "practice tasks", func(r *Report) int { return r.Counts.Practice }),
		count("provider_errors", "sendings that brought no answer", func(r *Report) int { return r.Counts.Failures }),
		count("interrupted_answers", "answers stopped by the tester or by a crash", func(r *Report) int { return r.Counts.Interruptions }),
		count("flags", "marks for the study owner", func(r *Report) int { return len(r.Header.Flags) }),
	}
}

// pairColumns are the columns of a table with one row for a name and a value.
func pairColumns(pair ...column[pairRow]) []column[pairRow] {
	return append([]column[pairRow]{
		text("session", "id of the session", func(r pairRow) string { return r.state.Session }),
		text("task", "id of the task", func(r pairRow) string { return r.ID }),
		boolean("analysed", "1 where the task enters the results", func(r pairRow) (bool, bool) { return analysable(r.Task), true }),
	}, pair...)
}
