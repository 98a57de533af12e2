package llm

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"

	"assay/benchmark/extract"
	"assay/benchmark/repository/agents"
	"assay/session/trajectory"
)

// programBuiltin is the agent that is part of assay: it asks another model of the models file for one shell command after
// the other. The requests are sent from outside of the box, and the commands are run in it.
const programBuiltin = "builtin"

const (
	submitMarker       = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT" // as the first line of a command's output it ends the work
	defaultStepLimit   = 250
	defaultCommandTime = 60 * time.Second
	shownEnd           = 10_000 // bytes of the beginning, and of the end, of a command's output
)

// commandLoop runs commands: each is a line in base64. It prints three lines for each: the beginning and the end of its
// output, in base64, and its exit code. Its first argument is a command's time in seconds; what holds the output open
// longer than the command itself has ten seconds more.
var commandLoop = fmt.Sprintf(`while IFS= read -r line; do
	timeout -k 5 "$1" bash -c "$(base64 -d <<<"$line")" </dev/null 2>&1 | timeout -s KILL $(($1 + 10)) cat |
		{ head -c %[1]d | base64 -w0; echo; tail -c %[2]d | base64 -w0; echo; }
	echo "${PIPESTATUS[0]}"
done
`, shownEnd, shownEnd+1)

//go:embed builtin.tmpl
var builtinTemplate string

// builtinParts are the parts of its template.
var builtinParts = [...]string{"system", "task", "observation", "format"}

// templateFields are what the parts of a template can use; those of the last command only "observation", Found only "format".
type templateFields struct {
	Task    string
	Marker  string
	Seconds int // of a command
	Found   int // blocks with a command in an answer

	Exit          int
	TimedOut, Cut bool
	Head, Tail    string // of the output, which is Head alone unless it was Cut
}

