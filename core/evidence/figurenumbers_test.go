package evidence

import (
	"strings"
	"testing"
)

func TestFigureNumbers(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "42 hosts", ""},
		{"percent sign", "61.0%", "61"},
		{"percent sign with something behind", "61%of 5%5%", "61 5 5"},
		{"percent", "61 percent", "61"},
		{"every unit", "1kb 2mb 3gb 4tb 5pb 6kib 7mib 8gib 9tib 10pib 11iops 12mbps 13gbps 14ms 15us", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"},
		{"any case", "1KB 2GiB 3IOPS 4 PerCent 5mS/S", "1 2 3 4 5"},
		{"no unit", "1b 2bytes 3s 4k 5gbit 6percents", ""},
		{"a rate", "5mb/s", "5"},
		{"a rate with a letter behind", "5mb/sec", "5"},
		{"a digit behind", "5mb2", ""},
		{"an underscore behind", "5mb_", "5"},
		{"what only folds to a letter behind", "5ms\u017F 5\u212Ab", "5"},

		{"one space", "5 mb", "5"},
		{"one space of any kind", "5\u00A0mb 6\u3000mb 7\tmb 8\nmb 9\uFEFF%", "5 6 7 8 9"},
		{"two spaces", "5  mb", ""},
		{"no space of JavaScript", "5\u0085mb 5\u200Bmb", ""},
		{"a hyphen", "5-mb", ""},

		{"thousands", "1,526.3 TB", "1526.3"},
		{"thousands behind three digits", "152,630%", "152630"},
		{"a bad group", "1,52%", ""},
		{"a group of four", "1,5264%", ""},
		{"a first group of four", "1526,300%", ""},
		{"a sign", "-5% +6%", "-5 6"},
		{"a sign after a word", "x-5%", "5"},
		{"zeros", "007.50%", "7.5"},
		{"a point without digits", "5.%", ""},
		{"a word before", "a5% _5% 5a6%", ""},
		{"a point or a comma before", ".5% ,5% x.5%", ""},
		{"other characters before", "(5%) é6% \xff7%", "5 6 7"},
		{"16 digits stay", "1234567890123456 kb", "1234567890123456"},
		{"a point at the end", "5.", ""},
		{"repeats stay", "5% and 5 %", "5 5"},
		{"at the end", "5 5m 5mb/ 5", "5"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(FigureNumbers(tt.in), " "); got != tt.want {
				t.Errorf("FigureNumbers(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}
