package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session"
)

// zipped compresses an archive as Write does.
func zipped(t testing.TB, archive []byte) []byte {
	t.Helper()
	var file bytes.Buffer
	zip := gzip.NewWriter(&file)
	if _, err := zip.Write(archive); err != nil {
		t.Fatal(err)
	}
	fatal.If(t, zip.Close())
	return file.Bytes()
}

func unzipped(t testing.TB, file []byte) []byte {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(file))
	fatal.If(t, err)
	archive, err := io.ReadAll(zip)
	fatal.If(t, err)
	return archive
}

// No byte of a bundle can be altered unnoticed: neither in the compressed file, unless its content stays
// the same, nor in the archive inside, compressed again. All bytes of a small bundle are tried, and samples
// of a complete one.
func TestAlteredBytes(t *testing.T) {
	for _, c := range []struct {
		bundle *Bundle
		most   int
	}{{smallest(t), 1 << 20}, {pack(t), 300}} {
		file := written(t, c.bundle)
		altered := func(text []byte, with byte, what string, read func([]byte) error) {
			for at := 0; at < len(text); at += max(1, len(text)/c.most) {
				other := bytes.Clone(text)
				other[at] ^= with
				if read(other) == nil {
					t.Errorf("byte %d of %d of the %s was altered unnoticed", at, len(text), what)
				}
			}
		}
		whole := unzipped(t, file)
		altered(file, 0xff, "file", func(file []byte) error {
			_, err := Read(bytes.NewReader(file))
			if err == nil && bytes.Equal(unzipped(t, file), whole) {
				return errors.New("only the compression differs") // deflate writes the same bytes in several ways
			}
			return err
		})
		altered(unzipped(t, file), 0x01, "archive", func(archive []byte) error {
			manifest, files, err := readTar(bytes.NewReader(archive), defaultLimits)
			if err == nil {
				_, err = check(manifest, files)
			}
			return err
		})
	}
}

func TestCutShort(t *testing.T) {
	file := written(t, pack(t))
	for _, n := range []int{0, 1, 9, 10, 11, 100, len(file) / 2, len(file) - 9, len(file) - 8, len(file) - 1} {
		if _, err := Read(bytes.NewReader(file[:n])); err == nil {
			t.Errorf("%d of %d bytes were read as a bundle", n, len(file))
		} else if n > 10 && !strings.Contains(err.Error(), "cut short") {
			t.Errorf("%d of %d bytes: %v", n, len(file), err)
		}
	}
}

// entries are arbitrary entries of an archive.
type entries []tar.Header

// archive writes the manifest, all files by name, and then the additional entries.
func archive(t *testing.T, b *Bundle, added entries) []byte {
	t.Helper()
	manifest, err := b.Manifest.encode()
	fatal.If(t, err)
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	write := func(h tar.Header, text []byte) {
		t.Helper()
		fatal.If(t, w.WriteHeader(&h))
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	plain := func(name string, text []byte) {
		write(tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(text)), Mode: 0o644, ModTime: epoch, Format: tar.FormatUSTAR}, text)
	}
	plain(manifestName, manifest)
	for _, name := range slices.Sorted(maps.Keys(b.files)) {
		plain(name, b.files[name])
	}
	for _, h := range added {
		write(h, make([]byte, h.Size))
	}
	fatal.If(t, w.Close())
	return out.Bytes()
}

