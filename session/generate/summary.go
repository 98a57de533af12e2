package generate

import (
	"maps"
	"math"
	"slices"
	"time"

	"assay/scoring/stats"
	"assay/session"
	"assay/session/llm"
)

// Summary is the state of a run.
type Summary struct {
	Cells    int            `json:"cells"`
	Stored   int            `json:"stored"`
	Before   int            `json:"stored_before"`   // when it was opened, including answers copied from other runs
	Taken    int            `json:"taken,omitempty"` // part of Before: copied from other runs just now
	Failed   int            `json:"failed"`
	Models   []ModelSummary `json:"models"`
	Spent    float64        `json:"spent"`
	Currency string         `json:"currency,omitempty"` // empty if prices are not known
	Seconds  float64        `json:"seconds"`
}

// ModelSummary is the state of a model in a run.
type ModelSummary struct {
	Name         string       `json:"name"`
	Cells        int          `json:"cells"`
	Stored       int          `json:"stored"`
	Failed       int          `json:"failed"`
	Requests     int          `json:"requests"` // to its server, by this process
	Retries      int          `json:"retries"`
	InputTokens  int64        `json:"input_tokens"`
	OutputTokens int64        `json:"output_tokens"`
	Cached       int64        `json:"cached_tokens,omitempty"`    // of the input
	Reasoning    int64        `json:"reasoning_tokens,omitempty"` // of the output
	Cost         float64      `json:"cost,omitempty"`             // of the answers stored, in Currency
	Currency     string       `json:"currency,omitempty"`         // of its prices; empty if they are not known
	PricedAt     string       `json:"priced_at,omitempty"`        // when they held; empty if that is not known
	Guessed      bool         `json:"guessed_tokens,omitempty"`   // the server did not count some tokens
	Flags        map[Flag]int `json:"flags"`                      // flagged answers
	Down         string       `json:"down,omitempty"`             // why it was not asked any more
	Err          error        `json:"-"`                          // the same as an error
	Last         *llm.Error   `json:"-"`                          // the last failure of a cell
}

// Complete reports whether every cell is answered.
func (s Summary) Complete() bool { return s.Stored == s.Cells }

// Summary returns the state of the run.
func (r *Run) Summary() Summary {
	s := Summary{Spent: r.account.Total(), Taken: r.taken}
	if !r.began.IsZero() {
		s.Seconds = time.Since(r.began).Seconds()
	}
	if r.account.priced {
		s.Currency = r.account.currency
	}
	for _, a := range r.models {
		flags := map[Flag]int{}
		for _, list := range a.allFlags() {
			for _, f := range list {
				flags[f]++
			}
		}
		a.mu.Lock()
		state := a.endpoint.State()
		m := ModelSummary{Name: a.model.Name, Cells: r.cells.count(), Stored: a.count, Failed: a.failed, Requests: state.Requests, Retries: state.Retries,
			InputTokens: a.usage.in, OutputTokens: a.usage.out, Cached: a.usage.cached, Reasoning: a.usage.reasoning, Cost: a.usage.cost, Guessed: a.usage.guessed, Flags: flags, Err: a.down, Last: a.last}
		if p := a.model.Price(); p != nil {
			m.Currency, m.PricedAt = p.Currency, p.At
		}
		if a.down != nil {
			m.Down = a.down.Error()
		}
		s.Before += a.before
		a.mu.Unlock()
		s.Cells, s.Stored, s.Failed = s.Cells+m.Cells, s.Stored+m.Stored, s.Failed+m.Failed
		s.Models = append(s.Models, m)
	}
	return s
}

// Stored returns the number of stored answers of a model to a wording.
func (r *Run) Stored(model, prompt string) int {
	n := 0
	for _, a := range r.models {
		if a.model.Name != model {
			continue
		}
		a.mu.Lock()
		r.cells.each(func(x cell) bool {
			if r.cells.prompts[x.task][x.prompt].Name == prompt && a.stored.has(r.cells.number(x)) {
				n++
			}
			return true
		})
		a.mu.Unlock()
	}
	return n
}

// Account returns what a model's stored answers to a wording took, as its server counts it.
func (r *Run) Account(model, prompt string) session.Account {
	for _, a := range r.models {
		if a.model.Name == model {
			a.mu.Lock()
			defer a.mu.Unlock()
			return a.accounts[prompt]
		}
	}
	return session.Account{}
}

// Flagged returns the flags of a model's answers to a wording, by task and sample number.
func (r *Run) Flagged(model, prompt string) map[string]map[int][]Flag {
	found := map[string]map[int][]Flag{}
	for _, a := range r.models {
		if a.model.Name != model {
			continue
		}
		all := a.allFlags()
		r.cells.each(func(x cell) bool {
			list, ok := all[r.cells.number(x)]
			if !ok || r.cells.prompts[x.task][x.prompt].Name != prompt {
				return true
			}
			id := r.cells.tasks[x.task].ID
			if found[id] == nil {
				found[id] = map[int][]Flag{}
			}
			found[id][x.sample] = list
			return true
		})
	}
	return found
}

// allFlags returns the flags of a model's stored answers, by the cell's number.
func (a *asked) allFlags() map[int][]Flag {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := map[int][]Flag{}
	maps.Copy(all, a.flagged)
	fence := a.fence()
	for number, length := range a.lengths {
		if float64(length) > fence {
			all[number] = append(slices.Clone(all[number]), Runaway)
		}
	}
	return all
}

const (
	fewLengths  = 20   // fewest answers for calling a length unusual
	runawayMore = 1000 // bytes above the third quartile
)

// fence returns the length beyond which an answer is runaway: Tukey's far fence of the log lengths, and at least
// a thousand bytes above the third quartile.
func (a *asked) fence() float64 {
	var logs []float64
	for _, length := range a.lengths {
		if length > 0 {
			logs = append(logs, math.Log(float64(length)))
		}
	}
	if len(logs) < fewLengths {
		return math.Inf(1)
	}
	q1, errLow := stats.Quantile(logs, 0.25, stats.Linear)
	q3, errHigh := stats.Quantile(logs, 0.75, stats.Linear)
	if errLow != nil || errHigh != nil {
		panic("generate: quartiles have no wrong argument")
	}
	return max(math.Exp(q3+3*(q3-q1)), math.Exp(q3)+runawayMore)
}
