package difficulty

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"assay/benchmark"
	"assay/scoring/codebleu"
	"assay/scoring/quality"
	"assay/scoring/stats"
)

// Code is one sample's program.
type Code struct {
	Model    string
	Task     string
	Source   string
	Accepted bool
}

// Similarity determines which samples count.
type Similarity struct {
	Threshold float64          // least CodeBLEU with the reference solution, from 0 to 1
	Weights   codebleu.Weights // of CodeBLEU's four components
}

// Similar is TaskEval's choice: a CodeBLEU of at least a half with equal weights.
func Similar() Similarity { return Similarity{0.5, codebleu.Equal()} }

// Constructs is the association between constructs in models' programs and tasks' parameters (TaskEval,
// tables 1 and 2).
type Constructs struct {
	Threshold float64 `json:"threshold"` // of CodeBLEU
	Weights   Weights `json:"weights"`   // of its components
	Tasks     int     `json:"tasks"`     // used
	// because fewer than half of their samples are similar to a correct one
	LeftOut          int            `json:"left_out"`
	NoReference      int            `json:"reference"`         // without a reference solution
	Samples          int            `json:"samples"`           // used
	DifficultyAt     float64        `json:"difficulty_at"`     // the median of the tasks used: TaskEval's x
	DiscriminationAt float64        `json:"discrimination_at"` // the median absolute discrimination
	Difficulty       []ConstructRow `json:"by_difficulty"`
	Discrimination   []ConstructRow `json:"by_discrimination"` // by absolute value
	// what both are computed from; files of earlier versions have none
	Means []ConstructMeans `json:"means,omitempty"`
}

// ConstructMeans is how often a model uses each construct in its programs for one task.
type ConstructMeans struct {
	Model   string    `json:"model"`
	Task    string    `json:"task"`
	Samples int       `json:"samples"`  // that count
	PerLine []float64 `json:"per_line"` // the mean over them, in the order of quality.AllConstructs
}

// Weights are the weights of CodeBLEU's components.
type Weights struct {
	NGram         float64 `json:"ngram"`
	WeightedNGram float64 `json:"weighted_ngram"`
	Syntax        float64 `json:"syntax"`
	DataFlow      float64 `json:"dataflow"`
}

// ConstructRow is one construct in one model's programs.
type ConstructRow struct {
	Model     string            `json:"model"`
	Construct quality.Construct `json:"construct"`
	N         int               `json:"n"`      // tasks
	Tau       float64           `json:"tau_b"`  // of its mean frequency per line with the tasks' parameter
	P         float64           `json:"p"`      // of no association
	Holm      float64           `json:"p_holm"` // over all models and constructs
	// Anderson-Darling between the lower and upper half of tasks, standardised
	AD       float64   `json:"ad"`
	ADP      float64   `json:"ad_p"`
	ADCapped stats.Cap `json:"ad_capped,omitempty"`
	ADHolm   float64   `json:"ad_p_holm"`
}

// Stars returns those of TaskEval's tables: *** below 0.01, ** below 0.05, * below 0.1, by the uncorrected
// p-value.
func Stars(p float64) string {
	switch {
	case p < 0.01:
		return "***"
	case p < 0.05:
		return "**"
	case p < 0.1:
		return "*"
	}
	return "-"
}

// frequencies holds the frequencies in a model's samples of a task.
type frequencies struct {
	sum map[quality.Construct]float64
	n   int
}

