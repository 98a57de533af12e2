package serve_test

import (
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"assay/data/fatal"
	"assay/tui/serve"
	"assay/tui/serve/servetest"
)

func TestSignIn(t *testing.T) {
	h := keep(t, serve.Limits{})
	ann := h.comes("ann")
	h.types(ann, "hello")
	h.sees(ann, "<hello>")
	owner := h.comes("owner")
	h.sees(owner, "owner true")
	for way, auth := range map[string]ssh.AuthMethod{
		"a question": ssh.KeyboardInteractive(func(_, instruction string, questions []string, echos []bool) ([]string, error) {
			if instruction != "hello" || len(questions) != 1 || !echos[0] {
				return nil, fmt.Errorf("asked %q, %q, %v", instruction, questions, echos)
			}
			return []string{strings.ToLower(strings.ReplaceAll(h.codes["cai"], "-", " "))}, nil
		}),
		"a password": ssh.Password(h.codes["cai"]),
	} {
		g, err := servetest.ComeIn(h.address, servetest.Config("whoever", auth))
		if err != nil {
			t.Fatalf("%s: %v", way, err)
		}
		h.sees(g, "pad of cai", "owner false")
		g.Close()
	}
}

func TestStrangers(t *testing.T) {
	h := keep(t, serve.Limits{})
	if _, _, err := servetest.Connect("", h.address, h.config("stranger")); err == nil {
		t.Error("an unknown key came in")
	}
	tries := 0
	wrong := ssh.RetryableAuthMethod(ssh.PasswordCallback(func() (string, error) {
		tries++
		return fmt.Sprintf("%016d", tries), nil
	}), 100)
	for range 3 {
		if _, _, err := servetest.Connect("", h.address, servetest.Config("ann", wrong)); err == nil {
			t.Fatal("a guessed code came in")
		}
	}
	if tries > 3*13 {
		t.Errorf("%d codes were tried on three connections", tries)
	}
	if !strings.Contains(h.logged(), `"closed":true`) {
		t.Errorf("no connection was closed:\n%s", h.logged())
	}
	before := tries
	if _, _, err := servetest.Connect("", h.address, servetest.Config("ann", wrong)); err == nil || tries != before+1 {
		t.Errorf("after ten wrong codes %d more were tried on one connection, %v", tries-before, err)
	}
	// Who comes from the same address with the right one is let in.
	client, _, err := servetest.Connect("", h.address, servetest.Config("cai", ssh.Password(h.codes["cai"])))
	if err != nil {
		t.Fatalf("a right code is refused after wrong ones: %v", err)
	}
	client.Close()
	if strings.Contains(h.logged(), h.codes["cai"]) || strings.Contains(h.logged(), "0000000000000001") {
		t.Error("a code is in the log")
	}
	h.works()
}

// A class behind one address comes in by codes at the same time: right ones do not count.
func TestRightCodesAreNotSlowed(t *testing.T) {
	h := keep(t, serve.Limits{})
	for range 40 {
		if g, ok, _ := h.door.ByCode("192.0.2.1", h.codes["cai"]); !ok || g.Name != "cai" {
			t.Fatal(ok)
		}
	}
	// From very many addresses codes are tried: cai is let in from his own.
	for i := range 30_000 {
		_, _, _ = h.door.ByCode(fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255), "wrong")
	}
	if _, ok, _ := h.door.ByCode("192.0.2.1", h.codes["cai"]); !ok {
		t.Error("strangers keep a guest out")
	}
	for i := range 20 {
		if _, ok, tooMany := h.door.ByCode("192.0.2.9", fmt.Sprint("wrong", i)); ok || tooMany != (i >= 10) {
			t.Errorf("try %d: %t, %t", i, ok, tooMany)
		}
	}
	if _, ok, _ := h.door.ByCode("192.0.2.9", h.codes["cai"]); !ok {
		t.Error("wrong codes keep a right one out")
	}
}

