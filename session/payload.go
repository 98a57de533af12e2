package session

import (
	"encoding/json"
	"fmt"
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
)

// Opened begins a log: everything that was decided before the first task.
type Opened struct {
	Session string      `json:"session"` // ULID
	Plan    Plan        `json:"plan"`
	Env     Environment `json:"environment"`
}

// Environment records what the session ran on.
type Environment struct {
	Assay    string `json:"assay"` // version of the program
	OS       string `json:"os"`
	Terminal string `json:"terminal,omitempty"`
	Sandbox  string `json:"sandbox,omitempty"` // what isolates the code, or why nothing does
	Mode     string `json:"mode,omitempty"`    // "plain": line by line; "ssh": on the screens, over SSH; "automatic": by a program; empty: on the screens
	Consent  string `json:"consent,omitempty"` // the words typed to run without isolation
}

// Closed ends a log that is finished or abandoned.
type Closed struct {
	Reason string `json:"reason"` // "finished", "abandoned", "withdrawn"
}

// Consented is the tester's agreement to the study's consent, of which there is one
// version for a session.
type Consented struct {
	Version string `json:"version"`
}

// TaskOpened puts a task before the tester. Index is its place in the plan.
type TaskOpened struct {
	Index int    `json:"index"`
	Task  string `json:"task"`
}

// Outcome is how a task ended.
type Outcome string

// The outcomes. Only the first three are results; a skipped task is counted
// apart.
const (
	Satisfied Outcome = "satisfied" // the tester is satisfied with the last answer
	GaveUp    Outcome = "gave_up"   // the tester gave up before k attempts
	Exhausted Outcome = "exhausted" // k attempts without satisfaction
	Skipped   Outcome = "skipped"   // left out, without a result
)

// TaskClosed ends a task: its rating is complete, or it was skipped.
type TaskClosed struct {
	Index   int     `json:"index"`
	Outcome Outcome `json:"outcome"`
}

// CorrectionBegun opens the rating of the task that was closed last again. What is rated,
// labelled or noted then replaces what stood there, and another TaskClosed ends it. The
// log keeps both.
type CorrectionBegun struct {
	Index int    `json:"index"`
	Task  string `json:"task"`
}

// EditStarted is the first change to an attempt's prompt: reading ends.
type EditStarted struct {
	Attempt int `json:"attempt"`
}

// DraftSaved changes the draft of the prompt by typing. Folding the splices of
// DraftSaved and Inserted gives the draft.
type DraftSaved struct {
	Attempt int `json:"attempt"`
	Splice
}

// Inserted changes the draft by putting text there that was not typed.
type Inserted struct {
	Attempt int `json:"attempt"`
	// What names the source: "level1", "level2", "level3", "prompt", "answer",
	// "failing_test", "history" (a prompt sent before), "paste", "editor", "undo" (inserted
	// text that was deleted and came back), "clean" (control characters went); of an
	// automatic tester "statement" and "feedback", too
	What string `json:"what"`
	Splice
}

// Role says who speaks in a conversation.
type Role string

// The roles of a conversation's messages.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one turn as it was sent to the model.
type Message struct {
	Role Role `json:"role"`
	Text Ref  `json:"text"`
}

// PromptSent starts the wait for an answer. Messages are all that was sent, the
// prompt last, with the study's suffix if it has one.
type PromptSent struct {
	Attempt  int       `json:"attempt"`
	Try      int       `json:"try"` // 1, or more after provider errors
	Prompt   Ref       `json:"prompt"`
	Bytes    int       `json:"bytes"`
	Inserted int       `json:"inserted"` // bytes of the prompt known to be inserted, at most Bytes
	Messages []Message `json:"messages"`

	// Reflection says that an automatic tester asks what was wrong with the attempt
	// before. What follows is an answer, but none that is judged: the attempt's own prompt
	// is sent after it.
	Reflection bool `json:"reflection,omitempty"`
}

// Asked is the last of the messages: the prompt, with what the study appends to it.
func (p PromptSent) Asked() Ref {
	if len(p.Messages) == 0 {
		return p.Prompt
	}
	return p.Messages[len(p.Messages)-1].Text
}

