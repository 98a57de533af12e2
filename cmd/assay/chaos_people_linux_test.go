package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/crypto/ssh"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session"
	"assay/session/overlap"
	"assay/tui/serve/servetest"
)

// looker is a person at a screen.
type looker struct {
	screen func() string
	press  func(keys string) error
	over   func() bool // the program has ended
}

// works presses the keys that step returns for each screen until step is finished, the program has ended,
// or the screen no longer changes. It reports whether step finished.
func (l looker) works(step func(screen string) (keys string, done bool)) (done bool) {
	last, since, pressed := "", time.Now(), false
	for began := since; !l.over() && time.Since(since) < 10*time.Second && time.Since(began) < time.Minute; {
		time.Sleep(5 * time.Millisecond)
		screen := l.screen()
		if screen != last {
			last, since, pressed = screen, time.Now(), false
			continue // more may come
		}
		if pressed {
			continue
		}
		keys, done := step(screen)
		if done {
			return true
		}
		if pressed = keys != ""; pressed && l.press(keys) != nil {
			return false
		}
	}
	return false
}

// prepareServe freezes a study, and adds ann's key.
func (e *episode) prepareServe() {
	e.t.Helper()
	if code := e.wait(e.start(nil, "study", "freeze", "study.toml")); code != 0 {
		e.t.Fatalf("freezing: exit code %d\n%s", code, e)
	}
	_, signer, err := servetest.Key()
	fatal.If(e.t, err)
	e.signer = signer
	keys := append(bytes.TrimSpace(ssh.MarshalAuthorizedKey(signer.PublicKey())), " ann\n"...)
	fatal.If(e.t, os.Mkdir(filepath.Join(e.dir, "serve"), 0o700))
	fatal.If(e.t, os.WriteFile(filepath.Join(e.dir, "serve", "keys"), keys, 0o600))
}

var servedAt = regexp.MustCompile(`served at (\S+);`)

// serve connects a tester over SSH who sends some prompts while the fault strikes the server.
func (e *episode) serve(prompts int) {
	e.t.Helper()
	p := e.start(nil, "serve", "study.toml", "--dir", "serve", "--listen", "127.0.0.1:0")
	stop := e.struckBy(p)
	ended := make(chan int, 1)
	go func() { ended <- e.wait(p) }()
	var address []string
	for since := time.Now(); address == nil && !p.over() && time.Since(since) < patience; time.Sleep(5 * time.Millisecond) {
		address = servedAt.FindStringSubmatch(p.out.String())
	}
	last := ""
	if address != nil {
		config := servetest.Config("ann", ssh.PublicKeys(e.signer))
		config.Timeout = 10 * time.Second
		if guest, err := servetest.ComeIn(address[1], config); err == nil {
			guests := looker{guest.Screen, guest.Type, func() bool { return p.over() || guest.Ends(0) == nil }}
			guests.works(e.tests(prompts))
			last = guest.Screen()
			guest.Close()
		} else {
			last = err.Error()
		}
	}
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	code := <-ended
	stop()
	e.step("ann sees last\n%s", last)
	if code == 128+int(syscall.SIGTERM) { // its ordinary end
		code = 0
	}
	e.judge(code, e.lost() == "")
}

// tests is a tester who sends n prompts.
func (e *episode) tests(left int) func(screen string) (keys string, done bool) {
	pending, sent, entered := "", false, 0
	return func(screen string) (string, bool) {
		has := func(text string) bool { return strings.Contains(screen, text) }
		composing := has("ctrl+s send")
		if sent && !composing && (has("y satisfied") || has("ctrl+c leave") || has("esc stop")) {
			e.talk.acked = append(e.talk.acked, pending)
			pending, sent = "", false
			left--
		}
		switch {
		case left == 0:
			return "", true
		case has("Rate the final answer") && has("▸ Explanation"):
			return "y", false
		case has("Rate the final answer") && has("▸ What the model got wrong"):
			return "c", false
		case has("Rate the final answer") && !has("complete: enter commits"):
			return strconv.Itoa(1 + e.draw.IntN(5)), false
		case composing && pending != "" && !sent && has(pending):
			sent = true
			return "\x13", false
		case composing && pending == "":
			pending = fmt.Sprintf("chaos prompt %d, in words", len(e.talk.typed))
			e.talk.typed = append(e.talk.typed, pending)
			if _, editor, _ := strings.Cut(screen, "your prompt"); strings.Contains(editor, "chaos prompt") {
				return "\r" + pending, false // below the text typed before the server ended
			}
			return pending, false
		case has("y satisfied") && has("r refine") && e.draw.IntN(2) == 0:
			return "r", false
		case has("y satisfied"):
			return "y", false
		case entered > 4: // the session cannot be opened
			return "", true
		case has("enter begins it"), has("enter goes on"):
			entered++
			return "\r", false
		case has("Leave assay?"), has("enter go on"), has("any key goes on"), has("enter open the task"), has("enter commits"), has("Session finished"):
			return "\r", false
		}
		return "", false
	}
}

