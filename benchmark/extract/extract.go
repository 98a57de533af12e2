package extract

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/repository/patch"
	"assay/data/language"
)

// Extraction is the result of extracting code.
type Extraction struct {
	Code   string
	Method string // a short stable word: one of the Method constants
	Blocks int    // fenced blocks in the answer
	Chosen []int  // numbers of the blocks that make up Code, from 1
	Note   string // a sentence for the tester
	Reason string // with MethodNone, why there is no code: one of the No constants

	// Candidates are all parts of the answer that may be the program, in the order of the text.
	Candidates []Candidate
}

// Candidate is a part of an answer that may be the program.
type Candidate struct {
	Start    int    `json:"start"` // in the answer, in bytes
	End      int    `json:"end"`
	Language string `json:"language,omitempty"` // its label; "": none
	Lines    int    `json:"lines"`
	Method   string `json:"method"`
	Reason   string `json:"reason"` // a sentence: why it was taken, or not
	Chosen   bool   `json:"chosen,omitempty"`
}

// Reasons why there is no code, for counting; Note explains them in words.
const (
	NoAnswer   = "empty"          // the answer is empty, except for thinking
	NoCode     = "no code"        // there is text without code
	NoLanguage = "other language" // its code is labelled with another language
)

// The methods of extraction.
const (
	MethodNone       = "none"       // there is no code
	MethodFence      = "fence"      // one fenced block
	MethodJoined     = "joined"     // several fenced blocks that belong together
	MethodUnclosed   = "unclosed"   // a fenced block truncated by the end of the answer
	MethodBare       = "bare"       // code without fences
	MethodTagged     = "tagged"     // between tags: <code>, [PYTHON], [ANSWER]
	MethodTranscript = "transcript" // an interactive session, with >>> prompts removed
	MethodTester     = "tester"     // what a tester took instead; see Take
	MethodPatch      = "patch"      // changes of a repository's files, within the answer
)

// Code extracts the code of an answer to a task. It never fails: the result reports missing code. Lines end with
// "\n" whatever they end with in the answer.
func Code(answer string, task *benchmark.Task) Extraction {
	if task != nil && !task.Program() {
		return withoutBlocks(answer, task)
	}
	c := newChooser(task)
	found := c.candidates(answer)
	best := -1
	for i := range found {
		// Among equals the later one wins: answers correct themselves.
		if rank := found[i].rank; rank > 0 && (best < 0 || rank >= found[best].rank) {
			best = i
		}
	}
	if best < 0 {
		return c.nothing(answer, found)
	}
	return c.take(found, best)
}

// Take extracts the code of an answer from another candidate than the one that Code takes, given by its index.
func Take(answer string, task *benchmark.Task, candidate int) Extraction {
	if task != nil && !task.Program() {
		return withoutBlocks(answer, task)
	}
	c := newChooser(task)
	found := c.candidates(answer)
	if candidate < 0 || candidate >= len(found) {
		return Code(answer, task)
	}
	e := c.take(found, candidate)
	e.Note = fmt.Sprintf("%s was taken by the tester.", c.name(found, candidate))
	return e
}

func withoutBlocks(answer string, task *benchmark.Task) Extraction {
	if task.Repository == nil {
		return prediction(answer, task)
	}
	if d := task.Repository.Directory; d != nil {
		if script, found := d.ScriptOf(answer); found {
			return Extraction{Code: script, Method: MethodPatch, Note: "The answer is a script that makes the changes."}
		}
	}
	return changes(answer)
}

// candidate is a block with its facts.
type candidate struct {
	block
	facts
	rank   int
	number int // among the fenced and tagged blocks, from 1; 0 for bare code
}

// candidates returns the parts of an answer that may be the program, in the order of the text.
func (c *chooser) candidates(answer string) []candidate {
	blocks, outside := c.blocks(linesOf(answer))
	for _, lines := range outside {
		blocks = append(blocks, c.bare(lines)...)
	}
	slices.SortStableFunc(blocks, func(a, b block) int { return cmp.Compare(a.start(), b.start()) })
	found, number := make([]candidate, len(blocks)), 0
	for i, b := range blocks {
		f := c.look(&b)
		found[i] = candidate{block: b, facts: f, rank: c.rank(&b, f)}
		if b.method != MethodBare {
			number++
			found[i].number = number
		}
	}
	return found
}

func (b *block) start() int {
	if len(b.lines) == 0 {
		return 0
	}
	return b.lines[0].start
}

// take returns the extraction that consists of a candidate and those that it needs.
func (c *chooser) take(found []candidate, best int) Extraction {
	main := &found[best]
	e := Extraction{Code: joined(main.lines), Method: main.method, Note: c.because(found, best)}
	parts := []int{best}
	if code, ok := transcript(e.Code); ok && c.language == "python" {
		e.Code, e.Method = code, MethodTranscript
		e.Note = "The code was taken from an interactive session, without its prompts and output."
	} else if more := c.needed(found, best); len(more) > 0 {
		parts = append(more, best)
		var texts []string
		for _, i := range parts {
			texts = append(texts, strings.TrimRight(joined(found[i].lines), "\n"))
		}
		e.Code, e.Method = strings.Join(texts, "\n\n")+"\n", MethodJoined
		e.Note = fmt.Sprintf("%d of the answer's %d blocks of code were joined, because the last of them uses what the others define.", len(parts), count(found))
	}
	e.Blocks = count(found)
	for _, i := range parts {
		if found[i].number > 0 {
			e.Chosen = append(e.Chosen, found[i].number)
		}
	}
	e.Candidates = c.described(found, best, parts)
	return e
}

