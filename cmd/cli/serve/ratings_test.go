package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/crypto/ssh"

	"assay/cmd/cli/clitest"
	"assay/cmd/cli/console"
	"assay/data/fatal"
	"assay/session"
	"assay/session/overlap"
	"assay/store"
	"assay/tui/frame"
	"assay/tui/serve"
	"assay/tui/work/viewer"
)

// ratedPlace is a directory with a file of ratings, from which `assay serve` serves it.
type ratedPlace struct {
	t       *testing.T
	dir     string
	study   string // the study whose answers are rated
	bundle  string // its sessions
	file    string
	store   string
	signers map[string]ssh.Signer

	address string
	said    string // the first lines that it printed
	log     *shared
	stop    func() // ends it, as its owner does
}

// newRatedPlace has three answers of a study's tester, rated by ann, bob and cleo. Dora has a key, and
// nothing to rate; eve watches.
func newRatedPlace(t *testing.T) *ratedPlace {
	t.Helper()
	p := &ratedPlace{t: t, dir: t.TempDir()}
	p.file, p.store = filepath.Join(p.dir, "ratings.jsonl"), filepath.Join(p.dir, "assay.db")
	p.study = clitest.FrozenStudy(t, p.dir, 4, clitest.Models(), `model = "paste"`, `model = "rehearsal"`)
	p.bundle = clitest.Worked(t, p.dir, p.study, 1, "01J")
	p.plan(p.file)
	keys, signers := keysOf(t, "ann", "bob", "cleo", "dora")
	owners, more := keysOf(t, "eve")
	p.signers = signers
	p.signers["eve"] = more["eve"]
	fatal.If(t, os.Mkdir(filepath.Join(p.dir, "serve"), 0o700))
	for name, text := range map[string]string{"keys": keys, "owners": owners} {
		fatal.If(t, os.WriteFile(filepath.Join(p.dir, "serve", name), []byte(text), 0o600))
	}
	return p
}

// plan writes a file of ratings, always the same.
func (p *ratedPlace) plan(file string, more ...string) {
	p.t.Helper()
	verbs.Must(p.t, p.store, append([]string{"rate", "plan", file, "--from", p.bundle, "--raters", "ann,bob,cleo", "--per-rater", "3", "--seed", "7"}, more...)...)
}

// serves lets raters connect until the test ends or stop is called.
func (p *ratedPlace) serves(args ...string) {
	p.t.Helper()
	p.log = &shared{}
	out, in := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	env := func(name string) string { return map[string]string{"ASSAY_STORE": p.store}[name] }
	code := make(chan int, 1)
	go func() {
		code <- verbs(ctx, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...), &console.IO{In: strings.NewReader(""), Out: in, Err: p.log, Getenv: env})
		in.Close()
	}()
	p.stop = sync.OnceFunc(func() {
		cancel()
		if n := <-code; n != console.ExitOK {
			p.t.Errorf("the server ends with %d:\n%s", n, p.log)
		}
	})
	p.t.Cleanup(func() { p.stop() })
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	found := regexp.MustCompile(`served at (\S+);`).FindStringSubmatch(first)
	if found == nil {
		p.t.Fatalf("%q, %v\n%s", first, err, p.log)
	}
	second, err := lines.ReadString('\n')
	fatal.If(p.t, err)
	p.address, p.said = found[1], first+second
	go io.Copy(io.Discard, lines)
}

// until waits for a condition in the server.
func (p *ratedPlace) until(what string, reached func() bool) {
	p.t.Helper()
	for deadline := time.Now().Add(patience); !reached(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			p.t.Fatalf("there never was %s", what)
		}
	}
}

func (p *ratedPlace) comes(name string) *visitor {
	p.t.Helper()
	return visits(p.t, p.address, name, p.signers)
}

func (p *ratedPlace) header() overlap.Header {
	p.t.Helper()
	set, err := overlap.Open(p.file)
	fatal.If(p.t, err)
	return set.Header
}