func finishServe(e *episode) {
	e.t.Helper()
	if e.truncated {
		return
	}
	began, before := time.Now(), len(e.talk.acked)
	e.serve(3)
	if n := len(e.talk.acked) - before; n != 3 {
		e.t.Errorf("%d of 3 prompts were sent", n)
	}
	e.took = time.Since(began)
	if problem := e.lost(); problem != "" {
		e.t.Error(problem)
	}
	if code := e.wait(e.start(nil, "session", "verify")); code != 0 {
		e.t.Errorf("verify: exit code %d", code)
	}
}

// ratedItems are the answers to rate.
const ratedItems = 4

// ratingsHeader is a plan for made-up answers.
var ratingsHeader = sync.OnceValues(func() (overlap.Header, error) {
	texts := map[session.Ref][]byte{}
	text := func(s string) session.Ref {
		ref := session.RefOf([]byte(s))
		texts[ref] = []byte(s)
		return ref
	}
	plan := session.Plan{Benchmark: "chaos", K: 1, Context: session.Conversation, Tester: "tess", Model: session.Model{Name: "m", Provider: "made up"},
		Attributes: []session.Attribute{{ID: "accuracy", Name: "Accuracy"}, {ID: "clarity", Name: "Clarity"}, {ID: "depth", Name: "Depth"}},
		Rules:      session.Rules{Labels: []session.Label{}}}
	for i := range ratedItems {
		task := benchmark.Task{ID: fmt.Sprintf("t-%d", i), Title: "Double", Language: "python", Description: "Return twice the number."}
		ref, content := session.TaskContent(&task)
		texts[ref] = content
		plan.Tasks = append(plan.Tasks, session.PlanTask{ID: task.ID, Title: task.Title, Content: ref})
	}
	payloads := []session.Payload{session.Opened{Session: "S", Plan: plan}}
	for i := range ratedItems {
		payloads = append(payloads, session.TaskOpened{Index: i, Task: fmt.Sprintf("t-%d", i)})
		if i == 0 {
			payloads = append(payloads, session.EditStarted{Attempt: 1})
		}
		payloads = append(payloads,
			session.PromptSent{Attempt: 1, Try: 1, Prompt: text(fmt.Sprintf("asks %d", i)), Bytes: 6},
			session.AnswerReceived{Attempt: 1, Answer: text(fmt.Sprintf("answer %d", i)), Bytes: 8, FinishReason: "stop", Model: "m"},
			session.CodeExtracted{Task: i, Attempt: 1, Code: text("def f(): pass"), Bytes: 13, Method: "whole"},
			session.Judged{Attempt: 1, Decision: session.DecideSatisfied},
			session.Rated{Attribute: "accuracy", Score: 1}, session.Rated{Attribute: "clarity", Score: 1}, session.Rated{Attribute: "depth", Score: 1},
			session.TaskClosed{Index: i, Outcome: session.Satisfied})
	}
	var events []session.Event
	for i, payload := range append(payloads, session.Closed{Reason: "finished"}) {
		n := int64(i + 1)
		events = append(events, session.Event{Seq: uint64(n), Payload: payload, Stamp: session.Stamp{Wall: 1_772_000_000_000 + n, Mono: n, Process: "p", Boot: "b"}})
	}
	pool := overlap.NewPool()
	err := pool.Add(events, func(ref session.Ref) ([]byte, error) { return texts[ref], nil }, session.SeeNothing)
	if err != nil {
		return overlap.Header{}, err
	}
	return overlap.Make(pool, overlap.Setup{Raters: []string{"ann"}, Overlap: 1, Seed: 1, Tests: session.SeeNothing})
})

