package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"assay/benchmark/gateway"
	"assay/session/trajectory"
)

// How an agent's output is read.
const (
	outputText   = "text"
	outputClaude = "claude-stream-json" // claude -p --output-format stream-json --verbose
	outputCodex  = "codex-json"         // codex exec --json
)

func outputs() []string {
	return []string{outputText, outputClaude, outputCodex, outputMini, outputSWE, outputATIF}
}

const (
	mostNoted   = 500     // requests of the network that have a line of their own
	mostLine    = 8 << 20 // bytes of a line of JSON
	shownResult = 20      // lines of what a tool returned
	shownWidth  = 400     // bytes of each, and of what a tool was asked
)

// transcript is what an agent prints, in plain text and without its key. With an output in JSON, its events are
// told in words; lines that are no events stay as they are.
type transcript struct {
	delta func(string)
	hide  redactor
	raw   *streamRedactor
	event func(*transcript, []byte) bool // of one line
	whole func(*transcript, node) bool   // of a document; nil, as event: the output is text

	mu      sync.Mutex // requests of the network end at any time
	text    strings.Builder
	pending []byte // the beginning of a character or of a line
	noted   int

	steps    []trajectory.Step
	stepID   string // of the last step, as the program calls it
	returned bool   // the last step has a result: what comes next begins another

	refusedHosts                            []string
	model                                   string
	inputTokens, cachedTokens, outputTokens int
	costUSD                                 float64
	ended, limited                          bool   // as the program reports
	failed                                  string // why it failed, as it reports
}

func newTranscript(output string, hide redactor, delta func(string)) *transcript {
	t := &transcript{delta: delta, hide: hide, raw: hide.stream()}
	switch output {
	case outputClaude:
		t.event = claudeEvent
	case outputCodex:
		t.event = codexEvent
	default:
		t.whole = documents[output]
	}
	return t
}

// complete reports whether the program has reported an end, if its output does.
func (t *transcript) complete() bool { return t.event == nil && t.whole == nil || t.ended }

// write takes a piece of the output.
func (t *transcript) write(piece []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	data := append(t.pending, piece...)
	if t.whole != nil { // lines before what may be the document are told as they come
		for len(data) > 0 && data[0] != '{' {
			i := bytes.IndexByte(data, '\n')
			if i < 0 {
				break
			}
			t.say(string(data[:i+1]))
			data = data[i+1:]
		}
		t.pending = data
		return
	}
	if t.event == nil {
		cut := wholeRunes(data)
		t.pending = bytes.Clone(data[cut:])
		t.emit(t.raw.add(strings.ToValidUTF8(string(data[:cut]), "\uFFFD")))
		return
	}
	for {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole && len(data) <= mostLine {
			break
		}
		t.line(line)
		data = rest
	}
	t.pending = bytes.Clone(data)
}

// end takes what is left after the last piece.
func (t *transcript) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.whole != nil {
		t.document(t.pending)
	} else if t.event == nil {
		t.emit(t.raw.add(strings.ToValidUTF8(string(t.pending), "\uFFFD")) + t.raw.rest())
	} else if len(t.pending) > 0 {
		t.line(t.pending)
	}
	t.pending = nil
	if more := t.noted - mostNoted; more > 0 {
		t.own(fmt.Sprintf("network: %d further requests", more))
	}
}

// line takes a line of an output in JSON.
func (t *transcript) line(line []byte) {
	if line = bytes.TrimSpace(line); len(line) > 0 && !t.event(t, line) {
		t.say(string(line) + "\n")
	}
}

// say adds words to the transcript.
func (t *transcript) say(text string) { t.emit(t.hide.finished(strings.ToValidUTF8(text, "\uFFFD"))) }

func (t *transcript) emit(text string) {
	if text == "" {
		return
	}
	t.text.WriteString(text)
	if t.delta != nil {
		t.delta(text)
	}
}

// own adds a line of assay's. The caller holds mu.
func (t *transcript) own(text string) {
	if so := t.text.String(); so != "" && !strings.HasSuffix(so, "\n") {
		t.emit("\n")
	}
	t.say("[assay] " + text + "\n")
}

// note adds a line of assay's.
func (t *transcript) note(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.own(text)
}

// asked adds a request of the network.
func (t *transcript) asked(r gateway.Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !r.Granted && !slices.Contains(t.refusedHosts, r.Host) && len(t.refusedHosts) < 20 {
		t.refusedHosts = append(t.refusedHosts, t.hide.finished(r.Host))
	}
	if t.noted++; t.noted <= mostNoted {
		t.own("network: " + r.String())
	}
}

// last returns the end of the transcript without assay's lines.
func (t *transcript) last() string {
	lines := slices.DeleteFunc(strings.Split(t.text.String(), "\n"), func(line string) bool {
		return strings.HasPrefix(line, "[assay] ") || strings.TrimSpace(line) == ""
	})
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}

// piece adds words to the transcript at any time.
func (t *transcript) piece(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.say(text)
}

