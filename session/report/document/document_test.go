package document

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/data/markdowntest"
	"assay/scoring/stats"
	"assay/session/report/figure"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "\x1b[31mred\x1b[0m": "red", "a\nb\tc": "a b c", "\x1b]8;;http://x\x07link\x1b]8;;\x07": "link",
		"\x1bPq#0\x1b\\sixel": "sixel", "\u009b31mc1": "31mc1", "bad\xffutf": "bad\uFFFDutf", "\u202eright": "right", "cut\x1b[": "cut", "\x1b]unclosed": "unclosed", "\x1b]0;a\nb\x07": "0;a b",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

// Nothing of a prompt or an answer is lost in a report.
func TestNothingOfAPassageIsLost(t *testing.T) {
	markdowntest.Check(t, 300, func(t *rapid.T, source string) {
		_, d := example()
		d.Section("s", "S").Answer("Answer", source)
		var page, text strings.Builder
		if err := errors.Join(d.HTML(&page), d.Markdown(&text, false)); err != nil {
			t.Fatal(err)
		}
		for name, drawn := range map[string]string{"HTML": html.UnescapeString(page.String()), "Markdown": text.String()} {
			if err := markdowntest.Kept(Lines(source), drawn); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	})
}

// What is rendered has the letters of its source, in order, and nothing that acts: no element but those of prose, no attribute but
// classes and alignment.
func TestRenderedIsInert(t *testing.T) {
	var shown int
	markdowntest.Check(t, 300, func(t *rapid.T, source string) {
		page := rendered(Lines(source))
		if page == "" {
			return
		}
		shown++
		if got, want := letters(visible([]byte(page))), letters(Lines(source)); got != want {
			t.Fatalf("%q is rendered with %q", want, got)
		}
		if found := regexp.MustCompile(`<(a|img|script|iframe|object|link|style|form|input|base|meta)\b|\son\w+=|javascript:[^<]*"`).FindString(strings.ToLower(page)); found != "" {
			t.Fatalf("%q is rendered with %q", source, found)
		}
	})
	if shown < 30 {
		t.Errorf("only %d texts were rendered", shown)
	}
	for source, want := range map[string]string{
		"a `List<int>` and <b>x</b>":              "<p>a <code>List&lt;int&gt;</code> and &lt;b&gt;x&lt;/b&gt;</p>",
		"[x](javascript:alert(1)) ![p](http://q)": "<p>x (javascript:alert(1)) p (http://q)</p>",
		"3. c\n4. d":                       `<ol start="3">` + "\n" + `<li class="numbered"><span>3.</span> c</li>`,
		"```python x=1\nprint(1 < 2)\n```": `<p class="label">python x=1</p><pre tabindex="0">print(1 &lt; 2)`,
	} {
		if got := rendered(source); !strings.Contains(got, want) {
			t.Errorf("%q is rendered as %q", source, got)
		}
	}
	if got := rendered("&lt;"); got != "" { // its letters are gone
		t.Errorf("an entity is rendered as %q", got)
	}
}

func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		share float64
		want  string
	}{{0, ""}, {0.5, "██████████"}, {1, "████████████████████"}, {9, "████████████████████"}, {0.001, "▏"}, {1.0 / 160, "▏"}, {7.0 / 160, "▉"}} {
		if got := blocks(c.share); got != c.want {
			t.Errorf("blocks(%v) = %q, want %q", c.share, got, c.want)
		}
	}
}

type data struct {
	N     int `json:"n"`
	Inner struct {
		Mean float64         `json:"mean"`
		CI   *stats.Interval `json:"ci"`
		List []struct {
			Count int `json:"count"`
		} `json:"list"`
	} `json:"inner"`
	hidden int
}

func example() (*data, *Document) {
	x := &data{N: 12}
	x.Inner.Mean, x.Inner.CI = 36.625, &stats.Interval{Low: 0.25, High: 0.5}
	x.Inner.List = append(x.Inner.List, struct {
		Count int `json:"count"`
	}{7})
	return x, New("A <title>", x)
}

