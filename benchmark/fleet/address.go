package fleet

import (
	"errors"
	"net/url"
	"strings"
)

// errAddress is the error for an unreadable URL. It does not quote the URL, which may contain part of a
// token or password.
var errAddress = errors.New("give nats://HOST:PORT or tls://HOST:PORT, and percent-encode the characters of a token or password: / is %2F, # is %23, ? is %3F, % is %25, a comma is %2C")

// parseAddresses parses server URLs separated by commas, like NATS: the default scheme is nats://. It
// rejects a URL in which a token or password may have been parsed as host or path.
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

// HasSecret reports whether server URLs contain a token or password.
func HasSecret(addresses string) bool { return strings.Contains(addresses, "@") }

// withoutSecrets returns server URLs in a form that may be shown.
func withoutSecrets(addresses string) string { return withUser(addresses, nil) }

// withUser returns server URLs with user in place of their secrets.
func withUser(addresses string, user *url.Userinfo) string {
	list, err := parseAddresses(addresses)
	if err != nil { // the text after the last @ cannot be secret; without @ all of it may be
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
