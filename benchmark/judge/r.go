package judge

import (
	"bytes"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"assay/benchmark"
	"assay/benchmark/sandbox"
)

//go:embed r/sample.R
var rSample string

// rSpec describes a process that answers calls of an R function.
func rSpec(t *toolchain, l benchmark.Limits) sandbox.Spec {
	limits := sampleLimits(l)
	limits.AddressSpaceMB = 0
	return t.spec(`printf "%s" "$2" > .sample.R && exec "$1" --vanilla .sample.R`, []string{t.paths[0], rSample}, limits)
}

// rOrder encodes an order as R code in hexadecimal: R has no JSON parser.
func rOrder(fields map[string]string) string {
	var parts []string
	for _, name := range []string{"program", "entry", "id", "args"} {
		if text, ok := fields[name]; ok {
			parts = append(parts, name+"="+text)
		}
	}
	return hex.EncodeToString([]byte("list(" + strings.Join(parts, ",") + ")"))
}

// rArguments encodes the arguments of a call as R code, positional ones first.
func rArguments(args, kwargs json.RawMessage) (string, error) {
	var list []json.RawMessage
	var named map[string]json.RawMessage
	if err := json.Unmarshal(args, &list); err != nil {
		return "", err
	}
	if err := json.Unmarshal(kwargs, &named); err != nil {
		return "", err
	}
	var parts []string
	add := func(name string, raw json.RawMessage) error {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		var value any
		if err := dec.Decode(&value); err != nil {
			return err
		}
		text, err := rValue(value)
		parts = append(parts, name+text)
		return err
	}
	for _, raw := range list {
		if err := add("", raw); err != nil {
			return "", err
		}
	}
	for name, raw := range named {
		if err := add(rText(name)+"=", raw); err != nil {
			return "", err
		}
	}
	return "list(" + strings.Join(parts, ",") + ")", nil
}

// rValue encodes a value as R code: a list of values of one plain kind becomes a vector, an
// object a named list, null becomes NULL, or NA within a vector.
func rValue(value any) (string, error) {
	switch v := value.(type) {
	case nil:
		return "NULL", nil
	case []any:
		return rVector(v)
	case map[string]any:
		if text, ok, err := rTagged(v); ok {
			return text, err
		}
		raw, err := json.Marshal(v)
		if err != nil {
			return "", err
		}
		// In the order of the object's names, which the map has lost.
		var parts []string
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.Token()
		for dec.More() {
			name, _ := dec.Token()
			var skip json.RawMessage
			if err := dec.Decode(&skip); err != nil {
				return "", err
			}
			text, err := rValue(v[name.(string)])
			if err != nil {
				return "", err
			}
			parts = append(parts, rText(name.(string))+"="+text)
		}
		return "list(" + strings.Join(parts, ",") + ")", nil
	}
	return rScalar(value)
}

func rTagged(v map[string]any) (string, bool, error) {
	if len(v) != 1 {
		return "", false, nil
	}
	for tag, body := range v {
		switch tag {
		case "$float":
			return map[any]string{"nan": "NaN", "inf": "Inf", "-inf": "-Inf"}[body], true, nil
		case "$int":
			text, _ := body.(string)
			n, err := strconv.ParseInt(text, 0, 64)
			return fmt.Sprintf("%d", n), true, err
		case "$tuple", "$set", "$frozenset":
			text, err := rValue(body)
			return text, true, err
		default:
			if strings.HasPrefix(tag, "$") {
				return "", true, fmt.Errorf("no value of R stands for %s", tag)
			}
		}
	}
	return "", false, nil
}

// rVector encodes a list, as a vector if its values are of one plain kind.
func rVector(list []any) (string, error) {
	if len(list) == 0 {
		return "list()", nil
	}
	kind, parts := "", make([]string, len(list))
	for i, v := range list {
		text, err := rValue(v)
		if err != nil {
			return "", err
		}
		parts[i] = text
		this := fmt.Sprintf("%T", v)
		if m, ok := v.(map[string]any); ok && m["$float"] != nil {
			this = fmt.Sprintf("%T", json.Number(""))
		}
		if v == nil {
			parts[i] = "NA"
			continue
		}
		if _, nested := v.([]any); nested || this == "map[string]interface {}" || kind != "" && kind != this {
			kind = "list"
		} else if kind == "" {
			kind = this
		}
	}
	if kind == "list" {
		return "list(" + strings.Join(parts, ",") + ")", nil
	}
	return "c(" + strings.Join(parts, ",") + ")", nil
}

func rScalar(value any) (string, error) {
	switch v := value.(type) {
	case bool:
		return strings.ToUpper(strconv.FormatBool(v)), nil
	case string:
		return rText(v), nil
	case json.Number:
		return v.String(), nil
	}
	return "", fmt.Errorf("no value of R stands for %v", value)
}

func rText(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == 0: // R's strings cannot hold it
		case r == '"' || r == '\\':
			b.WriteString("\\" + string(r))
		case r >= ' ' && r < 0x7f:
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(&b, `\%03o`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}
