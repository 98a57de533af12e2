package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"assay/data/disk"
)

// Settings are the time settings of a fleet. The zero value means the defaults. All users of a server must
// agree on AckWait.
type Settings struct {
	AckWait time.Duration // after which an unacknowledged message is delivered again
	Linger  time.Duration // how long a message waits for more samples
	Poll    time.Duration // how often an idle worker checks for messages without being notified
	Answer  time.Duration // how long to wait for the server's answer before asking again
	Sweep   time.Duration // after which a coordinator checks on a message
	Ask     time.Duration // how often a coordinator looks for workers
	Patient time.Duration // how long work waits before the coordinator reports that no worker takes it
	GiveUp  time.Duration // how long work waits that this machine has a reason not to judge
}

func (s Settings) withDefaults() Settings {
	for _, d := range []struct {
		setting *time.Duration
		usual   time.Duration
	}{{&s.AckWait, 30 * time.Second}, {&s.Linger, 5 * time.Millisecond}, {&s.Poll, time.Second}, {&s.Sweep, 10 * time.Second}, {&s.Answer, 5 * time.Second},
		{&s.Ask, 2 * time.Second}, {&s.Patient, 3 * time.Second}, {&s.GiveUp, 15 * time.Second}} {
		if *d.setting == 0 {
			*d.setting = d.usual
		}
	}
	return s
}

// Link configures the connection to a server.
type Link struct {
	URL           string  // nats://HOST:PORT or tls://HOST:PORT, several with commas
	Creds         string  // a file of user credentials
	CA, Cert, Key string  // files for TLS
	Server        *Server // in this process, instead of a URL
	Name          string  // of this client or worker

	// Say receives messages about the connection. It may be nil.
	Say func(string)

	Settings Settings
}

// ErrRefused is wrapped by the error for a server that denies access, and ErrNoCredentials by that for a
// file without credentials.
var (
	ErrRefused       = errors.New("the server refused access")
	ErrNoCredentials = errors.New("there are no user credentials")
)

// connection is a connection to a server with the streams of a fleet.
type connection struct {
	nc       *nats.Conn
	js       jetstream.JetStream
	work     jetstream.Stream
	results  jetstream.Stream
	tasks    jetstream.ObjectStore
	settings Settings
	mending  sync.Mutex
	made     map[string]time.Time // creation time of each stream, as far as known
	where    string               // the URL without secrets
	creds    string               // the credentials file
	say      func(string)

	barred   context.Context // ends when the server denies something vital
	bar      context.CancelCauseFunc
	reported map[string]bool // denied permissions already reported; guarded by mending
	full     sync.Once       // see tellFull
}

// dialTimeout is how long a server may take for its first answer.
const dialTimeout = 5 * time.Second

// keep is how long results and tasks stay on a server unless they are removed.
const keep = 14 * 24 * time.Hour

func dial(ctx context.Context, l Link) (*connection, error) {
	c := &connection{settings: l.Settings.withDefaults(), where: withoutSecrets(l.URL), creds: l.Creds, say: l.Say, reported: map[string]bool{}}
	c.barred, c.bar = context.WithCancelCause(context.Background())
	if c.say == nil {
		c.say = func(string) {}
	}
	if _, err := parseAddresses(l.URL); err != nil {
		return nil, fmt.Errorf("%s is not the URL of a NATS server: %w", c.where, err)
	}
	if err := checkCredentials(l.Creds); err != nil {
		return nil, err
	}
	ctx, stop := c.unlessBarred(ctx)
	defer stop()
	err := c.connect(l)
	if err != nil {
		return nil, c.explain(err)
	}
	if c.js, err = jetstream.New(c.nc); err == nil {
		err = c.prepare(ctx)
	}
	if err == nil && c.nc.ConnectedClusterName() != "" {
		c.sayCopies()
	}
	if err == nil {
		c.made, err = c.madeAt(ctx)
	}
	if err != nil {
		c.nc.Close()
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return nil, c.explain(err)
	}
	if l.Server != nil {
		go c.watchDisk(l.Server)
	}
	return c, nil
}

