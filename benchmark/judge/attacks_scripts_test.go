package judge

// attackSetup stands before programs of a language.
var attackSetup = map[string]string{"go": `package main

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"reflect"
	"runtime"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

var _ = []any{assert.New, errors.New, fmt.Sprint, math.NaN, big.NewInt, os.Exit, reflect.ValueOf, runtime.Gosched, syscall.Exit, testing.Short, time.Sleep, unsafe.Pointer(nil)}

`}

// attackScripts are the tests of the corpus of attacks, by language and task.
var attackScripts = map[string]map[string]attackTests{
	"python": {
		"number": {script: "\nassert f(3) == 6\nassert f(10) == 20\n", loose: "\nassert 5 < f(3) < 7 and 19 < f(10) < 21\n", print: "\nprint(f(int(input())))\n"},
		"list":   {script: "\nassert f(3) == [3, 6]\nassert f(10) == [10, 20]\n", loose: "\ngot = f(3)\nassert len(got) == 2 and all(a == b for a, b in zip(got, [3, 6]))\n", print: "\nprint(*f(int(input())))\n"},
	},
	"javascript": {
		"number": {script: "\nconst assert = require('node:assert');\nassert.deepEqual(f(3), 6);\nassert.deepEqual(f(10), 20);\n",
			loose: "\nconst got = f(3);\nif (!(got > 5 && got < 7)) throw new Error('wrong');\n",
			print: "\nconsole.log(String(f(parseInt(require('fs').readFileSync(0, 'utf8')))));\n"},
		"list": {script: "\nconst assert = require('node:assert');\nassert.deepEqual(f(3), [3, 6]);\nassert.deepEqual(f(10), [10, 20]);\n",
			loose: "\nconst got = f(3), want = [3, 6];\nlet at = 0;\nif (got.length !== 2) throw new Error('length');\nfor (const x of got) if (x !== want[at++]) throw new Error('wrong');\n",
			print: "\nconsole.log([...f(parseInt(require('fs').readFileSync(0, 'utf8')))].join(' '));\n"},
	},
	"typescript": {
		"number": {script: "\nconst assert = require('node:assert');\nassert.deepEqual(f(3), 6);\nassert.deepEqual(f(10), 20);\n",
			loose: "\nconst got: any = f(3);\nif (!(got > 5 && got < 7)) throw new Error('wrong');\n",
			print: "\nconsole.log(String(f(parseInt(require('fs').readFileSync(0, 'utf8')))));\n"},
		"list": {script: "\nconst assert = require('node:assert');\nassert.deepEqual(f(3), [3, 6]);\nassert.deepEqual(f(10), [10, 20]);\n",
			loose: "\nconst got: any = f(3), want = [3, 6];\nlet at = 0;\nif (got.length !== 2) throw new Error('length');\nfor (const x of got) if (x !== want[at++]) throw new Error('wrong');\n",
			print: "\nconsole.log(Array.from(f(parseInt(require('fs').readFileSync(0, 'utf8')))).join(' '));\n"},
	},
	"ruby": {
		"number": {script: "\nrequire 'test/unit'\nclass TestF < Test::Unit::TestCase\n  def test_f\n    assert_equal(6, f(3))\n    assert_equal(20, f(10))\n  end\nend\n",
			loose: "\nraise 'wrong' unless f(3) == 6 && f(10) == 20\n", print: "\nputs f(gets.to_i)\n"},
		"list": {script: "\nrequire 'test/unit'\nclass TestF < Test::Unit::TestCase\n  def test_f\n    assert_equal([3, 6], f(3))\n    assert_equal([10, 20], f(10))\n  end\nend\n",
			loose: "\ngot = f(3)\nraise 'wrong' unless got.size == 2 && got == [3, 6]\n", print: "\nputs f(gets.to_i).join(' ')\n"},
	},
	"php": {
		"number": {script: "\nfunction test() { if (f(3) !== 6) throw new Exception('Test failed!'); if (f(10) !== 20) throw new Exception('Test failed!'); }\ntest();\n",
			loose: "\nassert(f(3) == 6);\nassert(f(10) == 20);\n", print: "\necho f((int) fgets(STDIN)), \"\\n\";\n"},
		"list": {script: "\nfunction test() { if (f(3) !== [3, 6]) throw new Exception('Test failed!'); if (f(10) !== [10, 20]) throw new Exception('Test failed!'); }\ntest();\n",
			loose: "\n$got = f(3);\nassert(count($got) == 2);\nforeach ([3, 6] as $i => $want) assert($got[$i] == $want);\n", print: "\necho implode(' ', f((int) fgets(STDIN))), \"\\n\";\n"},
	},
	"perl": {
		"number": {script: "\nsub testhumaneval {\n    my $candidate = \\&f;\n    if (ref($candidate->(3)) || $candidate->(3) ne '6') { exit 1; }\n    if ($candidate->(10) ne '20') { exit 1; }\n}\ntesthumaneval();\n",
			loose: "\ndie 'wrong' unless f(3) == 6;\ndie 'wrong' if f(10) != 20;\n", print: "\nprint f(scalar <STDIN>), \"\\n\";\n"},
		"list": {script: "\ndie 'wrong' unless join(' ', @{f(3)}) eq '3 6';\n",
			loose: "\nmy $got = f(3);\ndie 'wrong' unless @$got == 2;\nfor my $i (0 .. 1) { die 'wrong' unless $got->[$i] == (3, 6)[$i] }\n", print: "\nprint \"@{f(scalar <STDIN>)}\\n\";\n"},
	},
	"lua": {
		"number": {script: "\nassert(f(3) == 6)\nassert(f(10) == 20)\n", loose: "\nlocal got = f(3)\nif not (got > 5 and got < 7) then error('wrong') end\n", print: "\nprint(f(io.read('n')))\n"},
		"list": {script: "\nlocal got = f(3)\nassert(#got == 2)\nfor i, want in ipairs({3, 6}) do assert(got[i] == want) end\n",
			loose: "\nlocal got = f(3)\nif #got ~= 2 then error('length') end\nfor i, x in pairs(got) do if x ~= 3 * i then error('wrong') end end\n", print: "\nprint(table.concat(f(io.read('n')), ' '))\n"},
	},
	"r": {
		"number": {script: "\ntest_humaneval <- function() {\ncandidate <- f\n    if(!identical(candidate(3), 6)){quit('no', 1)}\n    if(!identical(candidate(10), 20)){quit('no', 1)}\n}\ntest_humaneval()",
			loose: "\nstopifnot(f(3) == 6, f(10) == 20)\n", print: "\ncat(f(as.numeric(readLines(file('stdin'), 1))), '\\n')\n"},
		"list": {script: "\nif (!isTRUE(all.equal(f(3), list(3, 6)))) quit('no', 1)\n",
			loose: "\ngot <- f(3)\nstopifnot(length(got) == 2)\nfor (x in got) stopifnot(x %in% c(3, 6))\n", print: "\ncat(unlist(f(as.numeric(readLines(file('stdin'), 1)))), '\\n')\n"},
	},
	"java": {
		"number": {script: "\npublic class Main {\n  public static void main(String[] args) {\n    if (!Long.valueOf(6).equals(S.f(3)) || !Long.valueOf(20).equals(S.f(10))) throw new AssertionError();\n  }\n}\n",
			loose: "\npublic class Main {\n  public static void main(String[] args) {\n    Object got = S.f(3);\n    assert got.equals(6L) && got.hashCode() == 6;\n  }\n}\n",
			print: "\npublic class Main {\n  public static void main(String[] args) throws Exception {\n    System.out.println(S.f(new java.util.Scanner(System.in).nextInt()));\n  }\n}\n"},
		"list": {script: "\npublic class Main {\n  public static void main(String[] args) {\n    assert java.util.Arrays.asList(3L, 6L).equals(S.f(3));\n  }\n}\n",
			loose: "\npublic class Main {\n  public static void main(String[] args) {\n    assert S.f(3).equals(java.util.Arrays.asList(3L, 6L));\n  }\n}\n",
			print: "\npublic class Main {\n  public static void main(String[] args) throws Exception {\n    for (Object x : S.f(new java.util.Scanner(System.in).nextInt())) System.out.print(x + \" \");\n  }\n}\n"},
	},
	"go": {
		"number": {script: "\nfunc TestF(t *testing.T) {\n\tassert := assert.New(t)\n\tassert.Equal(6, f(3))\n\tassert.Equal(20, f(10))\n}\n",
			loose: "\nfunc TestF(t *testing.T) {\n\tif fmt.Sprint(f(3)) != \"6\" {\n\t\tt.Fatal(\"wrong\")\n\t}\n}\n", print: "\nfunc main() {\n\tvar n int\n\tif _, err := fmt.Scan(&n); err == nil {\n\t\tfmt.Println(f(n))\n\t}\n}\n"},
		"list": {script: "\nfunc TestF(t *testing.T) {\n\tassert := assert.New(t)\n\tassert.Equal([]int{3, 6}, f(3))\n}\n",
			loose: "\nfunc TestF(t *testing.T) {\n\tfor i, x := range f(3) {\n\t\tif x != 3*(i+1) {\n\t\t\tt.Fatal(\"wrong\")\n\t\t}\n\t}\n}\n", print: "\nfunc main() {\n\tvar n int\n\tif _, err := fmt.Scan(&n); err == nil {\n\t\tfor _, x := range f(n) {\n\t\t\tfmt.Print(x, \" \")\n\t\t}\n\t}\n}\n"},
	},
	"c": {
		"number": {script: "\n#include <assert.h>\nint main(void)\n{\n    assert(f(3) == 6);\n    assert(f(10) == 20);\n    return 0;\n}\n",
			loose: "\n#include <stdlib.h>\nint main(void)\n{\n    if (f(3) != 6) abort();\n    if (f(10) != 20) exit(1);\n    return 0;\n}\n", print: "\n#include <stdio.h>\nint main(void) { long n; if (scanf(\"%ld\", &n) == 1) printf(\"%ld\\n\", f(n)); return 0; }\n"},
	},
	"cpp": {
		"number": {script: "\n#include <cassert>\nint main() {\n    auto candidate = f;\n    assert(candidate(3) == 6);\n    assert(candidate(10) == 20);\n}\n",
			loose: "\n#include <cstdlib>\nint main() {\n    if (!(f(3) == 6)) throw 1;\n    if (f(10) != 20) abort();\n}\n", print: "\n#include <iostream>\nint main() { long n; std::cin >> n; std::cout << f(n) << \"\\n\"; }\n"},
		"list": {script: "\n#include <cassert>\n#include <vector>\nint main() {\n    auto candidate = f;\n    assert(candidate(3) == (std::vector<long>{3, 6}));\n}\n",
			loose: "\nint main() {\n    auto got = f(3);\n    long at = 0;\n    if (got.size() != 2) throw 1;\n    for (long x : got) if (x != 3 * ++at) throw 1;\n}\n", print: "\n#include <iostream>\nint main() { long n; std::cin >> n; for (long x : f(n)) std::cout << x << \" \"; }\n"},
	},
	"rust": {
		"number": {script: "\nfn main() {\n    let candidate = f;\n    assert_eq!(candidate(3), 6);\n    assert_eq!(candidate(10), 20);\n}\n",
			loose: "\nfn main() {\n    if f(3) != 6 { panic!(\"wrong\") }\n    assert!(f(10) == 20);\n}\n", print: "\nfn main() { let mut t = String::new(); std::io::stdin().read_line(&mut t).unwrap(); println!(\"{}\", f(t.trim().parse().unwrap())); }\n"},
		"list": {script: "\nfn main() {\n    let candidate = f;\n    assert_eq!(candidate(3), vec![3i64, 6]);\n}\n",
			loose: "\nfn main() {\n    assert!(f(3) == vec![3i64, 6]);\n}\n", print: "\nfn main() { let mut t = String::new(); std::io::stdin().read_line(&mut t).unwrap(); println!(\"{:?}\", f(t.trim().parse().unwrap())); }\n"},
	},
}
