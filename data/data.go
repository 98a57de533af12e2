package data

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed starter.json
var starter string

//go:embed benchmark.schema.json
var schema string

// Benchmarks returns the names of the bundled benchmarks, in the order in which
// to offer them.
func Benchmarks() []string { return []string{"starter"} }

// Benchmark returns the benchmark file of the given name.
func Benchmark(name string) ([]byte, error) {
	if name != "starter" {
		return nil, fmt.Errorf("no benchmark %q is bundled: there is %s", name, strings.Join(Benchmarks(), ", "))
	}
	return []byte(starter), nil
}

// BenchmarkSchema returns the JSON Schema (draft 2020-12) of benchmark files.
func BenchmarkSchema() []byte { return []byte(schema) }
