package difficulty

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/stores"
	"assay/session"
	"assay/session/difficulty"
	"assay/session/llm"
	"assay/session/study"
)

// difficultyFrom holds the sources of difficulty besides models' results: testers and topics.
type difficultyFrom struct {
	g *console.Globals

	testers  bool
	outcome  string
	sessions []string

	embeddings, embeddingsFile string
	topicsFile                 string

	who   map[string]difficulty.Who
	notes []string
	file  *difficulty.TopicsFile // nil: there is none

	quick bool                                 // first use fewer draws for intervals
	drawn func() (*difficulty.Analysis, error) // repeats the analysis with intervals from draws
}

func (d *difficultyFrom) flags(f *pflag.FlagSet) {
	f.BoolVar(&d.testers, "testers", false, "testers of the store's sessions are respondents; RESULTS may be left out")
	f.StringVar(&d.outcome, "outcome", string(difficulty.WithinK), "a tester's score: satisfied (1 within k attempts, else 0) or attempts ((k − a + 1)/k for satisfaction with attempt a of k, else 0)")
	f.StringSliceVar(&d.sessions, "session", nil, "with --testers these `sessions` only: ids, beginnings of them, \"last\" (default: all)")
	f.StringVar(&d.embeddings, "embeddings", "", "with --topics group tasks by what they mean to this `model` for embeddings, of the models file")
	f.StringVar(&d.embeddingsFile, "embeddings-file", "", "where embeddings are cached, so that none is requested twice (default: embeddings.jsonl in assay's cache folder)")
	f.StringVar(&d.topicsFile, "topics-file", "", "the `file` of topics that people edit (TOML): written if there is none, else read; needs --tasks")
}

// wrong returns an error if the flags are inconsistent.
func (d *difficultyFrom) wrong(topics bool, tasks string) error {
	switch {
	case d.outcome != string(difficulty.WithinK) && d.outcome != string(difficulty.ByAttempts):
		return console.Usagef("--outcome is satisfied or attempts, not %q", d.outcome)
	case len(d.sessions) > 0 && !d.testers:
		return console.Usagef("--session chooses among the testers' sessions: give --testers")
	case d.embeddings != "" && !topics && d.topicsFile == "":
		return console.Usagef("--embeddings are for topics: give --topics")
	case d.embeddingsFile != "" && d.embeddings == "":
		return console.Usagef("--embeddings-file caches a model's embeddings: give --embeddings NAME")
	case d.topicsFile != "" && tasks == "":
		return console.Usagef("--topics-file needs the statements of the tasks: give --tasks FILE")
	}
	return nil
}

// topics reads the file of topics, or finds topics and writes a missing file.
func (d *difficultyFrom) topics(ctx context.Context, io *console.IO, tasks *benchmark.Benchmark, answered []string, opts *difficulty.Options) error {
	if d.topicsFile != "" {
		file, err := difficulty.ReadTopicsFile(d.topicsFile, tasks)
		if err == nil {
			d.file, opts.Grouping = file, &file.Grouping
			note := fmt.Sprintf("Topics are read from %s, which people may have edited.", d.topicsFile)
			if d.embeddings != "" {
				note += " No model was asked: without the file it would be."
			}
			if file.Changed() {
				note += " The tasks' texts have changed since it was written."
			}
			opts.Notes = append(slices.Clone(opts.Notes), note)
			return nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			return err
		}
		answered = nil // the file contains all tasks of the benchmark
		for i := range tasks.Tasks {
			answered = append(answered, tasks.Tasks[i].ID)
		}
	}
	embed, name, err := d.embedder(io)
	if err != nil {
		return err
	}
	if opts.Grouping, err = difficulty.FindTopics(ctx, tasks, answered, embed, name); err != nil {
		return err
	}
	if d.topicsFile == "" {
		return nil
	}
	if len(opts.Grouping.Topics) == 0 {
		return fmt.Errorf("no topics were found among the tasks, so %s is not written", d.topicsFile)
	}
	if d.file, err = difficulty.CreateTopicsFile(d.topicsFile, tasks, opts.Grouping); err != nil {
		return err
	}
	fmt.Fprintf(io.Err, "note: the topics are in %s: later runs read them from there, with your edits\n", d.topicsFile)
	return nil
}

// embedder returns the named embedding model with its description; nil if none was named.
func (d *difficultyFrom) embedder(io *console.IO) (difficulty.Embed, string, error) {
	if d.embeddings == "" {
		return nil, "", nil
	}
	models, err := llm.LoadModels(llm.ModelsPath(d.g.Models, io.Getenv))
	if err != nil {
		return nil, "", err
	}
	m, err := models.GetEmbeddings(d.embeddings)
	if err != nil {
		return nil, "", err
	}
	client, err := m.Embedder(inputs.ModelsDeps(io))
	if err != nil {
		return nil, "", err
	}
	path := d.embeddingsFile
	if path == "" {
		path = filepath.Join(xdg.CacheHome, "assay", "embeddings.jsonl")
	}
	file := difficulty.EmbeddingsFile{Path: path, Model: m.Model, Definition: m.Definition()}
	return func(ctx context.Context, texts []string) ([][]float64, error) {
		return file.Embed(ctx, texts, client, func(asked int) {
			fmt.Fprintf(io.Err, "asking %s for the embeddings of %d texts …\n", m.Name, asked)
		})
	}, m.Model, nil
}

// sittings reads the named sessions, or all, from the store or its snapshot.
func (d *difficultyFrom) sittings(io *console.IO) (_ []difficulty.Sitting, err error) {
	k, err := stores.OpenKept(io, d.g)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, k.Close()) }()
	chosen := d.sessions
	if len(chosen) == 0 {
		chosen = []string{"all"}
	}
	ids, err := stores.SessionIDs(k, chosen)
	if err != nil {
		return nil, err
	}
	slices.Sort(ids) // in chronological order, to order respondents
	ids = slices.Compact(ids)
	blind, err := stores.StaysBlind(k, ids)
	if err != nil {
		return nil, err
	}
	unblinded, err := k.Unblinded()
	if err != nil {
		return nil, err
	}
	var all []difficulty.Sitting
	for i, id := range ids {
		events, err := k.Events(id, 1)
		if err != nil {
			return nil, err
		}
		state, err := session.Replay(study.Reveal(unblinded, events))
		if err != nil {
			return nil, fmt.Errorf("session %s cannot be read: %w; see 'assay session verify %[1]s'", id, err)
		}
		all = append(all, difficulty.SittingOf(state, blind))
		if i%8 == 7 {
			k.Release()
		}
	}
	return all, nil
}
