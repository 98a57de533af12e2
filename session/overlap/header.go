package overlap

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"assay/data/disk"
	"assay/session"
)

// Version is the format version of the files, in their first line.
const Version = 1

// Header is the first line of a file: what is rated, how, and by whom.
type Header struct {
	Version    int                 `json:"assay_overlap"`
	Name       string              `json:"name"`            // of the study, or of the benchmark
	Plan       string              `json:"plan"`            // the same in all files of a plan
	Rater      string              `json:"rater,omitempty"` // the rater whose file it is; empty: the file of all raters
	Raters     []string            `json:"raters"`
	Overlap    int                 `json:"overlap"` // raters for each item
	Seed       uint64              `json:"seed"`
	Stratify   []string            `json:"stratify"`
	Tests      session.TestsSeen   `json:"tests"`             // what raters see of the tests
	Answers    session.AnswerView  `json:"answers,omitempty"` // how answers are shown
	Reference  bool                `json:"reference"`         // raters see reference solutions
	Attributes []session.Attribute `json:"attributes"`
	Labels     []session.Label     `json:"labels"`
	Items      []Item              `json:"items"`
	Pairs      []Pair              `json:"pairs,omitempty"`     // which is better is asked; the items are then their sides
	HowMuch    bool                `json:"how_much,omitempty"`  // how much better is asked, too
	Why        []session.Attribute `json:"why,omitempty"`       // in which A or B is better is asked, too
	Identical  int                 `json:"identical,omitempty"` // pairs of models whose answers to a task are the same, which nobody is asked for
	Next       *Next               `json:"next,omitempty"`      // how the next pair is chosen; null: pairs are dealt
	People     *People             `json:"people,omitempty"`    // how the items or pairs that people rate were drawn; null: they rate all
	Work       []Work              `json:"work"`
	Origins    []Origin            `json:"origins,omitempty"` // not in the file of a single rater
}

// Work lists the items, or pairs, for one rater in order.
type Work struct {
	Rater string   `json:"rater"`
	Items []string `json:"items"`
}

// Item is what raters are shown: a task and the attempts at it, of which the last is rated.
type Item struct {
	ID       string                 `json:"item"` // a hash of what is shown
	Task     session.PlanTask       `json:"task"`
	Attempts []Shown                `json:"attempts"`
	Texts    map[session.Ref]string `json:"texts"`
	Files    map[session.Ref][]byte `json:"files,omitempty"` // left by programs
	Model    int                    `json:"model,omitempty"` // the number of a model without a name, from 1, for [Next]
}

// Shown is an attempt as raters see it.
type Shown struct {
	Prompt    session.Ref              `json:"prompt"`
	Answer    session.Ref              `json:"answer"`
	Extracted *session.CodeExtracted   `json:"extracted,omitempty"`
	Tree      *session.TreeChanged     `json:"tree,omitempty"` // of a repository task
	Verdict   *session.VerdictRecorded `json:"verdict,omitempty"`
	Measured  *session.Measured        `json:"measured,omitempty"`
}

// Origin is the source of an item, with the first tester's ratings. Equal outputs are one item with several
// origins.
type Origin struct {
	Item    string            `json:"item"`
	Session string            `json:"session"`
	Task    string            `json:"task"`
	Arm     string            `json:"arm"` // of the study; otherwise the model
	Tester  string            `json:"tester"`
	Ratings map[string]int    `json:"ratings"`
	Labels  map[string]string `json:"labels"`

	// Of an answer that is of no session: where it was read, and its number within the task.
	Source string `json:"source,omitempty"`
	Sample int    `json:"sample,omitempty"`

	Verdict string `json:"verdict,omitempty"` // also where raters do not see it; empty: not judged, or planned before it was recorded

	Decoy bool `json:"decoy,omitempty"` // an answer to another task, for an attention check
}

func short(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("overlap: what was read does not marshal: " + err.Error())
	}
	return disk.Sum(text)[:16]
}

// hash identifies what is shown: task, prompts, answers, code, and the visible part of verdicts, without
// times.
func (item *Item) hash() string {
	parts := []any{item.Task.ID, item.Task.Content}
	for _, a := range item.Attempts {
		var code session.Ref
		if a.Extracted != nil {
			code = a.Extracted.Code
		}
		parts = append(parts, a.Prompt, a.Answer, code)
		if a.Verdict != nil {
			parts = append(parts, a.Verdict.Verdict, a.Verdict.Passed, a.Verdict.Total)
		}
	}
	return short(parts)
}

