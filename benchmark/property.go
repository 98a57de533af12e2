package benchmark

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Property is a statement that holds for every input (Claessen & Hughes 2000, QuickCheck). It is one test case: the
// entry point is called with inputs that are drawn, the same for every answer, and an input on which it fails is shrunk.
type Property struct {
	Name string `json:"name"`

	// Args draw the arguments of an input, which must be plain values of the task's language.
	Args []Generator `json:"args"`

	// Holds is Python source that defines holds(call, *args), which returns True if the property holds for these
	// arguments, and otherwise False or a text that explains what is wrong. call is the entry point; it may be called
	// several times. The source may define given(*args): inputs for which that does not return True are drawn anew.
	Holds string `json:"holds"`

	Runs int    `json:"runs,omitempty"` // inputs; 0: 100
	Seed uint64 `json:"seed,omitempty"` // of the draws, which depend on it and on Args alone
	Edge bool   `json:"edge,omitempty"` // as of a case
}

// MostInputs is the largest number of inputs of a property.
const MostInputs = 1000

// Generator draws values. Exactly one of the first ten fields says of which kind. Each has a simplest value, towards
// which counterexamples are shrunk: the number nearest to 0, the shortest text or list, the first alternative.
type Generator struct {
	Int   []int64           `json:"int,omitempty"`    // whole numbers from the first to the second, both within ±2^53
	Float []float64         `json:"float,omitempty"`  // numbers from the first to the second
	Bool  bool              `json:"bool,omitempty"`   // true or false; it is written as "bool": true
	Text  string            `json:"text,omitempty"`   // texts of these characters, the simplest first; takes size
	List  *Generator        `json:"list,omitempty"`   // lists; takes size, unique and sorted
	Set   *Generator        `json:"set,omitempty"`    // sets; takes size
	Dict  []Generator       `json:"dict,omitempty"`   // mappings with keys of the first and values of the second; takes size
	Tuple []Generator       `json:"tuple,omitempty"`  // tuples of one of each
	OneOf []json.RawMessage `json:"one_of,omitempty"` // these values, written as the arguments of a case
	AnyOf []Generator       `json:"any_of,omitempty"` // a value of any of these

	Size   []int `json:"size,omitempty"`   // the least and the greatest number of parts
	Unique bool  `json:"unique,omitempty"` // no part occurs twice
	Sorted bool  `json:"sorted,omitempty"` // parts are in ascending order
}

// mostParts is the greatest size of a text, list, set or mapping that is drawn.
const mostParts = 1000

// problem returns what is wrong with a property, or "".
func (p *Property) problem() string {
	switch {
	case strings.TrimSpace(p.Name) == "":
		return "\"name\" is missing; say in a few words what holds"
	case len(p.Args) == 0:
		return "\"args\" is empty; give a generator for each argument"
	case !strings.Contains(p.Holds, "holds"):
		return "\"holds\" is the source of a Python function holds(call, ...), which returns True if the property holds"
	case p.Runs < 0 || p.Runs > MostInputs:
		return fmt.Sprintf("\"runs\": %d is not between 1 and %d; leave it out for 100", p.Runs, MostInputs)
	}
	for i := range p.Args {
		if problem := p.Args[i].problem(); problem != "" {
			return fmt.Sprintf("\"args\"[%d]: %s", i, problem)
		}
	}
	return ""
}

// kinds lists the kinds of a generator that are set.
func (g *Generator) kinds() (set []string) {
	for _, k := range []struct {
		name  string
		given bool
	}{{"int", g.Int != nil}, {"float", g.Float != nil}, {"bool", g.Bool}, {"text", g.Text != ""}, {"list", g.List != nil}, {"set", g.Set != nil},
		{"dict", g.Dict != nil}, {"tuple", g.Tuple != nil}, {"one_of", g.OneOf != nil}, {"any_of", g.AnyOf != nil}} {
		if k.given {
			set = append(set, k.name)
		}
	}
	return set
}

