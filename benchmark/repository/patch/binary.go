package patch

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// binary is git's binary patch of a file: its new content, or a delta against the old one.
type binary struct {
	delta   bool
	content []byte // unpacked
}

// base85 are git's digits.
const base85 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"

var base85Value = func() (values [256]int) {
	for i := range values {
		values[i] = strings.IndexByte(base85, byte(i))
	}
	return values
}()

// binaryContent reads a binary patch, if one follows the header.
func (p *gitParser) binaryContent(c *change) error {
	line := p.peek()
	fail := func(text string) error {
		return &Failure{Reason: Binary, Path: c.path(), Line: p.line, Text: text}
	}
	switch {
	case bytes.HasPrefix(line, []byte("Binary files ")), bytes.HasPrefix(line, []byte("Files ")) && bytes.HasSuffix(line, []byte(" differ\n")):
		return fail("the diff only says that a binary file differs, without its content: write it with git diff --binary")
	case !bytes.Equal(bytes.TrimRight(line, "\n"), []byte("GIT binary patch")):
		return nil
	}
	p.skip()
	forward, err := p.binaryHunk()
	if err != nil {
		return fail(err.Error())
	}
	if forward == nil {
		return fail("the binary patch is malformed")
	}
	c.binary = forward
	if _, err := p.binaryHunk(); err != nil { // the way back, which is not used
		return fail(err.Error())
	}
	return nil
}

// binaryHunk reads "literal" or "delta" with its data; nil if there is none.
func (p *gitParser) binaryHunk() (*binary, error) {
	kind, size, _ := strings.Cut(strings.TrimSuffix(string(p.peek()), "\n"), " ")
	want, err := strconv.Atoi(size)
	if kind != "literal" && kind != "delta" || err != nil || want < 0 {
		return nil, nil
	}
	if want > maxFile {
		return nil, fmt.Errorf("the binary patch unpacks to more than %d MB", maxFile>>20)
	}
	b := &binary{delta: kind == "delta"}
	p.skip()
	var packed []byte
	for !p.done() && len(p.peek()) > 1 {
		if packed, err = base85Line(packed, bytes.TrimSuffix(p.peek(), []byte("\n"))); err != nil {
			return nil, err
		}
		p.skip()
	}
	p.skip() // the blank line
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("the binary patch cannot be unpacked: %w", err)
	}
	if b.content, err = io.ReadAll(io.LimitReader(z, int64(want)+1)); err != nil {
		return nil, fmt.Errorf("the binary patch cannot be unpacked: %w", err)
	}
	if len(b.content) != want {
		return nil, fmt.Errorf("the binary patch does not unpack to the %d bytes that it announces", want)
	}
	return b, nil
}

// base85Line decodes a line: a letter for the number of bytes, then five digits for every four bytes.
func base85Line(to, line []byte) ([]byte, error) {
	var n int
	switch c := line[0]; {
	case c >= 'A' && c <= 'Z':
		n = int(c-'A') + 1
	case c >= 'a' && c <= 'z':
		n = int(c-'a') + 27
	}
	digits := line[1:]
	if n == 0 || len(digits) != (n+3)/4*5 {
		return nil, fmt.Errorf("a line of the binary patch has the wrong length")
	}
	for len(digits) > 0 {
		var v uint64
		for _, d := range digits[:5] {
			if base85Value[d] < 0 {
				return nil, fmt.Errorf("a line of the binary patch has the invalid character %q", d)
			}
			v = 85*v + uint64(base85Value[d])
		}
		if v > 1<<32-1 {
			return nil, fmt.Errorf("a line of the binary patch has invalid digits")
		}
		group := []byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}
		to = append(to, group[:min(n, 4)]...)
		n, digits = n-4, digits[5:]
	}
	return to, nil
}

// apply returns the new content.
func (b *binary) apply(old []byte) ([]byte, error) {
	if !b.delta {
		return b.content, nil
	}
	bad := fmt.Errorf("the delta of the binary patch is malformed")
	from, delta, ok := deltaSize(b.content)
	if !ok || from != len(old) {
		return nil, fmt.Errorf("the binary patch is for a file of another size")
	}
	to, delta, ok := deltaSize(delta)
	if !ok || to > maxFile {
		return nil, bad
	}
	out := make([]byte, 0, to)
	for len(delta) > 0 {
		op := delta[0]
		delta = delta[1:]
		if op&0x80 == 0 { // insert
			if op == 0 || int(op) > len(delta) {
				return nil, bad
			}
			out, delta = append(out, delta[:op]...), delta[op:]
			continue
		}
		var offset, size int
		for i := range 7 {
			if op&(1<<i) == 0 {
				continue
			}
			if len(delta) == 0 {
				return nil, bad
			}
			if i < 4 {
				offset |= int(delta[0]) << (8 * i)
			} else {
				size |= int(delta[0]) << (8 * (i - 4))
			}
			delta = delta[1:]
		}
		size = cmp.Or(size, 0x10000)
		if offset+size > len(old) || len(out)+size > to {
			return nil, bad
		}
		out = append(out, old[offset:offset+size]...)
	}
	if len(out) != to {
		return nil, bad
	}
	return out, nil
}

// deltaSize reads a size at the start of a delta.
func deltaSize(data []byte) (n int, rest []byte, ok bool) {
	for i, c := range data {
		if i > 4 {
			break
		}
		n |= int(c&0x7f) << (7 * i)
		if c&0x80 == 0 {
			return n, data[i+1:], true
		}
	}
	return 0, nil, false
}

// blobID is git's id of a content.
func blobID(data []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// writeBinary writes the new content as `git diff --binary` does, and the old one as the way back.
func writeBinary(to *bytes.Buffer, old, new []byte) {
	to.WriteString("GIT binary patch\n")
	for _, data := range [][]byte{new, old} {
		fmt.Fprintf(to, "literal %d\n", len(data))
		var packed bytes.Buffer
		z := zlib.NewWriter(&packed)
		z.Write(data) // a buffer does not fail
		z.Close()
		for packed.Len() > 0 {
			line := packed.Next(52)
			if n := len(line); n <= 26 {
				to.WriteByte(byte('A' + n - 1))
			} else {
				to.WriteByte(byte('a' + n - 27))
			}
			for len(line) > 0 {
				var group [4]byte
				line = line[copy(group[:], line):]
				v := uint32(group[0])<<24 | uint32(group[1])<<16 | uint32(group[2])<<8 | uint32(group[3])
				var digits [5]byte
				for i := 4; i >= 0; i-- {
					digits[i] = base85[v%85]
					v /= 85
				}
				to.Write(digits[:])
			}
			to.WriteByte('\n')
		}
		to.WriteByte('\n')
	}
}
