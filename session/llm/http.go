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

// httpClient sends requests over HTTP in the protocol of its codec.
type httpClient struct {
	model    Model
	deps     Deps
	codec    codec
	endpoint string
	base     string // of the endpoint, without a trailing slash and a query
	host     string // the server's name in messages
	adding   bool   // the model is not in the models file yet

	keys *keeper

	mu     sync.Mutex
	form   *form    // that the server answered; nil before
	gaveUp []string // fields that this form leaves out

	ask   sync.Once
	holds int // tokens of the context that the server has loaded the model with, once it was asked; 0: not known
}

func newHTTPClient(m Model, deps Deps, c codec) *httpClient {
	base, query, _ := strings.Cut(m.base(), "?")
	base, socket := overSocket(base)
	host := base
	if u, err := url.Parse(base); err == nil {
		host = u.Host
	}
	if socket != "" {
		host = "unix:" + socket
	}
	deps.Transport = m.transport(deps.Transport)
	base = strings.TrimRight(base, "/")
	endpoint := c.endpoint(base, m)
	if query != "" { // such as Azure's api-version
		sign := "?"
		if strings.Contains(endpoint, sign) {
			sign = "&"
		}
		endpoint += sign + query
	}
	return &httpClient{model: m, deps: deps, codec: c, endpoint: endpoint, base: base, host: host, keys: &keeper{model: m, deps: deps}}
}

// credentials are what a request carries and no text may show.
type credentials struct {
	key     string
	headers map[string]string
	hide    redactor
}

// setting is what advice calls a key of the models file.
func (c *httpClient) setting(key string) string {
	if c.adding && key == "base_url" {
		return "the address"
	}
	return key + " in the models file"
}

// Stream sends the request, with the allowed retries, until an answer is complete.
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
		c.keys.forget()
	}
	return Answer{}, cred.hide.error(failed)
}

// credentials collects the key and the headers. The redactor is valid even if that fails.
func (c *httpClient) credentials(ctx context.Context) (credentials, *Error) {
	headers, missing := c.model.headers(c.deps.Getenv)
	key, failed := c.keys.secret(ctx)
	cred := credentials{key: key, headers: headers, hide: newRedactor(c.sensitive(key, headers)...)}
	if _, err := c.model.certificate(c.deps.Now()); failed == nil && c.model.ClientCert != "" && err != nil {
		failed = &Error{Class: Auth, Message: fmt.Sprintf("there is no certificate for %q: %v", c.model.Name, err), Setting: "client_cert", Err: err}
	}
	if failed == nil && missing != "" {
		failed = &Error{
			Class:   Auth,
			Message: fmt.Sprintf("there is a header missing for %q: %s", c.model.Name, notSet(missing)),
			Advice:  "set it and start assay again, or use another model",
		}
	}
	return cred, failed
}

// insist repeats the exchange with the server until one succeeds, fails for good, or the retries are used
// up.
func (c *httpClient) insist(ctx context.Context, cred credentials, req Request, delta func(string)) (Answer, *Error) {
	form, gaveUp := c.learned()
	for try := 0; ; {
		answer, failed := c.exchange(c.counted(ctx, try), cred, c.body(req, form), delta)
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
		if !failed.retry || c.deps.Once || try+1 >= c.model.Tries(1+maxRetries) {
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

// counted returns ctx with the number of the try, from 0, and the limits of the whole request in its
// progress reports. If the caller does the retries, it also counts them.
func (c *httpClient) counted(ctx context.Context, try int) context.Context {
	return WithProgress(ctx, func(p Progress) {
		p.Total = c.model.TotalTimeout.orDefault(defaultTotal)
		if !c.deps.Once {
			p.Try, p.Tries = try+1, c.model.Tries(1+maxRetries)
		}
		Tell(ctx, p)
	})
}

// learned returns the form that the server accepts, as far as known, and the fields given up for it.
func (c *httpClient) learned() (form, []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.form == nil {
		return c.codec.form(c.model), nil
	}
	return *c.form, c.gaveUp
}

// learn remembers the form of a successful request, so that later requests are not rejected for the same
// reason.
func (c *httpClient) learn(f form, gaveUp []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.form, c.gaveUp = &f, gaveUp
}

// body is the JSON of a request.
func (c *httpClient) body(req Request, f form) []byte {
	fields := c.codec.body(c.model, req, f)
	overlay(fields, c.model.ExtraBody)
	text, err := json.Marshal(fields)
	if err != nil {
		panic("llm: a request of plain values does not marshal: " + err.Error())
	}
	return text
}

// overlay adds further fields to those of a request; a table is added to the table of that name field by field, since
// the request's own fields in it are settings of the models file.
func overlay(fields map[string]any, further map[string]any) {
	for name, value := range further {
		own, isTable := fields[name].(map[string]any)
		if more, both := value.(map[string]any); isTable && both {
			overlay(own, more)
			continue
		}
		fields[name] = value
	}
}

// secretHeader matches the names of headers with secret values.
var secretHeader = regexp.MustCompile(secretName.String() + `|auth|cookie|session`)

// sensitive lists every value that must not appear in any text.
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
	// longestWait is the longest wait that a server may ask of a waiting tester; beyond it the failure is
	// shown instead.
	longestWait = 60 * time.Second
)

// backoff returns how long to wait before retry number try (from 0): about 0.5, 1 and 2 s, jittered by half so
// that several testers do not return at once, and never less than the server asked for. ok is false if that
// is too long. random is uniform in [0, 1).
func backoff(try int, asked time.Duration, random float64) (wait time.Duration, ok bool) {
	wait = time.Duration((0.75 + 0.5*random) * float64(500*time.Millisecond<<try))
	return max(wait, asked), asked <= longestWait
}
