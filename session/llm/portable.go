package llm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"assay/data/disk"
	"assay/data/tomlfile"
)

// Portable is a model for another machine, without keys.
type Portable struct {
	Entry   string `json:"entry,omitempty"`   // its [[model]]; empty if the other machine must have the model itself
	Answers []byte `json:"answers,omitempty"` // of a replay
}

// Renamed maps words for where keys come from on this machine to the variables that hold them on others. The names of
// variables here may tell whose model it is.
type Renamed map[string]string

// keyVariable matches the variables of [Renamed]. Nothing else of another machine's environment is ever sent.
var keyVariable = regexp.MustCompile(`^ASSAY_KEY_[1-9][0-9]?$`)

func (r Renamed) variable(source string) string {
	if r[source] == "" {
		r[source] = fmt.Sprintf("ASSAY_KEY_%d", len(r)+1)
	}
	return r[source]
}

// Portable makes a model of the models file portable. Programs and built-in models stay where they are.
func (m Models) Portable(name string, keys Renamed) (Portable, error) {
	model, err := m.Get(name)
	if err != nil || model.StartsProgram() || !m.Found {
		return Portable{}, err
	}
	text, err := disk.ReadFile(m.Path, disk.Settings)
	if err != nil {
		return Portable{}, fmt.Errorf("could not read the models file: %w", err)
	}
	var file struct {
		Model []map[string]any `toml:"model"`
	}
	if _, err := tomlfile.Decode(m.Path, string(text), &file, ""); err != nil {
		return Portable{}, err
	}
	i := slices.IndexFunc(file.Model, func(entry map[string]any) bool { return entry["name"] == name })
	if i < 0 {
		return Portable{}, nil // built in
	}
	entry, p := file.Model[i], Portable{}
	for _, local := range []string{"api_key_env", "api_key_cmd", "client_cert", "client_key", "price_in", "price_out", "price_cached", "priced_at", "currency"} {
		delete(entry, local)
	}
	switch {
	case model.APIKeyEnv != "":
		entry["api_key_env"] = keys.variable("$" + model.APIKeyEnv)
	case len(model.APIKeyCmd) > 0:
		entry["api_key_env"] = keys.variable("printed by " + strings.Join(model.APIKeyCmd, " "))
	}
	headers := map[string]any{}
	for _, header := range slices.Sorted(maps.Keys(model.Headers)) {
		value := model.Headers[header]
		variable, outside := fromEnv(value)
		switch {
		case outside:
			value = "env:" + keys.variable("$"+variable)
		case secretHeader.MatchString(header):
			value = "env:" + keys.variable(fmt.Sprintf("in the header %s of model %s", header, name))
		}
		headers[header] = value
	}
	if len(headers) > 0 {
		entry["headers"] = headers
	}
	if model.Provider == ProviderReplay {
		if p.Answers, err = disk.ReadFile(model.Answers, disk.Table); err != nil {
			return p, fmt.Errorf("the recorded answers of model %q: %w", name, err)
		}
		entry["answers"] = "answers.jsonl"
	}
	var out bytes.Buffer
	err = toml.NewEncoder(&out).Encode(map[string]any{"model": []map[string]any{entry}})
	p.Entry = out.String()
	return p, err
}

// Model reads a portable model, whose answers are written to a file at this path. What would start a program
// or send another variable than those for keys is an error, since the model may come from a stranger.
func (p Portable) Model(answers string) (Model, error) {
	list, err := parseModels("the packed model", p.Entry)
	if err != nil {
		return Model{}, err
	}
	if len(list) != 1 {
		return Model{}, errors.New("it is not one model")
	}
	m := list[0]
	if m.StartsProgram() || len(m.APIKeyCmd) > 0 {
		return m, errors.New("it starts a program")
	}
	if m.ClientCert != "" {
		return m, errors.New("it shows a certificate of this machine to its server")
	}
	for _, name := range m.Variables() {
		if !keyVariable.MatchString(name) {
			return m, fmt.Errorf("it asks for the environment variable %s", name)
		}
	}
	if m.Provider != ProviderReplay {
		return m, nil
	}
	m.Answers = answers
	return m, disk.Replace(answers, 0o600, disk.Bytes(p.Answers))
}

// Bound returns a packed model that takes its keys from variables for this study and its own host alone: a key that was
// set for one study is never sent to the host of another.
func (m Model) Bound(study string) Model {
	sum := sha256.Sum256([]byte(study + "\n" + m.Host()))
	bound := func(name string) string { return name + "_" + strings.ToUpper(hex.EncodeToString(sum[:5])) }
	if m.APIKeyEnv != "" {
		m.APIKeyEnv = bound(m.APIKeyEnv)
	}
	m.Headers = maps.Clone(m.Headers)
	for header, value := range m.Headers {
		if name, outside := fromEnv(value); outside {
			m.Headers[header] = "env:" + bound(name)
		}
	}
	return m
}

// Host returns scheme, name and port of the server that m asks; "" for none.
func (m Model) Host() string {
	u, err := url.Parse(m.base())
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// Variables lists the variables that the model takes keys from on the machine of a study's tester.
func (p Portable) Variables(study string) []string {
	list, err := parseModels("the packed model", p.Entry)
	if err != nil || len(list) != 1 {
		return nil
	}
	return list[0].Bound(study).Variables()
}

// Variables lists the environment variables that m takes secrets from.
func (m Model) Variables() []string {
	var names []string
	if m.APIKeyEnv != "" {
		names = append(names, m.APIKeyEnv)
	}
	for _, header := range slices.Sorted(maps.Keys(m.Headers)) {
		if name, outside := fromEnv(m.Headers[header]); outside {
			names = append(names, name)
		}
	}
	return names
}

// Missing lists the environment variables that m needs and that are not set. A server on this machine needs
// none.
func (m Model) Missing(getenv func(string) string) []string {
	if !m.OverHTTP() || m.Local() {
		return nil
	}
	return slices.DeleteFunc(m.Variables(), func(name string) bool { return getenv(name) != "" })
}

// OnThisMachine reports whether m is a server on the machine that asks it.
func (m Model) OnThisMachine() bool { return m.OverHTTP() && m.Local() }
