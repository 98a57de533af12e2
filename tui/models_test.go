package tui_test

import (
	"errors"
	"os/exec"
	"testing"

	"assay/tui/models"
)

// A new file is made by e, which edits it from then on; without an editor the screen
// says what to do. Of the chosen model everything is said.
func TestModelsFile(t *testing.T) {
	opts := models.Options{Path: "/models.toml", Models: []models.Model{
		{Name: "paste", Provider: "paste", Ready: true, BuiltIn: true},
		{Name: "hosted", Provider: "openai", Why: "the environment variable EXAMPLE_API_KEY is not set, which is long to say"},
	}}
	found := false
	opts.Reload = func() (models.Options, error) {
		again := opts
		again.Found = found
		if !found {
			return again, errors.New("there is no file")
		}
		return again, nil
	}
	opts.Make = func() error { found = true; return nil }
	opts.Edit = func() *exec.Cmd { return nil }
	d := drive(t, models.New(opts), 80, 24).sees("e make the file", "you carry each prompt")
	d.press("e").sees("The file was made", "e edit the file")
	d.press("down").sees("– hosted is not configured: the environment variable EXAMPLE_API_KEY is not", "set, which is long to say")
	d.press("e").sees("No editor was found", "EDITOR")
	d.press("r").sees("The file was read again")
}
