package llm

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"assay/data/disk"
)

// transport returns t with what this model's server needs of a connection: its Unix socket, and the certificate that it
// asks for. A RoundTripper that is no transport of the standard library stays as it is.
func (m Model) transport(t http.RoundTripper) http.RoundTripper {
	_, socket := overSocket(m.base())
	own, is := t.(*http.Transport)
	if !is || socket == "" && m.ClientCert == "" {
		return t
	}
	own = own.Clone()
	if socket != "" {
		own.Proxy = nil
		own.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", socket)
		}
	}
	if m.ClientCert != "" {
		if own.TLSClientConfig == nil {
			own.TLSClientConfig = new(tls.Config)
		}
		// Read for each connection, since certificates are renewed while batches run.
		own.TLSClientConfig.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return m.certificate(time.Now()) }
	}
	return own
}

// certificate reads the certificate by which servers recognise the client (mTLS).
func (m Model) certificate(now time.Time) (*tls.Certificate, error) {
	keyFile := cmp.Or(m.ClientKey, m.ClientCert) // which may have both
	chain, err := disk.ReadFile(m.ClientCert, disk.Settings)
	if err != nil {
		return nil, fmt.Errorf("client_cert cannot be read: %w", err)
	}
	key, err := disk.ReadFile(keyFile, disk.Settings)
	if err != nil {
		return nil, fmt.Errorf("client_key cannot be read: %w", err)
	}
	switch {
	case !bytes.Contains(chain, []byte("-----BEGIN CERTIFICATE-----")):
		return nil, fmt.Errorf("client_cert: %[1]s has no certificate in PEM; of a .p12 or .pfx file `openssl pkcs12 -in %[1]s -nodes -out client.pem` makes one", m.ClientCert)
	case bytes.Contains(key, []byte("ENCRYPTED")):
		return nil, fmt.Errorf("client_key: the key in %[1]s is encrypted; `openssl pkey -in %[1]s -out client.key` writes it without a password", keyFile)
	}
	pair, err := tls.X509KeyPair(chain, key)
	switch {
	case err != nil:
		return nil, fmt.Errorf("client_cert %s and the key in %s do not belong together: %w", m.ClientCert, keyFile, err)
	case now.After(pair.Leaf.NotAfter):
		return nil, fmt.Errorf("client_cert: the certificate in %s expired on %s", m.ClientCert, pair.Leaf.NotAfter.Format(time.DateOnly))
	}
	return &pair, nil
}

// withAuthorities returns the authorities of this machine with those of the file that SSL_CERT_FILE names, which Go itself
// reads on Linux alone; nil: there is no such file, or nothing in it.
func withAuthorities(file string) *x509.CertPool {
	text, err := disk.ReadFile(file, disk.Settings)
	if file == "" || err != nil {
		return nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil || !pool.AppendCertsFromPEM(text) {
		return nil
	}
	return pool
}

// authorityAdvice says what to do about a certificate whose authority this machine does not trust.
func (c *httpClient) authorityAdvice() string {
	file := c.deps.Getenv("SSL_CERT_FILE")
	if file == "" {
		return "if the server is your own, start assay with SSL_CERT_FILE=FILE in the environment, a file with its authority's certificate in PEM; else a proxy or login page may stand before it"
	}
	text, err := disk.ReadFile(file, disk.Settings)
	switch {
	case err != nil:
		return fmt.Sprintf("SSL_CERT_FILE names a file that cannot be read: %v", err)
	case !x509.NewCertPool().AppendCertsFromPEM(text):
		return fmt.Sprintf("SSL_CERT_FILE names %[1]s, which has no certificate in PEM; `openssl x509 -inform der -in %[1]s -out ca.pem` makes one of a .crt or .cer file in DER", file)
	}
	return fmt.Sprintf("SSL_CERT_FILE names %s: add the certificate of the server's authority there, in PEM; else a proxy or login page may stand before it", file)
}

// certificateAlert matches what servers say at a TLS connection whose client has no certificate, or one that they refuse.
var certificateAlert = regexp.MustCompile(`remote error: tls: (certificate required|bad certificate|handshake failure|unknown certificate|unsupported certificate|revoked certificate|expired certificate|access denied|.*certificate authority)`)

// certificateRefused matches what servers say after the connection was made, such as nginx with 400.
var certificateRefused = regexp.MustCompile(`(?i)(required|client) (SSL|TLS)? ?certificate|SSL certificate (error|required)`)

// certificateAdvice says what to do with a server that wants a certificate.
func (c *httpClient) certificateAdvice() string {
	if c.model.ClientCert == "" {
		if c.adding {
			return "the server wants a certificate of yours: give the file with it, and the one with its key, in PEM"
		}
		return "the server wants a certificate of yours: give client_cert and client_key of this model in the models file, two files in PEM"
	}
	return fmt.Sprintf("the server does not accept the certificate in %s: ask who runs it which authority must have signed it", c.model.ClientCert)
}

// proxyRefusal is the answer of a proxy that makes no connection.
type proxyRefusal struct {
	proxy  string // without a password
	status int
}

func (r *proxyRefusal) Error() string {
	return fmt.Sprintf("the proxy %s answered %d %s", r.proxy, r.status, http.StatusText(r.status))
}

// refusedByProxy is the transport's view of a proxy's answer to CONNECT.
func refusedByProxy(_ context.Context, proxy *url.URL, _ *http.Request, res *http.Response) error {
	if res.StatusCode == http.StatusOK {
		return nil
	}
	return &proxyRefusal{proxy.Host, res.StatusCode}
}

const proxyAdvice = "check the proxy in HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and that it may be used for this server"

// proxyAdviceFor says what to do about a proxy's answer.
func proxyAdviceFor(status int) string {
	switch {
	case status == http.StatusProxyAuthRequired:
		return "write the proxy's user and password in HTTPS_PROXY and HTTP_PROXY, such as http://USER:PASSWORD@proxy.example.com:8080, and start assay again"
	case status >= 500:
		return "the proxy cannot reach the server: check the server's name and port, or list the server in NO_PROXY if it is reached without a proxy"
	}
	return "the proxy does not let this server be reached: ask who runs the proxy, or list the server in NO_PROXY if it is reached without one"
}
