package coverage

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/plumbline-dev/plumbline/core/servedjson"
)

// FieldError says which field of a declaration is wrong and how.
type FieldError struct {
	Field  string // its path, such as period.queried.from or checked[0].what
	Reason string // reads on after the field
}

// Error begins with "refused: ", because it becomes the tool's own error, which the model reads. A path that would not
// read well in a sentence is quoted.
func (e *FieldError) Error() string {
	field := clip(e.Field)
	if strings.ContainsFunc(field, func(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }) && field != declaration {
		field = strconv.Quote(field)
	}
	return "refused: " + field + " " + e.Reason
}

// declaration stands for the whole of what an author wrote.
const declaration = "the declaration"

// checkKeys refuses what is no object, and a key that is not one of the allowed: it names the key, and the spelling that
// was meant when only case, - or _ differ.
func checkKeys(field string, v servedjson.Value, allowed ...string) error {
	if v.Kind() != servedjson.Object {
		return &FieldError{field, "must be an object" + shown(v)}
	}
	for key := range v.Members() {
		name := key.Text()
		if slices.Contains(allowed, name) {
			continue
		}
		reason := "is not a key here; the keys are " + strings.Join(allowed, ", ")
		if meant := meantBy(name, allowed); meant != "" {
			reason = "is not a key here; write " + meant
		}
		return &FieldError{path(field, name), reason}
	}
	return nil
}

// path is the path of a key.
func path(field, key string) string {
	if field == declaration {
		return key
	}
	return field + "." + key
}

// meantBy is the allowed key that a key is another spelling of.
func meantBy(name string, allowed []string) string {
	for _, key := range allowed {
		if plainSpelling(key) == plainSpelling(name) {
			return key
		}
	}
	return ""
}

func plainSpelling(key string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key))
}
