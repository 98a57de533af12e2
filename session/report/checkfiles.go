package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"assay/data/disk"
	"assay/scoring/stats"
	doc "assay/session/report/document"
)

// checkWritten checks that each number on report.html is a cell of data, the text of report.json, and that
// the files are unchanged since they were written.
func checkWritten(dir fs.FS, data []byte) ([]Check, error) {
	var all []Check
	for _, check := range []func(fs.FS, []byte) (*Check, error){checkPage, checkSums} {
		c, err := check(dir, data)
		if err != nil {
			return nil, err
		}
		all = append(all, *c)
	}
	return all, nil
}

// checkPage traces the numbers of the pages to the data.
func checkPage(dir fs.FS, data []byte) (*Check, error) {
	in := json.NewDecoder(bytes.NewReader(data))
	in.UseNumber()
	var tree any
	if err := in.Decode(&tree); err != nil {
		return nil, fmt.Errorf("report.json: %w", err)
	}
	c := NewCheck("Numbers of the page are those of the data")
	for _, name := range []string{"report.html", "brief.html"} {
		page, err := fs.ReadFile(dir, name)
		if name == "brief.html" && errors.Is(err, fs.ErrNotExist) {
			continue // reports of earlier versions have none, and SHA256SUMS would miss another's
		}
		if err == nil {
			err = c.page(bytes.NewReader(page), tree)
		}
		if err != nil {
			return nil, fmt.Errorf("the report's page %s cannot be read: %w", name, err)
		}
	}
	return c, nil
}

// page reads the page, text by text. Numbers are in <data>; names, constants, code, quotations and drawings
// may contain digits that are no results.
func (c *Check) page(page io.Reader, tree any) error {
	z := html.NewTokenizer(page)
	var open []string // elements whose texts are not looked at, and <data>
	var path, times, decimals string
	for {
		switch z.Next() {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) {
				return err
			}
			return nil
		case html.StartTagToken:
			t := z.Token()
			if len(open) > 0 && t.Data == open[len(open)-1] || len(open) == 0 && apart(t) {
				open = append(open, t.Data)
			}
			if t.Data == "data" {
				path, times, decimals = attribute(t, "value"), attribute(t, "data-times"), attribute(t, "data-decimals")
			}
		case html.EndTagToken:
			if t := z.Token(); len(open) > 0 && open[len(open)-1] == t.Data {
				open = open[:len(open)-1]
			}
		case html.TextToken:
			text := z.Token().Data
			switch {
			case len(open) == 1 && open[0] == "data":
				c.value(tree, path, times, decimals, text)
			case len(open) == 0 && strings.ContainsAny(text, "0123456789"):
				c.Compared++
				c.Fault("%q has a number that is not from the data", strings.TrimSpace(text))
			}
		}
	}
}

func apart(t html.Token) bool {
	switch t.Data {
	case "style", "script", "title", "svg", "pre", "code", "data", "bdi":
		return true
	case "div":
		return attribute(t, "class") == "rendered" // an answer, which has no <div>
	case "span":
		class := attribute(t, "class")
		return class == "n" || class == "no"
	}
	return false
}

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// value compares one number on the page with its cell.
func (c *Check) value(tree any, path, times, decimals, text string) {
	c.Compared++
	text = strings.Replace(text, "−", "-", 1)
	cell, found := lookup(tree, path)
	if !found {
		c.Fault("%s on the page is from %s, which the data do not have", text, path)
		return
	}
	if cell == nil {
		if text != doc.Undefined {
			c.Fault("%s on the page is from %s, which is not defined", text, path)
		}
		return
	}
	number, is := cell.(json.Number)
	if !is {
		c.Fault("%s on the page is from %s, which is no number", text, path)
		return
	}
	if text == number.String() && times == "" {
		return
	}
	v, err := number.Float64()
	places, _ := strconv.Atoi(decimals) // none is 0
	want := stats.Round(v, places)
	if times == "100" {
		want = stats.RoundPercent(v, places)
	}
	if err != nil || text != want {
		c.Fault("%s on the page is %s in the data (%s)", text, number, path)
	}
}

func lookup(tree any, path string) (any, bool) {
	for _, step := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		switch node := tree.(type) {
		case map[string]any:
			next, is := node[step]
			if !is {
				return nil, false
			}
			tree = next
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(node) {
				return nil, false
			}
			tree = node[i]
		default:
			return nil, false
		}
	}
	return tree, true
}

// checkSums compares the files with the list of their sums.
func checkSums(dir fs.FS, _ []byte) (*Check, error) {
	c := NewCheck("Files are as they were written")
	sums, err := readSums(dir)
	if errors.Is(err, fs.ErrNotExist) {
		c.Fault("%s is missing", SumsFile)
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		c.Compared++
		text, err := disk.ReadFS(dir, name, disk.Data)
		switch {
		case err != nil:
			c.Fault("%s cannot be read: %v", name, err)
		case disk.Sum(text) != sums[name]:
			c.Fault("%s was changed after it was written", name)
		}
	}
	return c, nil
}
