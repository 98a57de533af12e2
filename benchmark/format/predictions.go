package format

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// unknownModel is the model of predictions that name none.
const unknownModel = "unknown"

// isPredictions reports whether an object has an object with a patch for each instance.
func isPredictions(fields map[string]json.RawMessage) bool {
	for _, raw := range fields {
		var one map[string]json.RawMessage
		if json.Unmarshal(raw, &one) != nil {
			return false
		}
		if _, ok := one["model_patch"]; !ok {
			return false
		}
	}
	return len(fields) > 0
}

// predictions reads one prediction of SWE-bench, or an object with one for each instance.
func (s *Samples) predictions(fields map[string]json.RawMessage) error {
	if _, single := fields["instance_id"]; single || !isPredictions(fields) {
		sample, err := s.prediction(fields)
		if err == nil {
			s.queue = append(s.queue, sample)
		}
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(fields)) {
		var one map[string]json.RawMessage
		if err := json.Unmarshal(fields[id], &one); err != nil {
			return s.lines.fail(id, err.Error())
		}
		if _, named := one["instance_id"]; !named {
			name, err := json.Marshal(id)
			if err != nil {
				return s.lines.fail(id, err.Error())
			}
			one["instance_id"] = name
		}
		sample, err := s.prediction(one)
		if err != nil {
			return err
		}
		if sample.TaskID != id {
			return s.lines.fail(id, fmt.Sprintf("the prediction's own instance_id is %q: keep one of the two", clip(sample.TaskID)))
		}
		s.queue = append(s.queue, sample)
	}
	return nil
}

// prediction reads one prediction. A missing patch is null or empty.
func (s *Samples) prediction(fields map[string]json.RawMessage) (Sample, error) {
	l := s.lines
	sample := Sample{Path: l.path, Line: l.line, Kind: Patch}
	var err error
	if sample.TaskID, err = l.text(fields, "instance_id", true); err != nil {
		return sample, err
	}
	raw, given := fields["model_patch"]
	if !given {
		return sample, l.fail("model_patch", "the field is missing: add it, as text with a diff, or as null if there is none")
	}
	if !bytes.Equal(raw, []byte("null")) {
		if sample.Text, err = l.text(fields, "model_patch", true); err != nil {
			return sample, err
		}
	}
	if sample.Model, err = l.text(fields, "model_name_or_path", false); err != nil {
		return sample, err
	}
	sample.Model = cmp.Or(sample.Model, unknownModel)
	about := maps.Clone(fields)
	delete(about, "model_patch") // the text, which may be long
	object, err := json.Marshal(about)
	if err != nil {
		return sample, l.fail("", err.Error())
	}
	sample.Object = string(object)
	return sample, nil
}

// predictionLine is a sample as a prediction. Fields of the object that it was read from are kept.
func predictionLine(s Sample) (map[string]any, error) {
	line := map[string]any{"model_name_or_path": unknownModel}
	if s.Object != "" {
		if err := json.Unmarshal([]byte(s.Object), &line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", s.Path, s.Line, err)
		}
	}
	line["instance_id"], line["model_patch"] = s.TaskID, s.Text
	return line, nil
}
