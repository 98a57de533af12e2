package judges

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/fleet"
	"assay/cmd/cli/console"
	"assay/data/fatal"
)

// The URL of a server is read from the environment only on request; a token on the command line leads to a
// warning.
func TestServerFromTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	s, err := fleet.StartServer(fleet.ServerOptions{Dir: filepath.Join(dir, "nats"), Listen: "127.0.0.1:0", Token: "secret"})
	fatal.If(t, err)
	defer s.Close()
	const warning = "set $ASSAY_NATS to that URL, and give --nats env"
	for _, x := range []struct {
		flag, variable, want string
		warned               bool
	}{
		{"env", s.Address(), s.Address(), false},
		{s.Address(), "nats://elsewhere", s.Address(), true},
		{"nats://127.0.0.1:4222", "nats://elsewhere", "nats://127.0.0.1:4222", false},
		{"nats://a:4222, nats://user:password@b:4222", "", "nats://a:4222, nats://user:password@b:4222", true},
		{"secret@b:4222", "", "secret@b:4222", true},
		{"nats://us:sec/ret@b:4222", "", "nats://us:sec/ret@b:4222", true},
		{"a:4222,b:4222", "", "a:4222,b:4222", false},
		{"", "nats://elsewhere", "", false},
	} {
		said := ""
		o := NATS{Url: x.flag}
		err := o.Resolve(func(string) string { return x.variable }, func(text string) { said += text })
		if err != nil || o.Url != x.want || strings.Contains(said, warning) != x.warned || strings.Contains(said, "secret") || strings.Contains(said, "password@") {
			t.Errorf("--nats %q with $ASSAY_NATS %q is %q, said %q (%v)", x.flag, x.variable, o.Url, said, err)
		}
	}
	j, err := Open(t.Context(), &console.IO{Getenv: func(name string) string { return map[string]string{NatsVariable: s.Address()}[name] }},
		&Options{Fleet: Fleet{nats: NATS{Url: "env"}}}, &benchmark.Benchmark{}, func(text string) { t.Errorf("it says %s", text) })
	if err != nil || j.client == nil || j.Local != nil {
		t.Fatalf("%+v, %v", j, err)
	}
	j.Done(t.Context(), true)
}

// The results of a directory are locked for one process, and a run continues under its name; the same path
// on another machine is another run.
func TestOneCoordinatorForEachDirectory(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	first := &Judges{}
	kept, run, err := first.lockDir(out)
	if err != nil || kept != out+ServerSuffix || !strings.HasSuffix(run, ":"+out) {
		t.Fatal(kept, run, err)
	}
	if _, _, err := (&Judges{}).lockDir(out); console.Exit(err, io.Discard) != console.ExitInUse {
		t.Fatalf("a second process may use it, too: %v", err)
	}
	first.Done(t.Context(), false)
	second := &Judges{}
	if _, again, err := second.lockDir(out); err != nil || again != run {
		t.Fatalf("the run is %s and goes on as %s: %v", run, again, err)
	}
	second.Done(t.Context(), true)
	if _, err := os.Stat(kept); !os.IsNotExist(err) {
		t.Errorf("%s stays: %v", kept, err)
	}
	third := &Judges{}
	if _, other, err := third.lockDir(out); err != nil || other == run {
		t.Errorf("another run has the same name %s: %v", other, err)
	}
	third.Done(t.Context(), true)
}

// The token of a fleet's server comes from a flag or the environment; a server reachable by others without
// TLS leads to a warning.
func TestFleetToken(t *testing.T) {
	var said []string
	say := func(text string) { said = append(said, text) }
	for _, x := range []struct {
		listen string
		open   bool
	}{{"127.0.0.1:0", false}, {"0.0.0.0:0", true}} {
		said = nil
		j := &Judges{}
		o := &Options{Fleet: Fleet{listen: x.listen, token: "chosen"}}
		if _, err := j.serve(o, "", say); err != nil {
			t.Fatal(err)
		}
		j.Done(t.Context(), true)
		if !strings.Contains(said[0], "ASSAY_NATS=nats://chosen@") || !strings.HasSuffix(said[0], " assay worker") {
			t.Errorf("it says %s", said[0])
		}
		if warned := len(said) == 2 && strings.Contains(said[1], "without TLS"); warned != x.open {
			t.Errorf("%s: it says %q", x.listen, said)
		}
	}
	o := &Options{Fleet: Fleet{listen: "127.0.0.1:0"}}
	_, err := Open(t.Context(), &console.IO{Getenv: func(name string) string {
		return map[string]string{"ASSAY_FLEET_TOKEN": "bad@token"}[name]
	}}, o, nil, say)
	if err == nil || !strings.Contains(err.Error(), "letters and digits only") || o.Fleet.token != "bad@token" {
		t.Errorf("the token of the environment is %q: %v", o.Fleet.token, err)
	}
}
