package format

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// loggedAnswer is what a log of Inspect has of an answer (EvalSample of inspect_ai, in a log of version 2).
type loggedAnswer struct {
	ID     json.RawMessage `json:"id"` // text or number
	Epoch  int             `json:"epoch"`
	Output struct {
		Completion string `json:"completion"`
		Choices    []struct {
			Message struct {
				Content json.RawMessage `json:"content"` // text, or a list of parts
			} `json:"message"`
		} `json:"choices"`
	} `json:"output"`
	Attachments map[string]string `json:"attachments"` // long texts, by their hashes
	Metadata    struct {
		Kind any `json:"kind"` // a [SampleKind] in logs that assay wrote
	} `json:"metadata"`
}

// inspect reads the samples of a log, those of a task by epoch. A sample without an output, as after an error of
// the model, is an empty answer.
func (s *Samples) inspect(fields map[string]json.RawMessage) error {
	l := s.lines
	var head struct {
		Model string `json:"model"`
	}
	if err := json.Unmarshal(fields["eval"], &head); err != nil {
		return l.fail("eval", "this is no log of Inspect: "+err.Error())
	}
	var answers []loggedAnswer
	if raw, given := fields["samples"]; given {
		if err := json.Unmarshal(raw, &answers); err != nil {
			return l.fail("samples", "this is no log of Inspect: "+err.Error())
		}
	}
	if len(answers) == 0 {
		return l.fail("samples", "the log has no samples: write it with them, or convert it by `inspect log convert --to json`")
	}
	about, err := json.Marshal(map[string]string{"model": head.Model})
	if err != nil {
		return l.fail("eval", err.Error())
	}
	slices.SortStableFunc(answers, func(a, b loggedAnswer) int { return cmp.Compare(a.Epoch, b.Epoch) })
	for i, x := range answers {
		id := bare(x.ID)
		if id == "" || id == "null" || strings.HasPrefix(id, "{") || strings.HasPrefix(id, "[") {
			return l.fail(fmt.Sprintf("samples.%d.id", i), "the field must be the id of a task: add it, as text or number")
		}
		text, err := x.answer()
		if err != nil {
			return l.fail("samples", fmt.Sprintf("sample %s, epoch %d: %v", clip(id), x.Epoch, err))
		}
		kind := Answer
		if known, _ := x.Metadata.Kind.(string); slices.Contains([]SampleKind{Completion, Solution, Patch}, SampleKind(known)) {
			kind = SampleKind(known)
		}
		s.queue = append(s.queue, Sample{TaskID: id, Kind: kind, Text: text, Path: l.path, Line: l.line, Object: string(about)})
	}
	return nil
}

// answer returns the text of the model's output.
func (x *loggedAnswer) answer() (string, error) {
	text := x.Output.Completion
	if text == "" && len(x.Output.Choices) > 0 {
		if raw := x.Output.Choices[0].Message.Content; json.Unmarshal(raw, &text) != nil {
			var parts []struct{ Type, Text string }
			if err := json.Unmarshal(raw, &parts); err != nil {
				return "", fmt.Errorf("its content is neither a text nor a list of parts")
			}
			for _, p := range parts {
				if p.Type == "text" {
					text += p.Text
				}
			}
		}
	}
	if hash, found := strings.CutPrefix(text, "attachment://"); found {
		attached, known := x.Attachments[hash]
		if !known {
			return "", fmt.Errorf("the log lacks the attachment %s of its output", clip(hash))
		}
		return attached, nil
	}
	return text, nil
}
