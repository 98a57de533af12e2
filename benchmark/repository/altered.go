package repository

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"assay/benchmark/repository/patch"
	"assay/benchmark/repository/testlog"
)

// An altered run decides whether an answer passes tests or only has them reported as passed. The task's tests
// run again with the same names, of which some expect other values than before, and with copies of those that must pass
// now, of which some expect other values, too. What each must do is what it does with the reference. An answer that
// does not compute what tests ask for cannot tell which values were altered.

// coin is a test of an altered run whose expected values were altered or not, by the toss of a fair coin.
type coin struct {
	name    string // the test's, as in ids
	of      string // of what it is a copy, or its own name
	altered bool
	counts  bool   // the reference shows what it is
	place   [2]int // the file's index and the byte at which the expected value begins that is altered in some
}

// alteration is a drawn set of test files, with what the reference does.
type alteration struct {
	files   patch.Changes
	units   []unit   // of which it was drawn, without values that were found to have no effect
	failing []string // ids of tests that must pass now
	some    bool     // only these ids decide, not others of the same tests
	coins   []coin   // of these
	copies  int
	status  map[string]testlog.Status // with the reference
	bits    int                       // coins of which the reference shows what they are
	shown   map[[2]int]bool           // places at which another value was found to have an effect, here or in the first draw
}

const (
	// wantedBits is how many tosses an answer has to guess, in one of two ways: one in 2^20 that guess at random do.
	wantedBits = 21
	// moreCoins are tossed for alterations that turn out to be without effect.
	moreCoins = 8
	mostDraws = 5
	// looks is how many more runs without copies there are for an answer that could read what tests expect, or at most
	// where tests cannot be copied.
	looks = 3
	// shortRun is how long tests take at most for one such look at any answer.
	shortRun = 5 * time.Second
)

// alteration returns what is drawn for a task, once for a process: no answer learns what another one met. Without
// a reference, or where no test has an expected value that can be altered, there is none. The first one has copies of
// tests; those of later looks have none, so that nothing but the values tells them from the first run. some are the ids
// that decide if they are not all that must pass now.
func (j *job) alteration(ctx context.Context, look int, some []string) (*alteration, error) {
	key := [2]string{j.task.Hash(), fmt.Sprintf("%d %q", look, some)}
	if known, ok := j.altered.Load(key); ok {
		return known.(*alteration), nil
	}
	var best *alteration
	begin, coins, err := j.unaltered(ctx, look, some)
	if err != nil {
		return nil, err
	}
	units, raised := begin.units, false
	for range mostDraws {
		a := draw(units, begin.failing, coins, some != nil, look == 0)
		if a == nil {
			break
		}
		a.shown = maps.Clone(begin.shown)
		ran, err := j.runAltered(ctx, a, j.known, nil)
		if err != nil && ctx.Err() == nil { // it may be a fault of this machine that passes
			ran, err = j.runAltered(ctx, a, j.known, nil)
		}
		if err != nil {
			return nil, err
		}
		idle := j.measure(a, ran.results(j.parser))
		begin.shown = a.shown
		if best == nil || a.bits > best.bits {
			best = a
		}
		units = slices.Clone(units)
		for i, u := range units { // what has no effect is not drawn again
			units[i].expected = slices.DeleteFunc(slices.Clone(u.expected), func(e expected) bool { return idle[[2]int{u.file, e.start}] })
		}
		best.units = units
		if most := a.affordable(ran.wall); look == 0 && most > coins && !raised {
			coins, raised = most, true
			continue
		}
		if best.bits >= wantedBits || best.bits == len(best.coins) || look > 0 && best.bits > 0 {
			break
		}
	}
	if best == nil || best.bits == 0 {
		best = nil
	}
	found, _ := j.altered.LoadOrStore(key, best)
	return found.(*alteration), nil
}

// affordable returns how many coins there can be if each test has as many as all have to have together, so that an answer that
// solves all tests but one guesses as many for that one, as far as tests with as many copies take a shortRun.
func (a *alteration) affordable(wall time.Duration) int {
	if a.copies == 0 {
		return 0
	}
	tests := map[string]bool{}
	for _, c := range a.coins {
		tests[c.of] = true
	}
	return min(len(tests)*(wantedBits+moreCoins), int(float64(len(a.coins))*float64(shortRun)/float64(max(wall, 1))))
}

// unaltered returns what alterations are drawn from: tests, the ids of those that must pass now, and how many coins.
func (j *job) unaltered(ctx context.Context, look int, some []string) (begin alteration, coins int, err error) {
	if look > 0 {
		first, err := j.alteration(ctx, 0, some)
		if err != nil || first == nil {
			return begin, 0, err
		}
		return *first, 0, nil
	}
	begin = alteration{failing: some, shown: map[[2]int]bool{}}
	if some == nil {
		begin.failing = j.task.Repository.FailToPass
	}
	if j.directory != nil {
		if len(j.known) == 0 && j.directory.Solution != "" {
			if problem, err := j.solve(ctx); err != nil || problem != "" {
				return begin, 0, err
			}
		}
		before, err := j.tested(ctx, nil, patch.Changes{})
		if err != nil {
			return begin, 0, err
		}
		for id, status := range before.results(j.parser).Status {
			if !status.Good() {
				begin.failing = append(begin.failing, id)
			}
		}
	}
	if len(j.known) > 0 {
		begin.units = j.alterable()
	}
	return begin, wantedBits + moreCoins, nil
}

