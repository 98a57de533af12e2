package console

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

// Flags adds the flags that every verb shares, and suggests others for unknown ones.
func (g *Globals) Flags(root *cobra.Command) {
	root.PersistentFlags().StringVar(&g.Store, "store", "", "the `file` that sessions are kept in (default: $ASSAY_STORE, else assay.db in the user's data directory)")
	root.PersistentFlags().StringVar(&g.Models, "models-file", "", "the models `file` (default: $ASSAY_MODELS, else models.toml in the user's configuration directory)")
	root.PersistentFlags().Var((*earlierModels)(&g.Models), "models", "an earlier name of --models-file, for a `file` that exists")
	_ = root.PersistentFlags().MarkHidden("models") // it is there
	root.PersistentFlags().StringVar(&g.Settings, "settings", "", "the settings `file` of the screens (default: $ASSAY_SETTINGS, else settings.toml in the user's configuration directory)")
	root.SetFlagErrorFunc(flagError)
}

// earlierModels is the models file under the name that the flag had, which now stands for names of models.
type earlierModels string

func (m *earlierModels) String() string { return string(*m) }
func (m *earlierModels) Type() string   { return "string" }

// Set implements pflag.Value.
func (m *earlierModels) Set(path string) error {
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("there is no file %q: a new models file is named by --models-file, and this verb takes no names of models", path)
	}
	*m = earlierModels(path)
	return nil
}

// Run executes the command that newRoot returns, and returns its exit code.
func Run(ctx context.Context, io *IO, newRoot func(*IO) *cobra.Command) int {
	io, out := checkedOutput(io)
	root := newRoot(io)
	root.SetIn(io.In)
	root.SetOut(io.Out)
	root.SetErr(io.Err)
	code := Exit(out.Join(root.ExecuteContext(ctx)), io.Err)
	if signal, ok := endedBy(ctx); ok {
		return signal.Code()
	}
	return code
}
