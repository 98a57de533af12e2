package fleet

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/data/sampled"
)

// join starts a server of a cluster.
func (p plan) join(ctx context.Context) error {
	port := func(address string) (n int) {
		_, text, _ := net.SplitHostPort(address)
		n, _ = strconv.Atoi(text)
		return n
	}
	s, err := server.NewServer(&server.Options{ServerName: p.Name, Host: "127.0.0.1", Port: port(p.Listen), NoSigs: true, NoLog: true, JetStream: true, StoreDir: p.Dir,
		Authorization: "secret", Cluster: server.ClusterOpts{Name: "three", Host: "127.0.0.1", Port: port(p.Cluster)}, Routes: server.RoutesFromStr(p.Routes)})
	if err != nil {
		return err
	}
	s.Start()
	if !s.ReadyForConnections(startTimeout) {
		return fmt.Errorf("%s does not start", p.Name)
	}
	fmt.Println("ready")
	<-ctx.Done()
	s.Shutdown()
	return nil
}

// members are the servers of a cluster, each a separate process.
type members struct {
	t     testing.TB
	plans []plan
	list  []*process
	url   string
}

// freePorts returns addresses without a listener.
func freePorts(t testing.TB, n int) (list []string) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		fatal.If(t, err)
		defer l.Close()
		list = append(list, l.Addr().String())
	}
	return list
}

func startMembers(t testing.TB, n int) *members {
	t.Helper()
	m := &members{t: t, list: make([]*process, n)}
	ports := freePorts(t, 2*n)
	var urls, routes []string
	for i := range n {
		urls, routes = append(urls, "nats://secret@"+ports[i]), append(routes, "nats://"+ports[n+i])
	}
	m.url = strings.Join(urls, ",")
	for i := range n {
		m.plans = append(m.plans, plan{Role: "member", Name: fmt.Sprint("m", i), Dir: t.TempDir(), Listen: ports[i], Cluster: ports[n+i], Routes: strings.Join(routes, ",")})
		m.start(i)
	}
	for _, p := range m.list {
		firstLine(t, p.out)
	}
	return m
}

func (m *members) start(i int) { m.list[i] = start(m.t, m.plans[i], "") }

// leader returns the member that writes a stream.
func (m *members) leader(c *connection, name string) int {
	m.t.Helper()
	at := -1
	until(m.t, func() bool {
		ctx, cancel := context.WithTimeout(m.t.Context(), time.Second)
		defer cancel()
		s, err := c.js.Stream(ctx, name)
		if err == nil && s.CachedInfo().Cluster != nil && s.CachedInfo().Cluster.Leader != "" {
			_, err = fmt.Sscanf(s.CachedInfo().Cluster.Leader, "m%d", &at)
		}
		return err == nil && at >= 0
	})
	return at
}

