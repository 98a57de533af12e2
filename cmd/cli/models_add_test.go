package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session/llm"
)

// modelServer has models with OpenAI's protocol, and wants a key.
func modelServer(t *testing.T, models ...string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Bearer the-key-of-this-test":
			w.WriteHeader(401)
		case r.URL.Path == "/v1/models":
			var list []string
			for _, m := range models {
				list = append(list, fmt.Sprintf(`{"id":%q}`, m))
			}
			fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(list, ","))
		default:
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"choices":[{"message":{"content":"ready"},"finish_reason":"stop"}]}`)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// TestModelsAdd: a model of a server is found by a part of its name, described in the models file, and asked; the file
// keeps what stood there, also when nothing can be added.
func TestModelsAdd(t *testing.T) {
	t.Setenv("GATEWAY_KEY", "the-key-of-this-test")
	server := modelServer(t, "org/coder-7b", "org/coder-32b", "org/chat:free")
	path := filepath.Join(t.TempDir(), "new", "models.toml")
	add := func(args ...string) (string, string, int) {
		code, out, errs := runCLI(t, append([]string{"models", "add", "--models-file", path}, args...)...)
		return out, errs, code
	}
	out, errs, code := add("32b", "--at", server.URL+"/v1", "--key-env", "GATEWAY_KEY")
	if code != 0 || !strings.Contains(out, "coder-32b is in "+path) || !strings.Contains(out, "coder-32b: ok") || !strings.Contains(out, "assay --model coder-32b") {
		t.Fatalf("%d, %s%s", code, out, errs)
	}
	fatal.If(t, os.WriteFile(path, append(fatal.Read(t, path), "# mine"...), 0o600))
	if out, errs, code = add("chat", "--at", server.URL+"/v1", "--key-env", "GATEWAY_KEY", "--name", "second"); code != 0 {
		t.Errorf("%d, %s%s", code, out, errs)
	}
	models, err := llm.LoadModels(path)
	fatal.If(t, err)
	first, err := models.Get("coder-32b")
	fatal.If(t, err)
	second, err := models.Get("second")
	fatal.If(t, err)
	text := string(fatal.Read(t, path))
	if first.Model != "org/coder-32b" || second.Model != "org/chat:free" || second.APIKeyEnv != "GATEWAY_KEY" || !strings.Contains(text, "\n# mine\n") || strings.Contains(text, "the-key-of-this-test") {
		t.Errorf("%+v, %+v in\n%s", first, second, text)
	}
	if out, errs, code = add("32b", "--at", server.URL+"/v1", "--key-env", "GATEWAY_KEY"); code != 0 || !strings.Contains(out, "coder-32b: ok") || string(fatal.Read(t, path)) != text {
		t.Errorf("the same again: %d, %s%s", code, out, errs)
	}
	for name, row := range map[string]struct {
		args []string
		want string
	}{
		"several": {[]string{"coder", "--at", server.URL + "/v1", "--key-env", "GATEWAY_KEY", "--name", "x"}, "org/coder-32b, org/coder-7b"},
		"none":    {[]string{"gpt", "--at", server.URL + "/v1", "--key-env", "GATEWAY_KEY", "--name", "x"}, "org/chat:free"},
		"another": {[]string{"7b", "--at", server.URL + "/v1", "--key-env", "GATEWAY_KEY", "--name", "coder-32b"}, "already"},
		"nowhere": {[]string{"32b", "--at", "somewhere", "--name", "x"}, "neither an address"},
		"no --at": {[]string{"32b"}, "give --at"},
	} {
		if out, errs, code := add(row.args...); code == 0 || !strings.Contains(out+errs, row.want) {
			t.Errorf("%s: %d, %s%s; want %s", name, code, out, errs, row.want)
		}
		if string(fatal.Read(t, path)) != text {
			t.Errorf("%s: the file changed", name)
		}
	}
	out, errs, code = add("32b", "--at", server.URL+"/v1", "--key-env", "NO_SUCH_KEY", "--name", "x")
	if code == 0 || !strings.Contains(out+errs, "NO_SUCH_KEY is not set") {
		t.Errorf("without the key: %d, %s%s", code, out, errs)
	}
}
