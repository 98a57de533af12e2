package sessions

import (
	"iter"
	"slices"
	"strconv"

	"assay/benchmark/verdicts"
	"assay/session"
	"assay/session/report"
	"assay/session/report/evaluations"
)

// attemptColumns describe one prompt→answer cycle: which it is, what was sent
// and received, what running the code found, and the time it took; early as in [Options], others and cut as the functions.
func attemptColumns(early, others, cut bool) []report.ColumnOf[attemptRow] {
	text := attemptTextColumns()
	if !early {
		text = slices.Insert(text, len(text)-1, attemptTokenColumns()...)
	}
	if cut {
		text = append(text, report.Boolean("prompt_cut", "1 where the server read only a part of the prompt; empty without an answer", func(r attemptRow) (bool, bool) {
			return r.Answer != nil && r.Answer.PromptCut, r.Answer != nil
		}))
	}
	return slices.Concat(attemptKeyColumns(), text, attemptVerdictColumns(), attemptMeasureColumns(others), attemptTimeColumns())
}

// cut reports whether the server read only a part of the prompt of some attempt.
func cut(attempts iter.Seq[attemptRow]) bool {
	for row := range attempts {
		if row.Answer != nil && row.Answer.PromptCut {
			return true
		}
	}
	return false
}

// others reports whether analysers other than assay's own rules were named for some attempt.
func others(attempts iter.Seq[attemptRow]) bool {
	for row := range attempts {
		if m := row.Measured; m != nil && (len(m.By) > 0 || m.Unrated != "") {
			return true
		}
	}
	return false
}

func attemptKeyColumns() []report.ColumnOf[attemptRow] {
	word := report.Text[attemptRow]
	return []report.ColumnOf[attemptRow]{
		word("session", "id of the session", attemptRow.sessionID),
		word("task", "id of the task", func(r attemptRow) string { return r.ID }),
		report.Integer("attempt", "", "number of the attempt, from 1", func(r attemptRow) (int64, bool) { return int64(r.N), true }),
		report.Boolean("analysed", "1 where the task enters the results", func(r attemptRow) (bool, bool) { return r.analysed(), true }),
		word("decision", "satisfied, refine or give_up; empty where the answer was not judged", func(r attemptRow) string { return string(r.Decision) }).OneOf(string(session.DecideSatisfied), string(session.DecideRefine), string(session.DecideGiveUp)),
		report.Boolean("verdict_seen", "1 where the test results had been on the screen before the decision", func(r attemptRow) (bool, bool) { return r.VerdictSeen, r.Decision != "" && !r.imported() }),
		report.Integer("tries", "", "times the prompt was sent: more than 1 after provider errors", func(r attemptRow) (int64, bool) { return int64(r.Tries), !r.imported() }),
	}
}

func attemptTextColumns() []report.ColumnOf[attemptRow] {
	word := report.Text[attemptRow]
	sent := func(name, unit, meaning string, field func(*session.PromptSent) int) report.ColumnOf[attemptRow] {
		return report.Integer(name, unit, meaning, func(r attemptRow) (int64, bool) {
			if r.Sent == nil || r.imported() {
				return 0, false
			}
			return int64(field(r.Sent)), true
		})
	}
	words := func(name, meaning string, field func(wording) int) report.ColumnOf[attemptRow] {
		return report.Integer(name, "words", meaning, func(r attemptRow) (int64, bool) {
			known := r.in.prompts[r.index]
			if r.N > len(known) || field(known[r.N-1]) < 0 || name == "word_edits" && r.N == 1 {
				return 0, false
			}
			return int64(field(known[r.N-1])), true
		})
	}
	answer := func(name, unit, meaning string, field func(*session.AnswerReceived) int64) report.ColumnOf[attemptRow] {
		return report.Integer(name, unit, meaning, func(r attemptRow) (int64, bool) {
			if r.Answer == nil || r.imported() {
				return 0, false
			}
			return field(r.Answer), true
		})
	}
	return []report.ColumnOf[attemptRow]{
		word("prompt", "SHA-256 of the prompt", func(r attemptRow) string {
			return refOf(r.Sent, func(p *session.PromptSent) session.Ref { return p.Prompt })
		}),
		sent("prompt_bytes", "bytes", "length of the prompt", func(p *session.PromptSent) int { return p.Bytes }),
		sent("inserted_bytes", "bytes", "part of the prompt that was inserted, not typed", func(p *session.PromptSent) int { return p.Inserted }),
		words("prompt_words", "words of the prompt, divided by white space; empty where its text was not at hand", func(w wording) int { return w.words }),
		words("word_edits", "words inserted, deleted or replaced since the prompt of the attempt before", func(w wording) int { return w.edits }),
		sent("messages", "", "messages sent, the prompt last", func(p *session.PromptSent) int { return len(p.Messages) }),
		word("reflection", "SHA-256 of what the model said was wrong, before this prompt was sent; empty where it was not asked", func(r attemptRow) string {
			if r.Reflection == nil {
				return ""
			}
			return refOf(r.Reflection.Answer, func(a *session.AnswerReceived) session.Ref { return a.Answer })
		}),
		word("answer", "SHA-256 of the answer", func(r attemptRow) string {
			return refOf(r.Answer, func(a *session.AnswerReceived) session.Ref { return a.Answer })
		}),
		answer("answer_bytes", "bytes", "length of the answer", func(a *session.AnswerReceived) int64 { return int64(a.Bytes) }),
		answer("latency_ms", "ms", "from sending the prompt to the end of the answer", func(a *session.AnswerReceived) int64 { return a.LatencyMS }),
		word("finish_reason", "why the answer ended: stop, length or content_filter (its end is missing), refusal, or as the provider says it", func(r attemptRow) string {
			if r.Answer == nil || r.imported() {
				return ""
			}
			return r.Answer.FinishReason
		}),
	}
}

