package llm

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"
)

// openAI speaks the chat-completions protocol with any server that offers it.
type openAI struct {
	model    Model
	deps     Deps
	endpoint string
	host     string // as messages name the server

	mu  sync.Mutex
	key string // what the key command printed, until the server refuses it
}

func newOpenAI(m Model, deps Deps) *openAI {
	endpoint := strings.TrimRight(m.BaseURL, "/")
	if !strings.HasSuffix(endpoint, "/chat/completions") {
		endpoint += "/chat/completions"
	}
	host := m.BaseURL
	if u, err := url.Parse(m.BaseURL); err == nil {
		host = u.Host
	}
	return &openAI{model: m, deps: deps, endpoint: endpoint, host: host}
}

// Stream sends the request, again where that is allowed, until an answer is
// complete.
func (o *openAI) Stream(ctx context.Context, req Request, delta func(string)) (Answer, error) {
	total, stop := withTotal(ctx, o.model.TotalTimeout.orDefault(defaultTotal))
	defer stop()
	key, keyErr := o.secret(total)
	hide := newRedactor(o.sensitive(key)...)
	if keyErr != nil {
		if ctx.Err() != nil {
			return Answer{}, ctx.Err()
		}
		return Answer{}, hide.error(keyErr)
	}
	answer, failed := o.insist(total, key, req, delta)
	if failed == nil {
		answer.Text = hide.values(answer.Text)
		return answer, nil
	}
	if ctx.Err() != nil {
		return Answer{}, ctx.Err()
	}
	if failed.Class == Auth {
		o.forgetKey()
	}
	return Answer{}, hide.error(failed)
}

// insist makes exchanges with the server until one answers, fails for good, or
// the retries are used up.
func (o *openAI) insist(ctx context.Context, key string, req Request, delta func(string)) (Answer, *Error) {
	form := form{usage: true}
	for try := 0; ; {
		answer, failed := o.exchange(ctx, key, o.body(req, form), delta)
		if failed == nil {
			return answer, nil
		}
		if simpler, ok := form.without(failed); ok {
			form = simpler
			continue
		}
		if !failed.retry || try == maxRetries {
			return Answer{}, failed.Error
		}
		wait, ok := backoff(try, failed.after, o.deps.Random())
		if !ok {
			failed.Advice = fmt.Sprintf("the server asks to wait %v: try again then, or use another model", failed.after.Round(time.Second))
			return Answer{}, failed.Error
		}
		if err := o.deps.Sleep(ctx, wait); err != nil {
			var late *expired
			if errors.As(context.Cause(ctx), &late) {
				return Answer{}, late.timeoutError(failed.Message, "")
			}
			return Answer{}, failed.Error
		}
		try++
	}
}

// secret is the key to send, or "" for none.
func (o *openAI) secret(ctx context.Context) (string, *Error) {
	if len(o.model.APIKeyCmd) > 0 {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.key != "" {
			return o.key, nil
		}
		key, err := o.deps.RunKey(ctx, o.model.APIKeyCmd)
		if err != nil {
			return "", &Error{Class: Auth, Message: err.Error(), Advice: "run it by hand, or correct api_key_cmd in the models file", Err: err}
		}
		o.key = key
		return key, nil
	}
	if o.model.APIKeyEnv == "" {
		return "", nil
	}
	key := strings.TrimSpace(o.deps.Getenv(o.model.APIKeyEnv))
	if key == "" && !o.model.local() {
		return "", &Error{
			Class:   Auth,
			Message: fmt.Sprintf("there is no key for the model %q: the environment variable %s is not set", o.model.Name, o.model.APIKeyEnv),
			Advice:  "set it and start assay again, or use another model",
		}
	}
	return key, nil
}

// forgetKey makes the next request ask the key command again: the key may have
// been replaced meanwhile.
func (o *openAI) forgetKey() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.key = ""
}

// secretHeader matches the names of headers whose values are secrets.
var secretHeader = regexp.MustCompile(`(?i)auth|key|token|secret|cookie|session`)

// sensitive lists every value that must appear in no text.
func (o *openAI) sensitive(key string) []string {
	values := []string{key}
	for name, value := range o.model.Headers {
		if secretHeader.MatchString(name) {
			values = append(values, value)
		}
	}
	if u, err := url.Parse(o.model.BaseURL); err == nil {
		for _, list := range u.Query() {
			values = append(values, list...)
		}
	}
	return values
}

const (
	maxRetries = 3
	// longestWait is how long a server may ask a waiting tester to be patient
	// before being told is better.
	longestWait = 60 * time.Second
)

// backoff is how long to wait before retry number try (from 0): about 0.5, 1
// and 2 s, spread by half so that several testers do not return at once, and
// never less than the server asked for. ok is false where that is too long.
// random is uniform in [0, 1).
func backoff(try int, asked time.Duration, random float64) (wait time.Duration, ok bool) {
	wait = time.Duration((0.75 + 0.5*random) * float64(500*time.Millisecond<<try))
	return max(wait, asked), asked <= longestWait
}
