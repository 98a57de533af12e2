package difficulty

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
)

// model is an embedding model that counts requests.
type model struct {
	asked  int
	batch  int
	fails  int // the batch that fails, from 1
	length int
}

func (m *model) Embed(_ context.Context, texts []string, done func(int, [][]float64) error) error {
	for from, n := 0, 1; from < len(texts); from, n = from+m.batch, n+1 {
		if n == m.fails {
			return errors.New("the server is gone")
		}
		var vectors [][]float64
		for _, text := range texts[from:min(from+m.batch, len(texts))] {
			v := make([]float64, m.length)
			v[0], v[m.length-1] = float64(len(text)), 1
			vectors = append(vectors, v)
			m.asked++
		}
		if err := done(from, vectors); err != nil {
			return err
		}
	}
	return nil
}

func TestEmbeddingsAreAskedForOnce(t *testing.T) {
	f := EmbeddingsFile{Path: filepath.Join(t.TempDir(), "deep", "e.jsonl"), Model: "m", Definition: "1"}
	texts := []string{"a", "bb", "ccc", "a", "dddd"}
	said := 0
	ask := func(m *model, texts []string) ([][]float64, error) {
		return f.Embed(t.Context(), texts, m, func(n int) { said = n })
	}
	// A failure after the first batch loses nothing of that batch.
	m := &model{batch: 2, fails: 2, length: 3}
	if _, err := ask(m, texts); err == nil || m.asked != 2 || said != 4 {
		t.Fatalf("%v, asked %d, said %d", err, m.asked, said)
	}
	m = &model{batch: 2, length: 3}
	vectors, err := ask(m, texts)
	if err != nil || m.asked != 2 || said != 2 {
		t.Fatalf("%v, asked %d, said %d", err, m.asked, said)
	}
	for i, v := range vectors {
		if len(v) != 3 || v[0] != float64(len(texts[i])) {
			t.Errorf("%s lies at %v", texts[i], v)
		}
	}
	if _, err := ask(m, texts); err != nil || m.asked != 2 {
		t.Errorf("asked again: %v, %d", err, m.asked)
	}
	// A line cut off by a crash is requested again and removed.
	whole := fatal.Read(t, f.Path)
	fatal.If(t, os.WriteFile(f.Path, whole[:len(whole)-9], 0o600))
	if _, err := ask(m, texts); err != nil || m.asked != 3 {
		t.Errorf("after a crash: %v, %d", err, m.asked)
	}
	if again, _ := os.ReadFile(f.Path); string(again) != string(whole) {
		t.Errorf("the file has\n%s", again)
	}
	// Another model, and another definition of this model, lead to requests; the file keeps both.
	f.Definition = "2"
	if _, err := ask(m, texts[:1]); err != nil || m.asked != 4 {
		t.Errorf("another definition: %v, %d", err, m.asked)
	}
	f.Definition = "1"
	if _, err := ask(m, texts); err != nil || m.asked != 4 {
		t.Errorf("the first definition: %v, %d", err, m.asked)
	}
	if _, err := ask(&model{batch: 9, length: 4}, []string{"a", "new"}); err == nil || !strings.Contains(err.Error(), "of 3 and of 4 numbers") {
		t.Errorf("a model that changed: %v", err)
	}
}

// meanwhile is a model during whose work another process tries to open the file.
type meanwhile struct {
	model
	try func()
}

func (m *meanwhile) Embed(ctx context.Context, texts []string, done func(int, [][]float64) error) error {
	m.try()
	return m.model.Embed(ctx, texts, done)
}

// While texts are embedded the file is locked for writing by one process; its contents can be read.
func TestEmbeddingsOfTwoAtOnce(t *testing.T) {
	f := EmbeddingsFile{Path: filepath.Join(t.TempDir(), "e.jsonl"), Model: "m", Definition: "1"}
	quiet := func(int) {}
	if _, err := f.Embed(t.Context(), []string{"a"}, &model{batch: 1, length: 2}, quiet); err != nil {
		t.Fatal(err)
	}
	m := &meanwhile{model: model{batch: 1, length: 2}, try: func() {
		if _, err := f.Embed(t.Context(), []string{"c"}, &model{batch: 1, length: 2}, quiet); err == nil || !strings.Contains(err.Error(), "another assay") {
			t.Errorf("two wrote at a time: %v", err)
		}
		if _, err := f.Embed(t.Context(), []string{"a"}, nil, quiet); err != nil {
			t.Errorf("what is there cannot be read: %v", err)
		}
	}}
	if _, err := f.Embed(t.Context(), []string{"a", "bb"}, m, quiet); err != nil || m.asked != 1 {
		t.Fatal(err, m.asked)
	}
	if _, err := f.Embed(t.Context(), []string{"a", "bb"}, nil, quiet); err != nil {
		t.Error(err)
	}
}

func TestEmbeddingsFileSaysWhichLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "e.jsonl")
	good := fmt.Sprintf(`{"model":"m","definition":"1","text":"%064d","vector":[1,2]}`, 1)
	for _, bad := range []string{"{", `{"vector":["x"]}`, strings.Replace(good, "[1,2]", "[]", 1), strings.Replace(good, "[1,2]", "[0,0]", 1), strings.Replace(good, "0001", "1", 1)} {
		fatal.If(t, os.WriteFile(path, []byte(good+"\n"+bad+"\n"), 0o600))
		f := EmbeddingsFile{Path: path, Definition: "1"}
		if _, err := f.Embed(t.Context(), []string{"x"}, &model{batch: 1, length: 2}, func(int) {}); err == nil || !strings.Contains(err.Error(), "e.jsonl:2: ") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// Texts with the same meaning form a topic, however they are worded.
func TestSemanticTopics(t *testing.T) {
	b := lettered(18)
	var ids []string
	for i := range b.Tasks {
		ids = append(ids, b.Tasks[i].ID)
		b.Tasks[i].Description = fmt.Sprintf("unlike%d any%d other%d", i, i, i)
	}
	calls := 0
	embed := func(_ context.Context, texts []string) ([][]float64, error) {
		calls++
		var vectors [][]float64
		for i := range texts {
			v := []float64{1, 1, 1, 1, 0.05 * float64(i/3), 0.03 * float64(i%5)}
			v[i%3] += 2
			for d := range v {
				v[d] *= float64(i + 1) // lengths mean nothing
			}
			vectors = append(vectors, v)
		}
		return vectors, nil
	}
	g, err := FindTopics(t.Context(), b, ids, embed, "big-embed")
	if err != nil || calls != 1 {
		t.Fatal(err)
	}
	if len(g.Topics) < 3 || !strings.HasPrefix(g.Made, "semantic: ") || !strings.Contains(g.Made, "big-embed") {
		t.Fatalf("%+v", g)
	}
	for _, topic := range g.Topics {
		for _, id := range topic.Tasks {
			if id[0]%3 != topic.Tasks[0][0]%3 {
				t.Errorf("the topic has %v", topic.Tasks)
			}
		}
	}
	gone := errors.New("gone")
	if _, err := FindTopics(t.Context(), b, ids, func(context.Context, []string) ([][]float64, error) { return nil, gone }, "m"); !errors.Is(err, gone) {
		t.Errorf("a model that is gone: %v", err)
	}
}
