package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/data/disk"
)

// Format is the version of the format that this package writes, and the only one that it reads.
const Format = 1

// Names in a bundle.
const (
	manifestName = "manifest.json"
	readmeName   = "README.md"
	sessionsDir  = "sessions/"
	textsDir     = "texts/"
	reportDir    = "report/"
)

// limits limit what is read, and therefore what is written: a small file can unpack to any size.
type limits struct {
	file  int64 // bytes of one file
	total int64 // bytes of the unpacked archive
	files int

	// Beyond free bytes, the unpacked archive must not exceed ratio times the compressed bytes so far. Logs
	// and texts compress about tenfold.
	free, ratio int64
}

// The log of a long session has a few megabytes; a text has at most 64 MB, the store's limit.
var defaultLimits = limits{file: 256 << 20, total: 1 << 30, files: 200_000, free: 64 << 20, ratio: 100}

// Manifest describes a bundle's contents. Everything in it except Assay follows from the files, and is
// checked against them.
type Manifest struct {
	Format int    `json:"assay_bundle"`
	Seal   string `json:"seal"`  // SHA-256 of this manifest with an empty seal
	Assay  string `json:"assay"` // version of the program that wrote the bundle

	// Date is the time of the last event, in UTC: the bundle itself has no date, so that the same sessions
	// give the same bytes.
	Date string `json:"date"`

	Sessions     []Session      `json:"sessions"`     // by id
	Interpreters []string       `json:"interpreters"` // that ran the answers, with versions
	Libraries    []string       `json:"libraries"`    // declared by tasks, with digests
	Report       ReportSettings `json:"report"`
	Study        *Part          `json:"study,omitempty"` // nil: the study's files are not in the bundle
	Files        []File         `json:"files"`           // all other files, by name
}

// Session is what was fixed before a session's first task, and the end of its log.
type Session struct {
	ID        string `json:"id"`
	Benchmark string `json:"benchmark"`
	Filter    string `json:"scenario,omitempty"`
	Tasks     int    `json:"tasks"`
	Model     string `json:"model"`
	Provider  string `json:"provider"`
	ModelID   string `json:"model_id,omitempty"`
	K         int    `json:"k"`
	Level     int    `json:"level"`
	Context   string `json:"context"`
	Seed      uint64 `json:"seed"`
	Assay     string `json:"assay"` // version that opened the session
	OS        string `json:"os"`
	Sandbox   string `json:"sandbox,omitempty"`
	Events    int    `json:"events"`
	Hash      string `json:"hash"` // of the last event, which seals the log
}

// ReportSettings are the settings, besides the logs, that the report's numbers depend on.
type ReportSettings struct {
	Format     int     `json:"format"`
	Confidence float64 `json:"confidence"`

	// Settings of bootstrap intervals, which reports had up to format 2; both are 0 since then.
	Resamples int    `json:"resamples"`
	Seed      uint64 `json:"seed"`
}

// File is one file of a bundle.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// encode returns the canonical form of a manifest.
func (m Manifest) encode() ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	err := enc.Encode(m)
	return text.Bytes(), err
}

// seal returns the hash that identifies a bundle's contents, independent of compression.
func (m Manifest) seal() (string, error) {
	m.Seal = ""
	text, err := m.encode()
	return disk.Sum(text), err
}

// listFiles describes files, sorted by name.
func listFiles(files map[string][]byte) []File {
	list := make([]File, 0, len(files))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		list = append(list, File{name, int64(len(files[name])), disk.Sum(files[name])})
	}
	return list
}

var (
	sessionFile = regexp.MustCompile(`^sessions/[0-9A-Za-z_-]{1,64}\.jsonl$`)
	textFile    = regexp.MustCompile(`^texts/[0-9a-f]{64}$`)
	reportFile  = regexp.MustCompile(`^report(/[0-9A-Za-z_-][0-9A-Za-z._-]*)+$`)
)

// allowed reports whether a bundle may contain a file of that name. None of these names leads out of the
// folder that a bundle is unpacked into.
func allowed(name string) bool {
	return slices.Contains([]string{manifestName, readmeName, studyFile, lockFile, unblindedFile, ratingsFile}, name) ||
		len(name) < 200 && (sessionFile.MatchString(name) || textFile.MatchString(name) || reportFile.MatchString(name))
}

// epoch is the time of every file, which tar requires.
var epoch = time.Unix(0, 0)

// writeTar writes the archive in its canonical form: first the manifest, since a reader must know the
// format before it checks the rest, then all files by name, as plain ustar entries without owner and time.
func writeTar(w io.Writer, manifest []byte, files map[string][]byte) error {
	out := tar.NewWriter(w)
	entry := func(name string, text []byte) error {
		err := out.WriteHeader(&tar.Header{
			Typeflag: tar.TypeReg, Name: name, Size: int64(len(text)), Mode: 0o644, ModTime: epoch, Format: tar.FormatUSTAR,
		})
		if err == nil {
			_, err = out.Write(text)
		}
		return err
	}
	if err := entry(manifestName, manifest); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := entry(name, files[name]); err != nil {
			return err
		}
	}
	return out.Close()
}

// Write writes the bundle. The same contents give the same bytes.
func (b *Bundle) Write(w io.Writer) error {
	manifest, err := b.Manifest.encode()
	if err != nil {
		return err
	}
	if err := defaultLimits.hold(manifest, b.files); err != nil {
		return err
	}
	zipped := &counted{to: w}
	out := gzip.NewWriter(zipped)
	unzipped := &counted{to: out}
	if err := writeTar(unzipped, manifest, b.files); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	if l := defaultLimits; unzipped.n > l.free+l.ratio*zipped.n {
		return fmt.Errorf("the bundle is more than %d times as large when unpacked, which readers reject: pack fewer sessions at a time", l.ratio)
	}
	return nil
}

// counted counts the bytes written.
type counted struct {
	to io.Writer
	n  int64
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}

// hold returns an error if a bundle exceeds a limit, since nobody could read it.
func (l limits) hold(manifest []byte, files map[string][]byte) error {
	const block = 512 // of tar
	total := int64(len(manifest)) + 4*block
	if len(files)+1 > l.files {
		return fmt.Errorf("the bundle would have %d files, and the limit is %d: pack fewer sessions at a time", len(files)+1, l.files)
	}
	for name, text := range files {
		if int64(len(text)) > l.file {
			return fmt.Errorf("%s has %d bytes, and the limit of a file in a bundle is %d", name, len(text), l.file)
		}
		total += int64(len(text)) + 2*block
	}
	if total > l.total {
		return fmt.Errorf("the bundle would unpack to %d bytes, and the limit is %d: pack fewer sessions at a time", total, l.total)
	}
	return nil
}

// sessionName returns the file name of a session's log.
func sessionName(id string) string { return sessionsDir + id + ".jsonl" }

// sessionOf returns the session whose log a file is.
func sessionOf(name string) (id string, ok bool) {
	id, ok = strings.CutPrefix(name, sessionsDir)
	return strings.TrimSuffix(id, ".jsonl"), ok
}
