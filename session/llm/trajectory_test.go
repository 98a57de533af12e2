package llm_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"assay/benchmark/repository/agents"
	"assay/session/llm"
	"assay/session/trajectory"
)

// written is what programs write of the same two steps: a look, and a command that fails.
var written = map[string]string{
	"claude-stream-json": `{"type":"system","subtype":"init"}
{"type":"assistant","message":{"id":"1","model":"m-1","content":[{"type":"thinking","thinking":"Hm."}],"usage":{"input_tokens":60,"cache_read_input_tokens":40,"output_tokens":10}}}
{"type":"assistant","message":{"id":"1","model":"m-1","content":[{"type":"text","text":"I look."}],"usage":{"input_tokens":60,"cache_read_input_tokens":40,"output_tokens":10}}}
{"type":"assistant","message":{"id":"1","model":"m-1","content":[{"type":"tool_use","id":"t1","name":"bash","input":{"command":"ls"}}],"usage":{"input_tokens":60,"cache_read_input_tokens":40,"output_tokens":10}}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"a\nb"}]}]}}
{"type":"assistant","message":{"id":"2","model":"m-1","content":[{"type":"text","text":"I test."},{"type":"tool_use","id":"t2","name":"bash","input":{"command":"make"}}],"usage":{"input_tokens":200,"output_tokens":20}}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t2","content":"no"}]}}
{"type":"result","subtype":"success","total_cost_usd":0.5,"usage":{"input_tokens":300,"output_tokens":30}}
`,
	"codex-json": `{"type":"thread.started","thread_id":"x"}
{"type":"item.completed","item":{"id":"0","type":"reasoning","text":"Hm."}}
{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"I look."}}
{"type":"item.started","item":{"id":"2","type":"command_execution","command":"ls"}}
{"type":"item.completed","item":{"id":"2","type":"command_execution","command":"ls","aggregated_output":"a\nb","exit_code":0}}
{"type":"item.completed","item":{"id":"3","type":"agent_message","text":"I test."}}
{"type":"item.started","item":{"id":"4","type":"command_execution","command":"make"}}
{"type":"item.completed","item":{"id":"4","type":"command_execution","command":"make","aggregated_output":"no","exit_code":2}}
{"type":"turn.completed","usage":{"input_tokens":300,"output_tokens":30}}
`,
	"mini-swe-agent": `Saved trajectory to 'x.traj.json'
{"info": {"model_stats": {"instance_cost": 0.5, "api_calls": 2}, "exit_status": "Submitted"},
 "messages": [{"role": "system", "content": "You are"}, {"role": "user", "content": "Correct it."},
  {"role": "assistant", "content": "I look.", "reasoning_content": "Hm.", "tool_calls": [{"id": "t1", "function": {"name": "bash", "arguments": "{}"}}],
   "extra": {"actions": [{"command": "ls", "tool_call_id": "t1"}], "cost": 0.2, "response": {"model": "m-1", "usage": {"prompt_tokens": 100, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 40}}}}},
  {"role": "tool", "tool_call_id": "t1", "content": "a\nb", "extra": {"returncode": 0}},
  {"role": "assistant", "content": "I test.", "extra": {"actions": [{"command": "make"}], "cost": 0.3, "response": {"model": "m-1", "usage": {"prompt_tokens": 200, "completion_tokens": 20}}}},
  {"role": "user", "content": "no", "extra": {"returncode": 2}},
  {"role": "exit", "content": "diff"}],
 "trajectory_format": "mini-swe-agent-1.1"}
`,
	"swe-agent": `{"environment": "swe_main", "trajectory": [
  {"action": "ls", "observation": "a\nb", "response": "I look.\n` + "```" + `\nls\n` + "```" + `", "thought": "I look.", "execution_time": 0.1, "state": {"open_file": "n/a"}},
  {"action": "make\n", "observation": "no", "response": "I test.", "thought": "I test.", "execution_time": 0.2, "state": {}}],
 "history": [], "info": {"exit_status": "submitted", "model_stats": {"instance_cost": 0.5, "tokens_sent": 300, "tokens_received": 30, "api_calls": 2}}}
done
`,
	"atif": `{"schema_version": "ATIF-v1.4", "session_id": "x", "agent": {"name": "a", "version": "1", "model_name": "m-1"}, "steps": [
  {"step_id": 1, "source": "user", "message": "Correct it."},
  {"step_id": 2, "source": "agent", "message": "I look.", "reasoning_content": "Hm.", "tool_calls": [{"tool_call_id": "t1", "function_name": "bash", "arguments": {"command": "ls"}}],
   "observation": {"results": [{"source_call_id": "t1", "content": "a\nb"}]}, "metrics": {"prompt_tokens": 100, "completion_tokens": 10, "cached_tokens": 40, "cost_usd": 0.2}},
  {"step_id": 3, "source": "agent", "message": "I test.", "tool_calls": [{"tool_call_id": "t2", "function_name": "bash", "arguments": {"command": "make"}}],
   "observation": {"results": [{"source_call_id": "t2", "content": [{"type": "text", "text": "no"}]}]}, "metrics": {"prompt_tokens": 200, "completion_tokens": 20, "cost_usd": 0.3}}],
 "final_metrics": {"total_prompt_tokens": 300, "total_completion_tokens": 30, "total_cost_usd": 0.5, "total_steps": 3}}
`,
}

