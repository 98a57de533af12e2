package prompts

import (
	"encoding/json"
	"io"

	"assay/benchmark"
)

// Counts is the progress of reviewing the prompts of some tasks.
type Counts struct {
	Prompts  int
	States   map[Review]int
	Waiting  int // unreviewed ones with some decisions, but not as many as wanted
	Stale    int // written for an older version of the task; not in any other number
	Flagged  int
	Disputes []Entry
	By       map[string]int // decisions in force by reviewer
}

// Count counts the prompts of some tasks.
func Count(s *Set, tasks ...*benchmark.Task) Counts {
	c := newCounts()
	for _, t := range tasks {
		entries := s.Entries(t, "")
		c.add(entries)
		others, checker := promptsOf(entries), NewChecker(t)
		for _, e := range entries {
			if !e.Stale && len(checker.Check(e.Prompt, others)) > 0 {
				c.Flagged++
			}
		}
	}
	return c
}

// CountAll counts all prompts of a file; without the tasks it cannot tell which are stale or flagged.
func CountAll(s *Set) Counts {
	c := newCounts()
	for _, id := range s.Tasks() {
		c.add(s.entriesOf(id))
	}
	return c
}

func newCounts() Counts { return Counts{States: map[Review]int{}, By: map[string]int{}} }

func (c *Counts) add(entries []Entry) {
	for _, e := range entries {
		if e.Stale {
			c.Stale++
			continue
		}
		c.Prompts++
		c.States[e.Review]++
		if e.Review == Unreviewed && len(e.Decisions) > 0 {
			c.Waiting++
		}
		if e.Review == Disputed {
			c.Disputes = append(c.Disputes, e)
		}
		for _, d := range e.Decisions {
			if !d.Resolution {
				c.By[d.Reviewer]++
			}
		}
	}
}

func promptsOf(entries []Entry) []Prompt {
	list := make([]Prompt, len(entries))
	for i, e := range entries {
		list[i] = e.Prompt
	}
	return list
}

// Export writes prompts as JSON Lines.
func Export(w io.Writer, list []Prompt) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, p := range list {
		if err := enc.Encode(p); err != nil {
			return err
		}
	}
	return nil
}
