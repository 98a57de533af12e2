package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"assay/data/fatal"
)

func TestOpenAICompletes(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 64<<10) // 1 MiB
	rows := []struct {
		name    string
		handler http.HandlerFunc
		text    string
		reason  string
		tokens  [2]int
	}{
		{"stream with usage", func(w http.ResponseWriter, _ *http.Request) {
			events(w, chunk("He"), chunk("llo"), finish, usage, done)
		}, "Hello", "stop", [2]int{7, 5}},
		{"no DONE at the end", func(w http.ResponseWriter, _ *http.Request) { events(w, chunk("Hi"), finish) }, "Hi", "stop", [2]int{}},
		{"finish reason with the last text", func(w http.ResponseWriter, _ *http.Request) {
			events(w, `{"choices":[{"delta":{"content":"Hi"},"finish_reason":"length"}]}`, done)
		}, "Hi", "length", [2]int{}},
		{"reasoning is no part of the answer", func(w http.ResponseWriter, _ *http.Request) {
			events(w, `{"choices":[{"delta":{"reasoning_content":"hmm","content":null}}]}`, chunk("Hi"), finish, done)
		}, "Hi", "stop", [2]int{}},
		{"content in parts", func(w http.ResponseWriter, _ *http.Request) {
			events(w, `{"choices":[{"delta":{"content":[{"type":"thinking","text":"no"},{"type":"text","text":"Hi"}]}}]}`, finish)
		}, "Hi", "stop", [2]int{}},
		{"not streamed", func(w http.ResponseWriter, _ *http.Request) {
			jsonError(w, 200, `{"model":"x","choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`)
		}, "Hi", "stop", [2]int{1, 2}},
		{"comments and CRLF", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, ": waiting\r\n\r\nevent: x\r\ndata: "+chunk("Hi")+"\r\n\r\ndata:"+finish+"\r\n\r\n")
		}, "Hi", "stop", [2]int{}},
		{"one line of a megabyte", func(w http.ResponseWriter, _ *http.Request) { events(w, chunk(long), finish, done) }, long, "stop", [2]int{}},
		{"usage never comes and the connection stays open", func(w http.ResponseWriter, r *http.Request) {
			events(w, chunk("Hi"), finish)
			<-r.Context().Done()
		}, "Hi", "stop", [2]int{}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				answer, deltas, err := ask(t, t.Context(), testModel(), serve(t, row.handler))
				fatal.If(t, err)
				if answer.Text != row.text || deltas != row.text || answer.FinishReason != row.reason {
					t.Errorf("got %.80q (%s), deltas %.80q", answer.Text, answer.FinishReason, deltas)
				}
				if got := [2]int{answer.InputTokens, answer.OutputTokens}; got != row.tokens {
					t.Errorf("tokens %v, want %v", got, row.tokens)
				}
			})
		})
	}
}

