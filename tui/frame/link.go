package frame

import (
	"net/url"
	"path/filepath"
	"strings"

	"charm.land/lipgloss/v2"
)

// FileLink shows a path, which terminals that know hyperlinks (OSC 8) open. Only what is
// the name of a file and nothing else is linked. A path that is longer than width is cut in its middle.
func FileLink(path string, style lipgloss.Style, width int) string {
	shown := OneLine(path)
	whole := shown == path
	shown = shortened(shown, max(leastPath, width))
	if !filepath.IsAbs(path) || !whole {
		return style.Render(shown)
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive letter
	}
	to := url.URL{Scheme: "file", Path: slashed}
	return style.Hyperlink(to.String()).Render(shown)
}
