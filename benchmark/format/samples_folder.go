package format

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// sampleFile is a file in a folder of samples.
type sampleFile struct {
	path string
	id   string // of its task; "" if the file contains it
}

// openFolder finds the files of a folder: programs in a subfolder for each task, as in EvalPlus, or JSON
// files, as in MultiPL-E.
func (s *Samples) openFolder() error {
	if s.format != "" && s.format != EvalPlusFolder && s.format != MultiPLESamples {
		return fmt.Errorf("%s is a folder, but samples in the format %s are a file: name that file", s.path, s.format)
	}
	var programs, documents, results []sampleFile
	err := filepath.WalkDir(s.path, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		folder, name := filepath.Dir(path), strings.TrimSuffix(e.Name(), ".gz")
		switch {
		case e.IsDir() || e.Name()[0] == '.':
		case folder != s.path && numberOf(e.Name()) >= 0:
			within, err := filepath.Rel(s.path, folder)
			if err != nil {
				return err
			}
			programs = append(programs, sampleFile{path, s.taskOfFolder(within)})
		case folder == s.path && strings.HasSuffix(name, ".results.json"):
			results = append(results, sampleFile{path: path})
		case folder == s.path && strings.HasSuffix(name, ".json") && !strings.HasSuffix(name, "results.json"):
			documents = append(documents, sampleFile{path: path})
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading samples: %w", err)
	}
	slices.SortFunc(programs, func(a, b sampleFile) int {
		return cmp.Or(cmp.Compare(filepath.Dir(a.path), filepath.Dir(b.path)), cmp.Compare(numberOf(filepath.Base(a.path)), numberOf(filepath.Base(b.path))), cmp.Compare(a.path, b.path))
	})
	if len(documents) == 0 { // results repeat the completions
		documents = results
	}
	switch {
	case s.format == "" && len(programs) > 0 && len(documents) > 0:
		return fmt.Errorf("%s holds both folders of programs and JSON files: choose which are the samples with the format %s or %s", s.path, EvalPlusFolder, MultiPLESamples)
	case s.format == EvalPlusFolder || s.format == "" && len(programs) > 0:
		s.format, s.files = EvalPlusFolder, programs
	default:
		s.format, s.files = MultiPLESamples, documents
	}
	if len(s.files) == 0 {
		return fmt.Errorf("%s is a folder without samples: there must be a folder for each task with its programs, such as HumanEval_0/0.py, "+
			"or a file for each task, such as HumanEval_0_has_close_elements.json.gz", s.path)
	}
	return nil
}

// numberOf returns the number in a name such as 12.py, or -1.
func numberOf(name string) int {
	number, extension, _ := strings.Cut(name, ".")
	n, err := strconv.Atoi(number)
	if err != nil || extension == "" {
		return -1
	}
	return n
}

// taskOfFolder returns the id of the task of a folder: EvalPlus writes slashes as underscores, or has a folder for
// each part.
func (s *Samples) taskOfFolder(name string) string {
	name = filepath.ToSlash(name)
	if s.ids[spelling(name)] != "" {
		return s.ids[spelling(name)]
	}
	return strings.ReplaceAll(name, "_", "/")
}

// nextFile opens the next file of a folder.
func (s *Samples) nextFile() error {
	if len(s.files) == 0 {
		return io.EOF
	}
	file := s.files[0]
	s.files = s.files[1:]
	if s.format == MultiPLESamples {
		s.read = 0
		return s.openFile(file.path)
	}
	f, err := open(file.path)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxLine+1))
	at := &LineError{Path: file.path, Line: 1}
	switch {
	case err != nil:
		at.Text = f.broken(err)
	case len(text) > maxLine:
		at.Text = "the program is longer than 64 MB: is this a sample?"
	case !utf8.Valid(text):
		at.Text = notUTF8(text)
	default:
		s.queue = append(s.queue, Sample{TaskID: file.id, Kind: Solution, Text: string(text), Path: file.path, Line: 1})
		return nil
	}
	return at
}