func TestHostileArchives(t *testing.T) {
	small := limits{file: 1 << 20, total: 3 << 20, files: 1000, free: 4 << 20}
	for _, c := range []struct {
		name  string
		added entries
		want  string
	}{
		{"out of the folder", entries{{Name: "../x"}}, `a file named "../x"`},
		{"out of the folder by a detour", entries{{Name: "report/../../x"}}, `a file named "report/../../x"`},
		{"absolute", entries{{Name: "/etc/passwd"}}, `a file named "/etc/passwd"`},
		{"another folder's separator", entries{{Name: `report\x`}}, `a file named "report\\x"`},
		{"hidden", entries{{Name: "report/.x"}}, `a file named "report/.x"`},
		{"a name that acts on terminals", entries{{Name: "report/\x1b[2J"}}, `\x1b[2J`},
		{"a link", entries{{Name: "report/x", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}}, `"report/x" is a symbolic link`},
		{"a hard link", entries{{Name: "report/x", Typeflag: tar.TypeLink, Linkname: "README.md"}}, `"report/x" is a link`},
		{"a device", entries{{Name: "report/x", Typeflag: tar.TypeChar, Devmajor: 1, Devminor: 3}}, "is a device"},
		{"a pipe", entries{{Name: "report/x", Typeflag: tar.TypeFifo}}, "is a named pipe"},
		{"a folder", entries{{Name: "report/x/", Typeflag: tar.TypeDir}}, "is a folder"},
		{"twice", entries{{Name: "README.md"}}, "holds README.md twice"},
		{"the manifest twice", entries{{Name: manifestName}}, "holds manifest.json twice"},
		{"one file more", entries{{Name: "report/zzz.csv", Size: 4}}, "differ from assay's layout"},
		{"one text more", entries{{Name: "texts/" + strings.Repeat("f", 64), Size: 4, ModTime: epoch, Mode: 0o644, Format: tar.FormatUSTAR}}, "is not in the manifest"},
		{"an extended header", entries{{Name: "report/x", Format: tar.FormatPAX, PAXRecords: map[string]string{"ASSAY.x": "y"}}}, "a header that assay does not write"},
		{"a large file", entries{{Name: "report/x", Size: 2 << 20}}, "report/x claims 2097152 bytes, and the limit of a file"},
		{"many large files", entries{{Name: "report/x", Size: 1 << 20}, {Name: "report/y", Size: 1 << 20}, {Name: "report/z", Size: 1 << 20}}, "unpacks to more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := read(bytes.NewReader(zipped(t, archive(t, pack(t), c.added))), small)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
		})
	}
	t.Run("many files", func(t *testing.T) {
		few := limits{file: 1 << 20, total: 1 << 30, files: 20, free: 1 << 30}
		if _, err := read(bytes.NewReader(written(t, pack(t))), few); err == nil || !strings.Contains(err.Error(), "more than 20 files") {
			t.Errorf("%v", err)
		}
	})
	t.Run("a bomb", func(t *testing.T) {
		var bomb bytes.Buffer
		zip := gzip.NewWriter(&bomb)
		block := make([]byte, 1<<20)
		for range 16 { // after the end of the archive, where no file's size counts
			if _, err := zip.Write(block); err != nil {
				t.Fatal(err)
			}
		}
		_ = zip.Close()
		if _, err := read(&bomb, small); err == nil {
			t.Error("it was read")
		}
		end := append(archive(t, pack(t), nil), make([]byte, 16<<20)...)
		if _, err := read(bytes.NewReader(zipped(t, end)), small); err == nil || !strings.Contains(err.Error(), "unpacks to more than") {
			t.Errorf("after the end: %v", err)
		}
	})
}

