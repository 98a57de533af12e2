package llm

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"assay/data/fatal"
)

// tomlFields lists the keys of a model from its type.
func tomlFields() []string {
	var fields []string
	t := reflect.TypeFor[Model]()
	for i := range t.NumField() {
		if key := t.Field(i).Tag.Get("toml"); key != "" {
			fields = append(fields, key)
		}
	}
	return fields
}

const (
	openAIModel    = "[[model]]\nname = \"a\"\nprovider = \"openai\"\nbase_url = \"http://x/v1\"\nmodel = \"m\"\n"
	anthropicModel = "[[model]]\nname = \"a\"\nprovider = \"anthropic\"\n\n\nmodel = \"m\"\n"
	ollamaModel    = "[[model]]\nname = \"a\"\nprovider = \"ollama\"\n\nmodel = \"m\"\n"
	pasteModel     = "[[model]]\nname = \"a\"\nprovider = \"paste\"\n\n\n"
	agentModel     = "[[model]]\nname = \"a\"\nprovider = \"agent\"\ncommand = [\"sh\"]\n"
	claudeModel    = agentModel + "output = \"claude-stream-json\"\n"
	builtinModel   = "[[model]]\nname = \"s\"\nprovider = \"openai\"\nbase_url = \"http://x/v1\"\nmodel = \"m\"\n[[model]]\nname = \"a\"\nprovider = \"agent\"\nprogram = \"builtin\"\nmodel = \"s\"\n"
	otherModel     = "\n[[model]]\nname = \"b\"\nprovider = \"paste\"\n"
)