// score is a person's score for an attribute of an answer: as planted, bob disagrees with the others about
// the first one's accuracy.
func score(h *overlap.Header, rater, item, attribute string) int {
	i := slices.IndexFunc(h.Items, func(it overlap.Item) bool { return it.ID == item })
	a := slices.IndexFunc(h.Attributes, func(a session.Attribute) bool { return a.ID == attribute })
	if i == 0 && a == 0 {
		return map[string]int{"ann": 1, "bob": 5, "cleo": 1}[rater]
	}
	return 2 + (i+a+len(rater))%3
}

// rates fills in an answer's form from a row on, and checks that the other rows are empty.
func (v *visitor) rates(h *overlap.Header, rater string, n, from int) {
	v.t.Helper()
	item := h.Of(rater)[n]
	for i, a := range h.Attributes {
		if i < from {
			continue
		}
		to := len(h.Attributes) + 1 - i
		v.sees(fmt.Sprintf("· %d to go", to))
		if got := strings.Count(v.Screen(), "["); got != i {
			v.t.Errorf("%s has filled in %d rows and sees\n%s", rater, i, v.Screen())
		}
		v.press(fmt.Sprint(score(h, rater, item, a.ID)))
	}
	v.sees("· 1 to go").press("y").sees("✓ rated", fmt.Sprintf("%d of %d rated", n+1, len(h.Of(rater))))
}

// locally rates like the sessions over SSH, without a screen.
func (p *ratedPlace) locally(file string) {
	p.t.Helper()
	p.plan(file)
	f, err := overlap.Change(file)
	fatal.If(p.t, err)
	h, now := p.header(), time.Now().UTC()
	for _, rater := range h.Raters {
		events := []overlap.Event{{Opened: &overlap.Opened{Rater: rater, At: now}}}
		for _, item := range h.Of(rater) {
			for _, a := range h.Attributes {
				events = append(events, overlap.Event{Rated: &overlap.Rated{Rater: rater, Item: item, Attribute: a.ID, Score: score(&h, rater, item, a.ID), At: now}})
			}
			events = append(events, overlap.Event{Labelled: &overlap.Labelled{Rater: rater, Item: item, Label: h.Labels[0].ID, Value: "yes", At: now}})
		}
		fatal.If(p.t, f.Add(events...))
	}
	fatal.If(p.t, f.Close())
}

// agreement is the report on a file, without the time of closing.
func (p *ratedPlace) agreement(file string) map[string]any {
	p.t.Helper()
	out, _ := verbs.Must(p.t, p.store, "rate", "report", file, "--json")
	var a map[string]any
	fatal.If(p.t, json.Unmarshal([]byte(out), &a))
	if a["closed_at"] == nil {
		p.t.Error("the report does not say when it was closed")
	}
	delete(a, "closed_at")
	return a
}

