package scenario

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
)

// Call writes a test case as a call in Python; ok is false if an argument is no literal.
func Call(entry string, c benchmark.Case) (call string, ok bool) {
	var parts []string
	for _, a := range c.Args {
		text, known := Literal(a)
		if !known {
			return "", false
		}
		parts = append(parts, text)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Kwargs)) {
		text, known := Literal(c.Kwargs[name])
		if !known {
			return "", false
		}
		parts = append(parts, name+" = "+text)
	}
	return entry + "(" + strings.Join(parts, ", ") + ")", true
}

// Literal writes a value of a test case, see [benchmark.Case], as a Python literal. ok is false if there is
// none: for nan, and for what is written by repetition.
func Literal(raw json.RawMessage) (text string, ok bool) {
	var list []json.RawMessage
	var object map[string]json.RawMessage
	switch trimmed := strings.TrimSpace(string(raw)); {
	case trimmed == "null":
		return "None", true
	case trimmed == "true":
		return "True", true
	case trimmed == "false":
		return "False", true
	case json.Unmarshal(raw, &list) == nil:
		inside, ok := literals(list)
		return "[" + inside + "]", ok
	case json.Unmarshal(raw, &object) != nil: // a number or a text: Python writes both as JSON does, but for two escapes
		return jsonOnly.ReplaceAllStringFunc(trimmed, func(escape string) string {
			if escape == `\/` {
				return "/"
			}
			var pair string
			if len(escape) == 2 || json.Unmarshal([]byte(`"`+escape+`"`), &pair) != nil {
				return escape
			}
			return pair
		}), true
	}
	if len(object) == 1 {
		for tag, inside := range object {
			if strings.HasPrefix(tag, "$") {
				return tagged(tag, inside)
			}
		}
	}
	var parts []string
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	if _, err := dec.Token(); err != nil {
		return "", false
	}
	for dec.More() { // in the order in which the keys are written
		var value json.RawMessage
		key, err := dec.Token()
		if err != nil || dec.Decode(&value) != nil {
			return "", false
		}
		text, ok := Literal(value)
		if !ok {
			return "", false
		}
		parts = append(parts, fmt.Sprintf("%q: %s", key, text))
	}
	return "{" + strings.Join(parts, ", ") + "}", true
}

// jsonOnly matches escapes, among them those of JSON that Python lacks: \/, and two surrogates for one character.
var jsonOnly = regexp.MustCompile(`\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\.`)

func literals(list []json.RawMessage) (string, bool) {
	parts := make([]string, len(list))
	for i, v := range list {
		var ok bool
		if parts[i], ok = Literal(v); !ok {
			return "", false
		}
	}
	return strings.Join(parts, ", "), true
}

// tagged writes a value that JSON lacks.
func tagged(tag string, inside json.RawMessage) (string, bool) {
	var list []json.RawMessage
	var text string
	if json.Unmarshal(inside, &list) == nil {
		elements, ok := literals(list)
		switch {
		case tag == "$tuple" && len(list) == 1:
			return "(" + elements + ",)", ok
		case tag == "$tuple":
			return "(" + elements + ")", ok
		case tag == "$set" && len(list) > 0:
			return "{" + elements + "}", ok
		case tag == "$dict":
			return mapping(list)
		}
		return "", false
	}
	if json.Unmarshal(inside, &text) == nil {
		switch tag {
		case "$int":
			return text, true
		case "$bytes":
			if data, err := base64.StdEncoding.DecodeString(text); err == nil {
				return "b" + bytesText(data), true
			}
		}
	}
	return "", false
}

func mapping(pairs []json.RawMessage) (string, bool) {
	parts := make([]string, len(pairs))
	for i, raw := range pairs {
		var pair []json.RawMessage
		if json.Unmarshal(raw, &pair) != nil || len(pair) != 2 {
			return "", false
		}
		key, ok := Literal(pair[0])
		value, known := Literal(pair[1])
		if !ok || !known {
			return "", false
		}
		parts[i] = key + ": " + value
	}
	return "{" + strings.Join(parts, ", ") + "}", true
}

func bytesText(data []byte) string {
	var b strings.Builder
	for _, c := range data {
		fmt.Fprintf(&b, `\x%02x`, c)
	}
	return "'" + b.String() + "'"
}
