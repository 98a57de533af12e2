package serve

import (
	"runtime/debug"

	tea "charm.land/bubbletea/v2"

	"assay/tui"
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
	return tui.Guarded(cmd, func(why any) tea.Msg { m.broke(why); return nil })
}

// broke stops screens that have failed, and says where.
func (s *Server) broke(p *program, why any) {
	s.sayBroke("screens broke", p, why)
	p.kill()
}

// sayBroke logs a panic, on the goroutine that it was on. What it was called with may be what
// was typed: only the runtime's own words are logged.
func (s *Server) sayBroke(what string, p *program, why any) {
	s.o.Log.Error(what, "guest", p.guest.Name, "owner", p.guest.Owner, "why", clip(tui.PanicText(why)), "stack", string(debug.Stack()))
}
