package markdowntest

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// words are what lines consist of: those that Markdown could take for something else, and those of other scripts.
var words = []string{
	"a", "the", "value", "x1", "42", "3.14", "snake_case_name", "__init__", "*args", "**kwargs", "a*b*c", "2 * 3", "i<n", "x<y", "->", "a->b", "=>", "&&", "&x",
	"vector<int>", "Map<String, List<Integer>>", "foo<T>()", "std::map<K,V>", "Option<&'a str>", "List<T extends Comparable<T>>", "<T>", "#include <vector>", "Array<number>[]",
	"<br>", "<br/>", "<div class=\"x\">", "</div>", "<kbd>Ctrl</kbd>", "<!-- hidden -->", "<!--", "-->", "<?php echo 1 ?>", "<a href='u1'>", "<img src=x2 alt=\"y3\">", "<![CDATA[z4]]>",
	"&lt;T&gt;", "&nbsp;", "&amp;", "&#65;", "&copy;", "&notanentity;", `\*`, `\<b\>`, `\_x\_`, `C:\dir\_file`, `\(x^2\)`, "$x_i^2$",
	"`code`", "`List<String>`", "``a`b``", "`unclosed", "` `", "`<br>`", "`a|b`", "`&lt;`", "**bold**", "*slanted*", "_under_", "***both***", "~~gone~~", "**`c1`**", "**open", "*open2",
	"<<<<<<< HEAD1", "=======", ">>>>>>> br2", "||||||| b3", "template<class T1, int N2>", "std::vector<std::pair<int,K3>>&&", "a << b1 >> c2", "cout << x1 << endl;", "operator<=>(q1)", "#define M1(x) x##y", "x ? y1 : z2", "a[i][j1](k2)",
	"$\\frac{a1}{b2}$", "\\(\\alpha_1 < \\beta_2\\)", "$a_1*b_2*c_3$", "$5 and $6", "$$x^{2}_{i3}$$", "\\begin{cases}1\\end{cases}", "<details open>", "<summary>S3</summary>", "<!---->", "<!-- a -- b1 -->", "<![CDATA[<x5>]]>", "<!ENTITY e6>", "<?q7?>",
	"&#x1F600;", "&#128512;", "&hearts;", "&NotEqualTilde;", "&#xD800;", "&#9999999;", "&lt;b9&gt;", "&amp;lt;", "\x00n1", "\x07bel2", "\x08bs3", "\x7fdel4", "\u0085nel5", "\u2029ps6", "\u061calm7", "\ufff9x8\ufffb", "\U000e0041tag9", "\u180emv1", "\u3164hf2", "\u115fhc3", "a\u0300\u0301\u0302\u0303b4", "\U0001f3f4\U000e0067\U000e0062\U000e007f", "\x1b[31mred5\x1b[0m", "\x1b]8;;http://l6\x07t7\x1b]8;;\x07",
	"[a][]", "[r1][]", "[text]: x", "[x]( <u a> )", "[y](u 'unclosed", "<http://a b>", "<mailto:x@y1>", "<tel:+12>", "http://[::1]:80/p", "https://e.org/?a=1&lt=2", "mailto:z3@q.org", "//cdn4", "http://h5.", "(http://h6)", "**http://h7**", "`` ` ``", "````q8````", "~~~~g9~~~~", "~~a~b1~~", "__a__b2__", "**a *b3** c4*", "*a **b5* c6**", "\\", "\\\\", "\\\n", "_", "*", "**", "__", "====", "----", "+ ", "1. ", "- [ ] t1", "> q2", "# h3", "    i4", ": : d5",
	"[link](http://h1.org/p_a_th \"Title T1\")", "[link2](<u r l>)", "[**b**](u3)", "[ref][r1]", "[r1]", "[^1]", "[^note]", "![alt](pic1.png)", "![](pic2.png \"t2\")", "[![badge](b1.svg)](target1)",
	"https://example.org/a_b_c?q=1&r=2", "<https://auto1.link>", "<me@mail1.org>", "me2@mail.org", "www.site3.com", "[ ]", "[x]", "[]", "[](e1)", "()", "|", "||", `\|`, "#", "# x9", "!", "![", "](",
	"漢字", "日本語のテキスト", "한국어", "שלום", "العربية", "١٢٣", "😀", "👩‍👩‍👧", "é", "e\u0301", "ß", "½", "Ⅳ", "न्", ":smile:", "@user", "1.", "2)",
	"a\u200bb\u200cc\u200dd\u2060e", "\ufefff", "so\u00adft", "\u00a0nb\u00a0", "\u200eמ1\u200f", "\u202egnorw\u202c", "\u2066iso1\u2069", "🏳️‍🌈", "👨🏽‍💻", "1️⃣", "🇩🇪", "z̷̢a̸l̵", "กำ", "ﷺ", "ｆｕｌｌ", "𝒳𝟜", "ǅ",
	"$$E=mc^2$$", "`$x$`", `\[y\]`, "<x@y>", "<T,", "U>", "a<b>c", "<!DOCTYPE t1>", "<!x2>", "&#x41;", "&#0;", "&lt", "&b;", "[a]: b", "[^2]:", "[!NOTE]", ": d2", "~one~", "==m1==", "^up^", "H~2~O",
	"[a\\]b](c)", "[i[n]n](u4 't4')", "[r2] [r1]", "![r3][r1]", "[b](<u5", "http://h2.org/(p)", "ftp://f1", "https://x.y/ä?z=漢", "xn--1", strings.Repeat("w0", 90), strings.Repeat("文", 70), strings.Repeat("ا", 100), "1.0.0", "a.b.c", "--flag1", "-x", "+y", "1)", "a`", "**a**b", "_a_b", "***", "-", "+", "~", "`", "```", "<", ">", "\t",
}

