package repository

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"assay/benchmark/repository/patch"
	"assay/benchmark/repository/testlog"
)

// An altered run decides whether an answer solves its task or only has its tests reported as passed. The task's tests
// run again with the same names, of which some expect other values than before, and with copies of those that must pass
// now, of which some expect other values, too. What each must do is what it does with the reference. An answer that
// does not compute what tests ask for cannot tell which values were altered.

// coin is a test of an altered run whose expected values were altered or not, by the toss of a fair coin.
type coin struct {
	name    string // the test's, as in ids
	altered bool
	place   [2]int // the file's index and the byte at which its expected value begins
}

// alteration is a drawn set of test files, with what the reference does.
type alteration struct {
	files  patch.Changes
	coins  []coin // of tests that must pass now
	copies int
	status map[string]testlog.Status // with the reference
	bits   int                       // coins of which the reference shows what they are
}

const (
	// wantedBits is how many tosses an answer has to guess: one in 2^20 that guess at random do.
	wantedBits = 20
	// moreCoins are tossed for alterations that turn out to be without effect.
	moreCoins = 8
	mostDraws = 3
)

// alteration returns what is drawn for a task, once for a process: no answer learns what another one met. Without
// a reference, or where no test has an expected value that can be altered, there is none.
func (j *job) alteration(ctx context.Context) (*alteration, error) {
	key := j.task.Hash()
	if known, ok := j.altered.Load(key); ok {
		return known.(*alteration), nil
	}
	var best *alteration
	units := j.alterable()
	for range mostDraws {
		a := j.draw(units)
		if a == nil {
			break
		}
		ran, err := j.runAltered(ctx, a, j.known, nil)
		if err != nil {
			return nil, err
		}
		idle := j.measure(a, ran.results(j.parser))
		if best == nil || a.bits > best.bits {
			best = a
		}
		if best.bits >= wantedBits {
			break
		}
		for i, u := range units { // what has no effect is not drawn again
			units[i].expected = slices.DeleteFunc(u.expected, func(e expected) bool { return idle[[2]int{u.file, e.start}] })
		}
	}
	if best == nil || best.bits == 0 {
		best = nil
	}
	found, _ := j.altered.LoadOrStore(key, best)
	return found.(*alteration), nil
}

// measure keeps what tests do with the reference. It returns the altered values that have no effect.
func (j *job) measure(a *alteration, reported *testlog.Results) (idle map[[2]int]bool) {
	a.status, idle = reported.Status, map[[2]int]bool{}
	for _, c := range a.coins {
		good, found := goodness(a.status, c.name)
		switch {
		case found && good != c.altered:
			a.bits++
		case found && c.altered:
			idle[c.place] = true
		}
	}
	return idle
}

