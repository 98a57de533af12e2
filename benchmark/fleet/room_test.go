package fleet

import (
	"path/filepath"
	"strings"
	"testing"

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
