package generate

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"assay/data/fatal"
	"assay/session/llm"
)

// uncounted takes the counts of tokens out of a server's answers.
type uncounted struct{ *server }

func (u uncounted) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := u.server.RoundTrip(r)
	if err != nil {
		return res, err
	}
	text, err := io.ReadAll(res.Body)
	if at := bytes.Index(text, []byte(`data: {"choices":[],"usage"`)); at >= 0 {
		text = append(text[:at:at], "data: [DONE]\n\n"...)
	}
	res.Body = io.NopCloser(bytes.NewReader(text))
	return res, err
}

func TestABudgetOfAServerThatDoesNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		s.latency = time.Second
		o := options(t, s)
		o.Deps.Transport = uncounted{s}
		most := 40
		o.Plan.Models[0].MaxTokens = &most
		o.Plan.N = 50
		o.Budget = 0.4
		got, err := run(t.Context(), t, o)
		if !errors.Is(err, ErrBudget) || got.Spent > o.Budget || got.Spent < 0.5*o.Budget || !got.Models[0].Guessed {
			t.Errorf("spent %v of %v: %v", got.Spent, o.Budget, err)
		}
		if again, err := run(t.Context(), t, o); !errors.Is(err, ErrBudget) || math.Abs(again.Spent-got.Spent) > 1e-9 {
			t.Errorf("again: spent %v, %v; before %v", again.Spent, err, got.Spent)
		}
	})
}

// The possible cost of failed tries counts for the budget, too.
func TestFailedTriesCountForTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		s.latency = time.Second
		s.text = func(string) string { return strings.Repeat("word ", 200) }
		n := 0
		s.fault = func(int) string {
			if n++; n%5 != 0 {
				return ""
			}
			return "cut"
		}
		o := options(t, s)
		most := 250
		o.Plan.Models[0].MaxTokens = &most
		o.Plan.N = 50
		o.Budget = 3
		got, err := run(t.Context(), t, o)
		// A try in progress when its token limit becomes known may still incur cost.
		if !errors.Is(err, ErrBudget) || got.Spent > 1.05*o.Budget {
			t.Errorf("spent %v of %v: %v", got.Spent, o.Budget, err)
		}
	})
}

// byModel rejects the models listed.
type byModel struct {
	*server
	refuse map[string]string
}

func (b byModel) RoundTrip(r *http.Request) (*http.Response, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var body struct{ Model string }
	if err := json.Unmarshal(text, &body); err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(text))
	if message := b.refuse[body.Model]; message != "" {
		return &http.Response{StatusCode: 403, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
			Body: io.NopCloser(strings.NewReader(`{"error":{"message":"` + message + `"}}`))}, nil
	}
	return b.server.RoundTrip(r)
}

// A key rejected for one model does not stop requests to another model of the same server.
func TestOneModelOfAServerIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		o := options(t, s)
		forbidden, good := model("forbidden"), model("good")
		forbidden.BaseURL, good.BaseURL = "http://same.test/v1", "http://same.test/v1"
		o.Plan.Models = []llm.Model{forbidden, good}
		o.Deps.Transport = byModel{s, map[string]string{"forbidden": "no access"}}
		got, err := run(t.Context(), t, o)
		if err != nil || got.Models[0].Stored != 0 || got.Models[0].Err == nil || got.Models[1].Stored != 24 {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

// A 403 for one prompt concerns only that prompt.
func TestOnePromptIsForbidden(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		o := options(t, s)
		one := 1
		o.Plan.Models[0].MaxConcurrent = &one
		n := 0
		s.fault = func(int) string {
			if n++; n == 5 {
				return "403"
			}
			return ""
		}
		got, err := run(t.Context(), t, o)
		if err != nil || got.Stored != 23 || got.Failed != 1 || got.Models[0].Err != nil {
			t.Errorf("got %+v, %v", got, err)
		}
		s.fault = func(int) string { return "403" }
		o.Extend, o.Plan.N = true, 30
		asked := len(s.asked)
		if got, err = run(t.Context(), t, o); err != nil || got.Models[0].Err == nil || len(s.asked)-asked > 1 {
			t.Errorf("a key that is refused from the start: %d asked, %v", len(s.asked)-asked, err)
		}
	})
}