// noise has whole texts of the signs that mean something.
const noise = "(a|b1|[0-9]\\.|<|>|`{1,4}|~{1,4}|\\*{1,3}|_{1,2}|\\[|\\]|\\(|\\)|!|#{1,3}|-|\\+|\\||&|;|:|\\\\| {1,5}|\\n{1,2}|\\t|=|\\^|\"|é|界){0,60}"

// Text draws a text in Markdown.
func Text(t *rapid.T) string {
	if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
		return rapid.StringMatching(noise).Draw(t, "noise")
	}
	return blocks(t, 0)
}

func blocks(t *rapid.T, depth int) string {
	var b strings.Builder
	for range rapid.IntRange(1, 5-depth).Draw(t, "blocks") {
		b.WriteString(block(t, depth))
		b.WriteString(rapid.SampledFrom([]string{"\n", "\n\n", "\n\n\n"}).Draw(t, "between"))
	}
	return b.String()
}

// line draws words with spaces between most of them.
func line(t *rapid.T) string {
	var b strings.Builder
	for _, w := range rapid.SliceOfN(rapid.SampledFrom(words), 0, 12).Draw(t, "words") {
		b.WriteString(w)
		if rapid.IntRange(0, 7).Draw(t, "space") > 0 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func lines(t *rapid.T, least, most int) string {
	var b strings.Builder
	for i := range rapid.IntRange(least, most).Draw(t, "lines") {
		if i > 0 {
			b.WriteString(rapid.SampledFrom([]string{"\n", "  \n", "\\\n", "\n ", " \n", "\r\n", "\n\t", "   \n    ", "\u2028", "\v"}).Draw(t, "break"))
		}
		b.WriteString(line(t))
	}
	return b.String()
}

// code draws lines of code with indentation and blank lines.
func code(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
		"def f(a: list[int]) -> int:", "    return a[0]  # first", "\tx := make(map[string]int)", "", "template <typename T>", "<p>text</p>", "| a | b |", "# comment", "`x`", "~~", "   ",
		"long_function_name(argument_one, argument_two, argument_three, argument_four, argument_five, argument_six)", strings.Repeat("z9", 70), "漢字 = '文字'", "```", "- item", "&lt;", "~~~", "> q1", "1. n1", "\t\ttabs\tin1", "[r1]: u9", "$x$", "/* a", "*/ b", "````", "~~~~", "`````x2", "<<<<<<< HEAD", "=======", ">>>>>>> m1", "<!-- c2 -->", "<![CDATA[d3]]>", "\x1b[1mb4\x1b[m", "\x00e5", "\x08f6", "\u200bg7\ufeff", "    ```", "$$", "\\begin{x8}", "&amp;h9", "| --- |", "\r\ni1\r", "\u2028j2", "\t \tk3", "[^1]: l4", "[r1]", "<details>", "std::map<K5, V6>", "#!/bin/sh7", "@decorator8", "%%magic9", "\v", "\"\"\"d1", "a\u200bb", "\f", "x\r", "<think>t1", "</think>",
	}), 0, 6).Draw(t, "code"), "\n")
}

