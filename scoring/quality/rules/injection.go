package rules

import (
	"regexp"
	"slices"
	"strings"

	"assay/scoring/quality"
	"assay/scoring/syntax"
)

func injectionRules() []rule {
	return []rule{
		{Rule{ID: "eval", Dimension: quality.Security, Severity: quality.Critical,
			Title: "Code put together at run time is executed.", Known: []string{"S1523", "B307", "B102", "W0123", "W0122"},
			Bad:  "def f(text):\n    return eval(text)\n",
			Good: "import ast\n\n\ndef f(text):\n    return ast.literal_eval(text)\n"}, evaluated},
		{Rule{ID: "shell-injection", Dimension: quality.Security, Severity: quality.Blocker,
			Title: "A command line that is no constant is given to a shell.", Known: []string{"S2076", "B602", "B605"},
			Bad:  "import os\n\n\ndef f(name):\n    os.system(\"rm \" + name)\n",
			Good: "import subprocess\n\n\ndef f(name):\n    subprocess.run([\"rm\", name], check=True)\n"}, shellInjection},
		{Rule{ID: "shell", Dimension: quality.Security, Severity: quality.Major,
			Title: "A constant command line is run by a shell.", Known: []string{"S4721", "B602", "B605", "B607"},
			Bad:  "import subprocess\n\n\ndef f():\n    subprocess.run(\"ls -l\", shell=True)\n",
			Good: "import subprocess\n\n\ndef f():\n    subprocess.run([\"ls\", \"-l\"], check=True)\n"}, shellConstant},
		{Rule{ID: "sql-injection", Dimension: quality.Security, Severity: quality.Major,
			Title: "A query is put together as text.", Known: []string{"S2077", "S3649", "B608"},
			Bad:  "def f(cursor, name):\n    cursor.execute(\"SELECT * FROM users WHERE name = '\" + name + \"'\")\n",
			Good: "def f(cursor, name):\n    cursor.execute(\"SELECT * FROM users WHERE name = ?\", (name,))\n"}, sqlInjection},
		{Rule{ID: "unsafe-deserialization", Dimension: quality.Security, Severity: quality.Major,
			Title: "Data is read by a means that runs code from the data.", Known: []string{"S5135", "B301", "B302", "B506"},
			Bad:  "import pickle\n\n\ndef f(data):\n    return pickle.loads(data)\n",
			Good: "import json\n\n\ndef f(data):\n    return json.loads(data)\n"}, deserialization},
		{Rule{ID: "archive-extraction", Dimension: quality.Security, Severity: quality.Blocker,
			Title: "An archive is unpacked without a look at where its members go.", Known: []string{"B202"},
			Bad:  "import tarfile\n\n\ndef f(path):\n    with tarfile.open(path) as archive:\n        archive.extractall(\"out\")\n",
			Good: "import tarfile\n\n\ndef f(path):\n    with tarfile.open(path) as archive:\n        archive.extractall(\"out\", filter=\"data\")\n"}, extraction},
		{Rule{ID: "xml-parser", Dimension: quality.Security, Severity: quality.Major,
			Title: "XML is read by a parser that follows what the document orders.", Known: []string{"B314", "B313", "B318", "B320"},
			Bad:  "import xml.etree.ElementTree as ET\n\n\ndef f(path):\n    return ET.parse(path)\n",
			Good: "import defusedxml.ElementTree as ET\n\n\ndef f(path):\n    return ET.parse(path)\n"}, xmlParser},
		{Rule{ID: "template-autoescape", Dimension: quality.Security, Severity: quality.Major,
			Title: "A template engine does not escape what is put in.", Known: []string{"S5247", "B701", "B702"},
			Bad:  "import jinja2\n\n\ndef f():\n    return jinja2.Environment(autoescape=False)\n",
			Good: "import jinja2\n\n\ndef f():\n    return jinja2.Environment(autoescape=True)\n"}, autoescape},
	}
}

// calling visits the calls of the functions with the given paths.
func (f *file) calling(visit func(call *syntax.Node, path string), paths ...string) {
	for _, p := range paths {
		for _, call := range f.targets()[p] {
			visit(call, p)
		}
	}
}

// composed reports whether a string is built from parts that are not constant: by +, %, format or an
// f-string.
func (f *file) composed(n *syntax.Node) bool {
	n = bare(n)
	if n == nil {
		return false
	}
	switch n.Kind {
	case "string", "concatenated_string":
		return !constant(n)
	case "binary_operator":
		op := f.text(n.Child("operator"))
		return (op == "+" || op == "%") && !constant(n)
	case "call":
		fn := n.Child("function")
		return fn.Kind == "attribute" && f.text(fn.Child("attribute")) == "format"
	}
	return false
}

// origin returns the value of a name that is assigned once, or else the expression itself.
func (f *file) origin(n *syntax.Node) *syntax.Node {
	n = bare(n)
	if n == nil || n.Kind != "identifier" || f.names[n] == nil {
		return n
	}
	if b := f.names[n].bindings; len(b) == 1 && b[0].how == assigned {
		return bare(b[0].value)
	}
	return n
}

