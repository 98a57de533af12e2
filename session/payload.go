package session

import (
	"encoding/json"
	"fmt"

	"assay/scoring"
)

// The kinds of events.
const (
	KindOpened            Kind = "session_opened"
	KindClosed            Kind = "session_closed"
	KindConsented         Kind = "consented"
	KindTaskOpened        Kind = "task_opened"
	KindTaskClosed        Kind = "task_closed"
	KindEditStarted       Kind = "edit_started"
	KindDraftSaved        Kind = "draft_saved"
	KindInserted          Kind = "inserted"
	KindPromptSent        Kind = "prompt_sent"
	KindFirstToken        Kind = "first_token"
	KindAnswerArrived     Kind = "answer_arrived"
	KindAnswerReceived    Kind = "answer_received"
	KindAnswerFailed      Kind = "answer_failed"
	KindAnswerInterrupted Kind = "answer_interrupted"
	KindCodeExtracted     Kind = "code_extracted"
	KindVerdictRecorded   Kind = "verdict_recorded"
	KindMeasured          Kind = "measured"
	KindTabShown          Kind = "tab_shown"
	KindJudged            Kind = "judged"
	KindRated             Kind = "rated"
	KindLabelled          Kind = "labelled"
	KindNoted             Kind = "noted"
	KindUndone            Kind = "undone"
	KindPaused            Kind = "paused"
	KindResumed           Kind = "resumed"
	KindFocusLost         Kind = "focus_lost"
	KindFocusGained       Kind = "focus_gained"
	KindIdleStarted       Kind = "idle_started"
	KindIdleEnded         Kind = "idle_ended"
	KindSuspended         Kind = "suspended"
	KindHeartbeat         Kind = "heartbeat"
	KindFlagged           Kind = "flagged"
	KindSkipped           Kind = "skipped"
	KindSurveyed          Kind = "surveyed"
	KindWordsDrafted      Kind = "words_drafted"
	KindRenamed           Kind = "session_renamed"
	KindCorrectionBegun   Kind = "correction_begun"
	KindTreeChanged       Kind = "tree_changed"
	KindMergeJudged       Kind = "merge_judged"
	KindAnswerMended      Kind = "answer_mended"
	KindMendJudged        Kind = "mend_judged"
	KindTaskChosen        Kind = "task_chosen"
	KindScratchRun        Kind = "scratch_run"
	KindPicked            Kind = "picked"
)

// Opened starts a log and records everything that was decided before the first task.
type Opened struct {
	Session string      `json:"session"` // ULID
	Plan    Plan        `json:"plan"`
	Env     Environment `json:"environment"`

	// Same are the ids of all sessions that the tester of a withdrawn session had in its place when it was withdrawn,
	// this one included. A tombstone has no pseudonym, and others may get the place. Earlier versions wrote none.
	Same []string `json:"same_tester,omitempty"`
}

// Environment records what the session ran on.
type Environment struct {
	Assay    string `json:"assay"` // version of the program
	OS       string `json:"os"`
	Terminal string `json:"terminal,omitempty"`
	Sandbox  string `json:"sandbox,omitempty"` // the sandbox that isolates the code, or why there is none
	Mode     string `json:"mode,omitempty"`    // "plain": line by line; "ssh": screens over SSH; "automatic": a program; "": screens
	Consent  string `json:"consent,omitempty"` // the words that the tester typed to run without isolation
}

// Closed ends the log of a finished, abandoned or withdrawn session.
type Closed struct {
	Reason string `json:"reason"` // "finished", "abandoned", "withdrawn"
}

// Consented is the tester's agreement to the study's consent; a session has one version of it.
type Consented struct {
	Version string `json:"version"`
}

// TaskOpened presents a task to the tester. Index is its index in the plan.
type TaskOpened struct {
	Index int    `json:"index"`
	Task  string `json:"task"`
}

// Outcome is the outcome of a task.
type Outcome string

