package evidence

import (
	"strings"
	"testing"
)

func TestDateAndClockForms(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "no date here", ""},
		{"a date", "2031-04-05", "2031 4 5"},
		{"a stamp", "2031-04-05T06:07:08Z", "2031 4 5"},
		{"no calendar", "2031-02-31", "2031 2 31"},
		{"the year as written", "0007-10-11", "0007 10 11"},
		{"month 0", "2031-00-05", ""},
		{"month 13", "2031-13-05", ""},
		{"day 0", "2031-12-00", ""},
		{"day 32", "2031-12-32", ""},
		{"a digit before", "12031-04-05", ""},
		{"a hyphen before", "-2031-04-05", ""},
		{"a letter before", "x2031-04-05", "2031 4 5"},
		{"a digit behind", "2031-04-056", ""},
		{"a hyphen behind", "2031-04-05-x", "2031 4 5"},
		{"other signs than hyphens", "2031/04-05 2031-04/05", ""},
		{"one digit of month", "2031-4-05", ""},
		{"at the end of the text, cut", "2031-04-0", ""},
		{"repeats dropped", "2031-04-05 2031-05-06", "2031 4 5 6"},

		{"an hour with pm", "8 pm", "20:00 8:00 8:00pm"},
		{"an hour with am", "8AM", "8:00 08:00 8:00am"},
		{"with points", "8 a.m.", "8:00 08:00 8:00am"},
		{"noon", "12 pm", "12:00 12:00pm"},
		{"midnight", "12:05 am", "0:05 00:05 12:05 12:05am"},
		{"minutes", "8:40pm", "20:40 8:40 8:40pm"},
		{"hour 0", "0 am", ""},
		{"hour 13", "13 pm", ""},
		{"minute 59", "8:59 pm", "20:59 8:59 8:59pm"},
		{"minute 60", "8:60 pm", ""},
		{"any space", "8\u00A0\u2003\n pm", "20:00 8:00 8:00pm"},
		{"not every separator", "8\u0085pm 8\u200Bpm", ""},
		{"a letter behind", "8 pmx 8 pma 8 pmz", ""},
		{"an upper-case letter behind", "8 pmX 8 pmA 8 pmZ", ""},
		{"a digit behind", "8 pm9", "20:00 8:00 8:00pm"},
		{"another letter's case fold behind", "8 pm\u017F", "20:00 8:00 8:00pm"},
		{"a point before", "1.8 pm", ""},
		{"a colon before", "x:8 pm", ""},
		{"three digits", "118 pm 008 pm", ""},
		{"one o'clock", "1 am", "1:00 01:00 1:00am"},
		{"a colon at the end", "at 8:", ""},
		{"a letter before", "x8 pm", "20:00 8:00 8:00pm"},
		{"one digit of minutes", "8:4 pm 8:4x pm", ""},
		{"a letter in the minutes", "8:x4 pm", "16:00 4:00 4:00pm"},
		{"two in a row", "10pm-11am", "22:00 10:00 10:00pm 11:00 11:00am"},
		{"no m", "8 p", ""},
		{"a point and no m", "8 p.x", ""},

		{"a 24-hour time", "20:05", "20:05 8:05 8:05pm"},
		{"a 24-hour time of one digit", "(7:00)", "7:00 07:00 7:00am"},
		{"midnight of 24 hours", "00:00", "0:00 00:00 12:00 12:00am"},
		{"no hour", ":05", ""},
		{"an hour of three digits", "008:05", ""},
		{"after colons in a row", "a:: 20:05", "20:05 8:05 8:05pm"},
		{"the last minute", "23:59", "23:59 11:59 11:59pm"},
		{"hour 24", "24:00", ""},
		{"minute 60 of 24 hours", "23:60", ""},
		{"seconds", "23:59:00", ""},
		{"a range is one token", "20:00-21:30", ""},
		{"what has am is read once", "8:40 p.m. or 20:40", "20:40 8:40 8:40pm"},
		{"a refused 12-hour reading is blanked too", "13:00 pm", ""},
		{"dates, then 12 hours, then 24", "21:00 at 8 am on 2031-04-05", "2031 4 5 8:00 08:00 8:00am 21:00 9:00 9:00pm"},
		{"not valid UTF-8", "\xff8 pm\xff 20:05\xff", "20:00 8:00 8:00pm 20:05 8:05 8:05pm"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(DateAndClockForms(tt.in), " "); got != tt.want {
				t.Errorf("DateAndClockForms(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}
