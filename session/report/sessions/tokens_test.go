package sessions

import (
	"math"
	"os"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/report/reporttest"
)

// TestTokens: what servers counted is summed by model, with its cost where prices are known, is in the table of sessions,
// and a changed sum is found.
func TestTokens(t *testing.T) { testTokens(t, nil) }

func TestTokensWithPrices(t *testing.T) {
	testTokens(t, map[string]session.Price{"m1": {In: 2.5, Cached: 1.25, Out: 10, Currency: "USD", At: "2026-03-01"}, "m2": {In: 0.075, Cached: 0.075, Out: 0.3, Currency: "EUR"}})
}

func TestTokensWithSomePrices(t *testing.T) {
	testTokens(t, map[string]session.Price{"m2": {In: 3, Cached: 0.3, Out: 15, Currency: "USD"}})
}

func testTokens(t *testing.T, prices map[string]session.Price) {
	logs, texts := logsOf(t, reporttest.Study{Tasks: 6, K: 3, Testers: []string{"a", "b", "b"}, Models: []string{"m1", "m2"}, Seed: 1}, 3)
	b := NewBuilder(Options{Texts: texts, NoImages: true, Price: func(s *session.State) *session.Price {
		if p, has := prices[s.Plan.Model.Name]; has {
			return &p
		}
		return nil
	}})
	want := map[string]session.Account{}
	for n, events := range logs {
		name := ""
		for i, e := range events {
			switch p := e.Payload.(type) {
			case session.Opened:
				name = p.Plan.Model.Name
			case session.AnswerReceived:
				sum := want[name]
				if n < 2 && sum.Answers%4 != 1 { // some servers do not count, and the third session's counts nothing
					p.InputTokens, p.CachedTokens, p.OutputTokens, p.Reasoning = 100+i, 10*n, 20+i, n
					sum.Add(session.Account{Answers: 1, Input: int64(100 + i), Cached: int64(10 * n), Output: int64(20 + i), Reasoning: int64(n)})
				} else {
					sum.Add(session.Account{Answers: 1, Uncounted: 1})
				}
				want[name], events[i].Payload = sum, p
			}
		}
		fatal.If(t, b.Add(events))
	}
	r, err := b.Report()
	fatal.If(t, err)
	if len(r.Tokens) != len(want) {
		t.Fatalf("%+v, want %+v", r.Tokens, want)
	}
	for _, m := range r.Tokens {
		if m.Account != want[m.Model] || m.Uncounted == 0 {
			t.Errorf("%+v, want %+v", m, want[m.Model])
		}
		p, priced := prices[m.Model]
		a := want[m.Model]
		cost := (float64(a.Input-a.Cached)*p.In + float64(a.Cached)*p.Cached + float64(a.Output)*p.Out) / 1e6
		if priced != (m.Cost != nil) || priced && (m.Cost.Price != p || math.Abs(m.Cost.Amount-cost) > 1e-12) {
			t.Errorf("%s costs %+v, want %v", m.Model, m.Cost, cost)
		}
	}
	dir := t.TempDir()
	_, err = r.WriteDir(dir)
	fatal.If(t, err)
	page, err := os.ReadFile(dir + "/report.md")
	fatal.If(t, err)
	if has := strings.Contains(string(page), "Prices of a million tokens"); !strings.Contains(string(page), "Tokens, as servers count them") || has != (len(prices) > 0) {
		t.Errorf("the report has no tokens, or prices: %v", has)
	}
	_, checks, err := CheckFiles(os.DirFS(dir))
	fatal.If(t, err)
	if all := faults(checks); len(all) > 0 {
		t.Errorf("%s", strings.Join(all, "\n"))
	}
	if len(prices) == 2 {
		r.Tokens[0].Cost.Amount += 0.001
		if all := strings.Join(faults(r.checkData()), "\n"); !strings.Contains(all, "cost of m1") {
			t.Errorf("a changed cost is not found: %s", all)
		}
	}
	r.Tokens[0].Input++
	if all := strings.Join(faults(r.checkData()), "\n"); !strings.Contains(all, "input_tokens of ") {
		t.Errorf("a changed sum is not found: %s", all)
	}
}