// watchDisk ends everything that uses the connection when the server in this process cannot store anything
// any more: it stops answering then, and requests would wait forever.
func (c *connection) watchDisk(s *Server) {
	for wait(c.barred, c.settings.Ask) == nil && !c.nc.IsClosed() {
		if err := s.checkDisk(); err != nil && !c.nc.IsClosed() {
			c.bar(err)
		}
	}
}

// hangUps is how often a server may hang up before connecting fails.
const hangUps = 20

// connect connects. A server that rejects a certificate reports that and hangs up, and the report may be
// lost with the connection: connect tries again then.
func (c *connection) connect(l Link) (err error) {
	for range hangUps {
		c.nc, err = nats.Connect(l.URL, c.options(l)...)
		if !errors.Is(err, nats.ErrTLS) || !errors.Is(err, syscall.EPIPE) && !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, io.EOF) {
			return err
		}
	}
	return err
}

// checkCredentials reads the credentials file once, before each connection reads it.
func checkCredentials(file string) error {
	if file == "" {
		return nil
	}
	text, err := disk.ReadFile(file, disk.Settings)
	if err != nil {
		return fmt.Errorf("reading user credentials: %w", err)
	}
	defer clear(text)
	_, err = nkeys.ParseDecoratedJWT(text)
	if err == nil {
		_, err = nkeys.ParseDecoratedUserNKey(text)
	}
	if err != nil {
		return fmt.Errorf("%w in %s (%w): give a file as 'nsc generate creds' writes it", ErrNoCredentials, file, err)
	}
	return nil
}

// options returns the options of a connection.
func (c *connection) options(l Link) []nats.Option {
	lost, out := time.Time{}, false // the callbacks below run one at a time
	list := []nats.Option{
		nats.Name(l.Name), nats.Timeout(dialTimeout), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond), nats.ReconnectJitter(200*time.Millisecond, time.Second),
		nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2), nats.IgnoreAuthErrorAbort(),
		nats.DisconnectErrHandler(func(nc *nats.Conn, err error) {
			if nc.IsClosed() || err == nil {
				return
			}
			lost = time.Now()
			c.say(fmt.Sprintf("the connection to %s is lost (%v): waiting for it; what has a result is safe", c.where, err))
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			out = false
			if !lost.IsZero() {
				c.say(fmt.Sprintf("connected to %s again, after %s", c.where, time.Since(lost).Round(time.Second)))
			}
		}),
		// otherwise each call gets its own error
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			switch {
			case errors.Is(err, nats.ErrPermissionViolation):
				c.denied(err)
			case isRefusal(err) && !out:
				out = true
				c.say(fmt.Sprintf("%s no longer grants access (%v): waiting until it does; a credentials file is read again each time", c.where, err))
			}
		}),
	}
	if l.Server != nil {
		c.where = "the server in this process"
		list = append(list, nats.InProcessServer(l.Server.server), nats.Token(l.Server.Token))
	}
	if l.Creds != "" {
		list = append(list, nats.UserCredentials(l.Creds))
	}
	if l.CA != "" {
		list = append(list, nats.RootCAs(l.CA))
	}
	if l.Cert != "" {
		list = append(list, nats.ClientCert(l.Cert, l.Key))
	}
	return list
}

// isRefusal reports whether a server rejected our identity.
func isRefusal(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked) || errors.Is(err, nats.ErrAccountAuthExpired)
}

// wantsCertificate reports whether a server rejects this side's certificate, or requires one.
func wantsCertificate(err error) bool {
	var opErr *net.OpError
	return errors.As(err, &opErr) && opErr.Op == "remote error" && strings.Contains(opErr.Error(), "certificate")
}

// brokeOff reports whether the network failed during the TLS handshake, or the server hung up.
func brokeOff(err error) bool {
	var failed *net.OpError
	return errors.Is(err, nats.ErrTLS) && (errors.Is(err, io.EOF) || errors.As(err, &failed) && failed.Op != "remote error")
}

