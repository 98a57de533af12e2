package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"assay/data/fatal"
	"assay/session"
	"assay/session/llm"
	"assay/store"
	"assay/tui/serve/servetest"
)

// servedPlace is a directory from which `assay serve` serves a study to testers with keys, and a streaming
// model.
type servedPlace struct {
	t       *testing.T
	dir     string
	names   []string
	signers map[string]ssh.Signer
	args    []string

	cmd     *exec.Cmd
	address string
	metrics string
	errs    *os.File
}

const servedStudy = `
name = "A served study"
instructions = "Say what the code has to do."
[tasks]
benchmark = "starter"
per_set = 18
[[arm]]
name = "first"
model = "streaming"
[design]
testers = %d
[session]
k = 4
`

// streamingModel answers in chunks, as model servers do.
func streamingModel(t *testing.T, pause time.Duration) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 20 {
			fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%q}}]}\n\n", []string{"Here you are.\n\n", "```python\ndef f(x):\n    return x\n```\n\n", "It does "}[min(i, 2)])
			w.(http.Flusher).Flush()
			select {
			case <-time.After(pause):
			case <-r.Context().Done():
				return
			}
		}
		fmt.Fprint(w, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL
}

func newServedPlace(t *testing.T, testers int, model string, args ...string) *servedPlace {
	t.Helper()
	p := &servedPlace{t: t, dir: t.TempDir(), signers: map[string]ssh.Signer{}, args: args}
	p.write("study.toml", fmt.Sprintf(servedStudy, testers))
	p.write("models.toml", fmt.Sprintf("[[model]]\nname = \"streaming\"\nprovider = \"openai\"\nbase_url = %q\nmodel = \"m\"\n", model+"/v1"))
	var keys bytes.Buffer
	for i := range testers + 2 {
		name := fmt.Sprintf("t%03d", i)
		_, signer, err := servetest.Key()
		fatal.If(t, err)
		p.signers[name] = signer
		if p.names = append(p.names, name); i >= testers { // they have no place, and behave badly
			name = []string{"flood", "deaf"}[i-testers]
			p.names, p.signers[name] = p.names[:testers], signer
		}
		fmt.Fprintf(&keys, "%s %s\n", bytes.TrimSpace(ssh.MarshalAuthorizedKey(signer.PublicKey())), name)
	}
	fatal.If(t, os.MkdirAll(filepath.Join(p.dir, "serve"), 0o700))
	p.write("serve/keys", keys.String())
	if out, err := p.command("study", "freeze", filepath.Join(p.dir, "study.toml")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var err error
	if p.errs, err = os.Create(filepath.Join(p.dir, "log")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if p.cmd != nil {
			p.kill()
		}
		p.errs.Close()
	})
	return p
}

func (p *servedPlace) write(name, text string) {
	p.t.Helper()
	fatal.If(p.t, os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600))
}

func (p *servedPlace) command(args ...string) *exec.Cmd {
	cmd := exec.Command("assay", args...)
	cmd.Env = append(os.Environ(), "ASSAY_STORE="+filepath.Join(p.dir, "assay.db"), "ASSAY_MODELS="+filepath.Join(p.dir, "models.toml"),
		"XDG_CONFIG_HOME="+p.dir, "XDG_DATA_HOME="+p.dir, "XDG_CACHE_HOME="+p.dir)
	return cmd
}

// start starts the server, and waits until it listens.
func (p *servedPlace) start() {
	p.t.Helper()
	args := append([]string{"serve", filepath.Join(p.dir, "study.toml"), "--dir", filepath.Join(p.dir, "serve"), "--listen", "127.0.0.1:0"}, p.args...)
	if p.metrics != "" {
		args = append(args, "--metrics", p.metrics)
	}
	p.cmd = p.command(args...)
	out, err := p.cmd.StdoutPipe()
	fatal.If(p.t, err)
	p.cmd.Stderr = p.errs
	fatal.If(p.t, p.cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	found := regexp.MustCompile(`served at (\S+);`).FindStringSubmatch(line)
	if found == nil {
		p.t.Fatalf("%q, %v\n%s", line, err, p.log())
	}
	p.address = found[1]
}

func (p *servedPlace) log() string {
	text := fatal.Read(p.t, p.errs.Name())
	return string(text)
}

// kill kills the server.
func (p *servedPlace) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
	p.cmd = nil
}

