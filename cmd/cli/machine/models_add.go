package machine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/data/disk"
	"assay/session/llm"
	"assay/tui/frame"
)

// Server is a server as a person describes it: a known place or an address, and how it recognises who asks.
type Server struct {
	At, KeyEnv, ClientCert, ClientKey string

	provider string
}

// addOptions are the flags of `assay models add`.
type addOptions struct {
	Server
	name      string
	unchecked bool
}

func newModelsAdd(io *console.IO, g *console.Globals) *cobra.Command {
	var o addOptions
	cmd := &cobra.Command{
		Use:     "add [MODEL]",
		Example: "  assay models add\n  assay models add qwen2.5-coder:7b --at ollama\n  assay models add gpt-4o --at openai\n  assay models add coder --at https://gateway.example.com/v1 --key-env GATEWAY_KEY",
		Short:   "Add a model to the models file, and check it",
		Long: `Adds a model to the models file, and asks it for a short answer. Without MODEL it lists
the servers that are found, with their models: Ollama, LM Studio, llama.cpp and vLLM on
their usual ports of this machine, and providers whose key is in the environment. MODEL
may be a part of a name that only one model of the server has.

--at names one of them, or gives the address of a server with OpenAI's protocol. Nothing
is written if the server cannot be reached or refuses the key; --unchecked writes the
entry all the same.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return console.Usagef("%s takes one model at a time, not %q", cmd.CommandPath(), args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && o.At == "" {
				return listPlaces(cmd.Context(), io)
			}
			return addModel(cmd.Context(), io, llm.ModelsPath(g.Models, io.Getenv), strings.Join(args, ""), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.At, "at", "", "the `server`: "+strings.Join(placeNames(), ", ")+", or an address")
	f.StringVar(&o.name, "name", "", "the `name` in assay (default: the model's own)")
	f.StringVar(&o.KeyEnv, "key-env", "", "the environment `variable` with the key")
	f.StringVar(&o.ClientCert, "client-cert", "", "the `file` with the certificate that the server wants (mTLS), in PEM")
	f.StringVar(&o.ClientKey, "client-key", "", "the `file` with its key (default: the certificate's)")
	f.StringVar(&o.provider, "provider", "", "the `protocol` of an address: openai (default), responses, anthropic, gemini or ollama")
	f.BoolVar(&o.unchecked, "unchecked", false, "ask neither the server nor the model")
	return cmd
}

func placeNames() []string {
	var names []string
	for _, p := range llm.Places(func(string) string { return "" }) {
		names = append(names, p.Name)
	}
	return names
}

// FoundPlace is a place that is there, with its models.
type FoundPlace struct {
	llm.Place
	Models []string
	Err    error
}

// FindPlaces asks the places on this machine, and those whose key is set.
func FindPlaces(ctx context.Context, io *console.IO) []FoundPlace {
	places := llm.Places(io.Getenv)
	found := make([]*FoundPlace, len(places))
	var all sync.WaitGroup
	for i, p := range places {
		if p.KeyEnv != "" && io.Getenv(p.KeyEnv) == "" || p.Name == "azure" && p.BaseURL == "" {
			continue
		}
		all.Go(func() {
			p, models, err := p.Models(ctx, inputs.ModelsDeps(io))
			if err == nil || p.KeyEnv != "" { // else nothing is there, or another program
				found[i] = &FoundPlace{p, models, err}
			}
		})
	}
	all.Wait()
	var list []FoundPlace
	for _, f := range found {
		if f != nil {
			list = append(list, *f)
		}
	}
	return list
}

// listPlaces prints what was found, and how to add a model of it.
func listPlaces(ctx context.Context, io *console.IO) error {
	found := FindPlaces(ctx, io)
	if len(found) == 0 {
		fmt.Fprint(io.Out, "No server was found: none of Ollama, LM Studio, llama.cpp and vLLM answers on this machine, and no key of a\nprovider is in the environment.\n\n"+
			"  assay models add MODEL --at https://SERVER/v1 --key-env VARIABLE   a server of your own\n"+
			"  OPENAI_API_KEY=… assay models add gpt-4o --at openai               a provider: "+strings.Join(placeNames()[4:], ", ")+"\n"+
			"  assay --model rehearsal                                            no server: recorded answers\n")
		return nil
	}
	var at []string
	for _, p := range found {
		if len(p.Models) > 0 {
			at = append(at, p.Name)
		}
		switch {
		case p.Err != nil:
			fmt.Fprintf(io.Out, "%s: %v\n", p.Name, p.Err)
		case len(p.Models) == 0:
			fmt.Fprintf(io.Out, "%s has no models\n", p.Name)
		default:
			fmt.Fprintf(io.Out, "%s has %s: %s\n", p.Name, frame.Count(len(p.Models), "model"), some(p.Models))
		}
	}
	if len(at) > 0 {
		fmt.Fprintf(io.Out, "\nassay models add MODEL --at %s adds one, and checks it.\n", strings.Join(at, " or "))
	}
	return nil
}

// mostListed is how many models of a server are listed.
const mostListed = 12

// some lists the first models.
func some(models []string) string {
	if len(models) <= mostListed {
		return strings.Join(models, ", ")
	}
	return fmt.Sprintf("%s, and %d more", strings.Join(models[:mostListed], ", "), len(models)-mostListed)
}

// ListModels lists the models of a server.
func ListModels(ctx context.Context, io *console.IO, s Server) FoundPlace {
	p, err := s.place(io.Getenv)
	if err != nil {
		return FoundPlace{p, nil, err}
	}
	p, models, err := p.Models(ctx, inputs.ModelsDeps(io))
	return FoundPlace{p, models, err}
}

// AddModel writes an entry for a model of a place to the models file, and returns it. Without a name it has the model's
// own, with a number if another entry has that.
func AddModel(path string, p llm.Place, name, model string) (llm.Model, error) {
	known, err := llm.LoadModels(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return llm.Model{}, err
	}
	m := p.Model(cmp.Or(name, nameOf(model)), model)
	if err := m.Validate(); err != nil {
		return m, err
	}
	for i := 2; ; i++ {
		had, err := known.Get(m.Name)
		switch {
		case err != nil: // there is none
			return m, appendModel(path, m)
		case had.Provider == m.Provider && had.Model == m.Model && had.BaseURL == m.BaseURL && had.APIKeyEnv == m.APIKeyEnv && had.ClientCert == m.ClientCert && had.ClientKey == m.ClientKey:
			return m, nil // it was added before
		case name != "":
			return m, fmt.Errorf("the models file has another model %q already: give another --name", m.Name)
		}
		m.Name = fmt.Sprintf("%s-%d", nameOf(model), i)
	}
}

// place returns the place that --at names or describes.
func (o Server) place(getenv func(string) string) (llm.Place, error) {
	places := llm.Places(getenv)
	i := slices.IndexFunc(places, func(p llm.Place) bool { return p.Name == o.At })
	switch {
	case o.At == "":
		return llm.Place{}, console.Usagef("give --at: %s, or an address such as https://gateway.example.com/v1; 'assay models add' lists what is found", strings.Join(placeNames(), ", "))
	case i >= 0 && o.At == "azure" && places[i].BaseURL == "":
		return llm.Place{}, console.Usagef("--at azure takes its address from AZURE_OPENAI_ENDPOINT, such as https://NAME.openai.azure.com, which is not set")
	case i >= 0:
		p := places[i]
		p.KeyEnv, p.ClientCert, p.ClientKey = cmp.Or(o.KeyEnv, p.KeyEnv), absolute(o.ClientCert), absolute(o.ClientKey)
		return p, nil
	case !strings.ContainsAny(o.At, ".:"):
		return llm.Place{}, console.Usagef("--at %s is neither an address nor one of %s", o.At, strings.Join(placeNames(), ", "))
	}
	return llm.Place{Name: o.At, Provider: cmp.Or(o.provider, llm.ProviderOpenAI), BaseURL: llm.Address(o.At), KeyEnv: o.KeyEnv, ClientCert: absolute(o.ClientCert), ClientKey: absolute(o.ClientKey)}, nil
}

// absolute makes the path of a file absolute, since the models file may be elsewhere.
func absolute(file string) string {
	if file == "" {
		return ""
	}
	if path, err := filepath.Abs(disk.Expand(file)); err == nil {
		return path
	}
	return file
}

// addModel writes an entry for a model of a place to the models file, and checks it.
func addModel(ctx context.Context, io *console.IO, path, model string, o addOptions) error {
	p, err := o.place(io.Getenv)
	if err != nil {
		return err
	}
	if !o.unchecked {
		if p, model, err = chosen(ctx, io, p, model); err != nil {
			return err
		}
		if model == "" {
			fmt.Fprintf(io.Out, "\n'assay models add MODEL' with the same flags adds one, and checks it.\n")
			return nil
		}
	}
	if model == "" {
		return console.Usagef("give the model's name on the server")
	}
	m, err := AddModel(path, p, o.name, model)
	if err != nil {
		return err
	}
	fmt.Fprintf(io.Out, "%s is in %s\n", m.Name, path)
	if !o.unchecked {
		result := CheckModel(ctx, io, m)
		fmt.Fprint(io.Out, result.Text())
		if err := checkVerdict([]CheckedModel{result}); err != nil {
			return err
		}
	}
	fmt.Fprintf(io.Out, "assay --model %s begins a session with it\n", m.Name)
	return nil
}

// chosen returns the place's model of that name, or the only one whose name has it as a part. Of several without a name it
// prints a list, and returns none.
func chosen(ctx context.Context, io *console.IO, p llm.Place, model string) (llm.Place, string, error) {
	p, models, err := p.Models(ctx, inputs.ModelsDeps(io))
	var failed *llm.Error
	switch {
	case err != nil && model != "" && llm.Amiss(err) == "":
		console.SayNotes(io, []string{fmt.Sprintf("its models cannot be listed: %v", err)}) // many gateways have no list
		return p, model, nil
	case errors.As(err, &failed) && failed.Class == llm.Auth:
		switch amiss := llm.Amiss(err); {
		case amiss == "api_key_env" && p.KeyEnv == "":
			err = fmt.Errorf("%w (--key-env VARIABLE)", err)
		case amiss == "client_cert" && p.ClientCert == "":
			err = fmt.Errorf("%w (--client-cert FILE --client-key FILE)", err)
		}
		return p, "", console.WithCode(console.ExitAuth, err)
	case err != nil:
		return p, "", err
	case slices.Contains(models, model):
		return p, model, nil
	}
	if model == "" && len(models) != 1 {
		fmt.Fprintf(io.Out, "%s has %s: %s\n", p.Name, frame.Count(len(models), "model"), cmp.Or(some(models), "none"))
		return p, "", nil
	}
	like := slices.DeleteFunc(slices.Clone(models), func(name string) bool { return !strings.Contains(strings.ToLower(name), strings.ToLower(model)) })
	switch len(like) {
	case 1:
		return p, like[0], nil
	case 0:
		return p, "", fmt.Errorf("%s has no model %q: it has %s", p.Name, model, some(models))
	}
	return p, "", fmt.Errorf("%s has %s with %q: %s", p.Name, frame.Count(len(like), "model"), model, some(like))
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9._:-]+`)

// nameOf makes a model's name in assay of its name on the server, without what stands before the last slash.
func nameOf(model string) string {
	model = strings.TrimSuffix(model[strings.LastIndex(model, "/")+1:], ":latest") // as Ollama does
	return strings.Trim(notInNames.ReplaceAllString(model, "-"), "-")
}

// appendModel adds an entry to the models file, which is created if there is none.
func appendModel(path string, m llm.Model) error {
	text, err := disk.ReadFile(path, disk.Settings)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if text = bytes.TrimRight(text, "\n"); len(text) > 0 {
		text = append(text, "\n\n"...)
	}
	if err := disk.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := disk.Replace(path, 0o600, disk.Bytes(append(text, m.Entry()...))); err != nil {
		return fmt.Errorf("the models file cannot be written: %w", err)
	}
	return nil
}