// Three people rate over SSH at the same time, in one file. One connection breaks, and one person connects
// twice; nothing is lost, nobody sees other ratings, and the agreement equals that of the same ratings made
// locally.
func TestRatersOverSSH(t *testing.T) {
	p := newRatedPlace(t)
	p.serves("--ratings", p.file)
	if !strings.Contains(p.said, "3 raters rate 3 answers; 'assay rate status "+p.file+"' shows their progress") {
		t.Errorf("it says %q", p.said)
	}
	h := p.header()
	form := func(name string) *visitor {
		return p.comes(name).sees("You rate here as "+name, "Ratings: 0 of 3 answers rated: r begins.").press("r").sees("1 of 3", "1 answer").press("v")
	}
	ann, bob, cleo := form("ann"), form("bob"), form("cleo")
	// They alternate, key by key.
	turns := sync.WaitGroup{}
	for name, v := range map[string]*visitor{"ann": ann, "bob": bob, "cleo": cleo} {
		turns.Go(func() { v.rates(&h, name, 0, 0) })
	}
	turns.Wait()
	p.until("6 missing ratings", func() bool {
		out, _ := verbs.Must(t, p.store, "rate", "status", p.file)
		return strings.Contains(out, "6 ratings are missing") && !strings.Contains(out, "closed")
	})
	if _, errs, code := verbs.On(t, p.store, "rate", "close", p.file, "--by", "eve", "--incomplete"); code != console.ExitError ||
		!strings.Contains(errs, "another assay process has it open, so nothing was closed: 'assay serve --ratings'") || !strings.Contains(errs, "ctrl+c where the server runs") {
		t.Errorf("while it is served it is closed: %d, %s", code, errs)
	}
	// Bob's connection breaks after four rows.
	bob.press("\r").sees("2 of 3", "1 answer").press("v")
	for i := range 4 {
		bob.sees(fmt.Sprintf("· %d to go", 9-i)).press(fmt.Sprint(score(&h, "bob", h.Of("bob")[1], h.Attributes[i].ID)))
	}
	bob.sees("· 5 to go").Cut()
	bob = p.comes("bob").sees("Ratings: 1 of 3 answers rated: r goes on.").press("r").sees("2 of 3", "· 5 to go")
	bob.rates(&h, "bob", 1, 4)
	bob.press("\r").sees("3 of 3", "1 answer").press("v").rates(&h, "bob", 2, 0)
	// Cleo connects again while she is connected, and takes over.
	cleo.press("\r").sees("2 of 3", "1 answer").press("v").sees("· 9 to go").press(fmt.Sprint(score(&h, "cleo", h.Of("cleo")[1], h.Attributes[0].ID))).sees("· 8 to go")
	again := p.comes("cleo").sees("Ratings: 1 of 3 answers rated: r goes on.").press("r").sees("2 of 3", "· 8 to go")
	cleo.ends().sees("you came in by another connection")
	again.rates(&h, "cleo", 1, 1)
	again.press("\r").sees("3 of 3", "1 answer").press("v").rates(&h, "cleo", 2, 0)
	for n := 1; n < 3; n++ {
		ann.press("\r").sees(fmt.Sprintf("%d of 3", n+1), "1 answer").press("v").rates(&h, "ann", n, 0)
	}
	ann.press("\r").sees("All are rated").press("q").sees("✓ Ratings: 3 of 3 answers rated: r goes back to them.")
	// The owner sees the raters' progress, but no ratings.
	eve := p.comes("eve").sees("How raters get on", "9 of 9 ratings", "ann                all rated   3 of 3", "cleo               all rated   3 of 3", "4 here now")
	if strings.Contains(eve.Screen(), "[") || strings.Contains(eve.Screen(), "ccura") {
		t.Errorf("the owner sees\n%s", eve.Screen())
	}
	p.stop()
	eve.ends()
	ann.ends().sees("the server stops")
	if log := p.log.String(); strings.Contains(log, "rated") || strings.Count(log, `"msg":"came in"`) != 6 {
		t.Errorf("the log has\n%s", log)
	}
	here := filepath.Join(p.dir, "here.jsonl")
	p.locally(here)
	for _, file := range []string{p.file, here} {
		verbs.Must(t, p.store, "rate", "close", file, "--by", "eve")
	}
	if over, local := p.agreement(p.file), p.agreement(here); !reflect.DeepEqual(over, local) || fmt.Sprint(over["disputes"]) == "0" {
		t.Errorf("over SSH the agreement is\n%v\nhere it is\n%v", over, local)
	}
	if _, err := os.Stat(p.store); err == nil {
		t.Error("ratings alone have opened the store")
	}
	p.closed()
}

// closed serves ratings that are closed: raters see that, and adjudicators can settle them.
func (p *ratedPlace) closed() {
	p.t.Helper()
	p.serves("--ratings", p.file)
	if !strings.Contains(p.said, "was closed by eve on") {
		p.t.Errorf("it says %q", p.said)
	}
	ann := p.comes("ann").sees("– Ratings: 3 of 3 answers rated; closed by eve on ", "rated any more. Thank you.")
	ann.press("r", "\r", "?").sees("closed by eve", "r ")
	p.comes("eve").sees("closed      3 of 3")
	f, err := overlap.Change(p.file)
	fatal.If(p.t, err)
	if err := f.Close(); err != nil {
		p.t.Error(err)
	}
	p.stop()
}