func TestOpenAIFaults(t *testing.T) {
	hang := func(r *http.Request) { <-r.Context().Done() }
	rows := []struct {
		name    string
		handler http.HandlerFunc
		class   Class
		message string // must be within the error
		partial string
		after   time.Duration // on the made-up clock; -1: not looked at
	}{
		{"hangs before headers", func(_ http.ResponseWriter, r *http.Request) { hang(r) }, TimedOut, "nothing arrived within 2m0s", "", 2 * time.Minute},
		{"hangs within the stream", func(w http.ResponseWriter, r *http.Request) { events(w, chunk("Hel")); hang(r) }, TimedOut, "idle_timeout", "Hel", 2 * time.Minute},
		{"sends comments for ever", func(w http.ResponseWriter, r *http.Request) {
			events(w)
			for r.Context().Err() == nil {
				io.WriteString(w, ": still there\n\n")
				w.(http.Flusher).Flush()
				Sleep(r.Context(), time.Second)
			}
		}, TimedOut, "total_timeout", "", 10 * time.Minute},
		{"a page with status 200", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<html><head><title>Sign in &amp; go</title></head><body>…</body></html>")
		}, NotAModel, "(Sign in & go)", "", 0},
		{"a redirect to a login page", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://login.test/", http.StatusFound)
		}, NotAModel, "302", "", 0},
		{"no content type", func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			io.WriteString(w, "hello")
		}, NotAModel, "no content type", "", 0},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) { events(w, chunk("Hel")) }, CutOff, "without a finish reason", "Hel", 0},
		{"DONE without an answer", func(w http.ResponseWriter, _ *http.Request) { events(w, done) }, CutOff, "without a finish reason", "", 0},
		{"the connection breaks", func(w http.ResponseWriter, _ *http.Request) {
			events(w, chunk("Hel"))
			panic(http.ErrAbortHandler)
		}, CutOff, "broke the connection", "Hel", 0},
		{"cut within a chunk", func(w http.ResponseWriter, _ *http.Request) {
			events(w, chunk("Hel"))
			io.WriteString(w, `data: {"choices":[{"del`)
		}, CutOff, "broke the connection", "Hel", 0},
		{"garbage first", func(w http.ResponseWriter, _ *http.Request) { events(w, "<<<", finish) }, NotAModel, "no message of a model (<<<)", "", 0},
		{"garbage after text", func(w http.ResponseWriter, _ *http.Request) { events(w, chunk("Hel"), "{oops", finish) }, CutOff, "no message of a model", "Hel", 0},
		{"an error within the stream", func(w http.ResponseWriter, _ *http.Request) {
			events(w, chunk("Hel"), `{"error":{"message":"out of memory","code":500}}`)
		}, Server, "(out of memory)", "Hel", 0},
		{"an error with status 200", func(w http.ResponseWriter, _ *http.Request) { jsonError(w, 200, `{"error":"overloaded"}`) }, Server, "(overloaded)", "", 0},
		{"401", func(w http.ResponseWriter, r *http.Request) {
			jsonError(w, 401, `{"error":{"message":"bad key `+r.Header.Get("Authorization")+`"}}`)
		}, Auth, "bad key Bearer [key]", "", 0},
		{"404 of the model", func(w http.ResponseWriter, _ *http.Request) {
			jsonError(w, 404, `{"error":{"message":"no model coder-1"}}`)
		}, BadRequest, "no model coder-1", "", 0},
		{"404 of the page", func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }, NotAModel, "base_url", "", 0},
		{"422 in detail", func(w http.ResponseWriter, _ *http.Request) {
			jsonError(w, 422, `{"detail":[{"loc":["temperature"]}]}`)
		}, BadRequest, "temperature", "", 0},
		{"429 without end", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "20")
			jsonError(w, 429, `{"error":{"message":"slow down"}}`)
		}, RateLimited, "slow down", "", time.Minute},
		{"429 for an hour", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3600")
			jsonError(w, 429, `{}`)
		}, RateLimited, "wait 1h0m0s", "", 0},
		{"503 without end", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }, Server, "503", "", 3500 * time.Millisecond},
		{"terminal escapes in an error", func(w http.ResponseWriter, _ *http.Request) {
			jsonError(w, 400, `{"error":"a\u001b[31mred\nline"}`)
		}, BadRequest, "(a[31mred line)", "", 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				_, deltas, err := ask(t, t.Context(), testModel(), serve(t, row.handler))
				var failed *Error
				if !errors.As(err, &failed) {
					t.Fatalf("got %v, want an *Error", err)
				}
				if failed.Class != row.class || !strings.Contains(failed.Error(), row.message) || failed.Partial != row.partial {
					t.Errorf("got %s %q, partial %q", failed.Class, failed, failed.Partial)
				}
				if deltas != row.partial {
					t.Errorf("deltas %q, partial %q", deltas, row.partial)
				}
				if strings.Contains(fmt.Sprintf("%+v %v", *failed, failed.Err), testKey) {
					t.Error("the key is in the error")
				}
				if failed.Advice == "" {
					t.Error("no advice")
				}
				if took := time.Since(start); took != row.after {
					t.Errorf("took %v, want %v", took, row.after)
				}
			})
		})
	}
}

