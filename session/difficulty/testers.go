package difficulty

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"assay/data/disk"
	"assay/data/table"
	"assay/scoring/irt"
	"assay/session"
	"assay/session/report"
)

// Outcome defines a tester's score on a task.
type Outcome string

const (
	// WithinK is 1 if the tester was satisfied within k attempts, else 0.
	WithinK Outcome = "satisfied"
	// ByAttempts is (k − a + 1)/k if attempt a satisfied the tester, else 0: 1 for the first attempt, 1/k
	// for the last one.
	ByAttempts Outcome = "attempts"
)

// Who is the kind of a respondent; empty for a model.
type Who string

const (
	Person  Who = "person"  // a tester, with a model
	Program Who = "program" // an automatic tester, with a model
)

// Sitting holds one session's tasks with a result. It excludes practice and tasks that were skipped,
// withdrawn or not finished.
type Sitting struct {
	Benchmark string
	K         int
	Tester    string // pseudonym
	Person    string // identifies the tester if pseudonyms do not
	Model     string // under the name that may be shown
	Program   bool
	Feedback  string // of an automatic tester
	Tasks     []Sat
}

// Sat is a task of a sitting.
type Sat struct {
	ID        string
	Satisfied bool
	Attempts  int
}

// SittingOf returns the sitting of a session. With blind the model has the name that its tester saw.
func SittingOf(s *session.State, blind bool) Sitting {
	p := s.Plan
	x := Sitting{Benchmark: p.Benchmark, K: p.K, Tester: p.Tester, Model: p.Model.Name}
	if blind {
		x.Model = p.ModelShown()
	}
	number, study := 0, ""
	if p.Study != nil {
		number, study = p.Study.Tester, p.Study.Name+" "+p.Study.Hash
	}
	x.Person = personOf(x.Tester, study, number)
	if p.Automatic != nil {
		x.Program, x.Feedback = true, string(p.Automatic.Feedback)
	}
	if s.Closed == "withdrawn" {
		return x
	}
	for _, t := range s.Tasks {
		if t.Closed && !t.Practice && t.Outcome != session.Skipped {
			x.Tasks = append(x.Tasks, Sat{t.ID, t.Outcome == session.Satisfied, len(t.Attempts)})
		}
	}
	return x
}

// personOf identifies a tester: in a study by number, otherwise by pseudonym.
func personOf(tester, study string, number int) string {
	if study != "" {
		return fmt.Sprintf("tester %d of %s", number, study)
	}
	return "named " + tester
}

// IsDataset reports whether a directory contains the dataset of a report of sessions.
func IsDataset(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(report.DatasetFile("sessions"))))
	return err == nil
}

// ReadDataset reads the sittings from the dataset of a report of sessions. Errors name file and line.
func ReadDataset(dir string) ([]Sitting, error) {
	var all []Sitting
	at := map[string]int{}
	err := eachRow(filepath.Join(dir, filepath.FromSlash(report.DatasetFile("sessions"))),
		[]string{"session", "benchmark", "k", "tester", "model", "tester_kind", "feedback", "study", "study_hash", "study_tester"},
		func(cell func(string) string) error {
			k, err := strconv.Atoi(cell("k"))
			// withdrawn sessions have no k
			if none := cell("k") == "" || cell("k") == "0"; !none && (err != nil || k < 1) {
				return fmt.Errorf("k is %q, not a whole number from 1", cell("k"))
			}
			number, study := 0, ""
			if cell("study") != "" {
				study = cell("study") + " " + cell("study_hash")
				if number, err = strconv.Atoi(cell("study_tester")); err != nil {
					return fmt.Errorf("study_tester is %q, not a whole number", cell("study_tester"))
				}
			}
			at[cell("session")] = len(all)
			all = append(all, Sitting{Benchmark: cell("benchmark"), K: k, Tester: cell("tester"), Model: cell("model"),
				Person: personOf(cell("tester"), study, number), Program: cell("tester_kind") != "" && cell("tester_kind") != "human", Feedback: cell("feedback")})
			return nil
		})
	if err != nil {
		return nil, err
	}
	return all, eachRow(filepath.Join(dir, filepath.FromSlash(report.DatasetFile("tasks"))),
		[]string{"session", "task", "analysed", "satisfied", "attempts"},
		func(cell func(string) string) error {
			i, known := at[cell("session")]
			if !known {
				return fmt.Errorf("session: %q is not in the sessions table", cell("session"))
			}
			if cell("analysed") != "1" {
				return nil
			}
			n, err := strconv.Atoi(cell("attempts"))
			if err != nil || n < 0 {
				return fmt.Errorf("attempts is %q, not a whole number", cell("attempts"))
			}
			all[i].Tasks = append(all[i].Tasks, Sat{cell("task"), cell("satisfied") == "1", n})
			return nil
		})
}

