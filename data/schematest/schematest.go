// Package schematest is for tests: it makes the JSON Schema of Go types, with their comments as descriptions,
// and validates documents.
package schematest

import (
	"bytes"
	"encoding"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
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

	"assay/data/fatal"
)

// Object is a JSON object whose members keep their order.
type Object []Member

// Member is a member of an Object.
type Member struct {
	Name  string
	Value any
}

// MarshalJSON implements json.Marshaler.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		for _, part := range []struct {
			v   any
			end string
		}{{m.Name, ":"}, {m.Value, ""}} {
			text, err := json.Marshal(part.v)
			if err != nil {
				return nil, err
			}
			b.Write(text)
			b.WriteString(part.end)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Generator makes schemas. Every field must have a JSON name, and every struct a comment; what lacks one fails the
// test.
type Generator struct {
	Described bool // every field must have a comment, too

	t        testing.TB
	root     string // directory of the module
	known    map[reflect.Type]Object
	comments map[string]map[string]string // by package: of a type and of "Type.Field"

	// of one schema
	home    string // package of the root type, whose names come first
	defs    Object
	defined map[reflect.Type]string
}

// New returns a generator. The schemas of types that marshal themselves and have no method JSON are given in
// known.
func New(t testing.TB, known map[reflect.Type]Object) *Generator {
	t.Helper()
	dir, err := os.Getwd()
	fatal.If(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return &Generator{t: t, root: dir, known: known, comments: map[string]map[string]string{}}
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}

// Schema returns the schema of documents of a type, or of any of several, indented. The names of the types of
// the first one's package come first: those of others that are called the same have their package's name before
// theirs.
func (g *Generator) Schema(id, title string, roots ...reflect.Type) []byte {
	g.defs, g.defined = nil, map[reflect.Type]string{}
	roots = slices.Clone(roots)
	named := roots[0]
	for named.PkgPath() == "" && (named.Kind() == reflect.Slice || named.Kind() == reflect.Pointer) {
		named = named.Elem()
	}
	g.home = named.PkgPath()
	schema := Object{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"$id", id}, {"title", title}}
	for i := range roots {
		roots[i] = marshaled(roots[i])
	}
	switch root := roots[0]; {
	case len(roots) > 1:
		var any []Object
		for _, root := range roots {
			any = append(any, g.of(root, true))
		}
		schema = append(schema, Member{"anyOf", any})
	case root.Kind() == reflect.Struct:
		schema = append(schema, g.object(root)...)
	default:
		schema = append(schema, g.of(root, true)...)
	}
	if len(g.defs) > 0 {
		schema = append(schema, Member{"$defs", g.defs})
	}
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	fatal.If(g.t, out.Encode(schema))
	return b.Bytes()
}

// comment returns the comment of a type, or of one of its fields.
func (g *Generator) comment(t reflect.Type, field string) string {
	if t.PkgPath() == "" {
		return ""
	}
	comments := g.ofPackage(t.PkgPath())
	if field != "" {
		return comments[t.Name()+"."+field]
	}
	return comments[t.Name()]
}

// ofPackage returns the comments of a package.
func (g *Generator) ofPackage(pkg string) map[string]string {
	if comments := g.comments[pkg]; comments != nil {
		return comments
	}
	comments := map[string]string{}
	g.comments[pkg] = comments
	_, dir, _ := strings.Cut(pkg, "/") // the module's name is its first part
	files, err := filepath.Glob(filepath.Join(g.root, dir, "*.go"))
	fatal.If(g.t, err)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		fatal.If(g.t, err)
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
				comments[of.Name.Name] = sentence(general.Doc.Text() + of.Doc.Text())
				fields, is := of.Type.(*ast.StructType)
				if !is {
					continue
				}
				for _, f := range fields.Fields.List {
					for _, n := range f.Names {
						comments[of.Name.Name+"."+n.Name] = sentence(f.Doc.Text() + f.Comment.Text())
					}
				}
			}
		}
	}
	return comments
}

