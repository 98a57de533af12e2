package serve

import (
	"path/filepath"
	"strings"
	"testing"

	"assay/cmd/cli/console"
	"assay/data/fatal"
	"assay/session/estimate"
)

// Two people estimate over SSH in one file, and have its two places. A connection breaks while one of them types, and the
// server is stopped and started: each comes back to where they were, and nothing is lost.
func TestEstimatorsOverSSH(t *testing.T) {
	p := newRatedPlace(t)
	file := filepath.Join(p.dir, "round1.jsonl")
	verbs.Must(t, p.store, "difficulty", "round", file, "--tasks", "starter", "--sample", "3", "--estimators", "2")
	p.serves("--estimates", file)
	if !strings.Contains(p.said, "3 tasks of starter, for 2 estimates of each; 0 have begun; 'assay difficulty status "+file+"' shows more") {
		t.Errorf("it says %q", p.said)
	}
	begin := func(name string) *visitor {
		return p.comes(name).sees("You estimate here as "+name, "Estimates: 0 of 3 tasks estimated: e begins.").press("e").sees("example 1 of 2").press("e").sees("1 of 3")
	}
	ann, bob := begin("ann"), begin("bob")
	p.comes("cleo").sees("– Estimates: 0 of 3 tasks estimated: all 2 places of this round are taken").press("e", "q")
	fill := func(v *visitor, kept string) {
		t.Helper()
		v.press("\r").sees("4 to go").press("sums up numbers", "\r").sees("3 to go").press("2").sees("2 to go").press("1").sees("1 to go").press("\r", "a loop and nothing to look up", "\x13").sees(kept)
	}
	fill(ann, "1 of 3 kept")
	fill(bob, "1 of 3 kept")
	ann.press("\r").sees("4 to go").press("moves the sna").sees("moves the sna")
	p.until("ann's draft on disk", func() bool { return strings.Contains(string(fatal.Read(t, file)), "moves the sna") })
	ann.Cut()
	ann = p.comes("ann").sees("Estimates: 1 of 3 tasks estimated: e goes on.").press("e").sees("2 of 3", "moves the sna", "3 to go")
	ann.press("\x1b").sees("Estimates: 1 of 3")
	if _, errs, code := verbs.On(t, p.store, "difficulty", "refuse", file, "--estimator", "ann", "--reason", "x"); code != console.ExitInUse {
		t.Errorf("while it is served it is changed: %d, %s", code, errs)
	}
	p.stop()
	bob.ends()
	p.serves("--estimates", file)
	bob = p.comes("bob").sees("Estimates: 1 of 3 tasks estimated: e goes on.").press("e").sees("2 of 3", "1 of 3 kept")
	fill(bob, "2 of 3 kept")
	fill(bob, "3 of 3 kept")
	bob.press("h").sees("Hand in 3 of 3").press("y").sees("✓ handed in", "Your estimates can no longer be changed.").press("q").sees("✓ Estimates: 3 of 3 tasks estimated: you have handed in. Thank you.")
	eve := p.comes("eve").sees("How estimators get on", "4 of 6 estimates", "bob                handed in   3 of 3", "ann                begun       1 of 3")
	if strings.Contains(eve.Screen(), "loop") {
		t.Errorf("the owner sees\n%s", eve.Screen())
	}
	p.stop()
	r, err := estimate.Open(file)
	fatal.If(t, err)
	if len(r.Given("bob")) != 3 || !r.Submitted("bob") || len(r.Given("ann")) != 1 || r.For("ann")[1].Form.Summary != "moves the sna" || len(r.Estimators()) != 2 {
		t.Errorf("%+v", r.Estimators())
	}
}
