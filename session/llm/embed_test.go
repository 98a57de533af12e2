package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"assay/data/fatal"
)

// embeddingDialects are the servers that make embeddings; written writes vectors as each
// of them does.
func embeddingDialects() map[string]func(vectors [][]float64) string {
	return map[string]func([][]float64) string{
		ProviderOpenAI: func(vectors [][]float64) string {
			type datum struct {
				Object string    `json:"object"`
				Index  int       `json:"index"`
				Vector []float64 `json:"embedding"`
			}
			var data []datum
			for i, v := range vectors {
				data = append(data, datum{"embedding", i, v})
			}
			slices.Reverse(data) // the protocol has an index, not an order
			text, _ := json.Marshal(map[string]any{"object": "list", "data": data, "model": "m", "usage": map[string]int{"prompt_tokens": 3}})
			return string(text)
		},
		ProviderOllama: func(vectors [][]float64) string {
			text, _ := json.Marshal(map[string]any{"model": "m", "embeddings": vectors, "prompt_eval_count": 3})
			return string(text)
		},
	}
}

func embeddingModel(provider string) Model {
	m := dialect{provider: provider}.model()
	m.Embeddings = true
	return m
}

// wanted reads a request for embeddings.
func wanted(t *testing.T, r *http.Request) (fields struct {
	Model    string
	Input    []string
	Truncate *bool
}) {
	t.Helper()
	if err := json.NewDecoder(r.Body).Decode(&fields); err != nil {
		t.Error(err)
	}
	return fields
}

func reply(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, text)
}

// place returns a vector that is unique to its text.
func place(text string) []float64 {
	var n float64
	_, _ = fmt.Sscanf(text, "text %g", &n)
	return []float64{1, n, -0.5}
}

func TestEmbedInBatches(t *testing.T) {
	for provider, write := range embeddingDialects() {
		t.Run(provider, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var sizes []int
				deps := dialect{}.deps(serve(t, func(w http.ResponseWriter, r *http.Request) {
					got := wanted(t, r)
					path, cuts := "/v0/embeddings", got.Truncate == nil
					if provider == ProviderOllama {
						path, cuts = "/v0/api/embed", got.Truncate != nil && !*got.Truncate
					}
					if r.URL.Path != path || !cuts || got.Model != "coder-1" || r.Header.Get("Authorization") != "Bearer "+canary {
						t.Errorf("asked %s with %v %v", r.URL.Path, got.Model, got.Truncate)
					}
					sizes = append(sizes, len(got.Input))
					var vectors [][]float64
					for _, text := range got.Input {
						vectors = append(vectors, place(text))
					}
					reply(w, write(vectors))
				}))
				e, err := embeddingModel(provider).Embedder(deps)
				fatal.If(t, err)
				var texts []string
				for i := range 2*embeddedAtOnce + 5 {
					texts = append(texts, fmt.Sprintf("text %d", i))
				}
				got := map[int][]float64{}
				fatal.If(t, e.Embed(t.Context(), texts, func(from int, vectors [][]float64) error {
					for i, v := range vectors {
						got[from+i] = v
					}
					return nil
				}))
				for i, text := range texts {
					if !slices.Equal(got[i], place(text)) {
						t.Errorf("%s lies at %v", text, got[i])
					}
				}
				if !slices.Equal(sizes, []int{embeddedAtOnce, embeddedAtOnce, 5}) {
					t.Errorf("the batches have %v texts", sizes)
				}
			})
		})
	}
}

