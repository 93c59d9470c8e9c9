package schemas_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
)

func verdict() event.EvidenceChecked {
	return event.EvidenceChecked{
		Common:  event.Common{V: 1, Type: event.KindEvidenceChecked, Tenant: "t", Agent: "a", Conversation: "c", Turn: 3, Iteration: 2},
		Outcome: event.Unsupported, Action: event.ActionFlagged, Posture: "flag", Candidates: 2, LookedUp: 2,
		Unsupported: []event.UnsupportedValue{{Value: "<é\u2028>", Shape: "number", Spans: []event.Span{{1, 5}, {9, 13}}}},
		Grounding:   event.Grounding{CurrentTurn: 3},
		Results:     []event.CallResult{{Call: "k", Tool: "search", Emptiness: "non-empty", Rows: new(0)}},
		Through:     18446744073709551615, AnswerSeq: 4,
		Basis: event.Basis{Ruleset: "literal-1", Policy: strings.Repeat("0", 64), Engine: "1.0.0"},
	}
}

func declaration() event.CoverageDeclared {
	return event.CoverageDeclared{
		Common: event.Common{V: 1, Type: event.KindCoverageDeclared, Tenant: "t", Agent: "a", Conversation: "c", Turn: 3, Iteration: 4},
		Call:   "k", Tool: "search", Declared: "absence", LookedFor: event.JSON(`"lun 9"`), Checked: event.JSON(`[{"what":"array 4","count":1.50}]`),
		Emptiness: "declared-absent", Basis: event.Basis{Ruleset: "literal-1", Policy: strings.Repeat("0", 64), Engine: "1.0.0"},
	}
}

const (
	verdictText = `{"v":1,"type":"evidence_checked","tenant":"t","agent":"a","conversation":"c","turn":3,"iteration":2,` +
		`"outcome":"unsupported","reasons":[],"action":"flagged","posture":"flag","candidates":2,"lookedUp":2,` +
		`"unsupported":[{"value":"<é` + "\u2028" + `>","shape":"number","spans":[[1,5],[9,13]]}],"afterRevision":false,` +
		`"grounding":{"fromThisTurn":0,"fromPriorTurns":0,"currentTurn":3,"toolResultsThisTurn":0},` +
		`"results":[{"call":"k","tool":"search","emptiness":"non-empty","rows":0}],"through":18446744073709551615,"answerSeq":4,` +
		`"ruleset":"literal-1","policy":"0000000000000000000000000000000000000000000000000000000000000000","engine":"1.0.0"}`
	declarationText = `{"v":1,"type":"coverage_declared","tenant":"t","agent":"a","conversation":"c","turn":3,"iteration":4,` +
		`"call":"k","tool":"search","kind":"absence","lookedFor":"lun 9","checked":[{"what":"array 4","count":1.50}],` +
		`"emptiness":"declared-absent","ruleset":"literal-1",` +
		`"policy":"0000000000000000000000000000000000000000000000000000000000000000","engine":"1.0.0"}`
)

// TestEncodeAudit holds the bytes: verdicts are compared byte for byte, so these may not change.
func TestEncodeAudit(t *testing.T) {
	got, err := schemas.EncodeEvidence(schemas.JSON, verdict())
	if err != nil || string(got) != verdictText {
		t.Errorf("%v\n%s\nwant\n%s", err, got, verdictText)
	}
	got, err = schemas.EncodeCoverage("", declaration())
	if err != nil || string(got) != declarationText {
		t.Errorf("%v\n%s\nwant\n%s", err, got, declarationText)
	}
}

func TestDecodeAudit(t *testing.T) {
	v, d := verdict(), declaration()
	v.Reasons = []event.Reason{}
	for _, contentType := range []string{schemas.JSON, schemas.Msgpack} {
		data, err := schemas.EncodeEvidence(contentType, v)
		if err != nil {
			t.Fatal(err)
		}
		back, err := schemas.DecodeEvidence(contentType, data)
		if diff := cmp.Diff(v, back); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", contentType, err, diff)
		}
		made, err := schemas.Identify(contentType, data)
		if want := (schemas.Identity{Lane: "evidence_checked", Through: v.Through, Basis: v.Basis}); err != nil || made != want {
			t.Errorf("%s: identified as %v, %v", contentType, made, err)
		}
		if data, err = schemas.EncodeCoverage(contentType, d); err != nil {
			t.Fatal(err)
		}
		declared, err := schemas.DecodeCoverage(contentType, data)
		if diff := cmp.Diff(d, declared); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", contentType, err, diff)
		}
		made, err = schemas.Identify(contentType, data)
		if want := (schemas.Identity{Lane: "absence@4", Basis: d.Basis}); err != nil || made != want {
			t.Errorf("%s: identified as %v, %v", contentType, made, err)
		}
	}
}

func TestDecodeAuditRefuses(t *testing.T) {
	tests := []struct {
		name, text string
		reason     schemas.Reason
		field      string
	}{
		{"nothing", "", schemas.Unreadable, ""},
		{"cut", verdictText[:200], schemas.Unreadable, ""},
		{"more text", verdictText + "1", schemas.Unreadable, ""},
		{"a list", "[]", schemas.Invalid, ""},
		{"another version", `{"v":3}`, schemas.UnknownVersion, "v"},
		{"the other kind", declarationText, schemas.UnknownType, "type"},
		{"an event that comes in", tool(`,"result":1`), schemas.UnknownType, "type"},
		{"a text for a number", strings.Replace(verdictText, `"rows":0`, `"rows":"0"`, 1), schemas.Invalid, "results.0.rows"},
		{"names without regard to case", strings.Replace(verdictText, `"through":1`, `"through":"x","Through":1`, 1), schemas.Invalid, "through"},
		{"too deep", `{"v":1,"x":` + strings.Repeat("[", schemas.MaxDepth+1) + strings.Repeat("]", schemas.MaxDepth+1) + "}", schemas.TooDeep, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := schemas.DecodeEvidence(schemas.JSON, []byte(tt.text))
			checkError(t, err, tt.reason, tt.field, len(tt.text))
		})
	}
	_, err := schemas.DecodeCoverage("text/plain", []byte(declarationText))
	checkError(t, err, schemas.UnknownEncoding, "", -1)
	_, err = schemas.Identify("", []byte(tool(`,"result":1`)))
	checkError(t, err, schemas.UnknownType, "type", 100)
	d := declaration()
	d.Checked = event.JSON(`[`)
	_, err = schemas.EncodeCoverage("", d)
	checkError(t, err, schemas.Invalid, "checked", -1)
}

// TestExamplesReadBack: each example is what its encoder writes, but for space.
func TestExamplesReadBack(t *testing.T) {
	for _, kind := range schemas.Kinds {
		data, err := os.ReadFile("examples/" + string(kind) + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var again []byte
		switch kind {
		case event.KindEvidenceChecked:
			v, err := schemas.DecodeEvidence("", data)
			if err != nil {
				t.Fatal(err)
			}
			again, _ = schemas.EncodeEvidence("", v)
		case event.KindCoverageDeclared:
			d, err := schemas.DecodeCoverage("", data)
			if err != nil {
				t.Fatal(err)
			}
			again, _ = schemas.EncodeCoverage("", d)
		default:
			e, err := schemas.Decode("", data)
			if err != nil {
				t.Fatal(err)
			}
			again, _ = schemas.EncodeEvent("", e)
		}
		want, _ := treeOf(data)
		if got, _ := treeOf(again); !cmp.Equal(want, got) {
			t.Errorf("%s is written again as %s\n%s", kind, again, cmp.Diff(want, got))
		}
	}
}
