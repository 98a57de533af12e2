package llm

import (
	"bytes"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/data/disk"
	"assay/data/program"
	"assay/data/tomlfile"
	"assay/session"
)

// The providers of models.
const (
	ProviderRehearsal = "rehearsal"
	ProviderReplay    = "replay"
	ProviderPaste     = "paste"
	ProviderCommand   = "command"
	ProviderAgent     = "agent"
	ProviderOpenAI    = "openai"
	ProviderResponses = "responses" // OpenAI's
	ProviderAnthropic = "anthropic"
	ProviderGemini    = "gemini"
	ProviderOllama    = "ollama"
)

// Default time-outs.
const (
	defaultConnect = 10 * time.Second
	defaultIdle    = 120 * time.Second
	defaultTotal   = 600 * time.Second
)

// Model is one [[model]] of the models file.
type Model struct {
	Name     string `toml:"name"`     // what people and studies call it
	Provider string `toml:"provider"` // one of the Provider constants
	Model    string `toml:"model"`    // what the provider calls it

	// Embeddings reports that this is an embedding model, which answers no prompts; for providers "openai"
	// and "ollama".
	Embeddings bool `toml:"embeddings"`

	BaseURL   string   `toml:"base_url"`    // base of the provider's API; Anthropic, Gemini and Ollama have a default
	APIKeyEnv string   `toml:"api_key_env"` // the environment variable that holds the key
	APIKeyCmd []string `toml:"api_key_cmd"` // or a program, with its arguments, that prints the key
	Headers   Headers  `toml:"headers"`     // sent with every request; "env:NAME" is replaced by a variable's value

	// ClientCert and ClientKey are files in PEM, relative to the models file: the certificate by which servers recognise the
	// client (mTLS), and its key, unless that is in the same file.
	ClientCert string `toml:"client_cert"`
	ClientKey  string `toml:"client_key"`

	// These are sent only if set and not in Drop. The function takes lists which provider accepts which.
	Temperature *float64 `toml:"temperature"` // 0 to 2; 0 to 1 for Anthropic
	TopP        *float64 `toml:"top_p"`       // above 0, at most 1
	TopK        *int     `toml:"top_k"`
	MinP        *float64 `toml:"min_p"` // 0 to 1
	// the longest answer; Anthropic requires it: the default there is 4096
	MaxTokens        *int     `toml:"max_tokens"`
	Seed             *int64   `toml:"seed"` // the request's Sample is added to it
	Stop             []string `toml:"stop"` // texts that end an answer
	PresencePenalty  *float64 `toml:"presence_penalty"`
	FrequencyPenalty *float64 `toml:"frequency_penalty"`
	NumCtx           *int     `toml:"num_ctx"` // Ollama: the size, in tokens, of the context to load the model with

	// How much the model thinks before it answers.
	ReasoningEffort string   `toml:"reasoning_effort"` // providers "openai" and "responses": the server's word, such as "low"
	ThinkingTokens  *int     `toml:"thinking_tokens"`  // Anthropic and Gemini: most tokens of thinking, below max_tokens
	Think           Thinking `toml:"think"`            // Ollama: true, false or "low", "medium", "high"

	// ExtraBody are further fields of every request, for what servers know beyond the settings above.
	ExtraBody Fields `toml:"extra_body"`

	Drop   []string `toml:"drop"`   // fields that the server rejects, never sent
	System string   `toml:"system"` // a system message before every conversation

	// Context determines what later attempts at a task send unless a study decides: "conversation" (the
	// default) or "fresh". This package only stores it.
	Context string `toml:"context"`

	ConnectTimeout Timeout `toml:"connect_timeout"` // until there is a connection; 10 s
	IdleTimeout    Timeout `toml:"idle_timeout"`    // between two pieces of an answer, and before the first; 120 s, none for a command
	TotalTimeout   Timeout `toml:"total_timeout"`   // the whole request, retries included; 600 s

	// Facts about the model for planning and billing; this package only stores them.
	PriceIn        *float64 `toml:"price_in"`     // per million tokens of prompts
	PriceOut       *float64 `toml:"price_out"`    // per million tokens of answers
	PriceCached    *float64 `toml:"price_cached"` // per million tokens of prompts that the provider's cache has; price_in unless given
	PricedAt       Date     `toml:"priced_at"`    // when the prices held
	Currency       string   `toml:"currency"`     // of the prices: three letters, such as USD
	TrainingCutoff Date     `toml:"training_cutoff"`

	Retries           *int `toml:"retries"`             // of a request that fails for a passing reason; in batches 7, of an agent 2, in sessions 3
	MaxConcurrent     *int `toml:"max_concurrent"`      // concurrent requests
	RequestsPerMinute *int `toml:"requests_per_minute"` // the provider's limit
	TokensPerMinute   *int `toml:"tokens_per_minute"`   // of prompts and answers together
	MaxContext        *int `toml:"max_context"`         // most tokens of a prompt and its answer together

	Command []string `toml:"command"`           // providers "command" and "agent": a program and its arguments
	Answers string   `toml:"answers"`           // provider "replay": the file of recorded answers
	Pace    *float64 `toml:"tokens_per_second"` // providers "rehearsal" (60) and "replay" (0: no delay)

	// These are for provider "agent" alone.
	Program     string   `toml:"program"`     // "builtin": assay's own agent, which asks the model Model of this file; "": Command
	Template    string   `toml:"template"`    // the parts of the built-in agent's template that are changed
	Hosts       []string `toml:"hosts"`       // that the program may reach, with port unless it is 443
	APIKeyAs    string   `toml:"api_key_as"`  // the program's variable that gets the key; api_key_env unless given
	Environment Headers  `toml:"environment"` // further variables
	Mount       []string `toml:"mount"`       // directories that the program sees, beside the system's
	Output      string   `toml:"output"`      // how to read what it prints: one of outputs()
	Git         bool     `toml:"git"`         // the tree is a git repository with one commit
	MemoryMB    *int     `toml:"memory_mb"`   // 4096
	Processes   *int     `toml:"processes"`   // and threads: 512
	OutputMB    *int     `toml:"output_mb"`   // 16
	DiskMB      *int     `toml:"disk_mb"`     // what it writes: 2048

	CommandTimeout Timeout  `toml:"command_timeout"` // of a command of the built-in agent; 60 s
	StepLimit      *int     `toml:"step_limit"`      // most answers of the model in an attempt; 250 for the built-in agent
	TokenLimit     *int     `toml:"token_limit"`     // most tokens in an attempt, read and written
	CostLimit      *float64 `toml:"cost_limit"`      // most that an attempt costs, in Currency

	asked *Model // that the built-in agent asks, as parseModels finds it
}

