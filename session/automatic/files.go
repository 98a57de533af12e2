package automatic

import (
	"context"
	"strings"

	"assay/benchmark/repository/patch"
	"assay/session/engine"
	"assay/session/llm"
)

// maxFiles is the size in bytes up to which the contents of a repository's files are part of a prompt.
const maxFiles = 100_000

// repositoryFiles returns what a model without tools needs of a repository: the list of its files, and their
// contents if they are not too long together. It is empty for an agent, which has the files, and if the
// repository cannot be read, since the verdict says so.
func repositoryFiles(ctx context.Context, eng *engine.Engine, task int) string {
	if eng.Task(task).Repository == nil || eng.State().Plan.Model.Provider == llm.ProviderAgent {
		return ""
	}
	paths, err := eng.Paths(ctx, task)
	if err != nil {
		return ""
	}
	list := "\nFiles of the repository:\n\n" + strings.Join(paths, "\n") + "\n"
	var contents strings.Builder
	for _, path := range paths {
		text, err := eng.ReadFile(ctx, task, path)
		if err != nil || strings.TrimSpace(text) == "" { // no text, or nothing in it
			continue
		}
		contents.WriteString("\n" + patch.Fenced(path, text))
		if contents.Len() > maxFiles {
			return list
		}
	}
	return list + contents.String()
}
