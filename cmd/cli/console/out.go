package console

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"assay/data/disk"
)

// OutFlags are the flags --out and --force of a verb that writes or prints one file.
type OutFlags struct {
	Path  string
	force bool
}

// Flags adds --out and --force.
func (o *OutFlags) Flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.Path, "out", "", "the `file` to write (default, or -: standard output)")
	cmd.Flags().BoolVar(&o.force, "force", false, "replace the file of --out if it is there")
}

// Out returns the destination that the flags set.
func (o *OutFlags) Out(io *IO) disk.Out {
	to := disk.Out{Path: o.Path, Force: o.force, To: Data(io.Out)}
	to.Path = cmp.Or(to.Path, disk.Stdout)
	return to
}

// Wrote reports on standard error what the file contains, unless it was printed.
func (o *OutFlags) Wrote(io *IO, what string, args ...any) {
	if to := o.Out(io); to.Path != disk.Stdout {
		fmt.Fprintf(io.Err, "%s: %s\n", to.Path, fmt.Sprintf(what, args...))
	}
}
