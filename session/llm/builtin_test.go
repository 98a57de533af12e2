//go:build unix

package llm_test

import (
	"context"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/repository/agents"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/session/llm"
	"assay/session/trajectory"
)

// shell runs what an agent starts in a directory of its own, without a box.
type shell struct{ dir string }

func (s *shell) Work(ctx context.Context, _ *benchmark.Task, p agents.Program) (work agents.Work, err error) {
	ctx, stop := context.WithTimeout(ctx, p.Time)
	defer stop()
	cmd := exec.CommandContext(ctx, p.Argv[0], p.Argv[1:]...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Dir, cmd.WaitDelay = s.dir, time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return work, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return work, err
	}
	if err := cmd.Start(); err != nil {
		return work, err
	}
	p.Started()
	p.Talk(ctx, in, out)
	in.Close()
	if cmd.Wait() != nil {
		work.Exit = 1
	}
	if ctx.Err() != nil {
		work.Limit = agents.LimitTime
	}
	changed, _ := os.ReadFile(filepath.Join(s.dir, "changed"))
	work.Diff = string(changed)
	return work, nil
}

// chat is a server of chat completions that gives answers in turn, and then the last one again.
type chat struct {
	*httptest.Server
	mu       sync.Mutex
	requests [][]llm.Message
}

// turn is an answer, or an error with a status.
type turn struct {
	text   string
	status int
}

func newChat(t *testing.T, turns ...turn) *chat {
	c := &chat{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+agentKey {
			t.Errorf("the key is %q", r.Header.Get("Authorization"))
		}
		var asked struct {
			Messages []struct{ Role, Content string }
		}
		text, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(text, &asked); err != nil {
			t.Error(err)
		}
		var messages []llm.Message
		for _, m := range asked.Messages {
			messages = append(messages, llm.Message{Role: m.Role, Text: m.Content})
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		now := turns[min(len(c.requests), len(turns)-1)]
		c.requests = append(c.requests, messages)
		w.Header().Set("Content-Type", "application/json")
		if now.status != 0 {
			w.WriteHeader(now.status)
			fmt.Fprint(w, now.text)
			return
		}
		answer, _ := json.Marshal(now.text)
		fmt.Fprintf(w, `{"model":"big-1","choices":[{"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":10}}`, answer)
	}))
	t.Cleanup(c.Close)
	return c
}

// builtinClient returns a client of the built-in agent in a models file that has further lines for it.
func builtinClient(t *testing.T, c *chat, a llm.Agents, more string) llm.Client {
	t.Helper()
	path := filepath.Join(t.TempDir(), "models.toml")
	fatal.If(t, os.WriteFile(path, []byte("[[model]]\nname = \"big\"\nprovider = \"openai\"\nbase_url = \""+c.URL+"/v1\"\nmodel = \"big-1\"\napi_key_env = \"KEY\"\nprice_in = 1000.0\nprice_out = 10000.0\ncurrency = \"USD\"\n"+
		"[[model]]\nname = \"own\"\nprovider = \"agent\"\nprogram = \"builtin\"\nmodel = \"big\"\n"+more), 0o600))
	models, err := llm.LoadModels(path)
	fatal.If(t, err)
	own, err := models.Get("own")
	fatal.If(t, err)
	client, err := own.Client(llm.Deps{Agents: a, Once: true, Getenv: func(string) string { return agentKey }, Sleep: func(context.Context, time.Duration) error { return nil }})
	fatal.If(t, err)
	return client
}

func bash(command string) turn { return turn{text: "I do it.\n\n```bash\n" + command + "\n```\n"} }

var submit = bash("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")

