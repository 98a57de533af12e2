package judge

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif" // the formats that DecodeConfig is to know
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"strings"
)

// headBytes is how much of a file is looked at to tell what it is.
const headBytes = 64 << 10

// ContentKind says in a word or two what a file is, by its content and never by its
// name: "PNG 640×480", "text", "PDF". It reads the beginning only and decodes no
// picture, so that no content can make it work hard.
func ContentKind(data []byte) string {
	if len(data) == 0 {
		return "empty"
	}
	head := data[:min(len(data), headBytes)]
	kind, _, _ := strings.Cut(http.DetectContentType(head), ";")
	format, isImage := strings.CutPrefix(kind, "image/")
	switch {
	case isImage:
		format = strings.ToUpper(format)
		if c, _, err := image.DecodeConfig(bytes.NewReader(head)); err == nil {
			return fmt.Sprintf("%s %d×%d", format, c.Width, c.Height)
		}
		return format
	case kind == "text/plain":
		return "text"
	case kind == "application/octet-stream":
		return "data"
	}
	_, short, _ := strings.Cut(kind, "/")
	return strings.ToUpper(strings.TrimPrefix(short, "x-"))
}

// IsText reports whether a kind is that of a text that can be shown.
func IsText(kind string) bool { return kind == "text" || kind == "HTML" || kind == "XML" }
