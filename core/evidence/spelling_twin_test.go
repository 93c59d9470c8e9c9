package evidence

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The functions of this file are the same rules written the plain way: the regular expressions of literal-1.md, strings
// and copies. RE2 has no look-around, so what stands beside a match is asked by hand.

const (
	jsSpace   = `[\x09-\x0D\x20\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}]`
	ignorable = `[\p{Mn}\p{Me}\p{Cf}\p{Lm}\p{Sk}'.:\x{B7}\x{387}\x{55F}\x{5F4}\x{2018}\x{2019}\x{2024}\x{2027}\x{FE13}\x{FE52}\x{FE55}\x{FF07}\x{FF0E}\x{FF1A}]*`
)

var (
	twinTrim       = regexp.MustCompile(`^` + jsSpace + `+|` + jsSpace + `+$`)
	twinLead       = regexp.MustCompile("^[$#@+'\"`(\\[{<]+")
	twinTrail      = regexp.MustCompile("[.,;:!?%'\"`)\\]}>]+$")
	twinThousands  = regexp.MustCompile(`^-?\d{1,3}(,\d{3})+(\.\d+)?$`)
	twinNumber     = regexp.MustCompile(`^[-+]?\d+(\.\d+)?$`)
	twinTail       = regexp.MustCompile(`^([-+]?\d+(\.\d+)?)[-/]?[a-z]{1,5}(/[a-z]{1,5})?$`)
	twinFraction   = regexp.MustCompile(`^\d{1,2}/\d{1,2}$`)
	twinSeparator  = regexp.MustCompile(`[^A-Za-z0-9:_\-/.,%+@#$]+`)
	twinNoBefore   = regexp.MustCompile(`(^|[^0-9]),`)
	twinNoBehind   = regexp.MustCompile(`,([^0-9]|$)`)
	twinBefore     = regexp.MustCompile(ignorable + `$`)
	twinBehind     = regexp.MustCompile(`^` + ignorable)
	twinCased      = regexp.MustCompile(`[\p{Lu}\p{Ll}\p{Lt}]`)
	twinDigit      = regexp.MustCompile(`[0-9]`)
	twinIdentifier = regexp.MustCompile(`[a-z:_\-/.]`)
	twinDate       = regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)`)
	twinTwelve     = regexp.MustCompile(`^(\d{1,2})(:\d{2})?` + jsSpace + `*([aApP])\.?[mM]`)
	twinClock      = regexp.MustCompile(`^(\d{1,2}):(\d{2})$`)
	twinFigure     = regexp.MustCompile(`^([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)` + jsSpace + `?(%|(?:` +
		anyCase("percent|kb|mb|gb|tb|pb|kib|mib|gib|tib|pib|iops|mbps|gbps|ms|us") + `)(?:/[sS])?(?:[^a-zA-Z0-9]|$))`)
)

// anyCase writes a pattern of letters so that it takes both cases of ASCII and no other folding.
func anyCase(pattern string) string {
	return regexp.MustCompile(`[a-z]`).ReplaceAllStringFunc(pattern, func(c string) string {
		return "[" + c + strings.ToUpper(c) + "]"
	})
}

func twinLower(s string) string {
	s = string([]rune(s)) // a U+FFFD for each byte that is not valid
	var out strings.Builder
	for i, r := range s {
		switch r {
		case 'İ':
			out.WriteString("i\u0307")
		case 'Σ':
			before := twinBefore.ReplaceAllString(s[:i], "")
			behind := twinBehind.ReplaceAllString(s[i+len("Σ"):], "")
			last, _ := utf8.DecodeLastRuneInString(before)
			next, _ := utf8.DecodeRuneInString(behind)
			if before != "" && twinCasedRune(last) && (behind == "" || !twinCasedRune(next)) {
				out.WriteRune('ς')
			} else {
				out.WriteRune('σ')
			}
		default:
			out.WriteString(strings.ToLower(string(r)))
		}
	}
	return out.String()
}

// twinCasedRune adds to the letters of RE2's classes those that only Other_Lowercase and Other_Uppercase make cased.
func twinCasedRune(r rune) bool {
	return twinCased.MatchString(string(r)) || unicode.In(r, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

func twinNormalize(raw string) string {
	v := twinTrim.ReplaceAllString(twinLower(raw), "")
	v = twinLead.ReplaceAllString(v, "")
	v = twinTrail.ReplaceAllString(v, "")
	if twinThousands.MatchString(v) {
		v = strings.ReplaceAll(v, ",", "")
	}
	if twinNumber.MatchString(v) && twinDigits(v) <= 15 {
		return twinPrint(v)
	}
	return v
}

func twinDigits(s string) int { return len(twinDigit.FindAllString(s, -1)) }

// twinPrint prints a number of at most 15 digits in shortest form without a double: it has no digit that one would lose.
func twinPrint(v string) string {
	sign := ""
	if strings.HasPrefix(v, "-") {
		sign = "-"
	}
	whole, fraction, _ := strings.Cut(strings.TrimLeft(v, "+-"), ".")
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	digits := strings.TrimLeft(whole+fraction, "0")
	switch zeros := len(fraction) - len(strings.TrimLeft(fraction, "0")); {
	case digits == "":
		return "0"
	case whole == "" && zeros >= 6:
		mantissa := digits[:1]
		if len(digits) > 1 {
			mantissa += "." + digits[1:]
		}
		return sign + mantissa + "e-" + strconv.Itoa(zeros+1)
	case whole == "":
		return sign + "0." + fraction
	case fraction == "":
		return sign + whole
	}
	return sign + whole + "." + fraction
}

func twinTokenize(text string) []string {
	tokens := []string{}
	text = twinSeparator.ReplaceAllString(text, " ")
	for before := ""; before != text; {
		before = text
		text = twinNoBefore.ReplaceAllString(text, "$1 ")
		text = twinNoBehind.ReplaceAllString(text, " $1")
	}
	for piece := range strings.SplitSeq(text, " ") {
		if v := twinNormalize(piece); v != "" {
			tokens = append(tokens, v)
		}
	}
	return tokens
}

// twinClassify is Classify with no declaration and minDigits 4, for ASCII tokens.
func twinClassify(token string, figures map[string]bool) (c Candidate, ok bool) {
	if twinDigits(token) == 0 || twinFraction.MatchString(token) {
		return c, false
	}
	c = Candidate{Value: token, Shape: ShapeNumber}
	if m := twinTail.FindStringSubmatch(token); m != nil {
		c = Candidate{Value: twinNormalize(m[1]), Shape: ShapeNumber, Token: token}
	} else if !twinNumber.MatchString(token) {
		return Candidate{Value: token, Shape: ShapeIdentifier}, len(token) >= 4 && twinIdentifier.MatchString(token)
	}
	if twinDigits(c.Value) >= 4 {
		return c, true
	}
	c.Shape = ShapeFigure
	return c, figures[c.Value]
}

func twinExtract(text string, figures map[string]bool) []Candidate {
	candidates := []Candidate{}
	for i, token := range twinTokenize(text) {
		if i == maxAnswerTokens {
			break
		}
		c, ok := twinClassify(token, figures)
		known := slices.ContainsFunc(candidates, func(k Candidate) bool { return k.Value == c.Value })
		if ok && !known {
			candidates = append(candidates, c)
		}
	}
	return candidates
}

// before tells whether the byte in front of text[i] is one of the set.
func before(text string, i int, set string) bool {
	return i > 0 && strings.IndexByte(set, text[i-1]) >= 0
}

const (
	decimal = "0123456789"
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

func twinFigures(text string) []string {
	numbers := []string{}
	for i := 0; i < len(text); {
		m := twinFigure.FindStringSubmatchIndex(text[i:])
		if m == nil || before(text, i, decimal+letters+"_.,") {
			i++
			continue
		}
		numbers = append(numbers, twinNormalize(text[i:i+m[3]]))
		i += m[3] // what follows is a unit, which opens no number
	}
	return numbers
}

func twinDatesClocks(text string) []string {
	forms := []string{}
	add := func(form string) {
		if !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	for i := range len(text) {
		m := twinDate.FindStringSubmatch(text[i:])
		if m == nil || before(text, i, decimal+"-") || i+10 < len(text) && strings.IndexByte(decimal, text[i+10]) >= 0 {
			continue
		}
		month, _ := strconv.Atoi(m[2])
		day, _ := strconv.Atoi(m[3])
		if month >= 1 && month <= 12 && day >= 1 && day <= 31 {
			add(m[1])
			add(strconv.Itoa(month))
			add(strconv.Itoa(day))
		}
	}
	var rest strings.Builder
	for i := 0; i < len(text); {
		m := twinTwelve.FindStringSubmatch(text[i:])
		if m == nil || before(text, i, decimal+":.") || i+len(m[0]) < len(text) && strings.IndexByte(letters, text[i+len(m[0])]) >= 0 {
			rest.WriteString(text[i : i+1])
			i++
			continue
		}
		rest.WriteString(" ")
		i += len(m[0])
		hour, _ := strconv.Atoi(m[1])
		minute, _ := strconv.Atoi(strings.TrimPrefix(m[2], ":"))
		if hour < 1 || hour > 12 || minute > 59 {
			continue
		}
		hour %= 12
		if strings.ToLower(m[3]) == "p" {
			hour += 12
		}
		twinAddClock(hour, minute, add)
	}
	for _, token := range twinTokenize(rest.String()) {
		if m := twinClock.FindStringSubmatch(token); m != nil {
			hour, _ := strconv.Atoi(m[1])
			minute, _ := strconv.Atoi(m[2])
			if hour <= 23 && minute <= 59 {
				twinAddClock(hour, minute, add)
			}
		}
	}
	return forms
}

func twinAddClock(hour, minute int, add func(string)) {
	half := map[bool]string{true: "am", false: "pm"}[hour < 12]
	twelve := (hour+11)%12 + 1
	mm := strconv.Itoa(100 + minute)[1:]
	add(strconv.Itoa(hour) + ":" + mm)
	add(strconv.Itoa(100 + hour)[1:] + ":" + mm)
	add(strconv.Itoa(twelve) + ":" + mm)
	add(strconv.Itoa(twelve) + ":" + mm + half)
}