// asking adds a step whose text is in the transcript, and what its request used. It is for callers outside of write.
func (t *transcript) asking(s trajectory.Step, model string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.say("\n\n")
	t.model = model
	t.count(s)
	s.Text, s.Thinking = t.kept(s.Text), t.kept(s.Thinking)
	t.steps, t.returned = append(t.steps, s), false
}

// count adds what a step used.
func (t *transcript) count(s trajectory.Step) {
	t.inputTokens, t.cachedTokens, t.outputTokens = trajectory.Add(t.inputTokens, s.InputTokens), trajectory.Add(t.cachedTokens, s.CachedTokens), trajectory.Add(t.outputTokens, s.OutputTokens)
	t.costUSD += s.CostUSD
}

// call and result are used and result for callers outside of write.
func (t *transcript) call(c trajectory.Call) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.used(c)
}

func (t *transcript) result(id, text string, exit *int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.gave(id, text, exit)
}

// kept returns what is kept of a text of a step.
func (t *transcript) kept(text string) string { return trajectory.Clip(t.hide.finished(text)) }

// step returns the step to which what comes belongs. It is the last one unless that has a result, or another id.
func (t *transcript) step(id string) *trajectory.Step {
	if n := len(t.steps); n > 0 && (id != "" && id == t.stepID || !t.returned && (id == "" || t.stepID == "")) {
		t.stepID, t.returned = cmp.Or(id, t.stepID), false
		return &t.steps[n-1]
	}
	t.steps, t.stepID, t.returned = append(t.steps, trajectory.Step{}), id, false
	return &t.steps[len(t.steps)-1]
}

// said tells what the model says.
func (t *transcript) said(text string) {
	s := t.step("")
	s.Text = t.kept(s.Text + text)
	t.say(strings.TrimRight(text, "\n") + "\n\n")
}

// thought tells what the model thinks.
func (t *transcript) thought(text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	s := t.step("")
	s.Thinking = t.kept(s.Thinking + text)
	t.say("> " + strings.ReplaceAll(text, "\n", "\n> ") + "\n\n")
}

// used tells that a tool is used.
func (t *transcript) used(c trajectory.Call) {
	t.say(fmt.Sprintf("→ %s %s\n", c.Tool, clipLine(c.Input)))
	s := t.step("")
	c.ID, c.Tool, c.Input = t.kept(c.ID), t.kept(c.Tool), t.kept(c.Input)
	s.Calls = append(s.Calls, c)
}

// mostSteps is how many of the last steps may have the call of a result.
const mostSteps = 20

// waiting returns the call to which a result with an id belongs: without one the first of the last step that has none. nil
// if there is no such call.
func (t *transcript) waiting(id string) *trajectory.Call {
	for i := len(t.steps) - 1; i >= max(0, len(t.steps)-mostSteps); i-- {
		for j := range t.steps[i].Calls {
			if c := &t.steps[i].Calls[j]; c.Output == "" && c.Exit == nil && (id == "" || c.ID == id) {
				return c
			}
		}
		if id == "" {
			break
		}
	}
	return nil
}

// gave tells what a tool returned.
func (t *transcript) gave(id, text string, exit *int) {
	t.returned = true
	if c := t.waiting(id); c != nil {
		c.Output, c.Exit = t.kept(text), exit
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		if i == shownResult {
			t.say(fmt.Sprintf("    … %d more lines\n", len(lines)-i))
			break
		}
		t.say("    " + clipLine(line) + "\n")
	}
	t.say("\n")
}

func clipLine(line string) string {
	line = strings.ReplaceAll(line, "\n", " ")
	if len(line) > shownWidth {
		return strings.ToValidUTF8(line[:shownWidth], "") + " …"
	}
	return line
}

// claudeEvent reads an event of the stream of JSON that Claude Code prints.
func claudeEvent(t *transcript, line []byte) bool {
	var event struct {
		Type    string `json:"type"`
		Subtype string `json:"subtype"`
		Message struct {
			ID      string          `json:"id"`
			Model   string          `json:"model"`
			Content json.RawMessage `json:"content"`
			Usage   claudeUsage     `json:"usage"`
		} `json:"message"`
		IsError bool        `json:"is_error"`
		Result  string      `json:"result"`
		Errors  []string    `json:"errors"`
		CostUSD float64     `json:"total_cost_usd"`
		Usage   claudeUsage `json:"usage"`
	}
	if json.Unmarshal(line, &event) != nil || event.Type == "" {
		return false
	}
	switch event.Type {
	case "assistant", "user":
		if event.Message.Model != "" && event.Message.Model != "<synthetic>" {
			t.model = event.Message.Model
		}
		if m := event.Message; event.Type == "assistant" {
			s := t.step(m.ID) // each block of a message is an event of its own, with the usage of all
			s.InputTokens, s.CachedTokens, s.OutputTokens = max(s.InputTokens, m.Usage.input()), max(s.CachedTokens, int(m.Usage.CacheRead)), max(s.OutputTokens, int(m.Usage.Output))
		}
		t.claudeContent(event.Type, event.Message.Content)
	case "result":
		t.ended, t.costUSD = true, max(0, event.CostUSD)
		t.inputTokens, t.outputTokens = event.Usage.input(), int(event.Usage.Output)
		t.limited = strings.HasPrefix(event.Subtype, "error_max_")
		if event.IsError && !t.limited {
			t.failed = strings.Join(append([]string{event.Result}, event.Errors...), " ")
			if strings.TrimSpace(t.failed) == "" {
				t.failed = event.Subtype
			}
		}
	case "system", "stream_event":
	default:
		return false
	}
	return true
}

