package testlog

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"path"
	"strings"
)

// objects calls a function with each JSON object that begins at the start of a line of a log and has a
// given key near its start.
func objects(log, key string, each func(json.RawMessage)) {
	for rest := log; ; {
		i := strings.Index(rest, "{")
		if i < 0 {
			return
		}
		if i > 0 && rest[i-1] != '\n' {
			end := strings.IndexByte(rest[i:], '\n')
			if end < 0 {
				return
			}
			rest = rest[i+end+1:]
			continue
		}
		var value json.RawMessage
		dec := json.NewDecoder(strings.NewReader(rest[i:]))
		if dec.Decode(&value) == nil {
			if strings.Contains(string(value), key) {
				each(value)
			}
			rest = rest[i+int(dec.InputOffset()):]
			continue
		}
		end := strings.IndexByte(rest[i:], '\n')
		if end < 0 {
			return
		}
		rest = rest[i+end+1:]
	}
}

// parseJestJSON reads the report of jest --json, which vitest's JSON reporter writes too. Ids are the full
// names.
func parseJestJSON(log string, r *Results) {
	statuses := map[string]Status{"passed": Passed, "failed": Failed, "pending": Skipped, "skipped": Skipped, "todo": Skipped, "disabled": Skipped}
	objects(log, `"testResults"`, func(text json.RawMessage) {
		var report struct {
			TestResults []struct {
				Name             string
				Status           string
				Message          string
				AssertionResults []struct {
					FullName        string
					Title           string
					AncestorTitles  []string
					Status          string
					FailureMessages []string
				}
			}
		}
		if json.Unmarshal(text, &report) != nil {
			return
		}
		for _, file := range report.TestResults {
			for _, a := range file.AssertionResults {
				id := a.FullName
				if id == "" {
					id = strings.Join(append(a.AncestorTitles, a.Title), " ")
				}
				if s := statuses[a.Status]; s != "" {
					r.set(id, s)
				}
				if a.Status == "failed" {
					r.output(id, strings.Join(a.FailureMessages, "\n"))
				}
			}
			if len(file.AssertionResults) == 0 && file.Status == "failed" {
				r.set(file.Name, Error)
				r.output(file.Name, file.Message)
			}
		}
	})
}

// parseMochaJSON reads the report of mocha --reporter json. Ids are the full titles.
func parseMochaJSON(log string, r *Results) {
	type test struct {
		FullTitle string
		Err       struct{ Message, Stack string }
	}
	objects(log, `"passes"`, func(text json.RawMessage) {
		var report struct{ Passes, Failures, Pending []test }
		if json.Unmarshal(text, &report) != nil {
			return
		}
		for _, t := range report.Pending {
			r.set(t.FullTitle, Skipped)
		}
		for _, t := range report.Failures {
			r.set(t.FullTitle, Failed)
			r.output(t.FullTitle, t.Err.Message+"\n"+t.Err.Stack)
		}
		for _, t := range report.Passes {
			r.set(t.FullTitle, Passed)
		}
	})
}

// junitCase is a test in JUnit XML.
type junitCase struct {
	Name      string `xml:"name,attr"`
	ClassName string `xml:"classname,attr"`
	File      string `xml:"file,attr"`
	Failure   []struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	} `xml:"failure"`
	Error []struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	} `xml:"error"`
	Skipped *struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
	} `xml:"skipped"`
	Out string `xml:"system-out"`
	Err string `xml:"system-err"`
}

// parseJUnit reads JUnit XML, also after or between other text. Ids are class and name joined by a dot;
// those of pytest (which names the suite "pytest") are its node ids, path::Class::test.
func parseJUnit(log string, r *Results) {
	start := strings.Index(log, "<testsuite")
	if start < 0 {
		return
	}
	dec := xml.NewDecoder(strings.NewReader(log[start:]))
	dec.Strict = false
	dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	pytest := false
	for {
		token, err := dec.Token()
		if err != nil {
			return
		}
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch element.Name.Local {
		case "testsuite":
			for _, a := range element.Attr {
				if a.Name.Local == "name" {
					pytest = a.Value == "pytest"
				}
			}
		case "testcase":
			var c junitCase
			if dec.DecodeElement(&c, &element) != nil {
				return
			}
			c.record(r, pytest)
		}
	}
}

func (c *junitCase) record(r *Results, pytest bool) {
	id := c.Name
	switch {
	case pytest:
		id = c.nodeID()
	case c.ClassName != "":
		id = c.ClassName + "." + c.Name
	}
	status, text := Passed, ""
	switch {
	case len(c.Failure) > 0:
		status, text = Failed, c.Failure[0].Message+"\n"+c.Failure[0].Text
	case len(c.Error) > 0:
		status, text = Error, c.Error[0].Message+"\n"+c.Error[0].Text
	case c.Skipped != nil && c.Skipped.Type == "pytest.xfail":
		status = XFail
	case c.Skipped != nil:
		status = Skipped
	}
	if before := r.Status[id]; before == Failed || before == Error {
		return // a test can have a second entry, for its teardown
	}
	r.set(id, status)
	if status == Failed || status == Error {
		r.output(id, strings.Join([]string{text, c.Out, c.Err}, "\n"))
	}
}

// nodeID derives pytest's node id. The class name is the file's path with dots, then the classes: classes
// are the last parts that begin with an upper-case letter, unless the file is given (junit_family=xunit1).
func (c *junitCase) nodeID() string {
	if c.ClassName == "" { // an error while collecting: the name is the module
		return strings.ReplaceAll(c.Name, ".", "/") + ".py"
	}
	parts := strings.Split(c.ClassName, ".")
	n := len(parts)
	if c.File != "" {
		n = min(n, strings.Count(path.Clean(c.File), "/")+1)
	} else {
		for n > 1 && parts[n-1] != "" && parts[n-1][0] >= 'A' && parts[n-1][0] <= 'Z' {
			n--
		}
	}
	file := strings.Join(parts[:n], "/") + ".py"
	return strings.Join(append([]string{file}, append(parts[n:], c.Name)...), "::")
}

// parseDoctest reads the XML of doctest: a subcase passes if all its expressions did.
func parseDoctest(log string, r *Results) {
	start := strings.Index(log, "<doctest")
	end := strings.Index(log[max(start, 0):], "</doctest>")
	if start < 0 || end < 0 {
		return
	}
	type node struct {
		Name     string `xml:"name,attr"`
		Success  string `xml:"success,attr"`
		XMLName  xml.Name
		Children []node `xml:",any"`
	}
	var root node
	if xml.Unmarshal([]byte(log[start:start+end+len("</doctest>")]), &root) != nil {
		return
	}
	var each func(n node, name string, visit func(node))
	each = func(n node, name string, visit func(node)) {
		for _, child := range n.Children {
			if child.XMLName.Local == name {
				visit(child)
			}
			each(child, name, visit)
		}
	}
	each(root, "TestCase", func(test node) {
		each(test, "SubCase", func(sub node) {
			status := Passed
			each(sub, "Expression", func(e node) {
				if e.Success != "true" {
					status = Failed
				}
			})
			r.set(test.Name+" > "+sub.Name, status)
		})
	})
}
