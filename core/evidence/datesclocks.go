package evidence

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// DateAndClockForms gives the other spellings of the dates and clock times in a text that exempts: of an ISO date its
// year, month and day, of a clock time its 24-hour and 12-hour forms (literal-1, "normalize"). First appearance wins.
func DateAndClockForms(text string) []string {
	forms := formSet{list: []string{}}
	b := []byte(text)
	forms.addDates(b)
	rest := forms.addTwelveHour(b)
	forms.addClockTokens(rest)
	return forms.list
}

// formSet is a list without repeats. It is small: a text holds few dates and times.
type formSet struct {
	list []string
}

func (f *formSet) add(form string) {
	if !slices.Contains(f.list, form) {
		f.list = append(f.list, form)
	}
}

// addDates takes the ISO dates: dddd-dd-dd with no digit or hyphen before and no digit behind.
func (f *formSet) addDates(b []byte) {
	const width = len("2006-01-02")
	for i := 0; i+width <= len(b); i++ {
		if !isDigit(b[i]) || i > 0 && (isDigit(b[i-1]) || b[i-1] == '-') {
			continue
		}
		if !isISODate(b[i:i+width]) || i+width < len(b) && isDigit(b[i+width]) {
			continue
		}
		month, day := twoDigits(b[i+5:]), twoDigits(b[i+8:])
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

func twoDigits(b []byte) int { return int(b[0]-'0')*10 + int(b[1]-'0') }

// addTwelveHour takes the readings with am or pm, and gives the text with a space in place of each.
func (f *formSet) addTwelveHour(b []byte) []byte {
	rest := make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		hour, minute, pm, n := consumeTwelveHour(b, i)
		if n == 0 {
			rest = append(rest, b[i])
			i++
			continue
		}
		if hour >= 1 && hour <= 12 && minute <= 59 {
			f.addClock(hour%12+map[bool]int{true: 12}[pm], minute)
		}
		rest = append(rest, ' ')
		i += n
	}
	return rest
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
	for _, c := range b[i:j] {
		hour = hour*10 + int(c-'0')
	}
	if j+2 < len(b) && b[j] == ':' && isDigit(b[j+1]) && isDigit(b[j+2]) {
		minute = twoDigits(b[j+1:])
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

// addClockTokens takes the tokens that are 24-hour times.
func (f *formSet) addClockTokens(b []byte) {
	z := NewTokenizer(b)
	for {
		token, _, _, ok := z.Next()
		if !ok {
			return
		}
		colon := digitsEnd(token, 0)
		if colon < 1 || colon > 2 || len(token) != colon+3 || token[colon] != ':' || digitsEnd(token, colon+1) != len(token) {
			continue
		}
		hour := int(token[0] - '0')
		if colon == 2 {
			hour = twoDigits(token)
		}
		if minute := twoDigits(token[colon+1:]); hour <= 23 && minute <= 59 {
			f.addClock(hour, minute)
		}
	}
}

// addClock adds the spellings of a time: 24 hours without and with a leading zero, 12 hours without and with am or pm.
func (f *formSet) addClock(hour, minute int) {
	minutes := string([]byte{':', byte('0' + minute/10), byte('0' + minute%10)})
	f.add(strconv.Itoa(hour) + minutes)
	f.add(string([]byte{byte('0' + hour/10), byte('0' + hour%10)}) + minutes)
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
