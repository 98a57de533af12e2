// Package sampled is for tests: those that would take minutes try a part of their rows, always the same, and all of
// them if ASSAY_TESTS is "all", as `make thorough` sets it.
package sampled

import (
	"hash/fnv"
	"os"
	"strings"
	"sync"
	"testing"
)

// All reports whether tests try everything.
var All = os.Getenv("ASSAY_TESTS") == "all"

// OneIn reports whether row i is of the part that tries one row in n.
func OneIn(n, i int) bool { return All || i%n == 0 }

// Of returns how many of all rounds a test makes: few, or all of them.
func Of(few, all int) int {
	if All {
		return all
	}
	return few
}

// rows counts the subtests of each test.
var rows = struct {
	sync.Mutex
	of map[string]int
}{of: map[string]int{}}

// Row skips t, a subtest for a row of a table, unless it is of the part that is tried: the first row of each test,
// and about one in n of the others, other ones in each test. Call it before t.Parallel, since rows are counted.
func Row(t *testing.T, n int) {
	t.Helper()
	test := t.Name()[:strings.LastIndex(t.Name(), "/")]
	rows.Lock()
	i := rows.of[test]
	rows.of[test]++
	rows.Unlock()
	name := fnv.New32a()
	name.Write([]byte(test))
	if i > 0 && !OneIn(n, i+int(name.Sum32()%uint32(n))) {
		t.Skip("one of the rows that `make thorough` tries")
	}
}
