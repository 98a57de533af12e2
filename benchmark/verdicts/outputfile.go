package verdicts

// NothingLeft is the Problem of a file that no process has written.
const NothingLeft = "the program left no such file"

// OutputFile is a file that a task declares as an output, or why there is none.
type OutputFile struct {
	Name    string `json:"name"` // as the task declares it
	Size    int64  `json:"size"`
	SHA256  string `json:"sha256,omitempty"`
	Kind    string `json:"kind,omitempty"` // by its content, see ContentKind
	Data    []byte `json:"data,omitempty"`
	Problem string `json:"problem,omitempty"` // why it was not copied; the other fields are then empty
}

// WithoutData returns the file's description without its content.
func (f OutputFile) WithoutData() OutputFile {
	f.Data = nil
	return f
}
