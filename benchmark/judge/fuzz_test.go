package judge

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
)

// scripted is a process that says what a fuzzer makes up, and then ends.
type scripted struct{ says io.Reader }

type nowhere struct{ io.Writer }

func (nowhere) Close() error { return nil }

func (s scripted) Control() (io.WriteCloser, io.Reader) { return nowhere{io.Discard}, s.says }
func (scripted) Ready() bool                            { return true }
func (scripted) Arm(sandbox.Budget)                     {}
func (scripted) Disarm()                                {}
func (scripted) Usage() sandbox.Usage                   { return sandbox.Usage{} }
func (scripted) Kill(sandbox.Cause)                     {}
func (scripted) Enforcement() map[string]string         { return nil }
func (scripted) Close() sandbox.Outcome                 { return sandbox.Outcome{Cause: sandbox.Closed} }
func (scripted) Done() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}

func runOf(data []byte) *run {
	p := scripted{bytes.NewReader(data)}
	w, r := p.Control()
	return &run{ctx: context.Background(), judge: &Judge{}, task: &benchmark.Task{Language: "python"}, limits: fixedLimits(benchmark.DefaultLimits()), clock: (&Judge{}).newClock(benchmark.DefaultLimits()), life: 1,
		caseCPU: map[int]time.Duration{}, sample: &sample{box: p, channel: newChannel(w, r)}}
}

func frames(messages ...string) []byte {
	var all []byte
	for _, m := range messages {
		all = append(binary.BigEndian.AppendUint32(all, uint32(len(m))), m...)
	}
	return all
}

func seeds(f *testing.F) {
	f.Add(frames(`{"k":"value","id":1,"v":{"$tuple":[1,{"$float":"nan"}]}}`))
	f.Add(frames(`{"k":"raise","id":1,"type":"E\u001b[2J","names":["E","Exception"],"text":"\u009b","line":-1}`))
	f.Add(frames(`{"k":"batch","answers":[{"k":"value","v":1,"ns":-5},{"k":"raise","names":null}]}`))
	f.Add(frames(`{"k":"start","case":1}`, `{"k":"start","case":2,"cases":[{"index":1,"status":"accepted"}]}`,
		`{"k":"done","cases":[{"status":"sandbox_error"},{"status":"passed"}],"aborted":{"status":"sandbox_error"}}`))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{0, 0, 0, 9, '{'})
}

// FuzzAnswer has a sample's process answer a call with anything: the checker is
// told something that it can read, and what people see has no control characters.
func FuzzAnswer(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		r := runOf(data)
		answer, failed := r.exchange(r.sample, fromChecker{ID: 1})
		if (answer == nil) == (failed == nil) {
			t.Fatalf("answer %v, failure %v", answer, failed)
		}
		if failed != nil && (verdicts.Of(failed.Status) == verdicts.Accepted || verdicts.Of(failed.Status) == verdicts.SandboxError) {
			t.Fatalf("a failure has the status %q", failed.Status)
		}
		if text, err := json.Marshal(answer); err != nil || !json.Valid(text) {
			t.Fatalf("the checker would not be told: %v", err)
		}
	})
}

// FuzzBatch does the same with the answers of a whole batch.
func FuzzBatch(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		r := runOf(data)
		var m fromSample
		for r.sample.channel.receive(&m) == nil {
			if shown := m.shown(); shown != verdicts.StripEscapes(shown) || len(shown) > 500 {
				t.Fatalf("shown as %q", shown)
			}
			all, err := decodeList[answer](m.Answers, 3)
			if err != nil && all != nil || len(all) > 3 {
				t.Fatalf("%d answers of 3: %v", len(all), err)
			}
			if text := r.answers(all); text != nil {
				var answers []valueAnswer
				if err := json.Unmarshal(text, &answers); err != nil || len(answers) != len(all) {
					t.Fatalf("%d of %d answers: %v", len(answers), len(all), err)
				}
			}
			r.attribute([]int{1, 2}, all)
			m = fromSample{}
		}
	})
}

