package report

import (
	"strconv"

	"assay/session"
	doc "assay/session/report/document"
)

// Spent is what answers took, as servers count it, and what they cost.
type Spent struct {
	session.Account
	Cost *session.Cost `json:"cost,omitempty"` // absent: no prices are known
}

// NewSpent returns an account with its cost, unless the price is nil or no tokens were counted; nil without answers.
func NewSpent(a session.Account, p *session.Price) *Spent {
	if a.Answers == 0 {
		return nil
	}
	s := &Spent{Account: a}
	if p != nil && s.counted() {
		cost := p.Of(a)
		s.Cost = &cost
	}
	return s
}

// counted says whether the tokens of any answer are known.
func (s *Spent) counted() bool { return s.Uncounted < s.Answers }

// Add adds what other answers took. Where tokens of both were counted, their sum has a cost if both have one at the same prices.
func (s *Spent) Add(o Spent) {
	switch {
	case !o.counted():
	case !s.counted():
		s.Cost = nil
		if o.Cost != nil {
			cost := *o.Cost
			s.Cost = &cost
		}
	case s.Cost == nil || o.Cost == nil || s.Cost.Price != o.Cost.Price:
		s.Cost = nil
	default:
		s.Cost.Amount += o.Cost.Amount
	}
	s.Account.Add(o.Account)
}

// Counted is a column of an account.
type Counted struct {
	Name, meaning string
	tokens        bool // as servers count them, not answers
	Of            func(*session.Account) int64
}

// Counts are the columns of an account.
func Counts() []Counted {
	return []Counted{
		{"answers", "answers received, reflections included", false, func(a *session.Account) int64 { return int64(a.Answers) }},
		{"answers_uncounted", "of these, answers whose tokens the server did not count", false, func(a *session.Account) int64 { return int64(a.Uncounted) }},
		{"input_tokens", "tokens that the model read", true, func(a *session.Account) int64 { return a.Input }},
		{"cached_tokens", "of these, tokens from the server's cache", true, func(a *session.Account) int64 { return a.Cached }},
		{"output_tokens", "tokens that the model wrote", true, func(a *session.Account) int64 { return a.Output }},
		{"reasoning_tokens", "of these, tokens of thinking", true, func(a *session.Account) int64 { return a.Reasoning }},
	}
}

// amounts are the columns of a cost, in a table in which any row has one.
var amounts = []struct {
	name, meaning string
	of            func(*Spent) float64
}{
	{"agent_cost_usd", "cost in US dollars, as agents report it, which counts in place of their tokens; 0 where none does", func(s *Spent) float64 { return s.CostUSD }},
	{"price_in", "price of a million tokens read", func(s *Spent) float64 { return s.Cost.In }},
	{"price_cached", "price of a million of those that the cache had", func(s *Spent) float64 { return s.Cost.Cached }},
	{"price_out", "price of a million tokens written", func(s *Spent) float64 { return s.Cost.Out }},
	{"cost", "what the answers cost", func(s *Spent) float64 { return s.Cost.Amount }},
}

// SpentColumns are the columns of what answers took, and with priced of what they cost; empty where it is not known.
func SpentColumns[R any](of func(R) *Spent, priced bool) []ColumnOf[R] {
	var columns []ColumnOf[R]
	for _, c := range Counts() {
		columns = append(columns, Integer(c.Name, "", c.meaning+"; empty where no server counted", func(r R) (int64, bool) {
			s := of(r)
			if s == nil || c.tokens && !s.counted() {
				return 0, false
			}
			return c.Of(&s.Account), true
		}))
	}
	if !priced {
		return columns
	}
	for _, c := range amounts {
		columns = append(columns, NewColumn(c.name, "decimal", c.meaning+"; empty without prices", func(r R) string {
			if s := of(r); s != nil && s.Cost != nil {
				return strconv.FormatFloat(c.of(s), 'g', -1, 64)
			}
			return ""
		}))
	}
	text := func(name, meaning string, cell func(*session.Cost) string) {
		columns = append(columns, Text(name, meaning, func(r R) string {
			if s := of(r); s != nil && s.Cost != nil {
				return cell(s.Cost)
			}
			return ""
		}))
	}
	text("currency", "currency of prices and cost", func(c *session.Cost) string { return c.Currency })
	text("priced_at", "date at which the prices held; empty where it is not known", func(c *session.Cost) string { return c.At })
	return columns
}

// SpentIn reads those columns of a row; nil if they are empty.
func SpentIn(row Row) *Spent {
	if row.Text("answers") == "" {
		return nil
	}
	whole := func(name string) int64 {
		if row.Text(name) == "" {
			return 0
		}
		return int64(row.Number(name))
	}
	s := &Spent{Account: session.Account{Answers: int(whole("answers")), Uncounted: int(whole("answers_uncounted")), Input: whole("input_tokens"),
		Cached: whole("cached_tokens"), Output: whole("output_tokens"), Reasoning: whole("reasoning_tokens")}}
	if row.Text("cost") != "" {
		price := session.Price{In: row.Number("price_in"), Cached: row.Number("price_cached"), Out: row.Number("price_out"), Currency: row.Text("currency"), At: row.Text("priced_at")}
		s.CostUSD = row.Number("agent_cost_usd")
		cost := price.Of(s.Account)
		s.Cost = &cost
	}
	return s
}

// NamedSpent is what the answers of a model or run took.
type NamedSpent struct {
	Name  string
	Spent *Spent // nil: not known
}

// WriteSpent writes the table of what answers took, and that of the prices.
func WriteSpent(in *doc.Section, d *doc.Document, of string, rows []NamedSpent, note string) {
	columns := []doc.Column{doc.Left(of), doc.Right("answers"), doc.Right("not counted"), doc.Right("read"), doc.Right("from the cache"), doc.Right("written"), doc.Right("thinking")}
	priced := false
	for _, r := range rows {
		priced = priced || r.Spent != nil && r.Spent.Cost != nil
	}
	if priced {
		columns = append(columns, doc.Right("cost"))
	}
	s := in.Section("tokens", "Tokens")
	t := s.Table("tokens", "Tokens, as servers count them", columns...)
	for _, r := range rows {
		if r.Spent == nil {
			continue
		}
		row := []any{doc.Name(r.Name), d.Count(&r.Spent.Answers), d.Count(&r.Spent.Uncounted)}
		for _, n := range []*int64{&r.Spent.Input, &r.Spent.Cached, &r.Spent.Output, &r.Spent.Reasoning} {
			if r.Spent.counted() {
				row = append(row, d.Count(n))
			} else {
				row = append(row, doc.Undefined)
			}
		}
		switch c := r.Spent.Cost; {
		case c != nil:
			row = append(row, doc.Item(d.Num(&c.Amount, 4), " "+c.Currency))
		case priced:
			row = append(row, doc.Undefined)
		}
		t.Row(row...)
	}
	t.Note(note)
	if !priced {
		return
	}
	p := s.Table("prices", "Prices of a million tokens, as the models file had them", doc.Left(of), doc.Right("read"), doc.Right("from the cache"), doc.Right("written"), doc.Left("currency"), doc.Left("of"))
	for _, r := range rows {
		if r.Spent != nil && r.Spent.Cost != nil {
			c, at := r.Spent.Cost, "no date"
			if c.At != "" {
				at = c.At
			}
			p.Row(doc.Name(r.Name), d.Num(&c.In, 4), d.Num(&c.Cached, 4), d.Num(&c.Out, 4), doc.Fixed(c.Currency), doc.Fixed(at))
		}
	}
	p.Note("The cost is that of the tokens counted, at these prices; of agents that report a cost in this currency it is what they report.")
}
