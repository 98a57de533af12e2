package prompts

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/benchmark"
	"assay/data/disk"
	"assay/data/lines"
	"assay/session/llm"
)

// Version is the format version of files of written prompts, in their first line.
const Version = 1

// Header is the first line of a file of written prompts.
type Header struct {
	Version   int    `json:"assay_prompts"`
	Benchmark string `json:"benchmark"`
	Author    Author `json:"author"`
	Templates string `json:"templates"` // hash of the templates
	Reviewers int    `json:"reviewers"` // number of reviewers wanted for each prompt
}

// Author is the model that writes prompts.
type Author struct {
	Name       string `json:"name"` // in the models file
	Provider   string `json:"provider"`
	Model      string `json:"model,omitempty"` // the provider's name for it
	Definition string `json:"definition"`      // hash of everything its answers depend on
}

// AuthorOf returns a model of the models file as an author.
func AuthorOf(m llm.Model) Author {
	return Author{Name: m.Name, Provider: m.Provider, Model: m.Model, Definition: m.Definition()}
}

// Candidate is a wording as a model wrote it.
type Candidate struct {
	Task    string    `json:"task"`
	Basis   string    `json:"basis"` // hash of the input it was written from
	Level   int       `json:"level"`
	Wording int       `json:"wording"`
	Number  int       `json:"number"` // among the candidates for this place, from 1
	Text    string    `json:"text"`
	Author  string    `json:"author"`           // definition of the model
	Asked   int       `json:"asked"`            // requests made for this one
	In      int       `json:"tokens_in"`        // of all of them
	Out     int       `json:"tokens_out"`       // of all of them
	Model   string    `json:"model,omitempty"`  // as reported by the provider
	Finish  string    `json:"finish,omitempty"` // its finish reason
	At      time.Time `json:"at"`
}

// Name returns the name of the prompt that this is a candidate for.
func (c *Candidate) Name() string { return nameOf(c.Level, c.Wording) }

// Verdict is a reviewer's verdict.
type Verdict string

// The verdicts. Undone withdraws the reviewer's last one.
const (
	Accept Verdict = "accept"
	Edit   Verdict = "edit"
	Reject Verdict = "reject"
	Undone Verdict = "undone"
)

// Decision is a reviewer's decision about a candidate.
type Decision struct {
	Task       string    `json:"task"`
	Level      int       `json:"level"`
	Wording    int       `json:"wording"`
	Number     int       `json:"number"` // the candidate
	Reviewer   string    `json:"reviewer"`
	Verdict    Verdict   `json:"verdict"`
	Text       string    `json:"text,omitempty"`       // as edited
	Reason     string    `json:"reason,omitempty"`     // of a rejection, or that many were accepted at once
	Resolution bool      `json:"resolution,omitempty"` // it settles a disagreement
	At         time.Time `json:"at"`
}

// String describes a decision in words.
func (d Decision) String() string {
	text := map[Verdict]string{Accept: "accepted", Edit: "edited: " + d.Text, Reject: "rejected"}[d.Verdict]
	if d.Reason != "" {
		text += ": " + d.Reason
	}
	if d.Resolution {
		text += " (settles it)"
	}
	return text
}

// Dropped removes the last candidate for a place, so that the previous one counts.
type Dropped struct {
	Task    string    `json:"task"`
	Level   int       `json:"level"`
	Wording int       `json:"wording"`
	Number  int       `json:"number"`
	By      string    `json:"by"`
	At      time.Time `json:"at"`
}

// Draft is an edited wording without a decision yet; an empty text deletes it.
type Draft struct {
	Task     string    `json:"task"`
	Level    int       `json:"level"`
	Wording  int       `json:"wording"`
	Number   int       `json:"number"` // the candidate
	Reviewer string    `json:"reviewer"`
	Text     string    `json:"text"`
	At       time.Time `json:"at"`
}

