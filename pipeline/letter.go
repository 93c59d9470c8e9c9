package pipeline

import (
	"errors"
	"fmt"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/schemas"
)

// The reasons of dead letters that are not about a payload's own form; those of package schemas come beside them.
const (
	// ReasonWrongSubject: the subject does not name a tenant, an agent and a conversation.
	ReasonWrongSubject = "wrong_subject"
	// ReasonSubjectMismatch: the payload belongs to another conversation than its subject says.
	ReasonSubjectMismatch = "subject_mismatch"
	// ReasonVerdictConflict: another verdict is stored for the same answer, events, rules and engine, or something that
	// Plumbline did not publish.
	ReasonVerdictConflict = "verdict_conflict"
	// ReasonReaderFailed: a reader broke on the event; this is a defect of Plumbline, and the stream goes on.
	ReasonReaderFailed = "reader_failed"
	// ReasonSubjectTooLong: what is to be said of the event would stand on a subject longer than event.MaxSubject.
	ReasonSubjectTooLong = "subject_too_long"
	// ReasonVerdictTooLarge: what is to be said of the event is larger than the server takes.
	ReasonVerdictTooLarge = "verdict_too_large"
)

// Reasons lists every reason that a dead letter can have: a closed vocabulary.
var Reasons = reasons()

func reasons() []string {
	all := []string{
		ReasonWrongSubject, ReasonSubjectMismatch, ReasonVerdictConflict, ReasonReaderFailed, ReasonSubjectTooLong, ReasonVerdictTooLarge,
	}
	for _, reason := range schemas.Reasons {
		all = append(all, string(reason))
	}
	return all
}

// unreadable is a fault of the message, not of the moment: trying again gives the same.
type unreadable struct {
	reason, detail string
}

func (u *unreadable) Error() string { return u.reason + ": " + u.detail }

// Read decodes a stored message and holds its subject against its payload. An error of it is permanent: the message is
// a dead letter with the reason that ReasonOf gives. What is said with an error is for the fold all the same: an envelope
// that cannot be read says that something of its conversation was not seen.
func Read(subjects event.Subjects, m Message) (Said, error) {
	named, err := subjects.ParseConversation(m.Subject)
	if err != nil {
		return Said{}, &unreadable{ReasonWrongSubject, "the subject does not name a tenant, an agent and a conversation"}
	}
	e, err := schemas.DecodeMessage(m.Header, m.Data)
	if mayBeEnvelope(err) {
		if said, ok, wrong := readEnvelope(named, m); ok {
			return said, wrong
		}
	}
	if err != nil {
		return Said{}, err
	}
	if e.Conversation != named {
		return Said{}, &unreadable{ReasonSubjectMismatch, "the payload's tenant, agent and conversation are not those of its subject"}
	}
	return Said{Event: e}, nil
}

// ReasonOf gives the reason and the detail of an error that Read returned, or of a reader that broke.
func ReasonOf(err error) (reason, detail string) {
	if u, ok := errors.AsType[*unreadable](err); ok {
		return u.reason, u.detail
	}
	if s, ok := errors.AsType[*schemas.Error](err); ok {
		return string(s.Reason), s.Error()
	}
	if d, ok := errors.AsType[*defect](err); ok {
		return ReasonReaderFailed, d.detail
	}
	return ReasonReaderFailed, fmt.Sprintf("%T", err)
}
