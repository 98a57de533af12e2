package console

import (
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/spf13/pflag"
)

// WriteJSON writes v as indented JSON.
func WriteJSON(io *IO, v any) error {
	encoder := json.NewEncoder(Data(io.Out))
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// jsonFlag is the flag --json, with the types of what it makes a verb print.
type jsonFlag struct {
	on    *bool
	types []reflect.Type
}

// JSONFlag adds --json to a verb that then prints documents of these values' types. `assay help --schemas`
// writes the schemas of the types.
func JSONFlag(f *pflag.FlagSet, on *bool, usage string, values ...any) {
	flag := &jsonFlag{on: on}
	for _, v := range values {
		flag.types = append(flag.types, reflect.TypeOf(v))
	}
	f.Var(flag, "json", usage)
	f.Lookup("json").NoOptDefVal = "true"
}

// JSONTypes returns the types of the documents that a flag made by JSONFlag prints, nil for other flags.
func JSONTypes(f *pflag.Flag) []reflect.Type {
	if flag, is := f.Value.(*jsonFlag); is {
		return flag.types
	}
	return nil
}

// String, Set and Type implement pflag.Value.
func (f *jsonFlag) String() string { return strconv.FormatBool(*f.on) }
func (f *jsonFlag) Type() string   { return "bool" }
func (f *jsonFlag) Set(s string) (err error) {
	*f.on, err = strconv.ParseBool(s)
	return err
}
