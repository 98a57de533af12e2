package session

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"assay/data/fatal"
)

// TestEventsOfReleases: every event that a release wrote is read and written again byte for byte, with its hash.
// testdata/events-VERSION.jsonl has an event of each kind with all of its fields. A release adds a file by naming it
// in newest; no file is ever changed.
func TestEventsOfReleases(t *testing.T) {
	const newest = "testdata/events-1.1.jsonl"
	if _, err := os.Stat(newest); os.IsNotExist(err) {
		writeEvents(t, newest)
	}
	files, err := filepath.Glob("testdata/events-*.jsonl")
	fatal.If(t, err)
	kinds := map[Kind]bool{}
	for _, file := range files {
		for i, line := range bytes.Split(bytes.TrimSpace(fatal.Read(t, file)), []byte("\n")) {
			var e Event
			if err := json.Unmarshal(line, &e); err != nil {
				t.Errorf("%s:%d: %v", file, i+1, err)
				continue
			}
			sealed, err := e.Seal(e.Prev)
			if again, marshalErr := json.Marshal(sealed); err != nil || marshalErr != nil || !bytes.Equal(again, line) {
				t.Errorf("%s:%d: %v, %v\n got %s\nwant %s", file, i+1, err, marshalErr, again, line)
			}
			kinds[e.Payload.Kind()] = true
		}
	}
	for kind := range decoders {
		if !kinds[kind] {
			t.Errorf("no release's file has an event of kind %s", kind)
		}
	}
}

// writeEvents writes a sealed event of each kind with something in every field.
func writeEvents(t *testing.T, file string) {
	t.Helper()
	var out bytes.Buffer
	prev := ""
	for i, kind := range kindsInOrder() {
		empty, err := decoders[kind]([]byte("{}"))
		fatal.If(t, err)
		payload := reflect.New(reflect.TypeOf(empty)).Elem()
		fill(payload)
		e, err := Event{Seq: uint64(i + 1), Stamp: Stamp{Wall: 1800000000000, Mono: int64(i), Process: "p", Boot: "b"}, Payload: payload.Interface().(Payload)}.Seal(prev)
		fatal.If(t, err)
		line, err := json.Marshal(e)
		fatal.If(t, err)
		prev = e.Hash
		out.Write(append(line, '\n'))
	}
	fatal.If(t, os.WriteFile(file, out.Bytes(), 0o644))
}

func kindsInOrder() []Kind {
	var all []Kind
	for kind := range decoders {
		all = append(all, kind)
	}
	slices.Sort(all)
	return all
}

// fill sets every field of a value.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(7)
	case reflect.Uint64, reflect.Uint32, reflect.Uint8:
		v.SetUint(7)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(`{"x":1}`))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.SetMapIndex(key, value)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.UnixMilli(1800000000000).UTC()))
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	}
}
