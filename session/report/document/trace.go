package document

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// trace finds the path in the JSON of a struct from a pointer to one of its fields:
// where the field lies in memory tells which it is. So the code that writes a report
// names fields as Go does, the compiler checks the names, and no number can be
// written that is not exported.
type trace struct {
	data  any
	paths map[place]string // made for the first number: an appendix has none
}

// place is an address with a type, since a struct and its first field share one.
type place struct {
	at uintptr
	of reflect.Type
}

func (t *trace) walk(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			t.walk(v.Elem(), path)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			switch {
			case field.Anonymous && tag == "":
				t.walk(v.Field(i), path)
			case field.IsExported() && tag != "-":
				tag = cmp.Or(tag, field.Name)
				t.walk(v.Field(i), path+"/"+tag)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			t.walk(v.Index(i), path+"/"+strconv.Itoa(i))
		}
	case reflect.Float64, reflect.Int, reflect.Int64, reflect.Uint64:
		if v.CanAddr() {
			t.paths[place{v.Addr().Pointer(), v.Type()}] = path
		}
	}
}

// find returns the path and the value of what p points at; whole is the text of an
// integer.
func (t *trace) find(p any) (path string, v float64, whole string, err error) {
	r := reflect.ValueOf(p)
	if r.Kind() != reflect.Pointer || r.IsNil() {
		return "", 0, "", fmt.Errorf("%T is no pointer into the report's data", p)
	}
	if t.paths == nil {
		t.paths = map[place]string{}
		t.walk(reflect.ValueOf(t.data), "")
	}
	path, known := t.paths[place{r.Pointer(), r.Elem().Type()}]
	if !known {
		return "", 0, "", fmt.Errorf("a %s is shown that the report's data do not have", r.Elem().Type())
	}
	switch e := r.Elem(); e.Kind() {
	case reflect.Float64:
		return path, e.Float(), "", nil
	case reflect.Uint64:
		return path, 0, strconv.FormatUint(e.Uint(), 10), nil
	default:
		return path, 0, strconv.FormatInt(e.Int(), 10), nil
	}
}

func defined(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
