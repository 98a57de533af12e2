package sessions

import (
	"fmt"
	"strings"

	"assay/session"
	"assay/session/report"
)

// Prompts has the changes of prompts from attempt to attempt.
type Prompts struct {
	Read  bool         `json:"read"`  // the texts of the prompts were at hand
	Steps []PromptStep `json:"steps"` // by the number of the attempt

	editor bool // some have text from testers' own editors
}

// PromptStep has the prompts of one attempt, over the analysed tasks that had this attempt.
type PromptStep struct {
	Attempt  int             `json:"attempt"`         // its number, from 1
	N        int             `json:"n"`               // prompts
	Bytes    report.Estimate `json:"bytes"`           // length in UTF-8
	Inserted report.Estimate `json:"inserted_share"`  // part of the bytes that was inserted, not typed
	Words    report.Estimate `json:"words"`           // divided by white space
	Edits    report.Estimate `json:"word_edits"`      // words inserted, deleted or replaced since the prompt before
	Changed  report.Estimate `json:"changed_share"`   // edits / the larger number of words of the two
	Compose  report.Estimate `json:"compose_seconds"` // time of writing, in seconds
}

// maxEdits bounds the work of comparing two prompts, words times words.
const maxEdits = 50_000_000

// wording has the change of a prompt's text.
type wording struct{ words, edits, longer int }

// wordings compares the prompts of each task; nil for attempts whose prompt is not known.
func wordings(s *session.State, texts Texts) ([][]wording, error) {
	all := make([][]wording, len(s.Tasks))
	if texts == nil || s.Origin == session.Imported {
		return all, nil
	}
	for i := range s.Tasks {
		var before []string
		for _, a := range s.Tasks[i].Attempts {
			if a.Sent == nil || a.Sent.Prompt == "" {
				break
			}
			text, err := texts(a.Sent.Prompt)
			if err != nil {
				return nil, fmt.Errorf("the prompt of attempt %d of task %q is missing: %w", a.N, clean(s.Tasks[i].ID), err)
			}
			words := strings.Fields(string(text))
			edits := -1 // of very long prompts not known
			if len(before)*len(words) <= maxEdits {
				edits = editDistance(before, words)
			}
			all[i] = append(all[i], wording{len(words), edits, max(len(before), len(words))})
			before = words
		}
	}
	return all, nil
}

// editDistance returns Levenshtein's distance over words: how many are inserted, deleted or replaced.
func editDistance(a, b []string) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, word := range a {
		corner := row[0]
		row[0] = i + 1
		for j, other := range b {
			cost := corner
			if word != other {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func promptsOf(est *estimator, analysed []result) Prompts {
	p := Prompts{Steps: []PromptStep{}}
	type sums struct{ bytes, inserted, words, edits, changed, compose series }
	var all []sums
	for _, r := range analysed {
		if r.in.header.Imported {
			continue
		}
		spent := r.in.spent[r.index]
		for i, a := range r.Attempts {
			if a.Sent == nil {
				break
			}
			if i == len(all) {
				all = append(all, sums{})
			}
			s := &all[i]
			s.bytes.add(r, float64(a.Sent.Bytes))
			if a.Sent.Bytes > 0 {
				s.inserted.add(r, float64(a.Sent.Inserted)/float64(a.Sent.Bytes))
			}
			p.editor = p.editor || a.Sent.Editor > 0
			s.compose.add(r, seconds(spent[a.N].phases[session.Compose]))
			if known := r.in.prompts[r.index]; i < len(known) {
				p.Read = true
				s.words.add(r, float64(known[i].words))
				if i > 0 && known[i].edits >= 0 {
					s.edits.add(r, float64(known[i].edits))
					if known[i].longer > 0 {
						s.changed.add(r, float64(known[i].edits)/float64(known[i].longer))
					}
				}
			}
		}
	}
	for i, s := range all {
		p.Steps = append(p.Steps, PromptStep{
			Attempt: i + 1, N: len(s.bytes.x), Bytes: est.mean(s.bytes), Inserted: est.mean(s.inserted),
			Words: est.mean(s.words), Edits: est.mean(s.edits), Changed: est.mean(s.changed), Compose: est.mean(s.compose),
		})
	}
	return p
}

// Texts finds a text that a log refers to.
type Texts func(session.Ref) ([]byte, error)