// stop stops it with a signal.
func (p *servedPlace) stop() {
	p.t.Helper()
	fatal.If(p.t, p.cmd.Process.Signal(os.Interrupt))
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("the server ends with %v\n%.2000s", err, p.log())
	}
	p.cmd = nil
}

// logged reads the testers' prompts and drafts, and checks that all logs are complete.
func (p *servedPlace) logged() (sent map[string][]string, drafts map[string]string, events int) {
	p.t.Helper()
	s, err := store.Open(filepath.Join(p.dir, "assay.db"), store.Options{SnapshotEvery: -1})
	fatal.If(p.t, err)
	defer s.Close()
	rows, err := s.Sessions()
	fatal.If(p.t, err)
	sent, drafts = map[string][]string{}, map[string]string{}
	for _, row := range rows {
		n, _, err := s.Verify(row.ID)
		if err != nil {
			p.t.Error(err)
		}
		events += n
		log, err := s.Events(row.ID, 1)
		fatal.If(p.t, err)
		state, err := session.Replay(log)
		fatal.If(p.t, err)
		for _, e := range log {
			if prompt, ok := e.Payload.(session.PromptSent); ok {
				text, err := s.Blob(prompt.Prompt)
				if err != nil {
					p.t.Error(err)
				}
				sent[row.Tester] = append(sent[row.Tester], string(text))
			}
		}
		if task := state.Task(); task != nil {
			drafts[row.Tester] = task.Draft()
		}
	}
	return sent, drafts, events
}

// pace is the speed of testers.
type pace struct{ key, think time.Duration }

// human is a scripted tester.
type human struct {
	place  *servedPlace
	name   string
	random *rand.Rand
	pace   pace
	guest  *servetest.Guest

	typed    string      // of the prompt that is being written
	letters  []time.Time // when each letter of it was on the screen
	sent     []string
	seen     int   // prompts that were seen to be sent
	unsure   []int // those of which nobody knows
	finished bool
	echoes   []time.Duration
	steps    map[string]int
	judged   atomic.Bool // they have judged an answer
	rated    atomic.Bool
}

const humanPatience = 60 * time.Second

func newHuman(p *servedPlace, name string, pace pace) *human {
	seed := uint64(0)
	for _, b := range []byte(name) {
		seed = seed*31 + uint64(b)
	}
	return &human{place: p, name: name, random: rand.New(rand.NewPCG(seed, 7)), pace: pace, steps: map[string]int{}}
}

func (h *human) comeIn() error {
	var err error
	h.guest, err = servetest.ComeIn(h.place.address, servetest.Config(h.name, ssh.PublicKeys(h.place.signers[h.name])))
	return err
}

