package llm_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/gateway"
	"assay/benchmark/repository/agents"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/session/llm"
)

// fakeAgents play a program that prints pieces and leaves work.
type fakeAgents struct {
	pieces []string
	asked  []gateway.Request
	work   agents.Work
	err    error
	hang   bool // until the request is cancelled

	got   agents.Program
	limit agents.Limit // by which it was ended, after the piece ended
	ended int
}

func (f *fakeAgents) Work(ctx context.Context, _ *benchmark.Task, p agents.Program) (agents.Work, error) {
	f.got = p
	p.Started()
	for i, piece := range f.pieces {
		if f.limit = p.Output([]byte(piece)); f.limit != "" {
			f.ended, f.work.Limit = i, f.limit
			return f.work, nil
		}
	}
	for _, r := range f.asked {
		p.Asked(r)
	}
	if f.hang {
		<-ctx.Done()
		return f.work, context.Cause(ctx)
	}
	return f.work, f.err
}

const agentKey = "sk-test-0123456789"

// askAgent sends a request to an agent.
func askAgent(t *testing.T, agents llm.Agents, m llm.Model, messages ...llm.Message) (answer llm.Answer, streamed string, failed *llm.Error) {
	t.Helper()
	if m.Provider, m.Name = llm.ProviderAgent, "a"; len(m.Command) == 0 {
		m.Command = []string{"worker"}
	}
	client, err := m.Client(llm.Deps{Agents: agents, Getenv: func(string) string { return agentKey }})
	fatal.If(t, err)
	if len(messages) == 0 {
		messages = []llm.Message{{Role: llm.User, Text: "Correct it."}}
	}
	answer, err = client.Stream(t.Context(), llm.Request{Messages: messages, Repository: &benchmark.Task{}}, func(text string) { streamed += text })
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return answer, streamed, failed
}

// TestBlindAgent: in a blind study nothing of what a program prints is streamed.
func TestBlindAgent(t *testing.T) {
	client, err := llm.Model{Provider: llm.ProviderAgent, Name: "a", Command: []string{"worker"}}.Client(llm.Deps{Agents: &fakeAgents{pieces: []string{"I am m-1."}}})
	fatal.If(t, err)
	answer, err := client.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "x"}}, Repository: &benchmark.Task{}, Blind: true},
		func(text string) { t.Errorf("streamed %q", text) })
	if err != nil || !strings.HasPrefix(answer.Transcript, "I am m-1.") {
		t.Errorf("%+v, %v", answer, err)
	}
}