func (e *episode) ratingsFile() string { return filepath.Join(e.disk, "ratings.jsonl") }

func (e *episode) prepareRatings() {
	e.t.Helper()
	h, err := ratingsHeader()
	if err == nil {
		err = overlap.Create(e.ratingsFile(), h)
	}
	fatal.If(e.t, err)
}

var (
	ratedItem = regexp.MustCompile(`(\d+) of ` + strconv.Itoa(ratedItems))
	ratedToGo = regexp.MustCompile(`· (\d+) to go`)
)

// rate lets a person rate a number of attributes on a terminal while the fault strikes. It reports whether
// that was possible.
func (e *episode) rate(ratings int) (done bool) {
	e.t.Helper()
	master, slave := openTerminal(e.t, 140, 40)
	p := e.start(func(cmd *exec.Cmd) {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		cmd.Env = append(cmd.Env, "TERM=vt100")
	}, "rate", "answers", "disk/ratings.jsonl", "--rater", "ann")
	slave.Close()
	screen, mu := servetest.NewScreen(140, 40), sync.Mutex{}
	drawn := make(chan struct{})
	go func() {
		defer close(drawn)
		_, _ = io.Copy(p.out, readerFunc(func(b []byte) (int, error) {
			n, err := master.Read(b)
			mu.Lock()
			defer mu.Unlock()
			_, _ = screen.Write(b[:n])
			return n, err
		}))
	}()
	stop := e.struckBy(p)
	ended := make(chan int, 1)
	go func() { ended <- e.wait(p) }()
	sees := func() string { mu.Lock(); defer mu.Unlock(); return screen.String() }
	rater := looker{sees, func(keys string) error { _, err := master.WriteString(keys); return err }, p.over}
	done = rater.works(e.fills(ratings))
	last := sees()
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	code := <-ended
	e.step("ann saw last\n%s", last)
	stop()
	<-drawn
	master.Close()
	if code == 128+int(syscall.SIGTERM) {
		code = 0
	}
	e.judge(code, e.lostRatings() == "")
	return done
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// fills is a rater who fills in a number of rows of forms, or all.
func (e *episode) fills(left int) func(screen string) (keys string, done bool) {
	row, score := [2]int{-1, -1}, 0
	return func(screen string) (string, bool) {
		item, togo := ratedItem.FindStringSubmatch(screen), ratedToGo.FindStringSubmatch(screen)
		rated := strings.Contains(screen, "✓ rated")
		if item == nil || togo == nil && !rated {
			return "", false
		}
		n, _ := strconv.Atoi(item[1])
		at := [2]int{n - 1, 3}
		if togo != nil {
			to, _ := strconv.Atoi(togo[1])
			at[1] -= to
		}
		if score > 0 && at[0] == row[0] && at[1] == row[1]+1 {
			e.rated[row], score = score, 0
			left--
		}
		switch {
		case left == 0 || strings.Contains(screen, "All are rated"):
			return "", true
		case score > 0 && at == row: // it was not kept
			return "", false
		case rated:
			return "\r", false
		}
		row, score = at, 1+e.draw.IntN(5)
		return strconv.Itoa(score), false
	}
}

// lostRatings compares the file of ratings with the acknowledged ratings.
func (e *episode) lostRatings() string {
	set, err := overlap.Open(e.ratingsFile())
	if err != nil {
		return err.Error()
	}
	entries := set.For("ann")
	for row, score := range e.rated {
		attribute := set.Header.Attributes[row[1]].ID
		if got := entries[row[0]].Form.Scores[attribute]; got != score {
			return fmt.Sprintf("%s of answer %d was rated %d and seen to be kept; the file has %d", attribute, row[0]+1, score, got)
		}
	}
	return ""
}

func finishRatings(e *episode) {
	e.t.Helper()
	began := time.Now()
	if !e.rate(3*ratedItems + 1) {
		e.t.Errorf("the rater cannot go on")
	}
	e.took = time.Since(began)
	if problem := e.lostRatings(); problem != "" {
		e.t.Error(problem)
	}
	set, err := overlap.Open(e.ratingsFile())
	fatal.If(e.t, err)
	if missing := set.Missing(); missing > 0 {
		e.t.Errorf("%d answers are not rated", missing)
	}
	if !slices.Contains(e.files(), "disk/ratings.jsonl") {
		e.t.Error("the file of ratings is gone")
	}
}
