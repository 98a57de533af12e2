package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"
)

const (
	defaultPort    = "443"
	dialTimeout    = 30 * time.Second
	mostConcurrent = 256 // connections of one program
)

// Request is a request that has ended.
type Request struct {
	Host     string // with its port
	Granted  bool
	Sent     int64 // bytes that the program sent
	Received int64
	Problem  string // why a granted host was not reached; "": it was
}

// String describes the request in a line.
func (r Request) String() string {
	switch {
	case !r.Granted:
		return r.Host + " refused: the host is not granted"
	case r.Problem != "":
		return r.Host + " granted, but not reached: " + r.Problem
	}
	return fmt.Sprintf("%s granted, %d bytes sent, %d received", r.Host, r.Sent, r.Received)
}

// Address returns a host of a list of grants with its port, which is 443 unless it is given.
func Address(host string) (string, error) {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = strings.Trim(host, "[]"), defaultPort
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if name = plain(name); err != nil || number == 0 || name == "" || strings.ContainsAny(name, "/ \t\r\n@?#*[]") || strings.Contains(name, ":") && net.ParseIP(name) == nil {
		return "", fmt.Errorf("%q is not a host, which is written as in api.example.com or 127.0.0.1:8080", host)
	}
	return net.JoinHostPort(name, port), nil
}

// plain returns the form of a name that is compared.
func plain(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }

// Gateway serves programs of one box.
type Gateway struct {
	granted []string
	ended   func(Request)
	server  *http.Server
	proxy   *httputil.ReverseProxy
	ctx     context.Context // of connections to hosts
	cancel  context.CancelFunc
	open    sync.WaitGroup // tunnels
}

// New returns a gateway to the hosts, as Address returns them. ended is called for each request, one at a time.
func New(hosts []string, ended func(Request)) *Gateway {
	var one sync.Mutex
	g := &Gateway{granted: hosts, ended: func(r Request) { one.Lock(); defer one.Unlock(); ended(r) }}
	g.ctx, g.cancel = context.WithCancel(context.Background())
	g.proxy = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.Out.Host = r.In.URL.Host },
		Transport: &http.Transport{ // without the proxy of our own environment
			DialContext: (&net.Dialer{Timeout: dialTimeout}).DialContext, IdleConnTimeout: time.Minute, DisableCompression: true,
		},
		FlushInterval: -1,
		ErrorLog:      silent,
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if failed, ok := r.Context().Value(problemKey{}).(*string); ok {
				*failed = cause(err)
			}
			http.Error(w, "the host was not reached: "+cause(err), http.StatusBadGateway)
		},
	}
	g.server = &http.Server{Handler: g, ErrorLog: silent, ReadHeaderTimeout: dialTimeout}
	return g
}

// Serve answers requests in the background, until Close.
func (g *Gateway) Serve(l net.Listener) { go g.server.Serve(netutil.LimitListener(l, mostConcurrent)) }

// Close ends every request, and returns when all were reported.
func (g *Gateway) Close() {
	g.cancel()
	g.server.Close()
	g.proxy.Transport.(*http.Transport).CloseIdleConnections()
	g.open.Wait()
}

// silent keeps errors of single connections, which a program causes as it likes, off standard error.
var silent = log.New(io.Discard, "", 0)

type problemKey struct{}

// ServeHTTP implements http.Handler.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.open.Add(1)
	defer g.open.Done()
	host := r.URL.Host
	if r.Method == http.MethodConnect {
		host = r.Host
	} else if r.URL.Port() == "" {
		host = net.JoinHostPort(r.URL.Hostname(), "80")
	}
	name, port, err := net.SplitHostPort(host)
	if err != nil || name == "" || r.Method != http.MethodConnect && r.URL.Scheme != "http" {
		http.Error(w, "this is a proxy: ask for a host", http.StatusBadRequest)
		return
	}
	done := Request{Host: clip(net.JoinHostPort(plain(name), port))}
	defer func() { g.ended(done) }()
	if done.Granted = slices.Contains(g.granted, done.Host); !done.Granted {
		http.Error(w, done.Host+" is not among the hosts that this program may reach", http.StatusForbidden)
		return
	}
	if r.Method == http.MethodConnect {
		g.tunnel(w, &done)
		return
	}
	g.forward(w, r, &done)
}

// clip shortens a name that a program made up, and removes what a terminal would act on.
func clip(host string) string {
	host = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, host)
	return strings.ToValidUTF8(host[:min(len(host), 260)], "")
}

// forward passes on a plain request.
func (g *Gateway) forward(w http.ResponseWriter, r *http.Request, done *Request) {
	ctx, cancel := context.WithCancel(context.WithValue(r.Context(), problemKey{}, &done.Problem))
	defer cancel()
	defer context.AfterFunc(g.ctx, cancel)()
	var sent, received atomic.Int64
	r = r.WithContext(ctx)
	r.Body = counted{r.Body, &sent}
	defer func() {
		done.Sent, done.Received = sent.Load(), received.Load()
		if aborted := recover(); aborted != nil && aborted != http.ErrAbortHandler { // the program or the host left
			panic(aborted)
		}
	}()
	g.proxy.ServeHTTP(&counting{w, &received}, r)
}

// tunnel passes on bytes between the program and a host.
func (g *Gateway) tunnel(w http.ResponseWriter, done *Request) {
	host, err := (&net.Dialer{Timeout: dialTimeout}).DialContext(g.ctx, "tcp", done.Host)
	if err != nil {
		done.Problem = cause(err)
		http.Error(w, "the host was not reached: "+done.Problem, http.StatusBadGateway)
		return
	}
	defer host.Close()
	program, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		done.Problem = err.Error()
		return
	}
	defer program.Close()
	defer context.AfterFunc(g.ctx, func() { program.Close(); host.Close() })()
	if _, err := io.WriteString(program, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	over := make(chan int64, 1)
	go func() {
		n, _ := io.Copy(program, host)
		closeWrite(program)
		over <- n
	}()
	done.Sent, _ = io.Copy(host, buffered.Reader)
	closeWrite(host)
	done.Received = <-over
}

// closeWrite tells the other side that nothing more comes.
func closeWrite(c net.Conn) {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		half.CloseWrite()
		return
	}
	c.Close()
}

// cause returns the last part of an error of the network, without addresses of this machine.
func cause(err error) string {
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return dns.Err
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		err = op.Err
	}
	return err.Error()
}

// counted counts what is read of a body.
type counted struct {
	io.ReadCloser
	n *atomic.Int64
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// counting counts what is written of a response.
type counting struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.n.Add(int64(n))
	return n, err
}

// Unwrap lets a response be flushed.
func (c *counting) Unwrap() http.ResponseWriter { return c.ResponseWriter }
