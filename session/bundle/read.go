package bundle

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// errNewer is wrapped by the error for a bundle in a newer format.
var errNewer = errors.New("the bundle has a newer format")

// What to do about a bundle that is not as it was written.
const (
	another  = "get the file again from where it was published"
	repacked = "verify the file as it was exported, not unpacked and packed again"
)

// gzipHeader is the start of a bundle, which gzip's checksum does not cover.
var gzipHeader = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}

// Read reads a bundle into memory, and accepts it only if it is complete and unaltered: every byte is as
// Write wrote it, the manifest and the files agree, every log has an unbroken hash chain, and all texts
// that the logs refer to are present. Errors name the file in the bundle and what to do.
func Read(r io.Reader) (*Bundle, error) { return read(r, defaultLimits) }

func read(r io.Reader, l limits) (*Bundle, error) {
	taken := &tapped{from: r}
	in := bufio.NewReader(taken)
	head, err := in.Peek(len(gzipHeader))
	if err != nil && err != io.EOF {
		return nil, err
	}
	if !bytes.HasPrefix(head, gzipHeader[:2]) {
		return nil, errors.New("it is not a bundle: name a file that 'assay session export --bundle' wrote")
	}
	if !bytes.Equal(head, gzipHeader) {
		return nil, fmt.Errorf("its first bytes are not those of a bundle: it was altered, cut short or compressed by another program; %s", another)
	}
	zip, err := gzip.NewReader(in)
	if err != nil {
		return nil, damaged("at its beginning", err)
	}
	zip.Multistream(false)
	manifest, files, err := readTar(&bounded{from: zip, left: l.total, most: func() int64 { return l.free + l.ratio*taken.n }}, l)
	if err != nil {
		return nil, err
	}
	if _, err := in.ReadByte(); err != io.EOF {
		return nil, fmt.Errorf("there is data after the end of the bundle; %s", another)
	}
	return check(manifest, files)
}

// damaged returns the error for a file that cannot be read further.
func damaged(where string, err error) error {
	if errors.Is(err, errTooLarge) {
		return err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("it is cut short %s; %s", where, another)
	}
	return fmt.Errorf("it is damaged %s (%w); %s", where, err, another)
}

var errTooLarge = errors.New("too large")

// tapped counts the bytes read.
type tapped struct {
	from io.Reader
	n    int64
}

func (t *tapped) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	t.n += int64(n)
	return n, err
}

// bounded reads at most left bytes, and at any time at most as many as most returns.
type bounded struct {
	from io.Reader
	left int64
	read int64
	most func() int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 || b.read > b.most() {
		return 0, fmt.Errorf("it unpacks to more than a bundle may hold (%w): it was not written by assay", errTooLarge)
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.left)])
	b.left, b.read = b.left-int64(n), b.read+int64(n)
	return n, err
}

// readTar reads the files of an unpacked bundle and checks that nothing else is in it: writing them again
// must give the same bytes.
func readTar(r io.Reader, l limits) (manifest []byte, files map[string][]byte, err error) {
	sum := sha256.New()
	stream := io.TeeReader(r, sum)
	archive := tar.NewReader(stream)
	files = map[string][]byte{}
	where := "at its beginning"
	for {
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, damaged(where, err)
		}
		name := header.Name
		if manifest == nil && name != manifestName {
			return nil, nil, fmt.Errorf("it is not a bundle: it begins with %q, not with %s; name a file that 'assay session export --bundle' wrote", name, manifestName)
		}
		if err := acceptable(header, l); err != nil {
			return nil, nil, err
		}
		if _, twice := files[name]; twice || manifest != nil && name == manifestName {
			return nil, nil, fmt.Errorf("it holds %s twice: it was not written by assay; %s", name, another)
		}
		if len(files)+1 >= l.files {
			return nil, nil, fmt.Errorf("it has more than %d files: it was not written by assay", l.files)
		}
		// The header only claims this size, but the system allocates pages as bytes arrive.
		text := make([]byte, header.Size)
		_, err = io.ReadFull(archive, text)
		if err != nil {
			return nil, nil, damaged("in "+name, err)
		}
		where = "after " + name
		if manifest != nil {
			files[name] = text
			continue
		}
		if manifest = text; len(text) == 0 {
			return nil, nil, fmt.Errorf("%s is empty; %s", manifestName, another)
		}
		if err := checkFormat(manifest); err != nil {
			return nil, nil, err
		}
	}
	if manifest == nil {
		return nil, nil, fmt.Errorf("it is not a bundle: it holds no %s; name a file that 'assay session export --bundle' wrote", manifestName)
	}
	// The checksum of the compressed data comes at the very end.
	if _, err := io.Copy(io.Discard, stream); err != nil {
		return nil, nil, damaged(where, err)
	}
	again := sha256.New()
	if err := writeTar(again, manifest, files); err != nil {
		return nil, nil, err
	}
	if !bytes.Equal(again.Sum(nil), sum.Sum(nil)) {
		return nil, nil, fmt.Errorf("its files differ from assay's layout (order, owner, time or padding): %s", repacked)
	}
	return manifest, files, nil
}

// acceptable rejects entries that no bundle contains, before reading a byte of them.
func acceptable(h *tar.Header, l limits) error {
	switch {
	case h.Typeflag != tar.TypeReg:
		return fmt.Errorf("%q is a %s: a bundle holds regular files only; %s", h.Name, kindOf(h.Typeflag), another)
	case !allowed(h.Name):
		return fmt.Errorf("it holds a file named %q, which no bundle contains; %s", h.Name, another)
	case h.Format != tar.FormatUSTAR:
		return fmt.Errorf("%s has a header that assay does not write: %s", h.Name, repacked)
	case h.Size > l.file:
		return fmt.Errorf("%s claims %d bytes, and the limit of a file in a bundle is %d; %s", h.Name, h.Size, l.file, another)
	}
	return nil
}

// kindOf names the type of an entry that is not a regular file.
func kindOf(flag byte) string {
	return cmp.Or(map[byte]string{
		tar.TypeLink:    "link",
		tar.TypeSymlink: "symbolic link",
		tar.TypeChar:    "device",
		tar.TypeBlock:   "device",
		tar.TypeDir:     "folder",
		tar.TypeFifo:    "named pipe",
	}[flag], fmt.Sprintf("special entry (type %q)", flag))
}

// checkFormat rejects formats that this version cannot read, before the rest is checked: a newer format may
// use other file names.
func checkFormat(manifest []byte) error {
	var m struct {
		Format *int   `json:"assay_bundle"`
		Assay  string `json:"assay"`
	}
	if err := json.Unmarshal(manifest, &m); err != nil {
		return fmt.Errorf("%s cannot be read (%w); %s", manifestName, err, another)
	}
	switch {
	case m.Format == nil:
		return fmt.Errorf("it is not a bundle: %s has no assay_bundle; name a file that 'assay session export --bundle' wrote", manifestName)
	case *m.Format > Format:
		return fmt.Errorf("%w, %d, but this version reads %d: verify it with assay %.40q, which wrote it, or a newer one", errNewer, *m.Format, Format, m.Assay)
	case *m.Format != Format:
		return fmt.Errorf("%s has the format %d, which never existed; %s", manifestName, *m.Format, another)
	}
	return nil
}
