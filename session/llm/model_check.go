package llm

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// fieldError is a problem with one field of a model.
type fieldError struct {
	model   string // name of the model, may be empty
	field   string // key in the models file
	problem string
}

func (e *fieldError) Error() string {
	if e.model == "" {
		return e.problem
	}
	return fmt.Sprintf("model %q: %s", e.model, e.problem)
}

// expected describes the valid values of a field, as the end of a sentence that starts with its name.
func expected(field string) string {
	switch field {
	case "name", "model", "system":
		return "must be a text, such as \"local\""
	case "provider":
		return "must be " + oneOf(providerNames(func(provider) bool { return true }))
	case "embeddings":
		return "must be true for a model that makes embeddings of texts, else false or left out"
	case "base_url":
		return "must be an address such as \"https://api.example.com/v1\""
	case "api_key_env":
		return "must be the name of an environment variable, such as \"EXAMPLE_API_KEY\", never the key itself"
	case "api_key_cmd":
		return "must be a program and its arguments, such as [\"pass\", \"show\", \"example\"]"
	case "client_cert", "client_key":
		return "must be a file in PEM, such as \"client.pem\""
	case "headers":
		return "must be a table of texts, such as { \"X-Project\" = \"study\", \"X-Key\" = \"env:NAME\" }"
	case "temperature":
		return "must be from 0 to 2 (from 0 to 1 for provider \"anthropic\")"
	case "top_p":
		return "must be above 0 and at most 1"
	case "min_p":
		return "must be from 0 to 1"
	case "program":
		return "must be \"builtin\" for assay's own agent, or left out for a program that command names"
	case "template":
		return "must be a text with parts such as '{{define \"system\"}}…{{end}}'; the parts are " + oneOf(builtinParts[:])
	case "cost_limit":
		return "must be an amount above 0 in the model's currency, such as 2.5"
	case "top_k", "max_tokens", "num_ctx", "thinking_tokens", "max_concurrent", "requests_per_minute", "tokens_per_minute", "max_context", "memory_mb", "processes", "output_mb", "disk_mb",
		"step_limit", "token_limit":
		return "must be a whole number from 1"
	case "retries":
		return "must be a whole number from 0 to 20"
	case "seed":
		return "must be a whole number"
	case "stop":
		return "must be a list of texts that are not empty, such as [\"\\n\\n\"]"
	case "presence_penalty", "frequency_penalty":
		return "must be from -2 to 2"
	case "drop":
		return "must be a list of fields that are not to be sent, such as [\"temperature\"]"
	case "context":
		return "must be \"conversation\" or \"fresh\""
	case "connect_timeout", "idle_timeout", "total_timeout", "command_timeout":
		return "must be a time such as \"90s\" or \"5m\", or \"none\""
	case "reasoning_effort":
		return "must be the server's word for how much the model thinks, such as \"low\""
	case "think":
		return "must be true, false, or a word such as \"low\""
	case "extra_body":
		return "must be a table of further fields of a request, without model, messages and stream"
	case "price_in", "price_out", "price_cached":
		return "must be a price per million tokens, 0 or more, such as 2.5"
	case "currency":
		return "must be three capital letters, such as \"USD\""
	case "training_cutoff", "priced_at":
		return "must be a date such as 2024-06-30, or a month such as \"2024-06\""
	case "command":
		return "must be a program and its arguments, such as [\"my-model\", \"--quiet\"]"
	case "hosts":
		return "must be a list of hosts, with their port unless it is 443, such as [\"api.example.com\", \"127.0.0.1:8080\"]"
	case "api_key_as":
		return "must be the name of the environment variable in which the program expects the key, such as \"EXAMPLE_API_KEY\""
	case "environment":
		return "must be a table of texts, such as { \"LEVEL\" = \"high\" }"
	case "mount":
		return "must be a list of directories of programs, such as [\"/opt/agent/node_modules\"]"
	case "output":
		return "must be " + oneOf(outputs())
	case "git":
		return "must be true if the program needs a git repository, else false or left out"
	case "answers":
		return "must be the file of recorded answers, such as \"answers.jsonl\""
	case "tokens_per_second":
		return "must be a number, 0 or more; 0 is no waiting"
	}
	return ""
}

// oneOf lists a choice of quoted words.
func oneOf(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	if last := len(quoted) - 1; last > 0 {
		return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
	}
	return strings.Join(quoted, "")
}

// Validate returns an error that describes the first problem of m in terms of the models file.
func (m Model) Validate() error {
	if e := m.problem(); e != nil {
		return e
	}
	return nil
}

// problem returns the first problem of m.
func (m Model) problem() *fieldError {
	if strings.TrimSpace(m.Name) == "" {
		return &fieldError{field: "name", problem: "a [[model]] has no name: give it name = \"…\""}
	}
	if strings.ContainsAny(m.Name, "\n\r\t") {
		return &fieldError{model: m.Name, field: "name", problem: "the name must be on one line, without tabs"}
	}
	for _, check := range []func() *fieldError{m.providerProblem, m.foreignField, m.samplingProblem, m.dropProblem, m.factsProblem, m.keyProblem, m.agentProblem} {
		if e := check(); e != nil {
			e.model = m.Name
			return e
		}
	}
	return nil
}

