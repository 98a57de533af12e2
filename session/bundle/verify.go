package bundle

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/benchmark/verdicts"
	"assay/session"
	"assay/session/engine"
	"assay/session/report/sessions"
)

// Judge judges code again as a session's judge did.
type Judge interface {
	engine.Judge
	// Ready returns why a task cannot be judged here, or nil.
	Ready(ctx context.Context, task *benchmark.Task) error
}

// Options configure verification.
type Options struct {
	Judge    Judge                 // nil: do not judge again
	Workers  int                   // concurrent judges; 0: one
	Progress func(done, total int) // called after each judged answer, one call at a time; may be nil
}

// Findings are the result of verifying a bundle that [Read] accepted.
type Findings struct {
	Verdicts Verdicts `json:"verdicts"`
	Report   Report   `json:"report"`
}

// Same reports whether nothing differs.
func (f Findings) Same() bool {
	return len(f.Verdicts.Differ) == 0 && len(f.Verdicts.Code) == 0 && len(f.Report.Differ) == 0
}

// Missing counts the verdicts that could not be compared because software for running code is missing here.
func (f Findings) Missing() int {
	n := 0
	for _, r := range f.Verdicts.NotCompared {
		if r.Missing {
			n += r.Count
		}
	}
	return n
}

// Verdicts compares recorded verdicts with new ones on the same code.
type Verdicts struct {
	Ran         bool          `json:"ran"` // false: the caller skipped judging
	Answers     int           `json:"answers"`
	Compared    int           `json:"compared"`
	Differ      []Difference  `json:"differ"`
	Code        []Answer      `json:"code_differs"` // answers whose extracted code differs now
	NotCompared []NotCompared `json:"not_compared"`
}

// Answer identifies an answer of a session.
type Answer struct {
	Session string `json:"session"`
	Task    string `json:"task"`
	Attempt int    `json:"attempt"`
	Edit    int    `json:"edit,omitempty"` // of the final answer by hand, from 1; 0: the model's answer
}

// Difference is a verdict that has changed.
type Difference struct {
	Answer
	Recorded Outcome `json:"recorded"`
	Now      Outcome `json:"now"`
	Message  string  `json:"message,omitempty"` // of the new verdict
}

// Outcome is a verdict with the numbers of test cases.
type Outcome struct {
	Verdict     string `json:"verdict"`
	Passed      int    `json:"passed"`
	Total       int    `json:"total"`
	Interpreter string `json:"interpreter,omitempty"` // that ran the code; not compared
}

// NotCompared is a reason why verdicts were not compared. Missing reports that another machine could
// compare them.
type NotCompared struct {
	Reason  string `json:"reason"`
	Count   int    `json:"count"`
	Missing bool   `json:"missing_here"`
}

// Report compares the recorded report with a regenerated one.
type Report struct {
	Files  int              `json:"files"`
	Differ []FileDifference `json:"differ"`
}

// FileDifference is a file of the report that differs.
type FileDifference struct {
	Name    string `json:"name"`
	Problem string `json:"problem"`
}

// Verify judges every stored answer again and regenerates the report. Differences are findings; the error
// is for a log that cannot be folded or a cancelled context.
func (b *Bundle) Verify(ctx context.Context, o Options) (Findings, error) {
	verdicts, err := b.verifyVerdicts(ctx, o)
	if err != nil {
		return Findings{}, err
	}
	report, err := b.verifyReport()
	return Findings{verdicts, report}, err
}

// recorded is an answer, or one edited by hand, with its recorded code and verdict.
type recorded struct {
	Answer
	task    *benchmark.Task
	text    session.Ref // that the code was extracted from; "" if it was not
	taken   int         // the candidate that the tester took, from 1; 0: what assay chose
	code    string
	verdict *session.VerdictRecorded // nil: the log ends before it

	now    verdicts.Result // the new result
	reason NotCompared     // or why there is none
}

// answers lists the answers of all sessions, and what they became by hand.
func (b *Bundle) answers() ([]recorded, error) {
	var all []recorded
	for _, l := range b.logs {
		state, err := session.Replay(l.Events)
		if err != nil {
			return nil, fmt.Errorf("%s: the log cannot be replayed: %w", sessionName(l.ID), err)
		}
		if err := session.CheckChoices(l.Events); err != nil {
			return nil, fmt.Errorf("%s: %w", sessionName(l.ID), err)
		}
		tasks, err := engine.LoadTasks(b, state.Plan)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", sessionName(l.ID), err)
		}
		for i, t := range state.Tasks {
			for _, a := range t.Attempts {
				if a.Answer == nil || a.Answer.Answer == "" {
					continue // waiting for the model when the log ends, or imported from tables
				}
				r := recorded{Answer: Answer{l.ID, t.ID, a.N, 0}, task: tasks[i]}
				var code session.Ref
				if a.Extracted != nil {
					r.text, r.verdict, code = a.Answer.Answer, a.Verdict, a.Extracted.Code
					r.taken = a.Extracted.Candidate
				}
				if r.code, err = b.text(code); err != nil {
					return nil, err
				}
				all = append(all, r)
			}
			for _, m := range t.Mends {
				r := recorded{Answer: Answer{l.ID, t.ID, len(t.Attempts), m.Number}, task: tasks[i]}
				if m.Verdict != nil {
					r.verdict = &m.Verdict.VerdictRecorded
				}
				if r.code, err = b.text(m.Diff); err != nil {
					return nil, err
				}
				all = append(all, r)
			}
		}
	}
	return all, nil
}