// A page has minus signs, as its drawings have, and says the same as an earlier one with hyphens.
func TestMinusSigns(t *testing.T) {
	x, d := example()
	x.Inner.Mean, x.Inner.CI = -0.126, &stats.Interval{Low: -1.5, High: -0.25}
	d.Section("one", "One").Text(d.Num(&x.Inner.Mean, 2), " (", d.Range(x.Inner.CI, 1, 2), ")")
	var page bytes.Buffer
	if err := d.HTML(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">−0.13</data>", ">−1.50</data>", ">−0.25</data>"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if hyphens := strings.ReplaceAll(page.String(), "−", "-"); string(Said([]byte(hyphens))) != string(Said(page.Bytes())) {
		t.Error("the sign changes what the page says")
	}
}

// TestNumbersAreTraced: the path is that of the field in the JSON, the rounding half
// away from zero, and what looks like markup is only text.
func TestNumbersAreTraced(t *testing.T) {
	x, d := example()
	s := d.Section("one", "One")
	s.Text("Mean ", d.Num(&x.Inner.Mean, 2), " of ", d.Count(&x.N), ", ", d.Range(x.Inner.CI, 100, 0), " ", Name("<b>7|8"))
	table := s.Table("t", "Caption", Left("name"), Right("n"))
	table.Row(Name("a_b&c"), d.Count(&x.Inner.List[0].Count))
	var page, md, tex bytes.Buffer
	for _, err := range []error{d.HTML(&page), d.Markdown(&md, false), table.LaTeX(&tex)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{
		`<data value="/inner/mean" data-decimals="2">36.63</data>`, `<data value="/n">12</data>`, `<data value="/inner/ci/low" data-times="100">25</data>` + "\u2060–",
		`<data value="/inner/list/0/count">7</data>`, "&lt;b&gt;7|8", "A &lt;title&gt;",
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page does not have %s", want)
		}
	}
	if !strings.Contains(md.String(), `Mean 36.63 of 12, 25–50 &lt;b>7\|8`) {
		t.Errorf("Markdown: %s", md.String())
	}
	if !strings.Contains(tex.String(), `a\_b\&c & 7 \\`) {
		t.Errorf("LaTeX: %s", tex.String())
	}
}

// TestNumbersFromElsewhereAreMistakes: what is not exported cannot be shown.
func TestNumbersFromElsewhereAreMistakes(t *testing.T) {
	x, _ := example()
	other := 3
	for name, wrong := range map[string]func(*Document, *Section){
		"a local variable":  func(d *Document, s *Section) { s.Text(d.Count(&other)) },
		"a field not shown": func(d *Document, s *Section) { s.Text(d.Count(&x.hidden)) },
		"a plain number":    func(d *Document, s *Section) { s.Text("n = ", 5) },
		"a short row":       func(d *Document, s *Section) { s.Table("t", "", Left("a"), Left("b")).Row("x") },
	} {
		d := New("", x)
		wrong(d, d.Section("s", "S"))
		if err := d.HTML(&bytes.Buffer{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestPercentagesOfAColumn: all have the decimals of the one that supports the fewest,
// wherever in the column it stands.
func TestPercentagesOfAColumn(t *testing.T) {
	for _, decimals := range [][]int{{1, 0, 1}, {0, 1, 1}, {1, 1, 0}} {
		x, d := example()
		table := d.Section("one", "One").Table("t", "Caption", Left("name"), Right("%"))
		for _, n := range decimals {
			table.Row("row", d.Percent(&x.Inner.CI.Low, n))
		}
		var md bytes.Buffer
		if err := d.Markdown(&md, false); err != nil {
			t.Fatal(err)
		}
		if rows := strings.Count(md.String(), "| 25 |"); rows != 3 {
			t.Errorf("decimals %v: %d of 3 rows have none:\n%s", decimals, rows, md.String())
		}
	}
}

// TestScript: the page's policy admits its own script, which node can read, and no other.
func TestScript(t *testing.T) {
	_, d := example()
	d.Section("one", "One").Text(Name("</script><script>alert(1)</script>"))
	var page bytes.Buffer
	if err := d.HTML(&page); err != nil {
		t.Fatal(err)
	}
	shown, rest, _ := strings.Cut(page.String(), ScriptTag)
	own, _, _ := strings.Cut(rest, "</script>")
	sum := sha256.Sum256([]byte(own))
	if !strings.Contains(shown, "script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") || strings.Contains(shown, "<script") {
		t.Errorf("the policy is not of the script, or there is another: %s", shown)
	}
	check := exec.Command("node", "--check", "--input-type=module")
	check.Stdin = strings.NewReader(own)
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// TestPaper: what is printed is the body of a paper, with tables and figures by name, and
// texts from outside stand for themselves.
func TestPaper(t *testing.T) {
	x, d := example()
	x.Inner.Mean = -0.5
	s := d.Section("one", "One & only")
	s.Text("Mean ", d.Num(&x.Inner.Mean, 1), " of ", Name("\\input{x} 50% \x1b[31m"))
	s.Section("part", "Part").Table("t", "Caption", Left("name")).Row("x")
	bar := figure.Bar{About: figure.About{Title: "A_b"}}
	s.Figure("drawing", bar.Draw(figure.Wide), bar.Draw(figure.Narrow))
	d.Aside("aside", "Not printed")
	var body, paper bytes.Buffer
	for _, err := range []error{d.LaTeX(&body), d.Paper("acmart")(&paper)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{`\section{One \& only}`, `$-$0.5`, `\textbackslash{}input\{x\} 50\%`, `\subsection{Part}`, `\input{../tables/t.tex}`, `\input{../figures/drawing.tikz}`, `\caption{A\_b.}`} {
		if !strings.Contains(body.String(), want) {
			t.Errorf("the body does not have %s:\n%s", want, body.String())
		}
	}
	if strings.Contains(body.String(), "Not printed") || strings.Contains(body.String(), "\x1b") || !strings.Contains(paper.String(), `\title{A \textless{}title\textgreater{}}`) {
		t.Errorf("%s\n%s", body.String(), paper.String())
	}
}

// Printed tables and figures are numbered 1, 2, 3 in their order, and those of folds and asides S1, S2, S3, in every form.
func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, d := example()
		kept := map[bool]int{}
		var want []string
		fill := func(s *Section, hidden bool) {
			for range rapid.IntRange(0, 3).Draw(t, "tables") {
				kept[hidden]++
				number := fmt.Sprint(kept[hidden])
				if hidden {
					number = "S" + number
				}
				id := fmt.Sprintf("t%d", len(want))
				want = append(want, "Table "+number+". about "+id)
				s.Table(id, "about "+id, Left("a")).Row("x")
			}
		}
		for i := range rapid.IntRange(1, 4).Draw(t, "sections") {
			s := d.Section(fmt.Sprintf("s%d", i), "S")
			s.Aside = rapid.Bool().Draw(t, "aside")
			fill(s, s.Aside)
			s.Fold(Item("more"), func(in *Section) { fill(in, true) })
			fill(s.Section(fmt.Sprintf("p%d", i), "P"), s.Aside)
		}
		var page, text strings.Builder
		if err := errors.Join(d.HTML(&page), d.Markdown(&text, false)); err != nil {
			t.Fatal(err)
		}
		said := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page.String(), "")
		for _, caption := range want {
			if !strings.Contains(said, caption) || !strings.Contains(text.String(), caption) {
				t.Fatalf("no %q of %q", caption, want)
			}
		}
	})
}