// Together with a study: a tester who is also a rater gets both, the sessions first; other raters get no
// place in the study, and other testers work as usual. Without the study they have nothing to do.
func TestRatersBesideTesters(t *testing.T) {
	p := newRatedPlace(t)
	p.serves(p.study, "--ratings", p.file)
	bob := p.comes("bob").sees("You rate here as bob", "Ratings: 0 of 3 answers rated")
	if text := bob.Screen(); strings.Contains(text, "Session") || strings.Contains(text, "begin ") {
		t.Errorf("a rater is offered a place:\n%s", text)
	}
	bob.press("\r").sees("1 of 3") // there is nothing else that enter could mean
	p.comes("dora").sees("You work here as dora", "Session 1 of 2 is next: enter begins it.").press("\r").sees("enter go on").press("\x1b").sees("Session 1 of 2 is paused")
	p.stop()

	// Dora has a place in the study, and becomes a rater.
	verbs.Must(t, p.store, "rate", "plan", filepath.Join(p.dir, "more.jsonl"), "--from", p.bundle, "--raters", "dora,bob", "--per-rater", "3")
	p.serves(p.study, "--ratings", filepath.Join(p.dir, "more.jsonl"))
	dora := p.comes("dora").sees("You work here as dora", "Session 1 of 2 is paused where you left it: enter goes on.", "Ratings: 0 of 3 answers rated: finish your sessions first: among the")
	dora.press("r", "\r").sees("Your terminal").press("\r").sees("enter open the task").press("\x1b").sees("Ratings: 0 of 3")
	p.comes("eve").sees("How they get on", "0 of 3 tasks · 0 of 6 ratings", "dora · 1", "dora · rates       not begun   0 of 3", "bob · rates        not begun   0 of 3")
	p.stop()
	s, err := store.Open(p.store, store.Options{})
	fatal.If(t, err)
	defer s.Close()
	rows, err := s.Sessions()
	if err != nil || len(rows) != 1 || rows[0].Tester != "dora" {
		t.Errorf("in the study work %+v, %v", rows, err)
	}

	p.serves("--ratings", p.file)
	stranger := p.comes("dora").ends()
	if text := strings.Join(strings.Fields(stranger.Screen()), " "); !strings.Contains(text, `"dora" has nothing to rate here: ask the person who invited you`) {
		t.Errorf("a stranger reads\n%s", text)
	}
	if !strings.Contains(p.log.String(), `"msg":"screens refused","guest":"dora"`) {
		t.Errorf("the log has\n%s", p.log)
	}
}

