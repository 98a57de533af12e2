package fleet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
)

// A message that is decoded without an error can be encoded again, and decodes to the same.
func FuzzWork(f *testing.F) {
	id := strings.Repeat("0a", idBytes)
	good := work{Protocol: protocol, Version: "1.0", Run: "r", Batch: "b", Set: strings.Repeat("ab", 32), Samples: []sample{{ID: id, Code: "x = 1"}}}
	f.Add(encode(good))
	for _, bad := range []string{`{}`, `{"fleet":2}`, `[]`, `{"fleet":1,"samples":[{"task":-1}]}`, `{"fleet":1,"run":"a.>","batch":"*"}`} {
		f.Add([]byte(bad))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		w, err := decodeWork(text)
		if err != nil {
			return
		}
		if subject := (need{w.Version, "bwrap", "python", w.Library}).subject(w.Run, w.Batch); strings.Count(subject, ".") != 7 || strings.ContainsAny(subject, "*> \t\r\n") {
			t.Fatalf("the subject %q", subject)
		}
		again, err := decodeWork(encode(w))
		if err != nil || !bytes.Equal(encode(again), encode(w)) {
			t.Fatalf("read again: %v", err)
		}
	})
}

func FuzzOutcome(f *testing.F) {
	data := []byte("picture")
	sum := sha256.Sum256(data)
	good := verdicts.Result{Verdict: verdicts.Accepted, Passed: 1, Total: 1, Outputs: []verdicts.OutputFile{{Name: "a.png", Data: data, Size: 7, SHA256: hex.EncodeToString(sum[:])}}}
	f.Add(encode(outcome{protocol, good}))
	f.Add([]byte(`{"fleet":1,"result":{"verdict":"accepted","passed":2,"total":1}}`))
	f.Add([]byte(`{"fleet":1,"result":{"verdict":"perfect"}}`))
	f.Add([]byte(`{"fleet":1,"result":{"verdict":"accepted","outputs":[{"name":"x","data":"AAAA"}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := decodeOutcome(text)
		if err != nil {
			return
		}
		for _, f := range r.Outputs {
			if sum := sha256.Sum256(f.Data); f.Data != nil && hex.EncodeToString(sum[:]) != f.SHA256 {
				t.Fatal("a file that is not what its hash says")
			}
		}
		const limit = 64 << 10
		short := shorten(r, limit)
		same, err := decodeOutcome(short)
		if err != nil || same.Verdict != r.Verdict || same.Passed != r.Passed || same.Total != r.Total || len(same.Cases) != len(r.Cases) {
			t.Fatalf("made shorter, it is another result: %v", err)
		}
	})
}

func FuzzTasks(f *testing.F) {
	f.Add(encode(taskSet{protocol, fakeTasks(2)}), "")
	f.Add([]byte(`{"fleet":1,"tasks":[{"id":1}]}`), "x")
	f.Fuzz(func(t *testing.T, text []byte, hash string) {
		if _, err := decodeTasks(text, hash); err == nil {
			t.Fatal("tasks under a hash that is not theirs")
		}
		sum := sha256.Sum256(text)
		tasks, err := decodeTasks(text, hex.EncodeToString(sum[:]))
		if err != nil {
			return
		}
		for i := range tasks {
			_ = tasks[i].Hash() // must be writable
		}
	})
}

func FuzzCard(f *testing.F) {
	f.Add(encode(pythonCard("w")))
	f.Add([]byte(`{"name":"\u001b[2J","languages":{"python":"3"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := decodeCard(text)
		if err == nil && strings.ContainsRune(c.Name+c.Version, '\x1b') {
			t.Fatalf("the name %q", c.Name)
		}
	})
}

// Details that do not fit into a message are dropped, never the verdict.
func TestShorten(t *testing.T) {
	big := bytes.Repeat([]byte("x"), 300<<10)
	sum := sha256.Sum256(big)
	hash := hex.EncodeToString(sum[:])
	r := verdicts.Result{Verdict: verdicts.WrongAnswer, Passed: 1, Total: 2, Stdout: strings.Repeat("y", 20<<10),
		Outputs: []verdicts.OutputFile{{Name: "a", Data: big, Size: int64(len(big)), SHA256: hash}, {Name: "b", Data: big[:10], Size: 10, SHA256: hashOf(big[:10])}}}
	whole, err := decodeOutcome(shorten(r, 1<<20))
	if err != nil || len(whole.Outputs[0].Data) != len(big) {
		t.Fatalf("what fits is not whole: %v", err)
	}
	short := shorten(r, 200<<10)
	got, err := decodeOutcome(short)
	if err != nil || len(short) > 200<<10 || len(got.Outputs) != 2 || !strings.Contains(got.Outputs[0].Problem, "stayed on the worker") || len(got.Outputs[1].Data) != 10 {
		t.Errorf("%d bytes, %v: %+v", len(short), err, got.Outputs)
	}
	if r.Outputs[0].Data == nil {
		t.Error("the result itself was changed")
	}
	for i := range 3000 {
		r.Cases = append(r.Cases, verdicts.CaseResult{Index: i + 1, Status: verdicts.Passed, Got: strings.Repeat("z", 300)})
	}
	short = shorten(r, 300<<10)
	if got, err := decodeOutcome(short); err != nil || len(got.Cases) != 3000 || len(short) > 300<<10 {
		t.Errorf("%d bytes with %d cases, %v", len(short), len(got.Cases), err)
	}
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Tasks are split into sets small enough for workers to fetch, in order and complete.
func TestCut(t *testing.T) {
	tasks := fakeTasks(10)
	for i := range tasks {
		tasks[i].Description = strings.Repeat("d", 3<<20)
	}
	total := 0
	for _, set := range cut(tasks) {
		if len(set) > 2 {
			t.Errorf("a set of %d tasks", len(set))
		}
		for i := range set {
			if set[i].ID != tasks[total].ID {
				t.Errorf("%s is not in its place", set[i].ID)
			}
			total++
		}
	}
	if total != 10 || len(cut(nil)) != 0 || len(cut([]benchmark.Task{{ID: "x"}})) != 1 {
		t.Errorf("%d tasks of 10", total)
	}
}
