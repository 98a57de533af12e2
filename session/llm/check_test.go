package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// picky refuses requests that have one of the named fields, as hosted models do.
func picky(d dialect, refused ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		_ = json.NewDecoder(r.Body).Decode(&body)
		for _, name := range refused {
			if _, sent := body[name]; sent {
				jsonError(w, 400, fmt.Sprintf(`{"error":{"message":"Unsupported parameter: '%s'"}}`, name))
				return
			}
		}
		Sleep(r.Context(), 2*time.Second)
		d.write(w, d.begin)
		Sleep(r.Context(), time.Second)
		d.write(w, d.text("ready"), d.finish, d.after)
	}
}

func TestCheck(t *testing.T) {
	d := dialects()[0]
	answer := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { d.write(w, text) }
	}
	rows := []struct {
		name    string
		handler http.HandlerFunc
		change  func(*Model)
		ok      bool
		drop    string
		notes   []string
		times   [3]time.Duration
	}{
		{"all is well", picky(d), nil, true, "", nil, [3]time.Duration{2 * time.Second, 3 * time.Second, 3 * time.Second}},
		{"temperature is refused", picky(d, "temperature"), nil, false, "temperature", []string{`add drop = ["temperature"]`}, [3]time.Duration{}},
		{"one after the other", picky(d, "top_k", "min_p"), func(m *Model) { m.Drop = []string{"seed"} }, false, "top_k min_p", []string{`add drop = ["seed", "top_k", "min_p"]`}, [3]time.Duration{}},
		{"stream_options is refused", picky(d, "stream_options"), nil, true, "", []string{`refuses stream_options`, `drop = ["stream_options"]`}, [3]time.Duration{}},
		{"no usage", answer(d.begin + d.text("ready") + d.finish), nil, true, "", []string{"no token counts"}, [3]time.Duration{}},
		{"no fingerprint", answer(d.text("ready") + d.finish + d.after), nil, true, "", []string{"seed"}, [3]time.Duration{}},
		{"no fingerprint where there is no seed", answer(d.text("ready") + d.finish + d.after), func(m *Model) { m.Seed = nil }, true, "", nil, [3]time.Duration{}},
		{"not streamed", func(w http.ResponseWriter, _ *http.Request) {
			jsonError(w, 200, `{"system_fingerprint":"f","choices":[{"message":{"content":"ready"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`)
		}, nil, true, "", []string{"does not stream"}, [3]time.Duration{}},
		{"max_tokens ignored", picky(d), func(m *Model) { one := 1; m.MaxTokens = &one }, true, "", []string{"ignores max_tokens: 5 tokens came, 1 were allowed"}, [3]time.Duration{}},
		{"another model", picky(d), func(m *Model) { m.Model = "gpt-x" }, true, "", []string{"asked for the model gpt-x and reports coder-1-0926"}, [3]time.Duration{}},
		{"cut short", answer(d.begin + d.text("re") + strings.Replace(d.finish, `"stop"`, `"length"`, 1) + d.after), nil, true, "", []string{"cut at its longest"}, [3]time.Duration{}},
		{"refused", answer(d.begin + strings.Replace(d.finish, `"stop"`, `"content_filter"`, 1) + d.after), nil, true, "", []string{"refused a harmless request", "empty"}, [3]time.Duration{}},
		{"another refusal", func(w http.ResponseWriter, _ *http.Request) { jsonError(w, 400, `{"error":"no"}`) }, nil, false, "", nil, [3]time.Duration{}},
		{"refused for a field that is not sent without end", func(w http.ResponseWriter, _ *http.Request) {
			jsonError(w, 400, `{"error":"temperature, seed"}`)
		}, nil, false, "", nil, [3]time.Duration{}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := everything(ProviderOpenAI)
				if row.change != nil {
					row.change(&m)
				}
				got := m.Check(t.Context(), d.deps(serve(t, row.handler)), "task")
				if got.OK != row.ok || got.OK != (got.Err == nil) || strings.Join(got.Drop, " ") != row.drop {
					t.Errorf("got %+v", got)
				}
				notes := strings.Join(got.Notes, "\n")
				if (len(row.notes) == 0) != (notes == "") {
					t.Errorf("notes %q", notes)
				}
				for _, want := range row.notes {
					if !strings.Contains(notes, want) {
						t.Errorf("%q is not in %q", want, notes)
					}
				}
				if times := [3]time.Duration{got.FirstByte, got.FirstText, got.Total}; row.times[0] > 0 && times != row.times {
					t.Errorf("times %v", times)
				}
				if leaks(dump(got)) {
					t.Error("the key is shown")
				}
			})
		})
	}
}

// Labels sent by a server are recorded and shown without control characters.
func TestLabelsAreClean(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := dialects()[0]
		deps := d.deps(serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", d.kind)
			quoted, _ := json.Marshal("m\x1b[31m " + canary)
			fmt.Fprintf(w, "data: {\"model\":%s,\"system_fingerprint\":%s,\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":%s}]}\n\n", quoted, quoted, quoted)
			io.WriteString(w, "data: [DONE]\n\n")
		}))
		answer, _, err := ask(t, t.Context(), d.model(), deps)
		if err != nil || leaks(dump(answer)) || strings.Contains(answer.Model+answer.FinishReason+answer.Fingerprint, "\x1b") {
			t.Errorf("got %+v, %v", answer, err)
		}
	})
}

// The client keeps what a key command printed; no dump of the client shows it.
func TestAKeptKeyIsNotShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := dialects()[1]
		deps := d.deps(serve(t, func(w http.ResponseWriter, r *http.Request) { d.write(w, d.whole("ok")) }))
		asked := 0
		deps.RunKey = func(context.Context, []string) (string, error) {
			asked++
			return canary, nil
		}
		m := d.model()
		m.APIKeyEnv, m.APIKeyCmd = "", []string{"keys"}
		client, _ := m.Client(deps)
		for range 2 {
			if _, err := client.Stream(t.Context(), Request{}, nil); err != nil {
				t.Fatal(err)
			}
		}
		if leaks(dump(client)) || asked != 1 {
			t.Errorf("asked %d times: %+v", asked, client)
		}
	})
}
