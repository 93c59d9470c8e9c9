package servedjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"unicode/utf8"
)

// FuzzScanners holds what reads eight bytes at a time to its plain twin, from every place of the text.
func FuzzScanners(f *testing.F) {
	for _, s := range []string{
		"", "plain", `sixteen plain by`, `a "quoted" and a \\ slash, longer than a word`, "12345678901234567890.5e-7x",
		"naïve 機 text of many bytes \xff\xfe\x80", "tab\there and nul\x00", `\u00e9\ud83d\ude80\q\`, "\x1f\x20\x7f\x80\xa0\xa2\xdc",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		b = b[:min(len(b), 1<<10)] // each place is read to the end
		for i := range b {
			holdTwins(t, b, i)
		}
	})
}

func holdTwins(t *testing.T, b []byte, i int) {
	t.Helper()
	if got, want := skipPlain(b, i), skip(b, i, classString); got != want {
		t.Fatalf("skipPlain(%q, %d) = %d, its twin %d", b, i, got, want)
	}
	if got, want := skipDigits(b, i), skip(b, i, classDigit); got != want {
		t.Fatalf("skipDigits(%q, %d) = %d, its twin %d", b, i, got, want)
	}
	if got, want := stringEnd(b, i), stringEndRest(b, i+1); got != want {
		t.Fatalf("stringEnd(%q, %d) = %d, its twin %d", b, i, got, want)
	}
	got, err := consumeString(b, i)
	want, wantErr := consumeStringRest(b, i+1)
	if got != want || !errors.Is(err, wantErr) {
		t.Fatalf("consumeString(%q, %d) = %d, %v, its twin %d, %v", b, i, got, err, want, wantErr)
	}
	if got, want := readsAsWritten(b[i:]), bytes.IndexByte(b[i:], '\\') < 0 && utf8.Valid(b[i:]); got != want {
		t.Fatalf("readsAsWritten(%q) = %t", b[i:], got)
	}
}

// FuzzNumber holds what is known of numbers: the consumer takes what encoding/json takes, and what is printed as it is
// written is printed the same through a double.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{
		"0", "-0", "-0.0", "10", "007", "4417", "-12.50", "0.000001", "0.0000001", "0.0000012", "123456789012345", "1234567890123456",
		"0.123456789012345", "99999.9999999999", "1e21", "1E-7", "1.5e+3", "1e400", "5e-324", "1.", ".5", "-", "1e", "+1", "0x10",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b := []byte(s)
		end, err := consumeNumber(b, 0)
		isNumber := err == nil && end == len(b)
		if want := len(b) > 0 && !IsSpace(b[0]) && !IsSpace(b[len(b)-1]) && classes[b[len(b)-1]]&classDigit != 0 && json.Valid(b); isNumber != want {
			t.Fatalf("consumeNumber(%q) = %d, %v", s, end, err)
		}
		if !isNumber {
			return
		}
		v := Value{b}
		if printed := AppendJSNumber(nil, v.Float()); v.NumberText() != string(printed) {
			t.Fatalf("%s prints as %s, and as %s through a double", s, v.NumberText(), printed)
		}
	})
}

func TestPrintsAsWritten(t *testing.T) {
	for _, test := range []struct {
		number string
		want   bool
	}{
		{"0", true}, {"-1", true}, {"-0", false}, {"-0.5", true}, {"0.000001", true}, {"0.0000001", false}, {"0.0000012", true},
		{"12.5", true}, {"12.50", false}, {"12.0", false}, {"-0.0", false}, {"999999999999999", true}, {"9999999999999999", false},
		{"-999999999999999", true}, {"1.23456789012345", true}, {"1.234567890123456", false}, {"1e5", false}, {"1.5e5", false},
		{"100", true}, {"0.1", true},
	} {
		if got := printsAsWritten([]byte(test.number)); got != test.want {
			t.Errorf("printsAsWritten(%s) = %t", test.number, got)
		}
	}
}

// TestEveryByte holds the scanners to their twins with every byte at every place of a word, among digits, letters and
// bytes above ASCII, and every byte as an escape and as a hexadecimal digit to encoding/json.
func TestEveryByte(t *testing.T) {
	for c := range 256 {
		for _, around := range []byte("1a\xe9\x80") {
			for at := range 2 * wordSize {
				b := bytes.Repeat([]byte{around}, 3*wordSize)
				b[at] = byte(c)
				holdTwins(t, b, 0)
			}
		}
		for _, format := range []string{`"\%c"`, `"\u%c000"`, `"\u000%c"`, `"%c"`, `[1%c1]`, `[1%c]`} {
			text := fmt.Appendf(nil, format, c) // above ASCII a character of two bytes
			if _, err := Parse(text); (err == nil) != json.Valid(text) {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
}
