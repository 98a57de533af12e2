package difficulty

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"assay/benchmark"
	"assay/scoring/topics"
)

// Dimensions is the number of dimensions of texts for finding topics.
const Dimensions = 15

// Embed returns embedding vectors of texts, all of the same length.
type Embed func(ctx context.Context, texts []string) ([][]float64, error)

// Grouping holds the topics of a benchmark's tasks, as found or as edited by a person.
type Grouping struct {
	Benchmark string     `toml:"benchmark"` // its name
	Hash      string     `toml:"hash"`      // of the ids and texts in which the topics were found
	Made      string     `toml:"made"`      // how: starts with lexical or semantic
	Topics    []Group    `toml:"topic"`
	Noise     NoiseGroup `toml:"noise"`
}

// Group is a topic of a Grouping.
type Group struct {
	Name  string   `toml:"name"`
	Words []string `toml:"words"` // the most distinctive words
	Tasks []string `toml:"tasks"` // at least topics.MinTexts
}

// NoiseGroup holds the tasks without a topic.
type NoiseGroup struct {
	Tasks []string `toml:"tasks"`
}

// text returns the text of a task for finding topics.
func text(t *benchmark.Task) string { return t.Title + "\n" + t.Description + "\n" + t.Prompt }

// texts returns the texts of tasks, in order.
func texts(b *benchmark.Benchmark, ids []string) ([]string, error) {
	if b == nil {
		return nil, errors.New("topics need the statements of the tasks: name the file of tasks")
	}
	list := make([]string, len(ids))
	for i, id := range ids {
		t, err := b.Task(id)
		if err != nil {
			return nil, fmt.Errorf("topics need the statements of the tasks: %w", err)
		}
		list[i] = text(t)
	}
	return list, nil
}

// FindTopics groups tasks by meaning with the embedding model called by, or by words if embed is nil.
func FindTopics(ctx context.Context, b *benchmark.Benchmark, ids []string, embed Embed, by string) (*Grouping, error) {
	all, err := texts(b, ids)
	if err != nil {
		return nil, err
	}
	g := &Grouping{Benchmark: b.Name, Hash: topicsHash(b)}
	var points [][]float64
	if embed == nil {
		points, err = topics.Lexical(all, Dimensions)
		g.Made = fmt.Sprintf("lexical: tasks that share words, whatever the words mean (TF-IDF, %d dimensions; HDBSCAN's leaves of at least %d tasks)", Dimensions, topics.MinTexts)
	} else {
		var vectors [][]float64
		if vectors, err = embed(ctx, all); err != nil {
			return nil, err
		}
		points, err = topics.Semantic(vectors, Dimensions)
		g.Made = fmt.Sprintf("semantic: tasks whose texts mean alike to %s (cosine of its embeddings, their %d principal components; HDBSCAN's leaves of at least %d tasks)", by, Dimensions, topics.MinTexts)
	}
	if err != nil {
		return nil, err
	}
	found, err := topics.Find(all, points, topics.MinTexts)
	if err != nil {
		return nil, err
	}
	for _, t := range found.Topics {
		g.Topics = append(g.Topics, Group{t.Name, wordsOf(t), idsAt(ids, t.Members)})
	}
	g.Noise.Tasks = idsAt(ids, found.Noise)
	return g, nil
}

func wordsOf(t topics.Topic) []string {
	words := []string{}
	for _, w := range t.Words {
		words = append(words, w.Text)
	}
	return words
}

func idsAt(ids []string, at []int) []string {
	list := []string{}
	for _, i := range at {
		list = append(list, ids[i])
	}
	return list
}

// merged returns the grouping with two topics, by index, merged at the position of into, which keeps its
// name. It recomputes the words.
func (g *Grouping) merged(b *benchmark.Benchmark, into, from int) (*Grouping, error) {
	out := *g
	out.Topics = slices.Clone(g.Topics)
	var ids []string
	found := topics.Found{}
	for _, t := range g.Topics {
		members := []int{}
		for _, id := range t.Tasks {
			members = append(members, len(ids))
			ids = append(ids, id)
		}
		found.Topics = append(found.Topics, topics.Topic{Name: t.Name, Members: members})
	}
	all, err := texts(b, ids)
	if err != nil {
		return nil, err
	}
	if err := found.Merge(all, into, from); err != nil {
		return nil, err
	}
	topic := Group{Name: g.Topics[into].Name, Words: wordsOf(found.Topics[min(into, from)]),
		Tasks: slices.Concat(g.Topics[into].Tasks, g.Topics[from].Tasks)}
	out.Topics[into] = topic
	out.Topics = slices.Delete(out.Topics, from, from+1)
	return &out, nil
}

// Regroup replaces the topics of the analysis. Tasks that nobody answered are left out; tasks that are in
// no group have no topic.
func (a *Analysis) Regroup(g *Grouping) {
	a.TopicsBy, a.Topics, a.NoTopic = g.Made, nil, nil
	at := map[string]*Task{}
	for i := range a.Tasks {
		a.Tasks[i].Topic = 0
		at[a.Tasks[i].ID] = &a.Tasks[i]
	}
	items := map[string]int{}
	for j, id := range a.responses.Items {
		items[id] = j
	}
	for number, group := range g.Topics {
		x := Topic{Number: number + 1, Name: group.Name, Words: group.Words}
		var members []int
		var hard, steep []float64
		for _, id := range group.Tasks {
			t := at[id]
			if t == nil {
				continue
			}
			t.Topic = x.Number
			x.Tasks = append(x.Tasks, id)
			members = append(members, items[id])
			hard, steep = append(hard, t.Difficulty.Value), append(steep, t.Discrimination.Value)
		}
		if len(members) == 0 {
			continue
		}
		x.Difficulty, x.Discrimination = meanOf(hard), meanOf(steep)
		x.DifficultyInterval, x.DiscriminationInterval = meanInterval(hard), meanInterval(steep)
		for _, i := range a.order {
			scores := make([]float64, len(members))
			for k, j := range members {
				scores[k] = a.responses.Scores[i][j]
			}
			scores = presentScores(scores)
			var mean *float64
			if len(scores) > 0 {
				v := meanOf(scores)
				mean = &v
			}
			x.Mean, x.MeanInterval, x.Answered = append(x.Mean, mean), append(x.MeanInterval, scoreInterval(scores)), append(x.Answered, len(scores))
		}
		a.Topics = append(a.Topics, x)
	}
	for _, t := range a.Tasks {
		if t.Topic == 0 {
			a.NoTopic = append(a.NoTopic, t.ID)
		}
	}
}
