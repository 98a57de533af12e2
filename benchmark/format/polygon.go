package format

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// polygonProblem is what is read of problem.xml.
type polygonProblem struct {
	XMLName xml.Name `xml:"problem"`
	Short   string   `xml:"short-name,attr"`
	URL     string   `xml:"url,attr"`
	Names   []struct {
		Language string `xml:"language,attr"`
		Value    string `xml:"value,attr"`
	} `xml:"names>name"`
	Statements []polygonText `xml:"statements>statement"`
	Judging    struct {
		Input    string           `xml:"input-file,attr"`
		Output   string           `xml:"output-file,attr"`
		Testsets []polygonTestset `xml:"testset"`
	} `xml:"judging"`
	Assets struct {
		Checker struct {
			Name string `xml:"name,attr"`
		} `xml:"checker"`
		Interactor *struct{} `xml:"interactor"`
		Solutions  []struct {
			Tag    string `xml:"tag,attr"`
			Source struct {
				Path string `xml:"path,attr"`
				Type string `xml:"type,attr"`
			} `xml:"source"`
		} `xml:"solutions>solution"`
	} `xml:"assets"`
	Tags []struct {
		Value string `xml:"value,attr"`
	} `xml:"tags>tag"`
}

type polygonText struct {
	Language string `xml:"language,attr"`
	Path     string `xml:"path,attr"`
	Type     string `xml:"type,attr"`
}

type polygonTestset struct {
	Name    string  `xml:"name,attr"`
	TimeMS  float64 `xml:"time-limit"`
	Memory  int     `xml:"memory-limit"` // bytes
	Inputs  string  `xml:"input-path-pattern"`
	Answers string  `xml:"answer-path-pattern"`
	Tests   []struct {
		Sample bool `xml:"sample,attr"`
	} `xml:"tests>test"`
}

// polygonRules are testlib's checkers that compare output with the expected one.
var polygonRules = map[string]outputRule{
	"std::wcmp.cpp": {cased: true}, "std::ncmp.cpp": {cased: true}, "std::icmp.cpp": {cased: true}, "std::hcmp.cpp": {cased: true},
	"std::lcmp.cpp": {cased: true, lined: true}, "std::fcmp.cpp": {cased: true, spaced: true},
	"std::yesno.cpp": {}, "std::nyesno.cpp": {},
	"std::rcmp4.cpp": {cased: true, absolute: 1e-4, relative: 1e-4},
	"std::rcmp6.cpp": {cased: true, absolute: 1e-6, relative: 1e-6},
	"std::rcmp9.cpp": {cased: true, absolute: 1e-9, relative: 1e-9},
}

// polygon reads a package of Polygon.
func (d *directory) polygon() (rule outputRule, err error) {
	d.config = polygonFile
	text, err := d.text(polygonFile)
	if err != nil {
		return rule, err
	}
	var p polygonProblem
	if err := xml.Unmarshal([]byte(text), &p); err != nil {
		var syntax *xml.SyntaxError
		if errors.As(err, &syntax) {
			return rule, d.fault(d.config, syntax.Line, "%s", syntax.Msg)
		}
		return rule, d.fault(d.config, 0, "%v", err)
	}
	rule, known := polygonRules[p.Assets.Checker.Name]
	switch {
	case p.Assets.Interactor != nil:
		return rule, d.fault(d.config, 0, "interactor: a program talks with the solution, which assay does not do: leave the package out")
	case !known:
		return rule, d.fault(d.config, 0, "checker: %s is not supported, since it is not known to compare output with the expected one; supported are wcmp, ncmp, icmp, hcmp, lcmp, fcmp, yesno, nyesno, rcmp4, rcmp6 and rcmp9 of std::", cmp.Or(p.Assets.Checker.Name, "a checker without a name"))
	case p.Judging.Input != "" || p.Judging.Output != "":
		return rule, d.fault(d.config, 0, "judging: the problem is solved with files (%s), and programs are judged by their standard input and output: leave the package out", cmp.Or(p.Judging.Input, p.Judging.Output))
	}
	t := d.task
	t.Source.Title, t.Source.URL = "Polygon", p.URL
	for _, tag := range p.Tags {
		t.Topics = append(t.Topics, tag.Value)
	}
	for i, name := range p.Names {
		if i == 0 || name.Language == "english" {
			t.Title = clip(name.Value)
		}
	}
	if t.Description, err = d.polygonStatement(&p); err != nil {
		return rule, err
	}
	for _, s := range p.Assets.Solutions {
		if t.Reference == "" && (s.Tag == "main" || s.Tag == "accepted") && strings.HasPrefix(s.Source.Type, "python.3") {
			if t.Reference, err = d.text(s.Source.Path); err != nil {
				return rule, err
			}
		}
	}
	return rule, d.polygonTests(&p)
}

