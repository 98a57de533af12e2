package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"assay/benchmark"
	"assay/benchmark/outputs"
)

// A directory has the results of one evaluation: those of the samples that the last one counted, and no others. A file
// of samples may have grown since, or been mended, as long as most of the results there are still of its samples.

// chooseOld removes rows that are not of the samples of this evaluation. If these are most rows, the directory is
// another evaluation's, and it returns an error unless that is to be replaced.
func (o *Options) chooseOld(ctx context.Context, old map[key]Row, tasks map[string]*benchmark.Task, hashes map[string]string) error {
	samples, err := o.open()
	if err != nil {
		return err
	}
	defer samples.Close()
	same := map[key]bool{}
	for next := inOrder(samples); ; {
		s, number, err := next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		id := key{s.TaskID, number}
		if row, known := old[id]; known && o.Filter.Match(tasks[s.TaskID]) && row.Content == contentHash(hashes[s.TaskID], string(s.Kind), s.Text) {
			same[id] = true
		}
	}
	others := len(old) - len(same)
	switch {
	case others == 0:
		return nil
	case others > len(same) && !o.Replace:
		return fmt.Errorf("of the results in %s %d of %d are of other samples, tasks, rules or libraries: name another directory with --out, or drop them with --replace",
			o.Out, others, len(old))
	case o.Say != nil:
		o.Say(fmt.Sprintf("%s: %d of %d results are dropped, since their samples, tasks, rules or libraries have changed or are gone", o.Out, others, len(old)))
	}
	for id, row := range old {
		if same[id] {
			continue
		}
		delete(old, id)
		if len(row.Outputs) > 0 {
			if err := os.RemoveAll(filepath.Join(o.Out, outputsName, outputs.SafeName(id.task), strconv.Itoa(id.sample))); err != nil {
				return fmt.Errorf("dropping the files of an earlier result: %w", err)
			}
		}
	}
	return nil
}
