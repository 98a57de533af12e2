package session

// TreeChanged is what an answer to a repository task changes, or why it cannot be applied. It is recorded
// before the tests run, where the repository can be read.
type TreeChanged struct {
	Task    int           `json:"task"` // index in the plan: results may arrive late
	Attempt int           `json:"attempt"`
	Files   []ChangedFile `json:"files,omitempty"` // by path
	Failed  *PatchFailure `json:"failed,omitempty"`
	Side    Side          `json:"side,omitempty"` // of two answers
}

// FileChange is what happened to a file.
type FileChange string

// The kinds of changes.
const (
	FileChanged FileChange = "changed"
	FileNew     FileChange = "new"
	FileDeleted FileChange = "deleted"
	FileRenamed FileChange = "renamed"
)

// ChangedFile is the change of one file of a repository.
type ChangedFile struct {
	Path    string     `json:"path"`
	From    string     `json:"from,omitempty"` // of a renamed file
	Change  FileChange `json:"change"`
	Before  Ref        `json:"before,omitempty"` // the text; empty for a new, binary or very large file
	After   Ref        `json:"after,omitempty"`  // the text; empty for a deleted, binary or very large file
	Mode    string     `json:"mode,omitempty"`   // git's, if it changed: "100644 → 100755"
	Binary  bool       `json:"binary,omitempty"`
	Bytes   int        `json:"bytes"` // of the new content, or of that of a deleted file
	Added   int        `json:"added"` // lines
	Deleted int        `json:"deleted"`
}

// PatchFailure is why an answer does not apply.
type PatchFailure struct {
	Path string `json:"path,omitempty"`
	Hunk int    `json:"hunk,omitempty"` // number of the hunk or block in the file, from 1
	Line int    `json:"line,omitempty"` // of the answer's patch, from 1
	Text string `json:"text"`           // what happened
	Also string `json:"also,omitempty"` // why it does not apply with fuzz either
	Part Ref    `json:"part,omitempty"` // the hunk or block
}

// Kind implements [Payload].
func (TreeChanged) Kind() Kind { return KindTreeChanged }

// Lines returns the number of added and deleted lines of files.
func Lines(files []ChangedFile) (added, deleted int) {
	for _, f := range files {
		added, deleted = added+f.Added, deleted+f.Deleted
	}
	return added, deleted
}

func (s *State) changeTree(p TreeChanged) error {
	return s.answered(p.Kind(), p.Task, p.Attempt, p.Side, func(a *Attempt) error {
		if a.Tree != nil {
			return notNow(p.Kind(), "the changes of attempt %d are recorded", p.Attempt)
		}
		a.Tree = &p
		return nil
	})
}
