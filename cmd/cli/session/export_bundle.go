package session

import (
	"encoding/json"
	"errors"
	"fmt"

	"assay/cmd/cli/console"
	"assay/cmd/cli/stores"
	"assay/data/disk"
	"assay/session/bundle"
	"assay/tui/frame"
)

// bundleOptions are the flags of `assay session export --bundle`.
type bundleOptions struct {
	file   string
	study  string // pack this study's sessions
	force  bool
	asJSON bool
}

// Packed is the JSON form of the result.
type Packed struct {
	Bundle   string `json:"bundle"`
	Seal     string `json:"seal"`
	Sessions int    `json:"sessions"`
	Events   int    `json:"events"`
	Texts    int    `json:"texts"`
	Report   int    `json:"report_files"`
}

func exportBundle(io *console.IO, g *console.Globals, o *bundleOptions, args []string) error {
	if o.file == "" {
		return console.Usagef("--bundle needs the name of the file to write")
	}
	if o.study != "" && len(args) > 0 {
		return console.Usagef("--study packs all sessions of the study in the store: leave out %s", args[0])
	}
	if o.study == "" && len(args) == 0 {
		return console.Usagef("assay session export --bundle takes one or more sessions: ids, their beginnings, \"last\" or \"all\"")
	}
	if o.file == disk.Stdout && o.asJSON {
		return console.Usagef("--json also prints to standard output: give --bundle a file name")
	}
	to := disk.Out{Path: o.file, Force: o.force, Perm: 0o600, To: io.Out}
	if err := to.Check(); err != nil {
		return fmt.Errorf("the bundle cannot be written: %w", err)
	}
	b, err := packSessions(io, g, o.study, args)
	if err != nil {
		return err
	}
	if err := to.Put(b.Write); err != nil {
		return fmt.Errorf("the bundle cannot be written: %w", err)
	}
	texts, report, _ := b.Count()
	p := Packed{o.file, b.Manifest.Seal, len(b.Manifest.Sessions), b.Events(), texts, report}
	if o.asJSON {
		return json.NewEncoder(io.Out).Encode(p)
	}
	fmt.Fprintf(io.Err, "wrote %s: %s with %s, %s, and the report; 'assay session verify %s' checks it. Its seal:\n",
		p.Bundle, frame.Count(p.Sessions, "session"), frame.Count(p.Events, "event"), frame.Count(p.Texts, "text"), p.Bundle)
	if o.file == disk.Stdout {
		fmt.Fprintln(io.Err, p.Seal)
		return nil
	}
	_, err = fmt.Fprintln(io.Out, p.Seal)
	return err
}

// packSessions packs the sessions of a study, or else those that the arguments name.
func packSessions(io *console.IO, g *console.Globals, studyFile string, args []string) (*bundle.Bundle, error) {
	k, err := stores.OpenKept(io, g)
	if err != nil {
		return nil, err
	}
	var ids []string
	if studyFile != "" {
		ids, err = stores.StudySessions(k, studyFile)
	} else {
		ids, err = stores.SessionIDs(k, args)
	}
	if err != nil {
		return nil, errors.Join(err, k.Close())
	}
	b, err := bundle.Pack(k, ids, console.Version())
	return b, errors.Join(err, k.Close())
}
