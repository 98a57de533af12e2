package report

import (
	"slices"
	"testing"
	"testing/fstest"
)

// Every number on a page is compared with its cell, and a number of no cell is a fault.
func TestCheckPage(t *testing.T) {
	data := []byte(`{"n": 12, "share": 0.25, "mean": 36.634, "low": -0.5, "none": null, "name": "x", "list": [{"count": 7}]}`)
	for page, want := range map[string][]string{
		`<p>Of <data value="/n">12</data> tasks.</p>`:                                 nil,
		`<p>Of <data value="/n">13</data> tasks.</p>`:                                 {"13 on the page is 12 in the data (/n)"},
		`<data value="/share" data-times="100">25</data>`:                             nil,
		`<data value="/share" data-times="100">0.25</data>`:                           {"0.25 on the page is 0.25 in the data (/share)"},
		`<data value="/mean" data-decimals="2">36.63</data>`:                          nil,
		`<data value="/mean" data-decimals="1">36.63</data>`:                          {"36.63 on the page is 36.634 in the data (/mean)"},
		`<data value="/low" data-decimals="2">−0.50</data>`:                           nil,
		`<data value="/low" data-decimals="2">0.50</data>`:                            {"0.50 on the page is -0.5 in the data (/low)"},
		`<data value="/list/0/count">7</data>`:                                        nil,
		`<data value="/list/1/count">7</data>`:                                        {"7 on the page is from /list/1/count, which the data do not have"},
		`<data value="/none">–</data>`:                                                nil,
		`<data value="/none">0</data>`:                                                {"0 on the page is from /none, which is not defined"},
		`<data value="/name">1</data>`:                                                {"1 on the page is from /name, which is no number"},
		`<p> 3 testers</p>`:                                                           {`"3 testers" has a number that is not from the data`},
		`<style>p{margin:1em}</style><code>f(1)</code><span class="n">Table 1</span>`: nil,
		`<code>f(1)</code> of 2`:                                                      {`"of 2" has a number that is not from the data`},
	} {
		c, err := checkPage(fstest.MapFS{"report.html": {Data: []byte(page)}, "brief.html": {}}, data)
		if err != nil || !slices.Equal(c.Faults, want) || len(want) > 0 && c.Compared == 0 {
			t.Errorf("%s: %q, %v, want %q", page, c.Faults, err, want)
		}
	}
}
