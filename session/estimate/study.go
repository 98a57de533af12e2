package estimate

import (
	"fmt"
	"slices"
	"strings"

	"assay/scoring/stats"
)

// Spread describes estimates on a scale. Low and High are the median; for an even number they are the two
// middle values, since the mean of two categories is not one.
type Spread struct {
	Min  int `json:"min"`
	Low  int `json:"low"`
	High int `json:"high"`
	Max  int `json:"max"`
}

func (s Spread) within(low, high int) bool {
	return low <= s.Min && s.Min <= s.Low && s.Low <= s.High && s.High <= s.Max && s.Max <= high
}

// spread describes one or more values.
func spread(values []int) Spread {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return Spread{Min: sorted[0], Low: sorted[(n-1)/2], High: sorted[n/2], Max: sorted[n-1]}
}

// State is the state of a task's estimates.
type State string

// The states of a task.
const (
	Waiting      State = "waiting"                    // too few estimates count
	Settled      State = "settled"                    // the agreement reaches the threshold
	AnotherRound State = "another round"              // it does not
	Unagreed     State = "accepted without agreement" // it does not, and there are no rounds left
)

// Done reports whether a task has its final estimate.
func (s State) Done() bool { return s == Settled || s == Unagreed }

// Result is the result of a task's last round.
type Result struct {
	Task       string   `json:"task"`
	Title      string   `json:"title,omitempty"`
	Hash       string   `json:"-"`
	State      State    `json:"state"`
	Round      int      `json:"round"`
	N          int      `json:"n"` // estimates that count
	Wanted     int      `json:"wanted"`
	Counts     []int    `json:"counts"` // by category of the scale of times
	Agreement  *float64 `json:"agreement,omitempty"`
	Time       *Spread  `json:"time,omitempty"`
	Difficulty *Spread  `json:"difficulty,omitempty"`
}

// Median returns the category of time of a settled task. For an even number of estimates it is the upper of the
// two in the middle, since people tend to underestimate (Alhamed & Storer 2021). Time has both.
func (r Result) Median() int { return r.Time.High }

// reaches compares an agreement with a threshold, allowing for rounding.
func reaches(agreement, threshold float64) bool { return agreement >= threshold-1e-9 }

// settle returns the result of a task in a round.
func (r *Round) settle(task string) Result {
	h, item := &r.Header, r.Header.Item(task)
	list := r.Counted(task)
	out := Result{Task: task, State: Waiting, Round: h.Round, N: len(list), Wanted: h.Estimators, Counts: make([]int, h.Categories())}
	if item != nil {
		out.Title, out.Hash = item.Title, item.Hash
	}
	if len(list) == 0 {
		return out
	}
	var times, points []int
	for _, e := range list {
		times, points = append(times, *e.Time), append(points, e.Difficulty)
		out.Counts[*e.Time]++
	}
	time, difficulty := spread(times), spread(points)
	out.Time, out.Difficulty = &time, &difficulty
	a, err := stats.OrderedAgreement(out.Counts)
	if err != nil {
		panic("estimate: the agreement of checked counts: " + err.Error()) // at least three categories and one estimate
	}
	if len(list) > 1 {
		out.Agreement = &a
	}
	switch {
	case len(list) < h.Estimators:
	case reaches(a, h.Threshold):
		out.State = Settled
	case h.Round < h.Rounds:
		out.State = AnotherRound
	default:
		out.State = Unagreed
	}
	return out
}

// Study holds the rounds of a benchmark, each combined from its files.
type Study struct {
	Rounds []*Round // in order
}

