package benchmark

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"assay/data/disk"
	"assay/data/language"
)

// The files of a folder benchmark that do not contain text of a task.
const (
	FolderFile = "benchmark.json" // everything except the tasks
	TaskFile   = "task.json"      // one task
	// The diffs of a task with a repository: its reference and its tests.
	ReferencePatch, TestPatch = "reference.patch", "tests.patch"

	Answers = "answers" // the folder of recorded answers; ReadAnswers reads it
)

// ExtensionOf returns the extension of source files in the language, or ".txt".
func ExtensionOf(name string) string { return cmp.Or(language.Extension(name), ".txt") }

// ReferenceFile returns the name of the reference solution in a task's folder.
func ReferenceFile(name string) string {
	file := "reference" + language.Extension(name)
	if name == "go" {
		file += ".txt" // or the go command would take the folder for a package
	}
	return file
}

// folderTask is the content of task.json: a task, whose longer texts may be in separate files, with
// optional variants.
type folderTask struct {
	Task
	Variants map[string]json.RawMessage `json:"variants,omitempty"`
}

// LoadFolder reads and checks a folder benchmark, whose parts people can edit in their own formats:
//
//	benchmark.json         the fields of a benchmark file, without "tasks"
//	TASK/task.json         one task: the fields of an element of "tasks"
//	TASK/description.md    its field "description"
//	TASK/reference.py      its field "reference"; so prompt.py, and of its tests
//	                       check.py, setup.py, unittest.py, script.py and checker.py
//	TASK/reference.patch   the same of a task with a repository, whose test patch is in tests.patch
//	TASK/answers/          recorded answers, which belong to no task
//
// The extension is that of the task's language; .txt may follow it, to hide sources from a compiler. The
// default id of a task is its folder's name, without an ordering number as in 07-TASK. Tasks are sorted by
// folder name.
//
// If task.json has "variants", each is a separate task with the id TASK/VARIANT: its fields override those
// of task.json. A variant's default language is its name, and it uses the source files with its extension.
//
// Errors name the file, the line and the field; they call the folder name.
func LoadFolder(folder fs.FS, name string) (*Benchmark, error) {
	text, err := disk.ReadFS(folder, FolderFile, disk.Table)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is a folder without a %s file: a benchmark's folder has one, with \"assay_benchmark\" and \"name\"; otherwise name a file", name, FolderFile)
	}
	if err != nil {
		return nil, fmt.Errorf("the benchmark cannot be read: %w", err)
	}
	head := parser{name: path.Join(name, FolderFile), text: disk.WithoutMark(text), folder: true}
	b := head.parse()
	if b == nil {
		return nil, errors.Join(head.errs...)
	}
	errs := head.errs
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, fmt.Errorf("the benchmark cannot be read: %w", err)
	}
	places := map[string]string{}
	for _, entry := range entries {
		if !entry.IsDir() || entry.Name()[0] == '.' {
			continue
		}
		sub, err := fs.Sub(folder, entry.Name())
		if err != nil {
			return nil, fmt.Errorf("the benchmark cannot be read: %w", err)
		}
		r := folderReader{folder: sub, name: path.Join(name, entry.Name()), id: FolderID(entry.Name())}
		for _, t := range r.read() {
			if other := places[t.ID]; other != "" {
				r.fail(TaskFile, "task %q: the id stands in %s already; give each task an id of its own", t.ID, other)
			}
			places[t.ID] = path.Join(r.name, TaskFile)
			b.Tasks = append(b.Tasks, t)
		}
		errs = append(errs, r.errs...)
	}
	if len(b.Tasks) == 0 && len(errs) == 0 {
		errs = append(errs, fmt.Errorf("%s holds no tasks: each task is a folder with a %s file", name, TaskFile))
	}
	if len(errs) > maxProblems {
		errs = append(errs[:maxProblems], fmt.Errorf("%s: there are more problems; fix these first", name))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return b, nil
}

// FolderID returns the id that follows from a folder's name.
func FolderID(folder string) string {
	number, id, found := strings.Cut(folder, "-")
	if _, err := strconv.Atoi(number); err != nil || !found || id == "" {
		return folder
	}
	return id
}

// folderReader reads the folder of one task.
type folderReader struct {
	folder fs.FS
	name   string // for errors
	id     string
	errs   []error
}