// polygonStatement returns the statement, in English if there is one: its sections, or else the whole.
func (d *directory) polygonStatement(p *polygonProblem) (string, error) {
	language := "english"
	if len(p.Statements) > 0 && !slices.ContainsFunc(p.Statements, func(s polygonText) bool { return s.Language == language }) {
		language = p.Statements[0].Language
	}
	parts := map[string]string{}
	if text, err := d.text(path.Join("statements", language, "problem-properties.json")); err == nil {
		var properties map[string]any
		if err := json.Unmarshal([]byte(text), &properties); err != nil {
			return "", d.fault(path.Join("statements", language, "problem-properties.json"), 0, "%v", err)
		}
		for name, value := range properties {
			parts[name], _ = value.(string)
		}
	}
	var b strings.Builder
	for _, section := range []struct{ name, title string }{{"legend", ""}, {"input", "Input"}, {"output", "Output"}, {"notes", "Note"}} {
		text := parts[section.name]
		if own, err := d.text(path.Join("statement-sections", language, section.name+".tex")); err == nil {
			text = own
		}
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if section.title != "" {
			b.WriteString(section.title + "\n\n")
		}
		b.WriteString(text + "\n\n")
	}
	if b.Len() > 0 {
		return strings.TrimSpace(b.String()), nil
	}
	for _, s := range p.Statements {
		if s.Language == language && s.Type == "application/x-tex" {
			return d.text(s.Path)
		}
	}
	return "", d.fault(d.config, 0, "statements: there is none in TeX, and no folder statement-sections")
}

// polygonNumber is the place of a test's number in a pattern of paths.
var polygonNumber = regexp.MustCompile(`%(0?\d)?d`)

// polygonTests reads the tests of the set "tests", or of the first one.
func (d *directory) polygonTests(p *polygonProblem) error {
	sets := p.Judging.Testsets
	if len(sets) == 0 {
		return d.fault(d.config, 0, "judging: there is no testset")
	}
	set := sets[max(0, slices.IndexFunc(sets, func(s polygonTestset) bool { return s.Name == "tests" }))]
	d.task.Limits.CPUSeconds, d.task.Limits.MemoryMB = set.TimeMS/1000, set.Memory>>20
	if len(set.Tests) == 0 {
		return d.fault(d.config, 0, "testset %q: there are no tests", set.Name)
	}
	for _, pattern := range []string{set.Inputs, set.Answers} {
		if strings.Count(pattern, "%") != 1 || !polygonNumber.MatchString(pattern) {
			return d.fault(d.config, 0, "testset %q: %q is no pattern of paths, such as tests/%%02d", set.Name, pattern)
		}
	}
	for i, test := range set.Tests {
		input, answer := fmt.Sprintf(set.Inputs, i+1), fmt.Sprintf(set.Answers, i+1)
		for _, file := range []string{input, answer} {
			if _, err := fs.Stat(d.files, file); err != nil {
				return d.fault(file, 0, "the file is missing: only Polygon's full package has generated tests and all answers")
			}
		}
		if err := d.test(path.Base(input), input, answer, test.Sample); err != nil {
			return err
		}
	}
	return nil
}
