package sessions

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"assay/session/report"
)

const schemaFile = "report.schema.json"

// TestSchemaIsOfTheTypes: the schema says of each property what its Go comment says.
func TestSchemaIsOfTheTypes(t *testing.T) {
	s := &schemas{t: t, comments: map[string]string{}, defined: map[reflect.Type]bool{}}
	s.read("../../../scoring/stats")
	s.read("../../overlap")
	s.read("..")
	s.read(".") // whose names come first
	root := object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", fmt.Sprintf("urn:assay:report:%d", FormatVersion)},
		{"title", "assay report"},
	}
	root = append(root, s.object(reflect.TypeFor[Report]())...)
	got := indented(t, append(root, member{"$defs", s.defs}))
	if t.Failed() {
		return
	}
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(schemaFile, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(schemaFile); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is stale (%v); run the test with -update and look at the difference", schemaFile, err)
	}
}

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	name  string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", m.name, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func indented(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	if err := out.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// schemas makes the schemas of types.
type schemas struct {
	t        *testing.T
	comments map[string]string // by package, Type and Field
	defs     object
	defined  map[reflect.Type]bool
}

// key is a type's with the last part of its package's path.
func key(t reflect.Type) string { return path.Base(t.PkgPath()) + "." + t.Name() }

// called is the name of a type's schema: with its package where a type of the report has the same name.
func (s *schemas) called(t reflect.Type) string {
	in := path.Base(t.PkgPath())
	if _, taken := s.comments["sessions."+t.Name()]; taken && in != "sessions" {
		return strings.ToUpper(in[:1]) + in[1:] + t.Name()
	}
	return t.Name()
}

// read takes the comments of a package's types.
func (s *schemas) read(dir string) {
	s.t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		s.t.Fatal(err)
	}
	whole, err := filepath.Abs(dir)
	if err != nil {
		s.t.Fatal(err)
	}
	in := filepath.Base(whole)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, d := range file.Decls {
			general, is := d.(*ast.GenDecl)
			if !is {
				continue
			}
			for _, spec := range general.Specs {
				of, is := spec.(*ast.TypeSpec)
				if !is {
					continue
				}
				s.comments[in+"."+of.Name.Name] = sentence(general.Doc.Text() + of.Doc.Text())
				fields, is := of.Type.(*ast.StructType)
				if !is {
					continue
				}
				for _, f := range fields.Fields.List {
					for _, n := range f.Names {
						s.comments[in+"."+of.Name.Name+"."+n.Name] = sentence(f.Doc.Text() + f.Comment.Text())
					}
				}
			}
		}
	}
}

// sentence is a comment on one line, with a capital and a full stop.
func sentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return ""
	}
	runes := []rune(text)
	if first, _, _ := strings.Cut(text, " "); strings.IndexFunc(first, unicode.IsUpper) < 0 && unicode.IsLetter(runes[0]) {
		runes[0] = unicode.ToUpper(runes[0])
	}
	if !strings.ContainsRune(".;:", runes[len(runes)-1]) {
		runes = append(runes, '.')
	}
	return string(runes)
}

// object describes a struct.
func (s *schemas) object(t reflect.Type) object {
	var properties object
	var required []string
	s.fields(t, &properties, &required)
	if s.comments[key(t)] == "" {
		s.t.Errorf("type %s has no comment", t.Name())
	}
	return object{
		{"description", s.comments[key(t)]}, {"type", "object"}, {"additionalProperties", false},
		{"required", required}, {"properties", properties},
	}
}

// fields describes the fields of a struct, and those of the structs that it embeds.
func (s *schemas) fields(t reflect.Type, properties *object, required *[]string) {
	for _, f := range reflect.VisibleFields(t) {
		tag, tagged := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		if !tagged || name == "-" {
			continue
		}
		owner := t
		for _, i := range f.Index[:len(f.Index)-1] {
			owner = owner.Field(i).Type
			if owner.Kind() == reflect.Pointer {
				owner = owner.Elem()
			}
		}
		comment := s.comments[key(owner)+"."+f.Name]
		of := f.Type
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if comment == "" && of.Kind() == reflect.Struct {
			comment = s.comments[key(of)]
		}
		if comment == "" {
			s.t.Errorf("%s.%s has no comment: what does %q mean?", owner.Name(), f.Name, name)
		}
		optional := strings.Contains(options, "omitempty")
		*properties = append(*properties, member{name, append(object{{"description", comment}}, s.of(f.Type, optional)...)})
		if !optional {
			*required = append(*required, name)
		}
	}
}

// of describes a value. What is nil is null, but absent where it is optional.
func (s *schemas) of(t reflect.Type, optional bool) object {
	orNull := func(name string) object {
		if optional {
			return object{{"type", name}}
		}
		return object{{"type", []string{name, "null"}}}
	}
	switch {
	case t == reflect.TypeFor[report.Number]():
		return object{{"type", []string{"number", "null"}}}
	case t == reflect.TypeFor[time.Time]():
		return object{{"type", "string"}, {"format", "date-time"}}
	}
	switch t.Kind() {
	case reflect.Bool:
		return object{{"type", "boolean"}}
	case reflect.Int, reflect.Int64:
		return object{{"type", "integer"}}
	case reflect.Uint64:
		return object{{"type", "integer"}, {"minimum", 0}}
	case reflect.Float64:
		return object{{"type", "number"}}
	case reflect.String:
		return object{{"type", "string"}}
	case reflect.Slice:
		return append(orNull("array"), member{"items", s.of(t.Elem(), true)})
	case reflect.Pointer:
		of := s.of(t.Elem(), true)
		if optional {
			return of
		}
		return object{{"anyOf", []any{of, object{{"type", "null"}}}}}
	case reflect.Struct:
		if !s.defined[t] {
			s.defined[t] = true
			if slices.ContainsFunc(s.defs, func(d member) bool { return d.name == s.called(t) }) {
				s.t.Errorf("two types are called %s", s.called(t))
			}
			at := len(s.defs)
			s.defs = append(s.defs, member{s.called(t), nil}) // in the order in which they are met
			s.defs[at].value = s.object(t)
		}
		return object{{"$ref", "#/$defs/" + s.called(t)}}
	}
	s.t.Errorf("nothing is known of %s", t)
	return nil
}

// TestSchemaRefuses: what a report never says is not valid.
func TestSchemaRefuses(t *testing.T) {
	var b bytes.Buffer
	if err := mustBuild(t, live(t)).JSON(&b); err != nil {
		t.Fatal(err)
	}
	whole := b.String()
	if err := valid(t, whole); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"an unknown property": {`"testers":`, `"tester_count": 1, "testers":`},
		"a missing property":  {`"session_count": 1,`, ``},
		"a text for a number": {`"session_count": 1`, `"session_count": "1"`},
		"null for a count":    {`"session_count": 1`, `"session_count": null`},
		"a half session":      {`"session_count": 1`, `"session_count": 0.5`},
	} {
		changed := strings.Replace(whole, change[0], change[1], 1)
		if changed == whole {
			t.Errorf("%s: the report has no %s", name, change[0])
		} else if valid(t, changed) == nil {
			t.Errorf("%s is valid", name)
		}
	}
}

// valid checks the JSON form of a report against the schema.
func valid(t *testing.T, text string) error {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(schemaFile, document); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	instance, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return compiled.Validate(instance)
}
