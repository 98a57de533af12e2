package plain

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/patch"
	"assay/benchmark/verdicts"
	"assay/session"
	"assay/tui/frame"
)

// statement prints a task.
func (p *talk) statement(t *benchmark.Task) {
	p.say("\n%s\n%s", frame.OneLine(t.Title), frame.Plain(strings.TrimSpace(t.Description)))
	if sig := t.SignatureText(); sig != "" {
		p.say("Signature: %s", frame.Plain(sig))
	}
	for _, c := range t.Constraints {
		p.say("Constraint: %s", frame.Plain(c))
	}
	for _, e := range t.Examples {
		gives := ""
		if e.Output != "" {
			gives = " gives " + e.Output + "."
		}
		p.say("%s", strings.ReplaceAll(strings.TrimSpace("Example: "+e.Input+gives+" "+e.Explanation), "\n", " "))
	}
}

// compose reads a prompt line by line. Each line is saved when it is typed.
func (p *talk) compose() error {
	s := p.state()
	task, a := s.Task(), s.Attempt()
	full := p.eng.Task(s.Current)
	switch {
	case a.Failed != nil:
		p.say("The model did not answer. This cost no attempt; send the prompt again with a dot.%s", arrivedHint(a))
		if !s.Plan.Unnamed() { // the provider's message may name the model
			p.say("%s: %s", frame.OneLine(a.Failed.Message), frame.OneLine(a.Failed.Advice))
		}
	case a.Broken != nil:
		p.say("The answer was cut off. This cost no attempt; send the prompt again with a dot.%s", arrivedHint(a))
	}
	p.say("\nAttempt %d of %d. Write your prompt: only that is sent, and not the task. A line with only a dot sends it; .help lists what else a dot begins.", a.N, s.Plan.K)
	if a.N > 1 && s.Plan.Context == session.Conversation {
		p.say("This is a conversation: your earlier prompts for this task and their answers are sent along.")
	} else if a.N > 1 {
		p.say("Your prompt is sent alone: the model sees no earlier prompts or answers.")
	}
	if s.Plan.Suffix != "" {
		p.say("This is appended when it is sent: %s", strings.ReplaceAll(s.Plan.Suffix, "\n", " "))
	}
	draft := task.Draft()
	if draft != "" {
		p.say("Your prompt so far:\n%s", frame.Plain(draft))
	}
	for {
		line, err := p.line()
		if err != nil {
			return err
		}
		switch {
		case line == ".":
			p.trouble(p.eng.Send(p.ctx, draft))
			return nil
		case strings.HasPrefix(line, ".") && !strings.HasPrefix(line, ".."):
			word, rest, _ := strings.Cut(strings.TrimPrefix(line, "."), " ")
			if err := p.do(dot, word, strings.TrimSpace(rest), append(p.drafting(&draft, full), p.aside()...)); err != nil {
				return err
			}
			if now := p.state(); now.Paused != "" || now.Attempt() == nil || now.Current != s.Current || now.Phase != session.Read && now.Phase != session.Compose {
				return nil
			}
		default:
			line = strings.TrimPrefix(line, ".") // a line that starts with a dot is typed with two
			if draft != "" {
				draft += "\n"
			}
			draft += line
			p.trouble(p.eng.Edit(p.ctx, draft))
		}
	}
}

func arrivedHint(a *session.Attempt) string {
	if len(a.Arrived()) == 0 {
		return ""
	}
	return " Type .arrived to read the part that arrived."
}

// arrived prints the part of an interrupted answer that arrived.
func (p *talk) arrived() error {
	list := p.state().Attempt().Arrived()
	if len(list) == 0 {
		p.say("Nothing arrived.")
	}
	for _, got := range list {
		what := "What arrived"
		if got.Side != "" {
			what += " of answer " + strings.ToUpper(string(got.Side))
		}
		if err := p.answered(what, got.Text, got.Thinking); err != nil {
			return err
		}
	}
	return nil
}

// allowed returns an answer as the study shows it: without what the model thought, where that is hidden.
func (p *talk) allowed(answer string) string {
	answer = p.unnamed(answer)
	if p.state().Plan.HideThinking {
		return extract.WithoutThinking(answer, "(the study does not show what the model thought)\n")
	}
	return answer
}

