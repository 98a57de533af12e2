package importer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/session"
)

// Tables are the three tables of a study, with their required and optional columns.
type Tables struct {
	Tasks    Source // task_id, attempts, satisfied, time_s; and test_set, order, type, difficulty, title, censored
	Attempts Source // task_id, attempt, duration_s, satisfied
	Ratings  Source // task_id and a column for each attribute; and total
}

// Study is the checked content of three tables.
type Study struct {
	Warnings   []string // where the interpretation differs from the text
	k          int
	tasks      []*task
	attributes []session.Attribute
}

// task is a task with everything the tables contain about it.
type task struct {
	row        row
	id, title  string
	set, kind  string
	difficulty benchmark.Difficulty
	order      int
	attempts   int
	satisfied  bool
	ms         int64

	durations []int64 // of its attempts, in milliseconds
	ratings   map[string]int
}

// Read reads and checks a study in which k attempts were allowed.
func Read(tables Tables, k int) (*Study, error) {
	if k < 1 {
		return nil, fmt.Errorf("k = %d: at least one attempt must have been allowed", k)
	}
	s := &Study{k: k}
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
	return s, nil
}

// sort sorts the tasks in working order: sets by first appearance, then by the order column, if there is
// one.
func (s *Study) sort() {
	rank := map[string]int{}
	for _, t := range s.tasks {
		if _, seen := rank[t.set]; !seen {
			rank[t.set] = len(rank)
		}
	}
	slices.SortStableFunc(s.tasks, func(a, b *task) int {
		return cmp.Or(cmp.Compare(rank[a.set], rank[b.set]), cmp.Compare(a.order, b.order))
	})
}

func (s *Study) warn(r row, column, format string, args ...any) {
	s.Warnings = append(s.Warnings, r.fault(column, format, args...).Error())
}

func (s *Study) readTasks(src Source) (map[string]*task, error) {
	t, err := read(src, "task_id", "attempts", "satisfied", "time_s")
	if err != nil {
		return nil, err
	}
	byID := map[string]*task{}
	for _, r := range t.rows {
		entry, err := s.readTask(r)
		if err != nil {
			return nil, err
		}
		if first := byID[entry.id]; first != nil {
			return nil, r.fault("task_id", "task %q stands in line %d already; remove one of the rows", entry.id, first.row.line)
		}
		byID[entry.id] = entry
		s.tasks = append(s.tasks, entry)
	}
	return byID, nil
}

func (s *Study) readTask(r row) (*task, error) {
	t := &task{row: r, id: r.text("task_id"), title: r.text("title"), set: r.text("test_set"), kind: strings.ToLower(r.text("type")), ratings: map[string]int{}}
	if t.id == "" {
		return nil, r.fault("task_id", "the task has no id; give it one")
	}
	if t.kind == "numeric" {
		// Miah & Zhu write "Numeric" in their figure and "Numerical" in the text.
		t.kind = "numerical"
		s.warn(r, "type", "%q is read as \"numerical\"", r.text("type"))
	}
	t.difficulty = benchmark.Difficulty(strings.ToLower(r.text("difficulty")))
	if t.difficulty != "" && !slices.Contains(benchmark.Difficulties[:], t.difficulty) {
		return nil, r.fault("difficulty", "%q is not easy, medium or hard; correct it or leave it empty", r.text("difficulty"))
	}
	var err error
	if t.attempts, err = r.integer("attempts", 0, s.k); err != nil {
		return nil, fmt.Errorf("%w (attempts allowed: %d; --k sets another number)", err, s.k)
	}
	if t.satisfied, err = r.boolean("satisfied"); err != nil {
		return nil, err
	}
	if t.ms, err = r.milliseconds("time_s"); err != nil {
		return nil, err
	}
	if r.text("order") != "" {
		if t.order, err = r.integer("order", 0, math.MaxInt32); err != nil {
			return nil, err
		}
	}
	if t.attempts == 0 && (t.satisfied || t.ms > 0) {
		return nil, r.fault("attempts", "a task without attempts was skipped: it can have neither satisfaction nor time; correct the row")
	}
	if r.text("censored") == "" {
		return t, nil
	}
	censored, err := r.boolean("censored")
	if err != nil {
		return nil, err
	}
	if censored == t.satisfied && t.attempts > 0 {
		return nil, r.fault("censored", "satisfied = %s and censored = %s contradict each other; correct one", r.text("satisfied"), r.text("censored"))
	}
	return t, nil
}

