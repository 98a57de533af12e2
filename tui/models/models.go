package models

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// Model is one model as the screen lists it.
type Model struct {
	Name     string
	Provider string
	ID       string // the provider's name for the model
	Ready    bool
	Why      string // why it is not ready
	BuiltIn  bool   // not from the models file
	Local    bool   // its server is on this machine: a request costs nothing
	Answered bool   // in a session, or a request of this screen

	Facts []Fact // of its entry in the models file
}

// Fact is a setting of a model, or several of a kind.
type Fact struct {
	Name, Value string
}

// state describes a model's state in a word or two. Whether a configured model answers is unknown
// before a request.
func (m *Model) state(room int, theme frame.Theme) string {
	switch why := "– " + frame.OneLine(m.Why); {
	case !m.Ready && frame.Width(why) > room: // the reason is below the list
		return theme.Warn.Render("– not configured")
	case !m.Ready:
		return theme.Warn.Render(why)
	case m.BuiltIn:
		return theme.Good.Render("✓ built in")
	case m.Answered:
		return theme.Good.Render("✓ has answered")
	}
	return "✓ configured"
}

// Options are the inputs of the screen.
type Options struct {
	Path   string // of the models file
	Found  bool
	Models []Model
	// Reload reads the file again.
	Reload func() (Options, error)
	// Make writes an initial file if there is none.
	Make func() error
	// Edit runs the tester's own editor on the file; nil if none is set.
	Edit func() *exec.Cmd
	// Check sends one small request to a model and returns the result.
	Check func(ctx context.Context, name string) (said string, err error)

	// Find looks for servers; List asks one, as a person describes it, for its models; Add writes an entry for a model of a
	// server that was found or asked, and returns its name.
	Find func(context.Context) []Place
	List func(context.Context, Place) Place
	Add  func(at, model string) (name string, err error)

	// Connect begins with the search for servers.
	Connect bool
	// Start opens the form for a new session; nil if there is none.
	Start tea.Cmd
}

// with returns what was read again, with the functions of o.
func (o Options) with(again Options) Options {
	o.Path, o.Found, o.Models = again.Path, again.Found, again.Models
	return o
}

// Screen lists the models.
type Screen struct {
	opts Options
	list frame.List[*Model]

	asking   bool // asking whether to send a request to the chosen model
	checking bool
	said     string // result of the last check
	bad      bool   // the check failed
	of       string // model of the last check
	made     bool   // the file has just been written

	add *adding // nil: no model is being added
}

// New returns the screen.
func New(opts Options) *Screen {
	s := &Screen{opts: opts}
	s.list.Same, s.list.Chose = func(a, b *Model) bool { return a.Name == b.Name }, func() { s.said = "" }
	s.show()
	return s
}

// show lists the models.
func (s *Screen) show() {
	var rows []*Model
	for i := range s.opts.Models {
		rows = append(rows, &s.opts.Models[i])
	}
	s.list.Set(rows)
}

type (
	checkedMsg struct {
		of, said string
		err      error
	}
	reloadedMsg struct {
		opts Options
		err  error
	}
)

// Init begins to look for servers if a model is to be connected.
func (s *Screen) Init() tea.Cmd {
	if s.opts.Connect && s.add == nil {
		return s.begin()
	}
	return nil
}

// Typing reports whether printable keys are text.
func (s *Screen) Typing() bool {
	return s.add != nil && (s.add.asks != nothing || s.add.search.Typing())
}

// Update handles keys and the results of requests.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case addedMsg:
		return s.added(msg)
	case checkedMsg:
		s.checking, s.of, s.said, s.bad = false, msg.of, msg.said, msg.err != nil
		if msg.err != nil {
			s.said = msg.err.Error()
		}
		for i := range s.opts.Models {
			if m := &s.opts.Models[i]; m.Name == msg.of {
				m.Answered = msg.err == nil
			}
		}
	case reloadedMsg:
		if msg.err != nil {
			s.of, s.said, s.bad = "", msg.err.Error(), true
			return nil
		}
		s.opts = s.opts.with(msg.opts)
		s.show()
		s.of, s.said, s.bad = "", "The file was read again.", false
		if s.made {
			s.said = "The file was created, with an example of each kind in comments. Remove the # from the lines of one and change it to your model: name, base_url and model are enough."
		}
		s.made = false
	default:
		if s.add != nil {
			return s.updateAdding(msg)
		}
		if key, is := msg.(tea.KeyPressMsg); is {
			return s.key(key.String())
		}
	}
	return nil
}