// FuzzInProcess has a process that holds both sides say anything: a case may be
// forged there, but not as an error of ours, nor may one be lost.
func FuzzInProcess(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		r := runOf(data)
		done, err := r.follow(make([]caseReport, 2))
		if err != nil || len(done.Cases) != 2 {
			t.Fatalf("%d cases, %v", len(done.Cases), err)
		}
		r.conclude(done)
		if r.result.Verdict == verdicts.SandboxError || r.result.Verdict == verdicts.NotJudged || r.result.Verdict == "" {
			t.Fatalf("verdict %q", r.result.Verdict)
		}
	})
}

// FuzzFrame reads frames of any length and content: memory stays bounded and an
// error says which kind it is.
func FuzzFrame(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		c := newChannel(io.Discard, bytes.NewReader(data))
		for {
			var m fromChecker
			err := c.receive(&m)
			if err == nil || errors.Is(err, errMalformed) {
				continue
			}
			if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, errFrameTooLarge) {
				t.Fatal(err)
			}
			return
		}
	})
}

// garbage feeds the checker's decoder with values that no honest program sends.
// What comes out is a value, an opaque one, or a failure of the call; it never
// equals what a test expects, and the checker lives on.
const garbage = `
import random, time
rnd = random.Random(7)
tags = ["$tuple", "$set", "$frozenset", "$dict", "$bytes", "$float", "$int", "$complex", "$repeat", "$range", "$opaque",
        "$remote", "$method", "$rangeobject", "$handle", "$iter", "$builtin", "$slice", "$unknown", "$"]

def make(depth):
    kind = rnd.randrange(9 if depth < 5 else 5)
    if kind == 0: return rnd.choice([None, True, False, 0, -1, 1 << 70, 1e308, float("inf")])
    if kind == 1: return rnd.choice(["", "x" * 50, "0x", "1" * 5000, "\ud800", "nan", "=", "\x1b[2J"])
    if kind in (2, 3): return rnd.randrange(-5, 5)
    if kind in (4, 5): return [make(depth + 1) for _ in range(rnd.randrange(4))]
    if kind == 6: return {str(i): make(depth + 1) for i in range(rnd.randrange(3))}
    if kind == 7: return {rnd.choice(tags): make(depth + 1), "more": 1}
    return {rnd.choice(tags): make(depth + 1)}

def plain_or_held(value):
    kind = type(value)
    if kind in (list, tuple, set, frozenset): return all(map(plain_or_held, value))
    if kind is dict: return all(plain_or_held(k) and plain_or_held(v) for k, v in value.items())
    return kind in (int, float, complex, str, bytes, bool, type(None), Opaque, range) or kind.__module__ == "__main__"

class Silent:
    def send(self, message): pass

digits(0)
sys.setrecursionlimit(10000)
slowest = 0
for i in range(30000):
    run = Run(Silent(), {"style": "check", "entry": "f", "class": False, "names": set()})
    answer = {"k": rnd.choice(["value", "value", "value", "raise", "failed"]), "v": make(0), "life": 1,
              "names": rnd.choice([["ValueError"], [], ["eval"], ["UnicodeDecodeError"], ["SystemExit"], ["x" * 9]]),
              "text": "t", "shown": "s", "status": "runtime_error"}
    if rnd.randrange(4) == 0: answer["changed"] = rnd.choice([[[0, make(2)]], [["a", make(2)]], [[9, 1]], [1], 5])
    start = time.perf_counter()
    try:
        value = run.take(answer, "call", ([1],), {"a": {}})
        assert plain_or_held(value), repr(value)
    except CallFailed:
        pass
    except Exception as e:
        assert answer["k"] == "raise" and e._assay_from_sample, (answer, e)
    slowest = max(slowest, time.perf_counter() - start)
print("ok", slowest < 5)
`

func TestGarbageDoesNotHarmTheChecker(t *testing.T) {
	t.Parallel()
	python, err := findPython(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	argv := append(python.command(), joined(pythonCodec, pythonStandard, pythonCompare, pythonChecker, pythonProxy, pythonShared, pythonBatch, pythonProperties, pythonStyles, garbage))
	out, err := exec.CommandContext(t.Context(), argv[0], argv[1:]...).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "ok True" {
		t.Fatalf("%v\n%s", err, out[max(0, len(out)-2000):])
	}
}
