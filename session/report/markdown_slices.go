package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/scoring/stats"
)

func (r *Report) writeSlices(p *printer, s Slices) {
	if len(s.Cells) < 2 {
		return // the same as all tasks
	}
	p.line("")
	p.line("## By %s", s.By)
	p.line("")
	p.line("| %s | n | #attempt\\_%d | 95 %% | completion, s | 95 %% | total of %d | 95 %% | satisfied | pass rate |", s.By, r.Tries.K, r.Ratings.Total.Max)
	p.line("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	small := false
	for _, c := range s.Cells {
		n := fmt.Sprint(c.N)
		if c.Small {
			n, small = n+" †", true
		}
		p.line("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |", name(c.Value), n, number(c.Attempts.Value, 2), interval(c.Attempts.Interval, 1, 2),
			number(c.Completion.Value, 2), interval(c.Completion.Interval, 1, 2), number(c.Total.Value, 2), interval(c.Total.Interval, 1, 2),
			share(c.Satisfied), estimateShort(c.PassRate, 3))
	}
	p.line("")
	header, rule := "| "+s.By, "|---"
	for _, a := range r.Ratings.Attributes {
		header, rule = header+" | "+markdown(a.Name), rule+"|--:"
	}
	p.line("%s |", header)
	p.line("%s|", rule)
	for _, c := range s.Cells {
		row := "| " + name(c.Value)
		for _, v := range c.Attributes {
			row += " | " + number(v.Value, 2) + " " + interval(v.Interval, 1, 2)
		}
		p.line("%s |", row)
	}
	if small {
		p.line("")
		p.line("† fewer than %d tasks: not enough to conclude from.", Small)
	}
	writeTrends(p, s.Trends)
}

func writeTrends(p *printer, trends []Trend) {
	if len(trends) == 0 {
		return
	}
	p.line("")
	held := map[string][]string{}
	var broken []string
	for _, t := range trends {
		if t.Holds {
			held[t.Direction] = append(held[t.Direction], markdown(t.Measure))
		} else {
			broken = append(broken, fmt.Sprintf("%s (should be one that %s; broken from %s)", markdown(t.Measure), t.Direction, markdown(t.BrokenAt)))
		}
	}
	p.line("Direction of the means from easy to hard, as Miah & Zhu found it; a check of these means, not a test:")
	p.line("")
	list := func(what string, measures []string) {
		if len(measures) > 0 {
			p.line("- %s: %s.", what, strings.Join(measures, ", "))
		}
	}
	list("never falls", held["rises"])
	list("never rises", held["falls"])
	list("does not keep its direction", broken)
}

func name(value string) string {
	if value == "" {
		return "(none)"
	}
	return markdown(value)
}

// number is a statistic with so many decimals, a dash where it is not defined.
func number(v Number, decimals int) string {
	if !v.defined() {
		return "–"
	}
	return stats.Round(float64(v), decimals)
}

func interval(iv *stats.Interval, scale float64, decimals int) string {
	if iv == nil {
		return "–"
	}
	return stats.Round(scale*iv.Low, decimals) + "–" + stats.Round(scale*iv.High, decimals)
}

// estimate is a statistic with its n and interval, in words.
func estimate(e Estimate, decimals int) string {
	how := e.Method
	if e.Interval != nil {
		how = fmt.Sprintf("95 %% %s, %s", interval(e.Interval, 1, decimals), e.Method)
	}
	return fmt.Sprintf("%s (n = %d; %s)", number(e.Value, decimals), e.N, how)
}

func estimateShort(e Estimate, decimals int) string {
	if e.N == 0 {
		return "–"
	}
	return fmt.Sprintf("%s (%d)", number(e.Value, decimals), e.N)
}

// share is a count with what it is of, in percent with its interval.
func share(s Share) string {
	if s.N == 0 {
		return "none observed"
	}
	return fmt.Sprintf("%d of %d = %s %% (95 %% %s)", s.Count, s.N, number(100*s.Value, 1), interval(s.Interval, 100, 1))
}

// quantiles shows the types 1, 6 and 7 of one probability.
func quantiles(all []Quantile, p float64) string {
	var values []string
	for _, q := range all {
		if q.P == p {
			values = append(values, number(q.Value, 2))
		}
	}
	if len(values) != 3 {
		return "–"
	}
	return fmt.Sprintf("%s (%s, %s)", values[0], values[1], values[2])
}

// bar draws value out of most in at most 20 characters, eighths at its end.
func bar(value, most float64) string {
	const width = 20
	if !(value > 0) || !(most > 0) {
		return ""
	}
	eighths := int(min(value/most, 1)*width*8 + 0.5)
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	if text == "" {
		return "▏"
	}
	return text
}

func sortedKeys(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }
