package coverage

import (
	"math"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// provenanceKeys are the keys of a provenance, as an author writes them and as they travel.
var provenanceKeys = [...]struct{ author, wire string }{
	{"measuredAt", "measured_at"},
	{"source", "source"},
	{"ageSeconds", "age_seconds"},
	{"sourceExportDate", "source_export_date"},
}

// readProvenance reads where and when something was measured and writes it in the other spelling, in the order it was
// written: measuredAt and source are words that must be there, ageSeconds a number from 0, sourceExportDate words. The
// error is a *FieldError.
func readProvenance(v servedjson.Value, from Spelling) ([]byte, error) {
	var allowed []string
	for _, key := range provenanceKeys {
		allowed = append(allowed, from.pick(key.author, key.wire))
	}
	if err := checkKeys("provenance", v, allowed...); err != nil {
		return nil, err
	}
	for _, name := range allowed {
		if err := checkProvenance(v, name); err != nil {
			return nil, err
		}
	}
	return respell(v, from), nil
}

func checkProvenance(v servedjson.Value, name string) error {
	field, found := v.Get(name)
	switch name {
	case "ageSeconds", "age_seconds":
		age := field.Float()
		if found && (field.Kind() != servedjson.Number || age < 0 || math.IsInf(age, 0)) {
			return &FieldError{"provenance." + name, "must be a number of seconds from 0" + shown(field)}
		}
	case "sourceExportDate", "source_export_date":
		if found && blank(field) {
			return &FieldError{"provenance." + name, "must be said in words, or be left out" + shown(field)}
		}
	default:
		if blank(field) {
			return &FieldError{"provenance." + name, "must be said in words" + shown(field)}
		}
	}
	return nil
}

// respell writes a provenance in the other spelling.
func respell(v servedjson.Value, from Spelling) []byte {
	out := []byte{'{'}
	done := map[string]bool{}
	for key := range v.Members() {
		name := key.Text()
		if done[name] {
			continue
		}
		done[name] = true
		value, _ := v.Get(name)
		for _, k := range provenanceKeys {
			if name == from.pick(k.author, k.wire) {
				out = appendMember(out, from.pick(k.wire, k.author), value.Raw())
			}
		}
	}
	return append(out, '}')
}
