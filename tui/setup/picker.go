package setup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/data/disk"
	"assay/tui/frame"
)

// offer is a possible value of a row.
type offer struct {
	text  string
	about string
	index int  // among the benchmarks or models, -1 for a path
	into  bool // a folder, whose files are completed next
}

// picker is the line for choosing a benchmark or a model by any part of its name, or a benchmark by
// the path of its file.
type picker struct {
	line   textinput.Model
	open   bool // something is typed
	list   frame.List[offer]
	held   []tea.KeyPressMsg // keys for offers that are not there yet
	offers frame.Latest[string, []offer]
}

func newPicker() picker { return picker{line: frame.NewLine(1000)} }

func (p *picker) begin() tea.Cmd {
	p.open = true
	p.list.Choose(0)
	p.line.SetValue("")
	return p.line.Focus()
}

func (p *picker) close() {
	p.open, p.held = false, nil
	p.line.Blur()
}

// picks reports whether a row has a picker.
func picks(row int) bool { return row == rowBenchmark || row == rowModel }

// suggest finds offers for the typed text.
func (m *Model) suggest() tea.Cmd {
	text, row, choices := m.pick.line.Value(), m.row, m.choices
	m.pick.list.Choose(0)
	return m.pick.offers.Ask(rowNames[row]+"\x00"+text, func(context.Context) []offer {
		if row == rowModel {
			return modelOffers(choices, text)
		}
		return benchmarkOffers(choices, text)
	})
}

func contains(name, part string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(strings.TrimSpace(part)))
}

func modelOffers(c Choices, text string) []offer {
	var list []offer
	for i, model := range c.Models {
		if contains(model.Name+" "+model.Provider+" "+model.Model.Model, text) {
			list = append(list, offer{model.Name, model.state(), i, false})
		}
	}
	return list
}

func benchmarkOffers(c Choices, text string) []offer {
	var list []offer
	for i, b := range c.Benchmarks {
		if contains(b.Name, text) {
			list = append(list, offer{b.Name, frame.Count(len(b.Tasks), "task"), i, false})
		}
	}
	for _, path := range c.Recent {
		if contains(path, text) && !loaded(c, path) {
			list = append(list, offer{path, "used before", -1, false})
		}
	}
	return append(list, paths(text)...)
}

func loaded(c Choices, path string) bool {
	for _, known := range c.Files {
		if known == path {
			return true
		}
	}
	return false
}

// paths completes a path, with hidden files only if their dot is typed.
func paths(text string) []offer {
	if text == "" {
		return nil
	}
	typed, base := filepath.Split(text)
	entries, err := os.ReadDir(disk.Expand(filepath.Clean(typed + ".")))
	if err != nil {
		return nil
	}
	var list []offer
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, base) || strings.HasPrefix(name, ".") && base == "" {
			continue
		}
		info, err := os.Stat(filepath.Join(disk.Expand(typed), name)) // follows links
		switch {
		case err != nil:
		case !info.IsDir():
			list = append(list, offer{typed + name, "file", -1, false})
		default:
			if _, err := os.Stat(filepath.Join(disk.Expand(typed), name, benchmark.FolderFile)); err == nil {
				list = append(list, offer{typed + name, "folder of a benchmark", -1, false})
				continue
			}
			list = append(list, offer{typed + name + string(filepath.Separator), "folder", -1, true})
		}
	}
	return list
}

// waits reports whether a key is for offers that are not there yet, or follows such a key.
func (p *picker) waits(press string) bool {
	return !p.offers.Settled() && (len(p.held) > 0 || press == "tab" || press == "enter" || press == "down")
}

// release handles the keys that waited for offers.
func (m *Model) release() tea.Cmd {
	held := m.pick.held
	m.pick.held = nil
	var cmds []tea.Cmd
	for _, key := range held {
		cmds = append(cmds, m.key(key))
	}
	return tea.Batch(cmds...)
}

