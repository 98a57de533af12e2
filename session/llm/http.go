package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// httpClient asks a server over HTTP; its codec says in which protocol.
type httpClient struct {
	model    Model
	deps     Deps
	codec    codec
	endpoint string
	host     string // as messages name the server

	mu sync.Mutex
	// key returns what the key command printed, until the server refuses it. It is a
	// function so that no dump of the client shows the key.
	key func() string

	form   *form    // in which the server answered; nil until it did
	gaveUp []string // fields that this form is without
}

func newHTTPClient(m Model, deps Deps, c codec) *httpClient {
	host := m.base()
	if u, err := url.Parse(host); err == nil {
		host = u.Host
	}
	return &httpClient{model: m, deps: deps, codec: c, endpoint: c.endpoint(m.base()), host: host}
}

// credentials are what a request carries and what no text may show.
type credentials struct {
	key     string
	headers map[string]string
	hide    redactor
}

// Stream sends the request, again where that is allowed, until an answer is
// complete.
func (c *httpClient) Stream(ctx context.Context, req Request, delta func(string)) (Answer, error) {
	total, stop := withTotal(ctx, c.model.TotalTimeout.orDefault(defaultTotal))
	defer stop()
	cred, failed := c.credentials(total)
	if failed == nil {
		var answer Answer
		if answer, failed = c.insist(total, cred, req, delta); failed == nil {
			return answer, nil
		}
	}
	if ctx.Err() != nil {
		return Answer{}, ctx.Err()
	}
	if failed.Class == Auth {
		c.forgetKey()
	}
	return Answer{}, cred.hide.error(failed)
}

// credentials collects the key and the headers. The redactor is there also where they
// could not be had.
func (c *httpClient) credentials(ctx context.Context) (credentials, *Error) {
	headers, missing := c.model.headers(c.deps.Getenv)
	key, failed := c.secret(ctx)
	cred := credentials{key: key, headers: headers, hide: newRedactor(c.sensitive(key, headers)...)}
	if failed == nil && missing != "" && !c.model.local() {
		failed = &Error{
			Class:   Auth,
			Message: fmt.Sprintf("there is a header missing for the model %q: %s", c.model.Name, notSet(missing)),
			Advice:  "set it and start assay again, or use another model",
		}
	}
	return cred, failed
}

// insist makes exchanges with the server until one answers, fails for good, or
// the retries are used up.
func (c *httpClient) insist(ctx context.Context, cred credentials, req Request, delta func(string)) (Answer, *Error) {
	form, gaveUp := c.learned()
	for try := 0; ; {
		answer, failed := c.exchange(c.counted(ctx, try), cred, encode(c.codec.body(c.model, req, form)), delta)
		if failed == nil {
			c.learn(form, gaveUp)
			answer.GaveUp = slices.Clone(gaveUp)
			return answer, nil
		}
		if simpler, field, ok := form.without(failed); ok {
			form = simpler
			if field != "" {
				gaveUp = append(slices.Clone(gaveUp), field)
			}
			continue
		}
		if !failed.retry || c.deps.Once || try == maxRetries {
			return Answer{}, failed.Error
		}
		wait, ok := backoff(try, failed.After, c.deps.Random())
		if !ok {
			failed.Advice = fmt.Sprintf("the server asks to wait %v: try again then, or use another model", failed.After.Round(time.Second))
			return Answer{}, failed.Error
		}
		try++
		Tell(c.counted(ctx, try), Progress{Stage: Retrying, Why: failed.Brief(), Asked: failed.After > 0, Wait: wait})
		if err := c.deps.Sleep(ctx, wait); err != nil {
			var late *expired
			if errors.As(context.Cause(ctx), &late) {
				return Answer{}, late.timeoutError(failed.Message, "")
			}
			return Answer{}, failed.Error
		}
	}
}

// counted returns ctx with the number of the try, from 0, and the limits of the whole request
// in what is told. Where the caller sends requests again, the caller counts.
func (c *httpClient) counted(ctx context.Context, try int) context.Context {
	return WithProgress(ctx, func(p Progress) {
		p.Total = c.model.TotalTimeout.orDefault(defaultTotal)
		if !c.deps.Once {
			p.Try, p.Tries = try+1, maxRetries+1
		}
		Tell(ctx, p)
	})
}

// learned is the form in which the server takes requests, as far as that is known, and what
// was given up for it.
func (c *httpClient) learned() (form, []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.form == nil {
		return c.codec.form(c.model), nil
	}
	return *c.form, c.gaveUp
}

// learn keeps the form of a request that was answered, so that not every request is refused
// once for the same reason.
func (c *httpClient) learn(f form, gaveUp []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.form, c.gaveUp = &f, gaveUp
}

// encode writes the JSON of a request.
func encode(fields map[string]any) []byte {
	text, err := json.Marshal(fields)
	if err != nil {
		panic("llm: a request of plain values does not marshal: " + err.Error())
	}
	return text
}

// secret is the key to send, or "" for none.
func (c *httpClient) secret(ctx context.Context) (string, *Error) {
	if len(c.model.APIKeyCmd) > 0 {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.key != nil {
			return c.key(), nil
		}
		key, err := c.deps.RunKey(ctx, c.model.APIKeyCmd)
		if err != nil {
			return "", &Error{Class: Auth, Message: err.Error(), Advice: "run it by hand, or correct api_key_cmd in the models file", Err: err}
		}
		c.key = func() string { return key }
		return key, nil
	}
	if c.model.APIKeyEnv == "" {
		return "", nil
	}
	key := strings.TrimSpace(c.deps.Getenv(c.model.APIKeyEnv))
	if key == "" && !c.model.local() {
		return "", &Error{
			Class:   Auth,
			Message: fmt.Sprintf("there is no key for the model %q: the environment variable %s is not set", c.model.Name, c.model.APIKeyEnv),
			Advice:  "set it and start assay again, or use another model",
		}
	}
	return key, nil
}

// forgetKey makes the next request ask the key command again: the key may have
// been replaced meanwhile.
func (c *httpClient) forgetKey() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.key = nil
}

// secretHeader matches the names of headers whose values are secrets.
var secretHeader = regexp.MustCompile(secretName.String() + `|auth|cookie|session`)

// sensitive lists every value that must appear in no text.
func (c *httpClient) sensitive(key string, headers map[string]string) []string {
	values := []string{key}
	for name, value := range headers {
		if _, fromOutside := fromEnv(c.model.Headers[name]); fromOutside || secretHeader.MatchString(name) {
			values = append(values, value)
			if _, credential, ok := strings.Cut(value, " "); ok {
				values = append(values, credential) // as in "Bearer …"
			}
		}
	}
	if u, err := url.Parse(c.model.base()); err == nil {
		for _, list := range u.Query() {
			values = append(values, list...)
		}
	}
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"} {
		if u, err := url.Parse(c.deps.Getenv(name)); err == nil && u.User != nil {
			password, _ := u.User.Password()
			values = append(values, password, u.User.String())
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
