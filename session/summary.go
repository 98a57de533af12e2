package session

import (
	"strings"
	"time"
)

// Status is where a session stands.
type Status string

// The statuses. A session that a crash interrupted is open; only its last event is old.
const (
	StatusOpen      Status = "open"
	StatusPaused    Status = "paused"
	StatusFinished  Status = "finished"
	StatusAbandoned Status = "abandoned"
	StatusWithdrawn Status = "withdrawn"
	StatusDamaged   Status = "damaged" // neither its row nor its log can be read
)

// Summary is a session in one row, for lists of sessions.
type Summary struct {
	Progress
	ID        string `json:"id"`
	Name      string `json:"name,omitempty"` // given by the tester
	Status    Status `json:"status"`
	Benchmark string `json:"benchmark"`
	Scenario  string `json:"scenario,omitempty"`
	Model     string `json:"model"` // the name under which it was chosen
	Tester    string `json:"tester,omitempty"`
	Sets      string `json:"sets,omitempty"` // the test sets of the plan, in order: "T0, T1"
	K         int    `json:"k"`
	Current   int    `json:"current"`   // index in the plan of the task that is open, -1 for none
	Task      string `json:"task"`      // its id
	Answers   int    `json:"answers"`   // complete answers received
	OpenedAt  int64  `json:"opened_at"` // wall time of the first event, Unix milliseconds
	LastAt    int64  `json:"last_at"`   // wall time of the last event
	WorkedMS  int64  `json:"worked_ms"` // milliseconds observed and not paused
	LastSeq   uint64 `json:"last_seq"`  // number of the last event
	Imported  bool   `json:"imported,omitempty"`
	Automatic string `json:"automatic,omitempty"` // the feedback of the program that worked in place of a human

	Study *Place `json:"study,omitempty"` // nil: of no study
}

// Place is a session's in a study.
type Place struct {
	Hash   string `json:"hash"` // of the frozen study
	Tester int    `json:"tester"`
	Part   int    `json:"part"`
	Blind  bool   `json:"blind,omitempty"`  // its tester does not read the model's name
	Seated bool   `json:"seated,omitempty"` // the number was given by pseudonym
}

// PlaceOf is the place of a plan's session, nil where it is of no study.
func PlaceOf(p Plan) *Place {
	if p.Study == nil {
		return nil
	}
	return &Place{Hash: p.Study.Hash, Tester: p.Study.Tester, Part: p.Study.Part, Blind: p.Study.Shown != "", Seated: p.Study.Seated}
}

// Open reports whether the session has not ended; one that is paused has not.
func (s Summary) Open() bool { return s.Status == StatusOpen || s.Status == StatusPaused }

// Began is the time of the first event.
func (s Summary) Began() time.Time { return time.UnixMilli(s.OpenedAt) }

// Last is the time of the last event.
func (s Summary) Last() time.Time { return time.UnixMilli(s.LastAt) }

// Worked is the time that was observed and not paused.
func (s Summary) Worked() time.Duration { return time.Duration(s.WorkedMS) * time.Millisecond }

// Title is what people call a session: the name that it was given, else what it is of.
func (s Summary) Title() string {
	if s.Name != "" {
		return s.Name
	}
	return s.Of()
}

// Of is what a session is of. The first test set is what nearly every session has.
func (s Summary) Of() string {
	parts := []string{s.Benchmark, s.Model}
	if s.Scenario != "" {
		parts = append(parts, s.Scenario)
	}
	switch {
	case strings.Contains(s.Sets, ","):
		parts = append(parts, "sets "+s.Sets)
	case s.Sets != "" && s.Sets != "T0":
		parts = append(parts, "set "+s.Sets)
	}
	return strings.Join(parts, " · ")
}