// The outcomes. Only the first three are results; skipped tasks are counted separately.
const (
	Satisfied Outcome = "satisfied" // the tester is satisfied with the last answer
	GaveUp    Outcome = "gave_up"   // the tester gave up before k attempts
	Exhausted Outcome = "exhausted" // k attempts without satisfaction
	Skipped   Outcome = "skipped"   // skipped, without a result
)

// TaskClosed ends a task: its rating is complete, or it was skipped.
type TaskClosed struct {
	Index   int     `json:"index"`
	Outcome Outcome `json:"outcome"`
}

// CorrectionBegun reopens the rating of the task closed last. What is rated, labelled or noted then
// replaces the earlier values, and another TaskClosed ends the correction. The log keeps both.
type CorrectionBegun struct {
	Index int    `json:"index"`
	Task  string `json:"task"`
}

// EditStarted is the first change to an attempt's prompt, which ends reading.
type EditStarted struct {
	Attempt int `json:"attempt"`
}

// DraftSaved changes the draft of the prompt by typing. The draft is the fold of the splices of DraftSaved
// and Inserted.
type DraftSaved struct {
	Attempt int `json:"attempt"`
	Splice
}

// FromEditor is the source of text from the tester's own editor.
const FromEditor = "editor"

// Inserted changes the draft by inserting text that was not typed.
type Inserted struct {
	Attempt int `json:"attempt"`
	// What is the source: "level1", "level2", "level3", "prompt", "answer", "failing_test", "history" (a
	// prompt sent before), "paste", "editor", "files" (the list of a repository's), "path" and "file" (one of them), "undo" (inserted text that was deleted and restored), "clean"
	// (control characters were removed); for an automatic tester also "statement" and "feedback".
	What string `json:"what"`
	Splice
}

// CodeExtracted records which part of the answer is taken as code, and why.
type CodeExtracted struct {
	Task    int    `json:"task"` // index in the plan: results may arrive late
	Attempt int    `json:"attempt"`
	Code    Ref    `json:"code,omitempty"` // empty if the answer has no code
	Bytes   int    `json:"bytes"`
	Method  string `json:"method"`           // how it was found
	Blocks  int    `json:"blocks"`           // fenced blocks in the answer
	Chosen  []int  `json:"chosen,omitempty"` // 1-based numbers of the blocks taken
	Note    string `json:"note,omitempty"`

	// Candidate is the number, from 1, of the part of the answer that the tester had judged instead of the one that
	// assay chose; 0: that one. It replaces what was recorded, and is judged and measured anew.
	Candidate int `json:"candidate,omitempty"`

	Side Side `json:"side,omitempty"` // of two answers
}

// VerdictRecorded is the result of running an attempt's code.
type VerdictRecorded struct {
	Task        int    `json:"task"` // index in the plan: results may arrive late
	Attempt     int    `json:"attempt"`
	Verdict     string `json:"verdict"`
	Passed      int    `json:"passed"`
	Total       int    `json:"total"`
	Loads       bool   `json:"loads"` // the program ran far enough for a test case
	CPUMS       int64  `json:"cpu_ms"`
	WallMS      int64  `json:"wall_ms"`
	MemoryKB    int64  `json:"memory_kb"`
	Enforcement string `json:"enforcement"`      // which mechanism enforced which limit
	Detail      Ref    `json:"detail,omitempty"` // JSON of the per-test-case results
	Message     string `json:"message,omitempty"`

	// Resolution is how far an answer solves a repository task, an outcomes.Outcome; "" for other tasks.
	Resolution string `json:"resolution,omitempty"`

	// ToReview are the reasons why a person has to look at an answer that is resolved.
	ToReview []string `json:"to_review,omitempty"`

	// Outputs has an element for each output file that the task declares.
	Outputs []Output `json:"outputs,omitempty"`

	Side Side `json:"side,omitempty"` // of two answers
}

