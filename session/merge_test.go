package session

import (
	"reflect"
	"testing"
)

// repositoryPlan has a repository task and another one.
func repositoryPlan() Plan {
	return Plan{Tasks: []PlanTask{{ID: "1", Repository: true}, {ID: "2"}}, Rules: Rules{Merge: true, HandEdit: true}}
}

// The question about merging is asked after repository tasks, and needs a reason unless the answer is yes.
func TestMerge(t *testing.T) {
	st := tell(t, repositoryPlan()).refused(MergeJudged{Answer: MergeYes}).work("accepted")
	st.do(Rated{"a", 7}, Labelled{LabelExplanation, "yes"})
	closed := TaskClosed{Index: 0, Outcome: Satisfied}
	st.refused(closed).refused(MergeJudged{Answer: "perhaps"}).refused(MergeJudged{Answer: MergeNo, Reasons: []string{"taste"}})
	st.refused(MergeJudged{Answer: MergeNo, Reasons: []string{"style", "style"}}).refused(MergeJudged{Answer: MergeYes, Reasons: []string{"style"}})
	st.do(MergeJudged{Answer: MergeNo}).refused(closed) // no reason yet
	st.do(MergeJudged{Answer: MergeChanges, Text: "a name"}, MergeJudged{Answer: MergeNo, Reasons: []string{"style"}}, closed)
	if m := st.s.Tasks[0].Merge; m == nil || m.Answer != MergeNo || m.Text != "" {
		t.Errorf("%+v", m)
	}
	st.work("").refused(MergeJudged{Answer: MergeYes}).do(Rated{"a", 7}, Labelled{LabelExplanation, "yes"}, TaskClosed{Index: 1, Outcome: Satisfied})
}

// A reason that was ticked and unticked leaves the state that a replay gives, since the log has no empty list.
func TestMergeWithoutReasons(t *testing.T) {
	live := tell(t, repositoryPlan()).work("accepted").do(MergeJudged{Answer: MergeNo, Reasons: []string{}})
	replayed := tell(t, repositoryPlan()).work("accepted").do(MergeJudged{Answer: MergeNo})
	if !reflect.DeepEqual(live.s, replayed.s) {
		t.Errorf("%#v, replayed %#v", live.s.Tasks[0].Merge, replayed.s.Tasks[0].Merge)
	}
}

// A judgement that is taken back takes the answer about merging with it.
func TestMergeUndone(t *testing.T) {
	st := tell(t, repositoryPlan()).work("accepted").do(MergeJudged{Answer: MergeYes})
	st.do(Undone{Seq: st.s.CanUndo()})
	if st.s.Tasks[0].Merge != nil || st.s.Phase != Review {
		t.Errorf("%+v in %s", st.s.Tasks[0].Merge, st.s.Phase)
	}
}

// Edits by hand follow the judgement, are numbered, make it final, and have verdicts of their own.
func TestMend(t *testing.T) {
	st := tell(t, repositoryPlan()).refused(AnswerMended{Number: 1})
	st.work("wrong_answer").refused(AnswerMended{Number: 1}) // not applied to the repository
	st.do(TreeChanged{Task: 0, Attempt: 1}).refused(TreeChanged{Task: 0, Attempt: 1}).refused(AnswerMended{Number: 2}).refused(MendJudged{Number: 1})
	st.do(AnswerMended{Number: 1, MS: 5}, AnswerMended{Number: 2, MS: 7})
	if st.s.CanUndo() != 0 {
		t.Error("the judgement can be taken back after an edit")
	}
	st.do(MendJudged{1, VerdictRecorded{Verdict: "not_judged"}}, MendJudged{1, VerdictRecorded{Verdict: "accepted"}})
	st.refused(MendJudged{1, VerdictRecorded{Verdict: "accepted"}}).do(Paused{"tester"}, MendJudged{2, VerdictRecorded{Verdict: "wrong_answer"}}, Resumed{Reason: "tester"})
	task := st.s.Tasks[0]
	if task.Attempts[0].Verdict.Verdict != "wrong_answer" || task.Mends[0].Verdict.Verdict != "accepted" || task.Mends[1].Verdict.Verdict != "wrong_answer" {
		t.Errorf("%+v", task)
	}
	tell(t, Plan{Tasks: []PlanTask{{ID: "1", Repository: true}}}).work("accepted", TreeChanged{Task: 0, Attempt: 1}).refused(AnswerMended{Number: 1})
}
