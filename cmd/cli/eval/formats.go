package eval

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/format"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
)

// checkFormats rejects unknown formats.
func (o *evalOptions) checkFormats() error {
	if o.samplesAs != "" && !slices.Contains(format.SampleFormats(), format.SampleFormat(o.samplesAs)) {
		return console.Usagef("--samples-format takes one of %s, not %q", inputs.FormatNames(format.SampleFormats()), o.samplesAs)
	}
	for _, as := range o.results {
		if !slices.Contains(batch.ResultsFormats(), batch.ResultsFormat(as)) {
			return console.Usagef("--results-format takes some of %s, not %q", inputs.FormatNames(batch.ResultsFormats()), as)
		}
	}
	if len(o.results) > 0 && o.Out == "" {
		return console.Usagef("--results-format writes next to results.jsonl: give --out DIRECTORY")
	}
	return nil
}

// saySamples prints the format of the samples.
func (o *evalOptions) saySamples(out io.Writer, tasks *benchmark.Benchmark) error {
	samples, err := format.OpenSamplesAs(o.samples, format.SampleFormat(o.samplesAs), tasks)
	if err != nil {
		return err
	}
	defer samples.Close()
	switch as := samples.Format(); as {
	case "", format.HumanEvalSamples, format.EvalPlusSamples: // what assay's own lines look like, too
		fmt.Fprintf(out, "%s: samples, one JSON object a line\n", o.samples)
	default:
		fmt.Fprintf(out, "%s: samples in the format %s\n", o.samples, as)
	}
	return nil
}

// writeResults writes the results in the requested formats.
func (o *evalOptions) writeResults(out io.Writer, options batch.Options) error {
	for _, as := range o.results {
		hash := ""
		if info, err := os.Stat(o.tasks); err == nil && info.Mode().IsRegular() {
			if hash, err = format.MD5(o.tasks); err != nil {
				return err
			}
		}
		paths, err := batch.WriteResults(options, batch.ResultsFormat(as), hash, time.Now())
		if err != nil {
			return err
		}
		if len(paths) > 3 {
			fmt.Fprintf(out, "results as %s: %s, … (%d files)\n", as, paths[0], len(paths))
			continue
		}
		for _, path := range paths {
			fmt.Fprintf(out, "results as %s: %s\n", as, path)
		}
	}
	return nil
}
