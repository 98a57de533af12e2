package machine

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
)

// build is the JSON form of `assay version`.
type build struct {
	Version  string   `json:"version"`
	Commit   string   `json:"commit,omitempty"`   // of git; empty: built outside a checkout
	Date     string   `json:"date,omitempty"`     // of the commit, RFC 3339
	Modified bool     `json:"modified,omitempty"` // the checkout had uncommitted changes
	Go       string   `json:"go"`
	System   string   `json:"system"` // operating system and processor, as linux/amd64
	Modules  []module `json:"modules"`
}

// module is a module that is part of the program.
type module struct {
	Path    string `json:"path"`
	Version string `json:"version"`
	Sum     string `json:"sum,omitempty"` // as in go.sum
}

// NewVersion returns `assay version`.
func NewVersion(io *console.IO, _ *console.Globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Example: "  assay version\n  assay version --json",
		Short:   "Print the version, the commit and the modules of this build",
		Args:    console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := thisBuild()
			if asJSON {
				return console.WriteJSON(io, b)
			}
			line := "assay " + b.Version
			if b.Commit != "" {
				line += ", commit " + b.Commit[:min(12, len(b.Commit))] + " of " + b.Date
			}
			if b.Modified {
				line += " with changes"
			}
			_, err := fmt.Fprintf(io.Out, "%s, %s, %s, %s\n", line, b.Go, b.System, console.Counted(len(b.Modules), "module", "modules"))
			return err
		},
	}
	console.JSONFlag(cmd.Flags(), &asJSON, "print JSON, with the modules", build{})
	return cmd
}

// thisBuild reads what the Go toolchain recorded in the program.
func thisBuild() build {
	b := build{Version: console.Version(), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, Modules: []module{}}
	b.Commit, b.Date, b.Modified = console.Commit()
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		b.Modules = append(b.Modules, module{m.Path, m.Version, m.Sum})
	}
	return b
}
