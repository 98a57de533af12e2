package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"assay/session/bundle"
)

// bundleOptions are the flags of `assay export --bundle`.
type bundleOptions struct {
	file   string
	force  bool
	asJSON bool
}

// packed is the JSON form of what was packed.
type packed struct {
	Bundle   string `json:"bundle"`
	Seal     string `json:"seal"`
	Sessions int    `json:"sessions"`
	Events   int    `json:"events"`
	Texts    int    `json:"texts"`
	Report   int    `json:"report_files"`
}

func exportBundle(io *IO, g *globals, o *bundleOptions, args []string) error {
	if o.file == "" {
		return usagef("--bundle needs the name of the file to write")
	}
	if len(args) == 0 {
		return usagef("assay export --bundle takes one session or more: ids, beginnings of them, \"last\" or \"all\"")
	}
	if _, err := os.Lstat(o.file); err == nil && !o.force {
		return fmt.Errorf("%s is there already: name another file, or replace it with --force", o.file)
	}
	b, err := packSessions(io, g, args)
	if err != nil {
		return err
	}
	if err := writeBundle(b, o.file); err != nil {
		return fmt.Errorf("the bundle cannot be written: %w", err)
	}
	texts, report, _ := b.Count()
	p := packed{o.file, b.Manifest.Seal, len(b.Manifest.Sessions), b.Events(), texts, report}
	if o.asJSON {
		return json.NewEncoder(io.Out).Encode(p)
	}
	fmt.Fprintf(io.Err, "wrote %s: %d sessions with %d events, %d texts, %d files of the report; 'assay verify %s' checks it. Its seal:\n",
		p.Bundle, p.Sessions, p.Events, p.Texts, p.Report, p.Bundle)
	fmt.Fprintln(io.Out, p.Seal)
	return nil
}

func packSessions(io *IO, g *globals, args []string) (*bundle.Bundle, error) {
	k, err := openKept(io, g)
	if err != nil {
		return nil, err
	}
	ids, err := sessionIDs(k, args)
	if err != nil {
		return nil, errors.Join(err, k.Close())
	}
	b, err := bundle.Pack(k, ids, version())
	return b, errors.Join(err, k.Close())
}

// writeBundle writes beside the file and renames: nobody finds half a bundle.
func writeBundle(b *bundle.Bundle, path string) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	err = errors.Join(b.Write(f), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
