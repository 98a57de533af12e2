package sessions

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"assay/benchmark"
	"assay/session"
	"assay/session/overlap"
	"assay/session/report"
)

// Options are what a report needs beside the logs.
type Options struct {
	Title string // empty: made from the sessions
	Texts Texts  // nil: the report has no prompts, answers, and edit distances

	// Blind names models as testers see them if their study is blind, for readers who still work in it.
	Blind bool

	// Overlap are ratings of the sessions' answers by several people; nil: none.
	Overlap *overlap.Analysis
	// Study is the frozen study that the sessions belong to, for the dataset; nil: it is not known.
	Study *StudyFiles

	// Price returns the prices of a session's model; nil where they are not known. It may be nil itself. Sessions of
	// a blind study have none, since a price tells the model.
	Price func(*session.State) *session.Price

	// NoImages leaves out the PNG files of the figures, whose compressed bytes may differ between releases
	// of Go, so that files made elsewhere can be compared.
	NoImages bool

	// Filter chooses the tasks that the report is about, by the metadata that the sessions stored.
	Filter benchmark.Filter

	// Written is the layout of the report that is made again; nil: the newest. See [Report].
	Written *int

	// NewTasks makes intervals over several testers apply to other tasks like these, too. By default they
	// apply to these tasks and to other testers.
	NewTasks bool
}

// Builder folds the logs of sessions and keeps only what the report needs. Logs may be added concurrently and
// in any order.
type Builder struct {
	o Options

	mu    sync.Mutex // guards the rest
	logs  []folded
	known map[string]bool
	words map[string]string
}

// NewBuilder returns a builder without sessions.
func NewBuilder(o Options) *Builder {
	return &Builder{o: o, known: map[string]bool{}, words: map[string]string{}}
}

// Build folds the complete logs of sessions into their report. The error names the event that does not fit. Of
// an open session, the report has the tasks that are closed.
func Build(logs ...[]session.Event) (*Report, error) {
	b := NewBuilder(Options{})
	for _, events := range logs {
		if err := b.Add(events); err != nil {
			return nil, err
		}
	}
	return b.Report()
}