func block(t *rapid.T, depth int) string {
	kinds := 13
	if depth > 2 {
		kinds = 10
	}
	switch rapid.IntRange(0, kinds).Draw(t, "block") {
	case 0:
		return strings.Repeat("#", rapid.IntRange(1, 7).Draw(t, "level")) + rapid.SampledFrom([]string{" ", "", "\t"}).Draw(t, "gap") + line(t) + rapid.SampledFrom([]string{"", " ##", " {#id1}"}).Draw(t, "close")
	case 1:
		return lines(t, 1, 3) + "\n" + rapid.SampledFrom([]string{"===", "---", "-", "="}).Draw(t, "under")
	case 2:
		fence := rapid.SampledFrom([]string{"```", "~~~", "````", "  ```", "`````", "~~~~~", "\t```", "   ~~~", " ````", "~~~~", "````````", "``` ", "~~~ "}).Draw(t, "fence")
		info := rapid.SampledFrom([]string{"", "python", "c++", "js title=\"x1.js\"", "{.r}", " go ", "py3 `", "diff-x ~y1", "&lt;", "\\*z1", "漢", "c1\tc2", "python {1,3-5}"}).Draw(t, "info")
		return fence + info + "\n" + code(t) + rapid.SampledFrom([]string{"", "\n" + fence, fence, "\n" + fence + " x5", "\n" + fence[:len(fence)-1], "\n" + fence + "`", "\n    " + fence}).Draw(t, "end")
	case 3:
		return "    " + strings.ReplaceAll(code(t), "\n", "\n    ")
	case 4:
		return table(t)
	case 5:
		return rapid.SampledFrom([]string{"[r1]: http://def1.org \"T2\"", "[r1]: <u2>\n  'T3'", "[^1]: footnote text f1", "[^note]: more f2\n    goes on f3", "[x]: y4", "Term t1\n: definition d1", "Term t2\n\n:   d3\n\n    d4\n: d5", "[^2]: ```\n    f4\n    ```", "[r2]:\n<u6>\n\"T6\nT7\"", "[r3]: u7 'T8' x8", "[^3]: - f5\n      - f6", "*[HTML]: h1", "$$\nx_1 < y_2\n$$", "\\begin{align}\nx &= y1\n\\end{align}", "---\nfront: m1\n---", "---\ntitle: \"a1\"\nlist:\n  - b2\n...\nc3", "+++\na4 = 5\n+++", "<<<<<<< HEAD\na6\n=======\nb7\n>>>>>>> c8", "<<<<<<< a1\n- b2\n||||||| c3\n- d4\n=======\n# e5\n>>>>>>> f6", "[A B]: <u1> \"t2\"\n\n[a b]", "[r4]: # (comment c5)", "[//]: # \"d6\"", "[^a]: e7\n\n    f8\n\n[^a]", "[^b]: > g9", "Term *a1* `b2`\n~ c3", "T1\nT2\n: d4\n\n  e5\n: - f6", "$$\n\\begin{matrix} a_1 & b_2 \\\\ c_3 & d_4 \\end{matrix}\n$$", "\\[\na_1 * b_2 * c_3\n\\]", "```math\nx_1\n```", ":::note\na7\n:::", "!!! note \"a8\"\n    b9", "{% raw %}a1{% endraw %}", "@@ -1,2 +3,4 @@\n-a5\n+b6", "Index: a7\n====\n--- b8\n+++ c9", "a1 | b2\n--|--\nc3 | d4 | e5", "|a6|\n|-|\n|b7\nc8", "a9\n=\nb1\n-", "* * *a2", "1986. a3", "-\n\n  a4", "-\ta5\n\n\tb6\n\n\t\tc7", "1.\ta8\n\t-\tb9\n\t\t```\n\t\tc1\n\t\t```", ">     a2\n> b3", "> ```\na4\n```", "- ```\n  a5\n b6\n  ```", "- > a7\n  b8\n\n  c9"}).Draw(t, "definition")
	case 6:
		return rapid.SampledFrom([]string{
			"<div>\nin1\n</div>", "<div class=\"c1\">\n\n**md** in2\n\n</div>", "<!-- c2\nc3 -->", "<!-- c4 --> after1", "<script>\nlet a5 = 1;\n\nb6();\n</script>", "<?php\nx7\n?>", "<!DOCTYPE html8>",
			"<![CDATA[\nd9\n]]> tail1", "<details>\n<summary>a1</summary>\nb2\n\n```py\nc3\n```\n\n</details>", "<details>\n\n- a4\n  <details>b5</details>\n</details>", "<!--\na6\n\n- b7\n-->\nc8", "<![CDATA[a9]]>\n# b1", "<dl><dt>a2</dt><dd>b3</dd></dl>", "<sub>a4</sub><sup>b5</sup>", "<table>\n<tr>\n\n<td>a6</td>\n</tr></table>", "<!-- a7 -->\n<!-- b8 -->\n\nc9", "<math><mi>x1</mi></math>", "<iframe src=\"a2\">b3</iframe>", "<title>a4</title>\n\nb5", "<noscript>a6\n\nb7</noscript>", "<a name=x8></a>y9", "<li>a1\n<li>b2", "<h1>a3\n\nb4</h1>", "<hr>a5", "<input value=\"a6\">", "<!-->a7", "<!--->b8-->", "<x-y\tz='a9\n\nb1'>",
			"<custom-tag a=\"1\">\nin3", "<details><summary>S1</summary>\n\ntext2\n</details>", "<pre>\nkeep  this1\n</pre>tail2", "<table><tr><td>c1</td></tr></table>", "<T>\nx", "<?xml v1?> after2", "<!-- c6", "<div\n  a1='b1'\n>c7", "<style>p{c8:d8}</style>e8", "<p>x1\n\n    y2\n</p>", "<br\n/>z1", "<!A1\nb2>c3", "<textarea>\n\n*k1*</textarea>l1", "</div> m1\nn1", "<a\nhref=\"o1\">p1</a>", "<svg><path d='M1 2'/></svg>",
		}).Draw(t, "html")
	case 7:
		return rapid.SampledFrom([]string{"---", "***", "___", "- - -", "* * *", "-----x1", "+++", "***\t"}).Draw(t, "rule")
	case 11, 12:
		return list(t, depth)
	case 13:
		return rapid.SampledFrom([]string{"> ", ">", "> [!NOTE]\n> ", "> [!x1] ", ">\t", "> > "}).Draw(t, "mark") + strings.ReplaceAll(strings.TrimRight(blocks(t, depth+1), "\n"), "\n", rapid.SampledFrom([]string{"\n> ", "\n>", "\n", "\n>\t", "\n> > "}).Draw(t, "quote"))
	}
	return lines(t, 1, 4)
}

