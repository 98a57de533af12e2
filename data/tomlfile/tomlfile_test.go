package tomlfile

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"assay/data/fatal"
)

// A file that was saved on Windows is read as any other, and its errors name the same lines.
func TestFilesFromWindows(t *testing.T) {
	windows := func(text string) string { return "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n") }
	var got struct {
		Name string
		Arm  []struct{ Model string }
	}
	f, err := Decode("a.toml", windows("name = \"x\"\n[[arm]]\nmodel = \"\"\"\ny\n\"\"\"\n"), &got, "")
	fatal.If(t, err)
	if got.Name != "x" || len(got.Arm) != 1 || strings.TrimSpace(got.Arm[0].Model) != "y" || !f.Has("name") {
		t.Errorf("%+v", got)
	}
	for key, want := range map[string]string{"name": "a.toml:1: name: no", "arm.0.model": "a.toml:3: arm.0.model: no"} {
		if err := f.Wrong(key, "no"); err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := Decode("a.toml", windows("name = 1\n"), &got, ""); err == nil || !strings.Contains(err.Error(), "a.toml:1: ") {
		t.Error(err)
	}
}

// Whatever the layout of a text, each key is found at its line.
func TestLines(t *testing.T) {
	for seed := range 10_000 {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		var text strings.Builder
		want := map[string]int{}
		line := 1
		write := func(s string) {
			text.WriteString(s)
			line += strings.Count(s, "\n")
		}
		values := []string{"1", `"a = 1"`, "'[x]'", "[\n  1,\n  # k0 = 3\n  2,\n]", "\"\"\"\nk1 = 1\n[t]\n\"\"\"", "2024-06-30", "'''\n[[a]]\n'''", "true"}
		keys := func(prefix string) {
			for k := range random.IntN(4) {
				name := fmt.Sprintf("k%d", k)
				want[prefix+name] = line
				switch random.IntN(6) {
				case 0:
					want[prefix+name+".in"] = line
					write(name + ".in = " + values[random.IntN(len(values))])
				case 1:
					want[prefix+name+".x"], want[prefix+name+".y"] = line, line
					write(name + " = { x = 1, 'y' = \"=\" }")
				case 2:
					want[prefix+name+".0.x"] = line + 1
					want[prefix+name+".1.x"] = line + 3
					write(name + " = [\n { x = 1 },\n # no\n { x = 2 },\n]")
				case 3:
					write(fmt.Sprintf("%q = %s", name, values[random.IntN(len(values))]))
				default:
					write(name + " = " + values[random.IntN(len(values))] + " # k9 = 1")
				}
				write("\n")
			}
		}
		keys("")
		for n, arrays := 0, 0; n < random.IntN(5); n++ {
			write(strings.Repeat("\n# [a]\n", random.IntN(2)))
			if random.IntN(2) == 0 {
				want[fmt.Sprintf("t%d", n)] = line
				write(fmt.Sprintf("[ t%d ]\n", n))
				keys(fmt.Sprintf("t%d.", n))
				continue
			}
			want[fmt.Sprintf("a.%d", arrays)] = line
			write("[[a]]\n")
			keys(fmt.Sprintf("a.%d.", arrays))
			if random.IntN(2) == 0 {
				want[fmt.Sprintf("a.%d.deep", arrays)] = line
				write("[a.deep]\n")
				keys(fmt.Sprintf("a.%d.deep.", arrays))
			}
			arrays++
		}
		var into map[string]any
		f, err := Decode("f.toml", text.String(), &into, "")
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text.String())
		}
		for key, at := range want {
			if !f.Has(key) || f.Line(key) != at {
				t.Fatalf("seed %d: %s is at line %d, want %d\n%s", seed, key, f.Line(key), at, text.String())
			}
		}
	}
}

