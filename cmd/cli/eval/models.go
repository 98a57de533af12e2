package eval

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/format"
	"assay/cmd/cli/console"
)

// models returns the models of the samples in their order if there are several, or else one without name. It returns
// an error for samples that the requested formats of results cannot express, before anything is judged.
func (o *evalOptions) models(tasks *benchmark.Benchmark, adaptive bool) ([]string, error) {
	samples, err := format.OpenSamplesAs(o.samples, format.SampleFormat(o.samplesAs), tasks)
	if err != nil {
		return nil, err
	}
	defer samples.Close()
	single := slices.Contains(o.results, string(batch.SWEBenchResults))
	if samples.Format() != format.SWEBenchSamples && !single {
		return []string{""}, nil
	}
	var models []string
	seen, folders := map[[2]string]bool{}, map[string]string{}
	for {
		s, err := samples.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if at := [2]string{s.Model, s.TaskID}; single && seen[at] {
			return nil, fmt.Errorf("%s:%d: a second answer of %s to %s: SWE-bench's harness has one for an instance; leave out --results-format %s",
				s.Path, s.Line, s.Model, s.TaskID, batch.SWEBenchResults)
		} else if single {
			seen[at] = true
		}
		folder := folderOf(s.Model)
		if other, taken := folders[folder]; !taken {
			models = append(models, s.Model)
			folders[folder] = s.Model
		} else if other != s.Model {
			return nil, fmt.Errorf("%s:%d: the results of the models %q and %q would be in one folder: rename one", s.Path, s.Line, other, s.Model)
		}
	}
	if len(models) < 2 {
		return []string{""}, nil
	}
	if adaptive {
		return nil, console.Usagef("--adaptive takes the samples of one model, and %s has those of %s", o.samples, strings.Join(models, ", "))
	}
	return models, nil
}

// folderOf is the name of the folder of a model's results.
func folderOf(model string) string {
	name := strings.ReplaceAll(model, "/", "__")
	if !filepath.IsLocal(name) || strings.HasPrefix(name, ".") {
		name = "_" + name
	}
	return name
}
