package replay

import "github.com/plumbline-dev/plumbline/core/event"

// Break makes the conversation call do before each of its events is folded. It may panic, as a reader that is broken does.
func (c *Conversation) Break(do func(event.Event)) { c.breaks = do }