// wrong returns the problem of a field with an invalid value.
func wrong(field string) *fieldError {
	return &fieldError{field: field, problem: field + " " + expected(field)}
}

// needs returns the problem of a missing field that the provider requires.
func (m Model) needs(field, example string) *fieldError {
	return &fieldError{field: field, problem: fmt.Sprintf("provider %q needs %s = %s", m.Provider, field, example)}
}

func (m Model) providerProblem() *fieldError {
	switch p := m.provider(); {
	case m.Provider == "":
		return &fieldError{field: "provider", problem: "has no provider: it " + expected("provider")}
	case p.name == "":
		return &fieldError{field: "provider", problem: fmt.Sprintf("provider %q is not known: it %s", m.Provider, expected("provider"))}
	case m.Provider == ProviderAgent && m.Program != "" && m.Program != programBuiltin:
		return wrong("program")
	case m.Program == programBuiltin && m.Provider == ProviderAgent:
		if m.Model == "" {
			return m.needs("model", "\"NAME\", a model of this file that the built-in agent asks")
		}
	case m.StartsProgram() && len(m.Command) == 0:
		return m.needs("command", "[\"program\", \"argument\", …]")
	case m.StartsProgram() && m.Command[0] == "":
		return wrong("command")
	case m.Provider == ProviderReplay && m.Answers == "":
		return m.needs("answers", "\"FILE\", the file of recorded answers")
	}
	if m.Embeddings && m.provider().embeddings == nil {
		return &fieldError{field: "embeddings", problem: fmt.Sprintf("provider %q makes no embeddings: take %s", m.Provider, oneOf(providerNames(func(p provider) bool { return p.embeddings != nil })))}
	}
	if !m.OverHTTP() {
		return nil
	}
	if m.base() == "" {
		return m.needs("base_url", "\"https://…\" (often ending in /v1)")
	}
	address, _ := overSocket(m.base())
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return &fieldError{field: "base_url", problem: fmt.Sprintf("provider %q needs base_url = \"https://…\": what stands there is no such address", m.Provider)}
	}
	if u.User != nil {
		return &fieldError{field: "base_url", problem: "base_url must not hold a user name or password: use api_key_env, api_key_cmd or headers"}
	}
	if m.Provider == ProviderOllama && strings.HasSuffix(u.Path, "/v1") {
		return &fieldError{field: "base_url", problem: "Ollama's own interface does not lie under /v1: leave it out, or take provider = \"openai\""}
	}
	if m.Model == "" {
		return m.needs("model", "\"…\", the model's name on the server")
	}
	return nil
}

// foreignField finds a field that is set although the provider ignores it: its author expects an effect.
func (m Model) foreignField() *fieldError {
	used := m.provider().takes(m.Embeddings)
	v := reflect.ValueOf(m)
	for i := range v.NumField() {
		field := v.Type().Field(i).Tag.Get("toml")
		if field == "" || v.Field(i).IsZero() || slices.Contains(used, field) {
			continue
		}
		if m.Program == programBuiltin && m.Provider == ProviderAgent {
			return &fieldError{field: field, problem: fmt.Sprintf("the built-in agent has no use for %s: remove it, or set it for the model %q, which it asks", field, m.Model)}
		}
		if m.Embeddings {
			return &fieldError{field: field, problem: fmt.Sprintf("a model for embeddings has no use for %s: remove it, or remove embeddings", field)}
		}
		return &fieldError{field: field, problem: fmt.Sprintf("provider %q does not know %s: remove it", m.Provider, field)}
	}
	return nil
}

func (m Model) samplingProblem() *fieldError {
	hottest := cmp.Or(m.provider().hottest, 2)
	// Written so that NaN, which TOML allows, is outside every range.
	outside := func(p *float64, low, high float64) bool { return p != nil && !(*p >= low && *p <= high) }
	below := func(p *int) bool { return p != nil && *p < 1 }
	switch {
	case outside(m.Temperature, 0, hottest):
		return wrong("temperature")
	case outside(m.TopP, 0, 1) || m.TopP != nil && *m.TopP == 0:
		return wrong("top_p")
	case outside(m.MinP, 0, 1):
		return wrong("min_p")
	case below(m.TopK):
		return wrong("top_k")
	case below(m.MaxTokens):
		return wrong("max_tokens")
	case below(m.NumCtx):
		return wrong("num_ctx")
	case below(m.ThinkingTokens):
		return wrong("thinking_tokens")
	case m.ThinkingTokens != nil && (m.MaxTokens == nil || *m.MaxTokens <= *m.ThinkingTokens):
		return &fieldError{field: "thinking_tokens", problem: fmt.Sprintf("thinking_tokens is %d: max_tokens, which counts them, too, must be given and larger", *m.ThinkingTokens)}
	case m.Stop != nil && (len(m.Stop) == 0 || slices.Contains(m.Stop, "")):
		return wrong("stop")
	case outside(m.PresencePenalty, -2, 2):
		return wrong("presence_penalty")
	case outside(m.FrequencyPenalty, -2, 2):
		return wrong("frequency_penalty")
	}
	return nil
}

