package study

import (
	"maps"
	"regexp"
	"slices"
	"time"

	"assay/benchmark"
	"assay/scoring/stats"
	"assay/session"
)

// Progress is the progress of a session for those who supervise a study. It contains no results, which
// could influence them while the study runs.
type Progress struct {
	Session  string        `json:"session"`
	Tester   string        `json:"tester"`
	Number   int           `json:"study_tester"` // 0: not part of a study
	Part     int           `json:"study_part"`
	Status   string        `json:"status"`
	Done     int           `json:"tasks_done"`
	Tasks    int           `json:"tasks"`
	Last     time.Time     `json:"last"`
	Pace     time.Duration `json:"median_task_ns"` // working and rating, over closed tasks
	Failures int           `json:"provider_errors"`
	Breaks   int           `json:"breaks"`
	Gaps     int           `json:"unobserved_gaps"` // crashes, and programs that were killed
	Flags    []string      `json:"flags"`           // in words, from assay or the tester

	// Alike is the number of rated tasks whose attributes all have the same score, which may or may not be
	// meant; Rated is the number of rated tasks.
	Alike int `json:"rated_alike"`
	Rated int `json:"rated"`

	// Leaks are answers in which a model of a blind study identifies itself.
	Leaks []Leak `json:"identity_leaks"`
}

// Leak is an answer that may have told the tester which model wrote it.
type Leak struct {
	Task    string `json:"task"`
	Attempt int    `json:"attempt"`
	Words   string `json:"words"`
}

// names matches models and their makers as they name themselves.
var names = regexp.MustCompile(`(?i)\b(?:i am|i'm|i’m|as|my name is|called|built by|made by|trained by|developed by)\s+(?:an?\s+|the\s+)?(?:[\w-]+\s+){0,4}?(claude|chatgpt|gpt-?[0-9][\w.-]*|openai|anthropic|gemini|google|llama|meta ai|qwen|alibaba|mistral|codestral|deepseek|copilot|codex|starcoder|phi-[0-9]|gemma|grok)\b`)

// Watch folds a session's complete log. texts reads answers; if nil, leaks are not searched for. Of tasks, attempts and ratings,
// only those of tasks that the filter matches are counted; flags, breaks and gaps are of the whole session.
func Watch(events []session.Event, texts func(session.Ref) ([]byte, error), filter benchmark.Filter) (Progress, error) {
	s, intervals, err := session.Fold(events)
	if err != nil {
		return Progress{}, err
	}
	matches, _, err := s.Matching(filter, texts)
	if err != nil {
		return Progress{}, err
	}
	done := s.Progress()
	if filter.String() != "" {
		done = s.ProgressOf(matches)
	}
	p := Progress{Session: s.Session, Tester: s.Plan.Tester, Status: s.Closed, Done: done.Closed(), Tasks: done.Tasks, Last: s.Last.Time(), Flags: append([]string{}, s.Flags...), Leaks: []Leak{}}
	switch {
	case p.Status != "":
	case s.Paused != "":
		p.Status = string(session.StatusPaused)
	default:
		p.Status = string(session.StatusOpen)
	}
	blind := false
	if in := s.Plan.Study; in != nil {
		p.Number, p.Part, blind = in.Tester, in.Part, in.Shown != ""
	}
	current := 0
	for _, e := range events {
		switch x := e.Payload.(type) {
		case session.TaskOpened:
			current = x.Index
		case session.AnswerFailed:
			if matches[current] {
				p.Failures++
			}
		case session.Paused:
			if x.Reason == "break" {
				p.Breaks++
			}
		}
	}
	for _, iv := range intervals {
		if iv.Unobserved {
			p.Gaps++
		}
	}
	var worked []float64
	for i, times := range session.TimesOf(s, intervals) {
		t := &s.Tasks[i]
		if !matches[i] {
			continue
		}
		if t.Closed && t.Outcome != session.Skipped {
			worked = append(worked, float64(times.Completion+times.Phases[session.Rate]))
		}
		p.ratings(s, t)
		if blind && texts != nil {
			p.leaks(t, texts)
		}
	}
	if len(worked) > 0 {
		p.Pace = time.Duration(stats.Median(worked)) * time.Millisecond
	}
	return p, nil
}

func (p *Progress) ratings(s *session.State, t *session.Task) {
	if len(t.Ratings) < len(s.Plan.Attributes) || len(t.Ratings) < 2 {
		return
	}
	p.Rated++
	scores := slices.Collect(maps.Values(t.Ratings))
	if slices.Min(scores) == slices.Max(scores) {
		p.Alike++
	}
}

// leaks searches each answer for the first words that name a model. Unreadable texts are skipped.
func (p *Progress) leaks(t *session.Task, texts func(session.Ref) ([]byte, error)) {
	for _, a := range t.Attempts {
		for _, answer := range a.Received() {
			text, err := texts(answer.Answer)
			if err != nil {
				continue
			}
			if words := names.Find(text); words != nil {
				p.Leaks = append(p.Leaks, Leak{t.ID, a.N, string(words)})
				break
			}
		}
	}
}