// Output is a file that the program was expected to leave in its working directory.
type Output struct {
	Name    string `json:"name"`
	Size    int64  `json:"size"`
	Kind    string `json:"kind,omitempty"` // from its content: "PNG 640×480", "text", …
	Data    Ref    `json:"data,omitempty"` // the file itself; empty if the file is empty or there is a problem
	Problem string `json:"problem,omitempty"`
}

// Measured is the static analysis of an attempt's code.
type Measured struct {
	Task    int `json:"task"` // index in the plan: results may arrive late
	Attempt int `json:"attempt"`

	// Problem explains why nothing was measured; the other fields are empty then, as they are without a Problem for an
	// answer that has no code.
	Problem string `json:"problem,omitempty"`

	Valid        bool    `json:"valid"`      // it parses
	Cyclomatic   int     `json:"cyclomatic"` // of the file
	Cognitive    int     `json:"cognitive"`  // of the file
	CodeLines    int     `json:"code_lines"`
	CommentLines int     `json:"comment_lines"`
	CommentRate  float64 `json:"comment_rate"` // percent of code and comment lines
	Findings     int     `json:"findings"`
	Reliability  string  `json:"reliability,omitempty"` // A to E; empty: not analysed
	Security     string  `json:"security,omitempty"`
	Analyser     string  `json:"analyser,omitempty"` // the analyser that gave the ratings, with its version
	Detail       Ref     `json:"detail,omitempty"`   // JSON of an inspect.Report

	// By are the ratings of each analyser, if others than assay's own rules were named: the worst of theirs are above.
	By []scoring.Rated `json:"by_analyser,omitempty"`

	// Unrated explains why the analysers that were named did not rate the code.
	Unrated string `json:"unrated,omitempty"`

	Side Side `json:"side,omitempty"` // of two answers
}

// NoCode reports whether there was nothing to measure in the answer.
func (m *Measured) NoCode() bool { return m.Problem == "" && m.CodeLines == 0 && m.Detail == "" }

// TabShown records which tab the tester looks at while reviewing, and the answer while rating.
type TabShown struct {
	Attempt int    `json:"attempt"`
	Tab     string `json:"tab"`
	// Verbatim: the answer is shown verbatim, not rendered
	Verbatim bool `json:"verbatim,omitempty"`
}

// ScratchRun records that the tester ran the code under review with a call or an input of their own, and what it
// printed. It is no verdict.
type ScratchRun struct {
	Attempt int `json:"attempt"`
	Input   Ref `json:"input"`
	Output  Ref `json:"output"`
}

// Decision is the tester's decision on an answer.
type Decision string

// The three decisions.
const (
	DecideSatisfied Decision = "satisfied"
	DecideRefine    Decision = "refine"
	DecideGiveUp    Decision = "give_up"
)

// Judged is the tester's decision on an attempt. DecideRefine is not possible at attempt k: DecideGiveUp
// there means exhausted.
type Judged struct {
	Attempt     int      `json:"attempt"`
	Decision    Decision `json:"decision"`
	VerdictSeen bool     `json:"verdict_seen"` // the result of the tests had been on the screen, at least as "6 of 15"; tab_shown has the details
}

// Rated sets one attribute of the final answer, or its attention check ([CheckID]). Score 1 is poorest, the
// scale's highest is best.
type Rated struct {
	Attribute string `json:"attribute"`
	Score     int    `json:"score"`
}

// Labelled sets one label: see [Labels].
type Labelled struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// Noted sets the tester's free note on the task.
type Noted struct {
	Text string `json:"text"`
}

// Words is a kind of text that a tester writes besides prompts.
type Words string

// The kinds of words whose drafts are saved.
const (
	WordsAnswer Words = "answer" // pasted from a chat page
	WordsNote   Words = "note"   // on the open task
	WordsFlag   Words = "flag"   // for the study's owner
	WordsReason Words = "reason" // for skipping a task
	WordsCall   Words = "call"   // a call of one's own, for a ScratchRun
	WordsMerge  Words = "merge"  // why the answer would not be merged
)

