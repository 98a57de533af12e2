package models

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// Place is a server from which a model can be added.
type Place struct {
	At         string // its name, or its address
	KeyEnv     string // the environment variable with the key; empty: none, or the usual one of a named place
	ClientCert string // the files by which the server recognises who asks; empty: it does not
	ClientKey  string
	Models     []string
	Err        string // why its models are not known; empty: they are
	Amiss      string // the key of the models file that is to be corrected for that; empty: the list is not needed
}

// offer is a row of the list of models that can be added: a model of a place, a place whose models are not known, or, without
// a place, any other server.
type offer struct {
	place *Place
	model string
}

// typed is what is being typed.
type typed int

const (
	nothing typed = iota
	address
	keyVariable
	certificate
	certificateKey
	modelName
)

// label returns what stands before the line, and what is wanted in it.
func (t typed) label() (label, wanted string) {
	switch t {
	case address:
		return " address: ", "The address of a server with OpenAI's protocol, which often ends in /v1, such as https://gateway.example.com/v1. For other protocols: assay models add --provider."
	case keyVariable:
		return " variable with the key: ", "The name of the environment variable that holds the key, such as GATEWAY_KEY, and not the key itself, which is written to no file. It has to be set before assay is started. Leave it empty if the server wants no key."
	case certificate:
		return " file of your certificate: ", "The server wants a certificate of yours: the file with it, in PEM."
	case certificateKey:
		return " file of its key: ", "The file with the certificate's key, in PEM. Leave it empty if the key is in the same file."
	}
	return " model: ", "What the server calls the model, such as gpt-5-mini or org/coder-32b."
}

// adding is the part of the screen on which a model is added.
type adding struct {
	list    frame.List[offer]
	search  frame.Search
	places  []Place
	waiting string // what is waited for; empty: nothing
	said    string
	asks    typed
	line    textinput.Model
	place   Place // that is described by what is typed
}

type (
	foundMsg struct {
		places []Place
		typed  bool // they are the one place that was described by what was typed
	}
	addedMsg struct {
		name string
		opts Options
		err  error
	}
)

// begin looks for servers.
func (s *Screen) begin() tea.Cmd {
	a := &adding{waiting: "looking for servers on this machine, and for keys of providers in the environment", line: frame.NewLine(0)}
	a.search = frame.NewSearch(" find ", a.show, a.list.Keep)
	a.list.Same = func(x, y offer) bool { return x == y }
	s.add, s.said = a, ""
	find := s.opts.Find
	return func() tea.Msg { return foundMsg{places: find(context.Background())} }
}

// show lists what matches the search.
func (a *adding) show() {
	var rows []offer
	for i := range a.places {
		p := &a.places[i]
		if p.Err != "" || len(p.Models) == 0 {
			rows = append(rows, offer{place: p})
		}
		for _, m := range p.Models {
			if a.search.Finds(p.At, m) {
				rows = append(rows, offer{p, m})
			}
		}
	}
	a.list.Set(append(rows, offer{}))
}

// updateAdding handles keys and the places that were found while a model is added.
func (s *Screen) updateAdding(msg tea.Msg) tea.Cmd {
	a := s.add
	switch msg := msg.(type) {
	case foundMsg:
		a.waiting = ""
		switch {
		case !msg.typed:
			if a.places = msg.places; len(a.places) == 0 {
				a.said = "No server answers on this machine (Ollama, LM Studio, llama.cpp, vLLM), and no key of a provider is in the environment, such as OPENAI_API_KEY or ANTHROPIC_API_KEY. The address of any other server can be typed."
			}
			a.search.Clear()
		case msg.places[0].Err != "":
			a.place = msg.places[0]
			a.said = "Its models cannot be listed: " + a.place.Err
			return a.correct()
		default: // before what was found
			a.place = msg.places[0]
			a.places = append([]Place{a.place}, slices.DeleteFunc(a.places, func(p Place) bool { return p.At == a.place.At })...)
			a.search.Clear()
			a.list.Pick(func(o offer) bool { return o.model != "" && o.place.At == a.place.At }) // the row of any other server was chosen
		}
	case tea.KeyPressMsg:
		cmd, why, taken := frame.Pressed(s.addingKeys(), msg.String())
		if a.said = cmp.Or(why, a.said); !taken && why == "" {
			cmd = a.typing(msg)
		}
		return cmd
	case tea.PasteMsg:
		return a.typing(msg)
	}
	return nil
}

