package prompts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/benchmark"
	"assay/session/llm"
)

// Version is the version of the files of written prompts, in their first line.
const Version = 1

// Header is what a file of written prompts says first.
type Header struct {
	Version   int    `json:"assay_prompts"`
	Benchmark string `json:"benchmark"`
	Author    Author `json:"author"`
	Templates string `json:"templates"` // hash of the templates
	Reviewers int    `json:"reviewers"` // how many are to decide about each prompt
}

// Author is the model that writes prompts.
type Author struct {
	Name       string `json:"name"` // in the models file
	Provider   string `json:"provider"`
	Model      string `json:"model,omitempty"` // as the provider calls it
	Definition string `json:"definition"`      // hash of all that its answers depend on
}

// AuthorOf is a model of the models file as an author.
func AuthorOf(m llm.Model) Author {
	return Author{Name: m.Name, Provider: m.Provider, Model: m.Model, Definition: m.Definition()}
}

// Candidate is a wording as a model wrote it.
type Candidate struct {
	Task    string    `json:"task"`
	Basis   string    `json:"basis"` // hash of what it was written from
	Level   int       `json:"level"`
	Wording int       `json:"wording"`
	Number  int       `json:"number"` // of the candidates for this place, from 1
	Text    string    `json:"text"`
	Author  string    `json:"author"`           // definition of the model
	Asked   int       `json:"asked"`            // requests until this one was kept
	In      int       `json:"tokens_in"`        // of all of them
	Out     int       `json:"tokens_out"`       // of all of them
	Model   string    `json:"model,omitempty"`  // as the provider reported it
	Finish  string    `json:"finish,omitempty"` // its finish reason
	At      time.Time `json:"at"`
}

// Name is the name of the prompt that it is a candidate for.
func (c *Candidate) Name() string { return nameOf(c.Level, c.Wording) }

// Verdict is what a reviewer decided.
type Verdict string

// The verdicts. Undone takes the reviewer's last one back.
const (
	Accept Verdict = "accept"
	Edit   Verdict = "edit"
	Reject Verdict = "reject"
	Undone Verdict = "undone"
)

// Decision is one reviewer's about one candidate.
type Decision struct {
	Task       string    `json:"task"`
	Level      int       `json:"level"`
	Wording    int       `json:"wording"`
	Number     int       `json:"number"` // the candidate
	Reviewer   string    `json:"reviewer"`
	Verdict    Verdict   `json:"verdict"`
	Text       string    `json:"text,omitempty"`       // as edited
	Reason     string    `json:"reason,omitempty"`     // of a rejection
	Resolution bool      `json:"resolution,omitempty"` // it settles a disagreement
	At         time.Time `json:"at"`
}

// String says a decision in words.
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

// Dropped takes the last candidate for a place back, so that the one before counts.
type Dropped struct {
	Task    string    `json:"task"`
	Level   int       `json:"level"`
	Wording int       `json:"wording"`
	Number  int       `json:"number"`
	By      string    `json:"by"`
	At      time.Time `json:"at"`
}

// Draft is an edited wording that its reviewer has not decided for yet; an empty one is
// none.
type Draft struct {
	Task     string    `json:"task"`
	Level    int       `json:"level"`
	Wording  int       `json:"wording"`
	Number   int       `json:"number"` // the candidate
	Reviewer string    `json:"reviewer"`
	Text     string    `json:"text"`
	At       time.Time `json:"at"`
}

// Set are the written prompts of a benchmark, as a file keeps them. It may be used by
// several goroutines.
type Set struct {
	Header Header
	Path   string

	mu    sync.Mutex
	file  *os.File // nil where it is only read
	slots map[slotKey]*slot
	order []slotKey // as they were first written
}

type slotKey struct {
	task           string
	level, wording int
}