// FirstToken is the arrival of an answer's first piece.
type FirstToken struct {
	Attempt int `json:"attempt"`
}

// AnswerReceived ends the wait with a complete answer.
type AnswerReceived struct {
	Attempt      int    `json:"attempt"`
	Answer       Ref    `json:"answer"`
	Bytes        int    `json:"bytes"`
	FinishReason string `json:"finish_reason"`
	Model        string `json:"model,omitempty"` // as the provider reports it
	InputTokens  int    `json:"input_tokens,omitempty"`
	OutputTokens int    `json:"output_tokens,omitempty"`
	LatencyMS    int64  `json:"latency_ms"` // from sending to the end of the answer
}

// Truncated tells in a sentence that the answer was stopped before its end; it is empty for
// a whole answer.
func (a *AnswerReceived) Truncated() string {
	switch a.FinishReason {
	case "length":
		return "The answer reached its length limit: its end is missing."
	case "content_filter":
		return "A content filter stopped the answer: its end is missing."
	case "refusal":
		return "The model refused and stopped: the answer may be incomplete."
	}
	return ""
}

// AnswerFailed ends the wait with a provider's error. It costs no attempt: the
// same attempt is open again with its prompt as the draft.
type AnswerFailed struct {
	Attempt int    `json:"attempt"`
	Class   string `json:"class"`   // "auth", "rate_limit", "timeout", "refused", "cut_off", "not_a_model", …
	Message string `json:"message"` // what happened, for the tester
	Advice  string `json:"advice"`  // what to do
	Partial Ref    `json:"partial,omitempty"`
}

// AnswerInterrupted ends the wait because the tester stopped it or left, or
// because the program was killed while waiting. It costs no attempt.
type AnswerInterrupted struct {
	Attempt int    `json:"attempt"`
	Reason  string `json:"reason"` // "stopped", "quit" or "crashed"
	Partial Ref    `json:"partial,omitempty"`
}

// CodeExtracted records which part of the answer is taken as code, and why.
type CodeExtracted struct {
	Task    int    `json:"task"` // index in the plan: results may come late
	Attempt int    `json:"attempt"`
	Code    Ref    `json:"code,omitempty"` // empty where the answer has no code
	Bytes   int    `json:"bytes"`
	Method  string `json:"method"`           // how it was found
	Blocks  int    `json:"blocks"`           // fenced blocks in the answer
	Chosen  []int  `json:"chosen,omitempty"` // 1-based blocks taken
	Note    string `json:"note,omitempty"`
}

// VerdictRecorded is the outcome of running an attempt's code.
type VerdictRecorded struct {
	Task        int    `json:"task"` // index in the plan: results may come late
	Attempt     int    `json:"attempt"`
	Verdict     string `json:"verdict"`
	Passed      int    `json:"passed"`
	Total       int    `json:"total"`
	Loads       bool   `json:"loads"` // the program ran far enough for a test case
	CPUMS       int64  `json:"cpu_ms"`
	WallMS      int64  `json:"wall_ms"`
	MemoryKB    int64  `json:"memory_kb"`
	Enforcement string `json:"enforcement"`      // which mechanism enforced what
	Detail      Ref    `json:"detail,omitempty"` // JSON of the per-test-case results
	Message     string `json:"message,omitempty"`

	// Outputs has an element for each file that the task declares.
	Outputs []Output `json:"outputs,omitempty"`
}

// Output is a file that the program was to leave in its working directory.
type Output struct {
	Name    string `json:"name"`
	Size    int64  `json:"size"`
	Kind    string `json:"kind,omitempty"` // by its content: "PNG 640×480", "text", …
	Data    Ref    `json:"data,omitempty"` // the file itself; empty where it is, or where there is a problem
	Problem string `json:"problem,omitempty"`
}

// Measured is what was found in an attempt's code without running it.
type Measured struct {
	Task    int `json:"task"` // index in the plan: results may come late
	Attempt int `json:"attempt"`

	// Problem says why nothing was measured; the rest is empty then.
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
	Analyser     string  `json:"analyser,omitempty"` // that gave the ratings, with its version
	Detail       Ref     `json:"detail,omitempty"`   // JSON of an inspect.Report
}

