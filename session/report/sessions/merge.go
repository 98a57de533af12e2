package sessions

import (
	"strings"

	"assay/benchmark/verdicts"
	"assay/session"
	"assay/session/report"
	doc "assay/session/report/document"
)

// Merge is what testers answered when they were asked if they would merge final answers to repository tasks,
// against the tests.
type Merge struct {
	Answered  int          `json:"answered"`   // final answers that testers were asked about, and answered
	Accepted  MergeAnswers `json:"accepted"`   // of those that passed all tests
	Failed    MergeAnswers `json:"failed"`     // of those that did not
	NotJudged int          `json:"not_judged"` // of those without a verdict that counts, and in neither

	NotMergeable report.Share   `json:"not_mergeable_of_accepted"`   // of the accepted ones, those that would not be merged
	NotAsIs      report.Share   `json:"not_as_it_is_of_accepted"`    // of the accepted ones, those that would not be merged without changes
	Rejected     report.Share   `json:"mergeable_of_failed"`         // of the failed ones, those that would be merged, perhaps with small changes
	Reasons      []report.Count `json:"reasons"`                     // against merging an answer as it is; one answer may have several
	OwnWords     int            `json:"reasons_in_the_own_words_of"` // answers with reasons in the tester's own words
}

// MergeAnswers counts the answers.
type MergeAnswers struct {
	Yes     int `json:"yes"`          // would be merged as they are
	Changes int `json:"with_changes"` // with small changes
	No      int `json:"no"`           // would not be merged
}

func (m *MergeAnswers) add(a session.MergeAnswer) {
	switch a {
	case session.MergeYes:
		m.Yes++
	case session.MergeChanges:
		m.Changes++
	case session.MergeNo:
		m.No++
	}
}

func (m MergeAnswers) sum() int { return m.Yes + m.Changes + m.No }

// Mended is what testers edited in final answers by hand. No attempt is changed by that.
type Mended struct {
	Answers int             `json:"answers"`         // final answers that were edited
	Lines   report.Estimate `json:"lines"`           // added and deleted, of an answer
	Seconds report.Estimate `json:"seconds"`         // that the editor was open, of an answer
	Judged  int             `json:"judged"`          // of the answers those with a verdict before and after
	Before  int             `json:"accepted_before"` // of those, accepted as the model gave them
	After   int             `json:"accepted_after"`  // and as edited
}

// mergeOf returns nil if nobody was asked.
func mergeOf(est *estimator, analysed []result) *Merge {
	m := &Merge{}
	var never, notAsIs, rejected series
	reasons := map[string]int{}
	for _, r := range analysed {
		p := r.Merge
		if !p.Complete() {
			continue
		}
		m.Answered++
		for _, id := range p.Reasons {
			reasons[id]++
		}
		if p.Text != "" {
			m.OwnWords++
		}
		v, counts := r.verdict()
		switch {
		case !counts:
			m.NotJudged++
		case v.Verdict == string(verdicts.Accepted):
			m.Accepted.add(p.Answer)
			never.addIf(r, p.Answer == session.MergeNo)
			notAsIs.addIf(r, p.Answer != session.MergeYes)
		default:
			m.Failed.add(p.Answer)
			rejected.addIf(r, p.Answer != session.MergeNo)
		}
	}
	if m.Answered == 0 {
		return nil
	}
	m.NotMergeable, m.NotAsIs, m.Rejected = est.rate(never), est.rate(notAsIs), est.rate(rejected)
	m.Reasons = []report.Count{}
	for _, reason := range session.MergeReasons() {
		if n := reasons[reason.ID]; n > 0 {
			m.Reasons = append(m.Reasons, report.Count{Name: reason.Name, Count: n})
		}
	}
	return m
}

// mendedOf returns nil if nobody edited an answer.
func mendedOf(est *estimator, analysed []result) *Mended {
	m := &Mended{}
	var lines, seconds series
	for _, r := range analysed {
		if len(r.Mends) == 0 {
			continue
		}
		m.Answers++
		added, deleted, ms := mendSize(r.Task)
		lines.add(r, float64(added+deleted))
		seconds.add(r, float64(ms)/1000)
		v, counts := r.verdict()
		after := r.Mends[len(r.Mends)-1].Verdict
		if !counts || after == nil || !says(&after.VerdictRecorded) {
			continue
		}
		m.Judged++
		m.Before += int(one(v.Verdict == string(verdicts.Accepted)))
		m.After += int(one(after.Verdict == string(verdicts.Accepted)))
	}
	if m.Answers == 0 {
		return nil
	}
	m.Lines, m.Seconds = est.mean(lines), est.mean(seconds)
	return m
}

// mendSize returns the size of the edits of a task's final answer, and their time.
func mendSize(t *session.Task) (added, deleted int, ms int64) {
	for _, mend := range t.Mends {
		ms += mend.MS
	}
	added, deleted = session.Lines(t.Mends[len(t.Mends)-1].Files)
	return added, deleted, ms
}

