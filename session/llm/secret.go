package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"sort"
	"strings"
	"time"
)

// keyCommandTimeout bounds a key command: long enough for a person to unlock a
// password store, short enough not to look like a hanging model.
const keyCommandTimeout = 60 * time.Second

// runKeyCommand runs argv and returns its standard output without the spaces
// around it. Its output is never part of the error.
func runKeyCommand(ctx context.Context, argv []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, keyCommandTimeout)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdout = &out
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("the key command %q failed: %w", argv[0], err)
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

// shortestSecret is the length from which a value is redacted wherever it
// appears: shorter ones would blank out ordinary words.
const shortestSecret = 4

// bearer matches credentials that a server or proxy echoes in a form of its own.
var bearer = regexp.MustCompile(`(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}`)

// redactor replaces secrets in texts.
type redactor struct{ secrets []string }

// newRedactor returns a redactor of the given values, longest first so that a
// secret that contains another leaves no remainder.
func newRedactor(values ...string) redactor {
	var r redactor
	for _, v := range values {
		if len(v) >= shortestSecret {
			r.secrets = append(r.secrets, v)
		}
	}
	sort.Slice(r.secrets, func(i, j int) bool { return len(r.secrets[i]) > len(r.secrets[j]) })
	return r
}

// values blanks out the secrets alone: what a model's own text may need.
func (r redactor) values(text string) string {
	for _, s := range r.secrets {
		text = strings.ReplaceAll(text, s, "[key]")
	}
	return text
}

// text blanks out the secrets and whatever looks like a credential.
func (r redactor) text(text string) string {
	return bearer.ReplaceAllString(r.values(text), "$1 [key]")
}

// cause returns err unless its text holds a secret: then only the redacted
// text is kept, because a wrapped error can always be printed by someone.
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
	return &Error{
		Class:   e.Class,
		Message: r.text(e.Message),
		Advice:  r.text(e.Advice),
		Partial: r.values(e.Partial),
		Err:     r.cause(e.Err),
	}
}
