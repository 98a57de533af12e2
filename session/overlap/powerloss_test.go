package overlap

import (
	"fmt"
	"path/filepath"
	"testing"

	"assay/data/disk/disktest"
)

// After a power loss at any moment, a file has every acknowledged rating, and the rater can continue.
func TestPowerLossKeepsRatings(t *testing.T) {
	h := planned(t, 3)
	of := h.Of("ann")
	rated := func(i int) Event {
		return Event{Rated: &Rated{Rater: "ann", Item: of[i/2], Attribute: h.Attributes[i%2].ID, Score: 1 + i%5, At: at(i + 1)}}
	}
	disktest.PowerLoss(t, func(dir string, done func(string)) error {
		path := filepath.Join(dir, "sub", "ratings.jsonl")
		if err := Create(path, h); err != nil {
			return err
		}
		done("made")
		f, err := Change(path)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := f.Add(Event{Opened: &Opened{Rater: "ann", At: at(0)}}); err != nil {
			return err
		}
		for i := range 8 {
			if err := f.Add(rated(i)); err != nil {
				return err
			}
			done(fmt.Sprint(i))
		}
		return nil
	}, func(dir string, done []string) {
		if len(done) == 0 {
			return // no file was acknowledged yet
		}
		f, err := Change(filepath.Join(dir, "sub", "ratings.jsonl"))
		if err != nil {
			t.Error(err)
			return
		}
		defer f.Close()
		if err := f.Add(Event{Opened: &Opened{Rater: "ann", At: at(60)}}, Event{Rated: &Rated{Rater: "ann", Item: of[7], Attribute: "clarity", Score: 1, At: at(60)}}); err != nil {
			t.Error(err)
		}
		set, err := Open(f.Path)
		if err != nil {
			t.Error(err)
			return
		}
		for i := range len(done) - 1 {
			want := rated(i).Rated
			if got := set.form("ann", want.Item).Scores[want.Attribute]; got != want.Score {
				t.Errorf("rating %d is %d, not %d", i, got, want.Score)
			}
		}
	})
}