// TestAgentAnswers: what a program prints is the transcript, and what it changed the answer.
func TestAgentAnswers(t *testing.T) {
	claude := []string{
		`{"type":"system","subtype":"init","model":"m-1","cwd":"/repository"}` + "\n" + `{"type":"assistant","message":{"model":"m-1","content":[{"type":"text","text":"I look."},`,
		`{"type":"tool_use","name":"Bash","input":{"command":"ls"}}]}}` + "\nnot an event\n",
		`{"type":"user","message":{"content":[{"type":"tool_result","content":[{"type":"text","text":"a\nb"}]}]}}` + "\n",
		`{"type":"result","subtype":"success","is_error":false,"total_cost_usd":0.25,"usage":{"input_tokens":3,"cache_read_input_tokens":4,"output_tokens":5}}`,
	}
	codex := []string{
		`{"type":"thread.started","thread_id":"x"}` + "\n" + `{"type":"item.completed","item":{"type":"reasoning","text":"Hm."}}` + "\n",
		`{"type":"item.started","item":{"type":"command_execution","command":"ls"}}` + "\n" + `{"type":"item.completed","item":{"type":"command_execution","aggregated_output":"a\n"}}` + "\n",
		`{"type":"item.completed","item":{"type":"file_change","changes":[{"path":"a","kind":"update"}]}}` + "\n" + `{"type":"item.completed","item":{"type":"agent_message","text":"Done."}}` + "\n",
		`{"type":"turn.completed","usage":{"input_tokens":7,"output_tokens":5}}` + "\n",
	}
	for name, c := range map[string]struct {
		agents     fakeAgents
		output     string
		transcript string
		want       llm.Answer
	}{
		"text in pieces": {agents: fakeAgents{pieces: []string{"caf\xc3", "\xa9\n"}, work: agents.Work{Diff: "+a\n"}},
			transcript: "café\n", want: llm.Answer{Text: "```diff\n+a\n```\n", FinishReason: "stop"}},
		"the key in pieces": {agents: fakeAgents{pieces: []string{"key=sk-test-", "0123456789\n"}, work: agents.Work{Diff: "+a\n"}},
			transcript: "key=[key]\n", want: llm.Answer{Text: "```diff\n+a\n```\n", FinishReason: "stop"}},
		"fences in the diff": {agents: fakeAgents{work: agents.Work{Diff: " ```sh\n+````\n"}},
			want: llm.Answer{Text: "`````diff\n ```sh\n+````\n`````\n", FinishReason: "stop"}},
		"no change": {transcript: "", want: llm.Answer{Text: "The program changed no file of the repository.\n", FinishReason: "stop"}},
		"too much":  {agents: fakeAgents{work: agents.Work{TooMuch: true}}, want: llm.Answer{Text: "The program changed more than an answer can hold.\n", FinishReason: "stop"}},
		"a limit": {agents: fakeAgents{work: agents.Work{Diff: "+a\n", Limit: agents.LimitTime, Exit: 137}},
			want: llm.Answer{Text: "```diff\n+a\n```\n", FinishReason: "limit"}},
		"files that were left out": {agents: fakeAgents{work: agents.Work{Diff: "+a\n", LeftOut: []string{"a: it cannot be read"}}},
			transcript: "[assay] left out: a: it cannot be read\n", want: llm.Answer{Text: "```diff\n+a\n```\n", FinishReason: "stop"}},
		"the network": {agents: fakeAgents{pieces: []string{"no line end"}, work: agents.Work{Diff: "+a\n"}, asked: []gateway.Request{{Host: "a:443", Granted: true, Sent: 1, Received: 2}, {Host: "b:443"}}},
			transcript: "no line end\n[assay] network: a:443 granted, 1 bytes sent, 2 received\n[assay] network: b:443 refused: the host is not granted\n",
			want:       llm.Answer{Text: "```diff\n+a\n```\n", FinishReason: "stop", Refused: []string{"b:443"}}},
		"claude": {agents: fakeAgents{pieces: claude, work: agents.Work{Diff: "+a\n"}}, output: "claude-stream-json",
			transcript: "I look.\n\n→ Bash {\"command\":\"ls\"}\nnot an event\n    a\n    b\n\n",
			want:       llm.Answer{Text: "```diff\n+a\n```\n", FinishReason: "stop", Model: "m-1", InputTokens: 7, OutputTokens: 5, CostUSD: 0.25}},
		"claude at its own limit": {agents: fakeAgents{pieces: []string{`{"type":"result","subtype":"error_max_turns","is_error":true}`}, work: agents.Work{Diff: "+a\n"}}, output: "claude-stream-json",
			want: llm.Answer{Text: "```diff\n+a\n```\n", FinishReason: "limit"}},
		"codex": {agents: fakeAgents{pieces: codex, work: agents.Work{Diff: "+a\n"}}, output: "codex-json",
			transcript: "> Hm.\n\n→ $ ls\n    a\n\n→ update a\nDone.\n\n", want: llm.Answer{Text: "```diff\n+a\n```\n", FinishReason: "stop", InputTokens: 7, OutputTokens: 5}},
	} {
		t.Run(name, func(t *testing.T) {
			answer, streamed, failed := askAgent(t, &c.agents, llm.Model{Output: c.output, APIKeyEnv: "KEY"})
			if failed != nil {
				t.Fatal(failed)
			}
			transcript, end, ok := strings.Cut(answer.Transcript, "[assay] ended after ")
			if transcript != c.transcript || streamed != answer.Transcript || !ok || !strings.Contains(end, "by it") {
				t.Errorf("transcript %q, want %q; streamed %q", answer.Transcript, c.transcript, streamed)
			}
			answer.Transcript = ""
			if len(answer.Refused) != len(c.want.Refused) {
				t.Errorf("refused %q", answer.Refused)
			}
			answer.Refused, c.want.Refused = nil, nil
			if answer.Text != c.want.Text || answer.FinishReason != c.want.FinishReason || answer.Model != c.want.Model || answer.CostUSD != c.want.CostUSD ||
				answer.InputTokens != c.want.InputTokens || answer.OutputTokens != c.want.OutputTokens {
				t.Errorf("got %+v, want %+v", answer, c.want)
			}
		})
	}
}

