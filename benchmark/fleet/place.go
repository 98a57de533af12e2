package fleet

import "strings"

// The names that a fleet uses on a server.
const (
	workStream    = "ASSAY_WORK"
	resultStream  = "ASSAY_RESULTS"
	taskBucket    = "assay-tasks"
	workSubject   = "assay.work."
	resultSubject = "assay.result."
	whoSubject    = "assay.fleet.who" // coordinators ask, workers answer with their cards
	bellSubject   = "assay.fleet.bell."
)

// need is what judging a sample requires of a worker.
type need struct {
	version   string
	isolation string // the box's name without "-warm", which makes no difference to programs
	language  string
	library   string // the SHA-256 of a directory; "" for none
}

// path returns the part of a subject that contains the needs.
func (n need) path() string {
	library := "0"
	if n.library != "" {
		library = n.library[:min(16, len(n.library))]
	}
	return token(n.version) + "." + token(n.isolation) + "." + token(n.language) + "." + library
}

// consumer returns the name of the durable consumer for such work.
func (n need) consumer() string { return strings.ReplaceAll(n.path(), ".", "-") }

func (n need) subject(run, batch string) string {
	return workSubject + n.path() + "." + run + "." + batch
}

// words describes the needs in words.
func (n need) words() string {
	text := n.language + " tasks with isolation by " + n.isolation
	if n.library != "" {
		text += ", the library " + n.library[:12]
	}
	return text + " and assay " + n.version
}

// has reports whether a worker meets the needs.
func (c Card) has(n need) bool {
	if c.Protocol != protocol || token(c.Version) != token(n.version) || c.Isolation != n.isolation {
		return false
	}
	if _, ok := c.Languages[n.language]; !ok {
		return false
	}
	return n.library == "" || c.Libraries[n.library] == n.language
}
