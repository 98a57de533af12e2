package session

import (
	"strings"
	"time"
)

// Status is the status of a session.
type Status string

// The statuses. A crashed session stays open; only its age shows it.
const (
	StatusOpen      Status = "open"
	StatusPaused    Status = "paused"
	StatusFinished  Status = "finished"
	StatusAbandoned Status = "abandoned"
	StatusWithdrawn Status = "withdrawn"
	StatusDamaged   Status = "damaged" // neither its row nor its log can be read
)

// Summary is one row in a list of sessions.
type Summary struct {
	Progress
	ID        string `json:"id"`
	Name      string `json:"name,omitempty"` // given by the tester
	Status    Status `json:"status"`
	Benchmark string `json:"benchmark"`
	Filter    string `json:"scenario,omitempty"`
	Model     string `json:"model"` // the name under which it was chosen
	Tester    string `json:"tester,omitempty"`
	Sets      string `json:"sets,omitempty"` // the test sets of the plan, in order: "T0, T1"
	K         int    `json:"k"`
	Current   int    `json:"current"`   // index of the open task in the plan, -1 if none
	Task      string `json:"task"`      // id of the open task
	Answers   int    `json:"answers"`   // complete answers received
	OpenedAt  int64  `json:"opened_at"` // wall time of the first event, Unix milliseconds
	LastAt    int64  `json:"last_at"`   // wall time of the last event
	WorkedMS  int64  `json:"worked_ms"` // milliseconds, without pauses and unobserved time
	LastSeq   uint64 `json:"last_seq"`  // number of the last event
	Imported  bool   `json:"imported,omitempty"`
	Automatic string `json:"automatic,omitempty"` // the feedback policy of an automatic tester

	Study *Place `json:"study,omitempty"` // nil: not part of a study
}

// Place is the place of a session in a study.
type Place struct {
	Hash   string `json:"hash"` // of the frozen study
	Tester int    `json:"tester"`
	Part   int    `json:"part"`
	Blind  bool   `json:"blind,omitempty"`  // the tester must not see the model's name
	Seated bool   `json:"seated,omitempty"` // the number was given by pseudonym
	Later  bool   `json:"later,omitempty"`  // the tester sees results after their last session
}

// PlaceOf returns the place of a plan's session, nil if it is not part of a study.
func PlaceOf(p Plan) *Place {
	if p.Study == nil {
		return nil
	}
	return &Place{Hash: p.Study.Hash, Tester: p.Study.Tester, Part: p.Study.Part, Blind: p.Study.Shown != "", Seated: p.Study.Seated, Later: p.Study.ResultsLater}
}

// SameTester reports whether two sessions that were not withdrawn are of one tester: by the place in the
// study and the pseudonym, outside of studies by the pseudonym.
func (s Summary) SameTester(o Summary) bool {
	if s.Study == nil || o.Study == nil {
		return s.Study == o.Study && s.Tester == o.Tester
	}
	return s.Study.Hash == o.Study.Hash && s.Study.Tester == o.Study.Tester && s.Tester == o.Tester
}

// Open reports whether the session has not ended; it may be paused.
func (s Summary) Open() bool { return s.Status == StatusOpen || s.Status == StatusPaused }

// Began returns the time of the first event.
func (s Summary) Began() time.Time { return time.UnixMilli(s.OpenedAt) }

// Last returns the time of the last event.
func (s Summary) Last() time.Time { return time.UnixMilli(s.LastAt) }

// Worked returns the time without pauses and unobserved time.
func (s Summary) Worked() time.Duration { return time.Duration(s.WorkedMS) * time.Millisecond }

// Title returns the session's name if it has one, otherwise what Of returns.
func (s Summary) Title() string {
	if s.Name != "" {
		return s.Name
	}
	return s.Of()
}

// Of describes the session by benchmark and model. It leaves out the test set T0, which nearly every
// session has.
func (s Summary) Of() string {
	parts := []string{s.Benchmark, s.Model}
	if s.Filter != "" {
		parts = append(parts, s.Filter)
	}
	switch {
	case strings.Contains(s.Sets, ","):
		parts = append(parts, "sets "+s.Sets)
	case s.Sets != "" && s.Sets != "T0":
		parts = append(parts, "set "+s.Sets)
	}
	return strings.Join(parts, " · ")
}