// TestAgentFaults: what is no answer, with its class, without the key.
func TestAgentFaults(t *testing.T) {
	down := &gateway.Request{Host: "api.example.com:443", Granted: true, Problem: "no such host"}
	for name, c := range map[string]struct {
		agents  fakeAgents
		model   llm.Model
		class   llm.Class
		message string
		passing bool // it is tried again
	}{
		"its model has too much to do":       {agents: fakeAgents{work: agents.Work{Exit: 1, Stderr: "API Error: 429 too many requests"}}, class: llm.RateLimited, message: "its last words: API Error: 429", passing: true},
		"claude's model has too much to do":  {agents: fakeAgents{pieces: []string{`{"type":"result","subtype":"success","is_error":true,"result":"API Error: 529 overloaded_error"}`}}, model: llm.Model{Output: "claude-stream-json"}, class: llm.RateLimited, message: "529", passing: true},
		"it fails with a number like theirs": {agents: fakeAgents{work: agents.Work{Exit: 1, Stderr: "line 4291"}}, class: llm.Program, message: "line 4291"},
		"it fails":                           {agents: fakeAgents{pieces: []string{"sorry, " + agentKey + "\n"}, work: agents.Work{Diff: "diff", Exit: 3}}, class: llm.Program, message: "failed (exit status 3), its last words: sorry, [key]"},
		"it fails elsewhere":                 {agents: fakeAgents{work: agents.Work{Exit: 1, Stderr: "Bearer " + agentKey}}, class: llm.Program, message: "its last words: Bearer [key]"},
		"it does not start":                  {agents: fakeAgents{err: errors.New("git is not installed")}, class: llm.Program, message: "could not work here: git is not installed"},
		"it asks for a host that is not granted": {agents: fakeAgents{work: agents.Work{Exit: 1}, asked: []gateway.Request{{Host: "b:443"}}}, class: llm.Program,
			message: "it asked for b:443: if it needs that, add it to hosts"},
		"its host is down":                 {agents: fakeAgents{work: agents.Work{Exit: 1, Unreached: down}}, class: llm.Unreachable, message: "could not reach api.example.com:443: no such host", passing: true},
		"its host is down until its limit": {agents: fakeAgents{work: agents.Work{Limit: agents.LimitTime, Unreached: down}}, class: llm.Unreachable, message: "could not reach", passing: true},
		"it prints nothing for too long":   {agents: fakeAgents{hang: true, pieces: []string{"x"}}, model: llm.Model{IdleTimeout: llm.Timeout(time.Millisecond)}, class: llm.TimedOut, message: "raise idle_timeout"},
		"claude reports an error":          {agents: fakeAgents{pieces: []string{`{"type":"result","subtype":"success","is_error":true,"result":"Invalid key ` + agentKey + `"}`}}, model: llm.Model{Output: "claude-stream-json"}, class: llm.Program, message: "reports that it failed: Invalid key [key]"},
		"claude reports no end":            {agents: fakeAgents{pieces: []string{`{"type":"assistant"}`}}, model: llm.Model{Output: "claude-stream-json"}, class: llm.CutOff, message: "did not report an end"},
		"codex reports an error":           {agents: fakeAgents{pieces: []string{`{"type":"turn.failed","error":{"message":"no"}}`}}, model: llm.Model{Output: "codex-json"}, class: llm.Program, message: "reports that it failed: no"},
		"the prompt is too long to be an argument": {model: llm.Model{Command: []string{"worker", "{prompt}"}, System: strings.Repeat("x", 200_000)}, class: llm.BadRequest,
			message: "leave {prompt} out"},
	} {
		t.Run(name, func(t *testing.T) {
			c.model.APIKeyEnv = "KEY"
			_, streamed, failed := askAgent(t, &c.agents, c.model)
			if failed == nil || failed.Class != c.class || !strings.Contains(failed.Error(), c.message) {
				t.Fatalf("got %v, want %s: %s", failed, c.class, c.message)
			}
			if failed.Passing() != c.passing {
				t.Errorf("it is tried again: %v", failed.Passing())
			}
			if strings.Contains(failed.Error()+failed.Partial, agentKey) || failed.Partial != streamed {
				t.Errorf("%v, partial %q, streamed %q", failed, failed.Partial, streamed)
			}
		})
	}
	if _, _, failed := askAgent(t, nil, llm.Model{}); failed == nil || failed.Class != llm.Program {
		t.Errorf("without boxes: %v", failed)
	}
	client, err := llm.Model{Name: "a", Provider: llm.ProviderAgent, Command: []string{"sh"}}.Client(llm.Deps{Agents: &fakeAgents{}})
	fatal.If(t, err)
	if _, err := client.Stream(t.Context(), llm.Request{}, nil); err == nil || !strings.Contains(err.Error(), "works on repositories, and the task has none") {
		t.Errorf("without a repository: %v", err)
	}
}