// eachRow reads a table of the dataset with the given columns.
func eachRow(path string, columns []string, row func(cell func(string) string) error) error {
	in, err := disk.Open(path)
	if err != nil {
		return fmt.Errorf("the dataset cannot be read: %w", err)
	}
	defer in.Close()
	rows, err := table.Read(in, path, columns...)
	if err != nil {
		return fmt.Errorf("%w: is this the dataset of a report of sessions?", err)
	}
	for _, r := range rows.Rows {
		if err := row(r.Text); err != nil {
			return fmt.Errorf("%s:%d: %w", path, r.Line, err)
		}
	}
	return nil
}

// Testers are testers' responses, with the kinds of respondents.
type Testers struct {
	Responses irt.Responses
	Who       map[string]Who // by the respondents' names
	Notes     []string
}

// FromTesters makes responses from sessions: a respondent is a tester, or a tester with each model if a
// tester has several, or a program with a policy and a model. If a respondent did a task in several
// sessions the score is their mean. It is an error if there are no results, or if the sessions belong to
// several benchmarks.
func FromTesters(sittings []Sitting, outcome Outcome) (Testers, error) {
	out := Testers{Who: map[string]Who{}}
	r := &out.Responses
	benchmark, ks := "", []int{}
	names := namesOf(sittings)
	cells := map[[2]string]*cellSum{}
	for i, s := range sittings {
		if len(s.Tasks) == 0 {
			continue
		}
		switch {
		case benchmark == "":
			benchmark = s.Benchmark
		case benchmark != s.Benchmark:
			return out, fmt.Errorf("the sessions are from several benchmarks, %q and %q: choose those of one with --session", benchmark, s.Benchmark)
		}
		if !slices.Contains(ks, s.K) {
			ks = append(ks, s.K)
		}
		name := names[i]
		if !slices.Contains(r.Respondents, name) {
			r.Respondents = append(r.Respondents, name)
			out.Who[name] = Person
			if s.Program {
				out.Who[name] = Program
			}
		}
		for _, t := range s.Tasks {
			if !slices.Contains(r.Items, t.ID) {
				r.Items = append(r.Items, t.ID)
			}
			at := [2]string{name, t.ID}
			if cells[at] == nil {
				cells[at] = &cellSum{}
			}
			cells[at].n++
			cells[at].sum += outcome.of(t, s.K)
		}
	}
	if benchmark == "" {
		return out, errors.New("no session has a task with a result: practice, skipped, withdrawn and unfinished tasks have none")
	}
	for _, name := range r.Respondents {
		scores, trials := make([]float64, len(r.Items)), make([]float64, len(r.Items))
		for j, task := range r.Items {
			scores[j], trials[j] = math.NaN(), math.NaN()
			if c := cells[[2]string{name, task}]; c != nil {
				scores[j], trials[j] = c.sum/float64(c.n), float64(c.n)
			}
		}
		r.Scores = append(r.Scores, scores)
		if outcome == WithinK {
			r.Trials = append(r.Trials, trials)
		}
	}
	out.Notes = append(out.Notes, outcome.words(ks))
	return out, nil
}

func (o Outcome) of(t Sat, k int) float64 {
	switch {
	case !t.Satisfied:
		return 0
	case o == ByAttempts:
		return float64(max(k-t.Attempts+1, 1)) / float64(max(k, 1))
	}
	return 1
}