// hash identifies a whole plan.
func (h Header) hash() string {
	h.Plan, h.Rater = "", ""
	return short(h)
}

// Item returns the item with an id; nil if there is none.
func (h *Header) Item(id string) *Item {
	at, found := slices.BinarySearchFunc(h.Items, id, func(i Item, id string) int { return strings.Compare(i.ID, id) }) // as plans sort them
	if found {
		return &h.Items[at]
	}
	for i := range h.Items {
		if h.Items[i].ID == id {
			return &h.Items[i]
		}
	}
	return nil
}

// Of lists the items for a rater in order.
func (h *Header) Of(rater string) []string {
	for _, w := range h.Work {
		if w.Rater == rater {
			return w.Items
		}
	}
	return nil
}

// ratersOf lists the raters of an item.
func (h *Header) ratersOf(item string) []string {
	var list []string
	for _, w := range h.Work {
		if slices.Contains(w.Items, item) {
			list = append(list, w.Rater)
		}
	}
	return list
}

// For returns the header of a file for a single rater: with that rater's items, without the names of
// others, and without origins.
func (h *Header) For(rater string) Header {
	single := *h
	ids := h.Of(rater)
	single.Rater, single.Raters, single.Origins = rater, []string{rater}, nil
	single.Work = []Work{{rater, ids}}
	single.Items, single.People = nil, nil
	for _, item := range h.Items {
		if slices.Contains(ids, item.ID) {
			single.Items = append(single.Items, item)
		}
	}
	single.Pairs, single.Identical = nil, 0
	for _, p := range h.Pairs {
		if !slices.Contains(ids, p.ID) {
			continue
		}
		single.Pairs = append(single.Pairs, p)
		for _, side := range []string{p.A, p.B} {
			if single.Item(side) == nil {
				single.Items = append(single.Items, *h.Item(side))
			}
		}
	}
	return single
}

// same reports whether two headers are equal.
func (h *Header) same(o *Header) bool { return short(h) == short(o) }

// Attribute returns the attribute with an id; nil if there is none.
func (h *Header) Attribute(id string) *session.Attribute {
	for i := range h.Attributes {
		if h.Attributes[i].ID == id {
			return &h.Attributes[i]
		}
	}
	return nil
}

// Label returns the label with an id; nil if there is none.
func (h *Header) Label(id string) *session.Label {
	for i := range h.Labels {
		if h.Labels[i].ID == id {
			return &h.Labels[i]
		}
	}
	return nil
}

// Rows returns the number of rows in an item's form.
func (h *Header) Rows() int { return len(h.Attributes) + len(h.Labels) }

// Whole reports whether everything that is asked of an item or a pair is filled in.
func (h *Header) Whole(f Form) bool {
	if len(h.Pairs) == 0 {
		return f.Filled() == h.Rows()
	}
	return f.Outcome != "" && len(f.Why) == len(h.Why) && (!h.HowMuch || !f.Outcome.Decided() || f.Much != 0)
}

// Check returns the first problem of a header, naming the field.
func (h *Header) Check() error {
	switch {
	case h.Version != Version:
		return fmt.Errorf("\"assay_overlap\" is %d, but this version reads %d", h.Version, Version)
	case h.Plan == "":
		return fmt.Errorf("\"plan\" is empty")
	case len(h.Raters) == 0 || len(h.Items) == 0:
		return fmt.Errorf("\"raters\" or \"items\" is empty: there is nothing to rate")
	case h.Overlap < 1 || h.Rater == "" && h.Overlap > len(h.Raters):
		return fmt.Errorf("\"overlap\" is %d of %d raters", h.Overlap, len(h.Raters))
	case h.Rater == "" && h.Plan != h.hash():
		return fmt.Errorf("\"plan\" is not the hash of this line: it was changed after it was made")
	case h.Rater != "" && (len(h.Raters) != 1 || h.Raters[0] != h.Rater || len(h.Origins) > 0):
		return fmt.Errorf("\"rater\" is %q: such a file has only that rater, and no origins", h.Rater)
	case !slices.Contains([]session.TestsSeen{session.SeeTests, session.SeeVerdict, session.SeeNothing}, h.Tests):
		return fmt.Errorf("\"tests\" is %q, not all, verdict or none", h.Tests)
	}
	for i, name := range h.Raters {
		if err := CheckName(name); err != nil {
			return fmt.Errorf("\"raters\"[%d]: %w", i, err)
		}
		if slices.Contains(h.Raters[:i], name) {
			return fmt.Errorf("\"raters\"[%d]: %q is duplicated", i, name)
		}
	}
	if err := h.checkForm(); err != nil {
		return err
	}
	if err := h.checkItems(); err != nil {
		return err
	}
	work := h.checkWork
	if len(h.Pairs) > 0 {
		work = h.checkPairs
	}
	return cmp.Or(work(), h.checkPeople(), h.checkNext())
}

