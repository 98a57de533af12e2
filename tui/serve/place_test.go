package serve

import (
	"context"
	"testing"

	"assay/session/overlap"
	"assay/session/study"
)

// What is done is summed over everybody.
func TestWhatIsDone(t *testing.T) {
	w := &watcher{Watched: Watched{Testers: func(context.Context) ([]study.Progress, error) { return nil, nil }, Ratings: &Ratings{}}}
	w.seen.testers = []study.Progress{{Done: 1, Tasks: 4}, {Done: 3, Tasks: 4}}
	w.seen.raters = []overlap.Progress{{Whole: 2, Items: 5}, {Whole: 5, Items: 5}}
	if got, want := w.place(), "4 of 8 tasks · 7 of 10 ratings"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
