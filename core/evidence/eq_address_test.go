package evidence

import (
	"net/netip"
	"testing"
)

// The spellings of an address are those of the standard library.
func TestAddressForms(t *testing.T) {
	for _, text := range []string{
		"2001:db8::ff00:42:8329", "2001:0db8:0000:0000:0000:ff00:0042:8329", "::", "::1", "1::", "1:0:0:2:0:0:0:3", "1:0:0:2:0:0:3:4", "1:2:3:4:5:6:7:8",
		"1:2:3:4:5:6:0:8", "fe80::1:2", "0:0:0:0:0:0:0:1",
		"1:2:3", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "1:2:3:4:5:6:7::8", "g::1", "", ":", "1:", ":1:2:3:4:5:6:7", "00:1a:2b:3c:4d:5e", "::-1", "::+1", "1:2:3:4:5:6:7:",
	} {
		want, err := netip.ParseAddr(text)
		var got []string
		addressForms([]byte(text), func(form []byte) { got = append(got, string(form)) })
		switch {
		case err != nil && len(got) > 0:
			t.Errorf("%q is read as %v", text, got)
		case err == nil && (len(got) != 3 || got[0] != want.String() || got[2] != want.StringExpanded()):
			t.Errorf("%q: %v, want %s and %s", text, got, want, want.StringExpanded())
		}
	}
}
