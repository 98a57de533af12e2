package fleet

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/verdicts"
)

// protocol is the version of the messages. Other versions are rejected.
const protocol = 1

// Limits for data from the network.
const (
	maxSamples = 100     // in a message
	maxName    = 200     // bytes of a name or version
	maxCards   = 10_000  // number of workers listened to
	maxSet     = 8 << 20 // bytes of a task set, unless a single task is larger
)

// work is a message in the work queue: samples for one task set.
type work struct {
	Protocol int      `json:"fleet"`
	Version  string   `json:"assay"` // of the coordinator
	Run      string   `json:"run"`
	Batch    string   `json:"batch"`
	Set      string   `json:"set"`               // the SHA-256 of the tasks
	Library  string   `json:"library,omitempty"` // the SHA-256 of the library that the tasks declare
	Samples  []sample `json:"samples"`
}

// sample is a submission in transit.
type sample struct {
	ID          string            `json:"id"`
	Task        int               `json:"task"` // index in the set
	Code        string            `json:"code"`
	Assembly    assemble.Assembly `json:"assembly,omitempty"`
	VerdictOnly bool              `json:"verdict_only,omitempty"`
	Alone       bool              `json:"alone,omitempty"`   // nothing else is judged beside it
	Measure     bool              `json:"measure,omitempty"` // also measure the program
}

// outcome is a message in the stream of results.
type outcome struct {
	Protocol int             `json:"fleet"`
	Result   verdicts.Result `json:"result"`
}

// taskSet is an object in the object store.
type taskSet struct {
	Protocol int              `json:"fleet"`
	Tasks    []benchmark.Task `json:"tasks"`
}

// Card describes a worker or a coordinator.
type Card struct {
	Protocol  int               `json:"fleet"`
	Name      string            `json:"name"`
	Version   string            `json:"assay"`
	Isolation string            `json:"isolation"`
	Languages map[string]string `json:"languages,omitempty"` // with the programs that run them
	Analysers map[string]string `json:"analysers,omitempty"` // with their versions
	Libraries map[string]string `json:"libraries,omitempty"` // SHA-256 to language
	Slots     int               `json:"slots,omitempty"`

	// Enforcement maps limits to the mechanisms that enforce them, as recorded in results.
	Enforcement map[string]string `json:"enforcement,omitempty"`
}

// decode decodes a JSON value of the protocol into v; got must point to the protocol field of v.
func decode(text []byte, v any, got *int) error {
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("not a fleet message: %w", err)
	}
	if *got != protocol {
		return fmt.Errorf("a message of protocol %d, but this assay speaks %d: use the same version everywhere", *got, protocol)
	}
	return nil
}

func decodeWork(text []byte) (*work, error) {
	w := &work{}
	if err := decode(text, w, &w.Protocol); err != nil {
		return nil, err
	}
	switch {
	case !isHex(w.Set, sha256.Size):
		return nil, errors.New("a message without the hash of its tasks")
	case !isToken(w.Run) || !isToken(w.Batch):
		return nil, errors.New("a message without the names of its run and batch")
	case w.Library != "" && !isHex(w.Library, sha256.Size):
		return nil, errors.New("a message with an invalid library name")
	case len(w.Version) > maxName:
		return nil, errors.New("a message with an invalid version")
	case len(w.Samples) == 0 || len(w.Samples) > maxSamples:
		return nil, fmt.Errorf("a message of %d samples: there must be 1 to %d", len(w.Samples), maxSamples)
	}
	seen := make(map[string]bool, len(w.Samples))
	for _, s := range w.Samples {
		if !isHex(s.ID, idBytes) || s.Task < 0 || seen[s.ID] {
			return nil, errors.New("a message with a sample whose name is missing or duplicated")
		}
		seen[s.ID] = true
		switch s.Assembly {
		case "", assemble.Solution, assemble.Completion, assemble.Program:
		default:
			return nil, fmt.Errorf("a sample of the unknown kind %q", s.Assembly)
		}
	}
	return w, nil
}

func decodeOutcome(text []byte) (verdicts.Result, error) {
	var o outcome
	if err := decode(text, &o, &o.Protocol); err != nil {
		return verdicts.Result{}, err
	}
	for _, v := range verdicts.Verdicts() {
		if o.Result.Verdict == v {
			return o.Result, o.check()
		}
	}
	return verdicts.Result{}, fmt.Errorf("a result with the unknown verdict %q", o.Result.Verdict)
}

// check validates a result.
func (o *outcome) check() error {
	r := &o.Result
	if r.Passed < 0 || r.Total < r.Passed || len(r.Worker) > maxName || len(r.Assay) > maxName {
		return errors.New("a result that contradicts itself")
	}
	seen := make(map[string]bool, len(r.Outputs))
	for _, f := range r.Outputs {
		if !fs.ValidPath(f.Name) || seen[f.Name] {
			return fmt.Errorf("a result with a file name %q that is invalid or duplicated", f.Name)
		}
		seen[f.Name] = true
		if sum := sha256.Sum256(f.Data); f.Data != nil && hex.EncodeToString(sum[:]) != f.SHA256 {
			return fmt.Errorf("a result whose file %q does not match its hash", f.Name)
		}
	}
	return nil
}

// decodeOutcomeOf decodes a result for a task; it may only contain files that the task declares.
func decodeOutcomeOf(task *benchmark.Task, text []byte) (verdicts.Result, error) {
	r, err := decodeOutcome(text)
	if err != nil {
		return verdicts.Result{}, err
	}
	for _, f := range r.Outputs {
		if !slices.Contains(task.Outputs, f.Name) {
			return verdicts.Result{}, fmt.Errorf("a result with the file %q, which task %s does not declare", f.Name, task.ID)
		}
	}
	return r, nil
}

// decodeTasks decodes a task set, which must have the given hash.
func decodeTasks(text []byte, hash string) ([]benchmark.Task, error) {
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != hash {
		return nil, fmt.Errorf("the tasks %.12s in the object store do not match their hash", hash)
	}
	var s taskSet
	if err := decode(text, &s, &s.Protocol); err != nil {
		return nil, err
	}
	return s.Tasks, nil
}

func decodeCard(text []byte) (Card, error) {
	var c Card
	if err := json.Unmarshal(text, &c); err != nil {
		return c, fmt.Errorf("not a fleet card: %w", err)
	}
	if c.Name == "" || len(c.Name) > maxName || len(c.Version) > maxName || len(c.Isolation) > maxName {
		return c, errors.New("a card without a name")
	}
	c.Name, c.Version = verdicts.StripEscapes(c.Name), verdicts.StripEscapes(c.Version)
	return c, nil
}

// encode encodes a value that is always representable.
func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("fleet: a message does not marshal: " + err.Error()) // plain values and loaded tasks always marshal
	}
	return text
}

// idBytes is the length of the hash that identifies a sample.
const idBytes = 16

func isHex(text string, bytes int) bool {
	if len(text) != 2*bytes {
		return false
	}
	return strings.Trim(text, "0123456789abcdef") == ""
}

// isToken reports whether a text is valid as one token of a subject.
func isToken(text string) bool { return text != "" && len(text) <= maxName && text == token(text) }

// token converts a text to one token of a subject.
func token(text string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '_'
	}, text)
	return cmp.Or(clean, "_")
}