// Every key with a value of another type, in the second of three models: the error names
// the line, the key and what it must be.
func TestEveryFieldOfAWrongType(t *testing.T) {
	for _, field := range tomlFields() {
		t.Run(field, func(t *testing.T) {
			if expected(field) == "" {
				t.Fatal("nothing says what it must be")
			}
			bad := "{ x = 1 }"
			if field == "extra_body" { // any table is one
				bad = "1"
			}
			text := otherModel + fmt.Sprintf("[[model]]\n\n%s = %s\n", field, bad) + strings.Replace(otherModel, `"b"`, `"c"`, 1)
			_, err := parseModels("f.toml", text)
			if err == nil || !strings.HasPrefix(err.Error(), "f.toml:7: ") || !strings.Contains(err.Error(), field+": "+expected(field)) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestEveryFieldWithABadValue(t *testing.T) {
	rows := []struct {
		field, base, line string
		want              string // "" stands for what expected says
	}{
		{"name", "", `name = "a\nb"`, "on one line"},
		{"provider", "[[model]]\nname = \"a\"\n\n\n\n", `provider = "magic"`, `"magic" is not known`},
		{"model", anthropicModel[:strings.Index(anthropicModel, "model = ")] + "\n", `model = ""`, `needs model = `},
		{"base_url", ollamaModel, `base_url = "http://localhost:11434/v1"`, "does not lie under /v1"},
		{"base_url", ollamaModel, `base_url = "localhost:11434"`, "no such address"},
		{"base_url", ollamaModel, `base_url = "http://me:pw@x"`, "must not hold a user name"},
		{"api_key_env", openAIModel, `api_key_env = "sk-the-key-itself"`, ""},
		{"api_key_cmd", openAIModel, `api_key_cmd = [""]`, ""},
		{"client_cert", openAIModel, `client_cert = "client.pem"`, "needs a base_url with https://"},
		{"client_key", openAIModel, `client_key = "client.key"`, "no client_cert"},
		{"headers", openAIModel, `headers = { "X Y" = "1" }`, "no name of a header"},
		{"headers", openAIModel, `headers = "Bearer sk-the-key-itself"`, ""},
		{"headers", openAIModel, `headers = { X-Y = "env:" }`, `write "env:NAME"`},
		{"headers", openAIModel, `headers = { X-Y = "a\nb" }`, "on one line"},
		{"embeddings", openAIModel, `embeddings = "yes"`, ""},
		{"embeddings", anthropicModel, `embeddings = true`, `provider "anthropic" makes no embeddings`},
		{"embeddings", pasteModel, `embeddings = true`, `makes no embeddings`},
		{"temperature", openAIModel, `temperature = 2.1`, ""},
		{"temperature", openAIModel, `temperature = nan`, ""},
		{"temperature", anthropicModel, `temperature = 1.5`, ""},
		{"top_p", openAIModel, `top_p = 0.0`, ""},
		{"top_k", openAIModel, `top_k = 0`, ""},
		{"min_p", openAIModel, `min_p = -0.1`, ""},
		{"max_tokens", openAIModel, `max_tokens = 0`, ""},
		{"seed", anthropicModel, `seed = 1`, `provider "anthropic" does not know seed: remove it`},
		{"stop", openAIModel, `stop = ["x", ""]`, ""},
		{"stop", openAIModel, `stop = []`, ""},
		{"presence_penalty", openAIModel, `presence_penalty = 2.5`, ""},
		{"frequency_penalty", openAIModel, `frequency_penalty = -inf`, ""},
		{"num_ctx", ollamaModel, `num_ctx = -1`, ""},
		{"num_ctx", openAIModel, `num_ctx = 4096`, "does not know num_ctx"},
		{"drop", openAIModel, `drop = ["temprature"]`, `drop names "temprature"`},
		{"drop", anthropicModel, `drop = ["max_tokens"]`, `drop names "max_tokens"`},
		{"system", pasteModel, `system = "x"`, "does not know system"},
		{"context", openAIModel, `context = "none"`, ""},
		{"connect_timeout", openAIModel, `connect_timeout = "soon"`, ""},
		{"idle_timeout", openAIModel, `idle_timeout = "-3s"`, ""},
		{"total_timeout", openAIModel, `total_timeout = "0s"`, ""},
		{"price_in", openAIModel, `price_in = -1.0`, ""},
		{"price_out", openAIModel, `price_out = nan`, ""},
		{"currency", openAIModel, `currency = "usd"`, ""},
		{"currency", openAIModel, `currency = "USD"`, "without prices"},
		{"training_cutoff", openAIModel, `training_cutoff = "summer"`, ""},
		{"retries", openAIModel, `retries = -1`, ""},
		{"retries", openAIModel, `retries = 21`, ""},
		{"max_concurrent", openAIModel, `max_concurrent = 0`, ""},
		{"requests_per_minute", openAIModel, `requests_per_minute = -5`, ""},
		{"tokens_per_minute", openAIModel, `tokens_per_minute = 0`, ""},
		{"max_context", openAIModel, `max_context = 0`, ""},
		{"reasoning_effort", ollamaModel, `reasoning_effort = "low"`, "does not know reasoning_effort"},
		{"thinking_tokens", anthropicModel, `thinking_tokens = 0`, ""},
		{"thinking_tokens", anthropicModel, `thinking_tokens = 1024`, "max_tokens, which counts them, too"},
		{"think", ollamaModel, `think = 1.5`, ""},
		{"extra_body", openAIModel, `extra_body = { messages = [] }`, ""},
		{"price_cached", openAIModel, `price_cached = 1.0`, "has price_cached but no price_in"},
		{"priced_at", openAIModel, `priced_at = "yesterday"`, ""},
		{"command", "[[model]]\nname = \"a\"\nprovider = \"command\"\n\n\n", `command = [""]`, ""},
		{"answers", openAIModel, `answers = "x"`, "does not know answers"},
		{"hosts", agentModel, `hosts = ["https://api.example.com"]`, `"https://api.example.com" is not a host`},
		{"hosts", agentModel, `hosts = ["api.example.com:0"]`, "is not a host"},
		{"hosts", openAIModel, `hosts = ["api.example.com"]`, `provider "openai" does not know hosts`},
		{"api_key_as", agentModel, `api_key_as = "KEY"`, "has api_key_as but no key"},
		{"api_key_as", agentModel + "api_key_env = \"K\"\n", `api_key_as = "sk-the-key-itself"`, ""},
		{"api_key_as", agentModel + "api_key_env = \"K\"\n", `api_key_as = "https_proxy"`, "https_proxy is assay's to set"},
		{"environment", agentModel, `environment = { "A B" = "1" }`, ""},
		{"environment", agentModel, `environment = { NO_PROXY = "*" }`, "NO_PROXY is assay's to set"},
		{"environment", agentModel, `environment = "sk-the-key-itself"`, ""},
		{"mount", agentModel, `mount = ["/"]`, "where more lies than programs"},
		{"output", agentModel, `output = "json"`, ""},
		{"git", agentModel, `git = 1`, ""},
		{"memory_mb", agentModel, `memory_mb = 0`, ""},
		{"processes", agentModel, `processes = -1`, ""},
		{"output_mb", agentModel, `output_mb = 0`, ""},
		{"disk_mb", agentModel, `disk_mb = 0`, ""},
		{"program", "[[model]]\nname = \"a\"\nprovider = \"agent\"\n", `program = "other"`, ""},
		{"model", strings.TrimSuffix(builtinModel, "model = \"s\"\n"), `model = "t"`, `there is no model "t" in this file that the built-in agent could ask`},
		{"model", strings.TrimSuffix(builtinModel, "model = \"s\"\n"), `model = "b"`, `cannot ask the model "b", which is no server`},
		{"model", strings.TrimSuffix(builtinModel, "model = \"s\"\n"), `model = "a"`, `cannot ask the model "a", which is no server`},
		{"command", builtinModel, `command = ["sh"]`, `the built-in agent has no use for command: remove it, or set it for the model "s"`},
		{"temperature", builtinModel, `temperature = 0.5`, `set it for the model "s"`},
		{"api_key_env", builtinModel, `api_key_env = "KEY"`, `set it for the model "s"`},
		{"template", builtinModel, `template = '{{define "sytem"}}x{{end}}'`, `"sytem" is no part of it`},
		{"template", builtinModel, `template = 'You are a programmer.'`, "text outside of its parts"},
		{"template", builtinModel, `template = '{{define "task"}}{{.Tsk}}{{end}}'`, "can't evaluate field Tsk"},
		{"template", builtinModel, `template = '{{define "task"}}'`, "unexpected EOF"},
		{"template", agentModel, `template = '{{define "task"}}x{{end}}'`, `does not know template`},
		{"command_timeout", builtinModel, `command_timeout = "soon"`, ""},
		{"step_limit", builtinModel, `step_limit = 0`, ""},
		{"step_limit", agentModel, `step_limit = 5`, "of another output no steps are seen"},
		{"token_limit", claudeModel, `token_limit = -1`, ""},
		{"token_limit", agentModel + "output = \"codex-json\"\n", `token_limit = 5`, "of another output no tokens are seen"},
		{"cost_limit", builtinModel, `cost_limit = 1.0`, "cost_limit needs prices"},
		{"cost_limit", agentModel, `cost_limit = 1.0`, "of another output no tokens are seen"},
		{"cost_limit", claudeModel, `cost_limit = nan`, ""},
		{"tokens_per_second", "[[model]]\nname = \"a\"\nprovider = \"rehearsal\"\n\n\n", `tokens_per_second = -1.0`, ""},
	}
	tested := map[string]bool{}
	for _, row := range rows {
		tested[row.field] = true
		t.Run(row.line, func(t *testing.T) {
			base := row.base
			if base == "" {
				base = "[[model]]\nprovider = \"paste\"\n\n\n\n"
			}
			line := strings.Count(base, "\n") + strings.Count(otherModel, "\n") + 1
			want := row.want
			if want == "" {
				want = expected(row.field)
			}
			_, err := parseModels("f.toml", otherModel+base+row.line+"\n"+strings.Replace(otherModel, `"b"`, `"c"`, 1))
			if err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("f.toml:%d: ", line)) || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want line %d and %q", err, line, want)
			}
			if err != nil && strings.Contains(err.Error(), "sk-the-key-itself") {
				t.Error("what looks like a key is shown")
			}
		})
	}
	for _, field := range tomlFields() {
		if !tested[field] {
			t.Errorf("no row has a bad %s", field)
		}
	}
}

func TestMissingFields(t *testing.T) {
	for text, want := range map[string]string{
		"[[model]]\nprovider = \"paste\"\n":                                               "has no name",
		"[[model]]\nname = \"a\"\n":                                                       "has no provider",
		strings.Replace(openAIModel, "base_url = \"http://x/v1\"\n", "", 1):               "needs base_url",
		strings.Replace(openAIModel, "model = \"m\"\n", "", 1):                            "needs model",
		"[[model]]\nname = \"a\"\nprovider = \"anthropic\"\n":                             "needs model",
		"[[model]]\nname = \"a\"\nprovider = \"ollama\"\n":                                "needs model",
		"[[model]]\nname = \"a\"\nprovider = \"command\"\n":                               "needs command",
		"[[model]]\nname = \"a\"\nprovider = \"agent\"\n":                                 "needs command",
		agentModel + "api_key_cmd = [\"pass\"]\n":                                         "needs api_key_as",
		"[[model]]\nname = \"a\"\nprovider = \"agent\"\nprogram = \"builtin\"\n":          "needs model",
		"[[model]]\nname = \"a\"\nprovider = \"replay\"\n":                                "needs answers",
		openAIModel + "price_in = 1.0\ncurrency = \"USD\"\n":                              "no price_out",
		openAIModel + "price_out = 1.0\ncurrency = \"USD\"\n":                             "no price_in",
		openAIModel + "price_out = 1.0\nprice_in = 1.0\n":                                 "prices without currency",
		openAIModel + "api_key_env = \"K\"\n[model.headers]\nX-A = \"b\"\nY-B = \"env:\"": "the header Y-B",
	} {
		_, err := parseModels("f.toml", text)
		line := "f.toml:1: "
		if strings.Contains(want, "header") {
			line = "f.toml:9: "
		}
		if err == nil || !strings.HasPrefix(err.Error(), line) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// A model's own retries take the place of others, also none. Agents, whose tries cost much, have two.
func TestTries(t *testing.T) {
	none, one := 0, 1
	for _, row := range []struct {
		model     Model
		otherwise int
		want      int
	}{{Model{}, 8, 8}, {Model{Retries: &none}, 8, 1}, {Model{Retries: &one, Provider: ProviderAgent}, 8, 2}, {Model{Provider: ProviderAgent}, 8, 3}, {Model{Provider: ProviderAgent}, 1, 1}} {
		if got := row.model.Tries(row.otherwise); got != row.want {
			t.Errorf("%+v: %d, want %d", row.model, got, row.want)
		}
	}
}

func TestFacts(t *testing.T) {
	list, err := parseModels("f.toml", openAIModel+`price_in = 2.5
price_out = 10
price_cached = 0.5
priced_at = 2026-11-01
currency = "EUR"
max_concurrent = 4
requests_per_minute = 60
tokens_per_minute = 200000
max_context = 128000
training_cutoff = 2024-06-30
`+strings.Replace(openAIModel, `"a"`, `"b"`, 1)+"training_cutoff = \"2024-02\"\n")
	fatal.If(t, err)
	m := list[0]
	if got := m.Limits(); got != (Limits{4, 60, 200000, 128000}) {
		t.Errorf("got %+v", got)
	}
	if amount, currency, known := m.Cost(1_000_000, 400_000, 500_000); amount != 6.7 || currency != "EUR" || !known {
		t.Errorf("got %v %s %v", amount, currency, known)
	}
	if got := m.TrainingCutoff.Format(time.DateOnly); got != "2024-06-30" {
		t.Errorf("got %s", got)
	}
	if got := list[1].TrainingCutoff.Format(time.DateOnly); got != "2024-02-29" {
		t.Errorf("a month ends on %s", got)
	}
	if _, _, known := list[1].Cost(1, 0, 1); known || list[1].Limits() != (Limits{}) {
		t.Error("what is not given is known")
	}
}

// The hashes were printed by the first version with hashes.
func TestDefinitionsStay(t *testing.T) {
	temperature, topP, seed, longest := 0.2, 0.95, int64(1), 2048
	local := Model{Name: "local", Provider: ProviderOpenAI, BaseURL: "http://localhost:8080/v1", Model: "qwen2.5-coder-7b-instruct",
		Temperature: &temperature, TopP: &topP, MaxTokens: &longest, Seed: &seed}
	for _, row := range []struct {
		model Model
		want  string
	}{
		{Model{Name: "rehearsal", Provider: ProviderRehearsal}, "ccb7366e0c336ad5"},
		{Model{Name: "paste", Provider: ProviderPaste}, "4c78994a1b0ce445"},
		{Model{Name: "p", Provider: ProviderCommand, Command: []string{"my-model", "--quiet"}}, "f624911277e4a8d4"},
	} {
		if got := row.model.Definition(); got != row.want {
			t.Errorf("%s: %s, want %s", row.model.Name, got, row.want)
		}
	}
	if !local.Defines("4be0557a7bc1c3b7") || !local.Defines(local.Definition()) || local.Defines("4be0557a7bc1c3b8") {
		t.Error("what was recorded before the server was covered is not recognised")
	}
	k := 40
	if local.TopK = &k; local.Defines("4be0557a7bc1c3b7") {
		t.Error("a model with a new setting is taken for an old one")
	}
}

// A setting that changes answers changes the hash; other settings do not.
func TestDefinitionCovers(t *testing.T) {
	changes := map[string]bool{
		"model": true, "provider": true, "base_url": true, "system": true, "command": true, "answers": true,
		"name": false, "api_key_env": false, "api_key_cmd": false, "client_cert": false, "client_key": false, "context": false, "connect_timeout": false, "idle_timeout": false,
		"total_timeout": false, "price_in": false, "price_out": false, "currency": false, "training_cutoff": false, "max_concurrent": false, "retries": false,
		"requests_per_minute": false, "tokens_per_minute": false, "max_context": false, "tokens_per_second": false,
		"drop":    false, // alone; see below
		"headers": true, "embeddings": true, "extra_body": true, "price_cached": false, "priced_at": false,
	}
	for _, provider := range []string{ProviderOpenAI, ProviderAnthropic, ProviderOllama} {
		for _, name := range (Model{Provider: provider}).provider().settings {
			changes[name] = true
		}
	}
	ofAgents := map[string]bool{"hosts": true, "environment": true, "git": true, "api_key_as": false, "mount": false, "output": false,
		"memory_mb": false, "processes": false, "output_mb": false, "disk_mb": false,
		"program": false, "template": false, // but of the built-in agent; see below
		"command_timeout": false, "step_limit": false, "token_limit": false, "cost_limit": false}
	maps.Copy(changes, ofAgents)
	base := Model{Provider: ProviderOpenAI, Model: "m", BaseURL: "http://x/v1"}
	v := reflect.ValueOf(base)
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name := field.Tag.Get("toml")
		if name == "" {
			continue
		}
		changed := base
		target := reflect.ValueOf(&changed).Elem().Field(i)
		switch target.Interface().(type) {
		case bool:
			target.SetBool(true)
		case string:
			target.SetString("http://other/v1")
			if name == "provider" {
				target.SetString(ProviderOllama)
			}
			if name == "answers" { // only a replay has them
				base, changed = Model{Provider: ProviderReplay, Answers: "/no/one"}, Model{Provider: ProviderReplay, Answers: "/no/other"}
			}
		case []string:
			target.Set(reflect.ValueOf([]string{"top_k"}))
		case Headers:
			target.Set(reflect.ValueOf(Headers{"X-Feature": "on"}))
		case *int:
			one := 1
			target.Set(reflect.ValueOf(&one))
		case Timeout:
			target.SetInt(5)
		case Thinking:
			target.Set(reflect.ValueOf(Thinking{true}))
		case Fields:
			target.Set(reflect.ValueOf(Fields{"x": 1}))
		case Date:
			target.Set(reflect.ValueOf(Date{time.Unix(0, 0)}))
		default:
			target.Set(reflect.New(field.Type.Elem()))
		}
		if _, agent := ofAgents[name]; agent {
			base.Provider, changed.Provider = ProviderAgent, ProviderAgent
		}
		want, known := changes[name]
		if !known {
			t.Errorf("nobody says whether %s changes the definition", name)
		}
		if got := base.Definition() != changed.Definition(); got != want {
			t.Errorf("%s changes the definition: %v, want %v", name, got, want)
		}
		base = Model{Provider: ProviderOpenAI, Model: "m", BaseURL: "http://x/v1"}
	}
	own := Model{Provider: ProviderAgent, Program: programBuiltin, Model: "m", asked: &base}
	other, template := own, own
	other.asked, template.Template = &Model{Provider: ProviderOpenAI, Model: "n", BaseURL: "http://x/v1"}, `{{define "system"}}x{{end}}`
	if own.Definition() == other.Definition() || own.Definition() == template.Definition() {
		t.Error("neither the model that the built-in agent asks nor its template changes the definition")
	}
	hot := 0.5
	dropped := base
	dropped.Temperature, dropped.Drop = &hot, []string{"temperature"}
	if dropped.Definition() != base.Definition() {
		t.Error("what is never sent changes the definition")
	}
	secret := base
	secret.Headers = map[string]string{"Authorization": "x", "X-Team": "env:TEAM"}
	if secret.Definition() != base.Definition() {
		t.Error("secrets change the definition")
	}
	slash := base
	if slash.BaseURL += "/"; slash.Definition() != base.Definition() {
		t.Error("a slash at the end changes the definition")
	}
	implied := Model{Provider: ProviderAnthropic, Model: "m"}
	if written := (Model{Provider: ProviderAnthropic, Model: "m", BaseURL: "https://api.anthropic.com"}); written.Definition() != implied.Definition() {
		t.Error("the default address changes the definition")
	}
}
