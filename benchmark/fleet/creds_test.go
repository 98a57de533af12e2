package fleet

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"assay/data/fatal"
)

// operator signs accounts, which sign users.
type operator struct {
	t        *testing.T
	key      nkeys.KeyPair
	public   string
	resolver *server.MemAccResolver
}

func seeded(t *testing.T, make func() (nkeys.KeyPair, error)) (key nkeys.KeyPair, public string) {
	t.Helper()
	key, err := make()
	if err == nil {
		public, err = key.PublicKey()
	}
	fatal.If(t, err)
	return key, public
}

func newOperator(t *testing.T) *operator {
	o := &operator{t: t, resolver: &server.MemAccResolver{}}
	o.key, o.public = seeded(t, nkeys.CreateOperator)
	return o
}

// account creates an account known to the server, optionally with JetStream.
func (o *operator) account(name string, jetStream bool) (key nkeys.KeyPair, public string) {
	o.t.Helper()
	key, public = seeded(o.t, nkeys.CreateAccount)
	claims := jwt.NewAccountClaims(public)
	claims.Name = name
	if jetStream {
		claims.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1}
	}
	text, err := claims.Encode(o.key)
	if err == nil {
		err = o.resolver.Store(public, text)
	}
	fatal.If(o.t, err)
	return key, public
}

// user writes a file of credentials signed by an account.
func (o *operator) user(account nkeys.KeyPair, change func(*jwt.UserClaims)) (file string, secrets []string) {
	o.t.Helper()
	key, public := seeded(o.t, nkeys.CreateUser)
	claims := jwt.NewUserClaims(public)
	claims.Name = "worker"
	if change != nil {
		change(claims)
	}
	text, err := claims.Encode(account)
	fatal.If(o.t, err)
	seed, err := key.Seed()
	fatal.If(o.t, err)
	whole, err := jwt.FormatUserConfig(text, seed)
	fatal.If(o.t, err)
	file = filepath.Join(o.t.TempDir(), "user.creds")
	fatal.If(o.t, os.WriteFile(file, whole, 0o600))
	return file, []string{text, string(seed)}
}

// serve starts a server that trusts the operator, and requires credentials.
func (o *operator) serve() *server.Server {
	o.t.Helper()
	_, system := o.account("SYS", false)
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: o.t.TempDir(),
		TrustedKeys: []string{o.public}, AccountResolver: o.resolver, SystemAccount: system})
	fatal.If(o.t, err)
	s.Start()
	o.t.Cleanup(s.Shutdown)
	if !s.ReadyForConnections(10 * time.Second) {
		o.t.Fatal("no server")
	}
	return s
}

// Workers and coordinators with credentials of the right account work; others are rejected with a remedy.
// The credentials are never printed.
func TestCredentials(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	right, _ := o.account("judging", true)
	plain, _ := o.account("elsewhere", false)
	stranger, _ := seeded(t, nkeys.CreateAccount) // that the server does not know
	s := o.serve()
	worker, secrets := o.user(right, nil)
	coordinator, more := o.user(right, nil)
	secrets = append(secrets, more...)
	var said sync.Map
	link := func(creds string) Link {
		return Link{URL: s.ClientURL(), Creds: creds, Settings: quick(), Say: func(text string) { said.Store(text, true) }}
	}
	tasks := fakeTasks(2)
	w, stop := startWorker(t, link(worker), WorkerOptions{Judge: &fake{workers: 2}})
	c := startClient(t, link(coordinator), tasks, nil)
	submit(t, c, tasks, 30, "")
	if command := c.command(need{isolation: "bwrap"}); command != "ASSAY_NATS="+s.ClientURL()+" assay worker --creds FILE" {
		t.Errorf("a worker is started with %s", command)
	}
	stop()
	if w.Counts().Judged != 30 {
		t.Errorf("%d samples were judged, not 30", w.Counts().Judged)
	}
	broken := filepath.Join(t.TempDir(), "broken.creds")
	fatal.If(t, os.WriteFile(broken, []byte("-----BEGIN USER NKEY SEED-----\nSUAnotaseed\n"), 0o600))
	for _, x := range []struct {
		name, want string
		file       func() (string, []string)
	}{
		{"none", "give --creds FILE", func() (string, []string) { return "", nil }},
		{"expired", "give --creds FILE", func() (string, []string) {
			return o.user(right, func(c *jwt.UserClaims) { c.Expires = time.Now().Add(-time.Hour).Unix() })
		}},
		{"of an account that the server does not know", "give --creds FILE", func() (string, []string) { return o.user(stranger, nil) }},
		{"of an account without JetStream", "their account has no JetStream", func() (string, []string) { return o.user(plain, nil) }},
		{"that may not use JetStream", "may not publish to $JS.API.>, so the streams cannot be used: give it the subjects", func() (string, []string) {
			return o.user(right, func(c *jwt.UserClaims) { c.Pub.Deny.Add("$JS.API.>") })
		}},
		{"signed by another", "give --creds FILE", func() (string, []string) {
			_, public := seeded(t, nkeys.CreateAccount)
			return o.user(right, func(c *jwt.UserClaims) { c.IssuerAccount = public })
		}},
		{"a file that has none", "there are no user credentials in ", func() (string, []string) { return broken, []string{"SUAnotaseed"} }},
	} {
		t.Run(x.name, func(t *testing.T) {
			file, theirs := x.file()
			_, err := NewClient(t.Context(), ClientOptions{Link: link(file), Version: "1.0"})
			if !errors.Is(err, ErrRefused) && !errors.Is(err, ErrNoCredentials) || !strings.Contains(err.Error(), x.want) {
				t.Errorf("it is %v", err)
			}
			for _, secret := range theirs {
				if err != nil && strings.Contains(err.Error(), secret) {
					t.Errorf("the error has a secret in it: %v", err)
				}
			}
		})
	}
	said.Range(func(text, _ any) bool {
		for _, secret := range secrets {
			if strings.Contains(text.(string), secret) {
				t.Errorf("a secret is in %s", text)
			}
		}
		return true
	})
}

// Expired credentials are reported, and new ones in the same file are used: nothing is lost.
func TestCredentialsThatRunOut(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	account, _ := o.account("judging", true)
	s := o.serve()
	lasting, _ := o.user(account, nil)
	short, _ := o.user(account, func(c *jwt.UserClaims) { c.Expires = time.Now().Add(2 * time.Second).Unix() })
	fresh := fatal.Read(t, lasting)
	said := make(chan string, 100)
	tasks := fakeTasks(1)
	link := Link{URL: s.ClientURL(), Creds: short, Settings: quick(), Say: func(text string) { said <- text }}
	startWorker(t, link, WorkerOptions{Judge: &fake{workers: 1}})
	c := startClient(t, Link{URL: s.ClientURL(), Creds: lasting, Settings: quick()}, tasks, nil)
	if text := <-said; !strings.Contains(text, "no longer grants access") || !strings.Contains(text, "xpired") {
		t.Errorf("it says %s", text)
	}
	if text := <-said; !strings.Contains(text, "is lost") {
		t.Errorf("it says %s", text)
	}
	fatal.If(t, os.WriteFile(short, fresh, 0o600))
	submit(t, c, tasks, 10, "")
	if text := <-said; !strings.Contains(text, "connected to ") {
		t.Errorf("it says %s", text)
	}
}
