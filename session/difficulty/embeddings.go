package difficulty

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"assay/data/disk"
	"assay/data/filelock"
)

// Embedder embeds texts and passes each batch to done; session/llm has one.
type Embedder interface {
	Embed(ctx context.Context, texts []string, done func(from int, vectors [][]float64) error) error
}

// EmbeddingsFile caches embeddings of texts, so that no text is requested twice: a line for each text, with
// its hash and the hash of the model's definition. Lines of other models are not changed.
type EmbeddingsFile struct {
	Path       string
	Model      string // its name, for readers of the file
	Definition string // what the vectors depend on
}

// embedding is a line of the file.
type embedding struct {
	Model      string    `json:"model"`
	Definition string    `json:"definition"`
	Text       string    `json:"text"` // its SHA-256
	Vector     []float64 `json:"vector"`
}

// Embed returns the vectors of texts: from the file, or from the model, which also adds them to the file.
// say is called first with the number of texts to request.
func (f EmbeddingsFile) Embed(ctx context.Context, texts []string, model Embedder, say func(asked int)) (vectors [][]float64, err error) {
	known, _, err := f.read()
	if err != nil {
		return nil, err
	}
	keys := make([]string, len(texts))
	all := true
	for i, t := range texts {
		keys[i] = disk.Sum(t)
		all = all && known[keys[i]] != nil
	}
	if !all {
		if known, err = f.ask(ctx, texts, keys, model, say); err != nil {
			return nil, err
		}
	}
	for i, k := range keys {
		v := known[k]
		if len(v) != len(known[keys[0]]) {
			return nil, fmt.Errorf("%s has vectors of %d and of %d numbers by %s: has the model changed on its server? Move the file away to embed all texts again", f.Path, len(known[keys[0]]), len(v), f.Model)
		}
		vectors = append(vectors, known[keys[i]])
	}
	return vectors, nil
}

// ask requests the vectors of the texts that the file lacks, and returns all vectors. It stores each batch
// as it arrives: nothing that was paid for is lost to a later failure. It locks the file meanwhile.
func (f EmbeddingsFile) ask(ctx context.Context, texts, keys []string, model Embedder, say func(asked int)) (known map[string][]float64, err error) {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o755); err != nil {
		return nil, fmt.Errorf("the embeddings file cannot be created: %w", err)
	}
	out, err := os.OpenFile(f.Path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("the embeddings file cannot be written: %w", err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if err := disk.Appendable(out, f.Path); err != nil {
		return nil, fmt.Errorf("the embeddings file cannot be written: %w", err)
	}
	if err := filelock.Take(out); errors.Is(err, filelock.ErrTaken) {
		return nil, fmt.Errorf("%s: another assay process is embedding texts: try again when it is done, or name another file", f.Path)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	known, whole, err := f.read()
	if err != nil {
		return nil, err
	}
	if err := out.Truncate(whole); err != nil { // a truncated line
		return nil, err
	}
	var missing, wanted []string
	for i, t := range texts {
		if known[keys[i]] == nil && !slices.Contains(wanted, keys[i]) {
			missing, wanted = append(missing, t), append(wanted, keys[i])
		}
	}
	if len(missing) == 0 {
		return known, nil
	}
	say(len(missing))
	return known, model.Embed(ctx, missing, func(from int, vectors [][]float64) error {
		var lines bytes.Buffer
		for i, v := range vectors {
			known[wanted[from+i]] = v
			line, err := json.Marshal(embedding{f.Model, f.Definition, wanted[from+i], v})
			if err != nil {
				return err
			}
			lines.Write(append(line, '\n'))
		}
		if _, err := out.Write(lines.Bytes()); err != nil {
			return fmt.Errorf("embeddings cannot be saved: %w", err)
		}
		return nil
	})
}

// read returns this model's vectors in the file, and the end of its last complete line: a crash may have
// truncated one.
func (f EmbeddingsFile) read() (known map[string][]float64, whole int64, err error) {
	known = map[string][]float64{}
	in, err := disk.Open(f.Path)
	if errors.Is(err, os.ErrNotExist) {
		return known, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("the embeddings file cannot be read: %w", err)
	}
	defer in.Close()
	lines := bufio.NewReaderSize(in, 1<<16)
	for n := 1; ; n++ {
		line, err := disk.ReadLine(lines, f.Path)
		if errors.Is(err, io.EOF) {
			return known, whole, nil
		}
		if err != nil {
			return nil, 0, fmt.Errorf("the embeddings file cannot be read: %w", err)
		}
		whole += int64(len(line))
		var e embedding
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, 0, fmt.Errorf("%s:%d: this is not a line of an embeddings file: %w; remove the line, or name another file", f.Path, n, err)
		}
		sum := 0.0
		for _, x := range e.Vector {
			sum += x * x
		}
		if !(sum > 0) || math.IsInf(sum, 0) || len(e.Text) != sha256.Size*2 {
			return nil, 0, fmt.Errorf("%s:%d: vector: it has no direction, or no text: remove the line to embed the text again", f.Path, n)
		}
		if e.Definition == f.Definition {
			known[e.Text] = e.Vector
		}
	}
}
