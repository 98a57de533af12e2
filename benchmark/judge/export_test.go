package judge

import (
	"assay/benchmark"
)

// Shared returns a judge with the limits that users have, which all tests share; they do not close it.
func Shared() (*Judge, error) { return forAll() }

// GoImported adds the imports that a script of Go needs, as the judge does.
var GoImported = goImported

// WithoutShortcuts has the judge compile and start everything by the plain commands.
func (j *Judge) WithoutShortcuts(task *benchmark.Task) error {
	tool, err := j.ready(task)
	if err == nil && tool != nil {
		tool.ahead, tool.resident, tool.fork = nil, nil, nil
	}
	return err
}
