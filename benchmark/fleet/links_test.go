package fleet

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"assay/data/fatal"
)

// selfSigned writes a certificate for this machine and its key.
func selfSigned(t *testing.T) (cert, key string) {
	t.Helper()
	_, cert, key = signed(t, nil, time.Now().Add(time.Hour))
	return cert, key
}

// signed writes a certificate for this machine and its key, signed by a pair, or by itself.
func signed(t *testing.T, by *tls.Certificate, until time.Time) (pair *tls.Certificate, cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	fatal.If(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "assay"}, IsCA: by == nil, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: until, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	parent, signer := template, crypto.PrivateKey(private)
	if by != nil {
		parent, signer = by.Leaf, by.PrivateKey
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &private.PublicKey, signer)
	fatal.If(t, err)
	secret, err := x509.MarshalECPrivateKey(private)
	fatal.If(t, err)
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "EC PRIVATE KEY", Bytes: secret}} {
		fatal.If(t, os.WriteFile(path, pem.EncodeToMemory(block), 0o600))
	}
	loaded, err := tls.LoadX509KeyPair(cert, key)
	fatal.If(t, err)
	return &loaded, cert, key
}

// If the server requires client certificates, one of its authority is accepted, and others are rejected
// with a remedy.
func TestMutualTLS(t *testing.T) {
	t.Parallel()
	later := time.Now().Add(time.Hour)
	authority, ca, _ := signed(t, nil, later)
	own, _, _ := signed(t, authority, later)
	pool := x509.NewCertPool()
	pool.AddCert(authority.Leaf)
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(),
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{*own}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool}, TLSVerify: true, TLSTimeout: 5})
	fatal.If(t, err)
	s.Start()
	t.Cleanup(s.Shutdown)
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("no server")
	}
	url := "tls://" + s.Addr().String()
	_, cert, key := signed(t, authority, later)
	link := Link{URL: url, CA: ca, Cert: cert, Key: key, Settings: quick()}
	tasks := fakeTasks(1)
	startWorker(t, link, WorkerOptions{Judge: &fake{workers: 1}})
	submit(t, startClient(t, link, tasks, nil), tasks, 5, "")
	_, expired, expiredKey := signed(t, authority, time.Now().Add(-time.Hour))
	stranger, strangerKey := selfSigned(t)
	for _, x := range []struct{ name, cert, key string }{{"without a certificate", "", ""}, {"an expired one", expired, expiredKey}, {"one of another authority", stranger, strangerKey}} {
		_, err := NewClient(t.Context(), ClientOptions{Link: Link{URL: url, CA: ca, Cert: x.cert, Key: x.key}})
		if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "--tls-cert") {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}

// A connection that breaks during a handshake is no rejection.
func TestHandshakesWithoutAnEnd(t *testing.T) {
	t.Parallel()
	const info = `INFO {"server_id":"x","version":"2.10.0","go":"go","host":"h","port":4222,"headers":true,"max_payload":1048576,"proto":1,"tls_required":true}` + "\r\n"
	for name, then := range map[string]func(*net.TCPConn){
		"no answer": func(*net.TCPConn) {},
		"closed": func(c *net.TCPConn) {
			_, _ = c.Read(make([]byte, 4096))
			c.Close()
		},
		"reset": func(c *net.TCPConn) {
			_, _ = c.Read(make([]byte, 10))
			_ = c.SetLinger(0)
			c.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp", "127.0.0.1:0")
			fatal.If(t, err)
			defer l.Close()
			go func() {
				for c, err := l.Accept(); err == nil; c, err = l.Accept() {
					_, _ = c.Write([]byte(info))
					then(c.(*net.TCPConn))
				}
			}()
			if _, err := dial(t.Context(), Link{URL: "tls://" + l.Addr().String()}); errors.Is(err, ErrRefused) || err == nil || !strings.Contains(err.Error(), "did not complete") {
				t.Errorf("it is %v", err)
			}
		})
	}
}

// With a certificate all connections use TLS, and clients that do not know its authority fail.
func TestTLS(t *testing.T) {
	t.Parallel()
	cert, key := selfSigned(t)
	s, err := StartServer(ServerOptions{Dir: t.TempDir(), Listen: "127.0.0.1:0", Cert: cert, Key: key})
	fatal.If(t, err)
	t.Cleanup(s.Close)
	if len(s.Token) < 20 || !strings.HasPrefix(s.Address(), "tls://"+s.Token+"@127.0.0.1:") {
		t.Errorf("the address is %s", s.Address())
	}
	tasks := fakeTasks(1)
	startWorker(t, Link{URL: s.Address(), CA: cert, Settings: quick()}, WorkerOptions{Judge: &fake{workers: 1}})
	c := startClient(t, Link{Server: s, Settings: quick()}, tasks, nil) // in this process
	submit(t, c, tasks, 5, "")
	if _, err := NewClient(t.Context(), ClientOptions{Link: Link{URL: s.Address()}}); err == nil || !strings.Contains(err.Error(), "certificate") || strings.Contains(err.Error(), s.Token) {
		t.Errorf("without the authority: %v", err)
	}
}

// A server without JetStream, and one with incompatible streams, are reported as such.
func TestServersThatDoNotFit(t *testing.T) {
	t.Parallel()
	plain, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true})
	fatal.If(t, err)
	plain.Start()
	t.Cleanup(plain.Shutdown)
	if !plain.ReadyForConnections(10 * time.Second) {
		t.Fatal("no server")
	}
	if _, err := NewClient(t.Context(), ClientOptions{Link: Link{URL: plain.ClientURL()}}); err == nil || !strings.Contains(err.Error(), "has no JetStream") || !strings.Contains(err.Error(), "nats-server -js") {
		t.Errorf("without JetStream: %v", err)
	}
	s := startServer(t, t.TempDir(), "")
	c, err := dial(t.Context(), Link{Server: s})
	fatal.If(t, err)
	defer c.nc.Close()
	fatal.If(t, c.js.DeleteStream(t.Context(), resultStream))
	if _, err := c.js.CreateStream(t.Context(), jetstream.StreamConfig{Name: resultStream, Subjects: []string{resultSubject + ">"}, AllowDirect: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := dial(t.Context(), Link{Server: s}); err == nil || !strings.Contains(err.Error(), "with a different configuration") {
		t.Errorf("a stream that keeps several results: %v", err)
	}
}
