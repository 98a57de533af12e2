package llm

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"
)

// shownError is the number of characters of a server's message that an error shows.
const shownError = 300

// refused describes a response whose status is not 200.
func (e *exchange) refused(res *http.Response, r io.Reader) *failure {
	body, _ := io.ReadAll(io.LimitReader(r, 64<<10)) // a partial body is enough
	message, isJSON := serverMessage(body)
	if !isJSON {
		message = pageWords(body)
	}
	f := &failure{status: res.StatusCode, body: string(body), Error: &Error{
		Message: fmt.Sprintf("%s answered %d %s", e.client.host, res.StatusCode, http.StatusText(res.StatusCode)),
	}}
	if message != "" {
		f.Message += " (" + oneLine(message, shownError) + ")"
	}
	f.Status = res.StatusCode
	model := e.client.model
	pull, absent := pullAdvice(model, message)
	rejected := refusedParameters(e.client.codec, model, f)
	told, advice := e.told(res.StatusCode, message, body)
	switch status := res.StatusCode; {
	case told != "":
		f.Class, f.Advice = told, advice
	case status != 401 && status != 403 && len(rejected) > 0:
		f.Class, f.Refused, f.Advice = BadRequest, rejected, dropAdvice(model, rejected)
	case status == 403 && !isJSON && strings.Contains(string(body), "<"):
		f.Class = NotAModel
		f.Message += " for " + e.address()
		f.Advice = "a page refuses, not a model: look at it in a browser; a firewall or login page may stand before the server, or " + e.client.setting("base_url") + " is wrong"
	case status == 401 || status == 403:
		f.Class, f.Advice = Auth, e.keyAdvice()
	case status == 404 && absent:
		f.Class, f.Advice = BadRequest, pull
	case status == 404 && isJSON:
		f.Class = BadRequest
		f.Advice = e.absentAdvice()
	case status >= 300 && status < 400 && res.Header.Get("Location") != "":
		f.Class = NotAModel
		f.Message += " for " + e.address() + ", and sends on to " + oneLine(res.Header.Get("Location"), shownError)
		f.Advice = "write the model's own server in " + e.client.setting("base_url") + ": a key is never sent on to another"
	case status == 404 || status == 405 || status >= 300 && status < 400:
		f.Class = NotAModel
		f.Message += " for " + e.address()
		f.Advice = "check " + e.client.setting("base_url") + ": it often ends in /v1, and a login page may stand before it"
	case status == 407:
		f.Class, f.Advice = Unreachable, proxyAdviceFor(status)
	case status == 429:
		f.Class, f.retry, f.After = RateLimited, true, e.retryAfter(res, f.body)
		f.Advice = "wait a little and try again, or use another model"
		if f.After > longestWait {
			f.Advice = fmt.Sprintf("try again in %v, or use another model", f.After.Round(time.Second))
		}
	case status == 408 || status == 409 || status == 425: // the providers' own clients try these again
		f.Class, f.retry, f.After = Server, true, e.retryAfter(res, f.body)
		f.Advice = "the server did not take the request in time: try again, or use another model"
	case status == 529: // Anthropic's own
		f.Class, f.retry, f.After = Server, true, e.retryAfter(res, f.body)
		f.Advice = "the provider is overloaded: try again later, or use another model"
	case status >= 500:
		f.Class, f.retry, f.After = Server, true, e.retryAfter(res, f.body)
		f.Advice = "the server has a problem of its own: try again later, or use another model"
	case strings.Contains(message, "HTTP request to an HTTPS server"):
		f.Class, f.Advice = NotAModel, "write https:// in "+e.client.setting("base_url")
	case certificateRefused.MatchString(message):
		f.Class, f.Setting, f.Advice = Auth, "client_cert", e.client.certificateAdvice()
	default:
		f.Class = BadRequest
		f.Advice = "correct this model's settings in the models file"
	}
	e.hinted(f, res)
	return f
}

// hinted follows what the server says about asking again, as the providers' own clients do.
func (e *exchange) hinted(f *failure, res *http.Response) {
	switch res.Header.Get("X-Should-Retry") {
	case "true":
		if f.Class == BadRequest {
			f.Class, f.Advice = Server, "the server did not take the request in time: try again, or use another model"
		}
		f.retry, f.After = f.Passing(), e.retryAfter(res, f.body)
	case "false":
		f.retry, f.Final = false, true
	}
}

// address is the URL that was asked, without its query, which may hold a key.
func (e *exchange) address() string {
	address, _, _ := strings.Cut(e.client.endpoint, "?")
	return address
}

