package llm

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"assay/data/fatal"
)

// disguises are ways to write a key. Those of letters can be applied to each other's results.
var disguises = struct {
	encodings, letters map[string]func(string) string
}{
	encodings: map[string]func(string) string{
		"as it is":   func(key string) string { return key },
		"upper case": strings.ToUpper,
		"base64":     func(key string) string { return base64.StdEncoding.EncodeToString([]byte("x:" + key + "y")) },
		"base32":     func(key string) string { return base32.StdEncoding.EncodeToString([]byte("key=" + key + "!")) },
		"hex":        func(key string) string { return hex.EncodeToString([]byte(key)) },
		"0x":         func(key string) string { return each(key, "0x%02x, ") },
		"decimals":   func(key string) string { return each(key, "%d, ") },
		"reversed": func(key string) string {
			b := []byte(key)
			slices.Reverse(b)
			return string(b)
		},
	},
	letters: map[string]func(string) string{
		"none":        func(text string) string { return text },
		`\u`:          func(text string) string { return each(text, `\u%04x`) },
		`\\u`:         func(text string) string { return each(text, `\\u%04X`) },
		`\u{}`:        func(text string) string { return each(text, `\u{%02x}`) },
		`\x`:          func(text string) string { return each(text, `\x%02x`) },
		"octal":       func(text string) string { return each(text, `\%03o`) },
		"percent":     func(text string) string { return each(text, "%%%02X") },
		"twice":       func(text string) string { return each(text, "%%25%02x") },
		"quoted":      func(text string) string { return each(text, "=%02X") },
		"entities":    func(text string) string { return each(text, "&#%d;") },
		"hex entity":  func(text string) string { return each(text, "&#x%x;") },
		"spaces":      func(text string) string { return each(text, "%c  ") },
		"lines":       func(text string) string { return each(text, "+%c\n") },
		"literals":    func(text string) string { return each(text, `'%c' + `) },
		"path":        func(text string) string { return each(text, "%c/") },
		"colours":     func(text string) string { return each(text, "\x1b[1;31m%c\x1b[0m") },
		"links":       func(text string) string { return each(text, "\x1b]8;;http://e\x07%c") },
		"zero width":  func(text string) string { return each(text, "%c\u200b\u2060") },
		"joiners":     func(text string) string { return each(text, "\ufeff%c\u00ad") },
		"C1":          func(text string) string { return each(text, "%c\u009b0m") },
		"utf-16":      func(text string) string { return each(text, "%c\x00") },
		"line breaks": func(text string) string { return each(text, `%c\n`) },
		"json": func(text string) string {
			b, _ := json.Marshal(text + "\n")
			return strings.Trim(string(b), `"`)
		},
	},
}

// each writes every byte of a text by a format.
func each(text, format string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

// No way to write a key in the list, and none of letters upon one of encodings, leaves it in a finished text; the text
// around it stays.
func TestDisguisedKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.StringMatching(`sk-[A-Za-z0-9_-]{9,40}`).Draw(t, "key")
		r := newRedactor(key)
		for name, encode := range disguises.encodings {
			for more, write := range disguises.letters {
				hidden := write(encode(key))
				got := r.finished("Before: " + hidden + "; behind.")
				if !strings.HasPrefix(got, "Before: ") || !strings.Contains(got, "[key]") || !strings.HasSuffix(got, "; behind.") {
					t.Fatalf("%s, %s: %q becomes %q", name, more, hidden, got)
				}
			}
		}
		if text := rapid.String().Draw(t, "other text"); !strings.Contains(strings.ToLower(text), "sk-") && r.finished(text) != text {
			t.Fatalf("%q becomes %q", text, r.finished(text))
		}
	})
}

// TestPartialAnswersKeepNoKey: what had arrived of an answer when it failed is searched like a whole one.
func TestPartialAnswersKeepNoKey(t *testing.T) {
	reversed := []byte(canary)
	slices.Reverse(reversed)
	for _, d := range dialects() {
		t.Run(d.provider, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				deps := d.deps(serve(t, func(w http.ResponseWriter, _ *http.Request) {
					d.write(w, d.begin, d.text("before "+string(reversed)+" behind")) // and the stream ends
				}))
				deps.Once = true
				client, err := d.model().Client(deps)
				fatal.If(t, err)
				_, err = client.Stream(t.Context(), Request{}, nil)
				var failed *Error
				if !errors.As(err, &failed) || failed.Partial != "before [key] behind" {
					t.Errorf("%v, partial %+v", err, failed)
				}
			})
		})
	}
}