// TestBombTakesNoMemory: a small file that unpacks to a large one is rejected before it is unpacked.
func TestBombTakesNoMemory(t *testing.T) {
	var bomb bytes.Buffer
	zip := gzip.NewWriter(&bomb)
	out := tar.NewWriter(zip)
	manifest, err := pack(t).Manifest.encode()
	fatal.If(t, err)
	block := make([]byte, 1<<20)
	for i, size := range []int{len(manifest), 200 << 20, 200 << 20, 200 << 20} {
		name, text := fmt.Sprintf("report/%d.csv", i), block
		if i == 0 {
			name, text = manifestName, manifest
		}
		err := out.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(size), Mode: 0o644, ModTime: epoch, Format: tar.FormatUSTAR})
		for left := size; left > 0 && err == nil; left -= len(text) {
			_, err = out.Write(text)
		}
		fatal.If(t, err)
	}
	fatal.If(t, errors.Join(out.Close(), zip.Close()))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = Read(bytes.NewReader(bomb.Bytes()))
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "unpacks to more than") {
		t.Errorf("%v", err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 300<<20 {
		t.Errorf("a file of %d KB took %d MB of memory", bomb.Len()>>10, took>>20)
	}
}

// Well-formed bundles with contradictory contents.
func TestDisagreement(t *testing.T) {
	anyText := func(b *Bundle) string {
		return slices.Sorted(maps.Keys(b.files))[len(b.files)-1] // texts/ come last
	}
	for _, c := range []struct {
		name  string
		alter func(*Bundle)
		seal  bool // the manifest is made that of the altered files
		want  string
	}{
		{"a file missing", func(b *Bundle) { delete(b.files, "report/report.md") }, false, `"report/report.md" is missing`},
		{"a file altered", func(b *Bundle) { b.files[readmeName] = []byte("# Other\n") }, false, "README.md was altered"},
		{"a file too many", func(b *Bundle) { b.files["report/x.csv"] = nil }, false, "report/x.csv is not in the manifest"},
		{"a text missing", func(b *Bundle) { delete(b.files, anyText(b)) }, true, "the bundle has no text"},
		{"a text altered", func(b *Bundle) { b.files[anyText(b)] = []byte("x") }, true, "its SHA-256 does not match its name"},
		{"a text too many", func(b *Bundle) { b.files[textsDir+strings.Repeat("0", 64)] = nil }, true, "belongs to no session"},
		{"no session", func(b *Bundle) { delete(b.files, sessionName(b.logs[0].ID)) }, true, "it holds no session"},
		{"a log altered", func(b *Bundle) {
			name := sessionName(b.logs[0].ID)
			b.files[name] = bytes.Replace(b.files[name], []byte(`"score":4`), []byte(`"score":5`), 1)
		}, true, "was altered after it was recorded"},
		{"a log cut", func(b *Bundle) {
			name := sessionName(b.logs[0].ID)
			b.files[name] = b.files[name][:bytes.LastIndexByte(b.files[name][:len(b.files[name])-1], '\n')+1]
		}, true, "manifest.json contradicts the logs of its sessions"},
		{"a log begun later", func(b *Bundle) {
			name := sessionName(b.logs[0].ID)
			b.files[name] = b.files[name][bytes.IndexByte(b.files[name], '\n')+1:]
		}, true, "events are missing or reordered"},
		{"an empty log", func(b *Bundle) { b.files[sessionName(b.logs[0].ID)] = nil }, true, "the log is empty"},
		{"a log of a newer version", func(b *Bundle) {
			name := sessionName(b.logs[0].ID)
			b.files[name] = bytes.Replace(b.files[name], []byte(`"kind":"rated"`), []byte(`"kind":"rated2"`), 1)
		}, true, "written by a newer assay"},
		{"a session under another name", func(b *Bundle) {
			b.files[sessionName("01OTHER")] = b.files[sessionName(b.logs[0].ID)]
			delete(b.files, sessionName(b.logs[0].ID))
		}, true, "belongs to another session"},
		{"a manifest with another seal", func(b *Bundle) { b.Manifest.Seal = strings.Repeat("0", 64) }, false, "its seal does not match"},
		{"a manifest without its seal altered", func(b *Bundle) { b.Manifest.Assay = "9" }, false, "its seal does not match"},
		{"a newer format", func(b *Bundle) { b.Manifest.Format = 2 }, false, `verify it with assay "1.2.3", which wrote it, or a newer one`},
		{"an impossible format", func(b *Bundle) { b.Manifest.Format = -1 }, false, "which never existed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := pack(t)
			c.alter(b)
			if c.seal {
				reseal(t, b)
			}
			_, err := Read(bytes.NewReader(written(t, b)))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%v", err)
			}
			if (c.name == "a newer format") != errors.Is(err, errNewer) {
				t.Errorf("ErrNewer: %v", err)
			}
		})
	}
	t.Run("a description that the logs do not bear out", func(t *testing.T) {
		b := pack(t)
		b.Manifest.Sessions[0].Seed = 99
		var err error
		if b.Manifest.Seal, err = b.Manifest.seal(); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(bytes.NewReader(written(t, b))); err == nil || !strings.Contains(err.Error(), "contradicts the logs of its sessions") {
			t.Errorf("%v", err)
		}
	})
}

