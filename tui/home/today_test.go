package home_test

import (
	"strings"
	"testing"
	"time"

	"assay/session"
	"assay/tui/home"
	"assay/tui/tuitest"
)

// Home tells what was done since the midnight of the place where it is looked at: of a task that was worked on across
// it, the part since then; not what automatic testers did, and nothing of yesterday.
func TestToday(t *testing.T) {
	zones := []*time.Location{time.UTC, time.FixedZone("Kathmandu", 5*3600+45*60), time.FixedZone("Marquesas", -9*3600-30*60), time.FixedZone("Kiritimati", 14*3600)}
	for _, zone := range zones {
		midnight := time.Date(2026, 3, 9, 0, 0, 0, 0, zone)
		s := tuitest.NewScribe()
		s.Begin("S", "mine", 9)
		s.Play(0, 1, 5, true)
		s.Wait(time.Hour)
		early := midnight.Add(-time.Hour-30*time.Second).UnixMilli() - s.Events()[len(s.Events())-1].Wall
		for i := range s.Events() {
			s.Events()[i].Wall += early
		}
		s.Wall += early // the second task is opened 30 seconds before midnight
		s.Play(1, 2, 5, true)
		s.Wait(2 * time.Hour) // between tasks, which is no work
		s.Play(2, 3, 5, true)
		last := s.Events()[len(s.Events())-1].Wall
		row := session.Summary{ID: "S", Status: "open", Benchmark: "mine", Model: "mine", Progress: session.Progress{Tasks: 9, Done: 3}, LastAt: last, WorkedMS: 500_000}
		robot, old := row, row
		robot.ID, robot.Benchmark, robot.Automatic = "robot", "theirs", "failing_test"
		old.ID, old.Benchmark, old.LastAt = "old", "older", midnight.Add(-time.Minute).UnixMilli()
		shelf := &tuitest.Shelf{Listed: []session.Summary{row, robot, old}, Logs: map[string][]session.Event{"S": s.Events(), "robot": s.Events()}}
		now := midnight.Add(3 * time.Hour)
		d := tuitest.Drive(t, home.New(shelf, func() time.Time { return now }), 80, 24)
		d.Sees("today 2 tasks in 2 min 17 s, 84 s a task", "‖ 02:0")
		if now = midnight.Add(25 * time.Hour); strings.Contains(d.Screen(), "today") {
			t.Errorf("%s: yesterday's work is called today's:\n%s", zone, d.Screen())
		}
		d.Sees("6 tasks left", "yesterday").Lacks("today")
		now = midnight.Add(49 * time.Hour)
		d.Sees("2026-03-09")
	}
}
