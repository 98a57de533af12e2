package batch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"

	"assay/benchmark/verdicts"
	"assay/data/disk"
	"assay/data/filelock"
)

// ResultsName is the name of the results file.
const ResultsName = "results.jsonl"

// results appends rows to the results file. With a nil file it writes nothing.
type results struct {
	file *os.File
	path string
	size int64       // bytes written
	torn int         // damaged lines, whose samples are judged again
	old  map[key]Row // rows of an earlier run that may be reused
	all  bool        // also rows that a run would judge again

	twice bool // samples may have two rows, of which the last one counts
}

// openResults opens the file in dir and reads the rows of earlier runs. choose, if not nil, removes those from the
// table that are not of this run, or returns why this run may not write there: then nothing is changed.
func openResults(dir string, choose func(old map[key]Row) error) (*results, error) {
	r := &results{old: map[key]Row{}}
	if dir == "" {
		return r, nil
	}
	if err := disk.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the directory for results: %w", err)
	}
	r.path = filepath.Join(dir, ResultsName)
	old, err := r.lock()
	if err != nil {
		return nil, err
	}
	defer old.Close() // after its replacement is locked
	if err := r.readOld(old); err != nil {
		return nil, err
	}
	if choose != nil && len(r.old) > 0 {
		if err := choose(r.old); err != nil {
			return nil, err
		}
	}
	return r, r.rewrite()
}

// lock opens and locks the file for this process: of two evaluations, the second would replace
// the file that the first still writes to. Of a symbolic link, the target is locked and later
// replaced.
func (r *results) lock() (*os.File, error) {
	if target, err := filepath.EvalSymlinks(r.path); err == nil {
		r.path = target
	}
	if info, err := os.Stat(r.path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file: choose another --out", r.path)
	}
	f, err := filelock.Open(r.path, os.O_RDWR|os.O_CREATE, 0o644)
	switch {
	case errors.Is(err, filelock.ErrTaken):
		return nil, fmt.Errorf("another evaluation is writing its results to %s: choose another --out, or wait until it ends: %w", r.path, err)
	case err != nil:
		return nil, fmt.Errorf("opening the results file: %w", err)
	}
	return f, nil
}

// rowBegins is what every row begins with, also one that was cut off before the next was written behind it.
var rowBegins = []byte(`{"task_id":`)

// readOld reads the rows of an earlier run. It ignores a last line that a crash cut off and damaged
// rows; any other line that is not a row means that this is not a results file.
func (r *results) readOld(f *os.File) error {
	in := bufio.NewReaderSize(f, 64<<10)
	var before Row
	for line := 1; ; line++ {
		text, err := disk.ReadLine(in, r.path)
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return fmt.Errorf("reading earlier results: %w", err)
		}
		var row Row
		blank := len(bytes.TrimSpace(text)) == 0
		whole := !blank && json.Unmarshal(text, &row) == nil && row.TaskID != "" && row.Verdict != ""
		damaged := !whole && (disk.Torn(text) || bytes.HasPrefix(text, rowBegins) && !json.Valid(text))
		switch {
		case last && !whole:
			return nil
		case blank:
			continue
		case damaged && r.all:
			return fmt.Errorf("%s:%d is damaged, as by a power loss: run the same 'assay eval' again, which judges that sample again", r.path, line)
		case damaged:
			r.torn++
			continue
		case !whole && r.all: // the file is only read
			return fmt.Errorf("%s:%d is not a result of an evaluation", r.path, line)
		case !whole:
			return fmt.Errorf("%s:%d is not a result of an evaluation: choose another --out, or remove the file", r.path, line)
		}
		row.share(&before)
		before = row
		if r.all || !row.again() {
			r.old[key{row.TaskID, row.Sample}] = row
		}
		if last { // without a line break, as editors may leave it
			return nil
		}
	}
}

// again reports whether a later run judges the row's sample again. What prevented the verdict may
// be fixed by then: a program is installed, a library declared. Where nothing can change, because
// there are no tests, judging again costs nothing.
func (r *Row) again() bool {
	return r.Verdict == verdicts.SandboxError || r.Verdict == verdicts.NotJudged
}

// share makes a row use the same strings as the previous one where they are equal, as most are in
// a million rows.
func (r *Row) share(before *Row) {
	if maps.Equal(r.Enforcement, before.Enforcement) {
		r.Enforcement = before.Enforcement
	}
	once := func(text *string, known string) {
		if *text == known {
			*text = known
		}
	}
	once(&r.TaskID, before.TaskID)
	once(&r.Task, before.Task)
	once(&r.Extraction, before.Extraction)
	once(&r.Isolation, before.Isolation)
	once(&r.Interpreter, before.Interpreter)
	once(&r.Library, before.Library)
	once(&r.Worker, before.Worker)
	once(&r.Assay, before.Assay)
	if r.Measures != nil && before.Measures != nil {
		once(&r.Measures.Analyser, before.Measures.Analyser)
	}
}

// rewrite replaces the file by one with only the valid rows, so that it never contains two
// results of one sample.
func (r *results) rewrite() (err error) {
	left, _ := filepath.Glob(r.path + ".[0-9]*") // of a killed process; this process holds the lock
	for _, path := range left {
		os.Remove(path)
	}
	f, err := os.OpenFile(r.path+".1", os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("writing results: %w", err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = fmt.Errorf("writing results: %w", err)
		}
	}()
	r.file = f
	for _, row := range r.old {
		if err := r.append(row); err != nil {
			return err
		}
	}
	if err := filelock.Take(f); err != nil { // before other processes can open it
		return err
	}
	if err := f.Sync(); err != nil { // before it replaces earlier results
		return err
	}
	if err := os.Rename(f.Name(), r.path); err != nil {
		return err
	}
	return disk.SyncDir(filepath.Dir(r.path))
}

// earlier returns the row of an earlier run for the same sample, if it has the same content.
func (r *results) earlier(row Row) (old Row, same bool) {
	old, known := r.old[key{row.TaskID, row.Sample}]
	return old, known && old.Content == row.Content
}

// write appends a row. The system receives it at once, so that a killed process loses nothing.
func (r *results) write(row Row) error {
	if r.file == nil {
		return nil
	}
	if err := r.intact(); err != nil { // after a gap the row would be useless
		return err
	}
	return r.append(row)
}

func (r *results) append(row Row) error {
	text, err := json.Marshal(row)
	if err == nil {
		var n int
		n, err = r.file.Write(append(text, '\n'))
		r.size += int64(n)
	}
	if err != nil {
		return fmt.Errorf("writing results to %s: %w", r.path, err)
	}
	return nil
}

// intact returns an error if another program has deleted, replaced or truncated the file.
func (r *results) intact() error {
	if err := disk.Kept(r.file, r.path, r.size); err != nil {
		return fmt.Errorf("writing results: %w; run the same command again to judge the missing samples", err)
	}
	return nil
}

// close returns when everything is on disk.
func (r *results) close() error {
	if r.file == nil {
		return nil
	}
	if err := r.intact(); err != nil {
		r.file.Close()
		return err
	}
	if err := errors.Join(r.file.Sync(), r.file.Close()); err != nil {
		return fmt.Errorf("writing results to %s: %w", r.path, err)
	}
	return nil
}