// dropAdvice explains how to continue with a server that rejects parameters.
func dropAdvice(m Model, names []string) string {
	if slices.Equal(names, []string{systemField}) {
		return fmt.Sprintf("add drop = [%s] to this model in the models file: its system message then stands at the head of the first prompt", quotedList(append(slices.Clone(m.Drop), systemField)))
	}
	all := slices.DeleteFunc(append(slices.Clone(m.Drop), names...), func(name string) bool { return !slices.Contains(m.provider().mayDrop(), name) })
	if len(all) == len(m.Drop) {
		return fmt.Sprintf("correct %s of this model in the models file", strings.Join(names, " and "))
	}
	return fmt.Sprintf("correct %s of this model in the models file, or add drop = [%s] so that it is not sent", strings.Join(names, " and "), quotedList(all))
}

func quotedList(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return strings.Join(quoted, ", ")
}

func (e *exchange) keyAdvice() string {
	m := e.client.model
	switch {
	case len(m.APIKeyCmd) > 0:
		return fmt.Sprintf("check the key that %q prints", m.APIKeyCmd[0])
	case m.APIKeyEnv != "":
		return fmt.Sprintf("check the key in the environment variable %s", m.APIKeyEnv)
	}
	if e.client.adding {
		return "this server wants a key: give the name of the environment variable that holds it"
	}
	return "this server wants a key: name its environment variable with api_key_env in the models file"
}

// absentAdvice says what to do where the server has nothing at the address, or no such model.
func (e *exchange) absentAdvice() string {
	u, err := url.Parse(e.client.base)
	where := e.client.setting("base_url")
	switch {
	case e.client.adding:
		return "check " + where + ": it often ends in /v1"
	case err == nil && u.Path == "" && e.client.model.provider().base == "":
		return fmt.Sprintf("%s has no path, and often ends in /v1; else check that the server has a model %q", where, e.client.model.Model)
	}
	return fmt.Sprintf("check %s, and that the server has a model %q", where, e.client.model.Model)
}

// waitInBody is how long to wait, in the words of Google, OpenAI and Groq.
var waitInBody = regexp.MustCompile(`(?:"retryDelay": *"|(?i:(?:try again|retry) in ))((?:\d+h)?(?:\d+m)?\d+(?:\.\d+)?m?s)`)

// retryAfter reads the header retry-after-ms, else Retry-After: seconds, a length of time, or a date; else the body.
func (e *exchange) retryAfter(res *http.Response, body string) time.Duration {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(res.Header.Get("Retry-After-Ms")), 64); err == nil {
		return time.Duration(min(max(ms, 0), 1e9) * float64(time.Millisecond))
	}
	value := strings.TrimSpace(res.Header.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		// Limited before the conversion so that a huge number cannot overflow.
		return time.Duration(min(max(seconds, 0), 1e6) * float64(time.Second))
	}
	if length, err := time.ParseDuration(value); err == nil { // of gateways
		return max(length, 0)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(e.client.deps.Now()), 0)
	}
	if said := waitInBody.FindStringSubmatch(body); said != nil {
		length, _ := time.ParseDuration(said[1])
		return length
	}
	return 0
}

// notAModel describes a response with status 200 that is not an answer.
func (e *exchange) notAModel(kind string, r io.Reader) *failure {
	start, _ := io.ReadAll(io.LimitReader(r, 64<<10))
	kind = cmp.Or(kind, "no content type")
	message := fmt.Sprintf("%s answered with %s, which no model sends", e.address(), kind)
	if words := pageWords(start); words != "" {
		message += " (" + oneLine(words, shownError) + ")"
	}
	return &failure{Error: &Error{
		Class: NotAModel, Message: message,
		Advice: "check " + e.client.setting("base_url") + ", and whether a login page or proxy stands before the server",
	}}
}

// cutOff describes a stream that ended without a finish reason.
func (e *exchange) cutOff(err error) *failure {
	if isTooLong(err) {
		return e.oversized(err)
	}
	how := "ended the answer without a finish reason"
	if err != nil && !errors.Is(err, io.EOF) {
		how = "broke the connection before the answer was complete"
	}
	return &failure{Error: &Error{
		Class: CutOff, Message: fmt.Sprintf("%s %s, after %d characters", e.client.host, how, len([]rune(e.text.String()))),
		Advice: "try again: what arrived is not the whole answer", Err: err,
	}}
}

// oversized describes an answer above the size limit.
func (e *exchange) oversized(err error) *failure {
	return &failure{Error: &Error{
		Class: BadRequest, Message: fmt.Sprintf("%s sent more than %d MB, and the answer was refused", e.client.host, maxAnswer>>20),
		Advice: "set max_tokens of this model in the models file", Err: err,
	}}
}

