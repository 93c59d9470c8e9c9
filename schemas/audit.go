package schemas

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/plumbline-dev/plumbline/core/event"
)

// EncodeEvidence writes a verdict. The same verdict gives the same bytes: fields in the order of event.EvidenceChecked,
// no escape that is not needed, a list that is nil as an empty one.
func EncodeEvidence(contentType string, v event.EvidenceChecked) ([]byte, error) {
	return encodeAudit(contentType, v)
}

// EncodeCoverage writes what a call declared; the same declaration gives the same bytes.
func EncodeCoverage(contentType string, d event.CoverageDeclared) ([]byte, error) {
	return encodeAudit(contentType, d)
}

// DecodeEvidence reads a verdict back. It looks at the version, the type and the kind of each value; it does not hold the
// verdict against its schema, see Validate. It keeps nothing of data. Every error is a *Error.
func DecodeEvidence(contentType string, data []byte) (event.EvidenceChecked, error) {
	return decodeAudit[event.EvidenceChecked](contentType, data, event.KindEvidenceChecked)
}

// DecodeCoverage reads a declaration back, as DecodeEvidence does a verdict.
func DecodeCoverage(contentType string, data []byte) (event.CoverageDeclared, error) {
	return decodeAudit[event.CoverageDeclared](contentType, data, event.KindCoverageDeclared)
}

// Identity is what tells the records of one audit subject apart.
type Identity struct {
	// Lane is which chain of revisions the record belongs to: evidence_checked for a verdict, LaneOf for a declaration.
	Lane string
	// Through is the highest event sequence that a verdict rests on; 0 for a declaration.
	Through uint64
	// Basis is the rules it was made by.
	Basis event.Basis
}

// LaneOf tells apart what stands on one subject: what the calls of one id declared, a boundary and an absence each, and
// each call by its iteration.
func LaneOf(d event.CoverageDeclared) string { return fmt.Sprintf("%s@%d", d.Declared, d.Iteration) }

// Identify reads of a record only what tells it apart. Its errors are those of DecodeEvidence.
func Identify(contentType string, data []byte) (Identity, error) {
	record, err := decodeAudit[struct {
		Type      event.Kind `json:"type"`
		Declared  string     `json:"kind"`
		Iteration int        `json:"iteration"`
		Through   uint64     `json:"through"`
		event.Basis
	}](contentType, data, event.KindEvidenceChecked, event.KindCoverageDeclared)
	if err != nil {
		return Identity{}, err
	}
	id := Identity{Lane: string(record.Type), Through: record.Through, Basis: record.Basis}
	if record.Type == event.KindCoverageDeclared {
		id.Lane = LaneOf(event.CoverageDeclared{
			Declared: record.Declared, Common: event.Common{Iteration: record.Iteration},
		})
	}
	return id, nil
}

func encodeAudit(contentType string, v any) ([]byte, error) {
	encoding, err := encodingOf(contentType)
	if err != nil {
		return nil, err
	}
	// omitempty in package event means what it means to encoding/json.
	text, err := json.Marshal(v, jsonv1.OmitEmptyWithLegacySemantics(true), json.JoinOptions(lenient...))
	if err != nil {
		return nil, &Error{Reason: Invalid, Field: fieldOf(err), Offset: -1, Detail: "is not one JSON value"}
	}
	return inEncoding(encoding, text)
}

func decodeAudit[Record any](contentType string, data []byte, kinds ...event.Kind) (record Record, err error) {
	text, err := auditText(contentType, data, kinds)
	if err != nil {
		return record, err
	}
	if err := json.Unmarshal(text, &record, lenient...); err != nil {
		var none Record
		return none, &Error{Reason: Invalid, Field: fieldOf(err), Offset: -1, Detail: "holds what it cannot hold"}
	}
	return record, nil
}

// auditText gives a record as JSON in its one form, once its version and type are known to be right.
func auditText(contentType string, data []byte, kinds []event.Kind) (event.JSON, error) {
	m, err := Limits{}.open(contentType, data)
	if err != nil {
		return nil, err
	}
	r := &reader{m: m}
	o := r.root([]string{"v", "type"})
	r.version(o)
	r.typeAmong(o, kinds)
	if r.err != nil {
		return nil, r.err
	}
	return m.json(span{0, len(data)})
}

// fieldOf gives the path of the field that the library's error is about; its words may quote the payload.
func fieldOf(err error) string {
	var at jsontext.Pointer
	if e, ok := errors.AsType[*json.SemanticError](err); ok {
		at = e.JSONPointer
	} else if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		at = e.JSONPointer
	}
	return strings.ReplaceAll(strings.TrimPrefix(string(at), "/"), "/", ".")
}
