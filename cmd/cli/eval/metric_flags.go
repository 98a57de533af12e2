package eval

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark/batch"
	"assay/cmd/cli/console"
)

// ByFlag adds the flag for splitting metrics.
func ByFlag(cmd *cobra.Command, by *[]string) {
	cmd.Flags().StringArrayVar(by, "by", nil, "split by a `field` of the tasks, or by two with a comma between them: "+strings.Join(batch.Fields(), ", ")+"; may be repeated")
}

// ParseBy parses the fields of --by.
func ParseBy(texts []string) ([][]string, error) {
	var all [][]string
	for _, text := range texts {
		names := strings.Split(text, ",")
		for i, name := range names {
			names[i] = strings.TrimSpace(name)
		}
		if err := batch.CheckFields(names); err != nil {
			return nil, console.Usagef("--by %s: %v", text, err)
		}
		all = append(all, names)
	}
	return all, nil
}

// ParseKs parses the numbers of --k.
func ParseKs(text string) ([]int, error) {
	var ks []int
	for part := range strings.SplitSeq(text, ",") {
		k, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || k < 1 {
			return nil, console.Usagef("--k takes whole numbers from 1 on, separated by commas, not %q", text)
		}
		ks = append(ks, k)
	}
	return ks, nil
}