// text returns a text of the sessions; "" has none.
func (b *Bundle) text(ref session.Ref) (string, error) {
	if ref == "" {
		return "", nil
	}
	text, err := b.Blob(ref)
	return string(text), err
}

// incomparable returns why there is no recorded verdict to compare with.
func (r *recorded) incomparable() string {
	v := r.verdict
	switch {
	case v == nil:
		return "the log ends before the verdict"
	case v.Verdict == string(verdicts.NotJudged), v.Verdict == string(verdicts.SandboxError):
		return fmt.Sprintf("recorded as %s: %s", v.Verdict, cmp.Or(v.Message, "no reason is recorded"))
	}
	return ""
}

func (b *Bundle) verifyVerdicts(ctx context.Context, o Options) (Verdicts, error) {
	v := Verdicts{Ran: o.Judge != nil, Differ: []Difference{}, Code: []Answer{}}
	answers, err := b.answers()
	if err != nil {
		return v, err
	}
	v.Answers = len(answers)
	var due []*recorded
	for i := range answers {
		r := &answers[i]
		same, err := b.sameCode(r)
		if err != nil {
			return v, err
		}
		if !same {
			v.Code = append(v.Code, r.Answer)
		}
		if reason := r.incomparable(); reason != "" {
			r.reason = NotCompared{Reason: reason}
		} else if o.Judge != nil {
			due = append(due, r)
		}
	}
	if err := judgeAgain(ctx, due, o); err != nil {
		return v, err
	}
	for _, r := range due {
		ran := ranBy(b.files, r.verdict)
		if r.reason.Reason == "" && digest(ran.Library) != digest(r.now.Library) {
			r.reason = NotCompared{Reason: "the task's library is not what it was: recorded with " + cmp.Or(ran.Library, "none"), Missing: true}
		}
		if r.reason.Reason != "" {
			continue
		}
		v.Compared++
		before := Outcome{r.verdict.Verdict, r.verdict.Passed, r.verdict.Total, ran.Interpreter}
		now := Outcome{string(r.now.Verdict), r.now.Passed, r.now.Total, r.now.Interpreter}
		if now.Verdict != before.Verdict || now.Passed != before.Passed || now.Total != before.Total {
			v.Differ = append(v.Differ, Difference{r.Answer, before, now, r.now.Message})
		}
	}
	v.NotCompared = reasons(answers)
	return v, nil
}

// digest returns the digest of a library; results name it with its folder.
func digest(library string) string {
	_, sum, _ := strings.Cut(library, " sha256:")
	return sum
}

// sameCode reports whether extraction finds the recorded code in the recorded answer.
func (b *Bundle) sameCode(r *recorded) (bool, error) {
	if r.text == "" {
		return true, nil
	}
	answer, err := b.text(r.text)
	return err == nil && extract.Take(answer, r.task, r.taken-1).Code == r.code, err
}

// judgeAgain judges answers concurrently and stores each result in its answer.
func judgeAgain(ctx context.Context, due []*recorded, o Options) error {
	var jobs errgroup.Group
	jobs.SetLimit(max(o.Workers, 1))
	var mu sync.Mutex
	done := 0
	for _, r := range due {
		jobs.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			r.judge(ctx, o)
			mu.Lock()
			defer mu.Unlock()
			if done++; o.Progress != nil {
				o.Progress(done, len(due))
			}
			return ctx.Err()
		})
	}
	return jobs.Wait()
}

// judge judges the recorded code of an answer as the session did.
func (r *recorded) judge(ctx context.Context, o Options) {
	missing := func(reason string) { r.reason = NotCompared{Reason: reason, Missing: true} }
	if err := o.Judge.Ready(ctx, r.task); err != nil {
		missing(err.Error())
		return
	}
	var err error
	if r.now, err = o.Judge.Judge(ctx, r.task, r.code); err != nil {
		missing(err.Error())
	} else if r.now.Verdict == verdicts.SandboxError {
		missing("the sandbox failed: " + r.now.Message)
	}
}

// reasons counts why answers were not compared, the most frequent reason first.
func reasons(answers []recorded) []NotCompared {
	counts := map[NotCompared]int{}
	for _, r := range answers {
		if r.reason.Reason != "" {
			counts[r.reason]++
		}
	}
	list := []NotCompared{}
	for reason, n := range counts {
		reason.Count = n
		list = append(list, reason)
	}
	slices.SortFunc(list, func(a, b NotCompared) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Reason, b.Reason))
	})
	return list
}

// verifyReport regenerates the report from the logs and compares each of its files.
func (b *Bundle) verifyReport() (Report, error) {
	r := Report{Differ: []FileDifference{}}
	now, settings, err := b.reportFiles()
	if err != nil {
		return r, err
	}
	before := map[string][]byte{}
	for name, text := range b.files {
		if name, ok := strings.CutPrefix(name, reportDir); ok {
			before[name] = text
		}
	}
	r.Files = len(before)
	layout := b.layout()
	differs := func(name, problem string, args ...any) {
		r.Differ = append(r.Differ, FileDifference{name, fmt.Sprintf(problem, args...)})
	}
	if settings != b.Manifest.Report {
		differs(manifestName, "it names other settings of the report than were used now")
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		text, made := now[name]
		switch {
		case !made:
			differs(reportDir+name, "it is not made now")
		case !sessions.SameFile(layout, name, before[name], text):
			differs(reportDir+name, "it differs from line %d on", firstDifference(before[name], text))
		}
		delete(now, name)
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		differs(reportDir+name, "it is made now, and is not in the bundle")
	}
	return r, nil
}

// firstDifference returns the first line, from 1, that differs between two texts.
func firstDifference(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return 1 + bytes.Count(a[:n], []byte("\n"))
}
