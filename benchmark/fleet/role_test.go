package fleet

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
)

// plan is the configuration of the processes of a fleet, as JSON in the environment.
type plan struct {
	Role    string // "server", "member" of a cluster of them, "worker", "coordinator"; "": the tests themselves
	URL     string
	Listen  string // of the server
	Dir     string // of the server
	Name    string // of the worker
	Real    bool   // samples are run, else their verdicts are made up
	Samples int
	Out     string // the coordinator's file of verdicts
	AckWait time.Duration
	Cluster string // HOST:PORT at which the member of a cluster listens for others
	Routes  string // where they listen
}

const planVariable = "ASSAY_FLEET_PLAN"

// role runs the test binary as a process of a fleet.
func role(m *testing.M) {
	text := os.Getenv(planVariable)
	if text == "" {
		os.Exit(m.Run())
	}
	var p plan
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		fail(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	switch p.Role {
	case "server":
		err = p.serve(ctx)
	case "member":
		err = p.join(ctx)
	case "worker":
		err = p.work(ctx)
	case "coordinator":
		err = p.coordinate(ctx)
	}
	if err != nil {
		fail(err)
	}
	os.Exit(0)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func (p plan) link() Link {
	return Link{URL: p.URL, Name: p.Name, Settings: Settings{AckWait: p.AckWait, Poll: 100 * time.Millisecond, Sweep: p.AckWait / 2, Answer: time.Second},
		Say: func(text string) { fmt.Fprintln(os.Stderr, p.Role, p.Name, text) }}
}

func (p plan) serve(ctx context.Context) error {
	s, err := StartServer(ServerOptions{Dir: p.Dir, Listen: p.Listen, Token: "secret"})
	if err != nil {
		return err
	}
	fmt.Println(s.Address())
	<-ctx.Done()
	s.Close()
	return nil
}

func (p plan) work(ctx context.Context) error {
	var j verdicts.Judge = &fake{workers: 1, before: func(context.Context, verdicts.Submission) error { return wait(context.Background(), time.Millisecond) }}
	if p.Real {
		real, err := judge.New(judge.Options{Workers: 1})
		if err != nil {
			return err
		}
		defer real.Close()
		j = real
	}
	w, err := NewWorker(ctx, WorkerOptions{Link: p.link(), Card: pythonCard(p.Name), Judge: j})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	err = w.Run(ctx)
	fmt.Fprintf(os.Stderr, "worker %s: %+v\n", p.Name, w.Counts())
	return err
}

// submissions are n samples, right and wrong ones.
func (p plan) submissions(tasks []benchmark.Task) []verdicts.Submission {
	list := make([]verdicts.Submission, p.Samples)
	for i := range list {
		task := &tasks[i*len(tasks)/len(list)]
		s := verdicts.Submission{Task: task, Code: fmt.Sprint("code ", i%7), Name: strconv.Itoa(i)}
		if p.Real {
			s.Code, s.Assembly = task.Reference, assemble.Completion
			switch i % 10 {
			case 8:
				s.Code = "    return None\n"
			case 9:
				s.Code = "    raise KeyError(1)\n"
			}
		}
		list[i] = s
	}
	return list
}

// verdicts reads the verdicts written by coordinators; a truncated last line is ignored.
func (p plan) verdicts() (map[int][]string, error) {
	got := map[int][]string{}
	text, err := os.ReadFile(p.Out)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		number, verdict, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if i, err := strconv.Atoi(number); err == nil && strings.HasSuffix(line, ".\n") {
			got[i] = append(got[i], verdict)
		}
	}
	return got, nil
}

func (p plan) coordinate(ctx context.Context) error {
	have, err := p.verdicts()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(p.Out, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	tasks := p.tasks()
	c, err := NewClient(ctx, ClientOptions{Link: p.link(), Version: "1.0", Isolation: "bwrap", Run: "chaos", Tasks: tasks, Window: min(1000, p.Samples/4)})
	if err != nil {
		return err
	}
	next := make(chan verdicts.Submission)
	go func() {
		defer close(next)
		for i, s := range p.submissions(tasks) {
			if have[i] == nil {
				next <- s
			}
		}
	}()
	var askers sync.WaitGroup
	for range c.Workers() {
		askers.Go(func() {
			for s := range next {
				r, err := c.Judge(ctx, s)
				if err != nil {
					fail(err)
				}
				fmt.Fprintf(out, "\n%s %s %d/%d.\n", s.Name, r.Verdict, r.Passed, r.Total)
			}
		})
	}
	askers.Wait()
	fmt.Fprintf(os.Stderr, "coordinator: %+v\n", c.Counts())
	return c.Close()
}

// tasks returns HumanEval's tasks if samples are run.
func (p plan) tasks() []benchmark.Task {
	if !p.Real {
		return fakeTasks(30)
	}
	tasks, err := humanEvalTasks(os.Getenv("ASSAY_SHARED"))
	if err != nil {
		fail(err)
	}
	return tasks
}

// firstLine waits for the first line of a process.
func firstLine(t testing.TB, out *bufio.Reader) string {
	t.Helper()
	line, err := out.ReadString('\n')
	if err != nil {
		t.Fatal("a process ended before it was ready: ", err)
	}
	return strings.TrimSpace(line)
}