func (h *human) wait(ctx context.Context, d time.Duration) error {
	d = d/2 + time.Duration(h.random.Int64N(int64(d)+1))
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// views are the views of a tester, recognised by words on the screen, and the tester's action in each.
var views = []struct {
	name string
	has  []string
	do   func(*human, context.Context) error
}{
	{"leave", []string{"Leave assay?"}, (*human).enter},
	{"lobby", []string{"enter begins it"}, (*human).enter},
	{"lobby", []string{"enter goes on"}, (*human).enter},
	{"done", []string{"You have finished all"}, func(h *human, _ context.Context) error { h.finished = true; return nil }},
	{"words", []string{"enter go on", "Your terminal"}, (*human).enter},
	{"paused", []string{"enter go on"}, (*human).enter},
	{"paused", []string{"any key goes on"}, (*human).enter},
	{"between", []string{"enter open the task"}, (*human).enter},
	{"rated", []string{"complete: enter commits"}, (*human).enter},
	{"rate", []string{"Rate the final answer"}, (*human).rate},
	{"compose", []string{"ctrl+s send"}, (*human).compose},
	{"judge", []string{"y satisfied"}, (*human).judge},
	{"summary", []string{"Session finished"}, (*human).enter},
}

func view(screen string) int {
	for i, v := range views {
		if !slices.ContainsFunc(v.has, func(text string) bool { return !strings.Contains(screen, text) }) {
			return i
		}
	}
	return -1
}

// until waits for a state of the screen, or the end of ctx.
func (h *human) until(ctx context.Context, wanted func(screen string) bool) error {
	for deadline := time.Now().Add(humanPatience); ; {
		err := h.guest.Until(100*time.Millisecond, wanted)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil || errors.Is(err, servetest.ErrEnded) || time.Now().After(deadline):
			return err
		}
	}
}

// work repeats the tester's steps until ctx ends or the session is finished.
func (h *human) work(ctx context.Context) error {
	for !h.finished {
		at := -1
		if err := h.until(ctx, func(screen string) bool { at = view(screen); return at >= 0 }); err != nil {
			return err
		}
		h.steps[views[at].name]++
		h.judged.Store(h.steps["judge"] > 0)
		h.rated.Store(h.steps["rate"] > 0)
		before := h.guest.Screen()
		if err := views[at].do(h, ctx); err != nil || h.finished {
			return err
		}
		err := h.until(ctx, func(screen string) bool {
			now := view(screen)
			return now >= 0 && now != at || views[at].name == "rate" && screen != before
		})
		if err != nil {
			return fmt.Errorf("after %s: %w", views[at].name, err)
		}
	}
	return nil
}

func (h *human) enter(ctx context.Context) error {
	return errors.Join(h.wait(ctx, h.pace.think/4), h.guest.Type("\r"))
}

// empty reports whether the editor is empty.
func empty(screen string) bool {
	return strings.Contains(screen, "The model reads") || strings.Contains(screen, "sent along")
}

// compose writes a prompt, key by key, and sends it. Text already in the editor was typed before the
// connection broke.
func (h *human) compose(ctx context.Context) error {
	want := fmt.Sprintf("%s prompt %d: code %d", h.name, len(h.sent), h.random.IntN(1000))
	h.typed = ""                  // from now on what is in the editor may be gone
	if !empty(h.guest.Screen()) { // the connection broke: write it again
		if err := h.guest.Type("\x15\x0b"); err != nil {
			return err
		}
		if err := h.until(ctx, empty); err != nil {
			return err
		}
	}
	for i := range want {
		began := time.Now()
		if err := h.guest.Type(want[i : i+1]); err != nil {
			return err
		}
		tail := strings.TrimSpace(want[max(0, i-8) : i+1])
		if err := h.until(ctx, func(screen string) bool { return strings.Contains(screen, tail) }); err != nil {
			return err
		}
		if h.letters = append(h.letters[:i], time.Now()); i > 5 { // a screen has the first letters in any case
			h.typed = strings.TrimSpace(want[:i+1]) // nobody sees a blank arrive
		}
		if i > 0 && want[i] != ' ' {
			h.echoes = append(h.echoes, time.Since(began))
		}
		if err := h.wait(ctx, h.pace.key); err != nil {
			return err
		}
	}
	if err := h.guest.Type("\x13"); err != nil {
		return err
	}
	h.sent, h.typed = append(h.sent, want), ""
	err := h.until(ctx, func(screen string) bool { return !strings.Contains(screen, "ctrl+s send") })
	if err == nil {
		h.seen = len(h.sent)
	}
	return err
}

func (h *human) judge(ctx context.Context) error {
	if err := h.wait(ctx, h.pace.think); err != nil {
		return err
	}
	key := "y"
	if h.random.IntN(2) == 0 && strings.Contains(h.guest.Screen(), "r refine") {
		key = "r"
	}
	return h.guest.Type(key)
}

