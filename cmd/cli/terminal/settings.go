package terminal

import (
	"assay/cmd/cli/console"
	"assay/tui/settings"
)

// Settings reads the user's settings.
func Settings(io *console.IO, g *console.Globals) (settings.Settings, error) {
	return settings.Load(settings.Path(g.Settings, io.Getenv))
}
