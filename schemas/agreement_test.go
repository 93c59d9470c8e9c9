package schemas_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
)

// member is one member of an object that is written as it stands: repeats, escapes and all.
type member struct {
	key   string // quoted
	value any    // the text of a value, or *tree
}

type tree struct{ members []member }

func (o *tree) write(out *strings.Builder) {
	out.WriteByte('{')
	for i, m := range o.members {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(m.key + ":")
		if inner, ok := m.value.(*tree); ok {
			inner.write(out)
		} else {
			out.WriteString(m.value.(string))
		}
	}
	out.WriteByte('}')
}

func (o *tree) String() string {
	var out strings.Builder
	o.write(&out)
	return out.String()
}

func object(members ...any) *tree {
	o := &tree{}
	for i := 0; i < len(members); i += 2 {
		o.members = append(o.members, member{`"` + members[i].(string) + `"`, members[i+1]})
	}
	return o
}

// wholeEvents gives each incoming event with every field that it can have.
func wholeEvents() []*tree {
	common := func(kind string, rest ...any) *tree {
		all := append([]any{"v", "1", "type", `"` + kind + `"`, "id", `"e"`, "time", `"2026-01-05T09:00:00Z"`, "tenant", `"t"`,
			"agent", `"a"`, "conversation", `"c"`, "turn", "3"}, rest...)
		return object(all...)
	}
	return []*tree{
		common("turn_start", "user", `"u"`, "context", `["p"]`, "unseen", `["rows_missing"]`),
		common("answer", "iteration", "2", "text", `"x"`, "user", `"u"`, "context", `["p","q"]`, "calls", `["k"]`, "final", "true", "afterRevision", "false", "unseen", `[]`),
		common("tool_end", "call", object("id", `"k"`, "tool", `"s"`, "iteration", "0", "args", `{"q":1}`), "result", `{"rows":[]}`,
			"modelResult", `"cut"`, "error", "false", "status", `"ok"`, "durationMs", "1.50", "door", object("absent", "true", "bounded", "false", "described", `{}`),
			"script", object("program", `"ls"`, "language", `"sh"`, "label", `"failed"`, "exitCode", "1")),
	}
}

// values are what a mutation puts in a field's place.
var values = []string{
	"null", "true", "false", `""`, `"x"`, `"\ud800"`, "[]", `["a"]`, "[null]", `["a",1]`, "[[]]", "{}", `{"id":"x"}`, `{"program":""}`,
	`{"id":"","tool":"","iteration":0}`, "0", "-0", "-0.0", "0e5", "1", "1.0", "1e0", "10e-1", "0.1e1", "2", "-1", "1.5", "1e-1", "2147483647",
	"2147483648", "2.147483647e9", "9007199254740991", "9007199254740992", "-9007199254740991", "-9007199254740992", "1e400", "-1e400", "1e-400",
	"1e999999999999", "0e999999999999", "100000000000000000000", "1.0000000000000000000001", `"tool_end"`, `"answer"`, `"turn_start"`, `"evidence_checked"`,
}

// mutated gives an event with one to three faults, or none, as the seed has it.
func mutated(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	events := wholeEvents()
	e := events[r.IntN(len(events))]
	for range r.IntN(4) {
		mutate(r, e)
	}
	return e.String()
}

func mutate(r *rand.Rand, o *tree) {
	if len(o.members) == 0 {
		return
	}
	i := r.IntN(len(o.members))
	m := &o.members[i]
	if inner, ok := m.value.(*tree); ok && r.IntN(3) > 0 {
		mutate(r, inner)
		return
	}
	value := values[r.IntN(len(values))]
	switch r.IntN(6) {
	case 0:
		o.members = slices.Delete(o.members, i, i+1)
	case 1:
		o.members = append(o.members, member{m.key, value})
	case 2:
		o.members = slices.Insert(o.members, i, member{m.key, value})
	case 3:
		o.members = append(o.members, member{`"unknown"`, value})
	case 4:
		m.key = `"\u00` + string("0123456789abcdef"[m.key[1]>>4]) + string("0123456789abcdef"[m.key[1]&15]) + m.key[2:]
	default:
		m.value = value
	}
}

// TestDecodeAgreesWithSchemas is FuzzAgreement on the first seeds.
func TestDecodeAgreesWithSchemas(t *testing.T) {
	accepted := 0
	const seeds = 6000
	for seed := range uint64(seeds) {
		if checkAgreement(t, mutated(seed)) {
			accepted++
		}
		if t.Failed() {
			return
		}
	}
	if accepted < seeds/10 || accepted > seeds*9/10 {
		t.Errorf("%d of %d events were accepted: the mutations show too little", accepted, seeds)
	}
}

// FuzzAgreement holds Decode against the schemas: of generated events, both take the same and blame the same field.
func FuzzAgreement(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { checkAgreement(t, mutated(seed)) })
}

// checkAgreement tells whether the event was accepted.
func checkAgreement(t *testing.T, text string) bool {
	t.Helper()
	_, err := schemas.Decode(schemas.JSON, []byte(text))
	_, packErr := schemas.Decode(schemas.Msgpack, packed(t, text))
	if (err == nil) != (packErr == nil) {
		t.Errorf("%s\nas JSON: %v\nas MessagePack: %v", text, err, packErr)
	}
	var named struct{ Type json.RawMessage }
	if err := json.Unmarshal([]byte(text), &named); err != nil {
		t.Fatal(err)
	}
	kind := event.Kind(strings.Trim(string(named.Type), `"`))
	switch kind {
	case event.KindToolEnd, event.KindAnswer, event.KindTurnStart:
	default: // no schema to ask
		if err == nil {
			t.Errorf("accepted: %s", text)
		}
		return false
	}
	invalid := schemas.Validate(kind, []byte(text))
	if (err == nil) != (invalid == nil) {
		t.Errorf("%s\nDecode: %v\nthe schema: %v", text, err, invalid)
		return false
	}
	if err != nil {
		checkBlame(t, text, err, packErr, invalid)
	}
	return err == nil
}

func checkBlame(t *testing.T, text string, err, packErr, invalid error) {
	t.Helper()
	e, _ := errors.AsType[*schemas.Error](err)
	packed, _ := errors.AsType[*schemas.Error](packErr)
	if e.Field != packed.Field || e.Reason != packed.Reason || e.Detail != packed.Detail {
		t.Errorf("%s\nas JSON: %v\nas MessagePack: %v", text, err, packErr)
	}
	if !slices.ContainsFunc(faults(t, invalid), func(f *schemas.Error) bool { return f.Field == e.Field }) {
		t.Errorf("%s\nDecode blames %s, the schema does not: %v", text, e.Field, invalid)
	}
}
