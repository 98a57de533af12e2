package llm

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"assay/data/fatal"
	"assay/data/sampled"
)

// These tests send every HTTP provider the same requests, and check how it handles each kind of misbehaving
// server.

// canary is used for every key; no text may ever contain it.
const canary = "canary-7f3a9c\"e5-key"

// dialect is the protocol of a provider's server.
type dialect struct {
	provider string
	kind     string // content type of a stream
	begin    string // before the text
	text     func(string) string
	finish   string // with the finish reason
	after    string // follows it
	failure  func(string) string
}

func dialects() []dialect {
	sse := func(event, data string) string {
		if event != "" {
			event = "event: " + event + "\n"
		}
		return event + "data: " + data + "\n\n"
	}
	return []dialect{
		{ProviderOpenAI, "text/event-stream", sse("", `{"choices":[{"delta":{"role":"assistant","content":""}}],"system_fingerprint":"fp_1"}`),
			func(s string) string { return sse("", chunk(s)) },
			sse("", finish), sse("", usage) + sse("", done),
			func(s string) string { return sse("", fmt.Sprintf(`{"error":{"message":%q}}`, s)) }},
		{ProviderAnthropic, "text/event-stream",
			sse("message_start", `{"type":"message_start","message":{"model":"coder-1-0926","content":[],"stop_reason":null,"usage":{"input_tokens":7,"output_tokens":1}}}`) +
				sse("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`) + sse("ping", `{"type":"ping"}`),
			func(s string) string {
				return sse("content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%q}}`, s))
			},
			sse("content_block_stop", `{"type":"content_block_stop","index":0}`) +
				sse("message_delta", `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}`),
			sse("message_stop", `{"type":"message_stop"}`),
			func(s string) string {
				return sse("error", fmt.Sprintf(`{"type":"error","error":{"type":"overloaded_error","message":%q}}`, s))
			}},
		{ProviderOllama, "application/x-ndjson", "",
			func(s string) string {
				return fmt.Sprintf(`{"model":"coder-1-0926","message":{"role":"assistant","content":%q},"done":false}`, s) + "\n"
			},
			`{"model":"coder-1-0926","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":5}` + "\n", "",
			func(s string) string { return fmt.Sprintf(`{"error":%q}`, s) + "\n" }},
		{ProviderResponses, "text/event-stream",
			sse("response.created", `{"type":"response.created","response":{"model":"coder-1-0926","status":"in_progress","output":[],"error":null,"usage":null}}`),
			func(s string) string {
				return sse("response.output_text.delta", fmt.Sprintf(`{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":%q}`, s))
			},
			sse("response.completed", `{"type":"response.completed","response":{"model":"coder-1-0926","status":"completed","error":null,"output":[],"usage":{"input_tokens":7,"output_tokens":5}}}`), "",
			func(s string) string {
				return sse("error", fmt.Sprintf(`{"type":"error","code":"server_error","message":%q}`, s))
			}},
		{ProviderGemini, "text/event-stream", "",
			func(s string) string {
				return sse("", fmt.Sprintf(`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":%q}]}}],"modelVersion":"coder-1-0926"}`, s))
			},
			sse("", `{"candidates":[{"index":0,"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":4,"thoughtsTokenCount":1},"modelVersion":"coder-1-0926"}`), "",
			func(s string) string {
				return sse("", fmt.Sprintf(`{"error":{"code":500,"message":%q,"status":"INTERNAL"}}`, s))
			}},
	}
}

func (d dialect) model() Model {
	return Model{Name: "m", Provider: d.provider, BaseURL: "http://model.test/v0", Model: "coder-1", APIKeyEnv: "CANARY_KEY",
		Headers: Headers{"X-Team-Token": "env:CANARY_HEADER"}}
}

// deps returns the canary for every secret in the environment.
func (d dialect) deps(deps Deps) Deps {
	deps.Getenv = func(name string) string {
		switch {
		case strings.HasPrefix(name, "CANARY"):
			return canary
		case strings.Contains(strings.ToUpper(name), "PROXY"):
			return "http://user:" + url.QueryEscape(canary) + "@proxy.test:1"
		}
		return ""
	}
	return deps
}

// write sends pieces as a stream of the dialect, flushing each.
func (d dialect) write(w http.ResponseWriter, pieces ...string) {
	w.Header().Set("Content-Type", d.kind)
	for _, p := range pieces {
		io.WriteString(w, p)
		w.(http.Flusher).Flush()
	}
}

func (d dialect) whole(text ...string) string {
	s := d.begin
	for _, t := range text {
		s += d.text(t)
	}
	return s + d.finish + d.after
}

// echo returns a text with every secret in the request, as servers that quote requests do.
func echo(r *http.Request) string {
	var b strings.Builder
	for name, values := range r.Header {
		fmt.Fprintf(&b, "%s: %s; ", name, values)
	}
	return b.String()
}

type fault struct {
	name  string
	class Class
	again bool // the request is sent again, as often as is allowed
	serve func(d dialect, w http.ResponseWriter, r *http.Request)
}

func status(code int, headers ...string) func(dialect, http.ResponseWriter, *http.Request) {
	return func(d dialect, w http.ResponseWriter, r *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.Header().Set("X-Echo", strings.ReplaceAll(echo(r), "\n", " "))
		jsonError(w, code, fmt.Sprintf(`{"type":"error","error":{"type":"some_error","message":%q}}`, echo(r)))
	}
}

func faults() []fault { return append(refusals(), broken()...) }

// refusals are responses other than a stream.
func refusals() []fault {
	return []fault{
		{"400", BadRequest, false, status(400)},
		{"401", Auth, false, status(401)},
		{"403", Auth, false, status(403)},
		{"404", BadRequest, false, status(404)},
		{"407", Unreachable, false, status(407)},
		{"413", TooLong, false, status(413)},
		{"429", RateLimited, true, status(429)},
		{"429 with Retry-After", RateLimited, true, status(429, "Retry-After", "7")},
		{"429 for an hour", RateLimited, false, status(429, "Retry-After", "3600")},
		{"402", Quota, false, status(402)},
		{"429 of an account without credit", Quota, false, func(_ dialect, w http.ResponseWriter, r *http.Request) {
			jsonError(w, 429, fmt.Sprintf(`{"error":{"message":%q,"type":"insufficient_quota","code":"insufficient_quota"}}`, echo(r)))
		}},
		{"400 of an account without credit", Quota, false, func(_ dialect, w http.ResponseWriter, r *http.Request) {
			jsonError(w, 400, fmt.Sprintf(`{"type":"error","error":{"type":"invalid_request_error","message":%q}}`, "Your credit balance is too low to access the API. "+echo(r)))
		}},
		{"500", Server, true, status(500)},
		{"529", Server, true, status(529)},
		{"529 with Retry-After", Server, true, status(529, "Retry-After", "2")},
		{"a page with status 200", NotAModel, false, func(d dialect, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, "<html><title>Sign in "+echo(r)+"</title></html>")
		}},
		{"a page that says it is a stream", NotAModel, false, func(d dialect, w http.ResponseWriter, r *http.Request) {
			d.write(w, "data: <html>"+echo(r)+"</html>\n\n<html>\n\n")
		}},
		{"another content type", NotAModel, false, func(d dialect, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			io.WriteString(w, "Hello "+echo(r))
		}},
		{"a redirect to a login page", NotAModel, false, func(d dialect, w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://login.test/?key="+url.QueryEscape(canary), http.StatusFound)
		}},
	}
}

// broken are connections and streams that do not lead to an answer.
func broken() []fault {
	return []fault{
		{"closes without an answer", Unreachable, true, func(dialect, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
		{"hangs before headers", TimedOut, false, func(d dialect, w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		{"hangs before the first byte", TimedOut, false, func(d dialect, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", d.kind)
			w.WriteHeader(200)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}},
		{"hangs in the middle", TimedOut, false, func(d dialect, w http.ResponseWriter, r *http.Request) {
			d.write(w, d.begin, d.text("Hel"), d.text(echo(r)))
			<-r.Context().Done()
		}},
		{"trickles without end", TimedOut, false, func(d dialect, w http.ResponseWriter, r *http.Request) {
			d.write(w, d.begin)
			for r.Context().Err() == nil {
				d.write(w, d.text("x"))
				Sleep(r.Context(), time.Minute)
			}
		}},
		{"no finish reason", CutOff, false, func(d dialect, w http.ResponseWriter, r *http.Request) {
			d.write(w, d.begin, d.text("Hello"), d.text(echo(r)))
		}},
		{"the connection breaks", CutOff, false, func(d dialect, w http.ResponseWriter, r *http.Request) {
			d.write(w, d.begin, d.text("Hello "+echo(r)))
			panic(http.ErrAbortHandler)
		}},
		{"an empty stream", CutOff, false, func(d dialect, w http.ResponseWriter, r *http.Request) { d.write(w, "\n") }},
		{"garbage first", NotAModel, false, func(d dialect, w http.ResponseWriter, r *http.Request) {
			d.write(w, "data: {{"+echo(r)+"\n\n", d.whole("Hello"))
		}},
		{"garbage after text", CutOff, false, func(d dialect, w http.ResponseWriter, r *http.Request) {
			d.write(w, d.begin, d.text("Hel"), "data: {"+strings.ReplaceAll(echo(r), "\n", " ")+"\n\n", d.finish)
		}},
		{"an error in the stream", Server, false, func(d dialect, w http.ResponseWriter, r *http.Request) {
			d.write(w, d.begin, d.text("Hel"), d.failure("out of memory "+echo(r)), d.finish)
		}},
		{"an error before any text", Server, false, func(d dialect, w http.ResponseWriter, r *http.Request) {
			d.write(w, d.failure("overloaded "+echo(r)))
		}},
		{"a line without end", BadRequest, false, func(d dialect, w http.ResponseWriter, r *http.Request) {
			d.write(w, d.begin, "data: ")
			block := strings.Repeat(canary, 1<<20/len(canary))
			for range 20 {
				if _, err := io.WriteString(w, block); err != nil {
					return
				}
			}
		}},
		{"an answer without end", BadRequest, false, func(d dialect, w http.ResponseWriter, r *http.Request) {
			d.write(w, d.begin)
			block := d.text(strings.Repeat("x", 1<<20))
			for range 20 {
				if _, err := io.WriteString(w, block); err != nil {
					return
				}
			}
		}},
	}
}

// dump returns every text that could be written about the result of a request.
func dump(values ...any) string {
	var b strings.Builder
	for _, v := range values {
		fmt.Fprintf(&b, "%v %+v %#v\n", v, v, v)
		var failed *Error
		if err, ok := v.(error); ok {
			if errors.As(err, &failed) {
				fmt.Fprintf(&b, "%+v %#v\n", *failed, *failed)
			}
			for ; err != nil; err = errors.Unwrap(err) {
				fmt.Fprintf(&b, "%v %+v %#v\n", err, err, err)
			}
		}
	}
	return b.String()
}

func leaks(text string) bool {
	return strings.Contains(text, canary) || strings.Contains(text, url.QueryEscape(canary)) || strings.Contains(text, strings.ReplaceAll(canary, `"`, `\"`))
}

func TestFaultsOfEveryServer(t *testing.T) {
	for _, d := range dialects() {
		for _, f := range faults() {
			t.Run(d.provider+"/"+f.name, func(t *testing.T) {
				sampled.Row(t, 4)
				synctest.Test(t, func(t *testing.T) {
					var asked atomic.Int64
					deps := d.deps(serve(t, func(w http.ResponseWriter, r *http.Request) { asked.Add(1); f.serve(d, w, r) }))
					client, err := d.model().Client(deps)
					fatal.If(t, err)
					var deltas strings.Builder
					answer, err := client.Stream(t.Context(), Request{Messages: []Message{{User, "write f"}}}, func(s string) { deltas.WriteString(s) })
					var failed *Error
					if !errors.As(err, &failed) {
						t.Fatalf("got %.100v, %v: want an *Error", answer, err)
					}
					if failed.Class != f.class || failed.Message == "" || failed.Advice == "" {
						t.Errorf("got %s %q", failed.Class, failed)
					}
					// A request is repeated only if the fault may be temporary, and never after a byte of
					// an answer has arrived.
					want := int64(1)
					if f.again {
						want = 1 + maxRetries
					}
					if got := asked.Load(); got != want {
						t.Errorf("asked %d times, want %d", got, want)
					}
					deps.Once = true
					if once, err := d.model().Client(deps); err != nil {
						t.Fatal(err)
					} else if _, err := once.Stream(t.Context(), Request{}, nil); !errors.As(err, &failed) || failed.Class != f.class {
						t.Errorf("once: got %v", err)
					}
					// Runners of many requests receive the delay that the server asked for.
					if strings.HasPrefix(f.name, "429 with") && (failed.After != 7*time.Second || failed.Status != 429) {
						t.Errorf("once: the status is %d, and it asks to wait %v", failed.Status, failed.After)
					}
					if got := asked.Load() - want; got != 1 {
						t.Errorf("once: asked %d times", got)
					}
					errors.As(err, &failed)
					if failed.Partial != deltas.String() {
						t.Errorf("deltas %.100q, partial %.100q", deltas.String(), failed.Partial)
					}
					if leaks(dump(err, answer, client) + deltas.String()) {
						t.Errorf("the key is shown: %.300s", dump(err))
					}
				})
			})
		}
	}
}

// A stream that ends after any number of bytes, with or without a broken connection, is never a shorter
// answer: it is an error, or, if only the part after the finish reason is missing, the complete answer.
func TestCutAtEveryByte(t *testing.T) {
	for _, d := range dialects() {
		for name, abort := range map[string]bool{"ends": false, "breaks": true} {
			t.Run(d.provider+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					stream := d.whole("Hel", "lo, wörld")
					finished := len(stream) - len(d.after)
					cut := 0
					deps := d.deps(serve(t, func(w http.ResponseWriter, r *http.Request) {
						d.write(w, stream[:cut])
						if abort {
							panic(http.ErrAbortHandler)
						}
					}))
					for ; cut <= len(stream); cut++ {
						if cut < finished-8 && !sampled.OneIn(8, cut) {
							continue
						}
						answer, _, err := ask(t, t.Context(), d.model(), deps)
						switch {
						case err == nil && (answer.Text != "Hello, wörld" || answer.FinishReason != "stop"):
							t.Errorf("cut after %d of %d bytes: got %+v", cut, len(stream), answer)
						case err == nil && cut < finished-2: // the message is whole without the newlines that end it
							t.Errorf("cut after %d of %d bytes, before the finish reason: success", cut, len(stream))
						case err != nil && cut >= finished:
							t.Errorf("cut after %d of %d bytes, after the finish reason: %v", cut, len(stream), err)
						}
						var failed *Error
						if err != nil && (!errors.As(err, &failed) || failed.Class != CutOff) {
							t.Errorf("cut after %d: got %v", cut, err)
						}
					}
				})
			})
		}
	}
}

func TestEveryServerAnswers(t *testing.T) {
	for _, d := range dialects() {
		rows := []struct {
			name string
			send func(w http.ResponseWriter, r *http.Request)
			want string
		}{
			{"at once", func(w http.ResponseWriter, r *http.Request) { d.write(w, d.whole("Hel", "lo")) }, "Hello"},
			{"slowly, byte by byte", func(w http.ResponseWriter, r *http.Request) {
				for _, b := range []byte(d.whole("Hel", "lö")) {
					d.write(w, string([]byte{b}))
					Sleep(r.Context(), 10*time.Millisecond)
				}
			}, "Hellö"},
			{"a slow first byte", func(w http.ResponseWriter, r *http.Request) {
				d.write(w, "\n")
				Sleep(r.Context(), 100*time.Second)
				d.write(w, d.whole("Hello"))
			}, "Hello"},
			{"bytes that are no text", func(w http.ResponseWriter, r *http.Request) {
				d.write(w, strings.Replace(d.whole("a?b"), "?", "\xff\xfe", 1))
			}, "a\uFFFD\uFFFDb"},
			{"a line of two megabytes", func(w http.ResponseWriter, r *http.Request) { d.write(w, d.whole(strings.Repeat("long ", 400_000))) }, strings.Repeat("long ", 400_000)},
			{"the key, cut into pieces", func(w http.ResponseWriter, r *http.Request) {
				pieces := []string{d.begin, d.text("you sent ")}
				for _, b := range canary {
					pieces = append(pieces, d.text(string(b)))
				}
				d.write(w, append(pieces, d.text(" and can"), d.text("ary"), d.finish, d.after)...)
			}, "you sent [key] and canary"},
		}
		for _, row := range rows {
			t.Run(d.provider+"/"+row.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					answer, deltas, err := ask(t, t.Context(), d.model(), d.deps(serve(t, row.send)))
					fatal.If(t, err)
					if answer.Text != row.want || deltas != row.want || !utf8.ValidString(answer.Text) {
						t.Errorf("got %.80q, deltas %.80q", answer.Text, deltas)
					}
					if answer.FinishReason != "stop" || answer.Model != "coder-1-0926" || answer.InputTokens != 7 || answer.OutputTokens != 5 {
						t.Errorf("got %s from %s, %d and %d tokens", answer.FinishReason, answer.Model, answer.InputTokens, answer.OutputTokens)
					}
				})
			})
		}
	}
}

