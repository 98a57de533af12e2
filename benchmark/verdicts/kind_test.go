package verdicts

import (
	"bytes"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"
)

// Files that a program of the desktop might run or obey are told from those that it shows, by name and content.
func TestViewed(t *testing.T) {
	for name, kind := range map[string]string{"a.png": "PNG 64×48", "A.JPG": "JPEG", "b/c.pdf": "PDF", "x.txt": "text"} {
		if !Viewed(name, kind) {
			t.Errorf("%s, %s is not shown", name, kind)
		}
	}
	for name, kind := range map[string]string{"a.desktop": "text", "a.command": "text", "a.terminal": "XML", "a.jar": "ZIP", "a.html": "HTML", "a.svg": "XML", "a.png": "text", "a.txt": "HTML", "a.csv": "text",
		"png": "PNG", "a.png.sh": "PNG", "a": "", "a.lnk": "data", "a.pdf": "text"} {
		if Viewed(name, kind) {
			t.Errorf("%s, %s is shown", name, kind)
		}
	}
}

func TestContentKind(t *testing.T) {
	encoded := func(write func(*bytes.Buffer) error) []byte {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	gray := image.NewGray(image.Rect(0, 0, 64, 48))
	bomb := encoded(func(b *bytes.Buffer) error { return png.Encode(b, gray) })
	copy(bomb[16:], []byte{0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff}) // says that it is enormous
	for _, tt := range []struct {
		kind string
		data []byte
	}{
		{"PNG 64×48", encoded(func(b *bytes.Buffer) error { return png.Encode(b, gray) })},
		{"JPEG 64×48", encoded(func(b *bytes.Buffer) error { return jpeg.Encode(b, gray, nil) })},
		{"GIF 64×48", encoded(func(b *bytes.Buffer) error { return gif.Encode(b, gray, nil) })},
		{"PNG", bomb},
		{"PNG", []byte("\x89PNG\r\n\x1a\nand then nothing")},
		{"PDF", []byte("%PDF-1.4\n")},
		{"XML", []byte("<?xml version='1.0'?><svg/>")},
		{"text", []byte("a,b\n1,2\n")},
		{"empty", nil},
		{"data", []byte{0, 1, 2, 3}},
	} {
		if got := ContentKind(tt.data); got != tt.kind {
			t.Errorf("%q for %.20q, want %q", got, tt.data, tt.kind)
		}
	}
}
