package judge

import (
	"regexp"
	"strings"
	"testing"

	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// Names that answers give to what is theirs: those of the language's library, of other languages, and of the programs here
// that call functions.
const (
	everywhereNames = "Node Solution Main Test Tests Program Problem Helper Utils Point Pair Tuple Stack Tree Graph Edge Matrix Counter Value Reader Order Call Calls " +
		"Encoder Decoder Part Sent Arena Knot Answer Args Entry Serve Server Sample Judge Channel Frame Candidate Config Item Result Response Request Context"
	javaTypes = everywhereNames + " String Integer Long Short Byte Character Boolean Double Float Number Math Object Class System Exception RuntimeException Error Throwable " +
		"IllegalArgumentException StringBuilder Iterable Comparable Runnable Thread Record Enum Void Process Package Override Deprecated ClassNotFoundException " +
		"OutOfMemoryError StackTraceElement List ArrayList LinkedList Map HashMap LinkedHashMap TreeMap SortedMap Set HashSet LinkedHashSet TreeSet Queue Deque ArrayDeque " +
		"PriorityQueue Collection Collections Arrays Optional Iterator IdentityHashMap StringJoiner Random Scanner Objects Array Method Type Modifier Constructor Field " +
		"Parameter BigInteger BigDecimal File InputStream OutputStream IOException EOFException FileDescriptor Buffer Charset StandardCharsets Function Supplier Consumer " +
		"Predicate Stream Collectors Int Dict Str Any Option Vec Box Rc Struct Interface"
	goTypes = everywhereNames + " string error any bool byte rune uint uint8 uint16 uint32 uint64 int8 int16 int32 int64 float32 float64 complex64 complex128 uintptr " +
		"comparable fmt json binary io math big os reflect strings calls sort List Map Set Queue Heap Slice Array Option Optional Vector order encoder decoder part sent call decode"
	goFunctions = everywhereNames + " len cap make append new panic print println copy delete close complex real imag recover min max clear string error nil true false iota any " +
		"fmt json binary io math big os reflect strings calls sort abs sum list set dict str map_ filter reduce serve call decode encode send receive float64 uint32"
	rustTypes = everywhereNames + " Vec String Option Some None Ok Err Box Rc Arc Cow Cell RefCell HashMap HashSet BTreeMap BTreeSet VecDeque BinaryHeap File Read Write " +
		"Iterator IntoIterator Clone Copy Debug Display Default Drop Eq PartialEq Ord PartialOrd Hash Hasher Send Sync Sized From Into TryFrom TryInto AsRef ToString ToOwned " +
		"Fn FnMut FnOnce Error Command Path Instant Duration Ordering Range Take Give List Map Set Queue Array Int Str Dict FromRawFd AssertUnwindSafe"
	rustFunctions = "drop serve send receive answer call raised quoted number parse take give value find len list max min abs sum print format vec new string map filter swap read write " +
		"catch_unwind exit identity from into default panic assert std_ core_ self_ integers floats tuples calls"
	rustModules = "std core alloc io fmt collections vec string option result mem process tests utils helpers rc cell hash panic os fs"
	rustMacros  = "vec format println print eprintln eprint write writeln assert assert_eq assert_ne debug_assert panic matches stringify concat todo unreachable unimplemented " +
		"dbg line file env cfg include_str thread_local max min hashmap map set integers floats sequences mappings wrappers tuples calls"
	scriptTypes = everywhereNames + " Array ArrayBuffer BigInt Boolean Buffer DataView Date Error EvalError Function Int8Array Int32Array JSON Map Math Number Promise Proxy " +
		"RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError Uint8Array URIError WeakMap WeakSet URL TextEncoder TextDecoder Event EventTarget " +
		"List Dict Queue Heap Vec Option Optional Int Str Element Document Window Text Range Selection Animation Image Worker File Blob"
	scriptValues = "name status top self parent length event print open close find stop focus process console globalThis setTimeout fetch performance structuredClone fs vm " +
		"send receive exactly opaque encoded decode failure lookUp main script answer program entry order known left shared list dict str len sum max min abs realm util path " +
		"global isNaN parseInt parseFloat origin location history screen navigator crypto queueMicrotask TooLarge MAX_DEPTH MAX_NODES"
)

// TestNamesOfAnswers: an answer may give its own classes, functions, variables and macros any names that its language
// allows.
func TestNamesOfAnswers(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	each := func(names, pattern string, without ...string) string {
		var b strings.Builder
		for _, name := range strings.Fields(names) {
			if !regexp.MustCompile(`^(?:`+strings.Join(without, "|")+`)$`).MatchString(name) || without == nil {
				b.WriteString(strings.ReplaceAll(pattern, "NAME", name) + "\n")
			}
		}
		return b.String()
	}
	const inGo, inRust = "func f(a int, b int) int { return a + b }\n", "fn f(a: i32, b: i32) -> i32 { a + b }\n"
	const inTypeScript, inJavaScript = "function f(a: number, b: number): number { return a + b }\n", "function f(a, b) { return a + b }\n"
	for _, tt := range []struct{ language, name, code string }{
		{"java", "classes", each(javaTypes, "class NAME { int f; static int g() { return 3; } }", "Solution") + "class Solution { static int f(int a, int b) { return a + b; } }"},
		{"java", "records and interfaces", each(javaTypes, "interface NAME { default int g() { return 3; } }", "Main") + "public class Main { static int f(int a, int b) { return a + b; } }"},
		{"java", "classes within", "class Outer {\n" + each(javaTypes, "class NAME { int g() { return 3; } }") + "static int f(int a, int b) { return a + b; } }"},
		{"java", "classes with methods of the name", "class List { int n; void f(int a) { n += a; } int f(int a, int b) { return 0; } }\nclass Main { static int f(int a, int b) { return a + b; } }"},
		{"go", "types", "package main\n\n" + each(goTypes, "type NAME struct{ f int }") + inGo},
		{"go", "functions", "package main\n\n" + each(goFunctions, "func NAME(a ...int) int { return 3 }") + inGo},
		{"go", "variables", "package main\n\n" + each(goFunctions, "var NAME = 3") + inGo},
		{"go", "generics", "package main\n\ntype List[T any] struct{ items []T }\n\nfunc (l *List[T]) Add(x T) { l.items = append(l.items, x) }\n\nfunc Map[T, U any](xs []T, g func(T) U) (out []U) {\n\tfor _, x := range xs {\n\t\tout = append(out, g(x))\n\t}\n\treturn\n}\n\n" +
			"func f(xs ...int) (n int) {\n\tfor _, x := range Map(xs, func(x int) int { return x }) {\n\t\tn += x\n\t}\n\treturn\n}\n"},
		{"go", "a generic entry point", "package main\n\ntype number interface{ ~int | ~float64 }\n\nfunc f[T number, U any](a T, b ...T) T {\n\tvar _ U\n\treturn a + b[0]\n}\n"},
		{"rust", "a generic entry point", "use std::ops::Add;\nfn f<T: Add<Output = T>>(a: T, b: T) -> T { a + b }\n"},
		{"rust", "types", each(rustTypes, "struct NAME;") + inRust},
		{"rust", "traits", each(rustTypes, "trait NAME { fn take(&self) -> i32 { 3 } }") + "impl Take for i32 {}\n" + inRust},
		{"rust", "functions", each(rustFunctions, "fn NAME() -> i32 { 3 }") + inRust},
		{"rust", "modules", each(rustModules, "mod NAME { pub fn g() -> i32 { 3 } }") + inRust},
		{"rust", "macros", each(rustMacros, "macro_rules! NAME { ($x:ident) => { 3 }; }") + inRust},
		{"rust", "lints", "#![forbid(unsafe_code)]\n#![deny(warnings, missing_docs)]\n//! Adds.\n" + inRust},
		{"typescript", "classes", each(scriptTypes, "class NAME { f = 3 }") + inTypeScript},
		{"typescript", "types", each(scriptTypes, "type NAME = { f: number };") + inTypeScript},
		{"typescript", "variables", each(scriptValues, "const NAME = 3;", "globalThis") + inTypeScript},
		{"typescript", "functions", each(scriptValues, "function NAME() { return 3 }", "globalThis") + inTypeScript},
		{"javascript", "classes", each(scriptTypes+" Object", "class NAME { f = 3 }") + inJavaScript},
		{"javascript", "variables", each(scriptValues, "const NAME = 3;") + inJavaScript},
		{"javascript", "functions", each(scriptTypes+" Object "+scriptValues, "function NAME() { return 3 }") + inJavaScript},
	} {
		t.Run(tt.language+" "+tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			t.Parallel()
			task := typedTask(t, j, tt.language, `{"args":[1,2],"expected":3}`, `{"args":[4,5],"expected":9}`)
			if r := judgeCode(t, j, task, tt.code); r.Verdict != verdicts.Accepted {
				t.Errorf("%s [%s] %q\n%s", r.Verdict, statuses(r), r.Message, r.Stderr)
			}
		})
	}
}
