package format

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// evoCodeBench returns what a row of EvoCodeBench or DevEval lacks, or nil for other rows: its function is completed
// in a repository, and tested there.
func (l *lines) evoCodeBench(fields map[string]json.RawMessage) error {
	if !has("namespace", "completion_path", "tests")(fields) {
		return nil
	}
	path, project := bare(fields["completion_path"]), bare(fields["project_path"])
	if parts := strings.Split(path, "/"); project == "" && len(parts) > 2 {
		project = strings.Join(parts[:2], "/")
	}
	return l.fail("completion_path", fmt.Sprintf("this is a row of EvoCodeBench, whose function is completed and tested in the repository %s, which is "+
		"not in the file: get it (the benchmark publishes it as Source_Code), and write a task for it as 'assay help repositories' says", cmp.Or(project, path)))
}
