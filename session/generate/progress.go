package generate

import (
	"time"

	"assay/session/llm/endpoint"
)

// Progress is the progress of a run, for display.
type Progress struct {
	Cells    int // wanted
	Before   int // stored when the run was opened
	Stored   int // stored by now
	Failed   int // given up until the next run
	InFlight int // requests waiting for their answer or for a retry
	Elapsed  time.Duration
	In, Out  int64 // tokens of the stored answers
	NewOut   int64 // tokens of the answers of this process

	Spent    float64 // on everything in this run
	Expected float64 // estimated total when everything is stored
	Currency string  // empty if prices are not known

	Servers []Server
}

// Server is the state of a model's server.
type Server struct {
	Model string
	Left  int // cells that are not stored
	endpoint.State
}

// Rate returns the number of answers per second.
func (p Progress) Rate() float64 {
	if p.Elapsed <= 0 {
		return 0
	}
	return float64(p.Stored-p.Before) / p.Elapsed.Seconds()
}

// TokensPerSecond returns the rate of tokens.
func (p Progress) TokensPerSecond() float64 {
	if p.Elapsed <= 0 {
		return 0
	}
	return float64(p.NewOut) / p.Elapsed.Seconds()
}

// Left estimates the remaining time; 0 if unknown.
func (p Progress) Left() time.Duration {
	rate := p.Rate()
	if rate <= 0 {
		return 0
	}
	return time.Duration(float64(p.Cells-p.Stored-p.Failed) / rate * float64(time.Second)).Round(time.Second)
}

// report calls Progress four times a second, and once at the end.
func (r *Run) report(over <-chan struct{}) {
	if r.o.Progress == nil {
		<-over
		return
	}
	show := func() { r.o.Progress(r.Progress()) }
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			show()
		case <-over:
			show()
			return
		}
	}
}

// Progress returns the progress of the run.
func (r *Run) Progress() Progress {
	p := Progress{Elapsed: time.Since(r.began), Spent: r.account.Total()}
	if !r.ended.IsZero() {
		p.Elapsed = r.ended.Sub(r.began)
	}
	if r.account.priced {
		p.Currency = r.account.currency
	}
	p.Expected = p.Spent
	seen := map[*endpoint.Endpoint]bool{}
	for _, a := range r.models {
		e := r.estimate(a)
		p.Expected += e.Cost
		a.mu.Lock()
		p.Cells += r.cells.count()
		p.Before += a.before
		p.Stored += a.count
		p.Failed += a.failed
		p.In, p.Out, p.NewOut = p.In+a.usage.in, p.Out+a.usage.out, p.NewOut+a.usage.out-a.usedBefore
		state := a.endpoint.State()
		p.Servers = append(p.Servers, Server{a.model.Name, r.cells.count() - a.count, state})
		a.mu.Unlock()
		if !seen[a.endpoint] { // models of one server share its endpoint
			seen[a.endpoint] = true
			p.InFlight += state.InFlight
		}
	}
	return p
}

// Estimate estimates the tokens and cost of the cells that a model has not answered.
type Estimate struct {
	Model        string `json:"model"`
	Cells        int    `json:"cells"`
	Stored       int    `json:"stored"`
	InputTokens  int64  `json:"input_tokens"`  // of the remaining cells
	OutputTokens int64  `json:"output_tokens"` // of the remaining cells
	// from stored answers; otherwise from the lengths of prompts, with 400 tokens per answer
	Measured bool    `json:"measured"`
	Cost     float64 `json:"cost"`
	Currency string  `json:"currency,omitempty"` // empty if the model has no prices
	Free     bool    `json:"free,omitempty"`     // its answers are inherently free
}

// Estimates estimates the remaining work by model.
func (r *Run) Estimates() []Estimate {
	var all []Estimate
	for _, a := range r.models {
		all = append(all, r.estimate(a))
	}
	return all
}

// enough is the number of answers from which measuring is better than guessing.
const enough = 20

func (r *Run) estimate(a *asked) Estimate {
	a.mu.Lock()
	defer a.mu.Unlock()
	e := Estimate{Model: a.model.Name, Cells: r.cells.count(), Stored: a.count, Free: a.model.Free()}
	left := int64(e.Cells - e.Stored)
	if e.Measured = a.usage.answers >= enough; e.Measured {
		e.InputTokens, e.OutputTokens = left*a.usage.in/a.usage.answers, left*a.usage.out/a.usage.answers
	} else {
		e.InputTokens, e.OutputTokens = left*(r.cells.tokens+int64(tokensOf(a.model.System))), left*guessedAnswer
		if a.model.MaxTokens != nil {
			e.OutputTokens = min(e.OutputTokens, left*int64(*a.model.MaxTokens))
		}
	}
	var known bool
	if e.Cost, e.Currency, known = a.model.Cost(int(e.InputTokens), 0, int(e.OutputTokens)); !known {
		e.Cost, e.Currency = 0, ""
	}
	return e
}
