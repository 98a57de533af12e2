package llm

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/adrg/xdg"

	"assay/data/disk"
	"assay/data/tomlfile"
)

// modelsVariable is the environment variable for the path of the models file.
const modelsVariable = "ASSAY_MODELS"

//go:embed models.example.toml
var exampleModels string

// ExampleModels returns an example models file that explains every key.
func ExampleModels() string { return exampleModels }

// Models are the available models: the built-in ones and those of the models file.
type Models struct {
	Path  string // the path of the models file
	Found bool   // the file exists; if not, that is no error at the default path
	list  []Model
}

// defaultModelsPath is assay/models.toml in the XDG configuration directory.
func defaultModelsPath() string { return filepath.Join(xdg.ConfigHome, "assay", "models.toml") }

// ModelsPath returns the path of the models file: the flag's value, else ASSAY_MODELS, else the default
// path.
func ModelsPath(flag string, getenv func(string) string) string {
	return cmp.Or(flag, getenv(modelsVariable), defaultModelsPath())
}

// builtIn returns the models that need no file.
func builtIn() []Model {
	return []Model{
		{Name: "rehearsal", Provider: ProviderRehearsal},
		{Name: "paste", Provider: ProviderPaste},
	}
}

// LoadModels reads the models file at path. A missing file is an error unless the path is the default one;
// then only the built-in models are available.
func LoadModels(path string) (Models, error) {
	models := Models{Path: path, list: builtIn()}
	text, err := disk.ReadFile(path, disk.Settings)
	if errors.Is(err, fs.ErrNotExist) && path == defaultModelsPath() {
		return models, nil
	}
	if err != nil {
		return models, fmt.Errorf("could not read the models file: %w", err)
	}
	models.Found = true
	added, err := parseModels(path, string(text))
	if err != nil {
		return models, err
	}
	for _, m := range added {
		models.list = append(models.list, m.beside(filepath.Dir(path)))
	}
	return models, nil
}

// modelsFile is the content of a models file.
type modelsFile struct {
	Model []Model `toml:"model"`
}

// parseModels decodes and checks a models file.
func parseModels(path, text string) ([]Model, error) {
	var file modelsFile
	decoded, err := tomlfile.Decode(path, text, &file, "`assay models list --example` prints a file with all keys")
	if wrong := new(tomlfile.Error); errors.As(err, &wrong) {
		if parts := strings.Split(wrong.Key, "."); len(parts) > 2 && parts[0] == "model" && expected(parts[2]) != "" {
			wrong.Text = expected(parts[2])
		}
		return nil, wrong
	}
	at := func(i int, field string) int { return decoded.Line(fmt.Sprintf("model.%d.%s", i, field)) }
	taken := map[string]bool{}
	for _, m := range builtIn() {
		taken[m.Name] = true
	}
	for i := range file.Model {
		if e := file.Model[i].findAsked(file.Model); e != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, at(i, e.field), e)
		}
		m := file.Model[i]
		if unprintable(m.Name) {
			return nil, fmt.Errorf("%s:%d: the name %q contains unprintable characters: escape sequences, control characters or direction marks. Remove them", path, at(i, "name"), m.Name)
		}
		if e := m.problem(); e != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, at(i, e.field), e)
		}
		if taken[m.Name] {
			return nil, fmt.Errorf("%s:%d: the name %q is taken: every model needs a name of its own, and rehearsal and paste are built in", path, at(i, "name"), m.Name)
		}
		taken[m.Name] = true
	}
	return file.Model, nil
}

// findAsked finds the model that a built-in agent asks, and takes from it what the agent's entry does not say: prices, the
// training cutoff, and how many requests are sent at a time. An agent sends one at a time.
func (m *Model) findAsked(all []Model) *fieldError {
	if m.Provider != ProviderAgent || m.Program != programBuiltin || m.Model == "" {
		return nil
	}
	i := slices.IndexFunc(all, func(other Model) bool { return other.Name == m.Model })
	switch {
	case i < 0:
		return &fieldError{model: m.Name, field: "model", problem: fmt.Sprintf("there is no model %q in this file that the built-in agent could ask: name the [[model]] of a server", m.Model)}
	case !all[i].OverHTTP() || all[i].Embeddings:
		return &fieldError{model: m.Name, field: "model", problem: fmt.Sprintf("the built-in agent cannot ask the model %q, which is no server that answers prompts: name another [[model]]", m.Model)}
	}
	asked := all[i]
	m.asked = &asked
	if m.PriceIn == nil && m.PriceOut == nil && m.Currency == "" {
		m.PriceIn, m.PriceOut, m.PriceCached, m.PricedAt, m.Currency = asked.PriceIn, asked.PriceOut, asked.PriceCached, asked.PricedAt, asked.Currency
	}
	if m.TrainingCutoff.IsZero() {
		m.TrainingCutoff = asked.TrainingCutoff
	}
	m.MaxConcurrent = cmp.Or(m.MaxConcurrent, asked.MaxConcurrent)
	return nil
}

// unprintable reports whether printing a name would move the cursor, change colours or reorder text. Line
// breaks and tabs have a message of their own.
func unprintable(name string) bool {
	return strings.ContainsFunc(name, func(r rune) bool {
		return r != '\n' && r != '\r' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029')
	})
}

// List returns the models that answer prompts, the built-in ones first, then in file order.
func (m Models) List() []Model { return m.filter(false) }

// Embeddings returns the embedding models in file order.
func (m Models) Embeddings() []Model { return m.filter(true) }

func (m Models) filter(embeddings bool) []Model {
	var list []Model
	for _, model := range m.list {
		if model.Embeddings == embeddings {
			list = append(list, model)
		}
	}
	return list
}

// Get returns the model with the given name that answers prompts.
func (m Models) Get(name string) (Model, error) {
	var names []string
	for _, model := range m.list {
		switch {
		case model.Name == name && model.Embeddings:
			return Model{}, fmt.Errorf("the model %q in %s is for embeddings and does not answer prompts", name, m.Path)
		case model.Name == name:
			return model, nil
		case !model.Embeddings:
			names = append(names, model.Name)
		}
	}
	return Model{}, fmt.Errorf("there is no model %q in %s: choose from %s, or add a [[model]] there", name, m.Path, strings.Join(names, ", "))
}

// GetEmbeddings returns the embedding model with the given name.
func (m Models) GetEmbeddings(name string) (Model, error) {
	var names []string
	for _, model := range m.list {
		switch {
		case model.Name == name && !model.Embeddings:
			return Model{}, fmt.Errorf("the model %q in %s answers prompts: for embeddings name one that has embeddings = true there", name, m.Path)
		case model.Name == name:
			return model, nil
		case model.Embeddings:
			names = append(names, model.Name)
		}
	}
	if len(names) == 0 {
		return Model{}, fmt.Errorf("there is no model for embeddings in %s: add a [[model]] with embeddings = true there", m.Path)
	}
	return Model{}, fmt.Errorf("there is no model %q for embeddings in %s: choose from %s", name, m.Path, strings.Join(names, ", "))
}

// Client returns a client of m. A client has state, so every session should have its own.
func (m Model) Client(deps Deps) (Client, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if m.Embeddings {
		return nil, fmt.Errorf("the model %q is for embeddings and does not answer prompts", m.Name)
	}
	deps = deps.EnsureDefaults()
	p := m.provider()
	if p.codec != nil {
		return newHTTPClient(m, deps, p.codec), nil
	}
	return p.client(m, deps)
}
