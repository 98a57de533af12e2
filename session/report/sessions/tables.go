package sessions

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"assay/benchmark/verdicts"
	"assay/session"
	"assay/session/report"
)

// spentOf sums the intervals of each attempt of each task.
func spentOf(tasks int, intervals []session.Interval) []map[int]attemptTimes {
	all := make([]map[int]attemptTimes, tasks)
	for _, iv := range intervals {
		if iv.Task < 0 {
			continue
		}
		if all[iv.Task] == nil {
			all[iv.Task] = map[int]attemptTimes{}
		}
		sum, known := all[iv.Task][iv.Attempt]
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
			if iv.Comparing {
				sum.comparing += iv.MS
			}
		}
		all[iv.Task][iv.Attempt] = sum
	}
	return all
}

// tablesOf returns the tidy tables. Rows are made on demand: those of a large study are far larger than their
// source.
func tablesOf(logs []folded, asked []Asked, early bool) []report.Table {
	priced := slices.ContainsFunc(logs, func(f folded) bool { return f.header.Account != nil && f.header.Account.Cost != nil })
	places := placesOf(logs)
	tasks := func(yield func(taskRow) bool) {
		for i := range logs {
			f := &logs[i]
			if f.withdrawn() {
				continue // the session's row says that it was; nothing more leaves the house
			}
			for j := range f.state.Tasks {
				if f.state.PassedOver(&f.state.Tasks[j]) {
					continue
				}
				if !yield(taskRow{f, &f.state.Tasks[j], j, f.times[j], places.period[&f.state.Tasks[j]]}) {
					return
				}
			}
		}
	}
	attempts := func(yield func(attemptRow) bool) {
		for row := range tasks {
			for j := range row.Attempts {
				a := &row.Attempts[j]
				if !yield(attemptRow{row, a, row.in.spent[row.index][a.N]}) {
					return
				}
			}
		}
	}
	most := session.MaxScore
	for i := range logs {
		for _, a := range logs[i].state.Plan.Attributes {
			most = max(most, a.Max())
		}
	}
	ratings := func(yield func(pairRow) bool) {
		for row := range tasks {
			for _, a := range row.in.state.Plan.Attributes {
				if score, rated := row.Ratings[a.ID]; rated && !yield(pairRow{row, a.ID, "", score}) {
					return
				}
			}
		}
	}
	labels := func(yield func(pairRow) bool) {
		for row := range tasks {
			for _, l := range row.in.state.Plan.AskedLabels() {
				if value, set := row.Labels[l.ID]; set && !yield(pairRow{row, l.ID, value, 0}) {
					return
				}
			}
		}
	}
	sessions := func(yield func(Header) bool) {
		for i := range logs {
			if !yield(logs[i].header) {
				return
			}
		}
	}
	tables := []report.Table{
		report.TableOf("sessions", "One row for each session", sessionColumns(early, priced), sessions),
		report.TableOf("tasks", "One row for each task of each session's plan, practice and skipped tasks included", taskColumns(early), tasks),
		report.TableOf("attempts", "One row for each attempt that was begun; of a practice task that was begun anew those of the last time", attemptColumns(early, others(attempts), cut(attempts)), attempts),
		report.TableOf("ratings", "One row for each rating of a final answer", pairColumns(
			report.Text("attribute", "id of the rated attribute", func(r pairRow) string { return r.name }),
			report.Integer("score", "", fmt.Sprintf("from 1 (poorest) to %d (best)", most), func(r pairRow) (int64, bool) { return int64(r.score), true }).Between(session.MinScore, most)), ratings),
		report.TableOf("labels", "One row for each label of a final answer", pairColumns(
			report.Text("label", "id of the label", func(r pairRow) string { return r.name }),
			report.Text("value", "the value chosen", func(r pairRow) string { return r.value })), labels),
		participantsTable(logs, asked),
	}
	return knownVerdicts(tables, attempts)
}

