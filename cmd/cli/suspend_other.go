//go:build !unix

package cli

import tea "charm.land/bubbletea/v2"

var suspend tea.Cmd // there is nothing that could continue assay

func watchSuspension(func()) (unwatch func()) { return func() {} }
