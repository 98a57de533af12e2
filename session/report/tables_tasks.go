package report

import (
	"strconv"

	"assay/benchmark/judge"
	"assay/session"
)

func formatUint(v uint64) string { return strconv.FormatUint(v, 10) }

// taskColumns describe a task's result.
func taskColumns() []column[taskRow] {
	word := text[taskRow]
	ms := func(name, meaning string, cell func(taskRow) (int64, bool)) column[taskRow] {
		return integer(name, "ms", meaning, cell)
	}
	phase := func(p session.Phase, meaning string) column[taskRow] {
		return ms(string(p)+"_ms", meaning, func(r taskRow) (int64, bool) { return r.times.Phases[p], r.Opened && !r.imported() })
	}
	return []column[taskRow]{
		word("session", "id of the session", func(r taskRow) string { return r.state.Session }),
		word("task", "id of the task", func(r taskRow) string { return r.ID }),
		integer("place", "", "place in the plan, from 1", func(r taskRow) (int64, bool) { return int64(r.index + 1), true }),
		word("title", "title of the task", func(r taskRow) string { return r.Title }),
		word("set", "test set, T0, T1, …", func(r taskRow) string { return r.Set }),
		word("type", "kind of code wanted", func(r taskRow) string { return r.Type }),
		word("category", "area of the language", func(r taskRow) string { return r.Category }),
		word("difficulty", "easy, medium or hard, by the author's estimate", func(r taskRow) string { return string(r.Difficulty) }),
		word("content", "SHA-256 of the task's exact text and tests", func(r taskRow) string { return string(r.Content) }),
		boolean("practice", "1 for a practice task", func(r taskRow) (bool, bool) { return r.Practice, true }),
		boolean("analysed", "1 where the task enters the results: closed, not skipped, not practice", func(r taskRow) (bool, bool) { return analysable(r.Task), true }),
		word("outcome", "satisfied, gave_up, exhausted or skipped; empty while the task is not closed", func(r taskRow) string { return string(r.Outcome) }),
		boolean("satisfied", "1 where the tester was satisfied in the end", func(r taskRow) (bool, bool) { return r.Outcome == session.Satisfied, analysableOrPractice(r.Task) }),
		integer("attempts", "", "attempts made", func(r taskRow) (int64, bool) { return int64(len(r.Attempts)), r.Opened }),
		integer("attempt_k", "", "attempts as #attempt_k counts them: k for a task without satisfaction", func(r taskRow) (int64, bool) {
			if r.Outcome != session.Satisfied {
				return int64(r.state.Plan.K), analysableOrPractice(r.Task)
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
		integer("total", "", "sum of all attributes' scores; empty unless all are rated", func(r taskRow) (int64, bool) {
			sum, whole := total(r.Task, r.state.Plan.Attributes)
			return int64(sum), whole
		}),
		word("verdict", "verdict on the final answer's code", func(r taskRow) string {
			if v, _ := (result{Task: r.Task}).verdict(); v != nil {
				return v.Verdict
			}
			return ""
		}),
		integer("tests_passed", "", "test cases that the final answer passed", func(r taskRow) (int64, bool) {
			return finalTests(r, func(v *session.VerdictRecorded) int { return v.Passed })
		}),
		integer("tests_total", "", "test cases of the task", func(r taskRow) (int64, bool) {
			return finalTests(r, func(v *session.VerdictRecorded) int { return v.Total })
		}),
		word("note", "the tester's note", func(r taskRow) string { return r.Note }),
		word("reason", "why the task was skipped", func(r taskRow) string { return r.Reason }),
	}
}

// analysableOrPractice says whether a task has a result, counted or not.
func analysableOrPractice(t *session.Task) bool { return t.Closed && t.Outcome != session.Skipped }

func finalTests(r taskRow, field func(*session.VerdictRecorded) int) (int64, bool) {
	v, counts := (result{Task: r.Task}).verdict()
	if !counts {
		return 0, false
	}
	return int64(field(v)), true
}

// attemptColumns describe one prompt→answer cycle.
func attemptColumns() []column[attemptRow] {
	word := text[attemptRow]
	phase := func(p session.Phase, meaning string) column[attemptRow] {
		return integer(string(p)+"_ms", "ms", meaning, func(r attemptRow) (int64, bool) { return r.spent.phases[p], !r.imported() })
	}
	sent := func(name, unit, meaning string, field func(*session.PromptSent) int) column[attemptRow] {
		return integer(name, unit, meaning, func(r attemptRow) (int64, bool) {
			if r.Sent == nil || r.imported() {
				return 0, false
			}
			return int64(field(r.Sent)), true
		})
	}
	answer := func(name, unit, meaning string, field func(*session.AnswerReceived) int64) column[attemptRow] {
		return integer(name, unit, meaning, func(r attemptRow) (int64, bool) {
			if r.Answer == nil || r.imported() {
				return 0, false
			}
			return field(r.Answer), true
		})
	}
	verdict := func(name, unit, meaning string, field func(*session.VerdictRecorded) int64) column[attemptRow] {
		return integer(name, unit, meaning, func(r attemptRow) (int64, bool) {
			if r.Verdict == nil || r.Verdict.Verdict == string(judge.NotJudged) {
				return 0, false
			}
			return field(r.Verdict), true
		})
	}
	return []column[attemptRow]{
		word("session", "id of the session", func(r attemptRow) string { return r.state.Session }),
		word("task", "id of the task", func(r attemptRow) string { return r.ID }),
		integer("attempt", "", "number of the attempt, from 1", func(r attemptRow) (int64, bool) { return int64(r.N), true }),
		boolean("analysed", "1 where the task enters the results", func(r attemptRow) (bool, bool) { return analysable(r.Task), true }),
		word("decision", "satisfied, refine or give_up; empty where the answer was not judged", func(r attemptRow) string { return string(r.Decision) }),
		boolean("verdict_seen", "1 where the test results had been on the screen before the decision", func(r attemptRow) (bool, bool) { return r.SeenFirst, r.Decision != "" && !r.imported() }),
		integer("tries", "", "times the prompt was sent: more than 1 after provider errors", func(r attemptRow) (int64, bool) { return int64(r.Tries), !r.imported() }),
		word("prompt", "SHA-256 of the prompt", func(r attemptRow) string {
			return refOf(r.Sent, func(p *session.PromptSent) session.Ref { return p.Prompt })
		}),
		sent("prompt_bytes", "bytes", "length of the prompt", func(p *session.PromptSent) int { return p.Bytes }),
		sent("inserted_bytes", "bytes", "part of the prompt that was inserted, not typed", func(p *session.PromptSent) int { return p.Inserted }),
		sent("messages", "", "messages sent, the prompt last", func(p *session.PromptSent) int { return len(p.Messages) }),
		word("answer", "SHA-256 of the answer", func(r attemptRow) string {
			return refOf(r.Answer, func(a *session.AnswerReceived) session.Ref { return a.Answer })
		}),
		answer("answer_bytes", "bytes", "length of the answer", func(a *session.AnswerReceived) int64 { return int64(a.Bytes) }),
		answer("latency_ms", "ms", "from sending the prompt to the end of the answer", func(a *session.AnswerReceived) int64 { return a.LatencyMS }),
		word("code", "SHA-256 of the code taken from the answer", func(r attemptRow) string {
			return refOf(r.Extracted, func(c *session.CodeExtracted) session.Ref { return c.Code })
		}),
		word("extraction", "how the code was found in the answer", func(r attemptRow) string {
			if r.Extracted == nil {
				return ""
			}
			return r.Extracted.Method
		}),
		word("verdict", "verdict on the code", func(r attemptRow) string {
			if r.Verdict == nil {
				return ""
			}
			return r.Verdict.Verdict
		}),
		verdict("tests_passed", "", "test cases passed", func(v *session.VerdictRecorded) int64 { return int64(v.Passed) }),
		verdict("tests_total", "", "test cases of the task", func(v *session.VerdictRecorded) int64 { return int64(v.Total) }),
		verdict("cpu_ms", "ms", "CPU time of the run", func(v *session.VerdictRecorded) int64 { return v.CPUMS }),
		verdict("memory_kb", "KiB", "peak memory of the run", func(v *session.VerdictRecorded) int64 { return v.MemoryKB }),
		word("enforcement", "which mechanism enforced what while the code ran", func(r attemptRow) string {
			if r.Verdict == nil {
				return ""
			}
			return r.Verdict.Enforcement
		}),
		integer("duration_ms", "ms", "the attempt's part of the task's completion time", func(r attemptRow) (int64, bool) {
			sum := int64(0)
			for phase, ms := range r.spent.phases {
				if phase != session.Rate {
					sum += ms
				}
			}
			return sum, true
		}),
		phase(session.Read, "reading before the first edit; empty for imported sessions"),
		phase(session.Compose, "writing the prompt"),
		phase(session.Wait, "waiting for the answer"),
		phase(session.Review, "reviewing the answer"),
		integer("paused_ms", "ms", "paused; not part of any duration", func(r attemptRow) (int64, bool) { return r.spent.paused, !r.imported() }),
		integer("unobserved_ms", "ms", "upper bound of the time lost in a crash", func(r attemptRow) (int64, bool) { return r.spent.unobserved, !r.imported() }),
	}
}

func refOf[T any](p *T, field func(*T) session.Ref) string {
	if p == nil {
		return ""
	}
	return string(field(p))
}
