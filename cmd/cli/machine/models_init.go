package machine

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/data/disk"
	"assay/session/llm"
)

func newModelsInit(io *console.IO, g *console.Globals) *cobra.Command {
	return &cobra.Command{
		Use:     "init",
		Example: "  assay models init --models-file team.toml",
		Short:   "Create a models file to start from",
		Long: `Create the models file, with an example of each kind of model in comments, which explain
every key. It does not replace an existing file.`,
		Args: console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			path := llm.ModelsPath(g.Models, io.Getenv)
			if err := CreateModelsFile(path); err != nil {
				return err
			}
			_, err := fmt.Fprintf(io.Out, "wrote %s: remove the # from the lines of a model and change it to yours; then 'assay models check'\n", path)
			return err
		},
	}
}

// CreateModelsFile creates a models file from the example. It does not replace an existing file.
func CreateModelsFile(path string) error {
	err := disk.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = disk.Create(path, 0o600, disk.Bytes(commentedOut(llm.ExampleModels())))
	}
	if err != nil {
		return fmt.Errorf("the models file cannot be created: %w", err)
	}
	return nil
}

// commentedOut comments out every model of the example: nobody needs all of them.
func commentedOut(example string) string {
	var b strings.Builder
	b.WriteString("# Remove the # from the lines of a model that you want, and fill it in.\n\n")
	for line := range strings.Lines(example) {
		if text := strings.TrimSpace(line); text != "" && !strings.HasPrefix(text, "#") {
			line = "#" + line
		}
		b.WriteString(line)
	}
	return b.String()
}
