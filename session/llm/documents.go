package llm

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"assay/session/trajectory"
)

// Outputs that are one document, a trajectory, which stands behind anything else that the program prints.
const (
	outputMini = "mini-swe-agent" // its .traj.json
	outputSWE  = "swe-agent"      // its .traj
	outputATIF = "atif"           // Agent Trajectory Interchange Format, as Harbor has it
)

// mostStarts is how many lines are tried as the first one of a document.
const mostStarts = 20

// documents read the documents. A reader reports false, and has told nothing, if there are no steps in it.
var documents = map[string]func(*transcript, node) bool{outputMini: miniDocument, outputSWE: sweDocument, outputATIF: atifDocument}

// document reads the trajectory that what is left of the output holds, and tells the rest as it is.
func (t *transcript) document(data []byte) {
	start := 0
	for range mostStarts {
		if i := bytes.IndexByte(data[start:], '{'); i < 0 {
			break
		} else if start += i; start > 0 && data[start-1] != '\n' {
			start++
			continue
		}
		var read any
		d := json.NewDecoder(bytes.NewReader(data[start:]))
		if d.Decode(&read) == nil {
			end := start + int(d.InputOffset())
			t.say(string(data[:start]))
			if t.ended = t.whole(t, node{read}); !t.ended {
				end = start
			}
			t.say(strings.TrimLeft(string(data[end:]), "\r\n"))
			return
		}
		start++
	}
	t.say(string(data))
}

// node is a value of JSON of a program, which may have any type: what has another than expected is empty.
type node struct{ v any }

func (n node) at(path ...string) node {
	for _, key := range path {
		object, _ := n.v.(map[string]any)
		n = node{object[key]}
	}
	return n
}

func (n node) list() (all []node) {
	list, _ := n.v.([]any)
	for _, v := range list {
		all = append(all, node{v})
	}
	return all
}

// text returns a text, the texts of a list of parts, or else the JSON of the value; "" if there is none.
func (n node) text() string {
	switch v := n.v.(type) {
	case nil:
		return ""
	case string:
		return v
	case []any:
		var all strings.Builder
		for _, part := range n.list() {
			if text, is := part.at("text").v.(string); is {
				all.WriteString(text)
			} else if text, is := part.v.(string); is {
				all.WriteString(text)
			}
		}
		if all.Len() > 0 || len(v) == 0 {
			return all.String()
		}
	}
	text, err := json.Marshal(n.v)
	if err != nil {
		return ""
	}
	return string(text)
}

// count returns a number of tokens; 0 for what is none.
func (n node) count() int {
	if f, is := n.v.(float64); is && f >= 0 && f < 1e12 {
		return int(f)
	}
	return 0
}

func (n node) amount() float64 {
	if f, is := n.v.(float64); is && f >= 0 && f < 1e12 {
		return f
	}
	return 0
}

// begin begins a step.
func (t *transcript) begin(s trajectory.Step) {
	t.count(s)
	text, thinking := s.Text, s.Thinking
	s.Text, s.Thinking = "", ""
	t.steps, t.stepID, t.returned = append(t.steps, s), "", false
	t.thought(thinking)
	if strings.TrimSpace(text) != "" {
		t.said(text)
	}
}

