package difficulty

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
)

// Embedder places texts, and hands each batch to done; session/llm has one.
type Embedder interface {
	Embed(ctx context.Context, texts []string, done func(from int, vectors [][]float64) error) error
}

// EmbeddingsFile keeps where a model placed texts, so that nobody is asked twice: a line for
// each text, by its hash and that of the model's definition. Lines of other models are left
// as they are.
type EmbeddingsFile struct {
	Path       string
	Model      string // its name, for people who read the file
	Definition string // what the vectors depend on
}

// embedding is a line of the file.
type embedding struct {
	Model      string    `json:"model"`
	Definition string    `json:"definition"`
	Text       string    `json:"text"` // its SHA-256
	Vector     []float64 `json:"vector"`
}

// Embed is the vectors of texts: those that the file has, and of the others what the model
// says, which the file has afterwards. Say is told how many are asked for, before.
func (f EmbeddingsFile) Embed(ctx context.Context, texts []string, model Embedder, say func(asked int)) (vectors [][]float64, err error) {
	known, whole, err := f.read()
	if err != nil {
		return nil, err
	}
	keys := make([]string, len(texts))
	var missing, wanted []string
	seen := map[string]bool{}
	for i, t := range texts {
		sum := sha256.Sum256([]byte(t))
		keys[i] = hex.EncodeToString(sum[:])
		if known[keys[i]] == nil && !seen[keys[i]] {
			missing, wanted = append(missing, t), append(wanted, keys[i])
			seen[keys[i]] = true
		}
	}
	if len(missing) > 0 {
		say(len(missing))
		if err := f.ask(ctx, missing, wanted, model, known, whole); err != nil {
			return nil, err
		}
	}
	for i, k := range keys {
		v := known[k]
		if len(v) != len(known[keys[0]]) {
			return nil, fmt.Errorf("%s has vectors of %d and of %d numbers by %s: has the model changed on its server? Move the file away, so that all texts are placed anew", f.Path, len(known[keys[0]]), len(v), f.Model)
		}
		vectors = append(vectors, known[keys[i]])
	}
	return vectors, nil
}

// ask keeps each batch as it comes: what was paid for is not lost to a failure after it.
func (f EmbeddingsFile) ask(ctx context.Context, missing, keys []string, model Embedder, known map[string][]float64, whole int64) (err error) {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o755); err != nil {
		return fmt.Errorf("the file of embeddings cannot be made: %w", err)
	}
	out, err := os.OpenFile(f.Path, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("the file of embeddings cannot be written: %w", err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if err := out.Truncate(whole); err != nil { // of a line that was cut off
		return err
	}
	if _, err := out.Seek(whole, io.SeekStart); err != nil {
		return err
	}
	return model.Embed(ctx, missing, func(from int, vectors [][]float64) error {
		var lines bytes.Buffer
		for i, v := range vectors {
			known[keys[from+i]] = v
			line, err := json.Marshal(embedding{f.Model, f.Definition, keys[from+i], v})
			if err != nil {
				return err
			}
			lines.Write(append(line, '\n'))
		}
		if _, err := out.Write(lines.Bytes()); err != nil {
			return fmt.Errorf("embeddings cannot be kept: %w", err)
		}
		return nil
	})
}

// read is what the file has of this model, and where its last whole line ends: a crash may
// have cut one off.
func (f EmbeddingsFile) read() (known map[string][]float64, whole int64, err error) {
	known = map[string][]float64{}
	in, err := os.Open(f.Path)
	if errors.Is(err, os.ErrNotExist) {
		return known, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("the file of embeddings cannot be read: %w", err)
	}
	defer in.Close()
	lines := bufio.NewReaderSize(in, 1<<16)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return known, whole, nil
		}
		if err != nil {
			return nil, 0, fmt.Errorf("the file of embeddings cannot be read: %w", err)
		}
		whole += int64(len(line))
		var e embedding
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, 0, fmt.Errorf("%s:%d: this is no line of a file of embeddings: %w; remove the line, or name another file", f.Path, n, err)
		}
		sum := 0.0
		for _, x := range e.Vector {
			sum += x * x
		}
		if !(sum > 0) || math.IsInf(sum, 0) || len(e.Text) != sha256.Size*2 {
			return nil, 0, fmt.Errorf("%s:%d: vector: it has no direction, or no text: remove the line, and the text is placed anew", f.Path, n)
		}
		if e.Definition == f.Definition {
			known[e.Text] = e.Vector
		}
	}
}
