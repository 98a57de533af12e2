package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os/exec"
	"strings"
	"time"
)

// The providers.
const (
	ProviderRehearsal = "rehearsal"
	ProviderPaste     = "paste"
	ProviderCommand   = "command"
	ProviderOpenAI    = "openai"
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

	BaseURL   string            `toml:"base_url"`    // up to but without /chat/completions
	APIKeyEnv string            `toml:"api_key_env"` // the environment variable that holds the key
	APIKeyCmd []string          `toml:"api_key_cmd"` // or a program, with its arguments, that prints it
	Headers   map[string]string `toml:"headers"`     // sent with every request

	Temperature *float64 `toml:"temperature"` // 0 to 2; sent only where given, as are the next three
	TopP        *float64 `toml:"top_p"`       // above 0, at most 1
	MaxTokens   int      `toml:"max_tokens"`  // the longest answer
	Seed        *int64   `toml:"seed"`        // the request's Sample is added
	System      string   `toml:"system"`      // a system message before every conversation

	// Context is what later attempts at a task send where no study decides it:
	// "conversation" (the default) or "fresh". This package only keeps it.
	Context string `toml:"context"`

	ConnectTimeout Timeout `toml:"connect_timeout"` // until there is a connection; 10 s
	IdleTimeout    Timeout `toml:"idle_timeout"`    // between two pieces of an answer, and before the first; 120 s, none for a command
	TotalTimeout   Timeout `toml:"total_timeout"`   // the whole request, retries included; 600 s

	Command []string `toml:"command"`           // provider "command": a program and its arguments
	Pace    *float64 `toml:"tokens_per_second"` // provider "rehearsal": 60; 0 for no waiting
}

// Definition is a hash of everything that an answer depends on: not of where the model
// is reached, with which key, and how long one waits for it.
func (m Model) Definition() string {
	text, err := json.Marshal(struct {
		Provider, Model   string
		Temperature, TopP *float64
		MaxTokens         int
		Seed              *int64
		System            string
		Command           []string
	}{m.Provider, m.Model, m.Temperature, m.TopP, m.MaxTokens, m.Seed, m.System, m.Command})
	if err != nil {
		return "" // there is a number that JSON does not have, which no model is given
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
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
		return fmt.Errorf("%q is not a time-out: write one such as \"90s\" or \"5m\", or \"none\"", text)
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

// Validate says what is wrong with m, as a sentence about the models file.
func (m Model) Validate() error {
	if strings.TrimSpace(m.Name) == "" || strings.ContainsAny(m.Name, "\n\r\t") {
		return errors.New("a [[model]] has no name: give it name = \"…\", on one line")
	}
	problem := m.providerProblem()
	switch {
	case problem != "":
	case m.Temperature != nil && !(*m.Temperature >= 0 && *m.Temperature <= 2):
		problem = "temperature must be from 0 to 2"
	case m.TopP != nil && !(*m.TopP > 0 && *m.TopP <= 1):
		problem = "top_p must be above 0 and at most 1"
	case m.MaxTokens < 0:
		problem = "max_tokens must not be negative"
	case m.Pace != nil && !(*m.Pace >= 0):
		problem = "tokens_per_second must be 0 or more"
	case m.Context != "" && m.Context != "conversation" && m.Context != "fresh":
		problem = fmt.Sprintf("context is %q: it must be \"conversation\" or \"fresh\"", m.Context)
	case m.APIKeyEnv != "" && len(m.APIKeyCmd) > 0:
		problem = "has both api_key_env and api_key_cmd: keep one"
	}
	if problem != "" {
		return fmt.Errorf("model %q: %s", m.Name, problem)
	}
	return nil
}

func (m Model) providerProblem() string {
	switch m.Provider {
	case ProviderRehearsal, ProviderPaste:
		return ""
	case ProviderCommand:
		if len(m.Command) == 0 || m.Command[0] == "" {
			return "provider \"command\" needs command = [\"program\", \"argument\", …]"
		}
		return ""
	case ProviderOpenAI:
		u, err := url.Parse(m.BaseURL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return "provider \"openai\" needs base_url = \"https://…\" (often ending in /v1)"
		}
		if u.User != nil {
			return "base_url must not hold a user name or password: use api_key_env, api_key_cmd or headers"
		}
		if m.Model == "" {
			return "provider \"openai\" needs model = \"…\", the model's name on the server"
		}
		return ""
	case "":
		return "has no provider: it must be \"openai\", \"command\", \"paste\" or \"rehearsal\""
	}
	return fmt.Sprintf("provider %q is not known: it must be \"openai\", \"command\", \"paste\" or \"rehearsal\"", m.Provider)
}

// Ready says whether a request to m could be sent now and, if not, why. It
// starts nothing and sends nothing: `assay models check` does.
func (m Model) Ready(deps Deps) (ok bool, why string) {
	deps = deps.EnsureDefaults()
	switch m.Provider {
	case ProviderCommand:
		return onPath(m.Command[0])
	case ProviderOpenAI:
		if len(m.APIKeyCmd) > 0 {
			return onPath(m.APIKeyCmd[0])
		}
		if m.APIKeyEnv != "" && deps.Getenv(m.APIKeyEnv) == "" && !m.local() {
			return false, fmt.Sprintf("the environment variable %s is not set", m.APIKeyEnv)
		}
	}
	return true, ""
}

func onPath(program string) (bool, string) {
	if _, err := exec.LookPath(program); err != nil {
		return false, fmt.Sprintf("there is no program %q on the PATH", program)
	}
	return true, ""
}

// local says whether the server runs on this machine: then it needs no key.
func (m Model) local() bool {
	u, err := url.Parse(m.BaseURL)
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
