package prompts

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"assay/session/prompts"
	"assay/tui/diff"
	"assay/tui/frame"
)

// others returns the texts to compare the shown prompt with: the original, earlier wordings, and
// reviewers' edits.
func (s *Screen) others() []Text {
	it := s.at()
	list := []Text{{"the original", prompts.Original(it.task), false}}
	if s.opts.Subject != nil {
		list = s.opts.Subject.Texts(it.task)
	}
	if it.entry.Text != it.entry.Candidate.Text {
		list = append(list, Text{"the model's wording", it.entry.Candidate.Text, false})
	}
	for _, d := range it.entry.Decisions {
		if d.Verdict == prompts.Edit && d.Text != it.entry.Text {
			list = append(list, Text{"as " + d.Reviewer + " edited it", d.Text, false})
		}
	}
	for _, o := range s.items {
		if s.opts.Subject != nil || o.task != it.task || o.entry.Wording != 1 {
			continue
		}
		switch {
		case o.entry.Level == it.entry.Level && it.entry.Wording > 1:
			list = append(list, Text{"wording 1 of this level", o.entry.Text, false})
		case o.entry.Level == it.entry.Level-1:
			list = append(list, Text{fmt.Sprintf("wording 1 of level %d", o.entry.Level), o.entry.Text, false})
		}
	}
	return list
}

// diffKey identifies a drawn comparison.
type diffKey struct {
	left, right string
	apart       bool
	width       [2]int
	dark, color bool
	theme       frame.ThemeName
}

// drawn has the rows of two compared texts.
type drawn struct{ left, right []string }

// compare computes the shown comparison in the background.
func (s *Screen) compare() tea.Cmd {
	if s.at() == nil || s.size.Width == 0 {
		return nil
	}
	key, theme := s.wanted(s.size, s.theme), s.theme
	return s.differ.Ask(key, func(context.Context) drawn {
		if key.apart {
			return drawn{strings.Split(frame.Wrap(key.left, key.width[0]), "\n"), strings.Split(frame.Wrap(key.right, key.width[1]), "\n")}
		}
		runs := diff.Words(key.left, key.right)
		return drawn{
			marked(runs, diff.Gone, theme.Bad.Bold(true), key.width[0]),
			marked(runs, diff.New, theme.Good.Bold(true), key.width[1]),
		}
	})
}

// wanted returns the comparison that the screen needs.
func (s *Screen) wanted(size frame.Size, theme frame.Theme) diffKey {
	list := s.others()
	left, right := columns(size)
	return diffKey{
		apart: list[s.against%len(list)].Apart,
		left:  frame.Plain(list[s.against%len(list)].Text), right: frame.Plain(s.at().entry.Text),
		width: [2]int{left - 2, right - 2}, dark: theme.Dark, color: theme.Color, theme: theme.Name,
	}
}

// marked draws one of two compared texts and highlights what only it contains.
func marked(runs []diff.Run, own diff.Kind, style lipgloss.Style, width int) []string {
	var b strings.Builder
	for _, r := range runs {
		switch r.Kind {
		case diff.Same:
			b.WriteString(r.Text)
		case own:
			for i, line := range strings.Split(r.Text, "\n") {
				if i > 0 {
					b.WriteByte('\n')
				}
				if line != "" {
					b.WriteString(style.Render(line))
				}
			}
		}
	}
	return strings.Split(frame.Wrap(b.String(), width), "\n")
}
