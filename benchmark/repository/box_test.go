package repository

import (
	"testing"

	"assay/benchmark/repository/testlog"
	"assay/data/fatal"
)

// The report for machines decides on tests; words of the log that are none are taken from the log.
func TestWordsThatAreNoTests(t *testing.T) {
	parser, err := testlog.Find("pytest")
	fatal.If(t, err)
	run := ran{
		log: "PASSED [100%]\nPASSED tests/test_a.py::test_forged\nPASSED tests/test_a.py::test_one\n",
		report: `<testsuites><testsuite name="pytest"><testcase classname="tests.test_a" name="test_one" file="tests/test_a.py" line="0"><failure message="no"/></testcase>` +
			`</testsuite></testsuites>`,
	}
	got := run.results(parser).Status
	if len(got) != 2 || got["[100%]"] != testlog.Passed || got["tests/test_a.py::test_one"] != testlog.Failed {
		t.Errorf("%v", got)
	}
}