// sentence returns a comment on one line, with a capital and a full stop.
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
func (g *Generator) object(t reflect.Type) Object {
	properties, required := Object{}, []string{}
	var more any = false
	inlined := false
	for _, f := range reflect.VisibleFields(t) {
		owner := t
		for _, i := range f.Index[:len(f.Index)-1] {
			owner = owner.Field(i).Type
			if owner.Kind() == reflect.Pointer {
				owner = owner.Elem()
			}
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Tag.Get("inline") != "":
			inlined = true
			more = append(Object{{"description", g.comment(f.Type, "")}}, g.of(f.Type.Elem(), true)...)
			continue
		case !f.IsExported() || name == "-" || f.Anonymous && name == "":
			continue
		case name == "":
			g.t.Errorf("%s.%s has no JSON name", owner, f.Name)
			continue
		}
		comment := g.comment(owner, f.Name)
		of := f.Type
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if comment == "" && of.Kind() == reflect.Struct {
			comment = g.comment(of, "")
		}
		var property Object
		if comment != "" {
			property = Object{{"description", comment}}
		} else if g.Described {
			g.t.Errorf("%s.%s has no comment: what does %q mean?", owner, f.Name, name)
		}
		optional := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
		properties = append(properties, Member{name, append(property, g.of(f.Type, optional)...)})
		if !optional {
			required = append(required, name)
		}
	}
	if !inlined && reflect.PointerTo(t).Implements(marshaler) {
		g.t.Errorf("%s marshals itself: its schema must be given", t)
	}
	if g.comment(t, "") == "" {
		g.t.Errorf("type %s has no comment", t)
	}
	return Object{
		{"description", g.comment(t, "")}, {"type", "object"}, {"additionalProperties", more},
		{"required", required}, {"properties", properties},
	}
}

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// marshaled returns the type that describes what a type writes: for one that marshals itself the result of its
// method JSON, if it has one.
func marshaled(t reflect.Type) reflect.Type {
	if m, is := reflect.PointerTo(t).MethodByName("JSON"); is && reflect.PointerTo(t).Implements(marshaler) && m.Type.NumOut() == 1 {
		return m.Type.Out(0)
	}
	return t
}

// of describes a value. What is nil is null, but absent where it is optional.
func (g *Generator) of(t reflect.Type, optional bool) Object {
	orNull := func(name string) Object {
		if optional {
			return Object{{"type", name}}
		}
		return Object{{"type", []string{name, "null"}}}
	}
	t = marshaled(t)
	if known := g.known[t]; known != nil {
		return slices.Clone(known)
	}
	switch t {
	case reflect.TypeFor[time.Time]():
		return Object{{"type", "string"}, {"format", "date-time"}}
	case reflect.TypeFor[json.RawMessage]():
		return Object{}
	}
	if t.Kind() != reflect.Pointer && t.Implements(textMarshaler) {
		return Object{{"type", "string"}}
	}
	switch t.Kind() {
	case reflect.Bool:
		return Object{{"type", "boolean"}}
	case reflect.Int, reflect.Int64:
		return Object{{"type", "integer"}}
	case reflect.Uint64, reflect.Uint32:
		return Object{{"type", "integer"}, {"minimum", 0}}
	case reflect.Float64:
		return Object{{"type", "number"}}
	case reflect.String:
		return Object{{"type", "string"}}
	case reflect.Interface:
		return Object{}
	case reflect.Array:
		return Object{{"type", "array"}, {"minItems", t.Len()}, {"maxItems", t.Len()}, {"items", g.element(t)}}
	case reflect.Slice:
		return append(orNull("array"), Member{"items", g.element(t)})
	case reflect.Map:
		return append(orNull("object"), Member{"additionalProperties", g.element(t)})
	case reflect.Pointer:
		of := g.of(t.Elem(), true)
		if optional {
			return of
		}
		return Object{{"anyOf", []any{of, Object{{"type", "null"}}}}}
	case reflect.Struct:
		name, met := g.defined[t]
		if !met {
			name = g.name(t)
			g.defined[t] = name
			at := len(g.defs)
			g.defs = append(g.defs, Member{name, nil}) // in the order in which they are met
			g.defs[at].Value = g.object(t)
		}
		return Object{{"$ref", "#/$defs/" + name}}
	}
	g.t.Errorf("nothing is known of %s", t)
	return nil
}

