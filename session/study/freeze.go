package study

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/data/disk"
	"assay/data/program"
	"assay/scoring/irt/adaptive"
	"assay/session"
)

// LockFormat is the version of the format of locks. Those without one have the first.
const LockFormat = 1

// Lock identifies a frozen study: its file and its tasks by their hashes.
type Lock struct {
	Format  int        `json:"assay_study,omitempty"` // not part of the hash
	Study   string     `json:"study"`
	Version int        `json:"version"`
	File    string     `json:"file_sha256"`
	Arms    []LockArm  `json:"arms"`
	Tasks   []LockTask `json:"tasks"`           // in the order of the plan's sets
	Items   string     `json:"items,omitempty"` // what the tasks' items were calibrated with
	Power   *Planned   `json:"power,omitempty"` // the power calculation kept with the study
	Hash    string     `json:"hash"`            // over all of the above but Format

	Text string `json:"text,omitempty"` // the study file, whose hash File is; locks of earlier builds have none
}

// LockArm is an arm with the model that its name refers to in models.toml.
type LockArm struct {
	Arm string `json:"arm"`
	LockModel
	Against LockModel `json:"against,omitzero"` // that answers beside it
}

// LockModel is what a model's name refers to.
type LockModel struct {
	Model    string `json:"model"`
	Provider string `json:"provider"`
	ModelID  string `json:"model_id"`

	Definition string `json:"definition"` // hash of its settings
}

// Models lists the models of all arms, as [Study.Models] does.
func (l Lock) Models() []LockModel {
	var first, second []LockModel
	for _, a := range l.Arms {
		first = append(first, a.LockModel)
		if a.Against != (LockModel{}) {
			second = append(second, a.Against)
		}
	}
	return append(first, second...)
}

// Model finds the model of a given name.
type Model func(name string) (session.Model, error)

// LockTask is a task of a frozen study.
type LockTask struct {
	ID      string      `json:"id"`
	Set     string      `json:"set"`
	Content session.Ref `json:"content"`

	Item adaptive.Item `json:"item,omitzero"` // of an adaptive test
}

// LockPath returns the path of a study file's lock.
func LockPath(path string) string { return strings.TrimSuffix(path, ".toml") + ".lock.json" }

// errChanged is wrapped by the error for a study that differs from its lock.
var errChanged = errors.New("the study was changed after it was frozen")

// Lock computes the study's lock, given its benchmark and the models of its arms.
func (s *Study) Lock(b *benchmark.Benchmark, model Model) (Lock, error) {
	l := Lock{Study: s.Name, Version: s.Version, File: disk.Sum(s.text), Text: s.text}
	for i, a := range s.Models() {
		m, err := model(a.Name)
		if err == nil && a.Arm.Against != "" {
			err = m.AnswersBeside()
		}
		if err != nil {
			return Lock{}, s.file.Wrong(a.Key, "%v", err)
		}
		locked := LockModel{m.Name, m.Provider, m.Model, m.Definition}
		if i < len(s.Arms) {
			l.Arms = append(l.Arms, LockArm{Arm: a.Arm.Name, LockModel: locked})
		} else {
			l.Arms[slices.Index(s.Arms, a.Arm)].Against = locked
		}
	}
	sets, practice, err := s.Sets(b)
	if err != nil {
		return Lock{}, err
	}
	items, err := s.items(sets)
	if err != nil {
		return Lock{}, err
	}
	add := func(t *benchmark.Task, set string) {
		ref, _ := session.TaskContent(t)
		l.Tasks = append(l.Tasks, LockTask{t.ID, set, ref, items[t.ID]})
	}
	for _, t := range practice {
		add(t, "practice")
	}
	for i, set := range sets {
		for _, t := range set {
			add(t, fmt.Sprintf("T%d", i))
		}
	}
	if items != nil {
		f, err := s.itemFile()
		if err != nil {
			return Lock{}, err
		}
		l.Items = f.Name
	}
	if l.Power, err = s.Planned(); err != nil {
		return Lock{}, err
	}
	l.Hash, err = l.sum()
	return l, err
}

