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
	"assay/tui/results"
	"assay/tui/setup"
	"assay/tui/tasks"
	"assay/tui/work"
)

// Keys are assay's own keys of a scope, as legends write them: those that can be given
// another. What everywhere has is not listed again.
func Keys(scope frame.Scope) []frame.Key {
	switch scope {
	case frame.ScopeHome:
		return frame.Merged(home.Keys())
	case frame.ScopeSetup:
		return setup.Keys()
	case frame.ScopeTasks:
		return tasks.Keys()
	case frame.ScopeResults:
		return results.Keys()
	case frame.ScopeReplay:
		return frame.Merged(replay.Keys())
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
	case frame.ScopeEverywhere:
		return []frame.Key{{Press: "f1", Does: "keys"}, {Press: "ctrl+p", Does: "keys"}, {Press: "?", Does: "keys, where no text is typed"}}
	}
	return work.Keys(scope)
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
