package pipeline

// Breaking gives a configuration under which do is called before each message is folded. It may panic, as a reader that is
// broken does.
func (c Config) Breaking(do func(Message)) Config {
	c.breaks = do
	return c
}
