package evidence

import (
	"testing"
)

func TestClassify(t *testing.T) {
	one, six := 1, 6
	plain := newGate(t, GateConfig{})
	loose := newGate(t, GateConfig{MinDigits: &one})
	strict := newGate(t, GateConfig{MinDigits: &six})
	declared := newGate(t, GateConfig{
		Shapes:         []Shape{{"port", `fc\d+`}, {"word", `[a-z]+`}, {"late", `fc1`}, {"ratio", `\d/\d`}, {"upper", `ABC`}},
		Exempt:         []string{"Stor-07", "0xEF0101", "4,417", "fc9"},
		ExemptPatterns: []string{`srv-\d+`, `a|ab1c`},
	})
	figures := map[string]bool{"61": true, "-5": true, "9.5": true}
	for _, tt := range []struct {
		name  string
		gate  *Gate
		token string
		want  string // value shape token
	}{
		{"empty", plain, "", ""},
		{"no digit", plain, "esxi-host-alpha", ""},
		{"other digits only", plain, "ab\u0663\u0664", ""},

		{"an exempt value", declared, "stor-07", ""},
		{"an exempt value wins over a shape", declared, "fc9", ""},
		{"exempt with 0x does both", declared, "ef0101", ""},
		{"exempt with 0x does both, itself", declared, "0xef0101", ""},
		{"exempt in its one spelling", declared, "4417", ""},
		{"exempt is asked of the token", declared, "4417us", "4417 number 4417us"},
		{"an exempt pattern", declared, "srv-12", ""},
		{"an exempt pattern, whole only", declared, "srv-12a", "srv-12a identifier "},
		{"alternatives are whole too", declared, "ab1c", ""},
		{"alternatives are whole too, the first", declared, "ab1d", "ab1d identifier "},
		{"exempting without 0x leaves it", newGate(t, GateConfig{Exempt: []string{"ef0101"}}), "0xef0101", "0xef0101 identifier "},

		{"a shape", declared, "fc1", "fc1 port "},
		{"a shape needs no digit", declared, "alpha", "alpha word "},
		{"a shape, whole only", declared, "fc1/34", "fc1/34 identifier "},
		{"a shape comes before N/M", declared, "3/4", "3/4 ratio "},
		{"upper case never matches", declared, "abc", "abc word "},

		{"N/M", plain, "3/4", ""},
		{"NN/MM", plain, "12/31", ""},
		{"N/M at one digit", loose, "3/4", ""},
		{"three digits of N/M", plain, "123/4", "123/4 identifier "},
		{"N/M/O", plain, "1/2/3", "1/2/3 identifier "},

		{"enough digits", plain, "4200", "4200 number "},
		{"not enough digits", plain, "420", ""},
		{"digits of a fraction count", plain, "42.05", "42.05 number "},
		{"signs do not", plain, "-420", ""},
		{"a sign stays", plain, "+4200", "+4200 number "},
		{"one digit", loose, "7", "7 number "},
		{"six digits", strict, "123456", "123456 number "},
		{"five of six", strict, "12345", ""},

		{"a tail", plain, "1007us", "1007 number 1007us"},
		{"a tail after a hyphen", plain, "1007-node", "1007 number 1007-node"},
		{"a tail after a slash", plain, "1007/month", "1007 number 1007/month"},
		{"a tail of two", plain, "1007gb/s", "1007 number 1007gb/s"},
		{"a tail of five letters", plain, "4200bytes", "4200 number 4200bytes"},
		{"six letters are no tail", plain, "4200months", "4200months identifier "},
		{"a second tail of six letters is none", plain, "4200b/second", "4200b/second identifier "},
		{"a digit in the second tail", plain, "4200b/1c", "4200b/1c identifier "},
		{"three tails are none", plain, "4200a/b/c", "4200a/b/c identifier "},
		{"a tail that ends in a slash is none", plain, "4200a/", "4200a/ identifier "},
		{"a hyphen alone is no tail", plain, "4200-", "4200- identifier "},
		{"digits in a tail are none", plain, "4200a1", "4200a1 identifier "},
		{"the number is spelled again", plain, "1500.50gb", "1500.5 number 1500.50gb"},
		{"the number is spelled again, its sign", plain, "+4200us", "4200 number +4200us"},
		{"a tail on too few digits", plain, "420us", ""},
		{"the digits are the value's", plain, "0420us", ""},
		{"hex that reads as a tail", plain, "0xbeef", ""},
		{"hex that does not", plain, "0xef0101", "0xef0101 identifier "},

		{"a figure", plain, "61", "61 figure "},
		{"a figure with a tail", plain, "9.5gb", "9.5 figure 9.5gb"},
		{"a figure with a sign", plain, "-5", "-5 figure "},
		{"no figure", plain, "62", ""},
		{"a number before a figure", loose, "61", "61 number "},

		{"an identifier", plain, "po12", "po12 identifier "},
		{"too short", plain, "po1", ""},
		{"a letter", plain, "1e21", "1e21 identifier "},
		{"a colon", plain, "20:00", "20:00 identifier "},
		{"an underscore", plain, "12_4", "12_4 identifier "},
		{"points", plain, "7.0.3", "7.0.3 identifier "},
		{"none of them", plain, "2024,2025", ""},
		{"none of them, percent", plain, "50%25", ""},
		{"two values in one token", plain, "10.0.0.1,10.0.0.2", "10.0.0.1,10.0.0.2 identifier "},
		{"UTF-16 units, not bytes", plain, "é1é", ""},
		{"UTF-16 units, not bytes, four", plain, "é1a\u00e9", "é1aé identifier "},
		{"an astral letter is two", plain, "\U00010428a1", "\U00010428a1 identifier "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if c, ok := tt.gate.Classify(tt.token, figures); ok {
				got = c.Value + " " + c.Shape + " " + c.Token
			}
			if got != tt.want {
				t.Errorf("Classify(%q) = %q, want %q", tt.token, got, tt.want)
			}
		})
	}
}

func newGate(t testing.TB, c GateConfig) *Gate {
	t.Helper()
	g, err := NewGate(c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
