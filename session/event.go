package session

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"assay/data/disk"
)

// Kind is the kind of an event, which determines the type of its payload.
type Kind string

// Payload is the content of an event. Every payload type of this package is a plain struct with a stable
// JSON form; decoders is their registry.
type Payload interface{ Kind() Kind }

// Stamp is the time and place of an event. Monotonic readings of different processes must never be
// subtracted: compare Process first.
type Stamp struct {
	Wall    int64  `json:"wall"`    // UTC, in milliseconds since the Unix epoch
	Mono    int64  `json:"mono"`    // milliseconds on the process's monotonic clock
	Process string `json:"process"` // id of one run of the program
	Boot    string `json:"boot"`    // id of one run of the machine
}

// Time returns the stamp's wall time in UTC.
func (s Stamp) Time() time.Time { return time.UnixMilli(s.Wall).UTC() }

// Imported is the origin of events imported from the tables of another study or a log of Inspect; the origin of events from a
// person at the screen is empty.
const Imported = "imported"

// Event is one entry of a session's log. Seq counts from 1 without gaps. Hash is the SHA-256 over Prev and
// the event's own content, so altering or reordering a log, or removing events from its middle, is
// detected.
type Event struct {
	Seq     uint64
	Version int // of the payload; 1 unless the payload says otherwise
	Stamp
	Origin  string // "" or Imported
	Payload Payload
	Prev    string // hash of the previous event, "" for the first
	Hash    string // set by Seal
}

// envelope is the JSON form of an Event, both stored and exported, with its payload as it is or as JSON.
type envelope[P any] struct {
	Seq     uint64 `json:"seq"`
	Kind    Kind   `json:"kind"`
	Version int    `json:"v"`
	Stamp
	Origin string `json:"origin,omitempty"`
	Data   P      `json:"data"`
	Prev   string `json:"prev,omitempty"`
	Hash   string `json:"hash,omitempty"`
}

// ErrUnknownKind is wrapped by the error of decoding an event of a kind that this version does not know: a
// newer assay wrote the log.
var ErrUnknownKind = errors.New("unknown kind of event")

// MarshalJSON writes the envelope with the payload under "data".
func (e Event) MarshalJSON() ([]byte, error) {
	if e.Payload == nil {
		return nil, fmt.Errorf("event %d has no payload", e.Seq)
	}
	text, err := json.Marshal(envelope[any]{
		Seq: e.Seq, Kind: e.Payload.Kind(), Version: e.Version, Stamp: e.Stamp,
		Origin: e.Origin, Data: e.Payload, Prev: e.Prev, Hash: e.Hash,
	})
	if err != nil {
		return nil, fmt.Errorf("event %d (%s): %w", e.Seq, e.Payload.Kind(), err)
	}
	return text, nil
}

// UnmarshalJSON reads an envelope and upcasts payloads of older versions.
func (e *Event) UnmarshalJSON(text []byte) error {
	var env envelope[json.RawMessage]
	if err := json.Unmarshal(text, &env); err != nil {
		return err
	}
	payload, err := decodePayload(env.Kind, env.Version, env.Data)
	if err != nil {
		return fmt.Errorf("event %d: %w", env.Seq, err)
	}
	*e = Event{
		Seq: env.Seq, Version: env.Version, Stamp: env.Stamp, Origin: env.Origin,
		Payload: payload, Prev: env.Prev, Hash: env.Hash,
	}
	return nil
}

// Seal returns e as the successor of an event with hash prev: with Prev and Hash set. The hash covers the
// JSON form without the hash itself.
//
// Invalid UTF-8 is replaced before hashing, as JSON would replace it: encoding/json writes such a byte as
// \ufffd but, after reading it back, as the three bytes of U+FFFD, and the log would not verify.
func (e Event) Seal(prev string) (Event, error) {
	e.Prev, e.Hash = prev, ""
	e.Version = cmp.Or(e.Version, 1)
	text, err := e.MarshalJSON() // without json.Marshal, which would compact it again
	if err == nil && bytes.Contains(text, []byte(`\ufffd`)) {
		if err = json.Unmarshal(text, &e); err == nil {
			text, err = e.MarshalJSON()
		}
	}
	if err != nil {
		return Event{}, err
	}
	e.Hash = disk.Sum(text)
	return e, nil
}

// follows checks that e belongs at index i of a log, after the event with hash prev.
func (e Event) follows(i int, prev string) error {
	if want := uint64(i + 1); e.Seq != want {
		return fmt.Errorf("event %d of the log is numbered %d: events are missing or reordered", want, e.Seq)
	}
	if e.Prev != prev {
		return fmt.Errorf("event %d does not follow the one before: the log was altered or cut", e.Seq)
	}
	return nil
}

// DecodeSealed decodes an event from its stored form, and rejects one whose hash does not cover exactly
// these bytes. Decoding alone does not notice every change: encoding/json accepts keys in any letter case,
// the last of two equal keys, and unknown keys.
func DecodeSealed(text []byte) (Event, error) {
	var e Event
	if err := e.UnmarshalJSON(text); err != nil {
		return e, fmt.Errorf("it cannot be read: %w", err)
	}
	sealed, err := e.Seal(e.Prev)
	if err != nil {
		return e, err
	}
	again, err := sealed.MarshalJSON()
	if err == nil && (sealed.Hash != e.Hash || !bytes.Equal(again, text)) {
		err = fmt.Errorf("event %d (%s) was altered after it was recorded", e.Seq, e.Payload.Kind())
	}
	return e, err
}

// VerifyLog decodes a log in stored form, one event for each text, and checks that it is complete and
// unaltered from its first event: numbered from 1 without gaps, each event sealed onto the one before, and
// every byte as it was recorded.
func VerifyLog(texts [][]byte) ([]Event, error) {
	events := make([]Event, len(texts))
	prev := ""
	for i, text := range texts {
		e, err := DecodeSealed(text)
		if err != nil {
			return nil, fmt.Errorf("line %d of the log: %w", i+1, err)
		}
		if err := e.follows(i, prev); err != nil {
			return nil, err
		}
		events[i], prev = e, e.Hash
	}
	return events, nil
}

// Ref refers to a large text stored beside the log: the lower-case hexadecimal SHA-256 of its bytes.
type Ref string

// RefOf returns the reference of a text.
func RefOf(text []byte) Ref { return Ref(disk.Sum(text)) }
