package machine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/judges"
	"assay/session/llm"
)

// CheckedModel is the JSON form of a model in `assay models check`.
type CheckedModel struct {
	Name         string   `json:"name"`
	Provider     string   `json:"provider"`
	OK           bool     `json:"ok"`
	Skipped      bool     `json:"skipped,omitempty"` // it cannot be checked
	Embeddings   bool     `json:"embeddings,omitempty"`
	Model        string   `json:"model,omitempty"` // as reported by the provider
	FirstByteMS  int64    `json:"first_byte_ms,omitempty"`
	FirstMS      int64    `json:"first_ms,omitempty"` // the first text
	TotalMS      int64    `json:"total_ms,omitempty"`
	InputTokens  int      `json:"input_tokens,omitempty"`
	OutputTokens int      `json:"output_tokens,omitempty"`
	FinishReason string   `json:"finish_reason,omitempty"`
	Fingerprint  string   `json:"system_fingerprint,omitempty"`
	Drop         []string `json:"drop,omitempty"`  // settings without which it answers
	Notes        []string `json:"notes,omitempty"` // what it ignored or rejected
	Class        string   `json:"class,omitempty"` // of the error
	Error        string   `json:"error,omitempty"`
}

func newModelsCheck(io *console.IO, load func() (llm.Models, error)) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "check [NAME...]",
		Example: "  assay models check\n  assay models check gpt-4o local",
		Short:   "Send one small request to each model and report what works",
		Long: "Sends one small request to each model named, or to every model without a name,\n" +
			"and says how long it took, what it ignored and what it refused. Where a server refuses\n" +
			"settings, it is asked again without them. Exit code 0: all answer; 4: a key is missing\n" +
			"or refused; 1: another problem.",
		RunE: func(cmd *cobra.Command, names []string) error {
			models, err := load()
			if err != nil {
				return err
			}
			return checkModels(cmd.Context(), io, models, names, asJSON)
		},
	}
	console.JSONFlag(cmd.Flags(), &asJSON, "print JSON", checkedModels{})
	return cmd
}

func checkModels(ctx context.Context, io *console.IO, models llm.Models, names []string, asJSON bool) error {
	if len(names) == 0 {
		for _, m := range append(models.List(), models.Embeddings()...) {
			names = append(names, m.Name)
		}
	}
	var chosen []llm.Model
	for _, name := range names {
		m, err := models.Get(name)
		if embeds, found := models.GetEmbeddings(name); found == nil {
			m, err = embeds, nil
		}
		if err != nil {
			return err
		}
		chosen = append(chosen, m)
	}
	var results []CheckedModel
	for _, m := range chosen {
		fmt.Fprintf(io.Err, "asking %s …\n", m.Name)
		result := CheckModel(ctx, io, m)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		results = append(results, result)
		if !asJSON {
			fmt.Fprint(io.Out, result.Text())
		}
	}
	if asJSON {
		if err := console.WriteJSON(io, checkedModels{results}); err != nil {
			return err
		}
	}
	return checkVerdict(results)
}

// checkedModels are the models that were asked.
type checkedModels struct {
	Models []CheckedModel `json:"models"`
}

// CheckModel checks one model. A model that fails is a result, too.
func CheckModel(ctx context.Context, io *console.IO, m llm.Model) CheckedModel {
	result := CheckedModel{Name: m.Name, Provider: m.Provider}
	if m.Embeddings {
		result.embed(ctx, io, m)
		return result
	}
	switch m.Provider {
	case llm.ProviderPaste:
		result.OK, result.Skipped = true, true
		return result
	case llm.ProviderReplay:
		n, err := llm.CountRecorded(m.Answers)
		result.OK, result.Skipped = err == nil, true
		if err != nil {
			result.Error = err.Error()
			return result
		}
		result.Notes = []string{fmt.Sprintf("%d recorded answers in %s", n, m.Answers)}
		return result
	}
	deps := inputs.ModelsDeps(io)
	x, err := judges.NewExecution(judges.Isolation{}, io.Getenv) // opened by agents alone
	if err != nil {
		result.failed(err)
		return result
	}
	defer x.Close()
	deps.Agents = x
	got := m.Check(ctx, deps, "badge-line") // a task with recordings, for the rehearsal provider
	result.OK, result.Drop, result.Notes = got.OK, got.Drop, got.Notes
	result.FirstByteMS, result.FirstMS, result.TotalMS = milliseconds(got.FirstByte), milliseconds(got.FirstText), milliseconds(got.Total)
	result.Model, result.FinishReason, result.Fingerprint = got.Answer.Model, got.Answer.FinishReason, got.Answer.Fingerprint
	result.InputTokens, result.OutputTokens = got.Answer.InputTokens, got.Answer.OutputTokens
	result.failed(got.Err)
	return result
}

