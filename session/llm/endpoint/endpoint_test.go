package endpoint

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"assay/session/llm"
)

// server is a client that answers as configured, and counts requests.
type server struct {
	mu       sync.Mutex
	flight   int
	most     int // requests at a time, seen
	asked    []time.Time
	answered int
	latency  time.Duration
	fail     func(number, flight int) *llm.Error // nil: an answer
}

func (s *server) Stream(ctx context.Context, _ llm.Request, _ func(string)) (llm.Answer, error) {
	s.mu.Lock()
	s.flight++
	s.most = max(s.most, s.flight)
	s.asked = append(s.asked, time.Now())
	number, flight := len(s.asked), s.flight
	s.mu.Unlock()
	defer func() { s.mu.Lock(); s.flight--; s.mu.Unlock() }()
	if err := llm.Sleep(ctx, s.latency); err != nil {
		return llm.Answer{}, err
	}
	if s.fail != nil {
		if err := s.fail(number, flight); err != nil {
			return llm.Answer{}, err
		}
	}
	s.mu.Lock()
	s.answered++
	s.mu.Unlock()
	return llm.Answer{Text: "x"}, nil
}

// ask requests n answers concurrently and returns the failures.
func ask(e *Endpoint, s *server, n, tokens int) (failures []error) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range n {
		wg.Go(func() {
			if _, _, err := e.Do(context.Background(), Call{Client: s, Tokens: tokens}); err != nil {
				mu.Lock()
				failures = append(failures, err)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return failures
}

func fixed() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// locked makes a source of randomness safe for concurrent use.
func locked(r *rand.Rand) func() float64 {
	var mu sync.Mutex
	return func() float64 { mu.Lock(); defer mu.Unlock(); return r.Float64() }
}

func TestItFindsWhatTheServerBears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const bears = 10
		s := &server{latency: time.Second, fail: func(_, flight int) *llm.Error {
			if flight > bears {
				return &llm.Error{Class: llm.RateLimited, Status: 429}
			}
			return nil
		}}
		began := time.Now()
		if failures := ask(New(llm.Limits{}, locked(fixed())), s, 2000, 1); len(failures) > 0 {
			t.Fatalf("%d failed, such as %v", len(failures), failures[0])
		}
		took := time.Since(began)
		// At best it takes 200 s; a fixed four at a time would take 500.
		if took > 400*time.Second {
			t.Errorf("2000 answers of a server that bears %d requests of 1 s took %v", bears, took)
		}
		if refused := len(s.asked) - s.answered; refused > 400 {
			t.Errorf("%d of %d requests were refused", refused, len(s.asked))
		}
	})
}

func TestItKeepsToTheLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{latency: 3 * time.Second}
		began := time.Now()
		e := New(llm.Limits{Concurrent: 5, RequestsPerMinute: 120}, locked(fixed()))
		if failures := ask(e, s, 100, 1); len(failures) > 0 {
			t.Fatal(failures[0])
		}
		if s.most > 5 {
			t.Errorf("%d requests at a time, and 5 are allowed", s.most)
		}
		if took := time.Since(began); took < 49*time.Second {
			t.Errorf("100 requests in %v, and 120 a minute are allowed", took)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		began := time.Now()
		if failures := ask(New(llm.Limits{TokensPerMinute: 6000}, locked(fixed())), s, 40, 300); len(failures) > 0 {
			t.Fatal(failures[0])
		}
		// 12,000 tokens; at most 6,000 may be sent at once.
		if took := time.Since(began); took < 59*time.Second {
			t.Errorf("12000 tokens in %v, and 6000 a minute are allowed", took)
		}
	})
}

func TestAWishToWaitHoldsForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{latency: time.Millisecond}
		s.fail = func(number, _ int) *llm.Error {
			if number == 20 {
				return &llm.Error{Class: llm.RateLimited, Status: 429, After: 30 * time.Second}
			}
			return nil
		}
		if failures := ask(New(llm.Limits{}, locked(fixed())), s, 200, 1); len(failures) > 0 {
			t.Fatal(failures[0])
		}
		for i := 20; i < len(s.asked); i++ {
			gap := s.asked[i].Sub(s.asked[19])
			if gap > 2*time.Millisecond && gap < 30*time.Second {
				t.Fatalf("request %d came %v after the server had asked for 30 s", i+1, gap)
			}
		}
	})
}

