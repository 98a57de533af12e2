package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/benchmark"
	"assay/benchmark/gateway"
	"assay/benchmark/repository/agents"
	"assay/benchmark/repository/patch"
	"assay/session/trajectory"
)

// Agents starts agents; judge.Judge implements it.
type Agents interface {
	// Work starts a program in a copy of the task's repository, without a task in an empty directory.
	Work(ctx context.Context, task *benchmark.Task, p agents.Program) (agents.Work, error)
}

// The defaults of an agent's limits.
const (
	defaultAgentTotal     = 30 * time.Minute
	defaultAgentMemoryMB  = 4096
	defaultAgentProcesses = 512
	defaultAgentOutputMB  = 16
	defaultAgentDiskMB    = 2048

	noLimit = 365 * 24 * time.Hour

	// longestArgument is the longest text that Linux passes to a program in one argument.
	longestArgument = 128<<10 - 1
)

// agent starts a program for each request in a copy of the task's repository. The answer is the diff of the
// copy; what the program prints is the transcript.
type agent struct {
	model Model
	deps  Deps
	keys  *keeper
}

// The answers of programs without a diff. No change can be read from them.
const (
	nothingChanged = "The program changed no file of the repository.\n"
	tooMuchChanged = "The program changed more than an answer can hold.\n"
)

// agentForm takes the place of benchmark.AnswerForm in prompts: what a program prints is not applied.
const agentForm = "The repository is in the working directory. Change its files there: the answer is how you leave them, not what you print."

// Stream runs the program once. It passes on the transcript as it comes.
func (a *agent) Stream(ctx context.Context, req Request, delta func(string)) (Answer, error) {
	key, failed := a.keys.secret(ctx)
	hide := newRedactor(key)
	if req.Blind {
		delta = func(string) {}
	}
	if failed == nil {
		failed = a.impossible(req, key)
	}
	if failed != nil {
		return Answer{}, hide.error(failed)
	}
	p := a.program(req, key)
	var asks Client
	if a.model.Program == programBuiltin {
		deps := a.deps
		deps.Once = false // a request is tried again here: otherwise all steps would be
		var err error
		if asks, err = a.model.asked.Client(deps); err != nil {
			return Answer{}, wrongModel(err)
		}
		if c, ok := asks.(*httpClient); ok { // what its server echoes while an answer streams is kept, too
			asked, _ := c.credentials(ctx) // a missing key fails with the first request
			hide = newRedactor(append(c.sensitive(asked.key, asked.headers), key)...)
		}
	}
	out := newTranscript(a.model.Output, hide, delta)
	own, failed := a.own(asks, req, &p, out)
	if failed != nil {
		return Answer{}, failed
	}
	if len(p.Prompt) > longestArgument && strings.Contains(strings.Join(p.Argv, " "), agents.PromptArgument) {
		return Answer{}, &Error{Class: BadRequest, Message: fmt.Sprintf("the prompt has %d bytes, and an argument of a program at most %d", len(p.Prompt), longestArgument),
			Advice: "leave " + agents.PromptArgument + " out of the model's command, and the program gets the prompt on standard input"}
	}
	running, watch := newWatchdog(ctx)
	defer watch.stop()
	total := a.model.TotalTimeout.orDefault(defaultAgentTotal)
	heard := func(stage Stage) {
		idle := a.model.IdleTimeout.orDefault(0)
		watch.expect("the program printed nothing more", idle, "idle_timeout")
		Tell(ctx, Progress{Stage: stage, Silence: idle, Total: total})
	}
	p.Time = cmp.Or(total, noLimit)
	p.Mask = hide.finished
	p.Output = func(piece []byte) agents.Limit { heard(Arriving); out.write(piece); return a.model.exceeded(out, 0) }
	p.Asked = out.asked
	var began time.Time
	p.Started = func() { began = time.Now(); heard(Asked) }
	Tell(ctx, Progress{Stage: Preparing})
	work, err := a.deps.Agents.Work(running, req.Repository, p)
	out.end()
	if own != nil {
		work.Exit, work.Limit = 0, cmp.Or(work.Limit, own.limit)
	}
	if work.Exit != 0 && work.Limit == "" && diskFull.MatchString(work.Stderr+"\n"+out.last()+"\n"+out.failed) {
		work.Limit = agents.LimitFiles // as if the box had ended it
	}
	answer, failed := a.outcome(context.Cause(running), out, work, err)
	if failed == nil && own != nil && own.failed != nil && work.Limit == "" {
		failed = own.failed
	}
	switch {
	case ctx.Err() != nil:
		return Answer{}, ctx.Err()
	case failed != nil:
		used := trajectory.Sum(out.steps)
		failed.Partial, failed.InputTokens, failed.OutputTokens = hide.finished(out.text.String()), used.InputTokens, used.OutputTokens
		return Answer{}, hide.error(failed)
	}
	for _, file := range work.LeftOut {
		out.note("left out: " + file)
	}
	out.note(fmt.Sprintf("ended after %v, %s", time.Since(began).Round(100*time.Millisecond), ending(work)))
	answer.Text, answer.Model, answer.Transcript = hide.finished(answer.Text), hide.finished(answer.Model), hide.finished(out.text.String())
	return answer, nil
}