// A client that knows only what is out of date is refused; each way that is not is open.
func TestAlgorithms(t *testing.T) {
	h := keep(t, serve.Limits{})
	connect := func(set func(*ssh.ClientConfig)) error {
		c := h.config("bob")
		set(c)
		client, _, err := servetest.Connect("", h.address, c)
		if err == nil {
			client.Close()
		}
		return err
	}
	for _, old := range []string{ssh.HMACSHA1, ssh.InsecureHMACSHA196} {
		err := connect(func(c *ssh.ClientConfig) { c.Ciphers, c.MACs = []string{ssh.CipherAES128CTR}, []string{old} })
		if err == nil {
			t.Errorf("the server takes %s", old)
		}
	}
	for _, old := range ssh.InsecureAlgorithms().KeyExchanges {
		if connect(func(c *ssh.ClientConfig) { c.KeyExchanges = []string{old} }) == nil {
			t.Errorf("the server takes %s", old)
		}
	}
	for _, old := range ssh.InsecureAlgorithms().Ciphers {
		if connect(func(c *ssh.ClientConfig) { c.Ciphers = []string{old} }) == nil {
			t.Errorf("the server takes %s", old)
		}
	}
	for _, good := range []string{ssh.KeyExchangeMLKEM768X25519, ssh.KeyExchangeCurve25519, ssh.KeyExchangeECDHP256, ssh.KeyExchangeDH16SHA512} {
		if err := connect(func(c *ssh.ClientConfig) { c.KeyExchanges = []string{good} }); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
}

// TestAskedAboutKeys: OpenSSH's client asks whether ann's public key is accepted, has no
// secret for it, and signs in with bob's: it is bob who comes in.
func TestAskedAboutKeys(t *testing.T) {
	client, err := exec.LookPath("ssh")
	if err != nil {
		t.Skip("there is no ssh here")
	}
	h := keep(t, serve.Limits{})
	dir := t.TempDir()
	for _, name := range []string{"ann", "owner"} { // the client cannot decrypt them
		block, err := ssh.MarshalPrivateKeyWithPassphrase(h.secrets[name], "", []byte("unknown"))
		fatal.If(t, err)
		fatal.If(t, os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600))
	}
	block, err := ssh.MarshalPrivateKey(h.secrets["bob"], "")
	fatal.If(t, err)
	fatal.If(t, os.WriteFile(filepath.Join(dir, "bob"), pem.EncodeToMemory(block), 0o600))
	host, port, err := net.SplitHostPort(h.address)
	fatal.If(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, client, "-F", "none", "-v", "-tt", "-p", port, "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none",
		"-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-i", filepath.Join(dir, "ann"), "-i", filepath.Join(dir, "owner"), "-i", filepath.Join(dir, "bob"), "ann@"+host)
	cmd.Env = append(os.Environ(), "TERM=vt100")
	keys, err := cmd.StdinPipe()
	fatal.If(t, err)
	var says bytes.Buffer
	cmd.Stderr = &says
	fatal.If(t, cmd.Start())
	h.until("somebody who came in", func() bool { return strings.Contains(h.logged(), `"came in"`) })
	keys.Close()
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if n := strings.Count(says.String(), "Server accepts key"); n != 3 {
		t.Errorf("%d keys were asked about:\n%s", n, says.String())
	}
	if !strings.Contains(h.logged(), `"msg":"came in","guest":"bob","owner":false`) {
		t.Errorf("the log says\n%s", h.logged())
	}
}

func TestUserNames(t *testing.T) {
	h := keep(t, serve.Limits{})
	for _, user := range []string{"\x1b[2J\x1b]0;title\x07", "a\nb", "\u009b31m", strings.Repeat("x", 100_000), "\xff\xfe", "", "ann"} {
		if _, _, err := servetest.Connect("", h.address, servetest.Config(user, ssh.Password("wrong"))); err == nil {
			t.Errorf("%.20q came in", user)
		}
		g, err := servetest.ComeIn(h.address, servetest.Config(user, ssh.PublicKeys(h.signers["bob"])))
		fatal.If(t, err)
		h.sees(g, "pad of bob") // the key says who it is, not the name
		g.Close()
	}
	if strings.Contains(h.logged(), strings.Repeat("x", 500)) || !strings.Contains(h.logged(), `\\x1b[2J`) {
		t.Errorf("the log has\n%.3000s", h.logged())
	}
}

// Whoever says something else than SSH, or nothing, is put out.
func TestNoHandshake(t *testing.T) {
	h := keep(t, serve.Limits{SignIn: 50 * time.Millisecond})
	for _, text := range []string{"", "GET / HTTP/1.1\r\n\r\n", strings.Repeat("a", 1<<20), "SSH-2.0-x\r\n", "SSH-2.0-x\r\n\xff\xff\xff\xff" + strings.Repeat("z", 300_000),
		"SSH-1.0-x\r\n", "SSH-2.0-x\r\n\x00\x00\x00\x05\x01", "\x00\x00\x00\x00\x00"} {
		conn, err := net.Dial("tcp", h.address)
		fatal.If(t, err)
		go func() { _, _ = conn.Write([]byte(text)) }()
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		for buffer := make([]byte, 4096); ; {
			if _, err := conn.Read(buffer); err != nil {
				if errors.Is(err, os.ErrDeadlineExceeded) {
					t.Errorf("%.20q: the connection stays open", text)
				}
				break
			}
		}
		conn.Close()
	}
	// Signed in, and then asking for nothing.
	client, _, err := servetest.Connect("", h.address, h.config("ann"))
	fatal.If(t, err)
	_ = client.Wait() // it is put out
	h.works()
}

