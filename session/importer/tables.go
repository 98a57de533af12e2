package importer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/data/table"
	"assay/session"
)

// Tables are the three tables of a study, with their required and optional columns.
type Tables struct {
	Tasks    Source // task_id, attempts, satisfied, time_s; and test_set, order, type, difficulty, title, censored
	Attempts Source // task_id, attempt, duration_s, satisfied
	Ratings  Source // task_id and a column for each attribute; and total
}

// reading is a study whose tables are being read.
type reading struct {
	Study
	tasks []*task
}

// task is a row of the table of tasks, with what the other tables contain about it.
type task struct {
	Task
	row      table.Row
	order    int
	attempts int
	ms       int64
}

// Read reads and checks a study in which k attempts were allowed.
func Read(tables Tables, k int) (*Study, error) {
	if k < 1 {
		return nil, fmt.Errorf("k = %d: at least one attempt must have been allowed", k)
	}
	s := &reading{Study: Study{K: k}}
	byID, err := s.readTasks(tables.Tasks)
	if err != nil {
		return nil, err
	}
	if err := s.readAttempts(tables.Attempts, byID); err != nil {
		return nil, err
	}
	if err := s.readRatings(tables.Ratings, byID); err != nil {
		return nil, err
	}
	s.sort()
	for _, t := range s.tasks {
		s.Tasks = append(s.Tasks, t.Task)
	}
	return &s.Study, nil
}

// sort sorts the tasks in working order: sets by first appearance, then by the order column, if there is
// one.
func (s *reading) sort() {
	rank := map[string]int{}
	for _, t := range s.tasks {
		if _, seen := rank[t.Set]; !seen {
			rank[t.Set] = len(rank)
		}
	}
	slices.SortStableFunc(s.tasks, func(a, b *task) int {
		return cmp.Or(cmp.Compare(rank[a.Set], rank[b.Set]), cmp.Compare(a.order, b.order))
	})
}

func (s *reading) warn(r table.Row, column, format string, args ...any) {
	s.Warnings = append(s.Warnings, r.Fault(column, format, args...).Error())
}

func (s *reading) readTasks(src Source) (map[string]*task, error) {
	t, err := table.Read(src.R, src.Name, "task_id", "attempts", "satisfied", "time_s")
	if err != nil {
		return nil, err
	}
	byID := map[string]*task{}
	for _, r := range t.Rows {
		entry, err := s.readTask(r)
		if err != nil {
			return nil, err
		}
		if first := byID[entry.ID]; first != nil {
			return nil, r.Fault("task_id", "task %q stands in line %d already; remove one of the rows", entry.ID, first.row.Line)
		}
		byID[entry.ID] = entry
		s.tasks = append(s.tasks, entry)
	}
	return byID, nil
}

func (s *reading) readTask(r table.Row) (*task, error) {
	t := &task{row: r, Task: Task{ID: r.Text("task_id"), Title: r.Text("title"), Set: r.Text("test_set"), Type: strings.ToLower(r.Text("type")), Ratings: map[string]int{}}}
	if t.ID == "" {
		return nil, r.Fault("task_id", "the task has no id; give it one")
	}
	if t.Type == "numeric" {
		// Miah & Zhu write "Numeric" in their figure and "Numerical" in the text.
		t.Type = "numerical"
		s.warn(r, "type", "%q is read as \"numerical\"", r.Text("type"))
	}
	t.Difficulty = benchmark.Difficulty(strings.ToLower(r.Text("difficulty")))
	if t.Difficulty != "" && !slices.Contains(benchmark.Difficulties[:], t.Difficulty) {
		return nil, r.Fault("difficulty", "%q is not easy, medium or hard; correct it or leave it empty", r.Text("difficulty"))
	}
	var err error
	if t.attempts, err = r.Integer("attempts", 0, s.K); err != nil {
		return nil, fmt.Errorf("%w (attempts allowed: %d; --k sets another number)", err, s.K)
	}
	if t.Satisfied, err = r.Yes("satisfied"); err != nil {
		return nil, err
	}
	if t.ms, err = milliseconds(r, "time_s"); err != nil {
		return nil, err
	}
	if r.Text("order") != "" {
		if t.order, err = r.Integer("order", 0, math.MaxInt32); err != nil {
			return nil, err
		}
	}
	if t.attempts == 0 && (t.Satisfied || t.ms > 0) {
		return nil, r.Fault("attempts", "a task without attempts was skipped: it can have neither satisfaction nor time; correct the row")
	}
	if r.Text("censored") == "" {
		return t, nil
	}
	censored, err := r.Yes("censored")
	if err != nil {
		return nil, err
	}
	if censored == t.Satisfied && t.attempts > 0 {
		return nil, r.Fault("censored", "satisfied = %s and censored = %s contradict each other; correct one", r.Text("satisfied"), r.Text("censored"))
	}
	return t, nil
}

