package coverage

import (
	"errors"
	"strings"
	"testing"
)

const periodText = `{"queried":{"from":"2031-09-26T09:00:00Z","to":"2031-09-26T10:00:00Z"},"held":"unknown"}`

// period writes a period of minutes past nine, held "" for unknown.
func period(queried, held, more string) string {
	interval := func(s string) string {
		from, to, _ := strings.Cut(s, "-")
		return `{"from":"2031-09-26T09:` + from + `Z","to":"2031-09-26T09:` + to + `Z"}`
	}
	text := `{"queried":` + interval(queried) + `,"held":`
	if held == "" {
		return text + `"unknown"` + more + `}`
	}
	return text + interval(held) + more + `}`
}

func TestVerdict(t *testing.T) {
	tests := []struct {
		name, queried, held string
		want                Verdict
	}{
		{"unknown", "10-20", "", Unknown},
		{"the same", "10-20", "10-20", FullyHeld},
		{"more", "10-20", "09-21", FullyHeld},
		{"an instant", "10-10", "10-10", FullyHeld},
		{"the beginning is missing", "10-20", "10:00.000000001-20", PartlyHeld},
		{"the end is missing", "10-20", "10-19:59.999999999", PartlyHeld},
		{"only the middle", "10-20", "12-13", PartlyHeld},
		{"only the last instant", "10-20", "20-30", PartlyHeld},
		{"only the first instant", "10-20", "05-10", PartlyHeld},
		{"just after", "10-20", "20:00.000000001-30", NotHeld},
		{"just before", "10-20", "05-09:59.999999999", NotHeld},
	}
	for _, tt := range tests {
		p, err := ReadPeriod(parse(t, period(tt.queried, tt.held, "")), Wire)
		if err != nil || p.Verdict() != tt.want {
			t.Errorf("%s: %s, %v; want %s", tt.name, p.Verdict(), err, tt.want)
		}
	}
}

func TestLeastHeld(t *testing.T) {
	tests := []struct {
		verdicts []Verdict
		want     Verdict
	}{
		{[]Verdict{FullyHeld, Unknown}, Unknown},
		{[]Verdict{Unknown, PartlyHeld}, PartlyHeld},
		{[]Verdict{PartlyHeld, NotHeld, FullyHeld}, NotHeld},
		{[]Verdict{"odd", FullyHeld}, FullyHeld},
		{[]Verdict{"odd"}, ""},
		{nil, ""},
	}
	for _, tt := range tests {
		if got, ok := LeastHeld(tt.verdicts); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%v: %q, %t", tt.verdicts, got, ok)
		}
	}
}

func TestReadPeriodNamesTheField(t *testing.T) {
	with := func(from, to string) string { return strings.Replace(period("10-20", "12-13", ""), from, to, 1) }
	tests := []struct {
		name, value string
		spelling    Spelling
		field       string // "" when the period is taken
	}{
		{"wire", period("10-20", "12-13", `,"read_at":"2031-09-26T10:00:00+02:00"`), Wire, ""},
		{"author", period("10-20", "12-13", `,"readAt":"2031-09-26t10:00z"`), Author, ""},
		{"author's key on the wire", period("10-20", "", `,"readAt":"2031-09-26T10:00Z"`), Wire, "period.readAt"},
		{"wire's key by an author", period("10-20", "", `,"read_at":"2031-09-26T10:00Z"`), Author, "period.read_at"},
		{"null", `null`, Wire, "period"},
		{"a list", `[]`, Wire, "period"},
		{"an unknown key before all", `{"x":1}`, Wire, "period.x"},
		{"nothing queried", `{"held":"unknown"}`, Wire, "period.queried"},
		{"queried and held are wrong", `{"queried":1,"held":1}`, Wire, "period.queried"},
		{"held and the reading are wrong", period("10-20", "x-y", `,"read_at":1`), Wire, "period.held.from"},
		{"nothing held", `{"queried":{"from":"2031-09-26T09:00Z","to":"2031-09-26T09:00Z"}}`, Wire, "period.held"},
		{"a word", with(`{"from":"2031-09-26T09:12Z","to":"2031-09-26T09:13Z"}`, `"all"`), Wire, "period.held"},
		{"null held", with(`{"from":"2031-09-26T09:12Z","to":"2031-09-26T09:13Z"}`, `null`), Wire, "period.held"},
		{"a key in an interval", with(`"to"`, `"until":1,"to"`), Wire, "period.queried.until"},
		{"another case", with(`"from"`, `"From"`), Wire, "period.queried.From"},
		{"no beginning", with(`"from":"2031-09-26T09:10Z",`, ``), Wire, "period.queried.from"},
		{"no zone", with(`09:20Z`, `09:20`), Wire, "period.queried.to"},
		{"no text", with(`"2031-09-26T09:20Z"`, `1`), Wire, "period.queried.to"},
		{"backwards", period("20-10", "", ""), Wire, "period.queried"},
		{"held backwards", period("10-20", "13-12", ""), Wire, "period.held"},
		{"no instant of reading", period("10-20", "", `,"read_at":""`), Wire, "period.read_at"},
		{"the served word is not written", period("10-20", "", `,"verdict":"unknown"`), Wire, "period.verdict"},
	}
	for _, tt := range tests {
		_, err := ReadPeriod(parse(t, tt.value), tt.spelling)
		field := ""
		if found, ok := errors.AsType[*FieldError](err); ok {
			field = found.Field
		}
		if field != tt.field || (err == nil) != (tt.field == "") {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.field)
		}
	}
}

func TestServedPeriod(t *testing.T) {
	tests := []struct {
		name, value, want string // want "" when the period is not read
	}{
		{"as it is written", period("10-20", "", ""), period("10-20", "", "")},
		{"spaced", "{ \"held\" : \"unknown\",\n" + strings.TrimPrefix(strings.Replace(period("10-20", "", ""), `,"held":"unknown"`, "", 1), "{"), period("10-20", "", "")},
		{"read at", period("10-20", "", `,"read_at":"2031-09-26T10:00Z"`), period("10-20", "", `,"readAt":"2031-09-26T10:00Z"`)},
		{"the word it gives", period("10-20", "30-40", `,"verdict":"not-held"`), period("10-20", "30-40", "")},
		{"the word it gives, covered", period("10-20", "10-20", `,"verdict":"covered"`), period("10-20", "10-20", "")},
		{"another word", period("10-20", "30-40", `,"verdict":"covered"`), ""},
		{"no word", period("10-20", "30-40", `,"verdict":true`), ""},
		{"another key", period("10-20", "", `,"readAt":"2031-09-26T10:00Z"`), ""},
		{"nothing", `null`, ""},
	}
	for _, tt := range tests {
		p, ok := servedPeriod(parse(t, tt.value))
		if ok != (tt.want != "") || ok && string(p.JSON()) != tt.want {
			t.Errorf("%s: %t\n%s", tt.name, ok, tt.value)
		}
	}
}
