package machine

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/cmd/cli/console"
	"assay/cmd/cli/stores"
	"assay/cmd/cli/tasks"
	"assay/data/disk"
	"assay/scoring/irt/adaptive"
	"assay/session/bundle"
	analysis "assay/session/difficulty"
	"assay/session/estimate"
	"assay/session/generate"
	"assay/session/harden"
	"assay/session/overlap"
	"assay/session/prompts"
	"assay/session/report/difficulty"
	"assay/session/report/evaluations"
	"assay/session/report/sessions"
	"assay/session/study"
	"assay/store"
	"assay/tui/frame"
)

// formats are the forms of files, by the JSON member that names the version.
var formats = []struct {
	member, what string
	current      int
	again        string // writes an older one anew; "": older ones are read as they are
}{
	{"assay_benchmark", "benchmark", benchmark.FormatVersion, ""},
	{"assay_bundle", "bundle", bundle.Format, ""},
	{"assay_study", "lock of a study", study.LockFormat, ""},
	{"assay_packed_study", "packed study", study.PackFormat, ""},
	{"assay_run", "run directory", generate.ManifestVersion, ""},
	{"assay_prompts", "written prompts", prompts.Version, ""},
	{"assay_hardened", "harder tasks", harden.Version, ""},
	{"assay_overlap", "ratings", overlap.Version, ""},
	{"assay_estimates", "round of estimation", estimate.Version, ""},
	{"assay_draw", "draw of test sets", tasks.DrawFormat, ""},
	{"assay_items", "items of adaptive tests", adaptive.Format, "assay difficulty items"},
	{"assay_choices", "choices of an adaptive evaluation", batch.ChoicesVersion, "assay eval --adaptive"},
	{"assay_difficulty", "analysis of difficulty", analysis.Format, "assay difficulty --out"},
	{"assay_report", "report of sessions", sessions.FormatVersion, "assay report --out"},
	{"assay_batch_report", "report of evaluations", evaluations.FormatVersion, "assay report --out"},
	{"assay_difficulty_report", "report of difficulty", difficulty.FormatVersion, "assay difficulty report --out"},
}

// versioned is a file with its version.
type versioned struct {
	File    string `json:"file"`
	What    string `json:"what"`
	Format  int    `json:"format"`           // its version
	Current int    `json:"current"`          // the version that this program writes
	Change  string `json:"change"`           // what this program does with it, in words
	Backup  string `json:"backup,omitempty"` // the copy made before it was changed
}

// newer reports whether a later program wrote the file.
func (v versioned) newer() bool { return v.Format > v.Current }

// NewUpgrade returns `assay upgrade`.
func NewUpgrade(io *console.IO, g *console.Globals) *cobra.Command {
	var asJSON, write bool
	cmd := &cobra.Command{
		Use:   "upgrade [FILE | DIRECTORY]...",
		Short: "Show which files this version would change, and how",
		Long: `Show the version of each file and what this program does with it: of the store, or of the files
and of all below the directories that are named. Files without a version are left out. Nothing is
changed without --write, which migrates stores of earlier versions and keeps a copy of each beside
it. (So does opening a store.) All other files are read as they are. Exit code 1 says that a newer
assay wrote one.`,
		Example: "  assay upgrade\n  assay upgrade . --json",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				path := stores.Path(io, g)
				if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
					return fmt.Errorf("there is no store at %s yet; name files or directories", path)
				}
				args = []string{path}
			}
			list := []versioned{}
			for _, arg := range args {
				found, err := versionsBelow(arg)
				if err != nil {
					return err
				}
				list = append(list, found...)
			}
			return upgrade(io, list, write, asJSON)
		},
	}
	cmd.Flags().BoolVar(&write, "write", false, "migrate the stores of earlier versions, and keep a copy of each")
	console.JSONFlag(cmd.Flags(), &asJSON, "print a JSON array", []versioned{})
	return cmd
}

func upgrade(io *console.IO, list []versioned, write, asJSON bool) error {
	newer := 0
	for i := range list {
		v := &list[i]
		if v.newer() {
			newer++
		}
		if !write || v.What != storeName || v.Format >= v.Current {
			continue
		}
		backup, err := store.Upgrade(v.File)
		if err != nil {
			return err
		}
		v.Change, v.Backup = "migrated; the copy is "+backup, backup
	}
	if asJSON {
		if err := console.WriteJSON(io, list); err != nil {
			return err
		}
	} else {
		w := console.NewTable(io.Out)
		fmt.Fprintln(w, "file\twhat\tformat\t")
		for _, v := range list {
			fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", frame.OneLine(v.File), v.What, v.Format, v.Change)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	if newer > 0 {
		return fmt.Errorf("%s by a newer assay: update this one to read them", console.Counted(newer, "file was written", "files were written"))
	}
	return nil
}

const storeName = "store"

// versionsBelow returns the versions of a file, or of all files below a directory.
func versionsBelow(path string) ([]versioned, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		v, err := versionOf(path)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		case v == nil:
			return nil, fmt.Errorf("%s has no version of assay's formats: what it contains is checked when it is read", path)
		}
		return []versioned{*v}, nil
	}
	var list []versioned
	err = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || store.IsCopy(name) {
			return err
		}
		v, err := versionOf(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if v != nil {
			list = append(list, *v)
		}
		return nil
	})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("no file below %s has a version of assay's formats", path)
	}
	return list, err
}

// versionOf returns the version of a file, nil if it names none.
func versionOf(path string) (*versioned, error) {
	if store.IsStore(path) {
		has, current, err := store.Format(path)
		if err != nil {
			return nil, err
		}
		v := &versioned{File: path, What: storeName, Format: has, Current: current, Change: "read as it is"}
		if has < current {
			v.Change = fmt.Sprintf("will be migrated to format %d: indexes are made anew, events stay; a copy is kept", current)
		}
		return v.setChange(""), nil
	}
	f, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	start := bufio.NewReader(disk.Limited(f, path, disk.Table))
	var from io.Reader = start
	if magic, _ := start.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(start)
		if err != nil {
			return nil, nil
		}
		archive := tar.NewReader(z)
		if first, err := archive.Next(); err != nil || first.Name != "manifest.json" {
			return nil, nil
		}
		from = archive
	} else if magic, _ := start.Peek(1); !bytes.Equal(magic, []byte("{")) {
		return nil, nil
	}
	member, number := versionMember(from)
	for _, of := range formats {
		if of.member == member {
			v := &versioned{File: path, What: of.what, Format: number, Current: of.current, Change: "read as it is"}
			return v.setChange(of.again), nil
		}
	}
	return nil, nil
}

// setChange sets what is done with a file of another version; again is the command that writes it anew.
func (v *versioned) setChange(again string) *versioned {
	switch {
	case v.newer():
		v.Change = fmt.Sprintf("cannot be read: a newer assay wrote it, and this one knows format %d", v.Current)
	case v.Format < v.Current && again != "":
		v.Change = fmt.Sprintf("stays as it is; '%s' writes format %d", again, v.Current)
	}
	return v
}

// versionMember returns the first member of a JSON object whose name begins with "assay_" and that is a number.
func versionMember(r io.Reader) (name string, number int) {
	d := json.NewDecoder(r)
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return "", 0
	}
	for d.More() {
		t, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return "", 0
		}
		if name, _ := t.(string); strings.HasPrefix(name, "assay_") && json.Unmarshal(value, &number) == nil {
			return name, number
		}
	}
	return "", 0
}