// attemptTokenColumns returns what an answer took.
func attemptTokenColumns() []report.ColumnOf[attemptRow] {
	counted := func(name, unit, meaning string, known func(*session.AnswerReceived) bool, field func(*session.AnswerReceived) int) report.ColumnOf[attemptRow] {
		return report.Integer(name, unit, meaning, func(r attemptRow) (int64, bool) {
			if r.Answer == nil || !known(r.Answer) {
				return 0, false
			}
			return int64(field(r.Answer)), true
		})
	}
	tokens := func(a *session.AnswerReceived) bool { return a.InputTokens+a.OutputTokens > 0 }
	steps := func(a *session.AnswerReceived) bool { return a.Steps > 0 }
	return []report.ColumnOf[attemptRow]{
		counted("input_tokens", "tokens", "tokens that the model read; empty where the provider does not count", tokens, func(a *session.AnswerReceived) int { return a.InputTokens }),
		counted("output_tokens", "tokens", "tokens that the model wrote; empty where the provider does not count", tokens, func(a *session.AnswerReceived) int { return a.OutputTokens }),
		counted("agent_steps", "", "answers of an agent's model; empty where no agent told its steps", steps, func(a *session.AnswerReceived) int { return a.Steps }),
		counted("agent_tool_calls", "", "uses of tools by an agent; empty where no agent told its steps", steps, func(a *session.AnswerReceived) int { return a.ToolCalls }),
		report.Text("agent_cost_usd", "cost in US dollars as an agent tells it; empty where none does", func(r attemptRow) string {
			if r.Answer == nil || r.Answer.CostUSD == 0 {
				return ""
			}
			return strconv.FormatFloat(r.Answer.CostUSD, 'f', -1, 64)
		}),
	}
}

// attemptMeasureColumns returns what was found in the code without running it.
func attemptMeasureColumns(others bool) []report.ColumnOf[attemptRow] {
	measured := func(r attemptRow) (*session.Measured, bool) {
		return r.Measured, r.Measured != nil && r.Measured.Problem == ""
	}
	count := func(name, unit, meaning string, field func(*session.Measured) int) report.ColumnOf[attemptRow] {
		return report.Integer(name, unit, meaning, func(r attemptRow) (int64, bool) {
			m, known := measured(r)
			if !known {
				return 0, false
			}
			return int64(field(m)), true
		})
	}
	word := func(name, meaning string, field func(*session.Measured) string) report.ColumnOf[attemptRow] {
		return report.Text(name, meaning, func(r attemptRow) string {
			m, known := measured(r)
			if !known {
				return ""
			}
			return field(m)
		})
	}
	columns := []report.ColumnOf[attemptRow]{
		report.Boolean("parses", "1 where the code is well formed in its language", func(r attemptRow) (bool, bool) {
			m, known := measured(r)
			return known && m.Valid, known
		}),
		count("cyclomatic", "", "cyclomatic complexity of the code, as SonarQube counts it", func(m *session.Measured) int { return m.Cyclomatic }),
		count("cognitive", "", "cognitive complexity of the code, as SonarQube counts it", func(m *session.Measured) int { return m.Cognitive }),
		count("code_lines", "lines", "lines with code", func(m *session.Measured) int { return m.CodeLines }),
		count("comment_lines", "lines", "lines with a comment", func(m *session.Measured) int { return m.CommentLines }),
		word("comment_rate", "comment lines in percent of code and comment lines", func(m *session.Measured) string {
			return strconv.FormatFloat(m.CommentRate, 'f', -1, 64)
		}),
		count("findings", "", "what the analyser objects to", func(m *session.Measured) int { return m.Findings }),
		word("reliability", "rating from A to E; empty where it was not analysed", func(m *session.Measured) string { return m.Reliability }),
		word("security", "rating from A to E; empty where it was not analysed", func(m *session.Measured) string { return m.Security }),
		word("analyser", "what gave the ratings, with its version", func(m *session.Measured) string { return m.Analyser }),
	}
	if others {
		columns = append(columns,
			word("by_analyser", "findings and ratings of each analyser that was named, as JSON; empty where none was", func(m *session.Measured) string { return evaluations.RatingsText(m.By) }),
			word("unrated", "why the analysers that were named did not rate the code", func(m *session.Measured) string { return m.Unrated }))
	}
	return columns
}

