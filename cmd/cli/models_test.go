package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/cmd/cli/console"
	"assay/cmd/cli/machine"
	"assay/data/fatal"
)

// runModels runs `assay models args…` and returns its output and exit code.
func runModels(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	code = Run(t.Context(), append([]string{"models"}, args...), &console.IO{In: strings.NewReader(""), Out: &o, Err: &e, Getenv: os.Getenv})
	return o.String(), e.String(), code
}

// modelsFile writes a models file and selects it.
func modelsFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "models.toml")
	fatal.If(t, os.WriteFile(path, []byte(text), 0o600))
	t.Setenv("ASSAY_MODELS", path)
	t.Setenv("ASSAY_REHEARSAL_PACE", "0")
	return path
}

// server is a model server that rejects the key "wrong-key".
func server(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer wrong-key" {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(401)
			fmt.Fprint(w, `{"error":{"message":"wrong-key is no key"}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"model\":\"m-1\",\"choices\":[{\"delta\":{\"content\":\"ready\"},\"finish_reason\":\"stop\"}]}\n\n"+
			"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":1}}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

func TestModelsList(t *testing.T) {
	path := modelsFile(t, "[[model]]\nname = \"far\"\nprovider = \"openai\"\nbase_url = \"https://far.test/v1\"\nmodel = \"big\"\napi_key_env = \"ASSAY_TEST_NO_SUCH_KEY\"\n")
	out, errs, code := runModels(t, "list")
	const want = `NAME       PROVIDER   MODEL  CONFIGURED
rehearsal  rehearsal  -      yes
paste      paste      -      yes
far        openai     big    no: the environment variable ASSAY_TEST_NO_SUCH_KEY is not set
`
	if out != want || errs != "models file: "+path+"; 'assay models check' asks whether they answer\n" || code != 0 {
		t.Errorf("got %d\n%s%s", code, out, errs)
	}
	out, _, _ = runModels(t, "list", "--json")
	var got struct {
		Path   string
		Found  bool
		Models []machine.ListedModel
	}
	fatal.If(t, json.Unmarshal([]byte(out), &got))
	if got.Path != path || !got.Found || len(got.Models) != 3 || got.Models[2].Ready || got.Models[2].Why == "" {
		t.Errorf("got %+v", got)
	}
}

func TestModelsListOfABadFile(t *testing.T) {
	path := modelsFile(t, "[[model]]\nnmae = \"x\"\n")
	if _, errs, code := runModels(t, "list"); code != 1 || !strings.Contains(errs, path+":2:") {
		t.Errorf("got %d %s", code, errs)
	}
	if _, errs, code := runModels(t, "list", "--models-file", "/no/such/file.toml"); code != 1 || !strings.Contains(errs, "/no/such/file.toml") {
		t.Errorf("got %d %s", code, errs)
	}
}

func TestModelsListExample(t *testing.T) {
	if out, _, code := runModels(t, "list", "--example"); code != 0 || !strings.Contains(out, "[[model]]") {
		t.Errorf("got %d %s", code, out)
	}
}

func TestModelsCheck(t *testing.T) {
	url := server(t)
	t.Setenv("ASSAY_TEST_WRONG_KEY", "wrong-key")
	modelsFile(t, fmt.Sprintf(`
[[model]]
name = "good"
provider = "openai"
base_url = %[1]q
model = "m"
[[model]]
name = "refused"
provider = "openai"
base_url = %[1]q
model = "m"
api_key_env = "ASSAY_TEST_WRONG_KEY"
[[model]]
name = "broken"
provider = "command"
command = ["false"]
`, url))
	rows := []struct {
		args []string
		out  []string
		code int
	}{
		{[]string{"good"}, []string{"good: ok, first byte after ", " ms, first text after ", "(stop), 9 tokens in, 1 out, model m-1"}, 0},
		{[]string{"rehearsal", "paste"}, []string{"rehearsal: ok", "model rehearsal (recorded)", "paste: nothing to check"}, 0},
		{[]string{"refused"}, []string{"refused: failed: ", "401", "ASSAY_TEST_WRONG_KEY"}, 4},
		{[]string{"broken"}, []string{"broken: failed: ", "exit status 1"}, 1},
		{nil, []string{"rehearsal: ok", "good: ok", "refused: failed", "broken: failed"}, 4},
		{[]string{"nobody"}, nil, 1},
	}
	for _, row := range rows {
		t.Run(strings.Join(row.args, ","), func(t *testing.T) {
			out, errs, code := runModels(t, append([]string{"check"}, row.args...)...)
			if code != row.code {
				t.Errorf("exit code %d, want %d (%s)", code, row.code, errs)
			}
			for _, want := range row.out {
				if !strings.Contains(out, want) {
					t.Errorf("%q is not in %s", want, out)
				}
			}
			if strings.Contains(out+errs, "wrong-key") {
				t.Error("the key was shown")
			}
		})
	}
	out, _, code := runModels(t, "check", "refused", "--json")
	var got struct{ Models []machine.CheckedModel }
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 4 || got.Models[0].Class != "auth" {
		t.Errorf("got %v, %d, %s", err, code, out)
	}
}

func TestModelsPath(t *testing.T) {
	path := modelsFile(t, "this is no models file")
	if out, errs, code := runModels(t, "path"); out != path+"\n" || errs != "" || code != 0 {
		t.Errorf("got %d %q %q", code, out, errs)
	}
	if out, errs, code := runModels(t, "path", "--models-file", "/no/such.toml"); out != "/no/such.toml\n" || !strings.Contains(errs, "there is no such file") || code != 0 {
		t.Errorf("got %d %q %q", code, out, errs)
	}
	path = modelsFile(t, "")
	if out, errs, code := runModels(t); !strings.HasPrefix(out, "NAME ") || errs != "models file: "+path+"; 'assay models check' asks whether they answer\n" || code != 0 {
		t.Errorf("without a verb: got %d %q %q", code, out, errs)
	}
}

// explainingServer rejects a temperature, has no model for Ollama's protocol, and repeats keys in its
// errors.
func explainingServer() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.URL.Path == "/api/chat":
			w.WriteHeader(404)
			fmt.Fprintf(w, `{"error":"model 'm' not found, %s"}`, r.Header.Get("X-Team"))
		case bytes.Contains(body, []byte("temperature")):
			w.WriteHeader(400)
			fmt.Fprintf(w, `{"type":"error","error":{"type":"invalid_request_error","message":"temperature: not for this model, %s"}}`, r.Header.Get("X-Api-Key"))
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"type\":\"message_start\",\"message\":{\"model\":\"%s\",\"usage\":{\"input_tokens\":9}}}\n\n", r.Header.Get("X-Api-Key"))
			fmt.Fprint(w, "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"ready\"}}\n\n"+
				"data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":1}}\n\ndata: {\"type\":\"message_stop\"}\n\n")
		}
	}))
}

// The output of check about settings that a server rejects, about recorded answers, and about unreachable
// servers, none of it with a key.
func TestModelsCheckExplains(t *testing.T) {
	const key = "canary-0123456789-key"
	s := explainingServer()
	defer s.Close()
	t.Setenv("ASSAY_TEST_CANARY", key)
	path := modelsFile(t, fmt.Sprintf(`
[[model]]
name = "hot"
provider = "anthropic"
base_url = %[1]q
model = "m"
api_key_env = "ASSAY_TEST_CANARY"
temperature = 0.5
[[model]]
name = "cool"
provider = "anthropic"
base_url = %[1]q
model = "m"
api_key_env = "ASSAY_TEST_CANARY"
temperature = 0.5
drop = ["temperature"]
[[model]]
name = "absent"
provider = "ollama"
base_url = %[1]q
model = "m"
headers = { X-Team = "env:ASSAY_TEST_CANARY" }
[[model]]
name = "old"
provider = "replay"
answers = "old.jsonl"
`, s.URL))
	answers := filepath.Join(filepath.Dir(path), "old.jsonl")
	fatal.If(t, os.WriteFile(answers, []byte("{\"task\":\"a\",\"answer\":\"x\"}\n{\"task\":\"b\"}\n"), 0o600))
	for _, row := range []struct {
		name string
		out  []string
		code int
	}{
		{"hot", []string{"hot: failed: ", "400", `it answers without temperature: add drop = ["temperature"]`}, 1},
		{"cool", []string{"cool: ok, ", "9 tokens in, 1 out"}, 0},
		{"absent", []string{"absent: failed: ", "`ollama pull m`"}, 1},
		{"old", []string{"old: failed: ", "old.jsonl:2: ", `field "answer"`}, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			out, errs, code := runModels(t, "check", row.name)
			asJSON, moreErrs, _ := runModels(t, "check", row.name, "--json")
			if code != row.code {
				t.Errorf("exit code %d, want %d", code, row.code)
			}
			for _, want := range row.out {
				if !strings.Contains(out, want) {
					t.Errorf("%q is not in %s", want, out)
				}
			}
			if strings.Contains(out+errs+asJSON+moreErrs, key) {
				t.Error("the key was shown")
			}
			var got struct{ Models []machine.CheckedModel }
			if err := json.Unmarshal([]byte(asJSON), &got); err != nil || len(got.Models) != 1 || got.Models[0].OK != (row.code == 0) {
				t.Errorf("got %v, %s", err, asJSON)
			}
			if row.name == "hot" && !slices.Equal(got.Models[0].Drop, []string{"temperature"}) {
				t.Errorf("got %s", asJSON)
			}
		})
	}
}
