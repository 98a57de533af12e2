package session

import (
	"encoding/json"
	"errors"
	"fmt"

	"assay/cmd/cli/console"
	"assay/cmd/cli/stores"
	"assay/data/disk"
	"assay/data/program"
	"assay/session/bundle"
	"assay/tui/frame"
)

// bundleOptions are the flags of `assay session export --bundle`.
type bundleOptions struct {
	file    string
	study   string // pack this study's sessions
	ratings string // and these ratings of their answers
	force   bool
	asJSON  bool
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
	if o.ratings != "" && o.study == "" {
		return console.Usagef("--ratings goes with --study")
	}
	if o.study == "" && len(args) == 0 {
		return console.Usagef("assay session export --bundle takes one or more sessions: ids, their beginnings, \"last\" or \"all\"")
	}
	if o.file == disk.Stdout && o.asJSON {
		return console.Usagef("--json also prints to standard output: give --bundle a file name")
	}
	to := disk.Out{Path: o.file, Force: o.force, Perm: 0o600, To: console.Data(io.Out)}
	if err := to.Check(); err != nil {
		return fmt.Errorf("the bundle cannot be written: %w", err)
	}
	b, err := packSessions(io, g, o, args)
	if err != nil {
		return err
	}
	if err := to.Put(b.Write); err != nil {
		return fmt.Errorf("the bundle cannot be written: %w", err)
	}
	texts, report, _ := b.Count()
	p := Packed{o.file, b.Manifest.Seal, len(b.Manifest.Sessions), b.Events(), texts, report}
	if o.asJSON {
		return console.WriteJSON(io, p)
	}
	fmt.Fprintf(io.Err, "wrote %s: %s with %s, %s, and the report; 'assay session verify %s' checks it. Its seal:\n",
		p.Bundle, frame.Count(p.Sessions, "session"), frame.Count(p.Events, "event"), frame.Count(p.Texts, "text"), program.Word(p.Bundle))
	if o.file == disk.Stdout {
		fmt.Fprintln(io.Err, p.Seal)
		return nil
	}
	_, err = fmt.Fprintln(io.Out, p.Seal)
	return err
}

// packSessions packs the sessions of a study, or else those that the arguments name.
func packSessions(io *console.IO, g *console.Globals, o *bundleOptions, args []string) (_ *bundle.Bundle, err error) {
	k, err := stores.OpenKept(io, g)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, k.Close()) }()
	if o.study == "" {
		ids, err := stores.SessionIDs(k, args)
		if err != nil {
			return nil, err
		}
		return bundle.Pack(k, ids, console.Version(), nil)
	}
	ids, err := stores.StudySessions(k, o.study)
	if err != nil {
		return nil, err
	}
	of, err := studyPart(io, k, o, ids)
	if err != nil {
		return nil, err
	}
	return bundle.Pack(k, ids, console.Version(), of)
}

// studyPart returns the study as it is packed with its sessions; nil for a tester's packed study, which hides it.
func studyPart(io *console.IO, k stores.Kept, o *bundleOptions, ids []string) (*bundle.Study, error) {
	if packed, err := stores.ReadPacked(o.study); err != nil || packed != nil {
		if err == nil && o.ratings != "" {
			err = console.Usagef("--ratings goes with the study file of its owner")
		}
		return nil, err
	}
	s, lock, unblinded, err := stores.FrozenStudy(k, o.study)
	if err != nil {
		return nil, err
	}
	of := &bundle.Study{Blind: s.Blind() && len(unblinded) == 0}
	if of.File, of.Lock, err = s.Publish(lock, of.Blind); err != nil {
		return nil, err
	}
	if len(unblinded) > 0 {
		if of.Unblinded, err = json.MarshalIndent(unblinded, "", "  "); err != nil {
			return nil, err
		}
	}
	if o.ratings != "" {
		if of.Ratings, err = disk.ReadFile(o.ratings, disk.Table); err != nil {
			return nil, fmt.Errorf("the ratings cannot be read: %w", err)
		}
	}
	if of.Blind {
		fmt.Fprintln(io.Err, "note: the study is blind: neither its file nor its lock names a model in the bundle; 'assay study unblind' changes that")
	}
	return of, nil
}