// A model that is too expensive for the budget does not stop requests to others.
func TestADearModelAndAFreeOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		o := options(t, s)
		dear, price := model("dear"), 20000.0
		dear.PriceOut = &price
		o.Plan.Models = []llm.Model{dear, model("cheap")}
		o.Budget = 5
		got, err := run(t.Context(), t, o)
		if !errors.Is(err, ErrBudget) || got.Models[0].Stored != 0 || got.Models[1].Stored != 24 || !strings.Contains(err.Error(), "a single answer may cost up to") {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

func TestReuseFromOddPlaces(t *testing.T) {
	s := newServer()
	first := options(t, s)
	first.Dir = filepath.Join(t.TempDir(), "run [1]*")
	if _, err := run(t.Context(), t, first); err != nil {
		t.Fatal(err)
	}
	o := options(t, s)
	o.Reuse = []string{first.Dir}
	if got, err := run(t.Context(), t, o); err != nil || got.Taken != 24 || len(s.answered) != 24 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestWhatAKilledProcessLeft(t *testing.T) {
	o := options(t, newServer())
	fatal.If(t, os.MkdirAll(o.Dir, 0o755))
	left := filepath.Join(o.Dir, "."+manifestName+"123")
	fatal.If(t, os.WriteFile(left, []byte("half"), 0o644))
	if got, err := run(t.Context(), t, o); err != nil || !got.Complete() {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

// A budget below 1 is valid, too: failed tries that used up the reservation are not repeated.
func TestTriesWithinASmallBudget(t *testing.T) {
	a := &Account{budget: 0.5}
	a.freed = sync.NewCond(&a.mu)
	fatal.If(t, errors.Join(a.Reserve(t.Context(), 0.3), a.again()))
	a.Charge(0.25)
	if err := a.again(); !errors.Is(err, ErrBudget) {
		t.Errorf("0.55 of 0.50 would be spent: %v", err)
	}
	if free := (&Account{spent: 9}); free.again() != nil {
		t.Error("without a budget a try is refused")
	}
}

func TestDirectoryThatCannotBeMade(t *testing.T) {
	o := options(t, newServer())
	fatal.If(t, os.WriteFile(o.Dir, nil, 0o644))
	if r, err := Open(o); err == nil || !strings.Contains(err.Error(), "making the directory of the run") {
		t.Errorf("%v, %v", r, err)
	}
}

func TestTheManifestHasNoSecret(t *testing.T) {
	o := options(t, newServer())
	o.Plan.Models[0].BaseURL = "http://m.test/v1?key=canary-in-query"
	if _, err := run(t.Context(), t, o); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(o.Dir, manifestName))
	if err != nil || bytes.Contains(text, []byte("canary")) || !bytes.Contains(text, []byte("http://m.test/v1")) {
		t.Errorf("%s, %v", text, err)
	}
}

func TestTooManySamples(t *testing.T) {
	for _, n := range []int{math.MaxInt, 99_999_999_999} {
		o := options(t, newServer())
		o.Plan.N, o.Dry, o.Dir = n, true, ""
		if _, err := Open(o); err == nil || !strings.Contains(err.Error(), "too many for one run") {
			t.Errorf("%d: %v", n, err)
		}
	}
}

// A field that a server rejects is dropped after the first rejection, not rejected for every answer.
func TestARefusedFieldIsLearned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		one := 1
		refused := 0
		o := options(t, s)
		o.Plan.Models[0].MaxConcurrent = &one
		o.Deps.Transport = transport(func(r *http.Request) (*http.Response, error) {
			text, err := io.ReadAll(r.Body)
			if err != nil {
				return nil, err
			}
			if bytes.Contains(text, []byte("stream_options")) {
				refused++
				return &http.Response{StatusCode: 400, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
					Body: io.NopCloser(strings.NewReader(`{"error":{"message":"unknown field stream_options"}}`))}, nil
			}
			r.Body = io.NopCloser(bytes.NewReader(text))
			return s.RoundTrip(r)
		})
		if got, err := run(t.Context(), t, o); err != nil || !got.Complete() || refused != 1 {
			t.Errorf("%d requests were refused: %+v, %v", refused, got, err)
		}
	})
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// If another program removes the answers while they are written, they are not reported as stored, and the
// run ends at once.
func TestALostJournal(t *testing.T) {
	for want, harm := range map[string]func(string) error{
		"was deleted": os.Remove,
		"was cut off": func(path string) error { return os.Truncate(path, 10) },
	} {
		s := newServer()
		o := options(t, s)
		one := 1
		o.Plan.Prompts, o.Plan.Models[0].MaxConcurrent = wordings("level-1"), &one
		s.fault = func(n int) string {
			if n == 5 {
				if err := harm(answersPath(o.Dir, "m", "level-1")); err != nil {
					t.Error(err)
				}
			}
			return ""
		}
		r, err := Open(o)
		fatal.If(t, err)
		if err := errors.Join(r.Generate(t.Context()), r.Close()); err == nil || !strings.Contains(err.Error(), want+" by another program") {
			t.Errorf("%s: %v", want, err)
		}
		if s.fault = nil; len(s.asked) == 12 {
			t.Errorf("%s: all was asked for", want)
		}
		if _, err := run(t.Context(), t, o); err != nil || len(stored(t, o.Dir)) != 12 {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// An agent's answer costs what the agent reports, where that is in the currency of the model.
func TestReportedCost(t *testing.T) {
	price := 1.0
	m := llm.Model{PriceIn: &price, PriceOut: &price, Currency: "USD"}
	answer := Answer{InputTokens: 1_000_000, OutputTokens: 1_000_000, CostUSD: 0.25}
	if got := CostOf(m, "", answer); got != 0.25 {
		t.Errorf("in US dollars: %v", got)
	}
	if m.Currency = "EUR"; CostOf(m, "", answer) != 2 {
		t.Errorf("in euros: %v", CostOf(m, "", answer))
	}
	var u usage
	m.Currency = "USD"
	u.add(m, answer, "")
	cached := 0.5
	m.PriceCached = &cached
	u.add(m, Answer{InputTokens: 1_000_000, CachedTokens: 400_000}, "")
	if u.cost != 0.25+0.8 {
		t.Errorf("the account of a model has %v", u.cost)
	}
}
