package study

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"assay/benchmark"
	"assay/data/disk"
	"assay/session"
	"assay/session/llm"
)

// PackFormat is the version of the format of packed studies.
const PackFormat = 1

// Ticket is the first line of a packed study, in JSON: whose it is.
type Ticket struct {
	Format  int    `json:"assay_packed_study"`
	Study   string `json:"study"`
	Version int    `json:"version"`
	Hash    string `json:"hash"` // of the frozen study
	Tester  int    `json:"tester"`
	Code    string `json:"code"`
	Parts   int    `json:"sessions"` // that the tester has
}

// Packed is a frozen study for one place, as another machine needs it.
type Packed struct {
	Ticket    `json:"-"`
	File      string              `json:"file"` // the text of the study file
	Lock      Lock                `json:"lock"`
	Benchmark benchmark.Benchmark `json:"benchmark"` // of the tasks those that the study may choose
	Models    []llm.Portable      `json:"models"`    // of the arms, as Study.Models lists them
}

// Pack packs a frozen study for one place.
func (s *Study) Pack(b *benchmark.Benchmark, lock Lock, models []llm.Portable, tester int) (Packed, error) {
	p := Packed{
		Ticket: Ticket{PackFormat, s.Name, s.Version, lock.Hash, tester, Code(lock.Hash, tester), len(s.Assign(tester))},
		File:   cmp.Or(lock.Text, s.text), Lock: lock, Benchmark: *b, Models: models,
	}
	p.Lock.Text = "" // it is File
	filter, err := benchmark.ParseFilter(s.Tasks.Filter)
	if err != nil {
		return p, err
	}
	p.Benchmark.Libraries = nil // the tasks name theirs
	p.Benchmark.Tasks = slices.DeleteFunc(slices.Clone(b.Tasks), func(t benchmark.Task) bool { return !t.Practice && !filter.Match(&t) })
	return p, nil
}

// Write writes a packed study: its ticket, and the rest unreadable, so that no editor shows a tester which
// models are compared, or the tests. The key is in the file: who takes the program apart can read it.
func (p Packed) Write(w io.Writer) error {
	head, err := json.Marshal(p.Ticket)
	if err != nil {
		return err
	}
	head = append(head, '\n')
	var text bytes.Buffer
	zip := gzip.NewWriter(&text)
	if err := json.NewEncoder(zip).Encode(p); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	box, err := sealer(head)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text.Bytes())
	nonce := sum[:box.NonceSize()]
	_, err = w.Write(box.Seal(append(head, nonce...), nonce, text.Bytes(), head))
	return err
}

// sealer hides a packed study, and notices whether it was altered.
func sealer(head []byte) (cipher.AEAD, error) {
	key := sha256.Sum256(append([]byte("assay packed study\n"), head...))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// ErrNotPacked is returned for a file that is not a packed study.
var ErrNotPacked = errors.New("it is not a packed study: name a file that 'assay study pack' wrote")

var errDamaged = errors.New("it was altered or cut short: ask the study's owner for it again")

// readTicket reads the first line of a packed study.
func readTicket(text []byte) (Ticket, error) {
	head, _, _ := bytes.Cut(text[:min(len(text), 4096)], []byte("\n"))
	var t Ticket
	switch err := json.Unmarshal(head, &t); {
	case err != nil || t.Format == 0:
		return t, ErrNotPacked
	case t.Format > PackFormat:
		return t, fmt.Errorf("it was packed by a newer assay, in format %d: this one reads %d", t.Format, PackFormat)
	}
	return t, nil
}

// ReadPacked reads a packed study, which is complete and unaltered.
func ReadPacked(text []byte) (*Packed, error) {
	ticket, err := readTicket(text)
	if err != nil {
		return nil, err
	}
	head, rest, _ := bytes.Cut(text, []byte("\n"))
	head = append(slices.Clone(head), '\n')
	box, err := sealer(head)
	if err != nil {
		return nil, err
	}
	if len(rest) < box.NonceSize() {
		return nil, errDamaged
	}
	plain, err := box.Open(nil, rest[:box.NonceSize()], rest[box.NonceSize():], head)
	if err != nil {
		return nil, errDamaged
	}
	zip, err := gzip.NewReader(bytes.NewReader(plain))
	if err != nil {
		return nil, errDamaged
	}
	unpacked, err := disk.ReadAll(zip, "the packed study", disk.Data)
	if err != nil {
		return nil, err
	}
	p := &Packed{Ticket: ticket}
	if err := json.Unmarshal(unpacked, p); err != nil {
		return nil, errDamaged
	}
	return p, nil
}

// Unpack checks a packed study, called path in messages, against its lock. Its models keep their names;
// answers is the beginning of the paths at which recorded answers are written. The model of an arm that the
// machine must have itself has no name.
func (p *Packed) Unpack(path, answers string) (*Study, []llm.Model, error) {
	s, err := Parse(path, p.File)
	if err != nil {
		return nil, nil, err
	}
	s.packed = p
	named, locked := s.Models(), p.Lock.Models()
	if len(p.Models) != len(named) || len(locked) != len(named) || len(p.Lock.Arms) != len(s.Arms) || p.Hash != p.Lock.Hash || p.Code != Code(p.Hash, p.Tester) || p.Tester > s.Design.Testers {
		return nil, nil, errDamaged
	}
	if err := p.Benchmark.FindLibraries(path); err != nil { // it may come from a stranger
		return nil, nil, err
	}
	var models []llm.Model
	for i, portable := range p.Models {
		var m llm.Model
		if portable.Entry != "" {
			if m, err = portable.Model(fmt.Sprintf("%s-%d.jsonl", answers, i+1)); err != nil {
				return nil, nil, fmt.Errorf("the model of arm %q cannot be used: %w", named[i].Arm.Name, err)
			}
			if !m.Defines(locked[i].Definition) {
				return nil, nil, errDamaged
			}
		}
		models = append(models, m)
	}
	// The models were compared with the lock, as far as they are packed.
	_, err = s.matches(p.Lock, &p.Benchmark, func(name string) (session.Model, error) {
		a := locked[slices.IndexFunc(named, func(a ArmModel) bool { return a.Name == name })]
		return session.Model{Name: a.Model, Provider: a.Provider, Model: a.ModelID, Definition: a.Definition}, nil
	})
	return s, models, err
}
