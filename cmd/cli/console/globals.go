package console

import (
	"runtime/debug"
)

// Globals are the flags that every verb shares.
type Globals struct {
	Store, Models, Settings string
}

// Version returns the version of this build.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "0.1.0"
}
