package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Place is a server of models that people commonly have.
type Place struct {
	Name     string
	Provider string
	BaseURL  string // "" stands for the provider's default
	KeyEnv   string // where its users keep the key; "" for a server on this machine

	ClientCert, ClientKey string // files by which the server recognises its users; "": it does not
}

// Places lists the places that are known by name: those on this machine first. Azure's address, which is the customer's own,
// is in AZURE_OPENAI_ENDPOINT; without that variable it has none. Other addresses of Ollama, openai and anthropic are where
// their own clients look for them: a gateway's key must not go to the provider.
func Places(getenv func(string) string) []Place {
	azure := ""
	if endpoint := strings.TrimRight(getenv("AZURE_OPENAI_ENDPOINT"), "/"); endpoint != "" {
		azure = strings.TrimSuffix(endpoint, "/openai/v1") + "/openai/v1"
	}
	own := strings.TrimRight(getenv("OLLAMA_HOST"), "/") // a host, host and port, or an address; of the server itself, 0.0.0.0
	if own != "" && !strings.Contains(own, "://") {
		if !strings.Contains(own, ":") {
			own += ":11434"
		}
		own = "http://" + strings.Replace(own, "0.0.0.0", "localhost", 1)
	}
	var places []Place
	for _, p := range [][4]string{
		{"ollama", ProviderOllama, own, ""},
		{"lmstudio", ProviderOpenAI, "http://localhost:1234/v1", ""},
		{"llama.cpp", ProviderOpenAI, "http://localhost:8080/v1", ""},
		{"vllm", ProviderOpenAI, "http://localhost:8000/v1", ""},
		{"openai", ProviderOpenAI, cmp.Or(getenv("OPENAI_BASE_URL"), "https://api.openai.com/v1"), "OPENAI_API_KEY"},
		{"anthropic", ProviderAnthropic, getenv("ANTHROPIC_BASE_URL"), "ANTHROPIC_API_KEY"},
		{"gemini", ProviderGemini, "", "GEMINI_API_KEY"},
		{"azure", ProviderOpenAI, azure, "AZURE_OPENAI_API_KEY"}, // whose models are deployments
		{"openrouter", ProviderOpenAI, "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"},
		{"deepseek", ProviderOpenAI, "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"},
		{"mistral", ProviderOpenAI, "https://api.mistral.ai/v1", "MISTRAL_API_KEY"},
		{"groq", ProviderOpenAI, "https://api.groq.com/openai/v1", "GROQ_API_KEY"},
		{"together", ProviderOpenAI, "https://api.together.xyz/v1", "TOGETHER_API_KEY"},
		{"xai", ProviderOpenAI, "https://api.x.ai/v1", "XAI_API_KEY"},
	} {
		places = append(places, Place{Name: p[0], Provider: p[1], BaseURL: p[2], KeyEnv: p[3]})
	}
	return places
}

// Address completes what a person types as the address of a server: this machine's have http://, all others https://.
func Address(typed string) string {
	typed = strings.TrimSpace(typed)
	switch {
	case typed == "" || strings.Contains(typed, "://"):
		return typed
	case (Model{BaseURL: "http://" + typed}).Local():
		return "http://" + typed
	}
	return "https://" + typed
}

// Model is an entry for one of the place's models.
func (p Place) Model(name, model string) Model {
	return Model{Name: name, Provider: p.Provider, Model: model, BaseURL: p.BaseURL, APIKeyEnv: p.KeyEnv, ClientCert: p.ClientCert, ClientKey: p.ClientKey}
}

