package judge

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

func rTask(t *testing.T, j *Judge, cases ...string) *benchmark.Task {
	t.Helper()
	task := callsTask(t, "f", cases...)
	task.Language = "r"
	task.Limits = benchmark.Limits{CPUSeconds: 2, CPUTotal: 6, MemoryMB: 300}
	ready(t, j, task)
	return task
}

// TestRCalls: values are compared as R's users would, by all.equal.
func TestRCalls(t *testing.T) {
	j := newJudge(t)
	for _, tt := range []struct{ name, cases, code, statuses, message string }{
		{"number", `{"args":[2],"expected":4}`, "f <- function(x) x^2", "passed", ""},
		{"within all.equal's tolerance", `{"args":[2],"expected":1.414213562}`, "f <- sqrt", "passed", ""},
		{"beyond it", `{"args":[2],"expected":1.41421}`, "f <- sqrt", "wrong_answer", ""},
		{"a vector", `{"args":[[1,2,3]],"expected":[2,4,6]}`, "f <- function(x) 2 * x", "passed", ""},
		{"a vector of one", `{"args":[[1]],"expected":[2]}`, "f <- function(x) 2 * x", "passed", ""},
		{"an integer vector", `{"args":[3],"expected":[1,2,3]}`, "f <- function(n) seq_len(n)", "passed", ""},
		{"NA", `{"args":[[1,null,3]],"expected":[null,2]}`, "f <- function(x) c(NA, mean(x, na.rm = TRUE))", "passed", ""},
		{"NaN and Inf", `{"args":[0],"expected":[{"$float":"nan"},{"$float":"-inf"}]}`, "f <- function(x) c(x / x, -1 / x)", "passed", ""},
		{"text", `{"args":["a \"b\"\n\\ é😀"],"expected":"A \"B\"\n\\ É😀"}`, "f <- function(x) toupper(x)", "passed", ""},
		{"logical", `{"args":[[1,5]],"expected":[false,true]}`, "f <- function(x) x > 3", "passed", ""},
		{"TRUE is not 1", `{"args":[1],"expected":1}`, "f <- function(x) TRUE", "wrong_answer", ""},
		{"a list", `{"args":[{"a":1,"b":["x","y"]}],"expected":{"n":2,"b":["x","y"]}}`, "f <- function(l) list(n = l$a + 1, b = l$b)", "passed", ""},
		{"a named vector", `{"args":[["b","a","b"]],"expected":{"a":1,"b":2}}`, "f <- function(x) { t <- table(x); setNames(as.vector(t), names(t)) }", "passed", ""},
		{"a factor", `{"args":[["u","v"]],"expected":["u","v"]}`, "f <- function(x) factor(x)", "passed", ""},
		{"a data frame", `{"args":[2],"expected":{"x":[1,2],"y":["a","b"]}}`, "f <- function(n) data.frame(x = seq_len(n), y = c('a', 'b'))", "passed", ""},
		{"a matrix", `{"args":[2],"expected":[[1,3],[2,4]]}`, "f <- function(n) matrix(1:4, n)", "passed", ""},
		{"an empty list", `{"args":[{}],"expected":{}}`, "f <- identity", "passed", ""},
		{"an empty list with names", `{"args":[2],"expected":[]}`, "f <- function(n) setNames(list(), character(0))", "passed", ""},
		{"an empty vector with names", `{"args":[2],"expected":{"x":{},"y":[]}}`, "f <- function(n) list(x = c(a = 1)[0], y = data.frame())", "passed", ""},
		{"an empty list is not NULL", `{"args":[2],"expected":[]}`, "f <- function(n) NULL", "wrong_answer", ""},
		{"NULL", `{"args":[2],"expected":null}`, "f <- function(n) NULL", "passed", ""},
		{"keyword arguments", `{"args":[2],"kwargs":{"base":3},"expected":9}`, "f <- function(x, base) base^x", "passed", ""},
		{"function is opaque", `{"args":[2],"expected":2}`, "f <- function(n) f", "wrong_answer", ""},
		{"raises", `{"args":[2],"raises":"simpleError"}`, "f <- function(n) stop('no')", "passed", ""},
		{"stops", `{"args":[2],"expected":2}`, "f <- function(n) stop('no')", "runtime_error", "simpleError: no"},
		{"syntax", `{"args":[2],"expected":2}`, "f <- function(n) {", "not_run", "unexpected end"},
		{"missing", `{"args":[2],"expected":2}`, "g <- 1", "not_run", "defines no function f"},
		{"quits", `{"args":[2],"expected":2}`, "f <- function(n) quit(save = 'no')", "runtime_error", ""},
		{"prints", `{"args":[2],"expected":2}`, "f <- function(n) { print(n); cat('x', file = stderr()); n }", "passed", ""},
		{"loops", `{"args":[2],"expected":2}`, "f <- function(n) repeat {}", "time_limit", "processor time"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			r := judgeCode(t, j, rTask(t, j, tt.cases), tt.code)
			if statuses(r) != tt.statuses || !strings.Contains(r.Message, tt.message) || r.Isolation != "isolated" {
				t.Errorf("%s [%s] %q %+v %s, want [%s] %q", r.Verdict, statuses(r), r.Message, r.Cases, r.Stderr, tt.statuses, tt.message)
			}
		})
	}
}

