package evidence

// The clock rule: 7:00, 07:00, 07:00:00, 7:00 AM and 7 am are one time, and so is the time of an ISO stamp. Without am or
// pm a time is read as it stands, on 24 hours: am and pm are never each other. What is no time (27:00, 07:60) is left to
// the literal rule.

// clock is a time of day. A second of -1 was not said.
type clock struct {
	hour, minute, second int
}

// The kinds of clock keys.
const (
	clockMinute = 'm' // hh:mm
	clockSecond = 's' // hh:mm:ss
)

// clock reads a time at text[i].
func (s *speller) clock(i int) (spelling, bool) {
	c, end, half := consumeClock(s.text, i)
	if end == i || clockRunsOn(s.text, end) {
		return spelling{}, false
	}
	sp := spelling{rule: ruleClock, start: i, end: nextDayEnd(s.text, end), strict: half}
	sp.asked = append(sp.asked, s.clockAsked(c))
	sp.served = s.keys.clockServed(c)
	return sp, true
}

// clockRunsOn tells whether more of a word or a number follows a time; the Z of a stamp does not count.
func clockRunsOn(text []byte, i int) bool {
	if i < len(text) && text[i]|0x20 == 'z' {
		i++
	}
	return i < len(text) && (isAlphanumeric(text[i]) || text[i] == ':' && isDigitAt(text, i+1))
}

// clockAsked is the key that a time is looked up by: to the minute when it names no second, or the full minute.
func (s *speller) clockAsked(c clock) []byte {
	if c.second > 0 {
		return s.keys.key(ruleClock, clockSecond, c.digits())
	}
	return s.keys.key(ruleClock, clockMinute, c.digits()[:4])
}

// clockServed adds the keys that a time is known by: its minute, whatever the second, and its second.
func (k *keyBuffer) clockServed(c clock) [][]byte {
	digits := c.digits()
	return [][]byte{k.key(ruleClock, clockMinute, digits[:4]), k.key(ruleClock, clockSecond, digits)}
}

func (c clock) digits() []byte {
	two := func(n int) (byte, byte) { return byte('0' + n/10), byte('0' + n%10) }
	var d [6]byte
	d[0], d[1] = two(c.hour)
	d[2], d[3] = two(c.minute)
	d[4], d[5] = two(max(c.second, 0))
	return d[:]
}

// consumeClock reads a time at b[i]: h:mm, hh:mm, with seconds and a fraction of them, with am or pm, or an hour with am
// or pm. half tells whether am or pm stands there. end is i when no time does.
func consumeClock(b []byte, i int) (c clock, end int, half bool) {
	hourEnd := digitsEnd(b, i)
	if hourEnd == i || hourEnd-i > 2 {
		return c, i, false
	}
	c, end = consumeMinutes(b, hourEnd)
	c.hour = digitsValue(b[i:hourEnd])
	said := end > hourEnd
	if c.hour >= 1 && c.hour <= 12 {
		var pm bool
		if end, pm, half = consumeHalf(b, end); half {
			c.hour %= 12
		}
		if pm {
			c.hour += 12
		}
	}
	if !said && !half || c.hour > 23 || c.minute > 59 || c.second > 59 {
		return c, i, false
	}
	return c, end, half
}

// consumeMinutes reads :mm or :mm:ss at b[i], with a fraction of the second. end is i when no minutes stand there.
func consumeMinutes(b []byte, i int) (c clock, end int) {
	c.second, end = -1, i
	var ok bool
	if c.minute, ok = colonTwo(b, end); !ok {
		return c, i
	}
	end += 3
	second, ok := colonTwo(b, end)
	if !ok {
		return c, end
	}
	c.second, end = second, end+3
	if end < len(b) && b[end] == '.' && isDigitAt(b, end+1) {
		end = digitsEnd(b, end+1)
	}
	return c, end
}

// consumeHalf reads am or pm behind a time that ends at b[i]; the last point of p.m. belongs to it. end is i when neither
// stands there.
func consumeHalf(b []byte, i int) (end int, pm, ok bool) {
	end, pm, ok = consumeMeridiem(b, skipSpaces(b, i))
	if !ok || isDigitAt(b, end) {
		return i, false, false
	}
	if end < len(b) && b[end] == '.' && b[end-2] == '.' {
		end++
	}
	return end, pm, true
}

// isDigitAt tells whether a digit stands at b[i], which may be past the end.
func isDigitAt(b []byte, i int) bool { return i < len(b) && isDigit(b[i]) }

// colonTwo reads :dd at b[i].
func colonTwo(b []byte, i int) (n int, ok bool) {
	if i+2 >= len(b) || b[i] != ':' || digitsEnd(b, i+1) != i+3 {
		return 0, false
	}
	return digitsValue(b[i+1 : i+3]), true
}

// skipSpaces skips the spaces between the parts of one spelling, at most two.
func skipSpaces(b []byte, i int) int {
	for n := 0; n < 2 && i < len(b) && (b[i] == ' ' || b[i] == noBreak); n++ {
		i++
	}
	return i
}

// nextDayEnd skips the mark of the next day that timetables put behind a time: +1.
func nextDayEnd(b []byte, i int) int {
	if i+1 < len(b) && b[i] == '+' && isDigit(b[i+1]) && (i+2 == len(b) || !isAlphanumeric(b[i+2]) && b[i+2] != ':') {
		return i + 2
	}
	return i
}
