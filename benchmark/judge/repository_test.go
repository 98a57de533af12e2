package judge

import (
	"context"
	"strings"
	"testing"

	"assay/benchmark"
)

// A task with a repository is not judged here, with its reason, and nothing is started for it.
func TestRepositoryIsNotJudged(t *testing.T) {
	task := &benchmark.Task{ID: "a", Language: "python", Repository: &benchmark.Repository{Name: "o/r", FailToPass: []string{"t"}}}
	if err := Known(task); err == nil || !strings.Contains(err.Error(), "whole repository") {
		t.Error(err)
	}
	result, err := new(Judge).Judge(context.Background(), Submission{Task: task, Code: "x"})
	if err != nil || result.Verdict != NotJudged || result.MissingTool || !strings.Contains(result.Message, "whole repository") {
		t.Errorf("%+v, %v", result, err)
	}
}