// sum returns the hash of the lock's content.
func (l Lock) sum() (string, error) {
	l.Hash, l.Format, l.Text = "", 0, ""
	text, err := json.Marshal(l)
	return disk.Sum(text), err
}

// Sets draws the study's test sets and its practice tasks.
func (s *Study) Sets(b *benchmark.Benchmark) (sets [][]*benchmark.Task, practice []*benchmark.Task, err error) {
	filter, err := benchmark.ParseFilter(s.Tasks.Filter)
	if err != nil {
		return nil, nil, s.file.Wrong("tasks.filter", "%v", err)
	}
	chosen, practice := filter.Select(b)
	if len(chosen) == 0 {
		return nil, nil, s.file.Wrong("tasks.filter", "no task of benchmark %q matches %q", b.Name, s.Tasks.Filter)
	}
	sets, err = benchmark.Draw(chosen, s.Design.Seed, s.Tasks.Sets, s.Tasks.PerSet, s.Tasks.Stratify...)
	if err != nil {
		return nil, nil, s.file.Wrong("tasks.per_set", "%v", err)
	}
	if !s.Tasks.Practice {
		practice = nil
	}
	if s.Practice.Gate != "none" && len(practice) == 0 {
		return nil, nil, s.file.Wrong("practice.gate", "benchmark %q has no practice tasks: mark some with practice = true, or write gate = \"none\"", b.Name)
	}
	each := len(sets) // test sets of a session
	if s.Design.Arms == Within {
		each /= len(s.Arms)
	}
	for i, a := range s.Attention {
		most := each * len(sets[len(sets)-1]) // the last set is the smallest
		if s.Design.Order == ByAbility {
			most = min(most, s.Adaptive.Most)
		}
		if a.Task > most {
			return nil, nil, s.file.Wrong(fmt.Sprintf("attention.%d.task", i), "%d: a session has %d tasks", a.Task, most)
		}
	}
	_, err = s.items(sets)
	return sets, practice, err
}

// SameFile checks that the study file says what the frozen one says: comments and layout may differ.
func (s *Study) SameFile(l Lock) error {
	if disk.Sum(s.text) == l.File {
		return nil
	}
	difference := "its file is another"
	if l.Text != "" {
		changes := s.file.Changes(l.Text)
		if len(changes) == 0 {
			return nil
		}
		difference = frozenChanges(changes)
	}
	return s.changed(l, difference)
}

// mostChanges is the number of changes that an error lists.
const mostChanges = 3

