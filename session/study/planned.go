package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"assay/data/disk"
	"assay/data/program"
)

// Planned is a power calculation that is kept with a study and frozen with it.
type Planned struct {
	Assumptions Assumptions `json:"assumptions"`
	Design      string      `json:"design"` // the simulated design in words
	Rows        []Power     `json:"rows"`
}

// PowerPath returns the path of a study file's power calculation.
func PowerPath(path string) string { return strings.TrimSuffix(path, ".toml") + ".power.json" }

// Dealt says how arms are assigned, in words.
func (s *Study) Dealt() string {
	if s.Design.Arms == Crossed {
		return "crossed with testers and tasks"
	}
	return s.Design.Arms + " testers"
}

// DesignWords describes the parts of the design that a power calculation depends on.
func (s *Study) DesignWords() string {
	words := fmt.Sprintf("%d arms %s, %d test sets, order %s, k %d", len(s.Arms), s.Dealt(), s.Tasks.Sets, s.Design.Order, s.Session.K)
	switch {
	case s.Design.Arms == Between:
		words += ", Welch's t over testers"
	case s.Analysis.Model == "mixed":
		words += ", mixed model"
	default:
		words += ", crossover model over testers"
	}
	if looks := s.lookShares(); looks != "" {
		words += ", " + looks
	}
	return words
}

// Write writes the calculation beside a study file.
func (p Planned) Write(path string) error {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetIndent("", "  ")
	if err := out.Encode(p); err != nil {
		return err
	}
	return disk.Replace(PowerPath(path), 0o644, disk.Bytes(b.Bytes()))
}

// Planned reads the calculation kept with the study; nil if there is none.
func (s *Study) Planned() (*Planned, error) {
	if s.packed != nil {
		return s.packed.Lock.Power, nil
	}
	path := PowerPath(s.file.Path)
	text, err := disk.ReadFile(path, disk.Document)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var p Planned
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w; write it again with 'assay study power --keep %s'", path, err, program.Word(s.file.Path))
	}
	if now := s.DesignWords(); p.Design != now {
		return nil, fmt.Errorf("%s has a different design (%s) from the study (%s): compute it again with 'assay study power --keep %s', or delete it", path, p.Design, now, program.Word(s.file.Path))
	}
	return &p, nil
}

// Sentence states the effect that a number of testers and tasks detects.
func (p *Planned) Sentence(row Power) string {
	a := p.Assumptions
	unit := map[string]string{"satisfied": "the share satisfied", "attempts": "mean attempts", "time": "mean seconds"}[a.Outcome]
	return fmt.Sprintf("%d testers, %d tasks each, find a difference of %g in %s (from %g) with a power of %.2f (95 %% %.2f to %.2f, %d simulated studies)",
		row.Testers, row.Each, a.Effect, unit, a.Base, row.Power, row.Interval.Low, row.Interval.High, a.Runs)
}

// Of returns the row for the study as planned, false if there is none.
func (p *Planned) Of(testers, tasks int) (Power, bool) {
	for _, row := range p.Rows {
		if row.Testers == testers && (tasks == 0 || row.Tasks == tasks) {
			return row, true
		}
	}
	return Power{}, false
}
