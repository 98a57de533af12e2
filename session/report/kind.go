package report

import (
	"encoding/json"
	"fmt"
	"io/fs"

	"assay/data/disk"
)

// dataName is the file with a report's numbers.
const dataName = "report.json"

// Kind is a kind of report, with the form of its data.
type Kind struct {
	Key     string // the property of report.json with the version of its form
	Version int    // that this program writes and checks
	Command string // that writes such reports
}

// version returns the format version of the data, 0 if they are of another kind.
func (k Kind) version(data []byte) (version int) {
	var head map[string]json.RawMessage
	if json.Unmarshal(data, &head) != nil || json.Unmarshal(head[k.Key], &version) != nil {
		return 0
	}
	return version
}

// In reports whether a folder holds a report of this kind.
func (k Kind) In(dir fs.FS) bool {
	data, err := disk.ReadFS(dir, dataName, disk.Data)
	return err == nil && k.version(data) > 0
}

// CheckFiles checks the report in a folder: it repeats the report's self-check on the tables of the folder, and
// checks that the page agrees with the data, that each number on the page is a correctly rounded cell of the
// data, and that the files are unchanged. It returns the report in the files. The error is not nil if there is
// no report to check.
func CheckFiles[R any](dir fs.FS, k Kind, check func(*R, fs.FS) ([]Check, error)) (*R, []Check, error) {
	data, err := disk.ReadFS(dir, dataName, disk.Data)
	if err != nil {
		return nil, nil, fmt.Errorf("there is no report: %w; `%s --out DIRECTORY` writes one", err, k.Command)
	}
	r := new(R)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dataName, err)
	}
	if v := k.version(data); v != k.Version {
		return nil, nil, fmt.Errorf("%s has format %d, and this assay checks format %d: write the report anew, or use the assay that wrote it", dataName, v, k.Version)
	}
	checks, err := check(r, dir)
	if err != nil {
		return nil, nil, err
	}
	written, err := checkWritten(dir, data)
	return r, append(checks, written...), err
}