func (h *Header) checkForm() error {
	name, list := "attributes", h.Attributes
	switch {
	case len(h.Pairs) > 0:
		name, list = "why", h.Why
	case len(list) == 0:
		return errors.New("\"attributes\" is empty: there is nothing to rate")
	case h.HowMuch || len(h.Why) > 0:
		return errors.New("\"how_much\" and \"why\" are asked of \"pairs\", but there are none")
	}
	seen := map[string]bool{}
	for i, a := range list {
		if a.ID == "" || seen[a.ID] || a.Max() < 2 || a.Max() > session.MaxPoints {
			return fmt.Errorf("%q[%d]: \"id\" %q is empty or duplicated, or the scale does not have 2 to %d points", name, i, a.ID, session.MaxPoints)
		}
		seen[a.ID] = true
	}
	if len(h.Pairs) > 0 {
		return nil
	}
	for i, l := range h.Labels {
		if l.ID == "" || seen[l.ID] || len(l.Values) < 2 {
			return fmt.Errorf("\"labels\"[%d]: \"id\" %q is empty or duplicated, or it has fewer than two values", i, l.ID)
		}
		seen[l.ID] = true
	}
	return nil
}

func (h *Header) checkItems() error {
	seen := map[string]bool{}
	for i := range h.Items {
		item := &h.Items[i]
		at := fmt.Sprintf("\"items\"[%d]", i)
		switch {
		case seen[item.ID]:
			return fmt.Errorf("%s: \"item\" %q is duplicated", at, item.ID)
		case len(item.Attempts) == 0:
			return fmt.Errorf("%s: \"attempts\" is empty", at)
		case item.ID != item.hash():
			return fmt.Errorf("%s: \"item\" %q is not the hash of what is shown: something was changed after it was made", at, item.ID)
		}
		for ref, text := range item.Texts {
			if session.RefOf([]byte(text)) != ref {
				return fmt.Errorf("%s: \"texts\": %s is not the hash of its text", at, ref)
			}
		}
		for ref, data := range item.Files {
			if session.RefOf(data) != ref {
				return fmt.Errorf("%s: \"files\": %s is not the hash of its file", at, ref)
			}
		}
		for _, a := range item.Attempts {
			for _, ref := range session.Refs(shownRefs(a)) {
				if _, ok := item.Texts[ref]; !ok && item.Files[ref] == nil {
					return fmt.Errorf("%s: \"attempts\": the text %s is missing", at, ref)
				}
			}
		}
		if _, ok := item.Texts[item.Task.Content]; !ok {
			return fmt.Errorf("%s: \"task\": the text %s is missing", at, item.Task.Content)
		}
		seen[item.ID] = true
	}
	for i, o := range h.Origins {
		if !seen[o.Item] {
			return fmt.Errorf("\"origins\"[%d]: there is no item %q", i, o.Item)
		}
	}
	return nil
}

func (h *Header) checkWork() error {
	given, known := map[string]int{}, map[string]bool{}
	for _, item := range h.Items {
		known[item.ID] = true
	}
	for i, w := range h.Work {
		if !slices.Contains(h.Raters, w.Rater) || i >= len(h.Raters) {
			return fmt.Errorf("\"work\"[%d]: \"rater\" %q is not one of \"raters\", or is duplicated", i, w.Rater)
		}
		if err := distinct(i, w, known); err != nil {
			return err
		}
		for _, id := range w.Items {
			given[id]++
		}
	}
	for _, item := range h.Items {
		want := h.Overlap
		if h.Rater != "" {
			want = 1
		}
		if n := given[item.ID]; n != want && (n > 0 || h.People == nil) {
			return fmt.Errorf("\"work\": %d people rate item %s, not %d", given[item.ID], item.ID, want)
		}
	}
	return nil
}

