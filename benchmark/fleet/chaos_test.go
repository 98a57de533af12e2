package fleet

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
)

// process is a process of a fleet: the test binary.
type process struct {
	cmd *exec.Cmd
	out *bufio.Reader
}

// start begins a process, in a network namespace if one is named.
func start(t testing.TB, p plan, namespace string) *process {
	t.Helper()
	text, err := json.Marshal(p)
	fatal.If(t, err)
	cmd := exec.Command(os.Args[0])
	if namespace != "" {
		cmd = exec.Command("nsenter", "--net=/run/netns/"+namespace, os.Args[0]) // the rest of the machine stays as it is
	}
	cmd.Env = append(os.Environ(), planVariable+"="+string(text))
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	fatal.If(t, err)
	p1 := &process{cmd: cmd, out: bufio.NewReader(out)}
	t.Cleanup(p1.kill)
	return p1
}

// kill ends a process as kill -9 does.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// site is a server with workers and a coordinator, each a separate process.
type site struct {
	t          *testing.T
	plan       plan
	listen     string
	namespaces []string // of the workers; empty: all are in this one
	server     *process
	workers    []*process
	asker      *process
	conn       *connection
}

func newSite(t *testing.T, p plan, workers int, namespaces []string) *site {
	s := &site{t: t, plan: p, listen: "127.0.0.1:0", namespaces: namespaces, workers: make([]*process, workers)}
	if len(namespaces) > 0 {
		s.listen = "0.0.0.0:0"
	}
	s.plan.Dir, s.plan.Out = t.TempDir(), filepath.Join(t.TempDir(), "verdicts")
	s.startServer()
	link := s.as("", "test").link()
	link.Say = nil
	var err error
	if s.conn, err = dial(t.Context(), link); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.conn.nc.Close)
	for i := range s.workers {
		s.startWorker(i)
	}
	return s
}

func (s *site) as(role, name string) plan {
	p := s.plan
	p.Role, p.Name, p.Listen = role, name, s.listen
	_, port, _ := strings.Cut(s.listen, ":")
	p.URL = "nats://secret@127.0.0.1:" + port
	return p
}

func (s *site) startServer() {
	s.server = start(s.t, s.as("server", ""), "")
	address := firstLine(s.t, s.server.out)
	host, _, _ := strings.Cut(s.listen, ":")
	s.listen = host + address[strings.LastIndex(address, ":"):]
}

func (s *site) startWorker(i int) {
	p := s.as("worker", fmt.Sprint("w", i))
	namespace := ""
	if len(s.namespaces) > 0 {
		namespace = s.namespaces[i]
		_, port, _ := strings.Cut(s.listen, ":")
		p.URL = fmt.Sprintf("nats://secret@10.99.%d.1:%s", i+1, port)
	}
	s.workers[i] = start(s.t, p, namespace)
	firstLine(s.t, s.workers[i].out)
}

func (s *site) startAsker() { s.asker = start(s.t, s.as("coordinator", "c"), "") }

// stored counts the results on the server; -1 while it does not respond.
func (s *site) stored() int {
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Second)
	defer cancel()
	info, err := s.conn.results.Info(ctx)
	if err != nil {
		return -1
	}
	return int(info.State.Msgs)
}

// reach waits for a number of results.
func (s *site) reach(n int) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 5*time.Minute)
	defer cancel()
	for s.stored() < n {
		if wait(ctx, 50*time.Millisecond) != nil {
			s.t.Fatalf("there are %d results after five minutes, not %d", s.stored(), n)
		}
	}
}

// expect judges each kind of sample once on this machine.
func (p plan) expect(t *testing.T, tasks []benchmark.Task) []string {
	list := p.submissions(tasks)
	want := make([]string, len(list))
	known := map[string]string{}
	var real *judge.Judge
	if p.Real {
		var err error
		if real, err = judge.New(judge.Options{}); err != nil {
			t.Skip("no sandbox here: ", err)
		}
		defer real.Close()
	}
	for i, s := range list {
		key := s.Task.ID + s.Code
		if known[key] == "" {
			r := fakeResult(s.Task, s.Code)
			if p.Real {
				var err error
				if r, err = real.Judge(t.Context(), s); err != nil {
					t.Fatal(err)
				}
			}
			known[key] = fmt.Sprintf("%s %d/%d.", r.Verdict, r.Passed, r.Total)
		}
		want[i] = known[key]
	}
	return want
}

