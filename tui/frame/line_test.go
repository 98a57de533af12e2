package frame_test

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"assay/tui/frame"
)

// No key makes a line panic, whatever is typed in it and wherever the cursor is.
func TestLineTakesEveryKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := frame.NewLine(rapid.IntRange(0, 20).Draw(t, "limit"))
		line.Focus()
		line.SetValue(rapid.StringOf(rapid.SampledFrom([]rune("ab  \té한"))).Draw(t, "text"))
		for range rapid.IntRange(1, 20).Draw(t, "keys") {
			code := rapid.SampledFrom([]rune{'a', 'b', 'd', 'e', 'f', 'h', 'k', 'n', 'p', 'u', 'v', 'w', ' ', tea.KeyLeft, tea.KeyRight, tea.KeyHome, tea.KeyEnd, tea.KeyBackspace, tea.KeyDelete, tea.KeyTab, tea.KeyUp, tea.KeyDown}).Draw(t, "key")
			line, _ = line.Update(tea.KeyPressMsg{Code: code, Mod: rapid.SampledFrom([]tea.KeyMod{0, tea.ModAlt, tea.ModCtrl, tea.ModShift}).Draw(t, "modifier")})
			_ = line.View()
		}
	})
}
