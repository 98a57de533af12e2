package serve

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"assay/data/disk"
)

// Guest is who came in.
type Guest struct {
	Name  string // a tester's pseudonym
	Key   string // the fingerprint of the key that they came in by; "": they came by a code
	Owner bool   // sees how testers get on, and works on no task
}

// Door knows who may come in: by a public key, or by an invitation's code. Wrong codes are
// counted by address; no number of them keeps a right one from being let in.
// It is safe for concurrent use.
type Door struct {
	keys  map[string]Guest // by the key as it is sent
	codes map[[sha256.Size]byte]Guest

	mu  sync.Mutex
	by  map[string]*rate.Limiter // wrong codes, by address
	now func() time.Time
}

// How often a wrong code may be tried. A code is one of 2^80: these limits keep strangers
// from trying busily, and are no part of what makes guessing hopeless.
const (
	triesAtOnce = 10     // wrong codes of one address, before each closes its connection
	triesPerMin = 5      // more that do not, as time passes
	mostKnown   = 10_000 // addresses; with one more all are forgotten
)

// NewDoor returns a door that nobody can come in by.
func NewDoor(now func() time.Time) *Door {
	return &Door{keys: map[string]Guest{}, codes: map[[sha256.Size]byte]Guest{}, by: map[string]*rate.Limiter{}, now: now}
}

// AddKeys lets in who has one of the keys in the format of authorized_keys. A tester's
// name is the comment behind the key; an owner without one is called by the key's
// fingerprint. name is the file's, for errors, which say the line.
func (d *Door) AddKeys(name string, in io.Reader, owner bool) error {
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		key, comment, options, _, err := ssh.ParseAuthorizedKey(line)
		guest := Guest{Name: strings.TrimSpace(comment), Owner: owner}
		switch _, known := d.keys[string(keyOf(key))]; {
		case err != nil:
			return fmt.Errorf("%s:%d: this is no public key: write a line as in authorized_keys, such as ssh-ed25519 AAAA… ann", name, n)
		case len(options) > 0:
			return fmt.Errorf("%s:%d: the option %q is not known here: a line is a type, a key and a name", name, n, options[0])
		case guest.Name == "" && !owner:
			return fmt.Errorf("%s:%d: the key has no name: write the pseudonym of whose it is behind it", name, n)
		case guest.Name != "" && CheckName(guest.Name) != nil:
			return fmt.Errorf("%s:%d: %w", name, n, CheckName(guest.Name))
		case known:
			return fmt.Errorf("%s:%d: this key is there already: a key belongs to one person", name, n)
		}
		guest.Key = ssh.FingerprintSHA256(key)
		if guest.Name == "" {
			guest.Name = guest.Key[:len("SHA256:")+8]
		}
		d.keys[string(keyOf(key))] = guest
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	return nil
}

// keyOf returns a key as it is sent; nil for none.
func keyOf(key ssh.PublicKey) []byte {
	if key == nil {
		return nil
	}
	return key.Marshal()
}

// CheckName says why a name is none that somebody can come in by: one that can be shown and
// written anywhere.
func CheckName(name string) error {
	plain := name != "" && len(name) <= 60
	for _, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		plain = plain && (letter || strings.ContainsRune(" -_.@", r))
	}
	if !plain {
		return fmt.Errorf("%q can be no pseudonym: write letters, digits, spaces and - _ . @, at most 60", name)
	}
	return nil
}

// invitation is a line of a file of invitations. The code itself is kept nowhere.
type invitation struct {
	Guest string    `json:"guest"`
	Code  string    `json:"code_sha256"`
	Made  time.Time `json:"made"`
}

// codeLetters are those of a code, without any that looks like another.
var codeLetters = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

