package data

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed starter core-python core-r polyglot repositories
var benchmarks embed.FS

//go:embed prompts/*.tmpl
var prompts embed.FS

//go:embed environments.toml
var environments string

// Benchmarks returns the names of the bundled benchmarks in display order.
func Benchmarks() []string {
	return []string{"starter", "core-python", "core-r", "polyglot", "repositories"}
}

// BenchmarkNames lists the bundled benchmarks in a sentence.
func BenchmarkNames() string { return strings.Join(Benchmarks(), ", ") }

// Benchmark returns the folder of a bundled benchmark.
func Benchmark(name string) (fs.FS, error) {
	if !slices.Contains(Benchmarks(), name) {
		return nil, fmt.Errorf("no benchmark %q is bundled: there are %s", name, BenchmarkNames())
	}
	return fs.Sub(benchmarks, name)
}

// PromptTemplates returns the folder of templates for requests to prompt models.
func PromptTemplates() (fs.FS, error) { return fs.Sub(prompts, "prompts") }

// Environments returns the table of what the tests of known repositories need, in TOML.
func Environments() string { return environments }
