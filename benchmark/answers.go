package benchmark

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"assay/data/disk"
)

// RecordedAnswer is an answer stored beside its task, in the folder [Answers] of the task's folder. The
// rehearsal model plays such answers, and they test the tests: every wrong one must be rejected.
type RecordedAnswer struct {
	Task    string
	Attempt int // from 1
	Text    string

	// Expect is the verdict that the answer must get: one of the judge's verdicts or of the outcomes of
	// repositories, or "no_code" if it contains no code.
	Expect string
	Fault  string // what is wrong with a wrong answer
}

// ReadAnswers reads all recorded answers of a folder benchmark, ordered by task and attempt:
// TASK/answers/1.md, 2.md and so on, or for a task with variants TASK/answers/VARIANT/1.md. Each starts
// with front matter between two lines of ---:
//
//	recorded: what this is
//	task: the id of the task
//	attempt: the number
//	expect: the verdict
//	fault: what is wrong, if the verdict is neither accepted nor resolved
//
// A folder without recorded answers is no error.
func ReadAnswers(folder fs.FS) ([]RecordedAnswer, error) {
	var all []RecordedAnswer
	err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		parts := strings.Split(path.Dir(name), "/")
		if len(parts) < 2 || len(parts) > 3 || parts[1] != Answers {
			return nil
		}
		task := strings.Join(append([]string{FolderID(parts[0])}, parts[2:]...), "/")
		text, err := disk.ReadFS(folder, name, disk.Table)
		if err != nil {
			return err
		}
		answer, err := parseAnswer(name, task, string(disk.WithoutMark(text)))
		all = append(all, answer)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the recorded answers cannot be read: %w", err)
	}
	// Numerically: by name, the tenth would come before the second.
	next := map[string]int{}
	byPlace := map[string]RecordedAnswer{}
	for _, a := range all {
		byPlace[a.Task+"\x00"+strconv.Itoa(a.Attempt)] = a
	}
	for i, a := range all {
		next[a.Task]++
		ordered, ok := byPlace[a.Task+"\x00"+strconv.Itoa(next[a.Task])]
		if !ok {
			return nil, fmt.Errorf("the recorded answers to %s are not numbered 1.md, 2.md, …: number %d is missing", a.Task, next[a.Task])
		}
		all[i] = ordered
	}
	return all, nil
}

// expectable lists the verdicts that an answer may expect, those of repositories last.
const expectable = "accepted wrong_answer runtime_error time_limit memory_limit output_limit compile_error not_judged no_code " +
	"resolved partly unresolved broke_tests patch_failed tampered"

// parseAnswer reads one recorded answer with its front matter.
func parseAnswer(name, task, text string) (RecordedAnswer, error) {
	head, body, ok := strings.Cut(strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "---\n"), "\n---\n\n")
	if !ok {
		return RecordedAnswer{}, fmt.Errorf("%s must begin with front matter between two lines of ---, followed by an empty line", name)
	}
	attempt, err := strconv.Atoi(strings.TrimSuffix(path.Base(name), ".md"))
	if err != nil || attempt < 1 {
		return RecordedAnswer{}, fmt.Errorf("%s: recorded answers are numbered 1.md, 2.md, …", name)
	}
	a := RecordedAnswer{Task: task, Attempt: attempt, Text: body}
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "recorded":
		case "task", "attempt":
			if want := map[string]string{"task": task, "attempt": strconv.Itoa(attempt)}[key]; value != want {
				return RecordedAnswer{}, fmt.Errorf("%s has %s %q, but its path implies %q", name, key, value, want)
			}
		case "expect":
			a.Expect = value
		case "fault":
			a.Fault = value
		default:
			return RecordedAnswer{}, fmt.Errorf("%s: the front matter has an unknown key %q", name, key)
		}
	}
	if a.Expect != "" && !slices.Contains(strings.Fields(expectable), a.Expect) {
		return RecordedAnswer{}, fmt.Errorf("%s: \"expect\" must be one of %s, not %q", name, expectable, a.Expect)
	}
	if a.Expect == "" {
		return RecordedAnswer{}, fmt.Errorf("%s: the front matter lacks \"expect\", the verdict expected for the answer", name)
	}
	return a, nil
}