// TestBuiltinAgent: one command for each answer, a history that only grows, and the limits of an attempt.
func TestBuiltinAgent(t *testing.T) {
	for name, c := range map[string]struct {
		turns  []turn
		more   string
		said   []string // in the message to the last request
		in     []string // the transcript
		finish string
		steps  int
		calls  int
	}{
		"it changes a file":          {turns: []turn{bash("echo +a >changed; ls"), submit}, said: []string{"Exit code 0.", "changed"}, finish: "stop", steps: 2, calls: 2},
		"a command fails":            {turns: []turn{bash("echo no >&2; exit 3"), submit}, said: []string{"Exit code 3.", "no"}, finish: "stop", steps: 2, calls: 2},
		"nothing lasts but files":    {turns: []turn{bash("cd /; x=1; export x"), bash(`echo "<$x>"; [ "$PWD" = / ] || echo back`), submit}, said: []string{"<>\nback"}, finish: "stop", steps: 3, calls: 3},
		"a command of several lines": {turns: []turn{bash("cat <<'END'\na ' \" $x `y`\nEND\necho b"), submit}, said: []string{"a ' \" $x `y`\nb"}, finish: "stop", steps: 2, calls: 2},
		"a command has no input":     {turns: []turn{bash("cat; echo end"), submit}, said: []string{"Output:\nend"}, finish: "stop", steps: 2, calls: 2},
		"an answer without a block":  {turns: []turn{{text: "I am done."}, submit}, said: []string{"Your answer has 0 blocks"}, finish: "stop", steps: 2, calls: 1},
		"an answer with two":         {turns: []turn{{text: bash("a").text + bash("b").text}, submit}, said: []string{"Your answer has 2 blocks"}, finish: "stop", steps: 2, calls: 1},
		"a block that was cut off":   {turns: []turn{{text: "```bash\nrm -rf"}, submit}, said: []string{"Your answer has 0 blocks"}, finish: "stop", steps: 2, calls: 1},
		"blocks of other languages":  {turns: []turn{{text: "```python\nx\n```\n" + bash("echo y").text + "```\nz\n```"}, submit}, said: []string{"Output:\ny"}, finish: "stop", steps: 2, calls: 2},
		"a fence in a longer one":    {turns: []turn{{text: "````bash\ncat <<'END'\n```bash\nx\n```\nEND\n````"}, submit}, said: []string{"```bash\nx\n```"}, finish: "stop", steps: 2, calls: 2},
		"commands that it thinks of": {turns: []turn{{text: "<think>\n```bash\necho thought\n```\n</think>\n" + bash("echo said").text}, submit}, said: []string{"Output:\nsaid"}, finish: "stop", steps: 2, calls: 2},
		"an empty answer":            {turns: []turn{{}, submit}, said: []string{"0 blocks"}, finish: "stop", steps: 2, calls: 1},
		"the marker amid output":     {turns: []turn{bash("echo x; echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"), submit}, said: []string{"x\nCOMPLETE"}, finish: "stop", steps: 2, calls: 2},
		"the marker of a failure":    {turns: []turn{bash("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; exit 1"), submit}, said: []string{"Exit code 1"}, finish: "stop", steps: 2, calls: 2},
		"long output":                {turns: []turn{bash("seq 100000"), submit}, said: []string{"Its beginning:\n1\n2\n", "\n99999\n100000\n"}, finish: "stop", steps: 2, calls: 2},
		"output of the shown length": {turns: []turn{bash("printf '%020000d' 7"), submit}, said: []string{"Output:\n" + strings.Repeat("0", 19999) + "7\n"}, finish: "stop", steps: 2, calls: 2},
		"output that is no text":     {turns: []turn{bash(`printf 'a\000b\377\033[2J'`), submit}, said: []string{"ab\uFFFD"}, finish: "stop", steps: 2, calls: 2},
		"a command without an end":   {turns: []turn{bash("echo begun; sleep 1000"), submit}, more: "command_timeout = \"1s\"\n", said: []string{"Exit code 124: the command was ended after 1 seconds.", "begun"}, finish: "stop", steps: 2, calls: 2},
		"it ends its shell":          {turns: []turn{bash("echo +a >changed; kill -9 $(ps -o ppid= $PPID)")}, in: []string{"its shell ended"}, finish: "stop", steps: 1, calls: 1},
		"it prints results itself":   {turns: []turn{bash("printf 'x\\ny\\nz\\n' >/proc/$(ps -o ppid= $PPID | tr -d ' ')/fd/1")}, in: []string{"its shell ended"}, finish: "stop", steps: 1, calls: 1},
		"it never ends":              {turns: []turn{bash("true")}, more: "step_limit = 4\n", in: []string{"by its limit of steps"}, finish: "limit", steps: 4, calls: 4},
		"it has used its tokens":     {turns: []turn{bash("true")}, more: "token_limit = 221\n", in: []string{"by its limit of tokens"}, finish: "limit", steps: 3, calls: 3},
		"it has used its money":      {turns: []turn{bash("true")}, more: "cost_limit = 0.4\n", in: []string{"by its limit of cost"}, finish: "limit", steps: 2, calls: 2},
		"it has used its time":       {turns: []turn{bash("sleep 1000")}, more: "total_timeout = \"1s\"\n", in: []string{"by its limit of time"}, finish: "limit", steps: 1, calls: 1},
		"its context is full":        {turns: []turn{bash("true"), {status: 400, text: `{"error":{"message":"This model's maximum context length is 10 tokens","code":"context_length_exceeded"}}`}}, in: []string{"by its limit of context"}, finish: "limit", steps: 1, calls: 1},
		"its server fails for once":  {turns: []turn{bash("true"), {status: 503, text: "busy"}, submit}, finish: "stop", steps: 2, calls: 2},
		"another template": {turns: []turn{bash("echo x"), submit}, more: "template = '''{{define \"observation\"}}[{{.Exit}}] {{.Head}}{{end}}{{define \"system\"}}Be brief.{{end}}'''\n", said: []string{"[0] x"},
			in: []string{"Be brief."}, finish: "stop", steps: 2, calls: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newChat(t, c.turns...)
			dir := t.TempDir()
			client := builtinClient(t, server, &shell{dir: dir}, c.more)
			var streamed strings.Builder
			answer, err := client.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Correct it."}}, Repository: &benchmark.Task{}}, func(s string) { streamed.WriteString(s) })
			fatal.If(t, err)
			total := trajectory.Sum(answer.Steps)
			if answer.FinishReason != c.finish || total.Steps != c.steps || total.ToolCalls != c.calls {
				t.Errorf("finish reason %s, %+v\n%s", answer.FinishReason, total, answer.Transcript)
			}
			if want := float64(c.steps) * 0.2; answer.InputTokens != 100*c.steps || answer.OutputTokens != 10*c.steps || answer.CostUSD < want-1e-9 || answer.CostUSD > want+1e-9 || answer.Model != "big-1" {
				t.Errorf("%d tokens in, %d out, %v US dollars, of %s", answer.InputTokens, answer.OutputTokens, answer.CostUSD, answer.Model)
			}
			if streamed.String() != answer.Transcript {
				t.Errorf("streamed %q, the transcript is %q", streamed.String(), answer.Transcript)
			}
			last := server.requests[len(server.requests)-1]
			for _, said := range c.said {
				if text := last[len(last)-1].Text; !strings.Contains(text, said) {
					t.Errorf("the last message does not contain %q:\n%.2000s", said, text)
				}
			}
			for _, in := range append(c.in, "the built-in agent asks the model \"big\" with the template ", "Correct it.", "[assay] ended after ") {
				if !strings.Contains(answer.Transcript, in) {
					t.Errorf("the transcript does not contain %q:\n%.3000s", in, answer.Transcript)
				}
			}
			for i, messages := range server.requests[1:] {
				for j, before := range server.requests[i] {
					if messages[j] != before {
						t.Errorf("message %d of request %d was %q and is %q", j+1, i+2, before, messages[j])
					}
				}
			}
			if changed, _ := os.ReadFile(filepath.Join(dir, "changed")); len(changed) > 0 != strings.Contains(answer.Text, "+a") {
				t.Errorf("the answer is %q", answer.Text)
			}
		})
	}
}

