package plain_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/llm"
	"assay/tui/plain"
)

// glyphs have no word that a line-based screen reader says: lines and boxes, blocks,
// arrows, geometric shapes, dingbats, braille, private use and controls.
func glyph(r rune) bool {
	switch {
	case r >= 0x2190 && r <= 0x21ff, r >= 0x2300 && r <= 0x23ff, r >= 0x2500 && r <= 0x25ff,
		r >= 0x2600 && r <= 0x27bf, r >= 0x2800 && r <= 0x28ff, r >= 0x2900 && r <= 0x297f, r >= 0x2b00 && r <= 0x2bff,
		r == '…', r == '·', r == '•', r == '‖', r == '│':
		return true
	}
	return unicode.Is(unicode.Co, r) || unicode.IsControl(r)
}

// forTheEar checks that every line of a session means something to who hears it: each has
// a word, none has a glyph, and none is drawn over.
func forTheEar(t *testing.T, said string) {
	t.Helper()
	inCode := false
	for n, line := range strings.Split(said, "\n") {
		switch {
		case strings.HasPrefix(line, "Code in ") || line == "Code:" || line == "The code:":
			inCode = true
		case strings.HasPrefix(line, "End of "):
			inCode = false
		}
		if strings.ContainsFunc(line, glyph) {
			t.Errorf("line %d has a glyph: %q", n+1, line)
		}
		word := strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
		if strings.TrimSpace(line) != "" && !word && !inCode {
			t.Errorf("line %d has no word: %q", n+1, line)
		}
		if len(line) != len(strings.TrimRight(line, " ")) {
			t.Errorf("line %d ends with spaces, so that what follows runs into it: %q", n+1, line)
		}
	}
}

// Every line of a whole session says something to somebody who only hears it: also of an
// answer with rulers, tables and fences, of failed tests, a pause and lists of commands.
func TestEveryLineIsForTheEar(t *testing.T) {
	decorated := "# Plan\n\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n" + wrong + "\n***\n\nDone.\n\n~~~\nx = 1\n~~~\n"
	r := rig(t, 2, func(*session.Choice) {}, decorated, right, "```python\ndef double(n):\n    return 2 *", right)
	said := talk(t, r, `?
open
.help
Double it.
.show
.task
.
tests
help
answer
code
measures
prompt
solution
refine
.help
.insert failing
.pause

.
tests
undo
.undo
satisfied
x
3
3
3
3
3
3
3
3
yes
commit
open
Another
.
code
answer
tests
give
3
3
3
3
3
3
3
3
no
code
note terse
commit
`)
	forTheEar(t, said)
	says(t, said, "A new session starts: tiny with scripted, 0 of 2 tasks done.", "Code in python:", "End of the code.", "The answer ends inside the code.",
		".insert WHAT: append", ".skip REASON: leave the task out", ".quit: leave", "refine: write another prompt",
		"This is a conversation: your earlier prompts for this task and their answers are sent along.")
	if strings.Contains(said, "```") || strings.Contains(said, "|---|") || strings.Contains(said, `"help" is not clear`) {
		t.Errorf("what nobody can hear was said:\n%s", said)
	}
}

// A prompt that goes alone says so, and a further session of a study is announced.
func TestWhatGoesAlongAndWhichSession(t *testing.T) {
	r := rig(t, 1, func(c *session.Choice) {
		c.Context = session.Fresh
		c.Study = &session.InStudy{Name: "Two models", Part: 2, Shown: "Model B"}
	}, wrong, right)
	said := talk(t, r, "\nopen\nDouble\n.\nrefine\n.quit\n")
	says(t, said, "A new session starts: session 2 of your sessions in the study Two models: tiny with Model B, 0 of 1 task done.", "Your prompt is sent alone")
	forTheEar(t, said)
	fatal.If(t, r.Crash(1000))
	says(t, talk(t, r, ".quit\n"), "You continue a session: session 2 of your sessions")
}

// refused is a client whose first try is refused, upon which it closes told; it answers when heard is closed.
type refused struct{ told, heard chan struct{} }

func (c refused) Stream(ctx context.Context, _ llm.Request, delta func(string)) (llm.Answer, error) {
	llm.Tell(ctx, llm.Progress{Stage: llm.Retrying, Try: 2, Tries: 4, Why: "429 Too Many Requests", Asked: true, Wait: 8 * time.Second})
	close(c.told)
	select {
	case <-ctx.Done():
		return llm.Answer{}, ctx.Err()
	case <-c.heard:
	}
	delta(right)
	return llm.Answer{Text: right, FinishReason: "length"}, nil
}

// listener closes heard when something is said.
type listener struct {
	bytes.Buffer
	phrase string
	heard  chan struct{}
	once   sync.Once
}

func (l *listener) Write(p []byte) (int, error) {
	n, err := l.Buffer.Write(p)
	if strings.Contains(l.String(), l.phrase) {
		l.once.Do(func() { close(l.heard) })
	}
	return n, err
}

// A refused request and an answer without its end are told, and the prompt can be heard
// while the model is waited for.
func TestWaitIsTold(t *testing.T) {
	r := rig(t, 1, func(*session.Choice) {})
	out, told := &listener{phrase: "End of what was sent.", heard: make(chan struct{})}, make(chan struct{})
	eng := r.Reopen(t, func(cfg *engine.Config) { cfg.Client = refused{told, out.heard} })
	typed, typing := io.Pipe()
	go func() {
		_, _ = io.WriteString(typing, "open\nDouble it\n.\n")
		<-told
		_, _ = io.WriteString(typing, "how\nprompt\nsat\n")
		_ = typing.Close()
	}()
	lines := plain.Lines(t.Context(), typed)
	fatal.If(t, plain.Run(t.Context(), eng, lines, out, plain.Options{}))
	said := out.String()
	says(t, said, "429 Too Many Requests. The server asked to wait 8 seconds; try 2 of 4 follows in 8 seconds.",
		"What was sent:\nDouble it\nEnd of what was sent.", "Careful: The answer reached its length limit: its end is missing.")
	forTheEar(t, said)
}

// What a model thought is said to be that, apart from its answer or in it, and is not read out where the study hides it.
func TestThinkingIsForTheEar(t *testing.T) {
	for _, hidden := range []bool{false, true} {
		r := rig(t, 1, func(c *session.Choice) { c.Rules.HideThinking = hidden }, "<think>\nA secret thought.\n</think>\n\n"+right)
		said := talk(t, r, "open\nDouble it.\n.\nanswer\n")
		if want := "Thinking, which is not judged:\n<think>\nA secret thought.\n</think>\nEnd of the thinking.\n"; strings.Count(said, want) != 2 && !hidden {
			t.Errorf("%q is not in\n%s", want, said)
		}
		if want := "(the study does not show what the model thought)\n"; hidden && (strings.Contains(said, "secret") || !strings.Contains(said, want)) {
			t.Errorf("%q is not in\n%s", want, said)
		}
		forTheEar(t, said)
	}
}