// A program that filled its disk, and ended because of that, has answered with what it changed.
func TestAgentWithAFullDisk(t *testing.T) {
	for _, said := range []string{"write x: no space left on device", "Error: ENOSPC", "OSError: [Errno 27] File too large"} {
		answer, _, failed := askAgent(t, &fakeAgents{work: agents.Work{Diff: "diff", Exit: 1, Stderr: said}}, llm.Model{})
		if failed != nil || answer.FinishReason != "limit" || !strings.Contains(answer.Text, "diff") || !strings.Contains(answer.Transcript, "limit of files") {
			t.Errorf("%s: %+v, %v", said, answer, failed)
		}
	}
}

const agentDiff = "```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```\n"

// TestAgentProgram: what a program is started with.
func TestAgentProgram(t *testing.T) {
	one := 1
	agents := &fakeAgents{}
	askAgent(t, agents, llm.Model{Command: []string{"worker", "-q"}, Hosts: []string{"API.example.com", "127.0.0.1:80"}, APIKeyEnv: "KEY", APIKeyAs: "TOKEN", Environment: llm.Headers{"LEVEL": "high"},
		Mount: []string{"/opt/worker"}, Git: true, MemoryMB: &one, System: "Be brief."},
		llm.Message{Role: llm.User, Text: "Correct it.\n\n" + benchmark.AnswerForm}, llm.Message{Role: llm.Assistant, Text: agentDiff},
		llm.Message{Role: llm.User, Text: "Go on."}, llm.Message{Role: llm.Assistant, Text: "The program changed no file of the repository.\n"}, llm.Message{Role: llm.User, Text: "And test it."})
	p := agents.got
	want := "## System\n\nBe brief.\n\n## User\n\nCorrect it.\n\nThe repository is in the working directory. Change its files there: the answer is how you leave them, not what you print.\n\n## Assistant\n\nI have changed the files in the working directory.\n\n" +
		"## User\n\nGo on.\n\n## Assistant\n\nThe program changed no file of the repository.\n\n## User\n\nAnd test it.\n"
	if p.Prompt != want || p.Before != agentDiff {
		t.Errorf("prompt %q, before %q", p.Prompt, p.Before)
	}
	if strings.Join(p.Hosts, " ") != "api.example.com:443 127.0.0.1:80" || p.KeyName != "TOKEN" || p.Key != agentKey || p.Variables["LEVEL"] != "high" ||
		!strings.HasSuffix(p.Variables["PATH"], ":/opt/worker/node_modules/.bin") || !p.Git || p.MemoryMB != 1 || p.DiskMB != 2048 || p.Time != 30*time.Minute || !p.Errors {
		t.Errorf("started with %+v", p)
	}
	if strings.Contains(strings.Join(p.Argv, " "), agentKey) {
		t.Error("the key is in the command line")
	}
}

