package judge

import (
	"encoding/json"
	"testing"

	"assay/benchmark"
)

// TestInstances: the type arguments of generic entry points are those of the tests' arguments.
func TestInstances(t *testing.T) {
	for _, tt := range []struct{ parameters, args, inGo, inRust string }{
		{"[T any](a T)", `[3]`, "[int]", ""},
		{"[T any](a, b T)", `[3, 2.5]`, "[float64]", ""},
		{"[T any, U any](a []T, b map[string]U)", `[["x"], {"k": [true]}]`, "[string, []bool]", ""},
		{"[K comparable, V any](m map[K]V)", `[{"a": 1.5}]`, "[string, float64]", ""},
		{"[T any](a ...[]T)", `[[], [[]], [[1], [2.5]]]`, "[[]float64]", ""},
		{"[T any](a *T)", `[{"$tuple": ["x"]}]`, "[[]string]", ""},
		{"[T any]()", `[]`, "[int]", ""},
		{"(a int)", `[3]`, "", ""},
		{"<T>(a: T)", `[3]`, "", "::<i64>"},
		{"<T: PartialOrd + Copy>(list: &[T]) -> T", `[[1, 2.5]]`, "", "::<f64>"},
		{"<'a, T>(list: &'a mut Vec<Option<T>>, n: usize)", `[["x"], 3]`, "", "::<String>"},
		{"<K: Ord, V>(m: &HashMap<K, Vec<V>>)", `[{"a": [true]}]`, "", "::<String, bool>"},
		{"<'a>(s: &'a str)", `["x"]`, "", ""},
		{"(s: &str)", `["x"]`, "", ""},
	} {
		var c benchmark.Case
		if err := json.Unmarshal([]byte(tt.args), &c.Args); err != nil {
			t.Fatal(err)
		}
		if tt.parameters[0] != '<' {
			if got := goInstance("func f"+tt.parameters+" {}", "f", []benchmark.Case{c}); got != tt.inGo {
				t.Errorf("f%s for %s: %q, want %q", tt.parameters, tt.args, got, tt.inGo)
			}
		}
		if tt.parameters[0] != '[' {
			if got := rustInstance("fn f"+tt.parameters+" {}", "f", []benchmark.Case{c}); got != tt.inRust {
				t.Errorf("f%s for %s: %q, want %q", tt.parameters, tt.args, got, tt.inRust)
			}
		}
	}
}