// TestBuiltinAgentFaults: a server that fails is no answer. What the agent has paid for is not begun anew.
func TestBuiltinAgentFaults(t *testing.T) {
	for name, c := range map[string]struct {
		turns   []turn
		class   llm.Class
		passing bool
	}{
		"its key is wrong":       {turns: []turn{{status: 401, text: "no " + agentKey}}, class: llm.Auth},
		"its server is down":     {turns: []turn{{status: 503, text: "busy"}}, class: llm.Server, passing: true},
		"its server goes down":   {turns: []turn{bash("true"), {status: 503, text: "busy"}}, class: llm.Server},
		"its prompt is too long": {turns: []turn{{status: 400, text: `{"error":{"message":"This model's maximum context length is 10 tokens","code":"context_length_exceeded"}}`}}, class: llm.TooLong},
	} {
		t.Run(name, func(t *testing.T) {
			client := builtinClient(t, newChat(t, c.turns...), &shell{dir: t.TempDir()}, "")
			_, err := client.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Correct it."}}, Repository: &benchmark.Task{}}, func(string) {})
			failed, ok := err.(*llm.Error)
			if !ok || failed.Class != c.class || failed.Passing() != c.passing || strings.Contains(err.Error()+failed.Partial, agentKey) {
				t.Errorf("%v, %+v", err, failed)
			}
		})
	}
	if _, err := (llm.Model{Name: "a", Provider: llm.ProviderAgent, Program: "builtin", Model: "none"}).Client(llm.Deps{}); err != nil {
		t.Error(err)
	}
}

