package format

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/data/fatal"
)

// A log is the same however it is laid out: in one line or many, packed, with its fields in another order, with
// numbers as Python writes them.
func TestLayoutsOfLogs(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		var samples, want []string
		for i := range rapid.IntRange(1, 5).Draw(t, "samples") {
			answer := rapid.SampledFrom([]string{"x", `a "quoted" NaN`, "line\nline", `\\`, "Infinity: -Infinity"}).Draw(t, "answer")
			score := rapid.SampledFrom([]string{`"C"`, "1", "NaN", "-Infinity", "null"}).Draw(t, "score")
			text, err := json.Marshal(answer)
			fatal.If(t, err)
			samples = append(samples, fmt.Sprintf(`{"id":"t%d","epoch":1,"scores":{"s":{"value":%s}},"output":{"completion":%s}}`, i, score, text))
			want = append(want, answer)
		}
		fields := []string{`"version":2`, `"eval":{"task":"demo","model":"m","created":"2026-01-01T00:00:00+00:00"}`, `"samples":[` + strings.Join(samples, ",") + "]", `"stats":{"x":[1,{"samples":[]}]}`}
		read := func(text []byte) *Logged {
			path := filepath.Join(dir, "log.json")
			fatal.If(t, os.WriteFile(path, text, 0o600))
			log, err := ReadInspect(path)
			fatal.If(t, err)
			for i := range log.Samples {
				log.Samples[i].line = 0
			}
			return log
		}
		first := read([]byte("{" + strings.Join(fields, ",") + "}"))
		for i, s := range first.Samples {
			if s.Answer != want[i] || s.Scores["s"] == nil && !strings.Contains(samples[i], "null") {
				t.Fatalf("%q of %q", s.Answer, samples[i])
			}
		}
		other := "{" + strings.Join(rapid.Permutation(fields).Draw(t, "order"), ",\n") + "\n}"
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		z.Write([]byte(other))
		fatal.If(t, z.Close())
		for _, text := range [][]byte{[]byte(other), packed.Bytes(), []byte("\ufeff" + other)} {
			if again := read(text); !reflect.DeepEqual(again, first) {
				t.Fatalf("%+v, not %+v", again, first)
			}
		}
	})
}

// A log may be larger than any of its samples may be.
func TestLargeLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.json")
	f, err := os.Create(path)
	fatal.If(t, err)
	fmt.Fprint(f, `{"version":2,"eval":{"task":"demo","model":"m"},"samples":[`)
	event := []byte(`{"event":"` + strings.Repeat("x", 1<<20) + `"}`)
	for i := range 35 {
		if i > 0 {
			fmt.Fprint(f, ",")
		}
		fmt.Fprintf(f, `{"id":"t%d","epoch":1,"output":{"completion":"a%d"},"events":[%s,%s]}`, i, i, event, event)
	}
	fmt.Fprint(f, "]}")
	fatal.If(t, f.Close())
	log, err := ReadInspect(path)
	fatal.If(t, err)
	if n := len(log.Samples); n != 35 || log.Samples[34].Answer != "a34" {
		t.Errorf("%d samples, the last is %q", n, log.Samples[n-1].Answer)
	}
	if all, as, err := readSamples(path, ""); len(all) != 35 || as != InspectSamples || err != nil {
		t.Errorf("%d samples in the format %q, %v", len(all), as, err)
	}
}
