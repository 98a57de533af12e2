package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"assay/session"
	"assay/store"
)

// workload is work that is disturbed in rounds and then finished.
type workload struct {
	name     string
	file     string // where the work is kept, below the disk; empty: nobody takes it away
	setup    func(*episode)
	round    func(*episode)
	finish   func(*episode)
	mayLeave func(file string) bool
}

var workloads = []*workload{
	resumed("eval", "out/results.jsonl", (*episode).wrongResults, "eval", "samples.jsonl", "--tasks", "tasks.json", "--out", "disk/out"),
	resumed("strict eval", "out/results.jsonl", (*episode).wrongResults, "eval", "samples.jsonl", "--tasks", "tasks.json", "--out", "disk/out", "--run-only", "--isolation", "strict"),
	resumed("batch", "run/answers/*/*.jsonl", (*episode).wrongBatch, "--models", "models.toml", "run", "batch", "batch.toml", "--out", "disk/run"),
	resumed("generate", "run/answers/*/*.jsonl", (*episode).wrongAnswers, "run", "generate", "--tasks", "tasks.json", "--model", "command", "--models", "models.toml", "--n", "5", "--out", "disk/run"),
	{name: "fleet", round: (*episode).fleet, finish: func(e *episode) {
		finish(e, (*episode).wrongResults, "eval", "samples.jsonl", "--tasks", "tasks.json", "--out", "disk/out", "--run-only", "--fleet", "127.0.0.1:0")
	}},
	{name: "session", file: "assay.db", round: (*episode).session, finish: finishSession,
		mayLeave: besideStore},
	{name: "serve", file: "assay.db", setup: (*episode).prepareServe, round: func(e *episode) { e.serve(1 + e.draw.IntN(4)) }, finish: finishServe, mayLeave: besideStore},
	{name: "ratings", setup: (*episode).prepareRatings, round: func(e *episode) { e.rate(1 + e.draw.IntN(8)) }, finish: finishRatings},
}

func besideStore(file string) bool { return strings.HasPrefix(file, "disk/assay.db.") }

// chaosTasks and chaosSamples are the amount of work.
const chaosTasks, chaosSamples = 4, 8

// right reports whether a sample of the evaluations is correct.
func right(task, sample int) bool { return (task+sample)%3 != 0 }

// chaosInputs are the files of an episode that nothing writes.
func chaosInputs() map[string]string {
	var tasks, samples []string
	for i := range chaosTasks {
		tasks = append(tasks, fmt.Sprintf(`{"id": "t/%d", "title": "T", "language": "python", "entry_point": "f", "description": "Add %d.", "tests": {"style": "calls", "cases": [{"args": [1], "expected": %d}, {"args": [5], "expected": %d}]}}`, i, i, 1+i, 5+i))
	}
	for s := range chaosSamples {
		for i := range chaosTasks {
			add := i
			if !right(i, s) {
				add++
			}
			samples = append(samples, fmt.Sprintf(`{"task_id": "t/%d", "solution": "import time\ntime.sleep(0.03)\ndef f(x):\n    return x + %d\n"}`, i, add))
		}
	}
	return map[string]string{
		"tasks.json":    `{"assay_benchmark": 1, "name": "chaos", "tasks": [` + strings.Join(tasks, ",\n") + "]}\n",
		"samples.jsonl": strings.Join(samples, "\n") + "\n",
		"study.toml":    "name = \"S\"\ninstructions = \"Write.\"\n[tasks]\nbenchmark = \"starter\"\nper_set = 18\n[[arm]]\nname = \"first\"\nmodel = \"rehearsal\"\n[design]\ntesters = 1\n[session]\nk = 4\n",
		"batch.toml":    "tasks = \"./tasks.json\"\nmodels = [\"command\"]\nmodels_file = \"models.toml\"\nprompts = [\"level-1\"]\nsamples = 5\n",
		"models.toml":   "[[model]]\nname = \"command\"\nprovider = \"command\"\ncommand = [\"/bin/sh\", \"-c\", \"/bin/sleep 0.05; printf 'Here:\\\\n\\\\n```python\\\\ndef f(x):\\\\n    return x + 1\\\\n```\\\\n'\"]\n",
	}
}

// resumed is work that the same command line continues; wrong returns the errors in its final state.
func resumed(name, file string, wrong func(*episode) string, args ...string) *workload {
	return &workload{name: name, file: file,
		round: func(e *episode) {
			p := e.start(nil, args...)
			stop := e.struckBy(p)
			code := e.wait(p)
			stop()
			damaged := e.fault.damages && e.struck // then nothing more is said of it than at the end
			e.judge(code, damaged || wrong(e) == "")
		},
		finish:   func(e *episode) { finish(e, wrong, args...) },
		mayLeave: func(file string) bool { return file == "disk/run/failures.jsonl" }, // requests that a fault made fail
	}
}

