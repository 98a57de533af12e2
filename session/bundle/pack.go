package bundle

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"assay/session"
)

// Source is a store of sessions.
type Source interface {
	// Export writes a session's events as JSON lines, as they are stored.
	Export(sessionID string, w io.Writer) error
	// Blob reads a text that an event refers to, and checks its hash.
	Blob(ref session.Ref) ([]byte, error)
}

// Bundle is the contents of a bundle in memory. Its logs are complete, and it contains all texts that they
// refer to.
type Bundle struct {
	Manifest Manifest
	files    map[string][]byte // all except the manifest
	logs     []Log             // by session id
}

// Log is the event log of one session.
type Log struct {
	ID     string
	Events []session.Event
}

// Pack collects sessions, in any order, with everything that belongs to them. assay is the version of the
// program; of is the study that all of them belong to, nil for none. Errors name what is broken or missing.
func Pack(from Source, sessions []string, assay string, of *Study) (*Bundle, error) {
	ids := slices.Compact(slices.Sorted(slices.Values(sessions)))
	if len(ids) == 0 {
		return nil, errors.New("there is no session to pack")
	}
	b := &Bundle{files: map[string][]byte{}}
	for _, id := range ids {
		if err := b.add(from, id); err != nil {
			return nil, fmt.Errorf("session %s cannot be packed: %w", id, err)
		}
	}
	if of != nil {
		if err := b.addStudy(of); err != nil {
			return nil, fmt.Errorf("the study cannot be packed: %w", err)
		}
	}
	report, settings, err := b.reportFiles()
	if err != nil {
		return nil, fmt.Errorf("the report cannot be packed: %w", err)
	}
	for name, text := range report {
		b.files[reportDir+name] = text
	}
	part := b.Manifest.Study
	b.Manifest = describe(b.logs, b.files)
	b.Manifest.Study, b.Manifest.Assay, b.Manifest.Report = part, assay, settings
	b.files[readmeName] = readme(b.Manifest)
	for name := range b.files {
		if !allowed(name) {
			return nil, fmt.Errorf("a bundle cannot hold a file named %q", name)
		}
	}
	b.Manifest.Files = listFiles(b.files)
	b.Manifest.Seal, err = b.Manifest.seal()
	return b, err
}

// add collects one session's log and texts.
func (b *Bundle) add(from Source, id string) error {
	var text bytes.Buffer
	if err := from.Export(id, &text); err != nil {
		return err
	}
	log, err := parseLog(id, text.Bytes())
	if err != nil {
		return fmt.Errorf("%w; see 'assay session verify %s'", err, id)
	}
	b.files[sessionName(id)] = text.Bytes()
	b.logs = append(b.logs, log)
	for ref, seq := range log.refs() {
		name := textsDir + string(ref)
		if _, known := b.files[name]; known {
			continue
		}
		if b.files[name], err = from.Blob(ref); err != nil {
			return fmt.Errorf("a text that event %d refers to: %w", seq, err)
		}
	}
	return nil
}

// parseLog reads a session's log from JSON lines and checks its hash chain.
func parseLog(id string, text []byte) (Log, error) {
	log := Log{ID: id}
	var lines [][]byte
	for line := range bytes.Lines(text) {
		lines = append(lines, bytes.TrimSuffix(line, []byte("\n")))
	}
	if len(lines) == 0 {
		return log, errors.New("the log is empty")
	}
	var err error
	if log.Events, err = session.VerifyLog(lines); err != nil {
		return log, err
	}
	if opened, ok := log.Events[0].Payload.(session.Opened); !ok || opened.Session != id {
		return log, errors.New("the log belongs to another session")
	}
	return log, nil
}

// refs returns the texts that a log refers to, each with the number of the first event that does.
func (l Log) refs() map[session.Ref]uint64 {
	first := map[session.Ref]uint64{}
	for _, e := range l.Events {
		for _, ref := range session.Refs(e.Payload) {
			if _, known := first[ref]; !known {
				first[ref] = e.Seq
			}
		}
	}
	return first
}

// Blob returns a text that an event refers to.
func (b *Bundle) Blob(ref session.Ref) ([]byte, error) {
	text, ok := b.files[textsDir+string(ref)]
	if !ok {
		return nil, fmt.Errorf("the bundle has no text %q", ref)
	}
	return text, nil
}

// Logs returns the sessions' logs, sorted by id.
func (b *Bundle) Logs() []Log { return b.logs }

// Texts returns all texts that the log refers to.
func (b *Bundle) Texts(l Log) (map[session.Ref][]byte, error) {
	texts := map[session.Ref][]byte{}
	for ref := range l.refs() {
		text, err := b.Blob(ref)
		if err != nil {
			return nil, err
		}
		texts[ref] = text
	}
	return texts, nil
}

// Events counts the events of all sessions.
func (b *Bundle) Events() int {
	n := 0
	for _, l := range b.logs {
		n += len(l.Events)
	}
	return n
}

// Count counts the bundle's files: texts, report files, and all including the manifest.
func (b *Bundle) Count() (texts, report, all int) {
	for name := range b.files {
		switch {
		case strings.HasPrefix(name, textsDir):
			texts++
		case strings.HasPrefix(name, reportDir):
			report++
		}
	}
	return texts, report, len(b.files) + 1
}

// describe returns the manifest of logs and texts: everything that follows from them.
func describe(logs []Log, files map[string][]byte) Manifest {
	m := Manifest{Format: Format, Sessions: []Session{}}
	last := int64(0)
	interpreters, libraries := map[string]bool{}, map[string]bool{}
	for _, l := range logs {
		opened := l.Events[0].Payload.(session.Opened)
		end := l.Events[len(l.Events)-1]
		last = max(last, end.Wall)
		p := opened.Plan
		m.Sessions = append(m.Sessions, Session{
			ID: l.ID, Benchmark: p.Benchmark, Filter: p.Filter, Tasks: len(p.Tasks),
			Model: p.Model.Name, Provider: p.Model.Provider, ModelID: p.Model.Model,
			K: p.K, Level: p.Level, Context: string(p.Context), Seed: p.Seed,
			Assay: opened.Env.Assay, OS: opened.Env.OS, Sandbox: opened.Env.Sandbox,
			Events: len(l.Events), Hash: end.Hash,
		})
		for _, e := range l.Events {
			if v, ok := e.Payload.(session.VerdictRecorded); ok {
				ran := ranBy(files, &v)
				interpreters[ran.Interpreter], libraries[ran.Library] = true, true
			}
		}
	}
	slices.SortFunc(m.Sessions, func(a, b Session) int { return cmp.Compare(a.ID, b.ID) })
	m.Date = time.UnixMilli(last).UTC().Format(time.RFC3339)
	m.Interpreters, m.Libraries = names(interpreters), names(libraries)
	return m
}

// ranWith is the software that ran an answer.
type ranWith struct{ Interpreter, Library string }

// ranBy reads the software that ran an answer from the verdict's detail; empty if the detail cannot be
// read.
func ranBy(files map[string][]byte, v *session.VerdictRecorded) ranWith {
	var ran ranWith
	if json.Unmarshal(files[textsDir+string(v.Detail)], &ran) != nil {
		return ranWith{}
	}
	return ran
}

// names returns a set in sorted order, without the empty name.
func names(set map[string]bool) []string {
	delete(set, "")
	return append([]string{}, slices.Sorted(maps.Keys(set))...)
}
