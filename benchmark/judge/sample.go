package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
)

// answer is what a sample's process reports about one call. Nothing in it is trusted beyond "this
// call returned that value".
type answer struct {
	Kind  string          `json:"k"` // value, raise, exit, large
	Value json.RawMessage `json:"v"`

	// Changed holds the arguments that the call changed, as pairs of position or
	// name and the new value.
	Changed json.RawMessage `json:"changed"`

	// An exception: its class, the names of the class and its bases, its text,
	// and where in the program it was raised.
	Type   string `json:"type"`
	Names  names  `json:"names"`
	Text   string `json:"text"`
	Line   int    `json:"line"`
	Source string `json:"source"`

	NS int64 `json:"ns"` // processor time as the process itself believes it
}

// fromSample holds any message of a sample's process.
type fromSample struct {
	answer     // Kind is also ready, loaded, syntax, load, batch or endless
	ID     int `json:"id"`

	// Shared describes values that tests hold a copy of, see python/shared.py.
	Shared json.RawMessage `json:"shared"`

	// Answers is the list of a batch's answers, one for each call.
	Answers json.RawMessage `json:"answers"`
}

// names are the names of an exception's class and its bases.
type names []string

const mostNames = 64

// UnmarshalJSON reads at most mostNames names, more than any real class has.
func (n *names) UnmarshalJSON(text []byte) error {
	list, err := decodeList[string](text, mostNames)
	*n = list
	return err
}

// maxSaid bounds the text of an exception, in bytes.
const maxSaid = 16 << 10

// shown formats an exception for display.
func (m answer) shown() string {
	text := verdicts.Clip(m.Type, maxSaid)
	if m.Text != "" {
		text += ": " + verdicts.Clip(m.Text, maxSaid)
	}
	if m.Line > 0 {
		text += fmt.Sprintf(" (line %d: %s)", m.Line, verdicts.Clip(m.Source, maxSaid))
	}
	return verdicts.Clip(verdicts.StripEscapes(text), 400)
}

// is reports whether the exception's class has that name or is derived from one that has.
func (m answer) is(name string) bool { return slices.Contains(m.Names, name) }

// sample is one process that runs the untrusted program.
type sample struct {
	box     sandbox.Process
	channel *channel
	control io.Closer     // the channel to it
	start   sandbox.Usage // when the program was handed over
	leaving bool          // it exits by itself now, see run in python/sample.py
	closed  bool
	end     sandbox.Outcome
}

// startSample starts the interpreter; an error is never the sample's fault.
func startSample(ctx context.Context, box sandbox.Box, spec sandbox.Spec) (*sample, error) {
	p, err := box.Start(ctx, spec)
	if err != nil {
		return nil, err
	}
	w, r := p.Control()
	return &sample{box: p, channel: newChannel(w, r), control: w}, nil
}

// ready waits until the interpreter is up, if it is not a fork. The untrusted program has not
// been sent, so failures so far are not the sample's fault.
func (s *sample) ready() error {
	if s.box.Ready() {
		return nil
	}
	s.box.Arm(sandbox.Budget{CPU: startCPU, Wall: startWall})
	var hello fromSample
	if err := s.channel.receive(&hello); err != nil || hello.Kind != "ready" {
		return fmt.Errorf("the sample's process did not start: %s", describe(s.close()))
	}
	s.start = s.box.Usage()
	return nil
}

// usage returns the processor time used since the program was sent.
func (s *sample) usage() sandbox.Usage {
	if s.closed {
		return used(s.start, s.end.Usage)
	}
	return used(s.start, s.box.Usage())
}

func (s *sample) close() sandbox.Outcome {
	if !s.closed {
		if !s.leaving {
			s.box.Kill(sandbox.Closed)
		}
		s.end, s.closed = s.box.Close(), true
	}
	return s.end
}

// sigXCPU is SIGXCPU on Linux, where samples run, whatever this machine has.
const sigXCPU = 24

// failure returns why a process ended in the middle of something.
func failure(end sandbox.Outcome) callFailure {
	switch end.Cause {
	case sandbox.CPU, sandbox.CPUTotal:
		return callFailure{verdicts.Status(verdicts.TimeLimit), "it used more processor time than allowed"}
	case sandbox.Idle:
		return callFailure{verdicts.Status(verdicts.TimeLimit), "idle: it did not return in the time allowed, waiting rather than computing"}
	case sandbox.Memory:
		return callFailure{verdicts.Status(verdicts.MemoryLimit), "it used more memory than allowed"}
	case sandbox.Output:
		return callFailure{verdicts.Status(verdicts.OutputLimit), "it printed more than allowed"}
	case sandbox.Files:
		return callFailure{verdicts.Status(verdicts.OutputLimit), "it wrote more files than allowed"}
	}
	signal := -end.Exit
	if bySignal(end.Exit) {
		signal = end.Exit - 128 // as bwrap and shells report it
	}
	switch {
	case signal == sigXCPU:
		return callFailure{verdicts.Status(verdicts.TimeLimit), "it used more processor time than allowed"}
	case signal > 0:
		text := fmt.Sprintf("the process was ended by signal %d (%s)", signal, syscall.Signal(signal))
		return callFailure{verdicts.Status(verdicts.RuntimeError), withLastLine(text, end.Stderr)}
	}
	return callFailure{verdicts.Status(verdicts.RuntimeError), fmt.Sprintf("the process ended with exit status %d in the middle of the call", end.Exit)}
}

// bySignal reports whether an exit status is that of a process ended by a signal, as bwrap and shells report it.
func bySignal(status int) bool { return status > 128 && status <= 128+64 }

// withLastLine adds the interpreter's last message.
func withLastLine(text string, stderr []byte) string {
	clean := strings.TrimSpace(verdicts.StripEscapes(string(stderr)))
	if i := strings.IndexByte(clean, '\n'); i >= 0 {
		clean = clean[:i]
	}
	if clean == "" {
		return text
	}
	return text + ": " + verdicts.Clip(clean, 200)
}