// TestTrajectories: every format has the same two steps.
func TestTrajectories(t *testing.T) {
	zero, two := 0, 2
	for output, text := range written {
		t.Run(output, func(t *testing.T) {
			answer, streamed, failed := askAgent(t, &fakeAgents{pieces: cut(text, 7), work: agents.Work{Diff: "+a\n"}}, llm.Model{Output: output})
			if failed != nil {
				t.Fatal(failed)
			}
			exits := map[string]bool{"codex-json": true, "mini-swe-agent": true}[output]
			want := []trajectory.Step{
				{Text: "I look.", Thinking: "Hm.", InputTokens: 100, CachedTokens: 40, OutputTokens: 10, CostUSD: 0.2, Calls: []trajectory.Call{{Tool: "bash", Input: "ls", Output: "a\nb"}}},
				{Text: "I test.", InputTokens: 200, OutputTokens: 20, CostUSD: 0.3, Calls: []trajectory.Call{{Tool: "bash", Input: "make", Output: "no"}}},
			}
			if exits {
				want[0].Calls[0].Exit, want[1].Calls[0].Exit = &zero, &two
			}
			got := answer.Steps
			for i := range got {
				for j := range got[i].Calls {
					c := &got[i].Calls[j]
					c.ID, c.Input = "", strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(c.Input), `{"command":"`), `"}`)
				}
			}
			switch output { // what these do not say
			case "claude-stream-json":
				want[0].CostUSD, want[1].CostUSD = 0, 0
			case "codex-json":
				for i := range want {
					want[i].InputTokens, want[i].CachedTokens, want[i].OutputTokens, want[i].CostUSD, want[i].Calls[0].Tool = 0, 0, 0, 0, "$"
				}
			case "swe-agent":
				for i := range want {
					want[i] = trajectory.Step{Text: want[i].Text, Calls: want[i].Calls}
					want[i].Calls[0].Tool = want[i].Calls[0].Input
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s\nwant %s", trajectory.Text(got), trajectory.Text(want))
			}
			if cost := answer.CostUSD; answer.InputTokens != 300 || answer.OutputTokens != 30 || cost != 0.5 && output != "codex-json" {
				t.Errorf("%d tokens in, %d out, %v US dollars", answer.InputTokens, answer.OutputTokens, cost)
			}
			if streamed != answer.Transcript || !strings.Contains(streamed, "I look.\n\n→ ") || !strings.Contains(streamed, "    a\n    b\n") || strings.Contains(streamed, "observation") {
				t.Errorf("the transcript is\n%s", streamed)
			}
			for _, beside := range []string{"Saved trajectory to", "done\n"} {
				if strings.Contains(text, beside) && !strings.Contains(streamed, beside) {
					t.Errorf("%q is lost:\n%s", beside, streamed)
				}
			}
		})
	}
}

// cut divides a text into pieces of so many bytes.
func cut(text string, size int) (pieces []string) {
	for len(text) > size {
		pieces, text = append(pieces, text[:size]), text[size:]
	}
	return append(pieces, text)
}

// TestOldMiniTrajectory: the first format of mini-swe-agent has commands in its texts alone.
func TestOldMiniTrajectory(t *testing.T) {
	text := `{"info":{"exit_status":"LimitsExceeded","model_stats":{"instance_cost":0.5}},"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"THOUGHT: go\n\n` + "```bash\\nls\\n```" + `"},{"role":"user","content":"<output>a</output>"}]}`
	answer, _, failed := askAgent(t, &fakeAgents{pieces: []string{text}, work: agents.Work{Diff: "+a\n"}}, llm.Model{Output: "mini-swe-agent"})
	if failed != nil || len(answer.Steps) != 1 || len(answer.Steps[0].Calls) != 1 || answer.Steps[0].Calls[0].Input != "ls\n" || answer.Steps[0].Calls[0].Output != "<output>a</output>" ||
		answer.CostUSD != 0.5 || answer.FinishReason != "limit" {
		t.Errorf("%+v, %v", answer, failed)
	}
}

