package stores

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/data/disk"
	"assay/session/study"
	"assay/store"
)

// SessionID resolves a session on a command line: "last", an id, or the start of one.
func SessionID(k Kept, arg string) (string, error) {
	rows, err := k.Sessions()
	if err != nil {
		return "", err
	}
	if len(rows) == 0 {
		return "", errors.New("the store has no sessions yet")
	}
	if arg == "last" {
		return rows[0].ID, nil
	}
	var found []string
	for _, r := range rows {
		if strings.EqualFold(r.ID, arg) {
			return r.ID, nil
		}
		if arg != "" && len(r.ID) > len(arg) && strings.EqualFold(r.ID[:len(arg)], arg) {
			found = append(found, r.ID)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("the store has no session %q; the latest is %s ('assay session list' lists all)", arg, rows[0].ID)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%d sessions begin with %q: %s; give more of the id", len(found), arg, strings.Join(found, ", "))
}

// SessionArg returns the single SESSION argument of a verb.
func SessionArg(cmd *cobra.Command, args []string) (string, error) {
	if len(args) != 1 {
		return "", console.Usagef("%s takes one session: an id, the beginning of one, or \"last\"; see '%[1]s --help'", cmd.CommandPath())
	}
	return args[0], nil
}

// SessionIDs resolves several sessions on a command line.
func SessionIDs(k Kept, args []string) ([]string, error) {
	if len(args) == 1 && args[0] == "all" {
		rows, err := k.Sessions()
		if err != nil {
			return nil, err
		}
		var ids []string
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
		if len(ids) == 0 {
			return nil, errors.New("the store has no sessions yet")
		}
		return ids, nil
	}
	var ids []string
	for _, m := range args {
		id, err := SessionID(k, m)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// ReadPacked reads a packed study; nil for another file.
func ReadPacked(path string) (*study.Packed, error) {
	if strings.HasSuffix(path, ".toml") {
		return nil, nil
	}
	text, err := disk.ReadFile(path, disk.Data)
	if err != nil {
		return nil, fmt.Errorf("the study cannot be read: %w", err)
	}
	p, err := study.ReadPacked(text)
	if errors.Is(err, study.ErrNotPacked) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be used: %w", path, err)
	}
	return p, nil
}

// StudySessions returns the ids of a frozen study's sessions; of a packed one, those of its place.
func StudySessions(k Kept, file string) ([]string, error) {
	packed, err := ReadPacked(file)
	if err != nil {
		return nil, err
	}
	var lock study.Lock
	if packed != nil {
		lock = packed.Lock
	} else if lock, err = study.ReadLock(file); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: name the file of a frozen study, whose lock lies beside it, or a packed study", err)
	}
	if err != nil {
		return nil, err
	}
	rows, err := k.Sessions()
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, r := range rows {
		if r.Study != nil && r.Study.Hash == lock.Hash && (packed == nil || r.Study.Tester == packed.Tester) {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("the store has no session of the study %s; 'assay session list' lists all sessions", file)
	}
	return ids, nil
}

// LatestFirst orders sessions by their last event, the latest first.
func LatestFirst(a, b store.Summary) int { return cmp.Compare(b.LastAt, a.LastAt) }

// StaysBlind reports whether any of the sessions belongs to a blind study that has not been unblinded in
// this store.
func StaysBlind(k Kept, ids []string) (bool, error) {
	rows, err := k.Sessions()
	if err != nil {
		return false, err
	}
	open, err := k.Unblinded()
	if err != nil {
		return false, err
	}
	return store.StayBlind(rows, open, ids), nil
}

// FrozenStudy reads the file of a frozen study, its lock, and the records of its unblinding. Its tasks and
// models are not compared with the lock.
func FrozenStudy(k Kept, file string) (*study.Study, study.Lock, []study.Unblinding, error) {
	s, err := study.Load(file)
	if err != nil {
		return nil, study.Lock{}, nil, err
	}
	lock, err := study.ReadLock(file)
	if err == nil {
		err = s.SameFile(lock)
	}
	if err != nil {
		return nil, lock, nil, err
	}
	all, err := k.Unblinded()
	return s, lock, slices.DeleteFunc(all, func(u study.Unblinding) bool { return u.Hash != lock.Hash }), err
}
