package benchmark

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"assay/data/disk"
	"assay/data/language"
)

// Load reads and checks a benchmark in assay's own format: a file, or a folder as
// [LoadFolder] describes it.
func Load(path string) (*Benchmark, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("the benchmark cannot be read: %w", err)
	}
	var b *Benchmark
	dir := path
	if info.IsDir() {
		b, err = loadRoot(path)
	} else {
		dir = filepath.Dir(path)
		b, err = loadFile(path)
	}
	if err != nil {
		return nil, err
	}
	if err := b.FindLibraries(dir); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// loadRoot reads a folder, and nothing outside it even through links.
func loadRoot(path string) (*Benchmark, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("the benchmark cannot be read: %w", err)
	}
	defer root.Close()
	return LoadFolder(root.FS(), path)
}

func loadFile(path string) (*Benchmark, error) {
	text, err := disk.ReadFile(path, disk.Data)
	if err != nil {
		return nil, fmt.Errorf("the benchmark cannot be read: %w", err)
	}
	return Parse(path, text)
}

// LibrariesVariable is the environment variable that lists directories outside a benchmark's folder which
// its tasks may name as libraries, in the format of PATH.
const LibrariesVariable = "ASSAY_LIBRARIES"

// FindLibraries makes the paths of libraries and repositories of a benchmark read from dir absolute. It is an error if one is
// outside dir, even through a link, unless the user has allowed it: judged programs can read all of it, and
// a benchmark may come from a stranger.
func (b *Benchmark) FindLibraries(dir string) error {
	if err := b.SetLibraries(dir, b.Libraries); err != nil {
		return err
	}
	for language, library := range b.Libraries {
		whole, err := absolute(dir, library)
		if err != nil {
			return err
		}
		b.Libraries[language] = whole
	}
	allowed := append(filepath.SplitList(os.Getenv(LibrariesVariable)), dir)
	seen := map[string]bool{"": true}
	check := func(t *Task, what, place string) error {
		if seen[place] {
			return nil
		}
		seen[place] = true
		if !slices.ContainsFunc(allowed, func(dir string) bool { return within(dir, place) }) {
			return fmt.Errorf("task %q: the %s %s is outside the benchmark's folder %s: to let judged code read it, set %s=%s",
				t.ID, what, place, dir, LibrariesVariable, place)
		}
		return nil
	}
	for i := range b.Tasks {
		t := &b.Tasks[i]
		if err := check(t, "library", t.Library); err != nil {
			return err
		}
		if t.Repository == nil {
			continue
		}
		places := []*string{&t.Repository.Source}
		for i := range t.Repository.Environment.Libraries {
			places = append(places, &t.Repository.Environment.Libraries[i])
		}
		for n, place := range places {
			if *place == "" {
				continue
			}
			whole, err := absolute(dir, *place)
			if err == nil {
				*place = whole
				err = check(t, []string{"repository", "library"}[min(n, 1)], whole)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// within reports whether a path is in a directory after resolving all links. A path that does not exist
// counts as within.
func within(dir, path string) bool {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	if dir, err = filepath.EvalSymlinks(dir); err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// SetLibraries replaces the file's directory of packages for each given language, and makes all of them
// absolute, relative to dir. Tasks that name their own keep it. A language without tasks is an error.
func (b *Benchmark) SetLibraries(dir string, libraries map[string]string) error {
	unused := maps.Clone(libraries)
	for i := range b.Tasks {
		t := &b.Tasks[i]
		delete(unused, t.Language)
		if files := b.Libraries[t.Language]; files != "" && t.Library == files {
			t.Library = cmp.Or(libraries[t.Language], files)
		}
		t.Library = cmp.Or(t.Library, libraries[t.Language])
		if t.Library != "" {
			whole, err := absolute(dir, t.Library)
			if err != nil {
				return err
			}
			t.Library = whole
		}
	}
	for language := range unused {
		return fmt.Errorf("there is a library for %q, but no task in that language", language)
	}
	return nil
}

// SetStandards gives tasks that name no standard the one of their language among the names. A standard of no
// task's language is an error.
func (b *Benchmark) SetStandards(names []string) error {
	for _, name := range names {
		of, err := language.OfStandard(name)
		if err != nil {
			return err
		}
		used := false
		for i := range b.Tasks {
			if t := &b.Tasks[i]; t.Language == of {
				t.Standard, used = cmp.Or(t.Standard, name), true
			}
		}
		if !used {
			return fmt.Errorf("%s is a standard of %s, and no task is in that language", name, language.Title(of))
		}
	}
	return nil
}

// absolute resolves a path relative to dir.
func absolute(dir, path string) (string, error) {
	if filepath.IsAbs(path) {
		return path, nil
	}
	return filepath.Abs(filepath.Join(dir, path))
}

// Parse reads and checks the text of a benchmark file; errors call the file name. It reports all problems,
// each with the file, the line, the task and the field. Unknown fields are errors.
func Parse(name string, text []byte) (*Benchmark, error) {
	p := parser{name: name, text: disk.WithoutMark(text)}
	b := p.parse()
	if len(p.errs) > 0 {
		return nil, errors.Join(p.errs...)
	}
	return b, nil
}

// maxProblems is the largest number of problems reported for a file.
const maxProblems = 20

type parser struct {
	name   string
	text   []byte
	errs   []error
	folder bool // the tasks are in folders beside the file
}

// line returns the line, from 1, of a byte offset.
func (p *parser) line(offset int64) int {
	offset = min(max(offset, 0), int64(len(p.text)))
	return 1 + bytes.Count(p.text[:offset], []byte("\n"))
}

func (p *parser) fail(offset int64, format string, args ...any) {
	if len(p.errs) <= maxProblems {
		p.add(fmt.Errorf("%s:%d: %s", p.name, p.line(offset), fmt.Sprintf(format, args...)))
	}
}

// add records the first problems.
func (p *parser) add(err error) {
	if len(p.errs) == maxProblems {
		err = fmt.Errorf("%s: there are more problems; fix these first", p.name)
	}
	if len(p.errs) <= maxProblems {
		p.errs = append(p.errs, err)
	}
}

func (p *parser) parse() *Benchmark {
	if len(bytes.TrimSpace(p.text)) == 0 {
		p.fail(0, "the file is empty; a benchmark file holds one JSON object with \"assay_benchmark\", \"name\" and \"tasks\"")
		return nil
	}
	if at := NotUTF8(p.text); at >= 0 {
		p.fail(int64(at), "the file is not UTF-8 here (byte 0x%02x): save it as UTF-8, for example with iconv -f WINDOWS-1252 -t UTF-8", p.text[at])
		return nil
	}
	// Validate the whole text first: the decoder's own offsets drift.
	if !json.Valid(p.text) {
		p.syntax(json.Unmarshal(p.text, new(json.RawMessage)))
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(p.text))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		p.fail(0, "a benchmark file holds one JSON object, which begins with {")
		return nil
	}
	b := &Benchmark{}
	for dec.More() {
		tok, err := dec.Token()
		if err != nil || !p.field(dec, b, fmt.Sprint(tok)) {
			break
		}
	}
	p.check(b)
	return b
}

// NotUTF8 returns the offset of the first byte of a text that is not valid UTF-8, or -1.
func NotUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

// field reads a top-level field; it returns false if parsing cannot continue.
func (p *parser) field(dec *json.Decoder, b *Benchmark, key string) bool {
	at := dec.InputOffset()
	var into any
	switch key {
	case "$schema":
		into = new(string)
	case "assay_benchmark":
		into = &b.Version
	case "name":
		into = &b.Name
	case "title":
		into = &b.Title
	case "description":
		into = &b.Description
	case "licence":
		into = &b.Licence
	case "libraries":
		into = &b.Libraries
	case "tasks":
		if p.folder {
			p.fail(at, "field \"tasks\": the tasks of a folder lie in folders of their own, each with a file %s", TaskFile)
		}
		return p.tasks(dec, b)
	default:
		p.fail(at, "unknown field %q; the fields are assay_benchmark, name, title, description, licence, libraries, tasks", key)
		into = new(json.RawMessage)
	}
	if err := dec.Decode(into); err != nil {
		p.fail(at, "field %q: %s", key, typeProblem(err))
	}
	return true
}

func (p *parser) tasks(dec *json.Decoder, b *Benchmark) bool {
	if tok, err := dec.Token(); err != nil || tok != json.Delim('[') {
		p.fail(dec.InputOffset(), "field \"tasks\": a list [ … ] is wanted")
		return false
	}
	first := map[string]int64{}
	for dec.More() {
		batch := p.batch(dec, len(b.Tasks))
		if batch == nil {
			return false
		}
		for _, r := range batch {
			for _, err := range r.errs {
				p.add(err)
			}
			if !r.ok {
				continue
			}
			if at, twice := first[r.task.ID]; twice {
				p.fail(r.start, "task %q: the id stands on line %d already; give each task an id of its own", r.task.ID, p.line(at))
			} else {
				first[r.task.ID] = r.start
			}
			b.Tasks = append(b.Tasks, r.task)
		}
	}
	_, err := dec.Token() // ]
	return err == nil
}

// readTask is the result of reading an element of "tasks".
type readTask struct {
	start int64
	raw   json.RawMessage
	task  Task
	ok    bool
	errs  []error
}

// batchSize is the number of tasks read concurrently.
const batchSize = 256

// batch reads the next tasks on all processors, since large files take seconds. It returns nil if the
// decoder cannot continue.
func (p *parser) batch(dec *json.Decoder, index int) []readTask {
	var list []readTask
	for dec.More() && len(list) < batchSize {
		var r readTask
		if err := dec.Decode(&r.raw); err != nil {
			return nil
		}
		r.start = dec.InputOffset() - int64(len(r.raw))
		list = append(list, r)
	}
	var wg sync.WaitGroup
	workers := min(runtime.NumCPU(), len(list))
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(list); i += workers {
				r := &list[i]
				local := parser{name: p.name, text: p.text}
				r.task, r.ok = local.task(r.start, r.raw, index+i)
				r.errs, r.raw = local.errs, nil
			}
		})
	}
	wg.Wait()
	return list
}

// task reads an element of "tasks" that starts at byte offset start.
func (p *parser) task(start int64, raw []byte, index int) (Task, bool) {
	var t Task
	if !p.object(start, raw, &t, index) {
		return t, false
	}
	for _, problem := range t.problems() {
		p.fail(start, "%s: %s", taskName(t.ID, index), problem)
	}
	// drops the spare capacity left by decoding
	t.Tests.Cases, t.Tests.Runs = slices.Clone(t.Tests.Cases), slices.Clone(t.Tests.Runs)
	return t, t.ID != ""
}

// object decodes the object raw, part of a task, which starts at byte offset start.
func (p *parser) object(start int64, raw []byte, into any, index int) bool {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		var id struct {
			ID string `json:"id"`
		}
		_ = json.Unmarshal(raw, &id) // only to name the task, if it has a name
		offset := dec.InputOffset()
		var typed *json.UnmarshalTypeError
		if errors.As(err, &typed) {
			offset = typed.Offset
		}
		if field, found := strings.CutPrefix(err.Error(), "json: unknown field "); found {
			if i := bytes.Index(raw, []byte(field)); i >= 0 {
				offset = int64(i)
			}
			err = fmt.Errorf("field %s is not known; see benchmark.schema.json for the fields", field)
		}
		p.fail(start+offset, "%s: %s", taskName(id.ID, index), typeProblem(err))
		return false
	}
	return true
}

