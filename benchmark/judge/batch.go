package judge

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/benchmark"
	"assay/benchmark/sandbox"
)

// A sample whose process answers all calls of the tests at once costs one
// message each way. What the calls are is recorded from the tests, see
// python/batch.py. A batch only ever decides what the same calls one by one
// would decide as well: whenever the process does anything but return or raise
// within a small budget, or the tests ask for other calls, the sample is judged
// again, call by call.

const (
	// batchCPU is what a whole batch may use, and batchMost where samples that pass take
	// longer. It must not exceed the limit of a single case, so that no case of a batch
	// can be beyond its limit.
	batchCPU  = 100 * time.Millisecond
	batchMost = 500 * time.Millisecond
	batchWall = 3 * time.Second
	batchSize = 1 << 20 // of the recorded calls
)

// usable reports whether samples should be asked for the recorded calls: not where
// the tests of most samples make others.
func (t *openTask) usable() bool { return t.calls != nil && (t.misses < 4 || t.hits > t.misses) }

func (t *openTask) setCalls(calls []byte) {
	if t.calls = calls; len(calls) > batchSize || len(calls) < 5 {
		t.calls = nil
	}
	t.judged = map[[sha256.Size]byte]fromChecker{}
}

// asked is the number of calls. They are a list as Python's marshal module writes it: a
// character and four bytes of length.
func (t *openTask) asked() int { return int(binary.LittleEndian.Uint32(t.calls[1:5])) }

// knownAnswers is how many different answers to a task's calls are remembered.
const knownAnswers = 64

// batched reports whether samples are to be asked for all calls at once, which are
// recorded if they are not yet. A checker that does not survive the recording is
// lost, and the task not tried again.
func (j *Judge) batched(c *checker, t *openTask) (bool, error) {
	if _, bad := j.unknown.Load(t.hash); bad {
		return false, nil
	}
	if t.calls == nil && t.hits+t.misses == 0 {
		answer, err := c.ask("recording the tests' calls", map[string]string{"k": "record", "task": t.hash})
		if err != nil {
			j.unknown.Store(t.hash, true)
			return false, err
		}
		if t.setCalls(answer.Calls); t.calls == nil {
			j.unknown.Store(t.hash, true)
		}
	}
	return t.usable(), nil
}

// batch judges the sample by one message. It answers false if the sample has to
// be judged call by call.
func (r *run) batch(c *checker, t *openTask) (judged bool, err error) {
	s := r.sample
	limit := min(max(batchCPU, 4*t.took), batchMost, seconds(r.limits.CPUSeconds), seconds(r.limits.CPUTotal))
	budget := sandbox.Budget{CPU: limit, Wall: min(batchWall, seconds(r.limits.WallSeconds)), Coarse: true}
	if err := r.sendBatch(budget, t.calls); err != nil {
		return false, err
	}
	if s.leaving = s.box.Ready(); s.leaving {
		s.control.Close()
	}
	var m fromSample
	if err := s.channel.receiveUpTo(maxBatch, &m); err != nil {
		return false, r.forget()
	}
	if !s.leaving {
		s.box.Kill(sandbox.Closed) // it ends while the checker works
	}
	var refused *callFailure
	var done fromChecker
	var all []answer
	switch m.Kind {
	case "syntax":
		refused = &callFailure{Status(CompileError), m.shown()}
	case "load":
		f := r.raised(m.answer)
		refused = &f
	case "batch":
		if all, err = decodeList[answer](m.Answers, t.asked()); err != nil {
			return false, r.forget()
		}
		answers := r.answers(all)
		if answers == nil {
			return false, r.forget()
		}
		done, err = c.replay(r.clock, t, answers)
		if limit, ok := r.exhausted(err); ok && limit.Status == Status(TimeLimit) {
			refused = &limit // one by one, the calls would take as long
			break
		}
		if err != nil {
			return false, err
		}
		if done.Kind != "done" {
			return false, r.forget()
		}
	default:
		return false, r.forget()
	}
	if end := s.close(); end.Cause != sandbox.Closed && end.Cause != "" || s.usage().CPU > limit {
		return false, r.forget()
	}
	r.retire()
	if refused != nil {
		r.refuse(t.cases, *refused)
		return true, nil
	}
	r.attribute(done.Of, all)
	r.conclude(done)
	r.passed(t)
	return true, nil
}

