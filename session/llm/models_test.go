package llm

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/data/fatal"
)

func writeModels(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "models.toml")
	fatal.If(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func names(models Models) string {
	var list []string
	for _, m := range models.List() {
		list = append(list, m.Name)
	}
	return strings.Join(list, " ")
}

func TestTheExampleLoads(t *testing.T) {
	models, err := LoadModels(writeModels(t, ExampleModels()))
	fatal.If(t, err)
	if got, want := names(models), "rehearsal paste local hosted hosted-store claude reasoner gemini ollama recorded program claude-code codex hosted-builtin quick-rehearsal"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	local, err := models.Get("local")
	fatal.If(t, err)
	if *local.Temperature != 0.2 || *local.Seed != 1 || local.IdleTimeout.orDefault(0) != 5*time.Minute || local.Model != "qwen2.5-coder-7b-instruct" {
		t.Errorf("got %+v", local)
	}
	for _, m := range models.List() {
		if _, err := m.Client(Deps{}); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}

func TestModelsFileErrors(t *testing.T) {
	const good = "[[model]]\nname = \"a\"\nprovider = \"openai\"\nbase_url = \"http://x/v1\"\nmodel = \"m\"\n"
	rows := []struct {
		name, text string
		line       string
		message    string
	}{
		{"unknown key", good + "temprature = 1\n", ":6:", `model.0.temprature: the key is not known`},
		{"unknown key of the second model", good + "\n[[model]]\nname = \"b\"\nprovider = \"paste\"\ncolour = \"red\"\n", ":10:", `model.1.colour: the key is not known`},
		{"unknown table", good + "[defaults]\nx = 1\n", ":6:", `defaults: the key is not known`},
		{"not TOML", "[[model]]\nname = \n", ":2:", ""},
		{"wrong type", good + "max_tokens = \"many\"\n", ":6:", "max_tokens"},
		{"bad time-out", good + "idle_timeout = \"soon\"\n", ":6:", "must be a time such as"},
		{"bad time-out of the first of two", good + "idle_timeout = \"soon\"\n[[model]]\nname = \"b\"\nprovider = \"paste\"\nidle_timeout = \"5s\"\n", ":6:", "must be a time such as"},
		{"wrong type in the first of two", good + "seed = \"x\"\n[[model]]\nname = \"b\"\nprovider = \"paste\"\nseed = 5\n", ":6:", "seed"},
		{"a key twice", good + "model = \"n\"\n", ":6:", "stands twice"},
		{"negative time-out", good + "idle_timeout = \"-3s\"\n", ":6:", "must be a time such as"},
		{"no name", "[[model]]\nprovider = \"paste\"\n", ":1:", "has no name"},
		{"no provider", "\n[[model]]\nname = \"a\"\n", ":2:", "has no provider"},
		{"unknown provider", "[[model]]\nname = \"a\"\nprovider = \"magic\"\n", ":3:", `"magic" is not known`},
		{"no model", "[[model]]\nname = \"a\"\nprovider = \"openai\"\nbase_url = \"http://x\"\n", ":1:", "needs model"},
		{"no address", "[[model]]\nname = \"a\"\nprovider = \"openai\"\nmodel = \"m\"\n", ":1:", "needs base_url"},
		{"an address without scheme", strings.Replace(good, "http://", "", 1), ":4:", "needs base_url"},
		{"a password in the address", strings.Replace(good, "http://x", "http://me:pw@x", 1), ":4:", "must not hold"},
		{"no command", "[[model]]\nname = \"a\"\nprovider = \"command\"\n", ":1:", "needs command"},
		{"an escape sequence in the name", good + "\n[[model]]\nprovider = \"paste\"\nname = \"b\\u001b[2J\"\n", ":9:", `"b\x1b[2J" contains unprintable characters`},
		{"a control sequence of one character in the name", strings.Replace(good, `"a"`, "\"a\\u009b31m\"", 1), ":2:", "contains unprintable characters"},
		{"a delete in the name", strings.Replace(good, `"a"`, "\"a\\u007f\"", 1), ":2:", "contains unprintable characters"},
		{"a name from right to left", strings.Replace(good, `"a"`, "\"a\\u202ecba\"", 1), ":2:", "contains unprintable characters"},
		{"a name of two lines", strings.Replace(good, `"a"`, "\"a\\nb\"", 1), ":2:", "on one line"},
		{"a name twice", good + good, ":7:", "is taken"},
		{"a built-in name", strings.Replace(good, `"a"`, `"paste"`, 1), ":2:", "is taken"},
		{"temperature", good + "temperature = 3.0\n", ":6:", "from 0 to 2"},
		{"top_p", good + "top_p = 0.0\n", ":6:", "above 0"},
		{"context", good + "context = \"none\"\n", ":6:", `"fresh"`},
		{"two keys", good + "api_key_env = \"K\"\napi_key_cmd = [\"k\"]\n", ":7:", "keep one"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			path := writeModels(t, row.text)
			models, err := LoadModels(path)
			if err == nil || !strings.Contains(err.Error(), path+row.line) || !strings.Contains(err.Error(), row.message) {
				t.Errorf("got %v", err)
			}
			if names(models) != "rehearsal paste" {
				t.Errorf("models %s: the built-in ones should remain", names(models))
			}
		})
	}
}

func TestAMissingModelsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.toml")
	if _, err := LoadModels(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
	models, err := LoadModels(defaultModelsPath())
	if models.Found {
		t.Skip("there is a models file on this machine")
	}
	if err != nil || names(models) != "rehearsal paste" {
		t.Errorf("got %s, %v", names(models), err)
	}
}

func TestModelsPath(t *testing.T) {
	set := func(string) string { return "/env.toml" }
	unset := func(string) string { return "" }
	for _, row := range []struct {
		flag   string
		getenv func(string) string
		want   string
	}{{"/flag.toml", set, "/flag.toml"}, {"", set, "/env.toml"}, {"", unset, defaultModelsPath()}} {
		if got := ModelsPath(row.flag, row.getenv); got != row.want {
			t.Errorf("got %s, want %s", got, row.want)
		}
	}
}

func TestReady(t *testing.T) {
	remote := Model{Name: "m", Provider: ProviderOpenAI, BaseURL: "https://x/v1", Model: "m", APIKeyEnv: "K"}
	with := func(m Model, change func(*Model)) Model { change(&m); return m }
	rows := []struct {
		name  string
		model Model
		env   string
		why   string
	}{
		{"key set", remote, "k", ""},
		{"key not set", remote, "", "K is not set"},
		{"localhost", with(remote, func(m *Model) { m.BaseURL = "http://localhost:1/v1" }), "", "K is not set"},
		{"not localhost", with(remote, func(m *Model) { m.BaseURL = "http://localhost.evil.test/v1" }), "", "K is not set"},
		{"no key named", with(remote, func(m *Model) { m.APIKeyEnv = "" }), "", ""},
		{"key command", with(remote, func(m *Model) { m.APIKeyEnv, m.APIKeyCmd = "", []string{"no-such-program-here"} }), "", "no program"},
		{"command", Model{Provider: ProviderCommand, Command: []string{"no-such-program-here"}}, "", "no program"},
		{"paste", Model{Provider: ProviderPaste}, "", ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			ok, why := row.model.Ready(Deps{Getenv: func(string) string { return row.env }})
			if ok != (row.why == "") || !strings.Contains(why, row.why) {
				t.Errorf("got %v, %q", ok, why)
			}
		})
	}
}