// menuKeys lists the keys while the picker is open.
func (m *Model) menuKeys() []frame.Key {
	p := &m.pick
	choose := func(press string) tea.Cmd {
		switch o, ok := p.list.Chosen(); {
		case press == "shift+tab":
			return p.list.Move("up")
		case press != "tab":
			return p.list.Move(press)
		case ok:
			return m.complete(o)
		}
		return nil
	}
	return []frame.Key{
		{Press: "tab ↓ ↑", Also: "shift+tab", Does: "choose", Run: choose}, {Press: "enter", Does: "take it", Do: m.accept},
		{Press: "esc", Does: "close", Do: frame.Only(p.close)}, frame.HelpKey,
	}
}

// complete puts an offer into the line.
func (m *Model) complete(o offer) tea.Cmd {
	m.pick.line.SetValue(o.text)
	m.pick.line.CursorEnd()
	return m.suggest()
}

// accept gives the row the chosen offer, or else the file whose path is typed.
func (m *Model) accept() tea.Cmd {
	typed := m.pick.line.Value()
	o, ok := m.pick.list.Chosen()
	if !ok {
		if m.row == rowBenchmark {
			return m.load(typed)
		}
		m.trouble = "there is no model with " + typed + " in its name"
		return nil
	}
	switch {
	case o.into:
		return m.complete(o)
	case o.index < 0:
		return m.load(o.text)
	case m.row == rowModel:
		m.pick.close()
		m.model = o.index
	default:
		m.pick.close()
		m.benchmark = o.index
		return m.filter.SetBenchmark(m.choices.Benchmarks[o.index])
	}
	return nil
}

type loadedMsg struct {
	benchmark *benchmark.Benchmark
	path      string
	err       error
}

// load reads a benchmark's file.
func (m *Model) load(path string) tea.Cmd {
	if strings.TrimSpace(path) == "" || m.choices.Load == nil {
		return nil
	}
	path = disk.Expand(strings.TrimSpace(path))
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	load := m.choices.Load
	return func() tea.Msg {
		b, err := load(context.Background(), path)
		return loadedMsg{b, path, err}
	}
}

func (m *Model) tookFile(msg loadedMsg) tea.Cmd {
	if msg.err != nil {
		m.trouble = msg.err.Error()
		return nil
	}
	m.pick.close()
	m.choices = m.choices.with(msg.benchmark, msg.path)
	m.benchmark = 0
	return m.filter.SetBenchmark(msg.benchmark)
}

// with returns the choices with the benchmark of a file first; it replaces an earlier one of that
// file.
func (c Choices) with(b *benchmark.Benchmark, path string) Choices {
	list, files := []*benchmark.Benchmark{b}, map[*benchmark.Benchmark]string{b: path}
	for _, other := range c.Benchmarks {
		if from := c.Files[other]; from != path || from == "" {
			list = append(list, other)
			if from != "" {
				files[other] = from
			}
		}
	}
	c.Benchmarks, c.Files = list, files
	return c
}

// pickMenu draws the offers in at most height rows.
func (m *Model) pickMenu(width, height int, theme frame.Theme) []string {
	if !m.pick.open {
		return nil
	}
	list := &m.pick.list
	if list.Len() == 0 {
		return []string{theme.Dim.Render(frame.Cell("  nothing fits"+map[bool]string{true: "; the path of a file, too, can be typed here"}[m.row == rowBenchmark], width))}
	}
	name := 0
	for _, o := range list.Rows() {
		name = max(name, min(frame.Width(frame.OneLine(o.text)), width-26))
	}
	if list.Len() > height {
		height-- // for how many more there are
	}
	rows := list.Draw(0, height, func(o offer, chosen bool) string {
		text := frame.OneLine(o.text)
		if over := frame.Width(text) - name; over > 0 { // the end of a path tells files apart
			text = "…" + string([]rune(text)[min(over+1, len([]rune(text))):])
		}
		mark, text := "  ", frame.Cell(text, name)
		if chosen {
			mark, text = theme.Accent.Render("▸ "), theme.Strong.Render(text)
		}
		return frame.Cut(mark+text+"  "+theme.Dim.Render(frame.OneLine(o.about)), width)
	})
	if more := list.After(); more > 0 {
		rows = append(rows, theme.Dim.Render(fmt.Sprintf("  … %d more", more)))
	}
	return rows
}