func (m Model) dropProblem() *fieldError {
	for _, name := range []string{"model", "messages", "stream"} {
		if _, has := m.ExtraBody[name]; has {
			return wrong("extra_body")
		}
	}
	for _, name := range m.Drop {
		if allowed := m.provider().mayDrop(); !slices.Contains(allowed, name) {
			return &fieldError{field: "drop", problem: fmt.Sprintf("drop names %q, which provider %q must be sent or never is: it may name %s", name, m.Provider, oneOf(allowed))}
		}
	}
	return nil
}

var currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)

func (m Model) factsProblem() *fieldError {
	bad := func(p *float64) bool { return p != nil && !(*p >= 0 && *p < 1e9) }
	below := func(p *int) bool { return p != nil && *p < 1 }
	switch {
	case bad(m.PriceIn):
		return wrong("price_in")
	case bad(m.PriceOut):
		return wrong("price_out")
	case bad(m.PriceCached):
		return wrong("price_cached")
	case m.PriceCached != nil && m.PriceIn == nil:
		return &fieldError{field: "price_cached", problem: "has price_cached but no price_in: give price_in, price_out and currency, too"}
	case m.PriceIn == nil && m.PriceOut != nil:
		return &fieldError{field: "price_in", problem: "has price_out but no price_in: give both, 0 where nothing is charged"}
	case m.PriceOut == nil && m.PriceIn != nil:
		return &fieldError{field: "price_out", problem: "has price_in but no price_out: give both, 0 where nothing is charged"}
	case m.PriceIn != nil && m.Currency == "":
		return &fieldError{field: "currency", problem: "has prices without currency: currency " + expected("currency")}
	case m.Currency != "" && !currencyCode.MatchString(m.Currency):
		return wrong("currency")
	case m.Currency != "" && m.PriceIn == nil:
		return &fieldError{field: "currency", problem: "has a currency without prices: give price_in and price_out, or remove it"}
	case m.Retries != nil && (*m.Retries < 0 || *m.Retries > 20):
		return wrong("retries")
	case below(m.MaxConcurrent):
		return wrong("max_concurrent")
	case below(m.RequestsPerMinute):
		return wrong("requests_per_minute")
	case below(m.TokensPerMinute):
		return wrong("tokens_per_minute")
	case below(m.MaxContext):
		return wrong("max_context")
	case m.Pace != nil && !(*m.Pace >= 0):
		return wrong("tokens_per_second")
	case m.Context != "" && m.Context != "conversation" && m.Context != "fresh":
		return &fieldError{field: "context", problem: fmt.Sprintf("context is %q: it %s", m.Context, expected("context"))}
	}
	return nil
}

var (
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	headerName   = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
)

func (m Model) keyProblem() *fieldError {
	switch {
	case m.APIKeyEnv != "" && len(m.APIKeyCmd) > 0:
		return &fieldError{field: "api_key_cmd", problem: "has both api_key_env and api_key_cmd: keep one"}
	case m.APIKeyEnv != "" && !variableName.MatchString(m.APIKeyEnv):
		// The value is not shown: it is probably a key.
		return wrong("api_key_env")
	case m.APIKeyCmd != nil && (len(m.APIKeyCmd) == 0 || m.APIKeyCmd[0] == ""):
		return wrong("api_key_cmd")
	}
	if m.ClientKey != "" && m.ClientCert == "" {
		return &fieldError{field: "client_key", problem: "has client_key but no client_cert: give the file of the certificate, too"}
	}
	if m.ClientCert != "" && !strings.HasPrefix(m.base(), "https://") {
		return &fieldError{field: "client_cert", problem: "client_cert needs a base_url with https://: others show no certificate"}
	}
	return m.headersProblem()
}

func (m Model) headersProblem() *fieldError {
	for _, name := range slices.Sorted(maps.Keys(m.Headers)) {
		value := m.Headers[name]
		variable, refers := fromEnv(value)
		field := "headers." + name
		switch {
		case !headerName.MatchString(name):
			return &fieldError{field: field, problem: fmt.Sprintf("%q is no name of a header", name)}
		case refers && !variableName.MatchString(variable):
			return &fieldError{field: field, problem: fmt.Sprintf("the header %s refers to no environment variable: write \"env:NAME\"", name)}
		case strings.ContainsAny(value, "\r\n\x00"):
			return &fieldError{field: field, problem: fmt.Sprintf("the value of the header %s must be on one line", name)}
		}
	}
	return nil
}