func attemptVerdictColumns() []report.ColumnOf[attemptRow] {
	word := report.Text[attemptRow]
	verdict := func(name, unit, meaning string, field func(*session.VerdictRecorded) int64) report.ColumnOf[attemptRow] {
		return report.Integer(name, unit, meaning, func(r attemptRow) (int64, bool) {
			if r.Verdict == nil || r.Verdict.Verdict == string(verdicts.NotJudged) {
				return 0, false
			}
			return field(r.Verdict), true
		})
	}
	tree := func(name, unit, meaning string, field func([]session.ChangedFile) int) report.ColumnOf[attemptRow] {
		return report.Integer(name, unit, meaning, func(r attemptRow) (int64, bool) {
			if r.Tree == nil || r.Tree.Failed != nil {
				return 0, false
			}
			return int64(field(r.Tree.Files)), true
		})
	}
	return []report.ColumnOf[attemptRow]{
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
		}).OneOf(verdictNames()...),
		word("resolution", "how far the answer solves a repository task; empty for other tasks", func(r attemptRow) string {
			if r.Verdict == nil {
				return ""
			}
			return r.Verdict.Resolution
		}),
		tree("files_changed", "", "files of the repository that the answer changes", func(files []session.ChangedFile) int { return len(files) }),
		tree("lines_added", "lines", "lines that it adds", func(files []session.ChangedFile) int { added, _ := session.Lines(files); return added }),
		tree("lines_deleted", "lines", "lines that it deletes", func(files []session.ChangedFile) int { _, deleted := session.Lines(files); return deleted }),
		verdict("tests_passed", "", "test cases passed", func(v *session.VerdictRecorded) int64 { return int64(v.Passed) }),
		verdict("tests_total", "", "test cases of the task", func(v *session.VerdictRecorded) int64 { return int64(v.Total) }),
		report.Boolean("loads", "1 where the code loaded: it is well formed, and running it came to its tests", func(r attemptRow) (bool, bool) {
			known := r.Verdict != nil && says(r.Verdict)
			return known && (r.Verdict.Loads || r.Verdict.Passed > 0), known
		}),
		verdict("cpu_ms", "ms", "CPU time of the run", func(v *session.VerdictRecorded) int64 { return v.CPUMS }),
		verdict("memory_kb", "KiB", "peak memory of the run", func(v *session.VerdictRecorded) int64 { return v.MemoryKB }),
		word("enforcement", "which mechanism enforced what while the code ran", func(r attemptRow) string {
			if r.Verdict == nil {
				return ""
			}
			return r.Verdict.Enforcement
		}),
	}
}

func attemptTimeColumns() []report.ColumnOf[attemptRow] {
	phase := func(p session.Phase, meaning string) report.ColumnOf[attemptRow] {
		return report.Integer(string(p)+"_ms", "ms", meaning, func(r attemptRow) (int64, bool) { return r.spent.phases[p], !r.imported() })
	}
	return []report.ColumnOf[attemptRow]{
		report.Integer("duration_ms", "ms", "the attempt's part of the task's completion time", func(r attemptRow) (int64, bool) {
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
		report.Integer("paused_ms", "ms", "paused; not part of any duration", func(r attemptRow) (int64, bool) { return r.spent.paused, !r.imported() }),
		report.Integer("unobserved_ms", "ms", "upper bound of the time lost in a crash", func(r attemptRow) (int64, bool) { return r.spent.unobserved, !r.imported() }),
	}
}

func refOf[T any](p *T, field func(*T) session.Ref) string {
	if p == nil {
		return ""
	}
	return string(field(p))
}