func TestTooManyConnections(t *testing.T) {
	h := keep(t, serve.Limits{PerAddress: 5})
	var open []net.Conn
	refused := 0
	for range 20 {
		conn, err := net.Dial("tcp", h.address)
		fatal.If(t, err)
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		if _, err := conn.Read(make([]byte, 4)); err != nil {
			refused++
		}
		open = append(open, conn)
	}
	if refused != 15 {
		t.Errorf("%d of 20 connections were refused", refused)
	}
	g, _, err := servetest.Connect("127.0.0.2", h.address, h.config("bob"))
	if err != nil {
		t.Errorf("another address is refused, too: %v", err)
	} else {
		g.Close()
	}
	for _, conn := range open {
		conn.Close()
	}
	h.until("room", func() bool { return h.server.Counts.Connections.Load() == 0 })
	h.works()
}

func TestKeysFile(t *testing.T) {
	_, key, err := servetest.Key()
	fatal.If(t, err)
	line := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key.PublicKey())))
	for text, want := range map[string]string{
		"\n# nobody\nssh-ed25519 AAAA ann":        "keys:3: this is no public key",
		line:                                      "keys:1: the key has no name",
		line + " a\x1b[1m":                        "can be no pseudonym",
		"command=\"sh\" " + line + " ann":         `the option "command=\"sh\"" is not known`,
		line + " ann\n" + line + " bob":           "keys:2: this key is there already",
		line + " " + strings.Repeat("a", 61):      "can be no pseudonym",
		"-----BEGIN OPENSSH PRIVATE KEY-----\nb3": "keys:1: this is no public key",
	} {
		err := serve.NewDoor(time.Now).AddKeys("keys", strings.NewReader(text), false)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestHostKey(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "host")
	door := serve.NewDoor(time.Now)
	if _, err := serve.New(serve.Options{HostKey: path, Door: door}); err == nil || !strings.Contains(err.Error(), "nobody could come in") {
		t.Error(err)
	}
	if _, err := serve.Invite(filepath.Join(dir, "invitations"), "ann", time.Now()); err != nil {
		t.Fatal(err)
	}
	fatal.If(t, door.AddInvitations(filepath.Join(dir, "invitations")))
	if _, err := serve.New(serve.Options{HostKey: path, Door: door}); err != nil {
		t.Fatal(err)
	}
	first := fatal.Read(t, path)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the host key has the rights %v, %v", info.Mode(), err)
	}
	if _, err := serve.New(serve.Options{HostKey: path, Door: door}); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(path); err != nil || string(again) != string(first) {
		t.Error("the host key is another after the second start", err)
	}
	fatal.If(t, os.WriteFile(path, []byte("damaged"), 0o600))
	if _, err := serve.New(serve.Options{HostKey: path, Door: door}); err == nil || !strings.Contains(err.Error(), "host key") {
		t.Errorf("a damaged host key: %v", err)
	}
}

// Owners have a place for each key: neither without names nor by the same one do they put
// each other out. One who comes again takes over.
func TestOwnersStayTogether(t *testing.T) {
	h := keep(t, serve.Limits{})
	var owners []*servetest.Guest
	for i, name := range []string{"", "", " me@laptop", " me@laptop"} {
		_, signer, err := servetest.Key()
		fatal.If(t, err)
		line := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(signer.PublicKey()))) + name
		fatal.If(t, h.door.AddKeys("owners", strings.NewReader(line), true))
		h.signers[fmt.Sprint(i)] = signer
	}
	for i := range 4 {
		g, err := servetest.ComeIn(h.address, h.config(fmt.Sprint(i)))
		fatal.If(t, err)
		h.sees(g, "owner true")
		owners = append(owners, g)
	}
	for i, g := range owners {
		h.types(g, fmt.Sprint("here", i))
		h.sees(g, fmt.Sprintf("<here%d>", i))
	}
	if n := h.server.Counts.TakenOver.Load(); n != 0 {
		t.Errorf("%d were put out", n)
	}
	if g, ok := h.door.ByKey(h.signers["0"].PublicKey()); !ok || !strings.HasPrefix(g.Key, g.Name) || len(g.Name) != 15 {
		t.Errorf("%+v", g)
	}
	again, err := servetest.ComeIn(h.address, h.config("0"))
	fatal.If(t, err)
	h.sees(again, "owner true")
	if err := owners[0].Ends(patience); err != nil || h.server.Counts.TakenOver.Load() != 1 {
		t.Error("the same owner is there twice", err)
	}
	for _, g := range append(owners, again) {
		g.Close()
	}
}
