package live

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"sync"

	"assay/cmd/cli/inputs"
	"assay/cmd/cli/machine"
	"assay/session/llm"
	"assay/tui/models"
	"assay/tui/work/live"
)

// Models returns the options of the models screen.
func (l *Library) Models(context.Context) (models.Options, error) { return l.modelsScreen(), nil }

func (l *Library) modelsScreen() models.Options {
	rows, _ := l.Store.Sessions() // without them, what has answered is not known
	answered := l.answeredModels(rows)
	o := models.Options{Path: l.known().Path, Found: l.known().Found}
	for _, m := range l.known().List() {
		ready, why := m.Ready(inputs.ModelsDeps(l.io))
		o.Models = append(o.Models, models.Model{Name: m.Name, Provider: string(m.Provider), ID: m.Model, Ready: ready, Why: why, BuiltIn: m.BuiltIn(), Local: m.OverHTTP() && m.Local(), Answered: answered[m.Name], Facts: facts(m)})
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
		editor := live.Editor(l.io.Getenv)
		if editor == "" {
			return nil
		}
		return live.EditorCommand(editor, l.known().Path)
	}
	var servers sync.Map // from what a place of the screen is called to the server that was asked
	place := func(p machine.FoundPlace, at string) models.Place {
		servers.Store(at, p.Place)
		found := models.Place{At: at, KeyEnv: p.KeyEnv, ClientCert: p.ClientCert, ClientKey: p.ClientKey, Models: p.Models}
		if p.Err != nil {
			found.Err, found.Amiss = p.Err.Error(), llm.Amiss(p.Err)
		}
		return found
	}
	o.Find = func(ctx context.Context) (list []models.Place) {
		for _, p := range machine.FindPlaces(ctx, l.io) {
			list = append(list, place(p, p.Name))
		}
		return list
	}
	o.List = func(ctx context.Context, p models.Place) models.Place {
		return place(machine.ListModels(ctx, l.io, machine.Server{At: p.At, KeyEnv: p.KeyEnv, ClientCert: p.ClientCert, ClientKey: p.ClientKey}), p.At)
	}
	o.Add = func(at, model string) (string, error) {
		server, known := servers.Load(at)
		if !known {
			return "", fmt.Errorf("%s was not asked for its models", at)
		}
		m, err := machine.AddModel(l.known().Path, server.(llm.Place), "", model)
		return m.Name, err
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
		l.checked.Store(name, true)
		return result.Text(), nil
	}
	return o
}

// facts lists what the models file says about a model.
func facts(m llm.Model) (list []models.Fact) {
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
	if key := m.APIKeyEnv; key != "" {
		add("key", "from the environment variable "+key)
	}
	add("certificate", m.ClientCert)
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
