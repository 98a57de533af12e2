package figure

import (
	"fmt"
	"slices"
	"strings"
)

// rule gives properties to elements. The style sheet of the SVG is written from the
// rules, and the PNG is drawn by them.
type rule struct {
	text       bool     // for texts only
	classes    []string // all of which the element has
	properties []property
}

// property is one of CSS. Colours of the palette also have a variable, which follows
// the reader's light or dark screen.
type property struct{ name, value, variable string }

// rules returns the style of every figure in the colours of a palette.
func rules(p palette) []rule {
	fill := func(colour, variable string) property { return property{"fill", colour, variable} }
	stroke := func(colour, variable string) property { return property{"stroke", colour, variable} }
	var all []rule
	add := func(classes string, properties ...property) {
		name, text := strings.CutPrefix(classes, "text.")
		all = append(all, rule{text, strings.Split(name, "."), properties})
	}
	plain := func(name, value string) property { return property{name: name, value: value} }

	add("page", fill(p.page, "page"))
	for _, s := range []style{titleStyle, bodyStyle, tickStyle, smallStyle, strongStyle} {
		ink := fill(p.ink, "ink")
		if s == tickStyle || s == smallStyle {
			ink = fill(p.soft, "soft")
		}
		properties := []property{ink, plain("font-size", num(s.size())+"px")}
		if s.bold() {
			properties = append(properties, plain("font-weight", "bold"))
		}
		add(s.class(), properties...)
	}
	add("halo", stroke(p.page, "page"), plain("stroke-width", "3"), plain("paint-order", "stroke"))
	add("grid", stroke(p.grid, "grid"), plain("stroke-width", "1"))
	add("axis", stroke(p.soft, "soft"), plain("stroke-width", "1"))
	add("ref", stroke(p.ink, "ink"), plain("stroke-width", "1.5"), plain("stroke-dasharray", "5 3"))
	add("whisker", stroke(p.ink, "ink"), plain("stroke-width", "1.5"), plain("fill", "none"))
	add("box", stroke(p.soft, "soft"), plain("fill", "none"), plain("stroke-width", "1"))
	add("arrow", fill(p.ink, "ink"))
	add("empty", stroke(p.grid, "grid"), plain("fill", "none"))
	add("hover", plain("fill", "#000"), plain("fill-opacity", "0"))
	for i, c := range p.series {
		name := fmt.Sprintf("s%d", i)
		add("f"+name, fill(c, name))
		add("band.f"+name, fill(c, name), plain("fill-opacity", ".2"))
		dash := [...]string{"none", "7 3", "2 2", "9 3 2 3", "12 3", "4 2"}[i]
		add("l"+name, stroke(c, name), plain("fill", "none"), plain("stroke-width", "2"), plain("stroke-linejoin", "round"), plain("stroke-dasharray", dash))
		add("l"+name+".solid", plain("stroke-dasharray", "none"))
		add("d"+name, fill(c, name), plain("fill-opacity", ".85"), plain("stroke-width", "1"), stroke(p.edge, "edge"))
	}
	for i := range p.ramp {
		add(fmt.Sprintf("r%d", i), fill(p.ramp[i], fmt.Sprintf("r%d", i)))
		add(fmt.Sprintf("text.t%d", i), fill(p.onRamp[i], fmt.Sprintf("t%d", i)))
	}
	for i := range p.likert {
		add(fmt.Sprintf("l%d", i), fill(p.likert[i], fmt.Sprintf("l%d", i)))
		add(fmt.Sprintf("text.k%d", i), fill(p.onLikert[i], fmt.Sprintf("k%d", i)))
	}
	return all
}

// sheet returns the style of every figure as CSS: light, dark, and on paper.
func sheet() string {
	var b strings.Builder
	variables := light().variables()
	fmt.Fprintf(&b, ".af{%s}\n@media (prefers-color-scheme:dark){.af{%s}}\n", variables, dark().variables())
	fmt.Fprintf(&b, "@media print{.af{%s}}\n", variables)
	b.WriteString(".af text{font-family:Helvetica,Arial,\"Liberation Sans\",sans-serif}\n")
	for _, r := range rules(light()) {
		b.WriteString(".af " + r.selector() + "{" + r.properties[0].css() + ";")
		for i, p := range r.properties[1:] {
			if i > 0 {
				b.WriteString(";")
			}
			b.WriteString(p.css())
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// css writes the property; a colour twice, since some programs know no variables and
// then take the first.
func (p property) css() string {
	if p.variable == "" {
		return p.name + ":" + p.value
	}
	return fmt.Sprintf("%s:%s;%s:var(--af-%s)", p.name, p.value, p.name, p.variable)
}

func (r rule) selector() string {
	name := "." + strings.Join(r.classes, ".")
	if r.text {
		return "text" + name
	}
	return name
}

// look is the style that the rules give to one element.
type look map[string]string

// lookOf applies the rules to an element as CSS does: the one that asks for more
// classes wins, then one for texts, then the last one.
func lookOf(rules []rule, e element) look {
	var found []rule
	classes := strings.Fields(e.class)
	for _, r := range rules {
		has := !r.text || e.kind == textKind
		for _, c := range r.classes {
			has = has && slices.Contains(classes, c)
		}
		if has {
			found = append(found, r)
		}
	}
	slices.SortStableFunc(found, func(a, b rule) int { return a.weight() - b.weight() })
	l := look{"fill": "#000", "stroke": "none", "stroke-width": "1", "fill-opacity": "1", "stroke-dasharray": "none"}
	for _, r := range found {
		for _, p := range r.properties {
			l[p.name] = p.value
		}
	}
	return l
}

// looks caches the styles of elements, few of which differ.
type looks struct {
	rules []rule
	known map[string]look // by classes and whether it is a text
}

func newLooks(p palette) looks { return looks{rules(p), map[string]look{}} }

// of returns the look of the element.
func (l looks) of(e element) look {
	key := fmt.Sprint(e.kind == textKind, e.class)
	found, is := l.known[key]
	if !is {
		found = lookOf(l.rules, e)
		l.known[key] = found
	}
	return found
}

func (r rule) weight() int {
	if r.text {
		return 2*len(r.classes) + 1
	}
	return 2 * len(r.classes)
}
