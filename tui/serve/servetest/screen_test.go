package servetest

import (
	"strings"
	"testing"
)

func TestScreen(t *testing.T) {
	for written, want := range map[string]string{
		"ab\r\ncd":                                               "ab\ncd",
		"<>\x1b[D\x1b[4hmore\x1b[4l\x1b[5Gx":                     "<morx>",
		"<>\x1b[1;2H\x1b[2@ab":                                   "<ab>",
		"abcdef\x1b[1;3H\x1b[2P":                                 "abef",
		"abcdef\x1b[1;3H\x1b[K":                                  "ab",
		"abcdef\x1b[1;3H\x1b[2X":                                 "ab  ef",
		"\x1b[2;2Hx\x1b[1Jy":                                     "\n  y",
		"\x1b]2;title\x07a\x1b[31;1mb\x1b[m":                     "ab",
		"a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[3;1H\nx\x1b[r\x1b[4;2Hy":  "a\nc\nx\ndy",
		"a\r\nb\r\nc\r\nd\x1b[2;4r\x1b[2;1H\x1bMx\x1b[1;4r\x1bM": "\na\nx\nb",
		"größe 字x":                                               "größe 字x",
	} {
		s := NewScreen(20, 4)
		for _, b := range []byte(written) { // in pieces
			if _, err := s.Write([]byte{b}); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.TrimRight(s.String(), "\n"); got != want {
			t.Errorf("%q: %q, want %q", written, got, want)
		}
	}
}