// Combine combines files: files of one round, which have equal headers, and the rounds of one benchmark. It
// is an error if they do not belong together. It modifies the rounds passed in, which belong to the study
// from then on.
func Combine(files ...*Round) (*Study, error) {
	if len(files) == 0 {
		return nil, fmt.Errorf("there is no estimates file")
	}
	s := &Study{}
	for _, f := range files {
		first := files[0].Header
		h := f.Header
		switch {
		case h.Benchmark != first.Benchmark:
			return nil, fmt.Errorf("%s is about %s, but %s is about %s: give files of one benchmark", f.Name, h.Benchmark, files[0].Name, first.Benchmark)
		case h.TasksHash != first.TasksHash:
			return nil, fmt.Errorf("the tasks of %s have changed between %s and %s", h.Benchmark, files[0].Name, f.Name)
		case !slices.Equal(h.Minutes, first.Minutes):
			return nil, fmt.Errorf("%s has a different scale of times from %s", f.Name, files[0].Name)
		case h.Threshold != first.Threshold || h.Estimators != first.Estimators || h.Rounds != first.Rounds:
			return nil, fmt.Errorf("%s has a different number of estimators or rounds, or a different agreement threshold, from %s", f.Name, files[0].Name)
		}
		at := slices.IndexFunc(s.Rounds, func(r *Round) bool { return r.Header.hash() == h.hash() })
		if at < 0 {
			s.Rounds = append(s.Rounds, f)
		} else if err := s.Rounds[at].merge(f); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(s.Rounds, func(a, b *Round) int { return a.Header.Round - b.Header.Round })
	return s, s.check()
}

// check checks that each round follows from the one before.
func (s *Study) check() error {
	last := map[string]*Round{}
	for _, r := range s.Rounds {
		for _, item := range r.Header.Items {
			before := last[item.Task]
			switch {
			case before == nil:
			case before.Header.Round == r.Header.Round:
				return fmt.Errorf("%s is in %s and in %s, which are two rounds %d: leave one out", item.Task, before.Name, r.Name, r.Header.Round)
			case !slices.Contains(r.Header.Previous, before.Header.hash()):
				return fmt.Errorf("%s was not made from %s: leave one out", r.Name, before.Name)
			}
			last[item.Task] = r
		}
	}
	return nil
}

// Header returns the header of the first round, whose scale and numbers all rounds share.
func (s *Study) Header() *Header { return &s.Rounds[0].Header }

// Results lists the result of each task's last round, in task order.
func (s *Study) Results() []Result {
	var list []Result
	for _, r := range s.Rounds {
		for _, item := range r.Header.Items {
			result := r.settle(item.Task)
			if at := slices.IndexFunc(list, func(x Result) bool { return x.Task == item.Task }); at >= 0 {
				list[at] = result
			} else {
				list = append(list, result)
			}
		}
	}
	return list
}

// Next returns the header of the next round: the tasks that are not settled, with the anonymous results of
// earlier rounds. It is an error if there are none, or if some still wait for estimates.
func (s *Study) Next() (Header, error) {
	first := s.Header()
	next := Header{Version: Version, Benchmark: first.Benchmark, TasksHash: first.TasksHash, Rounds: first.Rounds,
		Estimators: first.Estimators, Threshold: first.Threshold, Minutes: first.Minutes, Sample: first.Sample, Examples: first.Examples}
	var waiting []string
	for _, res := range s.Results() {
		switch {
		case res.State == Waiting:
			waiting = append(waiting, fmt.Sprintf("%s (%d of %d)", res.Task, res.N, res.Wanted))
		case res.State == AnotherRound && next.Round > 0 && next.Round != res.Round+1:
			return Header{}, fmt.Errorf("some tasks need round %d and some round %d: give the files of only one of them", next.Round, res.Round+1)
		case res.State == AnotherRound:
			next.Round = res.Round + 1
			next.Items = append(next.Items, s.again(res))
		}
	}
	if len(waiting) > 0 {
		const most = 5
		more := ""
		if len(waiting) > most {
			more = fmt.Sprintf(" and %d more", len(waiting)-most)
			waiting = waiting[:most]
		}
		return Header{}, fmt.Errorf("estimates are missing for %s%s: the next round begins when this one is complete", strings.Join(waiting, ", "), more)
	}
	if len(next.Items) == 0 {
		return Header{}, fmt.Errorf("no task needs another round: all are settled, or had their last round")
	}
	for _, r := range s.Rounds {
		if slices.ContainsFunc(next.Items, func(item Item) bool { return r.Header.Item(item.Task) != nil }) {
			next.Previous = append(next.Previous, r.Header.hash())
		}
	}
	slices.Sort(next.Previous)
	return next, nil
}

// again returns a task for the round after that of a result.
func (s *Study) again(res Result) Item {
	var item Item
	for _, r := range s.Rounds {
		earlier := r.Header.Item(res.Task)
		if earlier == nil || r.Header.Round != res.Round {
			continue
		}
		item = *earlier
		item.Before, item.Not = slices.Clone(earlier.Before), slices.Clone(earlier.Not)
		e := Earlier{Round: res.Round, N: res.N, Agreement: *res.Agreement, Time: *res.Time, Difficulty: *res.Difficulty, Comments: []string{}}
		for _, given := range r.Counted(res.Task) {
			e.Comments = append(e.Comments, strings.TrimSpace(given.Reason))
		}
		slices.Sort(e.Comments) // so that their order does not reveal who wrote them
		item.Before = append(item.Before, e)
		for _, who := range r.order {
			if len(r.people[who].given[res.Task]) > 0 {
				item.Not = append(item.Not, r.Header.mark(who))
			}
		}
		slices.Sort(item.Not)
		item.Not = slices.Compact(item.Not)
	}
	return item
}