func (s *Study) readAttempts(src Source, byID map[string]*task) error {
	t, err := read(src, "task_id", "attempt", "duration_s", "satisfied")
	if err != nil {
		return err
	}
	for _, r := range t.rows {
		entry, err := r.known(byID)
		if err != nil {
			return err
		}
		n, err := r.integer("attempt", 1, s.k)
		if err != nil {
			return err
		}
		if n != len(entry.durations)+1 {
			return r.fault("attempt", "attempt %d of task %s follows attempt %d; put the attempts of each task in order, without gaps", n, entry.id, len(entry.durations))
		}
		ms, err := r.milliseconds("duration_s")
		if err != nil {
			return err
		}
		satisfied, err := r.boolean("satisfied")
		if err != nil {
			return err
		}
		if want := n == entry.attempts && entry.satisfied; satisfied != want {
			return r.fault("satisfied", "%s at attempt %d of task %s does not agree with the table of tasks, line %d (%d attempts, satisfied = %v); correct one of them",
				r.text("satisfied"), n, entry.id, entry.row.line, entry.attempts, entry.satisfied)
		}
		entry.durations = append(entry.durations, ms)
	}
	for _, entry := range s.tasks {
		sum := int64(0)
		for _, ms := range entry.durations {
			sum += ms
		}
		if len(entry.durations) != entry.attempts {
			return entry.row.fault("attempts", "task %s has %d attempts here, but %d rows in %s; correct one of them", entry.id, entry.attempts, len(entry.durations), src.Name)
		}
		if sum != entry.ms {
			return entry.row.fault("time_s", "task %s took %v s here, but its attempts in %s add up to %v s; correct one of them", entry.id, float64(entry.ms)/1000, src.Name, float64(sum)/1000)
		}
	}
	return nil
}

func (s *Study) readRatings(src Source, byID map[string]*task) error {
	t, err := read(src, "task_id")
	if err != nil {
		return err
	}
	for _, a := range session.MiahZhuAttributes() {
		if t.has(a.ID) {
			s.attributes = append(s.attributes, a)
		}
	}
	if len(s.attributes) == 0 {
		return fmt.Errorf("%s, line 1: none of the columns %s is an attribute; the attributes are %s", src.Name, strings.Join(t.header, ", "), attributeNames())
	}
	for _, name := range t.header {
		if name != "task_id" && name != "total" && !slices.ContainsFunc(s.attributes, func(a session.Attribute) bool { return a.ID == name }) {
			s.Warnings = append(s.Warnings, fmt.Sprintf("%s, line 1: column %s is not an attribute and is left out", src.Name, name))
		}
	}
	for _, r := range t.rows {
		if err := s.readRating(r, byID); err != nil {
			return err
		}
	}
	for _, entry := range s.tasks {
		if entry.attempts > 0 && len(entry.ratings) == 0 {
			return entry.row.fault("task_id", "task %s has no row in %s; the final answer is rated even where the tester gave up: add it", entry.id, src.Name)
		}
	}
	return nil
}

func (s *Study) readRating(r row, byID map[string]*task) error {
	entry, err := r.known(byID)
	if err != nil {
		return err
	}
	if len(entry.ratings) > 0 {
		return r.fault("task_id", "task %s is rated twice; remove one of the rows", entry.id)
	}
	if entry.attempts == 0 {
		return r.fault("task_id", "task %s has no attempts, so there is nothing to rate; remove the row", entry.id)
	}
	sum := 0
	for _, a := range s.attributes {
		score, err := r.integer(a.ID, session.MinScore, session.MaxScore)
		if err != nil {
			return err
		}
		entry.ratings[a.ID] = score
		sum += score
	}
	if r.text("total") == "" {
		return nil
	}
	total, err := r.integer("total", 0, session.MaxScore*len(s.attributes))
	if err != nil {
		return err
	}
	if total != sum {
		return r.fault("total", "%d is not the sum of the attributes, which is %d; correct one of them", total, sum)
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
