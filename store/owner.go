package store

import (
	"encoding/json"
	"os"
	"syscall"
	"time"
)

// Owner describes the process that holds a store, in its own words from a small file beside the store. The
// file is only informative: the lock on the store decides.
type Owner struct {
	PID     int       `json:"pid"`
	Host    string    `json:"host"`
	Since   time.Time `json:"since"`
	Command string    `json:"command,omitempty"`
}

func ownerPath(store string) string { return store + ".owner" }

// claim writes the owner file. The caller holds the lock, so an existing owner file is a left-over of a
// process that died.
func claim(store string, opts Options) error {
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	text, err := json.Marshal(Owner{PID: os.Getpid(), Host: host, Since: opts.Now().UTC(), Command: opts.Command})
	if err != nil {
		return err
	}
	err = os.WriteFile(ownerPath(store), append(text, '\n'), 0o600)
	if outOfSpace(err) { // a full disk must not prevent reading
		return nil
	}
	return err
}

// readOwner returns the process that holds the store, or a zero Owner if the file is missing, unreadable or
// left over from a process that no longer runs.
func readOwner(store string) Owner {
	text, err := os.ReadFile(ownerPath(store))
	if err != nil {
		return Owner{}
	}
	var owner Owner
	if json.Unmarshal(text, &owner) != nil || owner.PID <= 0 {
		return Owner{}
	}
	if host, err := os.Hostname(); err == nil && host == owner.Host && !alive(owner.PID) {
		return Owner{}
	}
	return owner
}

// alive reports whether a process with this id runs on this machine.
func alive(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = process.Signal(syscall.Signal(0))
	return err == nil || os.IsPermission(err)
}
