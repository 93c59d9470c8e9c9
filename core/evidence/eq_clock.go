package evidence

import "bytes"

// The clock rule: 7:00, 07:00, 07:00:00, 7:00 AM and 7 am are one time, and so is the time of an ISO stamp; 19.45 Uhr and
// 19h45 are as they are said elsewhere, 1945 UTC as pilots do. The offset of a zone is one in UTC+2 and +02:00. Without am or
// pm a time is read as it stands, on 24 hours: am and pm are never each other. What is no time (27:00, 07:60) is left to
// the literal rule.

// clock is a time of day. A second of -1 was not said.
type clock struct {
	hour, minute, second int
	fraction             []byte // of the second, its digits up to the last that is no zero
}

// The kinds of clock keys.
const (
	clockMinute = 'm' // hh:mm
	clockSecond = 's' // hh:mm:ss
	clockExact  = 'x' // hh:mm:ss and a fraction of the second
	clockZone   = 'z' // +hhmm, -hhmm
)

// clock reads a time at text[i], or the offset of a zone: +02:00.
func (s *speller) clock(i int) *spelling {
	if sp := s.zone(i); sp != nil {
		return sp
	}
	c, end, half := consumeClock(s.text, i)
	if end == i || clockRunsOn(s.text, end) {
		return nil
	}
	sp := s.spell(spelling{rule: ruleClock, start: i, end: nextDayEnd(s.text, end), strict: half})
	sp.data = half && digitsEnd(s.text, i)+2 < end && isDigitAt(s.text, digitsEnd(s.text, i)+1)
	s.keys.clockServed(&sp.served, c)
	asked := s.clockAsked(c)
	inStamp := i > 0 && s.text[i-1]|0x20 == 't'
	if digits, ok := offsetAt(s.text, end); ok && (digits[0] == '+' || inStamp || c.second >= 0) {
		zone := s.keys.key(ruleClock, clockZone, digits[:])
		sp.served.add(zone)
		sp.together, sp.end = [2][]byte{asked, zone}, end+len("+02:00")
		return sp
	}
	sp.asked.add(asked)
	if pm, ok := s.sharedHalf(end, c); ok && !half {
		sp.asked.add(s.clockAsked(pm))
	}
	return sp
}

// sharedHalf reads a time without am or pm as that of the time that a range goes on to: 2:00 to 3:30 PM.
func (s *speller) sharedHalf(end int, c clock) (clock, bool) {
	at, ok := consumeAny(s.text, skipSpaces(s.text, end), "-", "–", "—", "to ", "and ", "until ")
	if at = skipSpaces(s.text, at); !ok || at >= len(s.text) || c.hour < 1 || c.hour > 11 {
		return c, false
	}
	to, _, half := consumeClock(s.text, at)
	if !half || to.hour < 12 {
		return c, false
	}
	c.hour += 12
	return c, c.hour*60+c.minute <= to.hour*60+to.minute
}

// zone reads the offset of a zone that stands apart from a time: +02:00.
func (s *speller) zone(i int) *spelling {
	if i == 0 || s.text[i-1] != '+' || i > 1 && isWord(s.text[i-2]) {
		return nil
	}
	digits, ok := offsetAt(s.text, i-1)
	if !ok {
		return nil
	}
	sp := s.spell(spelling{rule: ruleClock, start: i, end: i + len("02:00"), strict: true})
	key := s.keys.key(ruleClock, clockZone, digits[:])
	sp.asked.add(key)
	sp.served.add(key)
	return sp
}

// offsetAt reads the offset of a zone at b[i], +02:00, as its sign and four digits.
func offsetAt(b []byte, i int) (digits [5]byte, ok bool) {
	if i+6 > len(b) || b[i] != '+' && b[i] != '-' || digitsEnd(b, i+1) != i+3 {
		return digits, false
	}
	minutes, ok := colonTwo(b, i+3)
	if !ok || minutes > 59 || i+6 < len(b) && (isWord(b[i+6]) || b[i+6] == ':') || digitsValue(b[i+1:i+3]) > 15 {
		return digits, false
	}
	return [5]byte{b[i], b[i+1], b[i+2], b[i+4], b[i+5]}, true
}

// namedZone reads utc+2, gmt-05:00 as the sign and four digits of the offset.
func namedZone(token []byte) (digits [5]byte, ok bool) {
	if len(token) < 5 || string(token[:3]) != "utc" && string(token[:3]) != "gmt" || token[3] != '+' && token[3] != '-' {
		return digits, false
	}
	hour := digitsEnd(token, 4)
	digits = [5]byte{token[3], '0', '0', '0', '0'}
	switch {
	case hour == 5:
		digits[2] = token[4]
	case hour == 6:
		digits[1], digits[2] = token[4], token[5]
	default:
		return digits, false
	}
	if hour == len(token) {
		return digits, true
	}
	if _, ok = colonTwo(token, hour); !ok || hour+3 != len(token) {
		return digits, false
	}
	digits[3], digits[4] = token[hour+1], token[hour+2]
	return digits, true
}

// clockRunsOn tells whether more of a word or a number follows a time; the Z of a stamp does not count.
func clockRunsOn(text []byte, i int) bool {
	if i < len(text) && text[i]|0x20 == 'z' {
		i++
	}
	return i < len(text) && (isWord(text[i]) || text[i] == ':' && i+1 < len(text) && isAlphanumeric(text[i+1]))
}

