package gateway_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/benchmark/gateway"
	"assay/data/fatal"
)

// proxied starts a gateway, and returns a client that uses it and a function that ends it and returns its log.
func proxied(t *testing.T, granted ...string) (*http.Client, string, func() []string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	var mu sync.Mutex
	var log []string
	g := gateway.New(granted, func(r gateway.Request) {
		mu.Lock()
		defer mu.Unlock()
		log = append(log, r.String())
	})
	g.Serve(l)
	t.Cleanup(g.Close)
	via := &http.Transport{Proxy: func(*http.Request) (*url.URL, error) { return url.Parse("http://" + l.Addr().String()) }}
	return &http.Client{Transport: via}, l.Addr().String(), func() []string {
		via.CloseIdleConnections()
		g.Close()
		slices.Sort(log)
		return log
	}
}

func ask(t *testing.T, c *http.Client, address string) string {
	t.Helper()
	res, err := c.Post(address, "text/plain", strings.NewReader("question"))
	if err != nil {
		return err.Error()
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	return fmt.Sprintf("%d %s", res.StatusCode, strings.TrimSpace(string(text)))
}

func TestRequests(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://elsewhere.invalid/", http.StatusFound)
			return
		}
		fmt.Fprintf(w, "%s to %s", text, r.Host)
	}))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	unused := "127.0.0.1:1"
	client, address, end := proxied(t, host, unused)

	if got, want := ask(t, client, server.URL), "200 question to "+host; got != want {
		t.Errorf("plain: %q, want %q", got, want)
	}
	if got := ask(t, client, other.URL); !strings.HasPrefix(got, "403") {
		t.Errorf("another host: %q", got)
	}
	if got := ask(t, client, server.URL+"/away"); !strings.HasPrefix(got, "403 elsewhere.invalid:80 is not among") {
		t.Errorf("a redirection: %q", got)
	}
	if got := ask(t, client, "https://api.example.com/"); !strings.Contains(got, "Forbidden") {
		t.Errorf("a tunnel to another host: %q", got)
	}
	if got := ask(t, client, "http://"+unused); !strings.HasPrefix(got, "502") {
		t.Errorf("a host that is down: %q", got)
	}
	if got, want := tunnelled(t, address, host), "200 question to "+host; got != want {
		t.Errorf("a tunnel: %q, want %q", got, want)
	}
	answered := fmt.Sprintf(" granted, 8 bytes sent, %d received", len("question to "+host))
	want := []string{
		unused + " granted, but not reached: connect: connection refused",
		host + answered,
		host + " granted, 8 bytes sent, 0 received", // the redirection
		strings.TrimPrefix(other.URL, "http://") + " refused: the host is not granted",
		"api.example.com:443 refused: the host is not granted",
		"elsewhere.invalid:80 refused: the host is not granted",
	}
	got := end()
	tunnel := slices.DeleteFunc(slices.Clone(got), func(line string) bool { return slices.Contains(want, line) })
	if len(got) != len(want)+1 || len(tunnel) != 1 || !strings.HasPrefix(tunnel[0], host+" granted, 1") {
		t.Errorf("the log is %q, want %q and a tunnel", got, want)
	}
}

// tunnelled asks through a tunnel, as clients do for https.
func tunnelled(t *testing.T, proxy, host string) string {
	t.Helper()
	conn, err := net.Dial("tcp", proxy)
	fatal.If(t, err)
	defer conn.Close()
	fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", host, host)
	in := bufio.NewReader(conn)
	res, err := http.ReadResponse(in, &http.Request{Method: http.MethodConnect})
	if err != nil || res.StatusCode != http.StatusOK {
		return fmt.Sprint(res, err)
	}
	return ask(t, &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(context.Context, string, string) (net.Conn, error) {
		return conn, nil
	}}}, "http://"+host)
}

func TestAddress(t *testing.T) {
	for given, want := range map[string]string{
		"api.example.com": "api.example.com:443", "API.example.com.:8443": "api.example.com:8443", "127.0.0.1:4020": "127.0.0.1:4020",
		"[::1]:80": "[::1]:80", "::1": "[::1]:443", "localhost:1": "localhost:1",
		"": "", "https://a.example": "", "a.example/path": "", "*.example.com": "", "a.example:0": "", "a.example:99999": "", "a b": "", "u@h": "",
	} {
		if got, err := gateway.Address(given); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", given, got, err, want)
		}
	}
}
