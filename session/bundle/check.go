package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"assay/data/disk"
	"assay/session"
)

// check assembles a bundle from its parts if they are consistent.
func check(manifest []byte, files map[string][]byte) (*Bundle, error) {
	b := &Bundle{files: files}
	if err := b.readManifest(manifest); err != nil {
		return nil, err
	}
	if err := b.checkFiles(); err != nil {
		return nil, err
	}
	if err := b.readLogs(); err != nil {
		return nil, err
	}
	if err := b.checkTexts(); err != nil {
		return nil, err
	}
	if err := b.checkStudy(); err != nil {
		return nil, err
	}
	return b, b.checkDescription()
}

// readManifest reads the manifest, which must have the canonical form and its own hash.
func (b *Bundle) readManifest(text []byte) error {
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(&b.Manifest); err != nil {
		return fmt.Errorf("%s cannot be read (%w); %s", manifestName, err, another)
	}
	again, err := b.Manifest.encode()
	if err != nil {
		return err
	}
	seal, err := b.Manifest.seal()
	if err != nil {
		return err
	}
	if !bytes.Equal(again, text) || seal != b.Manifest.Seal {
		return fmt.Errorf("%s was altered: its seal does not match; %s", manifestName, another)
	}
	return nil
}

// checkFiles compares the files with the manifest's list and names all differences.
func (b *Bundle) checkFiles() error {
	var problems []string
	left := maps.Clone(b.files)
	for _, f := range b.Manifest.Files {
		text, ok := left[f.Name]
		delete(left, f.Name)
		switch {
		case !ok:
			problems = append(problems, fmt.Sprintf("%q is missing", f.Name))
		case int64(len(text)) != f.Size || disk.Sum(text) != f.SHA256:
			problems = append(problems, f.Name+" was altered: it does not have the size and SHA-256 that the manifest says")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		problems = append(problems, name+" is not in the manifest")
	}
	if len(problems) == 0 {
		return nil
	}
	const most = 10
	if n := len(problems) - most; n > 0 {
		problems = append(problems[:most], fmt.Sprintf("and %d more", n))
	}
	return fmt.Errorf("%s; %s", strings.Join(problems, "; "), another)
}

// readLogs reads the logs, each of which must be a complete and unaltered chain.
func (b *Bundle) readLogs() error {
	for _, name := range slices.Sorted(maps.Keys(b.files)) {
		id, ok := sessionOf(name)
		if !ok {
			continue
		}
		log, err := parseLog(id, b.files[name])
		if errors.Is(err, session.ErrUnknownKind) {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err != nil {
			return fmt.Errorf("%s: %w; %s", name, err, another)
		}
		b.logs = append(b.logs, log)
	}
	if len(b.logs) == 0 {
		return fmt.Errorf("it holds no session; %s", another)
	}
	return nil
}

// checkTexts checks that the texts are exactly those that the logs refer to, with the right hashes.
func (b *Bundle) checkTexts() error {
	used := map[string]bool{}
	for _, l := range b.logs {
		for ref, seq := range l.refs() {
			text, err := b.Blob(ref)
			if err != nil {
				return fmt.Errorf("%s: event %d: %w; %s", sessionName(l.ID), seq, err, another)
			}
			name := textsDir + string(ref)
			if session.RefOf(text) != ref {
				return fmt.Errorf("%s was altered: its SHA-256 does not match its name; %s", name, another)
			}
			used[name] = true
		}
	}
	for name := range b.files {
		if strings.HasPrefix(name, textsDir) && !used[name] {
			return fmt.Errorf("%s belongs to no session; %s", name, another)
		}
	}
	return nil
}

// checkDescription compares the manifest's description of the sessions with the logs.
func (b *Bundle) checkDescription() error {
	says, is := b.Manifest, describe(b.logs, b.files)
	is.Seal, is.Assay, is.Study, is.Report, is.Files = says.Seal, says.Assay, says.Study, says.Report, says.Files
	if !reflect.DeepEqual(says, is) {
		return fmt.Errorf("%s contradicts the logs of its sessions; %s", manifestName, another)
	}
	return nil
}