// TestFleetUnderFire kills workers, the coordinator and the server during work, and acknowledges messages
// late and twice: each sample has one result, and the right one. With ASSAY_FLEET_SAMPLES=20000 samples are
// run by four workers in separate network namespaces, and one of them is disconnected for thirty seconds.
func TestFleetUnderFire(t *testing.T) {
	p := plan{Samples: 600, AckWait: time.Second}
	var namespaces []string
	workers := 2
	if text := os.Getenv("ASSAY_FLEET_SAMPLES"); text != "" {
		var err error
		if p.Samples, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
		p.Real, p.AckWait, workers = true, 10*time.Second, 4
		namespaces = makeNamespaces(t, workers)
	}
	tasks := p.tasks()
	want := p.expect(t, tasks)
	begin := time.Now()
	s := newSite(t, p, workers, namespaces)
	s.startAsker()
	step := p.Samples / 10
	s.reach(step)
	s.workers[0].kill()
	meddled := make(chan int, 1)
	go func() { meddled <- s.meddle(tasks, want) }()
	s.reach(2 * step)
	s.asker.kill()
	s.startWorker(0)
	s.startAsker()
	s.reach(4 * step)
	s.server.kill()
	s.startServer()
	s.reach(5 * step)
	var cut chan error
	if len(namespaces) > 0 {
		cut = make(chan error, 1)
		go func() { cut <- cutOff(t.Context(), 1, 30*time.Second) }()
	}
	s.workers[workers-1].kill()
	s.startWorker(workers - 1)
	s.reach(7 * step)
	s.asker.kill()
	s.startAsker()
	if err := s.asker.cmd.Wait(); err != nil {
		t.Fatal("the coordinator: ", err)
	}
	if cut != nil {
		if err := <-cut; err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d samples in %.1f s; %d late results were refused", p.Samples, time.Since(begin).Seconds(), <-meddled)
	for _, w := range s.workers { // what they still hold is refused, too
		_ = w.cmd.Process.Signal(os.Interrupt)
		_ = w.cmd.Wait()
	}
	s.check(want)
}

// check compares the verdicts with those of one machine.
func (s *site) check(want []string) {
	s.plan.Out = s.as("", "").Out
	got, err := s.plan.verdicts()
	fatal.If(s.t, err)
	differ := 0
	for i := range want {
		if len(got[i]) != 1 || got[i][0] != want[i] {
			if differ++; differ < 10 {
				s.t.Errorf("sample %d is %q, not once %q", i, got[i], want[i])
			}
		}
	}
	if n := s.stored(); n != len(want) || len(got) != len(want) || differ > 0 {
		s.t.Errorf("%d results and %d verdicts, %d of them wrong, for %d samples", n, len(got), differ, len(want))
	}
}

// meddle takes messages as a hung worker does: it holds them until they are redelivered, then sends correct
// results too late, and acknowledges twice.
func (s *site) meddle(tasks []benchmark.Task, want []string) (refused int) {
	n := need{version: "1.0", isolation: "bwrap", language: "python"}
	byID := map[string]int{}
	places := map[*benchmark.Task]place{}
	c := &Client{places: places, libraries: map[string]string{}, sets: map[string]*packed{}, o: ClientOptions{Version: "1.0", Isolation: "bwrap"}}
	c.declare(tasks)
	for i, x := range s.plan.submissions(tasks) {
		byID[nameOf(places[x.Task], x)] = i
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	from, err := s.conn.consumer(ctx, n.consumer(), n.path())
	if err != nil {
		s.t.Error(err)
		return 0
	}
	var held []jetstream.Msg
	for range 3 {
		if m, err := from.Next(jetstream.FetchMaxWait(5 * time.Second)); err == nil {
			held = append(held, m)
		}
	}
	_ = wait(ctx, 2*s.plan.AckWait)
	for _, m := range held {
		job, err := decodeWork(m.Data())
		if err != nil {
			s.t.Error(err)
			continue
		}
		for _, x := range job.Samples {
			verdict, counts, _ := strings.Cut(want[byID[x.ID]], " ")
			r := verdicts.Result{Verdict: verdicts.Verdict(verdict)}
			fmt.Sscanf(counts, "%d/%d.", &r.Passed, &r.Total)
			first, err := s.conn.publish(ctx, job.Run, x.ID, encode(outcome{protocol, r}))
			if err != nil {
				s.t.Error(err)
			} else if !first {
				refused++
			}
		}
		_ = m.Ack()
		_ = s.conn.nc.Publish(m.Reply(), []byte("+ACK"))
	}
	return refused
}

// makeNamespaces creates network namespaces, each connected to this one, or skips the test.
func makeNamespaces(t *testing.T, n int) []string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("network namespaces need root")
	}
	var names []string
	for i := range n {
		name := fmt.Sprintf("assay-%d-%d", os.Getpid(), i)
		cable, subnet := fmt.Sprintf("assayv%d", i), fmt.Sprintf("10.99.%d.", i+1)
		t.Cleanup(func() {
			_ = exec.Command("ip", "link", "del", cable).Run()
			_ = exec.Command("ip", "netns", "del", name).Run()
		})
		for _, line := range []string{
			"ip netns add " + name,
			"ip link add " + cable + " type veth peer name eth0 netns " + name,
			"ip addr add " + subnet + "1/24 dev " + cable,
			"ip link set " + cable + " up",
			"ip -n " + name + " addr add " + subnet + "2/24 dev eth0",
			"ip -n " + name + " link set eth0 up",
			"ip -n " + name + " link set lo up",
		} {
			words := strings.Fields(line)
			if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
				t.Skipf("no network namespaces here: %s: %v %s", line, err, out)
			}
		}
		names = append(names, name)
	}
	return names
}

// cutOff disconnects a worker for a time.
func cutOff(ctx context.Context, worker int, d time.Duration) error {
	cable := fmt.Sprint("assayv", worker)
	if err := exec.Command("ip", "link", "set", cable, "down").Run(); err != nil {
		return err
	}
	err := wait(ctx, d)
	if up := exec.Command("ip", "link", "set", cable, "up").Run(); up != nil {
		return up
	}
	return err
}
