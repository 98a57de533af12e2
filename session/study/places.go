package study

import (
	"slices"
	"time"
)

// Place is a tester's place in the plan and how its sessions stand, without results.
type Place struct {
	Tester   int             `json:"tester"` // in the plan, from 1
	Code     string          `json:"code"`   // that the tester joins with
	People   []string        `json:"pseudonyms"`
	Status   string          `json:"status"` // "not begun", "in progress", "done", "left"
	Sessions []PlacedSession `json:"sessions"`
	Reserved string          `json:"reserved"` // why nobody else gets a place that is not begun: "packed", "reserved for ann"; "": it is free
	Last     *time.Time      `json:"last"`     // of the last event; null: not begun
	Late     bool            `json:"late"`     // in progress, and nothing happened for long
	Flags    int             `json:"flags"`
}

// PlacedSession is a session of a place, begun or not.
type PlacedSession struct {
	Arm     string `json:"arm"`
	Session string `json:"session"` // "": not begun
	Status  string `json:"status"`  // "" where it was not begun
	Done    int    `json:"tasks_done"`
	Tasks   int    `json:"tasks"` // 0: not known before it begins
}

// ArmBalance counts the sessions of an arm.
type ArmBalance struct {
	Arm      string `json:"arm"`
	Planned  int    `json:"sessions_planned"`
	Begun    int    `json:"sessions_begun"`
	Finished int    `json:"sessions_finished"`
}

// Places returns those of the plan and, after them, of testers beyond it, with the balance of the
// arms. The sessions are those of the frozen study with this hash. A place in progress is late
// if nothing happened on it since before.
func (s *Study) Places(hash string, sessions []Progress, before time.Time) ([]Place, []ArmBalance) {
	arms := make([]ArmBalance, len(s.Arms))
	for i, a := range s.Arms {
		arms[i].Arm = a.Name
	}
	numbers := []int{}
	for t := 1; t <= s.Design.Testers; t++ {
		numbers = append(numbers, t)
	}
	for _, p := range sessions {
		if !slices.Contains(numbers, p.Number) {
			numbers = append(numbers, p.Number)
		}
	}
	slices.Sort(numbers)
	places := []Place{}
	for _, t := range numbers {
		place := Place{Tester: t, Code: Code(hash, t), People: []string{}, Sessions: []PlacedSession{}}
		begun, finished, left := 0, 0, false
		parts := s.Assign(t)
		for i, part := range parts {
			arm := &arms[part.Arm]
			if t <= s.Design.Testers {
				arm.Planned++
			}
			there := false
			for _, p := range sessions {
				if p.Number != t || p.Part != i+1 {
					continue
				}
				there = true
				place.Sessions = append(place.Sessions, PlacedSession{arm.Arm, p.Session, p.Status, p.Done, p.Tasks})
				place.Flags += len(p.Flags) + len(p.Leaks)
				if p.Tester != "" && !slices.Contains(place.People, p.Tester) {
					place.People = append(place.People, p.Tester)
				}
				if place.Last == nil || p.Last.After(*place.Last) {
					place.Last = &p.Last
				}
				begun++
				arm.Begun++
				switch p.Status {
				case "finished":
					finished++
					arm.Finished++
				case "abandoned":
					left = true
				case "withdrawn": // unless somebody else does it
					left = left || !slices.ContainsFunc(sessions, func(o Progress) bool {
						return o.Number == t && o.Part == p.Part && o.Status != "withdrawn"
					})
				}
			}
			if !there {
				place.Sessions = append(place.Sessions, PlacedSession{Arm: arm.Arm})
			}
		}
		switch {
		case begun == 0:
			place.Status = "not begun"
		case left:
			place.Status = "left"
		case finished >= len(parts):
			place.Status = "done"
		default:
			place.Status = "in progress"
			place.Late = place.Last.Before(before)
		}
		places = append(places, place)
	}
	return places, arms
}
