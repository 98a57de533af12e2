package sandbox

// Limits on what is copied out of a box.
const (
	MaxOutput  = 4 << 20  // bytes of one file
	MaxOutputs = 16 << 20 // bytes of all files of a program
)

// OutputFile is one of Spec.Outputs, or why it was not copied.
type OutputFile struct {
	Name    string
	Data    []byte
	Problem string // why there is no Data; "": it was copied completely
	Missing bool   // the Problem is that there is no such file
}
