package fleet

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"assay/benchmark/verdicts"
	"assay/data/fatal"
)

// A server in this process that cannot write does not respond: clients get the reason as an error instead
// of waiting.
func TestTheServersDiskIsFull(t *testing.T) {
	s, err := StartServer(ServerOptions{Dir: t.TempDir()})
	fatal.If(t, err)
	t.Cleanup(s.Close)
	tasks := fakeTasks(1)
	s.dir = filepath.Join(t.TempDir(), "gone") // where nothing can be written
	c := startClient(t, Link{Server: s, Settings: quick()}, tasks, nil)
	_, err = c.Judge(t.Context(), verdicts.Submission{Task: &tasks[0], Code: "x"})
	if err == nil || !strings.Contains(err.Error(), "can no longer store work and results") || !strings.Contains(err.Error(), "free some space") {
		t.Errorf("the error is %v", err)
	}
}

// A server in this process uses its whole disk; another that has no room left refuses work, which is said.
func TestAServerWithoutRoomIsNamed(t *testing.T) {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(), JetStreamMaxStore: 1 << 20})
	fatal.If(t, err)
	s.Start()
	t.Cleanup(s.Shutdown)
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("no server")
	}
	said := make(chan string, 100)
	tasks := fakeTasks(1)
	c := startClient(t, Link{URL: "nats://" + s.Addr().String(), Settings: quick(), Say: func(text string) { said <- text }}, tasks, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for i := range 8 {
		go c.Judge(ctx, verdicts.Submission{Task: &tasks[0], Code: strings.Repeat("x", 400_000+i)})
	}
	for text := range said {
		if strings.Contains(text, "stores nothing more") {
			return
		}
	}
}

func TestTheOwnServerUsesTheWholeDisk(t *testing.T) {
	s, err := StartServer(ServerOptions{Dir: t.TempDir()})
	fatal.If(t, err)
	t.Cleanup(s.Close)
	if most := s.server.JetStreamConfig().MaxStore; most < wholeDisk {
		t.Errorf("it stores %d bytes at most", most)
	}
}
