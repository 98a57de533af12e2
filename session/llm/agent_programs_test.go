package llm_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/benchmark/repository"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/verdicts"
	"assay/data"
	"assay/data/fatal"
	"assay/session/llm"
	"assay/session/trajectory"
)

// newJudge returns a judge with boxes for agents, and a bundled task.
func newJudge(t *testing.T) (*judge.Judge, *benchmark.Task) {
	t.Helper()
	table, err := repository.LoadTable(data.Environments(), "")
	fatal.If(t, err)
	bundled, err := data.Benchmark("repositories")
	fatal.If(t, err)
	b, err := benchmark.LoadFolder(bundled, "repositories")
	fatal.If(t, err)
	j, err := judge.New(judge.Options{Repositories: judge.Repositories{Table: table, Bundled: bundled}})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { j.Close() })
	for i := range b.Tasks {
		if b.Tasks[i].ID == "left-to-right" {
			if err := j.Ready(&b.Tasks[i]); err != nil {
				t.Skip(err)
			}
			return j, &b.Tasks[i]
		}
	}
	t.Fatal("the task is not there")
	return nil, nil
}

// step is a call of a tool with its arguments.
type step struct {
	tool string
	with map[string]any
}

// messagesServer speaks as much of Anthropic's Messages API as Claude Code needs to take the steps and to end.
func messagesServer(steps []step) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		var request struct{ Tools []any }
		_ = json.Unmarshal(text, &request)
		if !strings.HasSuffix(r.URL.Path, "/messages") {
			fmt.Fprint(w, `{"input_tokens": 1}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		send := func(kind string, fields map[string]any) {
			fields["type"] = kind
			line, _ := json.Marshal(fields)
			fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, line)
		}
		done, reason := strings.Count(string(text), `"type":"tool_result"`), "end_turn"
		send("message_start", map[string]any{"message": map[string]any{"id": fmt.Sprintf("msg_%d", done), "type": "message", "role": "assistant", "model": "test-model", "content": []any{},
			"usage": map[string]int{"input_tokens": 100, "output_tokens": 1}}})
		if len(request.Tools) > 0 && done < len(steps) {
			reason = "tool_use"
			send("content_block_start", map[string]any{"index": 0, "content_block": map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", done), "name": steps[done].tool, "input": map[string]any{}}})
			input, _ := json.Marshal(steps[done].with)
			send("content_block_delta", map[string]any{"index": 0, "delta": map[string]any{"type": "input_json_delta", "partial_json": string(input)}})
		} else {
			send("content_block_start", map[string]any{"index": 0, "content_block": map[string]any{"type": "text", "text": ""}})
			send("content_block_delta", map[string]any{"index": 0, "delta": map[string]any{"type": "text_delta", "text": "The work is done."}})
		}
		send("content_block_stop", map[string]any{"index": 0})
		send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": reason, "stop_sequence": nil}, "usage": map[string]int{"output_tokens": 10}})
		send("message_stop", map[string]any{})
	}
}

// responsesServer speaks as much of OpenAI's Responses API as Codex needs.
func responsesServer(steps []step) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		if !strings.HasSuffix(r.URL.Path, "/responses") {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		send := func(kind string, fields map[string]any) {
			fields["type"] = kind
			line, _ := json.Marshal(fields)
			fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, line)
		}
		done := strings.Count(string(text), `"type":"function_call_output"`)
		id := fmt.Sprintf("resp_%d", done)
		send("response.created", map[string]any{"response": map[string]any{"id": id}})
		if done < len(steps) {
			arguments, _ := json.Marshal(steps[done].with)
			send("response.output_item.done", map[string]any{"item": map[string]any{"type": "function_call", "id": "fc_" + id, "call_id": "call_" + id, "name": steps[done].tool, "arguments": string(arguments)}})
		} else {
			send("response.output_item.done", map[string]any{"item": map[string]any{"type": "message", "role": "assistant", "id": "msg_" + id,
				"content": []any{map[string]any{"type": "output_text", "text": "The work is done."}}}})
		}
		send("response.completed", map[string]any{"response": map[string]any{"id": id, "usage": map[string]any{"input_tokens": 100, "input_tokens_details": nil,
			"output_tokens": 10, "output_tokens_details": nil, "total_tokens": 110}}})
	}
}

// probe is a command by which a program tries what it must not be able to do.
const probe = `echo "the key is $SECRET_KEY"; python3 - <<'END'
import socket, urllib.request
try:
    urllib.request.urlopen("https://example.org/")
    print("reached" + " example.org")
except Exception as e:
    print("by the proxy:", e)
try:
    socket.create_connection(("192.0.2.1", 443), 5)
    print("reached" + " 192.0.2.1")
except OSError as e:
    print("directly:", e)
END`

// TestAgentPrograms runs Claude Code and Codex, as npm installs them, as models on a bundled task.
func TestAgentPrograms(t *testing.T) {
	dir := os.Getenv("ASSAY_AGENTS")
	if dir == "" {
		t.Skip("ASSAY_AGENTS names no directory with node_modules, in which the npm packages @anthropic-ai/claude-code and @openai/codex are installed")
	}
	j, task := newJudge(t)
	patch := "patch -p1 <<'END'\n" + task.Reference + "END\n"
	for name, c := range map[string]struct {
		server  http.HandlerFunc
		command func(base string) []string
		as      string
		output  string
		changes string // a line of the diff beside the reference
		calls   int    // of tools
		tokens  int    // read in each step; 0: not told
	}{
		"claude": {
			server: messagesServer([]step{
				{"Bash", map[string]any{"command": strings.ReplaceAll(probe, "SECRET_KEY", "ANTHROPIC_API_KEY"), "description": "Probe"}},
				{"Bash", map[string]any{"command": patch, "description": "Apply"}},
				{"Read", map[string]any{"file_path": "/repository/README.md"}},
				{"Edit", map[string]any{"file_path": "/repository/README.md", "old_string": "# measure\n", "new_string": "# measure, corrected\n"}},
			}),
			command: func(string) []string {
				return []string{"claude", "-p", "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions"}
			},
			as: "ANTHROPIC_API_KEY", output: "claude-stream-json", changes: "\n+# measure, corrected\n", calls: 4, tokens: 100,
		},
		"codex": {
			server: responsesServer([]step{
				{"exec_command", map[string]any{"cmd": strings.ReplaceAll(probe, "SECRET_KEY", "OPENAI_API_KEY"), "yield_time_ms": 20000}},
				{"exec_command", map[string]any{"cmd": patch + "sed -i 's/^# measure$/# measure, corrected/' README.md", "yield_time_ms": 20000}},
			}),
			command: func(base string) []string {
				return []string{"codex", "exec", "--json", "--dangerously-bypass-approvals-and-sandbox", "-c", "model_provider=local",
					"-c", "model_providers.local={name='local',base_url='" + base + "/v1',env_key='OPENAI_API_KEY',wire_api='responses'}", "-"}
			},
			as: "OPENAI_API_KEY", output: "codex-json", changes: "\n+# measure, corrected\n", calls: 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(c.server)
			defer server.Close()
			const key = "sk-test-0123456789-abcdefghij"
			m := llm.Model{Name: name, Provider: llm.ProviderAgent, Command: c.command(server.URL), Output: c.output, APIKeyEnv: "TEST_KEY", APIKeyAs: c.as, Git: true,
				Mount: []string{filepath.Join(dir, "node_modules")}, Hosts: []string{strings.TrimPrefix(server.URL, "http://")},
				Environment: llm.Headers{"ANTHROPIC_BASE_URL": server.URL}}
			client, err := m.Client(llm.Deps{Agents: j, Getenv: func(string) string { return key }})
			fatal.If(t, err)
			var streamed strings.Builder
			answer, err := client.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: task.Description}}, Task: task.ID, Attempt: 1, Repository: task},
				func(text string) { streamed.WriteString(text) })
			if err != nil {
				t.Fatalf("%v\n%s", err, streamed.String())
			}
			if !strings.HasPrefix(answer.Transcript, streamed.String()) || !strings.Contains(answer.Text, c.changes) {
				t.Errorf("streamed %q, the answer is\n%s", streamed.String(), answer.Text)
			}
			for _, said := range []string{"The work is done.", "the key is [key]", "by the proxy: <urlopen error Tunnel connection failed: 403 Forbidden>",
				"directly: [Errno 101] Network is unreachable", "[assay] network: example.org:443 refused"} {
				if !strings.Contains(answer.Transcript, said) {
					t.Errorf("the transcript does not contain %q", said)
				}
			}
			if strings.Contains(answer.Transcript+answer.Text, key) || strings.Contains(answer.Transcript, "reached example.org") || strings.Contains(answer.Transcript, "reached 192.0.2.1") {
				t.Error("the key is in the texts, or another host was reached")
			}
			if did := trajectory.Sum(answer.Steps); did.ToolCalls != c.calls || did.Steps < c.calls || did.InputTokens != c.tokens*did.Steps || answer.Steps[0].Calls[0].Output == "" {
				t.Errorf("%+v: %s", did, trajectory.Text(answer.Steps))
			}
			if answer.InputTokens == 0 || answer.OutputTokens == 0 || answer.FinishReason != "stop" {
				t.Errorf("%d tokens in, %d out, %s", answer.InputTokens, answer.OutputTokens, answer.FinishReason)
			}
			result, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: answer.Text})
			fatal.If(t, err)
			if result.Resolution != outcomes.Resolved {
				t.Errorf("judged %s: %s", result.Resolution, result.Message)
			}
		})
	}
}