// slot is a place for a prompt: its candidates and what was decided about each.
type slot struct {
	candidates []*Candidate
	decisions  map[int][]Decision // by the candidate's number, but for those taken back
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

// Basis is a hash of what prompts of a task are written from: statement, interface and
// reference solution. Prompts of another basis are not used; new tests change nothing.
func Basis(t *benchmark.Task) string {
	text, err := json.Marshal([]any{t.Language, t.EntryPoint, t.Signature, t.Description, t.Constraints, t.Examples, t.Reference})
	if err != nil {
		panic("prompts: a loaded task does not marshal: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// Entry is a place with its present candidate and what was made of it.
type Entry struct {
	Prompt    // as it may be used: with the text that was decided on
	Candidate Candidate
	Decisions []Decision // the last of each reviewer, and resolutions
	Draft     string     // the reviewer's who looks
	Stale     bool       // it was written for an older version of the task
}

// outcome says what decisions about a candidate come to, and the text then.
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

// result is the text that a decision leaves.
func (d Decision) result(text string) string {
	if d.Verdict == Edit {
		return d.Text
	}
	return text
}

// entry describes a slot. With a reviewer it is what that one may see: the others'
// decisions only after his own, so that two are independent.
func (s *Set) entry(key slotKey, basis, reviewer string) Entry {
	at := s.slots[key]
	c := at.current()
	e := Entry{Candidate: *c, Draft: at.drafts[draftKey{c.Number, reviewer}], Decisions: inForce(at.decisions[c.Number]), Stale: basis != "" && c.Basis != basis}
	if reviewer != "" && !slices.ContainsFunc(e.Decisions, func(d Decision) bool { return d.Reviewer == reviewer || d.Resolution }) {
		e.Decisions = nil
	}
	wanted := s.Header.Reviewers
	if reviewer != "" {
		wanted = 1 // one's own decision shows at once
	}
	review, text := outcome(c.Text, e.Decisions, wanted)
	e.Prompt = Prompt{Task: c.Task, Name: c.Name(), Level: c.Level, Wording: c.Wording, Text: text, Review: review}
	return e
}

// Entries lists the places of a task by level and wording. With a reviewer's name it
// shows of others' decisions only what that reviewer may see.
func (s *Set) Entries(t *benchmark.Task, reviewer string) []Entry {
	return s.entries(t.ID, Basis(t), reviewer)
}

// EntriesOf is Entries of a task of which only the id is known: nothing seems stale.
func (s *Set) EntriesOf(id string) []Entry { return s.entries(id, "", "") }

func (s *Set) entries(id, basis, reviewer string) []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Entry
	for level := 1; level <= benchmark.MaxContextLevel; level++ {
		for wording := 1; wording <= MaxWordings; wording++ {
			key := slotKey{id, level, wording}
			if s.slots[key] != nil {
				list = append(list, s.entry(key, basis, reviewer))
			}
		}
	}
	return list
}

// For lists the prompts of a task that may be used: those that were accepted or edited,
// by as many reviewers as the file wants. With unreviewed it also lists those that are
// not decided on yet, marked so; never one that somebody rejected, that reviewers
// disagree about, or that was written for an older version of the task. As those of
// [Levels], the texts end with the interface of what is to be written, which reviewers do
// not see: they can be sent as they are.
func (s *Set) For(t *benchmark.Task, unreviewed bool) []Prompt {
	list := usable(s.Entries(t, ""), unreviewed)
	for i := range list {
		list[i].Text = asSent(t, list[i].Text)
	}
	return list
}

// ForID is For of a task of which only the id is known: the wordings alone.
func (s *Set) ForID(id string, unreviewed bool) []Prompt { return usable(s.EntriesOf(id), unreviewed) }

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

// Naming lists, by name, the prompts of [Set.For] that say how a task is done and name what
// its reference solution names, which they must not: nobody reviewed them yet, or somebody
// took them as they are. The interface that they are sent with is not theirs.
func (s *Set) Naming(t *benchmark.Task, unreviewed bool) []string {
	list := slices.DeleteFunc(usable(s.Entries(t, ""), unreviewed), func(p Prompt) bool { return p.Level != levelMethod })
	if len(list) == 0 || t.Reference == "" {
		return nil
	}
	names := NamesOf(t)
	var found []string
	for _, p := range list {
		if len(names.In(p.Text)) > 0 {
			found = append(found, p.Name)
		}
	}
	return found
}

// Stale counts the prompts of a task that were written for an older version of it, and
// so are not used.
func (s *Set) Stale(t *benchmark.Task) int {
	n := 0
	for _, e := range s.Entries(t, "") {
		if e.Stale {
			n++
		}
	}
	return n
}

// Tasks lists the ids of the tasks that prompts were written for, in that order.
func (s *Set) Tasks() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for _, key := range s.order {
		if !slices.Contains(ids, key.task) {
			ids = append(ids, key.task)
		}
	}
	return ids
}

// AlsoEvaluated lists, by name, the models that are the one that wrote the prompts: it
// may do better by its own words than others do.
func (s *Set) AlsoEvaluated(models []llm.Model) []string {
	var names []string
	for _, m := range models {
		if s.Header.Author.Same(m) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Same reports whether a model is the author, be it under another name, with other sampling
// or at another server.
func (a Author) Same(m llm.Model) bool {
	if a.Definition == m.Definition() || a.Name == m.Name && a.Provider == m.Provider {
		return true
	}
	x, y := weights(a.Model), weights(m.Model)
	return x != "" && x == y
}

// weights is what names of one model at several servers have in common.
func weights(model string) string {
	model = strings.ToLower(model[strings.LastIndex(model, "/")+1:])
	return strings.TrimSuffix(model, ":latest")
}

// apply folds one event.
func (s *Set) apply(ev event) error {
	switch {
	case ev.Candidate != nil:
		return s.applyCandidate(ev.Candidate)
	case ev.Decision != nil:
		return s.applyDecision(ev.Decision)
	case ev.Draft != nil:
		d := ev.Draft
		at := s.slots[slotKey{d.Task, d.Level, d.Wording}]
		if at == nil || d.Reviewer == "" || !at.has(d.Number) {
			return fmt.Errorf("there is no candidate %d of %s %s for a draft", d.Number, d.Task, nameOf(d.Level, d.Wording))
		}
		at.drafts[draftKey{d.Number, d.Reviewer}] = d.Text
		return nil
	case ev.Dropped != nil:
		d := ev.Dropped
		at := s.slots[slotKey{d.Task, d.Level, d.Wording}]
		if at == nil || len(at.candidates) < 2 || at.current().Number != d.Number {
			return fmt.Errorf("candidate %d of %s %s cannot be taken back: it is not the last of several", d.Number, d.Task, nameOf(d.Level, d.Wording))
		}
		at.candidates = at.candidates[:len(at.candidates)-1]
		return nil
	}
	return fmt.Errorf("it is not a candidate or a decision")
}

func (s *Set) applyCandidate(c *Candidate) error {
	key := slotKey{c.Task, c.Level, c.Wording}
	switch {
	case c.Task == "" || c.Level < 1 || c.Level > benchmark.MaxContextLevel || c.Wording < 1 || c.Wording > MaxWordings:
		return fmt.Errorf("there is no level %d and wording %d of task %q", c.Level, c.Wording, c.Task)
	case strings.TrimSpace(c.Text) == "":
		return fmt.Errorf("the candidate has no text")
	}
	at := s.slots[key]
	if at == nil {
		at = &slot{decisions: map[int][]Decision{}, drafts: map[draftKey]string{}}
		s.slots[key] = at
		s.order = append(s.order, key)
	}
	if len(at.candidates) > 0 && c.Number <= at.current().Number || c.Number < 1 {
		return fmt.Errorf("candidate %d of %s %s already exists", c.Number, c.Task, c.Name())
	}
	delete(at.decisions, c.Number) // of one that was taken back
	at.candidates = append(at.candidates, c)
	return nil
}

func (s *Set) applyDecision(d *Decision) error {
	at := s.slots[slotKey{d.Task, d.Level, d.Wording}]
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

// inForce are the decisions that count: of each reviewer the last, and resolutions.
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