// miniDocument reads a trajectory of mini-swe-agent: the messages of its conversation. In its first format a command is a
// block in the text, and in later ones an action or a call of a tool.
func miniDocument(t *transcript, d node) bool {
	messages := d.at("messages").list()
	asked := slices.IndexFunc(messages, func(m node) bool { return m.at("role").text() == "assistant" })
	if asked < 0 {
		return false
	}
	for _, m := range messages[asked:] {
		extra := m.at("extra")
		if m.at("role").text() != "assistant" {
			var exit *int
			if code, is := extra.at("returncode").v.(float64); is && math.Abs(code) < 1e9 {
				exit = new(int)
				*exit = int(code)
			}
			t.gave(m.at("tool_call_id").text(), m.at("content").text(), exit)
			continue
		}
		response := extra.at("response")
		usage := response.at("usage")
		t.model = response.at("model").text()
		t.begin(trajectory.Step{Text: m.at("content").text(), Thinking: m.at("reasoning_content").text(), InputTokens: usage.at("prompt_tokens").count(),
			CachedTokens: usage.at("prompt_tokens_details", "cached_tokens").count(), OutputTokens: usage.at("completion_tokens").count(), CostUSD: extra.at("cost").amount()})
		actions, calls := extra.at("actions").list(), m.at("tool_calls").list()
		for _, a := range actions {
			t.used(trajectory.Call{ID: a.at("tool_call_id").text(), Tool: "bash", Input: a.at("command").text()})
		}
		if len(actions) == 0 {
			for _, c := range calls {
				t.used(trajectory.Call{ID: c.at("id").text(), Tool: c.at("function", "name").text(), Input: c.at("function", "arguments").text()})
			}
		}
		if len(actions) == 0 && len(calls) == 0 {
			for _, command := range commandsIn(m.at("content").text()) {
				t.used(trajectory.Call{Tool: "bash", Input: command})
			}
		}
	}
	if t.costUSD == 0 {
		t.costUSD = d.at("info", "model_stats", "instance_cost").amount()
	}
	t.limits(d.at("info", "exit_status").text())
	return true
}

// sweDocument reads a trajectory of SWE-agent: a step for each action. Its tokens are known for all steps together.
func sweDocument(t *transcript, d node) bool {
	steps := d.at("trajectory").list()
	if len(steps) == 0 {
		return false
	}
	for _, s := range steps {
		text := s.at("thought").text()
		if text == "" {
			text = s.at("response").text()
		}
		t.begin(trajectory.Step{Text: text})
		if action := strings.TrimSpace(s.at("action").text()); action != "" {
			tool, _, _ := strings.Cut(action, " ")
			tool, _, _ = strings.Cut(tool, "\n")
			t.used(trajectory.Call{Tool: tool, Input: action})
			t.gave("", s.at("observation").text(), nil)
		}
	}
	stats := d.at("info", "model_stats")
	t.inputTokens, t.outputTokens, t.costUSD = stats.at("tokens_sent").count(), stats.at("tokens_received").count(), stats.at("instance_cost").amount()
	t.limits(d.at("info", "exit_status").text())
	return true
}

// limits notes by the exit status of mini-swe-agent or SWE-agent whether a limit ended it.
func (t *transcript) limits(status string) {
	status = strings.ToLower(status)
	t.limited = slices.ContainsFunc([]string{"limitsexceeded", "exit_cost", "exit_context", "exit_total_execution_time"}, func(s string) bool { return strings.Contains(status, s) })
}

// atifDocument reads a trajectory in Agent Trajectory Interchange Format.
func atifDocument(t *transcript, d node) bool {
	if !strings.HasPrefix(d.at("schema_version").text(), "ATIF") {
		return false
	}
	found := false
	t.model = d.at("agent", "model_name").text()
	for _, s := range d.at("steps").list() {
		if s.at("source").text() == "agent" {
			found = true
			metrics := s.at("metrics")
			t.begin(trajectory.Step{Text: s.at("message").text(), Thinking: s.at("reasoning_content").text(), InputTokens: metrics.at("prompt_tokens").count(),
				CachedTokens: metrics.at("cached_tokens").count(), OutputTokens: metrics.at("completion_tokens").count(), CostUSD: metrics.at("cost_usd").amount()})
			for _, c := range s.at("tool_calls").list() {
				t.used(trajectory.Call{ID: c.at("tool_call_id").text(), Tool: c.at("function_name").text(), Input: c.at("arguments").text()})
			}
		}
		if !found { // what was asked
			continue
		}
		for _, r := range s.at("observation", "results").list() {
			t.gave(r.at("source_call_id").text(), r.at("content").text(), nil)
		}
	}
	if total := d.at("final_metrics"); found && t.inputTokens == 0 && t.outputTokens == 0 {
		t.inputTokens, t.cachedTokens, t.outputTokens = total.at("total_prompt_tokens").count(), total.at("total_cached_tokens").count(), total.at("total_completion_tokens").count()
	}
	if total := d.at("final_metrics", "total_cost_usd").amount(); found && t.costUSD == 0 {
		t.costUSD = total
	}
	return found
}
