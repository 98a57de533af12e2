package frame

import (
	"net/url"
	"path/filepath"
	"strings"

	"charm.land/lipgloss/v2"
)

// FileLink shows a path, which terminals that know hyperlinks (OSC 8) open. Only what is
// the name of a file and nothing else is linked.
func FileLink(path string, style lipgloss.Style) string {
	shown := OneLine(path)
	if !filepath.IsAbs(path) || shown != path {
		return style.Render(shown)
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive letter
	}
	to := url.URL{Scheme: "file", Path: slashed}
	return style.Hyperlink(to.String()).Render(shown)
}