// failed records why a model did not answer, if err is not nil.
func (c *CheckedModel) failed(err error) {
	var failed *llm.Error
	if errors.As(err, &failed) {
		c.Class = string(failed.Class)
	}
	if err != nil {
		c.Error = err.Error()
	}
}

// embed requests the embedding of one text.
func (c *CheckedModel) embed(ctx context.Context, io *console.IO, m llm.Model) {
	deps := inputs.ModelsDeps(io)
	e, err := m.Embedder(deps)
	start := deps.Now()
	if err == nil {
		err = e.Embed(ctx, []string{"Return the sum of a list of numbers."}, func(_ int, vectors [][]float64) error {
			c.Notes = []string{fmt.Sprintf("it makes embeddings of %d numbers", len(vectors[0]))}
			return nil
		})
	}
	c.OK, c.Embeddings, c.Model, c.TotalMS = err == nil, true, m.Model, milliseconds(max(deps.Now().Sub(start), 1))
	c.failed(err)
}

// milliseconds returns d in whole milliseconds, 0 only if d is 0.
func milliseconds(d time.Duration) int64 {
	if d > 0 {
		return max(d.Milliseconds(), 1)
	}
	return 0
}

// Text returns the result in words: a line, and one for each note.
func (c CheckedModel) Text() string {
	var b strings.Builder
	switch {
	case c.Skipped && c.Provider == llm.ProviderPaste:
		fmt.Fprintf(&b, "%s: nothing to check, you paste the answers\n", c.Name)
	case !c.OK:
		fmt.Fprintf(&b, "%s: failed: %s\n", c.Name, c.Error)
	case c.Skipped:
		fmt.Fprintf(&b, "%s: ok\n", c.Name)
	case c.Embeddings:
		fmt.Fprintf(&b, "%s: ok, after %d ms, model %s\n", c.Name, c.TotalMS, c.Model)
	default:
		fmt.Fprintf(&b, "%s: ok, %s\n", c.Name, strings.Join(c.facts(), ", "))
	}
	for _, note := range c.Notes {
		fmt.Fprintf(&b, "  %s\n", note)
	}
	return b.String()
}

// facts lists what is known about an answer.
func (c CheckedModel) facts() []string {
	var parts []string
	if c.FirstByteMS > 0 {
		parts = append(parts, fmt.Sprintf("first byte after %d ms", c.FirstByteMS))
	}
	if c.FirstMS > 0 {
		parts = append(parts, fmt.Sprintf("first text after %d ms", c.FirstMS))
	} else {
		parts = append(parts, "no text")
	}
	parts = append(parts, fmt.Sprintf("complete after %d ms (%s)", c.TotalMS, c.FinishReason))
	if c.InputTokens > 0 || c.OutputTokens > 0 {
		parts = append(parts, fmt.Sprintf("%d tokens in, %d out", c.InputTokens, c.OutputTokens))
	}
	if c.Model != "" {
		parts = append(parts, "model "+c.Model)
	}
	return parts
}

// checkVerdict returns an error with its exit code if a check found a problem.
func checkVerdict(results []CheckedModel) error {
	failed, code := 0, console.ExitError
	for _, r := range results {
		if !r.OK {
			failed++
		}
		if r.Class == string(llm.Auth) {
			code = console.ExitAuth
		}
	}
	if failed == 0 {
		return nil
	}
	return console.WithCode(code, fmt.Errorf("%d of %d models did not answer", failed, len(results)))
}
