package serve

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"
)

// guarded is a program's model. A panic in it or in one of its commands is told to broke
// instead of to Bubble Tea, which would write it on the server's standard error as it
// writes on a terminal.
type guarded struct {
	tea.Model
	broke func(why any)
}

// Init implements tea.Model.
func (m guarded) Init() (cmd tea.Cmd) {
	defer m.recovered()
	return m.command(m.Model.Init())
}

// Update implements tea.Model.
func (m guarded) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	next = m // if it breaks
	defer m.recovered()
	model, cmd := m.Model.Update(msg)
	return guarded{model, m.broke}, m.command(cmd)
}

// View implements tea.Model.
func (m guarded) View() (view tea.View) {
	defer m.recovered()
	return m.Model.View()
}

// recovered is to be deferred.
func (m guarded) recovered() {
	if why := recover(); why != nil {
		m.broke(why)
	}
}

// command guards a command, and those that it answers with.
func (m guarded) command(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer m.recovered()
		return m.commands(cmd())
	}
}

// commands guards those that a message consists of: of a batch, or of a sequence, whose
// type Bubble Tea keeps to itself.
func (m guarded) commands(msg tea.Msg) tea.Msg {
	v := reflect.ValueOf(msg)
	if !v.IsValid() || v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return msg
	}
	safe := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		if cmd, ok := v.Index(i).Interface().(tea.Cmd); ok {
			safe.Index(i).Set(reflect.ValueOf(m.command(cmd)))
		}
	}
	return safe.Interface()
}

// broke stops screens that have failed, and says where.
func (s *Server) broke(p *program, why any) {
	s.sayBroke("screens broke", p, why)
	p.kill()
}

// sayBroke logs a panic, on the goroutine that it was on. What it was called with may be what
// was typed: only the runtime's own words are logged.
func (s *Server) sayBroke(what string, p *program, why any) {
	text := fmt.Sprintf("a panic of type %T", why)
	if known, ok := why.(runtime.Error); ok {
		text = known.Error()
	}
	s.o.Log.Error(what, "guest", p.guest.Name, "owner", p.guest.Owner, "why", clip(text), "stack", string(debug.Stack()))
}