func (o Outcome) words(ks []int) string {
	score := "1 where a tester was satisfied within k attempts, else 0"
	if o == ByAttempts {
		score = "(k − a + 1)/k where a tester was satisfied with attempt a of k, else 0"
	}
	slices.Sort(ks)
	k := fmt.Sprintf("k is %d", ks[0])
	if len(ks) > 1 {
		k = fmt.Sprintf("k is from %d to %d, so that their scores do not mean the same", ks[0], ks[len(ks)-1])
	}
	return "Testers' scores: " + score + "; " + k + ". Practice is left out; tasks that were skipped, withdrawn or not finished are missing."
}

// namesOf returns the respondents' names by sitting.
func namesOf(sittings []Sitting) []string {
	people, models, taken := map[string]string{}, map[string][]string{}, map[string]bool{}
	for _, s := range sittings {
		if s.Program || len(s.Tasks) == 0 {
			continue
		}
		if !slices.Contains(models[s.Person], s.Model) {
			models[s.Person] = append(models[s.Person], s.Model)
		}
		if people[s.Person] != "" {
			continue
		}
		name := "tester " + s.Tester
		if s.Tester == "" {
			name = "testers without a name"
		}
		for n, first := 2, name; taken[name]; n++ {
			name = fmt.Sprintf("%s #%d", first, n)
		}
		people[s.Person], taken[name] = name, true
	}
	names, known := make([]string, len(sittings)), map[[2]string]string{} // by person and model
	for i, s := range sittings {
		switch {
		case s.Program:
			names[i] = "automatic tester, " + s.Feedback + ", " + s.Model
		case len(models[s.Person]) > 1:
			who := [2]string{s.Person, s.Model}
			if known[who] == "" {
				known[who] = people[s.Person] + ", " + s.Model
				for n, first := 2, known[who]; taken[known[who]]; n++ { // the name may be in use
					known[who] = fmt.Sprintf("%s #%d", first, n)
				}
				taken[known[who]] = true
			}
			names[i] = known[who]
		default:
			names[i] = people[s.Person]
		}
	}
	return names
}

// Together puts testers on one scale with models that worked on the same tasks. It is an error if they have
// no task in common, since nothing would link the two scales.
func Together(models irt.Responses, t Testers) (Testers, error) {
	common := 0
	for _, id := range t.Responses.Items {
		if slices.Contains(models.Items, id) {
			common++
		}
	}
	if common == 0 {
		return t, fmt.Errorf("testers and models have no task in common: analyse them separately")
	}
	r := irt.Responses{Respondents: slices.Clone(models.Respondents), Items: slices.Clone(models.Items)}
	for _, id := range t.Responses.Items {
		if !slices.Contains(r.Items, id) {
			r.Items = append(r.Items, id)
		}
	}
	at := map[string]int{}
	for j, id := range r.Items {
		at[id] = j
	}
	counted := models.Trials != nil && t.Responses.Trials != nil
	add := func(from irt.Responses) {
		for i := range from.Respondents {
			scores, trials := missing(len(r.Items)), missing(len(r.Items))
			for j, id := range from.Items {
				scores[at[id]] = from.Scores[i][j]
				if counted {
					trials[at[id]] = from.Trials[i][j]
				}
			}
			r.Scores = append(r.Scores, scores)
			if counted {
				r.Trials = append(r.Trials, trials)
			}
		}
	}
	add(models)
	who := map[string]Who{}
	for _, name := range t.Responses.Respondents {
		shown := name
		for slices.Contains(models.Respondents, shown) {
			shown += " (tester)"
		}
		r.Respondents, who[shown] = append(r.Respondents, shown), t.Who[name]
	}
	add(t.Responses)
	notes := append(slices.Clone(t.Notes), fmt.Sprintf("Testers and models stand on one scale, held together by %s: a tester's ability is that of the tester with a model and up to k attempts, a model's that of its answers alone, and a task has one difficulty for both.", plural(common, "task")))
	switch {
	case models.Trials == nil && t.Responses.Trials != nil:
		notes = append(notes, "The models' scores come without the numbers of samples that they are shares of, so that the testers' outcomes are not counted as such either: a column n in the table mends that.")
	case models.Trials != nil && t.Responses.Trials == nil:
		notes = append(notes, "The testers' scores are no shares of a number of trials, so that the models' numbers of samples are not used either.")
	}
	return Testers{r, who, notes}, nil
}

func missing(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.NaN()
	}
	return x
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