func TestOpenAIConnections(t *testing.T) {
	rows := []struct {
		name    string
		dial    func(context.Context, string, string) (net.Conn, error)
		class   Class
		message string
		after   time.Duration
	}{
		{"never connects", func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, TimedOut, "no connection within 10s", 10 * time.Second},
		{"refused", func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
		}, Unreachable, "model.test refused the connection", 3500 * time.Millisecond},
		{"no such host", func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.DNSError{Err: "no such host", Name: "model.test", IsNotFound: true}
		}, Unreachable, "no such host", 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				_, _, err := ask(t, t.Context(), testModel(), via(t, row.dial))
				var failed *Error
				if !errors.As(err, &failed) || failed.Class != row.class || !strings.Contains(err.Error(), row.message) {
					t.Errorf("got %v", err)
				}
				if took := time.Since(start); took != row.after {
					t.Errorf("took %v, want %v", took, row.after)
				}
			})
		})
	}
}

// script answers the n-th request with the n-th handler.
func script(t *testing.T, steps ...http.HandlerFunc) (http.HandlerFunc, *[]map[string]any) {
	var bodies []map[string]any
	return func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		bodies = append(bodies, body)
		if len(bodies) > len(steps) {
			t.Errorf("request %d was not expected", len(bodies))
			return
		}
		steps[len(bodies)-1](w, r)
	}, &bodies
}

func TestOpenAIRetries(t *testing.T) {
	ok := func(w http.ResponseWriter, _ *http.Request) { events(w, chunk("Hi"), finish, done) }
	status := func(code int, body string, headers ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			jsonError(w, code, body)
		}
	}
	rows := []struct {
		name  string
		steps []http.HandlerFunc
		after time.Duration
	}{
		{"500, then well", []http.HandlerFunc{status(500, `{}`), ok}, 500 * time.Millisecond},
		{"three failures, then well", []http.HandlerFunc{status(502, ""), status(503, ""), status(504, ""), ok}, 3500 * time.Millisecond},
		{"Retry-After in seconds", []http.HandlerFunc{status(429, `{}`, "Retry-After", "9"), ok}, 9 * time.Second},
		// The fake clock starts at midnight UTC on 2000-01-01.
		{"Retry-After as a date", []http.HandlerFunc{status(503, `{}`, "Retry-After", "Sat, 01 Jan 2000 00:00:30 GMT"), ok}, 30 * time.Second},
		{"Retry-After in the past", []http.HandlerFunc{status(503, `{}`, "Retry-After", "Fri, 31 Dec 1999 00:00:00 GMT"), ok}, 500 * time.Millisecond},
		{"stream_options refused", []http.HandlerFunc{status(400, `{"error":{"message":"unknown field stream_options"}}`), ok}, 0},
		{"max_tokens refused", []http.HandlerFunc{status(400, `{"error":{"message":"use 'max_completion_tokens' instead"}}`), ok}, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				handler, bodies := script(t, row.steps...)
				start := time.Now()
				m := testModel()
				longest := 100
				m.MaxTokens = &longest
				answer, _, err := ask(t, t.Context(), m, serve(t, handler))
				if err != nil || answer.Text != "Hi" {
					t.Fatalf("got %q, %v", answer.Text, err)
				}
				if took := time.Since(start); took != row.after {
					t.Errorf("took %v, want %v", took, row.after)
				}
				if len(*bodies) != len(row.steps) {
					t.Errorf("%d requests, want %d", len(*bodies), len(row.steps))
				}
				last := (*bodies)[len(*bodies)-1]
				_, usage := last["stream_options"]
				_, old := last["max_tokens"]
				if usage == (row.name == "stream_options refused") || old == (row.name == "max_tokens refused") {
					t.Errorf("the last request was %v", last)
				}
			})
		})
	}
}

func TestOpenAINeverRetriesAfterTheFirstByte(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handler, bodies := script(t, func(w http.ResponseWriter, _ *http.Request) {
			events(w, chunk("Hel"))
			panic(http.ErrAbortHandler)
		})
		_, _, err := ask(t, t.Context(), testModel(), serve(t, handler))
		if err == nil || len(*bodies) != 1 {
			t.Errorf("got %v after %d requests", err, len(*bodies))
		}
	})
}

