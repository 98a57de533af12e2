package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"assay/benchmark"
	"assay/benchmark/outputs"
	"assay/data/disk"
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
		if err := dropOutputs(o.Out, row); err != nil {
			return err
		}
	}
	return dropMade(o.Out, "")
}

// dropOutputs removes the files that the program of a result wrote.
func dropOutputs(dir string, row Row) error {
	if len(row.Outputs) == 0 {
		return nil
	}
	if err := os.RemoveAll(filepath.Join(dir, outputsName, outputs.SafeName(row.TaskID), strconv.Itoa(row.Sample))); err != nil {
		return fmt.Errorf("dropping the files of an earlier result: %w", err)
	}
	return nil
}

// Alone returns an error if a directory has results of another kind of evaluation, whose file name is one of
// [ChoicesName] or results.jsonl: of an adaptive one, or of several models in place of one. To replace them drops them.
func Alone(dir, name string, replace bool) error {
	path := filepath.Join(dir, name)
	switch info, err := os.Stat(path); {
	case dir == "" || err != nil || info.Size() == 0:
		return nil
	case !replace:
		return fmt.Errorf("%s is of another evaluation than this one: name another directory with --out, or drop it with --replace", path)
	}
	if name == ResultsName {
		rows, err := ReadResults(dir)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := dropOutputs(dir, row); err != nil {
				return err
			}
		}
	}
	return errors.Join(dropMade(dir, ""), os.Remove(path))
}

// madeName is the list of the files that [WriteResults] made: format and path in a line. They are removed when the
// results are no longer those that they were made from.
const madeName = "results-formats.txt"

// noteMade adds the files of a format to the list.
func noteMade(dir string, as ResultsFormat, paths []string) error {
	made, err := readMade(dir)
	if err != nil {
		return err
	}
	for _, path := range paths {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		made = append(made, string(as)+" "+name)
	}
	return writeMade(dir, made)
}

// dropMade removes the files of a format, or of all for "".
func dropMade(dir string, as ResultsFormat) error {
	made, err := readMade(dir)
	if err != nil || len(made) == 0 {
		return err
	}
	var left []string
	for _, line := range made {
		kind, name, _ := strings.Cut(line, " ")
		if as != "" && kind != string(as) || !filepath.IsLocal(name) {
			left = append(left, line)
		} else if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("removing what was made of earlier results: %w", err)
		}
	}
	return writeMade(dir, left)
}

func readMade(dir string) ([]string, error) {
	text, err := disk.ReadFile(filepath.Join(dir, madeName), disk.Document)
	if errors.Is(err, os.ErrNotExist) || dir == "" {
		return nil, nil
	}
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' }), err
}

func writeMade(dir string, made []string) error {
	path := filepath.Join(dir, madeName)
	if len(made) == 0 {
		if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	return disk.Replace(path, 0o644, func(out io.Writer) error {
		_, err := io.WriteString(out, strings.Join(made, "\n")+"\n")
		return err
	})
}