// Models asks the place which models it has, in alphabetical order. It returns the place with the address at which there is
// a list: people often leave /v1 out.
func (p Place) Models(ctx context.Context, deps Deps) (Place, []string, error) {
	models, err := p.list(ctx, deps)
	var failed *Error
	u, wrong := url.Parse(p.BaseURL)
	if !errors.As(err, &failed) || failed.Class != NotAModel && failed.Status != http.StatusNotFound || wrong != nil || strings.Trim(u.Path, "/") != "" || p.Provider != ProviderOpenAI && p.Provider != ProviderResponses {
		return p, models, err
	}
	longer := p
	longer.BaseURL = u.JoinPath("v1").String()
	if models, again := longer.list(ctx, deps); again == nil {
		return longer, models, nil
	}
	return p, nil, err
}

func (p Place) list(ctx context.Context, deps Deps) ([]string, error) {
	m := p.Model(p.Name, p.Name)
	if problem := m.problem(); problem != nil {
		return nil, &fieldError{field: problem.field, problem: problem.problem} // the model has no name yet
	}
	c := newHTTPClient(m, deps.EnsureDefaults(), m.provider().codec)
	c.adding = true
	cred, failed := c.credentials(ctx)
	if failed != nil {
		return nil, failed
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
		Models []struct {
			Name string `json:"name"`
		} `json:"models"`
	}
	if err := c.get(ctx, cred, c.listURL(), &list); err != nil {
		return nil, cred.hide.error(err)
	}
	var names []string
	for _, m := range list.Data {
		names = append(names, m.ID)
	}
	for _, m := range list.Models {
		names = append(names, strings.TrimPrefix(m.Name, "models/")) // as Gemini writes them
	}
	slices.Sort(names)
	return names, nil
}

// get reads JSON that the server has beside its answers: which models it has, and how they are loaded.
func (c *httpClient) get(ctx context.Context, cred credentials, url string, into any) *Error {
	return c.fetch(ctx, cred, http.MethodGet, url, nil, into)
}

// fetch does the same with any method, and with a question in JSON unless it is nil.
func (c *httpClient) fetch(ctx context.Context, cred credentials, method, url string, question, into any) *Error {
	ctx, cancel := context.WithTimeout(ctx, getTimeout)
	defer cancel()
	fail := func(class Class, format string, args ...any) *Error {
		return &Error{Class: class, Message: fmt.Sprintf(format, args...), Advice: "check the address: it often ends in /v1"}
	}
	asked := &exchange{client: &httpClient{model: c.model, deps: c.deps, codec: c.codec, endpoint: url, base: c.base, host: c.host, adding: c.adding}, cred: cred}
	var sent io.Reader
	if question != nil {
		text, err := json.Marshal(question)
		if err != nil {
			panic("llm: a question of plain values does not marshal: " + err.Error())
		}
		sent = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, url, sent)
	if err != nil {
		return fail(BadRequest, "%s is no address", url)
	}
	c.authorise(req, cred)
	res, err := c.deps.Transport.RoundTrip(req)
	if err != nil {
		return asked.noConnection(err).Error
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxAnswer)) // a partial body does not decode
	if res.StatusCode != http.StatusOK {
		return asked.refused(res, bytes.NewReader(body)).Error
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fail(NotAModel, "%s sent no list of models (%s)", url, oneLine(string(body), 100))
	}
	return nil
}

// getTimeout limits a request for what a server has at hand.
const getTimeout = 10 * time.Second

// Entry is the model as an entry of a models file.
func (m Model) Entry() string {
	var b strings.Builder
	b.WriteString("[[model]]\n")
	for _, field := range []struct{ key, value string }{{"name", m.Name}, {"provider", m.Provider}, {"base_url", m.BaseURL}, {"model", m.Model}, {"api_key_env", m.APIKeyEnv}, {"client_cert", m.ClientCert}, {"client_key", m.ClientKey}} {
		if field.value != "" {
			fmt.Fprintf(&b, "%s = %s\n", field.key, tomlText(field.value))
		}
	}
	return b.String()
}

// tomlText quotes a text for TOML, whose basic strings have JSON's escapes.
func tomlText(text string) string {
	quoted, _ := json.Marshal(text) // a string always marshals
	return string(quoted)
}