// Set holds the written prompts of a benchmark, as stored in a file. It is safe for concurrent use.
type Set struct {
	Header Header
	Path   string

	log *lines.Log[event, *slots]
}

// slots is what the file says.
type slots struct {
	header Header
	at     map[slotKey]*slot
	order  []slotKey // in the order first written
}

type slotKey struct {
	task           string
	level, wording int
}

// slot is the place of a prompt, with its candidates and the decisions about each.
type slot struct {
	candidates []*Candidate
	decisions  map[int][]Decision // by the candidate's number, without those withdrawn
	drafts     map[draftKey]string
}

func (s *slot) has(number int) bool {
	return slices.ContainsFunc(s.candidates, func(c *Candidate) bool { return c.Number == number })
}

type draftKey struct {
	number   int
	reviewer string
}

func (s *slot) current() *Candidate { return s.candidates[len(s.candidates)-1] }

// Basis returns a hash of the input for writing a task's prompts: statement, interface and reference solution.
// Prompts with another basis are not used; new tests do not matter.
func Basis(t *benchmark.Task) string {
	text, err := json.Marshal([]any{t.Language, t.EntryPoint, t.Signature, t.Description, t.Constraints, t.Examples, t.Reference})
	if err != nil {
		panic("prompts: a loaded task does not marshal: " + err.Error())
	}
	return disk.Sum(text)[:16]
}

// Entry is a place with its current candidate and the decisions about it.
type Entry struct {
	Prompt    // as it may be used: with the text decided on
	Candidate Candidate
	Decisions []Decision // the last of each reviewer, and resolutions
	Draft     string     // of the reviewer who is looking
	Stale     bool       // written for an older version of the task
}

// outcome returns the review state that decisions about a candidate lead to, and the resulting text.
func outcome(text string, decisions []Decision, wanted int) (Review, string) {
	for _, d := range slices.Backward(decisions) {
		if d.Resolution {
			return d.review(), d.result(text)
		}
	}
	for _, d := range decisions {
		if d.review() != decisions[0].review() || d.result(text) != decisions[0].result(text) {
			return Disputed, text
		}
	}
	switch {
	case len(decisions) == 0:
		return Unreviewed, text
	case len(decisions) < wanted:
		return Unreviewed, decisions[0].result(text)
	}
	return decisions[0].review(), decisions[0].result(text)
}

func (d Decision) review() Review {
	switch d.Verdict {
	case Accept:
		return Accepted
	case Edit:
		return Edited
	}
	return Rejected
}

// result returns the text resulting from a decision.
func (d Decision) result(text string) string {
	if d.Verdict == Edit {
		return d.Text
	}
	return text
}

// entry describes a slot. For a reviewer it hides others' decisions until they have decided, to keep
// decisions independent.
func (s *slots) entry(key slotKey, basis, reviewer string) Entry {
	at := s.at[key]
	c := at.current()
	e := Entry{Candidate: *c, Draft: at.drafts[draftKey{c.Number, reviewer}], Decisions: inForce(at.decisions[c.Number]), Stale: basis != "" && c.Basis != basis}
	if reviewer != "" && !slices.ContainsFunc(e.Decisions, func(d Decision) bool { return d.Reviewer == reviewer || d.Resolution }) {
		e.Decisions = nil
	}
	wanted := s.header.Reviewers
	if reviewer != "" {
		wanted = 1 // one's own decision shows at once
	}
	review, text := outcome(c.Text, e.Decisions, wanted)
	e.Prompt = Prompt{Task: c.Task, Name: c.Name(), Level: c.Level, Wording: c.Wording, Text: text, Review: review}
	return e
}

// Entries lists the places of a task by level and wording. For a named reviewer it shows only those
// decisions of others that the reviewer may see.
func (s *Set) Entries(t *benchmark.Task, reviewer string) []Entry {
	return s.entries(t.ID, Basis(t), reviewer)
}

// entriesOf is Entries for a task of which only the id is known: nothing is marked stale.
func (s *Set) entriesOf(id string) []Entry { return s.entries(id, "", "") }

