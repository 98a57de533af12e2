package console

import (
	"fmt"

	"github.com/spf13/cobra"

	"assay/data/disk"
)

// OutFlags are --out and --force of a verb that writes one file, or prints it.
type OutFlags struct {
	Path  string
	force bool
}

// Flags adds --out and --force.
func (o *OutFlags) Flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.Path, "out", "", "the `file` to write (default, or -: standard output)")
	cmd.Flags().BoolVar(&o.force, "force", false, "replace the file of --out if it is there")
}

// Out is where the flags say that the verb writes to.
func (o *OutFlags) Out(io *IO) disk.Out {
	to := disk.Out{Path: o.Path, Force: o.force, To: io.Out}
	if to.Path == "" {
		to.Path = disk.Stdout
	}
	return to
}

// Wrote says on standard error what the file holds. What was printed needs no words.
func (o *OutFlags) Wrote(io *IO, what string, args ...any) {
	if to := o.Out(io); to.Path != disk.Stdout {
		fmt.Fprintf(io.Err, "%s: %s\n", to.Path, fmt.Sprintf(what, args...))
	}
}
