package judge

import (
	"bytes"
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/data/sampled"
)

func TestTokens(t *testing.T) {
	long := strings.Repeat("123456789", 50000)
	for _, tt := range []struct {
		got, expected string
		tolerance     float64
		same          bool
	}{
		// LiveCodeBench's tasks have answers of this size.
		{"999999999999999940", "1000000000000000001", 0, false},
		{"1000000000000000000", "1000000000000000001", 0, false},
		{"1000000000000000000", "1000000000000000001", 1e-6, false},
		{"9007199254740992", "9007199254740993", 0, false},
		{"9007199254740992", "9007199254740993", 1e-5, false},
		{"9007199254740991", "9007199254740991.0", 0, true},
		{"9007199254740992.0", "9007199254740993", 0, false},
		{"9007199254740992.0", "9007199254740993", 1e-20, false},
		{"9007199254740992.0", "9007199254740993", 1e-9, true},
		{"5", "6", 0.5, false},
		{"5.0", "6", 0.5, true},
		{"5", "6e0", 0.5, true},
		{"1e3", "1000", 0, true},
		{"1E+3", "1000.000", 0, true},
		{"1e18", "1000000000000000000", 0, true},
		{"1e18", "1000000000000000001", 0, false},
		{"-0", "0", 0, true},
		{"-0.0", "0", 0, true},
		{"007", "7", 0, true},
		{"+7", "7", 0, true},
		{"-7", "7", 0, false},
		{"-7.0", "7", 1e-3, false},
		{".5", "0.50", 0, true},
		{"0.30000000000000004", "0.3", 0, false},
		{"0.30000000000000004", "0.3", 1e-9, true},
		{"1.000001", "1", 1e-6, true},
		{"1.0000010001", "1", 1e-6, false},
		{"nan", "nan", 0, true},
		{"nan", "NaN", 1e9, false},
		{"inf", "1e999", 1e9, false},
		{"inf", "Infinity", 1, false},
		{"1e400", "1e400.0", 1, false},
		{"1e400", "10e399", 0, true},
		{"1.0000001e400", "1e400", 1e-6, true},
		{"1e-999999999", "0", 0, false},
		{"1e-999999999", "0", 1e-9, true},
		{"1e999999999", "0", 1e9, false},
		{"1e99999999999999999999", "1", 1e9, false},
		{"0e99999999", "0", 0, true},
		{"0x10", "16", 0, false},
		{"1_000", "1000", 0, false},
		{"", "", 0, true},
		{".", "0", 1, false},
		{"e5", "0", 1, false},
		{"1e", "1", 1, false},
		{"--1", "1", 9, false},
		{long + "1", long + "2", 1e-3, false},
		{long + "1", "0" + long + "1", 0, true},
		{long + ".1", long + ".2", 1e-3, false}, // beyond what tolerances are calculated for
		{"0." + long, "0." + long + "7", 1e-3, true},
	} {
		run := benchmark.Run{Output: tt.expected, Compare: benchmark.Tokens, Tolerance: tt.tolerance}
		if same := sameOutput(run, tt.got); same != tt.same {
			t.Errorf("%s against %s with tolerance %g: %v", verdicts.Clip(tt.got, 40), verdicts.Clip(tt.expected, 40), tt.tolerance, same)
		}
	}
}

// decimalsInPython compares pairs of outputs as LiveCodeBench's harness does.
const decimalsInPython = `
import json, sys
from decimal import Decimal

def lines(text):
    return [line.strip() for line in text.strip().split("\n")]

def same(a, b):
    if a == b:
        return True
    try:
        return list(map(Decimal, a.split())) == list(map(Decimal, b.split()))
    except ArithmeticError:
        return False

def accepted(got, expected):
    got, expected = lines(got), lines(expected)
    return len(got) == len(expected) and all(map(same, got, expected))

print(json.dumps([accepted(*pair) for pair in json.load(sys.stdin)]))
`

// TestDecimals compares random outputs with Python's own decimals.
func TestDecimals(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	words := []string{"3", "3.0", "3.00", "03", "3e0", "1e400", "10e399", "-0", "0", "1_0", "10", "inf", "Infinity", "-inf", "nan", "NaN", "a", "A", "0x3", "", ".5", "0.5", "5.", "1e-9", "999999999999999999999", "1e21"}
	spaces := []string{" ", " ", "\n", "\n", "  ", "\t", "\n\n", " \n"}
	random := rand.New(rand.NewPCG(1, 2))
	text := func() (s string) {
		for range random.IntN(5) {
			s += words[random.IntN(len(words))] + spaces[random.IntN(len(spaces))]
		}
		return s
	}
	pairs := [][2]string{{"\n3\n7\n", "3\n7\n"}, {"  3\n  7", "3\n7\n"}, {"3.0", "3"}, {"3 7", "3\n7"}, {"3", "3 3"}}
	for range 20000 {
		a := text()
		b := a
		if random.IntN(3) > 0 {
			b = strings.NewReplacer("3.0", "3", "inf", "Infinity", "  ", " ", "10", "1_0").Replace(text())
		}
		pairs = append(pairs, [2]string{a, b}, [2]string{a, " " + strings.ReplaceAll(a, "3", "3.0")})
	}
	asked, err := json.Marshal(pairs)
	fatal.If(t, err)
	cmd := exec.Command(python, "-c", decimalsInPython)
	cmd.Stdin = bytes.NewReader(asked)
	answer, err := cmd.Output()
	fatal.If(t, err)
	var want []bool
	fatal.If(t, json.Unmarshal(answer, &want))
	for i, pair := range pairs {
		if same := sameOutput(benchmark.Run{Output: pair[1], Compare: benchmark.Decimals}, pair[0]); same != want[i] {
			t.Fatalf("%q against %q: %v, and Python says %v", pair[0], pair[1], same, want[i])
		}
	}
}