func (h *human) rate(ctx context.Context) error {
	if err := h.wait(ctx, h.pace.think/4); err != nil {
		return err
	}
	switch screen := h.guest.Screen(); {
	case strings.Contains(screen, "▸ Explanation"):
		return h.guest.Type("y")
	case strings.Contains(screen, "▸ What the model got wrong"):
		return h.guest.Type("c")
	}
	return h.guest.Type(strconv.Itoa(1 + h.random.IntN(5)))
}

// quantile returns a quantile of durations, which it sorts.
func quantileOf(all []time.Duration, q float64) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min(len(all)-1, int(q*float64(len(all))))]
}

// resident is the server's resident memory in bytes.
func (p *servedPlace) resident() int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.cmd.Process.Pid))
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// session lets testers work for a while, and returns the delays of their keys' echoes.
func (p *servedPlace) session(humans []*human, duration time.Duration) []time.Duration {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), duration+busyMachine)
	defer cancel()
	go func() {
		_ = llm.Sleep(ctx, duration)
		await(ctx, humans, func(h *human) bool { return h.rated.Load() })
		cancel()
	}()
	var all sync.WaitGroup
	for _, h := range humans {
		h.echoes, h.finished = nil, false
		all.Go(func() {
			if err := h.comeIn(); err != nil {
				p.t.Errorf("%s: %v", h.name, err)
				return
			}
			if err := h.work(ctx); err != nil && ctx.Err() == nil {
				p.t.Errorf("%s: %v", h.name, err)
			}
		})
	}
	all.Wait()
	var echoes []time.Duration
	for _, h := range humans {
		echoes = append(echoes, h.echoes...)
	}
	return echoes
}

// busyMachine is how much longer testers may take on a machine that is busy with other things.
const busyMachine = 2 * time.Minute

// await waits until one of the testers has done something, or ctx ends.
func await(ctx context.Context, humans []*human, done func(*human) bool) {
	for !slices.ContainsFunc(humans, done) && llm.Sleep(ctx, 50*time.Millisecond) == nil {
	}
}

// leave disconnects all testers, and waits until the server has noticed.
func (p *servedPlace) leave(humans []*human) {
	p.t.Helper()
	for _, h := range humans {
		if h.guest != nil {
			h.guest.Close()
		}
	}
}

// compare checks that the logs have every sent prompt and the drafts.
func (p *servedPlace) compare(humans []*human) {
	p.t.Helper()
	sent, drafts, events := p.logged()
	prompts, letters := 0, 0
	for _, h := range humans {
		if !slices.Equal(sent[h.name], h.sent) {
			p.t.Errorf("%s sent\n%q\nthe log has\n%q", h.name, h.sent, sent[h.name])
		}
		// A blank and the letter after it may have come, too, unseen.
		if draft := drafts[h.name]; h.typed != "" && (!strings.HasPrefix(draft, h.typed) || len(draft) > len(h.typed)+2) {
			p.t.Errorf("%s wrote %q, the draft is %q", h.name, h.typed, drafts[h.name])
		}
		prompts, letters = prompts+len(h.sent), letters+len(strings.Join(h.sent, ""))+len(h.typed)
	}
	p.t.Logf("%d testers, %d prompts, %d letters and %d events: all are there, the chains are whole", len(humans), prompts, letters, events)
}

