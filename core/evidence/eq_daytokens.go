package evidence

import "bytes"

// Dates that are single tokens (the date rule): 20240520, 20240520T101112Z, 2024-05, 2024-W21, FY2024, 2023-24.

// compactDate reads yyyymmdd, of 1900 to 2099.
func compactDate(b []byte) (d date, ok bool) {
	if len(b) != 8 || digitsEnd(b, 0) != 8 || b[0] != '1' && b[0] != '2' {
		return d, false
	}
	d = date{digitsValue(b[:4]), digitsValue(b[4:6]), digitsValue(b[6:])}
	return d, d.year >= 1900 && d.year <= 2099 && d.valid()
}

// compactStamp reads 20240520t101112z, also without seconds and z.
func compactStamp(b []byte) (d date, c clock, ok bool) {
	if len(b) < 13 || b[8] != 't' {
		return d, c, false
	}
	end := digitsEnd(b, 9)
	if n := end - 9; n != 4 && n != 6 || end < len(b) && b[end] != 'z' && b[end] != '+' && b[end] != '-' && b[end] != '.' {
		return d, c, false
	}
	c = clock{hour: digitsValue(b[9:11]), minute: digitsValue(b[11:13]), second: -1}
	if end == 15 {
		c.second = digitsValue(b[13:15])
	}
	d, ok = compactDate(b[:8])
	return d, c, ok && c.hour < 24 && c.minute < 60 && c.second < 60
}

// yearMonth gives the digits of 2024-05, 2024/05, 05/2024 and 5/2024.
func yearMonth(b []byte) (digits [6]byte, ok bool) {
	if len(b) != 6 && len(b) != 7 {
		return digits, false
	}
	year, month := b[:4], b[5:]
	if slash := len(b) - 5; b[slash] == '/' && slash < 4 {
		month, year = b[:slash], b[slash+1:]
	} else if b[4] != '-' && b[4] != '/' || len(b) == 6 {
		return digits, false
	}
	if digitsEnd(year, 0) != 4 || digitsEnd(month, 0) != len(month) {
		return digits, false
	}
	m := digitsValue(month)
	copy(digits[:], year)
	digits[4], digits[5] = byte('0'+m/10), byte('0'+m%10)
	return digits, m >= 1 && m <= 12
}

// yearOf gives the year of a part of one: 2024-w21, 2024-q3, 2024-h1.
func yearOf(b []byte) (year []byte, ok bool) {
	if len(b) < 6 || digitsEnd(b, 0) != 4 {
		return nil, false
	}
	part := b[4:]
	if part[0] == '-' || part[0] == '/' {
		part = part[1:]
	}
	if part[0] != 'w' && part[0] != 'q' && part[0] != 'h' {
		return nil, false
	}
	end := digitsEnd(part, 1)
	return b[:4], end > 1 && end <= 3 && (end == len(part) || part[end] == '-')
}

// seasonOf gives the first year of a season or a business year over two: 2023-24, 2023/2024.
func seasonOf(b []byte) (year []byte, ok bool) {
	if len(b) != 7 && len(b) != 9 || b[4] != '-' && b[4] != '/' || digitsEnd(b, 0) != 4 || digitsEnd(b, 5) != len(b) {
		return nil, false
	}
	first, second := digitsValue(b[:4]), digitsValue(b[5:])
	next := first + 1
	if len(b) == 7 {
		next %= 100
	}
	return b[:4], first >= 1900 && first < 2100 && second == next
}

// isoDuration reads pt1h42m7s, of less than a day, as the time it is written like: 1:42:07.
func isoDuration(b []byte) (c clock, ok bool) {
	rest, ok := bytes.CutPrefix(b, []byte("pt"))
	if !ok {
		return c, false
	}
	for _, unit := range [...]struct {
		name byte
		into *int
	}{{'h', &c.hour}, {'m', &c.minute}, {'s', &c.second}} {
		if end := digitsEnd(rest, 0); end > 0 && end <= 2 && end < len(rest) && rest[end] == unit.name {
			*unit.into, rest = digitsValue(rest[:end]), rest[end+1:]
		}
	}
	return c, len(rest) == 0 && c.hour < 24 && c.minute < 60 && c.second < 60
}

// aroundYears are what stands glued or behind a hyphen in front of a year.
var aroundYears = map[string]bool{
	"fy": true, "cy": true, "mid": true, "early": true, "late": true, "pre": true, "post": true,
}

// aroundYear gives the year of fy2024, mid-2024.
func aroundYear(b []byte) (year []byte, ok bool) {
	end := lettersEnd(b, 0)
	if !aroundYears[string(b[:end])] {
		return nil, false
	}
	if end < len(b) && b[end] == '-' {
		end++
	}
	return b[end:], len(b)-end == 4 && digitsEnd(b, end) == len(b)
}

// addDayKeys adds what a token that is a date is known by.
func (w *keyWriter) addDayKeys(token []byte) {
	if c, ok := isoDuration(token); ok {
		w.addClock(c)
	}
	if !isDigit(token[0]) || len(token) < 6 {
		return
	}
	if d, ok := compactDate(token); ok {
		w.addDate(d)
		return
	}
	if d, c, ok := compactStamp(token); ok {
		w.addDate(d)
		w.addClock(c)
		return
	}
	if year, ok := seasonOf(token); ok {
		w.addKey(ruleDate, dateSeason, year)
		w.addKey(ruleDate, dateYear, year)
	}
	if digits, ok := yearMonth(token); ok {
		w.addKey(ruleDate, dateMonth, digits[:])
		w.addKey(ruleDate, dateYear, digits[:4])
	} else if year, ok := yearOf(token); ok {
		w.addKey(ruleDate, dateYear, year)
	}
}

func (w *keyWriter) addDate(d date) {
	var keys keyList
	w.keys.bytes = w.keys.bytes[:0]
	w.keys.dateServed(&keys, d)
	w.addList(&keys)
}

func (w *keyWriter) addClock(c clock) {
	if !w.ix.rules.has(ruleClock) {
		return
	}
	var keys keyList
	w.keys.bytes = w.keys.bytes[:0]
	w.keys.clockServed(&keys, c)
	w.addList(&keys)
}
