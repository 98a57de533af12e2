package console

import (
	"github.com/spf13/pflag"
)

// RareFlag marks a flag for the group at the end of a verb's help.
const RareFlag = "rare"

// Rare moves flags that few people need to a separate group below the others.
func Rare(f *pflag.FlagSet, names ...string) {
	for _, name := range names {
		if err := f.SetAnnotation(name, RareFlag, nil); err != nil {
			panic(err) // there is no such flag
		}
	}
}
