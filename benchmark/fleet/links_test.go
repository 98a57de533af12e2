package fleet

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
)

// selfSigned writes a certificate for this machine and its key.
func selfSigned(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "assay"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "EC PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// With a certificate everything travels by TLS, and who does not know its authority stays out.
func TestTLS(t *testing.T) {
	t.Parallel()
	cert, key := selfSigned(t)
	s, err := StartServer(ServerOptions{Dir: t.TempDir(), Listen: "127.0.0.1:0", Cert: cert, Key: key})
	if err != nil {
		t.Fatal(err)
	}
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

// A server without JetStream, and one whose streams are not as they must be, are named so.
func TestServersThatDoNotFit(t *testing.T) {
	t.Parallel()
	plain, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	defer c.nc.Close()
	if err := c.js.DeleteStream(t.Context(), resultStream); err != nil {
		t.Fatal(err)
	}
	if _, err := c.js.CreateStream(t.Context(), jetstream.StreamConfig{Name: resultStream, Subjects: []string{resultSubject + ">"}, AllowDirect: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := dial(t.Context(), Link{Server: s}); err == nil || !strings.Contains(err.Error(), "with other rules than assay needs") {
		t.Errorf("a stream that keeps several results: %v", err)
	}
}
