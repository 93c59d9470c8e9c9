package schemas

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"time"
)

// FuzzWholeNumber holds the reading of whole numbers against exact fractions.
func FuzzWholeNumber(f *testing.F) {
	for _, text := range []string{
		"0", "-0", "1", "1.0", "1e0", "10e-1", "0.1e1", "00", "1.5", "-7", "9007199254740991", "9007199254740992", "-9007199254740992",
		"1e15", "1e16", "0.0000001e7", "120e-1", "120e-2", "1E+2", "1e400", "1e-400", "0e999999999999", "1e99999999999999999999", "0.000",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) || len(text) == 0 || text[0] != '-' && (text[0] < '0' || text[0] > '9') || strings.ContainsAny(text, " \n\r\t") {
			return
		}
		n, ok := wholeNumber([]byte(text))
		exact, known := new(big.Rat).SetString(text)
		if !known { // an exponent that big.Rat does not compute
			if ok && n != 0 {
				t.Errorf("%s is read as %d", text, n)
			}
			return
		}
		want := exact.IsInt() && new(big.Rat).Abs(exact).Cmp(big.NewRat(maxInteger, 1)) <= 0
		if ok != want || ok && exact.Cmp(new(big.Rat).SetInt64(n)) != 0 {
			t.Errorf("%s is read as %d, %v", text, n, ok)
		}
	})
}

// TestLinear decodes texts that a careless reader takes quadratic time for; at 8 MiB that would be minutes.
func TestLinear(t *testing.T) {
	const n = 1 << 20
	for name, text := range map[string]string{
		"backslashes":     `"` + strings.Repeat(`\\`, n/2) + `"`,
		"escaped quotes":  `"` + strings.Repeat(`\"`, n/2) + `"`,
		"escaped letters": `"` + strings.Repeat(`\n`, n/2) + `"`,
		"open strings":    strings.Repeat(`"\`, n/2),
		"open brackets":   strings.Repeat(`[`, n),
		"brackets":        strings.Repeat(`[]`, n/2),
		"space":           strings.Repeat(" ", n) + "1",
		"digits":          strings.Repeat("1", n),
		"exponent":        "1e" + strings.Repeat("1", n),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			for _, field := range []string{"result", "turn", "v", "unknown"} {
				// Whether it is an event does not matter here.
				_, _ = Decode("", []byte(`{"v":1,"`+field+`":`+text+`}`))
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("%v", took)
			}
		})
	}
}