// TestNoTrajectory: a program that does not write the document that its output promises has not reported an end, and what it
// has printed is the transcript.
func TestNoTrajectory(t *testing.T) {
	for _, text := range []string{"", "no document\n", "{\"messages\": [\n", "{}\n{\n", `{"messages":[{"role":"user"}]}`, `{"schema_version":"ATIF-v1","steps":3}`, `{"trajectory":{}}`, strings.Repeat("{\n", 1000)} {
		for _, output := range []string{"mini-swe-agent", "swe-agent", "atif"} {
			_, streamed, failed := askAgent(t, &fakeAgents{pieces: []string{text}, work: agents.Work{Diff: "+a\n"}}, llm.Model{Output: output})
			if failed == nil || failed.Class != llm.CutOff || !strings.Contains(streamed, strings.TrimLeft(text, "\n")) {
				t.Errorf("%s: %q: %v\n%q", output, text, failed, streamed)
			}
		}
	}
}

// TestHostileTranscripts: outputs that are damaged anywhere never end assay, lose no line that is not understood, and
// leave steps that can be stored and read.
func TestHostileTranscripts(t *testing.T) {
	strange := []string{"null", "1e400", "-1", "1e30", "[]", "{}", "\"\\u001b[2J\"", "true", "[[[[[[]]]]]]", strings.Repeat("[", 20000), "\"" + strings.Repeat("x", 200_000) + "\"", "\xff\xfe", "{\"type\":[]}", "\n"}
	random := rand.New(rand.NewPCG(1, 2))
	for output, text := range written {
		for round := range 60 {
			damaged := []byte(text)
			for range 1 + random.IntN(3) {
				at := random.IntN(len(damaged))
				end := min(len(damaged), at+random.IntN(30))
				if i := strings.IndexByte(string(damaged[at:]), ':'); i >= 0 && random.IntN(2) == 0 { // a value
					at += i + 1
					end = at + max(0, strings.IndexAny(string(damaged[at:]), ",}]"))
				}
				damaged = append(damaged[:at:at], append([]byte(strange[random.IntN(len(strange))]), damaged[end:]...)...)
			}
			answer, streamed, failed := askAgent(t, &fakeAgents{pieces: cut(string(damaged), 32<<10), work: agents.Work{Diff: "+a\n"}}, llm.Model{Output: output})
			name := fmt.Sprintf("%s, round %d", output, round)
			steps, err := trajectory.Parse(trajectory.Text(answer.Steps))
			if err != nil || len(steps) != len(answer.Steps) {
				t.Errorf("%s: %v", name, err)
			}
			if total := trajectory.Sum(steps); total.InputTokens < 0 || total.OutputTokens < 0 || total.CostUSD < 0 || answer.InputTokens < 0 || answer.OutputTokens < 0 || answer.CostUSD < 0 {
				t.Errorf("%s: %+v, %+v", name, total, answer)
			}
			if !strings.HasSuffix(output, "json") && failed == nil {
				continue
			}
			for line := range strings.Lines(string(damaged)) {
				line = strings.TrimSpace(strings.ToValidUTF8(line, "\uFFFD"))
				if !json.Valid([]byte(line)) && !strings.Contains(streamed, line) {
					t.Errorf("%s: %.200q is lost from %.2000q", name, line, streamed)
				}
			}
		}
	}
}

// TestLimitsOfOtherAgents: a program is ended by a limit that its output shows to be exceeded.
func TestLimitsOfOtherAgents(t *testing.T) {
	one, tokens, price, most := 1, 150, 1000.0, 0.2
	priced := func(m llm.Model) llm.Model {
		m.PriceIn, m.PriceOut, m.Currency = &price, &price, "USD"
		return m
	}
	for name, c := range map[string]struct {
		model llm.Model
		limit agents.Limit
		after string // the line with which it is exceeded
	}{
		"steps of claude":  {llm.Model{Output: "claude-stream-json", StepLimit: &one}, agents.LimitSteps, `"I test."`},
		"steps of codex":   {llm.Model{Output: "codex-json", StepLimit: &one}, agents.LimitSteps, `"I test."`},
		"tokens of claude": {llm.Model{Output: "claude-stream-json", TokenLimit: &tokens}, agents.LimitTokens, `"I test."`},
		"cost of claude":   {priced(llm.Model{Output: "claude-stream-json", CostLimit: &most}), agents.LimitCost, `"I test."`},
		"no limit":         {llm.Model{Output: "claude-stream-json"}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			fake := &fakeAgents{pieces: strings.SplitAfter(written[c.model.Output], "\n"), work: agents.Work{Diff: "+a\n"}}
			askAgent(t, fake, c.model)
			if fake.limit != c.limit || c.limit != "" && !strings.Contains(fake.pieces[fake.ended], c.after) {
				t.Errorf("the limit is %q after %q", fake.limit, fake.pieces[fake.ended])
			}
		})
	}
}