// distinct checks that the items of a rater are known and distinct.
func distinct(i int, w Work, known map[string]bool) error {
	seen := map[string]bool{}
	for _, id := range w.Items {
		if !known[id] || seen[id] {
			return fmt.Errorf("\"work\"[%d]: \"items\" of %s: %q is not an item, or is duplicated", i, w.Rater, id)
		}
		seen[id] = true
	}
	return nil
}

// CheckName returns an error if a name is not allowed.
func CheckName(rater string) error {
	const most = 80 // bytes
	switch {
	case strings.TrimSpace(rater) == "":
		return fmt.Errorf("the rater has no name")
	case rater != strings.TrimSpace(rater) || strings.ContainsFunc(rater, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("the rater's name %q begins or ends with a space, or contains unprintable characters", rater)
	case len(rater) > most:
		return fmt.Errorf("the rater's name is longer than %d bytes", most)
	}
	return nil
}

// State returns an artificial session in which an item was worked on, for the screens that show attempts:
// without the model, and without decisions.
func (h *Header) State(item *Item) *session.State {
	s := session.New()
	s.Plan = session.Plan{
		Benchmark: h.Name, Tasks: []session.PlanTask{item.Task}, K: len(item.Attempts), Context: session.Conversation,
		Tests: h.Tests, Reference: h.Reference, Attributes: h.Attributes, Rules: session.Rules{Labels: h.Labels, Answers: h.Answers},
	}
	t := session.Task{PlanTask: item.Task, Opened: true, Ratings: map[string]int{}, Labels: map[string]string{}}
	for i, a := range item.Attempts {
		attempt := session.Attempt{
			N: i + 1, Tries: 1, Extracted: a.Extracted, Tree: a.Tree, Verdict: a.Verdict, Measured: a.Measured,
			Sent: &session.PromptSent{Attempt: i + 1, Try: 1, Prompt: a.Prompt, Bytes: len(item.Texts[a.Prompt])},
		}
		if a.Answer != "" {
			attempt.Answer = &session.AnswerReceived{Attempt: i + 1, Answer: a.Answer, Bytes: len(item.Texts[a.Answer])}
		}
		t.Attempts = append(t.Attempts, attempt)
	}
	s.Tasks = []session.Task{t}
	return s
}

// Blob returns a text or file that an item refers to.
func (item *Item) Blob(ref session.Ref) ([]byte, error) {
	if text, ok := item.Texts[ref]; ok {
		return []byte(text), nil
	}
	if data, ok := item.Files[ref]; ok {
		return data, nil
	}
	return nil, fmt.Errorf("the text %s is not in the ratings file", ref)
}

// Code returns the code of the rated answer; empty if it has none.
func (item *Item) Code() string {
	if last := len(item.Attempts) - 1; last >= 0 && item.Attempts[last].Extracted != nil {
		return item.Texts[item.Attempts[last].Extracted.Code]
	}
	return ""
}

// ToReview returns why the rated answer has to be looked at although it is resolved; nil where raters see no verdict.
func (item *Item) ToReview() []string {
	if last := len(item.Attempts) - 1; last >= 0 && item.Attempts[last].Verdict != nil {
		return item.Attempts[last].Verdict.ToReview
	}
	return nil
}

// Title returns the title of an item's task, else its id.
func (item *Item) Title() string { return cmp.Or(item.Task.Title, item.Task.ID) }

// sameForm reports whether two plans are rated in the same way.
func sameForm(a, b session.Plan) bool {
	return reflect.DeepEqual(a.Attributes, b.Attributes) && reflect.DeepEqual(shownLabels(a), shownLabels(b))
}

// shownLabels returns the labels that raters are asked for. A label that depends on satisfaction would
// reveal the first tester's decision, so raters are not asked for it.
func shownLabels(p session.Plan) []session.Label {
	return slices.DeleteFunc(slices.Clone(p.AskedLabels()), func(l session.Label) bool { return l.WhenNotSatisfied })
}
