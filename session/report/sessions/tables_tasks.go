package sessions

import (
	"slices"
	"strconv"

	"assay/session"
	"assay/session/report"
)

func formatUint(v uint64) string { return strconv.FormatUint(v, 10) }

// taskColumns describe a task and its result; early as in [Options].
func taskColumns(early bool) []report.ColumnOf[taskRow] {
	columns := slices.Concat(taskKeyColumns(), taskResultColumns(), mergeColumns())
	if early {
		columns = slices.DeleteFunc(columns, func(c report.ColumnOf[taskRow]) bool { return c.Name == "human_pass_rate" })
	}
	return columns
}

// taskKeyColumns say which task it is.
func taskKeyColumns() []report.ColumnOf[taskRow] {
	word := report.Text[taskRow]
	return []report.ColumnOf[taskRow]{
		word("session", "id of the session", taskRow.sessionID),
		word("task", "id of the task", func(r taskRow) string { return r.ID }),
		report.Integer("place", "", "place in the session's plan, from 1, practice not counted; empty of practice", func(r taskRow) (int64, bool) { return int64(r.in.place(r.index)), !r.Practice }),
		report.Integer("period", "", "which of the tester's test sets the task belongs to, in the order in which they came to them, from 1; empty of practice", func(r taskRow) (int64, bool) { return int64(r.period + 1), !r.Practice }),
		word("title", "title of the task", func(r taskRow) string { return r.Title }),
		word("set", "test set, T0, T1, …", func(r taskRow) string { return r.Set }),
		word("type", "kind of code wanted", func(r taskRow) string { return r.Type }),
		word("category", "area of the language", func(r taskRow) string { return r.Category }),
		word("difficulty", "easy, medium or hard, by the author's estimate", func(r taskRow) string { return string(r.Difficulty) }).OneOf("easy", "medium", "hard"),
		word("human_pass_rate", "share of people's submissions for the task that were accepted, 0 to 1; empty where it is not known", func(r taskRow) string {
			if rate := r.in.human[r.Content]; rate != nil {
				return strconv.FormatFloat(*rate, 'g', -1, 64)
			}
			return ""
		}),
		word("content", "SHA-256 of the task's exact text and tests", func(r taskRow) string { return string(r.Content) }),
		report.Boolean("practice", "1 for a practice task", func(r taskRow) (bool, bool) { return r.Practice, true }),
		report.Boolean("analysed", "1 where the task enters the results: closed, not skipped, not practice", func(r taskRow) (bool, bool) { return r.analysed(), true }),
		word("outcome", "satisfied, gave_up, exhausted or skipped; empty while the task is not closed", func(r taskRow) string { return string(r.Outcome) }).OneOf(string(session.Satisfied), string(session.GaveUp), string(session.Exhausted), string(session.Skipped)),
		report.Boolean("satisfied", "1 where the tester was satisfied in the end", func(r taskRow) (bool, bool) { return r.Outcome == session.Satisfied, analysableOrPractice(r.Task) }),
	}
}

// taskResultColumns returns what became of a task.
func taskResultColumns() []report.ColumnOf[taskRow] {
	word := report.Text[taskRow]
	ms := func(name, meaning string, cell func(taskRow) (int64, bool)) report.ColumnOf[taskRow] {
		return report.Integer(name, "ms", meaning, cell)
	}
	phase := func(p session.Phase, meaning string) report.ColumnOf[taskRow] {
		return ms(string(p)+"_ms", meaning, func(r taskRow) (int64, bool) { return r.times.Phases[p], r.Opened && !r.imported() })
	}
	return []report.ColumnOf[taskRow]{
		report.Integer("attempts", "", "attempts made", func(r taskRow) (int64, bool) { return int64(len(r.Attempts)), r.Opened }),
		report.Integer("attempt_k", "", "attempts as #attempt_k counts them: k for a task without satisfaction", func(r taskRow) (int64, bool) {
			if r.Outcome != session.Satisfied {
				return int64(r.in.state.Plan.K), analysableOrPractice(r.Task)
			}
			return int64(len(r.Attempts)), true
		}),
		ms("completion_ms", "from opening the task to the judgement that ends it, without pauses and unobserved time", func(r taskRow) (int64, bool) { return r.times.Completion, analysableOrPractice(r.Task) }),
		ms("without_model_ms", "completion without waiting for the model; empty for imported sessions", func(r taskRow) (int64, bool) {
			return r.times.WithoutModel, analysableOrPractice(r.Task) && !r.imported()
		}),
		phase(session.Read, "reading before the first edit; empty for imported sessions"),
		phase(session.Compose, "writing prompts"),
		phase(session.Wait, "waiting for answers"),
		phase(session.Review, "reviewing answers"),
		phase(session.Rate, "rating the final answer; not part of completion"),
		ms("paused_ms", "paused; not part of any duration", func(r taskRow) (int64, bool) { return r.times.Paused, r.Opened && !r.imported() }),
		ms("unobserved_ms", "upper bound of the time lost in a crash; not part of any duration", func(r taskRow) (int64, bool) { return r.times.Unobserved, r.Opened && !r.imported() }),
		ms("blurred_ms", "while the terminal did not have the focus; part of the durations", func(r taskRow) (int64, bool) { return r.times.Blurred, r.Opened && !r.imported() }),
		ms("idle_ms", "beyond the idle threshold; part of the durations", func(r taskRow) (int64, bool) { return r.times.Idle, r.Opened && !r.imported() }),
		report.Integer("total", "", "sum of all attributes' scores; empty unless all are rated", func(r taskRow) (int64, bool) {
			sum, whole := total(r.Task, r.in.state.Plan.Attributes)
			return int64(sum), whole
		}),
		word("verdict", "verdict on the final answer's code", func(r taskRow) string {
			if v, _ := (result{Task: r.Task}).verdict(); v != nil {
				return v.Verdict
			}
			return ""
		}).OneOf(verdictNames()...),
		report.Integer("tests_passed", "", "test cases that the final answer passed", func(r taskRow) (int64, bool) {
			return finalTests(r, func(v *session.VerdictRecorded) int { return v.Passed })
		}),
		report.Integer("tests_total", "", "test cases of the task", func(r taskRow) (int64, bool) {
			return finalTests(r, func(v *session.VerdictRecorded) int { return v.Total })
		}),
		report.Integer("attention_expected", "", "score that the attention check among the ratings asked for", func(r taskRow) (int64, bool) {
			if r.Check == nil {
				return 0, false
			}
			return int64(r.Check.Score), true
		}),
		report.Integer("attention_chosen", "", "score that was chosen there", func(r taskRow) (int64, bool) { return int64(r.Checked), r.Checked > 0 }),
		report.Integer("practice_repeats", "", "times that a practice task was begun anew", func(r taskRow) (int64, bool) { return int64(r.Repeats), r.Practice }),
		word("note", "the tester's note", func(r taskRow) string { return r.Note }),
		word("reason", "why the task was skipped", func(r taskRow) string { return r.Reason }),
	}
}

// analysableOrPractice reports whether a task has a result, counted or not.
func analysableOrPractice(t *session.Task) bool { return t.Closed && t.Outcome != session.Skipped }

func finalTests(r taskRow, field func(*session.VerdictRecorded) int) (int64, bool) {
	v, counts := (result{Task: r.Task}).verdict()
	if !counts {
		return 0, false
	}
	return int64(field(v)), true
}
