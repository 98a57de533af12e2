package analyser

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"assay/data/disk"
)

// maxSARIF is the largest SARIF file accepted.
const maxSARIF = 64 << 20

// sarifLog is the part used of a file in the Static Analysis Results Interchange Format 2.1.0.
type sarifLog struct {
	Version string `json:"version"`
	Runs    []struct {
		Tool struct {
			Driver struct {
				Name            string `json:"name"`
				Version         string `json:"version"`
				SemanticVersion string `json:"semanticVersion"`
				Rules           []struct {
					ID      string `json:"id"`
					Default struct {
						Level string `json:"level"`
					} `json:"defaultConfiguration"`
				} `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		Invocations []struct {
			Successful *bool  `json:"executionSuccessful"`
			Reason     string `json:"exitCodeDescription"`
		} `json:"invocations"`
		Results *[]struct {
			Rule         string `json:"ruleId"`
			Index        *int   `json:"ruleIndex"`
			Kind         string `json:"kind"`
			Level        string `json:"level"`
			Suppressions []any  `json:"suppressions"`
			Message      struct {
				Text string `json:"text"`
			} `json:"message"`
			Locations []struct {
				Physical struct {
					Artifact struct {
						URI string `json:"uri"`
					} `json:"artifactLocation"`
					Region struct {
						Line int `json:"startLine"`
					} `json:"region"`
				} `json:"physicalLocation"`
			} `json:"locations"`
		} `json:"results"`
	} `json:"runs"`
}

// ReadSARIF reads a SARIF file. An incomplete analysis is an error.
func ReadSARIF(path string, table *Severities) (*Recorded, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading a SARIF file: %w", err)
	}
	defer f.Close()
	text, err := disk.ReadAll(f, path, maxSARIF)
	if err != nil {
		return nil, fmt.Errorf("reading a SARIF file: %w", err)
	}
	r, err := parseSARIF(text, table)
	if err != nil {
		return nil, fmt.Errorf("reading the SARIF file %s: %w", path, err)
	}
	return r, nil
}

func parseSARIF(text []byte, table *Severities) (*Recorded, error) {
	var log sarifLog
	if err := json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &log); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(log.Version, "2.") {
		return nil, fmt.Errorf("its version is %q, but only 2.1.0 is supported", log.Version)
	}
	if len(log.Runs) == 0 {
		return nil, errors.New("it holds no analyser run")
	}
	var all Recorded
	for _, run := range log.Runs {
		driver := run.Tool.Driver
		title := strings.TrimSpace(driver.Name + " " + driver.Version)
		if driver.Version == "" {
			title = strings.TrimSpace(driver.Name + " " + driver.SemanticVersion)
		}
		for _, i := range run.Invocations {
			if i.Successful != nil && !*i.Successful {
				return nil, fmt.Errorf("%s did not finish: %s", title, i.Reason)
			}
		}
		if run.Results == nil {
			return nil, fmt.Errorf("the run of %s has no results, so the analyser did not run", title)
		}
		levels := map[string]string{}
		for _, rule := range driver.Rules {
			levels[rule.ID] = rule.Default.Level
		}
		made := recordedRun{title: title, analysed: security, of: map[string][]recordedFinding{}}
		for _, r := range *run.Results {
			if r.Kind != "" && r.Kind != "fail" || len(r.Suppressions) > 0 {
				continue
			}
			line, uri := 0, ""
			if len(r.Locations) > 0 {
				line, uri = r.Locations[0].Physical.Region.Line, r.Locations[0].Physical.Artifact.URI
			}
			if r.Rule == "" && r.Index != nil && *r.Index >= 0 && *r.Index < len(driver.Rules) {
				r.Rule = driver.Rules[*r.Index].ID
			}
			level := cmp.Or(r.Level, levels[r.Rule])
			found, err := table.rated("sarif", title, []raw{{r.Rule, level, "", line, r.Message.Text}})
			if err != nil {
				return nil, err
			}
			for _, f := range found {
				made.add(uri, f)
			}
		}
		all.runs = append(all.runs, made)
	}
	return &all, nil
}