// FuzzTokens holds the comparison of numbers against fractions of any size.
func FuzzTokens(f *testing.F) {
	for _, seed := range []string{"9007199254740993", "-1e18", "0.1", "007", "1e-300", "nan", "1.5e10"} {
		f.Add(seed, "1", 0.0)
		f.Add(seed, seed+"0", 1e-6)
	}
	f.Fuzz(func(t *testing.T, a, b string, tolerance float64) {
		if len(a) > 100 || len(b) > 100 || tolerance < 0 || tolerance > 1e9 || tolerance != tolerance {
			t.Skip()
		}
		x, okX := readNumber(a)
		y, okY := readNumber(b)
		same := sameToken(a, b, tolerance)
		if !okX || !okY {
			if same != (a == b) {
				t.Fatalf("%q against %q: %v", a, b, same)
			}
			return
		}
		if abs(x.exponent) > 400 || abs(y.exponent) > 400 {
			t.Skip()
		}
		p, _ := new(big.Rat).SetString(a)
		q, _ := new(big.Rat).SetString(b)
		want := p.Cmp(q) == 0
		if !want && !(x.integer && y.integer) {
			scale := new(big.Rat).Abs(q)
			if scale.Cmp(big.NewRat(1, 1)) < 0 {
				scale.SetInt64(1)
			}
			limit, _ := new(big.Rat).SetString(strconv.FormatFloat(tolerance, 'g', -1, 64))
			p.Sub(p, q)
			want = p.Abs(p).Cmp(limit.Mul(limit, scale)) <= 0
		}
		if same != want {
			t.Fatalf("%q against %q with tolerance %g: %v", a, b, tolerance, same)
		}
	})
}

func abs(n int) int { return max(n, -n) }