// Limits are the limits for a runner of many requests; 0 means no limit.
type Limits struct {
	Concurrent        int // concurrent requests
	RequestsPerMinute int
	TokensPerMinute   int // of prompts and answers together
	Context           int // most tokens of a prompt and its answer together
}

// Tries returns how often a request is sent at most, given that number without the model's own retries.
func (m Model) Tries(otherwise int) int {
	switch {
	case m.Retries != nil:
		return 1 + *m.Retries
	case m.Provider == ProviderAgent: // which may have paid for many requests before it failed
		return min(otherwise, 3)
	}
	return otherwise
}

// Limits returns the limits of the models file.
func (m Model) Limits() Limits {
	value := func(p *int) int {
		if p == nil {
			return 0
		}
		return *p
	}
	return Limits{value(m.MaxConcurrent), value(m.RequestsPerMinute), value(m.TokensPerMinute), value(m.MaxContext)}
}

// Cost returns the price of the given tokens; cached ones are among those of the input. known is false if the models
// file has no prices, which is different from costing nothing.
func (m Model) Cost(inputTokens, cachedTokens, outputTokens int) (amount float64, currency string, known bool) {
	p := m.Price()
	if p == nil {
		return 0, "", false
	}
	return p.Of(session.Account{Input: int64(inputTokens), Cached: int64(cachedTokens), Output: int64(outputTokens)}).Amount, p.Currency, true
}

// Price returns the prices of the models file; nil: it has none.
func (m Model) Price() *session.Price {
	if m.PriceIn == nil || m.PriceOut == nil {
		return nil
	}
	p := session.Price{In: *m.PriceIn, Cached: *m.PriceIn, Out: *m.PriceOut, Currency: m.Currency}
	if m.PriceCached != nil {
		p.Cached = *m.PriceCached
	}
	if !m.PricedAt.IsZero() {
		p.At = m.PricedAt.Format(time.DateOnly)
	}
	return &p
}

// Thinking is whether, or how much, a model of Ollama's thinks: a bool or a word; the zero value leaves it to the server.
type Thinking struct{ value any }

