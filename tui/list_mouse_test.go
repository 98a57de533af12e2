package tui_test

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/tui/tuitest"
)

// Over the editor, the mouse acts on the list that is shown and not on the hidden text: the wheel and a click choose,
// a click on what is chosen opens or inserts it.
func TestListsOverTheEditorByMouse(t *testing.T) {
	d, _ := tuitest.Shopping(t, nil)
	d.Use("mouse = true")
	d.Press("ctrl+l").Sees("6 of 6 files").Wheel(tea.MouseWheelDown).Wheel(tea.MouseWheelDown).Click("shop/cart.py").Sees("▸ shop/cart.py")
	d.Click("shop/cart.py").Sees("insert file", "def total").Wheel(tea.MouseWheelDown).Sees("4-").Press("esc", "esc")
	d.Press("ctrl+t").Sees("Insert at the cursor").Wheel(tea.MouseWheelDown).Sees("▸ 2   the statement with its constraints")
	d.Click("the statement (level 1)").Sees("▸ 1   the statement").Click("the statement (level 1)").Lacks("Insert at the cursor")
}
