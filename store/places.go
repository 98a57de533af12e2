package store

import (
	"slices"

	"assay/session/study"
)

// Standing is a tester's position in a study.
type Standing struct {
	Part   int    // the number of the next session, from 1
	Open   string // id of the open session
	Name   string // pseudonym in earlier sessions
	Seated bool   // the number was given by pseudonym
}

// StandingOf returns a tester's position in the study with this hash.
func StandingOf(rows []Summary, hash string, tester int) Standing {
	at := Standing{Part: 1}
	for _, row := range rows {
		if !in(row, hash) || row.Study.Tester != tester {
			continue
		}
		if row.Open() {
			at.Open = row.ID
		}
		if row.Status != StatusWithdrawn {
			at.Name, at.Seated = row.Tester, row.Study.Seated
		}
		at.Part = max(at.Part, row.Study.Part+1)
	}
	return at
}

// NumberOf returns the number of a pseudonym in the study with this hash, 0 if it has none: one that it got as it is,
// in a shared store (seated), or one of a join code or a packed file.
func NumberOf(rows []Summary, hash, pseudonym string, seated bool) int {
	for _, row := range rows {
		if in(row, hash) && row.Tester == pseudonym && row.Study.Seated == seated && !lost(row) {
			return row.Study.Tester
		}
	}
	return 0
}

// TakenSeats lists the assigned numbers in the study with this hash, and which of them were lost because a
// session was abandoned or withdrawn.
func TakenSeats(rows []Summary, hash string) []study.Taken {
	var taken []study.Taken
	for _, row := range rows {
		if !in(row, hash) {
			continue
		}
		i := slices.IndexFunc(taken, func(t study.Taken) bool { return t.Tester == row.Study.Tester })
		if i < 0 {
			i, taken = len(taken), append(taken, study.Taken{Tester: row.Study.Tester})
		}
		taken[i].Lost = taken[i].Lost || lost(row) && !doneByOthers(rows, row)
	}
	return taken
}

// StayBlind reports whether any of the sessions belongs to a blind study that has not been unblinded.
func StayBlind(rows []Summary, unblinded []study.Unblinding, ids []string) bool {
	return slices.ContainsFunc(rows, func(row Summary) bool {
		return row.Study != nil && row.Study.Blind && slices.Contains(ids, row.ID) &&
			!slices.ContainsFunc(unblinded, func(u study.Unblinding) bool { return u.Hash == row.Study.Hash })
	})
}

// ResultsLater reports whether the results of a session stay hidden from its tester: until their last session in
// the study is finished.
func ResultsLater(rows []Summary, id string) bool {
	i := slices.IndexFunc(rows, func(row Summary) bool { return row.ID == id })
	if i < 0 || rows[i].Study == nil || !rows[i].Study.Later {
		return false
	}
	mine := rows[i].Study
	return !slices.ContainsFunc(rows, func(row Summary) bool {
		return in(row, mine.Hash) && row.Study.Tester == mine.Tester && !row.Study.Later && !row.Open()
	})
}

// in reports whether the session belongs to the study with this hash.
func in(s Summary, hash string) bool { return s.Study != nil && s.Study.Hash == hash }

// doneByOthers reports whether somebody else does a withdrawn session of a place.
func doneByOthers(rows []Summary, s Summary) bool {
	return s.Status == StatusWithdrawn && slices.ContainsFunc(rows, func(o Summary) bool {
		return in(o, s.Study.Hash) && o.Study.Tester == s.Study.Tester && o.Study.Part == s.Study.Part && o.Status != StatusWithdrawn
	})
}

// lost reports whether the session gives up its place to another tester.
func lost(s Summary) bool { return s.Status == StatusWithdrawn || s.Status == StatusAbandoned }
