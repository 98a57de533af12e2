package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Check compares what a report states in two or more places.
type Check struct {
	Name     string   `json:"name"`     // what was compared
	Compared int      `json:"compared"` // how many things were compared
	Faults   []string `json:"faults"`   // empty: it holds
}

// NewCheck returns a check without faults.
func NewCheck(name string) *Check { return &Check{Name: name, Faults: []string{}} }

// Fault adds a fault.
func (c *Check) Fault(format string, args ...any) {
	c.Faults = append(c.Faults, fmt.Sprintf(format, args...))
}

// Equal compares two counts.
func (c *Check) Equal(what string, got, want int) {
	c.Compared++
	if got != want {
		c.Fault("%s: %d, not %d", what, got, want)
	}
}

// Near compares two statistics up to binary rounding.
func (c *Check) Near(what string, got Number, want float64) {
	c.Compared++
	if got.Defined() != !math.IsNaN(want) || got.Defined() && math.Abs(float64(got)-want) > 1e-9*max(1, math.Abs(want)) {
		c.Fault("%s: %v, not %v", what, float64(got), want)
	}
}

// Inside checks that an estimate lies in its interval.
func (c *Check) Inside(path string, e Estimate) {
	if e.Interval == nil {
		return
	}
	c.Compared++
	const slack = 1e-9
	if !(e.Interval.Low-slack <= float64(e.Value) && float64(e.Value) <= e.Interval.High+slack) {
		c.Fault("%s: %v is outside its interval %v to %v", path, float64(e.Value), e.Interval.Low, e.Interval.High)
	}
}

// Same compares all that two values are in JSON, but where skip, which may be nil, is true of a path.
func (c *Check) Same(path string, want, got any, skip func(path string) bool) {
	var trees [2]any
	for i, v := range []any{want, got} {
		text, err := json.Marshal(v)
		if err == nil {
			err = json.Unmarshal(text, &trees[i])
		}
		if err != nil {
			c.Fault("%s: %v", path, err)
			return
		}
	}
	c.tree(path, trees[0], trees[1], skip)
}

func (c *Check) tree(path string, want, got any, skip func(path string) bool) {
	if skip != nil && path != "" && skip(path) {
		return
	}
	switch want := want.(type) {
	case map[string]any:
		other, _ := got.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(want)) {
			c.tree(path+"/"+name, want[name], other[name], skip)
		}
	case []any:
		other, _ := got.([]any)
		if c.Equal(path+": entries", len(other), len(want)); len(other) == len(want) {
			for i := range want {
				c.tree(path+"/"+strconv.Itoa(i), want[i], other[i], skip)
			}
		}
	case float64:
		n, is := got.(float64)
		if c.Compared++; !is || math.Abs(n-want) > 1e-9*max(1, math.Abs(want)) {
			c.Fault("%s: %v, not %v", path, got, want)
		}
	case string:
		text, _ := got.(string)
		if c.Compared++; CSVCell(text) != CSVCell(want) {
			c.Fault("%s: %v, not %v", path, got, want)
		}
	default:
		if c.Compared++; got != want {
			c.Fault("%s: %v, not %v", path, got, want)
		}
	}
}

// Rows compares the rows of a table with those that it should have, by the columns that identify them. Texts are only
// compared where they are told to be.
func (c *Check) Rows(want Table, got Rows, texts bool, keys ...string) {
	key := func(r Row) (id string) {
		for _, name := range keys {
			id += "\x00" + r.Text(name)
		}
		return id
	}
	wanted, n := map[string]Row{}, 0
	for row := range want.Named() {
		wanted[key(row)] = row
	}
	for row := range got {
		other, is := wanted[key(row)]
		if n++; !is {
			c.Fault("the table of %s has a row for%s", want.Name, strings.ReplaceAll(key(row), "\x00", " "))
			continue
		}
		for _, column := range want.Columns {
			if row.Has(column.Name) && (texts || column.Type != "text") {
				c.Compared++
				x, y := row.Number(column.Name), other.Number(column.Name)
				if row.Text(column.Name) != other.Text(column.Name) && !(math.Abs(x-y) <= 1e-9*max(1, math.Abs(y))) {
					c.Fault("the table of %s,%s: %s is %q, not %q", want.Name, strings.ReplaceAll(key(row), "\x00", " "), column.Name, row.Text(column.Name), other.Text(column.Name))
				}
			}
		}
	}
	c.Equal("rows of the table of "+want.Name, n, len(wanted))
}

// Each visits all values of type T.
func Each[T any](v reflect.Value, path string, visit func(string, T)) {
	if v.CanInterface() {
		if x, is := v.Interface().(T); is {
			visit(path, x)
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			Each(v.Elem(), path, visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if tag != "" {
				tag = "/" + tag
			}
			Each(v.Field(i), path+tag, visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			Each(v.Index(i), path+"/"+strconv.Itoa(i), visit)
		}
	}
}
