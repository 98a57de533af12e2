package bundle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assay/benchmark/batch"
	"assay/data/disk"
	"assay/session"
	"assay/session/overlap"
	"assay/session/report/sessions"
	"assay/session/study"
)

// The files of the study that the sessions belong to.
const (
	studyDir      = "study/"
	studyFile     = studyDir + "study.toml"
	lockFile      = studyDir + "study.lock.json"
	unblindedFile = studyDir + "unblinded.json"
	ratingsFile   = studyDir + "ratings.jsonl"
)

// Study is the frozen study that the sessions belong to. While it is blind, its models have been removed from
// file and lock.
type Study struct {
	File, Lock []byte
	Blind      bool
	Unblinded  []byte // the records of unblinding, as JSON; nil: none
	Ratings    []byte // a closed file of ratings of the sessions' answers; nil: none
}

// Part is what the manifest says of the study.
type Part struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Hash    string `json:"hash"`  // of the frozen study
	Blind   bool   `json:"blind"` // file and lock do not name the models
	Ratings bool   `json:"ratings"`
}

// addStudy adds the study's files.
func (b *Bundle) addStudy(s *Study) error {
	b.files[studyFile], b.files[lockFile] = s.File, s.Lock
	if s.Unblinded != nil {
		b.files[unblindedFile] = s.Unblinded
	}
	if s.Ratings != nil {
		b.files[ratingsFile] = s.Ratings
	}
	lock, err := b.lock()
	if err != nil {
		return err
	}
	b.Manifest.Study = &Part{lock.Study, lock.Version, lock.Hash, s.Blind, s.Ratings != nil}
	return b.checkStudy()
}

// lock returns the study's lock.
func (b *Bundle) lock() (study.Lock, error) {
	var lock study.Lock
	if err := json.Unmarshal(b.files[lockFile], &lock); err != nil {
		return lock, fmt.Errorf("%s cannot be read: %w; %s", lockFile, err, another)
	}
	return lock, nil
}

// checkStudy compares the study's files with each other and with the sessions.
func (b *Bundle) checkStudy() error {
	part := b.Manifest.Study
	if part == nil {
		for name := range b.files {
			if strings.HasPrefix(name, studyDir) {
				return fmt.Errorf("%s belongs to no study; %s", name, another)
			}
		}
		return nil
	}
	lock, err := b.lock()
	if err != nil {
		return err
	}
	if (Part{lock.Study, lock.Version, lock.Hash, part.Blind, b.files[ratingsFile] != nil}) != *part {
		return fmt.Errorf("%s contradicts %s; %s", manifestName, lockFile, another)
	}
	if !part.Blind && (!lock.Intact() || disk.Sum(b.files[studyFile]) != lock.File) {
		return fmt.Errorf("%s and %s do not have the hash by which the study was frozen; %s", studyFile, lockFile, another)
	}
	s, err := study.Parse(studyFile, string(b.files[studyFile]))
	if err != nil {
		return fmt.Errorf("%w; %s", err, another)
	}
	declared := s.Declared()
	for _, l := range b.logs {
		opened, is := l.Events[0].Payload.(session.Opened)
		if !is {
			continue // withdrawn
		}
		if err := lock.Of(opened.Plan); err != nil {
			return fmt.Errorf("session %s: %w", l.ID, err)
		}
		if !opened.Plan.Study.Analysis.Equal(declared) {
			return fmt.Errorf("session %s has another analysis plan than %s", l.ID, studyFile)
		}
		if is, err := batch.ParseReviewing(opened.Plan.Study.ToReview); err != nil || is != cmp.Or(s.Analysis.ToReview, batch.CountResolved) {
			return fmt.Errorf("session %s counts answers to review otherwise than %s", l.ID, studyFile)
		}
	}
	_, err = b.ratings()
	return err
}

// ratings analyses the ratings in the bundle; nil where there are none.
func (b *Bundle) ratings() (*overlap.Analysis, error) {
	text := b.files[ratingsFile]
	if text == nil {
		return nil, nil
	}
	set, err := overlap.Read(ratingsFile, text)
	if err != nil {
		return nil, err
	}
	a, err := overlap.Analyse(set, overlap.Apart)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ratingsFile, err)
	}
	if i := slices.IndexFunc(a.Sessions, func(id string) bool {
		return !slices.ContainsFunc(b.logs, func(l Log) bool { return l.ID == id })
	}); i >= 0 {
		return nil, fmt.Errorf("%s rates answers of session %s, which is not in the bundle", ratingsFile, a.Sessions[i])
	}
	return a, nil
}

// layout returns the layout of the report in the bundle, the newest if there is none.
func (b *Bundle) layout() int {
	written := struct {
		Layout int `json:"layout"`
	}{}
	if text := b.files[reportDir+"report.json"]; text == nil || json.Unmarshal(text, &written) != nil {
		return sessions.Layout
	}
	return written.Layout
}

// reported returns how the report on the sessions is made: with the study's files and ratings, and with the models'
// names once they are revealed.
func (b *Bundle) reported() (sessions.Options, func([]session.Event) []session.Event, error) {
	layout := b.layout()
	o := sessions.Options{Texts: b.Blob, NoImages: true, Written: &layout}
	same := func(events []session.Event) []session.Event { return events }
	part := b.Manifest.Study
	if part == nil {
		return o, same, nil
	}
	lock, err := b.lock()
	if err != nil {
		return o, nil, err
	}
	o.Blind, o.Study = part.Blind, &sessions.StudyFiles{File: b.files[studyFile], Lock: b.files[lockFile]}
	if o.Overlap, err = b.ratings(); err != nil || part.Blind {
		return o, same, err
	}
	unblinded, err := b.unblinded(lock)
	return o, func(events []session.Event) []session.Event { return study.Reveal(unblinded, events) }, err
}

// unblinded returns the first record of unblinding, without a date if there is none. Which models the arms have is
// told by the lock alone, whose hash is checked.
func (b *Bundle) unblinded(lock study.Lock) ([]study.Unblinding, error) {
	var records []study.Unblinding
	if text := b.files[unblindedFile]; text != nil {
		if err := json.Unmarshal(text, &records); err != nil {
			return nil, fmt.Errorf("%s: %w; %s", unblindedFile, err, another)
		}
	}
	records = slices.DeleteFunc(records, func(u study.Unblinding) bool { return u.Hash != lock.Hash })
	if len(records) == 0 {
		records = append(records, study.Unblinding{Hash: lock.Hash})
	}
	records[0].Arms = lock.Arms
	return records[:1], nil
}