// Invite writes an invitation into a file, which is made if there is none, and returns the
// code: 80 random bits. It is an error if the name has one already.
func Invite(path, name string, now time.Time) (code string, err error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	known, err := readInvitations(path)
	if err != nil {
		return "", err
	}
	for _, i := range known {
		if i.Guest == name {
			return "", fmt.Errorf("%s is invited already: take the line out of %s to invite anew, which makes the old code worthless", name, path)
		}
	}
	secret := make([]byte, 10)
	if _, err := rand.Read(secret); err != nil {
		return "", fmt.Errorf("there are no random numbers here: %w", err)
	}
	text := codeLetters.EncodeToString(secret)
	hash := hashOf(text)
	line, err := json.Marshal(invitation{name, hex.EncodeToString(hash[:]), now.UTC().Truncate(time.Second)})
	if err != nil {
		return "", fmt.Errorf("writing an invitation: %w", err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return "", fmt.Errorf("the file of invitations cannot be written: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", fmt.Errorf("the file of invitations cannot be written: %w", err)
	}
	return text[:4] + "-" + text[4:8] + "-" + text[8:12] + "-" + text[12:], nil
}

// hashOf is that of a code as people may type it.
func hashOf(code string) [sha256.Size]byte {
	code = strings.NewReplacer("-", "", " ", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(code))
	return sha256.Sum256([]byte("assay invitation " + code))
}

// readInvitations reads a file of invitations; none is there if the file is not.
func readInvitations(path string) ([]invitation, error) {
	text, err := disk.ReadFile(path, disk.Settings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the file of invitations cannot be read: %w", err)
	}
	var all []invitation
	for n, line := range strings.Split(string(text), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var i invitation
		if err := json.Unmarshal([]byte(line), &i); err != nil {
			return nil, fmt.Errorf("%s:%d: this is no invitation: %w; 'assay serve invite' makes them", path, n+1, err)
		}
		if raw, err := hex.DecodeString(i.Code); err != nil || len(raw) != sha256.Size || CheckName(i.Guest) != nil {
			return nil, fmt.Errorf("%s:%d: guest or code_sha256 is damaged: take the line out, and invite anew by 'assay serve invite'", path, n+1)
		}
		all = append(all, i)
	}
	return all, nil
}

// AddInvitations lets in who has a code of the file.
func (d *Door) AddInvitations(path string) error {
	all, err := readInvitations(path)
	if err != nil {
		return err
	}
	for _, i := range all {
		raw, err := hex.DecodeString(i.Code)
		if err != nil {
			return fmt.Errorf("%s: the code of %s is damaged: %w", path, i.Guest, err)
		}
		d.codes[[sha256.Size]byte(raw)] = Guest{Name: i.Guest}
	}
	return nil
}

// Knows reports whether somebody can come in by a name, and is no owner.
func (d *Door) Knows(name string) bool {
	for _, g := range d.keys {
		if g.Name == name && !g.Owner {
			return true
		}
	}
	for _, g := range d.codes {
		if g.Name == name {
			return true
		}
	}
	return false
}

// Closed reports whether nobody can come in.
func (d *Door) Closed() bool { return len(d.keys)+len(d.codes) == 0 }

// ByKey is whose key it is.
func (d *Door) ByKey(key ssh.PublicKey) (Guest, bool) {
	g, ok := d.keys[string(keyOf(key))]
	return g, ok
}

// ByCode returns who was invited with a code, and whether it is one wrong code too many from its
// address. A right one is let in whatever was tried before it: a class shares an address, and
// 80 random bits are not guessed.
func (d *Door) ByCode(address, code string) (g Guest, ok, tooMany bool) {
	if g, ok = d.codes[hashOf(code)]; ok {
		return g, true, false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return g, false, !d.wrong(address).AllowN(d.now(), 1)
}

// wrong counts the wrong codes of an address. The caller holds mu.
func (d *Door) wrong(address string) *rate.Limiter {
	if limiter := d.by[address]; limiter != nil {
		return limiter
	}
	if len(d.by) >= mostKnown {
		clear(d.by)
	}
	limiter := rate.NewLimiter(triesPerMin/60.0, triesAtOnce)
	d.by[address] = limiter
	return limiter
}