// problem returns what is wrong with a generator, or "".
func (g *Generator) problem() string {
	kinds := g.kinds()
	if len(kinds) != 1 {
		return fmt.Sprintf("a generator is one of int, float, bool, text, list, set, dict, tuple, one_of and any_of, not %d of them (%s)", len(kinds), strings.Join(kinds, ", "))
	}
	const exact = 1 << 53 // numbers beyond are not whole ones of every language
	kind, sized := kinds[0], slices.Contains([]string{"text", "list", "set", "dict"}, kinds[0])
	switch {
	case g.Int != nil && (len(g.Int) != 2 || g.Int[0] > g.Int[1] || g.Int[0] < -exact || g.Int[1] > exact):
		return "\"int\" takes the least and the greatest number, such as [-100, 100], within ±2^53"
	case g.Float != nil && (len(g.Float) != 2 || g.Float[0] > g.Float[1]):
		return "\"float\" takes the least and the greatest number, such as [0, 1]"
	case g.Dict != nil && len(g.Dict) != 2:
		return "\"dict\" takes a generator of keys and one of values"
	case kind == "tuple" && len(g.Tuple) == 0, kind == "one_of" && len(g.OneOf) == 0, kind == "any_of" && len(g.AnyOf) == 0:
		return fmt.Sprintf("%q is empty", kind)
	case sized && (len(g.Size) != 2 || g.Size[0] < 0 || g.Size[0] > g.Size[1] || g.Size[1] > mostParts):
		return fmt.Sprintf("%q needs \"size\", the least and the greatest number of parts, such as [0, 20], at most %d", kind, mostParts)
	case !sized && g.Size != nil:
		return fmt.Sprintf("\"size\" does not belong to %q", kind)
	case (g.Unique || g.Sorted) && kind != "list":
		return fmt.Sprintf("\"unique\" and \"sorted\" do not belong to %q", kind)
	}
	for _, inner := range g.inner() {
		if problem := inner.problem(); problem != "" {
			return fmt.Sprintf("%q: %s", kind, problem)
		}
	}
	return ""
}

// inner lists the generators within a generator.
func (g *Generator) inner() (all []*Generator) {
	for _, list := range [][]Generator{g.Dict, g.Tuple, g.AnyOf} {
		for i := range list {
			all = append(all, &list[i])
		}
	}
	for _, one := range []*Generator{g.List, g.Set} {
		if one != nil {
			all = append(all, one)
		}
	}
	return all
}

// example returns a value of the generator's type, as JSON of a case. Its containers have a part if they may have any.
func (g *Generator) example() any {
	switch {
	case g.Int != nil:
		return g.Int[1]
	case g.Float != nil:
		return json.RawMessage("0.5")
	case g.Bool:
		return true
	case g.Text != "":
		return string([]rune(g.Text)[:1])
	case g.List != nil:
		return []any{g.List.example()}
	case g.Set != nil:
		return map[string]any{"$set": []any{g.Set.example()}}
	case g.Dict != nil && g.Dict[0].Text != "":
		return map[string]any{"a": g.Dict[1].example()}
	case g.Dict != nil:
		return map[string]any{"$dict": []any{[]any{g.Dict[0].example(), g.Dict[1].example()}}}
	case g.Tuple != nil:
		var all []any
		for i := range g.Tuple {
			all = append(all, g.Tuple[i].example())
		}
		return map[string]any{"$tuple": all}
	case g.OneOf != nil:
		return g.OneOf[0]
	}
	return g.AnyOf[0].example()
}

// Typed returns calls with arguments of the types that tests of the style "calls" have: the cases, and one of each
// property.
func (t *Tests) Typed() []Case {
	all := slices.Clip(t.Cases)
	for i := range t.Properties {
		c := Case{}
		for j := range t.Properties[i].Args {
			c.Args = append(c.Args, rawOf(t.Properties[i].Args[j].example()))
		}
		all = append(all, c)
	}
	return all
}

func rawOf(v any) json.RawMessage {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic("benchmark: a generator that was checked does not marshal: " + err.Error())
	}
	return bytes.TrimSpace(b.Bytes())
}

// text renders a property for display.
func (p *Property) text(entry string) string {
	var args []string
	for i := range p.Args {
		args = append(args, string(rawOf(p.Args[i])))
	}
	runs := p.Runs
	if runs == 0 {
		runs = 100
	}
	return fmt.Sprintf("Property %s, for %d inputs of %s, seed %d: arguments `%s`\n\n```python\n%s\n```\n\n", p.Name, runs, entry, p.Seed, strings.Join(args, "`, `"), strings.TrimRight(p.Holds, "\n"))
}