func evaluated(f *file, say sayer) {
	f.calling(func(call *syntax.Node, p string) {
		if a := f.argument(call, 0, ""); a != nil && !constant(f.origin(a)) {
			say(call, "%s runs whatever its text says", p)
		}
	}, "eval", "exec", "builtins.eval", "builtins.exec")
}

// shellCommand visits the command lines passed to a shell.
func (f *file) shellCommand(visit func(call, command *syntax.Node)) {
	f.calling(func(call *syntax.Node, p string) {
		if a := f.argument(call, 0, "command"); a != nil {
			visit(call, a)
		}
	}, "os.system", "os.popen", "commands.getoutput", "subprocess.getoutput", "subprocess.getstatusoutput", "popen2.popen2")
	f.calling(func(call *syntax.Node, p string) {
		shell := f.argument(call, -1, "shell")
		if shell == nil || shell.Kind != "true" {
			return
		}
		if a := f.argument(call, 0, "args"); a != nil {
			visit(call, a)
		}
	}, "subprocess.run", "subprocess.call", "subprocess.Popen", "subprocess.check_output", "subprocess.check_call")
}

func shellInjection(f *file, say sayer) {
	f.shellCommand(func(call, command *syntax.Node) {
		if !constant(f.origin(command)) {
			say(call, "a shell runs a command line that is put together here")
		}
	})
}

func shellConstant(f *file, say sayer) {
	f.shellCommand(func(call, command *syntax.Node) {
		if constant(f.origin(command)) {
			say(call, "no shell is needed to run a program")
		}
	})
}

var query = regexp.MustCompile(`(?is)^\s*(select\s.+\sfrom\s|insert\s+into\s|update\s.+\sset\s|delete\s+from\s|drop\s+table\s|alter\s+table\s|create\s+table\s)`)

func sqlInjection(f *file, say sayer) {
	for _, call := range f.kinds["call"] {
		fn := call.Child("function")
		if fn.Kind != "attribute" || !slices.Contains([]string{"execute", "executemany", "executescript", "raw", "read_sql", "query"}, f.text(fn.Child("attribute"))) {
			continue
		}
		a := f.origin(f.argument(call, 0, ""))
		if a != nil && f.composed(a) && query.MatchString(strings.TrimLeft(f.text(a), `("'fFrRbBuU`)) {
			say(call, "the query is put together as text: give the values as parameters")
		}
	}
}

func deserialization(f *file, say sayer) {
	f.calling(func(call *syntax.Node, p string) { say(call, "%s runs code that the data holds", p) },
		"pickle.load", "pickle.loads", "pickle.Unpickler", "cPickle.load", "cPickle.loads", "dill.load", "dill.loads",
		"marshal.load", "marshal.loads", "shelve.open", "jsonpickle.decode", "yaml.unsafe_load", "yaml.full_load", "pandas.read_pickle", "pd.read_pickle")
	f.calling(func(call *syntax.Node, p string) {
		loader := f.argument(call, 1, "Loader")
		if loader != nil && strings.Contains(f.text(loader), "Safe") || loader == nil && p == "yaml.load_all" && f.argument(call, 0, "") == nil {
			return
		}
		say(call, "%s makes any object that the data names: safe_load does not", p)
	}, "yaml.load", "yaml.load_all")
}

func extraction(f *file, say sayer) {
	for _, call := range f.kinds["call"] {
		fn := call.Child("function")
		if fn.Kind != "attribute" || f.text(fn.Child("attribute")) != "extractall" || f.argument(call, -1, "filter") != nil || f.argument(call, -1, "members") != nil {
			continue
		}
		if !f.mentions("tarfile") {
			continue // zipfile checks the names itself
		}
		say(call, "members may lie outside the folder: give filter=\"data\"")
	}
	f.calling(func(call *syntax.Node, _ string) {
		if f.argument(call, -1, "filter") == nil {
			say(call, "members may lie outside the folder: give filter=\"data\"")
		}
	}, "shutil.unpack_archive")
}

func xmlParser(f *file, say sayer) {
	for _, call := range f.kinds["call"] {
		p := f.target(call)
		switch {
		case strings.HasPrefix(p, "xml.etree.") && hasSuffix(p, ".parse", ".fromstring", ".iterparse", ".XMLParser"),
			strings.HasPrefix(p, "xml.dom.") && hasSuffix(p, ".parse", ".parseString"),
			strings.HasPrefix(p, "xml.sax") && hasSuffix(p, ".parse", ".parseString", ".make_parser"),
			strings.HasPrefix(p, "lxml.etree") && hasSuffix(p, ".parse", ".fromstring"):
			say(call, "%s follows what an untrusted document orders: defusedxml does not", p)
		}
	}
}

func hasSuffix(s string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(e string) bool { return strings.HasSuffix(s, e) })
}

func autoescape(f *file, say sayer) {
	f.calling(func(call *syntax.Node, _ string) {
		_, _, open := f.arguments(call)
		a := f.argument(call, -1, "autoescape")
		if a == nil && !open || a != nil && a.Kind == "false" {
			say(call, "what is put into a page is not escaped")
		}
	}, "jinja2.Environment", "jinja2.environment.Environment")
}