// own prepares the built-in agent, if that is the program: then there is a model that it asks.
func (a *agent) own(asks Client, req Request, p *agents.Program, out *transcript) (*builtin, *Error) {
	if asks == nil {
		return nil, nil
	}
	b, err := newBuiltin(a.model, asks, req, p)
	if err != nil {
		return nil, wrongModel(err)
	}
	b.out = out
	return b, nil
}

func wrongModel(err error) *Error {
	return &Error{Class: BadRequest, Message: err.Error(), Advice: "correct this model in the models file", Err: err}
}

// ending describes how a program ended.
func ending(w agents.Work) string {
	if w.Limit != "" {
		return "by its limit of " + string(w.Limit)
	}
	return "by itself"
}

// impossible returns why a request cannot be sent.
func (a *agent) impossible(req Request, key string) *Error {
	switch {
	case req.Repository == nil && !req.trial:
		return &Error{Class: BadRequest, Message: fmt.Sprintf("the model %q is an agent, which works on repositories, and the task has none", a.model.Name),
			Advice: "use another model for this task"}
	case a.model.Program == programBuiltin && a.model.asked == nil:
		return &Error{Class: BadRequest, Message: fmt.Sprintf("the model %q, which the built-in agent %q asks, is not known", a.model.Model, a.model.Name), Advice: "add it to the models file"}
	case a.deps.Agents == nil:
		return &Error{Class: Program, Message: "agents work in boxes, and there are none here", Advice: "see assay doctor"}
	case strings.ContainsAny(key, "\n\x00"):
		return &Error{Class: Auth, Message: fmt.Sprintf("the key of the model %q has several lines", a.model.Name), Advice: "set it to the key alone"}
	}
	return nil
}

// program describes what is started.
func (a *agent) program(req Request, key string) agents.Program {
	m := a.model
	p := agents.Program{
		Argv: m.Command, Git: m.Git, Binds: m.Mount, Errors: m.Output == outputText || m.Output == "",
		Variables: map[string]string{"PATH": "/tmp/bin:" + strings.Join(m.agentPath(), ":"), "NO_COLOR": "1", "TERM": "dumb"},
		MemoryMB:  number(m.MemoryMB, defaultAgentMemoryMB), Processes: number(m.Processes, defaultAgentProcesses),
		OutputMB: number(m.OutputMB, defaultAgentOutputMB), DiskMB: number(m.DiskMB, defaultAgentDiskMB),
	}
	maps.Copy(p.Variables, m.Environment)
	if key != "" {
		p.KeyName, p.Key = cmp.Or(m.APIKeyAs, m.APIKeyEnv), key
	}
	for _, host := range m.Hosts {
		address, _ := gateway.Address(host) // Validate has called it
		p.Hosts = append(p.Hosts, address)
	}
	messages := slices.Clone(m.withSystem(req.Messages))
	for i, message := range messages {
		messages[i].Text = strings.ReplaceAll(message.Text, benchmark.AnswerForm, agentForm)
		if _, err := patch.Read(message.Text); message.Role == Assistant && err == nil { // its diff is in the tree
			p.Before, messages[i].Text = message.Text, "I have changed the files in the working directory."
		}
	}
	p.Prompt = renderConversation(messages)
	return p
}

func number(p *int, otherwise int) int {
	if p == nil {
		return otherwise
	}
	return *p
}

