package repository

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/patch"
	"assay/benchmark/repository/testlog"
)

// failToPass is the list of the tests that must pass now.
const failToPass = "fail_to_pass"

// countsPasses reports whether tests of fail_to_pass count as passed.
func countsPasses(r Result) bool {
	return slices.Contains([]outcomes.Outcome{outcomes.Resolved, outcomes.Partly, outcomes.BrokeTests}, r.Outcome) &&
		slices.ContainsFunc(r.Tests, func(t Test) bool { return t.Passed && t.List == failToPass })
}

// confirm decides whether the tests that pass do so because of what they ask for. doubt is what else speaks against it.
// The reference itself has no altered run.
func (j *job) confirm(ctx context.Context, result *Result, answer patch.Changes, added []string, doubt string) error {
	if same(answer, j.known) {
		return nil
	}
	wrong, bits, fewest, err := j.unlike(ctx, result, answer, added)
	if bits < wantedBits || fewest == 0 {
		wrong = cmp.Or(wrong, doubt)
	}
	switch result.Guess = bits; {
	case wrong != "" && err == nil:
		result.Outcome, result.Message = outcomes.Tampered, "the report of the tests cannot be trusted: "+wrong
		return nil
	case err != nil: // runs with the reference fail, too
		result.Outcome, result.Message = outcomes.EnvironmentError, err.Error()
		return context.Cause(ctx)
	}
	switch {
	case result.Outcome == outcomes.Resolved:
		result.ToReview = j.audit(answer)
	case fewest == 0: // of some
		result.Message += ", which no altered test confirms"
	}
	return nil
}

// unlike returns how an answer's tests that passed differ from those of the reference where some expect other values, or "";
// and the coins that it had to guess, together and for the test of fail_to_pass that passed with the fewest.
func (j *job) unlike(ctx context.Context, result *Result, answer patch.Changes, added []string) (wrong string, bits, fewest int, err error) {
	if len(j.known) == 0 && j.directory == nil {
		return "", 0, 0, nil
	}
	var some []string
	if result.Outcome != outcomes.Resolved {
		for _, test := range result.Tests {
			if test.Passed && test.List == failToPass {
				some = append(some, test.ID)
			}
		}
	}
	least, most := 0, looks
	switch {
	case j.reads(answer):
		least = looks
	case result.Wall < shortRun:
		least, most = 1, 2*looks
	}
	for look := 0; look <= least || look <= most && bits < wantedBits; look++ {
		a, err := j.alteration(ctx, look, some)
		if err != nil || a == nil {
			return "", bits, fewest, err
		}
		if bits += a.bits; look == 0 && a.copies == 0 { // one is always altered
			bits--
		}
		fewest += a.fewest(result.Tests)
		if wrong, err = j.differs(ctx, a, result.Tests, answer, added); err != nil || wrong != "" {
			return wrong, bits, fewest, err
		}
	}
	return "", bits, fewest, nil
}

// difference is a test that does not do what it does with the reference.
type difference struct {
	test, how string
	certain   bool // it passes although the value that it expects was altered
}

// differs returns how an altered run of an answer differs from that of the reference, or "". Tests may be flaky: a run in
// which some only fail is repeated, and those count that fail in both.
func (j *job) differs(ctx context.Context, a *alteration, first []Test, answer patch.Changes, added []string) (wrong string, err error) {
	var before []difference
	for range 2 {
		ran, err := j.runAltered(ctx, a, answer, added)
		if err != nil {
			if _, fault := j.runAltered(ctx, a, j.known, nil); fault != nil || ctx.Err() != nil {
				return "", err
			}
			ran.failed = err.Error() // it starts with the reference
		}
		var again []difference
		for _, d := range j.differences(a, first, ran) {
			if d.certain {
				return d.how, nil
			}
			if before == nil || slices.ContainsFunc(before, func(b difference) bool { return b.test == d.test }) {
				again = append(again, d)
			}
		}
		if before = again; len(again) == 0 {
			return "", nil
		}
	}
	return j.unstable(ctx, a, before)
}

// unstable returns the first of the differences that is not due to a test with which the reference itself does now this, now
// that, or "".
func (j *job) unstable(ctx context.Context, a *alteration, all []difference) (how string, err error) {
	ran, err := j.runAltered(ctx, a, j.known, nil)
	if err != nil {
		return "", err
	}
	good := func(status map[string]testlog.Status, id string) bool {
		key, found := testlog.Match(status, id)
		return found && status[key].Good()
	}
	again := ran.results(j.parser).Status
	for _, d := range all {
		if good(again, d.test) == good(a.status, d.test) {
			return d.how, nil
		}
	}
	return "", nil
}

// differences lists the tests of a run that do not do what they do with the reference, and how. Those that did not pass
// first are none.
func (j *job) differences(a *alteration, first []Test, ran ran) (all []difference) {
	reported := ran.results(j.parser)
	for id := range reported.Contradicted {
		reported.Status[id] = testlog.Failed
	}
	tell := func(name string, want, got, guessed bool) {
		how := "beside tests with other expected values, " + name + " does not pass any more"
		switch limit := limitReached(ran.end.Cause, ran.budget); {
		case want == got:
			return
		case got:
			how = "with another expected value, " + name + " is still reported as passed"
		case limit != "":
			how = fmt.Sprintf("with copies of tests, %s does not pass: %s", name, limit)
		}
		all = append(all, difference{name, how, got && guessed})
	}
	for _, c := range a.coins {
		if c.counts {
			got, _ := a.goodness(reported.Status, c)
			tell(c.name, !c.altered, got, true)
		}
	}
	for _, test := range first {
		key, found := testlog.Match(a.status, test.ID)
		own, _ := testlog.Match(reported.Status, test.ID)
		if found && test.Passed && j.directory == nil {
			tell(test.ID, a.status[key].Good(), reported.Status[own].Good(), false)
		}
	}
	return all
}

// same reports whether two sets of changes lead to the same files.
func same(a, b patch.Changes) bool {
	return maps.EqualFunc(a, b, func(x, y *patch.File) bool {
		return x == y || x != nil && y != nil && x.Mode == y.Mode && string(x.Data) == string(y.Data)
	})
}

// fewest returns the coins that count for the test of fail_to_pass that passed with the fewest.
func (a *alteration) fewest(tests []Test) int {
	least := -1
	for _, t := range tests {
		if !t.Passed || t.List != failToPass {
			continue
		}
		n := 0
		for _, c := range a.coins {
			if c.counts && hasName(t.ID, c.of) {
				n++
			}
		}
		if least < 0 || n < least {
			least = n
		}
	}
	return max(0, least)
}
