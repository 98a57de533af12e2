package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/session"
)

// Scale is the scale of all attributes.
type Scale struct {
	Points int    `toml:"points"`
	Low    string `toml:"low"`  // what 1 means
	High   string `toml:"high"` // what the highest score means
}

// Label is a question besides the ratings, answered with one of its values.
type Label struct {
	ID           string   `toml:"id"`
	Name         string   `toml:"name"`
	Values       []string `toml:"values"`
	NotSatisfied bool     `toml:"not_satisfied"` // asked only for tasks that ended without satisfaction
}

// Practice is the gate that practice tasks have to pass.
type Practice struct {
	Gate    string `toml:"gate"` // "none", "judged" or "accepted"
	Repeats int    `toml:"repeats"`
}

// Attention is an attention check among the ratings of a task.
type Attention struct {
	Task  int    `toml:"task"` // the 1-based number of the counted task in a session
	Text  string `toml:"text"`
	Score int    `toml:"score"`
}

// Breaks are breaks between tasks.
type Breaks struct {
	Tasks   int   `toml:"tasks"` // tasks between breaks; 0: no breaks
	Seconds int64 `toml:"seconds"`
	Forced  bool  `toml:"forced"`
}

// Question is a question of the exit survey.
type Question struct {
	ID       string   `toml:"id"`
	Text     string   `toml:"text"`
	Choices  []string `toml:"choices"`
	Optional bool     `toml:"optional"`
}

// The labels asked besides the ratings if the file defines none.
const (
	StandardLabels = "standard" // the two of Su et al.
	NoLabels       = "none"
)

// When testers see the results of a session.
const (
	ResultsEnd  = "end"  // after their last session, so that none influences the next
	ResultsEach = "each" // after each
)

// What happens to a session continued too late.
const (
	LateFlag   = "flag"
	LateRefuse = "refuse"
)

// maxSurvey is the largest number of questions in the exit survey.
const maxSurvey = 50

// rules returns what the study asks of each session besides its tasks.
func (s *Study) rules() session.Rules {
	r := session.Rules{Labels: []session.Label{}, Suffix: strings.TrimSpace(s.Session.Suffix), Clock: session.Clock(s.Session.Clock), Answers: s.Session.Answers, HideThinking: s.Session.HideThinking, Corrections: s.Session.Corrections, Merge: s.Session.Merge, HandEdit: s.Session.HandEdit, TakeBlock: s.Session.TakeBlock}
	for _, l := range s.Labels {
		r.Labels = append(r.Labels, session.Label{ID: l.ID, Name: l.Name, Values: l.Values, WhenNotSatisfied: l.NotSatisfied})
	}
	if len(s.Labels) == 0 && s.Session.Labels == StandardLabels {
		r.Labels = session.Labels()
	}
	if s.Practice.Gate != "" && s.Practice.Gate != "none" {
		r.Gate = &session.Gate{Needs: s.Practice.Gate, Repeats: s.Practice.Repeats}
	}
	if b := s.Breaks; b.Tasks > 0 {
		r.Breaks = &session.Breaks{Tasks: b.Tasks, MS: 1000 * b.Seconds, Forced: b.Forced}
	}
	if h := s.Session.ResumeHours; h > 0 {
		r.Resume = &session.Resume{WithinMS: int64(h * 3_600_000), Refuse: s.Session.Late == LateRefuse}
	}
	for _, q := range s.Survey {
		r.Survey = append(r.Survey, session.Question{ID: q.ID, Text: q.Text, Choices: q.Choices, Optional: q.Optional})
	}
	return r
}

// attributes returns the rated attributes on the study's scale.
func (s *Study) attributes() []session.Attribute {
	all := []session.Attribute{} // not nil, which stands for those of Miah & Zhu
	for _, a := range s.Attributes {
		all = append(all, session.Attribute{
			ID: a.ID, Name: a.Name, Meaning: a.Meaning,
			Points: s.Scale.Points, Low: cmp.Or(a.Low, s.Scale.Low), Middle: a.Middle, High: cmp.Or(a.High, s.Scale.High),
		})
	}
	return all
}

// checks maps task numbers to attention checks.
func (s *Study) checks() map[int]session.Check {
	all := map[int]session.Check{}
	for _, a := range s.Attention {
		all[a.Task] = session.Check{Text: a.Text, Score: a.Score}
	}
	return all
}

// line checks a one-line text for testers.
func (s *Study) line(key, text string, most int) error {
	switch {
	case strings.TrimSpace(text) == "":
		return s.file.Wrong(key, "it is empty, but testers read it")
	case strings.Contains(text, "\n"):
		return s.file.Wrong(key, "it has a line break, but is shown on one line")
	case len([]rune(text)) > most:
		return s.file.Wrong(key, "it has %d characters; at most %d fit on its line", len([]rune(text)), most)
	}
	return nil
}