// sendBatch hands the program and all calls over. An error is ours.
func (r *run) sendBatch(budget sandbox.Budget, calls []byte) error {
	s := r.sample
	if err := s.ready(); err != nil {
		return err
	}
	r.clock.start()
	s.box.Arm(budget)
	s.channel.sendBytes(packBatch(r.program, r.task.EntryPoint, calls))
	return nil
}

// packBatch makes a Python list of the program, its entry point and the calls, in
// the format of Python's marshal module, version 2.
func packBatch(program, entry string, calls []byte) []byte {
	list := binary.LittleEndian.AppendUint32([]byte{'['}, 3)
	for _, text := range []string{program, entry} {
		text = strings.ToValidUTF8(text, "\uFFFD")
		list = append(binary.LittleEndian.AppendUint32(append(list, 'u'), uint32(len(text))), text...)
	}
	return append(list, calls...)
}

// forget closes the process as if it had not been: the sample is judged anew. A
// box that broke is an error of ours.
func (r *run) forget() error {
	end := r.sample.close()
	r.sample = nil
	switch end.Cause {
	case sandbox.Cancelled:
		return errors.New("cancelled")
	case sandbox.Lost:
		return errLost
	}
	return nil
}

// answers are the sample's as the checker expects them, a list in JSON, or nil if
// one of them is neither a value nor an exception.
func (r *run) answers(all []answer) []byte {
	list := []byte{'['}
	for i, m := range all {
		if i > 0 {
			list = append(list, ',')
		}
		switch {
		case m.Kind == "value" && m.Value != nil: // as valueAnswer, without reading the value again
			list = append(append(list, `{"k":"value","v":`...), m.Value...)
			if m.Changed != nil {
				list = append(append(list, `,"changed":`...), m.Changed...)
			}
			list = append(list, `,"life":0}`...)
		case m.Kind == "raise" && !m.is("MemoryError"):
			said, err := json.Marshal(r.raise(m))
			if err != nil {
				return nil
			}
			list = append(list, said...)
		default:
			return nil
		}
	}
	return append(list, ']')
}

// valueAnswer tells the checker that a call returned a value.
type valueAnswer struct {
	Kind  string          `json:"k"`
	Value json.RawMessage `json:"v"`

	// Changed holds the arguments that the call changed, Shared what is told of shared
	// values, and Life the number of the process, in which the handles of the value hold.
	Changed json.RawMessage `json:"changed,omitempty"`
	Shared  json.RawMessage `json:"shared,omitempty"`
	Life    int             `json:"life"`
}

// batchable reports whether a task's calls may be made all at once: not where tests
// are expected to work with objects of the program.
func batchable(task *benchmark.Task) bool {
	style := task.Tests.Style
	return task.Language == "python" && style != benchmark.Unittest && !entryIsClass(task)
}

// replay runs the tests on a batch's answers. What it returns is of the kind
// "done", or the tests asked for other calls or could not work on these answers.
//
// It depends on nothing but the answers, and most samples of a task that are right
// give the same: the tests are run on them once.
func (c *checker) replay(clk *clock, t *openTask, answers []byte) (fromChecker, error) {
	key := sha256.Sum256(answers)
	if done, known := t.judged[key]; known {
		t.hits++
		done.Cases = slices.Clone(done.Cases)
		return done, nil
	}
	c.uses++
	done, err := c.askWithin(clk.forChecker(), "judging", fmt.Appendf(nil, `{"k":"batch","task":%q,"answers":%s}`, t.hash, answers))
	switch {
	case err != nil: // perhaps the answers' fault: judging call by call will tell
		return fromChecker{}, fmt.Errorf("%w: %w", errReplay, exhaustion(err))
	case done.Kind == "done":
		t.hits++
		if done.Passed {
			done.Cases = slices.Clone(t.cases)
			for i := range done.Cases {
				done.Cases[i].Status = Passed
			}
		}
		if len(t.judged) < knownAnswers {
			t.judged[key] = done
			done.Cases = slices.Clone(done.Cases)
		}
	default:
		t.misses++
	}
	return done, nil
}

var errReplay = errors.New("the checker did not survive the answers")

// attribute shares the measured processor time of a batch out to its cases, in
// the proportions that the process itself saw: good enough to show, and nothing
// is decided by it.
func (r *run) attribute(of []int, answers []answer) {
	left := r.used
	for i, m := range answers {
		if i < len(of) && m.NS > 0 {
			share := min(time.Duration(m.NS), left)
			left -= share
			r.caseCPU[of[i]] += share
		}
	}
}
