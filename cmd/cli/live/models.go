package live

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"

	"assay/cmd/cli/inputs"
	"assay/cmd/cli/machine"
	"assay/session/llm"
	"assay/tui/models"
	"assay/tui/work"
)

// Models returns the options of the models screen.
func (l *Library) Models(context.Context) (models.Options, error) { return l.modelsScreen(), nil }

func (l *Library) modelsScreen() models.Options {
	var answered map[string]bool
	if rows, err := l.Store.Sessions(); err == nil {
		answered = answeredModels(rows)
	}
	o := models.Options{Path: l.known().Path, Found: l.known().Found}
	for _, m := range l.known().List() {
		ready, why := m.Ready(inputs.ModelsDeps(l.io))
		o.Models = append(o.Models, models.Model{Name: m.Name, Provider: string(m.Provider), ID: m.Model, Ready: ready, Why: why, BuiltIn: m.BuiltIn(), Local: m.OverHTTP() && m.Local(), Answered: answered[m.Name], Facts: facts(m, ready)})
	}
	o.Reload = func() (models.Options, error) {
		again, err := llm.LoadModels(l.known().Path)
		if err != nil {
			return models.Options{}, err
		}
		l.models.Store(&again)
		return l.modelsScreen(), nil
	}
	o.Make = func() error { return machine.CreateModelsFile(l.known().Path) }
	o.Edit = func() *exec.Cmd {
		editor := work.Editor(l.io.Getenv)
		if editor == "" {
			return nil
		}
		return work.EditorCommand(editor, l.known().Path)
	}
	o.Find = func(ctx context.Context) (list []models.Place) {
		for _, p := range machine.FindPlaces(ctx, l.io) {
			found := models.Place{At: p.Name, KeyEnv: p.KeyEnv, Models: p.Models}
			if p.Err != nil {
				found.Err = p.Err.Error()
			}
			list = append(list, found)
		}
		return list
	}
	o.List = func(ctx context.Context, at, keyEnv string) ([]string, error) {
		return machine.ListModels(ctx, l.io, at, keyEnv)
	}
	o.Add = func(at, keyEnv, model string) (string, error) {
		return machine.AddModel(l.io, l.known().Path, at, keyEnv, model)
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

// facts lists what the models file says about a model.
func facts(m llm.Model, ready bool) (list []models.Fact) {
	add := func(name, value string) {
		if value != "" {
			list = append(list, models.Fact{Name: name, Value: value})
		}
	}
	if m.BuiltIn() {
		return nil
	}
	add("provider", m.Server())
	add("model", m.Model)
	add("program", strings.Join(m.Command, " "))
	if key := m.APIKeyEnv; key != "" && ready {
		add("key", "from the environment variable "+key)
	}
	add("settings", m.Settings())
	add("system", m.System)
	if n := m.MaxContext; n != nil {
		add("context", strconv.Itoa(*n)+" tokens")
	}
	if p := m.Price(); p != nil {
		add("price", fmt.Sprintf("%s %g for a million tokens of prompts, %g of answers", p.Currency, p.In, p.Out))
	}
	return list
}