// mergeColumns are the columns of the table of tasks that have these answers and edits.
func mergeColumns() []report.ColumnOf[taskRow] {
	word := report.Text[taskRow]
	mended := func(name, unit, meaning string, field func(added, deleted int, ms int64) int64) report.ColumnOf[taskRow] {
		return report.Integer(name, unit, meaning, func(r taskRow) (int64, bool) {
			if len(r.Mends) == 0 {
				return 0, false
			}
			return field(mendSize(r.Task)), true
		})
	}
	merged := func(field func(*session.MergeJudged) string) func(taskRow) string {
		return func(r taskRow) string {
			if !r.Merge.Complete() {
				return ""
			}
			return field(r.Merge)
		}
	}
	return []report.ColumnOf[taskRow]{
		word("merge", "whether the tester would merge the final answer: yes, with_changes (small ones) or no; empty where that was not asked", merged(func(p *session.MergeJudged) string { return string(p.Answer) })).
			OneOf(string(session.MergeYes), string(session.MergeChanges), string(session.MergeNo)),
		word("merge_reasons", "reasons against merging it as it is, separated by spaces: "+reasonIDs(), merged(func(p *session.MergeJudged) string { return strings.Join(p.Reasons, " ") })),
		word("merge_words", "reasons in the tester's own words", merged(func(p *session.MergeJudged) string { return p.Text })),
		mended("mended_added", "lines", "lines that the tester added to the final answer by hand, compared with the answer", func(added, _ int, _ int64) int64 { return int64(added) }),
		mended("mended_deleted", "lines", "lines that the tester deleted from it by hand", func(_, deleted int, _ int64) int64 { return int64(deleted) }),
		mended("mended_ms", "ms", "how long the editor was open for that; part of rating", func(_, _ int, ms int64) int64 { return ms }),
		word("mended_verdict", "verdict on the final answer as edited by hand", func(r taskRow) string {
			if n := len(r.Mends); n > 0 && r.Mends[n-1].Verdict != nil {
				return r.Mends[n-1].Verdict.Verdict
			}
			return ""
		}).OneOf(verdictNames()...),
	}
}

func reasonIDs() string {
	var ids []string
	for _, r := range session.MergeReasons() {
		ids = append(ids, r.ID)
	}
	return strings.Join(ids, ", ")
}

// checkMerge counts the answers again in the table of tasks.
func checkMerge(r *Report, c *report.Check, tasks report.Rows) {
	if !r.Pooled {
		return
	}
	var accepted, failed MergeAnswers
	unjudged, mended := 0, 0
	for row := range tasks {
		if !row.Is("analysed") {
			continue
		}
		if row.Text("mended_ms") != "" {
			mended++
		}
		answer, verdict := session.MergeAnswer(row.Text("merge")), row.Text("verdict")
		switch {
		case answer == "":
		case verdict == "" || verdict == string(verdicts.NotJudged) || verdict == string(verdicts.SandboxError):
			unjudged++
		case verdict == string(verdicts.Accepted):
			accepted.add(answer)
		default:
			failed.add(answer)
		}
	}
	if m := r.Merge; m != nil {
		c.Compared++
		if accepted != m.Accepted || failed != m.Failed {
			c.Fault("answers about merging: the table of tasks has %+v and %+v, not %+v and %+v", accepted, failed, m.Accepted, m.Failed)
		}
		c.Equal("answers about merging without a verdict", unjudged, m.NotJudged)
		c.Equal("answers about merging", accepted.sum()+failed.sum()+unjudged, m.Answered)
		c.Equal("accepted and not mergeable", m.Accepted.No, m.NotMergeable.Count)
		c.Equal("accepted answers that were asked about", m.Accepted.sum(), m.NotMergeable.N)
	} else {
		c.Equal("answers about merging", accepted.sum()+failed.sum()+unjudged, 0)
	}
	if r.Mended != nil {
		c.Equal("answers edited by hand", mended, r.Mended.Answers)
	} else {
		c.Equal("answers edited by hand", mended, 0)
	}
}

// merge puts the answers about merging, and the edits by hand, into words.
func (w *writer) merge(in *doc.Section) {
	if w.Merge == nil && w.Mended == nil {
		return
	}
	s := in.Section("merge", "Would the testers merge the answers?")
	if m := w.Merge; m != nil {
		t := s.Table("merge-and-tests", "Whether testers would merge the final answer, against the tests", doc.Left(""), doc.Right("accepted by the tests"), doc.Right("not accepted"))
		t.Row("would merge it", w.d.Count(&m.Accepted.Yes), w.d.Count(&m.Failed.Yes))
		t.Row("with small changes", w.d.Count(&m.Accepted.Changes), w.d.Count(&m.Failed.Changes))
		t.Row("would not merge it", w.d.Count(&m.Accepted.No), w.d.Count(&m.Failed.No))
		t.Note("Final answers to repository tasks that testers answered for: ", w.d.Count(&m.Answered), "; without a verdict, and in no row: ", w.d.Count(&m.NotJudged), ".")
		s.List(
			doc.Item("Accepted by the tests and not mergeable: ", w.share(&m.NotMergeable), " of the accepted answers."),
			doc.Item("Accepted by the tests and not mergeable as it is: ", w.share(&m.NotAsIs), "."),
			doc.Item("Not accepted, and mergeable, perhaps with small changes: ", w.share(&m.Rejected), " of the answers that were not accepted."),
		)
		if len(m.Reasons) > 0 {
			x := s.Table("merge-reasons", "Reasons against merging an answer as it is", doc.Left("reason"), doc.Right("answers"))
			for i := range m.Reasons {
				x.Row(m.Reasons[i].Name, w.d.Count(&m.Reasons[i].Count))
			}
			x.Note("An answer may have several reasons. Answers with reasons in the tester's own words: ", w.d.Count(&m.OwnWords), ".")
		}
	}
	if m := w.Mended; m != nil {
		s.Text("Final answers that testers edited by hand after their judgement: ", w.d.Count(&m.Answers), ". Lines added and deleted, mean of an answer: ", w.estimate(&m.Lines, 1),
			"; time in the editor: ", w.estimate(&m.Seconds, 1), " s. Accepted by the tests before: ", w.d.Count(&m.Before), " of ", w.d.Count(&m.Judged), ", after: ", w.d.Count(&m.After),
			". The edits are in no other number: attempts are the model's alone.")
	}
}