func finish(e *episode, wrong func(*episode) string, args ...string) {
	e.t.Helper()
	began := time.Now()
	code := e.wait(e.start(nil, args...))
	e.took = time.Since(began)
	if e.truncated && code == 1 && strings.Contains(e.steps[len(e.steps)-1], "jsonl:") {
		return // it names the line at which the file was cut off and written on
	}
	e.judge(code, true)
	if problem := wrong(e); problem != "" {
		e.t.Errorf("finished, and %s", problem)
	}
}

// wrongResults compares the results of an evaluation with the known verdicts.
func (e *episode) wrongResults() string {
	text, err := os.ReadFile(filepath.Join(e.disk, "out", "results.jsonl"))
	if err != nil {
		return err.Error()
	}
	seen := map[string]bool{}
	for line := range bytes.Lines(text) {
		var row struct {
			TaskID  string `json:"task_id"`
			Sample  int
			Verdict string
		}
		if err := json.Unmarshal(line, &row); err != nil {
			return fmt.Sprintf("the line %q is not JSON: %v", line, err)
		}
		var task int
		fmt.Sscanf(row.TaskID, "t/%d", &task)
		want := "wrong_answer"
		if right(task, row.Sample) {
			want = "accepted"
		}
		id := fmt.Sprintf("%s#%d", row.TaskID, row.Sample)
		if row.Verdict != want {
			return fmt.Sprintf("%s is %s, not %s", id, row.Verdict, want)
		}
		if seen[id] {
			return id + " is there twice"
		}
		seen[id] = true
	}
	if len(seen) != chaosTasks*chaosSamples {
		return fmt.Sprintf("%d of %d samples are there", len(seen), chaosTasks*chaosSamples)
	}
	return ""
}

// wrongAnswers checks that each answer exists once.
func (e *episode) wrongAnswers() string {
	paths, _ := filepath.Glob(filepath.Join(e.disk, "run", "answers", "*", "*.jsonl"))
	seen := map[string]bool{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err.Error()
		}
		for line := range bytes.Lines(text) {
			var row struct {
				TaskID string `json:"task_id"`
				Sample int
				Answer string
			}
			if err := json.Unmarshal(line, &row); err != nil {
				return fmt.Sprintf("the line %q is not JSON: %v", line, err)
			}
			id := fmt.Sprintf("%s#%d", row.TaskID, row.Sample)
			if seen[id] || !strings.Contains(row.Answer, "return x + 1") {
				return fmt.Sprintf("%s is there twice or is not what the model says: %q", id, row.Answer)
			}
			seen[id] = true
		}
	}
	if len(seen) != chaosTasks*5 {
		return fmt.Sprintf("%d of %d answers are there", len(seen), chaosTasks*5)
	}
	return ""
}

// wrongBatch also compares the report with that of an undisturbed batch.
func (e *episode) wrongBatch() string {
	if problem := e.wrongAnswers(); problem != "" || e.calm == nil {
		return problem
	}
	got, err := os.ReadFile(filepath.Join(e.disk, "run", "report", "report.md"))
	want, errWant := os.ReadFile(filepath.Join(e.calm.disk, "run", "report", "report.md"))
	if err != nil || errWant != nil {
		return fmt.Sprint("there is no report: ", err, errWant)
	}
	if !bytes.Equal(got, want) {
		return "its report is another:\n" + string(got)
	}
	return ""
}

var fleetAddress = regexp.MustCompile(`ASSAY_NATS=(\S+) assay worker`)

// fleet is an evaluation with a worker; the fault strikes one of them.
func (e *episode) fleet() {
	eval := e.start(nil, "eval", "samples.jsonl", "--tasks", "tasks.json", "--out", "disk/out", "--run-only", "--fleet", "127.0.0.1:0")
	ended := make(chan int, 1)
	go func() { ended <- e.wait(eval) }()
	var address []string
	var code int
	over := false
	for address == nil && !over {
		select {
		case code = <-ended:
			over = true
		case <-time.After(10 * time.Millisecond):
			address = fleetAddress.FindStringSubmatch(eval.out.String())
		}
	}
	strikesEval, stop := e.draw.IntN(2) == 0, func() {}
	if strikesEval {
		stop = e.struckBy(eval)
	}
	if !over {
		worker := e.start(nil, "worker", "--nats", address[1], "--workers", "1", "--languages", "python")
		if !strikesEval {
			stop = e.struckBy(worker)
		}
		code = <-ended
		_ = worker.cmd.Process.Signal(syscall.SIGTERM)
		e.wait(worker)
	}
	stop()
	if !strikesEval && e.fault.strike != nil {
		e.struck = false // the evaluation was not
	}
	e.judge(code, e.wrongResults() == "")
}