// A value of the wrong type is named with its place, and what it must be.
func TestTypes(t *testing.T) {
	for text, want := range map[string]string{
		"name = 7":                      "f.toml:1: name: must be a text in quotes, not a whole number",
		"\n[[arm]]\n[[arm]]\nn = \"a\"": "f.toml:4: arm.1.n: must be a whole number, not a text",
		"list = [\n 1,\n \"a\",\n]":     "f.toml:3: list: must be a whole number, not a text",
		"list = 2024-01-01":             "f.toml:1: list: must be a list, not a date or time",
		"arm = [{ n = 1 },\n{ m = 2 }]": "f.toml:2: arm.1.m: the key is not known: see help",
		"name = \"a":                    "f.toml:1: ",
		"list = [1.5]":                  "f.toml:1: list: must be a whole number, not a number with a fraction",
		"size = -1":                     "f.toml:1: size: must be 0 or more",
		"size = 99999999999999999999":   "f.toml:1: size: the number is too large",
		"size = # none":                 "f.toml:1: size: there is no value after =",
		"size = ":                       "f.toml:1: size: there is no value after =",
		"one = 3":                       "f.toml:1: one: must be a table, not a whole number",
		"arm = [3]":                     "f.toml:1: arm: must be a table, not a whole number",
		"[[one]]\nn = 1":                "f.toml:1: one: must be one table, as [name], not a list of tables, as [[name]]",
		"arm = 3":                       "f.toml:1: arm: must be a list, not a whole number",
		"[arm]\nn = 1":                  "f.toml:1: arm: is a list of tables: write [[arm]], also for a single one",
		"[one]\n[arm]\n[[arm]]":         "f.toml:2: arm: is a list of tables: write [[arm]], also for a single one",
		"[[arm]]\nn = 1\nn = 2":         "f.toml:3: n: the key stands twice: remove one",
		"[one]\n\nn = 010":              "f.toml:3: one.n: a number does not begin with 0: remove the zero",
		"[[arm]]\n[[arm]]\nn = 1,":      "f.toml:3: arm.1.n: something stands after the value: remove it",
		"list = [1,,2]":                 "f.toml:1: list: a comma stands where a value should be: remove it",
		"name = \"\"\nlist = [\n ,1]":   "f.toml:3: list: a comma stands where a value should be: remove it",
		"[one]\nn":                      "f.toml:2: write it as name = value",
	} {
		var into struct {
			Name string
			List []int
			Size uint64
			One  struct{ N int }
			Arm  []struct{ N int }
		}
		if _, err := Decode("f.toml", text, &into, "see help"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// What differs between two texts is told with its line; comments, layout and order do not differ.
func TestChanges(t *testing.T) {
	const earlier = "name = \"a\"\n[s]\nk = 10\nlong = \"0123456789012345678901234567890123456789 one\"\n[[arm]]\nn = 1\n"
	for text, want := range map[string]string{
		earlier:             "",
		"# new\n" + earlier: "",
		"\ufeff" + strings.ReplaceAll(earlier, "\n", "\r\n"):                            "",
		"name = 'a'\narm = [{ n = 1 }]\n" + earlier[11:strings.Index(earlier, "[[")]:    "",
		strings.Replace(earlier, "10", "9", 1):                                          "line 3: s.k is 9, was 10",
		strings.Replace(earlier, "one", "two", 1):                                       "line 4: s.long is another text",
		strings.Replace(earlier, "n = 1", "n = 1\nm = true", 1):                         "line 7: arm.0.m = true is new",
		strings.Replace(earlier, "[[arm]]\nn = 1\n", "", 1):                             "arm.0.n = 1 is gone",
		strings.Replace(strings.Replace(earlier, "\"a\"", "\"b\"", 1), "10", "'10'", 1): "line 1: name is \"b\", was \"a\"; line 3: s.k is \"10\", was 10",
	} {
		f := &File{Path: "f.toml", text: strings.TrimPrefix(text, "\ufeff")}
		if got := strings.Join(f.Changes(earlier), "; "); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
