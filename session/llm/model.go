package llm

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The providers.
const (
	ProviderRehearsal = "rehearsal"
	ProviderReplay    = "replay"
	ProviderPaste     = "paste"
	ProviderCommand   = "command"
	ProviderOpenAI    = "openai"
	ProviderAnthropic = "anthropic"
	ProviderOllama    = "ollama"
)

// Default time-outs of models that name none.
const (
	defaultConnect = 10 * time.Second
	defaultIdle    = 120 * time.Second
	defaultTotal   = 600 * time.Second
)

// Model is one [[model]] of the models file.
type Model struct {
	Name     string `toml:"name"`     // what a person and a study call it
	Provider string `toml:"provider"` // one of the Provider constants
	Model    string `toml:"model"`    // what the provider calls it

	// Embeddings says that the model places texts in a space, and answers nothing: for
	// providers "openai" and "ollama".
	Embeddings bool `toml:"embeddings"`

	BaseURL   string   `toml:"base_url"`    // where the provider's interface begins; Anthropic and Ollama have a default
	APIKeyEnv string   `toml:"api_key_env"` // the environment variable that holds the key
	APIKeyCmd []string `toml:"api_key_cmd"` // or a program, with its arguments, that prints it
	Headers   Headers  `toml:"headers"`     // sent with every request; "env:NAME" stands for a variable's value

	// What follows is sent only where it is given and not in Drop. Which provider takes
	// which is said by takes.
	Temperature      *float64 `toml:"temperature"` // 0 to 2; 0 to 1 for Anthropic
	TopP             *float64 `toml:"top_p"`       // above 0, at most 1
	TopK             *int     `toml:"top_k"`
	MinP             *float64 `toml:"min_p"`      // 0 to 1
	MaxTokens        *int     `toml:"max_tokens"` // the longest answer; Anthropic wants one, and is sent 4096 where none is given
	Seed             *int64   `toml:"seed"`       // the request's Sample is added
	Stop             []string `toml:"stop"`       // texts that end an answer
	PresencePenalty  *float64 `toml:"presence_penalty"`
	FrequencyPenalty *float64 `toml:"frequency_penalty"`
	NumCtx           *int     `toml:"num_ctx"` // Ollama: the context, in tokens, that the model is loaded with

	Drop   []string `toml:"drop"`   // fields that the server refuses and that are never sent
	System string   `toml:"system"` // a system message before every conversation

	// Context is what later attempts at a task send where no study decides it:
	// "conversation" (the default) or "fresh". This package only keeps it.
	Context string `toml:"context"`

	ConnectTimeout Timeout `toml:"connect_timeout"` // until there is a connection; 10 s
	IdleTimeout    Timeout `toml:"idle_timeout"`    // between two pieces of an answer, and before the first; 120 s, none for a command
	TotalTimeout   Timeout `toml:"total_timeout"`   // the whole request, retries included; 600 s

	// Facts about the model, for those who plan and pay: this package only keeps them.
	PriceIn        *float64 `toml:"price_in"`  // per million tokens of prompts
	PriceOut       *float64 `toml:"price_out"` // per million tokens of answers
	Currency       string   `toml:"currency"`  // of the prices: three letters, such as USD
	TrainingCutoff Date     `toml:"training_cutoff"`

	MaxConcurrent     *int `toml:"max_concurrent"`      // requests at one time
	RequestsPerMinute *int `toml:"requests_per_minute"` // as the provider allows them
	TokensPerMinute   *int `toml:"tokens_per_minute"`   // of prompts and answers together
	MaxContext        *int `toml:"max_context"`         // tokens that a prompt and its answer may have together

	Command []string `toml:"command"`           // provider "command": a program and its arguments
	Answers string   `toml:"answers"`           // provider "replay": the file of recorded answers
	Pace    *float64 `toml:"tokens_per_second"` // providers "rehearsal" (60) and "replay" (0, which is no waiting)
}

// Limits are what a runner of many requests must keep to; 0 is no limit.
type Limits struct {
	Concurrent        int // requests at one time
	RequestsPerMinute int
	TokensPerMinute   int // of prompts and answers together
	Context           int // tokens that a prompt and its answer may have together
}

// Limits are the limits of the models file.
func (m Model) Limits() Limits {
	value := func(p *int) int {
		if p == nil {
			return 0
		}
		return *p
	}
	return Limits{value(m.MaxConcurrent), value(m.RequestsPerMinute), value(m.TokensPerMinute), value(m.MaxContext)}
}

// Cost is the price of so many tokens. known is false where the models file has no
// prices, which is not the same as costing nothing.
func (m Model) Cost(inputTokens, outputTokens int) (amount float64, currency string, known bool) {
	if m.PriceIn == nil || m.PriceOut == nil {
		return 0, "", false
	}
	return (float64(inputTokens)**m.PriceIn + float64(outputTokens)**m.PriceOut) / 1e6, m.Currency, true
}

// Headers are names and values of HTTP headers.
type Headers map[string]string

