package store

import (
	"slices"

	"assay/session/study"
)

// Standing is where a tester is in a study.
type Standing struct {
	Part   int    // the session that is next, from 1
	Open   string // the id of the one that is open
	Name   string // the pseudonym of the earlier ones
	Seated bool   // the number was given by pseudonym
}

// StandingOf finds where a tester is in the study with this hash.
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

// SeatOf is the number that a pseudonym has in the study with this hash, 0 where it has none.
func SeatOf(rows []Summary, hash, pseudonym string) int {
	for _, row := range rows {
		if in(row, hash) && row.Tester == pseudonym && row.Study.Seated && !lost(row) {
			return row.Study.Tester
		}
	}
	return 0
}

// TakenSeats are the numbers that were given in the study with this hash, and which of them are
// free again because a session was given up or withdrawn.
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
		taken[i].Lost = taken[i].Lost || lost(row)
	}
	return taken
}

// StayBlind reports whether any of the sessions is of a blind study that nobody has unblinded.
func StayBlind(rows []Summary, unblinded []Unblinding, ids []string) bool {
	return slices.ContainsFunc(rows, func(row Summary) bool {
		return row.Study != nil && row.Study.Blind && slices.Contains(ids, row.ID) &&
			!slices.ContainsFunc(unblinded, func(u Unblinding) bool { return u.Hash == row.Study.Hash })
	})
}

// in reports whether the session is of the study with this hash.
func in(s Summary, hash string) bool { return s.Study != nil && s.Study.Hash == hash }

// lost reports whether the session leaves its place to somebody else.
func lost(s Summary) bool { return s.Status == StatusWithdrawn || s.Status == StatusAbandoned }
