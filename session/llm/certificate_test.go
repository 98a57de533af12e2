package llm

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/data/fatal"
)

// authority signs certificates, as the one of an organisation does.
type authority struct {
	t    *testing.T
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	a := &authority{t: t, dir: t.TempDir()}
	a.sign("ca", time.Now().Add(time.Hour))
	return a
}

// sign makes NAME.pem, NAME.key and both.pem, and returns the certificate. The first signs itself, and the others.
func (a *authority) sign(name string, until time.Time) tls.Certificate {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	fatal.If(a.t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: until,
		DNSNames: []string{"gateway.test"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	if a.cert == nil {
		template.IsCA, template.BasicConstraintsValid, template.ExtKeyUsage = true, true, nil
		a.cert, a.key = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	fatal.If(a.t, err)
	if template.IsCA {
		a.cert, err = x509.ParseCertificate(der)
		fatal.If(a.t, err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	fatal.If(a.t, err)
	cert, private := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})
	for file, text := range map[string][]byte{name + ".pem": cert, name + ".key": private, name + "-both.pem": append(cert, private...)} {
		fatal.If(a.t, os.WriteFile(a.file(file), text, 0o600))
	}
	pair, err := tls.X509KeyPair(cert, private)
	fatal.If(a.t, err)
	return pair
}

func (a *authority) file(name string) string { return filepath.Join(a.dir, name) }

// gateway is a server with a certificate of the authority, which wants one of its clients if mutual is set.
func (a *authority) gateway(mutual bool) *httptest.Server {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/v1/models") {
			io.WriteString(w, `{"data":[{"id":"coder"}]}`)
			return
		}
		events(w, chunk("ready"), finish, done)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{a.sign("server", time.Now().Add(time.Hour))}}
	if mutual {
		s.TLS.ClientCAs = x509.NewCertPool()
		s.TLS.ClientCAs.AddCert(a.cert)
		s.TLS.ClientAuth = tls.RequireAndVerifyClientCert
	}
	s.StartTLS()
	a.t.Cleanup(s.Close)
	return s
}

// TestCertificates: a server whose authority is in the file of SSL_CERT_FILE answers, and one that wants a certificate of the
// client does if client_cert names it; whatever is wrong with the files is said, with what to write.
func TestCertificates(t *testing.T) {
	a := newAuthority(t)
	a.sign("client", time.Now().Add(time.Hour))
	a.sign("expired", time.Now().Add(-time.Hour))
	stranger := newAuthority(t)
	stranger.sign("stranger", time.Now().Add(time.Hour))
	files := map[string]string{"client.der": "\x30\x82binary", "locked.key": "-----BEGIN ENCRYPTED PRIVATE KEY-----\nx\n-----END ENCRYPTED PRIVATE KEY-----\n"}
	for name, text := range files {
		fatal.If(t, os.WriteFile(a.file(name), []byte(text), 0o600))
	}
	open, strict := a.gateway(false), a.gateway(true)
	ca := a.file("ca.pem")
	for name, row := range map[string]struct {
		server             *httptest.Server
		trusted, cert, key string
		class              Class // "": it answers
		message, advice    string
	}{
		"an authority of one's own":          {server: open, trusted: ca},
		"no authority":                       {server: open, class: Unreachable, message: "signed by nobody", advice: "SSL_CERT_FILE=FILE"},
		"another authority":                  {server: open, trusted: stranger.file("ca.pem"), class: Unreachable, message: "signed by nobody", advice: "add the certificate of the server's authority there"},
		"an authority without PEM":           {server: open, trusted: a.file("client.der"), class: Unreachable, advice: "openssl x509"},
		"no file of authorities":             {server: open, trusted: a.file("none"), class: Unreachable, advice: "cannot be read"},
		"a certificate":                      {server: strict, trusted: ca, cert: "client.pem", key: "client.key"},
		"a certificate with its key":         {server: strict, trusted: ca, cert: "client-both.pem"},
		"a certificate that nobody wants":    {server: open, trusted: ca, cert: "client.pem", key: "client.key"},
		"no certificate":                     {server: strict, trusted: ca, class: Auth, message: "certificate required", advice: "client_cert and client_key of this model in the models file"},
		"a certificate of another authority": {server: strict, trusted: ca, cert: stranger.file("stranger.pem"), key: stranger.file("stranger.key"), class: Auth, message: "certificate", advice: "does not accept the certificate in"},
		"no file":                            {server: strict, trusted: ca, cert: "none.pem", class: Auth, message: "client_cert cannot be read"},
		"no file of the key":                 {server: strict, trusted: ca, cert: "client.pem", key: "none.key", class: Auth, message: "client_key cannot be read"},
		"a file in DER":                      {server: strict, trusted: ca, cert: "client.der", class: Auth, message: "openssl pkcs12 -in"},
		"no key":                             {server: strict, trusted: ca, cert: "client.pem", class: Auth, message: "do not belong together"},
		"another key":                        {server: strict, trusted: ca, cert: "client.pem", key: "ca.key", class: Auth, message: "do not belong together"},
		"a locked key":                       {server: strict, trusted: ca, cert: "client.pem", key: "locked.key", class: Auth, message: "openssl pkey -in"},
		"an expired one":                     {server: strict, trusted: ca, cert: "expired.pem", key: "expired.key", class: Auth, message: "expired on 2"},
	} {
		t.Run(name, func(t *testing.T) {
			m := Model{Name: "m", Provider: ProviderOpenAI, BaseURL: row.server.URL + "/v1", Model: "coder", ClientCert: row.cert, ClientKey: row.key}.beside(a.dir)
			deps := Deps{Getenv: func(name string) string { return map[string]string{"SSL_CERT_FILE": row.trusted}[name] }}
			answer, _, err := ask(t, t.Context(), m, deps)
			var failed *Error
			switch {
			case row.class == "" && (err != nil || answer.Text != "ready"):
				t.Errorf("%q, %v", answer.Text, err)
			case row.class != "" && (!errors.As(err, &failed) || failed.Class != row.class || !strings.Contains(failed.Message, row.message) || !strings.Contains(failed.Advice, row.advice)):
				t.Errorf("got %v", err)
			}
			if ready, why := m.Ready(deps); ready != !strings.HasPrefix(errorText(err), "there is no certificate") {
				t.Errorf("ready: %v, %s; the request: %v", ready, why, err)
			}
			_, list, listed := Place{Name: "x", Provider: ProviderOpenAI, BaseURL: row.server.URL, ClientCert: m.ClientCert, ClientKey: m.ClientKey}.Models(t.Context(), deps)
			want := map[Class]string{Unreachable: "base_url", Auth: "client_cert"}[row.class]
			if (listed == nil) != (row.class == "") || len(list) > 0 != (row.class == "") || Amiss(listed) != want {
				t.Errorf("its models: %v, %v; %q is amiss, want %q", list, listed, Amiss(listed), want)
			}
			for _, word := range []string{"models file", "base_url"} {
				if strings.Contains(errorText(listed), word) {
					t.Errorf("the models file has no such model yet: %v", listed)
				}
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestCertificateRenewed: a certificate is read for each connection, so that a batch outlives one.
func TestCertificateRenewed(t *testing.T) {
	a := newAuthority(t)
	strict := a.gateway(true)
	a.sign("client", time.Now().Add(time.Hour))
	m := Model{Name: "m", Provider: ProviderOpenAI, BaseURL: strict.URL + "/v1", Model: "coder", ClientCert: a.file("client-both.pem")}
	client, err := m.Client(Deps{Getenv: func(name string) string { return map[string]string{"SSL_CERT_FILE": a.file("ca.pem")}[name] }})
	fatal.If(t, err)
	for _, until := range []time.Time{time.Now().Add(-time.Hour), time.Now().Add(time.Hour)} {
		a.sign("client", until)
		strict.CloseClientConnections()
		_, err := client.Stream(t.Context(), Request{Messages: []Message{{User, "x"}}}, nil)
		if (err == nil) != until.After(time.Now()) {
			t.Errorf("valid until %v: %v", until, err)
		}
	}
}

// TestProxies: a gateway is reached through a proxy with its own authority and a certificate; whatever a proxy answers instead
// is said, with what to do, and no password.
func TestProxies(t *testing.T) {
	a := newAuthority(t)
	a.sign("client", time.Now().Add(time.Hour))
	strict := a.gateway(true)
	for status, advice := range map[int]string{200: "", 403: "does not let this server be reached", 407: "user and password in HTTPS_PROXY", 502: "cannot reach the server"} {
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if status != 200 {
				w.WriteHeader(status)
				return
			}
			there, err := net.Dial("tcp", strict.Listener.Addr().String())
			fatal.If(t, err)
			w.WriteHeader(200)
			here, _, err := w.(http.Hijacker).Hijack()
			fatal.If(t, err)
			go func() { io.Copy(there, here); there.Close() }()
			go func() { io.Copy(here, there); here.Close() }()
		}))
		defer proxy.Close()
		address, err := url.Parse(strings.Replace(proxy.URL, "http://", "http://user:"+url.QueryEscape(canary)+"@", 1))
		fatal.If(t, err)
		transport := newTransport(func(string) string { return a.file("ca.pem") })
		transport.Proxy = http.ProxyURL(address)
		defer transport.CloseIdleConnections()
		m := Model{Name: "m", Provider: ProviderOpenAI, BaseURL: "https://gateway.test/v1", Model: "coder", ClientCert: a.file("client-both.pem")}
		answer, _, err := ask(t, t.Context(), m, Deps{Transport: transport})
		if status == 200 && (err != nil || answer.Text != "ready") || status != 200 && (!strings.Contains(errorText(err), advice) || !strings.Contains(errorText(err), fmt.Sprintf("the proxy %s answered %d", address.Host, status))) || leaks(errorText(err)) {
			t.Errorf("%d: %q, %v", status, answer.Text, err)
		}
	}
}
