package fleet

import (
	"errors"
	"net/url"
	"strings"
)

// errAddress is the error of a URL that cannot be read. It says nothing of what is in it, since
// that may be part of a token or password.
var errAddress = errors.New("give nats://HOST:PORT or tls://HOST:PORT, and percent-encode the characters of a token or password: / is %2F, # is %23, ? is %3F, % is %25, a comma is %2C")

// parseAddresses reads the URLs of servers, with commas between them, as NATS does: one without
// a scheme is nats://. One in which a token or password may have been taken for a host or path
// is refused.
func parseAddresses(addresses string) ([]*url.URL, error) {
	var list []*url.URL
	for text := range strings.SplitSeq(addresses, ",") {
		text = strings.TrimSuffix(strings.TrimSpace(text), "/")
		if text == "" {
			continue
		}
		if !strings.Contains(text, "://") {
			text = "nats://" + text
		}
		u, err := url.Parse(text)
		if err != nil || u.Hostname() == "" || strings.Contains(u.EscapedPath()+u.RawQuery+u.EscapedFragment(), "@") {
			return nil, errAddress
		}
		list = append(list, u)
	}
	return list, nil
}

// HasSecret reports whether the URLs of servers have a token or password in them.
func HasSecret(addresses string) bool { return strings.Contains(addresses, "@") }

// withoutSecrets is the URLs of servers as they may be shown.
func withoutSecrets(addresses string) string { return withUser(addresses, nil) }

// withUser is the URLs of servers with something else in place of what is secret.
func withUser(addresses string, user *url.Userinfo) string {
	list, err := parseAddresses(addresses)
	if err != nil { // what follows the last @ is not secret, whatever was meant; without one all may be
		if at := strings.LastIndex(addresses, "@"); at >= 0 {
			return "…" + addresses[at:]
		}
		return "…"
	}
	var shown []string
	for _, u := range list {
		plain := url.URL{Scheme: u.Scheme, Host: u.Host}
		if u.User != nil {
			plain.User = user
		}
		shown = append(shown, plain.String())
	}
	return strings.Join(shown, ",")
}
