package session

import (
	"reflect"
)

var refType = reflect.TypeFor[Ref]()

// Refs lists the texts that a payload refers to, in field order, without empty references.
func Refs(payload Payload) []Ref { return appendRefs(nil, reflect.ValueOf(payload)) }

func appendRefs(refs []Ref, v reflect.Value) []Ref {
	if !v.IsValid() {
		return refs
	}
	if v.Type() == refType {
		if v.Len() > 0 {
			refs = append(refs, Ref(v.String()))
		}
		return refs
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			refs = appendRefs(refs, v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			refs = appendRefs(refs, v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			refs = appendRefs(refs, v.MapIndex(key))
		}
	case reflect.Pointer, reflect.Interface:
		refs = appendRefs(refs, v.Elem())
	}
	return refs
}
