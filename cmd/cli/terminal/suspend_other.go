//go:build !unix

package terminal

import tea "charm.land/bubbletea/v2"

var suspend tea.Cmd // no shell could continue assay

func watchContinued(func(tea.Msg)) (unwatch func()) { return func() {} }
