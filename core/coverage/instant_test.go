package coverage

import (
	"testing"
	"time"
)

func TestParseInstant(t *testing.T) {
	tests := []struct {
		text    string
		lenient bool // taken by the lenient profile
		strict  bool // taken by the strict profile
	}{
		{"2031-09-26T09:00Z", true, true},
		{"2031-09-26T09:00:00Z", true, true},
		{"2031-09-26T09:00:00.1Z", true, true},
		{"2031-09-26T09:00:00.123456789Z", true, true},
		{"2031-09-26T09:00:00.1234567890Z", false, false},
		{"2031-09-26T09:00:00.Z", false, false},
		{"2031-09-26T09:00:00,5Z", false, false},
		{"2031-09-26T09:00.5Z", false, false},
		{"2031-09-26t09:00z", true, false},
		{"2031-09-26T09:00z", true, false},
		{"2031-09-26t09:00Z", true, false},
		{"2031-09-26 09:00Z", false, false},
		{"2031-09-26T23:59:60Z", true, false},
		{"2031-09-26T23:59:61Z", false, false},
		{"2031-09-26T24:00:00Z", false, false},
		{"2031-09-26T23:60:00Z", false, false},
		{"2031-09-26T9:00:00Z", false, false},
		{"2031-09-26T09:00:0Z", false, false},
		{"2031-09-26T09:00:00", false, false},
		{"2031-09-26T09:00:00+02:00", true, true},
		{"2031-09-26T09:00:00+23:59", true, true},
		{"2031-09-26T09:00:00-23:59", true, true},
		{"2031-09-26T09:00:00+24:00", false, false},
		{"2031-09-26T09:00:00+00:60", false, false},
		{"2031-09-26T09:00:00+0200", false, false},
		{"2031-09-26T09:00:00+02", false, false},
		{"2031-09-26T09:00:00Z ", false, false},
		{" 2031-09-26T09:00:00Z", false, false},
		{"2031-09-26", false, false},
		{"2032-02-29T00:00:00Z", true, true},
		{"2031-02-29T00:00:00Z", false, false},
		{"2000-02-29T00:00:00Z", true, true},
		{"2100-02-29T00:00:00Z", false, false},
		{"0000-02-29T00:00:00Z", true, true},
		{"2031-04-31T00:00:00Z", false, false},
		{"2031-00-10T00:00:00Z", false, false},
		{"2031-13-10T00:00:00Z", false, false},
		{"2031-09-00T00:00:00Z", false, false},
		{"+002031-09-26T09:00:00Z", false, false},
		{"-001-09-26T09:00:00Z", false, false},
		{"12031-09-26T09:00:00Z", false, false},
		{"２031-09-26T09:00:00Z", false, false},
		{"", false, false},
	}
	for _, tt := range tests {
		if _, ok := ParseInstant([]byte(tt.text), Lenient); ok != tt.lenient {
			t.Errorf("lenient %q: %t", tt.text, ok)
		}
		if _, ok := ParseInstant([]byte(tt.text), Strict); ok != tt.strict {
			t.Errorf("strict %q: %t", tt.text, ok)
		}
	}
}

func TestInstantIsTheMomentThatTimeGives(t *testing.T) {
	for _, text := range []string{
		"1970-01-01T00:00:00Z", "1969-12-31T23:59:59.5Z", "0001-01-01T00:00:00Z", "0000-03-01T00:00:00+23:59",
		"0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999-23:59", "1900-02-28T23:59:59Z", "2000-12-31T00:00:00Z",
	} {
		checkAgainstTime(t, text)
	}
	for day := time.Date(0, 1, 1, 12, 0, 0, 0, time.UTC); day.Year() < 10000; day = day.AddDate(0, 0, 13) {
		checkAgainstTime(t, day.Format(time.RFC3339))
	}
}

func checkAgainstTime(t *testing.T, text string) {
	t.Helper()
	want, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := ParseInstant([]byte(text), Strict)
	_, offset := want.Zone()
	if !ok || got.Seconds != want.Unix() || got.Nanos != want.Nanosecond() || got.OffsetMinutes != offset/60 {
		t.Fatalf("%s: %+v, %t; want %d seconds and %d nanoseconds", text, got, ok, want.Unix(), want.Nanosecond())
	}
}

func TestInstantsCompareAcrossZones(t *testing.T) {
	ordered := []string{
		"2031-09-26T09:00:00+02:00", "2031-09-26T07:00:00.000000001Z", "2031-09-26T07:00:00.1Z", "2031-09-26T06:00:01-01:00",
		"2031-09-26T07:00:60z", "2031-09-26t07:01:00.000000001z",
	}
	for i, a := range ordered {
		for j, b := range ordered {
			x, _ := ParseInstant([]byte(a), Lenient)
			y, _ := ParseInstant([]byte(b), Lenient)
			if got, want := x.Compare(y), compareInts(i, j); got != want {
				t.Errorf("%s against %s: %d, want %d", a, b, got, want)
			}
		}
	}
}

func compareInts(i, j int) int {
	switch {
	case i < j:
		return -1
	case i > j:
		return 1
	}
	return 0
}

// FuzzInstant holds that no text breaks the reading, that two instants compare as time.Time compares them, and that
// what the strict profile takes the lenient one reads alike.
func FuzzInstant(f *testing.F) {
	f.Add("2031-09-26T09:00:00.25+02:00", "2031-09-26T07:00:00.250000001Z")
	f.Add("2031-09-26t09:00z", "0000-01-01T00:00:00-00:30")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, okX := ParseInstant([]byte(a), Strict)
		y, okY := ParseInstant([]byte(b), Strict)
		if lenient, ok := ParseInstant([]byte(a), Lenient); okX && (!ok || lenient != x) {
			t.Fatalf("%q: strict %+v, lenient %+v", a, x, lenient)
		}
		ta, errA := time.Parse(time.RFC3339Nano, a)
		tb, errB := time.Parse(time.RFC3339Nano, b)
		if okX && okY && errA == nil && errB == nil && x.Compare(y) != ta.Compare(tb) {
			t.Fatalf("%q against %q: %d, want %d", a, b, x.Compare(y), ta.Compare(tb))
		}
	})
}