func TestOpenAICancelled(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"within the stream": func(w http.ResponseWriter, r *http.Request) { events(w, chunk("Hel")); <-r.Context().Done() },
		"before headers":    func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"between retries": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "50")
			w.WriteHeader(503)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(7*time.Second, cancel)
				start := time.Now()
				_, _, err := ask(t, ctx, testModel(), serve(t, handler))
				if !errors.Is(err, context.Canceled) || time.Since(start) != 7*time.Second {
					t.Errorf("got %v after %v", err, time.Since(start))
				}
			})
		})
	}
}

func TestOpenAIRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var header http.Header
		var path string
		handler, bodies := script(t, func(w http.ResponseWriter, r *http.Request) {
			header, path = r.Header, r.URL.Path
			events(w, finish)
		})
		m := testModel()
		zero, seed := 0.0, int64(40)
		m.Temperature, m.Seed, m.System, m.Headers = &zero, &seed, "be brief", map[string]string{"X-Project": "p"}
		client, err := m.Client(serve(t, handler))
		fatal.If(t, err)
		req := Request{Messages: []Message{{User, "a"}, {Assistant, "b"}, {User, "c"}}, Sample: 2}
		if _, err := client.Stream(t.Context(), req, nil); err != nil {
			t.Fatal(err)
		}
		got, _ := json.Marshal((*bodies)[0])
		const want = `{"messages":[{"content":"be brief","role":"system"},{"content":"a","role":"user"},{"content":"b","role":"assistant"},{"content":"c","role":"user"}],` +
			`"model":"coder-1","seed":42,"stream":true,"stream_options":{"include_usage":true},"temperature":0}`
		if string(got) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if path != "/v1/chat/completions" || header.Get("Authorization") != "Bearer "+testKey || header.Get("X-Project") != "p" {
			t.Errorf("path %s, header %v", path, header)
		}
	})
}

func TestOpenAIKeys(t *testing.T) {
	refuse := func(w http.ResponseWriter, _ *http.Request) { jsonError(w, 403, `{}`) }
	t.Run("variable not set", func(t *testing.T) {
		m := testModel()
		m.APIKeyEnv = "OTHER_KEY"
		_, _, err := ask(t, t.Context(), m, Deps{Getenv: func(string) string { return "" }})
		var failed *Error
		if !errors.As(err, &failed) || failed.Class != Auth || !strings.Contains(err.Error(), "OTHER_KEY") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("localhost needs none, if none is named", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			m := testModel()
			m.BaseURL, m.APIKeyEnv = "http://127.0.0.1:8080/v1", ""
			deps := serve(t, func(w http.ResponseWriter, r *http.Request) { events(w, chunk(r.Header.Get("Authorization")), finish) })
			if answer, _, err := ask(t, t.Context(), m, deps); err != nil || answer.Text != "" {
				t.Errorf("got %q, %v", answer.Text, err)
			}
		})
	})
	t.Run("the key command is asked again after a refusal only", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ok := func(w http.ResponseWriter, _ *http.Request) { events(w, finish) }
			handler, _ := script(t, ok, ok, refuse, ok)
			m, asked := testModel(), 0
			m.APIKeyEnv, m.APIKeyCmd = "", []string{"keys"}
			deps := serve(t, handler)
			deps.RunKey = func(context.Context, []string) (string, error) {
				asked++
				return "k" + fmt.Sprint(asked) + "-long", nil
			}
			client, _ := m.Client(deps)
			for range 4 {
				client.Stream(t.Context(), Request{}, nil)
			}
			if asked != 2 {
				t.Errorf("asked %d times, want 2", asked)
			}
		})
	})
	t.Run("the key never reaches the answer's text", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			deps := serve(t, func(w http.ResponseWriter, r *http.Request) {
				events(w, chunk("you sent "+r.Header.Get("Authorization")), finish)
			})
			if answer, _, err := ask(t, t.Context(), testModel(), deps); err != nil || strings.Contains(answer.Text, testKey) {
				t.Errorf("got %q, %v", answer.Text, err)
			}
		})
	})
}

func TestBackoffGrowsAndIsSpread(t *testing.T) {
	for try, base := range []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second} {
		low, _ := backoff(try, 0, 0)
		high, _ := backoff(try, 0, 0.999999)
		if low != base*3/4 || high <= base*5/4-time.Millisecond || high >= base*5/4 {
			t.Errorf("try %d: from %v to %v", try, low, high)
		}
	}
}