func taskName(id string, index int) string {
	if id == "" && index < 0 {
		return "the task"
	}
	if id == "" {
		return fmt.Sprintf("task number %d", index+1)
	}
	return fmt.Sprintf("task %q", id)
}

// syntax reports malformed JSON.
func (p *parser) syntax(err error) {
	var syn *json.SyntaxError
	switch {
	case !errors.As(err, &syn):
		p.fail(0, "this is not valid JSON: %v", err)
	case strings.Contains(syn.Error(), "after top-level value"):
		p.fail(syn.Offset, "something follows the closing }; remove it")
	case len(bytes.TrimSpace(p.text[min(int(syn.Offset), len(p.text)):])) == 0:
		p.fail(int64(len(p.text)), "the file ends in the middle of a value; is it complete?")
	default:
		p.fail(syn.Offset, "this is not valid JSON: %s", syn.Error())
	}
}

// typeProblem describes a decoding error in the reader's terms.
func typeProblem(err error) string {
	var typed *json.UnmarshalTypeError
	if !errors.As(err, &typed) {
		return err.Error()
	}
	wanted := map[string]string{
		"string": "a text in quotes", "int": "a whole number", "float64": "a number", "bool": "true or false",
	}[typed.Type.String()]
	if wanted == "" {
		wanted = map[string]string{"slice": "a list [ … ]", "struct": "an object { … }", "map": "an object { … }", "string": "a text in quotes"}[typed.Type.Kind().String()]
	}
	if typed.Field == "" {
		return fmt.Sprintf("%s is wanted, not a %s", wanted, typed.Value)
	}
	return fmt.Sprintf("field %q: %s is wanted, not a %s", typed.Field, wanted, typed.Value)
}

// check reports problems of the file as a whole.
func (p *parser) check(b *Benchmark) {
	switch {
	case b.Version == 0:
		p.fail(0, "field \"assay_benchmark\" is missing; write \"assay_benchmark\": %d", FormatVersion)
	case b.Version > FormatVersion:
		p.fail(0, "field \"assay_benchmark\": the file has format version %d and this assay reads up to %d; use a newer assay", b.Version, FormatVersion)
	case b.Version < 0:
		p.fail(0, "field \"assay_benchmark\": %d is not a format version; write %d", b.Version, FormatVersion)
	}
	if b.Name == "" {
		p.fail(0, "field \"name\" is missing; give the benchmark a short name")
	}
	if len(b.Tasks) == 0 && len(p.errs) == 0 && !p.folder {
		p.fail(0, "field \"tasks\" is missing or empty; a benchmark needs at least one task")
	}
}
