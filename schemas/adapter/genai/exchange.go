package genai

import "strings"

// exchange is what a person said and everything up to what they said next.
type exchange struct {
	said     []string // texts of the person
	messages []message
}

// exchangesOf splits messages where a person speaks. Messages of a person that follow one another are of one exchange, and
// so is what the assistant said before the person did. Results that a person's message carries, as Anthropic's do, begin
// none.
func exchangesOf(messages []message) []exchange {
	var list []exchange
	for _, m := range messages {
		speaks := m.of == person && !m.hasKind(partResponse)
		if len(list) == 0 || speaks && list[len(list)-1].closed() {
			list = append(list, exchange{})
		}
		last := &list[len(list)-1]
		if text := m.texts(); m.of == person && text != "" {
			last.said = append(last.said, text)
		}
		if !speaks {
			last.messages = append(last.messages, m)
		}
	}
	return list
}

// closed tells whether the person's next message begins another exchange.
func (e *exchange) closed() bool { return len(e.said) > 0 && len(e.messages) > 0 }

// answered tells whether the assistant's last message in the exchange is an answer, and gives it.
func (e *exchange) answered() (text string, ok bool) {
	if len(e.messages) == 0 {
		return "", false
	}
	last := &e.messages[len(e.messages)-1]
	if last.of != assistant || last.hasKind(partCall) {
		return "", false
	}
	return last.texts(), true
}

// trimmed compares texts that differ in the space around them only as the same.
func trimmed(text string) string { return strings.TrimSpace(text) }

// unseenIn counts the parts that may hold what an answer rests on and are no text, or were not recorded.
func unseenIn(messages []message) int {
	count := 0
	for i := range messages {
		for j := range messages[i].parts {
			p := &messages[i].parts[j]
			if messages[i].of != assistant && p.kind == partUnseen || p.unseen {
				count++
			}
		}
	}
	return count
}