func (s *Set) entries(id, basis, reviewer string) []Entry {
	var list []Entry
	s.log.Look(func(all *slots) {
		for level := 1; level <= benchmark.MaxContextLevel; level++ {
			for wording := 1; wording <= MaxWordings; wording++ {
				key := slotKey{id, level, wording}
				if all.at[key] != nil {
					list = append(list, all.entry(key, basis, reviewer))
				}
			}
		}
	})
	return list
}

// For lists the prompts of a task that may be used: those accepted or edited, by as many reviewers as the
// file wants. With unreviewed it also lists undecided ones, marked as such; never one that was rejected, is
// disputed, or was written for an older version of the task. Like those of [Levels], the texts end with the
// required interface, which reviewers do not see, and can be sent as they are.
func (s *Set) For(t *benchmark.Task, unreviewed bool) []Prompt {
	list := usable(s.Entries(t, ""), unreviewed)
	for i := range list {
		list[i].Text = asSent(t, list[i].Text)
	}
	return list
}

// ForID is For for a task of which only the id is known; it returns only the wordings.
func (s *Set) ForID(id string, unreviewed bool) []Prompt { return usable(s.entriesOf(id), unreviewed) }

func usable(entries []Entry, unreviewed bool) []Prompt {
	var list []Prompt
	for _, e := range entries {
		rejected := slices.ContainsFunc(e.Decisions, func(d Decision) bool { return d.Verdict == Reject })
		switch {
		case e.Stale:
		case e.Review == Accepted, e.Review == Edited, unreviewed && e.Review == Unreviewed && !rejected:
			list = append(list, e.Prompt)
		}
	}
	return list
}

// Naming lists the names of those prompts of [Set.For] that describe a method but use names of the
// reference solution, which they must not: nobody has reviewed them yet, or somebody accepted them. The
// interface sent with them does not count.
func (s *Set) Naming(t *benchmark.Task, unreviewed bool) []string {
	list := slices.DeleteFunc(usable(s.Entries(t, ""), unreviewed), func(p Prompt) bool { return p.Level != levelMethod })
	if len(list) == 0 || t.Reference == "" {
		return nil
	}
	names := namesOf(t)
	var found []string
	for _, p := range list {
		if len(names.In(p.Text)) > 0 {
			found = append(found, p.Name)
		}
	}
	return found
}

// Stale counts the prompts of a task that are not used because they were written for an older version of
// it.
func (s *Set) Stale(t *benchmark.Task) int {
	n := 0
	for _, e := range s.Entries(t, "") {
		if e.Stale {
			n++
		}
	}
	return n
}

// Tasks lists the ids of the tasks that have prompts, in the order first written.
func (s *Set) Tasks() []string {
	var ids []string
	s.log.Look(func(all *slots) {
		for _, key := range all.order {
			if !slices.Contains(ids, key.task) {
				ids = append(ids, key.task)
			}
		}
	})
	return ids
}

