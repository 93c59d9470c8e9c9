package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nats.go/micro"

	"github.com/plumbline-dev/plumbline/core/event"
	"github.com/plumbline-dev/plumbline/core/turn"
	"github.com/plumbline-dev/plumbline/pipeline"
	"github.com/plumbline-dev/plumbline/pipeline/explain"
	"github.com/plumbline-dev/plumbline/pipeline/jet"
)

// serviceName is what the service is called in PING, INFO and STATS.
const serviceName = "plumbline"

// explainWithin bounds one explanation.
const explainWithin = 10 * time.Second

// serveOnNATS answers as a NATS service: PING, INFO, STATS, and explain. Of several consumers one answers each request. It
// stores nothing, and one explanation is made at a time, on a goroutine of its own.
func (s *service) serveOnNATS(context.Context) (stop func(), err error) {
	explainer := explain.Explainer{
		Rules: inUse{&s.state}, Subjects: s.layout.Subjects, Chain: s.sink.Chain, Event: s.eventAt,
		History: jet.NewPast(s.js, jet.EventsStream).History,
	}
	working, cancel := context.WithCancel(context.Background())
	served, err := micro.AddService(s.nc, micro.Config{
		Name: serviceName, Version: strings.TrimPrefix(turn.Engine, "plumbline/"),
		Description:  "Audits what AI agents answer. explain shows what a verdict rests on.",
		Metadata:     map[string]string{"verdicts": s.layout.Subjects.AllAudits(), "events": s.layout.Subjects.AllEvents()},
		StatsHandler: func(*micro.Endpoint) any { return serviceStats{len(s.state.backlog()), s.state.notReady()} },
		ErrorHandler: func(_ micro.Service, err *micro.NATSError) {
			s.log.Warn("the NATS service has a fault", "subject", err.Subject, "error", err.Description)
		},
	})
	if err != nil {
		cancel()
		return nil, fmt.Errorf("--service: %w", err)
	}
	handler := micro.HandlerFunc(func(q micro.Request) { s.answerExplain(working, explainer, q) })
	if err := served.AddEndpoint("explain", handler, micro.WithEndpointSubject(s.layout.Subjects.Explain())); err != nil {
		cancel()
		return nil, errors.Join(fmt.Errorf("--service: %w", err), served.Stop())
	}
	s.log.Info("answering on NATS", "service", serviceName, "explain", s.layout.Subjects.Explain())
	return func() {
		cancel()
		if err := served.Stop(); err != nil {
			s.log.Warn("the NATS service did not stop as it should", "error", err)
		}
	}, nil
}

// inUse gives the rules that are in use when it is asked.
type inUse struct{ state *state }

// RulesFor is for pipeline.Rules.
func (u inUse) RulesFor(c event.Conversation) *turn.Rules {
	_, rules := u.state.choices()
	return rules.RulesFor(c)
}

// serviceStats is what STATS says beside the counts of requests.
type serviceStats struct {
	Partitions int    `json:"partitions"` // that this consumer works on
	NotReady   string `json:"notReady,omitempty"`
}

// eventAt reads one message of the event stream.
func (s *service) eventAt(ctx context.Context, seq uint64) (m pipeline.Message, ok bool, err error) {
	return jet.NewPast(s.js, jet.EventsStream).At(ctx, seq)
}

// answerExplain answers one request. Errors name what was wrong with it, and no content. A request that names no subject for the
// answer is not looked at: nobody could read it.
func (s *service) answerExplain(ctx context.Context, explainer explain.Explainer, q micro.Request) {
	if q.Reply() == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, explainWithin)
	defer cancel()
	request, err := explain.Parse(q.Data())
	var made explain.Explanation
	if err == nil {
		made, err = explainer.Explain(ctx, request)
	}
	var body []byte
	if err == nil {
		body, err = json.Marshal(made)
	}
	if most := s.nc.MaxPayload(); err == nil && int64(len(body)) > most {
		err = fmt.Errorf("the explanation takes %d bytes, the server takes %d: replayer explain writes it", len(body), most)
	}
	if err == nil {
		err = q.Respond(body)
	} else {
		code, said := refusal(err)
		err = q.Error(code, said, nil)
	}
	if err != nil && !errors.Is(err, micro.ErrRespond) {
		s.log.Warn("an explanation was not answered", "error", err)
	}
}

// refusal is the code of HTTP that fits an error, and what is said of it.
func refusal(err error) (code, said string) {
	wrong, bad := errors.AsType[*explain.RequestError](err)
	switch {
	case bad:
		return "400", wrong.Detail
	case errors.Is(err, explain.ErrNotFound):
		return "404", err.Error()
	case pipeline.IsBroken(err):
		return "500", "a reader broke"
	case errors.Is(err, context.DeadlineExceeded), jet.MayPass(err), errors.Is(err, jetstream.ErrNoStreamResponse):
		return "503", err.Error()
	}
	return "500", err.Error()
}