func list(t *rapid.T, depth int) string {
	var b strings.Builder
	sign := rapid.SampledFrom([]string{"-", "*", "+", "%d.", "%d)", "1.", "0.", "123456789.", "- -", "- 1.", "a.", "(%d)", "•"}).Draw(t, "sign")
	n := rapid.SampledFrom([]int{0, 1, 1, 3, 7, 999}).Draw(t, "start")
	for i := range rapid.IntRange(1, 4).Draw(t, "items") {
		mark := sign
		if strings.Contains(sign, "%") {
			mark = fmt.Sprintf(sign, n+i)
		}
		mark += strings.Repeat(" ", rapid.IntRange(1, 5).Draw(t, "pad"))
		body := line(t)
		switch rapid.IntRange(0, 4).Draw(t, "item") {
		case 0:
			body = rapid.SampledFrom([]string{"[ ] ", "[x] ", "[X] ", ""}).Draw(t, "box") + body
		case 1:
			body = strings.TrimRight(blocks(t, depth+1), "\n")
		case 2:
			body += "\n\n" + lines(t, 1, 2) + "\n\n    " + strings.ReplaceAll(code(t), "\n", "\n    ")
		}
		indent := strings.Repeat(" ", len(mark))
		indent = rapid.SampledFrom([]string{indent, indent, indent, "\t", "  ", ""}).Draw(t, "indent")
		b.WriteString(mark + strings.ReplaceAll(body, "\n", "\n"+indent))
		b.WriteString(rapid.SampledFrom([]string{"\n", "\n", "\n\n"}).Draw(t, "next"))
	}
	return b.String()
}

