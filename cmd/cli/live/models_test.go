package live

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"testing"

	"assay/cmd/cli/console"
	"assay/data/fatal"
	"assay/session/llm"
	"assay/store"
	"assay/tui/models"
)

// TestConnectedByKey: with a key in the environment a model is found, added under its server's whole address and asked; from
// then on it has answered, and so it has in the form for a new session; a server that is typed is asked in the same way.
func TestConnectedByKey(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Header.Get("Authorization") != "Bearer key-of-the-test":
			w.WriteHeader(401)
		case r.URL.Path == "/v1/models":
			fmt.Fprint(w, `{"data":[{"id":"coder"}]}`)
		case r.URL.Path == "/v1/chat/completions":
			fmt.Fprint(w, `{"choices":[{"message":{"content":"ready"},"finish_reason":"stop"}]}`)
		default:
			w.WriteHeader(404)
		}
	}))
	defer server.Close()
	kept, err := store.Open(filepath.Join(t.TempDir(), "assay.db"), store.Options{})
	fatal.If(t, err)
	defer kept.Close()
	env := map[string]string{"OPENAI_API_KEY": "key-of-the-test", "OPENAI_BASE_URL": server.URL, "WRONG": "another"}
	l := &Library{io: &console.IO{Getenv: func(name string) string { return env[name] }}, Store: kept}
	l.models.Store(&llm.Models{Path: filepath.Join(t.TempDir(), "models.toml")})
	o := l.modelsScreen()
	found := o.Find(t.Context())
	if i := slices.IndexFunc(found, func(p models.Place) bool { return p.At == "openai" }); i < 0 || !slices.Equal(found[i].Models, []string{"coder"}) {
		t.Fatalf("found %+v", found)
	}
	for i, at := range []string{"openai", server.URL} {
		if i > 0 {
			for variable, amiss := range map[string]string{"": "api_key_env", "WRONG": "api_key_env", "sk-1": "api_key_env", "UNSET": "api_key_env", "OPENAI_API_KEY": ""} {
				if p := o.List(t.Context(), models.Place{At: at, KeyEnv: variable}); p.Amiss != amiss || (p.Err == "") != (amiss == "") {
					t.Errorf("with the key in %q: %+v", variable, p)
				}
			}
			if p := o.List(t.Context(), models.Place{At: at, KeyEnv: "OPENAI_API_KEY"}); !slices.Equal(p.Models, []string{"coder"}) {
				t.Errorf("%+v", p)
			}
		}
		name, err := o.Add(at, "coder")
		again, err2 := o.Reload()
		if err != nil || err2 != nil || name != "coder" {
			t.Fatalf("%q, %v, %v", name, err, err2)
		}
		m, _ := l.known().Get(name)
		if j := slices.IndexFunc(again.Models, func(m models.Model) bool { return m.Name == name }); m.BaseURL != server.URL+"/v1" || again.Models[j].Answered != (i > 0) {
			t.Errorf("%+v is listed as %+v", m, again.Models[j])
		}
		if said, err := o.Check(t.Context(), name); err != nil || !l.answeredModels(nil)[name] {
			t.Errorf("%s, %v", said, err)
		}
	}
	if _, err := o.Add("elsewhere", "coder"); err == nil {
		t.Error("a server that nobody asked was added")
	}
}