// explain returns an error with what was attempted, what happened and what to do.
func (c *connection) explain(err error) error {
	switch {
	case errors.Is(err, ErrRefused):
		return err
	case wantsCertificate(err):
		return fmt.Errorf("%s: %w (%w): give a certificate that it accepts, with --tls-cert and --tls-key", c.where, ErrRefused, err)
	case brokeOff(err):
		return fmt.Errorf("the TLS handshake with %s did not complete (%w): is it a NATS server with TLS? If it wants a certificate, give one with --tls-cert and --tls-key", c.where, err)
	case isRefusal(err):
		return fmt.Errorf("%s: %w (%w): give --creds FILE, or nats://USER:PASSWORD@HOST or nats://TOKEN@HOST as the URL", c.where, ErrRefused, err)
	case c.creds != "" && errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fmt.Errorf("%s: %w with these credentials: their account has no JetStream, which keeps the work (%w); enable it there, or give --creds of another account", c.where, ErrRefused, err)
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount), errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("%s has no JetStream, which keeps the work (%w): start it as nats-server -js, or enable JetStream for this account", c.where, err)
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrTimeout):
		return fmt.Errorf("no NATS server answers at %s (%w): is it running, and is the URL right?", c.where, err)
	}
	return fmt.Errorf("using the NATS server at %s: %w", c.where, err)
}

// prepare finds or creates the streams. Streams created with other copies or limits are used as they are,
// if they have the properties that a fleet relies on.
func (c *connection) prepare(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 4*dialTimeout)
	defer cancel()
	for {
		asking, cancel := context.WithTimeout(ctx, dialTimeout)
		err := c.find(asking)
		cancel()
		// a cluster does not answer during an election
		if !hasCode(err, noLeader) && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		if wait(ctx, 250*time.Millisecond) != nil {
			return err
		}
	}
}

// find returns a single try of prepare.
func (c *connection) find(ctx context.Context) error {
	var err error
	c.work, err = c.stream(ctx, jetstream.StreamConfig{Name: workStream, Subjects: []string{workSubject + ">"},
		Description: "assay: samples that wait to be judged", Retention: jetstream.WorkQueuePolicy, MaxAge: keep, AllowDirect: true})
	if err != nil {
		return err
	}
	c.results, err = c.stream(ctx, jetstream.StreamConfig{Name: resultStream, Subjects: []string{resultSubject + ">"},
		Description: "assay: results, one for each sample", MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
		MaxAge: keep, AllowDirect: true})
	if err != nil {
		return err
	}
	c.tasks, err = c.js.ObjectStore(ctx, taskBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		err = c.inCopies(func(n int) (err error) {
			c.tasks, err = c.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: taskBucket, Description: "assay: tasks by their hash", TTL: 2 * keep, Replicas: n})
			return err
		})
		if errors.Is(err, jetstream.ErrBucketExists) {
			c.tasks, err = c.js.ObjectStore(ctx, taskBucket)
		}
	}
	return err
}

// madeAt returns the creation time of each existing stream.
func (c *connection) madeAt(ctx context.Context) (map[string]time.Time, error) {
	made := map[string]time.Time{}
	for _, name := range []string{workStream, resultStream, "OBJ_" + taskBucket} {
		asking, cancel := context.WithTimeout(ctx, c.settings.Answer)
		s, err := c.js.Stream(asking, name)
		cancel()
		switch {
		case err == nil:
			made[name] = s.CachedInfo().Created
		case !errors.Is(err, jetstream.ErrStreamNotFound):
			return nil, err
		}
	}
	return made, nil
}

// isGone reports whether an error means that a stream does not exist.
func isGone(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, nats.ErrNoResponders) ||
		errors.Is(err, jetstream.ErrBucketNotFound)
}

// mend recreates streams that the server has lost, and reports it. Handles of streams stay valid, since
// they refer to names.
func (c *connection) mend(ctx context.Context) error {
	if !c.nc.IsConnected() {
		return nats.ErrDisconnected
	}
	c.mending.Lock()
	defer c.mending.Unlock()
	made, err := c.madeAt(ctx)
	if err != nil {
		return err
	}
	if len(made) < len(c.made) {
		again := &connection{nc: c.nc, js: c.js, settings: c.settings, where: c.where}
		if err := again.prepare(ctx); err != nil {
			return err
		}
		if made, err = c.madeAt(ctx); err != nil {
			return err
		}
	}
	var lost []string
	for name, at := range made {
		if !at.Equal(c.made[name]) {
			lost = append(lost, name)
		}
	}
	if len(lost) == 0 {
		return nil
	}
	c.made = made
	slices.Sort(lost)
	c.say(fmt.Sprintf("%s has lost %s, which was made again: samples without a result are sent once more", c.where, strings.Join(lost, " and ")))
	return nil
}

