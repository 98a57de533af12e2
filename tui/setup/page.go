package setup

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/data/program"
	"assay/session"
	"assay/tui/frame"
)

var rowNames = [rowCount]string{
	rowBenchmark: "benchmark", rowFilter: "filter", rowTasks: "tasks in a set", rowSets: "test sets", rowStratify: "stratify by", rowModel: "model", rowAgainst: "against",
	rowK: "attempts (k)", rowLevel: "prompt level", rowContext: "context", rowReference: "reference",
	rowPractice: "practice first", rowSeed: "seed",
}

// Page draws the form.
func (m *Model) Page(size frame.Size, theme frame.Theme) frame.Page {
	body := size.Body()
	p := frame.Page{Scope: frame.ScopeSetup, Title: "New session", Keys: m.keys()}
	var b strings.Builder
	top := 1
	if size.Low() {
		top = 0
	}
	b.WriteString(strings.Repeat("\n", top))
	m.rowsAt = top
	const label, value = labelWidth, 24
	for row := range rowCount {
		mark, name := "   ", fmt.Sprintf("%-16s", rowNames[row])
		if row == m.row {
			mark, name = theme.Accent.Render(" ▸ "), theme.Strong.Render(name)
		}
		shown := m.value(row)
		var cursor *tea.Cursor
		if row == rowFilter {
			shown, cursor = m.filter.View(value - 1)
		} else if row == m.row && m.pick.open {
			m.pick.line.SetWidth(max(10, body.Width-label-3)) // a path is long, and the hint belongs to the old value
			shown, cursor = m.pick.line.View(), m.pick.line.Cursor()
		} else if in := m.inputs[row]; in != nil {
			shown, cursor = in.View(), in.Cursor()
		} else if row == m.row {
			shown = "‹ " + shown + " ›"
		}
		if cursor != nil && row == m.row {
			cursor.X += label
			cursor.Y = row + top
			p.Cursor = cursor
		}
		if cursor != nil && m.pick.open && row == m.row {
			b.WriteString(mark + name + " " + shown + "\n")
			continue
		}
		left := mark + name + " " + frame.Fit(shown, frame.Size{Width: value, Height: 1})[0]
		if size.Narrow() {
			b.WriteString(left + "\n")
			continue
		}
		hint := frame.Fit(m.hint(row), frame.Size{Width: max(0, body.Width-label-value-2), Height: 1})[0]
		b.WriteString(pad(left, label+value+1) + theme.Dim.Render(hint) + "\n")
	}
	if size.Narrow() {
		b.WriteString("   " + theme.Dim.Render(rowNames[m.row]+": "+m.hint(m.row)) + "\n")
	} else {
		b.WriteString("\n")
	}
	b.WriteString(m.outlook(frame.Size{Width: body.Width, Height: body.Height - strings.Count(b.String(), "\n")}, theme))
	p.Body = m.withMenu(b.String(), top+m.row+1, label-2, body, theme)
	return p
}

// labelWidth is the column of the values.
const labelWidth = 20

// unchanging tells why the row has no other value, or is "".
func (m *Model) unchanging() string {
	switch {
	case m.row == rowFilter, m.inputs[m.row] != nil:
		return "this row is typed"
	case m.row == rowBenchmark && len(m.choices.Benchmarks) < 2, m.row == rowModel && len(m.choices.Models) < 2:
		return "there is only one"
	case m.row == rowAgainst && len(m.rivals()) < 2:
		return "there is no other model that can answer beside this one"
	}
	return ""
}

// withMenu draws the offers for a row over the rows below it, or above it if there is more room.
func (m *Model) withMenu(form string, row, column int, body frame.Size, theme frame.Theme) string {
	const most = 8
	var menu []string
	room := min(most, body.Height-row)
	above := room < most && row-1 > room
	if above {
		room = min(most, row-1)
	}
	if m.row == rowFilter {
		menu = m.filter.Menu(body.Width-column, room, theme)
	} else {
		menu = m.pickMenu(body.Width-column, room, theme)
	}
	if above {
		row -= 1 + len(menu)
	}
	m.menuAt = row
	if len(menu) == 0 {
		return form
	}
	lines := frame.Fit(form, body)
	for i, text := range menu {
		lines[row+i] = strings.Repeat(" ", column) + text
	}
	return strings.Join(lines, "\n")
}