// element describes an element of a list or an object. A number that is a pointer can be null; pointers to structs
// are not nil in lists.
func (g *Generator) element(t reflect.Type) Object {
	of := t.Elem()
	return g.of(of, of.Kind() != reflect.Pointer || of.Elem().Kind() == reflect.Struct)
}

// name returns the name of a type's schema.
func (g *Generator) name(t reflect.Type) string {
	name := t.Name()
	_, ofHome := g.ofPackage(g.home)[name]
	if ofHome && t.PkgPath() != g.home || slices.ContainsFunc(g.defs, func(d Member) bool { return d.Name == name }) {
		in := path.Base(t.PkgPath())
		name = strings.ToUpper(in[:1]) + in[1:] + name
	}
	return name
}

// Validate checks a document against a schema.
func Validate(t testing.TB, schema []byte, document string) error {
	t.Helper()
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	fatal.If(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	fatal.If(t, c.AddResource("schema.json", parsed))
	compiled, err := c.Compile("schema.json")
	fatal.If(t, err)
	instance, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
	fatal.If(t, err)
	return compiled.Validate(instance)
}

// Breaks lists what readers of documents of one schema could miss in documents of another: members that are gone
// or no longer required, and types that changed.
func Breaks(t testing.TB, from, to []byte) []string {
	t.Helper()
	var old, changed map[string]any
	fatal.If(t, json.Unmarshal(from, &old))
	fatal.If(t, json.Unmarshal(to, &changed))
	var found []string
	seen := map[string]bool{}
	var compare func(at string, a, b any)
	compare = func(at string, a, b any) {
		x, _ := resolved(old, a).(map[string]any)
		y, _ := resolved(changed, b).(map[string]any)
		if name, is := a.(map[string]any)["$ref"].(string); is {
			if seen[name] {
				return
			}
			seen[name] = true
		}
		if !reflect.DeepEqual(x["type"], y["type"]) || !reflect.DeepEqual(x["enum"], y["enum"]) {
			found = append(found, at+" has another type")
		}
		required, _ := y["required"].([]any)
		properties, _ := y["properties"].(map[string]any)
		wasRequired, _ := x["required"].([]any)
		was, _ := x["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(was)) {
			switch {
			case properties[name] == nil:
				found = append(found, at+"."+name+" is gone")
			case slices.Contains(wasRequired, any(name)) && !slices.Contains(required, any(name)):
				found = append(found, at+"."+name+" can be absent")
			default:
				compare(at+"."+name, was[name], properties[name])
			}
		}
		for _, inner := range []string{"items", "additionalProperties"} {
			if a, is := x[inner].(map[string]any); is {
				b, _ := y[inner].(map[string]any)
				compare(at+"[]", a, b)
			}
		}
		some, _ := x["anyOf"].([]any)
		others, _ := y["anyOf"].([]any)
		for i, a := range some {
			if i >= len(others) {
				found = append(found, at+" has fewer forms")
				break
			}
			compare(at, a, others[i])
		}
	}
	compare("", old, changed)
	return found
}

// resolved returns the schema that a reference of a document names.
func resolved(document map[string]any, schema any) any {
	s, _ := schema.(map[string]any)
	if name, is := s["$ref"].(string); is {
		defs, _ := document["$defs"].(map[string]any)
		return defs[strings.TrimPrefix(name, "#/$defs/")]
	}
	return schema
}
