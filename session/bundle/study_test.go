package bundle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session"
	"assay/session/llm"
	"assay/session/simulate"
	"assay/session/study"
)

// madeUp is a session of a study in memory.
type madeUp struct {
	events []session.Event
	texts  map[session.Ref][]byte
}

func (m madeUp) Export(_ string, w io.Writer) error {
	for _, e := range m.events {
		text, err := json.Marshal(e)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s\n", text); err != nil {
			return err
		}
	}
	return nil
}

func (m madeUp) Blob(ref session.Ref) ([]byte, error) { return m.texts[ref], nil }

// studied is a session of a blind study, with the study.
func studied(t *testing.T) (madeUp, *study.Study, study.Lock) {
	t.Helper()
	s, err := study.Parse("study.toml", "name = \"s\"\n[tasks]\nbenchmark = \"b\"\n[[arm]]\nname = \"first\"\nmodel = \"secret-7b\"\nshown = \"Model A\"\n[[arm]]\nname = \"second\"\nmodel = \"secret-9b\"\nshown = \"Model B\"\n[analysis]\nprimary = \"time\"\n")
	fatal.If(t, err)
	b := &benchmark.Benchmark{Name: "b", Tasks: []benchmark.Task{{ID: "one", Title: "One", Language: "python"}}}
	model := func(name string) (session.Model, error) {
		return session.Model{Name: name, Provider: llm.ProviderOpenAI, Definition: name[7:]}, nil
	}
	lock, err := s.Lock(b, model)
	fatal.If(t, err)
	first, _ := model("secret-7b")
	plan, tasks, err := s.Plan(b, lock.Hash, 1, 1, "ann", first)
	fatal.If(t, err)
	var m madeUp
	if m.events, m.texts, err = (simulate.Session{ID: "S", Plan: plan, Seed: 1, Wall: 1}).Log(tasks...); err != nil {
		t.Fatal(err)
	}
	return m, s, lock
}

// TestStudyOfABundle: a bundle has its study's file, lock and analysis plan. It names the models only after
// unblinding, and what contradicts its sessions is refused.
func TestStudyOfABundle(t *testing.T) {
	from, s, lock := studied(t)
	for _, blind := range []bool{true, false} {
		of := &Study{Blind: blind}
		var err error
		if of.File, of.Lock, err = s.Publish(lock, blind); err != nil {
			t.Fatal(err)
		}
		b, err := Pack(from, []string{"S"}, "1", of)
		fatal.If(t, err)
		var file bytes.Buffer
		fatal.If(t, b.Write(&file))
		read, err := Read(&file)
		fatal.If(t, err)
		found, err := read.Verify(t.Context(), Options{})
		if err != nil || len(found.Report.Differ) > 0 {
			t.Errorf("blind %v: %+v, %v", blind, found.Report, err)
		}
		named := false
		for name, text := range read.files {
			if bytes.Contains(text, []byte("secret-7b")) {
				if named = true; blind {
					t.Errorf("%s names a model", name)
				}
			}
		}
		if !blind && (!named || !bytes.Contains(read.files[reportDir+"report.md"], []byte("secret-7b"))) {
			t.Error("the report of an unblinded study does not name its models")
		}
		if !bytes.Contains(read.files[readmeName], []byte(lock.Hash)) || !bytes.Equal(read.files[reportDir+"dataset/materials/study.toml"], of.File) {
			t.Error("the study is missing in the README or in the dataset")
		}
		altered := map[string][2]string{
			"another analysis plan":  {studyFile, strings.Replace(string(of.File), `"time"`, `"total"`, 1)},
			"another model's hash":   {lockFile, strings.Replace(string(of.Lock), `"definition": "7b"`, `"definition": "8b"`, 1)},
			"another task":           {lockFile, strings.Replace(string(of.Lock), `"id": "one"`, `"id": "two"`, 1)},
			"another study":          {lockFile, strings.Replace(string(of.Lock), lock.Hash, strings.Repeat("0", 64), 1)},
			"no lock":                {lockFile, ""},
			"ratings of nobody here": {ratingsFile, "{}\n"},
		}
		for name, change := range altered {
			other := &Bundle{Manifest: read.Manifest, files: map[string][]byte{}, logs: read.logs}
			for file, text := range read.files {
				other.files[file] = text
			}
			other.files[change[0]] = []byte(change[1])
			if err := other.checkStudy(); err == nil {
				t.Errorf("blind %v: a bundle with %s is accepted", blind, name)
			}
		}
	}
	plain, err := Pack(from, []string{"S"}, "1", nil)
	fatal.If(t, err)
	plain.files[studyFile] = []byte("x")
	if plain.checkStudy() == nil {
		t.Error("a study's file that the manifest does not name is accepted")
	}
}