// answered prints an answer, with what the model thought, as far as the study shows it, marked as that.
func (p *talk) answered(what string, text, thinking session.Ref) error {
	thoughts, err := p.eng.Text(thinking)
	if err != nil {
		return err
	}
	answer, err := p.eng.Text(text)
	if err != nil {
		return err
	}
	if thoughts != "" && !p.state().Plan.HideThinking {
		p.read("What the model thought before, which is not judged", thoughts)
	}
	p.read(what, spoken(p.allowed(answer)))
	return nil
}

// drafting returns the commands while a prompt is written.
func (p *talk) drafting(draft *string, t *benchmark.Task) []command {
	set := func(text string) error {
		*draft = text
		p.trouble(p.eng.Edit(p.ctx, text))
		return nil
	}
	return []command{
		{"arrived", "read the part of an interrupted answer that arrived", func(string) error { return p.arrived() }},
		{"show", "read your prompt out", func(string) error { p.read("Your prompt so far", *draft); return nil }},
		{"task", "read the task out again", func(string) error { p.statement(t); return nil }},
		{"insert WHAT", "append 1, 2 or 3 (the statement at that level), prompt, answer or failing", func(what string) error {
			return p.insert(draft, t, what)
		}},
		{"files", "list the files of the repository", func(string) error { return p.paths(t) }},
		{"file PATH", "append a file of the repository", func(path string) error { return p.file(draft, t, path) }},
		{"back", "remove the last line of your prompt", func(string) error {
			return set((*draft)[:max(0, strings.LastIndexByte(*draft, '\n'))])
		}},
		{"clear", "start your prompt over", func(string) error { return set("") }},
		{"undo", "take the last judgement back; what you wrote is dropped", func(sure string) error {
			if *draft != "" && sure != "sure" {
				p.say("This would drop what you wrote: type .undo sure to do it.")
				return nil
			}
			p.trouble(p.eng.Undo(p.ctx))
			return nil
		}},
		p.skip(),
	}
}

// insert appends a text that was not typed.
func (p *talk) insert(draft *string, t *benchmark.Task, what string) error {
	text, kind := "", what
	attempts := p.state().Task().Attempts
	var before *session.Attempt
	if n := len(attempts); n > 1 {
		before = &attempts[n-2]
	}
	switch {
	case what == "1" || what == "2" || what == "3":
		text, kind = t.PromptText(benchmark.PromptLevel(what[0]-'0')), "level"+what
	case before == nil && (what == "prompt" || what == "answer" || what == "failing"):
		p.say("This is the first attempt.")
		return nil
	case what == "prompt":
		text, _ = p.eng.Text(before.Sent.Prompt)
	case what == "answer":
		text, _ = p.eng.Text(before.Answer.Answer)
		text = p.allowed(text)
	case what == "failing":
		text, kind = p.failing(before), "failing_test"
	}
	if text == "" {
		p.say("There is nothing to insert: type .insert with 1, 2, 3, prompt, answer or failing.")
		return nil
	}
	after := *draft
	if after != "" {
		after += "\n"
	}
	after += text
	if err := p.eng.Insert(p.ctx, kind, *draft, after); err != nil {
		p.trouble(err)
		return nil
	}
	*draft = after
	p.say("Inserted:\n%s", frame.Plain(text))
	return nil
}

// paths prints the files of a repository.
func (p *talk) paths(t *benchmark.Task) error {
	if t.Repository == nil {
		p.say("This task is no repository.")
		return nil
	}
	paths, err := p.eng.Paths(p.ctx, p.state().Current)
	if err != nil {
		p.trouble(err)
		return nil
	}
	p.read("The files", strings.Join(paths, "\n"))
	return nil
}

// file appends a file of a repository to the draft.
func (p *talk) file(draft *string, t *benchmark.Task, path string) error {
	if t.Repository == nil {
		p.say("This task is no repository.")
		return nil
	}
	text, err := p.eng.ReadFile(p.ctx, p.state().Current, path)
	if err != nil {
		p.trouble(err)
		return nil
	}
	after := strings.TrimPrefix(*draft+"\n"+patch.Fenced(path, text), "\n")
	if err := p.eng.Insert(p.ctx, "file", *draft, after); err != nil {
		p.trouble(err)
		return nil
	}
	*draft = after
	p.say("Inserted: %s, with %s.", frame.OneLine(path), frame.Extent(text))
	return nil
}

