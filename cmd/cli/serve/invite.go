package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/tui/serve"
)

func newInvite(io *console.IO, g *console.Globals, o *serveOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "invite NAME...",
		Short: "Make codes for testers and raters without keys",
		Long: `Print a code for each pseudonym, which its tester or rater types when ssh asks for it. Only the
code's hash is kept: pass it on now, it cannot be shown again. A running server accepts it
after its next start.`,
		Example: "  assay serve invite ann bob",
		RunE: func(_ *cobra.Command, names []string) error {
			if len(names) == 0 {
				return console.Usagef("name at least one person: assay serve invite ann")
			}
			dir := o.directory(io, g)
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return fmt.Errorf("the server's directory cannot be created: %w", err)
			}
			for _, name := range names {
				code, err := serve.Invite(filepath.Join(dir, serveInvitations), name, time.Now())
				if err != nil {
					return err
				}
				fmt.Fprintf(io.Out, "%s\t%s\n", name, code)
			}
			return nil
		},
	}
}
