package tui_test

import (
	"testing"

	"assay/data/fatal"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/tui/tuitest"
)

// repositoryScreens are the screens of tasks that are repositories.
var repositoryScreens = []goldenScreen{
	{"repository-compose", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Shopping(t, nil)
		return d.Press("ctrl+t", "3").Sees("Names stay as they are", "all inserted")
	}},
	{"repository-files", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Shopping(t, nil, enginetest.BreakingFiles)
		return d.Press("r").Sees("your next message").Press("ctrl+l").Sees("6 of 6 files").Press("sh op").Sees("3 of 6 files").Press("down")
	}},
	{"repository-file", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Shopping(t, nil)
		return d.Press("ctrl+l").Sees("6 of 6 files").Press("cart.py", "enter").Sees("insert file")
	}},
	{"repository-file-search", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Shopping(t, nil)
		d.Press("ctrl+l").Sees("6 of 6 files").Press("cart.py", "enter").Sees("def total")
		d.Press("/", "nothing", "enter").Sees("not found here").Press("/", "ctrl+u", "Shelf_", "enter").Sees("1 of 20", "find")
		d.Press("N").Sees("20 of 20", "shelf_19").Press("esc").Sees("shelf_19").Press("n").Sees("nothing is searched for")
		return d.Press("/", "shelf_1 return", "esc", "/", "def shelf_1", "enter").Sees("7 of 11")
	}},
	{"repository-inserted", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Shopping(t, nil)
		d.Press("ctrl+l").Sees("6 of 6 files").Press("words", "ctrl+t").Sees("HELLO", "all inserted")
		return d.Press("ctrl+t", "7").Sees("tests/test_cart.py", "all inserted")
	}},
	{"repository-tests", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Shopping(t, nil, enginetest.ResolvingDiff, enginetest.BreakingFiles)
		return d.Press("2").Sees("since attempt 1", "must pass now")
	}},
	{"repository-resolved", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Shopping(t, nil, enginetest.BreakingFiles, enginetest.ResolvingDiff)
		return d.Press("2").Sees("✓ resolved")
	}},
	{"repository-tampered", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Shopping(t, nil, enginetest.ForgingBlocks)
		return d.Press("2").Sees("put back")
	}},
	{"repository-changes", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Shopping(t, nil, enginetest.BreakingFiles, enginetest.ResolvingDiff)
		return d.Press("3").Sees("the repository as given → attempt 2", "+1 −1")
	}},
	{"repository-changes-since", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Shopping(t, nil, enginetest.BreakingFiles, enginetest.ResolvingDiff)
		return d.Press("3").Sees("the repository as given").Press("[").Sees("attempt 1 → attempt 2 · 3 files").Press("}").Press("x").Sees("▸ shop/")
	}},
	{"repository-rating", func(t *testing.T) *tuitest.Driver { return mendedAnswer(t).Sees("10 to go") }},
	{"repository-merge", func(t *testing.T) *tuitest.Driver {
		d := mendedAnswer(t).Press("54321234", "y", "c").Sees("goes on").Press("enter").Sees("Would you merge this?")
		return d.Press("2", "7", "c").Sees("complete")
	}},
	{"repository-merge-reason", func(t *testing.T) *tuitest.Driver {
		d := mendedAnswer(t).Press("54321234", "y", "c").Sees("goes on").Press("enter").Sees("Would you merge this?")
		return d.Press("n", "enter").Sees("Give at least one reason")
	}},
	{"repository-transcript", func(t *testing.T) *tuitest.Driver {
		d, rig := tuitest.Shopping(t, nil)
		rig.Client.Answer(llm.Answer{Text: enginetest.ResolvingDiff, Transcript: "I read shop/cart.py.\n$ python3 -m pytest\n2 passed\n", InputTokens: 12345, OutputTokens: 678, CostUSD: 0.25, FinishReason: "stop"})
		return d.Press("Correct it.", "ctrl+s").Sees("satisfied", "✓ 5/5").Press("2").Sees("✓ resolved").Lacks("code: ").Press("6").Sees("I read shop/cart.py", "0.25 US dollars")
	}},
	{"repository-unfitting", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Shopping(t, nil, enginetest.UnfittingDiff)
		return d.Press("3").Sees("does not apply")
	}},
}

// mendedAnswer is the rating of an answer that was edited by hand.
func mendedAnswer(t *testing.T) *tuitest.Driver {
	t.Helper()
	d, rig := tuitest.Shopping(t, nil, enginetest.BreakingFiles)
	d.Press("g").Sees("Rate the final answer")
	fatal.If(t, rig.Engine.Mend(t.Context(), "shop/words.py", "HELLO = 'hello'\n", 65_000))
	return d.Sees("mended by hand: +1 −1 in 65 s, tests ✗ 2/5 → ✗ 3/5")
}
