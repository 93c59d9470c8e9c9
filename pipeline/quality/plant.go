package quality

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/evidence"
	"github.com/plumbline-dev/plumbline/core/turn"
)

// Answer names an answer of a corpus.
type Answer struct {
	Conversation event.Conversation
	Name         turn.Name
}

func answerOf(v *event.EvidenceChecked) Answer {
	return Answer{
		event.Conversation{Tenant: v.Tenant, Agent: v.Agent, ID: v.Conversation}, turn.Name{Turn: v.Turn, Iteration: v.Iteration},
	}
}

// Planted is an invention: one digit of a value changed, and where the value stands in the changed answer.
type Planted struct {
	Was, Now string
	Span     event.Span
}

// Plant gives a copy of the corpus in which every answer that has a value on record asserts an invention: one digit of
// one such value is another, so that the value stands nowhere in the conversation. The same seed plants the same.
func Plant(c Corpus, seed uint64) (Corpus, map[Answer]Planted, error) {
	literal, err := turn.Policy{Ruleset: turn.Literal1}.Compile()
	if err != nil {
		return Corpus{}, nil, err
	}
	gate, err := evidence.NewGate(evidence.GateConfig{})
	if err != nil {
		return Corpus{}, nil, err
	}
	flagged := map[Answer][]event.UnsupportedValue{}
	for _, v := range verdicts(c, literal) {
		flagged[answerOf(v)] = v.Unsupported
	}
	said := conversationTexts(c)
	planted := Corpus{Name: c.Name, Events: slices.Clone(c.Events)}
	plants := map[Answer]Planted{}
	for i, e := range c.Events {
		if e.Answer == nil {
			continue
		}
		name := Answer{e.Conversation, turn.Name{Turn: e.Turn, Iteration: e.Answer.Iteration}}
		candidates := onRecord(gate.Extract(e.Answer.Text, nil), flagged[name])
		p, ok := plantOne(e.Answer.Text, candidates, said[e.Conversation], random(seed, name))
		if !ok {
			continue
		}
		changed := *e.Answer
		changed.Text = changed.Text[:p.Span[0]] + p.Now + changed.Text[p.Span[1]:]
		planted.Events[i].Answer = &changed
		plants[name] = p
	}
	return planted, plants, nil
}

// onRecord leaves out the candidates that the literal rules do not find.
func onRecord(candidates []evidence.Candidate, flagged []event.UnsupportedValue) []evidence.Candidate {
	return slices.DeleteFunc(candidates, func(c evidence.Candidate) bool {
		return slices.ContainsFunc(flagged, func(u event.UnsupportedValue) bool { return u.Value == evidence.Clip(c.Value) })
	})
}

// plantOne changes a digit of one of the candidates, trying a few times to make a value that nobody said.
func plantOne(text string, candidates []evidence.Candidate, said string, r *rand.Rand) (Planted, bool) {
	const tries = 20
	for range tries {
		if len(candidates) == 0 {
			return Planted{}, false
		}
		span := candidates[r.IntN(len(candidates))].Spans[0]
		was := text[span[0]:span[1]]
		now := changeDigit(was, r)
		if now != was && !strings.Contains(said, strings.ToLower(now)) {
			return Planted{Was: was, Now: now, Span: span}, true
		}
	}
	return Planted{}, false
}

// changeDigit makes one digit another one. The first does not become a zero: people write no number so.
func changeDigit(value string, r *rand.Rand) string {
	var places []int
	for i := range len(value) {
		if value[i] >= '0' && value[i] <= '9' {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return value
	}
	changed := []byte(value)
	at := places[r.IntN(len(places))]
	changed[at] = '0' + (changed[at]-'0'+byte(1+r.IntN(9)))%10
	if at == places[0] && changed[at] == '0' {
		return value
	}
	return string(changed)
}

// conversationTexts gives everything that was read or said in each conversation, in lower case, the answers left out.
func conversationTexts(c Corpus) map[event.Conversation]string {
	texts := map[event.Conversation]*strings.Builder{}
	for _, e := range c.Events {
		b := texts[e.Conversation]
		if b == nil {
			b = &strings.Builder{}
			texts[e.Conversation] = b
		}
		switch {
		case e.ToolEnd != nil:
			b.Write(e.ToolEnd.Read())
		case e.TurnStart != nil:
			addTexts(b, e.TurnStart.User, e.TurnStart.Context)
		case e.Answer != nil:
			addTexts(b, e.Answer.User, e.Answer.Context)
		}
		b.WriteByte('\n')
	}
	all := map[event.Conversation]string{}
	for name, b := range texts {
		all[name] = strings.ToLower(b.String())
	}
	return all
}

func addTexts(b *strings.Builder, user *string, context []string) {
	if user != nil {
		b.WriteString(*user + "\n")
	}
	for _, text := range context {
		b.WriteString(text + "\n")
	}
}

// random is the same for the same seed and answer, whatever else the corpus holds.
func random(seed uint64, name Answer) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q", []any{name.Conversation, name.Name})
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