// Add folds the whole log of one session.
func (b *Builder) Add(events []session.Event) error {
	if len(events) == 0 {
		return errors.New("the session has no events")
	}
	state, intervals, err := session.Fold(events)
	if err != nil {
		return fmt.Errorf("the log cannot be folded: %w", err)
	}
	if b.o.Blind {
		blind(state)
	}
	if err := review(state); err != nil {
		return err
	}
	f := folded{state: state, spent: spentOf(len(state.Tasks), intervals), times: session.TimesOf(state, intervals)}
	kept, err := b.restrict(&f)
	if err != nil {
		return fmt.Errorf("session %s: %w", state.Session, err)
	}
	f.header = header(state)
	current := 0
	for _, e := range events {
		switch p := e.Payload.(type) {
		case session.TaskOpened:
			current = p.Index
		case session.AnswerFailed:
			f.header.Failures += int(one(kept[current]))
		case session.AnswerInterrupted:
			f.header.Interruptions += int(one(kept[current]))
		}
	}
	if a := state.Account(); b.o.layout() > 0 && (b.o.layout() > 3 || a.Uncounted < a.Answers) && !f.withdrawn() {
		var price *session.Price
		if b.o.Price != nil && !state.Plan.Blind() {
			price = b.o.Price(state)
		}
		f.header.Account = report.NewSpent(a, price)
	}
	f.header.Counts = f.count()
	c := f.header.Counts
	f.header.Other = c.Unfinished + c.NotOpened + c.Practice + c.Withdrawn
	if f.prompts, err = wordings(state, b.o.Texts); err != nil {
		return fmt.Errorf("session %s: %w", state.Session, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.known[state.Session] {
		return fmt.Errorf("session %s was given twice", clean(state.Session))
	}
	b.known[state.Session] = true
	b.compact(state)
	b.logs = append(b.logs, f)
	return nil
}

// blind removes from the model of a blind study what testers do not see.
func blind(s *session.State) {
	if shown := s.Plan.ModelShown(); shown != s.Plan.Model.Name {
		s.Plan.Model = session.Model{Name: shown}
		if a := s.Plan.Arena; a != nil {
			s.Plan.Arena = &session.Arena{Models: session.Shown(shown), Seed: a.Seed}
		}
		for i := range s.Tasks {
			for j := range s.Tasks[i].Attempts {
				a := &s.Tasks[i].Attempts[j]
				for _, answer := range a.Received() {
					answer.Model = ""
				}
				if a.Reflection != nil && a.Reflection.Answer != nil {
					a.Reflection.Answer.Model = ""
				}
			}
		}
	}
}

// compact releases what a report does not need: a large study has a million events, whose texts repeat.
func (b *Builder) compact(s *session.State) {
	s.Rest()
	once := func(text *string) {
		known, is := b.words[*text]
		if !is {
			known = strings.Clone(*text)
			b.words[known] = known
		}
		*text = known
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		for j, mend := range t.Mends {
			t.Mends[j].Files = sizesOnly(mend.Files)
		}
		for j := range t.Attempts {
			a := &t.Attempts[j]
			if a.Reflection != nil {
				a.Reflection.Sent.Messages = nil
			}
			if a.Sent != nil {
				a.Sent.Messages = make([]session.Message, len(a.Sent.Messages)) // their number is told
			}
			for _, reply := range a.Replies() {
				compactReply(reply, once)
			}
		}
	}
}

// compactReply releases what a report does not need of an answer.
func compactReply(a *session.Attempt, once func(*string)) {
	if a.Answer != nil {
		once(&a.Answer.FinishReason)
		once(&a.Answer.Model)
	}
	if a.Extracted != nil {
		once(&a.Extracted.Method)
		once(&a.Extracted.Note)
	}
	if a.Verdict != nil {
		once(&a.Verdict.Verdict)
		once(&a.Verdict.Enforcement)
		a.Verdict.Detail, a.Verdict.Outputs = "", nil
	}
	if a.Tree != nil {
		a.Tree.Files = sizesOnly(a.Tree.Files)
	}
	if a.Measured != nil {
		once(&a.Measured.Reliability)
		once(&a.Measured.Security)
		once(&a.Measured.Analyser)
		a.Measured.Detail = ""
	}
}

// sizesOnly returns files with only the sizes of their changes.
func sizesOnly(files []session.ChangedFile) []session.ChangedFile {
	sizes := make([]session.ChangedFile, len(files)) // those of the events stay as they are
	for i, f := range files {
		sizes[i] = session.ChangedFile{Added: f.Added, Deleted: f.Deleted}
	}
	return sizes
}

// Report computes the report of all added sessions.
func (b *Builder) Report() (*Report, error) {
	if err := b.fit(); err != nil {
		return nil, err
	}
	r := &Report{
		Filter: b.o.Filter.String(), Layout: b.o.layout(),
		Format: FormatVersion, Blind: b.o.Blind, Title: clean(cmp.Or(b.o.Title, titleOf(b.logs))), logs: b.logs, texts: b.o.Texts, noImages: b.o.NoImages, study: b.o.Study,
		Number: len(b.logs), Testers: numberTesters(b.logs), Pooled: pooled(b.logs), Sessions: []Header{}, Shared: sharedPlaces(b.logs),
	}
	est := &estimator{testers: r.Testers, newTasks: b.o.NewTasks, early: b.o.layout() < 4}
	r.Method = Method{Confidence: report.Confidence, Small: report.Small, Rounding: "half away from zero, in decimal"}
	var all []result
	var human passRates
	var err error
	if b.o.layout() > 0 {
		if human, err = humanPassRates(b.logs, b.o.Texts); err != nil {
			return nil, err
		}
	}
	for i := range b.logs {
		f := &b.logs[i]
		f.human = human
		r.Sessions = append(r.Sessions, f.header)
		r.Counts.add(f.header.Counts)
		r.Events.add(f)
		all = append(all, f.results()...)
	}
	r.Tasks = numberTasks(all)
	if r.Overlap = b.o.Overlap; r.Overlap != nil {
		if some, _ := r.concerns(r.Overlap); !some {
			return nil, errors.New("the overlap ratings are of other sessions than the report")
		}
	}
	for _, h := range r.Sessions {
		r.Automatic += int(one(h.automatic()))
	}
	r.Tokens = tokensOf(b.logs, r.Layout)
	r.People = participantsOf(b.logs, b.o.Study)
	r.Method.Scope = r.scope(b.o.NewTasks)
	attributes := b.attributes()
	if r.Abilities, err = abilitiesOf(b.logs); err != nil {
		return nil, err
	}
	var arms map[string][]result
	if r.Arena, err = arenaOf(b.logs, all, b.o.Texts, b.o.layout() < 4); err != nil {
		return nil, err
	}
	r.Arms, arms = armsOf(est, b.logs, all, attributes, r.Layout)
	r.Same = agreementOf(all, attributes)
	r.answers = answersOf(all, arms, r.Arms.names())
	if b.o.layout() > 0 {
		if r.Models, err = modelsOf(r.answers); err != nil {
			return nil, err
		}
	}
	if !r.Pooled {
		all = nil
	}
	r.Tries = attemptsOf(est, all, b.logs[0].state.Plan.K)
	r.Times = timesOf(est, all)
	r.Ratings = ratingsOf(est, all, attributes, b.labels())
	r.Attention, r.Survey = attentionOf(est, b.logs), surveyOf(b.logs)
	r.Tests = testsOf(est, all)
	r.Merge, r.Mended = mergeOf(est, all), mendedOf(est, all)
	r.Six = sixOf(est, all)
	r.Code = codeOf(est, all)
	r.Prompts = promptsOf(est, all)
	r.Slices = slicesOf(est, all, attributes, r)
	r.Grid = gridOf(est, all, attributes)
	r.Order = orderOf(est, b.logs, all, attributes)
	r.marks = figuresOf(r, all, arms, attributes)
	r.Checks = r.checkData()
	return r, nil
}

// fit sorts the sessions by their ids, and returns an error if they do not fit into one report.
func (b *Builder) fit() error {
	if len(b.logs) == 0 {
		return errors.New("there is no session to report")
	}
	if err := b.noMatch(); err != nil {
		return err
	}
	slices.SortFunc(b.logs, func(x, y folded) int { return strings.Compare(x.state.Session, y.state.Session) })
	return b.alike()
}

// numberTasks numbers the tasks of results in their order, from 0, and returns how many there are.
func numberTasks(all []result) int {
	number := map[string]int{}
	for i := range all {
		key := all[i].same()
		if _, known := number[key]; !known {
			number[key] = len(number)
		}
		all[i].task = number[key]
	}
	return len(number)
}

// sameScale reports whether two attributes are the same, on the same scale.
func sameScale(a, b session.Attribute) bool {
	aLow, aHigh := a.Anchors()
	bLow, bHigh := b.Anchors()
	return a.ID == b.ID && a.Max() == b.Max() && aLow == bLow && aHigh == bHigh
}

// labels returns those that any of the sessions asks for, in the order in which they come.
func (b *Builder) labels() []session.Label {
	var all []session.Label
	for i := range b.logs {
		for _, l := range b.logs[i].state.Plan.AskedLabels() {
			at := slices.IndexFunc(all, func(o session.Label) bool { return o.ID == l.ID })
			if at < 0 {
				at = len(all)
				all = append(all, session.Label{ID: l.ID, Name: l.Name})
			}
			for _, v := range l.Values {
				if !slices.Contains(all[at].Values, v) {
					all[at].Values = append(all[at].Values, v)
				}
			}
		}
	}
	return all
}

// maxK is the number of attempts that a report has rows for.
const maxK = 1000

// alike returns an error if the numbers of the sessions cannot be in one table.
func (b *Builder) alike() error {
	first, rated := b.logs[0].state, (*session.State)(nil) // the first of all, and the first of people
	if k := first.Plan.K; k < 1 || k > maxK {
		return fmt.Errorf("session %s allows %d attempts for a task; a report has a row for each, and takes 1 to %d", clean(first.Session), k, maxK)
	}
	for _, f := range b.logs {
		p, q := first.Plan, f.state.Plan
		if p.K != q.K {
			return fmt.Errorf("session %s allows %d attempts and session %s %d: numbers of attempts cannot be compared; report them apart", clean(first.Session), p.K, clean(f.state.Session), q.K)
		}
		switch {
		case q.Automatic != nil: // it rates nothing
		case rated == nil:
			rated = f.state
		case !slices.EqualFunc(rated.Plan.Attributes, q.Attributes, sameScale):
			return fmt.Errorf("sessions %s and %s rate different attributes, or on different scales or anchors; report them apart", clean(rated.Session), clean(f.state.Session))
		}
	}
	return nil
}

// pooled reports whether all sessions worked alike: prompt levels are never pooled, nor
// people with programs.
func pooled(logs []folded) bool {
	for _, f := range logs[1:] {
		p, q := logs[0].header, f.header
		if p.Level != q.Level || p.Context != q.Context || p.Kind != q.Kind || p.Feedback != q.Feedback {
			return false
		}
	}
	return true
}

func titleOf(logs []folded) string {
	if len(logs) == 1 {
		return "Report of session " + logs[0].header.ID
	}
	study := logs[0].header.Study.Name
	if study == "" || slices.ContainsFunc(logs, func(f folded) bool { return f.header.Study.Name != study }) {
		return fmt.Sprintf("Report of %d sessions", len(logs))
	}
	return study
}

// attributes returns the rated attributes, nil if only programs worked.
func (b *Builder) attributes() []session.Attribute {
	for i := range b.logs {
		if p := b.logs[i].state.Plan; p.Automatic == nil {
			return p.Attributes
		}
	}
	return nil
}

// Layout is the layout of new reports; see [Report].
const Layout = 4

// layout returns the layout of a report's page and data; see [Report].
func (o Options) layout() int {
	if o.Written == nil {
		return Layout
	}
	return *o.Written
}