// Files that cannot be served are rejected with a reason, before the server listens.
func TestServedRatingsRefused(t *testing.T) {
	p := newRatedPlace(t)
	refused := func(code int, want string, args ...string) {
		t.Helper()
		_, errs, got := verbs.On(t, p.store, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
		if got != code || !strings.Contains(errs, want) || strings.Contains(errs, "listening") {
			t.Errorf("%v: %d, %s", args, got, errs)
		}
	}
	refused(console.ExitError, "nothing.jsonl: no such file or directory; 'assay rate plan' makes one", "--ratings", filepath.Join(p.dir, "nothing.jsonl"))
	refused(console.ExitError, "it does not begin like a file of ratings", "--ratings", p.study)
	split := filepath.Join(p.dir, "split.jsonl")
	p.plan(split, "--split")
	own := filepath.Join(p.dir, "split-ann.jsonl")
	refused(console.ExitError, own+" holds only the ratings of ann: serve the file of all raters that it was split from", "--ratings", own)
	others := filepath.Join(p.dir, "others.jsonl")
	verbs.Must(t, p.store, "rate", "plan", others, "--from", p.bundle, "--raters", "fay,gus", "--per-rater", "3")
	refused(console.ExitError, "none of the raters of "+others+" could connect: type 'assay serve invite fay gus'", "--ratings", others)
	held, err := overlap.Change(p.file)
	fatal.If(t, err)
	refused(console.ExitInUse, "another assay has these ratings open: end it first", "--ratings", p.file)
	fatal.If(t, held.Close())
	refused(console.ExitUsage, "takes one study file, or --ratings FILE or --estimates FILE")
	refused(console.ExitUsage, "takes one study file, or --ratings FILE or --estimates FILE", p.study, "more", "--ratings", p.file)
	refused(console.ExitUsage, "--requests-per-hour is for a study, but none is named", "--ratings", p.file, "--requests-per-hour", "3")
	refused(console.ExitUsage, "--fleet is for a study, but none is named", "--ratings", p.file, "--fleet", ":0")
	// A rejected file is not locked.
	if held, err = overlap.Change(p.file); err != nil {
		t.Fatal(err)
	}
	if err := held.Close(); err != nil {
		t.Error(err)
	}
	// An invitation does not require a study; a rater without study and key is named.
	verbs.Must(t, p.store, "serve", "invite", "fay")
	p.serves("--ratings", others)
	if !strings.Contains(p.said, "2 raters rate 3 answers") {
		t.Errorf("it says %q", p.said)
	}
}

// Names that cannot connect are reported when they are planned and when they are served; the suggested
// commands for the others are valid.
func TestRatersNamesOverSSH(t *testing.T) {
	p := newRatedPlace(t)
	planned := func(name, raters string) (file, errs string) {
		t.Helper()
		file = filepath.Join(p.dir, name)
		_, errs = verbs.Must(t, p.store, "rate", "plan", file, "--from", p.bundle, "--raters", raters, "--per-rater", "3")
		return file, errs
	}
	refusal := func(file string) string {
		t.Helper()
		_, errs, code := verbs.On(t, p.store, "serve", "--listen", "127.0.0.1:0", "--ratings", file)
		if code != console.ExitError {
			t.Errorf("%s is served: %d, %s", file, code, errs)
		}
		return errs
	}
	file, errs := planned("spaces.jsonl", "Ann Lee,Bob Ray")
	if strings.Contains(errs, "warning") {
		t.Errorf("these can come in: %s", errs)
	}
	if errs := refusal(file); !strings.Contains(errs, `type 'assay serve invite "Ann Lee" "Bob Ray"', or write`) {
		t.Error(errs)
	}
	file, _ = planned("dashes.jsonl", "-a,b")
	if errs := refusal(file); !strings.Contains(errs, `type 'assay serve invite -- -a b', or write`) {
		t.Error(errs)
	}
	const no = `"Müller" can be no pseudonym: write letters, digits, spaces`
	file, errs = planned("letters.jsonl", "Müller,fay")
	if !strings.Contains(errs, "warning: "+no) || strings.Contains(errs, `"fay"`) {
		t.Error(errs)
	}
	if errs := refusal(file); !strings.Contains(errs, "type 'assay serve invite fay', or write") || !strings.Contains(errs, no) {
		t.Error(errs)
	}
	verbs.Must(t, p.store, "serve", "invite", "fay")
	door := serve.NewDoor(time.Now)
	fatal.If(t, door.AddInvitations(filepath.Join(p.dir, "serve", serveInvitations)))
	f, said, err := shareRatings(file, door)
	if err != nil || !strings.Contains(said.says, "\n"+no) || strings.Contains(said.says, "without a key") {
		t.Errorf("it says %q, %v", said.says, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	file, _ = planned("none.jsonl", "Müller,O'Brien")
	if errs := refusal(file); strings.Contains(errs, "serve invite") || !strings.Contains(errs, no) || !strings.Contains(errs, `"O'Brien" can be no pseudonym`) {
		t.Error(errs)
	}
}

// Every flag of the verb is for a study or for whatever is served.
func TestFlagsOfStudies(t *testing.T) {
	cmd := New(&console.IO{}, &console.Globals{})
	general := []string{"dir", "listen", "metrics", "ratings", "estimates", "testers-at-once", "idle", "longest"}
	known := append(general, studyFlags()...)
	for _, name := range regexp.MustCompile(`--[a-z-]+`).FindAllString(cmd.LocalFlags().FlagUsages(), -1) {
		if cmd.Flags().Lookup(name[2:]) != nil && !slices.Contains(known, name[2:]) {
			t.Errorf("of what is %s?", name)
		}
	}
	for _, name := range known {
		if cmd.Flags().Lookup(name) == nil && cmd.PersistentFlags().Lookup(name) == nil {
			t.Errorf("there is no --%s", name)
		}
	}
}

// A form is counted as open until it is left in any way.
func TestRatingScreensAreCounted(t *testing.T) {
	p := newRatedPlace(t)
	f, err := overlap.Change(p.file)
	fatal.If(t, err)
	defer f.Close()
	s := &service{ratings: serve.NewRatings(f, time.Now), name: "ratings"}
	o := s.opens(t, "ann", "bob")
	counts := func(n int) {
		t.Helper()
		var text shared
		fatal.If(t, s.metrics(&text, &serve.Server{}))
		if line := fmt.Sprintf("\nassay_rating_screens_open %d\n", n); !strings.Contains(text.String(), line) || strings.Contains(text.String(), "assay_executions") {
			t.Errorf("there is no %q in\n%s", line, &text)
		}
	}
	ann, bob := o.comes("ann").sees("r begins"), o.comes("bob").sees("r begins")
	counts(0)
	ann.press("r").sees("1 of 3")
	bob.press("r").sees("1 of 3")
	counts(2)
	ann.press("v", "q").sees("You rate here as ann")
	counts(1)
	bob.press("\x03").sees("Leave assay?").press("y").ends()
	p.until("bob's leaving", func() bool { return strings.Contains(o.log.String(), `"msg":"left","guest":"bob"`) })
	counts(0)
}

// shared opens the place's file for raters, until the test ends.
func (p *ratedPlace) shared() *serve.Ratings {
	p.t.Helper()
	f, err := overlap.Change(p.file)
	fatal.If(p.t, err)
	p.t.Cleanup(func() { _ = f.Close() })
	return serve.NewRatings(f, time.Now)
}

// A form that is left while it is being opened is not counted as open.
func TestRaterLeavesWhileTheFormOpens(t *testing.T) {
	ratings := newRatedPlace(t).shared()
	rater := ratings.Rater("ann", viewer.Options{})
	lobby := serve.Lobby(nil, rater)
	lobby.Update(lobby.Init()())
	opening := lobby.Update(tea.KeyPressMsg{Code: 'r', Text: "r"})
	if opening == nil {
		t.Fatal("the form is not opened")
	}
	rater.Leave()
	lobby.Update(opening())
	if n := ratings.Open.Load(); n != 0 {
		t.Errorf("%d are at their forms", n)
	}
	if page := lobby.Page(frame.Size{Width: 80, Height: 24}, frame.NewTheme(true, false)); !strings.Contains(page.Body, "the screens were closed") {
		t.Errorf("the screen says\n%s", page.Body)
	}
}

// deskAt is the desk of a tester at a certain place in a study.
type deskAt struct {
	serve.Desk
	at serve.Standing
}

// Standing implements serve.Desk.
func (s deskAt) Standing(context.Context) (serve.Standing, error) { return s.at, nil }

// Testers with unfinished sessions do not see answers to their tasks; testers who have finished, or whose
// study is over, rate.
func TestSessionsComeBeforeRatings(t *testing.T) {
	ratings := newRatedPlace(t).shared()
	const first = "finish your sessions first: among the answers are some of tasks that are ahead of you"
	for _, c := range []struct {
		at    serve.Standing
		rates bool
	}{
		{serve.Standing{Part: 1, Parts: 2}, false},
		{serve.Standing{Part: 1, Parts: 2, Begun: true}, false},
		{serve.Standing{Part: 2, Parts: 2, Begun: true}, false},
		{serve.Standing{Part: 3, Parts: 2}, true},
		{serve.Standing{Part: 2, Parts: 2, Closing: "the study is over"}, true},
	} {
		lobby := serve.Lobby(deskAt{at: c.at}, ratings.Rater("ann", viewer.Options{}))
		lobby.Update(lobby.Init()())
		page := lobby.Page(frame.Size{Width: 80, Height: 24}, frame.NewTheme(true, false))
		why := page.Keys[slices.IndexFunc(page.Keys, func(k frame.Key) bool { return k.Press == "r" })].Why
		said := strings.Contains(strings.Join(strings.Fields(ansi.Strip(page.Body)), " "), first)
		opens := lobby.Update(tea.KeyPressMsg{Code: 'r', Text: "r"}) != nil
		if opens != c.rates || said == c.rates || (why == first) == c.rates {
			t.Errorf("%+v: rates %v; the key: %q; the screen:\n%s", c.at, opens, why, page.Body)
		}
	}
}