func TestNotABundle(t *testing.T) {
	var other bytes.Buffer
	w := tar.NewWriter(&other)
	_ = w.WriteHeader(&tar.Header{Name: "main.go", Mode: 0o644})
	_ = w.Close()
	var noFormat bytes.Buffer
	w = tar.NewWriter(&noFormat)
	_ = w.WriteHeader(&tar.Header{Name: manifestName, Mode: 0o644, Size: 2, Format: tar.FormatUSTAR})
	_, _ = w.Write([]byte("{}"))
	_ = w.Close()
	for _, c := range []struct{ name, file, want string }{
		{"nothing", "", "it is not a bundle"},
		{"a text", "hello\n", "it is not a bundle"},
		{"another archive", string(zipped(t, other.Bytes())), `it begins with "main.go"`},
		{"an empty archive", string(zipped(t, make([]byte, 1024))), "it holds no manifest.json"},
		{"an archive with another manifest", string(zipped(t, noFormat.Bytes())), "has no assay_bundle"},
		{"zipped, and no archive", string(zipped(t, []byte(strings.Repeat("hello ", 500)))), "it is damaged at its beginning"},
		{"two files in one", string(written(t, pack(t))) + string(zipped(t, nil)), "data after the end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Read(strings.NewReader(c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
		})
	}
	if _, err := Read(io.MultiReader(strings.NewReader("\x1f"), failing{})); err == nil || !strings.Contains(err.Error(), "the disk") {
		t.Errorf("a file that cannot be read: %v", err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, fmt.Errorf("the disk is gone") }

// smallest is a bundle of one event, without a report, so that a fuzzer is quick.
func smallest(t testing.TB) *Bundle {
	t.Helper()
	opened := session.Event{Seq: 1, Payload: session.Opened{Session: "S", Plan: session.Plan{
		K: 1, Context: session.Fresh, Tasks: []session.PlanTask{{ID: "a", Content: session.RefOf([]byte("{}"))}},
		Attributes: []session.Attribute{{ID: "accuracy"}},
	}}}
	sealed, err := opened.Seal("")
	fatal.If(t, err)
	line, err := json.Marshal(sealed)
	fatal.If(t, err)
	b := &Bundle{logs: []Log{{"S", []session.Event{sealed}}}, files: map[string][]byte{
		sessionName("S"): append(line, '\n'), textsDir + string(session.RefOf([]byte("{}"))): []byte("{}"), readmeName: nil,
	}}
	reseal(t, b)
	return b
}

// FuzzRead reads fuzzed archives: there is no panic, and accepted archives are written again in the same
// bytes. It fuzzes archives, not compressed files, since the fuzzer would not find valid checksums.
func FuzzRead(f *testing.F) {
	seed := unzipped(f, written(f, smallest(f)))
	if _, err := Read(bytes.NewReader(zipped(f, seed))); err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add(make([]byte, 1024))
	f.Fuzz(func(t *testing.T, archive []byte) {
		manifest, files, err := readTar(bytes.NewReader(archive), limits{file: 1 << 20, total: 4 << 20, files: 500})
		if err != nil {
			return
		}
		b, err := check(manifest, files)
		if err != nil {
			return
		}
		if !bytes.Equal(unzipped(t, written(t, b)), archive) {
			t.Error("what was accepted is not what would be written")
		}
	})
}

// FuzzLog reads fuzzed logs with valid seals: a bundle is read and verified, or rejected, without a panic.
func FuzzLog(f *testing.F) {
	b := pack(f)
	f.Add(b.files[sessionName(b.logs[0].ID)])
	small := smallest(f)
	f.Add(small.files[sessionName("S")])
	f.Fuzz(func(t *testing.T, text []byte) {
		log := Log{ID: "S"}
		prev := ""
		for line := range bytes.Lines(text) {
			var e session.Event
			if json.Unmarshal(line, &e) != nil {
				continue
			}
			e.Seq = uint64(len(log.Events) + 1)
			if opened, ok := e.Payload.(session.Opened); ok {
				opened.Session = "S"
				e.Payload = opened
			}
			sealed, err := e.Seal(prev)
			if err != nil {
				continue
			}
			log.Events, prev = append(log.Events, sealed), sealed.Hash
		}
		var again bytes.Buffer
		for _, e := range log.Events {
			line, err := json.Marshal(e)
			fatal.If(t, err)
			again.Write(append(line, '\n'))
		}
		log, err := parseLog("S", again.Bytes())
		if err != nil {
			return
		}
		b := &Bundle{logs: []Log{log}, files: maps.Clone(b.files)}
		if _, err := b.Verify(t.Context(), Options{Judge: ready{}}); err != nil {
			t.Logf("not verified: %v", err)
		}
	})
}
