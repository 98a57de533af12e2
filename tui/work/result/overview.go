package result

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session/report/figure"
	"assay/session/report/sessions"
	"assay/tui/chart"
	"assay/tui/desktop"
	"assay/tui/frame"
)

// Overview shows the results of a session on pages: numbers, figures, then pages that its user
// draws.
type Overview struct {
	Path    string // path of the written report; empty before
	Awaited bool   // the report is being written: its path has a place

	report  *sessions.Report
	figures []figurePage
	more    []string // names of the pages that the user draws
	page    int
	form    telling // how figures are shown

	made   overviewKey // the key of lines
	lines  []string
	window frame.Window
}

type figurePage struct {
	name string
	mark figure.Mark
}

type overviewKey struct {
	report      *sessions.Report
	path        string
	awaited     bool
	page        int
	size        frame.Size
	theme       frame.ThemeName
	dark, color bool
	form        telling
}

// telling is a form of figures: ASCII can be copied, words can be read aloud.
type telling int

const (
	drawn telling = iota
	inASCII
	inWords
	forms
)

func (f telling) String() string { return [forms]string{"drawn", "in ASCII", "in words"}[f] }

// figureNames lists the figures that a terminal shows, in order, with their short names.
var figureNames = [...][2]string{
	{"attempts", "attempts"}, {"success-by-attempt", "success"}, {"completion-time", "time"}, {"completion-time-ecdf", "cumulative"},
	{"attributes", "ratings"}, {"total-by-type-and-difficulty", "types"},
}

// NewOverview makes an overview, which is empty until Set; more names the user's pages.
func NewOverview(more ...string) Overview { return Overview{more: more} }

// Set gives the overview the report of one session.
func (o *Overview) Set(r *sessions.Report) {
	last := o.page >= 1+len(o.figures) // a page of the user stays
	from := o.page - 1 - len(o.figures)
	o.report, o.figures = r, nil
	for _, n := range figureNames {
		for _, m := range r.Marks() {
			if m.Name == n[0] {
				o.figures = append(o.figures, figurePage{n[1], m.Mark})
			}
		}
	}
	if last {
		o.page = 1 + len(o.figures) + from
	}
	o.page = min(o.page, o.pages()-1)
}

func (o *Overview) pages() int { return 1 + len(o.figures) + len(o.more) }

// More returns the index of the user's page that is shown, -1 for none.
func (o *Overview) More() int { return max(-1, o.page-1-len(o.figures)) }

// ShowMore shows a page of the user.
func (o *Overview) ShowMore(i int) { o.turn(1 + len(o.figures) + i) }

func (o *Overview) turn(page int) {
	o.page = (page + o.pages()) % o.pages()
	o.window.To(0)
}

// Keys lists the keys that choose a page, scroll it, and change the form of its figure.
func (o *Overview) Keys() []frame.Key {
	return append(o.TurnKeys(),
		frame.Key{Press: "↑↓ pgup pgdn home end", Also: "k j space", Does: "scroll", More: true, Run: o.window.Move})
}

// OpenKey opens the written report with the desktop's program; [desktop.OpenedMsg] tells what came of it.
func (o *Overview) OpenKey(desk desktop.Desktop) frame.Key {
	return frame.Key{Press: "o", Does: "open the report", More: true, Not: func() string {
		switch {
		case o.Path == "":
			return "the report is not written yet"
		case desk.Opener() == "":
			return "no program opens files here"
		}
		return ""
	}, Do: func() tea.Cmd {
		path := o.Path
		return func() tea.Msg { return desktop.OpenedMsg{Path: path, Err: desk.Open(path)} }
	}}
}

// TurnKeys lists the keys that choose a page, for pages of the user.
func (o *Overview) TurnKeys() []frame.Key {
	turn := func(press string) tea.Cmd {
		switch press {
		case "tab", "right", "l":
			o.turn(o.page + 1)
		case "shift+tab", "left", "h":
			o.turn(o.page - 1)
		default:
			if i := int(press[0] - '1'); i < o.pages() {
				o.turn(i)
			}
		}
		return nil
	}
	return []frame.Key{
		{Press: "1-9", Does: "pages", Run: turn, Fit: func(k *frame.Key) {
			k.Press = fmt.Sprintf("1-%d", o.pages())
			for i := range o.pages() {
				k.Each = append(k.Each, fmt.Sprintf("page %d", i+1))
			}
		}},
		{Press: "d", Does: "another form", Do: frame.Only(func() {
			o.form = (o.form + 1) % forms
			o.window.To(0)
		}), Fit: func(k *frame.Key) {
			if k.Does = ((o.form + 1) % forms).String(); o.page == 0 || o.More() >= 0 {
				k.Why = "this page is no figure"
			}
		}},
		{Press: "←→", Also: "h l shift+tab tab", Does: "page before, next page", More: true, Run: turn},
	}
}