func (s *reading) readAttempts(src Source, byID map[string]*task) error {
	t, err := table.Read(src.R, src.Name, "task_id", "attempt", "duration_s", "satisfied")
	if err != nil {
		return err
	}
	for _, r := range t.Rows {
		entry, err := known(r, byID)
		if err != nil {
			return err
		}
		n, err := r.Integer("attempt", 1, s.K)
		if err != nil {
			return err
		}
		if n != len(entry.Attempts)+1 {
			return r.Fault("attempt", "attempt %d of task %s follows attempt %d; put the attempts of each task in order, without gaps", n, entry.ID, len(entry.Attempts))
		}
		ms, err := milliseconds(r, "duration_s")
		if err != nil {
			return err
		}
		satisfied, err := r.Yes("satisfied")
		if err != nil {
			return err
		}
		if want := n == entry.attempts && entry.Satisfied; satisfied != want {
			return r.Fault("satisfied", "%s at attempt %d of task %s does not agree with the table of tasks, line %d (%d attempts, satisfied = %v); correct one of them",
				r.Text("satisfied"), n, entry.ID, entry.row.Line, entry.attempts, entry.Satisfied)
		}
		entry.Attempts = append(entry.Attempts, Attempt{MS: ms})
	}
	for _, entry := range s.tasks {
		sum := int64(0)
		for _, a := range entry.Attempts {
			sum += a.MS
		}
		if len(entry.Attempts) != entry.attempts {
			return entry.row.Fault("attempts", "task %s has %d attempts here, but %d rows in %s; correct one of them", entry.ID, entry.attempts, len(entry.Attempts), src.Name)
		}
		if sum != entry.ms {
			return entry.row.Fault("time_s", "task %s took %v s here, but its attempts in %s add up to %v s; correct one of them", entry.ID, float64(entry.ms)/1000, src.Name, float64(sum)/1000)
		}
	}
	return nil
}

func (s *reading) readRatings(src Source, byID map[string]*task) error {
	t, err := table.Read(src.R, src.Name, "task_id")
	if err != nil {
		return err
	}
	for _, a := range session.MiahZhuAttributes() {
		if t.Has(a.ID) {
			s.Attributes = append(s.Attributes, a)
		}
	}
	if len(s.Attributes) == 0 {
		return fmt.Errorf("%s:1: none of the columns %s is an attribute; the attributes are %s", src.Name, strings.Join(t.Header, ", "), attributeNames())
	}
	for _, name := range t.Header {
		if !strings.EqualFold(name, "task_id") && !strings.EqualFold(name, "total") && !slices.ContainsFunc(s.Attributes, func(a session.Attribute) bool { return strings.EqualFold(a.ID, name) }) {
			s.Warnings = append(s.Warnings, fmt.Sprintf("%s:1: column %s is not an attribute and is left out", src.Name, name))
		}
	}
	for _, r := range t.Rows {
		if err := s.readRating(r, byID); err != nil {
			return err
		}
	}
	for _, entry := range s.tasks {
		if entry.attempts > 0 && len(entry.Ratings) == 0 {
			return entry.row.Fault("task_id", "task %s has no row in %s; the final answer is rated even where the tester gave up: add it", entry.ID, src.Name)
		}
	}
	return nil
}

func (s *reading) readRating(r table.Row, byID map[string]*task) error {
	entry, err := known(r, byID)
	if err != nil {
		return err
	}
	if len(entry.Ratings) > 0 {
		return r.Fault("task_id", "task %s is rated twice; remove one of the rows", entry.ID)
	}
	if entry.attempts == 0 {
		return r.Fault("task_id", "task %s has no attempts, so there is nothing to rate; remove the row", entry.ID)
	}
	sum := 0
	for _, a := range s.Attributes {
		score, err := r.Integer(a.ID, session.MinScore, session.MaxScore)
		if err != nil {
			return err
		}
		entry.Ratings[a.ID] = score
		sum += score
	}
	if r.Text("total") == "" {
		return nil
	}
	total, err := r.Integer("total", 0, session.MaxScore*len(s.Attributes))
	if err != nil {
		return err
	}
	if total != sum {
		return r.Fault("total", "%d is not the sum of the attributes, which is %d; correct one of them", total, sum)
	}
	return nil
}

func attributeNames() string {
	var ids []string
	for _, a := range session.MiahZhuAttributes() {
		ids = append(ids, a.ID)
	}
	return strings.Join(ids, ", ")
}
