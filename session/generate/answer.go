package generate

import (
	"slices"
	"strings"
	"time"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/session/llm"
)

// Answer is one stored generation: a line of a file of answers, which is a file of samples
// that any evaluation can read.
type Answer struct {
	TaskID string `json:"task_id"`
	Model  string `json:"model"`  // as the models file names it
	Prompt string `json:"prompt"` // the name of the wording
	Sample int    `json:"sample"` // from 0
	Key    string `json:"key"`    // the hash of what made it
	Text   string `json:"answer"`

	Unreviewed bool `json:"unreviewed,omitempty"` // a model wrote the prompt, and nobody had looked at it

	FinishReason string   `json:"finish_reason"`
	ServedBy     string   `json:"served_by,omitempty"` // the model as the server names it
	Fingerprint  string   `json:"fingerprint,omitempty"`
	Seed         *int64   `json:"seed,omitempty"` // that was sent
	InputTokens  int      `json:"input_tokens"`   // 0 where the server does not say
	OutputTokens int      `json:"output_tokens"`
	GaveUp       []string `json:"gave_up,omitempty"` // settings that the server refused

	Started time.Time `json:"started"`
	MS      int64     `json:"ms"`              // from the first request to the end of the answer
	Tries   int       `json:"tries,omitempty"` // where it took more than one
	From    string    `json:"from,omitempty"`  // the run that it was taken from
	Flags   []Flag    `json:"flags,omitempty"`
}

// Flag is what is unusual about an answer. Flagged answers are kept, judged and counted
// like all others, and named beside.
type Flag string

// The flags. Runaway is known only when all answers are there: longer than the third
// quartile by three interquartile ranges, of the logarithms of one model's lengths
// (Tukey's far fences), and by a thousand characters.
const (
	Empty     Flag = "empty"     // nothing but white space
	NoCode    Flag = "no_code"   // text without code in it
	Refusal   Flag = "refusal"   // the server says that the model refused, or the answer does
	Truncated Flag = "truncated" // it ended at the limit of its length
	Runaway   Flag = "runaway"   // far longer than the model's other answers
)

// Flags lists the flags in the order in which reports show them.
func Flags() []Flag { return []Flag{Empty, NoCode, Refusal, Truncated, Runaway} }

// Words is the flag as people read it.
func (f Flag) Words() string {
	switch f {
	case NoCode:
		return "no code"
	case Runaway:
		return "runaway length"
	}
	return string(f)
}

// flags says what is unusual about an answer by itself.
func flags(a llm.Answer, t *benchmark.Task) []Flag {
	var all []Flag
	blank := strings.TrimSpace(a.Text) == ""
	code := !blank && extract.Code(a.Text, t).Method != extract.MethodNone
	if blank {
		all = append(all, Empty)
	} else if !code {
		all = append(all, NoCode)
	}
	if a.FinishReason == "refusal" || a.FinishReason == "content_filter" || !code && refuses(a.Text) {
		all = append(all, Refusal)
	}
	if a.FinishReason == "length" {
		all = append(all, Truncated)
	}
	return all
}

// refuses reports whether a text without code begins as refusals do.
func refuses(text string) bool {
	start := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(text), "’", "'"))
	start = start[:min(len(start), 200)]
	return slices.ContainsFunc([]string{"i'm sorry", "i am sorry", "sorry, ", "i cannot ", "i can't ", "i'm unable", "i am unable",
		"i'm not able", "i won't ", "as an ai"}, func(words string) bool { return strings.HasPrefix(start, words) })
}
