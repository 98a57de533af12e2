package models

import (
	"cmp"
	"context"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// Place is a server from which a model can be added.
type Place struct {
	At     string // its name, or its address
	KeyEnv string // the environment variable with the key; empty: none, or the usual one of a named place
	Models []string
	Err    string // why its models are not known; empty: they are
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
	modelName
)

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
		typed  bool // they are the one place that was typed
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
		if a.places = msg.places; msg.typed {
			a.place = msg.places[0]
			if a.place.Err != "" { // many gateways have no list
				a.said = "Its models cannot be listed: " + a.place.Err
				return a.ask(modelName)
			}
		}
		a.search.Clear()
		if msg.typed { // the row of any other server was chosen, and is the last one
			a.list.Pick(func(o offer) bool { return o.model != "" })
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

// ask begins typing.
func (a *adding) ask(what typed) tea.Cmd {
	a.asks = what
	a.line.SetValue("")
	return a.line.Focus()
}

// answer takes what was typed.
func (s *Screen) answer() tea.Cmd {
	a, text := s.add, strings.TrimSpace(s.add.line.Value())
	switch {
	case a.asks == address && !strings.Contains(text, "://"):
		a.said = "An address is like https://gateway.example.com/v1."
	case a.asks == address:
		a.place = Place{At: text}
		a.said = ""
		return a.ask(keyVariable)
	case a.asks == keyVariable:
		a.place.KeyEnv, a.asks, a.waiting = text, nothing, a.place.At+" is asked for its models"
		place, models := a.place, s.opts.List
		return func() tea.Msg {
			if list, err := models(context.Background(), place.At, place.KeyEnv); err != nil {
				place.Err = err.Error()
			} else {
				place.Models = list
			}
			return foundMsg{[]Place{place}, true}
		}
	case text == "":
		a.said = "The model's name is empty."
	default:
		a.asks = nothing
		return s.addModel(&a.place, text)
	}
	return nil
}

// choose adds the chosen model, or asks for what is not known.
func (s *Screen) choose() tea.Cmd {
	a := s.add
	switch o, ok := a.list.Chosen(); {
	case !ok:
		return nil
	case o.place == nil:
		return a.ask(address)
	case o.model == "":
		a.place = *o.place
		return a.ask(modelName)
	default:
		return s.addModel(o.place, o.model)
	}
}

// addModel writes an entry, and reads the file again.
func (s *Screen) addModel(p *Place, model string) tea.Cmd {
	s.add.waiting, s.add.said = model+" is added", ""
	place, add, reload := *p, s.opts.Add, s.opts.Reload
	return func() tea.Msg {
		name, err := add(place.At, place.KeyEnv, model)
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
		})}, frame.HelpKeyTyping}
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
	line, cursor := a.search.View(body.Width, theme.Dim.Render("a model or a server"), theme)
	if a.asks != nothing {
		label := map[typed]string{address: " address: ", keyVariable: " environment variable with the key (none: empty): ", modelName: " the model's name there: "}[a.asks]
		line, cursor = frame.Field(label, &a.line, true, 0, body.Width, theme)
	}
	p.Cursor = cursor
	rows := []string{"", "   " + theme.Dim.Render("… "+frame.OneLine(a.waiting))}
	if a.waiting == "" {
		rows = a.list.Draw(1, body.Height-3, func(o offer, chosen bool) string { return drawOffer(o, chosen, body.Width, theme) })
		p.Place = frame.Count(frame.CountIf(a.list.Rows(), func(o *offer) bool { return o.model != "" }), "model")
		p.Seen = a.list.Seen()
	}
	p.Body = frame.Under(line+"\n"+strings.Join(rows, "\n"), frame.Notice(a.said, theme.Warn, body.Width, 2), body)
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
