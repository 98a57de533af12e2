// Package codebleu compares code with reference code by CodeBLEU (Ren et al. 2020): matching n-grams,
// n-grams in which keywords weigh more, matching subtrees of the syntax tree, and matching edges of the
// data flow.
//
// There are two modes. Reference reproduces k4black's package codebleu, from which published numbers come,
// with the peculiarities listed at Reference. Default is CodeBLEU as the paper describes it.
package codebleu

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"assay/scoring/syntax"
)

// Mode settles what the paper leaves open and where the reference implementation differs from it.
type Mode int

const (
	// Default tokenizes code by its grammar, leaves out comments and docstrings everywhere, leaves out
	// n-grams longer than the candidate, clips the counts of subtrees, and redistributes the weight of the
	// data flow if the reference has none.
	Default Mode = iota

	// Reference reproduces the reference implementation:
	//  - tokens of n-grams are separated by white space, and include comments and
	//    docstrings, which the other two components leave out;
	//  - the weighted n-gram match is a recall, and its brevity penalty takes every
	//    reference to be 2 tokens long;
	//  - a subtree of the reference counts as matched if the candidate contains it
	//    at all, however often;
	//  - columns are bytes but index characters, so tokens after a non-ASCII one are
	//    cut at wrong places in the data flow;
	//  - of empty tokens at the same place, the last replaces the others;
	//  - a data flow match of 0 counts as 1 in the total;
	//  - names that it merges in no particular order are in the order of their first
	//    appearance here.
	Reference
)

// Weights are the weights of the four components. They are not negative and add up to 1.
type Weights struct{ NGram, WeightedNGram, Syntax, DataFlow float64 }

// Equal weighs the components equally, as the paper's main results do.
func Equal() Weights { return Weights{0.25, 0.25, 0.25, 0.25} }

// Check returns an error that wraps errWeights if the weights are invalid.
func (w Weights) Check() error {
	sum := w.NGram + w.WeightedNGram + w.Syntax + w.DataFlow
	if !(min(w.NGram, w.WeightedNGram, w.Syntax, w.DataFlow) >= 0 && math.Abs(sum-1) < 1e-9) {
		return fmt.Errorf("%w: %v", errWeights, w)
	}
	return nil
}

// Score is the result of a comparison; all values are from 0 to 1.
type Score struct {
	NGram         float64 `json:"ngram"`
	WeightedNGram float64 `json:"weighted_ngram"`
	Syntax        float64 `json:"syntax"`
	DataFlow      float64 `json:"dataflow"`
	HasDataFlow   bool    `json:"has_dataflow"` // the references have any
	CodeBLEU      float64 `json:"codebleu"`
}

// Errors of Compare, besides those of syntax.Parse.
var (
	errLanguage     = errors.New("CodeBLEU is for Python only")
	errNoReferences = errors.New("CodeBLEU needs at least one reference")
	errWeights      = errors.New("the four weights of CodeBLEU must not be negative and must add up to 1")
)

// Compare scores a candidate against one or more references (Ren et al. 2020,
// section 3).
func Compare(language, candidate string, references []string, w Weights, mode Mode) (Score, error) {
	switch {
	case language != "python":
		return Score{}, fmt.Errorf("%w, not %q", errLanguage, language)
	case len(references) == 0:
		return Score{}, errNoReferences
	}
	if err := w.Check(); err != nil {
		return Score{}, err
	}
	cand, err := read(candidate, mode)
	if err != nil {
		return Score{}, fmt.Errorf("the candidate: %w", err)
	}
	refs := make([]*text, len(references))
	for i, r := range references {
		if refs[i], err = read(r, mode); err != nil {
			return Score{}, fmt.Errorf("reference %d: %w", i+1, err)
		}
	}
	var s Score
	s.NGram = bleu(cand.tokens, refs, mode)
	s.WeightedNGram = weightedBLEU(cand.tokens, refs, mode)
	s.Syntax = syntaxMatch(cand, refs, mode)
	s.DataFlow, s.HasDataFlow = dataFlowMatch(cand, refs)
	s.CodeBLEU = total(s, w, mode)
	return s, nil
}

func total(s Score, w Weights, mode Mode) float64 {
	rest := w.NGram*s.NGram + w.WeightedNGram*s.WeightedNGram + w.Syntax*s.Syntax
	switch {
	case mode == Reference && s.DataFlow == 0:
		return rest + w.DataFlow
	case s.HasDataFlow || mode == Reference:
		return rest + w.DataFlow*s.DataFlow
	case w.DataFlow == 1:
		return 0
	}
	return rest / (1 - w.DataFlow)
}

// text is one prepared piece of code.
type text struct {
	tokens []string     // for the n-grams
	tree   *syntax.Tree // without comments and docstrings
	flow   []edge       // normalized
}

func read(code string, mode Mode) (*text, error) {
	code = strings.TrimSpace(code)
	bare := withoutComments(code)
	tree, err := syntax.Parse("python", []byte(bare))
	if err != nil {
		return nil, err
	}
	flow, err := dataFlow(tree, mode)
	if err != nil {
		return nil, err
	}
	t := &text{tree: tree, flow: normalized(flow)}
	if mode == Reference {
		t.tokens = strings.Fields(code)
		return t, nil
	}
	for _, leaf := range leaves(tree.Root) {
		t.tokens = append(t.tokens, tree.Text(leaf))
	}
	return t, nil
}
