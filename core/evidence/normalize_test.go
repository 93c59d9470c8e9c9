package evidence

import (
	"strings"
	"testing"
)

func TestNormalizeToken(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"only space", " \t\n", ""},
		{"lower case", "Stor-07", "stor-07"},
		{"lower already", "stor-07", "stor-07"},

		{"trim takes FEFF", "\uFEFFq12\uFEFF", "q12"},
		{"trim takes NBSP and the other spaces", "\u00A0\u1680\u2003\u2028\u2029\u202F\u205F\u3000q12\u200A", "q12"},
		{"trim leaves 0085", "\u0085q12\u0085", "\u0085q12\u0085"},
		{"trim leaves 180E, 200B and 001C", "\u180Eq12\u200B\x1C", "\u180Eq12\u200B\x1C"},
		{"trim leaves what is inside", "a\u00A0b", "a\u00A0b"},

		{"one leading run", "$#@+'\"`([{<q12", "q12"},
		{"a leading run ends at the first other", "(-(q12", "-(q12"},
		{"minus is not of it", "--4200", "--4200"},
		{"trailing marks do not lead", ".;q12", ".;q12"},
		{"one trailing run", "q12.,;:!?%'\"`)]}>", "q12"},
		{"a trailing run ends at the last other", "q12)-)", "q12)-"},
		{"leading marks do not trail", "q12$#@+([{<", "q12$#@+([{<"},
		{"slash and underscore stay", "/q12/_", "/q12/_"},
		{"nothing left", "([{<'\"", ""},
		{"nothing left of trailing marks", ".,;:", ""},
		{"no second trim", "( 4200 )", " 4200 "},
		{"no second strip", "\" (q12) \"", " (q12) "},

		{"thousands", "1,234", "1234"},
		{"thousands, many groups", "-12,345,678.50", "-12345678.5"},
		{"a group of two", "1,23", "1,23"},
		{"a letter in a group", "1,x34", "1,x34"},
		{"a first group of four", "1234,567", "1234,567"},
		{"no group after the comma", "1,,234", "1,,234"},
		{"plus is stripped before", "+1,234", "1234"},
		{"plus after minus is no number", "-+1,234", "-+1,234"},
		{"a fraction with no digit", "1,234.x", "1,234.x"},
		{"commas go even from long numbers", "1,234,567,890,123,456", "1234567890123456"},
		{"thousands with zeros in front", "000,123", "123"},

		{"zeros in front", "007", "7"},
		{"zeros behind", "1.500", "1.5"},
		{"a whole fraction", "98304.0", "98304"},
		{"negative", "-12.5", "-12.5"},
		{"negative zero", "-0", "0"},
		{"negative zero with a fraction", "-0.00", "0"},
		{"dollar and percent", "$61.0%", "61"},
		{"smallest plain", "0.000001", "0.000001"},
		{"exponent below", "0.0000001", "1e-7"},
		{"exponent below, negative", "-0.00000012", "-1.2e-7"},
		{"15 digits", "123456789012345", "123456789012345"},
		{"15 digit characters with zeros", "000000000000042", "42"},
		{"16 digit characters stay", "0000000000000042", "0000000000000042"},
		{"16 digits with a fraction stay", "123456789012.5000", "123456789012.5000"},
		{"15 digits with a fraction", "12345678901.5000", "12345678901.5"},
		{"an exponent is no plain number", "1E5", "1e5"},
		{"two points", "1.2.3", "1.2.3"},
		{"no digit before the point", ".50", ".50"},
		{"no digit after the point", "5.x", "5.x"},
		{"other digits", "\u0663\u0664", "\u0663\u0664"},
		{"another minus", "\u22124200", "\u22124200"},

		{"dotted I", "İ", "i\u0307"},
		{"kelvin", "\u212A9", "k9"},
		{"sharp S", "ẞ", "ß"},
		{"title case", "ǅ", "ǆ"},
		{"astral", "\U00010400\U0001E900", "\U00010428\U0001E922"},
		{"sigma", "ΣΑΣ", "σας"},
		{"sigma alone", "Σ", "σ"},
		{"sigma inside", "ΑΣΑ", "ασα"},
		{"sigma before a combining mark", "ΑΣ\u0301", "ας\u0301"},
		{"sigma before a mark and a letter", "ΑΣ\u0301Α", "ασ\u0301α"},
		{"sigma after a letter and a mark", "Α\u0301Σ", "α\u0301ς"},
		{"sigma after a digit", "1Σ", "1σ"},
		{"sigma before a digit", "ΑΣ1", "ας1"},
		{"sigma before a point and a letter", "ΑΣ.Α", "ασ.α"},
		{"sigma before a space and a letter", "ΑΣ Α", "ας α"},
		{"sigma after what is only ignorable", "'Σ", "σ"},
		{"sigma after a soft hyphen", "Α\u00ADΣ", "α\u00ADς"},
		{"sigma after what is not valid", "Α\xffΣ", "α\uFFFDσ"},

		{"not valid UTF-8", "q\xff\xfe12", "q\uFFFD\uFFFD12"},
		{"a cut character", "q12\xe2\x82", "q12\uFFFD\uFFFD"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := NormalizeToken(tt.in); got != tt.want {
				t.Errorf("NormalizeToken(%q) = %q, want %q", tt.in, got, tt.want)
			}
			if got := string(AppendNormalized([]byte("before "), []byte(tt.in))); got != "before "+tt.want {
				t.Errorf("AppendNormalized after other text = %q", got)
			}
		})
	}
}

func TestLookupForms(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"0xbeef", "0xbeef beef"},
		{"0xa", "0xa a"},
		{"0x", "0x"},
		{"beef", "beef"},
		{"x0xbeef", "x0xbeef"},
		{"0Xbeef", "0Xbeef"}, // values are lower case
		{"", ""},
	} {
		forms := LookupForms(tt.in)
		if got := strings.Join(forms, " "); got != tt.want {
			t.Errorf("LookupForms(%q) = %q, want %q", tt.in, got, tt.want)
		}
		if got := CanonicalForm(tt.in); got != forms[len(forms)-1] {
			t.Errorf("CanonicalForm(%q) = %q, not the last of %q", tt.in, got, forms)
		}
	}
}

func TestCountDigits(t *testing.T) {
	for in, want := range map[string]int{"": 0, "abc": 0, "a1b22": 3, "\u0663\uFF11": 0, "1e-7": 2} {
		if got := CountDigits(in); got != want {
			t.Errorf("CountDigits(%q) = %d, want %d", in, got, want)
		}
	}
}
