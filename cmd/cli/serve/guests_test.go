package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"assay/benchmark/verdicts"
	"assay/cmd/cli/judges"
	"assay/data/fatal"
	"assay/session"
	"assay/store"
	"assay/tui/serve"
	"assay/tui/serve/servetest"
)

const patience = 60 * time.Second // far above what a screen needs

// shared is a text with several writers.
type shared struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *shared) Write(data []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(data)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// keysOf creates keys for people, as a file of keys and as signers.
func keysOf(t *testing.T, names ...string) (file string, signers map[string]ssh.Signer) {
	t.Helper()
	signers = map[string]ssh.Signer{}
	for _, name := range names {
		_, signer, err := servetest.Key()
		fatal.If(t, err)
		signers[name] = signer
		file += fmt.Sprintf("%s %s\n", bytes.TrimSpace(ssh.MarshalAuthorizedKey(signer.PublicKey())), name)
	}
	return file, signers
}

// open is a service in this process, reached over SSH.
type open struct {
	t       *testing.T
	address string
	signers map[string]ssh.Signer
	log     *shared
}

// opens serves a service to people with keys until the test ends.
func (s *service) opens(t *testing.T, names ...string) *open {
	t.Helper()
	o := &open{t: t, log: &shared{}}
	s.log = slog.New(slog.NewJSONHandler(o.log, nil))
	if s.study != nil {
		s.study.log = s.log
	}
	keys, signers := keysOf(t, names...)
	o.signers = signers
	door := serve.NewDoor(time.Now)
	fatal.If(t, door.AddKeys("keys", strings.NewReader(keys), false))
	server, err := s.server(&serveOptions{listen: "127.0.0.1:0"}, t.TempDir(), door)
	fatal.If(t, err)
	listener, err := server.Listen()
	fatal.If(t, err)
	o.address = listener.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, listener) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return o
}

// visitor is a person at a terminal.
type visitor struct {
	*servetest.Guest
	t *testing.T
}

// visits connects a visitor.
func visits(t *testing.T, address, name string, signers map[string]ssh.Signer) *visitor {
	t.Helper()
	g, err := servetest.ComeIn(address, servetest.Config(name, ssh.PublicKeys(signers[name])))
	fatal.If(t, err)
	t.Cleanup(g.Close)
	return &visitor{g, t}
}

func (o *open) comes(name string) *visitor {
	o.t.Helper()
	return visits(o.t, o.address, name, o.signers)
}

// sees waits for texts on the screen.
func (v *visitor) sees(texts ...string) *visitor {
	v.t.Helper()
	fatal.If(v.t, v.Sees(patience, texts...))
	return v
}

// press types keys, one after the other.
func (v *visitor) press(keys ...string) *visitor {
	v.t.Helper()
	for _, key := range keys {
		fatal.If(v.t, v.Type(key))
	}
	return v
}

// ends waits until the session has ended.
func (v *visitor) ends() *visitor {
	v.t.Helper()
	fatal.If(v.t, v.Ends(patience))
	return v
}

// brokenFleet panics at each sample.
type brokenFleet struct{ fakeFleet }

func (f *brokenFleet) Judge(context.Context, verdicts.Submission) (verdicts.Result, error) {
	panic("secret code")
}

// broke checks that the log has one panic of ann's, with its place in the code but without arguments.
func (o *open) broke(msg, where string) {
	o.t.Helper()
	told := 0
	for line := range strings.Lines(o.log.String()) {
		var entry struct{ Msg, Guest, Why, Stack string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			o.t.Errorf("%q: %v", line, err)
		}
		if strings.HasSuffix(entry.Msg, "broke") {
			told++
			if entry.Msg != msg || entry.Guest != "ann" || entry.Why != "a panic of type string" || !strings.Contains(entry.Stack, where) {
				o.t.Errorf("%+v", entry)
			}
		}
	}
	if told != 1 || strings.Contains(o.log.String(), "secret") {
		o.t.Errorf("%d lines say that something broke:\n%s", told, o.log.String())
	}
}

// A panic in a tester's screens ends only these, with a message; the log has its place but no data, and the
// tester continues with the same command.
func TestServedSessionBreaks(t *testing.T) {
	var breaks atomic.Bool
	s := servedHere(t, serveOptions{perHour: 100}, func() time.Time { // asked on the way to the model
		if breaks.Swap(false) {
			panic("secret prompt")
		}
		return time.Now()
	})
	s.fleet = &judges.Judges{Judge: &fakeFleet{}}
	o := (&service{study: s, name: "study"}).opens(t, "ann", "bob")
	bob := o.comes("bob").sees("You work here as bob").press("\r").sees("enter go on").press("\r").sees("enter open the task")
	ann := o.comes("ann").sees("Session 1 of 2 is next").press("\r").sees("enter go on").press("\r").sees("enter open the task").press("\r").sees("ctrl+s send")
	ann.press("my prompt").sees("my prompt")
	breaks.Store(true)
	ann.press("\x13").ends()
	if text := ann.Screen(); !strings.Contains(text, "The screens could not be kept; what was typed is saved") {
		t.Errorf("ann sees\n%s", text)
	}
	bob.press("\r").sees("ctrl+s send")
	o.broke("screens broke", "(*hourly).count")
	o.comes("ann").sees("Session 1 of 2 is paused where you left it").press("\r").sees("my prompt").press("\x13").sees("2 tests ✓")
}

