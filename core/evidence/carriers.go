package evidence

import "slices"

// maxCarriers is how many calls are named as having carried a value (readers.md, "Evidence").
const maxCarriers = 8

// carriers are the first calls that carried a value, each once: at most maxCarriers.
type carriers struct {
	calls [maxCarriers]string
	n     int
	more  bool // there were others
}

// before puts a call in front of those that are there: the rows of a form are gone through from the newest to the
// oldest. A call that is there already moves; when there is no room, the last one makes it.
func (c *carriers) before(call string) {
	at := slices.Index(c.calls[:c.n], call)
	if at < 0 {
		at = min(c.n, maxCarriers-1)
		c.more = c.more || c.n == maxCarriers
		c.n = at + 1
	}
	copy(c.calls[1:at+1], c.calls[:at])
	c.calls[0] = call
}

// list gives the calls; nil when there are none.
func (c *carriers) list() (calls []string, more bool) {
	if c.n == 0 {
		return nil, false
	}
	return slices.Clone(c.calls[:c.n]), c.more
}

// addCarrier adds a call behind those that carried another form of the value.
func addCarrier(calls []string, call string, more bool) ([]string, bool) {
	switch {
	case slices.Contains(calls, call):
		return calls, more
	case len(calls) == maxCarriers:
		return calls, true
	}
	return append(calls, call), more
}