// headRows is the height of Head.
const headRows = 2

// Head draws the names of the pages, over a rule with note at its end.
func (o *Overview) Head(width int, note string, theme frame.Theme) string {
	line := o.tabLine(theme, " ", true)
	if frame.Width(line) > width {
		line = o.tabLine(theme, "", true)
	}
	if frame.Width(line) > width {
		line = o.tabLine(theme, "", false)
	}
	return frame.Fit(line, frame.Size{Width: width, Height: 1})[0] + "\n" + frame.Rule(note, width, theme)
}

// tabLine names all pages, or only the current and the last one.
func (o *Overview) tabLine(theme frame.Theme, gap string, all bool) string {
	names := []string{"numbers"}
	for _, f := range o.figures {
		names = append(names, f.name)
	}
	names = append(names, o.more...)
	var parts []string
	for i, name := range names {
		text := fmt.Sprint(i + 1)
		if all || i == o.page || i+1 == len(names) {
			text += " " + name
		}
		parts = append(parts, theme.Tab(text, i == o.page))
	}
	return strings.Join(parts, gap)
}

// Seen returns the position in the page that was drawn last.
func (o *Overview) Seen() string { return o.window.Seen() }

// Body draws the page to exactly the given size.
func (o *Overview) Body(size frame.Size, theme frame.Theme) string {
	if o.report == nil {
		return o.Head(size.Width, "", theme) + "\n\n   " + theme.Dim.Render("… counting")
	}
	room := max(1, size.Height-headRows)
	key := overviewKey{o.report, o.Path, o.Awaited, o.page, size, theme.Name, theme.Dark, theme.Color, o.form}
	if key != o.made {
		o.made, o.lines = key, o.draw(frame.Size{Width: size.Width, Height: room}, theme)
	}
	return o.Head(size.Width, "", theme) + "\n" + strings.Join(o.window.Of(o.lines, room), "\n")
}

// draw draws the lines of the page.
func (o *Overview) draw(size frame.Size, theme frame.Theme) []string {
	if o.page > 0 {
		f := o.figures[o.page-1]
		look := chart.Look{Width: size.Width, Height: size.Height, Theme: theme, ASCII: o.form == inASCII}
		if o.form == inWords {
			return chart.Words(f.mark, look)
		}
		return chart.Draw(f.mark, look)
	}
	if size.Width < frame.WideWidth {
		return strings.Split(numbers(o.report, o.pathText(size.Width, theme), size.Width, theme), "\n")
	}
	// There is room for two figures; the ratings stand among the numbers.
	left := size.Width / 2
	right := []string{}
	for _, f := range o.figures {
		if f.name == "attempts" || f.name == "success" {
			right = append(right, append(chart.Draw(f.mark, chart.Look{Width: size.Width - left - 2, Theme: theme}), "")...)
		}
	}
	text := numbers(o.report, o.pathText(left-1, theme), left-1, theme)
	height := max(size.Height, len(right), strings.Count(text, "\n")+1)
	return strings.Split(frame.Columns(text, strings.Join(right, "\n"), left, size.Width-left-1, height, theme), "\n")
}

// pathText tells where the report lies, or that it is being written; "" for neither.
func (o *Overview) pathText(width int, theme frame.Theme) string {
	switch {
	case o.Path != "":
		return frame.FileLink(o.Path, theme.Text, width-14)
	case o.Awaited:
		return theme.Dim.Render("is being written…")
	}
	return ""
}

