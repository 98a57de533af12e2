package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"assay/cmd/cli/inputs"
	"assay/cmd/cli/machine"
	"assay/data/disk"
	"assay/session/llm"
	"assay/tui/models"
	"assay/tui/work"
)

// Models returns the options of the models screen.
func (l *library) Models(context.Context) (models.Options, error) { return l.modelsScreen(), nil }

func (l *library) modelsScreen() models.Options {
	var answered map[string]bool
	if rows, err := l.store.Sessions(); err == nil {
		answered = answeredModels(rows)
	}
	o := models.Options{Path: l.known().Path, Found: l.known().Found}
	for _, m := range l.known().List() {
		ready, why := m.Ready(inputs.ModelsDeps(l.io))
		builtIn := m.Provider == llm.ProviderPaste || m.Provider == llm.ProviderRehearsal
		o.Models = append(o.Models, models.Model{Name: m.Name, Provider: string(m.Provider), ID: m.Model, Ready: ready, Why: why, BuiltIn: builtIn, Answered: answered[m.Name]})
	}
	o.Reload = func() (models.Options, error) {
		again, err := llm.LoadModels(l.known().Path)
		if err != nil {
			return models.Options{}, err
		}
		l.models.Store(&again)
		return l.modelsScreen(), nil
	}
	o.Make = func() error { return makeModelsFile(l.known().Path) }
	o.Edit = func() *exec.Cmd {
		editor := work.Editor(l.io.Getenv)
		if editor == "" {
			return nil
		}
		return work.EditorCommand(editor, l.known().Path)
	}
	o.Check = func(ctx context.Context, name string) (string, error) {
		m, err := l.known().Get(name)
		if err != nil {
			return "", err
		}
		result := machine.CheckModel(ctx, l.io, m)
		if !result.OK {
			return "", errors.New(result.Error)
		}
		return result.Text(), nil
	}
	return o
}

// asleep comments out every model of the example: nobody wants all of them.
func asleep(example string) string {
	var b strings.Builder
	b.WriteString("# Take the # away from the lines of a model that you want, and fill it in.\n\n")
	for line := range strings.Lines(example) {
		if text := strings.TrimSpace(line); text != "" && !strings.HasPrefix(text, "#") {
			line = "#" + line
		}
		b.WriteString(line)
	}
	return b.String()
}

// makeModelsFile creates a models file from the example. It does not replace an existing file.
func makeModelsFile(path string) error {
	err := disk.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = disk.Create(path, 0o600, disk.Bytes(asleep(llm.ExampleModels())))
	}
	if err != nil {
		return fmt.Errorf("the models file cannot be created: %w", err)
	}
	return nil
}
