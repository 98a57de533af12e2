package study

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/data/disk"
	"assay/session"
	"assay/session/overlap"
	"assay/session/simulate"
	"assay/session/study"
	"assay/store"
)

// The people of the tour, by their places. Ann types; the others are simulated.
var tourNames = [...]string{"ann", "bob", "cleo", "dan", "emma", "finn", "gina", "hugo"}

// load reads the tour's study and its lock.
func (t *tour) load() (s Fixed, err error) {
	path := filepath.Join(t.dir, "study.toml")
	read, b, err := LoadStudy(path)
	if err != nil {
		return s, err
	}
	model := NamedModel(t.io, &console.Globals{Models: filepath.Join(t.dir, "models.toml")})
	lock, err := read.Frozen(b, model)
	return Fixed{Study: read, Hash: lock.Hash, All: b, Model: model}, err
}

// writeModels writes the models, of which one always answers correctly at the end, and names them in the study.
func (t *tour) writeModels() error {
	answers, err := inputs.RecordedAnswers()
	if err != nil {
		return err
	}
	first, last := map[string]string{}, map[string]string{}
	for _, a := range answers { // ordered by task and attempt
		if _, known := first[a.Task]; !known {
			first[a.Task] = a.Text
		}
		last[a.Task] = a.Text
	}
	models := ""
	for _, m := range []struct {
		name    string
		answers map[string]string
	}{{"careful", last}, {"hasty", first}} {
		var lines bytes.Buffer
		out := json.NewEncoder(&lines)
		for _, a := range answers {
			if a.Attempt == 1 {
				if err := out.Encode(map[string]any{"task": a.Task, "answer": m.answers[a.Task]}); err != nil {
					return err
				}
			}
		}
		if err := disk.Create(filepath.Join(t.dir, m.name+".jsonl"), 0o644, disk.Bytes(lines.Bytes())); err != nil {
			return err
		}
		models += fmt.Sprintf("[[model]]\nname = %q\nprovider = \"replay\"\nanswers = \"%[1]s.jsonl\"\n", m.name)
	}
	text := strings.NewReplacer(`model = "rehearsal" `, `model = "careful" `, `model = "paste"`, `model = "hasty"`, "k = 10 ", "k = 3  ").Replace(study.Example())
	return errors.Join(disk.Create(filepath.Join(t.dir, "models.toml"), 0o644, disk.Bytes(models)), disk.Create(filepath.Join(t.dir, "none.toml"), 0o644, disk.Bytes("# the testers have no models of their own\n")), os.WriteFile(filepath.Join(t.dir, "study.toml"), []byte(text), 0o644))
}

// typed returns what Ann types in one of her sessions: at each task a prompt, satisfied, and the ratings.
func (t *tour) typed(part int) func() (string, error) {
	return func() (string, error) {
		s, err := t.load()
		if err != nil {
			return "", err
		}
		plan, _, err := s.plan(1, part, "ann")
		if err != nil {
			return "", err
		}
		var lines strings.Builder
		if part == 1 || len(s.Instructions) > 0 {
			lines.WriteString("\n") // the instructions
		}
		for i := range plan.Tasks {
			lines.WriteString("open\nWrite what the statement asks for, with comments.\n.\ntests\nsatisfied\n")
			for j := range plan.Attributes {
				fmt.Fprintln(&lines, 3+(i+j+part)%3)
			}
			lines.WriteString("yes\ncommit\n")
		}
		lines.WriteString("\n") // writes the file to hand in
		return lines.String(), nil
	}
}

// plan returns the plan of a session, with its tasks.
func (s Fixed) plan(tester, part int, name string) (session.Plan, []*benchmark.Task, error) {
	arm := s.Arms[s.Assign(tester)[part-1].Arm]
	m, err := arm.Models(s.Model)
	if err != nil {
		return session.Plan{}, nil, err
	}
	return s.Plan(s.All, s.Hash, tester, part, name, m...)
}

// makeUp makes up the sessions of all testers but Ann: Bob's in a store of his own, the others' in the owner's.
func (t *tour) makeUp() error {
	s, err := t.load()
	if err != nil {
		return err
	}
	for tester := 2; tester <= s.Design.Testers; tester++ {
		at := "owner"
		if tester == 2 {
			at = "bob"
		}
		if err := t.simulate(s, tester, at); err != nil {
			return err
		}
	}
	return nil
}

// simulate makes up the sessions of a tester in a store. The first arm is the better one, as in Ann's.
func (t *tour) simulate(s Fixed, tester int, at string) error {
	path := filepath.Join(t.dir, at, "assay.db")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	kept, err := store.Open(path, store.Options{Version: console.Version()})
	if err != nil {
		return err
	}
	for part := range s.Assign(tester) {
		if err = s.simulated(kept, tester, part+1); err != nil {
			break
		}
	}
	return errors.Join(err, kept.Close())
}

// simulated appends a made-up session to a store.
func (s Fixed) simulated(kept *store.Store, tester, part int) error {
	plan, tasks, err := s.plan(tester, part, tourNames[tester-1])
	if err != nil {
		return err
	}
	plan.Study.Seated = tester > 2
	ability := []float64{1.5, -0.5}[s.Assign(tester)[part-1].Arm]
	id := fmt.Sprintf("01TTTTTTTTTTTTTTTTTTTTT%02d%d", tester, part)
	wall := time.Now().Add(-time.Hour).UnixMilli()
	events, texts, err := simulate.Session{ID: id, Plan: plan, Seed: uint64(10*tester + part), Wall: wall, Effects: &simulate.Effects{Ability: ability}}.Log(tasks...)
	if err != nil {
		return err
	}
	_, err = kept.Append(context.Background(), id, events, texts)
	return err
}

// rate makes up what the raters give: they agree but for every fifth rating.
func (t *tour) rate() error {
	f, err := overlap.Change(filepath.Join(t.dir, "ratings.jsonl"))
	if err != nil {
		return err
	}
	now := time.Now().UTC().Truncate(time.Second)
	var events []overlap.Event
	f.Look(func(set *overlap.Set) {
		h := &set.Header
		for n, rater := range h.Raters {
			events = append(events, overlap.Event{Opened: &overlap.Opened{Rater: rater, At: now}})
			for i, item := range h.Of(rater) {
				for j, a := range h.Attributes {
					score := 2 + int(item[0]+item[1]+byte(j))%3
					if (i+j)%5 == 0 {
						score += n
					}
					events = append(events, overlap.Event{Rated: &overlap.Rated{Rater: rater, Item: item, Attribute: a.ID, Score: min(score, a.Max()), At: now}})
				}
				for _, l := range h.Labels {
					events = append(events, overlap.Event{Labelled: &overlap.Labelled{Rater: rater, Item: item, Label: l.ID, Value: l.Values[0], At: now}})
				}
			}
		}
	})
	return errors.Join(f.Add(events...), f.Close())
}
