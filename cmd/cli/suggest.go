package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
)

// oldNames maps verbs' names from before they were grouped by noun to their new names. They work for one
// more release.
var oldNames = map[string]string{
	"init": "study init", "check": "study check", "plan": "study plan", "power": "study power", "simulate": "study simulate",
	"freeze": "study freeze", "watch": "study watch", "collect": "study collect", "unblind": "study unblind",
	"allow": "study allow", "close": "study close", "withdraw": "study withdraw",
	"replay": "session replay", "export": "session export", "verify": "session verify", "import": "session import", "rebuild": "session rebuild",
	"generate": "run generate", "samples": "eval export",
	"batch": "run", "batch run": "run batch", "batch tester": "run tester", "batch example": "run example",
	"ratings": "rate", "ratings rate": "rate answers",
}

// addOldNames adds hidden commands, by which currentName recognises old names.
func addOldNames(root *cobra.Command) {
	for _, name := range slices.Sorted(maps.Keys(oldNames)) { // a noun comes before its verbs
		parent, rest, err := root.Find(strings.Fields(name))
		if err != nil {
			panic(err)
		}
		parent.AddCommand(&cobra.Command{Use: rest[0], Hidden: true, Run: func(*cobra.Command, []string) {}, DisableFlagParsing: true})
	}
}

// currentName replaces a verb's old name by the new one and reports that on errs. It also reports if a verb
// is also the name of a file that may have been meant.
func currentName(root *cobra.Command, args []string, errs io.Writer) []string {
	cmd, rest, err := root.Find(args)
	if err != nil {
		return args
	}
	old := strings.TrimPrefix(cmd.CommandPath(), root.Name()+" ")
	if now, renamed := oldNames[old]; renamed {
		fmt.Fprintf(errs, "note: 'assay %s' is now 'assay %s'; the old name will be removed in the next release\n", old, now)
		return append(strings.Fields(now), rest...)
	}
	for c := cmd; c.HasParent(); c = c.Parent() {
		parent := c.Parent()
		takesFiles := parent.HasParent() && parent.ValidateArgs([]string{c.Name()}) == nil
		if takesFiles && slices.Contains(args, c.Name()) && console.Exists(c.Name()) {
			fmt.Fprintf(errs, "note: %s is read as the verb, not the file of that name; for the file, type ./%[1]s\n", c.Name())
		}
	}
	return args
}