// templateOf returns the template with the parts that a model of the models file changes.
func templateOf(changed string) (*template.Template, error) {
	t := template.Must(template.New("template").Parse(builtinTemplate))
	if _, err := t.New("template").Parse(changed); err != nil {
		return nil, err
	}
	for _, part := range t.Templates() {
		if name := part.Name(); name != "template" && !slices.Contains(builtinParts[:], name) {
			return nil, fmt.Errorf("%q is no part of it", name)
		}
	}
	if root := t.Lookup("template"); root.Tree != nil && strings.TrimSpace(root.Tree.Root.String()) != "" {
		return nil, errors.New("there is text outside of its parts")
	}
	for _, part := range builtinParts {
		if err := t.ExecuteTemplate(io.Discard, part, templateFields{}); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// builtin is one attempt of the built-in agent.
type builtin struct {
	model    Model
	asks     Client
	request  Request // whose sample and attempt the requests have
	template *template.Template
	out      *transcript
	fields   templateFields

	limit  agents.Limit // that ended it
	failed *Error       // why a request failed
}

// newBuiltin prepares an attempt at p's prompt.
func newBuiltin(m Model, asks Client, req Request, p *agents.Program) (*builtin, error) {
	t, err := templateOf(m.Template)
	if err != nil {
		return nil, err
	}
	if req.trial { // a word is asked for, and a model may take long to find out how to end
		few := 3
		m.StepLimit = &few
	}
	seconds := int(cmp.Or(m.CommandTimeout.orDefault(defaultCommandTime), noLimit).Seconds())
	b := &builtin{model: m, asks: asks, request: req, template: t, fields: templateFields{Task: p.Prompt, Marker: submitMarker, Seconds: max(1, seconds)}}
	p.Errors = false // which would be among the results
	p.Argv, p.Talk = []string{"bash", "-c", commandLoop, "commands", strconv.Itoa(b.fields.Seconds)}, b.talk
	return b, nil
}

// text renders a part of the template.
func (b *builtin) text(part string) string {
	var s strings.Builder
	if err := b.template.ExecuteTemplate(&s, part, b.fields); err != nil { // templateOf has tried it
		return err.Error()
	}
	return s.String()
}

// talk asks the model and runs its commands until it submits, fails or reaches a limit.
func (b *builtin) talk(ctx context.Context, in io.Writer, out io.Reader) {
	results := bufio.NewReader(out)
	messages := []Message{{Role: System, Text: b.text("system")}, {Role: User, Text: b.text("task")}}
	b.out.note(fmt.Sprintf("the built-in agent asks the model %q with the template %s", b.model.Model, hashed(builtinTemplate+b.model.Template)))
	b.out.piece(messages[0].Text + "\n\n" + messages[1].Text + "\n\n")
	for {
		if b.limit = b.model.exceeded(b.out, 1); b.limit != "" {
			return
		}
		answer, err := b.ask(ctx, messages)
		if err != nil {
			b.stopped(err)
			return
		}
		messages = append(messages, Message{Role: Assistant, Text: cmp.Or(answer.Text, "(The answer was empty.)")})
		commands := commandsIn(answer.Text)
		b.fields.Found = len(commands)
		if len(commands) != 1 {
			messages = append(messages, Message{Role: User, Text: b.text("format")})
			continue
		}
		if !b.run(in, results, commands[0]) {
			b.out.note("its shell ended")
			return
		}
		shown := b.fields.Head
		if b.fields.Cut {
			shown += "\n…\n" + b.fields.Tail
		}
		b.out.result("", shown, &b.fields.Exit)
		if first, _, _ := strings.Cut(shown, "\n"); b.fields.Exit == 0 && strings.TrimSpace(first) == submitMarker {
			return
		}
		messages = append(messages, Message{Role: User, Text: b.text("observation")})
	}
}

// ask sends a request, and counts what it used.
func (b *builtin) ask(ctx context.Context, messages []Message) (Answer, error) {
	request := Request{Messages: messages, Task: b.request.Task, Attempt: b.request.Attempt, Sample: b.request.Sample}
	answer, err := b.asks.Stream(ctx, request, b.out.piece)
	if err != nil {
		return answer, err
	}
	in, out := answer.InputTokens, answer.OutputTokens
	if in == 0 && out == 0 { // the server does not count
		for _, m := range messages {
			in += GuessTokens(len(m.Text))
		}
		out = GuessTokens(len(answer.Text))
	}
	amount, currency, _ := b.model.Cost(in, answer.CachedTokens, out)
	s := trajectory.Step{Text: answer.Text, Thinking: answer.Thinking, InputTokens: in, CachedTokens: answer.CachedTokens, OutputTokens: out}
	if currency == "USD" {
		s.CostUSD = amount
	}
	b.out.asking(s, cmp.Or(answer.Model, b.model.Model))
	return answer, nil
}

// stopped notes why there is no further answer.
func (b *builtin) stopped(err error) {
	failed := new(Error)
	switch {
	case !errors.As(err, &failed):
		b.failed = &Error{Class: Program, Final: true, Message: err.Error(), Err: err}
	case failed.Class == TooLong && len(b.out.steps) > 0:
		b.limit = agents.LimitContext
	default:
		again := *failed
		again.Final = again.Final || len(b.out.steps) > 0 // it was retried, and all steps would be paid for again
		again.Partial = ""
		b.failed = &again
	}
}

// run has a command run, and sets the fields of its result. It reports false if there is none, since the shell has ended or
// prints what is no result.
func (b *builtin) run(in io.Writer, results *bufio.Reader, command string) bool {
	b.out.call(trajectory.Call{Tool: "bash", Input: command})
	if _, err := io.WriteString(in, base64.StdEncoding.EncodeToString([]byte(command))+"\n"); err != nil {
		return false
	}
	var lines [3]string
	for i := range lines {
		line, err := readLine(results, 2*shownEnd)
		if err != nil {
			return false
		}
		lines[i] = line
	}
	head, bad := base64.StdEncoding.DecodeString(lines[0])
	tail, worse := base64.StdEncoding.DecodeString(lines[1])
	exit, wrong := strconv.Atoi(lines[2])
	f := &b.fields
	f.Exit, f.TimedOut, f.Cut, f.Head, f.Tail = exit, exit == 124, len(tail) > shownEnd, printable(head), ""
	if f.Cut {
		f.Tail = printable(tail[1:])
	} else {
		f.Head = printable(slices.Concat(head, tail))
	}
	return errors.Join(bad, worse, wrong) == nil
}

func printable(text []byte) string {
	return strings.ToValidUTF8(string(bytes.ReplaceAll(text, []byte{0}, nil)), "\uFFFD")
}

// readLine returns the next line, without its end, of at most so many bytes.
func readLine(r *bufio.Reader, most int) (string, error) {
	var line []byte
	for {
		piece, err := r.ReadSlice('\n')
		if line = append(line, piece...); len(line) > most {
			return "", errTooLong
		}
		if err == nil {
			return string(line[:len(line)-1]), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return "", err
		}
	}
}

// commandsIn returns the contents of the closed fenced blocks of an answer that are marked as shell commands, without
// those of what the model thinks.
func commandsIn(answer string) (commands []string) {
	answer = extract.WithoutThinking(answer, "")
	var block []string
	fence, marked := "", false
	for line := range strings.Lines(answer) {
		bare := strings.TrimRight(line, " \t\r\n")
		ticks := bare[:len(bare)-len(strings.TrimLeft(bare, "`"))]
		switch word := bare[len(ticks):]; {
		case fence == "" && len(ticks) >= 3 && !strings.Contains(word, "`"):
			fence, block, marked = ticks, nil, slices.Contains([]string{"bash", "sh", "shell"}, strings.TrimSpace(word))
		case fence != "" && len(ticks) >= len(fence) && word == "":
			if marked {
				commands = append(commands, strings.Join(block, ""))
			}
			fence = ""
		case fence != "":
			block = append(block, line)
		}
	}
	return commands
}

// exceeded returns the limit of an attempt that its steps, with so many more, are above.
func (m Model) exceeded(t *transcript, more int) agents.Limit {
	steps := m.StepLimit
	if steps == nil && m.Program == programBuiltin {
		most := defaultStepLimit
		steps = &most
	}
	if steps == nil && m.TokenLimit == nil && m.CostLimit == nil {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	used := trajectory.Sum(t.steps)
	amount, _, _ := m.Cost(used.InputTokens, used.CachedTokens, used.OutputTokens)
	switch {
	case steps != nil && used.Steps+more > *steps:
		return agents.LimitSteps
	case m.TokenLimit != nil && used.InputTokens+used.OutputTokens >= *m.TokenLimit:
		return agents.LimitTokens
	case m.CostLimit != nil && amount >= *m.CostLimit:
		return agents.LimitCost
	}
	return ""
}
