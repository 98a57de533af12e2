package plain_test

import (
	"testing"

	"assay/session"
	"assay/session/engine/enginetest"
)

// A repository line by line: its files go into the prompt, the changes are told by file, the tests by list, and
// whether the answer would be merged is asked with the reasons.
func TestRepository(t *testing.T) {
	r := rig(t, 1, func(c *session.Choice) { c.Benchmark = enginetest.Repositories(1) }, enginetest.UnfittingDiff, enginetest.BreakingFiles)
	said := talk(t, r, `open
.files
.file shop/words.py
.file logo.png
.show
.
tests
changes
refine
Correct it.
.
tests
changes
give
3
3
3
3
3
3
3
3
yes
code
no
no it greets others
commit
`)
	says(t, said, "shop/cart.py", "Inserted: shop/words.py, with 16 characters.", "logo.png is not text", "HELLO = 'hello'",
		"Tests: does not apply", "The answer does not apply: shop/cart.py",
		"Tests: breaks tests that passed before, 2 of 5 passed", "test_two, which must pass now, fails", "test_words, which passed before, fails",
		"shop/new.py: new, 1 line added, 0 deleted.", "Would you merge this?", "Say why, in the same line")
	task := r.Engine.State().Tasks[0]
	if m := task.Merge; !task.Closed || m == nil || m.Answer != session.MergeNo || m.Text != "it greets others" {
		t.Errorf("%+v", task.Merge)
	}
}