// clockAsked is the key that a time is looked up by: to the minute when it names no second, or the full minute.
func (s *speller) clockAsked(c clock) []byte {
	digits := c.digits()
	if len(c.fraction) > 0 {
		return s.keys.key(ruleClock, clockExact, digits[:], c.fraction)
	}
	if c.second >= 0 {
		return s.keys.key(ruleClock, clockSecond, digits[:])
	}
	return s.keys.key(ruleClock, clockMinute, digits[:4])
}

// clockServed adds the keys that a time is known by: its minute, whatever the second, and its second.
func (k *keyBuffer) clockServed(keys *keyList, c clock) {
	digits := c.digits()
	keys.add(k.key(ruleClock, clockMinute, digits[:4]))
	keys.add(k.key(ruleClock, clockSecond, digits[:]))
	if len(c.fraction) > 0 {
		keys.add(k.key(ruleClock, clockExact, digits[:], c.fraction))
	}
}

func (c clock) digits() [6]byte {
	two := func(n int) (byte, byte) { return byte('0' + n/10), byte('0' + n%10) }
	var d [6]byte
	d[0], d[1] = two(c.hour)
	d[2], d[3] = two(c.minute)
	d[4], d[5] = two(max(c.second, 0))
	return d
}

// consumeClock reads a time at b[i]: h:mm, hh:mm, with seconds and a fraction of them, with am or pm, or an hour with am
// or pm; 19.45 Uhr, 7.45 pm, 19h45. half tells that what stands there is a time and nothing else. end is i when no time
// does.
func consumeClock(b []byte, i int) (c clock, end int, half bool) {
	hourEnd := digitsEnd(b, i)
	if hourEnd == i || hourEnd-i > 2 {
		return c, i, false
	}
	if c, end = consumeSpokenClock(b, i, hourEnd); end > i {
		return c, end, true
	}
	c, end = consumeMinutes(b, hourEnd)
	c.hour = digitsValue(b[i:hourEnd])
	said := end > hourEnd
	if c.hour >= 1 && c.hour <= 12 {
		var pm bool
		if to, night := consumeAny(b, skipSpaces(b, end), "at night"); night {
			end, pm, half = to, c.hour >= 6 && c.hour < 12, true
		} else if end, pm, half = consumeHalf(b, end); half {
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

// consumeSpokenClock reads 19.45 Uhr, 7.45 pm, 19 Uhr, kl. 19.45, 19h45 and 19:45h; the hour ends at hourEnd. end is i when
// none of them stands there.
func consumeSpokenClock(b []byte, i, hourEnd int) (c clock, end int) {
	c = clock{hour: digitsValue(b[i:hourEnd]), second: -1}
	end = hourEnd
	sep := byte(0)
	if end+2 < len(b) && digitsEnd(b, end+1) == end+3 {
		sep, c.minute = b[end]|0x20, digitsValue(b[end+1:end+3])
		end += 3
	}
	uhr, isUhr := consumeAny(b, skipSpaces(b, end), "Uhr", "uhr")
	_, pm, isHalf := consumeHalf(b, end)
	switch {
	case c.hour > 23 || c.minute > 59:
		return c, i
	case sep == 'h' && !(end < len(b) && isWord(b[end])), sep == '.' && followsKl(b, i):
		return c, end
	case sep == ':' && end < len(b) && b[end] == 'h':
		return c, end + 1
	case isUhr && (sep == 0 || sep == '.'):
		return c, uhr
	case isHalf && sep == '.' && c.hour >= 1 && c.hour <= 12:
		end, _, _ = consumeHalf(b, end)
		if c.hour %= 12; pm {
			c.hour += 12
		}
		return c, end
	}
	return c, i
}

// followsKl tells whether kl, the o'clock of Nordic languages, stands before b[i].
func followsKl(b []byte, i int) bool {
	before := bytes.TrimRight(b[max(0, i-6):i], " .\x01")
	at := len(before) - len("kl")
	return at >= 0 && len(before) < min(i, 6) && string(bytes.ToLower(before[at:])) == "kl" && (at == 0 || !isWord(before[at-1]))
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
	if end < len(b) && (b[end] == '.' && isDigitAt(b, end+1) || b[end] == ',' && digitsEnd(b, end+1) == end+4) {
		from := end + 1
		end = digitsEnd(b, from)
		c.fraction = bytes.TrimRight(b[from:end], "0")
	}
	return c, end
}

// consumeHalf reads am or pm behind a time that ends at b[i]; the last point of p.m. belongs to it. end is i when neither
// stands there.
func consumeHalf(b []byte, i int) (end int, pm, ok bool) {
	if at := skipSpaces(b, i); at > i && at < len(b) && (b[at] == 'i' || b[at] == 'a') {
		if end, ok = consumeAny(b, at, "in the morning"); ok {
			return end, false, true
		}
		if end, ok = consumeAny(b, at, "in the afternoon", "in the evening"); ok {
			return end, true, true
		}
	}
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
	if i+2 >= len(b) || b[i] != ':' || !isDigit(b[i+1]) || !isDigit(b[i+2]) || isDigitAt(b, i+3) {
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
