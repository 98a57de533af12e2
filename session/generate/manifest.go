package generate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/benchmark/format"
	"assay/data/disk"
	"assay/session"
)

const (
	manifestName = "manifest.json"
	promptsName  = "prompts.jsonl"
	tasksName    = "tasks.json"

	// ResultsName is the directory for results of the answers, which may be there before the run: an adaptive test
	// chooses its first task before it asks for answers.
	ResultsName = "results"

	// ManifestVersion is the version of the format of run directories.
	ManifestVersion = 1
)

// manifest is the stored specification of a run.
type manifest struct {
	Version   int             `json:"assay_run"`
	Benchmark string          `json:"benchmark"`
	N         int             `json:"n"`
	Models    []manifestModel `json:"models"`
	Tasks     []manifestTask  `json:"tasks"`
}

type manifestModel struct {
	Name       string `json:"name"`
	Provider   string `json:"provider"`
	Model      string `json:"model,omitempty"`
	BaseURL    string `json:"base_url,omitempty"`
	Definition string `json:"definition"` // hash of everything its answers depend on

	Price *session.Price `json:"price,omitempty"` // when the run was begun or extended
}

type manifestTask struct {
	ID      string            `json:"id"`
	Hash    string            `json:"hash"`
	Prompts map[string]string `json:"prompts"` // hash of each text, by name
}

// promptLine is a line of the file of prompts: a text as it is sent.
type promptLine struct {
	TaskID     string `json:"task_id"`
	Prompt     string `json:"prompt"`
	Unreviewed bool   `json:"unreviewed,omitempty"`
	Text       string `json:"text"`
}

func newManifest(p Plan, c *cells) manifest {
	m := manifest{Version: ManifestVersion, Benchmark: p.Benchmark.Name, N: p.N}
	for _, model := range p.Models {
		m.Models = append(m.Models, manifestModel{model.Name, model.Provider, model.Model, addressOf(model.BaseURL), model.Definition(), model.Price()})
	}
	for i, t := range c.tasks {
		task := manifestTask{ID: t.ID, Hash: t.Hash(), Prompts: map[string]string{}}
		for _, prompt := range c.prompts[i] {
			task.Prompts[prompt.Name] = short([]byte(prompt.Text))
		}
		m.Tasks = append(m.Tasks, task)
	}
	return m
}

// addressOf returns a server's address without parts that may be secret: user, password and query.
func addressOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// settle compares the manifest in the directory with the current plan, and writes it if there is none or
// the plan extends it with permission.
func (r *Run) settle() error {
	dir, want := r.o.Dir, newManifest(r.o.Plan, r.cells)
	path := filepath.Join(dir, manifestName)
	text, err := disk.ReadFile(path, disk.Document)
	if errors.Is(err, fs.ErrNotExist) {
		if others, err := os.ReadDir(dir); err == nil && holdsOther(others) {
			return fmt.Errorf("%s holds other files and no run: choose an empty or new directory", dir)
		}
		if err := r.o.Plan.checkSame(); err != nil {
			return err
		}
		return r.writePlan(want)
	}
	if err != nil {
		return fmt.Errorf("reading the manifest of the run: %w", err)
	}
	var have manifest
	if err := json.Unmarshal(text, &have); err != nil || have.Version == 0 {
		return fmt.Errorf("%s is not a run manifest: restore it, or choose another directory", path)
	}
	if have.Version > ManifestVersion {
		return fmt.Errorf("%s is of version %d, but this version reads %d: use a newer assay", path, have.Version, ManifestVersion)
	}
	changed, added := have.differences(want)
	switch {
	case len(changed) > 0:
		return fmt.Errorf("%s holds a run with a different request: %s; choose another directory, or repeat the original request with the run's own tasks, --tasks %s",
			dir, listed(changed), filepath.Join(dir, tasksName))
	case len(added) == 0:
		return r.sweep()
	case !r.o.Extend:
		return fmt.Errorf("%s holds a run with a smaller request: %s; add --extend to extend it, or choose another directory", dir, listed(added))
	}
	if err := r.o.Plan.checkSame(); err != nil {
		return err
	}
	return r.writePlan(want)
}

// holdsOther reports whether a directory has files that do not belong to a new run.
func holdsOther(entries []fs.DirEntry) bool {
	for _, e := range entries {
		if !disk.Unfinished(e.Name(), promptsName, tasksName, manifestName) && !slices.Contains([]string{lockName, promptsName, tasksName, ResultsName}, e.Name()) {
			return true
		}
	}
	return false
}

func listed(all []string) string {
	const most = 4
	if len(all) > most {
		return strings.Join(all[:most], "; ") + fmt.Sprintf("; and %d differences more", len(all)-most)
	}
	return strings.Join(all, "; ")
}