// changes prints which files an answer changes, or why it does not apply.
func (p *talk) changes() error {
	a := p.state().Attempt()
	switch {
	case a.Tree == nil:
		p.say("The changes are not known: the task is no repository, or the answer is still being applied.")
	case a.Tree.Failed != nil:
		p.say("The answer does not apply: %s", frame.OneLine(strings.TrimPrefix(a.Tree.Failed.Path+": "+a.Tree.Failed.Text, ": ")))
	default:
		for _, f := range a.Tree.Files {
			p.say("%s: %s, %s added, %d deleted.", frame.OneLine(f.Path), f.Change, frame.Count(f.Added, "line"), f.Deleted)
		}
	}
	p.shown("changes")
	return nil
}

// failing describes the first failing test of an attempt.
func (p *talk) failing(a *session.Attempt) string {
	if a.Verdict == nil || p.state().Plan.Sees(a) != session.SeeTests {
		return ""
	}
	result, err := p.eng.Verdict(a.Verdict)
	if err != nil {
		return ""
	}
	if c := result.FirstFailing(); c != nil {
		return c.Words()
	}
	return ""
}

// id returns the id of the answer under review.
func (p *talk) id() answerID {
	a := p.state().Attempt()
	return answerID{p.state().Current, p.state().Task().Repeats, a.N, a.Tries}
}

