package fleet

import (
	"strings"
	"testing"
)

// No printed address contains a token or password, or a part of one, and a worker's command line has a
// placeholder instead.
func TestAddressesWithoutSecrets(t *testing.T) {
	for _, x := range []struct{ address, shown, start string }{
		{"nats://h:4222", "nats://h:4222", "nats://h:4222"},
		{"h", "nats://h", "nats://h"},
		{"127.0.0.1:4222", "nats://127.0.0.1:4222", "nats://127.0.0.1:4222"},
		{"s3cret@h:4222", "nats://h:4222", "nats://TOKEN@h:4222"},
		{"u:s3cret@h:4222", "nats://h:4222", "nats://TOKEN@h:4222"},
		{"tls://s3cret@h:4222/, u:s3cret@i", "tls://h:4222,nats://i", "tls://TOKEN@h:4222,nats://TOKEN@i"},
		{"nats://u:s3c@ret@[::1]:1", "nats://[::1]:1", "nats://TOKEN@[::1]:1"},
		{"nats://h:4222:s3cret@i", "nats://i", "nats://TOKEN@i"},
		{"nats://h:1/s3cret?token=s3cret", "nats://h:1", "nats://h:1"},
		{"nats://s3c%2Fret@h:1", "nats://h:1", "nats://TOKEN@h:1"},
	} {
		if _, err := parseAddresses(x.address); err != nil {
			t.Errorf("%s: %v", x.address, err)
		}
		c := &Client{o: ClientOptions{Link: Link{URL: x.address}}}
		if got := withoutSecrets(x.address); got != x.shown {
			t.Errorf("%s is shown as %s", x.address, got)
		}
		if got := c.address(); got != x.start {
			t.Errorf("%s: a worker is started with %s", x.address, got)
		}
		if got, want := HasSecret(x.address), strings.Contains(x.start, "TOKEN"); got != want {
			t.Errorf("%s has a secret: %v", x.address, got)
		}
	}
}

// A token or password that is not percent-encoded is neither used nor printed.
func TestAddressesThatAreNone(t *testing.T) {
	for address, shown := range map[string]string{
		"nats://us:s3/cret@h:4222":        "…@h:4222",
		"nats://us:s3#cret@h:4222":        "…@h:4222",
		"nats://us:s3?cret@h:4222":        "…@h:4222",
		"nats://us:s3 cret@h:4222":        "…@h:4222",
		"nats://us:s3%zzcret@h:4222":      "…@h:4222",
		"nats://us:s3]cret@h:4222":        "…@h:4222",
		"nats://us:s3,cret@h:4222":        "…@h:4222",
		"nats://us:cret@s3/x@h:4222":      "…@h:4222",
		"nats://s3/cret@h:4222":           "…@h:4222",
		"nats://s3#cret@h:4222":           "…@h:4222",
		"s3/cret@h:4222":                  "…@h:4222",
		"nats://us:s3/cret@h:1,nats://i:": "…@h:1,nats://i:",
		"nats://us:s3cret":                "…",
		"nats://:4222":                    "…",
	} {
		_, err := dial(t.Context(), Link{URL: address})
		if err == nil || !strings.HasPrefix(err.Error(), shown+" is not the URL of a NATS server: ") || !strings.Contains(err.Error(), "percent-encode") {
			t.Errorf("%s: %v", address, err)
		}
		c := &Client{o: ClientOptions{Link: Link{URL: address}}}
		if err != nil && strings.Contains(err.Error(), "s3") || strings.Contains(c.address(), "s3") || strings.Contains(c.address(), "cret") {
			t.Errorf("%s: a part of it is in %v, or in %s", address, err, c.address())
		}
	}
}
