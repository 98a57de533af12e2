package strength

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/verdicts"
)

// Weight is the importance of a finding.
type Weight string

// The weights.
const (
	Fault Weight = "fault" // the task misjudges, or states something false
	Gap   Weight = "gap"   // something is missing that a study may need
)

// Finding is a problem with a task.
type Finding struct {
	Weight Weight `json:"weight"`
	What   string `json:"what"` // "reference", "examples", "answers", "order", "time", "metadata", "strength"
	Text   string `json:"text"` // the problem and its remedy
}

// Examination is the result of examining one task.
type Examination struct {
	Task     string    `json:"task"`
	Findings []Finding `json:"findings,omitempty"`

	Runs     int      `json:"reference_runs"`        // of the reference solution
	Cases    int      `json:"test_cases"`            // as the judge counted them
	Examples int      `json:"examples_checked"`      // compared with the reference
	Wrong    int      `json:"wrong_rejected"`        // wrong recorded answers that were rejected
	Skipped  []string `json:"not_checked,omitempty"` // what could not be checked, and why
	Strength *Score   `json:"strength,omitempty"`

	Gold *outcomes.Gold `json:"gold,omitempty"` // of a repository task
}

// Faults counts the findings that are faults.
func (x *Examination) Faults() int {
	n := 0
	for _, f := range x.Findings {
		if f.Weight == Fault {
			n++
		}
	}
	return n
}

func (x *Examination) add(w Weight, what, format string, args ...any) {
	x.Findings = append(x.Findings, Finding{w, what, fmt.Sprintf(format, args...)})
}

func (x *Examination) skip(format string, args ...any) {
	x.Skipped = append(x.Skipped, fmt.Sprintf(format, args...))
}

// Least is the mutation score below which tests are weak.
const Least = 0.9

// Examiner examines tasks.
type Examiner struct {
	Judge verdicts.Judge

	// Others are judges with other hash seeds, to find a reference whose result depends on the order of a
	// set.
	Others []verdicts.Judge

	Mutate bool // also run mutants
}

// Examine examines one task with its recorded answers. The error means that the examination failed.
func (e Examiner) Examine(ctx context.Context, task *benchmark.Task, answers []benchmark.RecordedAnswer) (*Examination, error) {
	x := &Examination{Task: task.ID}
	x.metadata(task)
	if !task.HasTests() {
		x.skip("the task has no tests: it is judged by the tester alone")
		return x, nil
	}
	if task.Reference == "" {
		x.skip("without a reference solution its tests, examples and strength cannot be checked")
	} else if task.Repository != nil {
		if ok, err := e.gold(ctx, x, task); err != nil || !ok {
			return x, err
		}
	} else if ok, err := e.reference(ctx, x, task); err != nil || !ok {
		return x, err
	}
	if err := e.answers(ctx, x, task, answers); err != nil || !e.Mutate || !task.Program() {
		return x, err
	}
	return x, e.strength(ctx, x, task)
}

// metadata adds missing metadata.
func (x *Examination) metadata(t *benchmark.Task) {
	var missing []string
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"constraints", len(t.Constraints) > 0}, {"examples", len(t.Examples) > 0}, {"context_levels", len(t.ContextLevels) == benchmark.MaxContextLevel},
		{"difficulty", t.Difficulty != ""}, {"type", t.Type != ""}, {"category", t.Category != ""}, {"topics", len(t.Topics) > 0},
		{"published", t.Published != ""}, {"source.title", t.Source.Title != ""}, {"source.licence", t.Source.Licence != ""},
		{"reference", t.Reference != ""}, {"tests", t.HasTests()},
		{"signature", t.EntryPoint == "" || !t.Signature.IsZero() || t.Prompt != ""},
	} {
		if !f.given {
			missing = append(missing, f.name)
		}
	}
	if len(missing) > 0 {
		x.add(Gap, "metadata", "not given: %s", strings.Join(missing, ", "))
	}
}