func (s *Study) checkScale() error {
	if p := s.Scale.Points; p < 2 || p > session.MaxPoints {
		return s.file.Wrong("scale.points", "%d is not from 2 to %d: scores are single keys", p, session.MaxPoints)
	}
	for key, text := range map[string]string{"scale.low": s.Scale.Low, "scale.high": s.Scale.High} {
		if err := s.line(key, text, 20); err != nil {
			return err
		}
	}
	for i, a := range s.Attributes {
		if a.Middle != "" && s.Scale.Points%2 == 0 {
			return s.file.Wrong(fmt.Sprintf("attribute.%d.middle", i), "a scale of %d points has no middle", s.Scale.Points)
		}
		for key, text := range map[string]string{"low": a.Low, "middle": a.Middle, "high": a.High} {
			if text == "" {
				continue
			}
			if err := s.line(fmt.Sprintf("attribute.%d.%s", i, key), text, 20); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Study) checkLabels() error {
	if l := s.Session.Labels; l != StandardLabels && l != NoLabels {
		return s.file.Wrong("session.labels", "%q is neither %q nor %q; labels of your own are [[label]] tables", l, StandardLabels, NoLabels)
	}
	if len(s.Labels) > 4 {
		return s.file.Wrong("label.4", "at most four labels fit next to the ratings")
	}
	seen := map[string]bool{}
	for i, l := range s.Labels {
		key := func(k string) string { return fmt.Sprintf("label.%d.%s", i, k) }
		switch {
		case !attributeID.MatchString(l.ID):
			return s.file.Wrong(key("id"), "%q is not an id: write lower-case letters, digits and underscores, a letter first", l.ID)
		case seen[l.ID]:
			return s.file.Wrong(key("id"), "two labels have the id %q", l.ID)
		case l.ID == session.CheckID || slices.ContainsFunc(s.Attributes, func(a Attribute) bool { return a.ID == l.ID }):
			return s.file.Wrong(key("id"), "%q is the id of an attribute, or reserved for attention checks", l.ID)
		case len(l.Values) < 2 || len(l.Values) > 4:
			return s.file.Wrong(key("values"), "a label has two to four values, not %d", len(l.Values))
		}
		seen[l.ID] = true
		if err := s.line(key("name"), l.Name, 31); err != nil {
			return err
		}
		values := map[string]bool{}
		for _, v := range l.Values {
			if err := s.line(key("values"), v, 16); err != nil {
				return err
			}
			if values[v] {
				return s.file.Wrong(key("values"), "%q is duplicated", v)
			}
			values[v] = true
		}
	}
	return nil
}

func (s *Study) checkPractice() error {
	p := s.Practice
	switch {
	case p.Gate != "none" && p.Gate != session.GateJudged && p.Gate != session.GateAccepted:
		return s.file.Wrong("practice.gate", "%q is none of none, %s, %s", p.Gate, session.GateJudged, session.GateAccepted)
	case p.Gate != "none" && !s.Tasks.Practice:
		return s.file.Wrong("practice.gate", "there is no practice: write practice = true under [tasks]")
	case p.Repeats < 0 || p.Repeats > 20:
		return s.file.Wrong("practice.repeats", "%d is not from 0 to 20", p.Repeats)
	}
	return nil
}

func (s *Study) checkAttention() error {
	if len(s.Attention) > 0 && len(s.Attributes) == 0 {
		return s.file.Wrong("attention", "attention checks stand among ratings, and this study asks for none: add [[attribute]]")
	}
	seen := map[int]bool{}
	for i, a := range s.Attention {
		key := func(k string) string { return fmt.Sprintf("attention.%d.%s", i, k) }
		switch {
		case a.Task < 1:
			return s.file.Wrong(key("task"), "%d is not a task of a session: tasks count from 1", a.Task)
		case seen[a.Task]:
			return s.file.Wrong(key("task"), "task %d already has an attention check", a.Task)
		case a.Score < session.MinScore || a.Score > s.Scale.Points:
			return s.file.Wrong(key("score"), "%d is not from %d to %d", a.Score, session.MinScore, s.Scale.Points)
		}
		seen[a.Task] = true
		if err := s.line(key("text"), a.Text, 60); err != nil {
			return err
		}
	}
	return nil
}

func (s *Study) checkBreaks() error {
	b := s.Breaks
	switch {
	case b.Tasks < 0:
		return s.file.Wrong("breaks.tasks", "%d is negative; 0 asks for no breaks", b.Tasks)
	case b.Seconds < 0 || b.Seconds > 24*3600:
		return s.file.Wrong("breaks.seconds", "%d is not from 0 to a day", b.Seconds)
	case b.Forced && b.Tasks == 0:
		return s.file.Wrong("breaks.forced", "say after how many tasks: tasks = 5")
	}
	return nil
}

func (s *Study) checkSurvey() error {
	if len(s.Survey) > maxSurvey {
		return s.file.Wrong(fmt.Sprintf("survey.%d", maxSurvey), "at most %d questions are asked", maxSurvey)
	}
	seen := map[string]bool{}
	for i, q := range s.Survey {
		key := func(k string) string { return fmt.Sprintf("survey.%d.%s", i, k) }
		switch {
		case !attributeID.MatchString(q.ID):
			return s.file.Wrong(key("id"), "%q is not an id: write lower-case letters, digits and underscores, a letter first", q.ID)
		case seen[q.ID]:
			return s.file.Wrong(key("id"), "two questions have the id %q", q.ID)
		case strings.TrimSpace(q.Text) == "":
			return s.file.Wrong(key("text"), "it is empty, but testers read it")
		case len(q.Choices) == 1 || len(q.Choices) > 9:
			return s.file.Wrong(key("choices"), "%d choices do not fit the number keys: write two to nine, or none for free text", len(q.Choices))
		}
		seen[q.ID] = true
		choices := map[string]bool{}
		for _, c := range q.Choices {
			if err := s.line(key("choices"), c, 50); err != nil {
				return err
			}
			if choices[c] {
				return s.file.Wrong(key("choices"), "%q is duplicated", c)
			}
			choices[c] = true
		}
	}
	return nil
}