// Three servers keep three replicas: the leader of results is killed during work, restarts, and then the
// leader of work is killed; each sample has one result, and none is lost.
func TestClusterLosesItsLeaders(t *testing.T) {
	t.Parallel()
	if !sampled.All {
		t.Skip("it waits for servers that choose a leader, twice")
	}
	m := startMembers(t, 3)
	settings := quick()
	settings.AckWait, settings.Answer = 4*time.Second, 2*time.Second
	var said sync.Map
	link := Link{URL: m.url, Settings: settings, Say: func(text string) { said.Store(text, true) }}
	tasks := fakeTasks(10)
	c := startClient(t, link, tasks, func(o *ClientOptions) { o.Run, o.Window = "run", 100 })
	for _, name := range []string{workStream, resultStream, "OBJ_" + taskBucket} {
		s, err := c.js.Stream(t.Context(), name)
		if err != nil || s.CachedInfo().Config.Replicas != copies {
			t.Fatalf("%s has %d copies, %v", name, s.CachedInfo().Config.Replicas, err)
		}
	}
	const n = 600
	kills := map[int]string{n / 4: resultStream, n / 2: workStream}
	var begun sync.Mutex
	count, asked := 0, make(chan string)
	goOn := make(chan struct{})
	f := func() *fake {
		return &fake{workers: 2, before: func(context.Context, verdicts.Submission) error {
			begun.Lock()
			defer begun.Unlock() // the other slots wait, too
			if count++; kills[count] != "" {
				asked <- kills[count]
				<-goOn
			}
			return nil
		}}
	}
	a, b := f(), f()
	startWorker(t, link, WorkerOptions{Judge: a})
	startWorker(t, link, WorkerOptions{Judge: b, Card: pythonCard("b")})
	done := make(chan struct{})
	go func() {
		defer close(done)
		submit(t, c, tasks, n, "s")
	}()
	for range kills {
		name := <-asked
		gone := m.leader(c.connection, name)
		m.list[gone].kill()
		goOn <- struct{}{}
		if next := m.leader(c.connection, name); next == gone {
			until(t, func() bool { return m.leader(c.connection, name) != gone })
		}
		m.start(gone)
		firstLine(t, m.list[gone].out)
		until(t, func() bool { return whole(c.connection) })
	}
	<-done
	m.check(c, n, a.judged.Load()+b.judged.Load())
	copied := false
	said.Range(func(text, _ any) bool {
		copied = copied || strings.Contains(text.(string), "is the cluster three: work and results are kept in 3 copies")
		if strings.Contains(text.(string), "has lost") || strings.Contains(text.(string), "secret") {
			t.Errorf("it says %s", text)
		}
		return true
	})
	if !copied {
		t.Error("in how many copies things are kept is not said")
	}
}

// whole reports whether all replicas of the fleet's data exist and are up to date.
func whole(c *connection) bool {
	for _, name := range []string{workStream, resultStream, "OBJ_" + taskBucket} {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		s, err := c.js.Stream(ctx, name)
		cancel()
		if err != nil || s.CachedInfo().Cluster == nil || len(s.CachedInfo().Cluster.Replicas) != copies-1 {
			return false
		}
		for _, r := range s.CachedInfo().Cluster.Replicas {
			if !r.Current || r.Offline {
				return false
			}
		}
	}
	return true
}

// check checks that there is one result for each sample, which a second one cannot replace.
func (m *members) check(c *Client, n int, judged int64) {
	m.t.Helper()
	if got := results(m.t, c.connection); got != n {
		m.t.Errorf("there are %d results, not %d", got, n)
	}
	m.t.Logf("%d samples were judged %d times; %+v", n, judged, c.Counts())
	var id string
	lister, err := c.results.Info(m.t.Context(), jetstream.WithSubjectFilter(resultSubject+">"))
	fatal.If(m.t, err)
	for subject, stored := range lister.State.Subjects {
		if stored != 1 {
			m.t.Errorf("%s has %d results", subject, stored)
		}
		id = subject[strings.LastIndex(subject, ".")+1:]
	}
	before, _, err := c.stored(m.t.Context(), c.o.Run, id)
	fatal.If(m.t, err)
	first, err := c.publish(m.t.Context(), c.o.Run, id, encode(outcome{protocol, verdicts.Result{Verdict: verdicts.SandboxError}}))
	after, _, _ := c.stored(m.t.Context(), c.o.Run, id)
	if first || err != nil || string(before) != string(after) {
		m.t.Errorf("a second result was stored: %s is now %s (%v)", before, after, err)
	}
}

// A cluster of two keeps one replica, and a warning explains the consequence.
func TestClusterOfTwo(t *testing.T) {
	t.Parallel()
	if !sampled.All {
		t.Skip("it waits for servers that choose a leader")
	}
	m := startMembers(t, 2)
	said := make(chan string, 10)
	tasks := fakeTasks(1)
	link := Link{URL: m.url, Settings: quick(), Say: func(text string) { said <- text }}
	c := startClient(t, link, tasks, nil)
	if text := <-said; !strings.Contains(text, "work or results in one copy") || !strings.Contains(text, "nats stream edit ASSAY_WORK --replicas 3") {
		t.Errorf("it says %s", text)
	}
	startWorker(t, link, WorkerOptions{Judge: &fake{workers: 1}})
	submit(t, c, tasks, 20, "")
}
