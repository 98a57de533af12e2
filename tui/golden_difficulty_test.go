package tui_test

import (
	"testing"

	screen "assay/tui/difficulty"
	"assay/tui/tuitest"
)

func init() { screens = append(screens, difficultyScreens...) }

// difficultyScreens are those of the browser of difficulty.
var difficultyScreens = []goldenScreen{
	{"difficulty", func(t *testing.T) *tuitest.Driver { return tuitest.Hard(t).Sees("16 tasks") }},
	{"difficulty-suspect", func(t *testing.T) *tuitest.Driver {
		return tuitest.Hard(t).Press("s", "enter").Sees("matrix/2", "may be wrong")
	}},
	{"difficulty-curve", func(t *testing.T) *tuitest.Driver {
		return tuitest.Hard(t).Press("down", "2").Sees("Score expected by ability")
	}},
	{"difficulty-respondents", func(t *testing.T) *tuitest.Driver {
		return tuitest.Hard(t).Press("s", "3").Sees("model-j", "± partly")
	}},
	{"difficulty-answers", func(t *testing.T) *tuitest.Driver {
		return tuitest.Hard(t).Press("s", "4").Sees("answer 1 of 2", "return 1")
	}},
	{"difficulty-answers-trouble", func(t *testing.T) *tuitest.Driver {
		return tuitest.Hard(t).Press("/", "clock", "enter", "4").Sees("the disk is gone")
	}},
	{"difficulty-filter", func(t *testing.T) *tuitest.Driver {
		return tuitest.Hard(t).Press("/", "kind:").Sees("write kind:suspect")
	}},
	{"difficulty-nothing", func(t *testing.T) *tuitest.Driver {
		return tuitest.Hard(t).Press("/", "score>0.99", "enter").Sees("No task matches")
	}},
	{"difficulty-topics", func(t *testing.T) *tuitest.Driver { return tuitest.Hard(t).Press("t").Sees("no topic", "r rename") }},
	{"difficulty-topic", func(t *testing.T) *tuitest.Driver {
		return tuitest.Hard(t).Press("t", "enter").Sees("the topic", "5 of 16")
	}},
	{"difficulty-rename", func(t *testing.T) *tuitest.Driver {
		return tuitest.Hard(t).Press("t", "r").Sees("enter rename").Press("!").Sees("!")
	}},
	{"difficulty-merge", func(t *testing.T) *tuitest.Driver {
		return tuitest.Hard(t).Press("t", "m", "down").Sees("into the chosen topic")
	}},
	{"difficulty-merged", func(t *testing.T) *tuitest.Driver {
		d := tuitest.Hard(t).Press("t", "m", "down", "enter").Sees("now part of", "2 topics", "u undo")
		d.Settled()
		return d
	}},
	{"difficulty-bare", func(t *testing.T) *tuitest.Driver {
		return tuitest.Hard(t, func(o *screen.Options) { o.Tasks, o.Answers, o.Topics = nil, nil, nil }).Press("enter").Sees("There are no statements")
	}},
}
