package ratings

import (
	"math"
	"slices"

	"assay/scoring/stats"
	"assay/session/overlap"
	"assay/session/report"
	"assay/session/report/figure"
)

// marks lists the figures.
func (r *Report) marks() []report.NamedMark {
	p := r.Analysis.Pairs
	if p == nil {
		return nil
	}
	list := []report.NamedMark{{Name: "win-rates", Mark: r.matrix(p)}}
	if p.Scale.Problem == "" {
		list = append(list, report.NamedMark{Name: "strengths", Mark: r.strengths(p)})
	}
	return list
}

func (r *Report) about(title, note string) figure.About {
	return figure.About{Title: title, Source: r.Title, N: r.Analysis.Pairs.Judgements, Of: "judgements of people", Note: note}
}

// matrix has each model against each other one.
func (r *Report) matrix(p *overlap.PairAnalysis) figure.Mark {
	h := figure.Heatmap{About: r.about("Win rates of models at the left against those above, in percent", "Ties count one half."), X: figure.Axis{Name: "against"}, Y: figure.Axis{Name: "model"},
		Value: figure.Axis{Name: "win rate", Unit: "%", From: 0, To: 100}, Small: 1}
	for _, m := range p.Models {
		h.Rows = append(h.Rows, m.Model)
	}
	h.Columns = h.Rows
	for _, row := range h.Rows {
		cells := make([]figure.Cell, len(h.Columns))
		for _, m := range p.Matrix {
			if m.Model == row {
				cells[slices.Index(h.Columns, m.Against)] = figure.Cell{Value: 100 * m.Rate, N: m.Judgements}
			}
		}
		h.Cells = append(h.Cells, cells)
	}
	return h
}

// strengths has the models on the scale, with and without covariates.
func (r *Report) strengths(p *overlap.PairAnalysis) figure.Mark {
	d := figure.DotPlot{About: r.about("Strengths of models, with intervals of 95 %", "Logits, less the mean of all models."), Groups: []string{"as judged"}}
	scales := []*overlap.PairScale{&p.Scale}
	if p.Style.Problem == "" {
		d.Groups, scales = append(d.Groups, "at equal "+p.Style.Equal), append(scales, &p.Style)
	}
	m := figure.Measure{Axis: figure.Axis{Name: "strength", Unit: "logits", Zero: true}}
	for _, model := range p.Scale.Models {
		d.Rows = append(d.Rows, model.Model)
		var dots []figure.Value
		for _, s := range scales {
			at := slices.IndexFunc(s.Models, func(x overlap.Strength) bool { return x.Model == model.Model })
			dots = append(dots, dot(s.Models[at].Strength, s.Models[at].Range))
		}
		m.Dots = append(m.Dots, dots)
	}
	d.Panels = []figure.Measure{m}
	return d
}

func dot(value float64, iv *stats.Interval) figure.Value {
	v := figure.Value{Value: value, Low: math.NaN(), High: math.NaN()}
	if iv != nil {
		v.Low, v.High = iv.Low, iv.High
	}
	return v
}