// outcome converts what happened into an answer or an error. cause is why the request was cancelled, if it was.
func (a *agent) outcome(cause error, out *transcript, work agents.Work, err error) (Answer, *Error) {
	program := a.model.started()
	var late *expired
	switch {
	case errors.As(cause, &late):
		failed := late.timeoutError(fmt.Sprintf("the program %q was ended", program), "")
		failed.Final = true
		return Answer{}, failed
	case err != nil:
		return Answer{}, &Error{Class: Program, Final: true, Message: fmt.Sprintf("the program %q could not work here: %v", program, err),
			Advice: a.advice(), Err: err}
	case work.Unreached != nil && (work.Limit != "" || work.Exit != 0 || out.failed != ""):
		return Answer{}, &Error{Class: Unreachable, Message: fmt.Sprintf("the program %q could not reach %s: %s", program, work.Unreached.Host, work.Unreached.Problem),
			Advice: "check the network, and hosts of this model in the models file"}
	case work.Limit == "" && out.failed != "":
		return Answer{}, a.failure(fmt.Sprintf("the program %q reports that it failed: %s", program, oneLine(out.failed, stderrTail)), out)
	case work.Limit == "" && work.Exit != 0:
		message := fmt.Sprintf("the program %q failed (exit status %d)", program, work.Exit)
		if last := cmp.Or(strings.TrimSpace(work.Stderr), strings.TrimSpace(out.last())); last != "" {
			message += ", its last words: " + oneLine(last[max(0, len(last)-stderrTail):], stderrTail)
		}
		return Answer{}, a.failure(message, out)
	case work.Limit == "" && !out.complete():
		return Answer{}, &Error{Class: CutOff, Final: true, Message: fmt.Sprintf("the program %q ended well, but did not report an end as output = %q promises", program, a.model.Output),
			Advice: "check command and output of this model in the models file"}
	}
	answer := Answer{Text: fencedDiff(work.Diff), Steps: out.steps, FinishReason: "stop", Model: cmp.Or(out.model, a.model.Model),
		InputTokens: out.inputTokens, CachedTokens: out.cachedTokens, OutputTokens: out.outputTokens, CostUSD: out.costUSD, Refused: out.refusedHosts}
	if work.Limit != "" || out.limited {
		answer.FinishReason = "limit"
	}
	switch {
	case work.TooMuch:
		answer.Text = tooMuchChanged
	case work.Diff == "":
		answer.Text = nothingChanged
	}
	return answer, nil
}

// fenceLine matches the fences of Markdown that a diff contains.
var fenceLine = regexp.MustCompile("(?m)^.?[ ]{0,3}(`{3,})")

// fencedDiff returns a diff in a fence that is longer than those inside.
func fencedDiff(diff string) string {
	fence := "```"
	for _, inside := range fenceLine.FindAllStringSubmatch(diff, -1) {
		fence = strings.Repeat("`", max(len(fence), len(inside[1])+1))
	}
	return fence + "diff\n" + diff + fence + "\n"
}

// diskFull matches what a program says that could not write, since it used up disk_mb.
var diskFull = regexp.MustCompile(`(?i)no space left on device|\bENOSPC\b|file too large|\bEFBIG\b`)

// passes matches what a program says whose model had too much to do: the same may succeed later.
var passes = regexp.MustCompile(`(?i)\b(429|503|529)\b|rate.?limit|too many requests|overloaded`)

// failure is the error of a program that failed by itself. It fails in the same way again unless it says that its model
// had too much to do.
func (a *agent) failure(message string, out *transcript) *Error {
	e := &Error{Class: Program, Final: true, Message: message, Advice: a.advice()}
	if passes.MatchString(message) {
		e.Class, e.Final, e.Advice = RateLimited, false, "try again later, or lower max_concurrent of this model in the models file"
	}
	if len(out.refusedHosts) > 0 {
		e.Advice = "it asked for " + strings.Join(out.refusedHosts, ", ") + ": if it needs that, add it to hosts of this model in the models file"
	}
	return e
}

func (a *agent) advice() string {
	return "check its command in the models file; `assay models check " + a.model.Name + "` tries it in an empty directory"
}

// systemPath are the directories of the PATH that every box has.
var systemPath = [...]string{"/usr/local/bin", "/usr/bin", "/bin"}

// agentPath lists the directories in which the program's box looks for programs.
func (m Model) agentPath() []string {
	path := slices.Clone(systemPath[:])
	for _, dir := range m.Mount {
		path = append(path, dir, filepath.Join(dir, "bin"), filepath.Join(dir, ".bin"), filepath.Join(dir, "node_modules", ".bin"))
	}
	return path
}

// agentReady reports whether the program could be started, and if not, why.
func (m Model) agentReady(deps Deps) (ok bool, why string) {
	for _, dir := range m.Mount {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return false, fmt.Sprintf("there is no directory %s, which mount names", dir)
		}
	}
	if m.Program == programBuiltin {
		if m.asked == nil {
			return false, fmt.Sprintf("the model %q, which it asks, is in no models file", m.Model)
		}
		if ok, why := m.asked.Ready(deps); !ok {
			return false, fmt.Sprintf("the model %q, which it asks: %s", m.Model, why)
		}
	}
	program := m.started()
	if !strings.Contains(program, "/") {
		seen := slices.ContainsFunc(m.agentPath(), func(dir string) bool { return isProgram(filepath.Join(dir, program)) })
		if !seen {
			return false, fmt.Sprintf("its box sees no program %q: install it in /usr or /usr/local, or name its directory in mount", program)
		}
	} else if visible := append([]string{"/usr", "/bin", "/sbin"}, m.Mount...); !filepath.IsAbs(program) {
		return false, fmt.Sprintf("the command %q is a relative path: give the absolute one", program)
	} else if !isProgram(program) {
		return false, fmt.Sprintf("there is no program %s", program)
	} else if !slices.ContainsFunc(visible, func(dir string) bool { return strings.HasPrefix(program, strings.TrimSuffix(dir, "/")+"/") }) {
		return false, fmt.Sprintf("its box does not see the program %s: name its directory in mount", program)
	}
	if len(m.APIKeyCmd) > 0 {
		return onPath(m.APIKeyCmd[0])
	}
	if m.APIKeyEnv != "" && deps.Getenv(m.APIKeyEnv) == "" {
		return false, notSet(m.APIKeyEnv)
	}
	return true, ""
}

// started is the program that is started in the box.
func (m Model) started() string {
	if m.Program == programBuiltin {
		return "bash"
	}
	return m.Command[0]
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// ownVariables are set by assay.
var ownVariables = [...]string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "HOME"}

// agentProblem checks what only agents have.
func (m Model) agentProblem() *fieldError {
	if m.Provider != ProviderAgent {
		return nil
	}
	for _, host := range m.Hosts {
		if _, err := gateway.Address(host); err != nil {
			return &fieldError{field: "hosts", problem: fmt.Sprintf("hosts: %v", err)}
		}
	}
	for _, dir := range m.Mount {
		home, _ := os.UserHomeDir()
		if dir = filepath.Clean(dir); dir == "/" || dir == home || strings.HasPrefix(home, dir+"/") {
			return &fieldError{field: "mount", problem: fmt.Sprintf("mount names %s, where more lies than programs: name the directory of the program alone", dir)}
		}
	}
	for _, name := range append(slices.Sorted(maps.Keys(m.Environment)), m.APIKeyAs) {
		field := "environment." + name
		if name == m.APIKeyAs {
			field = "api_key_as"
		}
		switch {
		case name == "":
		case !variableName.MatchString(name):
			return wrong(strings.SplitN(field, ".", 2)[0])
		case slices.Contains(ownVariables[:], strings.ToUpper(name)):
			return &fieldError{field: field, problem: fmt.Sprintf("the variable %s is assay's to set: remove it", name)}
		case strings.ContainsAny(m.Environment[name], "\x00"):
			return wrong("environment")
		}
	}
	if _, err := templateOf(m.Template); err != nil {
		return &fieldError{field: "template", problem: fmt.Sprintf("template cannot be used (%v): it %s", err, expected("template"))}
	}
	low := func(p *int) bool { return p != nil && *p < 1 }
	counts := m.Program == programBuiltin || m.Output == outputClaude
	keyed := m.APIKeyEnv != "" || len(m.APIKeyCmd) > 0
	switch {
	case m.APIKeyAs != "" && !keyed:
		return &fieldError{field: "api_key_as", problem: "has api_key_as but no key: give api_key_env or api_key_cmd, too"}
	case len(m.APIKeyCmd) > 0 && m.APIKeyAs == "":
		return m.needs("api_key_as", "\"NAME\", the variable in which the program expects the key")
	case m.Output != "" && !slices.Contains(outputs(), m.Output):
		return &fieldError{field: "output", problem: fmt.Sprintf("output is %q: it %s", m.Output, expected("output"))}
	case low(m.MemoryMB):
		return wrong("memory_mb")
	case low(m.Processes):
		return wrong("processes")
	case low(m.OutputMB):
		return wrong("output_mb")
	case low(m.DiskMB):
		return wrong("disk_mb")
	case low(m.StepLimit):
		return wrong("step_limit")
	case m.StepLimit != nil && !counts && m.Output != outputCodex:
		return &fieldError{field: "step_limit", problem: fmt.Sprintf("step_limit needs output = %q or %q: of another output no steps are seen while the program works", outputClaude, outputCodex)}
	case low(m.TokenLimit):
		return wrong("token_limit")
	case m.TokenLimit != nil && !counts:
		return &fieldError{field: "token_limit", problem: fmt.Sprintf("token_limit needs output = %q: of another output no tokens are seen while the program works", outputClaude)}
	case m.CostLimit != nil && !(*m.CostLimit > 0 && *m.CostLimit < 1e9):
		return wrong("cost_limit")
	case m.CostLimit != nil && !counts:
		return &fieldError{field: "cost_limit", problem: fmt.Sprintf("cost_limit needs output = %q: of another output no tokens are seen while the program works", outputClaude)}
	case m.CostLimit != nil && m.PriceIn == nil:
		return &fieldError{field: "cost_limit", problem: "cost_limit needs prices: give price_in, price_out and currency, for the built-in agent here or for the model that it asks"}
	}
	return nil
}
