package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/benchmark/repository/testlog"
	"assay/data/disk"
)

// HarnessResult is the result of one prediction, for the reports of SWE-bench's harness.
type HarnessResult struct {
	ID      string
	NoPatch bool            // the prediction has none
	Grades  *testlog.Grades // nil: the tests were not run, or their log shows no complete run
	Error   bool            // no result could be obtained: the instance has no report
	// Infra is a reason in the environment, if one was found; Ambiguous a reason that may be either's.
	Infra, Ambiguous string
}

// harnessReport is the harness' report.json of one instance.
type harnessReport struct {
	None    bool           `json:"patch_is_None"`
	Exists  bool           `json:"patch_exists"`
	Applied bool           `json:"patch_successfully_applied"`
	Solved  bool           `json:"resolved"`
	Infra   bool           `json:"infra_failure"`
	Reason  string         `json:"infra_failure_reason,omitempty"`
	Tests   *harnessStatus `json:"tests_status,omitempty"`
}

type harnessStatus struct {
	FailToPass testlog.Graded `json:"FAIL_TO_PASS"`
	PassToPass testlog.Graded `json:"PASS_TO_PASS"`
	FailToFail testlog.Graded `json:"FAIL_TO_FAIL"`
	PassToFail testlog.Graded `json:"PASS_TO_FAIL"`
}

// HarnessReport is the text of an instance's report.json.
func HarnessReport(r HarnessResult) ([]byte, error) {
	report := harnessReport{None: r.NoPatch, Exists: !r.NoPatch}
	if r.Grades != nil && !r.NoPatch {
		none := testlog.Graded{Success: []string{}, Failure: []string{}}
		report.Applied, report.Solved = true, r.Grades.Outcome() == testlog.Resolved
		report.Tests = &harnessStatus{r.Grades.FailToPass, r.Grades.PassToPass, none, none}
	} else if !r.NoPatch {
		report.Infra = r.Infra != ""
		if report.Reason = r.Infra; report.Reason == "" {
			report.Reason = r.Ambiguous
		}
	}
	return harnessJSON(map[string]harnessReport{r.ID: report})
}

// harnessSummary is the harness' summary of a run.
type harnessSummary struct {
	Total          int               `json:"total_instances"`
	Submitted      int               `json:"submitted_instances"`
	Completed      int               `json:"completed_instances"`
	Resolved       int               `json:"resolved_instances"`
	Unresolved     int               `json:"unresolved_instances"`
	Infra          int               `json:"infra_failure_instances"`
	Ambiguous      int               `json:"ambiguous_failure_instances"`
	Empty          int               `json:"empty_patch_instances"`
	Errors         int               `json:"error_instances"`
	CompletedIDs   []string          `json:"completed_ids"`
	IncompleteIDs  []string          `json:"incomplete_ids"`
	EmptyIDs       []string          `json:"empty_patch_ids"`
	SubmittedIDs   []string          `json:"submitted_ids"`
	ResolvedIDs    []string          `json:"resolved_ids"`
	UnresolvedIDs  []string          `json:"unresolved_ids"`
	InfraIDs       []string          `json:"infra_failure_ids"`
	AmbiguousIDs   []string          `json:"ambiguous_failure_ids"`
	FailureReasons map[string]string `json:"failure_reasons"`
	ErrorIDs       []string          `json:"error_ids"`
	Schema         int               `json:"schema_version"`
}

