package judge

import (
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
	"assay/data/disk"
)

// keepOutputs records files that a process has written. Of each file it keeps the first version:
// a stdin task's program runs once for each test case, and calls continue in a new process after
// one was ended.
func (r *run) keepOutputs(files []sandbox.OutputFile) {
	if r.result.Outputs == nil && len(r.task.Outputs) > 0 {
		r.result.Outputs = make([]verdicts.OutputFile, len(r.task.Outputs))
		for i, name := range r.task.Outputs {
			r.result.Outputs[i] = verdicts.OutputFile{Name: name, Problem: verdicts.NothingLeft}
		}
	}
	for i, f := range files {
		if recorded := &r.result.Outputs[i]; recorded.Problem == verdicts.NothingLeft && !f.Missing {
			*recorded = outputFile(f)
		}
	}
}

func outputFile(f sandbox.OutputFile) verdicts.OutputFile {
	if f.Problem != "" {
		return verdicts.OutputFile{Name: f.Name, Problem: verdicts.StripEscapes(f.Problem)}
	}
	return verdicts.OutputFile{Name: f.Name, Size: int64(len(f.Data)), SHA256: disk.Sum(f.Data), Kind: verdicts.ContentKind(f.Data), Data: f.Data}
}
