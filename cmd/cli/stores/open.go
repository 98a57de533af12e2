package stores

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/adrg/xdg"

	"assay/cmd/cli/console"
	"assay/data/disk"
	"assay/store"
)

// Path returns the path of the store: from the flag, the environment, or in the user's data directory.
func Path(io *console.IO, g *console.Globals) string {
	return cmp.Or(g.Store, io.Getenv("ASSAY_STORE"), filepath.Join(xdg.DataHome, "assay", "assay.db"))
}

// Open opens the store for writing, creating its directory.
func Open(io *console.IO, g *console.Globals) (*store.Store, error) {
	return OpenFor(io, g, func(text string) { fmt.Fprintln(io.Err, "note: "+text) })
}

// OpenFor is Open with notify called when something happens to the store while it is open.
func OpenFor(io *console.IO, g *console.Globals, notify func(string)) (*store.Store, error) {
	path := Path(io, g)
	if err := disk.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("the store's directory cannot be created: %w", err)
	}
	return store.Open(path, store.Options{Version: console.Version(), Notify: notify})
}