// reference runs the reference solution with every judge, each time with the test cases in another order,
// and once with the clock years ahead. It returns false if the reference is not accepted at all.
func (e Examiner) reference(ctx context.Context, x *Examination, task *benchmark.Task) (bool, error) {
	for i, j := range append([]verdicts.Judge{e.Judge}, e.Others...) {
		if task.Language != "python" {
			j = e.Judge // only Python has hash seeds, and compiled programs are cached
		}
		r, err := j.Judge(ctx, verdicts.Submission{Task: reordered(task, uint64(i)), Code: task.Reference})
		if err != nil {
			return false, err
		}
		if r.Verdict == verdicts.NotJudged {
			x.skip("%s", r.Message)
			return false, nil
		}
		if i == 0 {
			x.Cases = r.Total
			if r.Verdict != verdicts.Accepted {
				x.add(Fault, "reference", "the reference solution is %s, with %d of %d test cases passed%s; fix it or the tests",
					r.Verdict, r.Passed, r.Total, firstFailure(r))
				return false, nil
			}
		} else if r.Verdict != verdicts.Accepted {
			x.add(Fault, "order", "the reference solution is %s when it is run again, with the test cases in another order and another hash seed%s; "+
				"a test must not depend on either", r.Verdict, firstFailure(r))
			continue
		}
		x.Runs++
	}
	if err := e.later(ctx, x, task); err != nil {
		return false, err
	}
	return true, e.examples(ctx, x, task)
}

// gold checks that the lists of a repository task hold. It returns false if they do not.
func (e Examiner) gold(ctx context.Context, x *Examination, task *benchmark.Task) (bool, error) {
	checker, can := e.Judge.(interface {
		CheckGold(context.Context, *benchmark.Task, int) (outcomes.Gold, error)
	})
	if !can {
		x.skip("whether the lists of repository tasks hold is checked on the machine that runs the tests")
		return true, nil
	}
	gold, err := checker.CheckGold(ctx, task, 1+len(e.Others))
	if err != nil {
		return false, err
	}
	x.Runs, x.Cases, x.Gold = gold.Rounds, gold.Tests, &gold
	if gold.Problem != "" {
		shown := ""
		if gold.Output != "" {
			shown = "; what its tests wrote is in " + gold.Output
		}
		x.add(Fault, "reference", "%s; the task is left out of evaluations on this machine%s", gold.Describe(), shown)
	}
	return gold.Problem == "", nil
}

// later runs the reference with the clock set ahead.
func (e Examiner) later(ctx context.Context, x *Examination, task *benchmark.Task) error {
	prelude, known := clockAhead[task.Language]
	if task.Language == "python" && asksDatetime.MatchString(task.Reference) {
		prelude += pythonDateAhead
	}
	if !known || strings.Contains(task.Reference, "from __future__") || task.Tests.Style == benchmark.Script || !task.Program() {
		x.skip("whether a test depends on the clock is not checked for %s tests in %s", task.Tests.Style, task.Language)
		return nil
	}
	r, err := e.Judge.Judge(ctx, verdicts.Submission{Task: task, Code: prelude + task.Reference})
	if err != nil {
		return err
	}
	if r.Verdict != verdicts.Accepted {
		x.add(Fault, "time", "the reference solution is %s when the clock is ten years ahead%s; a test must not depend on the time", r.Verdict, firstFailure(r))
	}
	return nil
}

// clockAhead is code to put before a program that sets its clock ten years ahead.
var clockAhead = map[string]string{
	"python": "import time\ntime.time = lambda now=time.time: now() + 315576000.0\n" +
		"for _name in ('localtime', 'gmtime', 'ctime'):\n    setattr(time, _name, lambda t=None, f=getattr(time, _name): f(time.time() if t is None else t))\ndel _name\n",
	"javascript": "{ const now = Date.now, Real = Date; Date = class extends Real { constructor(...a) { a.length ? super(...a) : super(now() + 315576000000); } static now() { return now() + 315576000000; } }; }\n",
	"r":          "Sys.time <- function() base::Sys.time() + 315576000\nSys.Date <- function() base::Sys.Date() + 3652\n",
}