func frozenChanges(changes []string) string {
	if more := len(changes) - mostChanges; more > 0 {
		changes = append(slices.Clone(changes[:mostChanges]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(changes, "; ")
}

// changed returns the error for a study that differs from its lock.
func (s *Study) changed(l Lock, difference string) error {
	return fmt.Errorf("%s: %w as version %d (%s): undo the change, or write version = %d and freeze it again, which keeps version %d under another name", s.Path(), errChanged, l.Version, difference, l.Version+1, l.Version)
}

// Blind reports whether testers must not learn which models answer.
func (s *Study) Blind() bool { return s.Arms[0].Shown != "" }

// Intact reports whether the lock has the hash of its content.
func (l Lock) Intact() bool {
	hash, err := l.sum()
	return err == nil && hash == l.Hash && (l.Text == "" || disk.Sum(l.Text) == l.File)
}

// Of checks that a session's plan is of the frozen study: its hash, its arm's model and its tasks. Models of
// plans that were not made by this package may have no definition.
func (l Lock) Of(p session.Plan) error {
	if p.Study == nil || p.Study.Hash != l.Hash {
		return fmt.Errorf("it is not of the study %q as it was frozen", l.Study)
	}
	i := slices.IndexFunc(l.Arms, func(a LockArm) bool { return a.Arm == p.Study.Arm })
	if i < 0 {
		return fmt.Errorf("the study has no arm %q", p.Study.Arm)
	}
	models, locked := []session.Model{p.Model}, []LockModel{l.Arms[i].LockModel, l.Arms[i].Against}
	if p.Arena != nil {
		models = p.Arena.Models[:]
	}
	for j, m := range models {
		if d := locked[j].Definition; m.Definition != "" && d != "" && m.Definition != d {
			return fmt.Errorf("its model is not the one that arm %q was frozen with", p.Study.Arm)
		}
	}
	for _, t := range p.Tasks {
		item := adaptive.Item{}
		if t.Item != nil {
			item = *t.Item
		}
		if !slices.ContainsFunc(l.Tasks, func(x LockTask) bool { return x.ID == t.ID && x.Content == t.Content && x.Item == item }) {
			return fmt.Errorf("task %s is not as it was frozen", t.ID)
		}
	}
	return nil
}

// Publish returns the study's file and lock for readers. While the study is blind nothing in them names a
// model: the hash still identifies the study, and the definitions of the models still can be compared.
func (s *Study) Publish(l Lock, blind bool) (file, lock []byte, err error) {
	text := cmp.Or(l.Text, s.text)
	l.Text = ""
	if blind {
		l.Arms = slices.Clone(l.Arms)
		for i, a := range l.Arms {
			for _, name := range []string{a.Model, a.ModelID, a.Against.Model, a.Against.ModelID} {
				if name != "" {
					text = regexp.MustCompile("(?i)"+regexp.QuoteMeta(name)).ReplaceAllLiteralString(text, hidden)
				}
			}
			l.Arms[i].LockModel = LockModel{hidden, hidden, "", a.Definition}
			if a.Against != (LockModel{}) {
				l.Arms[i].Against = LockModel{hidden, hidden, "", a.Against.Definition}
			}
		}
	}
	lock, err = json.MarshalIndent(l, "", "  ")
	return []byte(text), append(lock, '\n'), err
}

// Freeze writes the study's lock beside its file and returns it. A study that is frozen as it is stays so; one that was
// changed needs a higher version, and the files of the version before are kept under names of their own, which are returned.
func (s *Study) Freeze(b *benchmark.Benchmark, model Model) (l Lock, kept []string, err error) {
	old, err := ReadLock(s.Path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return Lock{}, nil, err
	case s.Version <= old.Version:
		if l, err = s.matches(old, b, model); err == nil && old.Text == "" { // of an earlier build
			old.Text, l.Text = s.text, s.text
			err = old.write(s.Path())
		}
		return l, nil, err
	}
	if l, err = s.Lock(b, model); err != nil {
		return Lock{}, nil, err
	}
	if old.Hash != "" {
		if kept, err = old.keep(s.Path()); err != nil {
			return Lock{}, nil, fmt.Errorf("version %d cannot be kept: %w", old.Version, err)
		}
	}
	return l, kept, l.write(s.Path())
}

// keep writes a lock of a version, its study file and its power calculation beside those of the next version.
func (l Lock) keep(path string) (kept []string, err error) {
	file := fmt.Sprintf("%s.v%d.toml", strings.TrimSuffix(path, ".toml"), l.Version)
	if err := l.write(file); err != nil {
		return nil, err
	}
	kept = []string{LockPath(file)}
	if l.Power != nil {
		if err := l.Power.Write(file); err != nil {
			return nil, err
		}
		kept = append(kept, PowerPath(file))
	}
	if l.Text == "" {
		return kept, nil
	}
	return append([]string{file}, kept...), disk.Replace(file, 0o644, disk.Bytes([]byte(l.Text)))
}

// write writes the lock of a study file.
func (l Lock) write(path string) error {
	l.Format = LockFormat
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetIndent("", "  ")
	if err := out.Encode(l); err != nil {
		return err
	}
	return disk.Replace(LockPath(path), 0o644, disk.Bytes(b.Bytes()))
}

// ReadLock reads the lock of a study file. If there is none the error is fs.ErrNotExist.
func ReadLock(path string) (Lock, error) {
	text, err := disk.ReadFile(LockPath(path), disk.Document)
	if err != nil {
		return Lock{}, err
	}
	var l Lock
	if err := json.Unmarshal(text, &l); err != nil {
		return Lock{}, fmt.Errorf("%s cannot be read: %w; freeze the study again under a higher version", LockPath(path), err)
	}
	if l.Format > LockFormat {
		return Lock{}, fmt.Errorf("%s has format %d, this version reads up to %d: update assay", LockPath(path), l.Format, LockFormat)
	}
	return l, nil
}

// notYet is the error for a version that is not frozen, where an earlier one is. It is fs.ErrNotExist.
type notYet struct {
	path        string
	is, version int // the frozen one, and the study's
}

func (e notYet) Error() string {
	return fmt.Sprintf("%s is frozen as version %d, and version %d is not yet: run 'assay study freeze %s'", e.path, e.is, e.version, program.Word(e.path))
}

func (notYet) Is(target error) bool { return target == fs.ErrNotExist }

// Frozen checks the study against its lock and returns the lock. If this version was never frozen the error is
// fs.ErrNotExist.
func (s *Study) Frozen(b *benchmark.Benchmark, model Model) (Lock, error) {
	lock, err := ReadLock(s.file.Path)
	if err == nil && s.Version > lock.Version {
		err = notYet{s.Path(), lock.Version, s.Version}
	}
	if err != nil {
		return Lock{}, err
	}
	return s.matches(lock, b, model)
}

// matches checks the study against a lock and returns the lock.
func (s *Study) matches(lock Lock, b *benchmark.Benchmark, model Model) (Lock, error) {
	if err := s.SameFile(lock); err != nil { // whatever else no longer fits follows from that
		return Lock{}, err
	}
	now, err := s.Lock(b, model)
	if err != nil {
		return Lock{}, err
	}
	now.File = lock.File
	if now.Hash, err = now.sum(); err != nil {
		return Lock{}, err
	}
	if now.Hash == lock.Hash {
		return lock, nil
	}
	difference := "its tasks are others"
	if i := slices.IndexFunc(now.Arms, func(a LockArm) bool { return !slices.Contains(lock.Arms, a) }); i >= 0 {
		difference = fmt.Sprintf("model %s of arm %s is another: %s, %s", now.Arms[i].Model, now.Arms[i].Arm, now.Arms[i].Provider, now.Arms[i].ModelID)
	} else if i := slices.IndexFunc(now.Tasks, func(t LockTask) bool { return !slices.Contains(lock.Tasks, t) }); i >= 0 {
		difference = fmt.Sprintf("task %s of %s is another", now.Tasks[i].ID, now.Tasks[i].Set)
	}
	if !reflect.DeepEqual(now.Power, lock.Power) {
		difference = "its power calculation is another"
	}
	return Lock{}, s.changed(lock, difference)
}

// codes encodes join codes without letters that look like digits.
var codes = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

// Code returns the join code of tester number n, which determines arm and order. It consists of the start of the
// frozen hash, the number and check digits, which distinguish a mistyped code from a code of another study.
func Code(hash string, n int) string {
	raw, err := hex.DecodeString(hash)
	if err != nil || len(raw) < 3 {
		raw = make([]byte, 3)
	}
	body := []byte{raw[0], raw[1], raw[2], byte(n >> 8), byte(n)}
	text := codes.EncodeToString(body) // 8 characters
	return text[:4] + "-" + text[4:] + "-" + checkDigits(text)
}

func checkDigits(text string) string {
	h := sha256.Sum256([]byte("assay join " + text))
	return codes.EncodeToString(h[:5])[:2]
}

// Join returns the tester number of a code. The error tells whether the code is mistyped or belongs to
// another study.
func Join(hash, code string) (int, error) {
	text := strings.ToUpper(strings.NewReplacer("-", "", " ", "", "O", "0", "o", "0", "I", "1", "i", "1", "L", "1", "l", "1").Replace(code))
	if len(text) != 10 || checkDigits(text[:8]) != text[8:] {
		return 0, fmt.Errorf("%q is not a valid join code: check for a typing mistake; type it as `assay study plan` prints it", code)
	}
	body, err := codes.DecodeString(text[:8])
	if err != nil {
		return 0, fmt.Errorf("%q is not a join code: %w", code, err)
	}
	if raw, err := hex.DecodeString(hash); err != nil || !bytes.HasPrefix(raw, body[:3]) {
		return 0, fmt.Errorf("%q is a code for another study, or for another version of this one", code)
	}
	return int(body[3])<<8 | int(body[4]), nil
}