func TestAnUnknownModelNamesTheOthers(t *testing.T) {
	models, _ := LoadModels(writeModels(t, ""))
	if _, err := models.Get("gtp"); err == nil || !strings.Contains(err.Error(), "rehearsal, paste") {
		t.Errorf("got %v", err)
	}
}

// A key is redacted in every encoding that a server may send, in errors and, except with separated letters,
// in answers.
func TestKeysInOtherForms(t *testing.T) {
	const key = "sk-Proj_9f8e7d6c5b4a3"
	r := newRedactor(key)
	hexed, percent := hex.EncodeToString([]byte(key)), ""
	for _, c := range []byte(key) {
		percent += fmt.Sprintf("%%%02X", c)
	}
	forms := []string{key, strings.ToUpper(key), strings.ToLower(key), hexed, strings.ToUpper(hexed), percent}
	for _, before := range []string{"", "x", "xy", ":", "user:"} {
		for _, after := range []string{"", "z", "\n"} {
			forms = append(forms, base64.StdEncoding.EncodeToString([]byte(before+key+after)), base64.URLEncoding.EncodeToString([]byte(before+key+after)))
		}
	}
	apart := []string{strings.Join(strings.Split(key, ""), " "), key[:9] + "\n" + key[9:], key[:5] + `" + "` + key[5:]}
	for i, form := range append(forms, apart...) {
		text := r.text("refused: \xff <" + form + "> is no key")
		if len(text) > 45 || !strings.Contains(text, "[key]") || !strings.Contains(text, "> is no key") {
			t.Errorf("%q leaves %q", form, text)
		}
		if i >= len(forms) {
			continue
		}
		s, shown := r.stream(), ""
		for _, c := range []byte("It is <" + form + "> Really.") {
			shown += s.add(string([]byte{c}))
		}
		if shown += s.rest(); len(shown) > 35 || !strings.Contains(shown, "[key]") || !strings.HasSuffix(shown, "> Really.") {
			t.Errorf("%q is streamed as %q", form, shown)
		}
	}
	if text := "SK-PRO is short, and so are 9f8e and c2st"; r.text(text) != text {
		t.Errorf("%q becomes %q", text, r.text(text))
	}
}

func TestRedaction(t *testing.T) {
	r := newRedactor("abc", "secret", "secret-longer")
	for text, want := range map[string]string{
		"abc stays: too short":                 "abc stays: too short",
		"x secret-longer y secret z":           "x [key] y [key] z",
		"Authorization: Bearer tokenbytes1234": "Authorization: Bearer [key]",
	} {
		if got := r.text(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestLower(t *testing.T) {
	if got, want := lower("@AZ[`az{Ä\u212a"), "@az[`az{Ä\u212a"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestKeyCommand(t *testing.T) {
	if key, err := runKeyCommand(t.Context(), []string{"printf", " the-key\n"}); err != nil || key != "the-key" {
		t.Errorf("got %q, %v", key, err)
	}
	for name, argv := range map[string][]string{
		"fails": {"false"}, "prints nothing": {"true"}, "several lines": {"printf", "secret1\nsecret2"}, "missing": {"no-such-program-here"},
	} {
		if key, err := runKeyCommand(t.Context(), argv); err == nil || key != "" || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %q, %v", name, key, err)
		}
	}
}

func TestAKeyCommandThatHangs(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	if key, err := runKeyCommand(ctx, []string{"tail", "-f", "/dev/null"}); err == nil || key != "" || !strings.Contains(err.Error(), "in time") {
		t.Errorf("got %q, %v", key, err)
	}
}

func TestEnvironmentSecrets(t *testing.T) {
	r := environmentSecrets([]string{"MY_API_KEY=0123456789abcdef", "HOME=/home/somebody", "KEY=short", "EMPTY_TOKEN="})
	if got, want := r.text("0123456789abcdef /home/somebody short"), "[key] /home/somebody short"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
