package format

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"
)

// maxHidden is the largest size of a task's hidden tests when unpacked, in bytes.
const maxHidden = 128 << 20

// unpickled decodes a text that was pickled, compressed by zlib and encoded in base64.
func unpickled(text string) (string, error) {
	packed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return "", fmt.Errorf("it is not base64: %w", err)
	}
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", fmt.Errorf("it is not zlib-compressed: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(z, maxHidden+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("it cannot be unpacked: %w", err)
	case len(data) > maxHidden:
		return "", errors.New("it unpacks to more than 128 MB")
	}
	return pickledText(data)
}

// pickledText decodes a pickle that contains a single string and nothing else: pickles can call anything,
// so none is ever executed. The opcodes are those of Python's pickletools.
func pickledText(data []byte) (string, error) {
	const (
		proto, frame          = 0x80, 0x95
		short, long, huge     = 0x8c, 'X', 0x8d // strings whose length takes 1, 4 or 8 bytes
		memoize, put, longPut = 0x94, 'q', 'r'
		stop                  = '.'
	)
	text, found := "", false
	next := func(n uint64) ([]byte, error) {
		if n > uint64(len(data)) {
			return nil, errors.New("the pickle is truncated")
		}
		part := data[:n]
		data = data[n:]
		return part, nil
	}
	for {
		op, err := next(1)
		if err != nil {
			return "", err
		}
		var skip, width uint64
		switch op[0] {
		case proto, put:
			skip = 1
		case longPut:
			skip = 4
		case frame:
			skip = 8
		case memoize:
		case short:
			width = 1
		case long:
			width = 4
		case huge:
			width = 8
		case stop:
			if !found || len(data) > 0 {
				return "", errors.New("the pickle does not hold exactly one string")
			}
			return text, nil
		default:
			return "", fmt.Errorf("the pickle holds something other than a string (opcode 0x%02x)", op[0])
		}
		if _, err := next(skip); err != nil {
			return "", err
		}
		if width == 0 {
			continue
		}
		size, err := next(width)
		if err != nil {
			return "", err
		}
		part, err := next(binary.LittleEndian.Uint64(append(slices.Clone(size), make([]byte, 8-width)...)))
		switch {
		case err != nil:
			return "", err
		case found:
			return "", errors.New("the pickle holds several strings")
		case !utf8.Valid(part):
			return "", errors.New("the string in the pickle is not UTF-8")
		}
		text, found = string(part), true
	}
}
