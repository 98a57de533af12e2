package machine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/session/llm"
)

// NewModels returns `assay models`.
func NewModels(io *console.IO, g *console.Globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "models",
		Short: "List the models and check that they answer",
		Long: "The models that sessions and batches can use: two built-in ones, rehearsal and paste,\n" +
			"and those of the models file, which is named by --models-file, else by ASSAY_MODELS, else\n" +
			"is models.toml in assay's configuration folder. Without a verb it lists them.\n\n" +
			"A model with embeddings = true (providers openai and ollama) answers nothing: it places\n" +
			"texts by what they mean, for 'assay difficulty --topics --embeddings NAME'.\n\n" +
			"To add a model: 'assay models add' finds servers and their models, and writes the entry.\n" +
			"'assay models init' creates a models file with examples of every setting, 'assay models\n" +
			"path' prints its path, and 'assay models check NAME' asks whether a model answers.",
		Args: console.NoArgs,
	}
	load := func() (llm.Models, error) { return llm.LoadModels(llm.ModelsPath(g.Models, io.Getenv)) }
	cmd.RunE = func(*cobra.Command, []string) error {
		models, err := load()
		if err != nil {
			return err
		}
		return listModels(io, models, false)
	}
	cmd.AddCommand(newModelsList(io, load), newModelsAdd(io, g), newModelsInit(io, g), newModelsPath(io, g), newModelsCheck(io, load))
	return cmd
}

// newModelsPath returns `assay models path`, which does not read the file, so that it works even if the
// file is invalid.
func newModelsPath(io *console.IO, g *console.Globals) *cobra.Command {
	return &cobra.Command{
		Use:     "path",
		Example: "  assay models path",
		Short:   "Print the path of the models file",
		Args:    console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			path := llm.ModelsPath(g.Models, io.Getenv)
			if _, err := fmt.Fprintln(io.Out, path); err != nil {
				return err
			}
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				fmt.Fprintln(io.Err, "there is no such file: 'assay models add' creates it")
			}
			return nil
		},
	}
}

// ListedModel is the JSON form of a model in `assay models list`.
type ListedModel struct {
	Name     string `json:"name"`
	Provider string `json:"provider"`
	Model    string `json:"model,omitempty"`
	Embeds   bool   `json:"embeddings,omitempty"` // an embedding model, which answers no prompts
	Ready    bool   `json:"ready"`
	Why      string `json:"why,omitempty"` // why it is not ready
}

func newModelsList(io *console.IO, load func() (llm.Models, error)) *cobra.Command {
	var asJSON, example bool
	cmd := &cobra.Command{
		Use:     "list",
		Example: "  assay models list\n  assay models list --json",
		Short:   "List the models and whether they are configured",
		Args:    console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if example {
				_, err := fmt.Fprint(io.Out, llm.ExampleModels())
				return err
			}
			models, err := load()
			if err != nil {
				return err
			}
			return listModels(io, models, asJSON)
		},
	}
	console.JSONFlag(cmd.Flags(), &asJSON, "print JSON", listedModels{})
	cmd.Flags().BoolVar(&example, "example", false, "print an example of a models file, and stop")
	return cmd
}

// listedModels are the models that can be used.
type listedModels struct {
	Path   string        `json:"path"`  // of the models file
	Found  bool          `json:"found"` // the file exists
	Models []ListedModel `json:"models"`
}

func listModels(io *console.IO, models llm.Models, asJSON bool) error {
	listed := []ListedModel{}
	for _, m := range append(models.List(), models.Embeddings()...) {
		ready, why := m.Ready(inputs.ModelsDeps(io))
		listed = append(listed, ListedModel{Name: m.Name, Provider: m.Provider, Model: m.Model, Embeds: m.Embeddings, Ready: ready, Why: why})
	}
	if asJSON {
		return console.WriteJSON(io, listedModels{models.Path, models.Found, listed})
	}
	table := console.NewTable(io.Out)
	fmt.Fprintln(table, "NAME\tPROVIDER\tMODEL\tCONFIGURED")
	for _, m := range listed {
		ready := "yes"
		if !m.Ready {
			ready = "no: " + m.Why
		}
		model := cmp.Or(m.Model, "-")
		if m.Embeds {
			model += " (embeddings)"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", m.Name, m.Provider, model, ready)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	note := models.Path
	if !models.Found {
		note += " (there is no such file: 'assay models add' creates it)"
	} else {
		note += "; 'assay models check' asks whether they answer"
	}
	_, err := fmt.Fprintln(io.Err, "models file: "+note)
	return err
}