func (s *Screen) key(press string) tea.Cmd {
	keys := s.keys()
	s.asking = false
	cmd, why, _ := frame.Pressed(keys, press)
	if why != "" {
		s.of, s.said, s.bad = "", why, true
	}
	return cmd
}

// Keys returns all keys of the screen, for the settings.
func Keys() []frame.Key {
	return frame.Merged(new(Screen).keys(), (&Screen{asking: true}).keys(), (&Screen{add: &adding{}}).addingKeys())
}

func (s *Screen) keys() []frame.Key {
	if s.asking {
		return []frame.Key{{Press: "y", Also: "enter", Does: "send it", Do: s.check}, {Press: "esc", Does: "no"}}
	}
	ask := frame.Only(func() { s.asking, s.said = true, "" })
	choose := s.list.Key()
	choose.More = true
	return append([]frame.Key{
		{Press: "a", Does: "add a model", Do: s.begin},
		{Press: "c", Also: "enter", Does: "check: one small request", Not: s.cannot, Do: ask}, {Press: "r", Does: "read again", Do: s.reload},
		{Press: "e", Does: "edit the file", Do: s.edit, Fit: func(k *frame.Key) {
			if !s.opts.Found {
				k.Does = "create the file"
			}
		}},
		{Press: "n", Does: "new session", Not: s.notBegun, Do: func() tea.Cmd { return s.opts.Start }, Fit: func(k *frame.Key) { k.More = k.More || !s.worked() }},
		frame.HelpKey, {Press: "esc", Also: "q", Does: "home", Do: frame.GoBack},
		choose,
	}, frame.Motions(s.list.Move)...)
}

// Mouse chooses the clicked model.
func (s *Screen) Mouse(msg tea.MouseMsg, _, y int) tea.Cmd {
	if a := s.add; a != nil {
		if a.waiting != "" || a.asks != nothing {
			return nil
		}
		return a.list.Mouse(msg, y, s.choose)
	}
	return s.list.Mouse(msg, y, func() tea.Cmd { return s.key("enter") })
}

// cannot returns why the chosen model cannot be checked, or "".
func (s *Screen) cannot() string {
	switch m, ok := s.list.Chosen(); {
	case !ok:
		return "there is no model"
	case s.checking:
		return "a request is under way"
	case !m.Ready:
		return m.Name + " is not configured: " + m.Why
	case m.BuiltIn:
		return m.Name + " is part of assay: there is no server to ask"
	}
	return ""
}

// worked reports whether the chosen model has just answered.
func (s *Screen) worked() bool {
	m, ok := s.list.Chosen()
	return ok && m.Name == s.of && s.said != "" && !s.bad
}

// notBegun returns why no session can begin here, or "".
func (s *Screen) notBegun() string {
	if s.opts.Start == nil {
		return "no session begins here"
	}
	return ""
}

// edit opens the file in the tester's own editor, and reads it again afterwards. It creates a
// missing file.
func (s *Screen) edit() tea.Cmd {
	if !s.opts.Found {
		if err := s.opts.Make(); err != nil {
			s.of, s.said, s.bad = "", err.Error(), true
			return nil
		}
		s.made = true
		return s.reload()
	}
	cmd := s.opts.Edit()
	if cmd == nil {
		s.of, s.said, s.bad = "", "No editor was found: set the environment variable EDITOR, or edit the file in another window.", true
		return nil
	}
	reload := s.opts.Reload
	return tea.ExecProcess(cmd, func(err error) tea.Msg {
		if err != nil {
			return reloadedMsg{err: fmt.Errorf("the editor ended with an error: %w", err)}
		}
		opts, err := reload()
		return reloadedMsg{opts, err}
	})
}

func (s *Screen) reload() tea.Cmd {
	reload := s.opts.Reload
	return func() tea.Msg {
		opts, err := reload()
		return reloadedMsg{opts, err}
	}
}

func (s *Screen) check() tea.Cmd {
	m, _ := s.list.Chosen()
	name, check := m.Name, s.opts.Check
	s.checking, s.of, s.said = true, name, ""
	return func() tea.Msg {
		said, err := check(context.Background(), name)
		return checkedMsg{name, said, err}
	}
}

