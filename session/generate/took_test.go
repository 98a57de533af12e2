package generate

import (
	"path/filepath"
	"testing"
	"testing/synctest"

	"assay/data/fatal"
	"assay/session"
)

// TestTookOf: results of a run bring what their answers took, and the prices that the run was begun with.
func TestTookOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(t, newServer())
		o.Plan.Models[0].Currency = "EUR"
		if _, err := run(t.Context(), t, o); err != nil {
			t.Fatal(err)
		}
		took, err := TookOf(filepath.Join(o.Dir, ResultsName, "m", "level-2"), func(task string) bool { return task != "t/1" })
		fatal.If(t, err)
		account, price := session.Account{Answers: 9, Input: 90, Output: 180}, session.Price{In: 100, Cached: 100, Out: 200, Currency: "EUR"}
		if took == nil || took.Account != account || took.Price == nil || *took.Price != price || took.Model != "m" || took.Definition != o.Plan.Models[0].Definition() {
			t.Errorf("%+v, want %+v, %+v", took, account, price)
		}
		for _, other := range []string{filepath.Join(o.Dir, ResultsName, "m", "level-9"), t.TempDir()} {
			if took, err := TookOf(other, func(string) bool { return true }); took != nil || err != nil {
				t.Errorf("%s: %+v, %v", other, took, err)
			}
		}
	})
}
