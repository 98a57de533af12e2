package difficulty

import (
	"fmt"
	"math"

	"assay/scoring/irt"
	"assay/scoring/topics"
)

// Dimensions are those that texts are placed in to find topics.
const Dimensions = 15

// topics groups the tasks by their words.
func (a *Analysis) topics(r irt.Responses, order []int, o Options) error {
	if o.Tasks == nil {
		return fmt.Errorf("topics need the statements of the tasks: name the file of tasks")
	}
	texts := make([]string, len(a.Tasks))
	for j, t := range a.Tasks {
		task, err := o.Tasks.Task(t.ID)
		if err != nil {
			return fmt.Errorf("topics need the statements of the tasks: %w", err)
		}
		texts[j] = task.Title + "\n" + task.Description + "\n" + task.Prompt
	}
	points, err := topics.Lexical(texts, Dimensions, o.Seed)
	if err != nil {
		return err
	}
	found, err := topics.Find(texts, points, topics.MinTexts)
	if err != nil {
		return err
	}
	a.Notes = append(a.Notes, fmt.Sprintf("Topics are lexical: tasks that share words (TF-IDF, %d dimensions, HDBSCAN's leaves of at least %d tasks), whatever the words mean.", Dimensions, topics.MinTexts))
	for _, j := range found.Noise {
		a.NoTopic = append(a.NoTopic, a.Tasks[j].ID)
	}
	for number, t := range found.Topics {
		x := Topic{Number: number + 1, Name: t.Name}
		for _, w := range t.Words {
			x.Words = append(x.Words, w.Text)
		}
		for _, j := range t.Members {
			a.Tasks[j].Topic = x.Number
			x.Tasks = append(x.Tasks, a.Tasks[j].ID)
			x.Difficulty += a.Tasks[j].Difficulty.Value / float64(len(t.Members))
			x.Discrimination += a.Tasks[j].Discrimination.Value / float64(len(t.Members))
		}
		for _, i := range order {
			sum, n := 0.0, 0
			for _, j := range t.Members {
				if s := r.Scores[i][j]; !math.IsNaN(s) {
					sum, n = sum+s, n+1
				}
			}
			if n == 0 {
				x.Mean = append(x.Mean, nil)
				continue
			}
			mean := sum / float64(n)
			x.Mean = append(x.Mean, &mean)
		}
		a.Topics = append(a.Topics, x)
	}
	return nil
}
