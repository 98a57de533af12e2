package console

import (
	"runtime/debug"
	"strings"
)

// Globals are the flags that every verb shares.
type Globals struct {
	Store, Models, Settings string
}

// stamped is the commit and its date, joined by @, and a plus if the checkout had changes: `make build` links it in, since
// Go's toolchain records no commit in worktrees of git, or where GOFLAGS has -buildvcs=false.
var stamped string

// Commit returns the commit of git that this build is of and the date of that commit (RFC 3339, UTC), both empty where it
// was built outside a checkout, and whether the checkout had uncommitted changes.
func Commit() (hash, date string, changed bool) {
	stamp, changed := strings.CutSuffix(stamped, "+")
	hash, date, _ = strings.Cut(stamp, "@")
	info, ok := debug.ReadBuildInfo()
	if hash != "" || !ok {
		return hash, date, changed
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			hash = s.Value
		case "vcs.time":
			date = s.Value
		case "vcs.modified":
			changed = s.Value == "true"
		}
	}
	return hash, date, changed
}

// Version returns the version of this build.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "0.1.0"
}