func pad(text string, width int) string { return frame.Spread(text, "", width) }

func (m *Model) value(row int) string {
	yesNo := func(b bool) string {
		if b {
			return "yes"
		}
		return "no"
	}
	switch row {
	case rowBenchmark:
		return m.choices.Benchmarks[m.benchmark].Name
	case rowModel:
		return m.choices.Models[m.model].Name
	case rowAgainst:
		return cmp.Or(m.against, "none")
	case rowLevel:
		return fmt.Sprint(m.level)
	case rowContext:
		if m.fresh {
			return string(session.Fresh)
		}
		return string(session.Conversation)
	case rowReference:
		return yesNo(m.reference)
	case rowPractice:
		return yesNo(m.practice)
	}
	return ""
}

// hint explains the value of a row.
func (m *Model) hint(row int) string {
	b := m.choices.Benchmarks[m.benchmark]
	switch row {
	case rowBenchmark:
		where := "; type a name or a path"
		if path := m.choices.Files[b]; path != "" {
			where = " in " + filepath.Base(path)
		}
		if found, ok := m.filter.Found(); ok {
			return frame.Count(found.Total, "task") + where
		}
		return frame.Count(len(b.Tasks), "task") + where
	case rowFilter:
		return m.filterHint()
	case rowTasks:
		return "a number, or all"
	case rowSets:
		if strings.TrimSpace(m.inputs[rowSets].Value()) == "1" {
			return "one list of tasks"
		}
		return "lists T0, T1 … without a common task"
	case rowStratify:
		if _, err := m.stratify(); err != nil {
			return err.Error()
		}
		return "e.g. type: same mix in every set"
	case rowModel:
		return m.choices.Models[m.model].state()
	case rowAgainst:
		if m.against == "" {
			return "one model answers"
		}
		return "both answer, you pick the better"
	case rowK:
		return "prompts you may send for a task"
	case rowLevel:
		return [...]string{"the editor starts empty", "starts with the statement", "… with its constraints", "… with constraints and examples"}[m.level]
	case rowContext:
		if m.fresh {
			return "each prompt stands alone"
		}
		return "earlier turns are sent again"
	case rowReference:
		if m.reference {
			return "may be seen while reviewing"
		}
		return "the solution is not shown"
	case rowPractice:
		if m.practice {
			return "a first task that is not counted"
		}
		return "begins with the first task"
	case rowSeed:
		return "same seed, same order"
	}
	return ""
}

func (m *Model) filterHint() string {
	if err := m.filter.Err(); err != nil {
		return err.Error()
	}
	if m.filter.Text() == "" {
		return "none, or e.g. difficulty:easy"
	}
	return m.filter.Count()
}