// WordsDrafted changes words that are not submitted yet. The draft is the fold of the splices; submitting
// ends it.
type WordsDrafted struct {
	For Words `json:"for"`
	Splice
}

// Undone takes back the event numbered Seq: a rating, a label or a judgement.
type Undone struct {
	Seq uint64 `json:"seq"`
}

// Paused stops the clock until Resumed.
type Paused struct {
	Reason string `json:"reason"` // "tester", "break", "quit"
}

// Resumed continues after a pause or a restart of the program.
type Resumed struct {
	Reason string `json:"reason"`         // "tester", "break", "reopened"
	Mode   string `json:"mode,omitempty"` // for a reopened session; see Environment
}

// FocusLost and FocusGained: the terminal lost or regained the focus.
type (
	FocusLost   struct{}
	FocusGained struct{}
)

// IdleStarted records that there was no input for the idle threshold AfterMS, which has already passed;
// IdleEnded ends it.
type (
	IdleStarted struct {
		AfterMS int64 `json:"after_ms"`
	}
	IdleEnded struct{}
)

// Suspended records that wall time ran ahead of monotonic time: the machine was suspended, or its clock was
// set.
type Suspended struct {
	MS int64 `json:"ms"`

	// Frozen reports that the monotonic clock ran on while no heartbeat came: the process was stopped, or its
	// virtual machine was paused. The time since the event before is unobserved.
	Frozen bool `json:"frozen,omitempty"`
}

// Heartbeat bounds the time that a crash can hide.
type Heartbeat struct{}

// ClosedByOwner begins the flag of a session that the study's owner closed. The reason follows.
const ClosedByOwner = "closed by the study's owner: "

// Flagged marks something for the study's owner to look at.
type Flagged struct {
	Reason string `json:"reason"`
}

// TaskSkipped skips a task, with the reason given.
type TaskSkipped struct {
	Index  int    `json:"index"`
	Task   string `json:"task"`
	Reason string `json:"reason"`
	// Unsolved counts the task as given up, by the rule of an automatic tester.
	Unsolved bool `json:"unsolved,omitempty"`
}

// Surveyed answers a question of the exit survey; a later answer replaces it. An empty answer skips an
// optional question.
type Surveyed struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// Renamed names the session so that its tester can find it again; an empty name restores the default, which
// is made from benchmark and model. It is allowed at any time, even after the end, and moves no clock.
type Renamed struct {
	Name string `json:"name"`
}

func (Opened) Kind() Kind            { return KindOpened }
func (Closed) Kind() Kind            { return KindClosed }
func (Consented) Kind() Kind         { return KindConsented }
func (TaskOpened) Kind() Kind        { return KindTaskOpened }
func (TaskClosed) Kind() Kind        { return KindTaskClosed }
func (EditStarted) Kind() Kind       { return KindEditStarted }
func (DraftSaved) Kind() Kind        { return KindDraftSaved }
func (Inserted) Kind() Kind          { return KindInserted }
func (PromptSent) Kind() Kind        { return KindPromptSent }
func (FirstToken) Kind() Kind        { return KindFirstToken }
func (AnswerArrived) Kind() Kind     { return KindAnswerArrived }
func (AnswerReceived) Kind() Kind    { return KindAnswerReceived }
func (AnswerFailed) Kind() Kind      { return KindAnswerFailed }
func (AnswerInterrupted) Kind() Kind { return KindAnswerInterrupted }
func (CodeExtracted) Kind() Kind     { return KindCodeExtracted }
func (VerdictRecorded) Kind() Kind   { return KindVerdictRecorded }
func (Measured) Kind() Kind          { return KindMeasured }
func (TabShown) Kind() Kind          { return KindTabShown }
func (Judged) Kind() Kind            { return KindJudged }
func (Rated) Kind() Kind             { return KindRated }
func (Labelled) Kind() Kind          { return KindLabelled }
func (Noted) Kind() Kind             { return KindNoted }
func (Undone) Kind() Kind            { return KindUndone }
func (Paused) Kind() Kind            { return KindPaused }
func (Resumed) Kind() Kind           { return KindResumed }
func (FocusLost) Kind() Kind         { return KindFocusLost }
func (FocusGained) Kind() Kind       { return KindFocusGained }
func (IdleStarted) Kind() Kind       { return KindIdleStarted }
func (IdleEnded) Kind() Kind         { return KindIdleEnded }
func (Suspended) Kind() Kind         { return KindSuspended }
func (Heartbeat) Kind() Kind         { return KindHeartbeat }
func (Flagged) Kind() Kind           { return KindFlagged }
func (TaskSkipped) Kind() Kind       { return KindSkipped }
func (Surveyed) Kind() Kind          { return KindSurveyed }
func (WordsDrafted) Kind() Kind      { return KindWordsDrafted }
func (Renamed) Kind() Kind           { return KindRenamed }
func (CorrectionBegun) Kind() Kind   { return KindCorrectionBegun }
func (TaskChosen) Kind() Kind        { return KindTaskChosen }
func (ScratchRun) Kind() Kind        { return KindScratchRun }