// numbers shows the results of a session in numbers and bars, with what there is to say of its report.
func numbers(r *sessions.Report, report string, width int, theme frame.Theme) string {
	var b strings.Builder
	line := func(text string) {
		b.WriteString(strings.TrimPrefix(frame.Indent(frame.Wrap(text, width-4), "   "), "  ") + "\n")
	}
	line(theme.Strong.Render("Session " + Status(r.Sessions[0].Status)))
	line("  " + countsText(r))
	if r.Sessions[0].Recorded {
		line("  " + theme.Warn.Render("Recorded answers") + ": this is no evaluation of a model.")
	}
	if report != "" {
		line("  " + theme.Dim.Render("report") + " " + report)
	}
	if r.Counts.Analysed == 0 {
		b.WriteString("\n   No task has a result yet.\n")
		return strings.TrimRight(b.String(), "\n")
	}
	b.WriteString("\n")
	fact := func(name, value, more string) {
		text := "   " + frame.Cell(name, 15) + " " + theme.Strong.Render(value)
		if room := width - frame.Width(text) - 3; more != "" && room > 10 {
			text += "   " + theme.Dim.Render(strings.TrimRight(frame.Cell(more, room), " "))
		}
		b.WriteString(text + "\n")
	}
	fact("mean attempts", frame.Number(float64(r.Tries.Mean.Value), 2), fmt.Sprintf("not satisfied counts as %d", r.Tries.K))
	without := ""
	if r.Times.WithoutModel != nil {
		without = frame.Duration(float64(r.Times.WithoutModel.Mean.Value)) + " without the model"
	}
	fact("mean time", frame.Duration(float64(r.Times.Completion.Mean.Value)), without)
	if r.Ratings.Total.Mean.N > 0 {
		fact("mean total", frame.Number(float64(r.Ratings.Total.Mean.Value), 1), fmt.Sprintf("of %d, over %s", r.Ratings.Total.Max, frame.Count(r.Ratings.Total.Mean.N, "rated task")))
	} else if r.Automatic == 0 {
		fact("mean total", "–", "no task is rated")
	}
	if r.Tests.Accepted.N > 0 {
		fact("tests", fmt.Sprintf("%d of %d", r.Tests.Accepted.Count, r.Tests.Accepted.N), "final answers with tests pass them all")
	}
	if r.Arena != nil && r.Sessions[0].Status != "open" {
		for _, m := range r.Arena.Models {
			fact("better answer", fmt.Sprintf("%d of %d", m.Wins, m.Judgements), frame.OneLine(m.Model))
		}
	}
	b.WriteString("\n" + difficulties(r, width, theme) + attributeBars(r, width, theme))
	return strings.TrimRight(b.String(), "\n")
}

// countsText counts the outcomes of the tasks.
func countsText(r *sessions.Report) string {
	c := r.Counts
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{
		{c.Satisfied, "satisfied"}, {c.GaveUp, "given up"}, {c.Exhausted, "not satisfied after " + frame.Count(r.Tries.K, "attempt")},
		{c.Skipped, "left out"}, {c.Unfinished, "unfinished"}, {c.NotOpened, "not opened"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	text := frame.Count(c.Planned-c.Practice, "task") + ": " + strings.Join(parts, ", ")
	if c.Practice > 0 {
		text += "; and " + frame.Count(c.Practice, "practice task") + ", not counted"
	}
	return text
}

// difficulties draws the means by difficulty in a table, with bars for the totals.
func difficulties(r *sessions.Report, width int, theme frame.Theme) string {
	i := slices.IndexFunc(r.Slices, func(s sessions.Slices) bool { return s.By == "difficulty" })
	if i < 0 || len(r.Slices[i].Cells) == 0 {
		return ""
	}
	room := width - 59
	var b strings.Builder
	b.WriteString("   " + theme.Dim.Render(fmt.Sprintf("%-14s %5s %9s %14s %6s", "by difficulty", "tasks", "attempts", "time", "total")) + "\n")
	for _, c := range r.Slices[i].Cells {
		name := cmp.Or(c.Value, "(none)")
		text := fmt.Sprintf("   %s %5d %9s %14s %6s", frame.Cell(frame.OneLine(name), 14), c.N, frame.Number(float64(c.Attempts.Value), 2),
			frame.Duration(float64(c.Completion.Value)), frame.Number(float64(c.Total.Value), 1))
		if share := float64(c.Total.Value) / float64(max(1, r.Ratings.Total.Max)); room >= 8 && !math.IsNaN(share) {
			text += "  " + frame.Bar(int(math.Round(share*1000)), 1000, min(room, 30), theme)
		}
		b.WriteString(text + "\n")
	}
	return b.String() + "\n"
}

// attributeBars draws the mean ratings.
func attributeBars(r *sessions.Report, width int, theme frame.Theme) string {
	if len(r.Ratings.Attributes) == 0 || r.Ratings.Total.Mean.N == 0 && !slices.ContainsFunc(r.Ratings.Attributes, func(a sessions.Rating) bool { return a.Mean.N > 0 }) {
		return ""
	}
	var b strings.Builder
	scale := fmt.Sprintf("mean ratings, 1 poorest to %d best", r.Ratings.Attributes[0].Max)
	if slices.ContainsFunc(r.Ratings.Attributes, func(a sessions.Rating) bool { return a.Max != r.Ratings.Attributes[0].Max }) {
		scale = "mean ratings, from the poorest to the best of each scale"
	}
	b.WriteString("   " + theme.Dim.Render(scale) + "\n")
	for _, a := range r.Ratings.Attributes {
		name := frame.Cell(frame.OneLine(a.Name), 24)
		if a.Mean.N == 0 {
			b.WriteString("   " + name + " " + theme.Dim.Render("not rated") + "\n")
			continue
		}
		b.WriteString("   " + name + " " + frame.Bar(int(math.Round(float64(a.Of)*1000)), 1000, max(8, min(40, width-36)), theme) + " " + frame.Number(float64(a.Mean.Value), 2) + "\n")
	}
	return b.String()
}
