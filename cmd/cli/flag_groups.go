package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/cmd/cli/console"
)

// helpWidth is the width of help in columns.
const helpWidth = 100

// usagesOf describes the flags of a verb: either the rare ones or all others.
func usagesOf(f *pflag.FlagSet, rare bool) string {
	chosen := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.VisitAll(func(flag *pflag.Flag) {
		if _, ok := flag.Annotations[console.RareFlag]; ok == rare {
			chosen.AddFlag(flag)
		}
	})
	return strings.TrimRight(chosen.FlagUsagesWrapped(helpWidth), " \n")
}

// usageTemplate is cobra's template, with the flags in two groups.
func usageTemplate(root *cobra.Command) string {
	return strings.NewReplacer(
		"{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}",
		"{{commonFlags .LocalFlags}}{{with rareFlags .LocalFlags}}\n\nFlags for containers and other machines:\n{{.}}{{end}}",
		"{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}", "{{commonFlags .InheritedFlags}}",
	).Replace(root.UsageTemplate())
}
