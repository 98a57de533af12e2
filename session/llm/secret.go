package llm

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/data/program"
)

// keyCommandTimeout limits a key command: long enough for a person to unlock a password store, short enough
// not to look like a hanging model.
const keyCommandTimeout = 60 * time.Second

// runKeyCommand runs argv and returns its standard output without surrounding white space. Its output is
// never part of the error.
func runKeyCommand(ctx context.Context, argv []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, keyCommandTimeout)
	defer cancel()
	var out bytes.Buffer
	errs := &tailWriter{limit: stderrTail}
	cmd := program.Command(ctx, program.Own, argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr = &out, errs
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return "", fmt.Errorf("the key command %q was ended: it did not print a key in time: %w", argv[0], ctx.Err())
	}
	if err != nil {
		said := ""
		if words := oneLine(errs.String(), shownError); words != "" {
			said = ", its last words: " + environmentSecrets(os.Environ()).text(words)
		}
		return "", fmt.Errorf("the key command %q failed (%w)%s", argv[0], err, said)
	}
	key := strings.TrimSpace(out.String())
	if key == "" {
		return "", fmt.Errorf("the key command %q printed nothing", argv[0])
	}
	if strings.ContainsAny(key, "\r\n") {
		return "", fmt.Errorf("the key command %q printed several lines: it must print the key alone", argv[0])
	}
	return key, nil
}

// shortestSecret is the length from which a value is redacted everywhere: redacting shorter ones would
// blank out ordinary words.
const shortestSecret = 4

// bearer matches credentials that a server or proxy echoes in its own form.
var bearer = regexp.MustCompile(`(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}`)

// shortestInText is the length from which a secret is also redacted in answers and in encoded forms. Keys
// of local servers are often words, such as "ollama" or "none", which an answer may contain.
const shortestInText = 12

// secret is a form in which a secret may be written; in lower case if anyCase.
type secret struct {
	text    string
	anyCase bool
}

// redactor replaces secrets in texts.
type redactor struct {
	secrets   []secret
	disguised []string // forms of long secrets in a finished text
}

// newRedactor returns a redactor of the given values, longest first so that a secret that contains another
// leaves no remainder.
func newRedactor(values ...string) redactor {
	var r redactor
	for _, v := range values {
		if len(v) < shortestSecret {
			continue
		}
		long := len(v) >= shortestInText
		for _, form := range formsOf(v, long) {
			if long {
				form = lower(form)
			}
			if candidate := (secret{form, long}); !slices.Contains(r.secrets, candidate) {
				r.secrets = append(r.secrets, candidate)
			}
		}
		if long {
			r.disguised = append(r.disguised, disguised(v)...)
		}
	}
	slices.SortStableFunc(r.secrets, func(a, b secret) int { return len(b.text) - len(a.text) })
	return r
}

// formsOf lists the ways in which URLs, JSON, headers and dumps write a value; headers and dumps only for
// long ones.
func formsOf(v string, long bool) []string {
	escaped, _ := json.Marshal(v) // a string always marshals
	forms := []string{v, url.QueryEscape(v), strings.Trim(string(escaped), `"`)}
	if !long {
		return forms
	}
	percent := ""
	for i := range len(v) {
		percent += fmt.Sprintf("%%%02x", v[i])
	}
	forms = append(forms, percent, hex.EncodeToString([]byte(v)))
	// In base64 three bytes are four letters, so a value can be written in three ways, by its alignment.
	// Letters that also depend on neighbouring bytes are left out.
	for before := range 3 {
		first, last := (before*8+5)/6, (before+len(v))*8/6
		text := base64.RawStdEncoding.EncodeToString(append(make([]byte, before), v...))[first:last]
		forms = append(forms, text, strings.NewReplacer("+", "-", "/", "_").Replace(text))
	}
	return forms
}

// lower converts A to Z to lower case, which keeps the length.
func lower(text string) string {
	small := []byte(text)
	for i, c := range small {
		if c >= 'A' && c <= 'Z' {
			small[i] = c + 'a' - 'A'
		}
	}
	return string(small)
}

// values redacts only the secrets, in a text that may go on.
func (r redactor) values(text string) string {
	for _, s := range r.secrets {
		if !s.anyCase {
			text = strings.ReplaceAll(text, s.text, "[key]")
			continue
		}
		for from := 0; ; {
			at := strings.Index(lower(text[from:]), s.text)
			if at < 0 {
				break
			}
			text = text[:from+at] + "[key]" + text[from+at+len(s.text):]
			from += at + len("[key]")
		}
	}
	return text
}

// streamRedactor redacts a text that arrives in pieces, as [redactor.values] redacts a complete one. It
// holds back a piece that may start a secret until it is known what follows.
type streamRedactor struct {
	hide redactor
	held string
}

func (r redactor) stream() *streamRedactor {
	s := &streamRedactor{}
	for _, hidden := range r.secrets {
		if hidden.anyCase {
			s.hide.secrets = append(s.hide.secrets, hidden)
		}
	}
	return s
}

// add takes a piece and returns what can be shown.
func (s *streamRedactor) add(piece string) string {
	text := s.hide.values(s.held + piece)
	small, keep := lower(text), 0
	for _, secret := range s.hide.secrets {
		for n := min(len(secret.text)-1, len(text)); n > keep; n-- {
			if strings.HasSuffix(small, secret.text[:n]) {
				keep = n
				break
			}
		}
	}
	s.held = text[len(text)-keep:]
	return text[:len(text)-keep]
}

// rest returns what is still held back after the last piece.
func (s *streamRedactor) rest() string {
	text := s.held
	s.held = ""
	return text
}

// secretName matches the names of environment variables with secret values.
var secretName = regexp.MustCompile(`(?i)key|token|secret|passw|credential`)

// environmentSecrets returns a redactor of the secrets that a program inherits and may print when it fails.
// It ignores the shortest, which could be any word.
func environmentSecrets(environment []string) redactor {
	var values []string
	for _, entry := range environment {
		if name, value, _ := strings.Cut(entry, "="); len(value) >= shortestInText && secretName.MatchString(name) {
			values = append(values, value)
		}
	}
	return newRedactor(values...)
}

// text redacts the secrets and anything that looks like a credential.
func (r redactor) text(text string) string {
	return bearer.ReplaceAllString(r.finished(text), "$1 [key]")
}

// cause returns err, unless its text contains a secret: then it returns an error with only the redacted
// text, because anyone may print a wrapped error.
func (r redactor) cause(err error) error {
	if err == nil {
		return nil
	}
	if clean := r.text(err.Error()); clean != err.Error() {
		return errors.New(clean)
	}
	return err
}

// error redacts every text of e.
func (r redactor) error(e *Error) *Error {
	clean := *e // its Partial was redacted when it was complete
	clean.Message, clean.Advice, clean.Err = r.text(e.Message), r.text(e.Advice), r.cause(e.Err)
	return &clean
}