// Invalid embeddings are rejected for every provider.
func TestFaultsOfEmbeddings(t *testing.T) {
	bad := func(name string, change func([][]float64) [][]float64) fault {
		return fault{name, NotAModel, false, func(d dialect, w http.ResponseWriter, r *http.Request) {
			reply(w, embeddingDialects()[d.provider](change([][]float64{{1, 2}, {3, 4}, {5, 6}})))
		}}
	}
	all := append(refusals(),
		bad("too few", func(v [][]float64) [][]float64 { return v[:2] }),
		bad("too many", func(v [][]float64) [][]float64 { return append(v, v[0]) }),
		bad("none", func([][]float64) [][]float64 { return [][]float64{} }),
		bad("one of another length", func(v [][]float64) [][]float64 { v[1] = []float64{1}; return v }),
		bad("empty ones", func(v [][]float64) [][]float64 { return [][]float64{{}, {}, {}} }),
		bad("no direction", func(v [][]float64) [][]float64 { v[2] = []float64{0, 0}; return v }),
		bad("too large", func(v [][]float64) [][]float64 { v[2] = []float64{math.MaxFloat64, 1}; return v }),
		fault{"one index twice", NotAModel, false, func(_ dialect, w http.ResponseWriter, r *http.Request) {
			reply(w, `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}]}`)
		}},
		fault{"null for a number", NotAModel, false, func(d dialect, w http.ResponseWriter, r *http.Request) {
			reply(w, map[string]string{ProviderOpenAI: `{"data":[{"index":0,"embedding":[1,null]},{"index":1,"embedding":[1,2]},{"index":2,"embedding":[1,2]}]}`,
				ProviderOllama: `{"embeddings":[[1,null],[1,2],[1,2]]}`}[d.provider])
		}},
		fault{"an answer to a prompt", NotAModel, false, func(_ dialect, w http.ResponseWriter, r *http.Request) {
			reply(w, `{"choices":[{"message":{"content":"hello"},"finish_reason":"stop"}],"echo":"`+quotable(echo(r))+`"}`)
		}},
		fault{"words for numbers", NotAModel, false, func(_ dialect, w http.ResponseWriter, r *http.Request) {
			reply(w, `{"data":[{"index":0,"embedding":["a"]}]}`)
		}},
		fault{"half of it", NotAModel, false, func(_ dialect, w http.ResponseWriter, r *http.Request) { reply(w, `{"data":[{"index":0,`) }},
		fault{"an error with status 200", Server, false, func(_ dialect, w http.ResponseWriter, r *http.Request) {
			text, _ := json.Marshal(map[string]any{"error": map[string]string{"message": "out of memory " + echo(r)}})
			reply(w, string(text))
		}},
		fault{"hangs", TimedOut, false, func(_ dialect, w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		fault{"closes without an answer", Unreachable, true, func(dialect, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
	)
	for provider := range embeddingDialects() {
		for _, f := range all {
			if f.name == "a page that says it is a stream" || f.name == "another content type" {
				continue // both write what only a dialect of answers has
			}
			t.Run(provider+"/"+f.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var times atomic.Int64
					d := dialect{provider: provider}
					deps := d.deps(serve(t, func(w http.ResponseWriter, r *http.Request) { times.Add(1); f.serve(d, w, r) }))
					e, err := embeddingModel(provider).Embedder(deps)
					fatal.If(t, err)
					err = e.Embed(t.Context(), []string{"a", "b", "c"}, func(int, [][]float64) error { t.Error("something was kept"); return nil })
					var failed *Error
					if !errors.As(err, &failed) {
						t.Fatalf("got %v, want an *Error", err)
					}
					if failed.Class != f.class || failed.Message == "" || failed.Advice == "" {
						t.Errorf("got %s %q", failed.Class, failed)
					}
					want := int64(1)
					if f.again {
						want = 1 + maxRetries
					}
					if got := times.Load(); got != want {
						t.Errorf("asked %d times, want %d", got, want)
					}
					if leaks(dump(err, e.client)) {
						t.Errorf("the key is shown: %.300s", dump(err))
					}
				})
			})
		}
	}
}

// quotable encodes a text of a request for use in JSON.
func quotable(text string) string { return strings.NewReplacer(`"`, `'`, "\n", " ").Replace(text) }

// An embedding model cannot answer, and an answering model cannot embed.
func TestModelsForEmbeddings(t *testing.T) {
	path := writeModels(t, "[[model]]\nname = \"e\"\nprovider = \"ollama\"\nmodel = \"m\"\nembeddings = true\nnum_ctx = 512\n[[model]]\nname = \"a\"\nprovider = \"ollama\"\nmodel = \"m\"\n")
	models, err := LoadModels(path)
	fatal.If(t, err)
	if _, err := models.Get("e"); err == nil || !strings.Contains(err.Error(), "is for embeddings") {
		t.Errorf("a client: %v", err)
	}
	for name, want := range map[string]string{"a": "answers prompts", "b": "choose from e", "e": ""} {
		m, err := models.GetEmbeddings(name)
		if want == "" && err == nil {
			_, err = m.Embedder(Deps{})
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(models.Embeddings()); n != 1 || slices.ContainsFunc(models.List(), func(m Model) bool { return m.Name == "e" }) {
		t.Errorf("%d models for embeddings, among those that answer: %v", n, models.List())
	}
	for _, line := range []string{"temperature = 0.5", "system = \"x\"", "price_in = 1.0", "drop = [\"seed\"]", "max_concurrent = 2"} {
		_, err := parseModels("f.toml", "[[model]]\nname = \"e\"\nprovider = \"ollama\"\nmodel = \"m\"\nembeddings = true\n"+line+"\n")
		if key, _, _ := strings.Cut(line, " "); err == nil || !strings.Contains(err.Error(), "f.toml:6:") || !strings.Contains(err.Error(), "no use for "+key) {
			t.Errorf("%s: %v", line, err)
		}
	}
}