// UnmarshalTOML reads true, false, or a word in quotes.
func (t *Thinking) UnmarshalTOML(text []byte) error {
	switch word := string(text); {
	case word == "true", word == "false":
		t.value = word == "true"
	case strings.HasPrefix(word, `"`), strings.HasPrefix(word, "'"):
		t.value = strings.Trim(word, `"'`)
	default:
		return tomlfile.Invalid(text, "%s is neither true, false nor a word", text)
	}
	return nil
}

// Fields are fields of a request's JSON.
type Fields map[string]any

// Headers maps names of HTTP headers to values.
type Headers map[string]string

// Date is a day in the models file: 2024-06-30, with or without quotes, or a month such as "2024-06", which
// stands for its last day. The zero Date means none.
type Date struct{ time.Time }

// UnmarshalTOML reads a date, with or without quotes.
func (d *Date) UnmarshalTOML(text []byte) error {
	if err := d.UnmarshalText(bytes.Trim(text, `"'`)); err != nil {
		return tomlfile.Invalid(text, "%v", err)
	}
	return nil
}

// UnmarshalText reads a day or a month.
func (d *Date) UnmarshalText(text []byte) error {
	if at, err := time.Parse(time.DateOnly, string(text)); err == nil {
		d.Time = at
		return nil
	}
	if at, err := time.Parse("2006-01", string(text)); err == nil {
		d.Time = at.AddDate(0, 1, -1)
		return nil
	}
	return fmt.Errorf("%s is not a date", text)
}

// Timeout is a time limit: 0 means the default, and a negative value no limit.
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

// orDefault returns the limit to apply, 0 for none.
func (t Timeout) orDefault(d time.Duration) time.Duration {
	switch {
	case t < 0:
		return 0
	case t == 0:
		return d
	}
	return time.Duration(t)
}

// Ready reports whether a request to m could be sent now and, if not, why. It starts no program and sends
// no request; `assay models check` does.
func (m Model) Ready(deps Deps) (ok bool, why string) {
	deps = deps.EnsureDefaults()
	switch p := m.provider(); {
	case p.ready != nil:
		return p.ready(m, deps)
	case p.codec != nil:
		if _, missing := m.headers(deps.Getenv); missing != "" {
			return false, notSet(missing)
		}
		if len(m.APIKeyCmd) > 0 {
			return onPath(m.APIKeyCmd[0])
		}
		if m.APIKeyEnv != "" && deps.Getenv(m.APIKeyEnv) == "" {
			return false, notSet(m.APIKeyEnv)
		}
		if m.ClientCert != "" {
			if _, err := m.certificate(deps.Now()); err != nil {
				return false, err.Error()
			}
		}
	}
	return true, ""
}

func notSet(variable string) string {
	return fmt.Sprintf("the environment variable %s is not set", variable)
}

func onPath(name string) (bool, string) {
	if _, err := program.Named(name); err != nil {
		return false, fmt.Sprintf("there is no program %q on the PATH", name)
	}
	return true, ""
}

// fromEnv returns the variable that a header's value refers to.
func fromEnv(value string) (variable string, ok bool) { return strings.CutPrefix(value, "env:") }

// headers returns the headers to send, with environment variables expanded. missing is a variable that is
// not set.
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

// Local reports whether the server runs on this machine.
func (m Model) Local() bool {
	address, _ := overSocket(m.base())
	u, err := url.Parse(address)
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

// withSystem prepends the model's system message, unless the conversation has its own.
func (m Model) withSystem(messages []Message) []Message {
	if m.System == "" || len(messages) > 0 && messages[0].Role == System {
		return messages
	}
	if m.drops(systemField) && len(messages) > 0 {
		first := Message{Role: messages[0].Role, Text: m.System + "\n\n" + messages[0].Text}
		return append([]Message{first}, messages[1:]...)
	}
	return append([]Message{{Role: System, Text: m.System}}, messages...)
}

// beside makes the relative paths of m, from a models file in dir, absolute.
func (m Model) beside(dir string) Model {
	for _, file := range []*string{&m.Answers, &m.ClientCert, &m.ClientKey} {
		if *file = disk.Expand(*file); *file != "" && !filepath.IsAbs(*file) {
			*file = filepath.Join(dir, *file)
		}
	}
	m.Mount = slices.Clone(m.Mount)
	for i, place := range m.Mount {
		if !filepath.IsAbs(place) {
			place = filepath.Join(dir, place)
		}
		if absolute, err := filepath.Abs(place); err == nil {
			m.Mount[i] = absolute
		}
	}
	return m
}