// TabShown records what the tester looks at while reviewing.
type TabShown struct {
	Attempt int    `json:"attempt"`
	Tab     string `json:"tab"`
}

// Decision is what the tester makes of an answer.
type Decision string

// The three decisions.
const (
	DecideSatisfied Decision = "satisfied"
	DecideRefine    Decision = "refine"
	DecideGiveUp    Decision = "give_up"
)

// Judged is the tester's decision on an attempt. At attempt k, DecideRefine is
// not possible: DecideGiveUp there means exhausted.
type Judged struct {
	Attempt     int      `json:"attempt"`
	Decision    Decision `json:"decision"`
	VerdictSeen bool     `json:"verdict_seen"` // the outcome of the tests had been on the screen, if only as "6 of 15"; tab_shown tells the rest
}

// Rated sets one attribute of the final answer, or the attention check among them
// ([CheckID]). Score 1 is poorest, the scale's highest best.
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

// Words names what a tester writes besides prompts.
type Words string

// The words that are kept while they are written.
const (
	WordsAnswer Words = "answer" // pasted from a chat page
	WordsNote   Words = "note"   // on the open task
	WordsFlag   Words = "flag"   // for the study's owner
	WordsReason Words = "reason" // for leaving a task out
)

// WordsDrafted changes words that are not handed in yet. Folding the splices gives them as
// they stand; handing them in ends the draft.
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

// Resumed continues after a pause, or after the program was started again.
type Resumed struct {
	Reason string `json:"reason"`         // "tester", "break", "reopened"
	Mode   string `json:"mode,omitempty"` // of a session that was reopened; see Environment
}

// FocusLost and FocusGained: the terminal lost or regained the focus.
type (
	FocusLost   struct{}
	FocusGained struct{}
)

// IdleStarted says that nothing was pressed for the idle threshold; IdleEnded
// ends it. AfterMS is the threshold, which has already passed.
type (
	IdleStarted struct {
		AfterMS int64 `json:"after_ms"`
	}
	IdleEnded struct{}
)

// Suspended reports that wall time ran ahead of monotonic time: the machine
// slept, or its clock was set.
type Suspended struct {
	MS int64 `json:"ms"`
}

// Heartbeat bounds what a crash can hide.
type Heartbeat struct{}

// Flagged marks something a study owner should look at.
type Flagged struct {
	Reason string `json:"reason"`
}

// TaskSkipped leaves a task out, with the reason given.
type TaskSkipped struct {
	Index  int    `json:"index"`
	Task   string `json:"task"`
	Reason string `json:"reason"`
}

// Surveyed answers a question of the exit survey; a later one replaces it. The empty
// answer leaves an optional question out.
type Surveyed struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// Renamed gives the session a name by which its tester finds it again, in place of that
// of benchmark and model; the empty one takes the name away. It is possible at any time,
// after the end too, and moves no clock.
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

// decodePayload reads the data of one event. Payloads written by older versions
// of assay are upcast here; there is only version 1 so far.
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
	KindPromptSent: as[PromptSent], KindFirstToken: as[FirstToken],
	KindAnswerReceived: as[AnswerReceived], KindAnswerFailed: as[AnswerFailed], KindAnswerInterrupted: as[AnswerInterrupted],
	KindCodeExtracted: as[CodeExtracted], KindVerdictRecorded: as[VerdictRecorded], KindMeasured: as[Measured], KindTabShown: as[TabShown],
	KindJudged: as[Judged], KindRated: as[Rated], KindLabelled: as[Labelled], KindNoted: as[Noted], KindUndone: as[Undone],
	KindPaused: as[Paused], KindResumed: as[Resumed],
	KindFocusLost: as[FocusLost], KindFocusGained: as[FocusGained],
	KindIdleStarted: as[IdleStarted], KindIdleEnded: as[IdleEnded],
	KindSuspended: as[Suspended], KindHeartbeat: as[Heartbeat], KindFlagged: as[Flagged], KindSkipped: as[TaskSkipped],
	KindSurveyed: as[Surveyed], KindWordsDrafted: as[WordsDrafted], KindRenamed: as[Renamed], KindCorrectionBegun: as[CorrectionBegun],
}
