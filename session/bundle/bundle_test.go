package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
)

// source gives Pack the contents of a rig's store.
type source struct{ *enginetest.Store }

func (s source) Export(id string, w io.Writer) error {
	events, err := s.Events(id, 1)
	if err != nil {
		return err
	}
	for _, e := range events {
		text, err := json.Marshal(e)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	return nil
}

const (
	wrong = "```python\ndef double(n): return n # wrong\n```"
	right = "Here it is:\n\n```python\ndef double(n):\n    return 2 * n\n```\n"
)

// rig is a finished session over two tasks: refined once, and satisfied at once.
func rig(t testing.TB) (source, string) {
	t.Helper()
	r, err := enginetest.New(2)
	fatal.If(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	must := func(err error) {
		t.Helper()
		fatal.If(t, err)
	}
	for _, answers := range [][]string{{wrong, right}, {right}} {
		must(r.Engine.OpenTask(ctx))
		for i, answer := range answers {
			r.Clock.Advance(4000)
			r.Client.Say(answer)
			must(r.Engine.Send(ctx, fmt.Sprintf("Double a number, please (%d)", i+1)))
			must(r.Until(ctx, func(s *session.State) bool {
				a := s.Attempt()
				return a != nil && a.N == i+1 && a.Verdict != nil && a.Measured != nil
			}))
			if i+1 < len(answers) {
				must(r.Engine.Judge(ctx, session.DecideRefine, true))
			}
		}
		must(r.Engine.Judge(ctx, session.DecideSatisfied, true))
		for _, id := range r.Engine.State().Missing() {
			if slices.ContainsFunc(session.Labels(), func(l session.Label) bool { return l.ID == id }) {
				must(r.Engine.Label(ctx, id, "yes"))
			} else {
				must(r.Engine.Rate(ctx, id, 4))
			}
		}
		must(r.Engine.Commit(ctx))
	}
	must(r.Engine.Close(ctx))
	return source{r.Store}, r.ID
}

func pack(t testing.TB) *Bundle {
	t.Helper()
	from, id := rig(t)
	b, err := Pack(from, []string{id}, "1.2.3", nil)
	fatal.If(t, err)
	return b
}

func written(t testing.TB, b *Bundle) []byte {
	t.Helper()
	var file bytes.Buffer
	fatal.If(t, b.Write(&file))
	return file.Bytes()
}

// ready is the judge of enginetest, which needs nothing.
type ready struct{}

func (ready) Ready(context.Context, *benchmark.Task) error { return nil }

func (ready) Judge(ctx context.Context, task *benchmark.Task, code string) (verdicts.Result, error) {
	return enginetest.Judge{}.Judge(ctx, task, code)
}

func TestRoundTrip(t *testing.T) {
	b := pack(t)
	file := written(t, b)
	if again := written(t, b); !bytes.Equal(file, again) {
		t.Error("the same bundle is not written in the same bytes")
	}
	got, err := Read(bytes.NewReader(file))
	fatal.If(t, err)
	if !bytes.Equal(written(t, got), file) {
		t.Error("what was read is not what was written")
	}
	m := got.Manifest
	if m.Format != 1 || m.Assay != "1.2.3" || len(m.Seal) != 64 || len(m.Sessions) != 1 || m.Sessions[0].Seed != 1 ||
		!slices.Equal(m.Interpreters, []string{"CPython 3.11.2"}) {
		t.Errorf("manifest %+v", m)
	}
	// The rig's clock begins at 2027-01-15T08:00:00Z and was moved by 12 s.
	if m.Date != "2027-01-15T08:00:12Z" {
		t.Errorf("the date is %s, not that of the last event", m.Date)
	}
	texts, report, all := got.Count()
	if texts < 9 || report < 9 || all != texts+report+3 {
		t.Errorf("%d texts, %d files of the report, %d in all", texts, report, all)
	}
	for _, part := range []string{"assay session verify FILE", "CPython 3.11.2", m.Sessions[0].ID, "assay 1.2.3"} {
		if !strings.Contains(string(got.files[readmeName]), part) {
			t.Errorf("the README does not say %q", part)
		}
	}
	// Read checks sizes and hashes of this listing; here: standard tar and gzip can unpack it.
	zip, err := gzip.NewReader(bytes.NewReader(file))
	fatal.If(t, err)
	archive, n := tar.NewReader(zip), 0
	for {
		h, err := archive.Next()
		if err == io.EOF {
			break
		}
		fatal.If(t, err)
		if n++; h.Uid != 0 || h.Gid != 0 || h.Uname != "" || h.ModTime.Unix() != 0 || h.Mode != 0o644 {
			t.Errorf("%s tells where it was made: %+v", h.Name, h)
		}
	}
	if n != all {
		t.Errorf("%d files in the archive, not %d", n, all)
	}
}

func TestVerifyFindsNothing(t *testing.T) {
	b, err := Read(bytes.NewReader(written(t, pack(t))))
	fatal.If(t, err)
	calls := 0
	f, err := b.Verify(t.Context(), Options{Judge: ready{}, Workers: 2, Progress: func(done, total int) {
		if calls++; done != calls || total != 3 {
			t.Errorf("progress %d of %d", done, total)
		}
	}})
	if err != nil || !f.Same() || f.Missing() != 0 || !f.Verdicts.Ran || f.Verdicts.Answers != 3 || f.Verdicts.Compared != 3 || f.Report.Files < 9 || calls != 3 {
		t.Errorf("%v, %+v", err, f)
	}
	f, err = b.Verify(t.Context(), Options{})
	if err != nil || !f.Same() || f.Verdicts.Ran || f.Verdicts.Compared != 0 || len(f.Verdicts.NotCompared) != 0 {
		t.Errorf("without judging: %v, %+v", err, f)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Verify(ctx, Options{Judge: ready{}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// moody gives the same verdict on everything.
type moody struct {
	result verdicts.Result
	ready  error
	fails  error
}

func (m moody) Ready(context.Context, *benchmark.Task) error { return m.ready }

func (m moody) Judge(context.Context, *benchmark.Task, string) (verdicts.Result, error) {
	return m.result, m.fails
}

func TestVerdictsThatDiffer(t *testing.T) {
	b := pack(t)
	for _, c := range []struct {
		name           string
		judge          moody
		differ, absent int
		reason         string
	}{
		{"another verdict", moody{result: verdicts.Result{Verdict: verdicts.Accepted, Passed: 3, Total: 3, Interpreter: "CPython 3.12.1"}}, 1, 0, ""},
		{"other test cases", moody{result: verdicts.Result{Verdict: verdicts.Accepted, Passed: 4, Total: 4}}, 3, 0, ""},
		{"tests that are broken now", moody{result: verdicts.Result{Verdict: verdicts.NotJudged, Message: "broken"}}, 3, 0, ""},
		{"no interpreter", moody{ready: errors.New("Python is missing: install python3")}, 0, 3, "Python is missing: install python3"},
		{"no sandbox", moody{result: verdicts.Result{Verdict: verdicts.SandboxError, Message: "lost"}}, 0, 3, "the sandbox failed: lost"},
		{"another library", moody{result: verdicts.Result{Verdict: verdicts.Accepted, Library: "/lib sha256:00"}}, 0, 3, "the task's library is not what it was: recorded with none"},
		{"no judge", moody{fails: errors.New("closed")}, 0, 3, "closed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := b.Verify(t.Context(), Options{Judge: c.judge})
			if err != nil || len(f.Verdicts.Differ) != c.differ || f.Missing() != c.absent || f.Same() != (c.differ == 0) || f.Verdicts.Compared != 3-c.absent {
				t.Fatalf("%v, %+v", err, f.Verdicts)
			}
			if c.reason != "" && !slices.Equal(f.Verdicts.NotCompared, []NotCompared{{c.reason, c.absent, true}}) {
				t.Errorf("not compared: %+v", f.Verdicts.NotCompared)
			}
			if c.differ == 1 {
				d := f.Verdicts.Differ[0]
				if d.Attempt != 1 || d.Recorded != (Outcome{"wrong_answer", 2, 3, "CPython 3.11.2"}) || d.Now != (Outcome{"accepted", 3, 3, "CPython 3.12.1"}) || !strings.HasPrefix(d.Task, "double-") {
					t.Errorf("%+v", d)
				}
			}
		})
	}
}

// rewrite changes events of the log and seals it again, as in a forgery.
func rewrite(t *testing.T, b *Bundle, change func(session.Payload) session.Payload) {
	t.Helper()
	prev, text := "", []byte{}
	for i, e := range b.logs[0].Events {
		e.Payload = change(e.Payload)
		sealed, err := e.Seal(prev)
		fatal.If(t, err)
		line, err := json.Marshal(sealed)
		fatal.If(t, err)
		b.logs[0].Events[i], prev, text = sealed, sealed.Hash, append(append(text, line...), '\n')
	}
	b.files[sessionName(b.logs[0].ID)] = text
}

// reseal updates the manifest for the bundle's files.
func reseal(t testing.TB, b *Bundle) {
	t.Helper()
	m := describe(b.logs, b.files)
	m.Assay, m.Report, m.Files = b.Manifest.Assay, b.Manifest.Report, listFiles(b.files)
	var err error
	if m.Seal, err = m.seal(); err != nil {
		t.Fatal(err)
	}
	b.Manifest = m
}

// A forger may seal everything again: then the verdicts, the code, or the report do not follow from the
// other files.
func TestForgeriesAreFound(t *testing.T) {
	for _, c := range []struct {
		name                   string
		forge                  func(*Bundle)
		verdicts, code, report bool
	}{
		{"a verdict", func(b *Bundle) {
			rewrite(t, b, func(p session.Payload) session.Payload {
				if v, ok := p.(session.VerdictRecorded); ok {
					v.Verdict, v.Passed = "accepted", 3
					return v
				}
				return p
			})
		}, true, false, true},
		{"the code", func(b *Bundle) {
			text := []byte("def double(n): return n + n\n")
			rewrite(t, b, func(p session.Payload) session.Payload {
				v, ok := p.(session.CodeExtracted)
				if code, _ := b.Blob(v.Code); !ok || !strings.Contains(string(code), "# wrong") {
					return p
				}
				delete(b.files, textsDir+string(v.Code))
				v.Code = session.RefOf(text)
				b.files[textsDir+string(v.Code)] = text
				return v
			})
		}, true, true, true},
		{"a rating", func(b *Bundle) {
			rewrite(t, b, func(p session.Payload) session.Payload {
				if v, ok := p.(session.Rated); ok {
					v.Score = 5
					return v
				}
				return p
			})
		}, false, false, true},
		{"a number in the report", func(b *Bundle) {
			b.files["report/report.md"] = bytes.Replace(b.files["report/report.md"], []byte("1"), []byte("2"), 1)
		}, false, false, true},
		{"a file of the report", func(b *Bundle) { delete(b.files, "report/report.html") }, false, false, true},
		{"one file more in the report", func(b *Bundle) { b.files["report/more.csv"] = []byte("x\n") }, false, false, true},
		{"the settings of the report", func(b *Bundle) { b.Manifest.Report.Resamples = 3 }, false, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := pack(t)
			c.forge(b)
			reseal(t, b)
			b, err := Read(bytes.NewReader(written(t, b)))
			fatal.If(t, err)
			f, err := b.Verify(t.Context(), Options{Judge: ready{}})
			fatal.If(t, err)
			if f.Same() || len(f.Verdicts.Differ) > 0 != c.verdicts || len(f.Verdicts.Code) > 0 != c.code || len(f.Report.Differ) > 0 != c.report {
				t.Errorf("%+v", f)
			}
		})
	}
}

// An answer that was edited by hand is judged again as edited.
func TestEditsByHandAreJudgedAgain(t *testing.T) {
	r := enginetest.RepositorySession(t)
	b, err := Pack(source{r.Store}, []string{r.ID}, "1", nil)
	fatal.If(t, err)
	if f, err := b.Verify(t.Context(), Options{Judge: ready{}}); err != nil || !f.Same() || f.Verdicts.Answers != 3 || f.Verdicts.Compared != 3 {
		t.Errorf("%v, %+v", err, f)
	}
	f, err := b.Verify(t.Context(), Options{Judge: moody{result: verdicts.Result{Verdict: verdicts.RuntimeError, Total: 5}}})
	fatal.If(t, err)
	if d := f.Verdicts.Differ; len(d) != 3 || d[2].Answer != (Answer{r.ID, "cart-2", 1, 1}) || d[2].Recorded.Passed != 3 {
		t.Errorf("%+v", d)
	}
}

// An open session, and an answer that could not be judged: nothing can be compared.
func TestWhatIsNotCompared(t *testing.T) {
	r, err := enginetest.New(1)
	fatal.If(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	cfg := r.Config()
	cfg.Judge, cfg.NoJudge = nil, "there is no sandbox"
	if r.Engine, err = engine.Reopen(ctx, cfg, r.ID); err != nil {
		t.Fatal(err)
	}
	r.Client.Say(right)
	err = errors.Join(r.Engine.OpenTask(ctx), r.Engine.Send(ctx, "Double it"),
		r.Until(ctx, func(s *session.State) bool { a := s.Attempt(); return a != nil && a.Verdict != nil }),
		r.Engine.Close(ctx))
	fatal.If(t, err)
	b, err := Pack(source{r.Store}, []string{r.ID}, "1", nil)
	fatal.If(t, err)
	f, err := b.Verify(ctx, Options{Judge: ready{}})
	want := []NotCompared{{"recorded as not_judged: there is no sandbox", 1, false}}
	if err != nil || !f.Same() || f.Missing() != 0 || f.Verdicts.Compared != 0 || !slices.Equal(f.Verdicts.NotCompared, want) {
		t.Errorf("%v, %+v", err, f)
	}
}

// lossy is a source with a missing part.
type lossy struct {
	source
	text  session.Ref
	alter func([]byte) []byte
}

func (l lossy) Blob(ref session.Ref) ([]byte, error) {
	if ref == l.text {
		return nil, errors.New("no such text")
	}
	return l.source.Blob(ref)
}

func (l lossy) Export(id string, w io.Writer) error {
	var b bytes.Buffer
	if err := l.source.Export(id, &b); err != nil {
		return err
	}
	_, err := w.Write(l.alter(b.Bytes()))
	return err
}

func TestPackRefuses(t *testing.T) {
	from, id := rig(t)
	same := func(log []byte) []byte { return log }
	b, err := Pack(from, []string{id, id}, "1", nil)
	if err != nil || len(b.Manifest.Sessions) != 1 {
		t.Fatalf("a session named twice: %v", err)
	}
	ref := session.Ref(strings.TrimPrefix(slices.Sorted(maps.Keys(b.files))[len(b.files)-1], textsDir))
	for _, c := range []struct {
		name     string
		from     Source
		sessions []string
		want     string
	}{
		{"nothing", from, nil, "no session to pack"},
		{"an unknown session", from, []string{"absent"}, "session absent cannot be packed"},
		{"a missing text", lossy{from, ref, same}, []string{id}, "no such text"},
		{"an altered log", lossy{from, "", func(log []byte) []byte { return bytes.Replace(log, []byte(`"score":4`), []byte(`"score":5`), 1) }}, []string{id}, "was altered after it was recorded; see 'assay session verify"},
		{"a log that is no JSON", lossy{from, "", func(log []byte) []byte { return log[:len(log)-5] }}, []string{id}, "cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Pack(c.from, c.sessions, "1", nil); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

// The page on the format describes every field of the manifest.
func TestFormatIsDocumented(t *testing.T) {
	page := fatal.Read(t, "FORMAT.md")
	text, err := pack(t).Manifest.encode()
	fatal.If(t, err)
	var fields map[string]any
	fatal.If(t, json.Unmarshal(text, &fields))
	for name := range fields {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("FORMAT.md does not explain %q", name)
		}
	}
	for _, name := range []string{manifestName, readmeName, sessionsDir, textsDir, reportDir} {
		if !strings.Contains(string(page), name) {
			t.Errorf("FORMAT.md does not name %s", name)
		}
	}
}