// AlsoEvaluated lists the names of models that wrote the prompts themselves: such a model may do better
// with its own words than others.
func (s *Set) AlsoEvaluated(models []llm.Model) []string {
	var names []string
	for _, m := range models {
		if s.Header.Author.Same(m) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Same reports whether a model is the author, even under another name, with other sampling or on another
// server.
func (a Author) Same(m llm.Model) bool {
	if a.Definition == m.Definition() || a.Name == m.Name && a.Provider == m.Provider {
		return true
	}
	x, y := weights(a.Model), weights(m.Model)
	return x != "" && x == y
}

// weights returns the part that names of one model on several servers have in common.
func weights(model string) string {
	model = strings.ToLower(model[strings.LastIndex(model, "/")+1:])
	return strings.TrimSuffix(model, ":latest")
}

// Apply folds one event.
func (s *slots) Apply(ev event) error {
	switch {
	case ev.Candidate != nil:
		return s.applyCandidate(ev.Candidate)
	case ev.Decision != nil:
		return s.applyDecision(ev.Decision)
	case ev.Draft != nil:
		d := ev.Draft
		at := s.at[slotKey{d.Task, d.Level, d.Wording}]
		if at == nil || d.Reviewer == "" || !at.has(d.Number) {
			return fmt.Errorf("there is no candidate %d of %s %s for a draft", d.Number, d.Task, nameOf(d.Level, d.Wording))
		}
		at.drafts[draftKey{d.Number, d.Reviewer}] = d.Text
		return nil
	case ev.Dropped != nil:
		d := ev.Dropped
		at := s.at[slotKey{d.Task, d.Level, d.Wording}]
		if at == nil || len(at.candidates) < 2 || at.current().Number != d.Number {
			return fmt.Errorf("candidate %d of %s %s cannot be taken back: it is not the last of several", d.Number, d.Task, nameOf(d.Level, d.Wording))
		}
		at.candidates = at.candidates[:len(at.candidates)-1]
		return nil
	}
	return fmt.Errorf("it is not a candidate or a decision")
}

func (s *slots) applyCandidate(c *Candidate) error {
	key := slotKey{c.Task, c.Level, c.Wording}
	switch {
	case c.Task == "" || c.Level < 1 || c.Level > benchmark.MaxContextLevel || c.Wording < 1 || c.Wording > MaxWordings:
		return fmt.Errorf("there is no level %d and wording %d of task %q", c.Level, c.Wording, c.Task)
	case strings.TrimSpace(c.Text) == "":
		return fmt.Errorf("the candidate has no text")
	}
	at := s.at[key]
	if at == nil {
		at = &slot{decisions: map[int][]Decision{}, drafts: map[draftKey]string{}}
		s.at[key] = at
		s.order = append(s.order, key)
	}
	if len(at.candidates) > 0 && c.Number <= at.current().Number || c.Number < 1 {
		return fmt.Errorf("candidate %d of %s %s already exists", c.Number, c.Task, c.Name())
	}
	delete(at.decisions, c.Number) // of a candidate that was dropped
	at.candidates = append(at.candidates, c)
	return nil
}

func (s *slots) applyDecision(d *Decision) error {
	at := s.at[slotKey{d.Task, d.Level, d.Wording}]
	if at == nil || !at.has(d.Number) {
		return fmt.Errorf("there is no candidate %d of %s %s to decide on", d.Number, d.Task, nameOf(d.Level, d.Wording))
	}
	own := func(o Decision) bool { return o.Reviewer == d.Reviewer }
	list := at.decisions[d.Number]
	switch {
	case d.Reviewer == "":
		return fmt.Errorf("the decision names no reviewer")
	case d.Verdict == Edit && strings.TrimSpace(d.Text) == "":
		return fmt.Errorf("the edited prompt has no text")
	case d.Verdict == Undone:
		last := -1
		for i, o := range list {
			if own(o) {
				last = i
			}
		}
		if last < 0 {
			return fmt.Errorf("%s has no decision to take back", d.Reviewer)
		}
		at.decisions[d.Number] = slices.Delete(list, last, last+1)
		return nil
	case d.Verdict != Accept && d.Verdict != Edit && d.Verdict != Reject:
		return fmt.Errorf("%q is not a verdict: the verdicts are accept, edit, reject and undone", d.Verdict)
	}
	at.decisions[d.Number] = append(list, *d)
	delete(at.drafts, draftKey{d.Number, d.Reviewer})
	return nil
}

// inForce returns the decisions that count: the last of each reviewer, and resolutions.
func inForce(all []Decision) []Decision {
	var list []Decision
	for _, d := range all {
		if !d.Resolution {
			list = slices.DeleteFunc(list, func(o Decision) bool { return o.Reviewer == d.Reviewer && !o.Resolution })
		}
		list = append(list, d)
	}
	return list
}