func count(found []candidate) (blocks int) {
	for _, f := range found {
		blocks = max(blocks, f.number)
	}
	return blocks
}

// described returns the candidates with the reasons why each was taken or not.
func (c *chooser) described(found []candidate, best int, parts []int) []Candidate {
	all := make([]Candidate, len(found))
	for i := range found {
		f := &found[i]
		all[i] = Candidate{Start: f.start(), End: f.start(), Language: f.language, Lines: len(f.lines), Method: f.method, Chosen: slices.Contains(parts, i)}
		if n := len(f.lines); n > 0 {
			all[i].End = f.lines[n-1].end()
		}
		switch {
		case i == best:
			all[i].Reason = c.because(found, i)
		case all[i].Chosen:
			all[i].Reason = "It defines what the chosen block uses."
		default:
			all[i].Reason = c.against(f, best, found)
		}
	}
	return all
}

// OnlyBlock is the note on code that could be no other.
const OnlyBlock = "The answer's only block of code was taken."

// because says why a candidate was taken.
func (c *chooser) because(found []candidate, best int) string {
	main, why := &found[best], ""
	if main.defines {
		why = ", because it defines " + c.entry
	}
	switch {
	case main.unclosed:
		return "The answer ends inside its block of code; it may have been cut off."
	case main.number == 0 && len(found) > 1:
		return "The code outside of the answer's blocks was taken" + why + "."
	case main.number == 0:
		return "The answer has no marked block of code; the lines that are code were taken."
	case count(found) > 1:
		return c.name(found, best) + " was taken" + why + "."
	}
	return OnlyBlock
}

// name names a candidate in a sentence.
func (c *chooser) name(found []candidate, i int) string {
	switch {
	case found[i].number == 0:
		return "The code outside of the answer's blocks"
	case count(found) == 1:
		return "The answer's only block"
	}
	return fmt.Sprintf("Block %d of the answer's %d", found[i].number, count(found))
}

// against says why a candidate was not taken; best is negative if none was.
func (c *chooser) against(f *candidate, best int, found []candidate) string {
	switch {
	case blank(f.lines):
		return "It is empty."
	case f.rank == 0 && !f.marked && !f.unmarked:
		return fmt.Sprintf("It is marked %s, and the task wants %s.", title(f.language), title(c.language))
	case f.rank == 0:
		return "It holds no code."
	case best >= 0 && found[best].defines && !f.defines:
		return "It does not define " + c.entry + "."
	case !f.valid:
		return "It does not parse."
	case !f.whole:
		return "It is only a stub."
	case f.unclosed:
		return "It was cut off."
	}
	return "A later block does the same."
}

// nothing reports that no candidate is a program, and why.
func (c *chooser) nothing(answer string, found []candidate) Extraction {
	e := Extraction{Method: MethodNone, Reason: NoCode, Note: "The answer holds no code.", Blocks: count(found), Candidates: c.described(found, -1, nil)}
	var labels []string
	for i := range found {
		if name := title(found[i].language); found[i].language != "" && !found[i].marked && !slices.Contains(labels, name) {
			labels = append(labels, name)
		}
	}
	switch {
	case blank(linesOf(answer)):
		e.Reason, e.Note = NoAnswer, "The answer is empty."
	case len(labels) > 0:
		e.Reason, e.Note = NoLanguage, fmt.Sprintf("The code is marked %s, and the task wants %s.", strings.Join(labels, " and "), title(c.language))
	case e.Blocks == 1:
		e.Note = fmt.Sprintf("The answer's only block holds no code in %s.", title(c.language))
	case e.Blocks > 1:
		e.Note = fmt.Sprintf("The answer's %d blocks hold no code in %s.", e.Blocks, title(c.language))
	}
	return e
}

func title(name string) string {
	if name == "" {
		return "the task's language"
	}
	return language.Title(name)
}

// changes finds the changes of a repository's files in an answer. They are applied from the text as it came,
// in which paths may stand before fences. Only thinking at the beginning is removed: a patch may contain its tags.
func changes(text string) Extraction {
	if spans := thinking(text); len(spans) > 0 && strings.TrimSpace(text[:spans[0].start]) == "" {
		text = text[spans[0].end:]
	}
	answer, err := patch.Read(text)
	var failure *patch.Failure
	switch {
	case errors.As(err, &failure) && failure.Reason == patch.Empty:
		e := Extraction{Method: MethodNone, Note: "The answer has no diff, no search/replace block and no file with its path.", Reason: NoCode}
		if strings.TrimSpace(text) == "" {
			e.Note, e.Reason = "The answer is empty.", NoAnswer
		}
		return e
	case err != nil:
		return Extraction{Code: text, Method: MethodPatch, Note: "The answer's changes cannot be read."}
	}
	kinds := map[patch.Kind]string{patch.UnifiedDiff: "a diff", patch.Blocks: "search/replace blocks", patch.WholeFiles: "whole files"}
	return Extraction{Code: text, Method: MethodPatch, Note: "The answer states its changes as " + kinds[answer.Kind] + "."}
}
