package settings

import (
	"slices"

	"assay/tui/difficulty"
	"assay/tui/estimate"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/models"
	"assay/tui/overlap"
	"assay/tui/prompts"
	"assay/tui/replay"
	"assay/tui/tasks"
)

// Keys are assay's own keys of a scope, as legends write them: those that can be given
// another. What everywhere has is not listed again.
func Keys(scope frame.Scope) []frame.Key {
	c := sharedKeys()
	switch scope {
	case frame.ScopeCompose, frame.ScopeWaiting, frame.ScopeReview, frame.ScopeRating, frame.ScopeBetween, frame.ScopeSummary:
		return sessionKeys(scope, c)
	case frame.ScopeHome:
		return frame.Merged(home.Keys())
	case frame.ScopeSetup:
		return []frame.Key{
			{Press: "↑↓", Does: "move"}, {Press: "tab", Does: "move down, or choose a completion"}, {Press: "shift+tab", Does: "move up"},
			{Press: "←→", Does: "change"}, {Press: "space", Does: "change"}, {Press: "enter", Does: "begin, or take a completion"}, c.back,
		}
	case frame.ScopeTasks:
		return tasks.Keys()
	case frame.ScopeResults:
		return slices.Concat([]frame.Key{
			c.enter, {Press: "/", Does: "find"}, {Press: "o", Does: "order; save the program's files"}, {Press: "r", Does: "write report"},
			{Press: "d", Does: "a figure in another form; delete a session"}, {Press: "1-9", Does: "pages, attempts or views"}, {Press: "←→", Does: "other page, task or view"},
			{Press: "[ ]", Does: "other task or attempt"}, {Press: "c", Does: "copy the code; continue an open session"}, {Press: "n", Does: "next hit; name a session"}, {Press: "tab", Does: "next page or view"},
			{Press: "shift+tab", Does: "page or view before"}, c.back, c.quit,
			{Press: "C", Does: "copy the whole answer"}, {Press: "N", Does: "hit before"}, {Press: "z", Does: "fold or unfold what is long"},
			{Press: "f", Does: "failed tests only"}, {Press: "s", Does: "changes side by side"}, {Press: ". ,", Does: "next change, change before"},
			{Press: "p", Does: "picture"}, {Press: "x", Does: "open a file outside; close a session"}, {Press: "b", Does: "a page back"},
			{Press: "v", Does: "results of a session; back to the form, where an answer is rated"}, c.sure,
		}, c.long, c.scroll)
	case frame.ScopeModels:
		return frame.Merged(models.Keys())
	case frame.ScopePrompts:
		return prompts.Keys()
	case frame.ScopeEstimate:
		return estimate.Keys()
	case frame.ScopeOverlap:
		return overlap.Keys()
	case frame.ScopeDifficulty:
		return difficulty.Keys()
	case frame.ScopeReplay:
		return frame.Merged(replay.Keys())
	}
	return []frame.Key{{Press: "ctrl+p", Does: "commands"}, {Press: "?", Does: "keys, where no text is typed"}, {Press: "f1", Does: "keys"}}
}