// outlook tells what the session will be, or what is wrong.
func (m *Model) outlook(body frame.Size, theme frame.Theme) string {
	width := body.Width - 6
	choice, err := m.choice()
	switch {
	case m.trouble != "":
		return frame.Indent(strings.Join(frame.Notice("✗ "+m.trouble, theme.Bad, width, 3), "\n"), "  ")
	case err != nil:
		text := "Not yet: " + err.Error()
		if !m.choices.Models[m.model].Ready && m.row == rowModel {
			text += ". Choose another with ←→ or by typing, or see Models on the home screen: what is set here stays."
		}
		return frame.Indent(theme.Warn.Render(frame.Wrap(text, width)), "   ")
	}
	_, drawn, ok := m.drawn.Last()
	switch {
	case !ok:
		return frame.Indent(theme.Dim.Render("drawing the tasks…"), "   ")
	case drawn.err != nil:
		return frame.Indent(theme.Warn.Render(frame.Wrap("Not yet: "+drawn.err.Error(), width)), "   ")
	}
	sets := "one set"
	if choice.Sets > 1 {
		sets = fmt.Sprintf("%d sets", choice.Sets)
	}
	text := fmt.Sprintf("%s in %s%s; %s; code runs %s.", drawn.counted(), sets, m.pace(drawn.tasks+drawn.practice), m.answers(), m.choices.Isolation)
	style := theme.Text
	if !m.choices.Isolated {
		style = theme.Warn
	}
	text = frame.Indent(style.Render(frame.Wrap(text, width)), "   ")
	command := frame.Indent(theme.Dim.Render(frame.Wrap(command(choice, m.choices.Files[choice.Benchmark]), width)), "   ")
	if strings.Count(text+"\n"+command, "\n") >= body.Height {
		return text // half a command would be a different one
	}
	text += "\n" + command
	mix := drawn.mix[:max(0, min(len(drawn.mix), body.Height-strings.Count(text, "\n")-3))]
	if len(mix) < min(len(drawn.mix), 3) {
		return text
	}
	text += "\n"
	for _, s := range mix {
		text += fmt.Sprintf("\n   %s %s %5d", frame.Cell(frame.OneLine(s.value), labelWidth-4), frame.Bar(s.tasks, drawn.tasks, 24, theme), s.tasks)
	}
	return text
}

// pace tells how long the tasks will take, if that is known.
func (m *Model) pace(tasks int) string {
	if m.choices.Pace <= 0 {
		return ""
	}
	minutes := max(1, int((time.Duration(tasks)*m.choices.Pace+time.Minute/2)/time.Minute))
	switch {
	case minutes == 1:
		return ", about a minute at the usual pace"
	case minutes > 120:
		return fmt.Sprintf(", about %d hours at the usual pace", (minutes+30)/60)
	}
	return fmt.Sprintf(", about %d minutes at the usual pace", minutes)
}

// answers tells who answers.
func (m *Model) answers() string {
	model := m.choices.Models[m.model]
	name := frame.OneLine(model.Name)
	switch {
	case m.against != "":
		return "answers by " + name + " and " + frame.OneLine(m.against) + ", side by side"
	case model.Recorded:
		return "recorded answers, whatever you write"
	case model.Provider == "paste":
		return "you carry each prompt to a chat page, and paste its answer (Models on the home screen finds servers)"
	case model.Where != "":
		return "answers by " + name + " on " + frame.OneLine(model.Where)
	}
	return "answers by " + name
}

// command returns the command line that begins the same session. File is the path of its benchmark, ""
// for a bundled one.
func command(c session.Choice, file string) string {
	words := []string{"assay", "--benchmark", program.Word(c.Benchmark.Name), "--model", program.Word(c.Model.Name)}
	if file != "" {
		words[1], words[2] = "--tasks-file", program.Word(file)
	}
	add := func(flag, value string) { words = append(words, "--"+flag, program.Word(value)) }
	if c.Against != nil {
		add("against", c.Against.Name)
	}
	if c.Filter != "" {
		add("filter", c.Filter)
	}
	if c.Tasks > 0 {
		add("tasks", fmt.Sprint(c.Tasks))
	}
	if c.Sets > 1 {
		add("sets", fmt.Sprint(c.Sets))
	}
	if len(c.Stratify) > 0 {
		add("stratify", strings.Join(c.Stratify, ","))
	}
	if c.K != session.DefaultK {
		add("k", fmt.Sprint(c.K))
	}
	if c.Level > 0 {
		add("level", fmt.Sprint(c.Level))
	}
	if c.Context == session.Fresh {
		add("context", string(c.Context))
	}
	if c.Reference {
		words = append(words, "--reference")
	}
	if c.Practice {
		words = append(words, "--practice")
	}
	add("seed", fmt.Sprint(c.Seed))
	return strings.Join(words, " ")
}