// talked is the tester's input and output in all rounds.
type talked struct {
	begun bool
	typed []string
	acked []string
}

func (e *episode) session() {
	e.talkOn(2 + e.draw.IntN(4))
}

// talkOn sends some prompts in a session line by line, and leaves.
func (e *episode) talkOn(prompts int) {
	e.t.Helper()
	args := []string{"--plain"}
	if !e.talk.begun {
		args = append(args, "--benchmark", "starter", "--model", "rehearsal", "--k", "100")
	}
	var in io.WriteCloser
	p := e.start(func(cmd *exec.Cmd) {
		var err error
		if in, err = cmd.StdinPipe(); err != nil {
			e.t.Fatal(err)
		}
	}, args...)
	stop := e.struckBy(p)
	ended := make(chan int, 1)
	go func() { ended <- e.wait(p) }()
	from, last, pending := 0, time.Now(), ""
	code, left := 0, prompts
	closed := false
	leave := func() {
		if !closed {
			closed = true
			in.Close()
		}
	}
	for over := false; !over; {
		select {
		case code = <-ended:
			over = true
		case <-time.After(5 * time.Millisecond):
		}
		said := p.out.String()[from:]
		if strings.Contains(said, "A new session begins") {
			e.talk.begun = true
		}
		if pending != "" && strings.Contains(said, "is answering") {
			e.talk.acked, pending = append(e.talk.acked, pending), ""
		}
		answer := ""
		switch {
		case strings.HasSuffix(said, "open, break, skip REASON or quit?\n"):
			answer = "open\n"
		case strings.HasSuffix(said, "Your choice:\n") && strings.Contains(said, "  1  go on with"):
			answer = "1\n"
		case strings.Contains(said, "lists what else a dot begins.") && left > 0 && pending == "":
			left--
			pending = fmt.Sprintf("chaos prompt %d, in words", len(e.talk.typed))
			e.talk.typed = append(e.talk.typed, pending)
			answer = pending + "\n.\n"
		case strings.HasSuffix(said, "satisfied, refine or give up?\n") && left > 0:
			answer = "refine\n"
		case left == 0 && pending == "", time.Since(last) > 10*time.Second, strings.Contains(said, "Not done"), strings.HasSuffix(said, "Your choice:\n"):
			leave()
		}
		if answer != "" {
			from, last = len(p.out.String()), time.Now()
			_, _ = io.WriteString(in, answer) // the program may be gone
		}
	}
	leave()
	stop()
	e.judge(code, e.lost() == "")
}

// lost compares the store with the acknowledged events.
func (e *episode) lost() string {
	if e.truncated || len(e.talk.acked) == 0 {
		return ""
	}
	text, err := os.ReadFile(filepath.Join(e.disk, "assay.db"))
	if err != nil {
		return err.Error()
	}
	path := filepath.Join(e.t.TempDir(), "assay.db") // so that looking changes nothing
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return err.Error()
	}
	s, err := store.Open(path, store.Options{SnapshotEvery: -1})
	if err != nil {
		return err.Error()
	}
	defer s.Close()
	rows, err := s.Sessions()
	if err != nil {
		return err.Error()
	}
	var sent []string
	for _, row := range rows {
		if _, _, err := s.Verify(row.ID); err != nil {
			return err.Error()
		}
		events, err := s.Events(row.ID, 1)
		if err != nil {
			return err.Error()
		}
		for _, event := range events {
			if prompt, ok := event.Payload.(session.PromptSent); ok {
				text, err := s.Blob(prompt.Prompt)
				if err != nil {
					return err.Error()
				}
				if slices.Contains(sent, string(text)) {
					return fmt.Sprintf("%q is in the log twice", text)
				}
				sent = append(sent, string(text))
			}
		}
	}
	for _, text := range e.talk.acked {
		// Text that was not sent, or not answered, is the draft of the next prompt.
		if !slices.ContainsFunc(sent, func(s string) bool { return strings.Contains(s, text) }) {
			return fmt.Sprintf("%q was acknowledged and is not in the log, which has %q", text, sent)
		}
	}
	return ""
}

func finishSession(e *episode) {
	e.t.Helper()
	if e.truncated {
		return
	}
	began := time.Now()
	e.talkOn(3)
	e.took = time.Since(began)
	if problem := e.lost(); problem != "" {
		e.t.Error(problem)
	}
	if e.calm == nil && len(e.talk.acked) != 3 {
		e.t.Errorf("%d of 3 prompts were acknowledged", len(e.talk.acked))
	}
	if code := e.wait(e.start(nil, "session", "verify")); code != 0 {
		e.t.Errorf("verify: exit code %d", code)
	}
}
