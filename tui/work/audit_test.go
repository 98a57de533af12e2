package work_test

import (
	"testing"

	"assay/session/engine"
)

// The judged block is marked with how it was found, others with why they are not judged, and another can be judged.
func TestAudit(t *testing.T) {
	const answer = "First:\n\n```python\ndef double(n):\n    return n  # wrong\n```\n\nBetter:\n\n```python\ndef double(n):\n    return 2 * n\n```\n"
	d, rig := configured(t, asIs, func(*engine.Config) {})
	rig.Client.Say(answer)
	d.Press("enter").Sees("ctrl+s send").Press("Double it", "ctrl+s").Sees("y satisfied", "tests ✓",
		"not judged: A later block does the same.", " ▏ def double(n):\n ▏     return n  # wrong",
		"▌ judged: Block 2 of the answer's 2 was taken", "▌ def double(n):\n ▌     return 2 * n")
	d.Press("4").Sees("complexity").Press("1").Press("t").Sees("Judge block 1 of 2 instead (2 lines").Press("esc").Sees("tests ✓")
	d.Press("t", "y").Sees("tests ✗ 2/3", "▌ judged: Block 1 of the answer's 2 was taken by the tester.", "▌ def double(n):\n ▌     return n  # wrong")
	if e := rig.Engine.State().Attempt().Extracted; e.Candidate != 1 {
		t.Errorf("%+v", e)
	}
}

// A block that is marked with another language than the task's says so, judged or not.
func TestOtherLanguage(t *testing.T) {
	for answer, says := range map[string]string{
		"```javascript\nfunction double(n) { return 2 * n }\n```\n":                                                  "▌ judged: The answer's only block of code was taken. It is marked JavaScript,",
		"```js\nfunction double(n) {}\n```\n\nor\n\n```python\ndef double(n):\n    return 2 * n\n```\n":              "not judged: It does not parse. It is marked JavaScript, and the task wants",
		"```go\nfunc double(n int) int\n```\n\nor\n\n```py3\ndef double(n):\n    return 2 * n\n```\n\nThat is it.\n": "It is marked Go, and the task wants",
	} {
		d, rig := configured(t, asIs, func(*engine.Config) {})
		rig.Client.Say(answer)
		d.Press("enter").Sees("ctrl+s send").Press("Double it", "ctrl+s").Sees("tests ✓", says).Lacks("marked Python")
	}
}

// Code without a fence is told apart from the prose around it.
func TestAuditOfBareCode(t *testing.T) {
	d, rig := configured(t, asIs, func(*engine.Config) {})
	rig.Client.Say("Sure.\n\ndef double(n):\n    # twice\n    return 2 * n\n\nIt doubles.\n")
	d.Press("enter").Sees("ctrl+s send").Press("Double it", "ctrl+s").Sees("tests ✓", "▌ judged: The answer has no marked block",
		"▌ def double(n):\n ▌     # twice\n ▌     return 2 * n", " It doubles.")
}

// Why nothing is judged, and that no other block can be, is said.
func TestAuditOfNothing(t *testing.T) {
	d, rig := configured(t, asIs, func(*engine.Config) {})
	rig.Client.Say("Look:\n\n```\n```\n\nand\n\n```python\n```\n\nThat is all.\n")
	d.Press("enter").Sees("ctrl+s send").Press("Double it", "ctrl+s").Sees("y satisfied", "– nothing is judged: ").Press("t").Sees("not now: ")
}