// knownVerdicts leaves out the verdict no_code where no attempt has it: it is younger than the format, and reports from
// before it are repeated byte by byte.
func knownVerdicts(tables []report.Table, attempts iter.Seq[attemptRow]) []report.Table {
	for row := range attempts {
		if row.Verdict != nil && row.Verdict.Verdict == string(verdicts.NoCode) {
			return tables
		}
	}
	for _, t := range tables {
		for i := range t.Columns {
			t.Columns[i].Values = slices.DeleteFunc(slices.Clone(t.Columns[i].Values), func(value string) bool { return value == string(verdicts.NoCode) })
		}
	}
	return tables
}

// sessionColumns describe a session; early as in [Options].
func sessionColumns(early, priced bool) []report.ColumnOf[Header] {
	count := func(name, meaning string, cell func(Header) int) report.ColumnOf[Header] {
		return report.Integer(name, "", meaning, func(r Header) (int64, bool) { return int64(cell(r)), true })
	}
	at := func(name, meaning string, cell func(Header) time.Time) report.ColumnOf[Header] {
		return report.NewColumn(name, "time", meaning, func(r Header) string { return cell(r).Format(time.RFC3339Nano) })
	}
	word := report.Text[Header]
	inStudy := func(name, meaning string, cell func(Study) int) report.ColumnOf[Header] {
		return report.Integer(name, "", meaning, func(r Header) (int64, bool) { return int64(cell(r.Study)), r.Study.Name != "" })
	}
	columns := []report.ColumnOf[Header]{
		word("session", "id of the session (ULID)", func(r Header) string { return r.ID }),
		report.Boolean("imported", "1 for a session brought in from another study's tables", func(r Header) (bool, bool) { return r.Imported, true }),
		word("status", "what became of the session", func(r Header) string { return r.Status }).OneOf("open", "finished", "abandoned", "withdrawn"),
		word("benchmark", "name of the benchmark", func(r Header) string { return r.Benchmark }),
		word("filter", "the filter that chose the tasks", func(r Header) string { return r.Filter }),
		word("model", "name of the model in the configuration", func(r Header) string { return r.Model }),
		word("provider", "kind of provider", func(r Header) string { return r.Provider }),
		word("model_id", "the provider's own model id", func(r Header) string { return r.ModelID }),
		report.Boolean("recorded_answers", "1 where the answers were recorded earlier, for practice", func(r Header) (bool, bool) { return r.Recorded, true }),
		count("k", "attempts allowed for a task", func(r Header) int { return r.K }),
		count("level", "prompt level that the editor started with: 0 empty, 1 description, 2 with constraints, 3 with examples", func(r Header) int { return r.Level }).Between(0, 3),
		word("context", "conversation (earlier turns are sent again) or fresh", func(r Header) string { return r.Context }).OneOf(string(session.Conversation), string(session.Fresh)),
		report.NewColumn("seed", "integer", "seed of the task order and of the test sets", func(r Header) string { return formatUint(r.Seed) }),
		word("tester", "pseudonym of the tester", func(r Header) string { return r.Tester }),
		report.Integer("participant", "", "number of the person, as in the table of participants, where those who withdrew have no row; empty of a program", func(r Header) (int64, bool) { return int64(r.Participant), r.Participant > 0 }),
		word("tester_kind", "who worked: a human, or a program in the place of one", func(r Header) string { return r.Kind }).OneOf(human, automatic),
		word("feedback", "the policy by which a program answered failed attempts; empty of humans", func(r Header) string { return r.Feedback }),
		report.Boolean("reveals_tests", "1 where that feedback showed test cases to the model", func(r Header) (bool, bool) { return r.Reveals, r.automatic() }),
		word("criterion", "the satisfaction criterion shown to the tester", func(r Header) string { return r.Criterion }),
		word("suffix", "what was appended to every prompt that was sent", func(r Header) string { return r.Suffix }),
		report.Boolean("reference_visible", "1 where the reference solution could be seen while reviewing", func(r Header) (bool, bool) { return r.Reference, true }),
		word("tests_seen", "what the tester saw of the tests before judging", func(r Header) string { return r.Tests }).OneOf(string(session.SeeTests), string(session.SeeVerdict), string(session.SeeNothing)),
		word("study", "name of the study; empty for a session of none", func(r Header) string { return r.Study.Name }),
		inStudy("study_version", "version of the study", func(s Study) int { return s.Version }),
		word("study_hash", "hash of the frozen study", func(r Header) string { return r.Study.Hash }),
		word("arm", "arm of the study", func(r Header) string { return r.Study.Arm }),
		inStudy("study_tester", "number of the tester in the study's plan", func(s Study) int { return s.Tester }),
		inStudy("study_part", "which of the tester's sessions in the study", func(s Study) int { return s.Part }),
		report.Boolean("blind", "1 where the tester did not read the model's name", func(r Header) (bool, bool) { return r.Study.Blind, r.Study.Name != "" }),
		word("study_consent", "version of the study's consent that the tester agreed to", func(r Header) string { return r.Study.Consent }),
		word("sandbox", "what isolated the code", func(r Header) string { return r.Sandbox }),
		word("consent", "the words typed to run without isolation", func(r Header) string { return r.Consent }),
		word("assay", "version of the program", func(r Header) string { return r.Assay }),
		word("os", "operating system", func(r Header) string { return r.OS }),
		at("began", "wall time of the first event", func(r Header) time.Time { return r.Began }),
		at("last", "wall time of the last event", func(r Header) time.Time { return r.Last }),
		report.NewColumn("events", "integer", "events in the log", func(r Header) string { return formatUint(r.Events) }),
		word("hash", "hash of the last event, which seals the log", func(r Header) string { return r.Hash }),
		count("tasks_planned", "tasks in the plan", func(r Header) int { return r.Counts.Planned }),
		count("tasks_analysed", "tasks that enter the results", func(r Header) int { return r.Counts.Analysed }),
		count("tasks_satisfied", "tasks that ended in satisfaction", func(r Header) int { return r.Counts.Satisfied }),
		count("tasks_gave_up", "tasks given up before k attempts", func(r Header) int { return r.Counts.GaveUp }),
		count("tasks_exhausted", "tasks without satisfaction after k attempts", func(r Header) int { return r.Counts.Exhausted }),
		count("tasks_skipped", "tasks left out by the tester", func(r Header) int { return r.Counts.Skipped }),
		count("tasks_unfinished", "tasks open when the log ends", func(r Header) int { return r.Counts.Unfinished }),
		count("tasks_not_opened", "tasks never shown", func(r Header) int { return r.Counts.NotOpened }),
		count("tasks_practice", "practice tasks", func(r Header) int { return r.Counts.Practice }),
		count("tasks_withdrawn", "tasks of a session whose tester withdrew: in no result", func(r Header) int { return r.Counts.Withdrawn }),
		count("provider_errors", "sendings that brought no answer", func(r Header) int { return r.Failures }),
		count("interrupted_answers", "answers stopped by the tester or by a crash", func(r Header) int { return r.Interruptions }),
		count("reflections", "answers that say what was wrong with an attempt, which are no attempts", func(r Header) int { return r.Reflections }),
		count("flags", "marks for the study owner", func(r Header) int { return len(r.Flags) }),
	}
	if early {
		return columns
	}
	return append(columns, report.SpentColumns(func(r Header) *report.Spent { return r.Account }, priced)...)
}

// tables are the report's tidy tables: sessions, tasks, attempts, ratings, labels, participants, the
// choices of adaptive tests, and, if the answers were rated by others, their ratings.
func (r *Report) tables() []report.Table {
	tables := tablesOf(r.logs, r.Survey, r.Layout == 0)
	if choices, has := choicesTable(r.logs); has {
		tables = append(tables, choices)
	}
	if r.Arena != nil {
		tables = append(tables, picksTable(r.logs, r.Layout > 3))
	}
	if r.Overlap != nil {
		tables = append(tables, ratersTable(r.Overlap), settledTable(r.Overlap))
	}
	return tables
}