// CountConstructs compares how often models use each construct with the tasks' parameters. A sample counts
// if it is correct, or similar to the task's reference solution; a task counts if at least half of the
// samples of all models do. Frequencies are per line of code, and averaged over a model's samples of a
// task. It is an error if a language has no CodeBLEU or no syntax tree, or if fewer than four tasks remain.
func CountConstructs(a *Analysis, b *benchmark.Benchmark, samples func(func(Code) error) error, s Similarity) (*Constructs, error) {
	out := &Constructs{Threshold: s.Threshold, Weights: Weights(s.Weights)}
	all, used := map[string]int{}, map[string]int{}
	counts := map[[2]string]*frequencies{}
	without := map[string]bool{}
	err := samples(func(c Code) error {
		task, err := b.Task(c.Task)
		if err != nil {
			return err
		}
		if task.Reference == "" {
			without[c.Task] = true
			return nil
		}
		all[c.Task]++
		near, err := s.near(task, c)
		if err != nil || !near {
			return err
		}
		m, err := quality.Measure(task.Language, []byte(c.Source))
		if err != nil {
			return fmt.Errorf("measuring an answer to %q: %w", c.Task, err)
		}
		used[c.Task]++
		at := [2]string{c.Model, c.Task}
		if counts[at] == nil {
			counts[at] = &frequencies{sum: map[quality.Construct]float64{}}
		}
		counts[at].n++
		for construct, f := range m.Constructs {
			counts[at].sum[construct] += f.PerLine
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var tasks []Task
	for _, t := range a.Tasks {
		switch n := all[t.ID]; {
		case n > 0 && 2*used[t.ID] >= n:
			tasks = append(tasks, t)
			out.Samples += used[t.ID]
		case n > 0:
			out.LeftOut++
		}
	}
	out.Tasks, out.NoReference = len(tasks), len(without)
	if len(tasks) < 4 {
		return nil, fmt.Errorf("%d tasks have at least half of their samples similar to a correct one (CodeBLEU %v): too few to compare", len(tasks), s.Threshold)
	}
	if out.DifficultyAt, out.DiscriminationAt, err = medians(tasks); err != nil {
		return nil, err
	}
	models := map[string]bool{}
	for at := range counts {
		models[at[0]] = true
	}
	for _, model := range slices.Sorted(func(yield func(string) bool) {
		for m := range models {
			if !yield(m) {
				return
			}
		}
	}) {
		for _, table := range []struct {
			to *[]ConstructRow
			by func(Task) float64
		}{{&out.Difficulty, func(t Task) float64 { return t.Difficulty.Value }}, {&out.Discrimination, func(t Task) float64 { return math.Abs(t.Discrimination.Value) }}} {
			rows, err := rowsOf(model, tasks, counts, table.by)
			if err != nil {
				return nil, err
			}
			*table.to = append(*table.to, rows...)
		}
		out.Means = append(out.Means, meansOf(model, tasks, counts)...)
	}
	return out, errors.Join(correct(out.Difficulty), correct(out.Discrimination))
}

// meansOf returns a model's frequencies in the tasks that are used.
func meansOf(model string, tasks []Task, counts map[[2]string]*frequencies) []ConstructMeans {
	var all []ConstructMeans
	for _, t := range tasks {
		k := counts[[2]string{model, t.ID}]
		if k == nil {
			continue
		}
		m := ConstructMeans{Model: model, Task: t.ID, Samples: k.n}
		for _, construct := range quality.AllConstructs() {
			m.PerLine = append(m.PerLine, k.sum[construct]/float64(k.n))
		}
		all = append(all, m)
	}
	return all
}

// correct adds p-values corrected for all models and constructs: the tests by tau-b of one parameter are a
// family, and those by Anderson-Darling another.
func correct(rows []ConstructRow) error {
	var ps, ads []float64
	for _, r := range rows {
		ps, ads = append(ps, r.P), append(ads, r.ADP)
	}
	holm, err := stats.Holm(ps)
	if err != nil {
		return err
	}
	adHolm, err := stats.Holm(ads)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].Holm, rows[i].ADHolm = holm[i], adHolm[i]
	}
	return nil
}

// medians returns the medians of the tasks' difficulty and absolute discrimination.
func medians(tasks []Task) (difficulty, discrimination float64, err error) {
	var hard, steep []float64
	for _, t := range tasks {
		hard, steep = append(hard, t.Difficulty.Value), append(steep, math.Abs(t.Discrimination.Value))
	}
	if difficulty, err = stats.Quantile(hard, 0.5, stats.Linear); err != nil {
		return 0, 0, err
	}
	discrimination, err = stats.Quantile(steep, 0.5, stats.Linear)
	return difficulty, discrimination, err
}

// near reports whether a sample is correct or similar to the reference.
func (s Similarity) near(t *benchmark.Task, c Code) (bool, error) {
	if c.Accepted {
		return true, nil
	}
	score, err := codebleu.Compare(t.Language, c.Source, []string{t.Reference}, s.Weights, codebleu.Default)
	if err != nil {
		return false, fmt.Errorf("comparing an answer to %q with its reference solution: %w", t.ID, err)
	}
	return score.CodeBLEU >= s.Threshold, nil
}

// rowsOf returns the constructs of one model.
func rowsOf(model string, tasks []Task, counts map[[2]string]*frequencies, by func(Task) float64) ([]ConstructRow, error) {
	var mine []Task
	for _, t := range tasks {
		if counts[[2]string{model, t.ID}] != nil {
			mine = append(mine, t)
		}
	}
	slices.SortStableFunc(mine, func(x, y Task) int { return cmp.Compare(by(x), by(y)) })
	var rows []ConstructRow
	for _, construct := range quality.AllConstructs() {
		x, y := make([]float64, len(mine)), make([]float64, len(mine))
		for i, t := range mine {
			k := counts[[2]string{model, t.ID}]
			x[i], y[i] = k.sum[construct]/float64(k.n), by(t)
		}
		tau, err := stats.Kendall(x, y, stats.Auto)
		if errors.Is(err, stats.ErrNoVariation) || errors.Is(err, stats.ErrTooFew) {
			continue // the model never uses it
		}
		if err != nil {
			return nil, fmt.Errorf("correlating %s of %s: %w", construct, model, err)
		}
		half := len(mine) / 2
		ad, err := stats.AndersonDarling(true, x[:half], x[half:])
		if err != nil {
			return nil, fmt.Errorf("comparing %s of %s: %w", construct, model, err)
		}
		rows = append(rows, ConstructRow{Model: model, Construct: construct, N: len(mine), Tau: tau.TauB, P: tau.P, AD: ad.Statistic, ADP: ad.P, ADCapped: ad.Capped})
	}
	return rows, nil
}
