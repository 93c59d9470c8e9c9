package evidence

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestTokenize(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"nothing but separators", " \n*|~ \u00A0", ""},
		{"spaces", "one  two\tthree\nfour", "one|two|three|four"},
		{"what makes a token", "a:b_c-d/e.f%g+h@i#j$k", "a:b_c-d/e.f%g+h@i#j$k"},
		{"what does not", "a!b\"c&d'e(f)g*h;i<j=k>l?m[n\\o]p^q`r{s|t}u~v", "a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q|r|s|t|u|v"},
		{"not ASCII separates", "7\u00A0TB café b\u2011c \u221242", "7|tb|caf|b|c|42"},
		{"not valid UTF-8 separates", "a1\xffb2\xc3(c3", "a1|b2|c3"},
		{"stripped", "(4200) $4,200. #17! @host9: 61.0%", "4200|4200|17|host9|61"},
		{"strips to nothing", "- . , % ... $ +", "-"},
		{"comma between digits", "1,234 1,2,3 2024,2025 10.0.0.1,10.0.0.2", "1234|1,2,3|2024,2025|10.0.0.1,10.0.0.2"},
		{"comma between digits at the end", "1,2", "1,2"},
		{"comma without a digit before", "a,1 ,1", "a|1|1"},
		{"comma without a digit behind", "1,a 1, 1,", "1|a|1|1"},
		{"commas in a row", "1,,2,", "1|2"},
		{"comma at a piece that strips", "1.,2", "1|2"},
		{"colon in front", `"id":4417 id:4417`, "id|:4417|id:4417"},
		{"lower case", "ESXi-Host 0xBEEF", "esxi-host|0xbeef"},
		{"numbers", "007 1.50 -0 0.0000001 1234567890123456", "7|1.5|0|1e-7|1234567890123456"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(Tokenize(tt.in), "|"); got != tt.want {
				t.Errorf("Tokenize(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// TestTokenizerOffsets holds where tokens stand: what is left of them after stripping, in bytes of the text.
func TestTokenizerOffsets(t *testing.T) {
	text := "é ($4,200.) **Stor-07**, x\xff9 :4417:"
	want := []string{"4,200", "Stor-07", "x", "9", ":4417"}
	var got []string
	z := NewTokenizer([]byte(text))
	for _, start, end, ok := z.Next(); ok; _, start, end, ok = z.Next() {
		got = append(got, text[start:end])
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, start, end, ok := z.Next(); ok || start != 0 || end != 0 {
		t.Error("there is a token after the last")
	}
}

func TestTokenizerAliasesWhatDoesNotChange(t *testing.T) {
	for _, tt := range []struct {
		piece   string
		aliases bool
	}{
		{"stor-07", true}, {"4200", true}, {"41.5", true}, {"-17", true}, {"10.0.0.1", true}, {"(q12)", true}, {"1e5", true},
		{"Stor-07", false}, {"4,200", false}, {"007", false}, {"1.50", false}, {"10.0.0.X", false},
	} {
		text := []byte("a " + tt.piece)
		z := NewTokenizer(text)
		z.Next()
		token, start, _, _ := z.Next()
		if aliases := &token[0] == &text[start]; aliases != tt.aliases {
			t.Errorf("%q: part of the text: %t, want %t", tt.piece, aliases, tt.aliases)
		}
	}
}

func TestTokenizerReset(t *testing.T) {
	z := NewTokenizer([]byte("ONE two"))
	z.Next()
	z.Reset([]byte("THREE"))
	if token, start, end, ok := z.Next(); string(token) != "three" || start != 0 || end != 5 || !ok {
		t.Errorf("got %q [%d, %d) %t", token, start, end, ok)
	}
	if _, _, _, ok := z.Next(); ok {
		t.Error("the first text goes on")
	}
	var zero Tokenizer
	if _, _, _, ok := zero.Next(); ok {
		t.Error("the zero tokenizer has a token")
	}
}

func TestTokenizerDoesNotAllocate(t *testing.T) {
	text := prose(8 << 10)
	var z Tokenizer
	all := func() {
		z.Reset(text)
		for _, _, _, ok := z.Next(); ok; _, _, _, ok = z.Next() {
		}
	}
	all()
	if n := testing.AllocsPerRun(10, all); n != 0 {
		t.Errorf("%v allocations a text", n)
	}
	buf := make([]byte, 0, 64)
	raw := []byte("  ($1,234,567.50)ΑΣ ")
	if n := testing.AllocsPerRun(10, func() { buf = AppendNormalized(buf[:0], raw) }); n != 0 {
		t.Errorf("%v allocations a value", n)
	}
}

// hostile are texts that make a careless reader take time that grows with the square of their length.
func hostile() map[string]string {
	const n = hostileBytes
	texts := map[string]string{}
	for _, unit := range []string{
		".", ",", "%", "(", ")", "$", "1", "1,", "1,1", "1,111", ",111", "a", "-", "1-", "!", " ", "Σ", "Σ.", "Σ\u0301", "\u00A0",
		"\xff", "1 ", "1:", "1:11 ", "1 am", "1\u00A0", "2024-05-20", "2024-05-", "1%", "1 mb/", "1mbps", "0.0", "()", "1/1", "1a/",
	} {
		texts[unit] = strings.Repeat(unit, n/len(unit))
	}
	var dates, times strings.Builder
	for i := 0; dates.Len() < n; i++ {
		fmt.Fprintf(&dates, "%04d-%02d-%02d ", i%10000, i%12+1, i%31+1)
		fmt.Fprintf(&times, "%d:%02dpm ", i%12+1, i%60)
	}
	texts["dates"], texts["times"] = dates.String(), times.String()
	texts["a letter then points"] = "a" + strings.Repeat(".", n)
	texts["points then a letter"] = strings.Repeat(".", n) + "a"
	texts["spaces then a letter"] = strings.Repeat(" ", n) + "a"
	return texts
}
