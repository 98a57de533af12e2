package modeljudge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"assay/benchmark"
	"assay/scoring/pairs"
	"assay/session"
	"assay/session/overlap"
	"assay/session/prompts"
)

// TemplateNames lists the files of the templates: of an answer, and of a pair.
func TemplateNames() []string { return []string{"judge-answer.tmpl", "judge-pair.tmpl"} }

// Request returns the text of a request: the task, the answers between tags that they cannot contain, what raters see of
// the tests, and the raters' words.
func Request(t *prompts.Templates, h *overlap.Header, q overlap.Question) (string, error) {
	file, ids, names := TemplateNames()[0], []string{q.Item}, []string{""}
	if q.Item == "" {
		file, ids, names = TemplateNames()[1], []string{q.A, q.B}, []string{"A", "B"}
	}
	item := h.Item(ids[0])
	var task benchmark.Task
	if err := json.Unmarshal([]byte(item.Texts[item.Task.Content]), &task); err != nil {
		return "", fmt.Errorf("the task %s cannot be read: %w", item.Task.ID, err)
	}
	f := prompts.FieldsOf(&task)
	f.Statement = task.Statement()
	for i, id := range ids {
		f.Answers = append(f.Answers, answer(h, h.Item(id), names[i], f.Statement))
	}
	f.Rubric, f.Form = rubric(h), form(h)
	return t.Render(file, f)
}

// answer returns an item's prompts and answers, the last of which is judged. A prompt that is the task's statement is
// left out.
func answer(h *overlap.Header, item *overlap.Item, name, statement string) string {
	var b strings.Builder
	last := len(item.Attempts) - 1
	for i, a := range item.Attempts {
		if prompt := item.Texts[a.Prompt]; strings.TrimSpace(prompt) != strings.TrimSpace(statement) {
			fmt.Fprintf(&b, "Prompt %d:\n%s\n\n", i+1, between("prompt", prompt))
		}
		title := fmt.Sprintf("Answer to prompt %d, which was improved upon:", i+1)
		if i == last {
			title = strings.TrimSpace("Answer "+name) + ":"
		}
		fmt.Fprintf(&b, "%s\n%s\n", title, between("answer", item.Texts[a.Answer]))
		if v := a.Verdict; v != nil && h.Tests != session.SeeNothing {
			fmt.Fprintf(&b, "Tests: %s, %d of %d passed.\n", strings.ReplaceAll(v.Verdict, "_", " "), v.Passed, v.Total)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// between returns a text between tags whose names have its hash, which the text cannot contain.
func between(tag, text string) string {
	tag += "-" + string(session.RefOf([]byte(text)))[:8]
	return fmt.Sprintf("<%s>\n%s\n</%[1]s>", tag, strings.TrimRight(text, "\n"))
}

// rubric returns what raters are asked.
func rubric(h *overlap.Header) string {
	if len(h.Pairs) > 0 {
		return "Which is better?\n- a: A is better\n- b: B is better\n- =: both are equal\n- 0: neither is usable"
	}
	var b strings.Builder
	for _, a := range h.Attributes {
		low, middle, high := a.Words()
		fmt.Fprintf(&b, "- %s (%q), from 1 to %d: %s. 1 is %s", a.Name, a.ID, a.Max(), a.Meaning, low)
		if middle != "" && a.Max()%2 == 1 {
			fmt.Fprintf(&b, "; %d is %s", (a.Max()+1)/2, middle)
		}
		fmt.Fprintf(&b, "; %d is %s.\n", a.Max(), high)
	}
	for _, l := range h.Labels {
		fmt.Fprintf(&b, "- %s (%q): one of %s.\n", l.Name, l.ID, strings.Join(l.Values, ", "))
	}
	return strings.TrimRight(b.String(), "\n")
}

// form returns the JSON that a judge fills in.
func form(h *overlap.Header) string {
	if len(h.Pairs) > 0 {
		return `{"reason": "…", "better": "a, b, = or 0"}`
	}
	var scores, labels []string
	for _, a := range h.Attributes {
		scores = append(scores, fmt.Sprintf("%q: 1 to %d", a.ID, a.Max()))
	}
	for _, l := range h.Labels {
		labels = append(labels, fmt.Sprintf("%q: \"%s\"", l.ID, strings.Join(l.Values, " or ")))
	}
	text := `{"reason": "…", "scores": {` + strings.Join(scores, ", ") + "}"
	if len(labels) > 0 {
		text += `, "labels": {` + strings.Join(labels, ", ") + "}"
	}
	return text + "}"
}

// filled is the form as a judge fills it in.
type filled struct {
	Reason string                 `json:"reason"`
	Scores map[string]json.Number `json:"scores"`
	Labels map[string]string      `json:"labels"`
	Better *string                `json:"better"`
}

// maxObjects is the number of opening braces, from the end, at which an answer's object is looked for.
const maxObjects = 500

// Read reads a judge's answer: the last JSON object in it that is of the form. The error says what is wrong with it.
func Read(h *overlap.Header, q overlap.Question, answer string) (overlap.Judged, error) {
	e := overlap.Judged{Question: q}
	found, err := object(answer, len(h.Pairs) > 0)
	if err != nil {
		return e, err
	}
	e.Reason = strings.TrimSpace(found.Reason)
	if found.Better != nil && len(h.Pairs) > 0 {
		e.Outcome = outcome(*found.Better)
	}
	for id, value := range found.Scores {
		score, err := value.Float64()
		if err != nil || score != float64(int(score)) {
			return e, fmt.Errorf("\"scores\": %s is %s, not a whole number", id, value)
		}
		if e.Scores == nil {
			e.Scores = map[string]int{}
		}
		e.Scores[id] = int(score)
	}
	e.Labels = found.Labels
	if len(h.Pairs) > 0 {
		e.Scores, e.Labels = nil, nil
	}
	return e, h.CheckJudged(e)
}

// outcome reads the better side of a pair, also in a few other words.
func outcome(text string) pairs.Outcome {
	switch word := strings.ToLower(strings.TrimSpace(text)); word {
	case "equal", "tie", "both":
		return pairs.Equal
	case "neither":
		return pairs.Neither
	default:
		return pairs.Outcome(word)
	}
}

// object returns the last object of the form.
func object(answer string, pair bool) (*filled, error) {
	field := "scores"
	if pair {
		field = "better"
	}
	text, wrong := []byte(answer), error(nil)
	for end, tries := len(text), 0; tries < maxObjects; tries++ {
		at := bytes.LastIndexByte(text[:end], '{')
		if at < 0 {
			break
		}
		end = at
		var f filled
		switch err := json.NewDecoder(bytes.NewReader(text[at:])).Decode(&f); {
		case err != nil:
			if wrong == nil && bytes.Contains(text[at:], []byte(`"`+field+`"`)) {
				wrong = fmt.Errorf("its JSON object cannot be read: %w", err)
			}
		case pair && f.Better != nil || !pair && f.Scores != nil:
			return &f, nil
		}
	}
	if wrong != nil {
		return nil, wrong
	}
	return nil, fmt.Errorf("it has no JSON object with %q", field)
}
