package difficulty

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"assay/benchmark"
	"assay/scoring/irt"
	"assay/scoring/stats"
)

// Method is a way of fitting responses.
type Method string

const (
	MAP      Method = "map"      // β3-IRT with draws of the posterior: the default
	TaskEval Method = "taskeval" // β3-IRT as TaskEval's code fits it: for reproducing, without intervals
	TwoPL    Method = "2pl"      // for responses of 0 or 1
	OnePL    Method = "1pl"      // the same with one discrimination
)

// Options specify an analysis.
type Options struct {
	Method Method
	Tasks  *benchmark.Benchmark // nil: only the tasks' ids are known
	Subset int                  // number of tasks to choose that separate the respondents best; 0: none
	Topics bool                 // group tasks by topic; requires Tasks
	Seed   uint64

	// Quick computes intervals from fewer draws, in a third of the time. They are wider, and vary more
	// between seeds.
	Quick bool

	Grouping *Grouping // topics to use if Topics is set; nil: lexical topics are found

	Who   map[string]Who // kinds of respondents other than models
	Notes []string       // about the scores
}

// Half is the difficulty below which a task with negative discrimination is a suspect rather than noise, as
// in TaskEval (section 5.1). On a falling curve, a low difficulty means that few respondents are unable
// enough to succeed.
const Half = 0.5

// Analysis is the analysis of responses to tasks.
type Analysis struct {
	Format      int          `json:"assay_difficulty"`
	Source      Source       `json:"source"`
	Model       string       `json:"model"`
	Method      string       `json:"method"`
	Respondents []Respondent `json:"respondents"`         // in descending order of ability
	Tasks       []Task       `json:"tasks"`               // in descending order of difficulty
	TopicsBy    string       `json:"topics_by,omitempty"` // how topics were found: lexical or semantic, and by what
	Topics      []Topic      `json:"topics,omitempty"`
	NoTopic     []string     `json:"no_topic,omitempty"`
	Subset      *Subset      `json:"subset,omitempty"`
	Constructs  *Constructs  `json:"constructs,omitempty"` // if requested
	People      *People      `json:"people,omitempty"`     // if requested
	Originals   *Originals   `json:"originals,omitempty"`  // if requested
	Curves      []Curve      `json:"curves,omitempty"`     // of some tasks
	Abilities   []float64    `json:"abilities"`            // of the points of curves and information
	// Fisher information of answers to all tasks, about the logit of ability
	Information []float64     `json:"information"`
	Looks       []Look        `json:"looks,omitempty"` // at answers to suspects and noise, if available
	Warnings    []irt.Warning `json:"warnings,omitempty"`
	Fit         Fit           `json:"fit"`
	Joint       *Joint        `json:"joint,omitempty"` // the analysis that shares the scale; nil: none
	Notes       []string      `json:"notes,omitempty"`

	model     irt.Model
	estimates *irt.Estimates
	expected  [][]float64 // by respondent, in order, and item
	responses irt.Responses
	order     []int // of the responses' respondents, in descending order of ability
}

// Fit describes how close the model is to the responses, which differs from how close its parameters are to
// the truth.
type Fit struct {
	By         Method         `json:"by,omitempty"`
	Responses  int            `json:"responses"`
	Explained  irt.Explained  `json:"explained"`
	Dispersion irt.Dispersion `json:"dispersion"`
	Intervals  string         `json:"intervals,omitempty"` // how they were computed; empty: there are none

	// Population is the distribution of abilities in β3-IRT.
	Population *irt.Population `json:"population,omitempty"`
}

// Parameter is an estimate with its interval at 95 %.
type Parameter struct {
	Value    float64         `json:"value"`
	Interval *stats.Interval `json:"interval,omitempty"`
}

// Respondent is a model, a model with a kind of prompt, or a person.
type Respondent struct {
	Name    string    `json:"name"`
	Who     Who       `json:"who,omitempty"` // person or program; empty for a model
	Ability Parameter `json:"ability"`
	Mean    float64   `json:"mean"` // of its scores
	N       int       `json:"n"`    // number of tasks answered
	Outfit  float64   `json:"outfit"`

	// MeanInterval is the interval for the mean over tasks like these; nil if there is none.
	MeanInterval *stats.Interval `json:"mean_interval,omitempty"`

	Expected []float64  `json:"expected"`         // score on each task, in the order of Analysis.Tasks
	Scores   []*float64 `json:"scores"`           // on each task; null: none
	Trials   []*float64 `json:"trials,omitempty"` // the number of trials behind each score
}

