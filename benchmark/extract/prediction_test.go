package extract

import (
	"strconv"
	"strings"
	"testing"

	"assay/benchmark"

	"pgregory.net/rapid"
)

// What follows the == that compares is the value; one within the value belongs to it.
func TestReturned(t *testing.T) {
	for name, c := range map[string]struct{ answer, want string }{
		"value":                        {"42", "42"},
		"assertion":                    {"assert f(1) == 42", "42"},
		"call":                         {"f(1) == [1, 2]\nbecause of that", "[1, 2]"},
		"on a later line":              {"It returns 42:\nf(1) == 42\nas said", "42"},
		"tagged value":                 {"[ANSWER] 'abc' [/ANSWER] since f(1) == 2", "'abc'"},
		"tagged assertion":             {"So\n[ANSWER]\nassert f('x') == 'abc'\n[/ANSWER]\n", "'abc'"},
		"value that holds ==":          {"[ANSWER]'==c'[/ANSWER]", "'==c'"},
		"value that holds == alone":    {"'a==b'", "'a==b'"},
		"bytes":                        {"b\"==\"", "b\"==\""},
		"list that holds ==":           {"['==', 'a == b']", "['==', 'a == b']"},
		"assertion of a value with ==": {"[ANSWER] assert f('a == b', \"'\") == '==c' [/ANSWER]", "'==c'"},
		"== in an argument":            {"assert f(x == 1) == True", "True"},
		"escaped quote":                {`assert f('it\'s ==') == "=="`, `"=="`},
		"triple quotes":                {"assert f('''a'==\nb''') == 1", "1"},
		"apostrophe before":            {"It's clear that f(1) == 42", "42"},
		"apostrophe and strings":       {"It's f('x') == 'y'", "'y'"},
		"bracket that is not closed":   {"f(1 == 42", "42"},
		"message after the value":      {"assert f(1) == 2 == 3", "2"},
		"line ends of Windows":         {"[ANSWER]\r\nassert f(1) == '=='\r\n[/ANSWER]\r\n", "'=='"},
		"first line of Windows":        {"'=='\r\nas said\r\n", "'=='"},
	} {
		if e := prediction(c.answer, asking(benchmark.Execution)); e.Code != c.want {
			t.Errorf("%s: %q, want %q", name, e.Code, c.want)
		}
	}
}

func asking(style benchmark.Style) *benchmark.Task {
	return &benchmark.Task{EntryPoint: "f", Tests: benchmark.Tests{Style: style}}
}

// The call is found in each form of an answer, with any string as its argument.
func TestCalledIsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string) string {
			return strconv.Quote(rapid.StringOfN(rapid.SampledFrom([]rune("a='\"\\([{ )]}#\n")), 0, 9, -1).Draw(t, name))
		}
		call, value := "f("+text("argument")+", [1 == 1])", text("value")
		for _, form := range []string{"CALL", "[ANSWER] CALL [/ANSWER]", "CALL == VALUE", "[ANSWER]assert CALL == VALUE[/ANSWER]",
			"I think\nassert CALL == VALUE\nas said", "It's i == 1\n[/THOUGHT]\n[ANSWER]\nassert CALL == VALUE\n[/ANSWER]\nor a == b"} {
			answer := strings.NewReplacer("CALL", call, "VALUE", value).Replace(form)
			if e := prediction(answer, asking(benchmark.Input)); e.Code != call {
				t.Fatalf("%s: %q, want %q", answer, e.Code, call)
			}
		}
	})
	for _, answer := range []string{"I do not know.", "[ANSWER]7[/ANSWER]", "g(1)", "f"} {
		if e := prediction(answer, asking(benchmark.Input)); e.Code != "" || e.Method != MethodNone {
			t.Errorf("%s: %+v", answer, e)
		}
	}
}

// Any string is found as the value, in each form of an answer.
func TestReturnedIsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string) string {
			return strconv.Quote(rapid.StringOfN(rapid.SampledFrom([]rune("a='\"\\([{ )]}#\n")), 0, 9, -1).Draw(t, name))
		}
		value, argument := text("value"), text("argument")
		for _, form := range []string{"VALUE", "[ANSWER] VALUE [/ANSWER]", "f(ARGUMENT) == VALUE", "assert f(ARGUMENT) == VALUE\nas said",
			"I think\n[ANSWER]\nassert f(ARGUMENT) == VALUE\n[/ANSWER]\nor a == b"} {
			answer := strings.NewReplacer("VALUE", value, "ARGUMENT", argument).Replace(form)
			if e := prediction(answer, asking(benchmark.Execution)); e.Code != value {
				t.Fatalf("%s: %q, want %q", answer, e.Code, value)
			}
		}
	})
}