// Requests to a server that is down are rare, and end.
func TestABrokenServerIsGivenUp(t *testing.T) {
	for name, failure := range map[string]llm.Error{
		"500":         {Class: llm.Server, Status: 500},
		"429":         {Class: llm.RateLimited, Status: 429},
		"cut":         {Class: llm.CutOff},
		"page":        {Class: llm.NotAModel, Status: 200},
		"unreachable": {Class: llm.Unreachable},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &server{fail: func(int, int) *llm.Error { f := failure; return &f }}
			e := New(llm.Limits{}, locked(fixed()))
			failures := ask(e, s, 1000, 1)
			if len(failures) != 1000 || !errors.Is(failures[999], ErrDown) {
				t.Errorf("%s: %d failures, the last %v", name, len(failures), failures[len(failures)-1])
			}
			if len(s.asked) > firstReserve+mostConcurrent {
				t.Errorf("%s: a server that only fails was asked %d times", name, len(s.asked))
			}
			if e.State().Down == nil || e.State().InFlight != 0 {
				t.Errorf("%s: the state is %+v", name, e.State())
			}
		})
	}
}

func TestARequestPerSecondIsBoundedWhileTheServerFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		random := locked(fixed())
		s := &server{fail: func(int, int) *llm.Error {
			if random() < 0.4 {
				return &llm.Error{Class: llm.RateLimited, Status: 429}
			}
			return nil
		}, latency: 10 * time.Millisecond}
		if failures := ask(New(llm.Limits{}, random), s, 3000, 1); len(failures) > 5 {
			t.Fatalf("%d failed, such as %v", len(failures), failures[0])
		}
		most := 0
		for i, first := 0, 0; i < len(s.asked); i++ {
			for s.asked[i].Sub(s.asked[first]) > time.Second {
				first++
			}
			most = max(most, i-first+1)
		}
		if most > 60 {
			t.Errorf("%d requests within a second at a server that refuses 4 of 10", most)
		}
	})
}

func TestWhatCannotPassIsNotSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for class, down := range map[llm.Class]bool{llm.BadRequest: false, llm.NoAnswer: false, llm.Auth: true, llm.Quota: true} {
			s := &server{fail: func(int, int) *llm.Error { return &llm.Error{Class: class} }}
			e := New(llm.Limits{}, locked(fixed()))
			_, tries, err := e.Do(t.Context(), Call{Client: s})
			if tries != 1 || err == nil || errors.Is(err, ErrDown) != down {
				t.Errorf("%s: %d tries, %v", class, tries, err)
			}
			var failed *llm.Error
			if !errors.As(err, &failed) || failed.Class != class {
				t.Errorf("%s: the error is %v", class, err)
			}
		}
		s := &server{fail: func(int, int) *llm.Error { return &llm.Error{Class: llm.RateLimited, After: time.Hour} }}
		if _, tries, err := New(llm.Limits{}, locked(fixed())).Do(t.Context(), Call{Client: s}); tries != 1 || !errors.Is(err, ErrDown) {
			t.Errorf("asked to wait an hour: %d tries, %v", tries, err)
		}
	})
}

func TestEndingTheContextEndsAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{latency: time.Hour}
		e := New(llm.Limits{Concurrent: 2}, locked(fixed()))
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if _, _, err := e.Do(ctx, Call{Client: s}); !errors.Is(err, context.Canceled) {
					t.Errorf("the error is %v", err)
				}
			})
		}
		synctest.Wait()
		if got := e.State().InFlight; got != 2 {
			t.Errorf("%d in flight, and 2 are allowed", got)
		}
		cancel()
		wg.Wait()
		if got := e.State().InFlight; got != 0 {
			t.Errorf("%d in flight at the end", got)
		}
	})
}

func TestAClientThatInsists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{fail: func(n, _ int) *llm.Error {
			if n < 4 {
				return &llm.Error{Class: llm.CutOff, Partial: "half"}
			}
			return nil
		}}
		var text string
		a, err := New(llm.Limits{}, locked(fixed())).Client(s).Stream(t.Context(), llm.Request{}, func(piece string) { text += piece })
		if err != nil || a.Text != "x" || text != "x" || len(s.asked) != 4 {
			t.Errorf("got %+v, %v after %d requests; passed on %q", a, err, len(s.asked), text)
		}
	})
}

// Later requests never overtake the first one waiting.
func TestTheFirstInLineIsTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers, each = 8, 50
		s := &server{latency: time.Second}
		e := New(llm.Limits{Concurrent: 2}, locked(fixed()))
		var sent [workers]int
		var mu sync.Mutex
		var wg sync.WaitGroup
		for i := range workers {
			wg.Go(func() {
				for range each {
					_, _, err := e.Do(t.Context(), Call{Client: s, Sent: func(int) {
						mu.Lock()
						defer mu.Unlock()
						sent[i]++
						if ahead := sent[i] - slices.Min(sent[:]); ahead > 2 {
							t.Errorf("one has sent %d requests more than another", ahead)
						}
					}})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
	})
}