// Kind classifies a task by its parameters.
type Kind string

const (
	Usual   Kind = ""        // abler respondents do better
	Suspect Kind = "suspect" // less able respondents do better, and most fail: often wrong tests or wording
	Alike   Kind = "alike"   // all responses are the same: its discrimination is unknown
	Chance  Kind = "noise"   // less able respondents do better, and most succeed: few respondents, and chance
)

// Task is a task with its parameters.
type Task struct {
	ID             string    `json:"id"`
	Title          string    `json:"title,omitempty"`
	Difficulty     Parameter `json:"difficulty"`
	Discrimination Parameter `json:"discrimination"`
	Expected       float64   `json:"expected"` // score of a respondent of mean ability
	Mean           float64   `json:"mean"`     // of its scores
	N              int       `json:"n"`        // number of respondents that answered it
	Outfit         float64   `json:"outfit"`
	Kind           Kind      `json:"kind,omitempty"`
	// the sign of its discrimination is certain: its interval excludes 0, and not merely because of the priors
	Sure  bool `json:"sure"`
	Topic int  `json:"topic"` // from 1; 0: none

	Original *Original `json:"original,omitempty"` // by its original prompt, if requested
}

// Topic is a group of tasks on the same subject.
type Topic struct {
	Number         int      `json:"number"` // from 1
	Name           string   `json:"name"`
	Words          []string `json:"words"`
	Tasks          []string `json:"tasks"`
	Difficulty     float64  `json:"difficulty"`     // mean over its tasks
	Discrimination float64  `json:"discrimination"` // mean over its tasks
	// score of each respondent, in the order of Analysis.Respondents; null: no answers
	Mean []*float64 `json:"mean"`

	// Intervals of the means over tasks like these; null if there are too few tasks.
	DifficultyInterval     *stats.Interval   `json:"difficulty_interval,omitempty"`
	DiscriminationInterval *stats.Interval   `json:"discrimination_interval,omitempty"`
	MeanInterval           []*stats.Interval `json:"mean_interval,omitempty"`
	Answered               []int             `json:"answered,omitempty"` // number of tasks behind each mean
}

// Subset is a set of tasks that separates respondents best, with how well sets that are chosen like it rank respondents
// that they were not chosen by.
type Subset struct {
	irt.Choice
	IDs      []string     `json:"ids"`
	ChosenBy []string     `json:"chosen_by"`
	Ranking  *irt.Ranking `json:"ranking,omitempty"` // of analyses of version 1.0
	Note     string       `json:"note,omitempty"`    // why there is no ranking, or its limitations

	CrossFit *irt.CrossFit `json:"cross_fit,omitempty"`
}

// Analyse fits responses and describes them. It returns an error with the reason if they cannot be fitted.
func Analyse(r irt.Responses, o Options) (*Analysis, error) {
	listed := r.Items
	r = r.Sorted()
	e, err := o.fit(r)
	if err != nil {
		return nil, err
	}
	a := &Analysis{Notes: slices.Clone(o.Notes)}
	drawn, bounds := a.draw(e, o)
	e = drawn.Estimates
	a.parameters(r, e, bounds)
	for i := range a.Respondents {
		a.Respondents[i].Who = o.Who[a.Respondents[i].Name]
	}
	for j := range a.Tasks {
		if o.Tasks == nil {
			break
		}
		if task, err := o.Tasks.Task(a.Tasks[j].ID); err == nil {
			a.Tasks[j].Title = task.Title
		}
	}
	if o.Topics {
		if o.Grouping == nil {
			if o.Grouping, err = FindTopics(context.Background(), o.Tasks, listed, nil, ""); err != nil {
				return nil, err
			}
		}
		a.Regroup(o.Grouping)
		a.Notes = append(a.Notes, "Topics are "+o.Grouping.Made+".")
	}
	if o.Subset > 0 {
		if a.Subset, err = o.subset(r, e); err != nil {
			return nil, err
		}
	}
	return a, a.keep()
}

// draw samples the posterior of a fit, and records model and method. The estimates are those of the draws,
// if there are any; bounds is nil if there are no intervals.
func (a *Analysis) draw(e *irt.Estimates, o Options) (drawn irt.Drawn, bounds *irt.Intervals) {
	length := irt.Long()
	if o.Quick {
		length = irt.Short()
	}
	a.Fit = Fit{By: cmp.Or(o.Method, MAP)}
	drawn, err := e.Draw(o.Seed, length, Confidence)
	if err == nil {
		bounds = &drawn.Intervals
		a.Fit.Intervals, a.Fit.Population = fmt.Sprintf("equal-tailed, of %d draws of the posterior, at least 95 %%", length.Draws), drawn.Population
	} else {
		drawn = irt.Drawn{Estimates: e}
		a.Notes = append(a.Notes, "There are no intervals: "+err.Error()+".")
	}
	return drawn, bounds
}

