package models_test

import (
	"context"
	"errors"
	"fmt"
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
	opts.Find = func(context.Context) []models.Place { return nil }
	tuitest.EverySize(t, func() frame.Screen { return models.New(opts) })
	found.Store(false)
	d := tuitest.Drive(t, models.New(opts), 80, 24).Sees("e create the file", "you copy each prompt")
	d.Press("e").Sees("The file was created", "e edit the file")
	d.Press("down").Sees("– hosted is not configured: the environment variable EXAMPLE_API_KEY is not", "set, which is long to say")
	d.Press("e").Sees("No editor was found", "EDITOR")
	d.Press("r").Sees("The file was read again")
}

// A model of a server that is found, of one that is typed, or of one that lists none, is added by name, and is then in the
// list; the request that checks it is offered. Nothing is asked or written before the person chooses.
func TestAddModel(t *testing.T) {
	var many []string
	for i := range 500 {
		many = append(many, fmt.Sprintf("vendor/model-%03d", i))
	}
	added := make(chan string, 3)
	opts := models.Options{Path: "/models.toml", Models: []models.Model{{Name: "paste", Provider: "paste", Ready: true, BuiltIn: true}}}
	opts.Find = func(context.Context) []models.Place {
		return []models.Place{{At: "ollama", Models: []string{"qwen:7b"}}, {At: "openrouter", KeyEnv: "OPENROUTER_API_KEY", Models: many}, {At: "openai", KeyEnv: "OPENAI_API_KEY", Err: "401: the key is refused"}}
	}
	opts.List = func(_ context.Context, p models.Place) models.Place {
		if p.Err = "no list at " + p.At; p.At == "https://gateway/v1" && p.KeyEnv == "KEY" {
			p.Models, p.Err = []string{"coder"}, ""
		}
		return p
	}
	opts.Add = func(at, model string) (string, error) {
		if model == "twice" {
			return "", errors.New("the disk is full")
		}
		added <- at + " " + model
		return "new", nil
	}
	opts.Reload = func() (models.Options, error) {
		again := opts
		again.Found, again.Models = true, append(opts.Models[:1:1], models.Model{Name: "new", Provider: "openai", Ready: true})
		return again, nil
	}
	quiet := opts
	quiet.Make, quiet.Edit, quiet.Add = func() error { return nil }, func() *exec.Cmd { return nil }, func(string, string) (string, error) { return "", errors.New("full") }
	tuitest.EverySize(t, func() frame.Screen { return models.New(quiet) })
	is := func(want string) {
		t.Helper()
		if got := <-added; got != want {
			t.Errorf("%q was added, want %q", got, want)
		}
	}
	d := tuitest.Drive(t, models.New(opts), 80, 24).Press("a").Sees("qwen:7b  ollama", "vendor/model-000", "501 models")
	d.Press("/", "model-321", "enter", "enter").Sees("new is in the models file").Sees("Send one small request to new?")
	is("openrouter vendor/model-321")
	d.Press("esc", "a").Sees("qwen:7b").Press("/", "401", "enter").Sees("401: the key is refused").Press("end").Press("enter").Sees("address:")
	d.Press("gateway", "enter").Sees("An address is like").Press("esc").Press("end").Press("enter", "https://gateway/v1", "enter").Sees("variable with the key", "not the key itself").Press("KEY", "enter").Sees("coder  https://gateway/v1", "qwen:7b")
	d.Press("home").Press("enter").Sees("new is in the models file")
	is("https://gateway/v1 coder")
	d.Press("esc", "a").Sees("qwen:7b").Press("end").Press("enter", "https://none/v1", "enter", "enter").Sees("cannot be listed: no list at https://none/v1", "What the server calls the model")
	d.Press("esc").Sees("another server").Press("home").Sees("qwen:7b  ollama").Press("end").Press("enter", "https://none/v1", "enter", "enter").Sees("What the server calls the model")
	d.Press("twice", "enter").Sees("the disk is full").Press("esc").Settled()
}