// HarnessSummary is the text of a run's summary. All lists the instances of the data set.
func HarnessSummary(all []string, results []HarnessResult) ([]byte, error) {
	s := harnessSummary{Total: len(all), Submitted: len(results), CompletedIDs: []string{}, IncompleteIDs: []string{}, EmptyIDs: []string{},
		SubmittedIDs: []string{}, ResolvedIDs: []string{}, UnresolvedIDs: []string{}, InfraIDs: []string{}, AmbiguousIDs: []string{},
		FailureReasons: map[string]string{}, ErrorIDs: []string{}, Schema: 2}
	submitted := map[string]bool{}
	for _, r := range results {
		submitted[r.ID] = true
		s.add(r)
	}
	for _, id := range all {
		if !submitted[id] {
			s.IncompleteIDs = append(s.IncompleteIDs, id)
		}
	}
	for _, list := range []struct {
		ids   []string
		count *int
	}{{s.CompletedIDs, &s.Completed}, {s.ResolvedIDs, &s.Resolved}, {s.UnresolvedIDs, &s.Unresolved}, {s.InfraIDs, &s.Infra},
		{s.AmbiguousIDs, &s.Ambiguous}, {s.EmptyIDs, &s.Empty}, {s.ErrorIDs, &s.Errors}, {s.SubmittedIDs, nil}, {s.IncompleteIDs, nil}} {
		slices.Sort(list.ids)
		if list.count != nil {
			*list.count = len(list.ids)
		}
	}
	return harnessJSON(s)
}

// add counts a result.
func (s *harnessSummary) add(r HarnessResult) {
	s.SubmittedIDs = append(s.SubmittedIDs, r.ID)
	switch {
	case r.NoPatch:
		s.EmptyIDs = append(s.EmptyIDs, r.ID)
		return
	case r.Error:
		s.ErrorIDs = append(s.ErrorIDs, r.ID)
	case r.Grades != nil && r.Grades.Outcome() == testlog.Resolved:
		s.CompletedIDs, s.ResolvedIDs = append(s.CompletedIDs, r.ID), append(s.ResolvedIDs, r.ID)
		return
	default:
		s.CompletedIDs, s.UnresolvedIDs = append(s.CompletedIDs, r.ID), append(s.UnresolvedIDs, r.ID)
	}
	switch {
	case r.Infra != "":
		s.InfraIDs, s.FailureReasons[r.ID] = append(s.InfraIDs, r.ID), r.Infra
	case r.Ambiguous != "":
		s.AmbiguousIDs, s.FailureReasons[r.ID] = append(s.AmbiguousIDs, r.ID), r.Ambiguous
	}
}

// WriteHarness writes the reports of a run as the harness lays them out below a folder:
// MODEL.RUN.json, whose path it returns, and logs/run_evaluation/RUN/MODEL/ID/report.json.
func WriteHarness(dir, model, run string, all []string, results []HarnessResult) (string, error) {
	model = strings.ReplaceAll(model, "/", "__")
	for _, name := range []string{model, run} {
		if name == "" || name[0] == '.' || !filepath.IsLocal(name) || strings.ContainsRune(name, '/') {
			return "", fmt.Errorf("writing the harness' reports: %q cannot be part of a file name", name)
		}
	}
	put := func(name string, text []byte) error {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("writing the harness' reports: %w", err)
		}
		return disk.Out{Path: file, Force: true}.Put(func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
	}
	for _, r := range results {
		if r.NoPatch || r.Error {
			continue // the harness does not run them
		}
		if !filepath.IsLocal(r.ID) || strings.ContainsRune(r.ID, '/') {
			return "", fmt.Errorf("writing the harness' reports: the id %q cannot be a file name", r.ID)
		}
		text, err := HarnessReport(r)
		if err != nil {
			return "", err
		}
		if err := put(filepath.Join("logs", "run_evaluation", run, model, r.ID, "report.json"), text); err != nil {
			return "", err
		}
	}
	text, err := HarnessSummary(all, results)
	if err != nil {
		return "", err
	}
	name := model + "." + run + ".json"
	return filepath.Join(dir, name), put(name, text)
}

// harnessJSON encodes as Python's json.dumps does with four spaces.
func harnessJSON(value any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "    ")
	if err := enc.Encode(value); err != nil {
		return nil, fmt.Errorf("writing the harness' report: %w", err)
	}
	return b.Bytes(), nil
}
