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
	"assay/benchmark/verdicts"
)

// A batch sends all calls of the tests in one message and reads all answers in one, instead of a
// message for each call. The calls are recorded from the tests, see python/batch.py. A batch only
// decides what single calls would also decide: if the process does anything but return or raise
// within a small budget, or if the tests ask for other calls, the sample is judged again, call by
// call.

const (
	// batchCPU is the processor time of a whole batch; up to batchMost where accepted samples
	// take longer. It must not exceed the limit of a single case, so that no case of a batch can
	// exceed its own limit.
	batchCPU  = 100 * time.Millisecond
	batchMost = 500 * time.Millisecond
	batchWall = time.Second
	batchSize = 1 << 20 // bytes of recorded calls
)

// usable reports whether to send samples the recorded calls. It is false where the tests of most
// samples make other calls.
func (t *openTask) usable() bool { return t.calls != nil && (t.misses < 4 || t.hits > t.misses) }

func (t *openTask) setCalls(calls []byte) {
	if t.calls = calls; len(calls) > batchSize || len(calls) < 5 {
		t.calls = nil
	}
	t.judged = map[[sha256.Size]byte]fromChecker{}
}

// callCount returns the number of recorded calls. They are a list as Python's marshal module
// writes it: a type character and four bytes of length.
func (t *openTask) callCount() int { return int(binary.LittleEndian.Uint32(t.calls[1:5])) }

// knownAnswers is how many different answers to a task's calls are remembered.
const knownAnswers = 64

// batched reports whether to judge samples of the task by a batch. It records the calls if
// necessary. A checker that dies while recording is lost, and the task is not tried again.
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

// batch judges the sample by one message. It returns false if the sample must be judged call by
// call.
func (r *run) batch(c *checker, t *openTask) (judged bool, err error) {
	s := r.sample
	limit := min(max(batchCPU, 4*t.took), batchMost, seconds(r.limits.CPUSeconds), seconds(r.limits.CPUTotal))
	budget := sandbox.Budget{CPU: limit, Wall: min(batchWall, r.idleLimit()), Coarse: true}
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
		s.box.Kill(sandbox.Closed) // so that it exits while the checker works
	}
	var refused *callFailure
	var done fromChecker
	var all []answer
	switch m.Kind {
	case "syntax":
		refused = &callFailure{verdicts.Status(verdicts.CompileError), m.shown()}
	case "load":
		refused = r.notLoaded(m.answer)
	case "batch":
		if all, err = decodeList[answer](m.Answers, t.callCount()); err != nil {
			return false, r.forget()
		}
		answers := r.answers(all)
		if answers == nil {
			return false, r.forget()
		}
		done, err = c.replay(r.clock, t, answers)
		if limit, ok := r.exhausted(err); ok && limit.Status == verdicts.Status(verdicts.TimeLimit) {
			refused = &limit // single calls would take as long
			break
		}
		if err != nil {
			return false, err
		}
		if done.Kind != "done" {
			return false, r.forget()
		}
	default:
		r.loops = m.Kind == "endless"
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

// sendBatch sends the program and all calls. An error is never the sample's fault.
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

// packBatch encodes the program, its entry point and the calls as a Python list, in version 2 of
// the format of Python's marshal module.
func packBatch(program, entry string, calls []byte) []byte {
	list := binary.LittleEndian.AppendUint32([]byte{'['}, 3)
	for _, text := range []string{program, entry} {
		text = strings.ToValidUTF8(text, "\uFFFD")
		list = append(binary.LittleEndian.AppendUint32(append(list, 'u'), uint32(len(text))), text...)
	}
	return append(list, calls...)
}

// forget closes the process and drops what it did, because the sample will be judged again. The
// error is for a box that broke.
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

// answers encodes the sample's answers as the JSON list that the checker expects, or returns nil
// if one of them is neither a value nor an exception.
func (r *run) answers(all []answer) []byte {
	list := []byte{'['}
	for i, m := range all {
		if i > 0 {
			list = append(list, ',')
		}
		switch {
		case m.Kind == "value" && m.Value != nil: // a valueAnswer, without decoding the value
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

	// Changed holds the arguments that the call changed, Shared the news about shared values.
	// Life is the number of the process in which the value's handles are valid.
	Changed json.RawMessage `json:"changed,omitempty"`
	Shared  json.RawMessage `json:"shared,omitempty"`
	Life    int             `json:"life"`
}

// batchable reports whether a task's calls may be made all at once. They may not where tests are
// expected to work with objects of the program.
func batchable(task *benchmark.Task) bool {
	style := task.Tests.Style
	return task.Language == "python" && style != benchmark.Unittest && !entryIsClass(task)
}

// replay runs the tests on a batch's answers. Its result has the kind "done" unless the tests
// asked for other calls or failed to work on these answers.
//
// The result depends only on the answers, and most correct samples of a task give the same ones:
// the tests run once for each distinct list of answers.
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
	case err != nil: // perhaps because of the answers: judging call by call decides
		return fromChecker{}, fmt.Errorf("%w: %w", errReplay, exhaustion(err))
	case done.Kind == "done":
		t.hits++
		if done.Passed {
			done.Cases = slices.Clone(t.cases)
			for i := range done.Cases {
				done.Cases[i].Status = verdicts.Passed
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

// attribute divides the measured processor time of a batch among its cases, in the proportions
// that the process itself measured. The result is only displayed and decides nothing.
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