// What is wrong with a server that was typed is said whole and asked again, with what was typed, and what was right stays;
// where nothing is found, the screen says what was looked for.
func TestAddCorrected(t *testing.T) {
	opts := models.Options{Path: "/models.toml", Connect: true, Models: []models.Model{{Name: "paste", Provider: "paste", Ready: true, BuiltIn: true}}}
	opts.Find = func(context.Context) []models.Place { return nil }
	opts.List = func(_ context.Context, p models.Place) models.Place {
		p.Err, p.Amiss = "", ""
		switch {
		case p.At != "strict.example:8443":
			p.Err, p.Amiss = "nothing answers there, which takes so many words to say that they need several rows of the screen, of which none must be missing: check the address", "base_url"
		case p.KeyEnv != "KEY":
			p.Err, p.Amiss = "the key in "+p.KeyEnv+" is refused", "api_key_env"
		case p.ClientCert+" "+p.ClientKey != "~/c.pem ~/k.pem":
			p.Err, p.Amiss = "a certificate is wanted", "client_cert"
		default:
			p.Models = []string{"coder"}
		}
		return p
	}
	d := tuitest.Drive(t, models.New(opts), 80, 24).Sees("No server answers on this machine", "OPENAI_API_KEY", "▸ another server")
	d.Press("enter").Sees("often ends in /v1").Press("strict.exampl:8443", "enter").Sees("It has to be set before").Press("WRONG", "enter")
	d.Sees("address: strict.exampl:8443", "several rows of the screen", "check the address").Press("left", "left", "left", "left", "left", "e", "enter")
	d.Sees("variable with the key: WRONG").Lacks("check the address").Press("enter").Sees("the key in WRONG is refused", "variable with the key:").Press("KEY", "enter")
	d.Sees("a certificate is wanted", "file of your certificate:").Press("~/c.pem", "enter").Sees("file of its key:").Press("enter")
	d.Sees("a certificate is wanted", "file of your certificate: ~/c.pem").Press("enter", "~/k.pem", "enter").Sees("▸ coder  strict.example:8443")
}

// A model that is added after the person has left shows all the same, and nobody is asked about it.
func TestAddedLate(t *testing.T) {
	goOn := make(chan error)
	opts := models.Options{Path: "/models.toml", Models: []models.Model{{Name: "paste", Provider: "paste", Ready: true, BuiltIn: true}}}
	opts.Find = func(context.Context) []models.Place {
		return []models.Place{{At: "ollama", Models: []string{"qwen:7b"}}}
	}
	opts.Add = func(string, string) (string, error) { return "qwen:7b", <-goOn }
	opts.Reload = func() (models.Options, error) {
		again := opts
		again.Models = append(opts.Models[:1:1], models.Model{Name: "qwen:7b", Provider: "ollama", Ready: true})
		return again, nil
	}
	d := tuitest.Drive(t, models.New(opts), 80, 24).Press("a").Sees("qwen:7b").Press("enter").Sees("is added").Press("esc").Sees("paste")
	goOn <- nil
	d.Sees("qwen:7b is in the models file", "✓ configured").Lacks("Send one small request")
	d.Press("a").Sees("qwen:7b").Press("enter").Sees("is added").Press("esc").Sees("paste")
	goOn <- errors.New("the disk is full")
	d.Sees("the disk is full")
}

// TestConnect: on a first start the search begins by itself, a model of this machine is asked at once, since that costs
// nothing, and a session is offered when it has answered.
func TestConnect(t *testing.T) {
	opts := models.Options{Path: "/models.toml", Connect: true, Models: []models.Model{{Name: "paste", Provider: "paste", Ready: true, BuiltIn: true}}}
	opts.Find = func(context.Context) []models.Place {
		return []models.Place{{At: "ollama", Models: []string{"qwen:7b"}}}
	}
	opts.Add = func(string, string) (string, error) { return "qwen:7b", nil }
	opts.Reload = func() (models.Options, error) {
		again := opts
		again.Found, again.Models = true, append(opts.Models[:1:1], models.Model{Name: "qwen:7b", Provider: "ollama", Ready: true, Local: true})
		return again, nil
	}
	opts.Check = func(_ context.Context, name string) (string, error) { return name + ": ok", nil }
	opts.Start = frame.Open(models.New(models.Options{Path: "/form.toml"}))
	d := tuitest.Drive(t, models.New(opts), 80, 24).Sees("▸ qwen:7b  ollama").Press("enter").Sees("qwen:7b: ok", "n begins a session")
	d.Lacks("may charge").Press("n").Sees("form.toml")
}
