package generate

import (
	"encoding/json"
	"os"
	"path/filepath"

	"assay/data/disk"
	"assay/session"
)

// Took is what the answers took that results in a run's directory are of.
type Took struct {
	Account    session.Account
	Model      string         // its name in the models file
	Definition string         // of the model, as the run recorded it
	Price      *session.Price // as the run recorded it; nil: none
}

// TookOf returns what the answers to the tasks of results took. It is nil for results that are not in the directory of
// a run with its answers.
func TookOf(results string, of func(task string) bool) (*Took, error) {
	path, err := filepath.Abs(results)
	if err != nil {
		return nil, err
	}
	model, prompt := filepath.Base(filepath.Dir(path)), filepath.Base(path)
	run := filepath.Dir(filepath.Dir(filepath.Dir(path)))
	answers := filepath.Join(run, answersName, model, prompt+".jsonl")
	if _, err := os.Stat(answers); err != nil {
		return nil, nil
	}
	text, err := disk.ReadFile(filepath.Join(run, manifestName), disk.Document)
	var m manifest
	if err != nil || json.Unmarshal(text, &m) != nil {
		return nil, nil
	}
	t := &Took{}
	err = readLines(answers, func(a Answer, _ int64) {
		if t.Model = a.Model; of(a.TaskID) {
			t.Account.Add(a.account())
		}
	})
	for _, known := range m.Models {
		if known.Name == t.Model {
			t.Definition, t.Price = known.Definition, known.Price
		}
	}
	return t, err
}
