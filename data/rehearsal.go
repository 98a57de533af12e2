package data

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

//go:embed rehearsal
var recordings embed.FS

// Recording is one recorded answer to a task.
type Recording struct {
	Task    string
	Attempt int // from 1
	Text    string

	// Expect is the verdict that judging the answer must give: one of the
	// judge's verdicts, or "no_code" where the answer holds no code at all.
	Expect string
	Fault  string // what is wrong with the answer, for those that are wrong
}

// Rehearsal returns the text of the recorded answer at the given attempt, from
// 1. After the last recording of a task the last one repeats.
func Rehearsal(task string, attempt int) (text string, ok bool) {
	r, err := read(task, min(attempt, attempts(task)))
	return r.Text, err == nil
}

// Recordings returns all recordings, ordered by task and attempt.
func Recordings() ([]Recording, error) {
	tasks, err := recordings.ReadDir("rehearsal")
	if err != nil {
		return nil, fmt.Errorf("the embedded recordings cannot be read: %w", err)
	}
	var all []Recording
	for _, task := range tasks {
		for n := 1; n <= attempts(task.Name()); n++ {
			r, err := read(task.Name(), n)
			if err != nil {
				return nil, err
			}
			all = append(all, r)
		}
	}
	return all, nil
}

// attempts is the number of recordings of a task: its files are 1.md, 2.md, …
func attempts(task string) int {
	files, err := fs.Glob(recordings, path.Join("rehearsal", task, "*.md"))
	if err != nil || task == "" {
		return 0
	}
	return len(files)
}

// read reads one recording and its front matter.
func read(task string, attempt int) (Recording, error) {
	name := path.Join("rehearsal", task, strconv.Itoa(attempt)+".md")
	text, err := recordings.ReadFile(name)
	if err != nil {
		return Recording{}, fmt.Errorf("the recordings of %s must be numbered from 1: %w", task, err)
	}
	head, body, ok := strings.Cut(strings.TrimPrefix(string(text), "---\n"), "\n---\n\n")
	if !ok {
		return Recording{}, fmt.Errorf("%s has no front matter between two lines of ---", name)
	}
	r := Recording{Task: task, Attempt: attempt, Text: body}
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "recorded":
		case "task", "attempt":
			if want := map[string]string{"task": task, "attempt": strconv.Itoa(attempt)}[key]; value != want {
				return Recording{}, fmt.Errorf("%s says %s %q, but its place says %q", name, key, value, want)
			}
		case "expect":
			r.Expect = value
		case "fault":
			r.Fault = value
		default:
			return Recording{}, fmt.Errorf("%s: the key %q of the front matter is not known", name, key)
		}
	}
	return r, nil
}