// parameters lists the tasks and respondents of a fit with their estimates.
func (a *Analysis) parameters(r irt.Responses, e *irt.Estimates, bounds *irt.Intervals) {
	a.model, a.estimates, a.Method, a.Warnings = e.Model, e, e.Model.String()+", "+e.Method, e.Warnings
	a.Fit.Responses, a.Fit.Explained, a.Fit.Dispersion = e.Responses, e.Explained, e.Dispersion
	a.tasks(r, e, bounds)
	a.responses, a.order = r, a.respondents(r, e, bounds)
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (o Options) fit(r irt.Responses) (*irt.Estimates, error) {
	switch o.Method {
	case MAP, "":
		return irt.Fit(r, irt.Options{Seed: o.Seed})
	case TaskEval:
		return irt.Faithful(r)
	case TwoPL:
		return irt.TwoPL(r)
	case OnePL:
		return irt.OnePL(r)
	}
	return nil, fmt.Errorf("there is no method %q: write map, taskeval, 2pl or 1pl", o.Method)
}

func parameter(value float64, intervals func(*irt.Intervals) []stats.Interval, bounds *irt.Intervals, at int) Parameter {
	p := Parameter{Value: value}
	if bounds != nil {
		if all := intervals(bounds); at < len(all) {
			p.Interval = &all[at]
		}
	}
	return p
}

// tasks lists the items of the fit, in order.
func (a *Analysis) tasks(r irt.Responses, e *irt.Estimates, bounds *irt.Intervals) {
	mean := meanOf(e.Ability)
	fits := e.Fits()
	for j, id := range e.Items {
		t := Task{ID: id, Outfit: fits.Items[j].Outfit,
			Difficulty:     parameter(e.Difficulty[j], func(x *irt.Intervals) []stats.Interval { return x.Difficulty }, bounds, j),
			Discrimination: parameter(e.Discrimination[j], func(x *irt.Intervals) []stats.Interval { return x.Discrimination }, bounds, j)}
		if iv := t.Discrimination.Interval; iv != nil {
			t.Sure = iv.Low > 0 || iv.High < 0
		}
		if expected, err := e.Curve(j, mean); err == nil { // the mean of abilities is a valid ability
			t.Expected = expected
		}
		t.Mean, t.N = column(r, j)
		if e.Model == irt.Beta3 && t.Discrimination.Value < 0 {
			if t.Kind = Chance; t.Difficulty.Value < Half {
				t.Kind = Suspect
			}
		}
		a.Tasks = append(a.Tasks, t)
	}
}

// respondents lists the respondents in descending order of ability, and returns that order.
func (a *Analysis) respondents(r irt.Responses, e *irt.Estimates, bounds *irt.Intervals) []int {
	fits := e.Fits()
	order := make([]int, len(e.Respondents))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return compare(e.Ability[y], e.Ability[x]) })
	for _, i := range order {
		x := Respondent{Name: e.Respondents[i], Outfit: fits.Respondents[i].Outfit,
			Ability: parameter(e.Ability[i], func(x *irt.Intervals) []stats.Interval { return x.Ability }, bounds, i)}
		scores := presentScores(r.Scores[i])
		x.Mean, x.N, x.MeanInterval = meanOf(scores), len(scores), scoreInterval(scores)
		var expected []float64
		for j := range e.Items {
			expected = append(expected, e.Expected(i, j))
		}
		a.expected = append(a.expected, expected)
		a.Respondents = append(a.Respondents, x)
	}
	return order
}

// presentScores returns the scores that are not missing.
func presentScores(scores []float64) (list []float64) {
	for _, s := range scores {
		if !math.IsNaN(s) {
			list = append(list, s)
		}
	}
	return list
}

func meanOf(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// column returns the mean score of an item and the number of its responses.
func column(r irt.Responses, j int) (mean float64, n int) {
	for i := range r.Scores {
		if s := r.Scores[i][j]; !math.IsNaN(s) {
			mean, n = mean+s, n+1
		}
	}
	return mean / float64(max(n, 1)), n
}
