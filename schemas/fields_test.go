package schemas

import (
	"slices"
	"testing"
)

// checkFields holds the fields of a message against those that the JSON library finds.
func checkFields(t *testing.T, data []byte) {
	t.Helper()
	m, err := newJSONMessage(data)
	if err != nil {
		return
	}
	s, k, err := m.root()
	if err != nil || k != kindObject {
		return
	}
	names := []string{"a", "b", "é", ""}
	got, gotErr := m.fields(s, names)
	want, wantErr := m.strictFields(s, names)
	if (gotErr == nil) != (wantErr == nil) || !slices.Equal(got, want) {
		t.Errorf("fields of %q: %v, %v; the library says %v, %v", data, got, gotErr, want, wantErr)
	}
}

func FuzzFields(f *testing.F) {
	for _, seed := range []string{
		`{}`, ` {"a":1,"b":[{"a":2}],"a" : "x" } `, `{"\u0061":null,"\u00e9":true,"é":false,"":-0.5e3}`, `{"a":"\ud800","b":"` + "\xff" + `"}`,
		`{"a":1} x`, `{"a":01}`, `{"a":1,}`, `{"a"}`, `{"a":tru`, `{"a":"` + "\x01" + `"}`, "{\"a\"\t:\r\n1}", `{"a":1}` + "\x00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(checkFields)
}
