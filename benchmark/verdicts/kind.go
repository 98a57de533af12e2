package verdicts

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif" // formats for DecodeConfig
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"path"
	"strings"
)

// headBytes is how much of a file is read to identify it.
const headBytes = 64 << 10

// ContentKind returns what a file is, by its content and never by its name: "PNG 640×480",
// "text", "PDF". It reads only the beginning and decodes no picture, so that no content takes
// long.
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

// viewed are the endings of files that the programs of a desktop only show, with their kinds.
var viewed = map[string]string{".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".gif": "GIF", ".bmp": "BMP", ".webp": "WEBP", ".pdf": "PDF", ".txt": "text", ".log": "text"}

// Viewed reports whether the programs of a desktop only show a file of this name and content. They run or obey others:
// ".desktop", ".command", ".jar", ".html".
func Viewed(name, kind string) bool {
	kind, _, _ = strings.Cut(kind, " ")
	return kind != "" && viewed[strings.ToLower(path.Ext(name))] == kind
}

// IsText reports whether a kind is text that can be displayed.
func IsText(kind string) bool { return kind == "text" || kind == "HTML" || kind == "XML" }
