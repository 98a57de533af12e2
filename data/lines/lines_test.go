package lines

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
)

// A truncated file returns its complete lines, and new lines follow them; it is locked for one process. A
// last line that lacks only its line break is complete.
func TestCutFiles(t *testing.T) {
	kind := Kind{Name: "file of things", Taken: "somebody has it", Begin: "; begin one"}
	path := filepath.Join(t.TempDir(), "new", "things.jsonl")
	f, err := kind.Create(path, map[string]int{"things": 1})
	fatal.If(t, err)
	fatal.If(t, Append(f, []byte(`{"a":1}`), []byte(`{"b":2}`)))
	if _, err := kind.Change(path, nil); err == nil || !strings.Contains(err.Error(), "somebody has it") {
		t.Errorf("a second one: %v", err)
	}
	fatal.If(t, f.Close())
	if _, err := kind.Create(path, 1); !errors.Is(err, fs.ErrExist) {
		t.Errorf("made anew: %v", err)
	}
	whole, err := kind.Read(path)
	fatal.If(t, err)
	for cut := range len(whole) + 1 {
		fatal.If(t, os.WriteFile(path, whole[:cut], 0o644))
		var seen []string
		f, err := kind.Change(path, func(text []byte) (int, error) {
			return each(path, text, func(n int, line []byte) error {
				if n != len(seen)+1 {
					t.Errorf("line %d after %d", n, len(seen))
				}
				seen = append(seen, string(line))
				return nil
			})
		})
		want := strings.SplitAfter(string(whole[:cut]), "\n")
		if last := want[len(want)-1]; strings.HasSuffix(last, "}") {
			want[len(want)-1] += "\n"
		} else {
			want = want[:len(want)-1]
		}
		if len(want) == 0 {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("cut at %d: %v", cut, err)
			}
			continue
		}
		if err != nil || len(seen) != len(want) {
			t.Fatalf("cut at %d: %q, %v", cut, seen, err)
		}
		fatal.If(t, errors.Join(Append(f, []byte(`{"c":3}`)), f.Close()))
		if text, _ := os.ReadFile(path); string(text) != strings.Join(want, "")+"{\"c\":3}\n" {
			t.Errorf("cut at %d: %q", cut, text)
		}
	}
	if _, err := kind.Read(path + "?"); err == nil || !strings.HasSuffix(err.Error(), "; begin one") {
		t.Errorf("a file that is not there: %v", err)
	}
	for _, bad := range []string{`{"b":1}`, `{"a":1} x`, `{"a":`} {
		var v struct {
			A int `json:"a"`
		}
		if err := decode([]byte(bad), &v); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}

// A complete object at the end that is no event is an error, as on any other line, and is not removed.
func TestLastLineIsJudged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "things.jsonl")
	const text = "{\"things\":1}\n{\"b\":2}"
	fatal.If(t, os.WriteFile(path, []byte(text), 0o644))
	_, err := Kind{}.Change(path, func(text []byte) (int, error) {
		return each(path, text, func(n int, line []byte) error {
			if n == 2 {
				return errors.New("no thing")
			}
			return nil
		})
	})
	if err == nil || !strings.Contains(err.Error(), "no thing") {
		t.Errorf("%v", err)
	}
	if kept, _ := os.ReadFile(path); string(kept) != text {
		t.Errorf("%q", kept)
	}
}

// An append to a file that another program removed or truncated is not reported as stored.
func TestAppendToALostFile(t *testing.T) {
	kind := Kind{Name: "file of things"}
	for want, harm := range map[string]func(string) error{
		"was deleted": os.Remove,
		"was replaced": func(path string) error {
			return errors.Join(os.WriteFile(path+"~", nil, 0o644), os.Rename(path+"~", path))
		},
		"was cut off": func(path string) error { return os.Truncate(path, 5) },
	} {
		path := filepath.Join(t.TempDir(), "things.jsonl")
		f, err := kind.Create(path, map[string]int{"things": 1})
		fatal.If(t, err)
		fatal.If(t, errors.Join(Append(f, []byte(`{"a":1}`)), harm(path)))
		before, _ := os.ReadFile(path)
		if err := Append(f, []byte(`{"a":2}`)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Errorf("%s: it holds %q, and then %q", want, before, after)
		}
		f.Close()
	}
}