// garbage describes a chunk that is not JSON. Before any text it means that this is not a model's server;
// after some, that the answer is damaged.
func (e *exchange) garbage(data []byte, err error) *failure {
	f := &failure{Error: &Error{
		Class: NotAModel, Message: fmt.Sprintf("%s sent something that is no message of a model (%s)", e.client.host, oneLine(string(data), 100)),
		Advice: "check " + e.client.setting("base_url"), Err: err,
	}}
	if e.text.Len() > 0 {
		f.Class, f.Advice = CutOff, "try again: what arrived is not the whole answer"
	}
	return f
}

// serverError describes an error sent with status 200.
func (e *exchange) serverError(r *reported) *failure {
	message := cmp.Or(r.message, "no reason given")
	f := &failure{Error: &Error{
		Class: r.class, Message: fmt.Sprintf("%s reported an error in its answer (%s)", e.client.host, oneLine(message, shownError)),
		Advice: "try again, or use another model",
	}}
	pull, absent := pullAdvice(e.client.model, message)
	told, advice := e.told(0, message, []byte(message))
	switch {
	case absent:
		f.Class, f.Advice = BadRequest, pull
	case told != "":
		f.Class, f.Advice = told, advice
	case r.class == Auth:
		f.Advice = e.keyAdvice()
	case r.class == Filtered:
		f.Advice = filteredAdvice
	case r.class == BadRequest:
		f.Advice = "correct this model's settings in the models file"
	}
	return f
}

// noConnection describes a request without a response.
func (e *exchange) noConnection(err error) *failure {
	host := e.client.host
	fail := func(class Class, message, advice string) *failure {
		return &failure{Error: &Error{Class: class, Message: message + ", asked at " + e.address(), Advice: advice, Err: err}}
	}
	reason := oneLine(err.Error(), 200)
	var op *net.OpError
	var unknown x509.UnknownAuthorityError
	var certificate *tls.CertificateVerificationError
	var plain tls.RecordHeaderError
	var proxy *proxyRefusal
	switch {
	case errors.As(err, &proxy):
		return fail(Unreachable, fmt.Sprintf("could not reach %s: %v", host, proxy), proxyAdviceFor(proxy.status))
	case certificateAlert.MatchString(reason):
		f := fail(Auth, fmt.Sprintf("could not reach %s (%s)", host, reason), e.client.certificateAdvice())
		f.Setting = "client_cert"
		return f
	case errors.As(err, &op) && op.Op == "proxyconnect":
		return fail(Unreachable, fmt.Sprintf("could not reach %s through the proxy (%s)", host, reason), proxyAdvice)
	case errors.Is(err, syscall.ECONNREFUSED):
		advice := "is the model server running? try again, or use another model"
		if e.client.model.Provider == ProviderOllama && e.client.model.Local() {
			advice = "is Ollama running? start it with `ollama serve`, or use another model"
		}
		f := fail(Unreachable, host+" refused the connection", advice)
		f.retry = true
		return f
	case errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET):
		// Usually an idle connection that the server had just closed.
		advice := "try again; if it goes on, look at what the server or the proxy before it says"
		if strings.HasPrefix(e.client.endpoint, "http://") {
			advice = "try again; if it goes on, the server may want https:// in " + e.client.setting("base_url")
		}
		f := fail(Unreachable, host+" closed the connection without an answer", advice)
		f.retry = true
		return f
	case errors.As(err, &unknown):
		return fail(Unreachable, fmt.Sprintf("the certificate of %s is signed by nobody whom this machine trusts", host),
			e.client.authorityAdvice())
	case errors.As(err, &certificate):
		return fail(Unreachable, fmt.Sprintf("the certificate of %s is not accepted (%s)", host, reason),
			"check the name in "+e.client.setting("base_url")+", and this machine's clock")
	case errors.As(err, &plain) || strings.Contains(reason, "server gave HTTP response to HTTPS client"):
		return fail(Unreachable, host+" does not speak TLS", "write http:// in "+e.client.setting("base_url")+", if the server is on this machine or in a network that you trust")
	}
	return fail(Unreachable, fmt.Sprintf("could not reach %s (%s)", host, reason), "check the network and "+e.client.setting("base_url")+", or name your proxy in HTTPS_PROXY and start assay again")
}

var (
	pageTitle = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	pageTag   = regexp.MustCompile(`(?s)<[^>]*>`)
)

// pageWords extracts the title of a page, or else its text, from a body that is not JSON.
func pageWords(body []byte) string {
	if m := pageTitle.FindSubmatch(body); m != nil {
		return html.UnescapeString(string(m[1]))
	}
	return html.UnescapeString(pageTag.ReplaceAllString(string(body), " "))
}

// oneLine makes external text safe to show: one line, no control characters, at most limit characters.
func oneLine(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	clean := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
	clean = strings.Join(strings.Fields(clean), " ")
	if runes := []rune(clean); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return clean
}