// decodePayload decodes the data of one event. This is the place to upcast payloads of older versions; so
// far there is only version 1.
func decodePayload(kind Kind, version int, data []byte) (Payload, error) {
	decode, known := decoders[kind]
	if !known {
		return nil, fmt.Errorf("%w %q: the log was written by a newer assay; use that version to read it", ErrUnknownKind, kind)
	}
	if version != 1 {
		return nil, fmt.Errorf("%w %q in version %d: the log was written by a newer assay; use that version to read it", ErrUnknownKind, kind, version)
	}
	payload, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	return payload, nil
}

func as[P Payload](data []byte) (Payload, error) {
	var p P
	err := json.Unmarshal(data, &p)
	return p, err
}

// decoders is the registry of payload types; it is never written to.
var decoders = map[Kind]func([]byte) (Payload, error){
	KindOpened: as[Opened], KindClosed: as[Closed],
	KindConsented: as[Consented], KindTaskOpened: as[TaskOpened], KindTaskClosed: as[TaskClosed],
	KindEditStarted: as[EditStarted], KindDraftSaved: as[DraftSaved], KindInserted: as[Inserted],
	KindPromptSent: as[PromptSent], KindFirstToken: as[FirstToken], KindAnswerArrived: as[AnswerArrived],
	KindAnswerReceived: as[AnswerReceived], KindAnswerFailed: as[AnswerFailed], KindAnswerInterrupted: as[AnswerInterrupted],
	KindCodeExtracted: as[CodeExtracted], KindVerdictRecorded: as[VerdictRecorded], KindMeasured: as[Measured], KindTabShown: as[TabShown],
	KindJudged: as[Judged], KindRated: as[Rated], KindLabelled: as[Labelled], KindNoted: as[Noted], KindUndone: as[Undone],
	KindPaused: as[Paused], KindResumed: as[Resumed],
	KindFocusLost: as[FocusLost], KindFocusGained: as[FocusGained],
	KindIdleStarted: as[IdleStarted], KindIdleEnded: as[IdleEnded],
	KindSuspended: as[Suspended], KindHeartbeat: as[Heartbeat], KindFlagged: as[Flagged], KindSkipped: as[TaskSkipped],
	KindSurveyed: as[Surveyed], KindWordsDrafted: as[WordsDrafted], KindRenamed: as[Renamed], KindCorrectionBegun: as[CorrectionBegun],
	KindTreeChanged: as[TreeChanged], KindMergeJudged: as[MergeJudged], KindAnswerMended: as[AnswerMended], KindMendJudged: as[MendJudged],
	KindTaskChosen: as[TaskChosen], KindScratchRun: as[ScratchRun], KindPicked: as[Picked],
}