// goodness returns whether all tests of a name passed, and whether there is one.
func goodness(status map[string]testlog.Status, name string) (good, found bool) {
	good = true
	for id, s := range status {
		if hasName(id, name) {
			good, found = good && s.Good(), true
		}
	}
	return good && found, found
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

// draw tosses coins for tests. nil: none can be altered.
func (j *job) draw(units []unit) *alteration {
	units = slices.DeleteFunc(slices.Clone(units), func(u unit) bool { return len(u.expected) == 0 })
	var deciding []unit // tests that must pass now
	for _, u := range units {
		if slices.ContainsFunc(j.task.Repository.FailToPass, func(id string) bool { return hasName(id, u.name) }) {
			deciding = append(deciding, u)
		}
	}
	if len(deciding) == 0 {
		return nil
	}
	a := &alteration{files: patch.Changes{}}
	edits := map[int][]edit{}
	toss := func(u unit, name string) (altered bool, change []edit) {
		if altered = rand.IntN(2) == 0; altered {
			e := u.expected[rand.IntN(len(u.expected))]
			change = []edit{{e.start, e.end, e.other()}}
			a.coins = append(a.coins, coin{name, true, [2]int{u.file, e.start}})
		} else {
			a.coins = append(a.coins, coin{name: name})
		}
		return altered, change
	}
	copyable := slices.DeleteFunc(slices.Clone(deciding), func(u unit) bool { return !u.copies })
	for len(a.coins) == 0 || !slices.ContainsFunc(a.coins, func(c coin) bool { return c.altered }) { // a run in which nothing is altered tells nothing
		a.coins, edits, a.copies = nil, map[int][]edit{}, 0
		for _, u := range units {
			counted := len(a.coins)
			_, change := toss(u, u.name)
			edits[u.file] = append(edits[u.file], change...)
			if !slices.ContainsFunc(deciding, func(d unit) bool { return d.file == u.file && d.start == u.start }) {
				a.coins = a.coins[:counted] // the answer may let it run: nothing to guess
			}
		}
		for i := 0; len(copyable) > 0 && len(a.coins) < wantedBits+moreCoins; i++ {
			u := copyable[i%len(copyable)]
			name := u.newName()
			_, change := toss(u, name)
			beside := u.beside[rand.IntN(len(u.beside))]
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
	changes := maps.Clone(answer)
	maps.Copy(changes, j.tests)
	maps.Copy(changes, a.files)
	planted := j.plant(changes) // so that nothing tells this run from the first
	longer, task := *j, *j.task
	limits := task.Limits.ForRepository() // a copy takes no longer than the whole first run
	limits.CPUTotal *= float64(1 + a.copies)
	limits.WallSeconds *= float64(1 + a.copies)
	task.Limits = limits
	longer.task = &task
	return longer.run(ctx, changes, planted, added)
}

// unlike returns how an answer's tests differ from those of the reference where some expect other values, or "". A run
// is repeated once, since tests may be flaky.
func (j *job) unlike(ctx context.Context, answer patch.Changes, added []string) (wrong string, bits int, err error) {
	if same(answer, j.known) || len(j.known) == 0 || stopsEarly.MatchString(strings.Join(j.env.Test, "\n")) {
		return "", 0, nil
	}
	a, err := j.alteration(ctx)
	if err != nil || a == nil {
		return "", 0, err
	}
	first := ""
	for range 2 {
		ran, err := j.runAltered(ctx, a, answer, added)
		if err != nil {
			if ctx.Err() != nil {
				return "", 0, err
			}
			ran.failed = err.Error() // it starts with the reference
		}
		test, wrong := j.differs(a, ran)
		if wrong == "" || first != "" && first != test {
			return "", a.bits, nil
		}
		if first != "" {
			return wrong, a.bits, nil
		}
		first = test
	}
	return "", a.bits, nil
}

// differs returns the first test of a run that does not do what it does with the reference, and how.
func (j *job) differs(a *alteration, ran ran) (test, wrong string) {
	reported := ran.results(j.parser)
	for id := range reported.Contradicted {
		reported.Status[id] = testlog.Failed
	}
	tell := func(name string, want, got bool) (string, string) {
		switch {
		case want == got:
			return "", ""
		case got:
			return name, "with another expected value, " + name + " is still reported as passed"
		case limitReached(ran.end.Cause, ran.budget) != "":
			return name, fmt.Sprintf("with copies of tests, %s does not pass: %s", name, limitReached(ran.end.Cause, ran.budget))
		}
		return name, "beside tests with other expected values, " + name + " does not pass any more"
	}
	for _, c := range a.coins {
		if want, found := goodness(a.status, c.name); found {
			got, _ := goodness(reported.Status, c.name)
			if test, wrong = tell(c.name, want, got); wrong != "" {
				return test, wrong
			}
		}
	}
	for _, id := range slices.Concat(j.task.Repository.FailToPass, j.task.Repository.PassToPass) {
		key, found := testlog.Match(a.status, id)
		own, _ := testlog.Match(reported.Status, id)
		if found {
			if test, wrong = tell(id, a.status[key].Good(), reported.Status[own].Good()); wrong != "" {
				return test, wrong
			}
		}
	}
	return "", ""
}

// same reports whether two sets of changes lead to the same files.
func same(a, b patch.Changes) bool {
	return maps.EqualFunc(a, b, func(x, y *patch.File) bool {
		return x == y || x != nil && y != nil && x.Mode == y.Mode && string(x.Data) == string(y.Data)
	})
}
