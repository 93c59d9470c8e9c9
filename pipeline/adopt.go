package pipeline

import "sync"

// adoption is the rules that a member is to judge by from now on.
type adoption struct {
	ready chan struct{} // holds a token while next was not taken

	mu   sync.Mutex
	next Rules // guarded by mu
}

func newAdoption() adoption { return adoption{ready: make(chan struct{}, 1)} }

func (a *adoption) take() Rules {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.next
}

// Adopt makes the member judge by other rules, from any goroutine. Each partition in hand is drained and opened anew, as if
// it had fallen to another member in between: what is in hand is finished under the rules before, and what comes then is
// judged by the new ones. A drain that takes longer than it may leaves messages that are handed out again, and are then
// judged by the new rules. Nothing is judged anew: see docs/decisions/0011-a-policy-changes-between-epochs.md.
func (m *Member) Adopt(rules Rules) {
	m.adoption.mu.Lock()
	m.adoption.next = rules
	m.adoption.mu.Unlock()
	select {
	case m.adoption.ready <- struct{}{}:
	default: // whoever takes the token takes these rules
	}
}

// adopt begins what is in hand anew, under the new rules.
func (m *Member) adopt() {
	m.rules = m.adoption.take()
	for _, s := range m.shifts {
		s.leave()
	}
}
