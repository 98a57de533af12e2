package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/data/fatal"
	"assay/session"
	"assay/store"
)

// The model's words are letters, each of which it says once in an answer: what it thinks, and what it answers.
const (
	firstThought = '가'
	firstAnswer  = '一'
	mostWords    = 4000
)

// TestKilledStreams kills the program at random moments while an answer streams, rendered in one session and verbatim in
// another. All that had been on the screen for a second is shown when the session is continued, marked: of the answer,
// and of what the model thought before it. ASSAY_KILLS is the number of kills.
func TestKilledStreams(t *testing.T) {
	kills := 2
	if n, err := strconv.Atoi(os.Getenv("ASSAY_KILLS")); err == nil {
		kills = n
	}
	bin := builtAssay(t)
	for name, keys := range map[string]string{"rendered": "G", "verbatim": "mG"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			thoughts, answers := 0, 0
			dir := t.TempDir()
			words := make(chan int, 1) // how many the model thinks
			model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodPost { // its context is asked for
					http.NotFound(w, r)
					return
				}
				select {
				case n := <-words:
					talk(w, r, n)
				case <-r.Context().Done():
				}
			}))
			t.Cleanup(model.Close)
			models := filepath.Join(dir, "models.toml")
			fatal.If(t, os.WriteFile(models, fmt.Appendf(nil, "[[model]]\nname = \"talker\"\nprovider = \"openai\"\nmodel = \"m\"\nbase_url = %q\n", model.URL+"/v1"), 0o600))
			term := start(t, dir, 80, 24, nil, bin, "--models", models, "--model", "talker", "--tasks", "1", "--seed", "1", "--benchmark", "starter")
			term.sees("open the task", 0)
			from := term.mark()
			term.press("\r")
			term.sees("your prompt", from)
			term.press("say it")
			before := "" // what had arrived of the answer before, which is still being drawn when the next one is asked for
			for range (kills + 1) / 2 {
				words <- 50 + rand.IntN(300)
				seen := term.streamed(keys, time.Duration(1100+rand.IntN(1500))*time.Millisecond)
				text, thinking := arrived(t, filepath.Join(dir, "assay.db"))
				for _, r := range seen {
					if !strings.ContainsRune(text+thinking+before, r) {
						t.Fatalf("%q was on the screen for a second and is lost of %q, %q", r, thinking, text)
					}
				}
				before = text + thinking
				thoughts, answers = thoughts+min(1, strings.Count(string(seen), string(firstThought))), answers+min(1, strings.Count(string(seen), string(firstAnswer)))
				term = start(t, dir, 80, 24, nil, bin, "--models", models)
				term.sees("Continue", 0)
				from = term.mark()
				term.press("\r")
				term.sees("The answer was cut off when assay ended.", from)
				term.press("\t")
				term.sees("it is not judged", from)
				term.sees(string(firstThought), from)
			}
			term.end()
			if kills > 20 && (thoughts == 0 || answers == 0) {
				t.Errorf("%d kills after thoughts, %d after words of the answer: nothing was tested", thoughts, answers)
			}
			t.Logf("%d kills after thoughts, %d of them after words of the answer", thoughts, answers)
		})
	}
}

// streamed sends the prompt, kills the program a time after the first words, and returns those of the model's letters
// that had been printed for a second.
func (t *terminal) streamed(keys string, after time.Duration) (seen []rune) {
	t.tb.Helper()
	from := t.mark()
	t.press("\x13") // ctrl+s
	t.sees(string(firstThought), from)
	t.press(keys)
	time.Sleep(after) // the promise is about time
	killed := time.Now()
	t.end()
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, r := range t.printed[from:] {
		if (r >= firstThought && r < firstThought+mostWords || r >= firstAnswer && r < firstAnswer+mostWords) && killed.Sub(t.at[from+i]) > time.Second {
			seen = append(seen, r)
		}
	}
	return seen
}

// talk thinks so many words and then answers without an end.
func talk(w http.ResponseWriter, r *http.Request, thoughts int) {
	w.Header().Set("Content-Type", "text/event-stream")
	for n := range mostWords {
		field, word := "reasoning_content", string(rune(firstThought+n))
		if n >= thoughts {
			field, word = "content", string(rune(firstAnswer+n-thoughts))
		}
		if _, err := fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{%q:%q}}]}\n\n", field, word+" "); err != nil {
			return
		}
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// arrived is what a store has of the awaited answer of its only session, and of what the model thought.
func arrived(t *testing.T, path string) (text, thinking string) {
	t.Helper()
	state := kept(t, path)
	s, err := store.Open(path, store.Options{SnapshotEvery: -1})
	fatal.If(t, err)
	defer s.Close()
	read := func(ref session.Ref) string {
		if ref == "" {
			return ""
		}
		blob, err := s.Blob(ref)
		fatal.If(t, err)
		return string(blob)
	}
	for _, piece := range state.Attempt().Arriving {
		text, thinking = text+read(piece.Text), thinking+read(piece.Thinking)
	}
	return text, thinking
}