// measure keeps what tests do with the reference. It returns the altered values that have no effect.
func (j *job) measure(a *alteration, reported *testlog.Results) (idle map[[2]int]bool) {
	a.status, idle = reported.Status, map[[2]int]bool{}
	for _, c := range a.coins {
		if good, found := a.goodness(a.status, c); found && c.altered {
			idle[c.place] = idle[c.place] || good
			a.shown[c.place] = !idle[c.place]
		}
	}
	for i, c := range a.coins {
		good, found := a.goodness(a.status, c)
		if a.coins[i].counts = found && good != c.altered && a.shown[c.place]; a.coins[i].counts {
			a.bits++
		}
	}
	return idle
}

// goodness returns whether all tests of a coin's name passed that decide, and whether there is one.
func (a *alteration) goodness(status map[string]testlog.Status, c coin) (good, found bool) {
	good = true
	for id, s := range status {
		if hasName(id, c.name) && (!a.some || a.decides(strings.ReplaceAll(id, c.name, c.of), s)) {
			good, found = good && s.Good(), true
		}
	}
	return good && found, found
}

// decides reports whether a test is one of those that decide, whose ids may be cut off in the task's lists.
func (a *alteration) decides(id string, s testlog.Status) bool {
	return slices.ContainsFunc(a.failing, func(listed string) bool {
		_, is := testlog.Match(map[string]testlog.Status{id: s}, listed)
		return is
	})
}

// hasName reports whether an id is that of a test of a name, or of one of its parameters or subtests.
func hasName(id, name string) bool {
	for at := 0; ; {
		i := strings.Index(id[at:], name)
		if i < 0 {
			return false
		}
		before, after := id[:at+i], id[at+i+len(name):]
		starts := before == "" || strings.ContainsRune(" .:/#>|", rune(before[len(before)-1]))
		if starts && (after == "" || strings.HasPrefix(after, " (") || strings.ContainsRune("[(/:.", rune(after[0]))) {
			return true
		}
		at += i + 1
	}
}

// draw tosses coins for tests, at least so many if tests can be copied. All that are altered of a test and its copies
// expect the same other value, so that no majority tells which of two is right. Where only some tests decide, copies
// stand behind these: another may have ended the process. nil: none can be altered.
func draw(units []unit, failing []string, coins int, some, first bool) *alteration {
	units = slices.DeleteFunc(slices.Clone(units), func(u unit) bool { return len(u.expected) == 0 })
	var deciding []unit // tests that must pass now
	for _, u := range units {
		if slices.ContainsFunc(failing, func(id string) bool { return hasName(id, u.name) }) {
			deciding = append(deciding, u)
		}
	}
	if len(deciding) == 0 {
		return nil
	}
	a := &alteration{files: patch.Changes{}, failing: failing, some: some}
	edits, others := map[int][]edit{}, map[[2]int]edit{}
	for _, u := range units {
		e := u.expected[rand.IntN(len(u.expected))]
		others[[2]int{u.file, u.start}] = edit{e.start, e.end, e.other()}
	}
	toss := func(u unit, name string) (change []edit) {
		other := others[[2]int{u.file, u.start}]
		altered := rand.IntN(2) == 0
		if altered {
			change = []edit{other}
		}
		a.coins = append(a.coins, coin{name: name, of: u.name, altered: altered, place: [2]int{u.file, other.start}})
		return change
	}
	copyable := slices.DeleteFunc(slices.Clone(deciding), func(u unit) bool { return !u.copies })
	for len(a.coins) == 0 || first && !slices.ContainsFunc(a.coins, func(c coin) bool { return c.altered }) { // it shows which places have an effect
		a.coins, edits, a.copies = nil, map[int][]edit{}, 0
		for _, u := range units {
			counted := len(a.coins)
			change := toss(u, u.name)
			edits[u.file] = append(edits[u.file], change...)
			if !slices.ContainsFunc(deciding, func(d unit) bool { return d.file == u.file && d.start == u.start }) {
				a.coins = a.coins[:counted] // the answer may let it run: nothing to guess
			}
		}
		for i := 0; len(copyable) > 0 && len(a.coins) < coins; i++ {
			u := copyable[i%len(copyable)]
			name := u.newName()
			change := toss(u, name)
			places := u.beside
			if some {
				places = slices.DeleteFunc(slices.Clone(places), func(end int) bool {
					return !slices.ContainsFunc(deciding, func(d unit) bool { return d.file == u.file && d.end == end })
				})
			}
			beside := places[rand.IntN(len(places))]
			edits[u.file] = append(edits[u.file], edit{beside, beside, u.copied(name, change)})
			a.copies++
		}
	}
	for file, changes := range edits {
		source := units[slices.IndexFunc(units, func(u unit) bool { return u.file == file })].source
		a.files[source.path] = &patch.File{Data: []byte(applyEdits(source.text, changes)), Mode: source.mode}
	}
	return a
}

// runAltered runs the altered tests with changes.
func (j *job) runAltered(ctx context.Context, a *alteration, answer patch.Changes, added []string) (ran, error) {
	longer, task := *j, *j.task
	longer.env.Test = withoutStop(j.env.Test)
	limits := task.Limits.ForRepository() // a copy takes no longer than the whole first run
	limits.CPUTotal *= float64(1 + a.copies)
	limits.WallSeconds *= float64(1 + a.copies)
	task.Limits = limits
	longer.task = &task
	if j.directory != nil {
		return longer.tested(ctx, answer, a.files)
	}
	changes := maps.Clone(answer)
	maps.Copy(changes, j.tests)
	maps.Copy(changes, a.files)
	planted := longer.plant(changes) // so that nothing tells this run from the first
	return longer.run(ctx, changes, planted, added)
}