// connect sends a request over a real or a dialled transport with the real clock; nothing here waits.
func connect(t *testing.T, d dialect, base string, transport *http.Transport) *Error {
	t.Helper()
	t.Cleanup(transport.CloseIdleConnections)
	m := d.model()
	m.BaseURL = base
	deps := d.deps(Deps{Transport: transport, Random: func() float64 { return 0 }})
	deps.Sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	_, _, err := ask(t, t.Context(), m, deps)
	var failed *Error
	if !errors.As(err, &failed) {
		t.Fatalf("got %v", err)
	}
	if leaks(dump(err)) {
		t.Errorf("the key is shown: %s", dump(err))
	}
	return failed
}

func TestConnectionsOfEveryServer(t *testing.T) {
	quiet := log.New(io.Discard, "", 0)
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = quiet
	secure.StartTLS()
	defer secure.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	trusting := func() *http.Transport {
		return secure.Client().Transport.(*http.Transport).Clone()
	}
	proxy, _ := url.Parse("http://user:" + url.QueryEscape(canary) + "@proxy.test:1")
	refuse := func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	deny := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusProxyAuthRequired)
	}))
	defer deny.Close()
	denying, _ := url.Parse(strings.Replace(deny.URL, "http://", "http://user:"+url.QueryEscape(canary)+"@", 1))
	wrongName := trusting()
	wrongName.TLSClientConfig.ServerName = "another.test"
	rows := []struct {
		name, base string
		transport  *http.Transport
		message    string
		advice     string
	}{
		{"an unknown authority", secure.URL, &http.Transport{TLSClientConfig: &tls.Config{}}, "signed by nobody whom this machine trusts", "SSL_CERT_FILE"},
		{"a certificate of another name", secure.URL, wrongName, "is not accepted", "base_url"},
		{"no TLS", strings.Replace(plain.URL, "http:", "https:", 1), &http.Transport{}, "does not speak TLS", "http://"},
		{"TLS where none was meant", strings.Replace(secure.URL, "https:", "http:", 1), &http.Transport{}, "400", "https://"},
		{"the proxy refuses the connection", "https://model.test", &http.Transport{Proxy: http.ProxyURL(proxy), DialContext: refuse}, "through the proxy", "HTTPS_PROXY"},
		{"the proxy refuses a plain connection", "http://model.test", &http.Transport{Proxy: http.ProxyURL(proxy), DialContext: refuse}, "through the proxy", "HTTP_PROXY"},
		{"the proxy wants a password", "https://model.test", &http.Transport{Proxy: http.ProxyURL(denying)}, "Proxy Authentication Required", "HTTPS_PROXY"},
		{"refused", "http://model.test", &http.Transport{DialContext: refuse}, "refused the connection", "running"},
	}
	for _, d := range dialects() {
		for _, row := range rows {
			t.Run(d.provider+"/"+row.name, func(t *testing.T) {
				failed := connect(t, d, row.base, row.transport.Clone())
				if !strings.Contains(failed.Message, row.message) || !strings.Contains(failed.Advice, row.advice) {
					t.Errorf("got %s %q, advice %q", failed.Class, failed.Message, failed.Advice)
				}
			})
		}
	}
}
