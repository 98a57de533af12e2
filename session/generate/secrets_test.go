package generate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"assay/session/llm"
)

const secret = "canary-0a1b2c3d4e5f-key"

// telltale answers every request with the key, at the place defined for the n-th answer.
type telltale struct {
	provider string
	asked    atomic.Int64
}

func (s *telltale) RoundTrip(r *http.Request) (*http.Response, error) {
	n := s.asked.Add(1)
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.Header.Get("X-Api-Key")
	quoted, _ := json.Marshal("The key is " + key + ".")
	respond := func(status int, kind, text string) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {kind}, "X-Request-Id": {key}}, Body: io.NopCloser(strings.NewReader(text)), Request: r}, nil
	}
	switch n % 9 {
	case 0:
		return respond(401, "application/json", fmt.Sprintf(`{"error":{"message":%s}}`, quoted))
	case 1:
		return respond(500, "application/json", fmt.Sprintf(`{"error":{"message":%s}}`, quoted))
	case 2:
		return respond(429, "text/plain", key)
	case 3:
		return respond(200, "text/html", "<title>"+key+"</title>")
	case 4:
		return nil, fmt.Errorf("dial %s: no route", key)
	case 5:
		return respond(400, "application/json", fmt.Sprintf(`{"error":%s}`, quoted))
	}
	switch s.provider {
	case llm.ProviderAnthropic:
		return respond(200, "application/json", fmt.Sprintf(`{"type":"message","model":%q,"content":[{"type":"text","text":%s}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`, key, quoted))
	case llm.ProviderOllama:
		return respond(200, "application/x-ndjson", fmt.Sprintf(`{"model":%q,"message":{"content":%s},"done":true,"done_reason":"stop"}`, key, quoted)+"\n")
	}
	half := fmt.Sprintf("data: {\"model\":%q,\"system_fingerprint\":%q,\"choices\":[{\"delta\":{\"content\":%s}}]}\n\n", key, key, quoted)
	if n%9 == 6 {
		return respond(200, "text/event-stream", half)
	}
	return respond(200, "text/event-stream", half+"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
}

// Whatever a server does with the key, no file of a run and no error contains it.
func TestNoFileHasTheKey(t *testing.T) {
	for _, provider := range []string{llm.ProviderOpenAI, llm.ProviderAnthropic, llm.ProviderOllama} {
		synctest.Test(t, func(t *testing.T) {
			s := &telltale{provider: provider}
			o := options(t, nil)
			most := 50
			o.Plan.Models = []llm.Model{{Name: "m", Provider: provider, BaseURL: "http://m.test", Model: "m", APIKeyEnv: "KEY", MaxTokens: &most}}
			o.Deps = llm.Deps{Transport: s, Getenv: func(name string) string {
				if name == "KEY" {
					return secret
				}
				return ""
			}}
			for range 12 { // a refused key ends each run
				got, err := run(t.Context(), t, o)
				if text := fmt.Sprintf("%+v %v %#v", got, err, got); strings.Contains(text, secret) {
					t.Errorf("%s: the summary has the key: %s", provider, text)
				}
			}
			files := 0
			err := filepath.WalkDir(o.Dir, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				text, err := os.ReadFile(path)
				if bytes.Contains(text, []byte(secret)) {
					t.Errorf("%s: %s has the key", provider, path)
				}
				files++
				return err
			})
			if err != nil || files < 6 || s.asked.Load() < 20 {
				t.Errorf("%s: looked at %d files after %d requests: %v", provider, files, s.asked.Load(), err)
			}
		})
	}
}