// TestServedTesters: scripted testers over loopback SSH. ASSAY_SERVE is the duration (then there are 100 of
// them with the speed of people), followed by the same with misbehaving guests.
func TestServedTesters(t *testing.T) {
	t.Parallel()
	testers, duration, speed, pause := 10, 3*time.Second, pace{20 * time.Millisecond, 100 * time.Millisecond}, 5*time.Millisecond
	if text := os.Getenv("ASSAY_SERVE"); text != "" {
		long, err := time.ParseDuration(text)
		fatal.If(t, err)
		testers, duration, speed, pause = 100, long, pace{200 * time.Millisecond, 4 * time.Second}, 50*time.Millisecond
	}
	p := newServedPlace(t, testers, streamingModel(t, pause), "--executions", "1")
	p.start()
	alone := p.resident()
	var humans []*human
	for _, name := range p.names {
		humans = append(humans, newHuman(p, name, speed))
	}
	first := p.session(humans, duration)
	full := p.resident()
	steps := map[string]int{}
	for _, h := range humans {
		for name, n := range h.steps {
			steps[name] += n
		}
	}
	p50, p95, p99 := quantileOf(first, 0.5), quantileOf(first, 0.95), quantileOf(first, 0.99)
	t.Logf("%d testers for %v: key echo p50 %v, p95 %v, p99 %v of %d keys; memory %.1f MB with them, %.1f MB before: %.2f MB each; steps %v",
		testers, duration, p50, p95, p99, len(first), float64(full)/1e6, float64(alone)/1e6, float64(full-alone)/1e6/float64(testers), steps)
	p.leave(humans)
	if len(first) == 0 || steps["rate"] == 0 || steps["judge"] == 0 {
		t.Errorf("not much was done: %d keys, %v", len(first), steps)
	}

	stop := badGuests(t, p)
	for _, h := range humans {
		h.guest = nil
	}
	if duration > 5*time.Minute {
		duration /= 5
	}
	second := p.session(humans, duration)
	stop()
	b50, b95 := quantileOf(second, 0.5), quantileOf(second, 0.95)
	t.Logf("beside a flood, 1,000 connections and one who never reads: p50 %v, p95 %v of %d keys: p95 is %.2f times that without", b50, b95, len(second), float64(b95)/float64(p95))
	p.leave(humans)
	p.stop()
	p.compare(humans)
}

// badGuests are three misbehaving guests: one floods, one reconnects all the time, one never reads.
func badGuests(t *testing.T, p *servedPlace) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	config := func(name string) *ssh.ClientConfig { return servetest.Config(name, ssh.PublicKeys(p.signers[name])) }
	all.Go(func() { // 1,000 connections at a time, as far as they are let in
		var open []net.Conn
		for ctx.Err() == nil {
			dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 3)}}
			if conn, err := dialer.DialContext(ctx, "tcp", p.address); err == nil {
				open = append(open, conn)
			}
			if len(open) == 1000 {
				for _, conn := range open {
					conn.Close()
				}
				open = open[:0]
				select {
				case <-ctx.Done():
				case <-time.After(time.Second):
				}
			}
		}
		for _, conn := range open {
			conn.Close()
		}
	})
	all.Go(func() { // floods
		g, err := servetest.ComeIn(p.address, config("flood"))
		if err != nil {
			t.Error(err)
			return
		}
		go func() {
			<-ctx.Done()
			g.Close()
		}()
		for g.Type(strings.Repeat("\x1b[A?", 1000)) == nil {
		}
	})
	all.Go(func() { // never reads
		for ctx.Err() == nil {
			client, conn, err := servetest.Connect("127.0.0.4", p.address, config("deaf"))
			if err != nil {
				continue
			}
			channel, requests, err := client.OpenChannel("session", nil)
			if err == nil {
				go ssh.DiscardRequests(requests)
				_, _ = channel.SendRequest("pty-req", true, ssh.Marshal(struct {
					Term       string
					W, H, X, Y uint32
					Modes      string
				}{"xterm-256color", 500, 300, 0, 0, ""}))
				_, _ = channel.SendRequest("shell", true, nil)
			}
			for i := 0; i < 1000 && ctx.Err() == nil && err == nil; i++ {
				_, err = channel.SendRequest("window-change", false, ssh.Marshal(struct{ W, H, X, Y uint32 }{uint32(400 + i%100), 300, 0, 0}))
				time.Sleep(2 * time.Millisecond)
			}
			conn.Close()
		}
	})
	return func() {
		cancel()
		all.Wait()
	}
}
