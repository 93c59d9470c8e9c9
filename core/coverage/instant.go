package coverage

import "cmp"

// Precision is how finely an instant was written.
type Precision string

// The precisions.
const (
	ToMinute   Precision = "minute"
	ToSecond   Precision = "second"
	ToFraction Precision = "fraction"
)

// Profile is how strictly an instant is read.
type Profile uint8

// The profiles. Lenient also takes a lower-case t and z, and a second 60, which is the next minute's first.
const (
	Strict Profile = iota
	Lenient
)

// Instant is a point in time, exact to the nanosecond, of the years 0000 to 9999 in the Gregorian calendar extended
// backwards. The zero Instant is the beginning of 1970 in UTC.
type Instant struct {
	Seconds       int64 // whole seconds since 1970-01-01T00:00:00Z, rounded down
	Nanos         int   // nanoseconds on top, 0 to 999,999,999
	OffsetMinutes int   // of the zone it was written in, east positive
	Precision     Precision
}

// Compare orders two instants in time, whatever zones they were written in.
func (at Instant) Compare(other Instant) int {
	return cmp.Or(cmp.Compare(at.Seconds, other.Seconds), cmp.Compare(at.Nanos, other.Nanos))
}

// ParseInstant reads an ISO 8601 instant: a calendar date, T, hours and minutes, seconds with up to nine fraction
// digits when given, and a zone (Z or ±hh:mm), which must be there. There is no hour 24 and no day that the month does
// not have. The whole text is the instant. It keeps nothing of its input (literal-1.md, coverage, Period).
func ParseInstant(text []byte, profile Profile) (Instant, bool) {
	days, n := consumeDate(text)
	if n == 0 || !profile.letter(text[n:], 'T') {
		return Instant{}, false
	}
	n++
	at := Instant{Precision: ToMinute}
	second, width := at.consumeTime(text[n:], profile)
	if n += width; width == 0 {
		return Instant{}, false
	}
	offset, width := profile.consumeZone(text[n:])
	if width == 0 || n+width != len(text) {
		return Instant{}, false
	}
	at.OffsetMinutes = offset
	at.Seconds = int64(days)*86400 + int64(second) - int64(offset)*60
	return at, true
}

// letter tells whether b opens with the letter.
func (p Profile) letter(b []byte, upper byte) bool {
	return len(b) > 0 && (b[0] == upper || p == Lenient && b[0] == upper|0x20)
}

// consumeDate reads YYYY-MM-DD and gives the days since 1970-01-01; n is 0 when there is no such date.
func consumeDate(b []byte) (days, n int) {
	if len(b) < 10 || b[4] != '-' || b[7] != '-' {
		return 0, 0
	}
	year, month, day := digits(b[:4]), digits(b[5:7]), digits(b[8:10])
	if year < 0 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return 0, 0
	}
	return daysSince1970(year, month, day), 10
}

// consumeTime reads hh:mm, then :ss and a fraction when they are there; n is 0 when there is no such time of day.
// A second 60 counts on into the next minute.
func (at *Instant) consumeTime(b []byte, profile Profile) (second, n int) {
	if len(b) < 5 || b[2] != ':' {
		return 0, 0
	}
	hour, minute := digits(b[:2]), digits(b[3:5])
	if hour < 0 || hour > 23 || minute < 0 || minute > 59 {
		return 0, 0
	}
	if len(b) < 6 || b[5] != ':' {
		return hour*3600 + minute*60, 5
	}
	last := 59
	if profile == Lenient {
		last = 60
	}
	if len(b) < 8 {
		return 0, 0
	}
	s := digits(b[6:8])
	if s < 0 || s > last {
		return 0, 0
	}
	at.Precision = ToSecond
	width := at.consumeFraction(b[8:])
	return hour*3600 + minute*60 + s, 8 + width
}

// consumeFraction reads a dot and one to nine digits; what is longer is left, and then no zone follows.
func (at *Instant) consumeFraction(b []byte) (n int) {
	if len(b) < 2 || b[0] != '.' || !isDigit(b[1]) {
		return 0
	}
	unit := 100_000_000
	for n = 1; n < len(b) && unit > 0 && isDigit(b[n]); n++ {
		at.Nanos += int(b[n]-'0') * unit
		unit /= 10
	}
	at.Precision = ToFraction
	return n
}

// consumeZone reads Z or ±hh:mm and gives the minutes east of UTC; n is 0 when there is no zone.
func (p Profile) consumeZone(b []byte) (minutes, n int) {
	if p.letter(b, 'Z') {
		return 0, 1
	}
	if len(b) < 6 || b[0] != '+' && b[0] != '-' || b[3] != ':' {
		return 0, 0
	}
	hour, minute := digits(b[1:3]), digits(b[4:6])
	if hour < 0 || hour > 23 || minute < 0 || minute > 59 {
		return 0, 0
	}
	if minutes = hour*60 + minute; b[0] == '-' {
		minutes = -minutes
	}
	return minutes, 6
}

// digits reads ASCII digits as a number, -1 when something else stands there.
func digits(b []byte) (n int) {
	for _, c := range b {
		if !isDigit(c) {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// daysSince1970 counts days in eras of 400 years that begin on the first of March, so that a leap day ends its year.
func daysSince1970(year, month, day int) int {
	if month <= 2 {
		year--
	}
	era := year / 400
	if year < 0 {
		era = -1
	}
	yearOfEra := year - era*400
	dayOfYear := (153*((month+9)%12)+2)/5 + day - 1
	return era*146097 + yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear - 719468
}
