package evidence

import "testing"

// What people leave away of a name, or put behind it, and the nearest inventions.
func TestAskedNames(t *testing.T) {
	const files = `{"path":"/srv/depot/src/main3.go","pkg":"lodash","version":"4.17.21"}`
	for _, tt := range []struct{ name, result, answer, unsupported string }{
		{"the end of a path", files, "in .../src/main3.go and …/src/main3.go", ""},
		{"the end of another path", files, "in .../src/main4.go", ".../src/main4.go"},
		{"an archive of a version", files, "lodash-4.17.21.tgz", ""},
		{"an archive of another version", files, "lodash-4.17.22.tgz", "lodash-4.17.22.tgz"},
		{"a word behind an id", `{"id":"A1234"}`, "A1234-related and A1234-based", ""},
		{"a word behind another id", `{"id":"A1234"}`, "A1235-related", "a1235-related"},
		{"another id that ends in a word", `{"id":"A1234"}`, "A1234-x", "a1234-x"},
		{"an address, compressed", `{"ip":"2001:0db8:0000:0000:0000:ff00:0042:8329"}`, "at 2001:db8::ff00:42:8329", ""},
		{"an address, expanded", `{"ip":"2001:db8::ff00:42:8329"}`, "at 2001:0db8:0000:0000:0000:ff00:0042:8329", ""},
		{"another address", `{"ip":"2001:db8::ff00:42:8329"}`, "at 2001:db8::ff00:42:8328", "2001:db8::ff00:42:8328"},
		{"a number with the unit that its field may have", `{"n":1234}`, "1234%, 1234 million, 1,234k", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := held(t, GateConfig{Calibrated: true}, []string{tt.result}, nil, tt.answer); got != tt.unsupported {
				t.Errorf("unsupported %q, want %q", got, tt.unsupported)
			}
		})
	}
}
