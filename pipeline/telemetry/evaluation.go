package telemetry

import (
	"fmt"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/log"

	"github.com/plumbline-dev/plumbline/core/event"
)

// The names of the GenAI conventions (semantic conventions 1.41, development status).
const (
	eventName   = "gen_ai.evaluation.result"
	scoreLabel  = "gen_ai.evaluation.score.label"
	scoreValue  = "gen_ai.evaluation.score.value"
	evaluated   = "gen_ai.evaluation.name"
	explanation = "gen_ai.evaluation.explanation"
	responseID  = "gen_ai.response.id"
)

// evaluationName is what is evaluated: whether the values of an answer stand in what the agent read.
const evaluationName = "plumbline.evidence"

// evaluation is a verdict as a log event. It holds no value of the answer, only how many.
func evaluation(v event.EvidenceChecked, revision int, response string, now time.Time) log.Record {
	var r log.Record
	r.SetEventName(eventName)
	r.SetTimestamp(now)
	r.SetObservedTimestamp(now)
	r.SetSeverity(log.SeverityInfo)
	if v.Outcome == event.Unsupported {
		r.SetSeverity(log.SeverityWarn)
	}
	r.AddAttributes(
		attribute.String(evaluated, evaluationName), attribute.String(scoreLabel, string(v.Outcome)),
		attribute.String(explanation, explain(v)),
	)
	if score, ok := scoreOf(v); ok {
		r.AddAttributes(attribute.Float64(scoreValue, score))
	}
	if response != "" {
		r.AddAttributes(attribute.String(responseID, response))
	}
	r.AddAttributes(namesOf(event.Conversation{Tenant: v.Tenant, Agent: v.Agent, ID: v.Conversation})...)
	r.AddAttributes(
		attribute.Int("plumbline.turn", v.Turn), attribute.Int("plumbline.iteration", v.Iteration), attribute.Int("plumbline.revision", revision),
		attribute.Int("plumbline.unsupported", unsupported(v)), attribute.Int64("plumbline.answer_sequence", int64(v.AnswerSeq)),
		attribute.Int64("plumbline.through", int64(v.Through)), attribute.String("plumbline.ruleset", v.Ruleset), attribute.String("plumbline.policy", v.Policy),
		attribute.StringSlice("plumbline.reasons", reasons(v)),
	)
	return r
}

// scoreOf is the share of the values that were looked up which stand in what was read, from 0 to 1. There is none when
// nothing was asserted, or when it cannot be told.
func scoreOf(v event.EvidenceChecked) (score float64, ok bool) {
	if v.LookedUp == 0 || v.Outcome != event.Grounded && v.Outcome != event.Unsupported {
		return 0, false
	}
	return max(0, 1-float64(unsupported(v))/float64(v.LookedUp)), true
}

func unsupported(v event.EvidenceChecked) int { return len(v.Unsupported) + v.UnsupportedOmitted }

func reasons(v event.EvidenceChecked) []string {
	words := make([]string, len(v.Reasons))
	for i, reason := range v.Reasons {
		words[i] = string(reason)
	}
	return words
}

// explain says the outcome in a sentence, and that it is about fabrication and not about truth.
func explain(v event.EvidenceChecked) string {
	switch v.Outcome {
	case event.Grounded:
		return fmt.Sprintf("Each of %d checked values stands in what the agent read or was told. Whether what is said of them is true was not checked.", v.LookedUp)
	case event.Unsupported:
		return fmt.Sprintf("%d of %d checked values stand in nothing that the agent read or was told.", unsupported(v), v.LookedUp)
	case event.NothingAsserted:
		return "The answer holds no value that is checked."
	}
	return fmt.Sprintf("It cannot be told: %s.", strings.ReplaceAll(strings.Join(reasons(v), ", "), "_", " "))
}