// sessionKeys are those of the views of a session.
func sessionKeys(scope frame.Scope, c shared) []frame.Key {
	switch scope {
	case frame.ScopeCompose:
		return slices.Concat([]frame.Key{
			{Press: "ctrl+s", Does: "send"}, {Press: "ctrl+t", Does: "insert"}, {Press: "ctrl+o", Does: "editor"}, {Press: "tab", Does: "turns"},
			{Press: "f3", Does: "leave the task out"}, {Press: "f4 f5", Does: "scroll what stands above"},
			{Press: "f6", Does: "back to the answer: take the judgement back"}, {Press: "f7", Does: "prompts sent before; an older one"},
			{Press: "f8", Does: "difference to the prompt before; a newer one"}, {Press: "ctrl+z ctrl+r", Does: "undo, redo"},
			{Press: "ctrl+space", Does: "select"}, {Press: "f9", Does: "select all"}, {Press: "ctrl+x ctrl+g ctrl+v", Does: "cut, copy, paste"},
			{Press: "enter", Does: "insert what is chosen"}, {Press: "r", Does: "replace the draft by what is chosen"}, {Press: "↑↓", Does: "choose"},
			{Press: "1-6", Does: "what to insert"}, c.pause, c.back, c.sure,
		}, c.aside)
	case frame.ScopeWaiting:
		return slices.Concat([]frame.Key{
			{Press: "esc", Does: "stop, or back to the prompt"}, {Press: "b", Does: "a page back"},
			{Press: "1-8", Does: "views"}, {Press: "tab", Does: "next view; prompt or task, where an answer is pasted"}, {Press: "shift+tab", Does: "view before"}, {Press: "←→", Does: "view before, next view"}, {Press: "h l", Does: "the same"},
			{Press: "ctrl+y", Does: "copy the prompt"}, {Press: "ctrl+s", Does: "hand in"}, {Press: "f4 f5", Does: "scroll what stands above"},
			{Press: "ctrl+z ctrl+r", Does: "undo, redo"}, {Press: "ctrl+space", Does: "select"}, {Press: "f9", Does: "select all"},
			{Press: "ctrl+x ctrl+g ctrl+v", Does: "cut, copy, paste"}, c.pause,
		}, c.long, c.scroll, c.aside)
	case frame.ScopeReview:
		return slices.Concat([]frame.Key{
			{Press: "y", Does: "satisfied; yes, where assay asks"}, {Press: "r", Does: "refine"}, {Press: "g", Does: "give up"},
			{Press: "enter", Does: "unfold; keep a note"}, c.pause, c.back,
			{Press: "↑↓ pgup pgdn home end", Does: "choose or scroll"}, {Press: "j k G", Does: "the same"}, {Press: "space ctrl+d ctrl+u", Does: "by pages, half pages"},
		}, c.view, c.aside)
	case frame.ScopeRating:
		return slices.Concat([]frame.Key{
			{Press: "1-9", Does: "rate, go on; views of the answer"},
			{Press: "↑↓", Does: "move, scroll"}, {Press: "k j", Does: "move"}, {Press: "u", Does: "undo"},
			{Press: "v", Does: "answer"}, {Press: "enter", Does: "commit; keep a note"},
			{Press: "a b c d e f g h i l m n o p r s w x y z", Does: "the answers of labels; over the answer what they do in review"}, c.pause, c.back,
		}, slices.DeleteFunc(c.view, func(k frame.Key) bool {
			return k.Press == "1-8" || k.Press == "h l" || len(k.Press) == 1 && k.Press >= "a"
		}), c.aside)
	case frame.ScopeBetween:
		return slices.Concat([]frame.Key{
			{Press: "enter", Does: "open the task, or go on"}, {Press: "b", Does: "break"}, {Press: "x", Does: "leave the task out"}, {Press: "u", Does: "correct the last rating"},
			{Press: "y", Does: "I agree; yes, where assay asks"}, {Press: "space", Does: "read on"}, {Press: "↑↓", Does: "scroll; other question"}, {Press: "1-9", Does: "answer a question"}, {Press: "tab", Does: "next question"},
			{Press: "shift+tab", Does: "question before"}, c.pause, {Press: "esc", Does: "home"}, c.quit,
		}, c.aside)
	case frame.ScopeSummary:
		return []frame.Key{
			{Press: "enter", Does: "home"}, {Press: "v", Does: "look at the attempts"}, {Press: "1-9", Does: "pages"}, {Press: "d", Does: "a figure in another form"},
			{Press: "←→", Does: "page before, next page"}, {Press: "↑↓ pgup pgdn home end", Does: "scroll"}, {Press: "r", Does: "write the report again"}, c.back, c.quit,
		}
	}
	return nil
}

// shared are the keys that several scopes have.
type shared struct {
	pause, back, enter, quit, note, sure frame.Key
	scroll, aside, view, long            []frame.Key
}

func sharedKeys() shared {
	long := []frame.Key{{Press: "w", Does: "break long lines of code, or let them run on"}, {Press: "< >", Does: "scroll to the left, to the right"}}
	return shared{
		pause: frame.Key{Press: "f2", Does: "pause"}, back: frame.Key{Press: "esc", Does: "back, or close what is open"},
		enter: frame.Key{Press: "enter", Does: "open, take or go on"}, quit: frame.Key{Press: "q", Does: "back"},
		note: frame.Key{Press: "f12", Does: "note"}, sure: frame.Key{Press: "y", Does: "yes, where assay asks"},
		scroll: []frame.Key{{Press: "↑↓ pgup pgdn home end", Does: "choose or scroll"}, {Press: "space", Does: "the same as pgdn"}, frame.VimKeys},
		aside:  []frame.Key{{Press: "f12", Does: "note on this task"}, {Press: "f10", Does: "flag something for the study's owner"}},
		view: []frame.Key{
			{Press: "1-8", Does: "the views of an answer"}, {Press: "c", Does: "copy the code"}, {Press: "o", Does: "save the program's files"},
			{Press: "/", Does: "find"}, {Press: "n", Does: "next hit"}, {Press: "tab", Does: "next view"}, {Press: "shift+tab", Does: "view before"},
			{Press: "←→", Does: "view before, next view"}, {Press: "h l", Does: "the same"}, {Press: "C", Does: "copy the whole answer"},
			{Press: "N", Does: "hit before"}, {Press: "z", Does: "fold or unfold what is long"}, {Press: "f", Does: "failed tests only"},
			{Press: "s", Does: "changes side by side"}, {Press: "[ ]", Does: "compare with another attempt"}, {Press: ". ,", Does: "next change, change before"},
			{Press: "p", Does: "picture"}, {Press: "x", Does: "open a file outside"}, {Press: "b", Does: "a page back"},
			long[0], long[1],
		},
		long: long,
	}
}

// offers reports whether assay has a key in a scope.
func offers(scope frame.Scope, own string) bool {
	for _, k := range append(Keys(scope), Keys(frame.ScopeEverywhere)...) {
		if slices.Contains(frame.Presses(k.Press), own) {
			return true
		}
	}
	return false
}
