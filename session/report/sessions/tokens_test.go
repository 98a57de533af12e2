package sessions

import (
	"os"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/report/reporttest"
)

// TestTokens: what servers counted is summed by model, is in the table of sessions, and a changed sum is found.
func TestTokens(t *testing.T) {
	logs, texts := logsOf(t, reporttest.Study{Tasks: 6, K: 3, Testers: []string{"a", "b", "b"}, Models: []string{"m1", "m2"}, Seed: 1}, 3)
	b := NewBuilder(Options{Texts: texts, NoImages: true})
	want := map[string]session.Account{}
	for n, events := range logs {
		name := ""
		for i, e := range events {
			switch p := e.Payload.(type) {
			case session.Opened:
				name = p.Plan.Model.Name
			case session.AnswerReceived:
				sum := want[name]
				if sum.Answers%4 != 1 { // some servers do not count
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
	}
	dir := t.TempDir()
	_, err = r.WriteDir(dir)
	fatal.If(t, err)
	page, err := os.ReadFile(dir + "/report.md")
	fatal.If(t, err)
	if !strings.Contains(string(page), "Tokens, as servers count them") {
		t.Error("the report has no tokens")
	}
	_, checks, err := CheckFiles(os.DirFS(dir))
	fatal.If(t, err)
	if all := faults(checks); len(all) > 0 {
		t.Errorf("%s", strings.Join(all, "\n"))
	}
	r.Tokens[0].Input++
	if all := strings.Join(faults(r.checkData()), "\n"); !strings.Contains(all, "input_tokens of ") {
		t.Errorf("a changed sum is not found: %s", all)
	}
}
