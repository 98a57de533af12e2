package report

import (
	"fmt"
	"math"
	"reflect"
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
