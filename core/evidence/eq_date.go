package evidence

import (
	"bytes"
	"strings"
)

// The date rule: 2024-05-20, May 20 2024, 20 May 2024, 5/20/2024 and the date of an ISO stamp are one date. A date in
// an answer is held when the same date is, or when its day was read without a year and the year was read: the person said
// May 20th, the prompt says that it is 2024. The day of one full date and the year of another are no date. A year alone
// is held by any date of it, and so is a month of a year. Day and month in digits are read only where one of them can be no
// month. What is no date is left to the literal rule.

// date is a day of the calendar; a year of -1 was not said.
type date struct {
	year, month, day int
}

// The kinds of date keys.
const (
	dateFull   = 'f' // yyyymmdd
	dateDay    = 'd' // mmdd
	dateOpen   = 'o' // mmdd that no year stands beside
	dateMonth  = 'm' // yyyymm
	dateYear   = 'y' // yyyy
	dateSeason = 's' // yyyy, of the first of two years
)

// date reads a date at text[i].
func (s *speller) date(i int) *spelling {
	d, end := consumeDate(s.text, i)
	if end == i {
		return nil
	}
	// a version may look like a date of points with a short year
	sp := s.spell(spelling{rule: ruleDate, start: i, end: end, strict: end-i > len("31.12.24") || bytes.IndexByte(s.text[i:end], '.') < 0})
	s.keys.dateServed(&sp.served, d)
	digits := d.digits()
	if d.year < 0 {
		sp.asked.add(s.keys.key(ruleDate, dateDay, digits[4:]))
		return sp
	}
	sp.asked.add(s.keys.key(ruleDate, dateFull, digits[:]))
	sp.together = [2][]byte{s.keys.key(ruleDate, dateOpen, digits[4:]), s.keys.key(ruleDate, dateYear, digits[:4])}
	return sp
}

// dateServed adds the keys that a date is known by.
func (k *keyBuffer) dateServed(keys *keyList, d date) {
	digits := d.digits()
	keys.add(k.key(ruleDate, dateDay, digits[4:]))
	if d.year < 0 {
		keys.add(k.key(ruleDate, dateOpen, digits[4:]))
		return
	}
	keys.add(k.key(ruleDate, dateFull, digits[:]))
	keys.add(k.key(ruleDate, dateMonth, digits[:6]))
	keys.add(k.key(ruleDate, dateYear, digits[:4]))
}

func (d date) digits() [8]byte {
	y := max(d.year, 0)
	return [8]byte{
		byte('0' + y/1000%10), byte('0' + y/100%10), byte('0' + y/10%10), byte('0' + y%10),
		byte('0' + d.month/10), byte('0' + d.month%10), byte('0' + d.day/10), byte('0' + d.day%10),
	}
}

// valid tells whether the calendar has the day.
func (d date) valid() bool {
	if d.month < 1 || d.month > 12 || d.day < 1 {
		return false
	}
	days := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[d.month-1]
	if d.month == 2 && (d.year < 0 || d.year%4 == 0 && (d.year%100 != 0 || d.year%400 == 0)) {
		days = 29
	}
	return d.day <= days
}

// consumeDate reads a date at b[i]; end is i when none stands there. Of an ISO stamp it reads the date and leaves the
// time.
func consumeDate(b []byte, i int) (d date, end int) {
	if isLetter(b[i]) {
		if strings.IndexByte(monthLetters, b[i]|0x20) < 0 {
			return d, i
		}
		d, end = monthFirst(b, i)
	} else if d, end = yearFirst(b, i); end == i {
		if d, end = dayFirst(b, i); end == i {
			d, end = allDigits(b, i)
		}
	}
	if end == i || !d.valid() {
		return d, i
	}
	return d, end
}

// yearFirst reads yyyy-mm-dd or yyyy/mm/dd.
func yearFirst(b []byte, i int) (d date, end int) {
	if digitsEnd(b, i) != i+4 || i+10 > len(b) {
		return d, i
	}
	sep := b[i+4]
	if sep != '-' && sep != '/' || b[i+7] != sep || digitsEnd(b, i+5) != i+7 || digitsEnd(b, i+8) != i+10 {
		return d, i
	}
	if i > 0 && b[i-1] == sep {
		return d, i
	}
	if i+10 < len(b) && (b[i+10] == sep || isLetter(b[i+10]) && b[i+10]|0x20 != 't') {
		return d, i
	}
	return date{digitsValue(b[i : i+4]), digitsValue(b[i+5 : i+7]), digitsValue(b[i+8 : i+10])}, i + 10
}

// allDigits reads m/d/yyyy or d/m/yyyy, also with points, where only one of the two readings is a date.
func allDigits(b []byte, i int) (d date, end int) {
	first := digitsEnd(b, i)
	if first-i > 2 || first >= len(b) || b[first] != '/' && b[first] != '.' && b[first] != '-' {
		return d, i
	}
	second := digitsEnd(b, first+1)
	if second == first+1 || second-first > 3 || second >= len(b) || b[second] != b[first] {
		return d, i
	}
	end = digitsEnd(b, second+1)
	if end < len(b) && (isAlphanumeric(b[end]) || b[end] == b[first] && b[end] != '.' || isDigitAt(b, end+1) && joinsDigits(b[end])) {
		return d, i
	}
	x, y, z := digitsValue(b[i:first]), digitsValue(b[first+1:second]), digitsValue(b[second+1:end])
	if eu := (date{z, y, x}); b[first] == '.' && end-second == 5 && eu.valid() {
		return eu, end // nobody writes the month first before a point
	}
	switch end - second {
	case 5:
		return onlyDate(date{z, x, y}, date{z, y, x}), end
	case 3:
		if b[first] == '.' {
			return date{2000 + z, y, x}, end
		}
		if d = onlyDate(date{2000 + z, x, y}, date{2000 + z, y, x}); (date{2000 + x, y, z}).valid() {
			return d, i // it may open with its year
		}
		return d, end
	}
	return d, i
}

