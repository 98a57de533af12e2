package home

import (
	"testing"
	"time"
	_ "time/tzdata"

	"pgregory.net/rapid"

	"assay/data/fatal"
)

// Days are those of the calendar where the tester is, also where clocks change.
func TestAgo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zone, err := time.LoadLocation(rapid.SampledFrom([]string{"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Pacific/Kiritimati"}).Draw(t, "zone"))
		fatal.If(t, err)
		now := time.Unix(1_767_225_600+rapid.Int64Range(0, 366*86_400).Draw(t, "now"), 0).In(zone)
		then := now.Add(-time.Duration(rapid.Int64Range(60, 3*86_400).Draw(t, "ago")) * time.Second)
		want := then.Format(time.DateOnly)
		switch days := days(now) - days(then); days {
		case 0:
			want = then.Format("15:04")
		case 1:
			want = "yesterday"
		}
		if got := ago(now, then.UTC()); got != want {
			t.Fatalf("at %s, %s is %q, not %q", now, then, got, want)
		}
	})
}

// days counts the dates since 1970.
func days(t time.Time) int64 {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC).Unix() / 86_400
}
