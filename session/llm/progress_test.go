package llm

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"assay/data/fatal"
)

// Each stage of a request is reported: for a failed try the delay and the number of the next try, and the
// time without data after which it is abandoned.
func TestProgressOfEveryServer(t *testing.T) {
	for _, d := range dialects() {
		t.Run(d.provider, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				refused := false
				deps := d.deps(serve(t, func(w http.ResponseWriter, _ *http.Request) {
					if !refused {
						refused = true
						w.Header().Set("Retry-After", "8")
						w.WriteHeader(429)
						return
					}
					d.write(w, d.whole("ok"))
				}))
				deps.Sleep = Sleep
				client, err := d.model().Client(deps)
				fatal.If(t, err)
				var mu sync.Mutex
				var heard []Progress
				ctx := WithProgress(t.Context(), func(p Progress) {
					mu.Lock()
					defer mu.Unlock()
					heard = append(heard, p)
				})
				if _, err := client.Stream(ctx, Request{Messages: []Message{{Role: User, Text: "a"}}}, nil); err != nil {
					t.Fatal(err)
				}
				mu.Lock()
				defer mu.Unlock()
				if first := (Progress{Stage: Connecting, Try: 1, Tries: 4, Silence: 10 * time.Second, Total: 10 * time.Minute}); heard[0] != first {
					t.Errorf("first %+v, want %+v", heard[0], first)
				}
				retry := Progress{Stage: Retrying, Try: 2, Tries: 4, Why: "429 Too Many Requests", Asked: true, Wait: 8 * time.Second, Total: 10 * time.Minute}
				at := slices.Index(heard, retry)
				if at < 0 {
					t.Fatalf("nothing is said of the wait: %+v", heard)
				}
				if last := heard[len(heard)-1]; last.Stage != Arriving || last.Try != 2 || last.Silence != 2*time.Minute {
					t.Errorf("last %+v", last)
				}
				stages := []Stage{}
				for _, p := range heard[at+1:] {
					if len(stages) == 0 || stages[len(stages)-1] != p.Stage {
						stages = append(stages, p.Stage)
					}
				}
				if !slices.Equal(stages, []Stage{Connecting, Asked, Arriving}) {
					t.Errorf("the second try: %v", stages)
				}
			})
		})
	}
}
