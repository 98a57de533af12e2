package machine

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/cmd/cli/console"
	"assay/data/fatal"
)

// TestAddAModel: a server's models are listed where several are meant, with and without /v1 in its address; a model is added once, whatever else is done twice,
// under a name without the tag that stands for any.
func TestAddAModel(t *testing.T) {
	up := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case !up:
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `{"error":{"message":"starting"}}`)
		case strings.HasSuffix(r.URL.Path, "/models"):
			fmt.Fprint(w, `{"data":[{"id":"lab/tiny:latest","max_model_len":2048},{"id":"other"},{"id":"other-too"}]}`)
		default:
			fmt.Fprint(w, `{"model":"lab/tiny:latest","choices":[{"message":{"content":"ready"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":1}}`)
		}
	}))
	defer server.Close()
	path := filepath.Join(t.TempDir(), "models.toml")
	add := func(model string, change ...func(*addOptions)) (string, error) {
		var out, errs strings.Builder
		o := addOptions{Server: Server{At: server.URL}}
		for _, f := range change {
			f(&o)
		}
		err := addModel(t.Context(), &console.IO{Out: &out, Err: &errs, Getenv: func(string) string { return "" }}, path, model, o)
		return out.String() + errs.String(), err
	}
	said, err := add("")
	if _, missing := os.Stat(path); err != nil || missing == nil || !strings.Contains(said, "has 3 models: lab/tiny:latest, other, other-too") {
		t.Errorf("without a name: %s, %v", said, err)
	}
	if _, err := add("other"); err != nil {
		t.Errorf("a name that is a part of another: %v", err)
	}
	if said, err := add("oth"); err == nil || !strings.Contains(err.Error(), `2 models with "oth"`) {
		t.Errorf("a part of two names: %s, %v", said, err)
	}
	up = false
	if said, err := add("lab/tiny:latest"); err == nil || !strings.Contains(said, "cannot be listed") || !strings.Contains(said, "starting") {
		t.Errorf("of a server that fails: %s, %v", said, err)
	}
	up = true
	for range 2 {
		said, err := add("tiny")
		if err != nil || !strings.Contains(said, "tiny is in ") || !strings.Contains(said, "its context holds 2048 tokens") {
			t.Errorf("again: %s, %v", said, err)
		}
	}
	text, err := os.ReadFile(path)
	fatal.If(t, err)
	if n := strings.Count(string(text), `name = "tiny"`); n != 1 {
		t.Errorf("it stands there %d times: %s", n, text)
	}
	path = filepath.Join(filepath.Dir(path), "second.toml")
	for i, name := range []string{"", "", "tiny"} {
		said, err := add("tiny", func(o *addOptions) {
			o.name, o.ClientKey, o.unchecked = name, fmt.Sprint(i), true
			o.ClientCert = "x"
			o.At = "https://x/v1"
		})
		if want := []string{"tiny is in ", "tiny-2 is in ", ""}[i]; err == nil && !strings.Contains(said, want) || (err == nil) != (name == "") {
			t.Errorf("another model of the same name: %s, %v", said, err)
		}
	}
}

// TestAzure: its address is in the environment, however it is written there, and is missed if it is not.
func TestAzure(t *testing.T) {
	for endpoint, want := range map[string]string{
		"": "", "https://x.openai.azure.com": "https://x.openai.azure.com/openai/v1", "https://x.openai.azure.com/": "https://x.openai.azure.com/openai/v1",
		"https://x.openai.azure.com/openai/v1/": "https://x.openai.azure.com/openai/v1",
	} {
		p, err := Server{At: "azure"}.place(func(name string) string { return map[string]string{"AZURE_OPENAI_ENDPOINT": endpoint}[name] })
		if (err == nil) != (want != "") || p.BaseURL != want || want != "" && p.KeyEnv != "AZURE_OPENAI_API_KEY" {
			t.Errorf("%q: %+v, %v", endpoint, p, err)
		}
	}
}
