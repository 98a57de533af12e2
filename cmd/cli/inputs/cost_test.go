package inputs

import (
	"os"
	"path/filepath"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/llm"
)

// TestPrices: tokens of a session cost what the models file says, unless the model there is another one or is hidden.
func TestPrices(t *testing.T) {
	path := filepath.Join(t.TempDir(), "models.toml")
	fatal.If(t, os.WriteFile(path, []byte("[[model]]\nname = \"m\"\nprovider = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"x\"\nprice_in = 2\nprice_out = 10\nprice_cached = 1\ncurrency = \"EUR\"\npriced_at = \"2026-03-01\"\n"), 0o600))
	models, err := llm.LoadModels(path)
	fatal.If(t, err)
	m, err := models.Get("m")
	fatal.If(t, err)
	a := session.Account{Answers: 3, Uncounted: 1, Input: 1_000_000, Cached: 400_000, Output: 200_000, Reasoning: 5}
	s := session.New()
	s.Plan.Model = session.Model{Name: "m", Definition: m.Definition()}
	p := PriceOf(s.Plan, s.Plan.Model, models)
	if want := (session.Price{In: 2, Cached: 1, Out: 10, Currency: "EUR", At: "2026-03-01"}); p == nil || *p != want || p.Of(a).Amount != 0.6*2+0.4+2 {
		t.Errorf("%+v", p)
	}
	if got := a.Used(""); got != "1000000 tokens read (400000 from the cache), 200000 written (5 of thinking); the server did not count 1 answer" {
		t.Error(got)
	}
	s.Plan.Study = &session.InStudy{Shown: "Model A"}
	if p := PriceOf(s.Plan, s.Plan.Model, models); p != nil {
		t.Errorf("the price tells which model it is: %+v", p)
	}
	s.Plan.Study = nil
	s.Plan.Arena = &session.Arena{Models: [2]session.Model{s.Plan.Model, s.Plan.Model}}
	if c := CostOf(s.Plan, []session.Account{a, a}, models); c == nil || c.Amount != 2*(0.6*2+0.4+2) || c.Currency != "EUR" || c.At != "2026-03-01" {
		t.Errorf("of two models %+v", c)
	}
	s.Plan.Arena, s.Plan.Model.Definition = nil, "another"
	if p := PriceOf(s.Plan, s.Plan.Model, models); p != nil {
		t.Errorf("prices of other settings: %+v", p)
	}
}