// onlyDate is the one of two readings that is a date, or the date that both are; else none.
func onlyDate(us, eu date) date {
	switch {
	case us == eu || us.valid() && !eu.valid():
		return us
	case eu.valid() && !us.valid():
		return eu
	}
	return date{}
}

// monthFirst reads May 20, May 20th, May 20, 2024.
func monthFirst(b []byte, i int) (d date, end int) {
	month, j := consumeMonth(b, i)
	if month == 0 {
		return d, i
	}
	day, j2 := consumeDay(b, skipSpaces(b, j))
	if day == 0 || j2 == j {
		return d, i
	}
	d = date{-1, month, day}
	if year, end := consumeYear(b, j2); year > 0 {
		return date{year, month, day}, end
	}
	d.year = yearBehindTime(b, j2)
	return d, j2
}

// maxZoneName is how long the name of a zone may be, and the space before it.
const maxZoneName = 6

// yearBehindTime is the year behind the time of a day, -1 when none stands there: May 20 13:05:09 2024, maybe with the
// name of a zone between.
func yearBehindTime(b []byte, i int) int {
	i = skipSpaces(b, i)
	end := digitsEnd(b, i)
	for range 2 {
		if end == i || end-i > 2 || end >= len(b) || b[end] != ':' {
			return -1
		}
		i = end + 1
		end = digitsEnd(b, i)
	}
	if end-i != 2 {
		return -1
	}
	for zone := skipSpaces(b, end); zone < len(b) && isLetter(b[zone]) && zone-end <= maxZoneName; zone++ {
		if zone+1 < len(b) && b[zone+1] == ' ' {
			end = zone + 1
			break
		}
	}
	if year, to := consumeYear(b, end); to > end && b[end] == ' ' {
		return year
	}
	return -1
}

// dayFirst reads 20 May, 20th of May, 20 May 2024, 20-May-2024.
func dayFirst(b []byte, i int) (d date, end int) {
	day, j := consumeDay(b, i)
	if day == 0 || j >= len(b) {
		return d, i
	}
	if b[j] == '-' || b[j] == '/' {
		j++
	} else {
		j = skipSpaces(b, j)
	}
	if j+3 < len(b) && string(b[j:j+3]) == "of " {
		j += 3
	}
	month, k := consumeMonth(b, j)
	if month == 0 {
		return d, i
	}
	if year, end := consumeYear(b, k); year > 0 {
		return date{year, month, day}, end
	}
	return date{-1, month, day}, k
}

// monthLetters are the letters that names of months begin with.
const monthLetters = "jfmasond"

var months = [...]string{
	"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
}

// consumeMonth reads the English name of a month, whole or its first three letters, with a point.
func consumeMonth(b []byte, i int) (month, end int) {
	end = i
	var name [9]byte
	for end < len(b) && isLetter(b[end]) {
		if end-i == len(name) {
			return 0, i
		}
		name[end-i] = b[end] | 0x20
		end++
	}
	n := end - i
	if n < 3 {
		return 0, i
	}
	for m, full := range months {
		if string(name[:n]) == full || n == 3 && string(name[:3]) == full[:3] || n == 4 && m == 8 && string(name[:4]) == "sept" {
			if n < len(full) && end < len(b) && b[end] == '.' {
				end++
			}
			return m + 1, end
		}
	}
	return 0, i
}

// consumeDay reads a day of the month, with st, nd, rd or th.
func consumeDay(b []byte, i int) (day, end int) {
	end = digitsEnd(b, i)
	if end == i || end-i > 2 {
		return 0, i
	}
	day = digitsValue(b[i:end])
	if end+1 < len(b) {
		switch string([]byte{b[end] | 0x20, b[end+1] | 0x20}) {
		case "st", "nd", "rd", "th":
			end += 2
		}
	}
	if end < len(b) && (isAlphanumeric(b[end]) || b[end] == ':') || day < 1 || day > 31 {
		return 0, i
	}
	return day, end
}

// consumeYear reads the year behind a day and a month: after a comma, a hyphen, a slash or spaces, four digits that
// nothing runs on from.
func consumeYear(b []byte, i int) (year, end int) {
	j := i
	if j < len(b) && (b[j] == ',' || b[j] == '-' || b[j] == '/') {
		j++
	}
	j = skipSpaces(b, j)
	end = digitsEnd(b, j)
	if end-j != 4 || j == i {
		return 0, i
	}
	if end < len(b) && (isAlphanumeric(b[end]) || b[end] == ':' && !opensTime(b, end) || isDigitAt(b, end+1) && joinsDigits(b[end])) {
		return 0, i
	}
	return digitsValue(b[j:end]), end
}

// opensTime tells whether the colon at b[i] stands between a date of a web server's log and its time:
// 20/May/2024:13:05:09.
func opensTime(b []byte, i int) bool {
	if i < 6 || b[i] != ':' || b[i-5] != '/' || !isLetter(b[i-6]) || digitsEnd(b, i-4) != i {
		return false
	}
	return digitsEnd(b, i+1) == i+3 && i+3 < len(b) && b[i+3] == ':'
}

// joinsDigits tells whether a number goes on behind the character when digits do.
func joinsDigits(c byte) bool { return c == '-' || c == '.' || c == ',' }
