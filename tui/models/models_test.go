package models_test

import (
	"errors"
	"os/exec"
	"sync/atomic"
	"testing"

	"assay/tui/frame"
	"assay/tui/models"
	"assay/tui/tuitest"
)

// A new file is made by e, which edits it from then on; without an editor the screen
// says what to do. Of the chosen model everything is said.
func TestModelsFile(t *testing.T) {
	opts := models.Options{Path: "/models.toml", Models: []models.Model{
		{Name: "paste", Provider: "paste", Ready: true, BuiltIn: true},
		{Name: "hosted", Provider: "openai", Why: "the environment variable EXAMPLE_API_KEY is not set, which is long to say"},
	}}
	var found atomic.Bool
	opts.Reload = func() (models.Options, error) {
		again := opts
		again.Found = found.Load()
		if !again.Found {
			return again, errors.New("there is no file")
		}
		return again, nil
	}
	opts.Make = func() error { found.Store(true); return nil }
	opts.Edit = func() *exec.Cmd { return nil }
	tuitest.EverySize(t, func() frame.Screen { return models.New(opts) })
	found.Store(false)
	d := tuitest.Drive(t, models.New(opts), 80, 24).Sees("e create the file", "you copy each prompt")
	d.Press("e").Sees("The file was created", "e edit the file")
	d.Press("down").Sees("– hosted is not configured: the environment variable EXAMPLE_API_KEY is not", "set, which is long to say")
	d.Press("e").Sees("No editor was found", "EDITOR")
	d.Press("r").Sees("The file was read again")
}
