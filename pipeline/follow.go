package pipeline

import "github.com/plumbline-dev/plumbline/core/event"

// Follower is told how each message goes, for those who trace it. Several workers may call it at once, and it must not
// block: what it cannot keep it drops. Nothing of the work depends on it.
type Follower interface {
	// Take is a message that was handed over. The header and the bytes of the message are the caller's.
	Take(m Message) Followed
}

// Followed is one message on its way, from when it was handed over to its acknowledgement. One goroutine calls it; steps
// may overlap.
type Followed interface {
	// Step begins one of the steps that are named below. end is called once, with what went wrong or nil; never when a reader
	// broke in the step.
	Step(name string) (end func(err error))
	// Verdict was stored as the revision of its chain, because of the message.
	Verdict(v event.EvidenceChecked, revision int)
	// End says that everything the message caused is stored, or that it was handed back and comes again.
	End(handedBack bool)
}

// The steps.
const (
	StepFold  = "fold"  // reading the conversation back is part of it
	StepJudge = "judge" // of one answer, or of what a call declared
	StepStore = "store" // from the publish to its outcome
	StepBury  = "bury"  // of one dead letter
)

// follow begins to follow the ticket's message.
func (t *ticket) follow(f Follower) {
	if f != nil {
		t.followed = f.Take(t.delivery.Message())
	}
}

// noStep ends the step of a message that nobody follows.
func noStep(error) {}

func (t *ticket) step(name string) (end func(error)) {
	if t.followed == nil {
		return noStep
	}
	return t.followed.Step(name)
}

// cause is the ticket that asked for the chain last, nil when none waits for it.
func (ch *chain) cause() *ticket {
	if len(ch.tickets) == 0 {
		return nil
	}
	return ch.tickets[len(ch.tickets)-1]
}

func (ch *chain) step(name string) (end func(error)) {
	if cause := ch.cause(); cause != nil {
		return cause.step(name)
	}
	return noStep
}

// tellVerdict tells those who follow the cause of a verdict that was stored.
func (ch *chain) tellVerdict(v *event.EvidenceChecked, revision int) {
	if cause := ch.cause(); v != nil && cause != nil && cause.followed != nil {
		cause.followed.Verdict(*v, revision)
	}
}
