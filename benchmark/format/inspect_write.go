package format

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"time"

	"assay/scoring/stats"
)

// What a log of Inspect has: EvalLog, version 2, with the fields that its schema requires (inspect-openapi.json of
// inspect_ai).
type (
	empty     struct{}    // {}
	emptyList [0]struct{} // []

	// InspectLog is a log without its samples. [WriteInspect] sets what all logs have alike.
	InspectLog struct {
		Version int            `json:"version"`
		Status  string         `json:"status"`
		Eval    InspectEval    `json:"eval"`
		Plan    InspectPlan    `json:"plan"`
		Results InspectResults `json:"results"`
		Stats   InspectStats   `json:"stats"`

		Invalidated bool      `json:"invalidated"`
		Tags        emptyList `json:"tags"`
		Metadata    empty     `json:"metadata"`
	}
	InspectEval struct {
		EvalID      string         `json:"eval_id"`
		RunID       string         `json:"run_id"`
		Created     string         `json:"created"`
		Task        string         `json:"task"`
		TaskID      string         `json:"task_id"`
		TaskVersion int            `json:"task_version"`
		Dataset     InspectDataset `json:"dataset"`
		Model       string         `json:"model"`
		Config      InspectConfig  `json:"config"`
		Packages    empty          `json:"packages"`

		Attributes     empty `json:"task_attribs"`
		Args           empty `json:"task_args"`
		ArgsPassed     empty `json:"task_args_passed"`
		GenerateConfig empty `json:"model_generate_config"`
		ModelArgs      empty `json:"model_args"`
	}
	InspectDataset struct {
		Name      string   `json:"name"`
		Samples   int      `json:"samples"`
		SampleIDs []string `json:"sample_ids"`
		Shuffled  bool     `json:"shuffled"`
	}
	InspectConfig struct {
		Epochs  int      `json:"epochs"`
		Reducer []string `json:"epochs_reducer"`
	}
	InspectPlan struct {
		Name   string        `json:"name"`
		Steps  []InspectStep `json:"steps"`
		Config empty         `json:"config"`
	}
	InspectStep struct {
		Solver string `json:"solver"`
		Params empty  `json:"params"`
		Passed empty  `json:"params_passed"`
	}
	InspectResults struct {
		Total     int            `json:"total_samples"`
		Completed int            `json:"completed_samples"`
		Scores    []InspectScore `json:"scores"`
	}
	InspectScore struct {
		Name     string                   `json:"name"`
		Scorer   string                   `json:"scorer"`
		Reducer  string                   `json:"reducer"`
		Scored   int                      `json:"scored_samples"`
		Unscored int                      `json:"unscored_samples"`
		Metrics  map[string]InspectMetric `json:"metrics"`
		Params   empty                    `json:"params"`
	}
	InspectMetric struct {
		Name   string  `json:"name"`
		Value  float64 `json:"value"`
		Params empty   `json:"params"`
	}
	InspectStats struct {
		Started    string    `json:"started_at"`
		Completed  string    `json:"completed_at"`
		ModelUsage empty     `json:"model_usage"`
		RoleUsage  empty     `json:"role_usage"`
		Limits     emptyList `json:"connection_limit_history"`
	}
	// InspectSample is one answer, or the conversation about one task.
	InspectSample struct {
		ID        string                  `json:"id"`
		Epoch     int                     `json:"epoch"`
		Input     string                  `json:"input"`
		Target    string                  `json:"target"`
		Messages  []InspectMessage        `json:"messages"`
		Output    InspectOutput           `json:"output"`
		Scores    map[string]InspectValue `json:"scores,omitempty"`
		Metadata  any                     `json:"metadata"`   // an object
		TotalTime float64                 `json:"total_time"` // seconds that judging took
		Error     *InspectError           `json:"error,omitempty"`

		Store       empty     `json:"store"`
		Events      emptyList `json:"events"`
		ModelUsage  empty     `json:"model_usage"`
		RoleUsage   empty     `json:"role_usage"`
		Attachments empty     `json:"attachments"`
	}
	InspectMessage struct {
		Role    string `json:"role"`
		Content string `json:"content"`
		Source  string `json:"source,omitempty"`

		ToolCalls  []InspectToolCall `json:"tool_calls,omitempty"`   // of an assistant
		ToolCallID string            `json:"tool_call_id,omitempty"` // of a tool, as is Function
		Function   string            `json:"function,omitempty"`
	}
	InspectToolCall struct {
		ID        string          `json:"id"`
		Function  string          `json:"function"`
		Arguments json.RawMessage `json:"arguments"` // an object
		Type      string          `json:"type"`      // "function"
	}
	InspectOutput struct {
		Model      string          `json:"model"`
		Choices    []InspectChoice `json:"choices"`
		Completion string          `json:"completion"`
	}
	InspectChoice struct {
		Message InspectMessage `json:"message"`
		Stop    string         `json:"stop_reason"`
	}
	InspectValue struct {
		Value       string         `json:"value"` // C: correct, I: incorrect
		Answer      string         `json:"answer"`
		Explanation string         `json:"explanation"`
		History     emptyList      `json:"history"`
		Metadata    map[string]any `json:"metadata"`
	}
	InspectError struct {
		Message       string `json:"message"`
		Traceback     string `json:"traceback"`
		TracebackANSI string `json:"traceback_ansi"`
	}
)

// The values of a score.
const (
	InspectCorrect   = "C"
	InspectIncorrect = "I"
)

// NewInspectScore returns the results of a scorer: the mean of the samples' shares of correct epochs, and its standard
// error; both are 0 without shares, and the error for one.
func NewInspectScore(scorer string, scored, unscored int, shares []float64) InspectScore {
	var accuracy, standardError float64
	if len(shares) > 0 {
		accuracy = stats.Mean(shares)
	}
	if len(shares) > 1 {
		standardError = stats.SD(shares) / math.Sqrt(float64(len(shares)))
	}
	return InspectScore{Name: scorer, Scorer: scorer, Reducer: "mean", Scored: scored, Unscored: unscored,
		Metrics: map[string]InspectMetric{"accuracy": {Name: "accuracy", Value: accuracy}, "stderr": {Name: "stderr", Value: standardError}}}
}

// WriteInspect writes a log of samples that have been answered; each calls add for each of them. They come last in
// the file, as readers of the head expect.
func WriteInspect(out io.Writer, log InspectLog, created time.Time, each func(add func(InspectSample) error) error) error {
	log.Version, log.Status = 2, "success"
	log.Eval.Created = created.Format(time.RFC3339)
	log.Stats.Started, log.Stats.Completed = log.Eval.Created, log.Eval.Created
	log.Plan = InspectPlan{Name: "plan", Steps: []InspectStep{{Solver: "generate"}}}
	log.Eval.Config.Reducer = []string{"mean"}
	head, err := json.Marshal(log)
	if err != nil {
		return err
	}
	buf := bufio.NewWriter(out)
	buf.Write(head[:len(head)-1]) // bufio keeps the first error
	between := `,"samples":[`
	if err := each(func(s InspectSample) error {
		text, err := json.Marshal(s)
		if err != nil {
			return err
		}
		buf.WriteString(between + "\n")
		between = ","
		_, err = buf.Write(text)
		return err
	}); err != nil {
		return err
	}
	if between != "," {
		buf.WriteString(between)
	}
	buf.WriteString("\n]}\n")
	return buf.Flush()
}