// added shows the new model, or why there is none, also where the person no longer waits for it. Only who waits is asked
// whether to check it, unless that costs nothing.
func (s *Screen) added(msg addedMsg) tea.Cmd {
	waited := s.add != nil && s.add.waiting != ""
	if msg.err != nil && waited {
		s.add.waiting, s.add.said = "", msg.err.Error()
		return nil
	}
	if s.of = ""; msg.err != nil {
		s.said, s.bad = msg.err.Error(), true
		return nil
	}
	s.opts = s.opts.with(msg.opts)
	s.show()
	if waited {
		s.add = nil
		s.list.Pick(func(m *Model) bool { return m.Name == msg.name })
		if m, _ := s.list.Chosen(); m.Local && s.cannot() == "" {
			return s.check()
		}
		s.asking = s.cannot() == ""
	}
	s.said, s.bad = msg.name+" is in the models file.", false // choosing a row has cleared it
	return nil
}

// typing passes a key or a paste to the line that is being typed.
func (a *adding) typing(msg tea.Msg) (cmd tea.Cmd) {
	if a.asks != nothing {
		a.line, cmd = a.line.Update(msg)
		return cmd
	}
	return a.search.Update(msg)
}

// ask begins typing, with what was typed before.
func (a *adding) ask(what typed, before string) tea.Cmd {
	a.asks = what
	a.line.SetValue(before)
	a.line.CursorEnd()
	return a.line.Focus()
}

// correct asks for what is amiss with the place, and for the model's name if nothing is: many gateways have no list.
func (a *adding) correct() tea.Cmd {
	switch a.place.Amiss {
	case "base_url":
		return a.ask(address, a.place.At)
	case "api_key_env":
		return a.ask(keyVariable, "") // it may have been the key itself
	case "client_cert", "client_key":
		return a.ask(certificate, a.place.ClientCert)
	}
	return a.ask(modelName, "")
}

// answer takes what was typed.
func (s *Screen) answer() tea.Cmd {
	a, text := s.add, strings.TrimSpace(s.add.line.Value())
	switch {
	case a.asks == address && !strings.ContainsAny(text, ".:"):
		a.said = "An address is like https://gateway.example.com/v1."
	case a.asks == address:
		a.place.At, a.said = text, ""
		return a.ask(keyVariable, a.place.KeyEnv)
	case a.asks == keyVariable:
		a.place.KeyEnv = text
		return s.askPlace()
	case a.asks == certificate:
		a.place.ClientCert, a.said = text, ""
		return a.ask(certificateKey, a.place.ClientKey)
	case a.asks == certificateKey:
		a.place.ClientKey = text
		return s.askPlace()
	case text == "":
		a.said = "The model's name is empty."
	default:
		a.asks = nothing
		return s.addModel(&a.place, text)
	}
	return nil
}

// askPlace asks the place that was described for its models.
func (s *Screen) askPlace() tea.Cmd {
	a := s.add
	a.asks, a.said, a.waiting = nothing, "", a.place.At+" is asked for its models"
	place, list := a.place, s.opts.List
	return func() tea.Msg { return foundMsg{[]Place{list(context.Background(), place)}, true} }
}