func TestAgentReady(t *testing.T) {
	dir := t.TempDir()
	fatal.If(t, os.MkdirAll(dir+"/bin", 0o755))
	fatal.If(t, os.WriteFile(dir+"/bin/worker", []byte("#!/bin/sh\n"), 0o755))
	for want, m := range map[string]llm.Model{
		"":                           {Command: []string{"sh"}},
		"box sees no program":        {Command: []string{"worker"}},
		"box does not see":           {Command: []string{dir + "/bin/worker"}},
		"there is no program":        {Command: []string{dir + "/bin/other"}},
		"is a relative path":         {Command: []string{"./worker"}},
		"there is no directory":      {Command: []string{"sh"}, Mount: []string{dir + "/none"}},
		"variable KEY is not set":    {Command: []string{"worker"}, Mount: []string{dir}, APIKeyEnv: "KEY"},
		"there is no program \"none": {Command: []string{dir + "/bin/worker"}, Mount: []string{dir}, APIKeyCmd: []string{"none-such"}, APIKeyAs: "KEY"},
	} {
		m.Provider, m.Name = llm.ProviderAgent, "a"
		if ok, why := m.Ready(llm.Deps{Getenv: func(string) string { return "" }}); ok != (want == "") || !strings.Contains(why, want) {
			t.Errorf("%v: %v %q, want %q", m.Command, ok, why, want)
		}
	}
}

// TestAgentJudged: a scripted program changes files in a real box, and its diff is judged.
func TestAgentJudged(t *testing.T) {
	j, task := newJudge(t)
	for name, c := range map[string]struct {
		command []string
		prompt  string
		want    outcomes.Outcome
	}{
		"resolved": {[]string{"patch", "-p1"}, task.Reference, outcomes.Resolved},
		"empty":    {[]string{"cat"}, "Do nothing.", outcomes.PatchFailed},
	} {
		answer, streamed, failed := askTask(t, j, task, c.command, c.prompt)
		if failed != nil {
			t.Fatalf("%s: %v", name, failed)
		}
		result, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: answer.Text})
		fatal.If(t, err)
		if result.Resolution != c.want || streamed == "" {
			t.Errorf("%s: judged %s (%s), streamed %q, answer %q", name, result.Resolution, result.Message, streamed, answer.Text)
		}
	}
}

func askTask(t *testing.T, agents llm.Agents, task *benchmark.Task, command []string, prompt string) (answer llm.Answer, streamed string, failed error) {
	t.Helper()
	client, err := llm.Model{Name: "a", Provider: llm.ProviderAgent, Command: command}.Client(llm.Deps{Agents: agents})
	fatal.If(t, err)
	answer, failed = client.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: prompt}}, Repository: task}, func(text string) { streamed += text })
	return answer, streamed, failed
}

// TestAgentKeepsNoKey: nothing that is stored of an agent's work has its key, however it is written.
func TestAgentKeepsNoKey(t *testing.T) {
	colours, escaped := strings.Join(strings.Split(agentKey, ""), "\x1b[0m"), strings.ReplaceAll(agentKey, "0", `\u0030`)
	for name, output := range map[string]string{"as text": "text", "as events": "codex-json"} {
		agents := &fakeAgents{
			pieces: []string{"I have " + colours[:20], colours[20:] + ".\n" + escaped + "\n", `{"type":"turn.completed"}` + "\n"},
			asked:  []gateway.Request{{Host: agentKey + ".example.org"}},
			work: agents.Work{Diff: "diff --git a/" + agentKey + " b/" + agentKey + "\nnew file mode 100644\n--- /dev/null\n+++ b/" + agentKey + "\n@@ -0,0 +1 @@\n+x\n",
				LeftOut: []string{agentKey + ": it cannot be read"}},
		}
		answer, _, failed := askAgent(t, agents, llm.Model{Output: output, APIKeyEnv: "X", APIKeyAs: "X"})
		stored := answer.Text + answer.Transcript + strings.Join(answer.Refused, "")
		if failed != nil || strings.Contains(stored, "0123456789") || strings.Contains(stored, colours) || strings.Contains(stored, escaped) || strings.Count(stored, "[key]") < 8 {
			t.Errorf("%s: %v\n%s", name, failed, stored)
		}
	}
}
