package generate

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/session"
	"assay/session/llm"
	"assay/session/trajectory"
)

// Answer is one stored generation: a line of a file of answers, which any evaluation can read as a file of
// samples.
type Answer struct {
	TaskID string `json:"task_id"`
	Model  string `json:"model"`  // its name in the models file
	Prompt string `json:"prompt"` // the name of the wording
	Sample int    `json:"sample"` // from 0
	Key    string `json:"key"`    // the hash of its inputs
	Text   string `json:"answer"`
	// Thinking is what the model thought before, where the server sends it apart.
	Thinking string `json:"thinking,omitempty"`

	Unreviewed bool `json:"unreviewed,omitempty"` // a model wrote the prompt, and nobody had reviewed it

	FinishReason    string            `json:"finish_reason"`
	ServedBy        string            `json:"served_by,omitempty"` // the model as named by the server
	Fingerprint     string            `json:"fingerprint,omitempty"`
	Seed            *int64            `json:"seed,omitempty"` // as sent
	InputTokens     int               `json:"input_tokens"`   // 0 if the server does not report it
	OutputTokens    int               `json:"output_tokens"`
	CachedTokens    int               `json:"cached_tokens,omitempty"`    // of the input
	ReasoningTokens int               `json:"reasoning_tokens,omitempty"` // of the output
	Transcript      string            `json:"transcript,omitempty"`       // what an agent printed
	CostUSD         float64           `json:"cost_usd,omitempty"`         // as an agent reports it
	Steps           []trajectory.Step `json:"steps,omitempty"`            // of an agent, as far as its output tells them
	GaveUp          []string          `json:"gave_up,omitempty"`          // settings that the server rejected

	Started time.Time `json:"started"`
	MS      int64     `json:"ms"`              // from the first request to the end of the answer
	Tries   int       `json:"tries,omitempty"` // if more than one
	From    string    `json:"from,omitempty"`  // the run that it was copied from
	Flags   []Flag    `json:"flags,omitempty"`
	Odd     []string  `json:"odd,omitempty"` // what was odd, for the flag of that name
}

// account is what the answer took, as the server counts it.
func (a *Answer) account() session.Account {
	one := session.Account{Answers: 1, Input: int64(a.InputTokens), Cached: int64(a.CachedTokens), Output: int64(a.OutputTokens), Reasoning: int64(a.ReasoningTokens), CostUSD: a.CostUSD}
	if a.InputTokens+a.OutputTokens == 0 {
		one.Uncounted = 1
	}
	return one
}

// Flag marks something unusual about an answer. Flagged answers are kept, judged and counted like all
// others, and reported separately.
type Flag string

// The flags. Runaway requires all answers: longer than the third quartile by three interquartile ranges, on
// the logarithms of one model's lengths (Tukey's far fences), and by a thousand characters.
const (
	Empty     Flag = "empty"      // only white space
	NoCode    Flag = "no_code"    // text without code
	Refusal   Flag = "refusal"    // the server reports a refusal, or the text is one
	Truncated Flag = "truncated"  // it ended at the length limit, or an agent at a limit of its program
	ToolCall  Flag = "tool_call"  // a call of a tool that nobody offered
	PromptCut Flag = "prompt_cut" // the server read only a part of the prompt
	Odd       Flag = "odd"        // the server did not keep to its protocol: no finish reason, several answers
	Runaway   Flag = "runaway"    // far longer than the model's other answers
)

// Flags lists the flags in the order of reports.
func Flags() []Flag {
	return []Flag{Empty, NoCode, Refusal, Truncated, ToolCall, PromptCut, Odd, Runaway}
}

// Words describes the flag in words.
func (f Flag) Words() string {
	return cmp.Or(map[Flag]string{
		NoCode:    "no code",
		ToolCall:  "tool call",
		PromptCut: "prompt cut",
		Runaway:   "runaway length",
	}[f], string(f))
}

// flags returns the flags of an answer by itself.
func flags(a llm.Answer, t *benchmark.Task) []Flag {
	var all []Flag
	blank := strings.TrimSpace(a.Text) == ""
	code := !blank && extract.Code(a.Text, t).Method != extract.MethodNone
	if blank && a.FinishReason != "tool_calls" {
		all = append(all, Empty)
	} else if !blank && !code {
		all = append(all, NoCode)
	}
	if a.FinishReason == "refusal" || a.FinishReason == "content_filter" || !code && refuses(a.Text) {
		all = append(all, Refusal)
	}
	switch a.FinishReason {
	case "length", "limit", "repetition":
		all = append(all, Truncated)
	case "tool_calls":
		all = append(all, ToolCall)
	}
	if a.PromptCut {
		all = append(all, PromptCut)
	}
	if len(a.Odd) > 0 && a.FinishReason != "tool_calls" {
		all = append(all, Odd)
	}
	return all
}

// refuses reports whether a text without code starts like a refusal.
func refuses(text string) bool {
	start := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(text), "’", "'"))
	start = start[:min(len(start), 200)]
	return slices.ContainsFunc([]string{"i'm sorry", "i am sorry", "sorry, ", "i cannot ", "i can't ", "i'm unable", "i am unable",
		"i'm not able", "i won't ", "as an ai"}, func(words string) bool { return strings.HasPrefix(start, words) })
}
