package extract

import (
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
	MethodTranscript = "transcript" // an interactive session, with >>> prompts removed
	MethodPatch      = "patch"      // changes of a repository's files, within the answer
)

// Code extracts the code of an answer to a task. It never fails: the result reports missing code.
func Code(answer string, task *benchmark.Task) Extraction {
	if task != nil && task.Repository != nil {
		return changes(answer)
	}
	if task != nil && task.Tests.Style.Predicts() {
		return prediction(answer, task.Tests.Style)
	}
	wanted, entry := "python", ""
	if task != nil {
		entry = task.EntryPoint
		if task.Language != "" {
			wanted = task.Language
		}
	}
	text := withoutThinking(answer)
	blocks := findBlocks(text)
	if len(blocks) == 0 {
		return bare(text, wanted, entry)
	}
	e := choose(blocks, wanted, entry)
	e.Blocks = len(blocks)
	return e
}

// changes finds the changes of a repository's files in an answer. They are applied from the text as it came,
// in which paths may stand before fences. A patch may contain thinking tags, but not at the beginning of a line.
func changes(text string) Extraction {
	for _, tag := range thinkingTags {
		end := "\n</" + tag + ">"
		if strings.HasPrefix(strings.TrimSpace(text), "<"+tag+">") {
			end = end[1:]
		}
		if _, after, found := strings.Cut("\n"+text, end); found {
			text = after
		}
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

// choose chooses the block to run, and those it needs.
func choose(blocks []block, language, entry string) Extraction {
	best, bestScore := -1, 0
	for i, b := range blocks {
		// Among equals the later one wins: answers correct themselves.
		if s := b.score(language, entry); s > 0 && s >= bestScore {
			best, bestScore = i, s
		}
	}
	if best < 0 {
		return nothingFor(blocks, language)
	}
	main := blocks[best]
	chosen := []int{best + 1}
	code := main.text
	if code2, ok := transcript(code); ok {
		return Extraction{Code: code2, Method: MethodTranscript, Chosen: chosen,
			Note: "The code was taken from an interactive session, without its prompts and output."}
	}
	if parts := needed(blocks, best, language); len(parts) > 0 {
		texts := make([]string, 0, len(parts)+1)
		chosen = chosen[:0]
		for _, i := range append(parts, best) {
			texts = append(texts, strings.TrimRight(blocks[i].text, "\n"))
			chosen = append(chosen, i+1)
		}
		return Extraction{Code: strings.Join(texts, "\n\n") + "\n", Method: MethodJoined, Chosen: chosen,
			Note: fmt.Sprintf("%d of the answer's %d blocks of code were joined, because the last of them uses what the others define.", len(chosen), len(blocks))}
	}
	e := Extraction{Code: code, Method: MethodFence, Chosen: chosen}
	switch {
	case main.unclosed:
		e.Method = MethodUnclosed
		e.Note = "The answer ends inside its block of code; it may have been cut off."
	case len(blocks) > 1:
		e.Note = fmt.Sprintf("Block %d of the answer's %d was taken%s.", best+1, len(blocks), because(main, entry, language))
	default:
		e.Note = "The answer's only block of code was taken."
	}
	return e
}

func because(b block, entry, wanted string) string {
	if entry != "" && b.defines(entry, wanted) {
		return ", because it defines " + entry
	}
	return ""
}

// nothingFor reports the blocks' languages if the task requires another.
func nothingFor(blocks []block, language string) Extraction {
	var found []string
	for _, b := range blocks {
		if name := strings.ToUpper(b.language[:min(1, len(b.language))]) + b.language[min(1, len(b.language)):]; name != "" && !b.is(language) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	if len(found) == 0 {
		return Extraction{Method: MethodNone, Reason: NoCode, Note: fmt.Sprintf("The answer's %s no code in %s.", holds(len(blocks)), title(language))}
	}
	return Extraction{Method: MethodNone, Reason: NoLanguage, Note: fmt.Sprintf("The code is marked %s, and the task wants %s.", strings.Join(found, " and "), title(language))}
}

func holds(n int) string {
	if n == 1 {
		return "only block holds"
	}
	return fmt.Sprintf("%d blocks hold", n)
}

func title(name string) string {
	if name == "" {
		return "the task's language"
	}
	return language.Title(name)
}

// bare handles an answer without fences.
func bare(text, language, entry string) Extraction {
	none := Extraction{Method: MethodNone, Reason: NoCode, Note: "The answer holds no code."}
	if strings.TrimSpace(text) == "" {
		none.Reason, none.Note = NoAnswer, "The answer is empty."
		return none
	}
	if language != "python" {
		if entry != "" && strings.Contains(text, entry) {
			return Extraction{Code: text, Method: MethodBare, Note: "The answer has no marked block of code; all of it was taken."}
		}
		return none
	}
	if code, ok := transcript(text); ok {
		return Extraction{Code: code, Method: MethodTranscript,
			Note: "The code was taken from an interactive session, without its prompts and output."}
	}
	code := bareCode(text)
	if code == "" {
		return none
	}
	note := "The answer has no marked block of code; all of it was taken."
	if strings.TrimSpace(code) != strings.TrimSpace(text) {
		note = "The answer has no marked block of code; the lines that look like code were taken."
	}
	return Extraction{Code: code, Method: MethodBare, Note: note}
}