func (r *folderReader) fail(file, format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf("%s: %s", path.Join(r.name, file), fmt.Sprintf(format, args...)))
}

// read returns the tasks of the folder: a single task, or its variants.
func (r *folderReader) read() []Task {
	text, err := disk.ReadFS(r.folder, TaskFile, disk.Table)
	if err != nil {
		r.fail(TaskFile, "every folder of a benchmark holds a task, and this one's cannot be read: %v", err)
		return nil
	}
	text = disk.WithoutMark(text)
	p := parser{name: path.Join(r.name, TaskFile), text: text}
	defer func() { r.errs = append(r.errs, p.errs...) }()
	if err := json.Unmarshal(text, new(json.RawMessage)); err != nil {
		p.syntax(err)
		return nil
	}
	base := folderTask{Task: Task{ID: r.id}}
	if !p.object(0, text, &base, -1) {
		return nil
	}
	tasks, used := []Task{}, map[string]bool{}
	if len(base.Variants) == 0 {
		tasks = append(tasks, base.Task)
	}
	for _, name := range slices.Sorted(maps.Keys(base.Variants)) {
		// Each variant starts from its own copy, since the decoder may write into it.
		whole := folderTask{Task: Task{ID: r.id}}
		if err := json.Unmarshal(text, &whole); err != nil {
			p.fail(0, "%v", err)
			return nil
		}
		t := whole.Task
		t.ID, t.Language = t.ID+"/"+name, name
		raw := base.Variants[name]
		at := max(bytes.Index(text, raw), 0)
		if p.object(int64(at), raw, &t, -1) {
			tasks = append(tasks, t)
		}
	}
	for i := range tasks {
		t := &tasks[i]
		r.texts(t, used)
		for _, problem := range t.problems() {
			p.fail(0, "%s: %s", taskName(t.ID, -1), problem)
		}
	}
	r.unknown(tasks, used)
	return tasks
}

// texts fills in the fields of a task that are in separate files.
func (r *folderReader) texts(t *Task, used map[string]bool) {
	extension := language.Extension(t.Language)
	for _, f := range []struct {
		file  string
		field *string
	}{
		{"description.md", &t.Description}, {"reference" + extension, &t.Reference}, {"prompt" + extension, &t.Prompt},
		{"check" + extension, &t.Tests.Check}, {"setup" + extension, &t.Tests.Setup}, {"script" + extension, &t.Tests.Script},
		{"unittest" + extension, &t.Tests.Unittest}, {"checker.py", &t.Tests.Checker},
		{ReferencePatch, t.patch(&t.Reference)}, {TestPatch, t.testPatch()},
	} {
		if f.field == nil {
			continue
		}
		for _, file := range []string{f.file, f.file + ".txt"} {
			text, err := disk.ReadFS(r.folder, file, disk.Table)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			used[file] = true
			switch {
			case err != nil:
				r.fail(file, "%v", err)
			case *f.field != "":
				r.fail(file, "the same text is given twice, by another file or a field of %s; keep one", TaskFile)
			default:
				*f.field = string(disk.WithoutMark(text))
			}
		}
	}
	t.Description = strings.TrimSpace(t.Description)
}

// patch returns a field if the task is a repository, and else nil.
func (t *Task) patch(field *string) *string {
	if t.Repository == nil {
		return nil
	}
	return field
}

// testPatch returns the field with the patch of the tests, or nil.
func (t *Task) testPatch() *string {
	if t.Repository == nil {
		return nil
	}
	return &t.Repository.TestPatch
}

// unknown reports unused files, which a person may have misnamed.
func (r *folderReader) unknown(tasks []Task, used map[string]bool) {
	entries, err := fs.ReadDir(r.folder, ".")
	if err != nil || len(tasks) == 0 {
		return
	}
	for _, e := range entries {
		name := e.Name()
		if used[name] || name == TaskFile || name == Answers || name[0] == '.' || strings.HasSuffix(name, "~") || strings.HasPrefix(name, "README") {
			continue
		}
		r.fail(name, "the file is not read; a task's texts are description.md and reference, prompt, check, setup, script and unittest "+
			"with the extension of its language (%s), checker.py, and of a repository reference.patch and tests.patch", language.Extension(tasks[0].Language))
	}
}