// TestBuiltinAgentCheck: a check of the agent needs no repository, and takes a few answers at most.
func TestBuiltinAgentCheck(t *testing.T) {
	server := newChat(t, turn{text: "ready"})
	path := filepath.Join(t.TempDir(), "models.toml")
	fatal.If(t, os.WriteFile(path, []byte("[[model]]\nname = \"big\"\nprovider = \"openai\"\nbase_url = \""+server.URL+"/v1\"\nmodel = \"big-1\"\napi_key_env = \"KEY\"\n"+
		"[[model]]\nname = \"own\"\nprovider = \"agent\"\nprogram = \"builtin\"\nmodel = \"big\"\n"), 0o600))
	models, err := llm.LoadModels(path)
	fatal.If(t, err)
	m, err := models.Get("own")
	fatal.If(t, err)
	deps := llm.Deps{Agents: &shell{dir: t.TempDir()}, Getenv: func(string) string { return agentKey }}
	if got := m.Check(t.Context(), deps, ""); !got.OK || len(server.requests) != 3 {
		t.Errorf("%d requests, %+v", len(server.requests), got)
	}
	if ok, why := m.Ready(deps); !ok {
		t.Error(why)
	}
	deps.Getenv = func(string) string { return "" }
	if ok, why := m.Ready(deps); ok || !strings.Contains(why, "the model \"big\", which it asks: the environment variable KEY is not set") {
		t.Errorf("%v, %s", ok, why)
	}
}

// TestBuiltinAgentInBox: its commands run in the box of agents, without the key, and its changes are judged.
func TestBuiltinAgentInBox(t *testing.T) {
	j, task := newJudge(t)
	server := newChat(t, bash(`env; cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\0' '\n' | sort -u; ls -d `+t.TempDir()),
		bash("patch -p1 <<'END'\n"+task.Reference+"END"), bash("sed -i 's/^# measure$/# measure, corrected/' README.md && git log --oneline"), submit)
	client := builtinClient(t, server, j, "git = true\n")
	answer, err := client.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: task.Description}}, Task: task.ID, Attempt: 1, Repository: task}, nil)
	fatal.If(t, err)
	all, _ := json.Marshal(server.requests)
	if strings.Contains(string(all), agentKey) || !strings.Contains(string(all), "No such file") || !strings.Contains(string(all), "HTTP_PROXY") || !strings.Contains(string(all), " base") {
		t.Errorf("the commands saw the key, or another tree:\n%.3000s", all)
	}
	if answer.FinishReason != "stop" || !strings.Contains(answer.Text, "\n+# measure, corrected\n") || len(answer.Steps) != 4 {
		t.Errorf("%s, %d steps\n%s", answer.FinishReason, len(answer.Steps), answer.Text)
	}
	result, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: answer.Text})
	fatal.If(t, err)
	if result.Resolution != outcomes.Resolved {
		t.Errorf("judged %s: %s", result.Resolution, result.Message)
	}

	slow := newChat(t, bash("echo x >>README.md; sleep 1000"))
	answer, err = builtinClient(t, slow, j, "total_timeout = \"3s\"\n").Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "x"}}, Repository: task}, nil)
	if err != nil || answer.FinishReason != "limit" || !strings.Contains(answer.Text, "\n+x\n") {
		t.Errorf("at its limit of time: %+v, %v", answer, err)
	}
}

// Nothing that is kept of the built-in agent's work has the key of the model that it asks, which its server may echo in
// any form.
func TestBuiltinAgentKeepsNoKey(t *testing.T) {
	t.Parallel()
	reversed := []byte(agentKey)
	slices.Reverse(reversed)
	for name, hidden := range map[string]string{"as it is": agentKey, "reversed": string(reversed), "in colours": strings.Join(strings.Split(agentKey, ""), "\x1b[0m"),
		"zero width": strings.Join(strings.Split(agentKey, ""), "\u200b"), "base32": base32.StdEncoding.EncodeToString([]byte(agentKey)), `\u`: strings.ReplaceAll(agentKey, "0", `\u0030`)} {
		t.Run(name, func(t *testing.T) {
			first := bash("printf '%s' '" + hidden + "' | tee changed")
			first.text = "My key is " + hidden + ".\n" + first.text
			client := builtinClient(t, newChat(t, first, submit), &shell{dir: t.TempDir()}, "")
			answer, err := client.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Correct it."}}, Repository: &benchmark.Task{}}, nil)
			fatal.If(t, err)
			for what, kept := range map[string]string{"transcript": answer.Transcript, "steps": trajectory.Text(answer.Steps), "answer": answer.Text} {
				if strings.Contains(kept, hidden) || !strings.Contains(kept, "[key]") {
					t.Errorf("the %s has the key:\n%s", what, kept)
				}
			}
		})
	}
}
