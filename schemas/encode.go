package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/plumbline-dev/plumbline/core/event"
)

// wireEvent is an event that comes in, as JSON writes it.
type wireEvent struct {
	V            int        `json:"v"`
	Type         event.Kind `json:"type"`
	ID           string     `json:"id"`
	Time         string     `json:"time,omitempty"`
	Tenant       string     `json:"tenant"`
	Agent        string     `json:"agent"`
	Conversation string     `json:"conversation"`
	Turn         int        `json:"turn"`

	Call        *wireCall   `json:"call,omitempty"`
	Result      event.JSON  `json:"result,omitempty"`
	ModelResult event.JSON  `json:"modelResult,omitempty"`
	Error       event.JSON  `json:"error,omitempty"`
	Status      string      `json:"status,omitempty"`
	DurationMs  event.JSON  `json:"durationMs,omitempty"`
	Door        *wireDoor   `json:"door,omitempty"`
	Script      *wireScript `json:"script,omitempty"`

	Iteration     *int     `json:"iteration,omitempty"`
	Text          *string  `json:"text,omitempty"`
	User          *string  `json:"user,omitempty"`
	Context       []string `json:"context,omitzero"`
	Calls         []string `json:"calls,omitzero"`
	Final         *bool    `json:"final,omitempty"`
	AfterRevision bool     `json:"afterRevision,omitempty"`
}

type wireCall struct {
	ID        string     `json:"id"`
	Tool      string     `json:"tool"`
	Iteration int        `json:"iteration"`
	Args      event.JSON `json:"args,omitempty"`
}

type wireDoor struct {
	Absent    bool       `json:"absent"`
	Bounded   bool       `json:"bounded"`
	Described event.JSON `json:"described,omitempty"`
}

type wireScript struct {
	Program  string `json:"program"`
	Language string `json:"language,omitempty"`
	Label    string `json:"label,omitempty"`
	ExitCode *int   `json:"exitCode,omitempty"`
}

// EncodeEvent writes an event that comes in, the way a producer does.
func EncodeEvent(contentType string, e event.Event) ([]byte, error) {
	w := wireEvent{
		V: event.Version, Type: e.Kind(), ID: e.ID, Time: e.Time, Turn: e.Turn,
		Tenant: e.Conversation.Tenant, Agent: e.Conversation.Agent, Conversation: e.Conversation.ID,
	}
	switch {
	case e.TurnStart != nil:
		w.User, w.Context = e.TurnStart.User, e.TurnStart.Context
	case e.ToolEnd != nil:
		w.setToolEnd(e.ToolEnd)
	case e.Answer != nil:
		w.setAnswer(e.Answer)
	default:
		return nil, fmt.Errorf("event %q is of no kind", e.ID)
	}
	return encode(contentType, w)
}

func (w *wireEvent) setToolEnd(t *event.ToolEnd) {
	w.Call = &wireCall{t.Call.ID, t.Call.Tool, t.Call.Iteration, t.Call.Args}
	w.Result, w.ModelResult, w.Error = t.Result, t.ModelResult, t.Error
	w.Status, w.DurationMs = t.Status, t.DurationMs
	if t.Door != nil {
		w.Door = &wireDoor{t.Door.Absent, t.Door.Bounded, t.Door.Described}
	}
	if t.Script != nil {
		w.Script = &wireScript{t.Script.Program, t.Script.Language, t.Script.Label, t.Script.ExitCode}
	}
}

func (w *wireEvent) setAnswer(a *event.Answer) {
	w.Iteration, w.Text, w.User = &a.Iteration, &a.Text, a.User
	w.Context, w.Calls, w.AfterRevision = a.Context, a.Calls, a.AfterRevision
	if a.Interim {
		final := false
		w.Final = &final
	}
}

// EncodeEvidence writes a verdict: the same verdict always as the same bytes.
func EncodeEvidence(contentType string, v event.EvidenceChecked) ([]byte, error) {
	return encode(contentType, v)
}

// EncodeCoverage writes what a call declared: the same always as the same bytes.
func EncodeCoverage(contentType string, c event.CoverageDeclared) ([]byte, error) {
	return encode(contentType, c)
}

func encode(contentType string, v any) ([]byte, error) {
	encoding, err := encodingOf(contentType)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	text := bytes.TrimSuffix(out.Bytes(), []byte("\n"))
	if encoding == Msgpack {
		return toMsgpack(text)
	}
	return text, nil
}

// DecodeEvidence reads a verdict back.
func DecodeEvidence(contentType string, data []byte) (event.EvidenceChecked, error) {
	return decode[event.EvidenceChecked](contentType, data)
}

// DecodeCoverage reads back what a call declared.
func DecodeCoverage(contentType string, data []byte) (event.CoverageDeclared, error) {
	return decode[event.CoverageDeclared](contentType, data)
}

func decode[T any](contentType string, data []byte) (v T, err error) {
	value, err := valueOf(contentType, data)
	if err != nil {
		return v, err
	}
	if err := json.Unmarshal(value.Raw(), &v); err != nil {
		return v, &Error{Reason: Invalid, Offset: -1, Detail: "not an event of this kind"}
	}
	return v, nil
}

// Identity tells a published payload apart from the others on its subject.
type Identity struct {
	Lane    string // which chain of revisions of its subject it belongs to
	Through uint64 // of a verdict, else 0
	Basis   event.Basis
}

// LaneOf tells apart what the calls of one id declared: a boundary and an absence each, and each call by its iteration.
func LaneOf(c event.CoverageDeclared) string { return fmt.Sprintf("%s@%d", c.Declared, c.Iteration) }

// Identify reads what a payload of the audit stream is.
func Identify(contentType string, data []byte) (Identity, error) {
	p, err := decode[struct {
		Type      event.Kind `json:"type"`
		Kind      string     `json:"kind"`
		Iteration int        `json:"iteration"`
		Through   uint64     `json:"through"`
		event.Basis
	}](contentType, data)
	if err != nil {
		return Identity{}, err
	}
	switch p.Type {
	case event.KindEvidenceChecked:
		return Identity{string(p.Type), p.Through, p.Basis}, nil
	case event.KindCoverageDeclared:
		return Identity{LaneOf(event.CoverageDeclared{Declared: p.Kind, Common: event.Common{Iteration: p.Iteration}}), 0, p.Basis}, nil
	}
	return Identity{}, &Error{Reason: UnknownType, Field: "type", Offset: -1, Detail: "want evidence_checked or coverage_declared"}
}