// claudeUsage are the tokens of a message, or of all.
type claudeUsage struct {
	Input         tokens `json:"input_tokens"`
	CacheCreation tokens `json:"cache_creation_input_tokens"`
	CacheRead     tokens `json:"cache_read_input_tokens"`
	Output        tokens `json:"output_tokens"`
}

func (u claudeUsage) input() int { return int(u.Input + u.CacheCreation + u.CacheRead) }

// claudeContent tells the content of a message.
func (t *transcript) claudeContent(from string, content json.RawMessage) {
	type block struct {
		Type     string          `json:"type"`
		Text     string          `json:"text"`
		Thinking string          `json:"thinking"`
		ID       string          `json:"id"`
		Of       string          `json:"tool_use_id"`
		Name     string          `json:"name"`
		Input    json.RawMessage `json:"input"`
		Content  json.RawMessage `json:"content"`
	}
	var all []json.RawMessage
	if json.Unmarshal(content, &all) != nil {
		if from == "assistant" { // of others a text alone repeats the prompt
			t.said(textOf(content))
		}
		return
	}
	for _, raw := range all {
		var b block
		if json.Unmarshal(raw, &b) != nil {
			b = block{}
		}
		switch {
		case b.Type == "text" && from == "assistant":
			t.said(b.Text)
		case b.Type == "thinking":
			t.thought(b.Thinking)
		case b.Type == "tool_use":
			t.used(trajectory.Call{ID: b.ID, Tool: b.Name, Input: string(b.Input)})
		case b.Type == "tool_result":
			t.gave(b.Of, textOf(b.Content), nil)
		case b.Type != "text":
			t.say(string(raw) + "\n")
		}
	}
}

// textOf returns a content that is a text or a list of texts, or else its JSON.
func textOf(content json.RawMessage) string {
	var read any
	_ = json.Unmarshal(content, &read) // a missing content has no text
	return node{read}.text()
}

// codexEvent reads an event that `codex exec --json` prints.
func codexEvent(t *transcript, line []byte) bool {
	var event struct {
		Type string `json:"type"`
		Item struct {
			ID       string `json:"id"`
			Type     string `json:"type"`
			Text     string `json:"text"`
			Command  string `json:"command"`
			Output   string `json:"aggregated_output"`
			Message  string `json:"message"`
			Server   string `json:"server"`
			Tool     string `json:"tool"`
			Query    string `json:"query"`
			ExitCode *int   `json:"exit_code"`
			Changes  []struct {
				Path string `json:"path"`
				Kind string `json:"kind"`
			} `json:"changes"`
		} `json:"item"`
		Usage struct {
			Input  tokens `json:"input_tokens"`
			Output tokens `json:"output_tokens"`
		} `json:"usage"`
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
		Message string `json:"message"`
	}
	if json.Unmarshal(line, &event) != nil || event.Type == "" {
		return false
	}
	switch item := event.Item; event.Type {
	case "item.started":
		if item.Type == "command_execution" {
			t.used(trajectory.Call{ID: item.ID, Tool: "$", Input: item.Command})
		}
	case "item.completed":
		switch item.Type {
		case "agent_message":
			t.said(item.Text)
		case "reasoning":
			t.thought(item.Text)
		case "command_execution":
			t.gave(item.ID, item.Output, item.ExitCode)
		case "file_change":
			for _, c := range item.Changes {
				t.used(trajectory.Call{ID: item.ID, Tool: c.Kind, Input: c.Path})
			}
		case "mcp_tool_call":
			t.used(trajectory.Call{ID: item.ID, Tool: item.Server, Input: item.Tool})
		case "web_search":
			t.used(trajectory.Call{ID: item.ID, Tool: "web search", Input: item.Query})
		case "error":
			t.say(item.Message + "\n")
		default:
			return false
		}
	case "turn.completed":
		t.ended, t.failed = true, ""
		t.inputTokens, t.outputTokens = trajectory.Add(t.inputTokens, int(event.Usage.Input)), trajectory.Add(t.outputTokens, int(event.Usage.Output))
	case "turn.failed":
		t.ended, t.failed = true, event.Error.Message
	case "error": // it may go on
		t.say(event.Message + "\n")
	case "thread.started", "turn.started", "item.updated":
	default:
		return false
	}
	return true
}