// If judging panics each time, the verdict reports it and the screens stay open.
func TestServedJudgingBreaks(t *testing.T) {
	s := servedHere(t, serveOptions{}, time.Now)
	s.fleet = &judges.Judges{Judge: &brokenFleet{}}
	o := (&service{study: s, name: "study"}).opens(t, "ann")
	ann := o.comes("ann").sees("Session 1 of 2 is next").press("\r").sees("enter go on").press("\r").sees("enter open the task").press("\r").sees("ctrl+s send")
	ann.press("my prompt").sees("my prompt").press("\x13").sees("2 tests !").press("2").sees("judging broke: the details are in the server's log")
	ann.press("y").sees("Rate the final answer").Cut()
	o.comes("ann").sees("Session 1 of 2 is paused where you left it").press("\r").sees("Rate the final answer")
	o.broke("measuring broke", "brokenFleet")
	if n := s.judges.Taken(); n != 0 {
		t.Errorf("%d places to run code are still taken", n)
	}
}

// Breaks between tasks and the final questions are the same over SSH; an answer typed when the connection
// breaks is kept.
func TestServedBreaksAndSurvey(t *testing.T) {
	s := servedHere(t, serveOptions{}, time.Now,
		"sets = 2 ", "sets = 1 ", "per_set = 3 ", "per_set = 2 ", "practice = true ", "practice = false ", "tasks = 0   ", "tasks = 1   ", "forced = false", "forced = true",
		`arms = "within"`, `arms = "between"`, `model = "paste"`, `model = "rehearsal"`, `labels = "standard"`, `labels = "none"`,
		"# [[survey]]\n# id = \"experience\"", "[[survey]]\nid = \"experience\"", "# text = \"For how many", "text = \"For how many", "# choices = [\"less", "choices = [\"less",
		"# [[survey]]\n# id = \"remarks\"\n# text = \"Is there", "[[survey]]\nid = \"remarks\"\ntext = \"Is there", "# optional = true", "optional = true")
	var later atomic.Int64 // milliseconds
	stamp := s.lib.Stamp
	s.lib.Stamp = func() session.Stamp {
		at := stamp()
		at.Wall, at.Mono = at.Wall+later.Load(), at.Mono+later.Load()
		return at
	}
	s.fleet = &judges.Judges{Judge: &fakeFleet{}}
	o := (&service{study: s, name: "study"}).opens(t, "ann")
	ann := o.comes("ann").sees("Session 1 of 1 is next").press("\r").sees("enter go on").press("\r")
	task := func() {
		ann.sees("enter open the task").press("\r").sees("ctrl+s send").press("my prompt").sees("my prompt").press("\x13").sees("y satisfied").press("y").sees("Rate the final answer")
		ann.press("4", "4", "4", "4", "4", "4", "4", "4").sees("complete: enter commits").press("\r")
	}
	task()
	ann.sees("Time for a break of 2 min").press("\r").sees("the study wants a break first").press("b").sees("‖ Break", "The study wants it to last")
	ann.press("\r").sees("Still to rest: ").press("b").sees("‖ Break") // too short, and added up
	later.Add(121_000)
	ann.press("\r").sees("enter open the task")
	task()
	ann.sees("At the end", "For how many years").press("2").sees("Is there anything", "question 2 of 2").press("all is well").sees("all is well")
	ann.Cut()
	ann = o.comes("ann").sees("Session 1 of 1 is paused where you left it").press("\r").sees("All 2 questions answered").press("\x1b[A")
	ann.sees("all is well").press(", thanks").sees("all is well, thanks").press("\r").sees("All 2 questions answered").press("\r").sees("Session finished").press("\x1b").sees("You have finished all 1 session")
	ann.press("q").ends()
	rows, err := s.lib.Store.Sessions()
	if err != nil || len(rows) != 1 || rows[0].Status != store.StatusFinished {
		t.Fatalf("%+v, %v", rows, err)
	}
	events, err := s.lib.Store.Events(rows[0].ID, 1)
	fatal.If(t, err)
	state, err := session.Replay(events)
	if err != nil || state.Answers["experience"] != "1 to 3" || state.Answers["remarks"] != "all is well, thanks" {
		t.Errorf("%v, %v", state.Answers, err)
	}
}