// TestNumbersOfCalls has the edges of numbers in every rule and language. Each
// row's code returns a value that is compared with what is expected.
func TestNumbersOfCalls(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for i, tt := range []struct {
		language, returns, rest string
		same                    bool
	}{
		{"python", "10**18 - 60", `"expected":1000000000000000001`, false},
		{"python", "10**18 - 60", `"expected":1000000000000000001,"compare":"close","tolerance":1e-6`, false},
		{"python", "[2**53]", `"expected":[9007199254740993],"compare":"close","tolerance":1e-6`, false},
		{"python", "2.0**53", `"expected":9007199254740993,"compare":"close","tolerance":1e-20`, false},
		{"python", "2.0**53", `"expected":9007199254740993,"compare":"close","tolerance":1e-6`, true},
		{"python", "2.0**53", `"expected":9007199254740993`, false},
		{"python", "10**400", `"expected":1.5,"compare":"close","tolerance":1e-6`, false},
		{"python", "10**400 + 1", `"expected":{"$int":"1` + strings.Repeat("0", 400) + `"},"compare":"close","tolerance":1e-6`, false},
		{"python", "10**400", `"expected":{"$int":"1` + strings.Repeat("0", 400) + `"},"compare":"close","tolerance":1e-6`, true},
		{"python", "10**400", `"expected":{"$float":"inf"},"compare":"close","tolerance":1e-6`, false},
		{"python", "complex(1, 0)", `"expected":{"$int":"1` + strings.Repeat("0", 400) + `"},"compare":"close","tolerance":1e-6`, false},
		{"python", "5", `"expected":6,"compare":"close","tolerance":0.5`, false},
		{"python", "5.0", `"expected":6,"compare":"close","tolerance":0.5`, true},
		{"python", "-0.0", `"expected":0`, true},
		{"python", "1000", `"expected":1e3`, true},
		{"python", "float('nan')", `"expected":{"$float":"nan"}`, true},
		{"python", "float('nan')", `"expected":{"$float":"nan"},"compare":"close","tolerance":1`, true},
		{"python", "float('inf')", `"expected":{"$float":"inf"},"compare":"close","tolerance":1`, true},
		{"python", "float('-inf')", `"expected":{"$float":"inf"},"compare":"close","tolerance":1`, false},
		{"python", "1e308", `"expected":{"$float":"inf"},"compare":"close","tolerance":1`, false},
		{"python", "[2**53 + 1, 1]", `"expected":[1, 9007199254740993],"compare":"unordered"`, true},
		{"python", "[2**53, 1]", `"expected":[1, 9007199254740993],"compare":"unordered"`, false},
		{"python", "[2.0**53, 1]", `"expected":[1, 9007199254740993],"compare":"unordered"`, false},
		{"python", "[float('nan'), 1]", `"expected":[1, {"$float":"nan"}],"compare":"unordered"`, true},
		{"python", "[True]", `"expected":[1],"compare":"unordered"`, false},
		{"python", "2**53", `"expected":[1, 9007199254740993],"compare":"any_of"`, false},
		{"python", "2**53 + 1", `"expected":1,"compare":"checker"`, true},
		{"python", "2**53", `"expected":1,"compare":"checker"`, false},
		{"python", "2.0**53", `"expected":1,"compare":"checker"`, false},
		{"python", "float('nan')", `"expected":1,"compare":"checker"`, false},
		{"javascript", "10n**18n - 60n", `"expected":1000000000000000001,"compare":"close","tolerance":1e-6`, false},
		{"javascript", "10n**18n + 1n", `"expected":1000000000000000001`, true},
		{"javascript", "2**53", `"expected":9007199254740993,"compare":"close","tolerance":1e-6`, false},
		{"javascript", "2**53 - 1", `"expected":9007199254740991`, true},
		{"javascript", "-0", `"expected":0`, true},
		{"javascript", "NaN", `"expected":{"$float":"nan"}`, true},
		{"javascript", "1/0", `"expected":{"$float":"inf"},"compare":"close","tolerance":1`, true},
		{"javascript", "0.1 + 0.2", `"expected":0.3,"compare":"close","tolerance":1e-9`, true},
		{"r", "1e18 - 1024", `"expected":1000000000000000000`, false},
		{"r", "1e18", `"expected":1000000000000000000`, true},
		{"r", "2^53", `"expected":9007199254740992`, true},
		{"r", "2^53 - 1", `"expected":9007199254740992`, false},
		{"r", "c(2^60, 1)", `"expected":[1152921504606846976, 1]`, true},
		{"r", "1e9 + 1", `"expected":1000000000,"compare":"close","tolerance":1e-6`, false},
		{"r", "1e9 + 1", `"expected":1e9,"compare":"close","tolerance":1e-6`, true},
		{"r", "0.1 + 0.2", `"expected":0.3`, true},
		{"r", "-0", `"expected":0`, true},
		{"r", "NaN", `"expected":{"$float":"nan"}`, true},
		{"r", "-Inf", `"expected":{"$float":"inf"}`, false},
	} {
		if !sampled.OneIn(4, i) {
			continue
		}
		if _, err := exec.LookPath(map[string]string{"python": "python3", "javascript": "node", "r": "Rscript"}[tt.language]); err != nil {
			continue
		}
		task := callsTask(t, "f", `{"args":[],`+tt.rest+`}`)
		task.Language = tt.language
		task.Tests.Checker = "def accept(got, expected, args, kwargs):\n    return type(got) is int and got == 2**53 + expected\n"
		code := map[string]string{"python": "def f(): return ", "javascript": "const f = () => ", "r": "f <- function() "}[tt.language] + tt.returns
		want := verdicts.WrongAnswer
		if tt.same {
			want = verdicts.Accepted
		}
		if r := judgeCode(t, j, task, code); r.Verdict != want {
			t.Errorf("%s: %s against %s: %s %s", tt.language, tt.returns, verdicts.Clip(tt.rest, 60), r.Verdict, r.Message)
		}
	}
}

// TestNumbersOfR has R's rules without R: numbers come as sample.R writes them.
func TestNumbersOfR(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	const rows = `
for rule, got, expected, same_ in [
    ("exact", 9.9999999999999898e+17, 10**18, False),
    ("exact", 1e+18, 10**18, True),
    ("exact", 2**53 - 1, 2**53, False),
    ("exact", 1.152921504606847e+18, 2**60, True),
    ("exact", [1.152921504606847e+18, 1], [2**60, 1], True),
    ("exact", 10**9 + 1, 10**9, False),
    ("exact", 10**9 + 1, 1e9, True),
    ("exact", 0.30000000000000004, 0.3, True),
    ("exact", 1e300, 10**400, False),
    ("close", 10**9 + 1, 10**9, False),
    ("any_of", 9.9999999999999898e+17, [1, 10**18], False),
    ("unordered", [1e18, 1], [1, 10**18], True),
    ("unordered", [9.9999999999999898e+17, 1], [1, 10**18], False),
]:
    if agrees_in("r", rule, got, expected, 1e-6) != same_:
        print(rule, got, expected)
`
	out, err := exec.Command(python, "-I", "-c", pythonCodec+pythonCompare+rows).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