// TestRScript: pictures have fonts, and an error of R that takes two lines is named whole.
func TestRScript(t *testing.T) {
	j := newJudge(t)
	for _, tt := range []struct{ name, script, message string }{
		{"a picture", "png('a.png', type = 'cairo'); plot(1:3, main = 'x'); invisible(dev.off()); stopifnot(file.size('a.png') > 0)", ""},
		{"a long error", "stopifnot('the reason' = identical(f(c(1, 2, 3)), c('a text that is so long that R', 'begins a new line for its message')))", "the reason"},
		{"a short error", "stop('the reason')", "Error: the reason"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			task := &benchmark.Task{ID: "t", Title: "t", Description: "d", Language: "r", EntryPoint: "f", Outputs: []string{"a.png"},
				Tests: benchmark.Tests{Style: benchmark.Script, Script: tt.script}, Limits: benchmark.Limits{CPUSeconds: 5, MemoryMB: 300}}
			ready(t, j, task)
			r := judgeCode(t, j, task, "f <- identity")
			if (r.Verdict == verdicts.Accepted) != (tt.message == "") || !strings.Contains(r.Message, tt.message) || r.Stderr != "" && tt.message == "" {
				t.Errorf("%s %q %s, want %q", r.Verdict, r.Message, r.Stderr, tt.message)
			}
		})
	}
}

func TestRForgery(t *testing.T) {
	j := newJudge(t)
	task := rTask(t, j, `{"args":[1],"expected":"xylograph"}`, `{"args":[2],"expected":[1,2]}`)
	for _, a := range []struct{ name, code string }{
		{"agrees with everything", "`==.yes` <- function(a, b) TRUE\nOps.yes <- function(e1, e2) TRUE\nas.character.yes <- function(x, ...) 'xylograph'\nf <- function(x) structure(list(), class = 'yes')"},
		{"looks for the answer", "f <- function(x) { found <- unlist(lapply(list.files('/tmp', full.names = TRUE, all.files = TRUE), function(p) tryCatch(readLines(p), error = function(e) ''))); hit <- grep('xylo', found, value = TRUE); if (length(hit)) hit[1] else 'none' }"},
		{"replaces what encodes", "assign('paste0', function(...) '{\"k\":\"done\"}', envir = globalenv())\nf <- function(x) 1"},
		{"a forged answer", "f <- function(x) { system(\"printf '\\\\000\\\\000\\\\000\\\\002{}' >&4\"); 1 }"},
	} {
		t.Run(a.name, func(t *testing.T) {
			sampled.Row(t, 6)
			if r := judgeCode(t, j, task, a.code); !slices.Contains(never, r.Verdict) || r.Passed > 0 {
				t.Errorf("%s %d/%d %q", r.Verdict, r.Passed, r.Total, r.Message)
			}
		})
	}
}

func TestRArguments(t *testing.T) {
	for in, want := range map[string]string{
		`[1,"a",true,null]`:                  `list(1,"a",TRUE,NULL)`,
		`[[1,2.5],["a",null],[1,"a"],[[1]]]`: `list(c(1,2.5),c("a",NA),list(1,"a"),list(c(1)))`,
		`[{"b":1,"a b":[]}]`:                 `list(list("a b"=list(),"b"=1))`,
		`[{"$float":"-inf"},{"$tuple":[1]}]`: `list(-Inf,c(1))`,
		`["\"; q(); \"\\"]`:                  `list("\"; q(); \"\\")`,
	} {
		if got, err := rArguments(json.RawMessage(in), json.RawMessage("{}")); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", in, got, err, want)
		}
	}
	if _, err := rArguments(json.RawMessage(`[{"$bytes":"eA=="}]`), json.RawMessage("{}")); err == nil {
		t.Error("bytes were accepted")
	}
}