// table draws a table, some rows of which have too few cells or too many.
func table(t *rapid.T) string {
	columns := rapid.IntRange(1, 4).Draw(t, "columns")
	edge := rapid.SampledFrom([]string{"|", ""}).Draw(t, "edge")
	row := func(cells []string) string { return edge + strings.Join(cells, "|") + edge + "\n" }
	rule := rapid.SliceOfN(rapid.SampledFrom([]string{"---", ":--", "--:", ":-:"}), columns, columns).Draw(t, "rule")
	cell := rapid.Custom(func(t *rapid.T) string { return " " + strings.ReplaceAll(line(t), "|", `\|`) + " " })
	text := row(rapid.SliceOfN(cell, columns, columns).Draw(t, "head")) + row(rule)
	for range rapid.IntRange(0, 3).Draw(t, "rows") {
		text += row(rapid.SliceOfN(cell, 0, columns+2).Draw(t, "row"))
	}
	return text
}

// Check runs a property with many texts: as many as the environment variable ASSAY_MARKDOWN says, else few.
func Check(t *testing.T, few int, property func(t *rapid.T, source string)) {
	t.Helper()
	if n, err := strconv.Atoi(os.Getenv("ASSAY_MARKDOWN")); err == nil {
		few = n
	}
	for done := 0; done < few; done += 100 { // rapid's number of checks belongs to the whole process
		rapid.Check(t, func(t *rapid.T) { property(t, Text(t)) })
	}
}

// fenceLines matches the lines around code, whose language need not be drawn.
var fenceLines = regexp.MustCompile("(?m)^ *```.*$")

// Has returns an error if a letter or digit of the source, without what a fence says of its code, is drawn less often. It
// is for pages with tables, whose cells wrap side by side, so that the order is the source's by columns only.
func Has(source, drawn string) error {
	missing := map[rune]int{}
	for _, r := range fenceLines.ReplaceAllString(source, "") {
		missing[r]++
	}
	for _, r := range drawn {
		missing[r]--
	}
	for r, n := range missing {
		if n > 0 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return fmt.Errorf("%d %q of\n%s\nare not in\n%s\n(source %q)", n, r, source, drawn, source)
		}
	}
	return nil
}

// Kept returns an error if a letter or a digit of the source is not in what is drawn, in order.
func Kept(source, drawn string) error {
	return kept(source, drawn, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// Verbatim returns an error if anything visible of the source is not in what is drawn, in order.
func Verbatim(source, drawn string) error {
	return kept(source, drawn, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) })
}

func kept(source, drawn string, counts func(rune) bool) error {
	rest := []rune(drawn)
	for at, r := range source {
		if !counts(r) {
			continue
		}
		i := 0
		for i < len(rest) && rest[i] != r {
			i++
		}
		if i == len(rest) {
			return fmt.Errorf("%q at byte %d of\n%s\nis not in\n%s\n(source %q)", r, at, source, drawn, source)
		}
		rest = rest[i+1:]
	}
	return nil
}