// differences lists what the plan removes from or changes in a run, and what it adds.
func (m manifest) differences(want manifest) (changed, added []string) {
	models := map[string]string{}
	for _, x := range want.Models {
		models[x.Name] = x.Definition
	}
	for _, x := range m.Models {
		switch definition, ok := models[x.Name]; {
		case !ok:
			changed = append(changed, fmt.Sprintf("the model %q is no longer asked", x.Name))
		case definition != x.Definition:
			changed = append(changed, fmt.Sprintf("the model %q has another definition (server, name, sampling, system message, or recorded answers)", x.Name))
		}
		delete(models, x.Name)
	}
	for _, x := range want.Models {
		if _, isNew := models[x.Name]; isNew {
			added = append(added, fmt.Sprintf("the model %q is new", x.Name))
		}
	}
	tasks := map[string]manifestTask{}
	for _, t := range want.Tasks {
		tasks[t.ID] = t
	}
	for _, t := range m.Tasks {
		now, ok := tasks[t.ID]
		delete(tasks, t.ID)
		switch {
		case !ok:
			changed = append(changed, fmt.Sprintf("the task %q is left out", t.ID))
			continue
		case now.Hash != t.Hash:
			changed = append(changed, fmt.Sprintf("the task %q has changed", t.ID))
		}
		for name, hash := range t.Prompts {
			if got, ok := now.Prompts[name]; !ok {
				changed = append(changed, fmt.Sprintf("the prompt %q of the task %q is left out", name, t.ID))
			} else if got != hash {
				changed = append(changed, fmt.Sprintf("the prompt %q of the task %q has another text", name, t.ID))
			}
		}
		if extra := len(now.Prompts) - len(t.Prompts); extra > 0 {
			added = append(added, fmt.Sprintf("the task %q has %d prompts more", t.ID, extra))
		}
	}
	if len(tasks) > 0 {
		added = append(added, fmt.Sprintf("%d tasks are new", len(tasks)))
	}
	switch {
	case want.N < m.N:
		changed = append(changed, fmt.Sprintf("%d samples are wanted, and it has %d", want.N, m.N))
	case want.N > m.N:
		added = append(added, fmt.Sprintf("%d samples are wanted instead of %d", want.N, m.N))
	}
	return changed, added
}

// writePlan writes the plan: prompts and tasks first, since the manifest implies that they exist.
func (r *Run) writePlan(m manifest) error {
	if r.o.Dry {
		return nil
	}
	if err := r.sweep(); err != nil {
		return err
	}
	c := r.cells
	var prompts bytes.Buffer
	enc := json.NewEncoder(&prompts)
	enc.SetEscapeHTML(false)
	for i, t := range c.tasks {
		for _, x := range c.prompts[i] {
			if err := enc.Encode(promptLine{t.ID, x.Name, x.Unreviewed, x.Text}); err != nil {
				return fmt.Errorf("writing the prompts of the run: %w", err)
			}
		}
	}
	var tasks bytes.Buffer
	if err := format.WriteTasks(&tasks, r.o.Plan.Benchmark, format.Assay, false); err != nil {
		return fmt.Errorf("writing the tasks of the run: %w", err)
	}
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return fmt.Errorf("writing the manifest of the run: %w", err)
	}
	for _, f := range []struct {
		name string
		text []byte
	}{{promptsName, prompts.Bytes()}, {tasksName, tasks.Bytes()}, {manifestName, append(text, '\n')}} {
		if err := disk.Replace(filepath.Join(r.o.Dir, f.name), 0o644, disk.Bytes(f.text)); err != nil {
			return fmt.Errorf("writing %s of the run: %w", f.name, err)
		}
	}
	return nil
}

// sweep removes temporary files of a killed process.
func (r *Run) sweep() error {
	if r.o.Dry {
		return nil
	}
	entries, err := os.ReadDir(r.o.Dir)
	for _, e := range entries {
		if disk.Unfinished(e.Name(), promptsName, tasksName, manifestName) {
			err = errors.Join(err, os.Remove(filepath.Join(r.o.Dir, e.Name())))
		}
	}
	return err
}

// Names reads the models and prompts of the run in a directory.
func Names(dir string) (models, prompts []string, err error) {
	path := filepath.Join(dir, manifestName)
	text, err := disk.ReadFile(path, disk.Document)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the manifest of the run: %w", err)
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil || m.Version == 0 {
		return nil, nil, fmt.Errorf("%s is not a run manifest", path)
	}
	for _, x := range m.Models {
		models = append(models, x.Name)
	}
	seen := map[string]bool{}
	for _, t := range m.Tasks {
		for name := range t.Prompts {
			if !seen[name] {
				seen[name] = true
				prompts = append(prompts, name)
			}
		}
	}
	slices.Sort(prompts)
	return models, prompts, nil
}