// choose adds the chosen model, or asks for what is not known.
func (s *Screen) choose() tea.Cmd {
	a := s.add
	switch o, ok := a.list.Chosen(); {
	case !ok:
		return nil
	case o.place == nil:
		a.place, a.said = Place{}, ""
		return a.ask(address, "")
	case o.model == "":
		a.place = *o.place
		if a.said = a.place.Err; a.place.Amiss == "client_cert" {
			return a.ask(certificate, "")
		}
		return a.ask(modelName, "") // of a named place the rest is known
	default:
		return s.addModel(o.place, o.model)
	}
}

// addModel writes an entry, and reads the file again.
func (s *Screen) addModel(p *Place, model string) tea.Cmd {
	s.add.waiting, s.add.said = model+" is added", ""
	place, add, reload := *p, s.opts.Add, s.opts.Reload
	return func() tea.Msg {
		name, err := add(place.At, model)
		if err != nil {
			return addedMsg{err: err}
		}
		opts, err := reload()
		return addedMsg{name, opts, err}
	}
}

// addingKeys returns the keys while a model is added.
func (s *Screen) addingKeys() []frame.Key {
	a := s.add
	back := frame.Only(func() { s.add = nil })
	switch {
	case a.asks != nothing:
		return []frame.Key{{Press: "enter", Does: "go on", Do: s.answer}, {Press: "esc", Does: "the list", Do: frame.Only(func() {
			a.asks, a.said = nothing, ""
			a.show()
		})}, frame.HelpKey}
	case a.search.Typing():
		return a.search.Keys("all models")
	case a.waiting != "":
		return []frame.Key{{Press: "esc", Also: "q", Does: "the models", Do: back}}
	}
	choose := a.list.Key()
	choose.More = true
	return append([]frame.Key{
		{Press: "enter", Does: "add", Do: s.choose}, {Press: "/", Does: "find", Do: a.search.Begin}, frame.HelpKey,
		{Press: "esc", Also: "q", Does: "the models", Do: a.search.Back(back)}, choose,
	}, frame.Motions(a.list.Move)...)
}

// addingPage draws the models that can be added.
func (s *Screen) addingPage(size frame.Size, theme frame.Theme) frame.Page {
	a, body := s.add, size.Body()
	p := frame.Page{Scope: frame.ScopeModels, Title: "Add a model", Keys: s.addingKeys()}
	line, cursor := a.search.View(body.Width, theme.Dim.Render(theme.Press(frame.ScopeModels, "/")+" types a part of a name"), theme)
	said := a.said
	if chosen, ok := a.list.Chosen(); ok && said == "" && a.asks == nothing && chosen.place != nil {
		said = chosen.place.Err
	}
	below := frame.Notice(said, theme.Warn, body.Width, max(2, body.Height/2))
	var rows []string
	switch {
	case a.asks != nothing:
		label, wanted := a.asks.label()
		line, cursor = frame.Field(label, &a.line, true, 0, body.Width, theme)
		rows = append([]string{""}, frame.Notice(wanted, theme.Dim, body.Width, 4)...)
	case a.waiting != "":
		rows = []string{"", "   " + theme.Dim.Render("… "+frame.OneLine(a.waiting))}
	default:
		rows = a.list.Draw(1, body.Height-1-max(1, len(below)), func(o offer, chosen bool) string { return drawOffer(o, chosen, body.Width, theme) })
		p.Place = frame.Count(frame.CountIf(a.list.Rows(), func(o *offer) bool { return o.model != "" }), "model")
		p.Seen = a.list.Seen()
	}
	p.Cursor = cursor
	p.Body = frame.Under(line+"\n"+strings.Join(rows, "\n"), below, body)
	return p
}

func drawOffer(o offer, chosen bool, width int, theme frame.Theme) string {
	text, state := "another server: type its address", ""
	switch {
	case o.place != nil && o.model != "":
		text, state = o.model, o.place.At
	case o.place != nil:
		text, state = o.place.At, cmp.Or(o.place.Err, "it lists no model")
	}
	return theme.Item(frame.Cut(frame.OneLine(text)+"  "+theme.Dim.Render(frame.OneLine(state)), width-4), chosen, width)
}