// age returns a text that changes when streams are recreated, and the creation time of the stream of
// results.
func (c *connection) age() (string, time.Time) {
	c.mending.Lock()
	defer c.mending.Unlock()
	return fmt.Sprint(c.made), c.made[resultStream]
}

func (c *connection) stream(ctx context.Context, want jetstream.StreamConfig) (jetstream.Stream, error) {
	s, err := c.js.Stream(ctx, want.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		err = c.inCopies(func(n int) (err error) {
			want.Replicas = n
			s, err = c.js.CreateStream(ctx, want)
			return err
		})
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // created just now by another client
			s, err = c.js.Stream(ctx, want.Name)
		}
	}
	if err != nil {
		return nil, err
	}
	have := s.CachedInfo().Config
	if have.Retention != want.Retention || have.MaxMsgsPerSubject != want.MaxMsgsPerSubject && want.MaxMsgsPerSubject > 0 ||
		want.DiscardNewPerSubject && (!have.DiscardNewPerSubject || have.Discard != jetstream.DiscardNew) || !have.AllowDirect {
		return nil, fmt.Errorf("the stream %s exists with a different configuration: remove it (nats stream rm %s) and assay creates it again", want.Name, want.Name)
	}
	return s, nil
}

// consumer finds or creates the consumer for one kind of work; an empty name means all work.
func (c *connection) consumer(ctx context.Context, name, path string) (jetstream.Consumer, error) {
	return c.work.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{Durable: name, FilterSubject: workSubject + path + ".>",
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: c.settings.AckWait, MaxDeliver: -1, MaxAckPending: -1})
}

// stored returns the result of a sample, if there is one, and its position in the stream.
func (c *connection) stored(ctx context.Context, run, id string) ([]byte, uint64, error) {
	m, err := c.results.GetLastMsgForSubject(ctx, resultSubject+run+"."+id)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	return m.Data, m.Sequence, nil
}

// tooMany is the server's error code for a second result: JSStreamStoreFailed.
const tooMany jetstream.ErrorCode = 10077

// publish stores a result. An existing result is not an error; first is false then.
func (c *connection) publish(ctx context.Context, run, id string, text []byte) (first bool, err error) {
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		asking, stop := c.unlessBarred(ctx)
		asking, cancel := context.WithTimeout(asking, c.settings.Answer)
		_, err := c.js.Publish(asking, resultSubject+run+"."+id, text)
		cancel()
		stop()
		var refused *jetstream.APIError
		switch {
		case err == nil:
			return true, nil
		case c.refusal() != nil:
			return false, c.refusal()
		case errors.As(err, &refused) && refused.ErrorCode == tooMany && strings.Contains(refused.Description, "per subject"):
			return false, nil
		case ctx.Err() != nil:
			return false, fmt.Errorf("a result is not stored: %w", context.Cause(ctx))
		case errors.Is(err, nats.ErrConnectionClosed), errors.Is(err, nats.ErrMaxPayload):
			return false, err
		case isGone(err):
			_ = c.mend(ctx) // if that fails, it is retried
		default:
			c.tellFull(err)
		}
		if err := wait(ctx, pause); err != nil {
			return false, err
		}
	}
}

// tellFull says once that the server has no room, if that is the error: whatever it refuses is sent again until it has.
func (c *connection) tellFull(err error) {
	var refused *jetstream.APIError
	if !errors.As(err, &refused) {
		return
	}
	switch refused.ErrorCode {
	case tooMany, 10002, 10023, 10047: // the account's, the server's and the stream's room
		c.full.Do(func() {
			c.say(fmt.Sprintf("%s stores nothing more (%s): free some space there, or raise its limit of storage; this waits meanwhile", c.where, refused.Description))
		})
	}
}

// wait waits for d, or until the context ends.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
