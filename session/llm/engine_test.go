package llm

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"assay/data/fatal"
)

// TestAgainstAnEngine uses the first model of a real inference engine with OpenAI's protocol.
// ASSAY_TEST_ENGINE is its address; testdata/tinyllama has one with an untrained model. The content of
// answers is not checked.
func TestAgainstAnEngine(t *testing.T) {
	m := engineModel(t)
	client := func(m Model) Client {
		t.Helper()
		c, err := m.Client(Deps{})
		fatal.If(t, err)
		return c
	}
	ask := func(m Model, sample int) (Answer, int) {
		t.Helper()
		pieces := 0
		var streamed strings.Builder
		a, err := client(m).Stream(t.Context(), Request{Messages: []Message{{User, "Write f(x)."}}, Sample: sample}, func(text string) {
			pieces++
			streamed.WriteString(text)
		})
		fatal.If(t, err)
		if streamed.String() != a.Text {
			t.Errorf("%q was streamed, and the answer is %q", streamed.String(), a.Text)
		}
		return a, pieces
	}

	if got := m.Check(t.Context(), Deps{}, ""); !got.OK || got.FirstText <= 0 || got.Answer.OutputTokens == 0 {
		t.Errorf("the check says %+v", got)
	}

	first, pieces := ask(m, 0)
	if pieces < 2 || first.InputTokens == 0 || first.OutputTokens == 0 || first.Model == "" || len(first.GaveUp) > 0 {
		t.Errorf("in %d pieces: %+v", pieces, first)
	}
	t.Logf("%d pieces, %d and %d tokens, %q, %s: %q", pieces, first.InputTokens, first.OutputTokens, first.Fingerprint, first.FinishReason, first.Text)
	if again, _ := ask(m, 0); again.Text != first.Text {
		t.Errorf("the same seed brings %q and %q", first.Text, again.Text)
	}
	if other, _ := ask(m, 1); other.Text == first.Text {
		t.Errorf("two seeds bring the same: %q", other.Text)
	}

	short := m
	most := 5
	short.MaxTokens = &most
	if a, _ := ask(short, 0); a.FinishReason != "length" || a.OutputTokens != most || !strings.HasPrefix(first.Text, a.Text) {
		t.Errorf("with max_tokens 5: %+v", a)
	}
	if word := middleWord(first.Text); word != "" {
		stopped := m
		stopped.Stop = []string{word}
		if a, _ := ask(stopped, 0); a.FinishReason != "stop" || strings.Contains(a.Text, word) || !strings.HasPrefix(first.Text, a.Text) {
			t.Errorf("with stop %q: %+v", word, a)
		}
	}

	missing := m
	missing.Model = "no-such-model"
	if _, err := client(missing).Stream(t.Context(), Request{Messages: []Message{{User, "hello"}}}, nil); err == nil || !strings.Contains(err.Error(), "no-such-model") {
		t.Errorf("got %v, want that there is no such model", err)
	}
}

// engineModel is the first model of the engine; without one the test skips.
func engineModel(t *testing.T) Model {
	t.Helper()
	base := strings.TrimRight(os.Getenv("ASSAY_TEST_ENGINE"), "/")
	if base == "" {
		t.Skip("ASSAY_TEST_ENGINE names no engine")
	}
	if u, err := url.Parse(base); err != nil || u.Host == "" {
		t.Fatalf("ASSAY_TEST_ENGINE is %q: it must be an address such as http://127.0.0.1:4020/v1", base)
	}
	res, err := http.Get(base + "/models")
	fatal.If(t, err)
	defer res.Body.Close()
	var list struct{ Data []struct{ ID string } }
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil || len(list.Data) == 0 {
		t.Fatalf("%s/models lists no model: %v", base, err)
	}
	temperature, most, seed := 0.8, 200, int64(7)
	return Model{Name: "engine", Provider: ProviderOpenAI, BaseURL: base, Model: list.Data[0].ID, Temperature: &temperature, MaxTokens: &most, Seed: &seed}
}

// middleWord is a word of a text other than the first.
func middleWord(text string) string {
	words := strings.Fields(text)
	if len(words) < 6 {
		return ""
	}
	return words[len(words)/2]
}