// UnmarshalTOML reads a table of texts. The decoder by itself would read over anything
// else that stands in its place.
func (h *Headers) UnmarshalTOML(value any) error {
	table, ok := value.(map[string]any)
	if !ok {
		return errors.New("it is not a table")
	}
	*h = Headers{}
	for name, v := range table {
		text, ok := v.(string)
		if !ok {
			return fmt.Errorf("the value of %s is not a string", name)
		}
		(*h)[name] = text
	}
	return nil
}

// Date is a day of the models file: 2024-06-30, with or without quotation marks, or a
// month as "2024-06", which is its last day. The zero Date is none.
type Date struct{ time.Time }

// UnmarshalTOML reads a date of TOML or a text.
func (d *Date) UnmarshalTOML(value any) error {
	switch v := value.(type) {
	case time.Time:
		y, month, day := v.Date()
		d.Time = time.Date(y, month, day, 0, 0, 0, 0, time.UTC)
		return nil
	case string:
		if at, err := time.Parse(time.DateOnly, v); err == nil {
			d.Time = at
			return nil
		}
		if at, err := time.Parse("2006-01", v); err == nil {
			d.Time = at.AddDate(0, 1, -1)
			return nil
		}
	}
	return fmt.Errorf("%v is not a date", value)
}

// Timeout is a limit on waiting: 0 takes the default, below 0 is no limit.
type Timeout time.Duration

// UnmarshalText reads a duration such as "90s" or "5m", or "none".
func (t *Timeout) UnmarshalText(text []byte) error {
	if string(text) == "none" {
		*t = -1
		return nil
	}
	d, err := time.ParseDuration(string(text))
	if err != nil || d <= 0 {
		return fmt.Errorf("%q is not a timeout", text)
	}
	*t = Timeout(d)
	return nil
}

// orDefault is the limit to apply, 0 for none.
func (t Timeout) orDefault(d time.Duration) time.Duration {
	switch {
	case t < 0:
		return 0
	case t == 0:
		return d
	}
	return time.Duration(t)
}

// overHTTP reports whether the provider is a server.
func (m Model) overHTTP() bool {
	return m.Provider == ProviderOpenAI || m.Provider == ProviderAnthropic || m.Provider == ProviderOllama
}

// base is base_url, or the provider's own.
func (m Model) base() string {
	switch {
	case m.BaseURL != "":
		return strings.TrimRight(m.BaseURL, "/")
	case m.Provider == ProviderAnthropic:
		return "https://api.anthropic.com"
	case m.Provider == ProviderOllama:
		return "http://localhost:11434"
	}
	return ""
}

// Ready reports whether a request to m could be sent now and, if not, why. It
// starts nothing and sends nothing: `assay models check` does.
func (m Model) Ready(deps Deps) (ok bool, why string) {
	deps = deps.EnsureDefaults()
	switch {
	case m.Provider == ProviderCommand:
		return onPath(m.Command[0])
	case m.Provider == ProviderReplay:
		if _, err := os.Stat(m.Answers); err != nil {
			return false, "the recorded answers cannot be read: " + err.Error()
		}
	case m.overHTTP():
		if _, missing := m.headers(deps.Getenv); missing != "" && !m.local() {
			return false, notSet(missing)
		}
		if len(m.APIKeyCmd) > 0 {
			return onPath(m.APIKeyCmd[0])
		}
		if m.APIKeyEnv != "" && deps.Getenv(m.APIKeyEnv) == "" && !m.local() {
			return false, notSet(m.APIKeyEnv)
		}
	}
	return true, ""
}

func notSet(variable string) string {
	return fmt.Sprintf("the environment variable %s is not set", variable)
}

func onPath(program string) (bool, string) {
	if _, err := exec.LookPath(program); err != nil {
		return false, fmt.Sprintf("there is no program %q on the PATH", program)
	}
	return true, ""
}

// fromEnv is the variable that the value of a header refers to.
func fromEnv(value string) (variable string, ok bool) { return strings.CutPrefix(value, "env:") }

// headers are the headers to send, with the values of environment variables. missing is
// a variable that is not set.
func (m Model) headers(getenv func(string) string) (headers map[string]string, missing string) {
	headers = map[string]string{}
	for name, value := range m.Headers {
		if variable, ok := fromEnv(value); ok {
			if value = strings.TrimSpace(getenv(variable)); value == "" {
				if missing == "" || variable < missing {
					missing = variable
				}
				continue
			}
		}
		headers[name] = value
	}
	return headers, missing
}

// local reports whether the server runs on this machine: then it needs no key.
func (m Model) local() bool {
	u, err := url.Parse(m.base())
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// withSystem puts the model's system message first, unless the conversation
// brings its own.
func (m Model) withSystem(messages []Message) []Message {
	if m.System == "" || len(messages) > 0 && messages[0].Role == System {
		return messages
	}
	return append([]Message{{Role: System, Text: m.System}}, messages...)
}

// beside makes the paths of m, which the models file in dir has, absolute.
func (m Model) beside(dir string) Model {
	if m.Answers != "" && !filepath.IsAbs(m.Answers) {
		m.Answers = filepath.Join(dir, m.Answers)
	}
	return m
}