// Page draws the list above facts about the models file and the last request.
func (s *Screen) Page(size frame.Size, theme frame.Theme) frame.Page {
	if s.add != nil {
		return s.addingPage(size, theme)
	}
	body := size.Body()
	below := s.below(body.Width, theme)
	width := 10
	for _, m := range s.opts.Models {
		width = max(width, min(30, body.Width-34, frame.Width(frame.OneLine(m.Name))))
	}
	kind := max(9, min(26, body.Width-width-24)) // beside "– not configured"
	rows := s.list.Draw(1, body.Height-len(below)-2, func(m *Model, chosen bool) string {
		what := m.Provider
		if m.ID != "" && m.ID != m.Name && !size.Narrow() {
			what += " · " + m.ID
		}
		return theme.Item(frame.Cell(frame.OneLine(m.Name), width)+"  "+frame.Cell(frame.OneLine(what), kind)+"  "+m.state(body.Width-width-kind-8, theme), chosen, body.Width)
	})
	rows = append(rows, s.facts(frame.Size{Width: min(body.Width, frame.ProseWidth), Height: body.Height - len(below) - len(rows) - 3}, theme)...)
	lines := frame.Fit("\n"+strings.Join(rows, "\n"), frame.Size{Width: body.Width, Height: body.Height - len(below)})
	ready := frame.CountIf(s.opts.Models, func(m *Model) bool { return m.Ready })
	return frame.Page{Scope: frame.ScopeModels, Title: "Models", Place: fmt.Sprintf("%d of %d configured", ready, len(s.opts.Models)), Body: strings.Join(append(lines, below...), "\n"), Seen: s.list.Seen(), Keys: s.keys()}
}

// about describes a model in more detail than the list.
func (s *Screen) about(m *Model, theme frame.Theme) string {
	name := frame.OneLine(m.Name)
	switch {
	case !m.Ready:
		return theme.Warn.Render("– "+name+" is not configured:") + " " + frame.OneLine(m.Why)
	case m.Provider == "paste":
		return name + " is part of assay: you copy each prompt to a chat page, and paste its answer."
	case m.Provider == "rehearsal":
		return name + " plays recorded answers, whatever the prompt: to try the screens."
	}
	if m.Answered {
		return name + " has answered before; " + theme.Press(frame.ScopeModels, "c") + " checks whether it does now."
	}
	return name + " is configured; " + theme.Press(frame.ScopeModels, "c") + " checks whether it answers."
}

// facts draws the entry of the chosen model where there is room.
func (s *Screen) facts(size frame.Size, theme frame.Theme) []string {
	m, ok := s.list.Chosen()
	if !ok || len(m.Facts) == 0 || size.Height < len(m.Facts)+2 {
		return nil
	}
	rows := []string{"", "  " + frame.Section(frame.OneLine(m.Name), "", size.Width-2, theme), ""}
	for _, f := range m.Facts {
		rows = append(rows, "    "+theme.Dim.Render(frame.Cell(f.Name, 12))+frame.Cut(frame.OneLine(f.Value), size.Width-18))
	}
	return rows
}

// below draws what is below the list.
func (s *Screen) below(width int, theme frame.Theme) []string {
	var b strings.Builder
	chosen, some := s.list.Chosen()
	paragraph := func(text string) { b.WriteString(frame.Indent(frame.Wrap(text, width-4), "  ") + "\n") }
	switch {
	case s.asking:
		if s.said != "" {
			paragraph(theme.Good.Render("✓ ") + frame.OneLine(s.said))
		}
		paragraph(theme.Strong.Render("Send one small request to " + frame.OneLine(chosen.Name) + "? Its provider may charge a fraction of a cent."))
	case s.checking:
		paragraph("… " + frame.OneLine(s.of) + " is asked")
	case s.said != "" && s.bad:
		paragraph(theme.Bad.Render(frame.Brief("✗ "+s.said, width-4, 3)))
	case s.said != "":
		paragraph(theme.Good.Render("✓ ") + frame.OneLine(s.said))
		if s.worked() {
			paragraph(theme.Press(frame.ScopeModels, "n") + " begins a session.")
		}
	case some:
		paragraph(s.about(chosen, theme))
	}
	b.WriteString("\n")
	path := frame.FileLink(s.opts.Path, theme.Dim, width-8)
	if s.opts.Found {
		paragraph(theme.Dim.Render("Models are described in ") + path + theme.Dim.Render(": "+theme.Press(frame.ScopeModels, "e")+" edits it; after editing it elsewhere, "+theme.Press(frame.ScopeModels, "r")+" reads it again."))
	} else {
		paragraph(theme.Dim.Render("Your own models are described in ") + path + theme.Dim.Render(", which does not exist yet: "+theme.Press(frame.ScopeModels, "a")+
			" finds servers and writes it; "+theme.Press(frame.ScopeModels, "e")+" creates it, with examples to fill in."))
	}
	return strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
}
