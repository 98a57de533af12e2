package llm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
)

// TestPortable: a model for another machine has the same definition, and no key of this one.
func TestPortable(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "models.toml")
	const file = `[[model]]
name = "hosted"
provider = "openai"
base_url = "https://api.example.com/v1"
model = "big"
api_key_env = "OUR_KEY"
headers = { "X-Project" = "study", "X-Token" = "env:OUR_TOKEN", "Authorization" = "Basic c2VjcmV0" }
temperature = 0.5
idle_timeout = "5m"
client_cert = "ours.pem"
client_key = "ours.key"
training_cutoff = 2024-06-30
price_in = 2.5
price_out = 3.5
currency = "USD"
[[model]]
name = "same-key"
provider = "anthropic"
model = "other"
api_key_env = "OUR_KEY"
[[model]]
name = "stored"
provider = "anthropic"
model = "other"
api_key_cmd = ["pass", "show", "key"]
[[model]]
name = "program"
provider = "command"
command = ["cat"]
[[model]]
name = "played"
provider = "replay"
answers = "answers.jsonl"
`
	for name, text := range map[string]string{"models.toml": file, "answers.jsonl": `{"task": "a", "answer": "b"}`} {
		fatal.If(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	models, err := LoadModels(path)
	fatal.If(t, err)
	keys, packed := Renamed{}, ""
	for _, name := range []string{"hosted", "same-key", "stored", "played"} {
		p, err := models.Portable(name, keys)
		if err != nil {
			t.Fatal(name, err)
		}
		packed += p.Entry
		m, err := p.Model(filepath.Join(t.TempDir(), "answers"))
		if err != nil {
			t.Fatal(name, err)
		}
		here, err := models.Get(name)
		if err != nil || m.Definition() != here.Definition() || m.IdleTimeout != here.IdleTimeout {
			t.Errorf("%s becomes %+v: %v", name, m, err)
		}
	}
	for _, word := range []string{"OUR_KEY", "OUR_TOKEN", "c2VjcmV0", "pass", "price", "USD", "ours.", dir} {
		if strings.Contains(packed, word) {
			t.Errorf("%q is packed:\n%s", word, packed)
		}
	}
	if len(keys) != 4 || keys["$OUR_KEY"] != "ASSAY_KEY_1" {
		t.Errorf("the keys are %v", keys)
	}
	for _, name := range []string{"program", "paste", "rehearsal"} {
		if p, err := models.Portable(name, keys); err != nil || p.Entry != "" {
			t.Errorf("%s is packed as %+v: %v", name, p, err)
		}
	}
}

// TestForeignModels: a packed model of a stranger starts no program and gets no other variable.
func TestForeignModels(t *testing.T) {
	const begin = "[[model]]\nname = \"m\"\nmodel = \"m\"\nbase_url = \"https://example.com\"\nprovider = "
	for want, entry := range map[string]string{
		"starts a program":              "[[model]]\nname = \"m\"\nprovider = \"command\"\ncommand = [\"sh\"]\n",
		"it starts a program":           begin + "\"openai\"\napi_key_cmd = [\"sh\"]\n",
		"a certificate of this machine": begin + "\"openai\"\nclient_cert = \"/home/ann/client.pem\"\n",
		"variable AWS_SECRET_KEY":       begin + "\"openai\"\napi_key_env = \"AWS_SECRET_KEY\"\n",
		"environment variable HOME":     begin + "\"openai\"\nheaders = { \"X\" = \"env:HOME\" }\n",
		"it is not one model":           begin + "\"openai\"\n" + strings.Replace(begin, `"m"`, `"n"`, 1) + "\"openai\"\n",
		"provider \"x\" is not known":   begin + "\"x\"\n",
	} {
		if _, err := (Portable{Entry: entry}).Model("answers"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	m, err := Portable{Entry: begin + "\"openai\"\napi_key_env = \"ASSAY_KEY_2\"\n"}.Model("")
	fatal.If(t, err)
	if missing := m.Missing(func(string) string { return "" }); len(missing) != 1 || missing[0] != "ASSAY_KEY_2" {
		t.Errorf("missing: %v", missing)
	}
}

// The variable of a key differs by study, and by scheme, host and port; the rest of the model stays as it is.
func TestBound(t *testing.T) {
	seen := map[string]string{}
	for _, study := range []string{"", "a", "b"} {
		for _, base := range []string{"https://a.example", "https://b.example", "http://a.example", "https://a.example:8443", "https://a.example.evil.example"} {
			m := Model{Provider: ProviderOpenAI, Name: "m", Model: "x", BaseURL: base + "/v1", APIKeyEnv: "ASSAY_KEY_1", Headers: map[string]string{"X-Key": "env:ASSAY_KEY_2", "X": "y"}}
			bound := m.Bound(study)
			for _, name := range bound.Variables() {
				if other := seen[name]; other != "" || keyVariable.MatchString(name) {
					t.Errorf("%s is that of %s, too", name, other)
				}
				seen[name] = study + " " + base
			}
			if again := (Model{Provider: ProviderOpenAI, BaseURL: base + "/v2", APIKeyEnv: "ASSAY_KEY_1"}).Bound(study); again.APIKeyEnv != bound.APIKeyEnv {
				t.Errorf("%s and %s have one host", again.APIKeyEnv, bound.APIKeyEnv)
			}
			if m.Headers["X-Key"] != "env:ASSAY_KEY_2" || bound.Headers["X"] != "y" || bound.Definition() != m.Definition() {
				t.Errorf("%+v", bound)
			}
		}
	}
}
