package judge

import (
	"crypto/sha256"
	"encoding/hex"

	"assay/benchmark/sandbox"
)

// OutputFile is a file that a task declares as an output, or why there is none.
type OutputFile struct {
	Name    string `json:"name"` // as the task declares it
	Size    int64  `json:"size"`
	SHA256  string `json:"sha256,omitempty"`
	Kind    string `json:"kind,omitempty"` // by its content, see ContentKind
	Data    []byte `json:"data,omitempty"`
	Problem string `json:"problem,omitempty"` // why it was not copied; the other fields are then empty

	missing bool
}

// nothingLeft is the Problem of a file that no process has written.
const nothingLeft = "the program left no such file"

// keepOutputs records files that a process has written. Of each file it keeps the first version:
// a stdin task's program runs once for each test case, and calls continue in a new process after
// one was ended.
func (r *run) keepOutputs(files []sandbox.OutputFile) {
	if r.result.Outputs == nil && len(r.task.Outputs) > 0 {
		r.result.Outputs = make([]OutputFile, len(r.task.Outputs))
		for i, name := range r.task.Outputs {
			r.result.Outputs[i] = OutputFile{Name: name, Problem: nothingLeft, missing: true}
		}
	}
	for i, f := range files {
		if recorded := &r.result.Outputs[i]; recorded.missing && !f.Missing {
			*recorded = outputFile(f)
		}
	}
}

func outputFile(f sandbox.OutputFile) OutputFile {
	if f.Problem != "" {
		return OutputFile{Name: f.Name, Problem: StripEscapes(f.Problem)}
	}
	sum := sha256.Sum256(f.Data)
	return OutputFile{Name: f.Name, Size: int64(len(f.Data)), SHA256: hex.EncodeToString(sum[:]), Kind: ContentKind(f.Data), Data: f.Data}
}

// WithoutData returns the file's description without its content.
func (f OutputFile) WithoutData() OutputFile {
	f.Data = nil
	return f
}