// Python's datetime reads the clock itself. Its replacement is another class, so it is only used by
// programs that ask for the time.
const pythonDateAhead = `import datetime
class _Ahead(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return super().now(tz) + datetime.timedelta(days=3652)
    @classmethod
    def utcnow(cls):
        return super().utcnow() + datetime.timedelta(days=3652)
    @classmethod
    def today(cls):
        return super().today() + datetime.timedelta(days=3652)
datetime.datetime = _Ahead
del datetime
`

var asksDatetime = regexp.MustCompile(`\b(now|utcnow|today)\(`)

// reordered returns the task with its test cases in another order: 0 is the original, 1 reversed, others
// are shuffled.
func reordered(task *benchmark.Task, order uint64) *benchmark.Task {
	t := *task
	rng := rand.New(rand.NewPCG(order, 0))
	t.Tests.Cases = another(t.Tests.Cases, order, rng)
	t.Tests.Properties = another(t.Tests.Properties, order, rng)
	t.Tests.Asserts = another(t.Tests.Asserts, order, rng)
	t.Tests.Runs = another(t.Tests.Runs, order, rng)
	return &t
}

func another[T any](list []T, order uint64, rng *rand.Rand) []T {
	switch list = slices.Clone(list); order {
	case 0:
	case 1:
		slices.Reverse(list)
	default:
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return list
}

// answers judges the recorded answers.
func (e Examiner) answers(ctx context.Context, x *Examination, task *benchmark.Task, answers []benchmark.RecordedAnswer) error {
	right := 0
	for _, a := range answers {
		r, err := e.Judge.Judge(ctx, verdicts.Submission{Task: task, Code: extract.Code(a.Text, task).Code})
		if err != nil {
			return err
		}
		accepted := r.Verdict == verdicts.Accepted
		switch {
		case r.Verdict == verdicts.NotJudged:
			x.skip("recorded answers: %s", r.Message)
			return nil
		case accepted && a.Fault != "":
			x.add(Fault, "answers", "recorded answer %d is accepted, though it is wrong (%s); add a test case that shows it", a.Attempt, a.Fault)
		case !r.Met(a.Expect):
			x.add(Fault, "answers", "recorded answer %d is %s, not %s%s", a.Attempt, cmp.Or(string(r.Resolution), string(r.Verdict)), a.Expect, firstFailure(r))
		case accepted:
			right++
		case r.Verdict == verdicts.NoCode: // neither right nor wrong
		default:
			x.Wrong++
		}
	}
	if len(answers) == 0 {
		x.skip("no answers are recorded for the task")
	} else if right == 0 || x.Wrong == 0 {
		x.add(Gap, "answers", "of %d recorded answers %d are right and %d wrong; both kinds are wanted to practise with", len(answers), right, x.Wrong)
	}
	return nil
}

// strength runs mutants.
func (e Examiner) strength(ctx context.Context, x *Examination, task *benchmark.Task) error {
	score, err := measure(ctx, e.Judge, task)
	if errors.Is(err, errNoScore) {
		x.skip("%v", err)
		return nil
	}
	if err != nil {
		return err
	}
	x.Strength = &score
	if score.Share() < Least {
		x.add(Fault, "strength", "the tests notice %d of %d mutants of the reference solution (%.2f, at least %.2f is wanted); "+
			"add test cases that tell the survivors from the reference", score.Killed, score.Mutants, score.Share(), Least)
	}
	return nil
}

// firstFailure describes the first failing test case, for a message.
func firstFailure(r verdicts.Result) string {
	for _, c := range r.Cases {
		if c.Status != verdicts.Passed {
			text := fmt.Sprintf(" (first: case %d", c.Index)
			if c.Name != "" {
				text += fmt.Sprintf(" %q", c.Name)
			}
			if c.Expected != "" || c.Got != "" {
				text += fmt.Sprintf(", expected %s, got %s", c.Expected, c.Got)
			}
			if c.Message != "" {
				text += ": " + c.Message
			}
			return text + ")"
		}
	}
	if r.Message != "" {
		return " (" + r.Message + ")"
	}
	return ""
}
