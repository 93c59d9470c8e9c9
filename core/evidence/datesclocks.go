package evidence

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
	"unicode/utf8"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// DateAndClockForms gives the other spellings of the dates and clock times in a text that exempts: of an ISO date its
// year, month and day, of a clock time its 24-hour and 12-hour forms (literal-1, "normalize"). First appearance wins.
func DateAndClockForms(text string) []string { return dateAndClockForms([]byte(text)) }

func dateAndClockForms(text []byte) []string {
	forms := formSet{list: []string{}}
	forms.addDates(text)
	forms.addClockTokens(forms.addTwelveHour(text))
	return forms.list
}

// formSet is a list without repeats.
type formSet struct {
	list []string
	seen map[string]bool
}

func (f *formSet) add(form string) {
	if f.seen[form] {
		return
	}
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	f.seen[form] = true
	f.list = append(f.list, form)
}

// addDates takes the ISO dates: dddd-dd-dd with no digit or hyphen before and no digit behind.
func (f *formSet) addDates(b []byte) {
	const width = len("2006-01-02")
	for i := nextDigit(b, 0); i+width <= len(b); i = nextDigit(b, i+1) {
		if i > 0 && (isDigit(b[i-1]) || b[i-1] == '-') {
			continue
		}
		if !isISODate(b[i:i+width]) || i+width < len(b) && isDigit(b[i+width]) {
			continue
		}
		month, day := digitsValue(b[i+5:i+7]), digitsValue(b[i+8:i+10])
		if month >= 1 && month <= 12 && day >= 1 && day <= 31 {
			f.add(string(b[i : i+4]))
			f.add(strconv.Itoa(month))
			f.add(strconv.Itoa(day))
		}
		i += width - 1
	}
}

func isISODate(b []byte) bool {
	for i, c := range b {
		if i == 4 || i == 7 {
			if c != '-' {
				return false
			}
		} else if !isDigit(c) {
			return false
		}
	}
	return true
}

// addTwelveHour takes the readings with am or pm, and gives the text with a space in place of each: the text itself when
// there is none.
func (f *formSet) addTwelveHour(b []byte) []byte {
	var rest []byte
	copied := 0
	for i := nextDigit(b, 0); i < len(b); i = nextDigit(b, i) {
		hour, minute, pm, n := consumeTwelveHour(b, i)
		if n == 0 {
			i++
			continue
		}
		if hour >= 1 && hour <= 12 && minute <= 59 {
			f.addClock(hour24(hour, pm), minute)
		}
		rest = append(append(rest, b[copied:i]...), ' ')
		i += n
		copied = i
	}
	if copied == 0 {
		return b
	}
	return append(rest, b[copied:]...)
}

func hour24(hour int, pm bool) int {
	if pm {
		return hour%12 + 12
	}
	return hour % 12
}

// nextDigit gives the first place at or after i that is a digit, or the end. It looks at eight bytes at a time: after the
// digits are moved down to 0-9, what is above 9 or was not ASCII reaches 0x80.
func nextDigit(b []byte, i int) int {
	for ; i+wordSize <= len(b); i += wordSize {
		w := binary.LittleEndian.Uint64(b[i:]) ^ ones*'0'
		if others := (w&^highs + ones*(0x7f-9) | w) & highs; others != highs {
			return i + bits.TrailingZeros64(^others&highs)/8
		}
	}
	for i < len(b) && !isDigit(b[i]) {
		i++
	}
	return i
}

// consumeTwelveHour reads (?<![\d:.])\d{1,2}(:\d{2})?\s*[ap]\.?m(?![a-z]) at b[i], without regard to case; n is 0 when
// it does not stand there.
func consumeTwelveHour(b []byte, i int) (hour, minute int, pm bool, n int) {
	if !isDigit(b[i]) || i > 0 && (isDigit(b[i-1]) || b[i-1] == ':' || b[i-1] == '.') {
		return 0, 0, false, 0
	}
	j := digitsEnd(b, i)
	if j-i > 2 {
		return 0, 0, false, 0
	}
	hour = digitsValue(b[i:j])
	if j+2 < len(b) && b[j] == ':' && isDigit(b[j+1]) && isDigit(b[j+2]) {
		minute = digitsValue(b[j+1 : j+3])
		j += 3
	}
	end, pm, ok := consumeMeridiem(b, skipSpaceJS(b, j))
	if !ok {
		return 0, 0, false, 0
	}
	return hour, minute, pm, end - i
}

// consumeMeridiem reads [ap]\.?m(?![a-z]) at b[i], without regard to case.
func consumeMeridiem(b []byte, i int) (end int, pm, ok bool) {
	if i >= len(b) || b[i]|0x20 != 'a' && b[i]|0x20 != 'p' {
		return 0, false, false
	}
	pm = b[i]|0x20 == 'p'
	if i++; i < len(b) && b[i] == '.' {
		i++
	}
	if i >= len(b) || b[i]|0x20 != 'm' || i+1 < len(b) && isLetter(b[i+1]) {
		return 0, false, false
	}
	return i + 1, pm, true
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func skipSpaceJS(b []byte, i int) int {
	for i < len(b) {
		r, n := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(b[i:])
		}
		if !servedjson.IsSpaceJS(r) {
			break
		}
		i += n
	}
	return i
}

// addClockTokens takes the tokens that are 24-hour times: ^\d{1,2}:\d{2}$ with an hour up to 23 and a minute up to 59.
func (f *formSet) addClockTokens(b []byte) {
	if !mayHoldClock(b) {
		return
	}
	z := NewTokenizer(b)
	for {
		token, _, _, ok := z.Next()
		if !ok {
			return
		}
		if hour, minute, ok := readClock(token); ok {
			f.addClock(hour, minute)
		}
	}
}

// mayHoldClock tells whether a digit, a colon and a digit stand in a row somewhere.
func mayHoldClock(b []byte) bool {
	for i := bytes.IndexByte(b, ':'); i >= 0; {
		if i > 0 && i+1 < len(b) && isDigit(b[i-1]) && isDigit(b[i+1]) {
			return true
		}
		next := bytes.IndexByte(b[i+1:], ':')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

func readClock(token []byte) (hour, minute int, ok bool) {
	colon := digitsEnd(token, 0)
	if colon < 1 || colon > 2 || len(token) != colon+3 || token[colon] != ':' || digitsEnd(token, colon+1) != len(token) {
		return 0, 0, false
	}
	hour, minute = digitsValue(token[:colon]), digitsValue(token[colon+1:])
	return hour, minute, hour <= 23 && minute <= 59
}

// digitsValue is the number that a few digits write.
func digitsValue(b []byte) (n int) {
	for _, c := range b {
		n = n*10 + int(c-'0')
	}
	return n
}

// addClock adds the spellings of a time: 24 hours without and with a leading zero, 12 hours without and with am or pm.
func (f *formSet) addClock(hour, minute int) {
	minutes := ":" + padded(minute)
	f.add(strconv.Itoa(hour) + minutes)
	f.add(padded(hour) + minutes)
	half, twelve := "am", hour%12
	if hour >= 12 {
		half = "pm"
	}
	if twelve == 0 {
		twelve = 12
	}
	f.add(strconv.Itoa(twelve) + minutes)
	f.add(strconv.Itoa(twelve) + minutes + half)
}

func padded(n int) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }
