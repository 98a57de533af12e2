package inspectlog

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"assay/benchmark/format"
	"assay/session"
	"assay/session/importer"
)

// How selects what of a log is read.
type How struct {
	Epoch  int    // from 1
	Scorer string // whose "correct" means that the final answer satisfied; "" for "satisfied", or the only one
	K      int    // attempts that were allowed; 0 for what the log says, or else [session.DefaultK]
}

// Log is an epoch of a log of Inspect.
type Log struct {
	importer.Study
	Task, Model string
}

// Read reads an epoch of a log of Inspect in its JSON form as one tester's work. A sample is a task; what its user
// said is a prompt, and what the model said last before the user speaks again is the answer. Logs that [Write] wrote
// also have times, verdicts and ratings. Other logs have one time for a sample, which its attempts share equally.
func Read(path string, how How) (*Log, error) {
	log, err := format.ReadInspect(path)
	if err != nil {
		return nil, err
	}
	r := &Log{Task: log.Task, Model: log.Model, Study: importer.Study{K: how.K}}
	if !log.Created.IsZero() {
		r.Began = log.Created.UnixMilli()
	}
	seen := map[string]bool{}
	for i := range log.Samples {
		x := &log.Samples[i]
		if x.Epoch != how.Epoch {
			continue
		}
		t, about, err := r.task(x, how.Scorer)
		if err == nil && seen[x.ID] {
			err = fmt.Errorf("the log has the sample twice: remove one")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: sample %s, epoch %d: %w", path, x.ID, x.Epoch, err)
		}
		r.K = cmp.Or(r.K, about.K)
		r.Tasks, seen[x.ID] = append(r.Tasks, *t), true
	}
	if len(r.Tasks) == 0 {
		return nil, fmt.Errorf("%s has no epoch %d: its last is %d", path, how.Epoch, log.Samples[len(log.Samples)-1].Epoch)
	}
	r.K = cmp.Or(r.K, session.DefaultK)
	for _, t := range r.Tasks {
		if len(t.Attempts) > r.K {
			return nil, fmt.Errorf("%s: sample %s has %d answers, more than the attempts allowed (%d); --k sets another number", path, t.ID, len(t.Attempts), r.K)
		}
	}
	r.readAttributes()
	return r, nil
}

// readAttributes finds the attributes for which all tasks with attempts have a score.
func (r *Log) readAttributes() {
	attempted, scored := 0, map[string]int{}
	for _, t := range r.Tasks {
		if len(t.Attempts) > 0 {
			attempted++
			for id := range t.Ratings {
				scored[id]++
			}
		}
	}
	for _, a := range attributes(slices.Sorted(maps.Keys(scored))) {
		if scored[a.ID] == attempted {
			r.Attributes = append(r.Attributes, a)
		} else {
			r.Warnings = append(r.Warnings, fmt.Sprintf("the ratings of %s are left out: only %d of %d tasks have one", a.ID, scored[a.ID], attempted))
		}
	}
}

// task reads a sample.
func (r *Log) task(x *format.LoggedSample, scorer string) (*importer.Task, metadata, error) {
	var about metadata
	_ = json.Unmarshal(x.Metadata, &about) // other programs' metadata have other fields
	t := &importer.Task{ID: x.ID, Title: about.Title, Set: about.Set, Type: about.Type, Difficulty: about.Difficulty, Ratings: about.Ratings}
	if x.Error != "" && len(x.Scores) == 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("sample %s ended with an error and counts as skipped: %s", x.ID, x.Error))
		return t, about, nil
	}
	for _, turn := range x.Turns {
		t.Attempts = append(t.Attempts, importer.Attempt{Prompt: turn.Prompt, Answer: turn.Answer})
	}
	n := len(t.Attempts)
	if n == 0 {
		return t, about, nil
	}
	var err error
	if t.Satisfied, err = correct(x.Scores, scorer); err != nil {
		return nil, about, err
	}
	if len(about.Answered) == n {
		for i, a := range about.Answered {
			if t.Attempts[i].MS, err = milliseconds("metadata.answered_attempts.seconds", a.Seconds); err != nil {
				return nil, about, err
			}
			t.Attempts[i].Verdict, t.Attempts[i].Passed, t.Attempts[i].Total = a.Verdict, a.Passed, a.Total
		}
		return t, about, nil
	}
	all, err := milliseconds("total_time", x.Seconds)
	if err != nil {
		return nil, about, err
	}
	for i := range t.Attempts {
		t.Attempts[i].MS = all / int64(n)
	}
	switch {
	case x.Seconds == 0:
		r.Warnings = append(r.Warnings, fmt.Sprintf("sample %s has no times: its attempts count as 0 s", x.ID))
	case n > 1:
		r.Warnings = append(r.Warnings, fmt.Sprintf("sample %s has one time, which its %d attempts share equally", x.ID, n))
	}
	return t, about, nil
}

// milliseconds returns the seconds that a field has as milliseconds.
func milliseconds(field string, seconds float64) (int64, error) {
	if !(seconds >= 0 && seconds <= 1e7) {
		return 0, fmt.Errorf("field %q: %v s is no time that an attempt takes; correct it", field, seconds)
	}
	return int64(math.Round(seconds * 1000)), nil
}

// correct reports whether a scorer called the sample correct: C of Inspect's own scorers, true, or at least 1.
func correct(scores map[string]any, scorer string) (bool, error) {
	names := slices.Sorted(maps.Keys(scores))
	if scorer == "" {
		scorer = satisfied
		if len(names) == 1 {
			scorer = names[0]
		}
	}
	value, has := scores[scorer]
	if !has {
		if len(names) == 0 {
			return false, fmt.Errorf("it has no score, so that it is not known whether the answer satisfied: score the log first, as by 'inspect score'")
		}
		return false, fmt.Errorf("it has no score %q; --scorer chooses one of %s", scorer, strings.Join(names, ", "))
	}
	switch v := value.(type) {
	case string:
		switch v {
		case format.InspectCorrect:
			return true, nil
		case format.InspectIncorrect, "P", "N": // partially correct, no answer
			return false, nil
		}
	case bool:
		return v, nil
	case float64:
		return v >= 1, nil
	}
	return false, fmt.Errorf("the value of its score %q is not C, P, I, N, true, false or a number; --scorer chooses another of %s", scorer, strings.Join(names, ", "))
}

// attributes returns those of Miah & Zhu that are named, in their order, and then the others, on the same scale.
func attributes(ids []string) []session.Attribute {
	list := slices.DeleteFunc(session.MiahZhuAttributes(), func(a session.Attribute) bool { return !slices.Contains(ids, a.ID) })
	for _, id := range ids {
		if !slices.ContainsFunc(list, func(a session.Attribute) bool { return a.ID == id }) {
			list = append(list, session.Attribute{ID: id, Name: id})
		}
	}
	return list
}
