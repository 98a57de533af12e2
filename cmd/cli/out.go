package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"assay/data/disk"
)

// outFlags are --out and --force of a verb that writes one file, or prints it.
type outFlags struct {
	path  string
	force bool
}

func (o *outFlags) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.path, "out", "", "the `file` to write (default, or -: standard output)")
	cmd.Flags().BoolVar(&o.force, "force", false, "replace the file of --out if it is there")
}

// out is where the flags say that the verb writes to.
func (o *outFlags) out(io *IO) disk.Out {
	to := disk.Out{Path: o.path, Force: o.force, To: io.Out}
	if to.Path == "" {
		to.Path = disk.Stdout
	}
	return to
}

// wrote says on standard error what the file holds. What was printed needs no words.
func (o *outFlags) wrote(io *IO, what string, args ...any) {
	if to := o.out(io); to.Path != disk.Stdout {
		fmt.Fprintf(io.Err, "%s: %s\n", to.Path, fmt.Sprintf(what, args...))
	}
}
