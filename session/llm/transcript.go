package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"assay/benchmark/gateway"
)

// How an agent's output is read.
const (
	outputText   = "text"
	outputClaude = "claude-stream-json" // claude -p --output-format stream-json --verbose
	outputCodex  = "codex-json"         // codex exec --json
)

func outputs() []string { return []string{outputText, outputClaude, outputCodex} }

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
	event func(*transcript, []byte) bool // of one line; nil: the output is text

	mu      sync.Mutex // requests of the network end at any time
	text    strings.Builder
	pending []byte // the beginning of a character or of a line
	noted   int

	refusedHosts              []string
	model                     string
	inputTokens, outputTokens int
	costUSD                   float64
	ended, limited            bool   // as the program reports
	failed                    string // why it failed, as it reports
}

func newTranscript(output string, hide redactor, delta func(string)) *transcript {
	t := &transcript{delta: delta, hide: hide, raw: hide.stream()}
	switch output {
	case outputClaude:
		t.event = claudeEvent
	case outputCodex:
		t.event = codexEvent
	}
	return t
}

// complete reports whether the program has reported an end, if its output does.
func (t *transcript) complete() bool { return t.event == nil || t.ended }

// write takes a piece of the output.
func (t *transcript) write(piece []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	data := append(t.pending, piece...)
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
	if t.event == nil {
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

// used tells that a tool is used.
func (t *transcript) used(tool, what string) {
	t.say(fmt.Sprintf("→ %s %s\n", tool, clipLine(what)))
}

// returned tells what a tool returned.
func (t *transcript) returned(text string) {
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
			Model   string          `json:"model"`
			Content json.RawMessage `json:"content"`
		} `json:"message"`
		IsError bool     `json:"is_error"`
		Result  string   `json:"result"`
		Errors  []string `json:"errors"`
		CostUSD float64  `json:"total_cost_usd"`
		Usage   struct {
			Input         int `json:"input_tokens"`
			CacheCreation int `json:"cache_creation_input_tokens"`
			CacheRead     int `json:"cache_read_input_tokens"`
			Output        int `json:"output_tokens"`
		} `json:"usage"`
	}
	if json.Unmarshal(line, &event) != nil || event.Type == "" {
		return false
	}
	switch event.Type {
	case "assistant", "user":
		if event.Message.Model != "" && event.Message.Model != "<synthetic>" {
			t.model = event.Message.Model
		}
		t.claudeContent(event.Type, event.Message.Content)
	case "result":
		t.ended, t.costUSD = true, event.CostUSD
		t.inputTokens, t.outputTokens = event.Usage.Input+event.Usage.CacheCreation+event.Usage.CacheRead, event.Usage.Output
		t.limited = strings.HasPrefix(event.Subtype, "error_max_")
		if event.IsError && !t.limited {
			t.failed = strings.Join(append([]string{event.Result}, event.Errors...), " ")
			if strings.TrimSpace(t.failed) == "" {
				t.failed = event.Subtype
			}
		}
	}
	return true
}

// claudeContent tells the content of a message.
func (t *transcript) claudeContent(from string, content json.RawMessage) {
	var blocks []struct {
		Type     string          `json:"type"`
		Text     string          `json:"text"`
		Thinking string          `json:"thinking"`
		Name     string          `json:"name"`
		Input    json.RawMessage `json:"input"`
		Content  json.RawMessage `json:"content"`
	}
	if json.Unmarshal(content, &blocks) != nil {
		return // a text alone repeats the prompt
	}
	for _, b := range blocks {
		switch {
		case b.Type == "text" && from == "assistant":
			t.say(strings.TrimRight(b.Text, "\n") + "\n\n")
		case b.Type == "thinking" && strings.TrimSpace(b.Thinking) != "":
			t.say("> " + strings.ReplaceAll(strings.TrimSpace(b.Thinking), "\n", "\n> ") + "\n\n")
		case b.Type == "tool_use":
			t.used(b.Name, string(b.Input))
		case b.Type == "tool_result":
			t.returned(textOf(b.Content))
		}
	}
}

// textOf returns a content that is a text or a list of texts.
func textOf(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(content, &parts) // another kind of content has no text
	for _, p := range parts {
		text += p.Text
	}
	return text
}

// codexEvent reads an event that `codex exec --json` prints.
func codexEvent(t *transcript, line []byte) bool {
	var event struct {
		Type string `json:"type"`
		Item struct {
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
			Input  int `json:"input_tokens"`
			Output int `json:"output_tokens"`
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
			t.used("$", item.Command)
		}
	case "item.completed":
		switch item.Type {
		case "agent_message":
			t.say(strings.TrimRight(item.Text, "\n") + "\n\n")
		case "reasoning":
			t.say("> " + strings.ReplaceAll(strings.TrimSpace(item.Text), "\n", "\n> ") + "\n\n")
		case "command_execution":
			t.returned(item.Output)
		case "file_change":
			for _, c := range item.Changes {
				t.used(c.Kind, c.Path)
			}
		case "mcp_tool_call":
			t.used(item.Server, item.Tool)
		case "web_search":
			t.used("web search", item.Query)
		case "error":
			t.say(item.Message + "\n")
		}
	case "turn.completed":
		t.ended, t.failed = true, ""
		t.inputTokens, t.outputTokens = t.inputTokens+event.Usage.Input, t.outputTokens+event.Usage.Output
	case "turn.failed":
		t.ended, t.failed = true, event.Error.Message
	case "error": // it may go on
		t.say(event.Message + "\n")
	}
	return true
}