// review prints the answer, then the results of its tests when they have run, and asks for the
// judgement.
func (p *talk) review() error {
	if p.told != p.id() {
		p.told = p.id()
		if err := p.answer(); err != nil {
			return err
		}
		p.say("You can judge it now: satisfied, refine or give up. Enter alone waits for the tests, help lists more.")
	}
	commands := []command{
		{"satisfied", "you are satisfied with this answer", func(string) error { return p.judged(session.DecideSatisfied) }},
		{"refine", "write another prompt", func(string) error { return p.judged(session.DecideRefine) }},
		{"give", "give up: this task is not solved", func(string) error { return p.judged(session.DecideGiveUp) }},
		{"run CALL", "run the code with a call of your own, or with an input: its text, for a task without tests after <", p.scratch},
	}
	line, err := p.ask("satisfied, refine or give up?")
	if err != nil {
		return err
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	if word == "" {
		return p.tests()
	}
	return p.do("", word, strings.TrimSpace(rest), append(append(commands, p.looking()...), p.aside()...))
}

// answer prints the answer.
func (p *talk) answer() error {
	for _, warning := range p.state().Attempt().Answer.Warnings() {
		p.say("\nCareful: %s", warning)
	}
	p.say("")
	a := p.state().Attempt().Answer
	err := p.answered("The answer", a.Answer, a.Thinking)
	p.shown("answer")
	return err
}

// shown records in the log what was printed.
func (p *talk) shown(tab string) { p.trouble(p.eng.ShowTab(p.ctx, tab, tab == "answer")) }

// looking returns the commands that print parts of an answer.
func (p *talk) looking() []command {
	return []command{
		{"answer", "read the answer out again", func(string) error { return p.answer() }},
		{"tests", "what the tests say", func(string) error { return p.tests() }},
		{"code", "the code extracted from the answer", func(string) error {
			a := p.state().Attempt()
			if a.Extracted == nil || a.Extracted.Code == "" {
				return p.noCode()
			}
			text, err := p.eng.Text(a.Extracted.Code)
			p.read("The code", text)
			return err
		}},
		{"blocks", "which blocks of the answer are code, and which is judged", func(string) error { return p.blocks() }},
		{"take NUMBER", "have another block of the answer judged", p.take},
		{"changes", "which files of a repository the answer changes", func(string) error { return p.changes() }},
		{"measures", "what was measured in the code", func(string) error { p.measures(); return nil }},
		{"prompt", "what was sent", func(string) error {
			text, err := p.eng.Text(p.state().Attempt().Sent.Asked())
			p.read("What was sent", text)
			p.shown("prompt")
			return err
		}},
		{"task", "read the task out again", func(string) error {
			p.statement(p.eng.Task(p.state().Current))
			p.shown("task")
			return nil
		}},
		{"solution", "the reference solution", func(string) error {
			t := p.eng.Task(p.state().Current)
			if t.Reference == "" || !p.state().Plan.Reference {
				p.say("There is none.")
				return nil
			}
			p.read("The reference solution", t.Reference)
			p.shown("solution")
			return nil
		}},
	}
}

// notReached prints which tests at the beginning of a list were not run.
func (p *talk) notReached(cases []verdicts.CaseResult) {
	n := slices.IndexFunc(cases, func(c verdicts.CaseResult) bool { return c.Status != verdicts.NotRun })
	if n < 0 {
		n = len(cases)
	}
	if n == 1 {
		p.say("Test %d was not run.", cases[0].Index)
		return
	}
	p.say("Tests %d to %d were not run.", cases[0].Index, cases[n-1].Index)
}

// noCode prints why no code was extracted from the answer.
func (p *talk) noCode() error {
	why := "The answer has not been searched for code yet."
	if found := p.state().Attempt().Extracted; found != nil {
		why = frame.OneLine(found.Note)
	}
	p.say("There is no code to run. %s", why)
	return nil
}

// tests waits for the tests and prints their results, as far as the study shows them.
func (p *talk) tests() error {
	if p.hidden() {
		return nil
	}
	if err := p.untilKnown(func(a *session.Attempt) bool { return a.Verdict != nil }); err != nil {
		return err
	}
	p.heard = p.id()
	p.shown("tests")
	return p.results(p.state().Attempt())
}

// hidden says, and reports, that the study hides the tests of the open attempt.
func (p *talk) hidden() bool {
	if p.state().Plan.Sees(p.state().Attempt()) != session.SeeNothing {
		return false
	}
	p.say("The study hides the tests until you have judged the answer.")
	return true
}

// results prints the results of an answer's tests, as far as the study shows them.
func (p *talk) results(a *session.Attempt) error {
	v := a.Verdict
	word := strings.ReplaceAll(v.Verdict, "_", " ")
	if v.Resolution != "" {
		word = outcomes.Outcome(v.Resolution).Words()
	}
	p.say("Tests: %s, %d of %d passed, %s of processor time.", frame.OneLine(word), v.Passed, v.Total, frame.Count(int(v.CPUMS), "millisecond"))
	if p.state().Plan.Sees(a) != session.SeeTests {
		p.say("The results of single tests are shown after you have judged the answer.")
		return nil
	}
	result, err := p.eng.Verdict(v)
	if err != nil {
		return fmt.Errorf("the single results cannot be read: %w", err)
	}
	for _, text := range []string{result.Message, result.Resolution.Explained()} {
		if text != "" {
			p.say("%s", frame.Plain(text))
		}
	}
	if len(result.PutBack) > 0 {
		p.say("Files put back before the tests: %s.", frame.OneLine(strings.Join(result.PutBack, ", ")))
	}
	for _, reason := range result.ToReview {
		p.say("To review, since it could influence the tests or their report: %s.", frame.OneLine(reason))
	}
	for i, c := range result.Cases {
		if c.Status == verdicts.NotRun {
			if i == 0 || result.Cases[i-1].Status != verdicts.NotRun {
				p.notReached(result.Cases[i:])
			}
			continue
		}
		if c.Got == "" && c.Status == verdicts.Status(verdicts.WrongAnswer) && p.eng.Task(p.state().Current).Tests.Style == benchmark.Stdin {
			c.Got = "nothing: it printed nothing"
		}
		if c.Status != verdicts.Passed {
			p.say("Test %d: %s", c.Index, strings.ReplaceAll(frame.OneLine(c.Words()), "…", ", and more"))
		}
	}
	p.printed(result, v.Outputs)
	return nil
}

func (p *talk) measures() {
	m := p.state().Attempt().Measured
	switch {
	case m == nil:
		p.say("The code is still being measured.")
	case m.Problem != "":
		p.say("Nothing was measured: %s", frame.OneLine(m.Problem))
	case m.NoCode():
		p.say("Nothing was measured: the answer has no code.")
	default:
		p.say("Cyclomatic complexity %d, cognitive complexity %d, %s of code, %d of comment. Findings: %d. Reliability %s, security %s.",
			m.Cyclomatic, m.Cognitive, frame.Count(m.CodeLines, "line"), m.CommentLines, m.Findings, orNone(m.Reliability), orNone(m.Security))
		if m.Unrated != "" {
			p.say("The code was not rated: %s", frame.OneLine(m.Unrated))
		}
		p.shown("measures")
	}
}

func orNone(rating string) string { return cmp.Or(rating, "not rated") }

// judged records a decision, and that the verdict was seen if it was printed.
func (p *talk) judged(d session.Decision) error {
	err := p.eng.Judge(p.ctx, d, p.heard == p.id())
	if errors.Is(err, session.ErrNotNow) && d == session.DecideRefine {
		p.say("That was the last attempt: you can be satisfied, or give up.")
		return nil
	}
	p.trouble(err)
	return nil
}
