package fleet

import "strings"

// The names under which a fleet lives on a server.
const (
	workStream    = "ASSAY_WORK"
	resultStream  = "ASSAY_RESULTS"
	taskBucket    = "assay-tasks"
	workSubject   = "assay.work."
	resultSubject = "assay.result."
	whoSubject    = "assay.fleet.who" // coordinators ask, workers answer with their cards
	bellSubject   = "assay.fleet.bell."
)

// need is what a sample must have where it is judged.
type need struct {
	version   string
	isolation string // the box's name without "-warm": such boxes are the same to what runs in them
	language  string
	library   string // the SHA-256 of a directory; "": none
}

// path is the part of a subject that says what is needed.
func (n need) path() string {
	library := "0"
	if n.library != "" {
		library = n.library[:min(16, len(n.library))]
	}
	return token(n.version) + "." + token(n.isolation) + "." + token(n.language) + "." + library
}

// consumer is the name of the durable consumer that hands out such work.
func (n need) consumer() string { return strings.ReplaceAll(n.path(), ".", "-") }

func (n need) subject(run, batch string) string {
	return workSubject + n.path() + "." + run + "." + batch
}

// words says for people what is needed.
func (n need) words() string {
	text := n.language + " tasks with isolation by " + n.isolation
	if n.library != "" {
		text += ", the library " + n.library[:12]
	}
	return text + " and assay " + n.version
}

// has reports whether a worker takes what is needed.
func (c Card) has(n need) bool {
	if c.Protocol != protocol || token(c.Version) != token(n.version) || c.Isolation != n.isolation {
		return false
	}
	if _, ok := c.Languages[n.language]; !ok {
		return false
	}
	return n.library == "" || c.Libraries[n.library] == n.language
}
