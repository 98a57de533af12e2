package generate

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"

	"assay/data/fatal"
	"assay/session/llm"
	"assay/session/llm/endpoint"
	"assay/session/llm/llmtest"
)

// TestQuirks: of every row of the table of quirks, a batch's files have the answer with all that belongs to it, or the
// failure, and the server was asked as often as that may help.
func TestQuirks(t *testing.T) {
	for _, q := range llmtest.Quirks() {
		t.Run(q.Name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server, hot, most := q.Server(), 0.2, 100
				m := llm.Model{Name: "m", Provider: q.Provider, BaseURL: q.Base(), Model: "coder", Temperature: &hot, System: "be brief", MaxTokens: &most}
				o := Options{Plan: Plan{Benchmark: benchmarkOf(1), Models: []llm.Model{m}, Prompts: wordings("level-1"), N: 1},
					Dir: filepath.Join(t.TempDir(), "run"), Deps: llm.Deps{Transport: server, Getenv: func(string) string { return "" }}}
				s, err := run(t.Context(), t, o)
				asked := len(server.Asked())
				if q.Class != "" {
					checkFailure(t, q, o.Dir, asked)
					if s.Complete() {
						t.Error("the run is complete")
					}
					return
				}
				fatal.If(t, err)
				if asked != len(q.Before)+1 {
					t.Errorf("asked %d times", asked)
				}
				checkStored(t, q, o.Dir)
				if a := s.Models[0]; !a.Guessed && (a.InputTokens != int64(q.In) || a.OutputTokens != int64(q.Out)) || a.Cached != int64(q.Cached) || a.Reasoning != int64(q.Reasoning) || a.Guessed != (q.In+q.Out == 0) {
					t.Errorf("the account is %+v", a)
				}
			})
		})
	}
}

// checkStored compares a run's only answer with the row.
func checkStored(t *testing.T, q llmtest.Quirk, dir string) {
	t.Helper()
	var got []Answer
	fatal.If(t, Each(dir, "m", "level-1", func(a Answer) error { got = append(got, a); return nil }))
	if len(got) != 1 {
		t.Fatalf("%d answers", len(got))
	}
	a, tries := got[0], 0
	if len(q.Before) > 0 && q.GaveUp == "" { // a request without what the server rejects is no second try
		tries = len(q.Before) + 1
	}
	var names []string
	for _, f := range a.Flags {
		names = append(names, string(f))
	}
	if a.Text != q.Text || a.Thinking != q.Thinking || a.FinishReason != q.Finish || a.InputTokens != q.In || a.OutputTokens != q.Out || a.CachedTokens != q.Cached || a.ReasoningTokens != q.Reasoning ||
		a.Tries != tries || strings.Join(a.GaveUp, " ") != q.GaveUp {
		t.Errorf("stored %+v, want %+v", a, q)
	}
	if odd := strings.Join(a.Odd, "; "); !reflect.DeepEqual(names, q.Flags()) || !strings.Contains(odd, q.Odd) || (odd == "") != (q.Odd == "") {
		t.Errorf("flags %v, odd %q; want %v, %q", names, odd, q.Flags(), q.Odd)
	}
}

// checkFailure compares a run's failures with the row: all of them are of one kind.
func checkFailure(t *testing.T, q llmtest.Quirk, dir string, asked int) {
	t.Helper()
	want := endpoint.MaxTries
	if q.Final {
		want = 1
	}
	if asked != want {
		t.Errorf("asked %d times, want %d", asked, want)
	}
	f, err := os.Open(filepath.Join(dir, failuresName))
	fatal.If(t, err)
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var line Failure
		fatal.If(t, json.Unmarshal(lines.Bytes(), &line))
		if string(line.Class) != q.Class || !strings.Contains(line.Message, q.Odd) || !strings.Contains(line.Message, q.Advice) {
			t.Errorf("recorded %+v, want %s, %s, %s", line, q.Class, q.Odd, q.Advice)
		}
	}
	if n < want {
		t.Errorf("%d failures are recorded of %d requests", n, want)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, answersName, "*", "*")); len(files) > 0 {
		t.Errorf("there are answers: %v", files)
	}
}
