package servedjson_test

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// FuzzText: every way to a string's text gives what encoding/json gives.
func FuzzText(f *testing.F) {
	for _, body := range []string{
		"", "plain", `a\"b\\c\/d\b\f\n\r\t`, `\u0041\u00e9\ud83d\ude80`, `\ud83d`, `\ude80\ud83d`, `\ud83d\u0041`, `\ud83d\ud83d\ude80`,
		"naïve 機", "a\xffb", "\xff\\n", "\u2028\u2029\x7f", `\u0000`, strings.Repeat(`\n\u0800`, 40) + "\xff", `\n\n` + "\xff",
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		v, err := servedjson.Parse([]byte(`"` + body + `"`))
		if err != nil || v.Kind() != servedjson.String {
			return
		}
		var want string
		if err := json.Unmarshal(v.Raw(), &want); err != nil {
			t.Fatal(err)
		}
		room := []byte("what stood there before")
		for way, got := range map[string]string{
			"Text": v.Text(), "LeafText": v.LeafText(), "AppendText": string(v.AppendText([]byte("a"))[1:]),
			"TextBytes": string(v.TextBytes(nil)), "TextBytes in room": string(v.TextBytes(room)),
		} {
			if got != want {
				t.Fatalf("%s of %q is %q, want %q", way, body, got, want)
			}
		}
		if !v.TextIs(want) || v.TextIs(want+"x") || v.TextIs("x"+want) || v.Escaped() != (want != body) && v.Escaped() != strings.Contains(body, `\`) {
			t.Fatalf("%q: TextIs or Escaped does not say that it is %q", body, want)
		}
	})
}

// FuzzQuoted: a quoted text reads back, and holds no escape that is not needed.
func FuzzQuoted(f *testing.F) {
	f.Add("plain")
	f.Add("a \"b\" \\ \b\f\n\r\t \x00\x1f\x7f é \u2028 <&>")
	f.Add("\xff\xc3(")
	needed := regexp.MustCompile(`^("|\\|[\x00-\x1f])$`)
	f.Fuzz(func(t *testing.T, text string) {
		quoted := servedjson.AppendQuoted([]byte("x"), []byte(text))[1:]
		want := string([]rune(text))
		v := must(servedjson.Parse(quoted))
		if v.Text() != want {
			t.Fatalf("%q is quoted as %s", text, quoted)
		}
		escapes := 0
		for _, r := range want {
			if needed.MatchString(string(r)) {
				escapes++
			}
		}
		if got := strings.Count(strings.ReplaceAll(string(quoted), `\\`, `\`), `\`); got != escapes {
			t.Fatalf("%q is quoted as %s: %d escapes, want %d", text, quoted, got, escapes)
		}
	})
}

// FuzzJSNumber: a double prints as encoding/json prints it, which is ECMAScript's form but for negative zero, and reads
// back.
func FuzzJSNumber(f *testing.F) {
	for _, x := range []float64{0, math.Copysign(0, -1), 1, -1.5, 1e21, 1e20, 1e-6, 1e-7, 123456789012345680000, 5e-324, math.MaxFloat64, 0.1, 1.0 / 3} {
		f.Add(x)
	}
	f.Fuzz(func(t *testing.T, x float64) {
		if math.IsNaN(x) || math.IsInf(x, 0) || x == 0 {
			return
		}
		want, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		if got := servedjson.AppendJSNumber(nil, x); string(got) != string(want) {
			t.Fatalf("got %s, want %s", got, want)
		}
	})
}

func TestAppendJSNumber(t *testing.T) {
	for want, x := range map[string]float64{
		"0": math.Copysign(0, -1), "NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1),
		"1e-7": 1e-7, "0.000001": 1e-6, "1e+21": 1e21, "100000000000000000000": 1e20, "1.5e-10": 1.5e-10, "1e+100": 1e100,
	} {
		if got := servedjson.AppendJSNumber(nil, x); string(got) != want {
			t.Errorf("%v prints as %s, want %s", x, got, want)
		}
	}
}

// FuzzTrimJS: TrimJS is trimming by the list of literal-1.md.
func FuzzTrimJS(f *testing.F) {
	f.Add("\ufeff \u00a0x\u0085\u3000")
	f.Add("\u180ex\u200b")
	f.Add("\xff \xa0")
	f.Fuzz(func(t *testing.T, text string) {
		got := string(servedjson.TrimJS([]byte(text)))
		if want := strings.TrimFunc(text, isSpaceJS); got != want {
			t.Fatalf("%q: got %q, want %q", text, got, want)
		}
	})
}

func TestIsSpaceJS(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if got, want := servedjson.IsSpaceJS(r), utf8.ValidRune(r) && isSpaceJS(r); got != want {
			t.Errorf("%U: %t", r, got)
		}
	}
	var spaces []byte
	for c := range 256 {
		if servedjson.IsSpace(byte(c)) {
			spaces = append(spaces, byte(c))
		}
	}
	if !slices.Equal(spaces, []byte("\t\n\r ")) {
		t.Errorf("JSON space is %q", spaces)
	}
}
