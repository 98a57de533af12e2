package generate

import (
	"fmt"
	"path/filepath"
	"testing"

	"assay/data/disk/disktest"
)

// After a power loss a run continues, and no answer stored by a run that ended is requested, and paid for,
// again.
func TestPowerLossKeepsAnswers(t *testing.T) {
	begin := func(dir string, n int) (Options, *server) {
		s := newServer()
		o := options(t, s)
		o.Dir, o.Plan.N, o.Extend = filepath.Join(dir, "deep", "run"), n, true
		return o, s
	}
	disktest.PowerLoss(t, func(dir string, done func(string)) error {
		for _, n := range []int{1, 2} {
			o, _ := begin(dir, n)
			if _, err := run(t.Context(), t, o); err != nil {
				return err
			}
			done(fmt.Sprint(n))
		}
		return nil
	}, func(dir string, done []string) {
		o, s := begin(dir, 2)
		r, err := Open(o)
		if err != nil {
			t.Error(err)
			return
		}
		if err := r.Generate(t.Context()); err != nil {
			t.Error(err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if asked := len(s.asked); asked > 16-8*len(done) {
			t.Errorf("%d answers were asked for again", asked)
		}
		if kept := stored(t, o.Dir); len(kept) != 16 {
			t.Errorf("%d of 16 answers are stored", len(kept))
		}
	})
}
