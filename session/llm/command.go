package llm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"assay/data/program"
)

const (
	// maxAnswer is the longest answer in bytes: a runaway program or server must not use up the memory of
	// the tester's session.
	maxAnswer = 16 << 20
	// stderrTail is how much of a failed program's standard error is kept.
	stderrTail = 2000
	// pipeGrace is how long a program's children may keep its output open after it has exited.
	pipeGrace = 2 * time.Second
)

// command runs a program for each request: the prompt on its standard input,
// the answer on its standard output. There is no shell.
type command struct {
	model Model
}

// Stream runs the program once. Exit code 0 makes the answer complete.
func (c *command) Stream(ctx context.Context, req Request, delta func(string)) (Answer, error) {
	total, stopTotal := withTotal(ctx, c.model.TotalTimeout.orDefault(defaultTotal))
	defer stopTotal()
	running, watch := newWatchdog(total)
	defer watch.stop()

	name := c.model.Command[0]
	cmd := program.Command(running, program.Own, name, c.model.Command[1:]...)
	cmd.Stdin = strings.NewReader(renderConversation(c.model.withSystem(req.Messages)))
	out := &answerWriter{delta: delta, alive: func(stage Stage) { c.expectOutput(ctx, watch, stage) }, tooLong: func() { watch.cancel(errTooLong) }}
	errs := &tailWriter{limit: stderrTail}
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.WaitDelay = pipeGrace
	ownGroup(cmd)

	if err := cmd.Start(); err != nil {
		return Answer{}, &Error{
			Class:   Program,
			Message: fmt.Sprintf("could not start %q: %v", name, plainExecError(err)),
			Advice:  "check the command of this model in the models file",
			Err:     err,
		}
	}
	out.start()
	err := cmd.Wait()
	out.close()
	return c.outcome(ctx, context.Cause(running), out.text.String(), errs.String(), err)
}

func (c *command) expectOutput(ctx context.Context, w *watchdog, stage Stage) {
	idle := c.model.IdleTimeout.orDefault(0)
	w.expect("the program printed nothing more", idle, "idle_timeout")
	Tell(ctx, Progress{Stage: stage, Silence: idle, Total: c.model.TotalTimeout.orDefault(defaultTotal)})
}

// outcome converts the way a program ended into an answer or an error. parent is the caller's context, and
// cause is why the program was killed, if it was.
func (c *command) outcome(parent context.Context, cause error, text, errs string, err error) (Answer, error) {
	if parent.Err() != nil {
		return Answer{}, parent.Err()
	}
	name := c.model.Command[0]
	var late *expired
	switch {
	case errors.As(cause, &late):
		return Answer{}, late.timeoutError(fmt.Sprintf("the program %q was ended", name), text)
	case errors.Is(cause, errTooLong):
		return Answer{}, &Error{Class: Program, Message: fmt.Sprintf("the program %q printed more than %d MB and was ended", name, maxAnswer>>20),
			Advice: "check that it prints the answer alone", Err: errTooLong}
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		message := fmt.Sprintf("the program %q failed (%v)", name, err)
		if errs != "" {
			message += ", its last words: " + environmentSecrets(os.Environ()).text(errs)
		}
		return Answer{}, &Error{Class: Program, Message: message, Advice: "run it by hand with a prompt on standard input to see why", Partial: text, Err: err}
	case strings.TrimSpace(text) == "":
		return Answer{}, &Error{Class: Program, Message: fmt.Sprintf("the program %q ended well but printed nothing", name),
			Advice: "check that it prints the answer on standard output"}
	}
	answer := Answer{Text: ansi.Strip(text), FinishReason: "exit 0", Model: c.model.Model}
	if answer.Text != text { // colours would make the code a syntax error
		answer.Odd = []string{"colours and other escape sequences, which are left out"}
	}
	return answer, nil
}

// renderConversation renders a conversation as one text: a single user message as it is, several messages
// with a heading before each.
func renderConversation(messages []Message) string {
	if len(messages) == 1 && messages[0].Role == User {
		return messages[0].Text
	}
	var b strings.Builder
	for i, m := range messages {
		if i > 0 {
			b.WriteString("\n\n")
		}
		heading := m.Role
		if heading != "" {
			heading = strings.ToUpper(heading[:1]) + heading[1:]
		}
		b.WriteString("## " + heading + "\n\n" + strings.TrimRight(m.Text, "\n"))
	}
	return b.String() + "\n"
}

func plainExecError(err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("there is no such program on the PATH")
	}
	return err
}

var errTooLong = errors.New("the answer is too long")

// answerWriter collects a program's output and passes it on in whole characters.
type answerWriter struct {
	delta   func(string)
	alive   func(Stage) // the program started or output arrived: the idle limit restarts
	tooLong func()

	mu      sync.Mutex // the first output may arrive while start runs
	text    strings.Builder
	pending []byte // the start of a character whose rest has not arrived
}

func (w *answerWriter) start() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.text.Len() == 0 {
		w.alive(Asked)
	}
}

func (w *answerWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.alive(Arriving)
	if w.text.Len()+len(p) > maxAnswer {
		w.tooLong()
		return 0, errTooLong
	}
	data := append(w.pending, p...)
	cut := wholeRunes(data)
	w.pending = append([]byte(nil), data[cut:]...)
	w.emit(string(data[:cut]))
	return len(p), nil
}

// close passes on the rest, an incomplete character as the replacement character.
func (w *answerWriter) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.emit(string(w.pending))
	w.pending = nil
}

func (w *answerWriter) emit(text string) {
	if text == "" {
		return
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	w.text.WriteString(text)
	if w.delta != nil {
		w.delta(text)
	}
}

// wholeRunes returns the length of the longest prefix of data that does not end within a character.
func wholeRunes(data []byte) int {
	for back := 1; back <= min(utf8.UTFMax, len(data)); back++ {
		if i := len(data) - back; utf8.RuneStart(data[i]) {
			if !utf8.FullRune(data[i:]) {
				return i
			}
			break
		}
	}
	return len(data)
}

// tailWriter keeps the last bytes written to it.
type tailWriter struct {
	limit int
	tail  []byte
}

func (w *tailWriter) Write(p []byte) (int, error) {
	w.tail = append(w.tail, p...)
	if extra := len(w.tail) - w.limit; extra > 0 {
		w.tail = append([]byte(nil), w.tail[extra:]...)
	}
	return len(p), nil
}

// String returns the tail as one printable line.
func (w *tailWriter) String() string { return oneLine(string(w.tail), w.limit) }
